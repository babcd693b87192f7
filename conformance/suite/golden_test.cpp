// The golden list: that it agrees with itself, and that each kind of disagreement is seen.
#include "conformance/suite/golden.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "reference/descriptor/descriptor.h"

using namespace plumbline::suite;
namespace fs = std::filesystem;

namespace {

std::string text_of(const char* name) {
  std::ifstream in(std::string(PLUMBLINE_SOURCE_DIR "/conformance/suite/") + name);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

const std::string list = text_of("golden.tsv"), fields = text_of("golden.fields");

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// Golden files made here, from the committed fields: the recorded CRC-32 says that they are the
// real ones.
class made_folder {
 public:
  made_folder() {
    for (const auto& [name, keys] : parse_golden_fields(fields)) {
      const auto d = plumbline::from_fields({keys.begin(), keys.end()});
      REQUIRE(d);
      const auto bytes = plumbline::serialize(*d);
      const std::size_t at = name.find('@');
      const std::size_t offset = at == std::string::npos ? 0 : std::stoul(name.substr(at + 1));
      const fs::path file = path / name.substr(0, at);
      fs::create_directories(file.parent_path());
      std::fstream(file, std::ios::app).close();
      std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
      out.seekp(static_cast<std::streamoff>(offset));
      out.write(reinterpret_cast<const char*>(bytes.data()),
                static_cast<std::streamsize>(bytes.size()));
    }
  }
  ~made_folder() { fs::remove_all(path); }
  const fs::path path =
      fs::temp_directory_path() / ("plumbline_golden_" + std::to_string(::getpid()));
};

}  // namespace

TEST_CASE("the fields give the recorded bytes") {
  const golden_counts counts = check_golden(list, fields, "");
  CHECK(counts.faults.empty());
  CHECK(counts.rebuilt == 13);
  CHECK(counts.files == 0);
}

TEST_CASE("a wrong field, length or CRC-32 is a fault") {
  CHECK(check_golden(list, replaced(fields, "shape = 10", "shape = 11"), "").faults.size() == 1);
  CHECK(
      check_golden(list, replaced(fields, "layout.nnz = 2", "layout.nnz = 3"), "").faults.size() ==
      1);
  CHECK(check_golden(replaced(list, "\t109\t", "\t108\t"), fields, "").faults.size() == 1);
  CHECK(check_golden(replaced(list, "39524dd5", "39524dd4"), fields, "").faults.size() == 1);
  CHECK(check_golden(
            list, replaced(fields, "descriptors/row_major_int8_5.bin", "descriptors/other.bin"), "")
            .faults.size() == 1);
  CHECK_THROWS(parse_golden_list("a b c"));
  CHECK_THROWS(parse_golden_fields("  shape = 1"));
}

TEST_CASE("files are accepted, encoded again and compared") {
  const made_folder made;
  golden_counts counts = check_golden(list, fields, made.path);
  CHECK(counts.faults.empty());
  CHECK(counts.files == 13);

  const fs::path file = made.path / "descriptors/strided_f32_3x4.bin";
  std::ofstream(file, std::ios::app) << 'x';  // a byte behind the descriptor
  CHECK(check_golden(list, fields, made.path).faults.size() == 1);
  fs::resize_file(file, 76);
  CHECK(check_golden(list, fields, made.path).faults.size() == 1);
  fs::remove(file);
  CHECK(check_golden(list, fields, made.path).faults.size() == 1);
  std::ofstream(made.path / "descriptors/unknown.bin") << 'x';
  CHECK(check_golden(list, fields, made.path).faults.size() == 2);
  CHECK_FALSE(check_golden(list, fields, made.path / "nowhere").faults.empty());
}
