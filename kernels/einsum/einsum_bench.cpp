// einsum against the peers (qd_bench.cpp, openblas_bench.cpp) and against its own 512^3.
#include "kernels/einsum/einsum.h"

#include "kernels/bench_operands.h"

using namespace plumbline;

namespace {

void df64_einsum(benchmark::State& state, const char* text, std::vector<shape_type> shapes,
                 unsigned threads, double products) {
  const auto pattern = parse_einsum_pattern(text).value();
  std::vector<tensor<df64>> operands;
  for (const shape_type& shape : shapes) operands.push_back(bench::df64_tensor(shape));
  kernels::workspace work{.threads = threads};
  for (auto _ : state) benchmark::DoNotOptimize(kernels::einsum(pattern, operands, work));
  bench::per_second(state, "G_multiply_adds", products);
}
constexpr double cube = 512.0 * 512 * 512;
#define DF64(name, ...) \
  BENCHMARK_CAPTURE(df64_einsum, name, __VA_ARGS__)->Unit(benchmark::kMillisecond);
DF64(512_cubed, "ik,kj->ij", {{512, 512}, {512, 512}}, 1, cube)
DF64(512_cubed_transposed, "ki,jk->ji", {{512, 512}, {512, 512}}, 1, cube)
DF64(batch_of_8x8, "bik,bkj->bij", {{256, 8, 1024}, {256, 1024, 8}}, 1, cube / 8)
DF64(batch_of_8x64x8, "bik,bkj->bij", {{2048, 8, 64}, {2048, 64, 8}}, 1, 2048.0 * 64 * 64)
DF64(diagonal, "iij,jk->ik", {{64, 64, 512}, {512, 512}}, 1, 64.0 * 512 * 512)
DF64(chain_of_three, "ik,kl,lj->ij", {{256, 256}, {256, 256}, {256, 256}}, 1, 2.0 * 256 * 256 * 256)
DF64(rank_4_permuted, "abcd,cedf->afbe", {{16, 16, 16, 16}, {16, 16, 16, 16}}, 1, 256.0 * 256 * 256)
DF64(batch_of_64_outer, "ib,jb->bij", {{64, 512}, {64, 512}}, 1, 64.0 * 64 * 512)
DF64(matrix_times_vector, "ij,j->i", {{2048, 1024}, {1024}}, 1, 2048.0 * 1024)
DF64(vector_times_matrix, "i,ij->j", {{1024}, {1024, 2048}}, 1, 2048.0 * 1024)
DF64(row_wise_dot, "bi,bi->b", {{2048, 1024}, {2048, 1024}}, 1, 2048.0 * 1024)
DF64(outer_product, "i,j->ij", {{2048}, {2048}}, 1, 2048.0 * 2048)
#define ON_THREADS(name, threads)                                                              \
  BENCHMARK_CAPTURE(df64_einsum, name, "ik,kj->ij", {{512, 512}, {512, 512}}, threads, cube) \
      ->Unit(benchmark::kMillisecond)                                                          \
      ->UseRealTime();
ON_THREADS(512_cubed_one_thread, 1)
ON_THREADS(512_cubed_two_threads, 2)

void df64_einsum_into(benchmark::State& state) {
  const auto pattern = parse_einsum_pattern("i,j->ij").value();
  const std::vector operands{bench::df64_tensor({2048}), bench::df64_tensor({2048})};
  const std::vector<kernels::tensor_view<df64>> views(operands.begin(), operands.end());
  std::vector<df64> z(2048 * 2048);
  kernels::workspace work;
  for (auto _ : state) {
    benchmark::DoNotOptimize(kernels::einsum_into(pattern, views, std::span(z), work));
    benchmark::ClobberMemory();
  }
  bench::per_second(state, "G_multiply_adds", 2048.0 * 2048);
}
BENCHMARK(df64_einsum_into)->Name("df64_einsum/outer_product_into")->Unit(benchmark::kMillisecond);

void bf16_einsum(benchmark::State& state) {
  const auto pattern = parse_einsum_pattern("ik,kj->ij").value();
  const std::vector operands{bench::bf16_tensor({1024, 1024}), bench::bf16_tensor({1024, 1024})};
  kernels::workspace work;
  for (auto _ : state) benchmark::DoNotOptimize(kernels::einsum(pattern, operands, work));
  bench::per_second(state, "G_operations", 2.0 * 1024 * 1024 * 1024);
}
BENCHMARK(bf16_einsum)->Unit(benchmark::kMillisecond);

}  // namespace
