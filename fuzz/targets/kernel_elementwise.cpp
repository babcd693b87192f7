// Every elementwise kernel, strided, in place or not, wherever the result starts, against the
// reference's operators. Results of 8 MiB go past the cache: of those paths only the one that a caller
// asks for is reached.
#include <array>
#include <functional>
#include <memory>

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
constexpr auto one_term = [](df64 x, df64 y, df64) {
  df64 z = x * y;
  return df64::raw(z.hi + 0.0, z.lo);
};
const std::array one_term_operations{
    Operation<df64>{"one term", [](auto x, auto y, df64, auto z) { kernels::one_term_sums(x, y, z, false); },
                    one_term},
    Operation<df64>{"one term past the cache",
                    [](auto x, auto y, df64, auto z) { kernels::one_term_sums(x, y, z, true); }, one_term},
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

// Memory that starts anywhere within a line of the cache, as far as its elements may.
template <class T>
class Displaced {
 public:
  Displaced(std::size_t count, std::size_t at)
      : memory_(count * sizeof(T) + 128), elements_(placed(at * alignof(T) % 64), count) {
    std::uninitialized_fill(elements_.begin(), elements_.end(), T(7.0f));
  }
  std::span<T> elements() const { return elements_; }

 private:
  T* placed(std::size_t at) {
    std::size_t to_line = (64 - reinterpret_cast<std::uintptr_t>(memory_.data()) % 64) % 64;
    return reinterpret_cast<T*>(memory_.data() + to_line + at);
  }
  std::vector<unsigned char> memory_;
  std::span<T> elements_;
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
  std::size_t at = choices.below(64 / alignof(T));
  std::vector<T> expected;
  for (std::size_t i = 0; i < count; ++i) expected.push_back(op.reference(x.view[i], y.view[i], a));
  std::vector<T> before = x.memory;
  return on_every_target([&] {
    // Nothing beside the result is written to.
    Displaced<T> displaced(count + 2, at);
    std::span<T> memory = displaced.elements();
    std::span<T> z = in_place ? std::span(x.memory) : memory.subspan(1, count);
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
  // The last few bytes choose what is rare: operations within others, and one in 16 counts beyond the
  // blocks of 256 in which strided operands are gathered and the 512 from which `narrow` aligns.
  std::uint8_t which = choices.byte(), size = choices.byte();
  std::size_t count = size < 240 ? size % 80u : 80 + (size - 240) * 68u;
  if (which >= 252) return compare(one_term_operations[which % 2], choices, count);
  std::size_t op = which % (df64_operations.size() + bf16_operations.size() + 1);
  if (op < df64_operations.size()) return compare(df64_operations[op], choices, count);
  op -= df64_operations.size();
  return op < bf16_operations.size() ? compare(bf16_operations[op], choices, count) : convert(choices, count);
}

}  // namespace plumbline::fuzz
