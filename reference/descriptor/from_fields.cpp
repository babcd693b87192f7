// Text, as list_fields gives it -> descriptor: the keys of conformance/PROTOCOL.md.
#include <algorithm>

#include "descriptor.h"

namespace plumbline {

std::expected<Descriptor, FieldTextFault> from_fields(const FieldText& text) {
  ParseFields f(text);
  Descriptor d;
  auto number = [&](std::string_view key, std::size_t width) -> std::optional<std::uint64_t> {
    auto found = text.find(key);
    return found == text.end() ? std::nullopt : parse_integer(found->second, width, false);
  };
  const auto no_struct = [](std::string why) {
    return std::unexpected(FieldTextFault{std::move(why)});
  };
  const auto unreadable = [](std::string why) {
    return std::unexpected(FieldTextFault{std::move(why), true});
  };
  if (!f.has("type_tag")) return unreadable("type_tag is missing");
  // What decides which fields there are, before the walk: tags, rank, the sections.
  d.header.rank = static_cast<std::uint32_t>(f.length("shape"));
  d.layout = layout_for(static_cast<std::uint8_t>(number("layout_tag", 1).value_or(1)));
  d.header.layout_tag = layout::row_major;
  if (d.header.rank > 64 && text.find("shape")->second.size() > 4096)
    return no_struct("shape has more dimensions than any reader takes");
  for (std::size_t k = 0; k < 256 && f.has_prefix("buffer." + std::to_string(k) + "."); ++k)
    d.buffers.buffer_count = static_cast<std::uint8_t>(std::min<std::size_t>(k + 1, 255));
  std::uint32_t flags = static_cast<std::uint32_t>(number("flags", 4).value_or(0));
  // Behind an unknown layout nothing is located; its flags are the text's own.
  bool is_located = !std::holds_alternative<UnknownLayout>(d.layout);
  d.header.flags = flags;
  auto section = [&](std::uint32_t bit, std::string_view prefix) {
    bool present = is_located && ((flags & bit) != 0 || f.has_prefix(prefix));
    if (present) d.header.flags |= bit;
    return present;
  };
  if (section(flag::quantization, "quantization.")) {
    if (!f.has("quantization.scheme_tag")) return unreadable("quantization.scheme_tag is missing");
    std::uint64_t tag = number("quantization.scheme_tag", 1).value_or(0);
    if (number("quantization.scheme_version", 1).value_or(1) > 1) tag = 0;
    Quantization& q = d.quantization.emplace();
    if (tag == scheme::per_channel) q.scheme = PerChannelAffine{};
    else if (tag == scheme::per_block) q.scheme = PerBlockAffine{};
    else if (tag == scheme::nf4) q.scheme = Nf4{};
    else if (tag == scheme::mxfp) q.scheme = Mxfp{};
    else if (tag != scheme::per_tensor) q.scheme = UnknownScheme{};
  }
  if (section(flag::shard, "shard.")) d.shard.emplace();
  if (section(flag::statistics, "statistics.")) d.statistics.emplace();
  if (section(flag::extension_type, "extension.")) d.extension_type.emplace();
  if (section(flag::composite_member, "member.")) d.composite_member.emplace();

  d.visit(f);
  if (!f.ok()) return std::unexpected(f.error());
  if (const std::optional<std::string> key = f.unused())
    return no_struct("no field is named " + *key + " here");
  // The lengths follow from what is written; a text that states others describes other bytes.
  if (auto* l = std::get_if<PrivateLayout>(&d.layout); l && l->extension_data_length > 0 && !f.has("layout.extension_data"))
    return no_struct("extension_data_length is given, and no extension_data");
  Bytes bytes = serialize(d);
  if (auto length = number("descriptor_length", 4); length && *length != bytes.size())
    return no_struct("descriptor_length is " + std::to_string(bytes.size()) + " for these fields");
  for (const Field& field : list_fields(d))
    if (field.key == "quantization.quantization_length")
      if (auto length = number(field.key, 4); length && std::to_string(*length) != field.value)
        return no_struct("quantization_length is " + field.value + " for these fields");
  if (auto count = number("buffer_count", 1); count && *count != d.buffers.handles.size())
    return no_struct("buffer_count is not the number of buffers given");
  return d;
}

}  // namespace plumbline
