#include "decimal_oracle.h"

#include <gmp.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace plumbline::oracle {
namespace {

// RAII for the two C types.
struct rational {
  mpq_t q;
  rational() { mpq_init(q); }
  ~rational() { mpq_clear(q); }
  rational(const rational&) = delete;
  rational& operator=(const rational&) = delete;
};

// To nearest double, ties to even, subnormals included: MPFR rounds to 53 bits in the exponent
// range of double and then once more, aware of the first rounding, to the subnormal grid.
double nearest_double(const rational& x) {
  const mpfr_exp_t least = mpfr_get_emin(), largest = mpfr_get_emax();
  mpfr_set_emin(-1073);
  mpfr_set_emax(1024);
  mpfr_t m;
  mpfr_init2(m, 53);
  int inexact = mpfr_set_q(m, x.q, MPFR_RNDN);
  inexact = mpfr_check_range(m, inexact, MPFR_RNDN);
  mpfr_subnormalize(m, inexact, MPFR_RNDN);
  const double result = mpfr_get_d(m, MPFR_RNDN);
  mpfr_clear(m);
  mpfr_set_emin(least);
  mpfr_set_emax(largest);
  return result;
}

// An exponent of ten, cut off where no literal of less than a thousand million digits makes up for it.
long bounded_exponent(const std::string& text) {
  const long most = 1'000'000'000;
  const bool negative = text.starts_with('-');
  const std::size_t first = text.find_first_of("0123456789");
  if (first == std::string::npos) throw std::invalid_argument("no exponent: " + text);
  long exponent = 0;
  for (std::size_t i = first; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
    exponent = std::min(most, 10 * exponent + (text[i] - '0'));
  return negative ? -exponent : exponent;
}

}  // namespace

pair nearest_doubles(const std::string& literal) {
  std::string digits;
  long exponent = 0;
  std::size_t i = literal.find_first_of("eE");
  const std::string head = literal.substr(0, i);
  if (i != std::string::npos) exponent = bounded_exponent(literal.substr(i + 1));
  bool negative = false, point = false;
  for (const char c : head) {
    if (c == '-') negative = true;
    if (c == '.') point = true;
    if (c < '0' || c > '9') continue;
    digits.push_back(c);
    if (point) --exponent;
  }
  // Far outside the doubles: the power of ten itself need not, and could not, be formed.
  const std::size_t significant = digits.size() - std::min(digits.find_first_not_of('0'), digits.size());
  const long largest = exponent + static_cast<long>(significant);  // below 10^largest
  if (!digits.empty() && (significant == 0 || largest < -400)) return {negative ? -0.0 : 0.0, 0};
  if (!digits.empty() && largest > 400)
    return {negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity(), 0};
  rational value, rest;
  if (mpz_set_str(mpq_numref(value.q), digits.c_str(), 10) != 0) {
    throw std::invalid_argument("not a decimal literal: " + literal);
  }
  mpz_t power;
  mpz_init(power);
  mpz_ui_pow_ui(power, 10, static_cast<unsigned long>(std::labs(exponent)));
  if (exponent >= 0) {
    mpz_mul(mpq_numref(value.q), mpq_numref(value.q), power);
  } else {
    mpz_set(mpq_denref(value.q), power);
    mpq_canonicalize(value.q);
  }
  mpz_clear(power);
  if (negative) mpq_neg(value.q, value.q);

  pair result;
  result.hi = nearest_double(value);
  if (result.hi == 0 && negative) result.hi = -0.0;
  if (!std::isfinite(result.hi)) return result;
  mpq_set_d(rest.q, result.hi);
  mpq_sub(rest.q, value.q, rest.q);
  result.lo = nearest_double(rest);
  return result;
}

std::string exact_decimal(const std::string& significand, long exponent) {
  mpz_t n, factor;
  mpz_init_set_str(n, significand.c_str(), 10);
  mpz_init(factor);
  // m * 2^-k = m * 5^k * 10^-k
  mpz_ui_pow_ui(factor, exponent < 0 ? 5 : 2, static_cast<unsigned long>(std::labs(exponent)));
  mpz_mul(n, n, factor);
  char* text = mpz_get_str(nullptr, 10, n);
  std::string result = text;
  void (*release)(void*, std::size_t) = nullptr;
  mp_get_memory_functions(nullptr, nullptr, &release);
  release(text, result.size() + 1);
  mpz_clear(n);
  mpz_clear(factor);
  return exponent < 0 ? result + "e-" + std::to_string(-exponent) : result;
}

}  // namespace plumbline::oracle
