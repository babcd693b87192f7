// Every entry of the table of violations has places, and there its clause is named alone: without this,
// one whose apply never does anything would pass in every target.
#include <catch2/catch.hpp>

#include "build.h"
#include "random.h"
#include "reference/descriptor/descriptor.h"

using namespace plumbline;

namespace {

constexpr std::size_t descriptors_a_layout = 100, choices_of_one = 512;

Bytes some_bytes(fuzz::Random& random) {
  Bytes bytes(choices_of_one);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.bits());
  return bytes;
}

const Options strict{.agreement = Agreement::everything()};

}  // namespace

TEST_CASE("every violation is applied and refused with its clause") {
  std::vector<std::size_t> applied(fuzz::violations.size(), 0);
  fuzz::Random random(1);
  for (std::uint8_t layout : fuzz::sound_layouts) {
    for (std::size_t n = 0; n < descriptors_a_layout; ++n) {
      Bytes bytes = some_bytes(random);
      fuzz::Choices choices(bytes);
      const Descriptor sound = fuzz::sound(choices, layout);
      Judgement before = judge(serialize(sound), strict);
      INFO("layout " << int{layout} << ", choices " << to_hex(bytes));
      if (!before.accepted()) FAIL("sound fields are refused: " << before.faults[0].message());
      for (std::size_t k = 0; k < fuzz::violations.size(); ++k) {
        const fuzz::Violation& violation = fuzz::violations[k];
        Descriptor d = sound;
        fuzz::Choices left = choices;
        if (!violation.apply(d, left)) continue;
        ++applied[k];
        Judgement judged = judge(serialize(d), strict);
        if (judged.faults.size() != 1 || judged.faults[0].clause != violation.clause)
          FAIL(violation.clause << " is broken, but named is "
                                << (judged.accepted() ? "nothing" : judged.faults[0].message()));
      }
    }
  }
  for (std::size_t k = 0; k < applied.size(); ++k) {
    INFO(fuzz::violations[k].clause << " has places in " << applied[k] << " descriptors");
    CHECK(applied[k] >= 3);
  }
}
