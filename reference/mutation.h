// Deliberate faults, for the proof that the conformance suite can fail (./dev mutants). Only a build
// with PLUMBLINE_MUTANTS can have one, for the whole process; in every other build the functions here
// are constants and vanish.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#ifdef PLUMBLINE_MUTANTS
#include <cmath>
#include <limits>
#include <type_traits>
#endif

namespace plumbline {

#ifdef PLUMBLINE_MUTANTS

// "off:SHP-02" (the clause is not checked), "moved:SHP-02+1" (a limit is moved: +1, -1, *2 or /2),
// "strict:..." (what is right is refused), "wrong:..." (a wrong value is answered).
void set_mutant(std::string name);
// Whether the fault of this name is the one that was set.
bool mutant(std::string_view kind, std::string_view name);

enum class Move { none, up, down, twice, half };
Move move_of(std::string_view limit);
Move move_of(std::string_view limit, std::string_view part);

template <class T>
T moved(Move move, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    return move == Move::none ? value : std::nextafter(value, move == Move::up ? infinity : -infinity);
  } else {
    T up = static_cast<T>(value + 1), down = static_cast<T>(value - 1);
    switch (move) {
      case Move::none: break;
      case Move::up: return up > value ? up : value;
      case Move::down: return down < value ? down : value;
      case Move::twice: return static_cast<T>(value * 2);
      case Move::half: return static_cast<T>(value / 2);
    }
    return value;
  }
}

// A limit of the clause `name` (or one of several: "STA-07.low"), as a rule compares with it.
template <class T>
T limit(std::string_view name, T value) {
  return moved(move_of(name), value);
}
// The limit of one of several parts: "CSR-05.2" for buffer 2, "QPC-09.most".
template <class T>
T limit(std::string_view name, std::size_t part, T value) {
  return moved(move_of(name, std::to_string(part)), value);
}
template <class T>
T limit(std::string_view name, std::string_view part, T value) {
  return moved(move_of(name, part), value);
}

#else

constexpr bool mutant(std::string_view, std::string_view) { return false; }
template <class T>
constexpr T limit(std::string_view, T value) {
  return value;
}
template <class T>
constexpr T limit(std::string_view, std::size_t, T value) {
  return value;
}
template <class T>
constexpr T limit(std::string_view, std::string_view, T value) {
  return value;
}

#endif

}  // namespace plumbline
