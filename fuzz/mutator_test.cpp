// What the mutator makes of sound descriptors: both right and wrong lengths, children of both parents, and
// never a byte more than there is room for.
#include "mutator.h"

#include <catch2/catch.hpp>

#include "build.h"
#include "guarded.h"
#include "pieces.h"
#include "random.h"
#include "reference/descriptor/descriptor.h"

using namespace plumbline;

namespace {

constexpr std::size_t descriptors = 200, mutations_of_one = 20, room = 4096;

Bytes sound_bytes(fuzz::Random& random) {
  Bytes bytes(256);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.bits());
  fuzz::Choices choices(bytes);
  return serialize(fuzz::sound(choices));
}

// A buffer that ends right before a page that nobody may touch.
std::uint8_t* writable(fuzz::Guarded& memory, ByteView bytes, std::size_t most) {
  return const_cast<std::uint8_t*>(memory.place(bytes, most).data());
}

Bytes mutated(fuzz::Guarded& memory, const Bytes& bytes, std::size_t most, std::uint64_t seed) {
  std::uint8_t* data = writable(memory, bytes, most);
  std::size_t size = fuzz::mutate(data, bytes.size(), most, seed, nullptr);
  REQUIRE(size <= most);
  return {data, data + size};
}

bool states_its_length(ByteView bytes) {
  return bytes.size() >= 10 && little_endian(bytes.subspan(6, 4)) == bytes.size();
}

// Every field of the descriptor at the front was found.
bool is_readable(ByteView bytes) {
  std::size_t front = fuzz::front_length(bytes);
  return judge(bytes.first(front), {.mode = Mode::lenient}).read_end == front;
}

double share(std::size_t some, std::size_t all) { return static_cast<double>(some) / static_cast<double>(all); }

}  // namespace

TEST_CASE("half of the mutations that change the size state it") {
  fuzz::Guarded memory(room);
  fuzz::Random random(3);
  std::size_t resized = 0, right_of_resized = 0, right = 0, changed = 0;
  for (std::size_t n = 0; n < descriptors; ++n) {
    Bytes bytes = sound_bytes(random);
    REQUIRE(states_its_length(bytes));
    for (std::size_t k = 0; k < mutations_of_one; ++k) {
      Bytes child = mutated(memory, bytes, room, random.bits());
      changed += child != bytes;
      right += states_its_length(child);
      if (child.size() == bytes.size()) continue;
      ++resized;
      right_of_resized += states_its_length(child);
    }
  }
  constexpr std::size_t all = descriptors * mutations_of_one;
  CAPTURE(share(changed, all), share(right, all), share(resized, all), share(right_of_resized, resized));
  CHECK(share(changed, all) > 0.9);
  CHECK(share(resized, all) > 0.2);
  CHECK(share(right_of_resized, resized) > 0.35);
  CHECK(share(right_of_resized, resized) < 0.65);
  CHECK(share(right, all) > 0.5);  // a field's edit leaves the length right
  CHECK(share(right, all) < 0.9);
}

TEST_CASE("children differ from both parents and are mostly readable") {
  fuzz::Guarded memory(room);
  fuzz::Random random(4);
  std::size_t new_ones = 0, readable = 0;
  constexpr std::size_t all = 2000;
  for (std::size_t n = 0; n < all; ++n) {
    Bytes a = sound_bytes(random), b = sound_bytes(random);
    std::uint8_t* out = writable(memory, {}, room);
    std::size_t size = fuzz::cross(a, b, out, room, random.bits(), true);
    REQUIRE(size <= room);
    Bytes child(out, out + size);
    new_ones += child != a && child != b;
    readable += is_readable(child);
  }
  CAPTURE(share(new_ones, all), share(readable, all));
  CHECK(share(new_ones, all) > 0.9);
  CHECK(share(readable, all) > 0.5);
}

TEST_CASE("nothing is written behind the room that is given") {
  fuzz::Guarded memory(room);
  fuzz::Random random(5);
  for (std::size_t n = 0; n < descriptors; ++n) {
    Bytes a = sound_bytes(random), b = sound_bytes(random);
    for (std::size_t most : {a.size(), a.size() + 1, a.size() + random.below(20)})
      for (int k = 0; k < 5; ++k) (void)mutated(memory, a, most, random.bits());
    for (std::size_t most : {std::size_t{0}, std::size_t{1}, a.size(), b.size() + random.below(20)})
      for (bool structured : {false, true})
        CHECK(fuzz::cross(a, b, writable(memory, {}, most), most, random.bits(), structured) <= most);
  }
}
