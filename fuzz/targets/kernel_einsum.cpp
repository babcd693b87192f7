// einsum and its derivatives over any pattern, shapes and strides, against the reference: the same
// bits, or a refusal of the same kind.
#include "../kernel_operands.h"
#include "../target.h"
#include "kernels/einsum/einsum.h"

namespace plumbline::fuzz {

namespace {

constexpr std::size_t labels = 5, most_steps = 20000;

// At most `most` labels, now and then one twice.
label_list some_labels(Choices& choices, std::size_t most) {
  label_list list;
  for (std::size_t n = 1 + choices.below(most); n > 0; --n)
    list.push_back('a' + static_cast<label>(choices.below(labels)));
  return list;
}

struct Problem {
  einsum_pattern pattern;
  std::vector<shape_type> shapes;
};

std::optional<Problem> make_problem(Choices& choices) {
  Problem p;
  std::vector<label_list> operands;
  for (std::size_t n = 1 + choices.below(3); n > 0; --n) operands.push_back(some_labels(choices, 3));
  label_list output;
  for (const label_list& own : operands)
    for (label l : own)
      if (!names(output, l) && choices.one_in(2)) output.push_back(l);
  if (choices.one_in(2)) std::reverse(output.begin(), output.end());
  result<einsum_pattern> pattern = make_einsum_pattern(operands, output);
  if (!pattern) return std::nullopt;
  p.pattern = *pattern;
  std::size_t extents[labels], steps = 1;
  for (std::size_t& extent : extents) extent = choices.one_in(6) ? choices.below(70) : 1 + choices.below(6);
  label_list all;
  for (const label_list& own : operands) all = first_seen(all, own);
  for (label l : all) steps *= std::max<std::size_t>(1, extents[l - 'a']);
  if (steps > most_steps) return std::nullopt;
  for (const label_list& own : operands) {
    p.shapes.emplace_back();
    for (label l : own) p.shapes.back().push_back(extents[l - 'a']);
  }
  // Shapes that do not fit are refused, as the reference refuses them.
  if (choices.byte() == 255) p.shapes.back().back() += 1;
  return p;
}

// A tensor seen through strides of its own, and the same one without.
template <class T>
struct Seen {
  std::vector<T> memory;
  kernels::tensor_view<T> view;
  tensor<T> plain;

  Seen(Choices& choices, Operands& operands, const shape_type& shape) : plain(shape) {
    std::vector<std::size_t> order(shape.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    if (choices.one_in(2)) std::reverse(order.begin(), order.end());
    std::vector<std::ptrdiff_t> strides(shape.size());
    std::ptrdiff_t step = 1, low = 0, high = 0;
    for (std::size_t k : order) {
      auto extent = static_cast<std::ptrdiff_t>(shape[k]);
      std::uint64_t kind = choices.below(12);  // one repeated, one backwards, one with gaps
      strides[k] = kind == 0 ? 0 : kind == 1 ? -step : step;
      if (kind != 0) step *= std::max<std::ptrdiff_t>(extent, 1) * (kind == 2 ? 2 : 1);
      std::ptrdiff_t last = strides[k] * std::max<std::ptrdiff_t>(extent - 1, 0);
      (last < 0 ? low : high) += last;
    }
    memory = operands.many<T>(static_cast<std::size_t>(high - low + 1));
    view = {memory.data() - low, shape, strides};
    std::vector<std::size_t> index(shape.size(), 0);
    for (T& x : plain.values) {
      std::ptrdiff_t at = 0;
      for (std::size_t k = 0; k < shape.size(); ++k) at += static_cast<std::ptrdiff_t>(index[k]) * strides[k];
      x = view.data[at];
      for (std::size_t k = shape.size(); k-- > 0 && ++index[k] == shape[k];) index[k] = 0;
    }
  }
};

template <class T>
std::string compare(const result<T>& got, const result<T>& expected) {
  if (got.has_value() != expected.has_value()) return got ? "is not refused" : "refuses: " + got.error().text;
  if (!got) return got.error().kind == expected.error().kind ? "" : "another kind of refusal";
  if constexpr (requires { got->has_value(); }) {
    if (got->has_value() != expected->has_value()) return "nothing, or not nothing";
    if (!got->has_value()) return "";
    return (*got)->shape == (*expected)->shape ? difference((*got)->values, (*expected)->values) : "another shape";
  } else {
    return got->shape == expected->shape ? difference(got->values, expected->values) : "another shape";
  }
}

template <class T>
std::string contract(Choices& choices, const Problem& p) {
  unsigned threads = choices.one_in(64) ? 2 : 1;
  Operands operands(choices);
  std::vector<Seen<T>> seen;
  for (const shape_type& shape : p.shapes) seen.emplace_back(choices, operands, shape);
  std::vector<kernels::tensor_view<T>> views;
  std::vector<tensor<T>> plain;
  for (const Seen<T>& s : seen) views.push_back(s.view), plain.push_back(s.plain);
  result<tensor<T>> expected = einsum(p.pattern, plain);
  return on_every_target([&] {
    kernels::workspace work{.threads = threads};
    std::string broken = compare(kernels::einsum(p.pattern, views, work), expected);
    return broken.empty() ? broken : "einsum: " + broken;
  });
}

std::string differentiate(Choices& choices, const Problem& p) {
  Operands operands(choices);
  std::vector<tensor<df64>> plain;
  optional_tensors<df64> tangents;
  for (const shape_type& shape : p.shapes) {
    std::size_t size = *element_count(shape);
    plain.emplace_back(shape, operands.many<df64>(size));
    tangents.emplace_back();
    if (!choices.one_in(4)) tangents.back() = tensor<df64>(shape, operands.many<df64>(size));
  }
  result<label_extents> extents = label_extents::of(p.pattern.operands, p.shapes);
  std::optional<tensor<df64>> cotangent;
  if (extents) {
    shape_type shape = extents->shape(p.pattern.output);
    cotangent = tensor<df64>(shape, operands.many<df64>(*element_count(shape)));
  }
  std::size_t i = choices.below(plain.size());
  auto jvp = einsum_jvp(p.pattern, plain, tangents);
  auto vjp = einsum_vjp(p.pattern, plain, i, cotangent);
  return on_every_target([&] {
    kernels::workspace work;
    std::string broken = compare(kernels::einsum_jvp(p.pattern, plain, tangents, work), jvp);
    if (!broken.empty()) return "einsum_jvp: " + broken;
    broken = compare(kernels::einsum_vjp(p.pattern, plain, i, cotangent, work), vjp);
    return broken.empty() ? broken : "einsum_vjp: " + broken;
  });
}

}  // namespace

std::string kernel_einsum(ByteView input) {
  Choices choices(input);
  std::uint64_t what = choices.below(4);
  std::optional<Problem> p = make_problem(choices);
  if (!p) return "";
  if (what == 0) return differentiate(choices, *p);
  return what == 1 ? contract<bf16>(choices, *p) : contract<df64>(choices, *p);
}

}  // namespace plumbline::fuzz
