// bfloat16 elements as vectors of float, for one of Highway's targets at a time.
#if defined(PLUMBLINE_KERNELS_SIMD_BF16_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMBLINE_KERNELS_SIMD_BF16_INL_H
#undef PLUMBLINE_KERNELS_SIMD_BF16_INL_H
#else
#define PLUMBLINE_KERNELS_SIMD_BF16_INL_H
#endif

#include "hwy/highway.h"
#include "reference/scalar/bf16.h"

#if HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace plumbline::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using floats = hn::ScalableTag<float>;
using words = hn::Repartition<std::uint32_t, floats>;
using halves = hn::Rebind<std::uint16_t, words>;
inline constexpr std::size_t float_width = hn::MaxLanes(floats{});

HWY_INLINE hn::Vec<floats> load_wide(const bf16* x) {
  const auto narrow_bits = hn::LoadU(halves{}, &x->bits);
  return hn::BitCast(floats{}, hn::ShiftLeft<16>(hn::PromoteTo(words{}, narrow_bits)));
}
// Integer rounding, as bf16::nearest: subnormals and the payloads of NaN stay.
HWY_INLINE void store_narrow(hn::Vec<floats> value, bf16* z) {
  const words u;
  const auto b = hn::BitCast(u, value);
  const auto odd = hn::And(hn::ShiftRight<16>(b), hn::Set(u, 1));
  const auto rounded_up = hn::ShiftRight<16>(hn::Add(b, hn::Add(odd, hn::Set(u, 0x7fff))));
  const auto quiet = hn::Or(hn::ShiftRight<16>(b), hn::Set(u, 0x40));
  const auto is_nan = hn::RebindMask(u, hn::IsNaN(value));
  const auto narrowed = hn::IfThenElse(is_nan, quiet, rounded_up);
  // The upper halves are zero, so saturation of a positive int32 changes nothing.
  hn::StoreU(hn::DemoteTo(halves{}, hn::BitCast(hn::RebindToSigned<words>(), narrowed)), halves{},
             &z->bits);
}

}  // namespace plumbline::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
#endif
