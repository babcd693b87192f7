// The rules of exact.h, value by value.
#include "conformance/numeric/judge.h"

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "conformance/oracle/bf16_oracle.h"

namespace plumbline::numeric {
namespace {

using oracle::pair;
using oracle::real;

struct refused {
  std::string why;
};

// A value that must be: finite with the scale of its error, or one that IEEE arithmetic names.
struct wanted {
  std::string text;
  real value = 0, scale = 0;
  bool has_scale = false;  // then the sign of a zero is nobody's

  bool is_special() const { return text == "nan" || text == "inf" || text == "-inf"; }
  bool is_zero() const { return text == "0" || text == "-0"; }
};

wanted read_wanted(const std::string& text, const std::string& scale) {
  wanted w;
  w.text = text;
  if (!w.is_special()) w.value = read_real(text);
  w.has_scale = !scale.empty() && scale != "-";
  w.scale = w.has_scale ? read_real(scale) : real(abs(w.value));
  return w;
}

class measure {
 public:
  measure(const answer_bound& bound, judgement& out) : bound_(bound), out_(out) {}

  void one(scalar type, const wanted& w, const std::string& atom) {
    const pair z = read_scalar(type, atom);
    if (type == scalar::df64)
      df64(w, z, atom);
    else if (type == scalar::bf16)
      bf16(w, z, atom);
    else
      exact(w, z, atom);
  }

 private:
  [[noreturn]] static void fail(const std::string& why, const std::string& atom) {
    throw refused{why + ": " + atom};
  }
  void note(double error, const char* unit) {
    out_.error = std::max(out_.error.value_or(0), error);
    out_.unit = unit;
  }

  // What IEEE arithmetic names: NaN, inf, and a zero that is exact.
  static bool named(const wanted& w, double hi, const std::string& atom) {
    if (w.text == "nan") {
      if (!std::isnan(hi)) fail("expected NaN", atom);
      return true;
    }
    if (std::isnan(hi)) fail("NaN", atom);
    if (w.text == "inf" || w.text == "-inf") {
      if (!std::isinf(hi) || (hi > 0) != (w.text == "inf")) fail("expected " + w.text, atom);
      return true;
    }
    if (w.is_zero() && !w.has_scale) {
      if (hi != 0 || std::signbit(hi) != (w.text == "-0")) fail("expected " + w.text, atom);
      return true;
    }
    return false;
  }

  static void exact(const wanted& w, pair z, const std::string& atom) {
    if (named(w, z.hi, atom)) return;
    if (!std::isfinite(z.hi) || real(z.hi) != w.value) fail("another value", atom);
  }

  void df64(const wanted& w, pair z, const std::string& atom) {
    if (!std::isnan(z.hi)) {  // the value of a pair with a NaN in hi is NaN, whatever lo is
      const bool normalised = std::isfinite(z.hi) ? z.hi + z.lo == z.hi : z.lo == 0;
      if (!normalised) fail("hi is not RN(hi + lo)", atom);
    }
    if (named(w, z.hi, atom)) return;
    const real allowed = real(bound_.within) * real(0x1p-106) * w.scale +
                         real(bound_.absolute) * real(0x1p-1074) +
                         (bound_.within > 0 ? real(ldexp(real(abs(w.value)), -211)) : real(0));
    if (std::isinf(z.hi)) {
      // Right where some number within the bound rounds to inf.
      const real threshold = real(std::numeric_limits<double>::max()) + real(0x1p970);
      const bool same_sign = (z.hi > 0) == (w.value > 0);
      if (!same_sign || abs(w.value) + allowed + real(0x1p917) < threshold)
        fail("inf too early", atom);
      return;
    }
    const bool lost_sign = z.hi == 0 && !w.has_scale && std::signbit(z.hi) != (w.value < 0);
    if (lost_sign) fail("the sign of an underflow", atom);
    const real error = abs(oracle::value(z) - w.value);
    const double units = w.scale == 0 ? (error == 0 ? 0 : std::numeric_limits<double>::infinity())
                                      : real(error / w.scale * real(0x1p106)).convert_to<double>();
    if (error > allowed) {
      char text[64];
      std::snprintf(text, sizeof text, "%.4g u^2 off, %.4g are allowed", units, bound_.within);
      fail(text, atom);
    }
    if (abs(w.value) >= real(0x1p-900)) note(units, "u^2");
  }

  // The patterns in the order of their values: the negative ones below zero.
  static int rank(std::uint16_t bits) {
    return (bits & 0x8000u) != 0 ? -static_cast<int>(bits & 0x7fffu) : static_cast<int>(bits);
  }

