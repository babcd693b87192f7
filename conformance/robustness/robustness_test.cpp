// robustness_test VECTORS_FOLDER I/N [--long]: every truncation and every changed bit of every accepted
// vector; with --long all 255 other values of each byte instead. Of these changes part I of N: every N-th,
// so that the parts take equally long whatever the length of a vector. Inputs of more than 1,000 bytes that
// only lenient or permissive accepts are left to --long: five take as long as half of all others.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "conformance/vectors/vector.h"
#include "survive.h"

namespace {

std::size_t judged = 0, broken = 0;
std::size_t number = 0;  // of changes so far, in all parts
unsigned part = 0, parts = 0;
std::size_t left_to_long = 0;
std::string in_hand;  // the input that is being judged, for a process that dies of it

void name_what_is_in_hand(int) {
  std::fprintf(stderr, "aborted in %s\n", in_hand.c_str());
  std::_Exit(1);
}

void report(const std::string& id, const std::string& change, const std::string& promise,
            const plumbline::Bytes& bytes) {
  ++judged;
  if (promise.empty()) return;
  ++broken;
  std::printf("%s, %s: %s\n  %s\n", id.c_str(), change.c_str(), promise.c_str(),
              plumbline::to_hex(bytes).c_str());
}

bool is_in_this_part() { return number++ % parts == part - 1; }

// Calls `use` with the bytes, every truncation of them and every changed bit (or other value of a byte),
// where these are in this part.
template <class Use>
void with_every_change(const plumbline::Bytes& bytes, bool all_values, Use use) {
  if (is_in_this_part()) use(bytes, "unchanged");
  for (std::size_t n = 0; n < bytes.size(); ++n)
    if (is_in_this_part())
      use({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n)}, "cut to " + std::to_string(n));
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (unsigned mask = 1; mask < 256; mask = all_values ? mask + 1 : mask << 1) {
      if (!is_in_this_part()) continue;
      plumbline::Bytes changed = bytes;
      changed[i] = static_cast<std::uint8_t>(changed[i] ^ mask);
      use(changed, "byte " + std::to_string(i) + " xor " + std::to_string(mask));
    }
}

void expect_to_survive(const std::string& id, const plumbline::Bytes& bytes, bool all_values) {
  with_every_change(bytes, all_values, [&](const plumbline::Bytes& changed, const std::string& change) {
    // An allocation of exactly this size, so that a sanitizer sees every read behind its end.
    plumbline::Bytes exact(changed);
    exact.shrink_to_fit();
    in_hand = id + ", " + change + ": " + plumbline::to_hex(changed);
    report(id, change, plumbline::robustness::broken_promise(exact), changed);
  });
}

// Each member changed inside its set.
void expect_set_to_survive(const std::string& id, const std::vector<plumbline::Bytes>& set, bool all_values) {
  for (std::size_t m = 0; m < set.size(); ++m)
    with_every_change(set[m], all_values, [&](const plumbline::Bytes& changed, const std::string& change) {
      std::vector<plumbline::ByteView> views(set.begin(), set.end());
      views[m] = changed;
      in_hand = id + ", member " + std::to_string(m) + " " + change + ": " + plumbline::to_hex(changed);
      report(id, "member " + std::to_string(m) + " " + change,
             plumbline::robustness::broken_promise_of_set(views, m), changed);
    });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || std::sscanf(argv[2], "%u/%u", &part, &parts) != 2 || parts == 0 ||
      part == 0 || part > parts) {
    std::fputs("usage: robustness_test VECTORS_FOLDER I/N [--long]\n", stderr);
    return 2;
  }
  std::signal(SIGABRT, name_what_is_in_hand);
  bool all_values = argc > 3 && std::string(argv[3]) == "--long";
  std::set<std::string> seen;
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
    if (entry.path().extension() == ".jsonl") files.insert(entry.path());
  for (const auto& file : files)
    for (const plumbline::vectors::vector& v : plumbline::vectors::load(file)) {
      if (v.expect.is_refusal()) continue;
      if (v.input.size() > 1000 && v.mode != "strict" && !all_values) {
        ++left_to_long;
        continue;
      }
      std::string set_key;
      for (const plumbline::Bytes& member : v.set) set_key += plumbline::to_hex(member) + ";";
      if (!v.set.empty() && seen.insert(set_key).second) expect_set_to_survive(v.id, v.set, all_values);
      if (!v.input.empty() && seen.insert(plumbline::to_hex(v.input)).second)
        expect_to_survive(v.id, v.input, all_values);
    }
  std::printf("%zu inputs judged in all modes, %zu with a broken promise\n", judged, broken);
  std::printf("%zu vectors that strict refuses left to --long for their length\n", left_to_long);
  if (judged == 0) std::puts("no accepted vector was found");
  return broken == 0 && judged > 0 ? 0 : 1;
}
