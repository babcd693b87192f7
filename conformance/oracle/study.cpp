#include "study.h"

#include <cstdio>

#include "edge_operands.h"
#include "operands.h"

namespace plumbline::oracle {
namespace {

constexpr std::size_t reported_faults = 5;

std::string describe(operation op, pair x, pair y, pair z, const std::string& why) {
  return "df64." + std::string(to_string(op)) + " " + to_hex(x) + " " + to_hex(y) + " gave " +
         to_hex(z) + ": " + why;
}

// Judges one application and returns its error, 0 where there is none to speak of.
double judge_once(study_result& result, pair x, pair y, const df64_function& implementation) {
  const pair z = implementation(result.op, x, y);
  const verdict v = judge(result.op, result.bound, x, y, z);
  ++result.judged;
  result.top += v.where == region::top;
  result.beyond += v.where == region::beyond;
  result.bottom += v.where == region::bottom;
  if (!v.within && result.faults.size() < reported_faults) {
    result.faults.push_back(describe(result.op, x, y, z, v.fault));
  }
  return v.error.value_or(0);
}

}  // namespace

study_result study(operation op, error_bound bound, std::size_t operands, std::uint64_t seed,
                   const df64_function& implementation, const std::vector<hard_case>& kept) {
  study_result result;
  result.op = op;
  result.bound = bound;
  operand_source source(seed);
  edge_source edges(source);
  const bool sum = op == operation::add || op == operation::sub || op == operation::add_double ||
                   op == operation::sub_double;
  const auto usable = [&](pair x) {
    return op == operation::sqrt && x.hi < 0 ? pair{-x.hi, -x.lo} : x;
  };

  constexpr std::size_t climbs = 20;
  for (std::size_t climb = 0; climb < climbs; ++climb) {
    const std::size_t share = operands / climbs;
    double worst = 0;
    pair worst_x{1, 0}, worst_y{1, 0};
    for (std::size_t i = 0; i < share; ++i) {
      pair x, y;
      if (i < share / 4) {
        x = source.near_power(source.between(0, 1));
        y = sum ? source.summand(x) : source.near_power(0);
      } else if (i < share / 2 && i % 2 == 0) {
        const auto at_edge = i % 4 == 0 ? edges.near_top(op) : edges.near_bottom(op);
        x = at_edge.x;
        y = at_edge.y;
      } else if (i < share / 2) {
        x = source.anywhere();
        y = sum && source.one_in(2) && x.hi != 0 ? source.summand(x) : source.anywhere();
      } else {
        x = source.one_in(3) ? worst_x : source.mutated(worst_x);
        y = source.one_in(3) ? worst_y : source.mutated(worst_y);
      }
      x = usable(x);
      const double error = judge_once(result, x, y, implementation);
      if (error >= worst) {
        worst = error;
        worst_x = x;
        worst_y = y;
      }
    }
    if (worst >= result.largest_generated) {
      result.largest_generated = worst;
      result.x = worst_x;
      result.y = worst_y;
    }
  }

  for (const hard_case& c : kept) {
    if (c.op != op) continue;
    const double error = judge_once(result, c.x, c.y, implementation);
    if (error > result.largest_kept) result.largest_kept = error;
  }
  return result;
}

std::string table(const std::vector<study_result>& results) {
  std::string text =
      "| operation | of | proven | largest error | at least | kept cases | operands | near the top "
      "| "
      "beyond | subnormal | worst operands |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const study_result& r : results) {
    char figures[200];
    std::snprintf(figures, sizeof figures, "%.3f | %.4f | %.2f | %.4f | %zu | %zu | %zu | %zu",
                  r.bound.relative, r.largest_generated, r.floor, r.largest_kept, r.judged, r.top,
                  r.beyond, r.bottom);
    text += "| " + std::string(to_string(r.op)) + " | " + std::string(r.bound.source) + " | " +
            figures + " | " + to_hex(r.x) + (r.op == operation::sqrt ? "" : " " + to_hex(r.y)) +
            " |\n";
  }
  return text;
}

}  // namespace plumbline::oracle
