// The canary: whether this translation unit, and the thread it runs on, do IEEE arithmetic as the
// scalar contracts need it. Inline, so that it is compiled with the flags of whoever asks.
#pragma once

#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "error_free.h"

namespace plumbline {

// Empty where all is well. The names are stable: contraction, excess precision, rounding mode,
// flush to zero, denormals are zero, reassociation, no infinities, fma.
inline std::vector<std::string_view> environment_faults() {
  std::vector<std::string_view> faults;
  const auto expect = [&](bool holds, std::string_view fault) {
    if (!holds) faults.push_back(fault);
  };
  // Volatile operands: a compiler must not do the arithmetic itself.
  const auto at_run_time = [](double x) {
    volatile double v = x;
    return static_cast<double>(v);
  };
  const double one = at_run_time(1.0), u = at_run_time(0x1p-53);

  // (1 + 2^-30)^2 - (1 + 2^-29) is 2^-60, but 0 when the product is rounded first. Then the use
  // that matters: Dekker's product of 1 + 2^-30 and 1 + 2^-31 is exact with an error of 2^-61.
  const double a = at_run_time(1.0 + 0x1p-30);
  const double b = at_run_time(1.0 + 0x1p-29), c = at_run_time(1.0 + 0x1p-31);
  const double difference = a * a - b;
  const rounded product = two_product_dekker(a, c);
  expect(difference == 0 && product.result + product.error == product.result &&
             product.error == 0x1p-61,
         "contraction");
  expect((one + u) - one == 0, "excess precision");

  // 1 + u is a tie and goes to the even 1, in each direction; 1 + 3u goes to the even 1 + 4u.
  const double up = one + u, down = -one - u, odd = one + 3 * u;
  expect(up == 1.0 && down == -1.0 && odd == 1.0 + 0x1p-51, "rounding mode");

  const double least_normal = at_run_time(std::numeric_limits<double>::min());
  const double eta = at_run_time(smallest_double);
  volatile double half = least_normal * at_run_time(0.5);
  volatile double grown = eta * at_run_time(0x1p60);
  expect(half + half == least_normal && half != 0, "flush to zero");
  expect(grown == 0x1p-1014, "denormals are zero");
  volatile float half_float = std::numeric_limits<float>::min();
  half_float = half_float * 0.5f;
  expect(half_float != 0.0f, "flush to zero");

  // -ffast-math cancels s - a against a, and takes the error of a sum for zero.
  const rounded sum = two_sum(one, at_run_time(0x1p-60));
  expect(sum.result == 1.0 && sum.error == 0x1p-60, "reassociation");

  const double zero = at_run_time(0.0);
  volatile double not_a_number = zero / zero;
  volatile double infinite = one / zero;
  expect(not_a_number != not_a_number && infinite > std::numeric_limits<double>::max(),
         "no infinities");

  // A fused multiply-add that rounds twice would lose the error of the product.
  expect(std::fma(a, a, -b) == 0x1p-60, "fma");
  return faults;
}

}  // namespace plumbline
