#include "kernels/simd/select.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/canary.cpp"
#include "hwy/foreach_target.h"
#include "kernels/simd/df64-inl.h"

#include "kernels/simd/canary.h"
#include "kernels/simd/targets.h"
#include "reference/scalar/environment.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace plumbline::kernels::HWY_NAMESPACE {
namespace {

double first(vec x) { return hn::GetLane(x); }

std::vector<std::string_view> table() {
  // Volatile: a compiler must not do the arithmetic itself.
  const auto at_run_time = [](double x) {
    volatile double v = x;
    return static_cast<double>(v);
  };
  std::vector<std::string_view> faults;
  const vec a = all(at_run_time(1.0 + 0x1p-30)), b = all(at_run_time(1.0 + 0x1p-29));
  // As in environment.h: 2^-60 where the product is not rounded first.
  if (first(hn::Sub(hn::Mul(a, a), b)) != 0) faults.push_back("contraction");
  if (first(hn::MulSub(a, a, b)) != 0x1p-60) faults.push_back("fma");
  const vec half = hn::Mul(all(at_run_time(0x1p-1022)), all(at_run_time(0.5)));
  if (first(hn::Add(half, half)) != 0x1p-1022) faults.push_back("flush to zero");
  const vec one = all(at_run_time(1.0)), u = all(at_run_time(0x1p-53));
  if (first(hn::Add(one, u)) != 1.0 || first(hn::Add(one, hn::Mul(all(3.0), u))) != 1.0 + 0x1p-51) {
    faults.push_back("rounding mode");
  }
  const vec_pair s = two_sum(one, all(at_run_time(0x1p-60)));
  if (first(s.lo) != 0x1p-60) faults.push_back("reassociation");
  return faults;
}

}  // namespace
}  // namespace plumbline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace plumbline::kernels {
namespace {
using canary = std::vector<std::string_view> (*)();
canary chosen() { PLUMBLINE_SELECT_TABLE(environment_faults) }
}  // namespace

std::vector<std::string_view> kernel_faults() { return chosen()(); }

}  // namespace plumbline::kernels
#endif
