// layouts/composite.md, Composition Semantics, for whoever asks for one element.
#include "conformance/adapter/set_lookup.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "conformance/adapter/elements.h"
#include "reference/types/dequantise.h"
#include "reference/types/element_type.h"
#include "reference/types/number.h"

namespace plumbline::adapter {
namespace {

using code = std::expected<std::uint64_t, Refusal>;

code no_arithmetic() {
  return std::unexpected(Refusal{"opaque", "no arithmetic for the head's type"});
}

// The number in the head's type. Of float8 and narrower no page says how to round (open point D-253);
// a NaN that is computed has no sign and no payload.
code rounded(std::uint8_t tag, double value) {
  if (tag < 0x01 || tag > 0x04) return no_arithmetic();
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  const auto nearest = nearest_code(tag, value);
  return nearest ? code(*nearest) : no_arithmetic();
}

// The code in the head's type that a stored element stands for.
code code_of(const Contribution& c, const Part& part, std::uint8_t tag) {
  if (c.stored->size() > 8) return no_arithmetic();
  const std::uint64_t stored = little_endian(*c.stored);
  if (!part.descriptor.quantization) return stored;
  const auto value = dequantise_code(part.descriptor, part.buffers, c.index, stored);
  if (!value) return std::unexpected(value.error());
  return rounded(tag, *value);
}

code sum(std::uint8_t tag, std::uint64_t a, std::uint64_t b) {
  const ElementType* type = find_element_type(tag);
  if (!type) return no_arithmetic();
  if (type->kind == NumberKind::signed_integer || type->kind == NumberKind::unsigned_integer) {
    const std::uint64_t all =
        type->bit_width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << type->bit_width) - 1;
    return (a + b) & all;  // modulo the width
  }
  const auto x = exact_float64(tag, a), y = exact_float64(tag, b);
  if (type->kind != NumberKind::floating || !x || !y) return no_arithmetic();
  // A double holds the sum of two narrower floats well enough for one more rounding (53 >= 2 * 24 +
  // 2).
  return rounded(tag, *x + *y);
}

}  // namespace

std::expected<std::optional<Stored>, Refusal> lookup_set(const SetJudgement& set,
                                                         const std::vector<Bytes>& buffers,
                                                         const Index& index) {
  if (!set.interpreted)
    return std::unexpected(Refusal{"opaque", "a composite that is not whole, or not interpreted"});
  if (const auto refusal = refuse_index(set.members.front().descriptor.shape, index))
    return std::unexpected(*refusal);
  std::vector<Part> parts;
  std::size_t next = 0;
  for (const Judgement& member : set.members) {
    Part part{member.descriptor, {}};
    for (std::size_t k = 0; k < member.descriptor.buffers.handles.size(); ++k, ++next) {
      if (next == buffers.size())
        return std::unexpected(Refusal{"buffers", "fewer buffers than the set lists"});
      part.buffers.emplace_back(buffers[next]);
    }
    parts.push_back(std::move(part));
  }
  if (next != buffers.size())
    return std::unexpected(Refusal{"buffers", "more buffers than the set lists"});
  for (const Part& part : parts)
    if (const auto fitted = fit_buffers(part.descriptor, part.buffers); !fitted)
      return std::unexpected(fitted.error());
  for (const Part& part : parts)
    if (auto refusal = refuse_contents(part.descriptor, part.buffers))
      return std::unexpected(std::move(*refusal));

  const auto found = lookup_composite(parts, index);
  if (!found) return std::unexpected(found.error());
  const std::uint8_t tag = parts.front().descriptor.header.type_tag;
  const auto is_stored = [](const Contribution& c) { return c.stored.has_value(); };
  const Contribution& base = found->front();
  if (std::ranges::none_of(*found, is_stored)) return std::nullopt;
  if (std::ranges::none_of(*found | std::views::drop(1), is_stored) &&
      !parts[base.part].descriptor.quantization)
    return base.stored;

  std::optional<std::uint64_t> total;
  for (const Contribution& c : *found) {
    if (!c.stored) continue;
    const code term = code_of(c, parts[c.part], tag);
    if (!term) return std::unexpected(term.error());
    const bool correction =
        &c != &found->front();  // it is added even where the base stores nothing
    const code so_far = correction ? sum(tag, total.value_or(0), *term) : term;
    if (!so_far) return std::unexpected(so_far.error());
    total = *so_far;
  }
  if (!total) return std::nullopt;
  const ElementType* type = find_element_type(tag);
  Stored out;
  append_little_endian(out, *total, type ? std::max<std::size_t>(1, type->bit_width / 8) : 1);
  return out;
}

}  // namespace plumbline::adapter
