// The golden files: real descriptors that nobody here wrote.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference/bytes.h"

namespace plumbline::suite {

struct golden_entry {
  std::string name;  // "descriptors/x.bin", or "files/basic.hrry@64"
  std::size_t length = 0;
  std::uint32_t crc32 = 0;
};
// Both throw std::runtime_error.
std::vector<golden_entry> parse_golden_list(std::string_view tsv);
// Name -> key -> value.
using field_table =
    std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>>;
field_table parse_golden_fields(std::string_view text);

struct golden_counts {
  std::size_t rebuilt =
      0;                  // descriptors built from their fields with the recorded length and CRC-32
  std::size_t files = 0;  // descriptors read from the folder
  std::vector<std::string> faults;
};
// What the list and the fields say of each other; `folder` may be empty.
golden_counts check_golden(std::string_view tsv, std::string_view fields,
                           const std::filesystem::path& folder);

}  // namespace plumbline::suite
