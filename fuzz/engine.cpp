// What a fuzzing engine calls. One program holds all targets; the name that it is started by picks
// one (decode_fuzz), else the variable PLUMBLINE_FUZZ_TARGET, else every input goes through all of
// them.
#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "mutator.h"
#include "target.h"

using namespace plumbline;

namespace {

const fuzz::Target* chosen = nullptr;  // nullptr: all

void expect(const fuzz::Target& target, ByteView input) {
  std::string broken = target.broken(input);
  if (broken.empty()) return;
  std::fprintf(stderr, "%s: %s\ninput: %s\n", std::string(target.name).c_str(), broken.c_str(),
               to_hex(input).c_str());
  std::abort();
}

bool is_structured() {
  return !chosen || chosen->format == fuzz::Format::descriptor ||
         chosen->format == fuzz::Format::set || chosen->format == fuzz::Format::contents;
}

}  // namespace

// Of the engine; absent where another engine brings its own mutations.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t*, std::size_t, std::size_t);

extern "C" int LLVMFuzzerInitialize(int*, char*** argv) {
  // Memory given back to the system is cleared again for the next input: a tenth of the time.
  mallopt(M_MMAP_THRESHOLD, 1 << 28);
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
  std::string name = (*argv)[0];
  name = name.substr(name.find_last_of('/') + 1);
  if (name.ends_with("_fuzz")) name.resize(name.size() - 5);
  if (name != "plumbline") chosen = fuzz::find_target(name);
  const char* variable = std::getenv("PLUMBLINE_FUZZ_TARGET");
  if (!chosen && variable) {
    chosen = fuzz::find_target(variable);
    if (!chosen) {
      std::fprintf(stderr, "no target %s\n", variable);
      std::exit(2);
    }
  }
  if (!chosen && name != "plumbline") {
    std::fprintf(stderr, "no target %s\n", name.c_str());
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (chosen) {
    expect(*chosen, {data, size});
    return 0;
  }
  for (const fuzz::Target& target : fuzz::targets()) expect(target, {data, size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned int seed) {
  fuzz::Plain plain = LLVMFuzzerMutate;
  if (!is_structured() && plain) return plain(data, size, most);
  return fuzz::mutate(data, size, most, seed, plain);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size,
                                                 const std::uint8_t* b, std::size_t b_size,
                                                 std::uint8_t* out, std::size_t most,
                                                 unsigned int seed) {
  return fuzz::cross({a, a_size}, {b, b_size}, out, most, seed, is_structured());
}
