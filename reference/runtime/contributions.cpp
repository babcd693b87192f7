#include "contributions.h"

#include "einsum_operations.h"
#include "elementwise_operations.h"
#include "external_scalars.h"
#include "qr_operations.h"

namespace plumbline {

outcome<void> contribute_df64(support& s) {
  if (auto declared = s.declare(type_of<df64>(), "plumbline.df64.v1"); !declared) return declared;
  s.provide<addition<df64>, elementwise<df64, subtract_op>, elementwise<df64, multiply_op>,
            total_operation<df64>, expansion<df64>, qr_operation<df64>, qr_vjp_operation<df64>,
            qr_jvp_operation<df64>, einsum_operation<df64>, einsum_vjp_operation<df64>,
            einsum_jvp_operation<df64>, conversion<df64, double>, conversion<double, df64>>();
  s.rules().bind<addition<df64>>();
  s.rules().bind<total_operation<df64>>();
  s.rules().bind<qr_operation<df64>>();
  s.rules().bind<einsum_operation<df64>>();
  s.rules().bind<conversion<df64, double>>();
  s.rules().bind<conversion<double, df64>>();
  s.rules().bind_addition(type_of<df64>(), std::make_shared<const addition<df64>>());
  return {};
}

outcome<void> contribute_bf16(support& s) {
  if (auto declared = s.declare(type_of<bf16>(), "plumbline.bf16.v1"); !declared) return declared;
  s.provide<addition<bf16>, elementwise<bf16, subtract_op>, elementwise<bf16, multiply_op>,
            einsum_forward<bf16>, conversion<bf16, float>, conversion<float, bf16>>();
  return {};
}

}  // namespace plumbline
