#include "application.h"

#include "../../runtime/contributions.h"
#include "../../runtime/elementwise_operations.h"
#include "../../runtime/qr_operations.h"
#include "../../runtime/standard_operations.h"

namespace plumbline {

namespace {

template <scalar T>
outcome<factor_values> factors_of(program& p, value v) {
  const auto factors = p.apply(std::make_shared<const qr_operation<T>>(), {v});
  if (!factors) return std::unexpected(factors.error());
  return factor_values{(*factors)[0], (*factors)[1]};
}

}  // namespace

outcome<erased_tensor> add_in_application_set(const erased_tensor& x, const erased_tensor& y) {
  return elementwise_in<application_set, add_op>(x, y);
}
outcome<erased_tensor> add_in_extended_set(const erased_tensor& x, const erased_tensor& y) {
  return elementwise_in<extended_set, add_op>(x, y);
}
outcome<erased_tensor> fold_in_application_set(const erased_tensor& first, const erased_tensor& x) {
  return fold_in<application_set, add_op>(first, x);
}
outcome<erased_tensor> fold_in_extended_set(const erased_tensor& first, const erased_tensor& x) {
  return fold_in<extended_set, add_op>(first, x);
}

outcome<void> bind_standard(support& s) {
  provide_standard_operations(s);
  s.provide<qr_operation<double>, qr_vjp_operation<double>, qr_jvp_operation<double>>();
  s.rules().bind<qr_operation<double>>();
  return {};
}

outcome<void> bind_contribution(support& s) {
  provide_standard_operations(s);
  return contribute_df64(s);
}

outcome<factor_values> standard_binding::qr(program& p, value v) {
  return factors_of<double>(p, v);
}
outcome<value> standard_binding::to_f64(program&, value v) { return v; }
outcome<factor_values> contribution_binding::qr(program& p, value v) {
  return factors_of<df64>(p, v);
}
outcome<value> contribution_binding::to_f64(program& p, value v) {
  return p.emit<conversion<df64, double>>({v});
}

}  // namespace plumbline
