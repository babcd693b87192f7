#include "kernels/einsum/einsum.h"

#include <algorithm>
#include <type_traits>

#include "kernels/bf16_dot/guard.h"
#include "kernels/einsum/contract.h"
#include "kernels/elementwise/elementwise.h"

namespace plumbline::kernels {
namespace {

using enum numeric_error_kind;

std::vector<std::ptrdiff_t> row_major(const shape_type& shape) {
  std::vector<std::ptrdiff_t> strides(shape.size(), 1);
  for (std::size_t k = shape.size(); k-- > 1;) {
    strides[k - 1] = strides[k] * static_cast<std::ptrdiff_t>(shape[k]);
  }
  return strides;
}

template <class T>
struct operand {
  label_list labels;
  const T* data;
  std::vector<std::ptrdiff_t> strides;
};

// `held` bytes of whole tensors beside operands and result.
result<void> hold(std::size_t held, workspace& work) {
  return take_scratch(held, "the contraction's intermediates need", work);
}

// On as many workers as the scratch allows; `held` bytes of intermediates are in use already.
template <class Contraction>
result<void> run_within(Contraction& c, std::size_t held, workspace& work) {
  const std::size_t needed = c.scratch_bytes();
  std::size_t workers =
      std::max<std::size_t>(1, std::min<std::size_t>(work.threads, c.task_count()));
  const std::size_t left = work.scratch_limit - std::min(held, work.scratch_limit);
  if (needed != 0) workers = std::min(workers, std::max<std::size_t>(1, left / needed));
  const auto room = take_scratch(held + needed * workers, "the contraction needs", work);
  if (!room) return room;
  c.run(workers);
  return {};
}

// To look at an element takes about as long as a dozen multiply-adds.
bool pays_to_guard(const step& s) {
  const double products =
      static_cast<double>(count(s.outputs)) * static_cast<double>(count(s.summed));
  return products >= 32.0 * static_cast<double>(elements_of_lhs(s) + elements_of_rhs(s));
}

template <class T>
result<void> contract(const operand<T>& lhs, const operand<T>* rhs, const label_list& output,
                      const label_extents& extents, std::size_t held, workspace& work,
                      std::span<T> out) {
  const label_list no_labels;
  const std::vector<std::ptrdiff_t> no_strides;
  const step s = make_step(lhs.labels, lhs.strides, rhs ? rhs->labels : no_labels,
                           rhs ? rhs->strides : no_strides, output, extents);
  if (count(s.summed) == 0) {
    std::ranges::fill(out, T{});
    return {};
  }
  const T* const rhs_data = rhs ? rhs->data : nullptr;
  contraction<packing<T>> c(s, lhs.data, rhs_data, out.data());
  if constexpr (std::is_same_v<T, bf16>) {
    const dot_kernel* const dot = chosen_dot_kernel();
    if (dot != nullptr && c.has_tiles() && pays_to_guard(s) &&
        dot_is_exact(s, lhs.data, rhs_data)) {
      contraction<paired_bf16> paired(s, lhs.data, rhs_data, out.data(), dot);
      return run_within(paired, held, work);
    }
  }
  return run_within(c, held, work);
}

// As the reference's fold: from the left, keeping what is needed later. With memory for the result
// it is written there, and an empty tensor is returned. `caller_holds` bytes of scratch are in use.
template <class T>
result<tensor<T>> fold(const einsum_pattern& pattern, const std::vector<tensor_view<T>>& operands,
                       workspace& work, std::optional<std::span<T>> out = {},
                       std::size_t caller_holds = 0) {
  std::vector<shape_type> shapes;
  for (const tensor_view<T>& x : operands) {
    if (x.strides.size() != x.shape.size()) {
      return refuse(invalid_argument, "a view has one stride an axis");
    }
    shapes.push_back(x.shape);
  }
  const auto extents = label_extents::of(pattern, shapes);
  if (!extents) return std::unexpected(extents.error());

  const std::size_t last = operands.size() - 1;
  std::vector<label_list> kept(operands.size());
  label_list so_far;
  for (std::size_t i = 0; i <= last; ++i) {
    so_far = first_seen(so_far, pattern.operands[i]);
    std::erase_if(so_far, [&](label l) {
      bool needed = names(pattern.output, l);
      for (std::size_t later = i + 1; later <= last; ++later) {
        needed = needed || names(pattern.operands[later], l);
      }
      return !needed;
    });
    kept[i] = i == last ? pattern.output : so_far;
    const auto elements = element_count(extents->shape(kept[i]));
    if (!elements || *elements > std::vector<T>().max_size()) {
      return refuse(invalid_argument, "the contraction has too many elements");
    }
  }

  if (out && out->size() != *element_count(extents->shape(pattern.output))) {
    return refuse(shape_mismatch, "the result " + shape_text(extents->shape(pattern.output)) +
                                      " does not fill " + std::to_string(out->size()) +
                                      " elements");
  }

  const auto take = [&](std::size_t i) {
    return operand<T>{pattern.operands[i], operands[i].data, operands[i].strides};
  };
  operand<T> left = take(0);
  tensor<T> intermediate;  // what `left` points into after the first step
  for (std::size_t i = last == 0 ? 0 : 1; i <= last; ++i) {
    const operand<T> right = take(i);
    std::size_t held = caller_holds + intermediate.values.size() * sizeof(T);
    const shape_type shape = extents->shape(kept[i]);
    const std::size_t bytes = *element_count(shape) * sizeof(T);
    if (i != last) held += bytes;
    if (const auto room = hold(held, work); !room) return std::unexpected(room.error());
    tensor<T> z;
    std::span<T> values;
    if (out && i == last) {
      values = *out;
    } else {
      z = tensor<T>(shape);
      values = z.values;
    }
    const auto done =
        contract<T>(left, last == 0 ? nullptr : &right, kept[i], *extents, held, work, values);
    if (!done) return std::unexpected(done.error());
    if (out && i == last) break;
    intermediate = std::move(z);
    left = {kept[i], intermediate.values.data(), row_major(intermediate.shape)};
  }
  return intermediate;
}

template <class T>
result<std::vector<tensor_view<T>>> views(const std::vector<tensor<T>>& operands) {
  std::vector<tensor_view<T>> views;
  for (const tensor<T>& x : operands) {
    if (!x.is_consistent()) {
      return refuse(invalid_argument, "values do not fill " + shape_text(x.shape));
    }
    views.emplace_back(x);
  }
  return views;
}

}  // namespace

namespace {
template <class T>
result<void> check_pattern(const einsum_pattern& pattern) {
  if (pattern.operands.empty()) return refuse(invalid_argument, "the pattern has no operand");
  if (std::is_same_v<T, bf16>) {
    if (pattern.operands.size() != 2) {
      return refuse(invalid_argument, "a bf16 contraction takes two operands, not " +
                                          std::to_string(pattern.operands.size()));
    }
    for (const label_list& labels : pattern.operands) {
      if (first_seen(labels).size() != labels.size()) {
        return refuse(invalid_argument, "a bf16 contraction takes no trace and no diagonal");
      }
    }
  }
  return {};
}
}  // namespace

template <class T>
result<tensor<T>> einsum(const einsum_pattern& pattern, const std::vector<tensor_view<T>>& operands,
                         workspace& work) {
  const auto sound = check_pattern<T>(pattern);
  if (!sound) return std::unexpected(sound.error());
  return fold(pattern, operands, work);
}
template <class T>
result<void> einsum_into(const einsum_pattern& pattern, const std::vector<tensor_view<T>>& operands,
                         std::span<T> out, workspace& work) {
  const auto sound = check_pattern<T>(pattern);
  if (!sound) return std::unexpected(sound.error());
  const auto done = fold<T>(pattern, operands, work, out);
  if (!done) return std::unexpected(done.error());
  return {};
}
template result<void> einsum_into(const einsum_pattern&, const std::vector<tensor_view<df64>>&,
                                  std::span<df64>, workspace&);
template result<void> einsum_into(const einsum_pattern&, const std::vector<tensor_view<bf16>>&,
                                  std::span<bf16>, workspace&);
template <class T>
result<tensor<T>> einsum(const einsum_pattern& pattern, const std::vector<tensor<T>>& operands,
                         workspace& work) {
  const auto v = views(operands);
  if (!v) return std::unexpected(v.error());
  return einsum(pattern, *v, work);
}
template result<tensor<df64>> einsum(const einsum_pattern&, const std::vector<tensor_view<df64>>&,
                                     workspace&);
template result<tensor<bf16>> einsum(const einsum_pattern&, const std::vector<tensor_view<bf16>>&,
                                     workspace&);
template result<tensor<df64>> einsum(const einsum_pattern&, const std::vector<tensor<df64>>&,
                                     workspace&);
template result<tensor<bf16>> einsum(const einsum_pattern&, const std::vector<tensor<bf16>>&,
                                     workspace&);

result<std::optional<tensor<df64>>> einsum_jvp(const einsum_pattern& pattern,
                                               const std::vector<tensor<df64>>& operands,
                                               const optional_tensors<df64>& tangents,
                                               workspace& work) {
  if (tangents.size() != operands.size()) {
    return refuse(invalid_argument, "one tangent, present or absent, is needed for each operand");
  }
  const auto primal = views(operands);
  if (!primal) return std::unexpected(primal.error());
  std::optional<tensor<df64>> total;
  std::vector<df64> part;  // every sum but the first, beside the total
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!tangents[i]) continue;
    if (tangents[i]->shape != operands[i].shape || !tangents[i]->is_consistent()) {
      return refuse(shape_mismatch, "the tangent of operand " + std::to_string(i) + " is " +
                                        shape_text(tangents[i]->shape) + ", not " +
                                        shape_text(operands[i].shape));
    }
    const auto sound = check_pattern<df64>(pattern);
    if (!sound) return std::unexpected(sound.error());
    std::vector<tensor_view<df64>> replaced = *primal;
    replaced[i] = *tangents[i];
    if (!total) {
      result<tensor<df64>> first = fold(pattern, replaced, work);
      if (!first) return std::unexpected(first.error());
      total = std::move(*first);
      continue;
    }
    const std::span<df64> sum = total->values;
    const std::size_t held = sum.size_bytes();
    if (const auto room = hold(held, work); !room) return std::unexpected(room.error());
    part.resize(sum.size());
    const auto done = fold<df64>(pattern, replaced, work, std::span(part), held);
    if (!done) return std::unexpected(done.error());
    add({sum.data(), sum.size()}, {part.data(), sum.size()}, sum);
  }
  return total;
}

