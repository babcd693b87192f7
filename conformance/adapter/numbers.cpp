// Every numeric operation by one call of the reference.
#include "conformance/adapter/numbers.h"

#include <algorithm>
#include <span>

#include "conformance/adapter/number_atoms.h"
#include "reference/algorithms/conversion_derivatives.h"
#include "reference/algorithms/einsum_derivatives.h"
#include "reference/algorithms/qr_derivatives.h"
#include "reference/scalar/df64_text.h"

namespace plumbline::adapter {
namespace {

using words = std::vector<std::string_view>;

// An answer, or the refusal of its kind.
std::string error(const numeric_error& refusal) {
  using enum numeric_error_kind;
  const char* kind = "argument";
  if (refusal.kind == rank_mismatch) kind = "rank";
  if (refusal.kind == shape_mismatch) kind = "shape";
  if (refusal.kind == unsupported_type) kind = "type";
  if (refusal.kind == rule_unavailable) kind = "rule";
  return "error " + std::string(kind) + ' ' + line_text(refusal.text);
}
std::string wrong_type(std::string_view op, std::string_view type) {
  return "error type no " + std::string(op) + " of " + line_text(type);
}

void want(const words& w, std::size_t count) {
  if (w.size() != count) throw bad_request{std::to_string(count) + " operands are expected"};
}

template <class T>
std::string order_text(T x, T y) {
  const auto order = x <=> y;
  return order < 0 ? "less" : order > 0 ? "greater" : order == 0 ? "equal" : "unordered";
}

// What an operation takes: of df64, canonical pairs alone. convert sums whatever pair it is given.
template <class T>
T checked(T x) {
  if constexpr (std::is_same_v<T, df64>) {
    if (!x.is_canonical())
      throw bad_argument{number_text(x) + " is no canonical pair of finite numbers, or inf or NaN with +0"};
  }
  return x;
}
template <class T>
T operand(std::string_view text) {
  return checked(parse_number<T>(text));
}
template <class T>
tensor<T> operand_tensor(std::string_view text) {
  tensor<T> x = parse_tensor<T>(text);
  for (const T& value : x.values) checked(value);
  return x;
}

template <class T>
std::string scalar_reply(std::string_view op, const words& w) {
  const bool one = op == "sqrt" || op == "neg" || op == "abs";
  want(w, one ? 1 : 2);
  const T x = operand<T>(w[0]);
  if (op == "sqrt") return "ok " + number_text(sqrt(x));
  if (op == "neg") return "ok " + number_text(-x);
  if (op == "abs") return "ok " + number_text(abs(x));
  if constexpr (std::is_same_v<T, df64>) {
    if (op.ends_with("_f64")) {
      const double y = parse_number<double>(w[1]);
      if (op == "add_f64") return "ok " + number_text(x + y);
      if (op == "sub_f64") return "ok " + number_text(x - y);
      if (op == "mul_f64") return "ok " + number_text(x * y);
      return "ok " + number_text(x / y);
    }
  }
  const T y = operand<T>(w[1]);
  if (op == "compare") return "ok " + order_text(x, y);
  if (op == "add") return "ok " + number_text(x + y);
  if (op == "sub") return "ok " + number_text(x - y);
  if (op == "mul") return "ok " + number_text(x * y);
  return "ok " + number_text(x / y);
}

std::string parse_reply(const words& w) {
  want(w, 1);
  const auto value = parse_df64(w[0]);
  return value ? "ok " + number_text(*value) : error(value.error());
}

template <class To, class From>
std::string convert_tensor(std::string_view text) {
  return "ok " + tensor_text(converted<To>(parse_tensor<From>(text)));
}
std::string convert_reply(const words& w) {
  want(w, 2);
  const std::string_view from = type_of_tensor(w[1]);
  if (w[0] == "df64" && from == "f64") return convert_tensor<df64, double>(w[1]);
  if (w[0] == "f64" && from == "df64") return convert_tensor<double, df64>(w[1]);
  if (w[0] == "bf16" && from == "f32") return convert_tensor<bf16, float>(w[1]);
  if (w[0] == "f32" && from == "bf16") return convert_tensor<float, bf16>(w[1]);
  return "error type no conversion from " + line_text(from) + " to " + line_text(w[0]);
}

template <class T>
std::string sum_reply(std::string_view op, const words& w) {
  want(w, op == "sum" ? 1 : 2);
  const tensor<T> x = operand_tensor<T>(w[0]);
  if (op == "sum") return "ok " + tensor_text(tensor<T>({}, {sum(std::span<const T>(x.values))}));
  const tensor<T> y = operand_tensor<T>(w[1]);
  if (x.shape != y.shape) return "error shape the operands of a dot product differ in shape";
  return "ok " + tensor_text(tensor<T>(
                     {}, {dot(std::span<const T>(x.values), std::span<const T>(y.values))}));
}

using optional_df64 = std::optional<tensor<df64>>;

optional_df64 parse_optional(std::string_view text) {
  if (text == "-") return std::nullopt;
  return operand_tensor<df64>(text);
}
std::string optional_text(const optional_df64& t) { return t ? tensor_text(*t) : "-"; }

std::string qr_reply(const words& w) {
  want(w, 1);
  const auto f = qr(operand_tensor<df64>(w[0]));
  return f ? "ok " + tensor_text(f->q) + ' ' + tensor_text(f->r) : error(f.error());
}
std::string qr_jvp_reply(const words& w) {
  want(w, 3);
  const qr_factors<df64> f{operand_tensor<df64>(w[0]), operand_tensor<df64>(w[1])};
  const auto tangents = qr_jvp(f, parse_optional(w[2]));
  if (!tangents) return error(tangents.error());
  if (!*tangents) return "ok - -";
  return "ok " + tensor_text((*tangents)->q) + ' ' + tensor_text((*tangents)->r);
}
std::string qr_vjp_reply(const words& w) {
  want(w, 4);
  const qr_factors<df64> f{operand_tensor<df64>(w[0]), operand_tensor<df64>(w[1])};
  const auto gradient = qr_vjp(f, qr_cotangents<df64>{parse_optional(w[2]), parse_optional(w[3])});
  return gradient ? "ok " + optional_text(*gradient) : error(gradient.error());
}

template <class T>
std::vector<tensor<T>> parse_tensors(const words& w, std::size_t first) {
  std::vector<tensor<T>> out;
  for (std::size_t i = first; i < w.size(); ++i) out.push_back(operand_tensor<T>(w[i]));
  return out;
}

// A request of a few bytes can ask for any amount of work: what needs more than this many products
// is refused. The extents of all labels multiply to no less than any step of the fold visits.
constexpr std::size_t most_products = std::size_t{1} << 22;

// So is a contraction whose answer cannot fit into a reply of 4 MiB: an element takes 7 characters or more.
constexpr std::size_t most_outputs = (std::size_t{4} << 20) / 7;

bool is_too_large(const einsum_pattern& pattern, const words& w, bool answers_output) {
  std::vector<std::pair<label, std::size_t>> largest;
  const std::size_t first = w.size() - std::min(pattern.operands.size(), w.size());
  for (std::size_t i = 0; i < pattern.operands.size() && first + i < w.size(); ++i) {
    if (w[first + i] == "-") continue;
    const std::string_view text = w[first + i];
    const std::size_t open = text.find('['), close = text.find("]=");
    if (close == std::string_view::npos || close == open + 1) continue;
    const auto extents = parse_index(text.substr(open + 1, close - open - 1));
    for (std::size_t axis = 0; axis < std::min(extents.size(), pattern.operands[i].size()); ++axis)
      largest.emplace_back(pattern.operands[i][axis], extents[axis]);
  }
  std::ranges::sort(largest, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
  });
  std::size_t products = 1, outputs = 1;
  for (std::size_t i = 0; i < largest.size(); ++i) {
    if (i > 0 && largest[i].first == largest[i - 1].first) continue;
    const std::size_t extent = std::max<std::size_t>(1, largest[i].second);
    if (extent > most_products / products) return true;
    products *= extent;
    if (names(pattern.output, largest[i].first)) outputs *= extent;
  }
  return answers_output && outputs > most_outputs;
}

template <class T>
std::string einsum_of(const einsum_pattern& pattern, const words& w) {
  const auto z = einsum(pattern, parse_tensors<T>(w, 1));
  return z ? "ok " + tensor_text(*z) : error(z.error());
}
std::string einsum_jvp_of(const einsum_pattern& pattern, const words& w) {
  const std::size_t count = (w.size() - 1) / 2;
  if (w.size() != 2 * count + 1) throw bad_request{"a tangent or - for each operand"};
  optional_tensors<df64> tangents;
  for (std::size_t i = 0; i < count; ++i) tangents.push_back(parse_optional(w[1 + i]));
  const auto z = einsum_jvp(pattern, parse_tensors<df64>(w, 1 + count), tangents);
  return z ? "ok " + optional_text(*z) : error(z.error());
}
std::string einsum_vjp_of(const einsum_pattern& pattern, const words& w) {
  const std::vector<tensor<df64>> operands = parse_tensors<df64>(w, 2);
  const optional_df64 cotangent = parse_optional(w[1]);
  std::string out = "ok";
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto gradient = einsum_vjp(pattern, operands, i, cotangent);
    if (!gradient) return error(gradient.error());
    out += ' ' + optional_text(*gradient);
  }
  return out;
}

