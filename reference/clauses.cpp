#include "clauses.h"

#include <unordered_map>

namespace plumbline {

extern const char clauses_tsv[];
extern const std::size_t clauses_tsv_size;

namespace {

std::vector<std::string> split(std::string_view line, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    std::size_t end = line.find(separator, begin);
    parts.emplace_back(line.substr(begin, end == line.npos ? line.npos : end - begin));
    if (end == line.npos) return parts;
    begin = end + 1;
  }
}

std::vector<Clause> load() {
  std::vector<Clause> table;
  std::vector<std::string> lines = split({clauses_tsv, clauses_tsv_size}, '\n');
  for (std::size_t i = 1; i < lines.size(); ++i) {  // line 0 names the columns
    if (lines[i].empty()) continue;
    std::vector<std::string> c = split(lines[i], '\t');
    c.resize(12);
    table.push_back({c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9], c[10], c[11],
                     table.size()});
  }
  return table;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::accept: return "accept";
    case Verdict::malformed: return "malformed";
    case Verdict::invalid: return "invalid";
    case Verdict::unsupported: return "unsupported";
  }
  return "";
}

const std::vector<Clause>& clauses() {
  static const std::vector<Clause> table = load();
  return table;
}

const Clause* find_clause(std::string_view id) {
  static const std::unordered_map<std::string_view, std::size_t> rows = [] {
    std::unordered_map<std::string_view, std::size_t> m;
    for (const Clause& c : clauses()) m.emplace(c.id, c.row);
    return m;
  }();
  auto found = rows.find(id);
  return found == rows.end() ? nullptr : &clauses()[found->second];
}

std::size_t clause_row(std::string_view id) {
  const Clause* c = find_clause(id);
  return c ? c->row : clauses().size();
}

}  // namespace plumbline