result<std::optional<tensor<df64>>> einsum_vjp(const einsum_pattern& pattern,
                                               const std::vector<tensor<df64>>& operands,
                                               std::size_t i,
                                               const std::optional<tensor<df64>>& cotangent,
                                               workspace& work) {
  if (i >= pattern.operands.size()) return refuse(invalid_argument, "no such operand");
  std::vector<shape_type> shapes;
  for (const tensor<df64>& x : operands) shapes.push_back(x.shape);
  const auto extents = label_extents::of(pattern, shapes);
  if (!extents) return std::unexpected(extents.error());
  const auto primal = views(operands);
  if (!primal) return std::unexpected(primal.error());
  if (!cotangent) return std::nullopt;
  if (cotangent->shape != extents->shape(pattern.output) || !cotangent->is_consistent()) {
    return refuse(shape_mismatch, "the cotangent is " + shape_text(cotangent->shape) + ", not " +
                                      shape_text(extents->shape(pattern.output)));
  }

  // The cotangent in the operand's place, onto those of its labels that something else names.
  const label_list& own = pattern.operands[i];
  einsum_pattern substituted = pattern;
  substituted.operands[i] = pattern.output;
  substituted.output.clear();
  for (const label l : first_seen(own)) {
    for (const label_list& labels : substituted.operands) {
      if (!names(labels, l)) continue;
      substituted.output.push_back(l);
      break;
    }
  }
  std::vector<tensor_view<df64>> replaced = *primal;
  replaced[i] = *cotangent;
  if (substituted.output == own) {  // nothing to spread
    result<tensor<df64>> gradient = fold(substituted, replaced, work);
    if (!gradient) return std::unexpected(gradient.error());
    return std::move(*gradient);
  }

  // Spread over the operand: one axis a label, along all of the operand's axes that it names.
  const shape_type core_shape = extents->shape(substituted.output);
  const std::vector<std::ptrdiff_t> target = row_major(operands[i].shape);
  const std::vector<std::ptrdiff_t> source = row_major(core_shape);
  axes spread;
  for (const label l : first_seen(own)) {
    axis a{(*extents)[l], {}};
    for (std::size_t k = 0; k < own.size(); ++k) a.stride.out += own[k] == l ? target[k] : 0;
    for (std::size_t k = 0; k < source.size(); ++k) {
      if (substituted.output[k] == l) a.stride.lhs = source[k];
    }
    spread.push_back(a);
  }
  const auto elements = element_count(core_shape);
  if (!elements || *elements > std::vector<df64>().max_size()) {
    return refuse(invalid_argument, "the contraction has too many elements");
  }
  const std::size_t n = count(spread), portion = std::min<std::size_t>(n, 1024);
  const std::size_t held = *elements * sizeof(df64);
  if (const auto room = hold(held + portion * sizeof(place), work); !room) {
    return std::unexpected(room.error());
  }
  std::vector<df64> core(*elements);
  const auto done = fold<df64>(substituted, replaced, work, std::span(core), held);
  if (!done) return std::unexpected(done.error());
  tensor<df64> gradient(operands[i].shape);
  std::vector<place> places(portion);
  for (std::size_t first = 0; first < n; first += places.size()) {
    const std::span<place> now(places.data(), std::min(places.size(), n - first));
    places_of(spread, first, now);
    for (const place& p : now) {
      gradient.values[static_cast<std::size_t>(p.out)] =
          core[static_cast<std::size_t>(p.lhs)];
    }
  }
  return gradient;
}

}  // namespace plumbline::kernels
