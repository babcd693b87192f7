// Two checkouts of the specification, and the clauses between them.
#include "spec_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>

namespace plumbline::program {
namespace {

namespace fs = std::filesystem;
using text_lines = std::vector<std::string>;

constexpr std::size_t most_lines = 20000;       // of a page
constexpr std::size_t most_cells = 64'000'000;  // of the table of common lines

text_lines read_lines(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  text_lines out;
  std::string line;
  while (std::getline(in, line)) {
    if (line.ends_with('\r')) line.pop_back();
    if (out.size() == most_lines) throw spec_error(file.string() + " is too long for a page");
    out.push_back(line);
  }
  return out;
}

// "layouts/csr.md" under docs/spec or docs; "ADR-007" under docs/adr. Empty where it is not there.
fs::path find_page(const fs::path& root, const std::string& name) {
  std::error_code error;
  for (const char* folder :
       {"docs/spec", "docs", "docs/spec/layouts", "docs/spec/quantization", "."}) {
    const fs::path path = root / folder / name;
    if (fs::is_regular_file(path, error)) return path;
  }
  if (name.starts_with("ADR-"))
    for (const auto& entry : fs::directory_iterator(root / "docs/adr", error))
      if (entry.path().filename().string().find(name.substr(4)) != std::string::npos)
        return entry.path();
  return {};
}

// The lines from a heading to the next one of its rank or above; empty where there is none.
std::vector<std::size_t> section_lines(const text_lines& page, const std::string& title) {
  const auto rank = [](const std::string& line) { return line.find_first_not_of('#'); };
  std::vector<std::size_t> out;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < page.size(); ++i) {
    const bool heading = page[i].starts_with('#') && rank(page[i]) != std::string::npos;
    if (depth && heading && rank(page[i]) <= depth) break;
    if (!depth && heading && page[i].find(title) != std::string::npos) depth = rank(page[i]);
    if (depth) out.push_back(i + 1);
  }
  return out;
}

std::string heading_above(const text_lines& page, std::size_t line) {
  for (std::size_t i = std::min(line, page.size()); i > 0; --i)
    if (page[i - 1].starts_with('#'))
      return page[i - 1].substr(page[i - 1].find_first_not_of("# "));
  return "";
}

std::string shortened(const std::string& text) {
  return text.size() <= 160 ? text : text.substr(0, 160) + "..";
}

struct page_pair {
  text_lines older, newer;
  std::vector<std::size_t> kept;  // of older[i], the line in newer, or 0
  bool gone = false;
  std::set<std::size_t> told;  // lines of newer that stand beside a changed line of a clause
};

// The new lines that took the place of old line `at` (from 1).
std::vector<std::size_t> replacement(const page_pair& page, std::size_t at) {
  std::size_t before = 0, after = page.newer.size() + 1;
  for (std::size_t i = at; i-- > 1;)
    if (page.kept[i - 1]) {
      before = page.kept[i - 1];
      break;
    }
  for (std::size_t i = at + 1; i <= page.kept.size(); ++i)
    if (page.kept[i - 1]) {
      after = page.kept[i - 1];
      break;
    }
  std::vector<std::size_t> out;
  for (std::size_t line = before + 1; line < after; ++line) out.push_back(line);
  return out;
}

}  // namespace

std::vector<place> places_of(const std::string& source) {
  static const std::regex file_name("^ *(\\S+\\.md|ADR-[0-9]+|impl/\\S+)"),
      numbers("\\bL([0-9][0-9,-]*)"), section("§([^;]*?)( L[0-9].*)?$");
  std::vector<place> out;
  std::string file;
  std::size_t begin = 0;
  while (begin <= source.size()) {
    const auto end = std::min(source.find(';', begin), source.size());
    const std::string part = source.substr(begin, end - begin);
    begin = end + 1;
    place p;
    std::smatch m;
    const bool names_file = std::regex_search(part, m, file_name);
    if (names_file) file = m[1];
    p.file = file;
    if (std::regex_search(part, m, section)) p.section = m[1];
    if (std::regex_search(part, m, numbers)) {
      static const std::regex range("([0-9]{1,6})(-([0-9]{1,6}))?");
      const std::string text = m[1];
      for (auto r = std::sregex_iterator(text.begin(), text.end(), range);
           r != std::sregex_iterator(); ++r) {
        const std::size_t first = std::stoul((*r)[1]);
        const std::size_t last = (*r)[3].matched ? std::stoul((*r)[3]) : first;
        for (std::size_t line = first; line <= last && line < first + most_lines; ++line)
          p.lines.push_back(line);
      }
    }
    // Words between semicolons that name no place belong to the place before them.
    if (!p.file.empty() && (names_file || !p.section.empty() || !p.lines.empty()))
      out.push_back(std::move(p));
  }
  return out;
}

