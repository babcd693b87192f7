// What the benchmarks share.
#pragma once

#include <benchmark/benchmark.h>

#include <vector>

#include "reference/algorithms/tensor.h"
#include "reference/scalar/test_operands.h"

namespace plumbline::bench {

inline tensor<df64> df64_tensor(const shape_type& shape) {
  plumbline::test::operand_stream stream(1);
  tensor<df64> x(shape);
  for (df64& v : x.values) v = stream.near_one();
  return x;
}
inline tensor<bf16> bf16_tensor(const shape_type& shape) {
  plumbline::test::operand_stream stream(2);
  tensor<bf16> x(shape);
  for (bf16& v : x.values) v = bf16(static_cast<float>(stream.near_one().hi));
  return x;
}

// Figures count in 10^9 a second of CPU time: multiply-adds, floating-point operations, bytes.
inline void per_second(benchmark::State& state, const char* unit, double each) {
  state.counters[unit] =
      benchmark::Counter(each * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace plumbline::bench
