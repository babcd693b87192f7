// A peer: oneDNN's matmul on the same bfloat16 operands, with a bfloat16 result as einsum's. One
// thread. Its bf16 needs AVX-512.
#include <dnnl.hpp>

#include "kernels/bench_operands.h"

namespace {

void onednn_matmul(benchmark::State& state) {
  constexpr dnnl::memory::dim n = 1024;
  try {
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    dnnl::stream stream(engine);
    const dnnl::memory::desc square({n, n}, dnnl::memory::data_type::bf16,
                                    dnnl::memory::format_tag::ab);
    const dnnl::matmul::primitive_desc description({square, square, square}, engine);
    const dnnl::matmul product(description);
    auto operand = plumbline::bench::bf16_tensor({n, n});
    std::vector<plumbline::bf16> result(n * n);
    dnnl::memory a(square, engine, operand.values.data()), c(square, engine, result.data());
    for (auto _ : state) {
      product.execute(stream, {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, a}, {DNNL_ARG_DST, c}});
      stream.wait();
    }
  } catch (const dnnl::error& error) {
    state.SkipWithError("oneDNN has no bf16 product for this machine");
    return;
  }
  plumbline::bench::per_second(state, "G_operations", 2.0 * n * n * n);
}
BENCHMARK(onednn_matmul)->Unit(benchmark::kMillisecond);

}  // namespace
