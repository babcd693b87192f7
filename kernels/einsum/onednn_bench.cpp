// A peer: oneDNN's matmul on the same bfloat16 operands, with a bfloat16 result as einsum's. One
// thread. Its bf16 needs AVX-512; elsewhere it is left out.
#include <cstdio>
#include <dnnl.hpp>

#include "kernels/bench_operands.h"

namespace {

constexpr dnnl::memory::dim n = 1024;

const dnnl::memory::desc& square() {
  static const dnnl::memory::desc d({n, n}, dnnl::memory::data_type::bf16,
                                    dnnl::memory::format_tag::ab);
  return d;
}
dnnl::matmul::primitive_desc description(const dnnl::engine& engine) {
  return dnnl::matmul::primitive_desc({square(), square(), square()}, engine);
}

void onednn_matmul(benchmark::State& state) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const dnnl::matmul product(description(engine));
  auto operand = plumbline::bench::bf16_tensor({n, n});
  std::vector<plumbline::bf16> result(n * n);
  dnnl::memory a(square(), engine, operand.values.data()), c(square(), engine, result.data());
  for (auto _ : state) {
    product.execute(stream, {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, a}, {DNNL_ARG_DST, c}});
    stream.wait();
  }
  plumbline::bench::per_second(state, "G_operations", 2.0 * n * n * n);
}

[[maybe_unused]] const bool registered = [] {
  try {
    description(dnnl::engine(dnnl::engine::kind::cpu, 0));
  } catch (const dnnl::error&) {
    std::fprintf(stderr, "oneDNN has no bf16 product for this machine: left out\n");
    return false;
  }
  benchmark::RegisterBenchmark("onednn_matmul", onednn_matmul)->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
