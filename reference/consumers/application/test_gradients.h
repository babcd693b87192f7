// What the tests of the configurations share: the column (3, 4) and its gradient (6, 8).
#pragma once

#include "reference/consumers/application/application.h"
#include "reference/runtime/test_runtime.h"

namespace plumbline::test {

inline erased_tensor standard_input() { return of<double>({2, 1}, {3, 4}); }
inline erased_tensor extended_input() { return extended({2, 1}, {3, 4}); }

inline void check_standard_gradient(const outcome<loss_and_gradient>& done) {
  REQUIRE(done);
  CHECK(*done->loss.at<double>({}) == Approx(25).epsilon(1e-14));
  const auto g = elements<double>(done->gradient);
  CHECK(std::abs(g[0] - 6) < 1e-12);
  CHECK(std::abs(g[1] - 8) < 1e-12);
}
inline void check_extended_gradient(const outcome<loss_and_gradient>& done) {
  REQUIRE(done);
  CHECK(*done->loss.at<double>({}) == 25);
  const auto g = elements<df64>(done->gradient);
  CHECK(std::abs((g[0] - 6.0).hi) < 1e-30);
  CHECK(std::abs((g[1] - 8.0).hi) < 1e-30);
}

}  // namespace plumbline::test
