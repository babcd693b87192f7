// The reduced QR factorisation of df64 matrices and its derivatives, with the very bits of
// reference/algorithms/qr.h and qr_derivatives.h on every target. Refuses what the reference
// refuses, with the same kinds, and (invalid_argument) what needs more scratch than allowed.
//
// A column depends on all before it, so one thread works; a second one would have to wait.
#pragma once

#include "kernels/workspace.h"
#include "reference/algorithms/qr_derivatives.h"

namespace plumbline::kernels {

result<qr_factors<df64>> qr(const tensor<df64>& a, workspace& work);

result<std::optional<qr_factors<df64>>> qr_jvp(const qr_factors<df64>& factors,
                                               const std::optional<tensor<df64>>& tangent,
                                               workspace& work);
result<std::optional<tensor<df64>>> qr_vjp(const qr_factors<df64>& factors,
                                           const qr_cotangents<df64>& cotangents, workspace& work);

}  // namespace plumbline::kernels
