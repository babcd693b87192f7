// A quantization section of any bytes inside a sound descriptor of integers.
#include "../build.h"
#include "../exact_sizes.h"
#include "../target.h"
#include "conformance/robustness/survive.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::fuzz {

namespace {

// An index that an accepting reader will follow.
std::string expect_room(const Descriptor& d, std::uint32_t index, const Integer& bytes) {
  if (index >= d.buffers.handles.size()) return "a parameter index past the table is accepted";
  if (index == 0) return "parameters in the data buffer are accepted";
  if (bytes > d.buffers.handles[index].byte_size)
    return "buffer " + std::to_string(index) + " is accepted, but parameters need " + bytes.str();
  return "";
}

std::string expect_parameters(const Descriptor& d) {
  if (d.is_composite_head()) return "";  // a head has no buffers; CMP-04 speaks of the section as a whole
  std::optional<Integer> count = exact_parameter_count(d);
  if (!count) return "";
  const Quantization& q = *d.quantization;
  std::uint32_t zero_points = no_buffer, scales = 0;
  unsigned width = 4;
  if (auto* s = std::get_if<PerChannelAffine>(&q.scheme)) {
    scales = s->scale_buffer_index;
    if (!q.is_symmetric()) zero_points = s->zero_point_buffer_index;
  } else if (auto* b = std::get_if<PerBlockAffine>(&q.scheme)) {
    scales = b->scale_buffer_index;
    width = b->scale_type_tag == 3 ? 4 : 2;
    if (!q.is_symmetric()) zero_points = b->zero_point_buffer_index;
  } else if (auto* n = std::get_if<Nf4>(&q.scheme)) {
    scales = n->scale_buffer_index;
  } else if (auto* m = std::get_if<Mxfp>(&q.scheme)) {
    scales = m->scale_buffer_index;
    width = 1;
  } else {
    return "";
  }
  Integer both = zero_points == scales ? *count * (width + 4) : *count * width;
  if (std::string broken = expect_room(d, scales, both); !broken.empty()) return broken;
  return zero_points == no_buffer || zero_points == scales ? "" : expect_room(d, zero_points, *count * 4);
}

}  // namespace

std::string quantization_section(ByteView input) {
  Choices choices(input);
  std::uint8_t length = choices.byte();
  Bytes section;
  for (std::size_t k = 0; k < length % 40u; ++k) section.push_back(choices.byte());
  Descriptor d = sound(choices);
  if (d.extension_type) d.extension_type.reset(), d.header.type_tag = 0x10;
  static constexpr std::uint8_t types[] = {0x10, 0x49, 0x43, 0x48, 0x15};
  d.header.type_tag = types[choices.below(5)];
  d.quantization.emplace();
  d.quantization->scheme = UnknownScheme{section};
  // Its four header bytes are the section's own.
  if (section.size() >= 4) {
    d.quantization->scheme_tag = section[0];
    d.quantization->scheme_version = section[1];
    d.quantization->flags = static_cast<std::uint16_t>(section[2] | section[3] << 8);
    d.quantization->scheme = UnknownScheme{Bytes(section.begin() + 4, section.end())};
  }
  while (d.buffers.handles.size() < 4 && choices.one_in(2)) {
    BufferHandle more;
    if (!d.buffers.handles.empty()) more = d.buffers.handles[0];  // where the others are
    more.alignment = 64;
    more.byte_size = choices.below(129);
    d.buffers.handles.push_back(more);
  }
  settle(d);
  Bytes bytes = serialize(d);
  for (Mode mode : {Mode::strict, Mode::lenient, Mode::permissive}) {
    std::expected<Descriptor, Fault> accepted =
        decode(bytes, {.mode = mode, .agreement = Agreement::everything()});
    if (!accepted) continue;
    if (std::string broken = expect_parameters(*accepted); !broken.empty()) return broken;
  }
  return robustness::broken_promise(bytes);
}

}  // namespace plumbline::fuzz
