// Every entry of the table of violations has places, and there its clause is named alone: without this,
// one whose apply never does anything would pass in every target. And sound() builds what it should.
#include <catch2/catch.hpp>

#include <map>

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

std::string named(const Judgement& judged) {
  std::string all;
  for (const Fault& fault : judged.faults) all += "\n" + fault.clause + ": " + fault.message();
  return all.empty() ? "none" : all;
}

const Options strict{.agreement = Agreement::everything()};

// Sound descriptors of every layout, with the choices that are left.
template <class Visit>
void each_sound(std::uint64_t seed, Visit visit) {
  fuzz::Random random(seed);
  for (std::uint8_t layout : fuzz::sound_layouts) {
    for (std::size_t n = 0; n < descriptors_a_layout; ++n) {
      Bytes bytes = some_bytes(random);
      fuzz::Choices choices(bytes);
      const Descriptor sound = fuzz::sound(choices, layout);
      INFO("layout " << int{layout} << ", choices " << to_hex(bytes));
      visit(sound, choices);
    }
  }
}

}  // namespace

TEST_CASE("every violation is applied and refused with its clause") {
  std::vector<std::size_t> applied(fuzz::violations.size(), 0);
  each_sound(1, [&](const Descriptor& sound, const fuzz::Choices& choices) {
    Judgement before = judge(serialize(sound), strict);
    if (!before.accepted()) FAIL("sound fields are refused: " << before.faults[0].message());
    for (std::size_t k = 0; k < fuzz::violations.size(); ++k) {
      const fuzz::Violation& violation = fuzz::violations[k];
      Descriptor d = sound;
      fuzz::Choices left = choices;
      if (!violation.apply(d, left)) continue;
      ++applied[k];
      Judgement judged = judge(serialize(d), strict);
      if (judged.faults.size() != 1 || judged.faults[0].clause != violation.clause)
        FAIL(violation.clause << " is broken alone, but named are: " << named(judged));
    }
  });
  for (std::size_t k = 0; k < applied.size(); ++k) {
    INFO(fuzz::violations[k].clause << " has places in " << applied[k] << " descriptors");
    CHECK(applied[k] >= 3);
  }
}

TEST_CASE("sound descriptors have every scheme, rule, device, class, mode and figure") {
  std::map<std::string, std::size_t> seen;
  auto count = [&](const std::string& what, unsigned value) { ++seen[what + " " + std::to_string(value)]; };
  each_sound(2, [&](const Descriptor& d, const fuzz::Choices&) {
    if (d.quantization) count("scheme", d.quantization->scheme_tag);
    if (d.quantization && !d.quantization->padding.empty()) count("padding", 1);
    if (auto* l = std::get_if<CompositeHead>(&d.layout)) count("rule", std::min<unsigned>(l->composition_rule, 0xF0));
    if (auto* l = std::get_if<Tiled>(&d.layout))
      for (const TileLevel& level : l->levels) count("outer", level.outer_layout), count("inner", level.inner_layout);
    for (const BufferHandle& h : d.buffers.handles) {
      count("device", std::min<unsigned>(h.device_tag, 0xF0));
      count("class", std::min<unsigned>(h.memory_class, 0xF0));
      count("sync mode", h.sync_mode);
      count("wider than 64", h.alignment > 64);
    }
    if (const auto& s = d.statistics) {
      for (unsigned bit = 0; bit < 6; ++bit) count("figure", (s->computed_mask >> bit & 1) != 0 ? bit : 99);
      count("a pattern", s->nm_n > 0 && (s->computed_mask & statistic::nm_sparsity) != 0);
    }
  });
  auto each = [&](const std::string& what, std::initializer_list<unsigned> values) {
    for (unsigned value : values) {
      INFO(what << " " << value);
      CHECK(seen[what + " " + std::to_string(value)] >= 3);
    }
  };
  each("scheme", {1, 2, 3, 4, 5});
  each("padding", {1});
  each("rule", {1, 2, 3, 0xF0});
  each("outer", {1, 2, 3});
  each("inner", {1, 2, 3, 4});
  each("device", {0, 1, 2, 3, 4, 5, 6, 7, 8, 0xF0});
  each("class", {0, 1, 2, 3, 0xF0});
  each("sync mode", {0, 1, 2});
  each("wider than 64", {0, 1});
  each("figure", {0, 1, 2, 3, 4, 5});
  each("a pattern", {1});
}
