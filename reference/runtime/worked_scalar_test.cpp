// A third scalar, added by following "Adding your own scalar" in the README: the integers modulo
// 101, a field in which every result is exact. The README quotes the parts between the marks, and a
// test here holds it to them.
#include <fstream>
#include <iterator>

#include "reference/runtime/interchange.h"
#include "test_runtime.h"

// [scalar]
namespace mine {

// An integer modulo 101, kept in 0 .. 100.
struct mod101 {
  std::uint8_t residue = 0;

  constexpr mod101() = default;
  constexpr mod101(int x) : residue(static_cast<std::uint8_t>((x % 101 + 101) % 101)) {}
  friend constexpr mod101 operator+(mod101 x, mod101 y) { return x.residue + y.residue; }
  friend constexpr mod101 operator-(mod101 x, mod101 y) { return x.residue - y.residue; }
  friend constexpr mod101 operator*(mod101 x, mod101 y) { return x.residue * y.residue; }
  friend constexpr bool operator==(mod101, mod101) = default;
};

}  // namespace mine

template <>
struct plumbline::scalar_traits<mine::mod101> {
  static constexpr std::string_view name = "mod101";
  static constexpr scalar_kind kind = scalar_kind::external;
  static constexpr scalar_domain domain = scalar_domain::field;
};
// [scalar]

// [contribution]
namespace mine {

using namespace plumbline;

outcome<void> contribute_mod101(support& s) {
  if (auto declared = s.declare(type_of<mod101>(), "mine.mod101.v1"); !declared) return declared;
  s.provide<addition<mod101>, elementwise<mod101, multiply_op>, total_operation<mod101>,
            expansion<mod101>, einsum_operation<mod101>, einsum_vjp_operation<mod101>,
            einsum_jvp_operation<mod101>>();
  s.rules().bind<addition<mod101>>();
  s.rules().bind<total_operation<mod101>>();
  s.rules().bind<einsum_operation<mod101>>();
  s.rules().bind_addition(type_of<mod101>(), std::make_shared<const addition<mod101>>());
  return {};
}

}  // namespace mine
// [contribution]

namespace plumbline::test {

using mine::mod101;

namespace {

struct mod101_workshop : workshop {
  mod101_workshop() { REQUIRE(mine::contribute_mod101(bound)); }
};

std::string text_of(const std::string& file) {
  std::ifstream in(std::string(PLUMBLINE_SOURCE_DIR "/") + file);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("the README quotes the worked scalar as it is compiled") {
  const std::string source = text_of("reference/runtime/worked_scalar_test.cpp");
  const std::string readme = text_of("README.md");
  for (const std::string mark : {"// [scalar]\n", "// [contribution]\n"}) {
    const std::size_t begin = source.find(mark) + mark.size(), end = source.find(mark, begin);
    REQUIRE(end != std::string::npos);
    const std::string part = source.substr(begin, end - begin);
    CHECK(part.size() > 400);
    CHECK(readme.find(part) != std::string::npos);
  }
}

TEST_CASE("worked scalar: storage, views and interchange") {
  const erased_tensor x = of<mod101>({2, 2}, {1, 2, 3, 104});
  CHECK(*x.at<mod101>({1, 1}) == mod101(3));
  const erased_tensor view = *x.permuted({1, 0});
  CHECK(elements<mod101>(view) == std::vector<mod101>{1, 3, 2, 3});
  CHECK(refused(view.dense<mod101>(), not_dense));
  CHECK(refused(x.dense<std::int32_t>(), wrong_type, "mod101, not i32"));
  CHECK(refused(describe(x), no_agreement, "mod101"));
  type_agreement agreed;
  REQUIRE(agreed.add(0xF7, type_of<mod101>(), {.bit_width = 8}));
  const auto described = describe(view, agreed);
  REQUIRE(described);
  const auto back = tensor_over(*encode(described->descriptor), described->buffers, agreed);
  REQUIRE(back);
  CHECK(back->shares_payload_with(x));
  CHECK(elements<mod101>(*back) == elements<mod101>(view));
}

TEST_CASE("worked scalar: arithmetic, contraction and both derivatives") {
  mod101_workshop w;
  const erased_tensor a = of<mod101>({2, 2}, {10, 20, 30, 40}),
                      b = of<mod101>({2, 2}, {5, 6, 7, 8});
  CHECK(elements<mod101>(*w.apply<addition<mod101>>({a, b})) ==
        std::vector<mod101>{15, 26, 37, 48});
  CHECK(elements<mod101>(*w.apply<elementwise<mod101, multiply_op>>({a, b})) ==
        std::vector<mod101>{50, 120, 210, 320});
  const auto product = w.apply<einsum_operation<mod101>>({a, b}, pattern("ik,kj->ij"));
  CHECK(elements<mod101>(*product) == std::vector<mod101>{190, 220, 430, 500});

  program p;
  const value x = p.input(type_of<mod101>(), {2, 2}), y = p.input(type_of<mod101>(), {2, 2});
  const value z = *p.emit<einsum_operation<mod101>>({x, y}, pattern("ik,kj->ij"));
  const value total = *p.emit<total_operation<mod101>>({z});
  const auto reverse = w.open().reverse(p, total, {x, y});
  REQUIRE(reverse);
  const auto g = w.open().run(reverse->steps, {a, b, of<mod101>({}, {1})},
                              {*reverse->gradients[0], *reverse->gradients[1]});
  REQUIRE(g);
  CHECK(elements<mod101>((*g)[0]) == std::vector<mod101>{11, 15, 11, 15});
  CHECK(elements<mod101>((*g)[1]) == std::vector<mod101>{40, 40, 60, 60});
  const auto forward = w.open().forward_mode(p, total, {x});
  const auto t =
      w.open().run(forward->steps, {a, b, of<mod101>({2, 2}, {1, 0, 0, 50})}, {*forward->tangent});
  CHECK(*t->front().at<mod101>({}) == mod101(11 + 50 * 15));
}

TEST_CASE("worked scalar: what it did not bring is refused by name") {
  workshop bare;
  const erased_tensor x = of<mod101>({2, 1}, {3, 4});
  CHECK(refused(bare.apply<total_operation<mod101>>({x}), undeclared_scalar, "mod101"));
  mod101_workshop w;
  CHECK(refused(w.apply<elementwise<mod101, subtract_op>>({x, x}), operation_unavailable,
                "subtract(mod101[2,1], mod101[2,1])"));
  CHECK(refused(w.apply<standard_add>({x, x}), external_scalar, "mod101"));
  CHECK(refused(w.apply<addition<mod101>>({x, extended({2, 1}, {1, 2})}), unsupported_type));
  program p;
  const value a = p.input(type_of<mod101>(), {1});
  w.bound.provide<elementwise<mod101, subtract_op>>();
  const value b = *p.emit<elementwise<mod101, subtract_op>>({a, a});
  CHECK(refused(w.open().reverse(p, b, {a}), rule_unavailable, "subtract"));
  CHECK(refused(mine::contribute_mod101(w.bound), duplicate_scalar, "mod101"));
}

}  // namespace plumbline::test
