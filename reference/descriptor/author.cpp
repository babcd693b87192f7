#include "author.h"

#include <algorithm>

#include "../types/element_type.h"
#include "judge.h"

namespace plumbline {

namespace {

Options writer_options() { return {.mode = Mode::strict, .agreement = Agreement::everything()}; }

}  // namespace

std::expected<ExtensionType, Fault> author_extension_type(const NumberFormat& format) {
  ExtensionType e;
  e.at = 0;  // faults count from the section's first byte
  e.bit_width = format.bit_width;
  e.packing_factor = static_cast<std::uint8_t>(
      format.bit_width >= 1 && format.bit_width < 8 ? 8 / format.bit_width : 1);
  e.is_float = format.is_float;
  e.is_signed = format.is_signed;
  e.sign_bits = format.sign_bits;
  e.exponent_bits = format.exponent_bits;
  e.mantissa_bits = format.mantissa_bits;
  e.exponent_bias = format.exponent_bias;
  e.has_nan = format.has_nan;
  e.has_inf = format.has_inf;
  Descriptor d;
  d.extension_type = e;
  Faults faults;
  judge_extension_type(d, faults);
  bool waived = false;
  std::vector<Fault> judged = faults.judged({}, 20, waived);
  if (!judged.empty()) return std::unexpected(judged.front());
  return e;
}

std::expected<Descriptor, Fault> author(Descriptor draft,
                                        const std::vector<std::uint64_t>& buffer_lengths) {
  Header& h = draft.header;
  h.rank = static_cast<std::uint32_t>(draft.shape.size());
  h.flags = (draft.quantization ? flag::quantization : 0) | (draft.shard ? flag::shard : 0) |
            (draft.extension_type ? flag::extension_type : 0) |
            (draft.statistics ? flag::statistics : 0) |
            (draft.composite_member ? flag::composite_member : 0);
  // buffer_count can't say more: the rest of a longer list is never written.
  std::size_t listed = std::min<std::size_t>(buffer_lengths.size(), 255);
  draft.buffers.handles.resize(listed);
  draft.buffers.buffer_count = static_cast<std::uint8_t>(listed);
  for (std::size_t k = 0; k < listed; ++k) draft.buffers.handles[k].byte_size = buffer_lengths[k];
  Judgement judged = judge(serialize(draft), writer_options());
  std::size_t count_at = judged.descriptor.buffers.at;
  bool refused_before = !judged.accepted() && judged.faults.front().offset < count_at;
  if (buffer_lengths.size() > listed && !refused_before) {
    Fault fault{.clause = "BUF-05", .offset = count_at,
                .found = std::to_string(buffer_lengths.size()) + " buffers",
                .expected = "at most 255: more are split over several descriptors"};
    return std::unexpected(fault);
  }
  if (!judged.accepted()) return std::unexpected(judged.faults.front());
  return std::move(judged.descriptor);
}

}  // namespace plumbline
