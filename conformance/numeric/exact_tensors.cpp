// Sums and contractions by exact rationals, derivatives of the factorisation by differences in
// MPFR.
#include "conformance/numeric/exact_tensors.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace plumbline::numeric {
namespace {

using oracle::array;
using oracle::exact_sum;
using oracle::pair;
using oracle::rational;
using oracle::real;

real real_of(const rational& x) { return real(x); }

std::string scale_text(const real& x) {
  const auto rough = x.convert_to<double>();
  return real_text(real(rough));
}

// Values and scales of one output.
void append(answer_bound& out, const tensor& head, const std::vector<exact_sum>& sums) {
  std::string values = head_of(head), scales;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    values += (i > 0 ? "," : "") + real_text(real_of(sums[i].value), sums[i].value != 0);
    scales += (i > 0 ? "," : "") + scale_text(real_of(sums[i].magnitude));
  }
  if (sums.empty()) values += '-', scales += '-';
  out.value += (out.value.empty() ? "" : " ") + values;
  out.scale += (out.scale.empty() ? "" : " ") + scales;
}

void append_absent(answer_bound& out) {
  out.value += out.value.empty() ? "-" : " -";
  out.scale += out.scale.empty() ? "-" : " -";
}

void require_finite(const tensor& t) {
  for (const pair x : t.values) {
    if (!std::isfinite(x.hi) || !std::isfinite(x.lo)) throw atom_error("a value is not finite");
  }
}

// The largest magnitude, or 1: the scale of a derivative.
void append(answer_bound& out, const tensor& head, const std::vector<real>& values) {
  real scale = 1;
  std::string text = head_of(head);
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += (i > 0 ? "," : "") + real_text(values[i]);
    scale = std::max<real>(scale, abs(values[i]));
  }
  out.value += (out.value.empty() ? "" : " ") + text;
  out.scale += (out.scale.empty() ? "" : " ") + scale_text(scale);
}

struct factors {
  tensor q, r;
};

// A = Q R, each entry rounded to df64.
tensor product(const factors& f) {
  tensor a;
  a.shape = f.q.shape;
  const std::size_t n = f.r.shape[0];
  for (std::size_t i = 0; i < f.q.shape[0]; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      real sum = 0;
      for (std::size_t k = 0; k <= j; ++k)
        sum += oracle::value(f.q.values[i * n + k]) * oracle::value(f.r.values[k * n + j]);
      a.values.push_back(oracle::rounded(sum));
    }
  }
  return a;
}

factors read_factors(const std::vector<std::string>& words) {
  factors f{read_tensor(words[0]), read_tensor(words[1])};
  const bool fits = f.q.shape.size() == 2 && f.r.shape.size() == 2 &&
                    f.r.shape[0] == f.r.shape[1] && f.q.shape[1] == f.r.shape[0] &&
                    f.q.shape[0] >= f.q.shape[1] && !f.q.values.empty();
  if (!fits) throw atom_error("no factors of a QR");
  require_finite(f.q);
  require_finite(f.r);
  return f;
}

// Errors grow with the square of the condition, which the diagonal of R beside its columns bounds.
double derivative_bound(const factors& f) {
  const std::size_t n = f.r.shape[0];
  double largest = 0, smallest = std::fabs(f.r.values[0].hi);
  for (std::size_t j = 0; j < n; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i <= j; ++i) sum += std::pow(f.r.values[i * n + j].hi, 2);
    largest = std::max(largest, std::sqrt(sum));
    smallest = std::min(smallest, std::fabs(f.r.values[j * n + j].hi));
  }
  if (smallest == 0) throw atom_error("R is singular");
  const double condition = std::max({1.0, largest / smallest, 1 / smallest});
  return std::ceil(10 * static_cast<double>(f.q.shape[0] + n) * condition * condition);
}

