#include <limits>

#include "reference/runtime/scalar_set.h"
#include "test_runtime.h"

namespace plumbline::test {

namespace {

erased_tensor df64_pair() { return extended({2}, {1, 2}); }

template <class T>
T single(const outcome<erased_tensor>& t) {
  REQUIRE(t);
  return *t->at<T>({});
}

}  // namespace

TEST_CASE("the ordinary elementwise operations refuse an external type") {
  workshop w;
  const erased_tensor x = df64_pair();
  CHECK(refused(w.apply<standard_add>({x, x}), external_scalar, "df64"));
  CHECK(refused(w.apply<standard_multiply>({x, x}), external_scalar, "df64"));
  CHECK(refused(w.apply<standard_negate>({x}), external_scalar, "df64"));
  CHECK(refused(w.apply<standard_add>({of<double>({2}, {1, 2}), x}), external_scalar, "df64"));
  const erased_tensor y = of<bf16>({1}, {bf16(1.f)});
  CHECK(refused(w.apply<standard_add>({y, y}), external_scalar, "externally defined bf16"));
  CHECK(elements<double>(*w.apply<standard_add>(
            {of<double>({2}, {1, 2}), of<double>({2}, {3, 4})})) == std::vector<double>{4, 6});
}

TEST_CASE("the ordinary reductions refuse an external type") {
  workshop w;
  using enum reduction;
  for (const reduction what : {sum, product, max, min, sum_of_squares}) {
    CHECK(refused(w.apply<standard_reduce>({df64_pair()}, what, std::vector<std::size_t>{0}),
                  external_scalar, "df64"));
  }
  CHECK(refused(w.apply<standard_total>({df64_pair()}), external_scalar, "df64"));
  CHECK(refused(w.apply<standard_expand>({extended({}, {1})}, shape_type{2}), external_scalar));
}

TEST_CASE("a reduction over no axes returns its value unchanged, whatever the scalar") {
  workshop w;
  using enum reduction;
  const erased_tensor x = extended({2}, {df64(1, low), 2});
  for (const reduction what : {sum, product, max, min, sum_of_squares}) {
    const auto same = w.apply<standard_reduce>({x}, what, std::vector<std::size_t>{});
    REQUIRE(same);
    CHECK(same->type() == type_of<df64>());
    CHECK(equal_bits(elements<df64>(*same), {df64(1, low), 2}));
    CHECK(same->shares_payload_with(x));
  }
}

TEST_CASE("the ordinary einsum refuses an external type") {
  workshop w;
  const erased_tensor x = extended({2, 2}, {1, 2, 3, 4});
  CHECK(refused(w.apply<standard_einsum>({x, x}, pattern("ik,kj->ij")), external_scalar, "df64"));
  const erased_tensor y = of<bf16>({1, 1}, {bf16(1.f)});
  CHECK(refused(w.apply<standard_einsum>({y, y}, pattern("ik,kj->ij")), external_scalar, "bf16"));
  const erased_tensor a = of<double>({2, 2}, {1, 2, 3, 4}), b = of<double>({2, 2}, {5, 6, 7, 8});
  CHECK(elements<double>(*w.apply<standard_einsum>({a, b}, pattern("ik,kj->ij"))) ==
        std::vector<double>{19, 22, 43, 50});
  CHECK(refused(w.apply<standard_einsum>({a}, pattern("ik,kj->ij")), invalid_argument));
  CHECK(refused(w.apply<standard_einsum>({a, of<double>({2}, {1, 2})}, pattern("ik,kj->ij")),
                rank_mismatch));
  const erased_tensor i = of<std::int32_t>({1, 1}, {1});
  CHECK(refused(w.apply<standard_einsum>({i, i}, pattern("ik,kj->ij")), unsupported_type, "i32"));
}

TEST_CASE("the standard reductions, of the types that they take") {
  workshop w;
  using enum reduction;
  const auto over = [&]<class T>(T, reduction what) {
    return w.apply<standard_reduce>({of<T>({2}, {2, 3})}, what, std::vector<std::size_t>{0});
  };
  const auto check = [&]<class T>(T t) {
    CHECK(single<T>(over(t, sum)) == 5);
    CHECK(single<T>(over(t, product)) == 6);
    CHECK(single<T>(over(t, max)) == 3);
    CHECK(single<T>(over(t, min)) == 2);
  };
  check(float{});
  check(double{});
  check(std::int32_t{});
  check(std::int64_t{});
  CHECK(single<double>(over(double{}, sum_of_squares)) == 13);
  CHECK(refused(over(std::int32_t{}, sum_of_squares), unsupported_type, "i32"));
  const erased_tensor flags = of<truth>({2}, {truth::yes, truth::no});
  for (const reduction what : {sum, product, max, min, sum_of_squares}) {
    CHECK(refused(w.apply<standard_reduce>({flags}, what, std::vector<std::size_t>{0}),
                  unsupported_type, "bool"));
  }
  CHECK(refused(w.apply<standard_add>({flags, flags}), unsupported_type));
  CHECK(refused(w.apply<standard_negate>({flags}), unsupported_type));
  CHECK(refused(w.apply<standard_total>({flags}), unsupported_type));
}

TEST_CASE("reductions over some axes, of strided views, and their boundaries") {
  workshop w;
  using enum reduction;
  using axes = std::vector<std::size_t>;
  const erased_tensor x = of<double>({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(elements<double>(*w.apply<standard_reduce>({x}, sum, axes{0})) ==
        std::vector<double>{5, 7, 9});
  CHECK(elements<double>(*w.apply<standard_reduce>({x}, sum, axes{1})) ==
        std::vector<double>{6, 15});
  CHECK(elements<double>(*w.apply<standard_reduce>({*x.permuted({1, 0})}, max, axes{0})) ==
        std::vector<double>{3, 6});
  CHECK(single<double>(w.apply<standard_reduce>({x}, sum, axes{1, 0})) == 21);
  CHECK(refused(w.apply<standard_reduce>({x}, sum, axes{2}), invalid_argument));
  CHECK(refused(w.apply<standard_reduce>({x}, sum, axes{1, 1}), invalid_argument));
  const erased_tensor none = of<double>({0}, {});
  CHECK(single<double>(w.apply<standard_reduce>({none}, sum, axes{0})) == 0);
  CHECK(single<double>(w.apply<standard_reduce>({none}, product, axes{0})) == 1);
  CHECK(refused(w.apply<standard_reduce>({none}, max, axes{0}), invalid_argument, "no element"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const reduction what : {max, min}) {
    CHECK(std::isnan(
        single<double>(w.apply<standard_reduce>({of<double>({3}, {1, nan, 2})}, what, axes{0}))));
  }
}

TEST_CASE("ones are made of standard types alone") {
  CHECK(refused(standard_ones(type_of<df64>(), {2}), external_scalar, "externally defined df64"));
  CHECK(refused(standard_ones(type_of<truth>(), {2}), unsupported_type));
  CHECK(refused(standard_ones(type_of<double>(), {SIZE_MAX}), invalid_argument));
  CHECK(elements<float>(*standard_ones(type_of<float>(), {2})) == std::vector<float>{1, 1});
}

TEST_CASE("integers wrap around") {
  workshop w;
  const auto top = std::numeric_limits<std::int32_t>::max();
  const erased_tensor x = of<std::int32_t>({2}, {top, 1});
  CHECK(elements<std::int32_t>(*w.apply<standard_add>({x, of<std::int32_t>({2}, {1, 1})})) ==
        std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::min(), 2});
  const erased_tensor y = of<std::int64_t>({1}, {std::numeric_limits<std::int64_t>::max()});
  CHECK(elements<std::int64_t>(*w.apply<standard_multiply>({y, of<std::int64_t>({1}, {2})})) ==
        std::vector<std::int64_t>{-2});
  CHECK(single<std::int32_t>(
            w.apply<standard_reduce>({x}, reduction::sum, std::vector<std::size_t>{0})) ==
        std::numeric_limits<std::int32_t>::min());
  const erased_tensor low_end = of<std::int32_t>({1}, {std::numeric_limits<std::int32_t>::min()});
  CHECK(elements<std::int32_t>(*w.apply<standard_negate>({low_end})) ==
        elements<std::int32_t>(low_end));
}

TEST_CASE("negation turns the sign of a zero") {
  workshop w;
  const auto negated = w.apply<standard_negate>({of<double>({2}, {0.0, -1})});
  CHECK(equal_bits(elements<double>(*negated), {-0.0, 1}));
}

TEST_CASE("operands of different types or shapes are refused, nothing is promoted in passing") {
  workshop w;
  const erased_tensor f = of<float>({1}, {1}), d = of<double>({1}, {1});
  CHECK(refused(w.apply<standard_add>({f, d}), wrong_type, "f32 and f64"));
  CHECK(refused(w.apply<standard_multiply>({d, f}), wrong_type));
  CHECK(refused(w.apply<standard_add>({d, of<double>({2}, {1, 2})}), shape_mismatch));
  CHECK(refused(w.apply<standard_add>({d}), invalid_argument));
  CHECK(refused(w.apply<addition<df64>>({df64_pair(), of<double>({2}, {1, 2})}), unsupported_type,
                "df64, not f64"));
  CHECK(refused(w.apply<addition<df64>>({df64_pair(), of<bf16>({2}, {bf16(1.f), bf16(2.f)})}),
                unsupported_type, "df64, not bf16"));
  CHECK(refused(w.apply<addition<df64>>({df64_pair(), extended({1}, {1})}), shape_mismatch));
}

TEST_CASE("promotion is canonical, and never joins an external type with another") {
  using set = scalar_set<truth, std::int32_t, std::int64_t, float, double, df64, bf16>;
  const auto promoted = [](const element_type& a, const element_type& b) {
    const auto one = promote<set>(a, b), other = promote<set>(b, a);
    REQUIRE(one.has_value() == other.has_value());
    if (one) CHECK(*one == *other);
    if (!one) CHECK(one.error().text == other.error().text);
    return one;
  };
  const auto members = set::members();
  for (const element_type* a : members) {
    CHECK(*promoted(*a, *a) == a);
    for (const element_type* b : members) {
      const auto p = promoted(*a, *b);
      if (a == b) continue;
      if (a->is_external() || b->is_external()) {
        CHECK(refused(p, no_promotion, a->name));
        CHECK(refused(p, no_promotion, b->name));
      } else {
        CHECK(p);
      }
    }
  }
  CHECK(*promoted(type_of<truth>(), type_of<std::int32_t>()) == &type_of<std::int32_t>());
  CHECK(*promoted(type_of<std::int32_t>(), type_of<std::int64_t>()) == &type_of<std::int64_t>());
  CHECK(*promoted(type_of<float>(), type_of<double>()) == &type_of<double>());
  CHECK(*promoted(type_of<std::int32_t>(), type_of<float>()) == &type_of<double>());
  CHECK(*promoted(type_of<truth>(), type_of<float>()) == &type_of<float>());
  CHECK(refused(promote<scalar_set<float, double>>(type_of<float>(), type_of<std::int32_t>()),
                undeclared_scalar, "i32"));
}

TEST_CASE("a set dispatches to the member that a tensor holds, and to no other type") {
  using set = scalar_set<double, df64>;
  CHECK(set::contains(type_of<df64>()));
  CHECK_FALSE(set::contains(type_of<float>()));
  const auto sum = elementwise_in<set, add_op>(extended({1}, {1}), extended({1}, {low}));
  CHECK(equal_bits(elements<df64>(*sum), {df64(1, low)}));
  CHECK(refused(elementwise_in<set, add_op>(of<float>({1}, {1}), of<float>({1}, {1})),
                undeclared_scalar, "f32"));
  CHECK(refused(elementwise_in<set, add_op>(extended({1}, {1}), of<double>({1}, {1})), wrong_type));
  CHECK(refused(elementwise_in<set, add_op>(extended({1}, {1}), extended({2}, {1, 2})),
                shape_mismatch));
  const auto folded = fold_in<set, subtract_op>(extended({}, {0}), extended({3}, {1, 2, 3}));
  CHECK(*folded->at<df64>({}) == df64(-6));
  CHECK(refused(fold_in<set, add_op>(extended({1}, {0}), extended({1}, {1})), rank_mismatch));
  CHECK(refused(fold_in<set, add_op>(of<double>({}, {0}), extended({1}, {1})), wrong_type));
}

}  // namespace plumbline::test
