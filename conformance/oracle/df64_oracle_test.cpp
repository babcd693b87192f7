// The df64 oracle judged by cases whose error is known, then the reference judged by the oracle.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <limits>

#include "conformance/oracle/operands.h"
#include "conformance/oracle/reference_under_study.h"
#include "conformance/oracle/study.h"

using namespace plumbline::oracle;

namespace {

constexpr double u = 0x1p-53;
constexpr double inf = std::numeric_limits<double>::infinity();
const std::string hard = PLUMBLINE_SOURCE_DIR "/conformance/oracle/hard/";

// JMP Alg. 6 (AccurateDWPlusDW) and Alg. 5 (SloppyDWPlusDW), the controls.
struct sum_and_error {
  double s, e;
};
sum_and_error two_sum(double a, double b) {
  const double s = a + b, aa = s - b, bb = s - aa;
  return {s, (a - aa) + (b - bb)};
}
pair fast_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}
pair accurate_sum(operation, pair x, pair y) {
  const auto s = two_sum(x.hi, y.hi), t = two_sum(x.lo, y.lo);
  const pair v = fast_two_sum(s.s, s.e + t.s);
  return fast_two_sum(v.hi, t.e + v.lo);
}
pair sloppy_sum(operation, pair x, pair y) {
  const auto s = two_sum(x.hi, y.hi);
  return fast_two_sum(s.s, s.e + (x.lo + y.lo));
}

}  // namespace

TEST_CASE("the oracle measures the worst case of JMP Alg. 6 as exactly 3 u^2") {
  const pair x{1, u - u * u}, y{-0.5 + u / 2, -u * u / 2 + u * u * u};
  const verdict v = judge(operation::add, {3, 0, ""}, x, y, accurate_sum(operation::add, x, y));
  REQUIRE(v.error.has_value());
  // Its relative error is 3 u^2 / (1 + 3u - ...): 3 u^2 to within a few u.
  CHECK(std::fabs(*v.error - 3) < 16 * u);
  CHECK(judge(operation::add, x, y, accurate_sum(operation::add, x, y)).within == false);
  const verdict ours = judge(operation::add, x, y, reference_df64(operation::add, x, y));
  CHECK(ours.within);
  CHECK(*ours.error < 1.5);
}

TEST_CASE("the oracle tells right from wrong") {
  const pair one{1, 0}, three{3, 0}, third{0x1.5555555555555p-2, 0x1.5555555555555p-56};
  CHECK(judge(operation::div, one, three, third).within);
  const pair off{third.hi, std::nextafter(third.lo, 1)};
  const verdict v = judge(operation::div, one, three, off);
  CHECK(*v.error > *judge(operation::div, one, three, third).error);
  CHECK_FALSE(judge(operation::div, one, three, {third.hi, 0}).within);
  CHECK_FALSE(judge(operation::mul, one, three, {3, 0x1p-102}).within);  // 2^-102 / 3 is 16/3 u^2
  CHECK(judge(operation::mul, one, three, {3, 0x1p-104}).within);        // and this 4/3 u^2
  CHECK_FALSE(judge(operation::add, one, one, {1, 1}).within);           // not normalised
  CHECK(judge(operation::add, one, {-1, 0}, {0, 0}).within);
  CHECK_FALSE(judge(operation::add, one, {-1, 0}, {-0.0, 0}).within);
  CHECK_FALSE(judge(operation::add, one, {-1, 0}, {0x1p-1074, 0}).within);

  CHECK(judge(operation::mul, {inf, 0}, one, {inf, 0}).within);
  CHECK_FALSE(judge(operation::mul, {inf, 0}, one, {NAN, 0}).within);
  CHECK_FALSE(judge(operation::mul, {inf, 0}, one, {inf, NAN}).within);
  CHECK_FALSE(judge(operation::div, one, {0x1p-1074, 0}, {NAN, 0}).within);
  CHECK(judge(operation::div, one, {0x1p-1074, 0}, {inf, 0}).within);
  CHECK(judge(operation::div, one, {0, 0}, {inf, 0}).within);
  CHECK_FALSE(judge(operation::mul, {0x1p1000, 0}, {0x1p-1000, 0}, {inf, 0}).within);
  CHECK(judge(operation::mul, {0x1p600, 0}, {0x1p600, 0}, {inf, 0}).within);
  CHECK_FALSE(judge(operation::mul, {0x1p600, 0}, {0x1p600, 0}, {-inf, 0}).within);
  CHECK_FALSE(
      judge(operation::mul, {0x1p600, 0}, {0x1p600, 0}, {0x1.fffffffffffffp1023, 0}).within);
  CHECK(judge(operation::mul, {0x1p-600, 0}, {-0x1p-600, 0}, {-0.0, 0}).within);
  CHECK_FALSE(judge(operation::mul, {0x1p-600, 0}, {-0x1p-600, 0}, {0.0, 0}).within);
  CHECK(judge(operation::sqrt, {-1, 0}, one, {NAN, 0}).within);
  CHECK(judge(operation::sqrt, {-0.0, 0}, one, {-0.0, 0}).within);
}

TEST_CASE("a study finds a bad algorithm out") {
  const auto sloppy = study(operation::add, bound_of(operation::add), 20000, 3, sloppy_sum, {});
  CHECK_FALSE(sloppy.faults.empty());
  CHECK(sloppy.largest_generated > 1e15);
  const auto accurate = study(operation::add, {3, 0, ""}, 100000, 3, accurate_sum, {});
  CHECK(accurate.largest_generated > 2.4);
}

TEST_CASE("the reference keeps its bounds on random, boundary and adversarial operands") {
  const auto kept = read_hard_cases(hard + "df64.txt");
  std::vector<study_result> results;
  for (const operation op : all_operations) {
    results.push_back(study(op, bound_of(op), 100000, 2, reference_df64, kept));
    const study_result& r = results.back();
    CAPTURE(std::string(to_string(op)), r.faults);
    CHECK(r.faults.empty());
    CHECK(r.largest_generated > expected_strength(op).short_run);
    CHECK(r.largest_kept > expected_strength(op).long_run);
  }
  std::printf("%s", table(results).c_str());
}

TEST_CASE("faults reported of other implementations do not happen") {
  const auto cases = read_hard_cases(hard + "reported_faults.txt");
  CHECK(cases.size() >= 20);
  for (const hard_case& c : cases) {
    const pair z = reference_df64(c.op, c.x, c.y);
    CAPTURE(c.line, to_hex(z));
    CHECK(judge(c.op, c.x, c.y, z).within);
    REQUIRE(c.expected.has_value());
    if (std::isnan(c.expected->hi)) {
      CHECK(std::isnan(z.hi));
      CHECK(z.lo == 0);
    } else {
      CHECK(to_hex(z) == to_hex(*c.expected));
    }
  }
}

TEST_CASE("a hard case that cannot be read is an error") {
  CHECK_THROWS(read_hard_cases(hard + "no such file"));
  CHECK_THROWS(read_hard_cases(PLUMBLINE_SOURCE_DIR "/conformance/oracle/CMakeLists.txt"));
}
