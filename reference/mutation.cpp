#include "mutation.h"

#include <utility>

namespace plumbline {

namespace {

std::string active;         // the whole name
std::string active_limit;   // of a moved limit: "CSR-05.2"
Move active_move = Move::none;

}  // namespace

void set_mutant(std::string name) {
  active = std::move(name);
  constexpr std::string_view kind = "moved:";
  if (!active.starts_with(kind)) return;
  static constexpr std::pair<std::string_view, Move> moves[] = {
      {"+1", Move::up}, {"-1", Move::down}, {"*2", Move::twice}, {"/2", Move::half}};
  for (auto [ending, move] : moves)
    if (active.ends_with(ending)) {
      active_limit = active.substr(kind.size(), active.size() - kind.size() - ending.size());
      active_move = move;
    }
}

bool mutant(std::string_view kind, std::string_view name) {
  return active.size() == kind.size() + name.size() && active.starts_with(kind) &&
         active.ends_with(name);
}

Move move_of(std::string_view limit) { return limit == active_limit ? active_move : Move::none; }

Move move_of(std::string_view limit, std::string_view part) {
  bool is_it = std::string(limit) + "." + std::string(part) == active_limit;
  return is_it ? active_move : Move::none;
}

}  // namespace plumbline
