// What surrounds the bf16 dot instruction, on machines without it too: a model of it stands in the very
// tiles, packing, guard and dispatch.
#include "kernels/bf16_dot/bf16_dot.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "kernels/bf16_dot/guard.h"
#include "kernels/bf16_dot/model.h"
#include "kernels/einsum/einsum.h"
#include "kernels/test_targets.h"
#include "reference/algorithms/einsum.h"

namespace plumbline::kernels {
namespace {

using test::kernel_operands;

std::size_t steps_taken = 0;  // by any of the models

// Sixteen lanes, as the instruction.
template <float (*dot_of)(float, std::uint32_t, std::uint32_t)>
struct model_step {
  static constexpr std::size_t width = 16;
  struct sums {
    std::array<float, width> lane;
  };
  struct pairs {
    std::array<std::uint32_t, width> lane;
  };
  static sums load(const float* x) {
    sums s;
    std::copy_n(x, width, s.lane.begin());
    return s;
  }
  static pairs load(const std::uint32_t* x) {
    pairs p;
    std::copy_n(x, width, p.lane.begin());
    return p;
  }
  static void store(const sums& s, float* x) { std::ranges::copy(s.lane, x); }
  static pairs repeated(std::uint32_t pair) {
    pairs p;
    p.lane.fill(pair);
    return p;
  }
  static sums dot(const sums& s, const pairs& x, const pairs& y) {
    ++steps_taken;
    sums z;
    for (std::size_t i = 0; i < width; ++i) z.lane[i] = dot_of(s.lane[i], x.lane[i], y.lane[i]);
    return z;
  }
};

#include "kernels/bf16_dot/tile-inl.h"

constexpr const dot_kernel& model = dot_kernel_of<model_step<dot_model>>;

// Other instructions that one could have built.
float first_before_second(float sum, std::uint32_t x, std::uint32_t y) {
  return dot_model(sum, std::rotl(x, 16), std::rotl(y, 16));
}
float term(std::uint32_t x, std::uint32_t y, int i) {
  return flushed(element_of_pair(x, i)) * flushed(element_of_pair(y, i));
}
float with_rounded_products(float sum, std::uint32_t x, std::uint32_t y) {
  return flushed(flushed(flushed(sum) + term(x, y, 1)) + term(x, y, 0));
}
float with_products_added_first(float sum, std::uint32_t x, std::uint32_t y) {
  return flushed(flushed(sum) + flushed(term(x, y, 1) + term(x, y, 0)));
}
float with_one_rounding(float sum, std::uint32_t x, std::uint32_t y) {
  const auto product = [=](int i) {
    return double{flushed(element_of_pair(x, i))} * double{flushed(element_of_pair(y, i))};
  };
  return flushed(static_cast<float>(flushed(sum) + product(1) + product(0)));
}
float with_subnormal_results(float sum, std::uint32_t x, std::uint32_t y) {
  sum = std::fma(element_of_pair(x, 1), element_of_pair(y, 1), sum);
  return std::fma(element_of_pair(x, 0), element_of_pair(y, 0), sum);
}
float with_subnormal_operands(float sum, std::uint32_t x, std::uint32_t y) {
  sum = flushed(std::fma(element_of_pair(x, 1), element_of_pair(y, 1), sum));
  return flushed(std::fma(element_of_pair(x, 0), element_of_pair(y, 0), sum));
}
float flushed_to_plus_zero(float sum, std::uint32_t x, std::uint32_t y) {
  const float z = dot_model(sum, x, y);
  return z == 0 ? 0.0f : z;
}
// Towards zero where that is less than half a unit away from the model.
float truncated(float sum, std::uint32_t x, std::uint32_t y) {
  const float z = dot_model(sum, x, y);
  const double exact = double{flushed(sum)} +
                       double{flushed(element_of_pair(x, 1))} * element_of_pair(y, 1) +
                       double{flushed(element_of_pair(x, 0))} * element_of_pair(y, 0);
  return std::fabs(z) > std::fabs(exact) && std::isfinite(z) ? std::nextafter(z, 0.0f) : z;
}

// Puts a kernel in the instruction's place as long as it lives.
struct in_place {
  explicit in_place(const dot_kernel& kernel) { replace_dot_kernel(&kernel); }
  ~in_place() { replace_dot_kernel(nullptr); }
};

struct example {
  const char* pattern;
  shape_type lhs, rhs;
};
// Enough products an element that the guard pays; tails of tiles and blocks, single last terms.
const std::vector<example> examples{
    {"ik,kj->ij", {130, 70}, {70, 150}},        {"ik,kj->ij", {129, 71}, {71, 161}},
    {"ki,jk->ji", {97, 130}, {140, 97}},        {"bik,bkj->bij", {2, 90, 5}, {2, 5, 100}},
    {"ik,kj->ij", {70, 1}, {1, 300}},           {"ik,kj->ij", {70, 513}, {513, 72}},
    {"iak,kja->ij", {80, 3, 33}, {33, 120, 3}}, {"ik,kj->ij", {270, 3}, {3, 1050}},
};

template <class Make>
std::vector<tensor<bf16>> operands_of(const example& e, Make make) {
  std::vector<tensor<bf16>> operands;
  for (const shape_type& shape : {e.lhs, e.rhs}) {
    operands.emplace_back(shape, kernel_operands::many(*element_count(shape), make));
  }
  return operands;
}

// Whether the instruction's tiles computed it; the bits are the reference's in any case.
bool takes_dot(const char* text, const std::vector<tensor<bf16>>& operands, unsigned threads = 1) {
  const auto pattern = parse_einsum_pattern(text).value();
  const auto expected = plumbline::einsum(pattern, operands).value();
  const in_place now(model);
  steps_taken = 0;
  workspace work{.threads = threads};
  const auto got = einsum(pattern, operands, work);
  REQUIRE(got.has_value());
  test::check_same_bits(got->values, expected.values);
  return steps_taken != 0;
}

bf16 power(int exponent, int tail = 0) {
  return bf16::from_bits(static_cast<std::uint16_t>((exponent + 127) << 7 | tail));
}
tensor<bf16> all_of(const shape_type& shape, bf16 x) {
  return {shape, std::vector<bf16>(*element_count(shape), x)};
}

}  // namespace

TEST_CASE("the self-test knows the measured semantics from all others") {
  CHECK(has_dot_semantics(model));
  CHECK(!has_dot_semantics(dot_kernel_of<model_step<first_before_second>>));
  CHECK(!has_dot_semantics(dot_kernel_of<model_step<with_rounded_products>>));
  CHECK(!has_dot_semantics(dot_kernel_of<model_step<with_products_added_first>>));
  CHECK(!has_dot_semantics(dot_kernel_of<model_step<with_one_rounding>>));
  CHECK(!has_dot_semantics(dot_kernel_of<model_step<with_subnormal_results>>));
  CHECK(!has_dot_semantics(dot_kernel_of<model_step<with_subnormal_operands>>));
  CHECK(!has_dot_semantics(dot_kernel_of<model_step<flushed_to_plus_zero>>));
  CHECK(!has_dot_semantics(dot_kernel_of<model_step<truncated>>));
}

TEST_CASE("the instruction is used exactly where it is there and sound") {
  const target before = current_target();
  for (const target t : available_targets()) {
    REQUIRE(force_target(t));
    CHECK((chosen_dot_kernel() != nullptr) == (t == target::avx512_bf16));
  }
  force_target(before);
  const auto available = available_targets();
  const bool listed = std::ranges::find(available, target::avx512_bf16) != available.end();
  CHECK(listed == (dot_instruction() == dot_support::sound));
  if (dot_instruction() == dot_support::refused) {
    WARN("the dot instruction of this machine differs from the measured one and is not used");
  }
}

TEST_CASE("bf16 einsum by pairs: the reference's bits, on every target and by the model") {
  kernel_operands stream(31);
  std::map<std::string, test::output_hash> hashes;
  for (const example& e : examples) {
    CAPTURE(e.pattern, e.lhs, e.rhs);
    const auto pattern = parse_einsum_pattern(e.pattern).value();
    const auto operands = operands_of(e, [&] { return stream.number_bf16(); });
    const auto expected = plumbline::einsum(pattern, operands).value();
    test::on_every_target([&] {
      const std::string name(to_string(current_target()));
      workspace work;
      const auto plain = einsum(pattern, operands, work).value();
      test::check_same_bits(plain.values, expected.values);
      hashes[name].take(plain.values);
      const in_place now(model);
      for (const unsigned threads : {1u, 3u}) {
        steps_taken = 0;
        workspace more{.threads = threads};
        const auto modelled = einsum(pattern, operands, more).value();
        if (threads == 1) CHECK(steps_taken != 0);
        test::check_same_bits(modelled.values, expected.values);
        if (threads == 1) hashes[name + " with the model"].take(modelled.values);
      }
    });
  }
  for (const auto& [name, hash] : hashes) {
    CAPTURE(name);
    test::check_hash("bf16_einsum_paired", hash);
  }
}

TEST_CASE("products at the guard's edge go by the instruction, those beyond it do not") {
  // The sums cancel down to the last place that a product can have, which is 2^-126 at the edge: the
  // least float that is not flushed. Beyond the edge it is subnormal.
  for (int a = -126; a <= 14; ++a) {
    const int b = -112 - a;
    if (b < -126 || b > 14) continue;
    const auto cancelling = [&](int shift) {
      // (1 + 2^-7)^2 - (1 + 2^-6) = 2^-14
      tensor<bf16> x({80, 2}), y({2, 80});
      for (std::size_t i = 0; i < 80; ++i) {
        x(i, 0) = power(a, 1);
        x(i, 1) = power(a, 2);
        y(0, i) = power(b + shift, 1);
        y(1, i) = -power(b + shift);
      }
      return std::vector{x, y};
    };
    CAPTURE(a, b);
    const auto pattern = parse_einsum_pattern("ik,kj->ij").value();
    CHECK(plumbline::einsum(pattern, cancelling(0)).value().values[0] == bf16(0x1p-126f));
    CHECK(takes_dot("ik,kj->ij", cancelling(0)));
    if (b > -126) {
      CHECK(plumbline::einsum(pattern, cancelling(-1)).value().values[0] == bf16(0x1p-127f));
      CHECK(!takes_dot("ik,kj->ij", cancelling(-1)));
    }
  }
}

TEST_CASE("beyond the guard the instruction would return other bits") {
  // 2^-57 squared, once: the guard is what keeps it away.
  std::vector<std::uint32_t> row(model.rows), column(model.columns);
  std::vector<float> tile(model.rows * model.columns);
  row[0] = power(-64).bits;
  column[0] = power(-63).bits;
  model.run(1, row.data(), column.data(), tile.data());
  CHECK(tile[0] == 0.0f);
  CHECK(std::fma(0x1p-64f, 0x1p-63f, 0.0f) == 0x1p-127f);
  CHECK(!takes_dot("ik,kj->ij", {all_of({70, 1}, power(-64)), all_of({1, 70}, power(-63))}));
}

TEST_CASE("one element that is subnormal, infinite or NaN turns the instruction away") {
  kernel_operands stream(32);
  const auto operands = operands_of({"", {80, 70}, {70, 90}}, [&] { return stream.number_bf16(); });
  CHECK(takes_dot("ik,kj->ij", operands));
  for (const int bits : {0x0001, 0x807f, 0x7f80, 0xff80, 0x7fc0, 0xff81}) {
    for (std::size_t which = 0; which < 2; ++which) {
      auto other = operands;
      other[which].values[stream.below(other[which].values.size())] =
          bf16::from_bits(static_cast<std::uint16_t>(bits));
      CAPTURE(bits, which);
      CHECK(!takes_dot("ik,kj->ij", other));
    }
  }
  // Whatever it meets: a subnormal whose products are far from the edge, and no other element.
  std::vector large{all_of({80, 70}, power(0)), all_of({70, 90}, power(40))};
  CHECK(takes_dot("ik,kj->ij", large));
  for (std::size_t i = 0; i < 80; ++i) large[0](i, i % 70) = bf16::from_bits(0x0001);
  CHECK(!takes_dot("ik,kj->ij", large));
  CHECK(!takes_dot("kj,ik->ji", {large[1], large[0]}));
  // Zeros of both signs are no reason, and neither is an operand of nothing else.
  auto zeros = operands;
  for (std::size_t i = 0; i < zeros[0].values.size(); i += 3) {
    zeros[0].values[i] = i % 2 == 0 ? bf16(-0.0f) : bf16(0.0f);
  }
  CHECK(takes_dot("ik,kj->ij", zeros));
  CHECK(takes_dot("ik,kj->ij", {all_of({80, 70}, bf16::from_bits(0x8000)), operands[1]}));
  CHECK(takes_dot("ik,kj->ij", {all_of({80, 70}, power(-126)), all_of({70, 90}, power(14))}));
}

TEST_CASE("sums that overflow within the instruction's tiles are the reference's") {
  kernel_operands stream(33);
  const auto operands = operands_of({"", {80, 71}, {71, 90}}, [&] {
    const bf16 huge = power(static_cast<int>(60 + stream.below(6)), static_cast<int>(stream.below(128)));
    return stream.below(2) == 0 ? huge : -huge;
  });
  CHECK(takes_dot("ik,kj->ij", operands));
}

TEST_CASE("the guard looks at what a view reads, and at nothing else") {
  kernel_operands stream(34);
  std::vector<bf16> memory = kernel_operands::many(40000, [&] { return stream.number_bf16(); });
  for (std::size_t i = 1; i < memory.size(); i += 2) memory[i] = bf16::from_bits(0x0001);
  const auto pattern = parse_einsum_pattern("ik,kj->ij").value();
  const tensor_view<bf16> left(memory.data() + 30000, {80, 70}, {-140, -2});
  const tensor_view<bf16> right(memory.data(), {70, 90}, {2, 140});
  const tensor_view<bf16> odd(memory.data() + 1, {70, 90}, {2, 140});
  const auto copy = [](const tensor_view<bf16>& x) {
    tensor<bf16> z(x.shape);
    for (std::size_t i = 0; i < x.shape[0]; ++i) {
      for (std::size_t k = 0; k < x.shape[1]; ++k) {
        z(i, k) = x.data[static_cast<std::ptrdiff_t>(i) * x.strides[0] +
                         static_cast<std::ptrdiff_t>(k) * x.strides[1]];
      }
    }
    return z;
  };
  test::on_every_target([&] {
    for (const bool subnormal : {false, true}) {
      const tensor_view<bf16>& second = subnormal ? odd : right;
      const in_place now(model);
      steps_taken = 0;
      workspace work;
      const auto got = einsum(pattern, std::vector{left, second}, work).value();
      const auto expected = plumbline::einsum(pattern, std::vector{copy(left), copy(second)}).value();
      test::check_same_bits(got.values, expected.values);
      CHECK((steps_taken != 0) == !subnormal);
    }
  });
}

TEST_CASE("the guard finds the least exponent wherever it stands") {
  kernel_operands stream(35);
  step s;  // a dot product of two vectors
  s.summed = {{0, {1, 1, 0}}};
  test::on_every_target([&] {
    for (std::size_t n = 1; n < 150; ++n) {
      std::vector<bf16> x(n, power(3)), y(n, power(-20, 127));
      s.summed[0].extent = n;
      const std::size_t at = stream.below(n);
      for (const int exponent : {-92, -93}) {
        x[at] = -power(exponent, 5);
        CHECK(dot_is_exact(s, x.data(), y.data()) == (exponent == -92));
        CHECK(dot_is_exact(s, y.data(), x.data()) == (exponent == -92));
      }
    }
  });
}

TEST_CASE("einsum by pairs stays within its scratch") {
  kernel_operands stream(36);
  const example& e = examples[0];
  const auto pattern = parse_einsum_pattern(e.pattern).value();
  const auto operands = operands_of(e, [&] { return stream.number_bf16(); });
  const in_place now(model);
  workspace work;
  REQUIRE(einsum(pattern, operands, work));
  REQUIRE(work.scratch_peak > 0);
  workspace enough{.scratch_limit = work.scratch_peak}, tight{.scratch_limit = work.scratch_peak - 1};
  CHECK(einsum(pattern, operands, enough));
  const auto refused = einsum(pattern, operands, tight);
  REQUIRE(!refused);
  CHECK(refused.error().kind == numeric_error_kind::invalid_argument);
}

}  // namespace plumbline::kernels