std::string einsum_reply(std::string_view op, const words& w) {
  if (w.size() < (op == "einsum_vjp" ? 3U : 2U)) throw bad_request{"a pattern and its operands"};
  const auto pattern = parse_einsum_pattern(w[0]);
  if (!pattern) return error(pattern.error());
  const std::string_view type = type_of_tensor(w.back());
  for (std::size_t i = 1; i < w.size(); ++i) {
    if (w[i] != "-" && type_of_tensor(w[i]) != type)
      return "error type operands of different types";
  }
  if (is_too_large(*pattern, w, op == "einsum"))
    return "error large the contraction has too many products or elements";
  if (op == "einsum") {
    if (type == "bf16") return einsum_of<bf16>(*pattern, w);
    return type == "df64" ? einsum_of<df64>(*pattern, w) : wrong_type(op, type);
  }
  if (type == "bf16") return "error rule a bf16 contraction has no derivative rule";
  if (type != "df64") return wrong_type(op, type);
  return op == "einsum_jvp" ? einsum_jvp_of(*pattern, w) : einsum_vjp_of(*pattern, w);
}

std::string tensor_reply(std::string_view op, const words& w) {
  if (w.empty()) throw bad_request{"operands are missing"};
  if (op == "convert") return convert_reply(w);
  if (op.starts_with("einsum")) return einsum_reply(op, w);
  const std::string_view type = type_of_tensor(w[0]);
  for (const std::string_view word : w) {
    if (word != "-" && type_of_tensor(word) != type)
      return "error type operands of different types";
  }
  if (op == "sum" || op == "dot") {
    if (type == "df64") return sum_reply<df64>(op, w);
    return type == "bf16" ? sum_reply<bf16>(op, w) : wrong_type(op, type);
  }
  if (type != "df64") return wrong_type(op, type);
  return op == "qr" ? qr_reply(w) : op == "qr_jvp" ? qr_jvp_reply(w) : qr_vjp_reply(w);
}

}  // namespace

const std::vector<std::string_view>& numeric_operations() {
  static const std::vector<std::string_view> all = {
      "df64.add",     "df64.sub",     "df64.mul",     "df64.div", "df64.add_f64", "df64.sub_f64",
      "df64.mul_f64", "df64.div_f64", "df64.sqrt",    "df64.neg", "df64.abs",     "df64.compare",
      "df64.parse",   "bf16.add",     "bf16.sub",     "bf16.mul", "bf16.div",     "bf16.sqrt",
      "bf16.neg",     "bf16.abs",     "bf16.compare", "convert",  "sum",          "dot",
      "qr",           "qr_jvp",       "qr_vjp",       "einsum",   "einsum_jvp",   "einsum_vjp"};
  return all;
}

std::string numeric_reply(std::string_view name, std::string_view operands) {
  words w;
  while (!operands.empty()) w.push_back(take_word(operands));
  if (name == "df64.parse") return parse_reply(w);
  if (name.starts_with("df64.")) return scalar_reply<df64>(name.substr(5), w);
  if (name.starts_with("bf16.")) return scalar_reply<bf16>(name.substr(5), w);
  return tensor_reply(name, w);
}

}  // namespace plumbline::adapter
