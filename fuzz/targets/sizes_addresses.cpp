// The sizes and addresses of whatever is accepted, against the exact integers of exact_sizes.h.
#include "../exact_sizes.h"
#include "../target.h"
#include "reference/addressing/address.h"
#include "reference/addressing/size.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::fuzz {

namespace {

std::string compare_sizes(const Descriptor& d) {
  std::vector<Integer> exact = exact_layout_sizes(d);
  auto found = least_sizes(d);
  if (exact.empty() || (!found && found.error().kind != "overflow")) return "";
  if (!found) return "accepted, but a size overflows";
  for (std::size_t k = 0; k < exact.size() && k < found->size(); ++k) {
    Integer handle = k < d.buffers.handles.size() ? d.buffers.handles[k].byte_size : 0;
    if (exact[k] > handle) return "accepted with buffer " + std::to_string(k) + " smaller than " + exact[k].str();
    // A parameter array may share a layout's buffer where that is let pass: then it asks for more.
    if (k > 0 && d.quantization) continue;
    if (exact[k] != (*found)[k])
      return "buffer " + std::to_string(k) + ": " + std::to_string((*found)[k]) + ", exactly " + exact[k].str();
  }
  return "";
}

std::string compare_address(const Descriptor& d, unsigned bits, const std::vector<std::uint64_t>& index) {
  std::optional<Integer> offset = exact_offset(d, index);
  if (!offset) return "";
  auto place = address(d, index);
  if (!place) return "no address: " + place.error().text;
  Integer bit = Integer(*offset * bits);  // 6-bit elements: four in three bytes are these very bits
  Integer in_byte = Integer((bit % 8 + 8) % 8);
  Integer byte = Integer(d.byte_offset + (bit - in_byte) / 8);
  if (byte != place->byte || in_byte != place->bit)
    return "address " + std::to_string(place->byte) + " bit " + std::to_string(place->bit) + ", exactly " +
           byte.str() + " bit " + in_byte.str();
  return "";
}

}  // namespace

std::string sizes_addresses(ByteView input) {
  std::expected<Descriptor, Fault> d =
      decode(input, {.mode = Mode::lenient, .agreement = Agreement::everything()});
  if (!d || d->is_composite_head()) return "";
  if (std::string broken = compare_sizes(*d); !broken.empty()) return broken;
  std::optional<unsigned> bits = exact_bits(*d);
  if (!bits || d->is_empty() || d->has_dynamic_dimension()) return "";
  if (!layout::is_dense(d->header.layout_tag)) return "";
  // The first element, the last, and three between that the input's own bytes choose.
  std::uint64_t state = 1;
  for (std::uint8_t byte : input) state = (state ^ byte) * 0x100000001b3u;
  for (int n = 0; n < 5; ++n) {
    std::vector<std::uint64_t> index;
    for (std::uint64_t size : d->shape) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      index.push_back(n == 0 ? 0 : n == 1 ? size - 1 : (state >> 11) % size);
    }
    if (std::string broken = compare_address(*d, *bits, index); !broken.empty()) return broken;
  }
  return "";
}

}  // namespace plumbline::fuzz
