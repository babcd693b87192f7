#include "composite_cover.h"

#include <algorithm>
#include <numeric>

#include "../mutation.h"

namespace plumbline {

namespace {

std::uint64_t end(const Box& box, std::size_t k) { return box.offset[k] + box.size[k]; }

bool overlap(const Box& a, const Box& b) {
  for (std::size_t k = 0; k < a.offset.size(); ++k)
    if (!(a.offset[k] < limit("CMP-27", end(b, k)) && b.offset[k] < limit("CMP-27", end(a, k))))
      return false;
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

// What is left of `whole` without `part`, which overlap: at most two pieces a dimension.
void subtract(Box whole, const Box& part, std::vector<Box>& pieces) {
  for (std::size_t k = 0; k < whole.offset.size(); ++k) {
    std::uint64_t low = std::max(whole.offset[k], part.offset[k]);
    std::uint64_t high = std::min(end(whole, k), end(part, k));
    if (low > whole.offset[k]) {
      pieces.push_back(whole);
      pieces.back().size[k] = low - whole.offset[k];
    }
    if (high < end(whole, k)) {
      pieces.push_back(whole);
      pieces.back().offset[k] = high;
      pieces.back().size[k] = end(whole, k) - high;
    }
    whole.offset[k] = low;
    whole.size[k] = high - low;
  }
}

// The boxes by halves, each half with the box around it: an overlap is looked for only where the
// surrounding boxes overlap too, so that members that lie apart are not compared one by one.
class BoxTree {
 public:
  explicit BoxTree(const std::vector<Box>& boxes) : boxes_(boxes), order_(boxes.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    build(0, order_.size());
  }
  // Whether box `later` overlaps one before it.
  bool overlaps_earlier(std::size_t later) const { return search(0, later); }

 private:
  struct Node {
    Box around;
    std::size_t first = 0, last = 0;  // places in order_
    std::size_t earliest = 0;         // least index among them
    std::size_t left = 0, right = 0;  // 0: a leaf
  };
  static constexpr std::size_t leaf_size = 4;

  std::size_t build(std::size_t first, std::size_t last) {
    std::size_t at = nodes_.size();
    nodes_.emplace_back();
    Node node{boxes_[order_[first]], first, last, order_[first]};
    std::size_t rank = node.around.offset.size(), widest = 0;
    std::uint64_t spread = 0;
    for (std::size_t k = 0; k < rank; ++k) {
      std::uint64_t low = node.around.offset[k], high = end(node.around, k), highest_offset = low;
      for (std::size_t i = first; i < last; ++i) {
        const Box& box = boxes_[order_[i]];
        low = std::min(low, box.offset[k]);
        high = std::max(high, end(box, k));
        highest_offset = std::max(highest_offset, box.offset[k]);
        node.earliest = std::min(node.earliest, order_[i]);
      }
      node.around.offset[k] = low;
      node.around.size[k] = high - low;
      if (highest_offset - low > spread) spread = highest_offset - low, widest = k;
    }
    if (last - first > leaf_size) {
      std::size_t middle = first + (last - first) / 2;
      auto begin = order_.begin();
      std::nth_element(begin + static_cast<std::ptrdiff_t>(first),
                       begin + static_cast<std::ptrdiff_t>(middle),
                       begin + static_cast<std::ptrdiff_t>(last), [&](std::size_t a, std::size_t b) {
                         return boxes_[a].offset[widest] < boxes_[b].offset[widest];
                       });
      node.left = build(first, middle);
      node.right = build(middle, last);
    }
    nodes_[at] = std::move(node);
    return at;
  }

  bool search(std::size_t at, std::size_t later) const {
    const Node& node = nodes_[at];
    if (node.earliest >= later || !overlap(node.around, boxes_[later])) return false;
    if (node.left != 0) return search(node.left, later) || search(node.right, later);
    for (std::size_t i = node.first; i < node.last; ++i)
      if (order_[i] < later && overlap(boxes_[order_[i]], boxes_[later])) return true;
    return false;
  }

  const std::vector<Box>& boxes_;
  std::vector<std::size_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace

std::optional<std::size_t> first_overlap(const std::vector<Box>& boxes) {
  if (boxes.empty()) return std::nullopt;
  if (boxes[0].offset.empty()) return boxes.size() > 1 ? std::optional<std::size_t>(1) : std::nullopt;
  BoxTree tree(boxes);
  for (std::size_t later = 1; later < boxes.size(); ++later)
    if (tree.overlaps_earlier(later)) return later;
  return std::nullopt;
}

bool leaves_gap(const std::vector<Box>& boxes, const std::vector<std::uint64_t>& shape,
                bool overlapping) {
  if (!overlapping) {
    Natural covered(0);
    for (const Box& box : boxes) covered.add(volume(box.size));
    return covered != volume(shape);
  }
  // Depth first, so that few pieces are kept: each with the first box that may still take from it.
  struct Piece {
    Box box;
    std::size_t next;
  };
  std::size_t steps_left = 4096 * boxes.size();  // comparisons and pieces: open point D-244
  Box whole{std::vector<std::uint64_t>(shape.size(), 0), shape};
  std::vector<Piece> left;
  if (!is_empty(whole)) left.push_back({whole, 0});
  while (!left.empty()) {
    auto [piece, next] = std::move(left.back());
    left.pop_back();
    while (next < boxes.size() && (is_empty(boxes[next]) || !overlap(piece, boxes[next]))) {
      if (steps_left-- == 0) return false;
      ++next;
    }
    if (next == boxes.size()) return true;
    std::vector<Box> pieces;
    subtract(piece, boxes[next], pieces);
    if (steps_left <= pieces.size()) return false;
    steps_left -= 1 + pieces.size();
    for (Box& rest : pieces) left.push_back({std::move(rest), next + 1});
  }
  return false;
}

}  // namespace plumbline
