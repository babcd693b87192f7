// Types, patterns, and the matrices that have factors.
#include "conformance/numeric/domain.h"

#include <algorithm>
#include <cmath>

#include "conformance/numeric/question.h"

namespace plumbline::numeric {
namespace {

using oracle::real;

// What a matrix is to QR. Between the ranges lie those of which an implementation may say either:
// columns outside the range of norms, and columns that are close to dependent.
enum class standing { has_factors, has_none, open };

struct verdict {
  standing is;
  std::string why;
};

verdict of_matrix(const tensor& a) {
  using enum standing;
  if (a.shape.size() != 2 || a.shape[1] == 0 || a.shape[0] < a.shape[1])
    return {has_none, "only a matrix with at least as many rows as columns has factors"};
  const std::size_t n = a.shape[1];
  std::vector<real> squares(n);
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    if (!std::isfinite(a.values[i].hi)) return {has_none, "a column is not finite"};
    const real x = oracle::value(a.values[i]);
    squares[i % n] += x * x;
  }
  if (std::ranges::count(squares, 0) > 0) return {has_none, "a zero column"};
  const real least = ldexp(real(1), 2 * -450), most = ldexp(real(1), 2 * 500);
  if (std::ranges::any_of(squares, [&](const real& s) { return s < least || s > most; }))
    return {open, "a column's norm is outside 2^-450 .. 2^500"};
  const double left = oracle::independence(a);
  if (left == 0) return {has_none, "dependent columns"};
  if (left < 40) return {open, "columns that are dependent but for less than 40 u^2"};
  return {has_factors, ""};
}

void require_pattern(std::string_view text, bool is_bf16) {
  const auto fail = [&](const char* why) {
    throw atom_error(std::string(why) + ": " + std::string(text));
  };
  const auto p = read_pattern(text);
  if (!p) fail("no pattern");
  const auto is_letter = [](std::uint32_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  const auto repeats = [](oracle::labels l) {
    std::ranges::sort(l);
    return std::ranges::adjacent_find(l) != l.end();
  };
  for (const oracle::labels& l : p->operands) {
    if (l.empty() || !std::ranges::all_of(l, is_letter)) fail("an operand without letters alone");
    if (is_bf16 && repeats(l)) fail("bf16 takes no label twice");
  }
  if (repeats(p->output)) fail("an output label twice");
  if (is_bf16 && p->operands.size() != 2) fail("bf16 takes two operands");
}

}  // namespace

void require_domain(std::string_view op, const std::vector<std::string>& words) {
  const bool is_einsum = op.starts_with("einsum"), is_qr = op.starts_with("qr");
  if (!is_einsum && !is_qr && op != "sum" && op != "dot") return;
  std::vector<scalar> types;
  for (std::size_t i = is_einsum ? 1 : 0; i < words.size(); ++i)
    if (words[i] != "-") types.push_back(read_tensor(words[i]).type);
  for (const scalar type : types) {
    if (type != types[0]) throw atom_error("types are mixed");
    const bool is_bound = type == scalar::df64 || (type == scalar::bf16 && !is_qr);
    if (!is_bound) throw atom_error(std::string(op) + " has no " + std::string(name_of(type)));
  }
  const bool is_bf16 = !types.empty() && types[0] == scalar::bf16;
  if (is_einsum) require_pattern(words[0], is_bf16);
  if (is_bf16 && (op == "einsum_jvp" || op == "einsum_vjp"))
    throw atom_error("a contraction of bf16 has no derivative");
  if (op != "qr") return;
  const verdict v = of_matrix(read_tensor(words[0]));
  if (v.is != standing::has_factors) throw atom_error("no factors: " + v.why);
}

void require_asked(std::string_view op, std::string_view question) {
  if (op != "qr") return;
  const tensor a = read_tensor(question);
  if (a.type != scalar::df64) return;
  const verdict v = of_matrix(a);
  if (v.is == standing::open) throw atom_error("no case asks: " + v.why);
}

}  // namespace plumbline::numeric
