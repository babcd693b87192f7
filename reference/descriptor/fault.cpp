#include "fault.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <tuple>

#include "../mutation.h"

namespace plumbline {

std::string_view to_string(Mode mode) {
  switch (mode) {
    case Mode::strict: return "strict";
    case Mode::lenient: return "lenient";
    case Mode::permissive: return "permissive";
  }
  return "";
}

std::optional<Mode> parse_mode(std::string_view text) {
  for (Mode mode : {Mode::strict, Mode::lenient, Mode::permissive})
    if (text == to_string(mode)) return mode;
  return std::nullopt;
}

bool Agreement::parse(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, Agreed>, 6> keys = {{
      {"type", Agreed::type},
      {"layout", Agreed::layout},
      {"scheme", Agreed::scheme},
      {"rule", Agreed::rule},
      {"device", Agreed::device},
      {"class", Agreed::memory_class},
  }};
  std::size_t equals = text.find('=');
  if (equals == text.npos) return false;
  std::string_view tag = text.substr(equals + 1);
  int base = 10;
  if (tag.starts_with("0x") || tag.starts_with("0X")) {
    tag.remove_prefix(2);
    base = 16;
  }
  unsigned value = 0;
  auto [end, error] = std::from_chars(tag.data(), tag.data() + tag.size(), value, base);
  if (error != std::errc{} || end != tag.data() + tag.size() || value < 0xF0 || value > 0xFE)
    return false;
  for (auto [key, what] : keys)
    if (text.substr(0, equals) == key) {
      add(what, static_cast<std::uint8_t>(value));
      return true;
    }
  return false;
}

std::string Fault::message() const { return "found " + found + ", expected " + expected; }

bool waived_when_permissive(std::string_view clause) {
  static const std::set<std::string_view> waived = {
      "ELT-02", "EXT-18",                                  // element-types.md L39
      "LAY-03", "LAY-07",                                  // memory-layout.md L43, metadata.md L230
      "QNT-06",                                            // quantization.md L69
      "CON-21", "CON-22",                                  // coo.md L65
      "CON-26", "CON-27", "CON-28", "CON-29",              // csr.md L58
      "CON-31", "CON-32", "CON-33", "CON-34",              // csc.md L66
      "CSF-03",                                            // csf.md L46
      "CON-36", "CON-37", "CON-38", "CON-40", "CON-41", "CON-42", "CON-43",  // csf.md L108
      "BPG-12", "CON-45", "CON-46", "CON-47",              // block-paged.md L116
      "CMP-26", "CMP-27",                                  // composite.md L211
      "CMP-29",                                            // composite.md L291
  };
  return waived.contains(clause);
}

void Faults::add(std::string_view clause, std::uint64_t offset, std::string found,
                 std::string expected, std::optional<Class> severity) {
  Fault fault;
  fault.clause = clause;
  fault.row = clause_row(clause);
  fault.offset = offset;
  fault.found = std::move(found);
  fault.expected = std::move(expected);
  if (const Clause* c = find_clause(clause)) {
    fault.severity = c->class_letter == "N" ? Class::N : c->class_letter == "W" ? Class::W : Class::R;
    fault.verdict = c->verdict == "malformed"     ? Verdict::malformed
                    : c->verdict == "unsupported" ? Verdict::unsupported
                                                  : Verdict::invalid;
  }
  // Where only a ruling refuses: what needs an agreement, or has no reading yet, is unsupported.
  if (clause == "D-022" || clause == "D-144") fault.verdict = Verdict::unsupported;
  if (severity) fault.severity = *severity;
  fault.member = member_;
  broken_.insert(fault.clause);
  all_.push_back(std::move(fault));
}

void Faults::cut(std::string_view clause, std::uint64_t offset, std::string found,
                 std::string expected) {
  add(clause, offset, std::move(found), std::move(expected));
  all_.back().cut_off = true;
}

void Faults::add_before(const Faults& other, std::uint64_t end) {
  for (const Fault& fault : other.all_) {
    if (fault.offset >= end) continue;
    broken_.insert(fault.clause);
    all_.push_back(fault);
  }
}

std::vector<Fault> Faults::judged(const Options& options, std::uint64_t read_end, bool& waived) const {
  const bool any_mode = options.asked != Asked::acceptance;
  const bool skips_writers = any_mode || options.mode == Mode::lenient;
  const bool skips_waived = any_mode || options.mode == Mode::permissive;
  std::vector<Fault> counted;
  for (const Fault& fault : all_) {
    if (fault.offset >= read_end && !fault.cut_off) continue;
    if (mutant("off:", fault.clause)) continue;
    if (skips_writers && fault.severity == Class::W) continue;
    if (options.asked == Asked::sizes && fault.too_small) continue;
    if (skips_waived && waived_when_permissive(fault.clause)) {
      waived = true;
      continue;
    }
    counted.push_back(fault);
  }
  std::set<std::string> refused;
  for (const Fault& f : counted) refused.insert(f.clause);
  std::erase_if(counted, [&](const Fault& f) { return !f.unless.empty() && refused.contains(f.unless); });
  std::ranges::stable_sort(counted, {}, [](const Fault& f) {
    return std::tuple(f.member, f.offset, f.row);
  });
  std::set<std::string> seen;
  std::erase_if(counted, [&](const Fault& f) { return !seen.insert(f.clause).second; });
  auto wrong = [](const Fault& f) { return f.verdict != Verdict::unsupported; };
  if (std::ranges::any_of(counted, wrong)) std::erase_if(counted, std::not_fn(wrong));
  return counted;
}

std::string counted(std::uint64_t n, std::string_view thing) {
  return std::to_string(n) + " " + std::string(thing) + (n == 1 ? "" : "s");
}

std::string hex_tag(std::uint64_t tag) {
  static const char digits[] = "0123456789abcdef";
  std::string text = "0x";
  int shift = 60;
  while (shift > 4 && (tag >> shift) == 0) shift -= 4;
  for (; shift >= 0; shift -= 4) text += digits[tag >> shift & 15];
  return text;
}

}  // namespace plumbline
