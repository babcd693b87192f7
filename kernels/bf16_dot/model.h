// The bf16 dot instruction in software, bit for bit (bf16_dot.h).
#pragma once

#include <cmath>
#include <cstdint>

#include "reference/scalar/bf16.h"

namespace plumbline::kernels {

inline float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }

// The first (0) or second (1) element of a pair.
inline float element_of_pair(std::uint32_t pair, int i) {
  return float(bf16::from_bits(static_cast<std::uint16_t>(i == 0 ? pair : pair >> 16)));
}

inline float dot_model(float sum, std::uint32_t x, std::uint32_t y) {
  const auto add = [=](float s, int i) {
    return flushed(
        std::fma(flushed(element_of_pair(x, i)), flushed(element_of_pair(y, i)), flushed(s)));
  };
  return add(add(sum, 1), 0);
}

}  // namespace plumbline::kernels
