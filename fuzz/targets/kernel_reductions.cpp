// Sums and dot products, of elements at any distance and in portions, against the dot order of the
// reference.
#include "../kernel_operands.h"
#include "../target.h"
#include "kernels/reduce/reduce.h"

namespace plumbline::fuzz {

namespace {

template <class T>
std::string compare(Choices& choices) {
  std::size_t count = choices.below(200), first = choices.below(4);
  auto step = static_cast<std::ptrdiff_t>(1 + choices.below(3));
  bool backwards = choices.one_in(2);
  Operands operands(choices);
  std::size_t room = first + count * static_cast<std::size_t>(step) + 1;
  std::vector<T> x = operands.many<T>(room), y = operands.many<T>(first + count);
  if (backwards) step = -step;
  kernels::strided<T> xs(x.data() + (backwards ? room - 1 : first), count, step), ys(y.data() + first, count);
  std::vector<T> plain;
  for (std::size_t i = 0; i < count; ++i) plain.push_back(xs[i]);
  std::span<const T> ps(plain), qs(ys.data, count);
  T total = sum(ps), product = dot(ps, qs);
  return on_every_target([&]() -> std::string {
    std::string of = " of " + std::to_string(count);
    if (!same_bits(kernels::sum(xs), total)) return "sum" + of;
    if (!same_bits(kernels::sum(kernels::strided<T>(ps)), total)) return "sum of neighbours" + of;
    if (!same_bits(kernels::dot(xs, ys), product)) return "dot" + of;
    if (!same_bits(kernels::dot(kernels::strided<T>(ps), ys), product)) return "dot of neighbours" + of;
    return "";
  });
}

}  // namespace

std::string kernel_reductions(ByteView input) {
  Choices choices(input);
  return choices.one_in(2) ? compare<df64>(choices) : compare<bf16>(choices);
}

}  // namespace plumbline::fuzz
