// The sum of the squares of R, with A = Q R, and its gradient with respect to A.
#pragma once

#include "../../runtime/session.h"
#include "capabilities.h"

namespace plumbline {

struct loss_and_gradient {
  erased_tensor loss, gradient;
};

// The loss of the factor that `r` holds.
outcome<value> sum_of_squares(program& p, value r);

// Runs the program for `a` and its gradient. inactive_input where the loss does not depend on the
// input: that is an error, and no zero.
outcome<loss_and_gradient> evaluate(const session& s, const program& p, value loss, value input,
                                    const erased_tensor& a);

template <qr_loss_capabilities B>
outcome<loss_and_gradient> qr_loss(B& bound, const session& s, const erased_tensor& a) {
  program p;
  const value input = p.input(a.type(), a.shape());
  const auto factors = bound.qr(p, input);
  if (!factors) return std::unexpected(factors.error());
  const auto r = bound.to_f64(p, factors->r);
  if (!r) return std::unexpected(r.error());
  const auto loss = sum_of_squares(p, *r);
  if (!loss) return std::unexpected(loss.error());
  return evaluate(s, p, *loss, input, a);
}

}  // namespace plumbline
