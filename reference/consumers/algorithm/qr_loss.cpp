#include "qr_loss.h"

#include "../../runtime/standard_operations.h"

namespace plumbline {

outcome<value> sum_of_squares(program& p, value r) {
  const auto squares = p.emit<standard_multiply>({r, r});
  if (!squares) return squares;
  return p.emit<standard_total>({*squares});
}

outcome<loss_and_gradient> evaluate(const session& s, const program& p, value loss, value input,
                                    const erased_tensor& a) {
  const auto backward = s.reverse(p, loss, {input});
  if (!backward) return std::unexpected(backward.error());
  const std::optional<value> gradient = backward->gradients[0];
  if (!gradient) {
    return fail(runtime_error_kind::inactive_input, "the loss does not depend on the input");
  }
  const auto seed = standard_ones(*p.type(loss).element, p.type(loss).shape);
  if (!seed) return std::unexpected(seed.error());
  const auto results = s.run(backward->steps, {a, *seed}, {loss, *gradient});
  if (!results) return std::unexpected(results.error());
  return loss_and_gradient{(*results)[0], (*results)[1]};
}

static_assert(qr_loss_capabilities<any_qr_loss_capabilities>);
template outcome<loss_and_gradient> qr_loss(any_qr_loss_capabilities& bound, const session& s,
                                            const erased_tensor& a);

}  // namespace plumbline