// The answer where an operand is inf or NaN: by its head in double.
answer_bound special_sum(std::string_view op, const tensor& x, const tensor& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.values.size(); ++i)
    sum += op == "sum" ? x.values[i].hi : x.values[i].hi * y.values[i].hi;
  if (std::isfinite(sum)) throw atom_error("a sum that is finite after all");
  tensor head;
  head.type = x.type;
  return {head_of(head) + real_text(real(sum)), "", 0, 0};
}

struct contraction {
  pattern labels;
  std::vector<tensor> tensors;
  std::map<std::uint32_t, std::size_t> extents;

  contraction(std::string_view text, std::vector<tensor> x) : tensors(std::move(x)) {
    const auto read = read_pattern(text);
    if (!read || read->operands.size() != tensors.size())
      throw atom_error("the pattern does not fit the operands: " + std::string(text));
    labels = *read;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      require_finite(tensors[i]);
      if (labels.operands[i].size() != tensors[i].shape.size()) throw atom_error("labels and axes");
      for (std::size_t axis = 0; axis < tensors[i].shape.size(); ++axis) {
        const auto [at, fresh] = extents.emplace(labels.operands[i][axis], tensors[i].shape[axis]);
        if (at->second != tensors[i].shape[axis]) throw atom_error("extents disagree");
      }
    }
    for (const auto l : labels.output) {
      if (!extents.contains(l)) throw atom_error("an output label that no operand names");
    }
  }
  // Terms of a sum that leaves `kept`.
  std::size_t terms(const oracle::labels& kept) const {
    std::size_t n = 1;
    for (const auto& [l, extent] : extents)
      if (std::ranges::find(kept, l) == kept.end()) n *= extent;
    return n;
  }
  tensor output() const {
    tensor t;
    t.type = tensors[0].type;
    for (const auto l : labels.output) t.shape.push_back(extents.at(l));
    return t;
  }
  std::vector<exact_sum> values(const std::vector<tensor>& x) const {
    return oracle::exact_einsum(labels.operands, labels.output, {x.begin(), x.end()});
  }
};

std::vector<tensor> read_tensors(const std::vector<std::string>& words, std::size_t first,
                                 std::size_t end) {
  std::vector<tensor> out;
  for (std::size_t i = first; i < end; ++i) out.push_back(read_tensor(words[i]));
  return out;
}

// The gradient by operand i of <cotangent, output>: one unit tensor an entry in its place.
std::vector<exact_sum> gradient(const contraction& c, std::size_t i, const tensor& cotangent) {
  std::vector<exact_sum> out(c.tensors[i].values.size());
  std::vector<tensor> replaced = c.tensors;
  for (std::size_t entry = 0; entry < out.size(); ++entry) {
    std::ranges::fill(replaced[i].values, pair{});
    replaced[i].values[entry] = {1, 0};
    const auto sums = c.values(replaced);
    for (std::size_t o = 0; o < sums.size(); ++o) {
      const rational weight = rational(cotangent.values[o].hi) + rational(cotangent.values[o].lo);
      out[entry].value += sums[o].value * weight;
      out[entry].magnitude += sums[o].magnitude * abs(weight);
    }
  }
  return out;
}

answer_bound contracted_jvp(const std::vector<std::string>& words) {
  const std::size_t count = (words.size() - 1) / 2;
  if (words.size() != 2 * count + 1) throw atom_error("tangents and operands differ in number");
  const contraction c(words[0], read_tensors(words, 1 + count, words.size()));
  answer_bound out;
  std::vector<exact_sum> total;
  double tangents = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (words[1 + i] == "-") continue;
    std::vector<tensor> replaced = c.tensors;
    replaced[i] = read_tensor(words[1 + i]);
    require_finite(replaced[i]);
    if (replaced[i].shape != c.tensors[i].shape) throw atom_error("the tangent has another shape");
    const auto part = c.values(replaced);
    total.resize(part.size());
    for (std::size_t k = 0; k < part.size(); ++k) {
      total[k].value += part[k].value;
      total[k].magnitude += part[k].magnitude;
    }
    ++tangents;
  }
  if (tangents == 0) return {"-", "", 0, 0};
  append(out, c.output(), total);
  out.within = std::ceil(oracle::einsum_bound(c.terms(c.labels.output), count) + 2 * tangents);
  return out;
}

