// An application: it names the scalars and who provides what, and binds the algorithm, which knows
// neither.
#pragma once

#include "../../runtime/external_scalars.h"
#include "../../runtime/scalar_set.h"
#include "../algorithm/qr_loss.h"

namespace plumbline {

// Two sets that contain the contribution. Structs of their own, so that a kernel which named one
// would show it.
struct application_set : scalar_set<float, double, df64> {};
struct extended_set : scalar_set<double, df64> {};

// x + y in either set, and the fold of x from zero: the same kernels, whichever set selects them.
outcome<erased_tensor> add_in_application_set(const erased_tensor& x, const erased_tensor& y);
outcome<erased_tensor> add_in_extended_set(const erased_tensor& x, const erased_tensor& y);
outcome<erased_tensor> fold_in_application_set(const erased_tensor& first, const erased_tensor& x);
outcome<erased_tensor> fold_in_extended_set(const erased_tensor& first, const erased_tensor& x);

// What a session is opened with: the ordinary operations, which the loss needs in any case, and the
// factorisation of f64, of df64, or of both.
outcome<void> bind_standard(support& s);
outcome<void> bind_contribution(support& s);

// The algorithm's capabilities, of f64 and of df64.
class standard_binding {
 public:
  outcome<factor_values> qr(program& p, value v);
  outcome<value> to_f64(program& p, value v);  // as it is
};
class contribution_binding {
 public:
  outcome<factor_values> qr(program& p, value v);
  outcome<value> to_f64(program& p, value v);  // narrowed
};

}  // namespace plumbline
