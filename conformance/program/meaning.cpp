#include "meaning.h"

#include <fmt/format.h>

#include <bit>
#include <map>

#include "reference/types/element_type.h"

namespace plumbline::program {

namespace {

std::uint64_t number(const Field& field) {
  return parse_integer(field.value, 8, field.value.starts_with('-')).value_or(0);
}

std::string type_name(std::uint64_t tag) {
  std::uint8_t byte = static_cast<std::uint8_t>(tag);
  if (const ElementType* type = find_element_type(byte)) return std::string(type->name);
  if (is_private_tag(byte)) return "private type";
  return is_invalid_tag(byte) ? "never valid" : "unknown type";
}

std::string flag_names(std::uint64_t flags) {
  static const char* names[] = {"HAS_QUANTIZATION", "HAS_SHARD", "HAS_EXTENSION_TYPE",
                                "HAS_STATISTICS", "HAS_COMPOSITE_MEMBER"};
  std::string text;
  for (unsigned bit = 0; bit < 32; ++bit)
    if (flags >> bit & 1)
      text += (text.empty() ? "" : " ") + (bit < 5 ? std::string(names[bit]) : fmt::format("bit {}", bit));
  return text;
}

std::string named(const std::map<std::uint64_t, std::string>& names, std::uint64_t value) {
  auto found = names.find(value);
  if (found != names.end()) return found->second;
  if (value == 0xFF) return "never valid";
  return value >= 0xF0 ? "private" : "reserved";
}

}  // namespace

std::string meaning(const Descriptor& d, const Field& field) {
  const std::string& key = field.key;
  std::uint64_t value = number(field);
  std::string leaf = key.substr(key.rfind('.') + 1);
  if (key == "magic") return "\"HRRY\"";
  if (key == "flags") return flag_names(value);
  if (key == "type_tag" || leaf == "scale_type_tag") return type_name(value);
  if (key == "layout_tag" || leaf == "outer_layout" || leaf == "inner_layout")
    return std::string(layout::name(static_cast<std::uint8_t>(value)));
  if (key == "shape" || leaf == "parent_shape") {
    if (field.index < 0) return "a scalar";
    return value == dynamic_dimension ? "dynamic" : value == 0 ? "empty" : "";
  }
  if (leaf == "device_tag")
    return named({{0, "CPU"}, {1, "CUDA"}, {2, "ROCm"}, {3, "Metal"}, {4, "Vulkan"}, {5, "WebGPU"},
                  {6, "Hexagon"}, {7, "Level Zero"}, {8, "OpenCL"}}, value);
  if (leaf == "sync_mode")
    return value == 0xFF ? "never valid"
                         : value > 2 ? "reserved"
                                     : named({{0, "producer synced"}, {1, "event"}, {2, "consumer stream"}}, value);
  if (leaf == "memory_class")
    return named({{0, "STANDARD"}, {1, "HOST_PINNED"}, {2, "UNIFIED"}, {3, "PEER"}}, value);
  if (leaf == "scheme_tag")
    return named({{1, "per-tensor affine"}, {2, "per-channel affine"}, {3, "per-block affine"},
                  {4, "NF4"}, {5, "MXFP"}}, value);
  if (key == "quantization.flags") return d.quantization && d.quantization->is_symmetric() ? "SYMMETRIC" : "";
  if (key == "quantization.scale")
    return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(value)));
  if (leaf == "zero_point_buffer_index" && value == no_buffer) return "none";
  if (leaf == "composition_rule") return named({{1, "partition"}, {2, "overlay"}, {3, "group"}}, value);
  if (leaf == "combine_op") return value == 1 ? "replace" : value == 2 ? "add" : "";
  if (leaf == "member_role") return value == 0 ? "correction" : value == 1 ? "base" : "reserved";
  if (leaf == "kv_role") return value == 0 ? "key" : value == 1 ? "value" : value == 2 ? "fused" : "reserved";
  if (leaf == "block_table_index_type") return value == 0 ? "uint32" : value == 1 ? "uint64" : "reserved";
  if (key.starts_with("statistics.") && field.size == 8 && leaf != "nnz")
    return fmt::format("{}", std::bit_cast<double>(value));
  return "";
}

}  // namespace plumbline::program
