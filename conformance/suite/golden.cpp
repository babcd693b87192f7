// The golden files against the reference.
#include "conformance/suite/golden.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "reference/descriptor/descriptor.h"

namespace plumbline::suite {
namespace {

std::uint32_t crc_of(ByteView bytes) {
  return static_cast<std::uint32_t>(::crc32(0, bytes.data(), static_cast<unsigned>(bytes.size())));
}

template <typename Number>
Number number(std::string_view text, int base) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::runtime_error("no number: " + std::string(text));
  return value;
}

std::string fault_text(const Fault& fault) {
  return fmt::format("{} {} at byte {}: {}", to_string(fault.verdict), fault.clause, fault.offset,
                     fault.message());
}

// The file, or for NAME@OFFSET what stands from there on.
std::optional<Bytes> read_entry(const std::filesystem::path& folder, const std::string& name) {
  const std::size_t at = std::min(name.find('@'), name.size());
  std::ifstream in(folder / name.substr(0, at), std::ios::binary);
  if (!in) return std::nullopt;
  const Bytes all{std::istreambuf_iterator<char>(in), {}};
  const std::size_t offset =
      at == name.size() ? 0 : number<std::size_t>(std::string_view(name).substr(at + 1), 10);
  Reader reader{ByteView(all)};
  if (!reader.take(offset)) return std::nullopt;
  const auto rest = reader.take(reader.left());
  return Bytes(rest->begin(), rest->end());
}

class checker {
 public:
  checker(const golden_entry& entry, golden_counts& counts) : entry_(entry), counts_(counts) {}

  // The bytes that the fields give, when they are the recorded ones.
  Bytes rebuild(const field_table& fields) {
    const auto found = fields.find(entry_.name);
    if (found == fields.end()) return fault("no fields are stated"), Bytes{};
    const auto d = from_fields(FieldText(found->second.begin(), found->second.end()));
    if (!d) return fault("cannot be built from its fields: " + d.error().text), Bytes{};
    Bytes bytes = serialize(*d);
    if (!is_recorded("built from its fields", bytes)) return bytes;
    if (const auto again = encode(*d); !again)
      return fault("a writer refuses its fields: " + fault_text(again.error())), bytes;
    ++counts_.rebuilt;
    return bytes;
  }

  void file(const std::filesystem::path& folder, const Bytes& rebuilt) {
    const auto bytes = read_entry(folder, entry_.name);
    if (!bytes) return fault("cannot be read");
    const bool alone = entry_.name.find('@') == std::string::npos;
    const Judgement judged = judge(*bytes);
    if (!judged.accepted()) return fault("refused: " + fault_text(judged.faults.front()));
    const ByteView descriptor = ByteView(*bytes).first(bytes->size() - judged.rest);
    if (alone && judged.rest != 0)
      return fault(fmt::format("{} bytes stand behind the descriptor", judged.rest));
    if (!is_recorded("the file", descriptor)) return;
    if (!std::ranges::equal(serialize(judged.descriptor), descriptor))
      return fault("encoded again to other bytes");
    if (!std::ranges::equal(rebuilt, descriptor)) return fault("its fields give other bytes");
    ++counts_.files;
  }

 private:
  bool is_recorded(const char* what, ByteView bytes) {
    const bool same = bytes.size() == entry_.length && crc_of(bytes) == entry_.crc32;
    if (!same)
      fault(fmt::format("{} has {} bytes with CRC-32 {:08x}, recorded are {} and {:08x}", what,
                        bytes.size(), crc_of(bytes), entry_.length, entry_.crc32));
    return same;
  }
  void fault(const std::string& text) { counts_.faults.push_back(entry_.name + ": " + text); }

  const golden_entry& entry_;
  golden_counts& counts_;
};

}  // namespace

std::vector<golden_entry> parse_golden_list(std::string_view tsv) {
  std::vector<golden_entry> out;
  std::istringstream in{std::string(tsv)};
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      throw std::runtime_error("golden.tsv: " + line);
    const std::string_view view = line;
    out.push_back({line.substr(0, first),
                   number<std::size_t>(view.substr(first + 1, second - first - 1), 10),
                   number<std::uint32_t>(view.substr(second + 1), 16)});
  }
  return out;
}

field_table parse_golden_fields(std::string_view text) {
  field_table out;
  std::istringstream in{std::string(text)};
  std::string name;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    if (!line.starts_with(' ')) {
      name = line;
      if (!out.emplace(name, field_table::mapped_type{}).second)
        throw std::runtime_error("golden.fields: twice " + name);
      continue;
    }
    const std::size_t equals = line.find(" = ");
    if (name.empty() || equals == std::string::npos)
      throw std::runtime_error("golden.fields: " + line);
    const std::string key =
        line.substr(line.find_first_not_of(' '), equals - line.find_first_not_of(' '));
    if (!out[name].emplace(key, line.substr(equals + 3)).second)
      throw std::runtime_error("golden.fields: twice " + key);
  }
  return out;
}

golden_counts check_golden(std::string_view tsv, std::string_view text,
                           const std::filesystem::path& folder) {
  golden_counts out;
  const std::vector<golden_entry> list = parse_golden_list(tsv);
  const field_table fields = parse_golden_fields(text);
  if (fields.size() != list.size())
    out.faults.push_back("golden.tsv and golden.fields do not name the same descriptors");
  for (const golden_entry& entry : list) {
    checker check(entry, out);
    const Bytes rebuilt = check.rebuild(fields);
    if (!folder.empty()) check.file(folder, rebuilt);
  }
  if (folder.empty()) return out;
  std::error_code error;  // a file that the list does not know has not been judged
  for (const auto& found : std::filesystem::directory_iterator(folder / "descriptors", error)) {
    const std::string name = "descriptors/" + found.path().filename().string();
    if (found.path().extension() == ".bin" &&
        std::ranges::find(list, name, &golden_entry::name) == list.end())
      out.faults.push_back(name + ": not in the recorded list");
  }
  if (error) out.faults.push_back(folder.string() + ": " + error.message());
  return out;
}

}  // namespace plumbline::suite