answer_bound contracted_vjp(const std::vector<std::string>& words) {
  const contraction c(words[0], read_tensors(words, 2, words.size()));
  answer_bound out;
  for (std::size_t i = 0; i < c.tensors.size(); ++i) {
    if (words[1] == "-") {
      append_absent(out);
      continue;
    }
    const tensor cotangent = read_tensor(words[1]);
    require_finite(cotangent);
    if (cotangent.shape != c.output().shape) throw atom_error("the cotangent has another shape");
    append(out, c.tensors[i], gradient(c, i, cotangent));
    out.within =
        std::max(out.within,
                 std::ceil(oracle::einsum_bound(c.terms(c.labels.operands[i]), c.tensors.size())));
  }
  if (words[1] == "-") out.scale.clear();
  return out;
}

}  // namespace

answer_bound exact_sum_of(std::string_view op, const std::vector<std::string>& words) {
  const tensor x = read_tensor(words[0]), y = words.size() > 1 ? read_tensor(words[1]) : x;
  if (x.type != y.type || x.values.size() != y.values.size()) throw atom_error("they do not match");
  exact_sum sum;
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    if (!std::isfinite(x.values[i].hi) || !std::isfinite(y.values[i].hi))
      return special_sum(op, x, y);
    rational term = rational(x.values[i].hi) + rational(x.values[i].lo);
    if (op == "dot") term *= rational(y.values[i].hi) + rational(y.values[i].lo);
    sum.value += term;
    sum.magnitude += abs(term);
  }
  answer_bound out;
  tensor head;
  head.type = x.type;
  append(out, head, std::vector{sum});
  const auto n = static_cast<double>(x.values.size());
  // df64: 2 u^2 an addition, 4 a product; float: one rounding each.
  out.within = x.type == scalar::bf16 ? 2 * n : op == "sum" ? 2 * n : 4 + 2 * n;
  return out;
}

answer_bound exact_qr_jvp(const std::vector<std::string>& words) {
  const factors f = read_factors(words);
  if (words[2] == "-") return {"- -", "", 0, 0};
  const tensor v = read_tensor(words[2]);
  if (v.shape != f.q.shape) throw atom_error("the tangent has another shape");
  const oracle::real_factors exact = oracle::qr_difference(product(f), v);
  answer_bound out;
  out.within = derivative_bound(f);
  append(out, f.q, exact.q);
  append(out, f.r, exact.r);
  return out;
}

answer_bound exact_qr_vjp(const std::vector<std::string>& words) {
  const factors f = read_factors(words);
  if (words[2] == "-" && words[3] == "-") return {"-", "", 0, 0};
  const array wq = words[2] == "-" ? array{} : array(read_tensor(words[2]));
  const array wr = words[3] == "-" ? array{} : array(read_tensor(words[3]));
  if ((!wq.values.empty() && wq.shape != f.q.shape) ||
      (!wr.values.empty() && wr.shape != f.r.shape))
    throw atom_error("a cotangent has another shape");
  answer_bound out;
  out.within = derivative_bound(f);
  append(out, f.q, oracle::qr_gradient(product(f), wq, wr));
  return out;
}

answer_bound exact_contraction(std::string_view op, const std::vector<std::string>& words) {
  if (op == "einsum_jvp") return contracted_jvp(words);
  if (op == "einsum_vjp") return contracted_vjp(words);
  const contraction c(words[0], read_tensors(words, 1, words.size()));
  answer_bound out;
  append(out, c.output(), c.values(c.tensors));
  const std::size_t terms = c.terms(c.labels.output);
  out.within = c.tensors[0].type == scalar::bf16
                   ? 2 * static_cast<double>(terms)
                   : std::ceil(oracle::einsum_bound(terms, c.tensors.size()));
  return out;
}

}  // namespace plumbline::numeric
