// The descriptor writer of the vector compiler.
#include "conformance/vectors/writer.h"

#include <algorithm>
#include <array>
#include <set>

#include "conformance/vectors/keys.h"

namespace plumbline::vectors {
namespace {

constexpr std::uint8_t tag_strided = 0x03, tag_tiled = 0x04;

class descriptor_writer {
 public:
  explicit descriptor_writer(const field_map& fields) : fields_(fields) {}

  written run() {
    header();
    layout();
    const std::size_t behind_layout = out_.data.size();
    buffers();
    sections();
    put("tail", "-");
    if (!has("tail")) forget("tail");
    set_length();
    refuse_unused();
    if (raw_layout_) keep_raw(behind_layout);
    out_.given = question();
    out_.needs = needs();
    return std::move(out_);
  }

 private:
  bool has(std::string_view key) const { return fields_.contains(key); }
  bool has_below(const std::string& prefix) const {
    const auto at = fields_.lower_bound(prefix);
    return at != fields_.end() && at->first.starts_with(prefix);
  }

  // Appends one field: the given text, or else the default.
  void put(const std::string& key, const std::string& fallback) {
    const auto it = fields_.find(key);
    if (it != fields_.end()) used_.insert(key);
    const std::string& text = it == fields_.end() ? fallback : it->second;
    const auto type = kind_of(key);
    if (!type) throw value_error("unknown key: " + key);
    try {
      const std::vector<bytes> items = encode_value(*type, text);
      out_.at[key] = out_.data.size();
      for (std::size_t i = 0; i < items.size(); ++i) {
        if (is_list(*type)) out_.at[key + "[" + std::to_string(i) + "]"] = out_.data.size();
        out_.data.insert(out_.data.end(), items[i].begin(), items[i].end());
      }
      out_.fields.emplace_back(key, canonical(*type, text));
    } catch (const value_error& e) {
      throw value_error(key + ": " + e.what());
    }
  }
  void require(const std::string& key) {
    if (!has(key)) throw value_error("missing: " + key);
    put(key, "");
  }
  // A list with one entry a dimension. A rank that was set by hand says that the vector means to
  // lie.
  void per_dimension(const std::string& key) {
    require(key);
    if (!has("rank") && length_of(key) != length_of("shape")) {
      throw value_error(key + " needs one entry a dimension");
    }
  }
  std::size_t length_of(const std::string& key) const {
    const auto it = fields_.find(key);
    return it == fields_.end() ? 0 : encode_value(*kind_of(key), it->second).size();
  }
  // Reserved bytes are a fixed number of zeros unless they are set.
  void reserved(const std::string& key, std::size_t count) {
    put(key, std::string(2 * count, '0'));
    if (encode_value(kind::hex, out_.fields.back().second).front().size() != count) {
      throw value_error(key + " needs " + std::to_string(count) + " bytes");
    }
  }
  void forget(const std::string& key) {
    std::erase_if(out_.fields, [&](const auto& field) { return field.first == key; });
  }
  std::uint64_t number(const std::string& key) const {
    for (const auto& [name, text] : out_.fields) {
      if (name == key) return parse_unsigned(text).value_or(0);
    }
    return 0;
  }
  void patch_u32(std::size_t at, std::size_t value) {
    for (std::size_t i = 0; i < 4; ++i)
      out_.data[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
  }

  void header() {
    out_.data = {'H', 'R', 'R', 'Y'};
    out_.at["magic"] = 0;
    put("version_major", "1");
    put("version_minor", "0");
    put("descriptor_length", "0");
    put("flags", std::to_string(section_flags()));
    require("type_tag");
    put("layout_tag", "1");
    put("rank", std::to_string(length_of("shape")));
    put("shape", "-");
    put("byte_offset", "0");
  }

  std::uint32_t section_flags() const {
    constexpr std::array<std::string_view, 5> sections = {"quantization.", "shard.", "extension.",
                                                          "statistics.", "member."};
    std::uint32_t flags = 0;
    for (std::size_t bit = 0; bit < sections.size(); ++bit) {
      if (has_below(std::string(sections[bit]))) flags |= 1u << bit;
    }
    return flags;
  }

  void layout() {
    const std::uint64_t tag = number("layout_tag");
    const std::string p = "layout.";
    switch (tag) {
      case 0x01:
      case 0x02:
        break;
      case 0x03:
        per_dimension(p + "strides");
        break;
      case 0x04:
        tile(0);
        break;
      case 0x05:
        per_dimension(p + "morton_bits");
        break;
      case 0x06:
        put(p + "nnz", "0");
        put(p + "is_sorted", "0");
        reserved(p + "reserved", 7);
        break;
      case 0x07:
      case 0x08:
        put(p + "nnz", "0");
        reserved(p + "reserved", 8);
        break;
      case 0x09:
        put(p + "nnz", "0");
        per_dimension(p + "mode_order");
        reserved(p + "reserved", 8);
        break;
      case 0x0a:
        block_paged();
        break;
      case 0x0b:
        put(p + "composition_rule", "3");
        put(p + "combine_op", "0");
        reserved(p + "reserved", 2);
        put(p + "member_count", "0");
        break;
      case 0x40:
        put(p + "hilbert_order", "1");
        put(p + "hilbert_rank", "2");
        break;
      default:
        if (tag >= 0xf0 && tag <= 0xfe) {
          put(p + "extension_layout_id", "0");
          put(p + "extension_data_length", std::to_string(blob_size(p + "extension_data")));
          put(p + "extension_data", "-");
        } else {
          raw_layout_ = true;
          put(p + "raw", "-");
        }
    }
  }

  std::size_t blob_size(const std::string& key) const {
    const auto it = fields_.find(key);
    return it == fields_.end() ? 0 : encode_value(kind::hex, it->second).front().size();
  }

  void tile(std::size_t level) {
    const std::string p = "layout.tile." + std::to_string(level) + ".";
    per_dimension(p + "tile_shape");
    put(p + "outer_layout", "1");
    put(p + "inner_layout", "1");
    reserved(p + "reserved", 2);
    if (number(p + "outer_layout") == tag_strided) per_dimension(p + "outer_strides");
    if (number(p + "inner_layout") == tag_strided) per_dimension(p + "inner_strides");
    if (number(p + "inner_layout") == tag_tiled) tile(level + 1);
  }

  void block_paged() {
    const std::string p = "layout.";
    put(p + "page_size", "1");
    put(p + "num_pages", "0");
    put(p + "paged_axis", "0");
    put(p + "num_seqs", "0");
    put(p + "kv_role", "0");
    put(p + "layer_index", "0xffffffff");
    put(p + "block_table_index_type", "0");
    reserved(p + "reserved", 6);
  }

  void buffers() {
    std::size_t count = 0;
    while (has_below("buffer." + std::to_string(count) + ".")) ++count;
    put("buffer_count", std::to_string(count));
    for (std::size_t k = 0; k < count; ++k) {
      const std::string p = "buffer." + std::to_string(k) + ".";
      put(p + "byte_size", "0");
      put(p + "alignment", "64");
      put(p + "device_tag", "0");
      put(p + "sync_mode", "0");
      put(p + "memory_class", "0");
      put(p + "reserved", "0");
    }
  }

  // A section is written exactly when one of its keys is given.
  void sections() {
    if (has_below("quantization.")) quantization();
    if (has_below("shard.")) {
      per_dimension("shard.parent_shape");
      per_dimension("shard.shard_offset");
    }
    if (has_below("statistics.")) statistics();
    if (has_below("extension.")) extension_type();
    if (has_below("member.")) {
      put("member.member_role", "0");
      reserved("member.reserved", 15);
    }
    out_.at["tail"] = out_.data.size();
  }

  void quantization() {
    const std::string p = "quantization.";
    put(p + "quantization_length", "0");
    const std::size_t start = out_.data.size();
    require(p + "scheme_tag");
    put(p + "scheme_version", "1");
    put(p + "flags", "0");
    const std::uint64_t scheme = number(p + "scheme_version") > 1 ? 0 : number(p + "scheme_tag");
    if (scheme == 1) {
      put(p + "scale", "0x3f800000");
      put(p + "zero_point", "0");
      reserved(p + "reserved", 4);
    } else if (scheme >= 2 && scheme <= 5) {
      put(p + "axis", "0");
      if (scheme > 2) put(p + "block_size", scheme == 4 ? "64" : "32");
      put(p + "scale_buffer_index", "1");
      if (scheme < 4) {
        put(p + "zero_point_buffer_index", "0xffffffff");
        put(p + "scale_type_tag", "3");
        reserved(p + "reserved", 3);
      }
    } else {
      put(p + "payload", "-");
    }
    put(p + "padding", "-");
    if (!has(p + "padding")) forget(p + "padding");
    set_counted(p + "quantization_length", out_.data.size() - start);
  }

  void statistics() {
    const std::string p = "statistics.";
    put(p + "computed_mask", "0");
    reserved(p + "reserved", 4);
    put(p + "nnz", "0");
    for (const char* name : {"sparsity_ratio", "value_min", "value_max", "value_abs_max",
                             "value_mean", "value_stddev"}) {
      put(p + name, "0");
    }
    for (const char* name : {"nm_n", "nm_m", "has_nan", "has_inf"}) put(p + name, "0");
    reserved(p + "reserved2", 4);
  }

  void extension_type() {
    const std::string p = "extension.";
    put(p + "bit_width", "8");
    put(p + "packing_factor", "1");
    for (const char* name :
         {"is_float", "is_signed", "sign_bits", "exponent_bits", "mantissa_bits"}) {
      put(p + name, "0");
    }
    reserved(p + "reserved", 2);
    put(p + "exponent_bias", "0");
    put(p + "has_nan", "0");
    put(p + "has_inf", "0");
    reserved(p + "reserved2", 2);
  }

  // Fills in a length field unless it was set by hand.
  void set_counted(const std::string& key, std::size_t value) {
    if (has(key)) return;
    patch_u32(out_.at[key], value);
    for (auto& [name, text] : out_.fields) {
      if (name == key) text = std::to_string(value);
    }
  }
  void set_length() { set_counted("descriptor_length", out_.data.size()); }

  void refuse_unused() const {
    for (const auto& [key, text] : fields_) {
      if (!kind_of(key)) throw value_error("unknown key: " + key);
      if (!used_.contains(key)) throw value_error("this descriptor has no place for " + key);
    }
  }

  // Behind an unknown layout nothing can be located: what was written there is one field to a
  // reader.
  void keep_raw(std::size_t behind_layout) {
    const std::size_t start = out_.at["layout.raw"];
    const auto raw = std::ranges::find(out_.fields, "layout.raw", &named_values::value_type::first);
    const std::string digits =
        to_hex(bytes(out_.data.begin() + static_cast<std::ptrdiff_t>(start), out_.data.end()));
    raw->second = digits.empty() ? "-" : digits;
    // A writer that is asked for these bytes would have to know the parts that we put behind.
    forced_ = forced_ || out_.data.size() != behind_layout;
    out_.fields.erase(raw + 1, out_.fields.end());
  }

  // The encode question: only where every length and count follows from the parts, as a writer has
  // it.
  std::string question() const {
    for (const char* key : {"descriptor_length", "rank", "buffer_count",
                            "layout.extension_data_length", "quantization.quantization_length"}) {
      if (has(key)) return "";
    }
    if (forced_ || (has("flags") && (number("flags") & 0x1f) != section_flags())) return "";
    std::string out;
    for (const auto& [key, text] : out_.fields) {
      if (!has(key)) continue;
      if (!out.empty()) out += ' ';
      out += key + '=' + text;
    }
    return out;
  }

  std::vector<std::string> needs() const {
    std::vector<std::string> out;
    const auto tagged = [&](const std::string& word, std::uint64_t tag) {
      out.push_back(word + ":" + "0x" + to_hex({static_cast<std::uint8_t>(tag)}));
    };
    const std::uint64_t type = number("type_tag"), layout = number("layout_tag");
    if (type >= 0x40) tagged("type", type);
    if (layout >= 0x40) tagged("layout", layout);
    if (has_below("quantization.")) {
      out.emplace_back("quantization");
      tagged("scheme", number("quantization.scheme_tag"));
    }
    return out;
  }

  const field_map& fields_;
  std::set<std::string, std::less<>> used_;
  written out_;
  bool raw_layout_ = false;
  bool forced_ = false;
};

}  // namespace

written write_descriptor(const field_map& fields) { return descriptor_writer(fields).run(); }

}  // namespace plumbline::vectors
