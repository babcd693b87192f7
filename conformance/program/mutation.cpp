// Mutations by fields.
#include "mutation.h"

#include <algorithm>

namespace plumbline::program {
namespace {

constexpr std::size_t length_at = 6;  // descriptor_length

vectors::bytes little_endian(std::uint64_t value, std::size_t size) {
  vectors::bytes out(size, 0);
  for (std::size_t i = 0; i < std::min<std::size_t>(size, 8); ++i)
    out[i] = static_cast<std::uint8_t>(value >> (8 * i));
  return out;
}

std::uint64_t number_at(const vectors::bytes& data, std::size_t at, std::size_t size) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(size, 8) && at + i < data.size(); ++i)
    out |= std::uint64_t{data[at + i]} << (8 * i);
  return out;
}

}  // namespace

std::string key_of(const Field& field) {
  return field.index < 0 ? field.key : field.key + '[' + std::to_string(field.index) + ']';
}

vectors::bytes mutation::bytes() const {
  vectors::bytes out = base->input;
  std::vector<edit> from_behind = edits;
  std::ranges::stable_sort(from_behind, std::ranges::greater(), &edit::at);
  const auto old_size = static_cast<std::int64_t>(out.size());
  bool length_set = false;
  for (const edit& e : from_behind) {
    const std::size_t at = std::min(e.at, out.size());
    const std::size_t removed = std::min(e.removed, out.size() - at);
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(at),
              out.begin() + static_cast<std::ptrdiff_t>(at + removed));
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(at), e.put.begin(), e.put.end());
    length_set = length_set || e.at == length_at;
  }
  const std::int64_t grown = static_cast<std::int64_t>(out.size()) - old_size;
  if (repair && !length_set && grown != 0 && out.size() >= length_at + 4) {
    const std::uint64_t length = number_at(out, length_at, 4) + static_cast<std::uint64_t>(grown);
    std::ranges::copy(little_endian(length, 4), out.begin() + length_at);
  }
  return out;
}

mutator::mutator(const std::vector<vectors::vector>& all, std::uint64_t seed) : random_(seed) {
  for (const vectors::vector& v : all) {
    if (v.op != "decode" || v.is_set() || !v.expect.is_accept() || v.input.size() > 4096) continue;
    if (v.mode != "strict") continue;
    base b{&v, {}};
    for (const Field& f :
         list_fields(judge(v.input, {.agreement = Agreement::everything()}).descriptor))
      if (f.size > 0 && f.offset + f.size <= v.input.size()) b.fields.push_back(f);
    if (!b.fields.empty()) bases_.push_back(std::move(b));
  }
}

// One field gets a value that is likely to lie beside a border, or goes, or comes twice.
edit mutator::change(const base& from) {
  const vectors::bytes& data = from.vector->input;
  const Field& f = from.fields[below(from.fields.size())];
  const std::uint64_t value = number_at(data, f.offset, f.size);
  const std::size_t kind = below(16);
  const vectors::bytes own(data.begin() + static_cast<std::ptrdiff_t>(f.offset),
                           data.begin() + static_cast<std::ptrdiff_t>(f.offset + f.size));
  if (kind == 0) return {f.offset, f.size, {}, ""};
  if (kind == 1) return {f.offset, 0, own, ""};
  if (kind == 2) return {f.offset, data.size(), {}, ""};  // the rest is cut off
  if (kind == 3) return {data.size(), 0, vectors::bytes(1 + below(8), 0), ""};
  vectors::bytes put = own;
  if (f.size > 8) {
    put[below(put.size())] ^= static_cast<std::uint8_t>(1U << below(8));
  } else {
    static constexpr std::uint64_t values[] = {0,  1,  2,  3,  4,  5,  7,   8,   9,   16,
                                               31, 32, 33, 63, 64, 65, 127, 128, 255, 256};
    std::uint64_t fresh = value;
    switch (below(7)) {
      case 0:
        fresh = value + 1;
        break;
      case 1:
        fresh = value - 1;
        break;
      case 2:
        fresh = value ^ std::uint64_t{1} << below(8 * f.size);
        break;
      case 3:
        fresh = ~std::uint64_t{0} >> below(3);
        break;
      case 4:
        fresh = value * 2;
        break;
      case 5:
        fresh = below(256);
        break;
      default:
        fresh = values[below(std::size(values))];
        break;
    }
    put = little_endian(fresh, f.size);
  }
  if (put == own) put[0] ^= 1;
  return {f.offset, f.size, put, key_of(f)};
}

mutation mutator::next() {
  const base& from = bases_[below(bases_.size())];
  mutation out{from.vector, {}, below(2) == 0};
  for (std::size_t n = 1 + (below(3) == 0 ? below(3) : 0); n > 0; --n) {
    edit e = change(from);
    const auto overlaps = [&](const edit& o) {
      return e.at < o.at + std::max<std::size_t>(o.removed, 1) &&
             o.at < e.at + std::max<std::size_t>(e.removed, 1);
    };
    if (std::ranges::none_of(out.edits, overlaps)) out.edits.push_back(std::move(e));
  }
  return out;
}

std::vector<mutation> mutator::on_smaller_bases(const mutation& m) const {
  std::vector<mutation> out;
  if (m.edits.size() != 1 || m.edits[0].key.empty()) return out;
  const edit& e = m.edits[0];
  for (const base& b : bases_) {
    if (b.vector->input.size() >= m.base->input.size()) continue;
    const auto field = std::ranges::find(b.fields, e.key, key_of);
    if (field == b.fields.end() || field->size != e.put.size()) continue;
    out.push_back({b.vector, {{field->offset, field->size, e.put, e.key}}, m.repair});
  }
  std::ranges::stable_sort(out, {}, [](const mutation& x) { return x.base->input.size(); });
  if (out.size() > 40) out.resize(40);
  return out;
}

}  // namespace plumbline::program