  void bf16(const wanted& w, pair z, const std::string& atom) {
    if (named(w, z.hi, atom)) return;
    const real slack =
        real(bound_.within) * real(0x1p-24) * w.scale + real(bound_.absolute) * real(0x1p-150);
    const std::uint16_t low = oracle::nearest_bf16(real(w.value - slack)),
                        high = oracle::nearest_bf16(real(w.value + slack));
    const std::uint16_t bits =
        oracle::nearest_bf16(real(std::isinf(z.hi) ? std::copysign(0x1p128, z.hi) : z.hi));
    if (rank(bits) < rank(low) || rank(bits) > rank(high)) fail("not the nearest", atom);
    if (z.hi == 0 && !w.has_scale && std::signbit(z.hi) != (w.value < 0))
      fail("the sign of an underflow", atom);
    if (std::isfinite(z.hi) && abs(w.value) >= real(0x1p-126)) {
      const auto exponent = static_cast<int>(ilogb(w.value));
      note(real(ldexp(real(abs(real(z.hi) - w.value)), 7 - exponent)).convert_to<double>(), "ulp");
    }
  }

  const answer_bound& bound_;
  judgement& out_;
};

void judge_tensor(const std::string& expected, const std::string& scales, const std::string& got,
                  measure& m) {
  const std::size_t values_at = expected.find('=') + 1;
  const tensor z = read_tensor(got);
  if (head_of(z) != expected.substr(0, values_at))
    throw refused{"expected " + expected.substr(0, values_at) + ".., got " + head_of(z) + ".."};
  if (z.values.empty()) return;
  const auto values = split(std::string_view(expected).substr(values_at), ',');
  const auto atoms = split(std::string_view(got).substr(got.find('=') + 1), ',');
  const auto scale = split(scales, ',');
  for (std::size_t i = 0; i < values.size(); ++i)
    m.one(z.type, read_wanted(values[i], scale.size() == 1 ? scale[0] : scale[i]), atoms[i]);
}

// A factorisation is judged by what it must be, not by its entries: A = Q R, Q^T Q = I, R upper
// triangular with a positive diagonal.
void judge_factors(std::string_view question, double within, const std::vector<std::string>& words,
                   judgement& out) {
  if (words.size() != 2) throw refused{"expected Q and R"};
  const tensor a = read_tensor(question), q = read_tensor(words[0]), r = read_tensor(words[1]);
  if (a.shape.size() != 2) throw refused{"only a matrix has factors"};
  const std::size_t n = a.shape[1];
  if (q.type != a.type || q.shape != a.shape || r.type != a.type ||
      r.shape != std::vector<std::size_t>{n, n})
    throw refused{"Q and R of another type or shape: " + head_of(q) + ".. " + head_of(r) + ".."};
  for (const tensor* t : {&q, &r}) {
    for (const pair x : t->values)
      if (!std::isfinite(x.hi) || x.hi + x.lo != x.hi)
        throw refused{"a factor is not canonical and finite"};
  }
  const oracle::qr_error error = oracle::judge_qr(a, q, r);
  out.error = std::max(error.reconstruction, error.orthogonality);
  out.unit = "u^2";
  char text[160];
  std::snprintf(text, sizeof text, "|A - Q R| is %.4g u^2, |Q^T Q - I| %.4g u^2; %.4g are allowed",
                error.reconstruction, error.orthogonality, within);
  if (!(*out.error <= within)) throw refused{text};
  if (!error.upper) throw refused{"R is not zero below its diagonal"};
  if (!error.positive) throw refused{"R has a diagonal entry that is not positive"};
}

// MPFR keeps memory for each thread; the runner's threads end.
struct thread_memory {
  thread_memory() = default;
  ~thread_memory() { mpfr_free_cache(); }
  thread_memory(const thread_memory&) = delete;
  thread_memory& operator=(const thread_memory&) = delete;
};

}  // namespace

judgement judge_answer(std::string_view op, std::string_view question, const answer_bound& expected,
                       std::string_view reply) {
  const thread_memory freed_at_the_end;
  judgement out;
  try {
    const auto words = split(reply, ' '), values = split(expected.value, ' ');
    if (op == "qr") {
      judge_factors(question, expected.within, words, out);
    } else if (op.ends_with(".compare")) {
      if (reply != expected.value) throw refused{"expected " + expected.value};
    } else {
      if (words.size() != values.size())
        throw refused{"expected " + std::to_string(values.size()) + " words"};
      std::vector<std::string> scales(values.size());
      if (!expected.scale.empty()) scales = split(expected.scale, ' ');
      if (scales.size() != values.size())
        throw refused{"the vector's scale does not fit its value"};
      measure m(expected, out);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] == "-" || words[i] == "-") {
          if (values[i] != words[i])
            throw refused{values[i] == "-" ? "expected no tensor" : "no tensor"};
        } else if (values[i].find('[') != std::string::npos) {
          judge_tensor(values[i], scales[i], words[i], m);
        } else {
          const scalar type = op.starts_with("df64.") ? scalar::df64 : scalar::bf16;
          m.one(type, read_wanted(values[i], scales[i]), words[i]);
        }
      }
    }
    out.right = true;
  } catch (const refused& r) {
    out.fault = r.why;
  } catch (const atom_error& e) {
    out.fault = e.what();
  }
  return out;
}

}  // namespace plumbline::numeric
