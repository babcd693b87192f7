#include "scalar_set.h"

#include <algorithm>

namespace plumbline {

outcome<const element_type*> promote(std::span<const element_type* const> members,
                                     const element_type& a, const element_type& b) {
  using enum runtime_error_kind;
  for (const element_type* t : {&a, &b}) {
    if (std::ranges::find(members, t) == members.end()) {
      return fail(undeclared_scalar, std::string(t->name) + " is no member of the set");
    }
  }
  if (a == b) return &a;
  if (a.is_external() || b.is_external()) {
    const auto [first, second] = std::minmax(a.name, b.name);
    return fail(no_promotion, "no promotion joins " + std::string(first) + " and " +
                                  std::string(second) + ": convert one explicitly");
  }
  const element_type *low = &a, *high = &b;
  if (low->kind > high->kind || (low->kind == high->kind && low->size > high->size)) {
    std::swap(low, high);
  }
  if (low->kind != scalar_kind::integer || high->kind != scalar_kind::floating) return high;
  for (const element_type* t : members) {
    if (t->kind == scalar_kind::floating && t->size > high->size) high = t;
  }
  return high;
}

}  // namespace plumbline
