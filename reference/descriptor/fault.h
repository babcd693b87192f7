// Faults, modes and agreements: how a descriptor is judged.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../clauses.h"

namespace plumbline {

// strict refuses violations of class R, N and W; lenient refuses R and N; permissive is strict but
// for exactly what the specification lets a permissive reader take (waived_when_permissive).
enum class Mode { strict, lenient, permissive };
std::string_view to_string(Mode mode);
std::optional<Mode> parse_mode(std::string_view text);

// What two parties settled outside the bytes: the private tags whose meaning the reader knows.
enum class Agreed { type, layout, scheme, rule, device, memory_class };
class Agreement {
 public:
  void add(Agreed what, std::uint8_t tag) { tags_.insert({what, tag}); }
  bool covers(Agreed what, std::uint8_t tag) const { return all_ || tags_.contains({what, tag}); }
  // A writer knows the meaning of what it writes.
  static Agreement everything() {
    Agreement a;
    a.all_ = true;
    return a;
  }
  // "type=0xf2": false when the key is unknown or the tag is not a private one.
  bool parse(std::string_view text);

 private:
  std::set<std::pair<Agreed, std::uint8_t>> tags_;
  bool all_ = false;
};

// What is asked of a descriptor: whether to accept it, or where its elements lie, or how large its
// buffers must be. To the latter two a fault that some mode lets pass is no bar, nor to the last a
// buffer that is too small.
enum class Asked { acceptance, elements, sizes };

struct Options {
  Mode mode = Mode::strict;
  Agreement agreement = {};
  Asked asked = Asked::acceptance;
  // The bytes crossed a network: only sync mode 00 is allowed (clause BUF-35).
  bool network_transport = false;
};

struct Fault {
  std::string clause;        // id in the clause table, or D-nnn where only a ruling refuses
  std::size_t row = 0;       // its place in the table; what only a ruling refuses comes last
  std::uint64_t offset = 0;  // first byte of the last field, in wire order, that takes part
  Class severity = Class::R;
  Verdict verdict = Verdict::invalid;
  std::string found, expected;
  std::size_t member = 0;  // composite sets: 0 is the head. Contents: the buffer.
  bool cut_off = false;    // the field at `offset` crosses the end of its window
  bool too_small = false;  // a larger buffer mends it
  std::string unless = {};  // said only where the mode does not refuse this clause already

  std::string message() const;
};

// True for the clauses that a permissive reader may pass over (open point D-003).
bool waived_when_permissive(std::string_view clause);

// Collects faults. Faults at fields that were not read are dropped: a check may therefore run on a
// descriptor that was cut short, since its fault lies at the last field that takes part in it.
class Faults {
 public:
  void add(std::string_view clause, std::uint64_t offset, std::string found, std::string expected,
           std::optional<Class> severity = std::nullopt);
  // A field that crosses the end of its window: the fault lies at the field itself.
  void cut(std::string_view clause, std::uint64_t offset, std::string found, std::string expected);
  // Takes over the faults of `other` that lie before `end`.
  void add_before(const Faults& other, std::uint64_t end);
  // The buffer (contents) or member (composite sets) that the faults added from now on belong to.
  void set_member(std::size_t member) { member_ = member; }
  // Whether the clause has been broken anywhere so far; a check whose precondition is broken is
  // not made.
  bool broken(std::string_view clause) const { return broken_.contains(clause); }

  // The fault added last presupposes `clause`: it counts where the mode lets a break of that pass.
  void unless(std::string_view clause) { all_.back().unless = clause; }

  // The fault added last is a buffer that is too small, and nothing else.
  void too_small() { all_.back().too_small = true; }

  // The faults that count under `options`, in order of offset and then of the table, one a clause; the
  // unsupported ones only where nothing else is wrong. `waived` is set when one was passed over that
  // only a permissive reader takes.
  std::vector<Fault> judged(const Options& options, std::uint64_t read_end, bool& waived) const;

 private:
  std::vector<Fault> all_;
  std::size_t member_ = 0;
  std::set<std::string, std::less<>> broken_;
};

std::string hex_tag(std::uint64_t tag);  // 0x0b
std::string counted(std::uint64_t n, std::string_view thing);  // 1 byte, 2 bytes

}  // namespace plumbline
