// The one table of normative clauses (clauses.tsv): what each asks, who is bound, what a violation
// means. Every refusal names a row of it, or an open point (D-nnn) where only a ruling refuses.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline {

// Class of a violation. R: the text orders the reader to refuse, or the bytes cannot be parsed.
// N: refused by necessity. W: only the writer is bound.
enum class Class { R, N, W };

enum class Verdict { accept, malformed, invalid, unsupported };
std::string_view to_string(Verdict verdict);

struct Clause {
  std::string id, area, source, binds, testable, paraphrase;
  std::string class_letter;  // R, N, W or -
  std::string sides;         // both, accept-only, refuse-only, value, none, not-covered
  std::string verdict;       // of a violation; - where there is none
  std::string owner;         // the one clause that owns the check
  std::string open_points;   // D-nnn, with strength L or O where not firm
  std::string note;
  std::size_t row = 0;  // place in the table; the order of faults at the same offset
};

const std::vector<Clause>& clauses();
// The clause of that id, or nullptr.
const Clause* find_clause(std::string_view id);
// Place in the table; an open point (D-nnn) comes after every clause.
std::size_t clause_row(std::string_view id);

}  // namespace plumbline
