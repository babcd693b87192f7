// A vector as a question of the protocol.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/vectors/vector.h"

namespace plumbline::runner {

// Who is being measured: of several the cases of each. A validator is reader and writer, and refuses
// what only binds writers as well; extension types are both, of private element types alone.
struct profile {
  bool reader = false, writer = false, validator = false, extension_types = false, scalar = false;
  std::string name;
  // Numeric questions go to readers, too: who declares none of their operations skips them.
  bool numbers() const { return scalar || reader; }
};
// "reader,writer", "validator", "extension-types", "scalar"; throws std::invalid_argument.
profile parse_profile(std::string_view text);

// One question that gets one result. A refused descriptor is asked of writers too: they must not
// produce it ("EXT-05/b+author").
struct test_case {
  const vectors::vector* vector = nullptr;
  bool author = false;

  std::string id() const { return vector->id + (author ? "+author" : ""); }
  std::string group() const { return vector->clause.substr(0, 3); }
  std::string op() const { return author ? "encode" : vector->op; }
  bool operator==(const test_case&) const = default;
};
std::vector<test_case> cases_of(const std::vector<vectors::vector>& all, const profile& who);
std::vector<test_case> cases_of(std::vector<vectors::vector>&&,
                                const profile&) = delete;  // cases point into it

// The MODE atom: "permissive+type=0xf2".
std::string mode_of(const vectors::vector& v);
std::string request_of(const test_case& c);      // "decode strict 4852.."
std::string fields_request(const test_case& c);  // the question that verifies an accept

// "EXT-05/b", exact, or a pattern (pattern.h) that is searched for in the id. Throws pattern_error.
std::vector<test_case> filtered(const std::vector<test_case>& cases, const std::string& filter);

// Part i of n (from 1) of cases that are spread by their ids alone, so that a case stays in its part
// whatever else the corpus holds.
struct shard {
  unsigned part = 1, of = 1;
  bool has(const test_case& c) const;
};
shard parse_shard(std::string_view text);  // "2/5"; throws std::invalid_argument

// The .jsonl files of a folder, in the order of their names; throws vectors::load_error.
std::vector<vectors::vector> load_folder(const std::filesystem::path& folder);

}  // namespace plumbline::runner
