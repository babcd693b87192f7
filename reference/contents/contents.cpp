#include "contents.h"

#include <algorithm>
#include <limits>

#include "../addressing/element.h"
#include "../addressing/refuse.h"
#include "../too_strict.h"
#include "pages.h"

namespace plumbline {

namespace {

// The table has the buffers that the layout and the scheme use, and each is as long as they ask
// for.
std::optional<Refusal> refuse_short(const Descriptor& d) {
  if (d.shape.size() != d.header.rank) return Refusal{"opaque", "a descriptor that was cut short"};
  const std::vector<BufferHandle>& handles = d.buffers.handles;
  std::size_t own = d.is_composite_head() ? 0 : layout_buffer_count(d);
  if (handles.size() < own)
    return Refusal{"buffers", std::to_string(handles.size()) + " buffers, the layout has " +
                                  std::to_string(own)};
  for (const Need& need : all_needs(d)) {
    if (need.buffer >= handles.size())
      return Refusal{"buffers", "no buffer " + std::to_string(need.buffer)};
    if (!need.bytes.at_most(handles[need.buffer].byte_size))
      return Refusal{"buffers", "buffer " + std::to_string(need.buffer) + " is shorter than " +
                                    need.clause + " asks for"};
  }
  return std::nullopt;
}

void judge_pages(Contents& c) {
  const Descriptor& d = c.d;
  judge_padding(c);
  judge_reserved_patterns(c);
  if (auto* l = std::get_if<Coo>(&d.layout)) judge_coo_contents(c, *l);
  if (auto* l = std::get_if<CompressedMatrix>(&d.layout))
    d.header.layout_tag == layout::csr ? judge_csr_contents(c, *l) : judge_csc_contents(c, *l);
  if (auto* l = std::get_if<Csf>(&d.layout)) judge_csf_contents(c, *l);
  if (auto* l = std::get_if<BlockPaged>(&d.layout)) judge_paged_contents(c, *l);
  if (!d.quantization) return;
  judge_block_fill(c);
  if (auto* s = std::get_if<PerChannelAffine>(&d.quantization->scheme))
    judge_per_channel_contents(c, *s);
  if (auto* s = std::get_if<PerBlockAffine>(&d.quantization->scheme))
    judge_per_block_contents(c, *s);
  if (auto* s = std::get_if<Nf4>(&d.quantization->scheme)) judge_nf4_contents(c, *s);
  if (auto* s = std::get_if<Mxfp>(&d.quantization->scheme)) judge_mxfp_contents(c, *s);
}

}  // namespace

std::expected<std::vector<Fault>, Refusal> judge_contents(const Descriptor& d,
                                                          const Buffers& buffers,
                                                          const Options& options) {
  std::expected<Buffers, Refusal> fitted = fit_buffers(d, buffers);
  if (!fitted) return std::unexpected(fitted.error());
  if (!layout::is_known(d.header.layout_tag) || d.is_composite_head()) return std::vector<Fault>{};
  if (std::optional<Refusal> refusal = refuse_short(d)) return std::unexpected(*refusal);
  Faults faults;
  Contents c{d, *fitted, faults};
  judge_pages(c);
  judge_too_strictly(c);
  bool waived = false;
  return faults.judged(options, std::numeric_limits<std::uint64_t>::max(), waived);
}

std::optional<std::uint64_t> first_not_increasing(std::string_view clause, const Array& a,
                                                  std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t i = begin + 1; i < end; ++i)
    if (limit(clause, *a.entry(i)) <= *a.entry(i - 1)) return i;
  return std::nullopt;
}

std::optional<std::uint64_t> first_not_below(const Array& a, std::uint64_t count,
                                             std::uint64_t limit) {
  for (std::uint64_t i = 0; i < count; ++i)
    if (*a.entry(i) >= limit) return i;
  return std::nullopt;
}

std::optional<std::uint64_t> first_falling(std::string_view clause, const Array& a,
                                           std::uint64_t count) {
  for (std::uint64_t i = 1; i < count; ++i)
    if (limit(clause, *a.entry(i)) < *a.entry(i - 1)) return i;
  return std::nullopt;
}

}  // namespace plumbline
