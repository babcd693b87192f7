// The order of refusals around the reference's own lookup and dequantise.
#include "conformance/adapter/elements.h"

#include <algorithm>
#include <string_view>

#include "reference/contents/contents.h"
#include "reference/types/dequantise.h"

namespace plumbline::adapter {
namespace {

bool is_about_elements(const Fault& f) {
  // Padding, 00 and ff of float8_e8m0, elements behind the last of a block.
  static constexpr std::string_view clauses[] = {"CON-05", "CON-07", "CON-09", "CON-12",
                                                 "CON-15", "CON-16", "CON-57"};
  return std::ranges::find(clauses, f.clause) != std::end(clauses);
}

bool is_one_of(const Refusal& refusal, std::initializer_list<std::string_view> kinds) {
  return std::ranges::find(kinds, refusal.kind) != kinds.end();
}

// What is accepted as sized alone has no elements for a reader.
std::optional<Refusal> refuse_uninterpreted(const Judgement& judged) {
  if (judged.interpreted) return std::nullopt;
  return Refusal{"opaque", "a descriptor that is accepted as sized, not interpreted"};
}

}  // namespace

std::optional<Refusal> refuse_contents(const Descriptor& d, const Buffers& buffers) {
  const auto faults = judge_contents(d, buffers, {.agreement = Agreement::everything()});
  if (!faults) return std::nullopt;  // the question itself says why
  const auto found = std::ranges::find_if_not(*faults, is_about_elements);
  if (found == faults->end()) return std::nullopt;
  return Refusal{"contents", found->clause + " " + found->message()};
}

std::expected<std::optional<Stored>, Refusal> lookup_judged(const Judgement& judged,
                                                            const Buffers& buffers,
                                                            const Index& index) {
  const Descriptor& d = judged.descriptor;
  auto found = lookup(d, buffers, index);
  const bool is_paged = d.header.layout_tag == layout::block_paged;
  if (!found && is_one_of(found.error(), {"virtual", "opaque"})) return found;
  if (const auto refusal = refuse_uninterpreted(judged)) return std::unexpected(*refusal);
  if (!found && found.error().kind == "dynamic") return found;
  // The tokens of a sequence are known from the buffers alone.
  if (!found && found.error().kind == "range" && (!is_paged || index.size() != 4)) return found;
  if (!fit_buffers(d, buffers)) return found;
  if (auto refusal = refuse_contents(d, buffers)) return std::unexpected(std::move(*refusal));
  return found;
}

std::expected<std::vector<float>, Refusal> dequantise_judged(const Judgement& judged,
                                                             const Buffers& buffers,
                                                             std::size_t most) {
  const Descriptor& d = judged.descriptor;
  const bool has_count = !d.is_composite_head() && !d.has_dynamic_dimension();
  const Exact count = has_count ? d.element_count() : Exact(0);
  const bool is_large = !count.at_most(most);
  // Without a single value the refusals that come before it are found.
  auto values = dequantise(d, buffers, is_large ? 0 : most_unbacked_values);
  if (!values && is_one_of(values.error(), {"virtual", "unquantized", "opaque"})) return values;
  if (const auto refusal = refuse_uninterpreted(judged)) return std::unexpected(*refusal);
  if (!values && values.error().kind == "dynamic") return values;
  if (!fit_buffers(d, buffers)) return values;
  if (is_large) return std::unexpected(Refusal{"large", "the values do not fit into a reply"});
  if (auto refusal = refuse_contents(d, buffers)) return std::unexpected(std::move(*refusal));
  return values;
}

}  // namespace plumbline::adapter
