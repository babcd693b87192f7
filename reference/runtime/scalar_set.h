// A set of element types that an application works with. It selects: which member an erased tensor
// holds, and what two members promote to. Kernels never see it.
//
// PROMOTION is a table and no action: an operation takes operands of one type, and who wants
// another converts. It is canonical, that is independent of the order of the two:
//   a type with itself           itself, external or not
//   a truth value with another   the other
//   two of one kind              the wider
//   an integer with a float      the widest floating type of the set
//   an external type with any other, external or standard     no_promotion: convert explicitly
#pragma once

#include <array>
#include <string>
#include <type_traits>

#include "erased_tensor.h"
#include "kernels.h"

namespace plumbline {

template <scalar... Members>
struct scalar_set {
  static constexpr std::size_t count = sizeof...(Members);
  static std::array<const element_type*, count> members() { return {&type_of<Members>()...}; }

  static bool contains(const element_type& t) { return ((type_of<Members>() == t) || ...); }

  // Calls visitor.operator()<T>() for the member that t is; undeclared_scalar for another type.
  template <class Visitor>
  static auto dispatch(const element_type& t, Visitor visitor) {
    using answer = decltype(visitor.template operator()<first_member>());
    answer found = fail(runtime_error_kind::undeclared_scalar,
                        std::string(t.name) + " is no member of the set");
    const auto matches = [&]<class T>(std::type_identity<T>) {
      if (!(type_of<T>() == t)) return false;
      found = visitor.template operator()<T>();
      return true;
    };
    static_cast<void>((matches(std::type_identity<Members>{}) || ...));
    return found;
  }

 private:
  template <class First, class...>
  struct first_of {
    using type = First;
  };
  using first_member = typename first_of<Members...>::type;
};

using standard_set = scalar_set<truth, std::int32_t, std::int64_t, float, double>;

// The promotion of two members of a set.
outcome<const element_type*> promote(std::span<const element_type* const> members,
                                     const element_type& a, const element_type& b);
template <class Set>
outcome<const element_type*> promote(const element_type& a, const element_type& b) {
  const auto members = Set::members();
  return promote(std::span<const element_type* const>(members), a, b);
}

// x op y, for two tensors of one member type and one shape.
template <class Set, class Op>
outcome<erased_tensor> elementwise_in(const erased_tensor& x, const erased_tensor& y) {
  using enum runtime_error_kind;
  if (!(x.type() == y.type())) {
    return fail(wrong_type, std::string(Op::name) + " of " + std::string(x.type().name) + " and " +
                                std::string(y.type().name) + ": convert one explicitly");
  }
  if (x.shape() != y.shape()) {
    return fail(shape_mismatch, shape_text(x.shape()) + " and " + shape_text(y.shape()));
  }
  return Set::dispatch(x.type(), [&]<class T>() -> outcome<erased_tensor> {
    const auto a = x.gathered<T>(), b = y.gathered<T>();
    if constexpr (scalar_traits<T>::domain == scalar_domain::truth_value) {
      return fail(unsupported_type, std::string(Op::name) + " of truth values");
    } else {
      std::vector<T> z(a->size());
      binary_kernel<T, Op>(*a, *b, z);
      return erased_tensor::of(x.shape(), std::move(z));
    }
  });
}

// The fold of all elements, from the left.
template <class Set, class Op>
outcome<erased_tensor> fold_in(const erased_tensor& first, const erased_tensor& x) {
  using enum runtime_error_kind;
  if (!(first.type() == x.type())) return fail(wrong_type, "the first value is of another type");
  if (!first.shape().empty()) return fail(rank_mismatch, "the first value has rank 0");
  return Set::dispatch(x.type(), [&]<class T>() -> outcome<erased_tensor> {
    if constexpr (scalar_traits<T>::domain == scalar_domain::truth_value) {
      return fail(unsupported_type, std::string(Op::name) + " of truth values");
    } else {
      const auto values = x.gathered<T>();
      return erased_tensor::of<T>({}, {fold_kernel<T, Op>(*first.at<T>({}), *values)});
    }
  });
}

}  // namespace plumbline
