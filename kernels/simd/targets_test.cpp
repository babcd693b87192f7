#include "kernels/test_targets.h"

#include <array>

using namespace plumbline::kernels;

TEST_CASE("every target of this machine is there, the reference always") {
  std::set<std::string> names;
  for (const target t : available_targets()) names.insert(std::string(to_string(t)));
  CHECK(names == test::expected_targets());
  CHECK(available_targets().back() == target::reference);
}

TEST_CASE("a target is forced by name, and one that cannot run is not") {
  const target before = current_target();
  for (const target t : {target::reference, target::neon, target::avx2, target::avx512,
                         target::avx512_bf16}) {
    CHECK(parse_target(to_string(t)) == t);
    const bool runs = test::expected_targets().contains(std::string(to_string(t)));
    CHECK(force_target(t) == runs);
    if (runs) CHECK(current_target() == t);
  }
  CHECK(!parse_target("AVX2"));
  CHECK(!parse_target(""));
  force_target(before);
}
