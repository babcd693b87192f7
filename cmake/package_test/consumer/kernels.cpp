// The README's contraction and factorisation; fails unless the kernels return the reference's bits.
#include <cstdio>

#include "kernels/einsum/einsum.h"
#include "kernels/qr/qr.h"
#include "reference/algorithms/einsum.h"
#include "reference/algorithms/qr.h"

using namespace plumbline;

int main() {
  const std::vector<tensor<df64>> operands = {tensor<df64>({2, 2}, {1, 2, 3, 4}), tensor<df64>({2, 2}, {5, 6, 7, 8})};
  kernels::workspace work{.threads = 2};
  const auto product = kernels::einsum(parse_einsum_pattern("ik,kj->ij").value(), operands, work);
  const auto factors = product ? kernels::qr(*product, work) : std::unexpected(product.error());
  if (!factors) {
    std::puts(factors.error().text.c_str());
    return 1;
  }
  const auto expected = qr(einsum(parse_einsum_pattern("ik,kj->ij").value(), operands).value()).value();
  for (std::size_t i = 0; i < expected.q.values.size(); ++i) {
    if (factors->q.values[i] != expected.q.values[i]) {
      std::printf("entry %zu of Q differs from the reference's\n", i);
      return 1;
    }
  }
  return 0;
}
