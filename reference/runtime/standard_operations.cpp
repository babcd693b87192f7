#include "standard_operations.h"

#include "infer.h"
#include "scalar_set.h"

namespace plumbline {

using enum runtime_error_kind;

namespace {

outcome<std::vector<value_type>> infer_elementwise(std::string_view name,
                                                   std::span<const value_type> inputs,
                                                   std::size_t count) {
  if (const auto fine = check_count(name, inputs, count); !fine) {
    return std::unexpected(fine.error());
  }
  if (const auto fine = check_standard(name, inputs); !fine) return std::unexpected(fine.error());
  if (const auto fine = check_one_shape(name, inputs); !fine) return std::unexpected(fine.error());
  if (inputs[0].element->domain == scalar_domain::truth_value) {
    return fail(unsupported_type, std::string(name) + " of truth values");
  }
  return one_output(*inputs[0].element, inputs[0].shape);
}

}  // namespace

outcome<std::vector<value_type>> standard_add::infer(std::span<const value_type> inputs) const {
  return infer_elementwise(name(), inputs, 2);
}
outcome<std::vector<erased_tensor>> standard_add::forward(std::span<const erased_tensor> inputs,
                                                          execution&) const {
  return only(elementwise_in<standard_set, add_op>(inputs[0], inputs[1]));
}
outcome<optional_values> standard_add::jvp(program& p, const value_list&, const value_list&,
                                           const optional_values& tangents) const {
  if (!tangents[0]) return optional_values{tangents[1]};
  if (!tangents[1]) return optional_values{tangents[0]};
  const auto sum = p.emit<standard_add>({*tangents[0], *tangents[1]});
  if (!sum) return std::unexpected(sum.error());
  return optional_values{*sum};
}
outcome<optional_values> standard_add::vjp(program&, const value_list&, const value_list&,
                                           const optional_values& cotangents) const {
  return optional_values{cotangents[0], cotangents[0]};
}

outcome<std::vector<value_type>> standard_multiply::infer(
    std::span<const value_type> inputs) const {
  return infer_elementwise(name(), inputs, 2);
}
outcome<std::vector<erased_tensor>> standard_multiply::forward(
    std::span<const erased_tensor> inputs, execution&) const {
  return only(elementwise_in<standard_set, multiply_op>(inputs[0], inputs[1]));
}
outcome<optional_values> standard_multiply::jvp(program& p, const value_list& inputs,
                                                const value_list&,
                                                const optional_values& tangents) const {
  std::optional<value> total;
  for (std::size_t i = 0; i < 2; ++i) {
    if (!tangents[i]) continue;
    auto part = p.emit<standard_multiply>({*tangents[i], inputs[1 - i]});
    if (part && total) part = p.emit<standard_add>({*total, *part});
    if (!part) return std::unexpected(part.error());
    total = *part;
  }
  return optional_values{total};
}
outcome<optional_values> standard_multiply::vjp(program& p, const value_list& inputs,
                                                const value_list&,
                                                const optional_values& cotangents) const {
  optional_values gradients(2);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto gradient = p.emit<standard_multiply>({*cotangents[0], inputs[1 - i]});
    if (!gradient) return std::unexpected(gradient.error());
    gradients[i] = *gradient;
  }
  return gradients;
}

outcome<std::vector<value_type>> standard_negate::infer(std::span<const value_type> inputs) const {
  return infer_elementwise(name(), inputs, 1);
}
outcome<std::vector<erased_tensor>> standard_negate::forward(std::span<const erased_tensor> inputs,
                                                             execution&) const {
  const erased_tensor& x = inputs[0];
  return only(standard_set::dispatch(x.type(), [&]<class T>() -> outcome<erased_tensor> {
    if constexpr (std::is_same_v<T, truth>) {
      return fail(unsupported_type, "negate of truth values");
    } else {
      auto v = x.gathered<T>();
      for (T& e : *v) {
        if constexpr (std::is_integral_v<T>) {
          e = subtract_op::apply(T{0}, e);
        } else {
          e = -e;  // the sign of a zero too
        }
      }
      return erased_tensor::of(x.shape(), std::move(*v));
    }
  }));
}

outcome<std::vector<value_type>> standard_expand::infer(std::span<const value_type> inputs) const {
  if (const auto fine = check_count(name(), inputs, 1); !fine) {
    return std::unexpected(fine.error());
  }
  if (const auto fine = check_standard(name(), inputs); !fine) {
    return std::unexpected(fine.error());
  }
  if (!inputs[0].shape.empty()) {
    return fail(rank_mismatch, "expand takes a rank-0 tensor, not " + shape_text(inputs[0].shape));
  }
  return one_output(*inputs[0].element, shape_);
}
outcome<std::vector<erased_tensor>> standard_expand::forward(std::span<const erased_tensor> inputs,
                                                             execution&) const {
  return only(inputs[0].viewed(shape_, stride_type(shape_.size(), 0), inputs[0].offset()));
}

outcome<erased_tensor> standard_ones(const element_type& element, shape_type shape) {
  const value_type wanted{&element, shape};
  if (const auto fine = check_standard("tensor of ones", {&wanted, 1}); !fine) {
    return std::unexpected(fine.error());
  }
  const auto count = element_count(shape);
  if (const auto fine = one_output(element, shape); !fine) return std::unexpected(fine.error());
  return standard_set::dispatch(element, [&]<class T>() -> outcome<erased_tensor> {
    if constexpr (std::is_same_v<T, truth>) {
      return fail(unsupported_type, "a tensor of ones has no truth values");
    } else {
      return erased_tensor::of<T>(std::move(shape), std::vector<T>(*count, T{1}));
    }
  });
}

void provide_standard_operations(support& s) {
  s.provide<standard_add, standard_multiply, standard_negate, standard_reduce, standard_total,
            standard_expand, standard_einsum>();
  s.rules().bind<standard_add>();
  s.rules().bind<standard_multiply>();
  s.rules().bind<standard_total>();
  for (const element_type* t : standard_set::members()) {
    if (t->domain != scalar_domain::field) continue;
    s.rules().bind_addition(*t, std::make_shared<const standard_add>());
  }
}

}  // namespace plumbline
