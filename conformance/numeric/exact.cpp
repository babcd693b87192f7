// Answers of the scalar operations and of the sums; the factorisation and the contractions stand in
// exact_tensors.cpp.
#include "conformance/numeric/exact.h"

#include <mpfr.h>

#include <cmath>
#include <limits>

#include "conformance/numeric/domain.h"
#include "conformance/numeric/exact_tensors.h"
#include "conformance/oracle/bf16_oracle.h"
#include "conformance/oracle/decimal_oracle.h"
#include "conformance/oracle/df64_oracle.h"

namespace plumbline::numeric {
namespace {

using oracle::pair;
using oracle::real;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string order_text(const real& x, const real& y) {
  if (isnan(x) || isnan(y)) return "unordered";
  return x < y ? "less" : x > y ? "greater" : "equal";
}

real real_of(pair x) { return std::isfinite(x.hi) ? oracle::value(x) : real(x.hi); }

// Signed zeros, infinities and NaN as IEEE arithmetic of the heads gives them.
std::string special_text(double x) {
  return std::isnan(x)     ? "nan"
         : std::isinf(x)   ? (x > 0 ? "inf" : "-inf")
         : std::signbit(x) ? "-0"
                           : "0";
}

double of_doubles(std::string_view op, double x, double y) {
  if (op == "add") return x + y;
  if (op == "sub") return x - y;
  if (op == "mul") return x * y;
  if (op == "div") return x / y;
  return std::sqrt(x);
}

real of_reals(std::string_view op, const real& x, const real& y) {
  if (op == "add") return x + y;
  if (op == "sub") return x - y;
  if (op == "mul") return x * y;
  if (op == "div") return x / y;
  return sqrt(x);
}

// add, sub, mul, div or sqrt of df64 or bf16.
answer_bound arithmetic(bool is_df64, const std::string& op,
                        const std::vector<std::string>& words) {
  const bool mixed = op.ends_with("_f64");
  const std::string name = mixed ? op.substr(0, op.size() - 4) : op;
  const scalar type = is_df64 ? scalar::df64 : scalar::bf16;
  const pair x = read_scalar(type, words[0]);
  const pair y = words.size() > 1 ? read_scalar(mixed ? scalar::f64 : type, words[1]) : pair{1, 0};
  answer_bound out;
  if (is_df64) {
    const auto bound =
        oracle::bound_of(oracle::parse_operation(mixed ? name + "_double" : name).value());
    out.within = bound.relative;
    out.absolute = bound.absolute;
  } else {
    out.absolute =
        name == "mul" || name == "div" ? 1 : 0;  // a float may round in the subnormal range
  }
  const double heads = of_doubles(name, x.hi, y.hi);
  const bool special = !std::isfinite(x.hi) || !std::isfinite(y.hi) ||
                       (name == "div" && y.hi == 0) || (name == "sqrt" && x.hi <= 0);
  const real truth = special ? real(heads) : of_reals(name, oracle::value(x), oracle::value(y));
  out.value = special || truth == 0 ? special_text(special ? heads : std::copysign(0.0, heads))
                                    : real_text(truth, name != "div" && name != "sqrt");
  return out;
}

answer_bound scalar_answer(std::string_view full, const std::vector<std::string>& words) {
  const bool is_df64 = full.starts_with("df64.");
  const scalar type = is_df64 ? scalar::df64 : scalar::bf16;
  const std::string op(full.substr(5));
  if (op != "compare" && op != "neg" && op != "abs") return arithmetic(is_df64, op, words);
  const pair x = read_scalar(type, words[0]);
  if (op == "compare") {
    const pair y = read_scalar(type, words[1]);
    return {order_text(real_of(x), real_of(y)), "", 0, 0};
  }
  if (x.hi == 0) return {op == "neg" && !std::signbit(x.hi) ? "-0" : "0", "", 0, 0};
  const real value = real_of(x);
  return {real_text(op == "neg" ? real(-value) : real(abs(value)), true), "", 0, 0};
}

// How much of `text` from `from` on is a decimal: an optional sign, digits with at most one point, an
// optional exponent. 0 where it does not begin with one.
std::size_t decimal_length(std::string_view text, std::size_t from) {
  std::size_t at = from;
  const auto take = [&](std::string_view any) {
    const bool there = at < text.size() && any.contains(text[at]);
    at += there;
    return there;
  };
  const auto digits = [&] {
    std::size_t count = 0;
    while (take("0123456789")) ++count;
    return count;
  };
  take("+-");
  std::size_t count = digits();
  if (take(".")) count += digits();
  if (count == 0) return 0;
  const std::size_t end = at;
  if (!take("eE")) return end - from;
  take("+-");
  return (digits() > 0 ? at : end) - from;
}

// A plain decimal, or HI+LO, HI-LO: two decimals that stand for a double each.
answer_bound parsed(const std::string& text) {
  if (text == "nan" || text == "inf" || text == "-inf") return {text, "", 0, 0};
  const std::size_t first_length = decimal_length(text, 0);
  const bool is_sum = first_length > 0 && first_length < text.size();
  const bool is_signed = is_sum && (text[first_length] == '+' || text[first_length] == '-');
  if (first_length == 0 ||
      (is_sum && (!is_signed || decimal_length(text, first_length) != text.size() - first_length)))
    throw atom_error("not a decimal: " + text);
  try {
    const pair first = oracle::nearest_doubles(text.substr(0, first_length));
    if (std::isinf(first.hi) || (!is_sum && first.hi == 0)) return {special_text(first.hi), "", 0, 0};
    if (!is_sum) return {real_text(real(text)), "", 1, 0.5};
    const pair second = oracle::nearest_doubles(text.substr(first_length));
    return {real_text(real(first.hi) + real(second.hi), true), "", 1, 0.5};
  } catch (const std::exception&) {
    throw atom_error("not a decimal: " + text);
  }
}

// The four directed conversions; every other pair is a refusal, stated in the vector.
answer_bound converted(scalar to, const tensor& x) {
  using enum scalar;
  const bool known = (x.type == f64 && to == df64) || (x.type == df64 && to == f64) ||
                     (x.type == f32 && to == bf16) || (x.type == bf16 && to == f32);
  if (!known) throw atom_error("no such conversion");
  tensor head = x;
  head.type = to;
  std::string out = head_of(head);
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const pair v = x.values[i];
    std::string text;
    if (!std::isfinite(v.hi) || oracle::value(v) == 0) {
      text = special_text(v.hi);
    } else if (to == bf16) {
      const std::uint16_t bits = oracle::nearest_bf16(v.hi);
      const bool finite = (bits & 0x7fff) != 0x7f80;
      text = !finite                ? special_text(v.hi > 0 ? infinity : -infinity)
             : (bits & 0x7fff) == 0 ? special_text(std::copysign(0.0, v.hi))
                                    : real_text(oracle::bf16_value(bits), true);
    } else {
      const real value = oracle::value(v);
      const real rounded = to == f64 ? real(value.convert_to<double>()) : value;
      text = rounded == 0 ? special_text(std::copysign(0.0, v.hi)) : real_text(rounded, true);
    }
    out += (i > 0 ? "," : "") + text;
  }
  return {x.values.empty() ? out + '-' : out, "", 0, 0};
}

}  // namespace

answer_bound exact_answer(std::string_view op, std::string_view question) {
  const std::vector<std::string> words = split(question, ' ');
  require_domain(op, words);
  if (op == "df64.parse") return parsed(words[0]);
  if (op.starts_with("df64.") || op.starts_with("bf16.")) return scalar_answer(op, words);
  if (op == "convert") return converted(scalar_named(words[0]), read_tensor(words[1]));
  if (op == "sum" || op == "dot") return exact_sum_of(op, words);
  if (op == "qr") return {"qr", "", 81, 0};  // 1e-30 is 81 u^2
  if (op == "qr_jvp") return exact_qr_jvp(words);
  if (op == "qr_vjp") return exact_qr_vjp(words);
  return exact_contraction(op, words);
}

}  // namespace plumbline::numeric
