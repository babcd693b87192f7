#include "kept_errors.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "hard_cases.h"

namespace plumbline::oracle {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  std::string cell;
  std::getline(in, cell, '|');  // before the first
  while (std::getline(in, cell, '|')) {
    if (cell.size() < 2) throw std::runtime_error("no table of errors: " + line);
    cells.push_back(cell.substr(1, cell.size() - 2));
  }
  return cells;
}

}  // namespace

std::string kept_table(const std::filesystem::path& file, std::string_view heading) {
  std::ifstream in(file);
  std::string line, table;
  bool inside = false;
  while (std::getline(in, line)) {
    if (line.starts_with("#")) inside = line == heading;
    if (inside && line.starts_with("|")) table += line + "\n";
  }
  return table;
}

std::vector<kept_row> read_rows(const std::string& table) {
  std::vector<kept_row> rows;
  std::istringstream in(table);
  std::string line;
  std::getline(in, line);
  std::getline(in, line);  // heading and rule
  while (std::getline(in, line)) {
    const auto cells = cells_of(line);
    if (cells.size() != 11) throw std::runtime_error("no row of errors: " + line);
    const auto op = parse_operation(cells[0]);
    // The operands as a hard case has them.
    const auto worst = read_hard_case("df64." + cells[0] + " " + cells[10]);
    if (!op || !worst) throw std::runtime_error("no row of errors: " + line);
    rows.push_back({*op, cells[1], std::stod(cells[2]), std::stod(cells[3]), std::stod(cells[4]),
                    std::stod(cells[5]), std::stoull(cells[6]), worst->x, worst->y});
  }
  return rows;
}

}  // namespace plumbline::oracle
