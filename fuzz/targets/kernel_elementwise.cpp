// Every elementwise kernel, strided, in place or not, against the reference's operators.
#include <array>
#include <functional>

#include "../kernel_operands.h"
#include "../target.h"
#include "kernels/elementwise/elementwise.h"
#include "reference/scalar/conversions.h"

namespace plumbline::fuzz {

namespace {

// `count` elements at equal distances inside memory of their own: backwards, repeated, with gaps.
template <class T>
struct Column {
  std::vector<T> memory;
  kernels::strided<T> view;

  Column(Choices& choices, Operands& operands, std::size_t count) {
    auto stride = static_cast<std::ptrdiff_t>(choices.below(8)) - 3;
    auto step = static_cast<std::size_t>(stride < 0 ? -stride : stride);
    memory = operands.many<T>(count == 0 ? 0 : (count - 1) * step + 1);
    view = {stride < 0 ? memory.data() + memory.size() - (count > 0) : memory.data(), count, stride};
  }
};

template <class T>
struct Operation {
  std::string name;
  void (*kernel)(kernels::strided<T>, kernels::strided<T>, T, std::span<T>);
  T (*reference)(T, T, T);
};
using kernels::strided;
constexpr auto axpy = [](df64 x, df64 y, df64 a) { return y + a * x; };
const std::array df64_operations{
    Operation<df64>{"add", [](auto x, auto y, df64, auto z) { kernels::add(x, y, z); },
                    [](df64 x, df64 y, df64) { return x + y; }},
    Operation<df64>{"sub", [](auto x, auto y, df64, auto z) { kernels::sub(x, y, z); },
                    [](df64 x, df64 y, df64) { return x - y; }},
    Operation<df64>{"mul", [](auto x, auto y, df64, auto z) { kernels::mul(x, y, z); },
                    [](df64 x, df64 y, df64) { return x * y; }},
    Operation<df64>{"div", [](auto x, auto y, df64, auto z) { kernels::div(x, y, z); },
                    [](df64 x, df64 y, df64) { return x / y; }},
    Operation<df64>{"sqrt", [](auto x, auto, df64, auto z) { kernels::sqrt(x, z); },
                    [](df64 x, df64, df64) { return sqrt(x); }},
    Operation<df64>{"axpy", [](auto x, auto y, df64 a, auto z) { kernels::axpy(a, x, y, z); }, axpy},
};
const std::array bf16_operations{
    Operation<bf16>{"add", [](auto x, auto y, bf16, auto z) { kernels::add(x, y, z); },
                    [](bf16 x, bf16 y, bf16) { return x + y; }},
    Operation<bf16>{"sub", [](auto x, auto y, bf16, auto z) { kernels::sub(x, y, z); },
                    [](bf16 x, bf16 y, bf16) { return x - y; }},
    Operation<bf16>{"mul", [](auto x, auto y, bf16, auto z) { kernels::mul(x, y, z); },
                    [](bf16 x, bf16 y, bf16) { return x * y; }},
    Operation<bf16>{"div", [](auto x, auto y, bf16, auto z) { kernels::div(x, y, z); },
                    [](bf16 x, bf16 y, bf16) { return x / y; }},
    Operation<bf16>{"sqrt", [](auto x, auto, bf16, auto z) { kernels::sqrt(x, z); },
                    [](bf16 x, bf16, bf16) { return sqrt(x); }},
};

template <class T>
std::string compare(const Operation<T>& op, Choices& choices, std::size_t count) {
  Operands operands(choices);
  Column<T> x(choices, operands, count), y(choices, operands, count);
  bool in_place = choices.one_in(4);
  if (in_place) {
    x.memory = operands.many<T>(count);
    x.view = {x.memory.data(), count};
  }
  T a{};
  operands.fill(a);
  std::vector<T> expected;
  for (std::size_t i = 0; i < count; ++i) expected.push_back(op.reference(x.view[i], y.view[i], a));
  std::vector<T> before = x.memory;
  return on_every_target([&] {
    // Nothing beside the result is written to.
    std::vector<T> memory(count + 2, T(7.0f));
    std::span<T> z = in_place ? std::span(x.memory) : std::span(memory).subspan(1, count);
    op.kernel(x.view, y.view, a, z);
    std::string broken = difference(std::vector<T>(z.begin(), z.end()), expected);
    x.memory = before;
    if (broken.empty() && !(memory.front() == T(7.0f) && memory.back() == T(7.0f))) broken = "writes beside";
    return broken.empty() ? broken : op.name + " of " + std::to_string(count) + ": " + broken;
  });
}

// Conversions keep every pattern, a NaN's as well.
std::string convert(Choices& choices, std::size_t count) {
  Operands operands(choices);
  Column<bf16> x(choices, operands, count);
  Column<float> y(choices, operands, count);
  return on_every_target([&]() -> std::string {
    std::vector<float> wide(count);
    std::vector<bf16> narrowed(count);
    kernels::widen(x.view, wide);
    kernels::narrow(y.view, narrowed);
    for (std::size_t i = 0; i < count; ++i) {
      if (std::bit_cast<std::uint32_t>(wide[i]) != std::uint32_t{x.view[i].bits} << 16)
        return "widen: element " + std::to_string(i) + " differs";
      if (narrowed[i].bits != narrow(y.view[i]).bits)
        return "narrow: element " + std::to_string(i) + " differs";
    }
    return "";
  });
}

}  // namespace

std::string kernel_elementwise(ByteView input) {
  Choices choices(input);
  std::size_t op = choices.below(df64_operations.size() + bf16_operations.size() + 1);
  std::size_t count = choices.below(80);
  if (op < df64_operations.size()) return compare(df64_operations[op], choices, count);
  op -= df64_operations.size();
  return op < bf16_operations.size() ? compare(bf16_operations[op], choices, count) : convert(choices, count);
}

}  // namespace plumbline::fuzz
