// Checks over all vectors, and coverage.
#include "conformance/vectors/check.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "conformance/vectors/keys.h"

namespace plumbline::vectors {
namespace {

bool is_open_point(const std::string& code) { return code.starts_with("D-"); }

// "ext" and "ext_pairs" hold the clauses of EXT.
bool belongs(const std::string& file, const std::string& clause) {
  std::string group = clause.substr(0, 3);
  std::ranges::transform(group, group.begin(),
                         [](char c) { return static_cast<char>(c - 'A' + 'a'); });
  return file == group || file.starts_with(group + "_");
}

// The words of a list whose order says nothing.
std::string sorted(std::vector<std::string> words, char between) {
  std::ranges::sort(words);
  std::string out;
  for (const std::string& word : words) out += between + word;
  return out;
}

std::string identity(const vector& v) {
  const std::string ask = v.op == "encode" ? sorted(split(v.ask, ' '), ' ') : v.ask;
  std::string key = v.op + ' ' + ask + ' ' + v.mode + ' ' + v.transport + sorted(v.agree, '+');
  key += '|' + to_hex(v.input);
  for (const bytes& part : v.set) key += ';' + to_hex(part);
  key += '|';
  for (const bytes& buffer : v.buffers) key += ';' + to_hex(buffer);
  return key;
}

class checker {
 public:
  explicit checker(const clause_table& clauses) : clauses_(clauses) {}

  void file(const compiled_file& f) {
    for (const vector& v : f.vectors) {
      if (!belongs(f.name, v.clause)) complain(v, "stands in " + f.name + ".vec");
      one(v);
    }
  }
  std::vector<std::string> faults;

 private:
  void complain(const vector& v, const std::string& what) { faults.push_back(v.id + ": " + what); }

  void one(const vector& v) {
    if (!ids_.insert(v.id).second) complain(v, "the id is used twice");
    if (!clauses_.contains(v.clause)) complain(v, "no such clause");
    const auto [twin, fresh] = seen_.emplace(identity(v), v.id);
    if (!fresh) complain(v, "same bytes, mode and question as " + twin->second);
    readings(v);
    if (v.expect.is_refusal()) refusal(v, v.expect, true);
    for (const reading& r : v.readings) {
      if (r.expect.is_refusal()) refusal(v, r.expect, false);
    }
  }

  // An open vector is one whose readings differ, and ours is one of them.
  void readings(const vector& v) {
    const auto ours = std::ranges::count_if(
        v.readings, [&](const reading& r) { return same_answer(r.expect, v.expect); });
    if (v.cls != "open") {
      if (!v.readings.empty() || !v.points.empty()) complain(v, "readings of what is not open");
    } else if (ours == 0 || ours == std::ssize(v.readings)) {
      complain(v, "an open vector has two readings that differ, and expects what one of them says");
    }
  }

  // A refusal names an owner with the verdict of its row, and the class that the row allows.
  void refusal(const vector& v, const expectation& e, bool ours) {
    if (ours && !e.offset) complain(v, "a refusal without offset");
    if (ours && v.op != "contents" && *e.offset > size_of(v, e))
      complain(v, "the offset lies behind the bytes");
    if (is_open_point(e.clause)) return;
    const auto row = clauses_.find(e.clause);
    if (row == clauses_.end()) {
      complain(v, "refused by an unknown clause " + e.clause);
      return;
    }
    if (row->second.owner != e.clause) complain(v, e.clause + " is owned by " + row->second.owner);
    if (row->second.verdict != e.verdict) complain(v, e.clause + " says " + row->second.verdict);
    if (!ours || !v.cls.starts_with("refuse-")) return;
    const std::string cls = v.cls.substr(7);
    // Many N clauses are only W where the value is merely too large; the notes say where.
    if (cls != row->second.cls && !(row->second.cls == "N" && cls == "W")) {
      complain(v, e.clause + " is of class " + row->second.cls);
    }
  }

  static std::size_t size_of(const vector& v, const expectation& e) {
    if (!v.is_set()) return v.input.size();
    const unsigned member = e.member.value_or(0);
    return member < v.set.size() ? v.set[member].size() : 0;
  }