std::vector<std::size_t> lines_kept(const text_lines& older, const text_lines& newer) {
  std::vector<std::size_t> kept(older.size(), 0);
  std::size_t first = 0, last_old = older.size(), last_new = newer.size();
  while (first < last_old && first < last_new && older[first] == newer[first])
    kept[first] = first + 1, ++first;
  while (last_old > first && last_new > first && older[last_old - 1] == newer[last_new - 1])
    kept[--last_old] = last_new--;
  const std::size_t rows = last_old - first, columns = last_new - first;
  if (rows == 0 || columns == 0 || rows > most_cells / columns) return kept;
  std::vector<std::uint32_t> common((rows + 1) * (columns + 1), 0);
  const auto at = [&](std::size_t r, std::size_t c) -> std::uint32_t& {
    return common[r * (columns + 1) + c];
  };
  for (std::size_t r = rows; r-- > 0;)
    for (std::size_t c = columns; c-- > 0;)
      at(r, c) = older[first + r] == newer[first + c] ? at(r + 1, c + 1) + 1
                                                      : std::max(at(r + 1, c), at(r, c + 1));
  for (std::size_t r = 0, c = 0; r < rows && c < columns;) {
    if (older[first + r] == newer[first + c])
      kept[first + r++] = first + ++c;
    else
      at(r + 1, c) >= at(r, c + 1) ? ++r : ++c;
  }
  return kept;
}

spec_difference spec_diff(const fs::path& older, const fs::path& newer,
                          const std::vector<Clause>& table) {
  for (const fs::path& root : {older, newer})
    if (find_page(root, "metadata.md").empty())
      throw spec_error(root.string() +
                       " is no checkout of the specification: docs/spec/metadata.md is missing");
  std::map<std::string, page_pair> pages;
  const auto page_of = [&](const std::string& name) -> page_pair* {
    if (const auto found = pages.find(name); found != pages.end()) return &found->second;
    const fs::path old_file = find_page(older, name), new_file = find_page(newer, name);
    if (old_file.empty()) return nullptr;
    page_pair page;
    page.older = read_lines(old_file);
    page.gone = new_file.empty();
    if (!page.gone) page.newer = read_lines(new_file);
    page.kept = lines_kept(page.older, page.newer);
    return &(pages[name] = std::move(page));
  };

  spec_difference out;
  std::size_t beyond = 0, looked_at = 0;
  std::set<std::string> unknown;
  for (const Clause& clause : table) {
    std::string changes;
    bool moved = false;
    for (const place& p : places_of(clause.source)) {
      page_pair* page = page_of(p.file);
      if (!page) {
        unknown.insert(p.file);
        continue;
      }
      std::vector<std::size_t> lines = p.lines;
      if (lines.empty() && !p.section.empty()) lines = section_lines(page->older, p.section);
      if (lines.empty())
        for (std::size_t i = 1; i <= page->older.size(); ++i) lines.push_back(i);
      std::set<std::size_t> shown;
      for (const std::size_t line : lines) {
        ++looked_at;
        if (line > page->older.size()) {
          ++beyond;
          continue;
        }
        if (const std::size_t now = page->kept[line - 1]) {
          moved = moved || now != line;
          continue;
        }
        changes +=
            fmt::format("  {}:{}{}\n    - {}\n", p.file, line,
                        page->gone ? " (the page is gone)" : "", shortened(page->older[line - 1]));
        for (const std::size_t fresh : replacement(*page, line)) {
          page->told.insert(fresh);
          if (shown.insert(fresh).second && shown.size() <= 8)
            changes += fmt::format("    + {}\n", shortened(page->newer[fresh - 1]));
        }
      }
    }
    if (!changes.empty()) {
      ++out.changed;
      out.text += fmt::format("{}  {}\n{}", clause.id, clause.paraphrase, changes);
    } else if (moved) {
      ++out.moved;
    }
  }
  if (beyond * 50 > looked_at)
    throw spec_error(fmt::format(
        "{} is not the revision that the clauses were taken from: {} of {} lines are not there",
        older.string(), beyond, looked_at));

  std::string fresh_text;
  for (const auto& [name, page] : pages) {
    std::set<std::size_t> old_lines(page.kept.begin(), page.kept.end());
    for (std::size_t line = 1; line <= page.newer.size(); ++line) {
      const auto is_fresh = [&](std::size_t at) {
        return at <= page.newer.size() && !old_lines.contains(at) && !page.told.contains(at);
      };
      if (!is_fresh(line)) continue;
      const std::size_t first = line;
      while (is_fresh(line + 1)) ++line;
      std::string words;
      for (std::size_t at = first; at <= line && words.empty(); ++at) words = page.newer[at - 1];
      if (words.empty()) continue;  // blank lines alone
      ++out.added;
      fresh_text += fmt::format("  {}:{}-{}  §{}: {}\n", name, first, line,
                                heading_above(page.newer, first), shortened(words));
    }
  }
  if (!fresh_text.empty())
    out.text += "\nnew lines that no clause of the table stands for:\n" + fresh_text;
  for (const std::string& name : unknown)
    out.text += fmt::format("not looked at, as OLD has no such page: {}\n", name);
  out.text +=
      fmt::format("{} clauses changed, {} only moved, {} places with new lines, of {} clauses\n",
                  out.changed, out.moved, out.added, table.size());
  return out;
}

}  // namespace plumbline::program
