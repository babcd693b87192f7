// The targets without a fuzzing engine, on a stack of half a mebibyte: no recursion follows the input.
//
//   fuzz_replay --corpus CORPUS [N]  CORPUS/fuzz/FORMAT/* and CORPUS/regressions/NNN-TARGET-*, each as it
//                                    is and with N changes, always the same ones
//   fuzz_replay TARGET FILE..        one target over these files
#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "mutator.h"
#include "random.h"
#include "target.h"

using namespace plumbline;

namespace {

std::vector<std::string> arguments;
std::size_t replayed = 0, broken = 0;
unsigned long changes = 0;  // of every input

Bytes contents_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

constexpr std::size_t most = 4096;  // bytes of a changed input

void expect(const fuzz::Target& target, ByteView bytes, const std::filesystem::path& path) {
  ++replayed;
  std::string why = target.broken(bytes);
  if (why.empty()) return;
  ++broken;
  std::printf("%s: %s: %s\n  of %s\n", std::string(target.name).c_str(), path.filename().c_str(), why.c_str(),
              to_hex(bytes).c_str());
}

void replay(const fuzz::Target& target, const std::filesystem::path& path) {
  Bytes bytes = contents_of(path);
  bytes.shrink_to_fit();
  expect(target, bytes, path);
  bool structured = target.format != fuzz::Format::choices && target.format != fuzz::Format::text;
  std::uint64_t seed = std::hash<std::string>{}(path.filename().string() + std::string(target.name));
  fuzz::Random random(seed);
  for (unsigned long n = 0; n < changes; ++n) {
    Bytes changed = bytes;
    if (structured) {
      changed.resize(std::max<std::size_t>(changed.size(), most));
      changed.resize(fuzz::mutate(changed.data(), bytes.size(), changed.size(), random.bits(), nullptr));
    } else if (!changed.empty()) {
      for (std::uint64_t edits = 1 + random.below(4); edits > 0; --edits)
        changed[random.below(changed.size())] = static_cast<std::uint8_t>(random.bits());
    }
    changed.shrink_to_fit();
    expect(target, changed, path);
  }
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void replay_corpus(const std::filesystem::path& corpus) {
  for (const fuzz::Target& target : fuzz::targets()) {
    std::size_t before = replayed;
    for (const auto& path : files_of(corpus / "fuzz" / fuzz::to_string(target.format))) replay(target, path);
    if (replayed == before) {
      ++broken;
      std::printf("%s: no seeds\n", std::string(target.name).c_str());
    }
  }
  std::size_t regressions = 0;
  for (const auto& path : files_of(corpus / "regressions")) {
    std::string name = path.filename().string();
    if (name.ends_with(".md")) continue;
    std::string wanted = name.substr(std::min<std::size_t>(4, name.size()));
    wanted = wanted.substr(0, wanted.find('-'));
    const fuzz::Target* target = fuzz::find_target(wanted);
    if (!target && wanted.starts_with("kernel_")) continue;  // built without kernels
    if (!target) {
      ++broken;
      std::printf("%s: names no target\n", name.c_str());
      continue;
    }
    ++regressions;
    for (const fuzz::Target& other : fuzz::targets())
      if (other.format == target->format) replay(other, path);
  }
  if (regressions == 0) {
    ++broken;
    std::printf("no regressions\n");
  }
}

void* run(void*) {
  if ((arguments.size() == 2 || arguments.size() == 3) && arguments[0] == "--corpus") {
    if (arguments.size() == 3) changes = std::strtoul(arguments[2].c_str(), nullptr, 10);
    replay_corpus(arguments[1]);
  } else {
    const fuzz::Target* target = arguments.empty() ? nullptr : fuzz::find_target(arguments[0]);
    if (!target) {
      std::fputs("usage: fuzz_replay --corpus CORPUS [N] | fuzz_replay TARGET FILE..\n", stderr);
      std::exit(2);
    }
    for (std::size_t k = 1; k < arguments.size(); ++k) replay(*target, arguments[k]);
  }
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  arguments.assign(argv + 1, argv + argc);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 512 * 1024);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, run, nullptr) != 0) return 2;
  pthread_join(thread, nullptr);
  std::printf("%zu inputs replayed, %zu broken\n", replayed, broken);
  return broken == 0 && replayed > 0 ? 0 : 1;
}
