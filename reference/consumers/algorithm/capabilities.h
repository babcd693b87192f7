// What this algorithm needs of whoever binds it, and all that it needs:
//   qr       the factors of a value, R with a positive diagonal
//   to_f64   the value in the type that the loss is taken in
// Both append to a program; which scalar flows through it, and who factors it, is not said here.
#pragma once

#include <concepts>

#include "../../runtime/program.h"

namespace plumbline {

struct factor_values {
  value q, r;
};

template <class B>
concept qr_loss_capabilities = requires(B& bound, program& p, value v) {
  { bound.qr(p, v) } -> std::same_as<outcome<factor_values>>;
  { bound.to_f64(p, v) } -> std::same_as<outcome<value>>;
};

// The same, behind an interface, for callers that choose at run time.
class any_qr_loss_capabilities {
 public:
  virtual ~any_qr_loss_capabilities() = default;
  virtual outcome<factor_values> qr(program& p, value v) = 0;
  virtual outcome<value> to_f64(program& p, value v) = 0;
};

}  // namespace plumbline
