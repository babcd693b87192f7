// Every refusing vector has exactly one fault: the collecting call names the clause and the offset that
// the text was read to give, and nothing else. (Of several unsupported values the first one counts.)
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "conformance/vectors/vector.h"
#include "reference/contents/contents.h"
#include "reference/descriptor/composite_set.h"

using namespace plumbline;

namespace {

std::vector<Fault> collect(const vectors::vector& v, const Options& options) {
  if (v.is_set()) return judge_set({v.set.begin(), v.set.end()}, options).faults;
  Judgement judged = judge(v.input, options);
  if (v.op == "decode" || !judged.accepted()) return judged.faults;
  auto faults = judge_contents(judged.descriptor, Buffers(v.buffers.begin(), v.buffers.end()), options);
  REQUIRE(faults);
  return *faults;
}

// An open vector may ask which of two faults is the first, or the only one.
bool weighs_faults(const vectors::vector& v) {
  return std::ranges::any_of(v.readings, [&](const vectors::reading& r) {
    return r.expect.is_refusal() && r.expect.clause != v.expect.clause;
  });
}

}  // namespace

TEST_CASE("every refusing vector has exactly one fault") {
  std::size_t asked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PLUMBLINE_SOURCE_DIR "/corpus/vectors")) {
    if (entry.path().extension() != ".jsonl") continue;
    for (const vectors::vector& v : vectors::load(entry.path())) {
      bool has_faults = v.op == "decode" || v.op == "composite" || v.op == "contents";
      if (!has_faults || !v.expect.is_refusal()) continue;
      Options options{.mode = parse_mode(v.mode).value(), .network_transport = v.transport == "network"};
      bool sayable = std::ranges::all_of(v.agree, [&](auto& text) { return options.agreement.parse(text); });
      if (!sayable) continue;  // agreements on tags that are not private: the runner's business
      INFO(v.id);
      ++asked;
      std::vector<Fault> faults = collect(v, options);
      REQUIRE(!faults.empty());
      CHECK(faults[0].clause == v.expect.clause);
      CHECK(faults[0].offset == v.expect.offset);
      CHECK(to_string(faults[0].verdict) == v.expect.verdict);
      if (faults[0].verdict != Verdict::unsupported && !weighs_faults(v)) CHECK(faults.size() == 1);
    }
  }
  CHECK(asked > 2000);
}
