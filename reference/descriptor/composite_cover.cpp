#include "composite_cover.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace plumbline {

namespace {

std::uint64_t end(const Box& box, std::size_t k) { return box.offset[k] + box.size[k]; }

bool overlap(const Box& a, const Box& b) {
  for (std::size_t k = 0; k < a.offset.size(); ++k)
    if (!(a.offset[k] < end(b, k) && b.offset[k] < end(a, k))) return false;
  return true;
}

// A number of any length: the volume of a box may have 64 factors of 64 bits.
class Natural {
 public:
  explicit Natural(std::uint32_t value = 0) : limbs_{value} {}
  void multiply(std::uint64_t factor) {
    Natural high = *this;
    scale(static_cast<std::uint32_t>(factor));
    high.scale(static_cast<std::uint32_t>(factor >> 32));
    high.limbs_.insert(high.limbs_.begin(), 0);
    add(high);
  }
  void add(const Natural& other) {
    limbs_.resize(std::max(limbs_.size(), other.limbs_.size()) + 1);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      carry += std::uint64_t{limbs_[i]} + (i < other.limbs_.size() ? other.limbs_[i] : 0);
      limbs_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    trim();
  }
  friend bool operator==(const Natural&, const Natural&) = default;

 private:
  void scale(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (std::uint32_t& limb : limbs_) {
      carry += std::uint64_t{limb} * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    limbs_.push_back(static_cast<std::uint32_t>(carry));
    trim();
  }
  void trim() {
    while (limbs_.size() > 1 && limbs_.back() == 0) limbs_.pop_back();
  }
  std::vector<std::uint32_t> limbs_;  // least significant first
};

Natural volume(const std::vector<std::uint64_t>& sizes) {
  Natural v(1);
  for (std::uint64_t size : sizes) v.multiply(size);
  return v;
}

bool is_empty(const Box& box) { return std::ranges::find(box.size, 0u) != box.size.end(); }

// What is left of `whole` without `part`: at most two pieces a dimension.
void subtract(Box whole, const Box& part, std::vector<Box>& pieces) {
  for (std::size_t k = 0; k < whole.offset.size(); ++k) {
    std::uint64_t low = std::max(whole.offset[k], part.offset[k]);
    std::uint64_t high = std::min(end(whole, k), end(part, k));
    Box below = whole, above = whole;
    below.size[k] = low - whole.offset[k];
    above.offset[k] = high;
    above.size[k] = end(whole, k) - high;
    if (!is_empty(below)) pieces.push_back(below);
    if (!is_empty(above)) pieces.push_back(above);
    whole.offset[k] = low;
    whole.size[k] = high - low;
  }
}

}  // namespace

std::optional<std::size_t> first_overlap(const std::vector<Box>& boxes) {
  if (boxes.empty()) return std::nullopt;
  std::size_t rank = boxes[0].offset.size();
  if (rank == 0) return boxes.size() > 1 ? std::optional<std::size_t>(1) : std::nullopt;
  // Sweep along the dimension with the most distinct offsets, so that few boxes stand side by side.
  std::size_t sweep = 0, most = 0;
  for (std::size_t k = 0; k < rank; ++k) {
    std::set<std::uint64_t> offsets;
    for (const Box& box : boxes) offsets.insert(box.offset[k]);
    if (offsets.size() > most) most = offsets.size(), sweep = k;
  }
  std::vector<std::size_t> order(boxes.size()), open;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return boxes[i].offset[sweep]; });
  std::optional<std::size_t> first;
  for (std::size_t i : order) {
    std::erase_if(open, [&](std::size_t j) { return end(boxes[j], sweep) <= boxes[i].offset[sweep]; });
    for (std::size_t j : open)
      if (overlap(boxes[i], boxes[j])) first = std::min(first.value_or(boxes.size()), std::max(i, j));
    open.push_back(i);
  }
  return first;
}

bool leaves_gap(const std::vector<Box>& boxes, const std::vector<std::uint64_t>& shape,
                bool overlapping) {
  if (!overlapping) {
    Natural covered(0);
    for (const Box& box : boxes) covered.add(volume(box.size));
    return covered != volume(shape);
  }
  constexpr std::size_t most_pieces = 4096;
  Box whole{std::vector<std::uint64_t>(shape.size(), 0), shape};
  std::vector<Box> left;
  if (!is_empty(whole)) left.push_back(whole);
  for (const Box& box : boxes) {
    if (is_empty(box)) continue;
    std::vector<Box> next;
    for (const Box& piece : left) {
      if (overlap(piece, box))
        subtract(piece, box, next);
      else
        next.push_back(piece);
    }
    left = std::move(next);
    if (left.size() > most_pieces) return false;
  }
  return !left.empty();
}

}  // namespace plumbline
