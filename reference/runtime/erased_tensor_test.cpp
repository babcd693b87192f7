#include "test_runtime.h"

namespace plumbline::test {

namespace {
const std::vector<df64> four{df64(1, low), 2, 3, 4};
}

TEST_CASE("a clone shares its payload, a duplicate copies it") {
  const erased_tensor x = extended({2, 2}, four);
  CHECK(x.is_sole_holder());
  const erased_tensor clone = x.clone();
  CHECK(clone.shares_payload_with(x));
  CHECK_FALSE(x.is_sole_holder());
  const auto copy = x.duplicate();
  REQUIRE(copy);
  CHECK_FALSE(copy->shares_payload_with(x));
  CHECK(copy->is_sole_holder());
  CHECK(equal_bits(elements<df64>(*copy), four));
  CHECK(x.type() == type_of<df64>());
  CHECK(x.shape() == shape_type{2, 2});
  CHECK(x.strides() == stride_type{2, 1});
}

TEST_CASE("a permutation is metadata alone") {
  const erased_tensor x = extended({2, 2}, four);
  const auto view = x.permuted({1, 0});
  REQUIRE(view);
  CHECK(view->shares_payload_with(x));
  CHECK(view->strides() == stride_type{1, 2});
  CHECK_FALSE(view->is_dense());
  CHECK(same_bits(*view->at<df64>({0, 0}), df64(1, low)));
  CHECK(*view->at<df64>({1, 0}) == df64(2));
  CHECK(*view->at<df64>({0, 1}) == df64(3));
  CHECK(*view->at<df64>({1, 1}) == df64(4));
  const auto same = x.permuted({0, 1});
  REQUIRE(same);
  CHECK(same->is_dense());
  CHECK(same->shares_payload_with(x));
}

TEST_CASE("a permutation names each axis once") {
  const erased_tensor x = extended({2, 2}, four);
  CHECK(refused(x.permuted({0}), invalid_permutation));
  CHECK(refused(x.permuted({0, 3}), invalid_permutation, "axis 3"));
  CHECK(refused(x.permuted({0, 0}), invalid_permutation, "axis 0"));
}

TEST_CASE("materialising gathers a view into a payload of its own") {
  const erased_tensor x = extended({2, 2}, four);
  const auto gathered = x.permuted({1, 0})->materialised();
  REQUIRE(gathered);
  CHECK(gathered->is_dense());
  CHECK_FALSE(gathered->shares_payload_with(x));
  CHECK(gathered->is_sole_holder());
  CHECK(gathered->type() == type_of<df64>());
  const auto span = gathered->dense<df64>();
  REQUIRE(span);
  CHECK(equal_bits(std::vector<df64>(span->begin(), span->end()), {df64(1, low), 3, 2, 4}));
}

TEST_CASE("dense access to a strided view is refused") {
  erased_tensor x = extended({2, 2}, four);
  erased_tensor view = *x.permuted({1, 0});
  CHECK(refused(view.dense<df64>(), not_dense));
  CHECK(refused(view.dense_mutable<df64>(), not_dense));
  CHECK(x.dense<df64>());
}

TEST_CASE("typed access names the exact element type") {
  erased_tensor x = extended({2, 2}, four);
  CHECK(refused(x.dense<double>(), wrong_type, "df64, not f64"));
  CHECK(refused(x.dense<bf16>(), wrong_type));
  CHECK(refused(x.dense_mutable<double>(), wrong_type));
  CHECK(refused(x.at<double>({0, 0}), wrong_type));
  CHECK(refused(x.element_mutable<float>({0, 0}), wrong_type));
  CHECK(refused(x.gathered<double>(), wrong_type));
  CHECK(refused(of<double>({1}, {1}).dense<df64>(), wrong_type, "f64, not df64"));
}

TEST_CASE("an index outside the shape is refused") {
  erased_tensor x = extended({2, 2}, four);
  CHECK(refused(x.at<df64>({0, 2}), out_of_range, "[0,2]"));
  CHECK(refused(x.at<df64>({2, 0}), out_of_range));
  CHECK(refused(x.at<df64>({0}), out_of_range));
  CHECK(refused(x.at<df64>({0, 0, 0}), out_of_range));
  CHECK(refused(x.element_mutable<df64>({0, 5}), out_of_range));
  CHECK(refused(extended({0, 2}, {}).at<df64>({0, 0}), out_of_range));
}

TEST_CASE("mutation is refused while the payload is shared") {
  erased_tensor x = extended({2, 2}, four);
  {
    const erased_tensor clone = x;
    CHECK(refused(x.element_mutable<df64>({0, 0}), shared_payload));
    CHECK(refused(x.dense_mutable<df64>(), shared_payload));
    erased_tensor copy = *x.duplicate();
    **copy.element_mutable<df64>({0, 0}) = df64(9, low);
    CHECK(same_bits(*copy.at<df64>({0, 0}), df64(9, low)));
    CHECK(same_bits(*x.at<df64>({0, 0}), df64(1, low)));
  }
  REQUIRE(x.dense_mutable<df64>());
  (*x.dense_mutable<df64>())[3] = 5;
  CHECK(*x.at<df64>({1, 1}) == df64(5));
}

TEST_CASE("the sole holder of a strided view writes through it") {
  erased_tensor x = extended({2, 2}, four);
  erased_tensor view = *x.duplicate()->permuted({1, 0});
  **view.element_mutable<df64>({1, 0}) = df64(30, low);
  const erased_tensor back = *view.permuted({1, 0});
  CHECK(equal_bits(elements<df64>(back), {df64(1, low), df64(30, low), 3, 4}));
  CHECK(equal_bits(elements<df64>(x), four));
}

TEST_CASE("strides may be negative or zero, and a view stays inside its payload") {
  const erased_tensor x = of<bf16>({4}, {bf16(1.f), bf16(2.f), bf16(3.f), bf16(4.f)});
  const auto reversed = x.viewed({4}, {-1}, 3);
  REQUIRE(reversed);
  CHECK(*reversed->at<bf16>({0}) == bf16(4.f));
  CHECK(equal_bits(elements<bf16>(*reversed), {bf16(4.f), bf16(3.f), bf16(2.f), bf16(1.f)}));
  const auto repeated = x.viewed({2, 2}, {0, 2}, 1);
  REQUIRE(repeated);
  CHECK(equal_bits(elements<bf16>(*repeated), {bf16(2.f), bf16(4.f), bf16(2.f), bf16(4.f)}));
  CHECK(refused(x.viewed({4}, {-1}, 2), out_of_range));
  CHECK(refused(x.viewed({4}, {1}, 1), out_of_range));
  CHECK(refused(x.viewed({2}, {1}, -1), out_of_range));
  CHECK(refused(x.viewed({2, 2}, {1}, 0), rank_mismatch));
  const std::size_t huge = std::size_t{1} << 63;
  CHECK(refused(x.viewed({huge + 5}, {0}, 0), invalid_argument));
  CHECK(refused(x.viewed({huge, huge}, {0, 0}, 0), invalid_argument));
  CHECK(refused(x.viewed({2}, {PTRDIFF_MAX}, 1), out_of_range));
  CHECK(refused(x.viewed({3}, {PTRDIFF_MAX}, 0), out_of_range));
  CHECK(x.viewed({0, 7}, {PTRDIFF_MAX, 1}, 99));  // empty: nowhere
}

TEST_CASE("bf16 has the same storage, views and declared identity") {
  const std::vector<bf16> values{bf16(1.f), bf16(2.f), bf16(3.f), bf16(4.f)};
  erased_tensor x = of<bf16>({2, 2}, values);
  CHECK(x.type() == type_of<bf16>());
  CHECK(x.shape() == shape_type{2, 2});
  CHECK(x.strides() == stride_type{2, 1});
  CHECK(refused(x.dense<float>(), wrong_type, "bf16, not f32"));
  {
    const auto view = x.permuted({1, 0});
    REQUIRE(view);
    CHECK(view->shares_payload_with(x));
    CHECK(view->strides() == stride_type{1, 2});
    CHECK(*view->at<bf16>({1, 0}) == bf16(2.f));
    CHECK(refused(view->dense<bf16>(), not_dense));
    const auto gathered = view->materialised();
    REQUIRE(gathered);
    CHECK_FALSE(gathered->shares_payload_with(x));
    CHECK(equal_bits(elements<bf16>(*gathered), {bf16(1.f), bf16(3.f), bf16(2.f), bf16(4.f)}));
    CHECK(refused(x.element_mutable<bf16>({0, 1}), shared_payload));
  }
  REQUIRE(x.element_mutable<bf16>({0, 1}));
  **x.element_mutable<bf16>({0, 1}) = bf16(9.f);
  const auto copy = x.duplicate();
  REQUIRE(copy);
  **x.element_mutable<bf16>({1, 0}) = bf16(7.f);
  CHECK(equal_bits(elements<bf16>(*copy), {bf16(1.f), bf16(9.f), bf16(3.f), bf16(4.f)}));
  CHECK(equal_bits(elements<bf16>(x), {bf16(1.f), bf16(9.f), bf16(7.f), bf16(4.f)}));

  workshop w;
  support s;
  s.provide<addition<bf16>>();
  const session bare(*w.here, s);
  const auto add = std::make_shared<const addition<bf16>>();
  CHECK(refused(bare.apply(add, {*copy, x}), undeclared_scalar, "bf16"));
  REQUIRE(s.declare(type_of<bf16>(), "plumbline.bf16.v1"));
  const auto sum = bare.apply(add, {*copy, x});
  REQUIRE(sum);
  CHECK(equal_bits(elements<bf16>(sum->front()), {bf16(2.f), bf16(18.f), bf16(10.f), bf16(8.f)}));
}

TEST_CASE("values that do not fill a shape are refused") {
  CHECK(refused(erased_tensor::of<df64>({2, 2}, {1, 2, 3}), shape_mismatch));
  CHECK(refused(erased_tensor::of<df64>({SIZE_MAX, 2}, {1}), shape_mismatch));
  CHECK(refused(erased_tensor::zeros(type_of<df64>(), {SIZE_MAX / 16}), invalid_argument));
  const auto zeros = erased_tensor::zeros(type_of<df64>(), {3});
  REQUIRE(zeros);
  CHECK(equal_bits(elements<df64>(*zeros), {0, 0, 0}));
  const erased_tensor scalar_value = extended({}, {7});
  CHECK(scalar_value.size() == 1);
  CHECK(*scalar_value.at<df64>({}) == df64(7));
}

TEST_CASE("a payload outlives every handle but the last") {
  std::optional<erased_tensor> view;
  {
    const erased_tensor x = extended({2, 2}, four);
    view = *x.permuted({1, 0});
  }
  CHECK(view->is_sole_holder());
  CHECK(*view->at<df64>({1, 1}) == df64(4));
}

}  // namespace plumbline::test
