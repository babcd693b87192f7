// What the tests of the runtime share.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>

#include "reference/runtime/contributions.h"
#include "reference/runtime/einsum_operations.h"
#include "reference/runtime/elementwise_operations.h"
#include "reference/runtime/external_scalars.h"
#include "reference/runtime/owner.h"
#include "reference/runtime/qr_operations.h"
#include "reference/runtime/session.h"
#include "reference/runtime/standard_operations.h"
#include "reference/runtime/typed.h"
#include "reference/scalar/traits.h"

namespace plumbline::test {

using enum runtime_error_kind;

inline constexpr double low = 0x1p-80;

template <class T>
erased_tensor of(shape_type shape, std::vector<T> elements) {
  auto t = erased_tensor::of<T>(std::move(shape), std::move(elements));
  REQUIRE(t);
  return *t;
}
inline erased_tensor extended(shape_type shape, std::vector<df64> elements) {
  return of<df64>(std::move(shape), std::move(elements));
}
template <class T>
std::vector<T> elements(const erased_tensor& t) {
  auto gathered = t.gathered<T>();
  REQUIRE(gathered);
  return *gathered;
}
template <class T>
bool equal_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](T x, T y) { return same_bits(x, y); });
}

// The kind of a refusal, and whether its text names something.
template <class T>
bool refused(const outcome<T>& o, runtime_error_kind kind, std::string_view named = "") {
  if (o.has_value()) {
    UNSCOPED_INFO("not refused");
    return false;
  }
  UNSCOPED_INFO(to_string(o.error().kind) << ": " << o.error().text);
  return o.error().kind == kind && o.error().text.find(named) != std::string::npos;
}

// One owner with everything bound.
struct workshop {
  support bound;
  runtime owners;
  owner* here = nullptr;

  workshop() {
    provide_standard_operations(bound);
    REQUIRE(contribute_df64(bound));
    REQUIRE(contribute_bf16(bound));
    here = *owners.add_owner({.identity = "plumbline.cpu.test.v1", .device = "cpu:0"});
  }
  session open() { return session(*here, bound); }

  template <class Operation, class... Arguments>
  outcome<erased_tensor> apply(std::vector<erased_tensor> inputs, Arguments&&... arguments) {
    auto outputs =
        open().apply(std::make_shared<const Operation>(std::forward<Arguments>(arguments)...),
                     std::move(inputs));
    if (!outputs) return std::unexpected(outputs.error());
    return outputs->front();
  }
};

inline einsum_pattern pattern(std::string_view text) {
  auto p = parse_einsum_pattern(text);
  REQUIRE(p);
  return *p;
}

}  // namespace plumbline::test
