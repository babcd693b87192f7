// Export of the vectors, and the way back.
#include "conformance/runner/pack.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "conformance/runner/read_text.h"
#include "conformance/runner/report.h"

namespace plumbline {
extern const char vector_schema_json[];
extern const std::size_t vector_schema_json_size;
}  // namespace plumbline

namespace plumbline::runner {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;
using vectors::load_error;

constexpr std::size_t largest_pack = std::size_t{1} << 30;  // of its text; packed zeros have no end

json header(std::size_t count) {
  return {{"plumbline", 1}, {"specification", specification_revision}, {"vectors", count}};
}

void check_header(const json& head, std::size_t count, const std::string& where) {
  const auto says = [&](const char* key, const json& value) {
    return head.contains(key) && head.at(key) == value;  // whatever stands there
  };
  if (!says("plumbline", 1)) throw load_error(where + ": no pack of version 1");
  if (!says("specification", specification_revision))
    throw load_error(where + ": of another specification");
  if (!says("vectors", count)) throw load_error(where + ": vectors are missing");
}

// A vector, or a complaint that names the place and not what the parser of JSON felt.
vectors::vector read_vector(const std::string& text, const std::string& where) {
  if (!json::accept(text)) throw load_error(where + ": no JSON");
  try {
    return vectors::from_json_line(text);
  } catch (const load_error&) {
    throw load_error(where + ": no vector");
  }
}

void write_file(const fs::path& path, const void* data, std::size_t size) {
  std::ofstream out(path, std::ios::binary);
  out.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  if (!out.flush()) throw load_error("cannot write " + path.string());
}

std::string read_file(const fs::path& path) {
  auto text = read_text(path);
  if (!text) throw load_error("cannot read " + path.string());
  return *std::move(text);
}

vectors::bytes read_bytes(const fs::path& path) {
  const std::string text = read_file(path);
  return {text.begin(), text.end()};
}

std::string numbered(const std::string& id, const char* what, std::size_t i) {
  return id + what + std::to_string(i) + ".bin";
}

// The byte files of a vector: its descriptor or set, then its buffers.
std::vector<std::pair<std::string, const vectors::bytes*>> byte_files(const vectors::vector& v) {
  std::vector<std::pair<std::string, const vectors::bytes*>> out;
  if (!v.is_set() && !v.is_numeric()) out.emplace_back(v.id + ".bin", &v.input);
  for (std::size_t i = 0; i < v.set.size(); ++i)
    out.emplace_back(numbered(v.id, ".", i), &v.set[i]);
  for (std::size_t i = 0; i < v.buffers.size(); ++i)
    out.emplace_back(numbered(v.id, ".buffer", i), &v.buffers[i]);
  return out;
}

}  // namespace

std::string pack_text(const std::vector<vectors::vector>& all) {
  std::string out = header(all.size()).dump() + '\n';
  for (const vectors::vector& v : all) out += vectors::to_json_line(v) + '\n';
  return out;
}

void write_pack(const fs::path& file, const std::vector<vectors::vector>& all) {
  const std::string text = pack_text(all);
  const gzFile out = gzopen(file.c_str(), "wb9");
  const bool written = out && gzwrite(out, text.data(), static_cast<unsigned>(text.size())) ==
                                  static_cast<int>(text.size());
  if (!out || gzclose(out) != Z_OK || !written) throw load_error("cannot write " + file.string());
}

std::vector<vectors::vector> read_pack(const fs::path& file) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(file.c_str(), "rb"), gzclose);
  if (!in) throw load_error("cannot read " + file.string());
  std::string text;
  std::array<char, 65536> part;
  int n = 0;
  while ((n = gzread(in.get(), part.data(), part.size())) > 0) {
    text.append(part.data(), static_cast<std::size_t>(n));
    if (text.size() > largest_pack) throw load_error(file.string() + ": too large for a pack");
  }
  int state = Z_OK;
  gzerror(in.get(), &state);
  if (n < 0 || state != Z_OK || !text.ends_with('\n'))
    throw load_error(file.string() + ": cut short or damaged");

  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  const json head = json::parse(line, nullptr, false);
  if (!head.is_object()) throw load_error(file.string() + ": no header");
  std::vector<vectors::vector> out;
  for (int number = 2; std::getline(lines, line); ++number)
    out.push_back(read_vector(line, file.string() + ":" + std::to_string(number)));
  check_header(head, out.size(), file.string());
  return out;
}

void write_files(const fs::path& folder, const std::vector<vectors::vector>& all) {
  try {
    fs::create_directories(folder);
    write_file(folder / "schema.json", vector_schema_json, vector_schema_json_size);
    json index = header(all.size());
    index["ids"] = json::array();
    for (const vectors::vector& v : all) {
      index["ids"].push_back(v.id);
      const fs::path path = folder / (v.id + ".json");
      fs::create_directories(path.parent_path());
      const std::string text = json::parse(vectors::to_json_line(v)).dump(2, ' ', true) + '\n';
      write_file(path, text.data(), text.size());
      for (const auto& [name, data] : byte_files(v))
        write_file(folder / name, data->data(), data->size());
    }
    const std::string text = index.dump(2) + '\n';
    write_file(folder / "index.json", text.data(), text.size());
  } catch (const fs::filesystem_error& e) {
    throw load_error(e.what());
  }
}

std::vector<vectors::vector> read_files(const fs::path& folder) {
  const json index = json::parse(read_file(folder / "index.json"), nullptr, false);
  if (!index.is_object() || !index.contains("ids"))
    throw load_error(folder.string() + ": index.json is damaged");
  const bool lists_ids = index.at("ids").is_array() &&
                         std::ranges::all_of(index.at("ids"), [](const json& id) { return id.is_string(); });
  if (!lists_ids) throw load_error(folder.string() + ": index.json lists no ids");
  std::vector<vectors::vector> out;
  for (const json& id : index["ids"]) {
    const std::string file = id.get<std::string>() + ".json";
    out.push_back(read_vector(read_file(folder / file), file));
    for (const auto& [name, data] : byte_files(out.back())) {
      if (read_bytes(folder / name) != *data)
        throw load_error(name + ": not the bytes of the vector");
    }
  }
  check_header(index, out.size(), folder.string());
  return out;
}

}  // namespace plumbline::runner