  const clause_table& clauses_;
  std::set<std::string> ids_;
  std::map<std::string, std::string> seen_;
};

std::string lacking(const clause_row& row, const coverage_row& have) {
  std::string lacks;
  const bool accept = row.sides == "both" || row.sides == "accept-only";
  const bool refuse = row.sides == "both" || row.sides == "refuse-only";
  if (accept && have.accepts == 0) lacks = "accept";
  if (refuse && have.refuses == 0) lacks += lacks.empty() ? "refuse" : " refuse";
  if (row.sides == "value" && have.values == 0) lacks = "value";
  return lacks;
}

}  // namespace

clause_table load_clauses(const std::filesystem::path& tsv) {
  std::ifstream in(tsv);
  std::string line;
  if (!in || !std::getline(in, line)) throw load_error("cannot read " + tsv.string());
  const std::vector<std::string> names = split(line, '\t');
  const auto column = [&](const char* name) {
    const auto it = std::ranges::find(names, name);
    if (it == names.end()) throw load_error(tsv.string() + ": no column " + name);
    return static_cast<std::size_t>(it - names.begin());
  };
  const std::size_t id = column("id"), area = column("area"), cls = column("class"),
                    sides = column("sides"), verdict = column("verdict"), owner = column("owner");
  clause_table out;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = split(line, '\t');
    if (cells.size() <= std::max({id, area, cls, sides, verdict, owner}))
      throw load_error(tsv.string() + ": short row: " + line);
    out[cells[id]] = {cells[id],    cells[area],    cells[cls],
                      cells[sides], cells[verdict], cells[owner]};
  }
  return out;
}

std::vector<std::string> check_vectors(const std::vector<compiled_file>& files,
                                       const clause_table& clauses) {
  checker check(clauses);
  for (const compiled_file& f : files) check.file(f);
  return check.faults;
}

std::vector<std::string> check_committed(const std::vector<compiled_file>& files,
                                         const std::filesystem::path& folder) {
  std::vector<std::string> faults;
  std::set<std::string> expected;
  for (const compiled_file& f : files) {
    const std::filesystem::path path = folder / (f.name + ".jsonl");
    expected.insert(path.filename().string());
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in)
      faults.push_back(path.filename().string() + ": missing");
    else if (text.str() != to_json_lines(f))
      faults.push_back(path.filename().string() + ": not what the text gives; compile again");
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".jsonl" && !expected.contains(name))
      faults.push_back(name + ": no text belongs to it");
  }
  return faults;
}

std::vector<coverage_row> coverage(const std::vector<compiled_file>& files,
                                   const clause_table& clauses,
                                   const std::vector<std::string>& groups) {
  std::map<std::string, coverage_row> rows;
  for (const auto& [id, row] : clauses) {
    const bool in_area =
        row.area.starts_with('1') || row.area.starts_with('2') || row.area.starts_with('5');
    const bool wanted =
        groups.empty() || std::ranges::find(groups, id.substr(0, 3)) != groups.end();
    if (in_area && wanted && row.owner == id) rows[id].clause = id;
  }
  for (const compiled_file& f : files) {
    for (const vector& v : f.vectors) {
      const auto named = clauses.find(v.clause);
      const auto row = named == clauses.end() ? rows.end() : rows.find(named->second.owner);
      const bool value = !v.expect.is_accept() && !v.expect.is_refusal();
      if (row != rows.end() && value) ++row->second.values;
      if (row != rows.end() && v.expect.is_accept()) ++row->second.accepts;
      // A reader that lacks an optional part refuses it; one that has it accepts: both are fine.
      if (row != rows.end() && v.cls == "unsupported-is-fine" && named->second.sides == "refuse-only")
        ++row->second.refuses;
      if (!v.expect.is_refusal()) continue;
      const auto refused = rows.find(v.expect.clause);  // a refusal shows the clause that it names
      if (refused != rows.end()) ++refused->second.refuses;
    }
  }
  std::vector<coverage_row> out;
  for (auto& [id, row] : rows) {
    row.lacks = lacking(clauses.find(id)->second, row);
    out.push_back(row);
  }
  return out;
}

}  // namespace plumbline::vectors
