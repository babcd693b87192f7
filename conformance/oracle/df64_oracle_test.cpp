// The df64 oracle judged by cases whose error is known, then the reference judged by the oracle.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <limits>

#include "conformance/oracle/controls.h"
#include "conformance/oracle/edge_operands.h"
#include "conformance/oracle/kept_errors.h"
#include "conformance/oracle/operands.h"
#include "conformance/oracle/reference_under_study.h"
#include "conformance/oracle/study.h"

using namespace plumbline::oracle;
using plumbline::oracle::control::accurate_sum;
using plumbline::oracle::control::sloppy_sum;

namespace {

constexpr double u = 0x1p-53;
constexpr double inf = std::numeric_limits<double>::infinity();
const std::string hard = PLUMBLINE_SOURCE_DIR "/conformance/oracle/hard/";
const std::string errors = PLUMBLINE_SOURCE_DIR "/conformance/oracle/ERRORS.md";

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

TEST_CASE("the oracle knows the contract at the top of the range") {
  const double top = std::numeric_limits<double>::max(), half_unit = 0x1p970;
  const pair largest{top, 0x1.fffffffffffffp969};  // 2^1024 - 2^970 - 2^917
  const pair infinite{inf, 0};
  const auto sum = [](pair x, double y, pair z) {
    return judge(operation::add, x, {y, 0}, z).within;
  };
  // 2^1024 - 2^970 rounds to inf, whatever the last place of hi below it suggests.
  CHECK(sum({top, 0}, half_unit, infinite));
  CHECK(sum(largest, 0x1p917, infinite));
  CHECK_FALSE(sum({top, 0}, half_unit, {-inf, 0}));
  CHECK_FALSE(sum({top, 0}, half_unit, {NAN, 0}));
  CHECK_FALSE(sum({top, 0}, half_unit, {top, half_unit}));  // no pair: it is not normalised
  CHECK_FALSE(sum({top, 0}, half_unit, {top, 0}));
  // Within the bound of the threshold (2 u^2 of it are 2^919) either answer is right, ...
  CHECK(sum(largest, 0, largest));
  CHECK(sum(largest, 0x1p917, largest));
  CHECK(sum(largest, -0x1p917, infinite));
  // ... beyond that inf is too early or too late.
  CHECK_FALSE(sum(largest, -0x1p920, infinite));
  CHECK_FALSE(sum(largest, 0x1p920, largest));
  CHECK_FALSE(sum({top, 0}, 0x1p969, infinite));
  // The heads alone overflow, the value does not; and an intermediate of TwoSum.
  const pair root{0x1p512, -0x1p458};  // its square is 2^1024 - 2^971 + 2^916
  CHECK_FALSE(judge(operation::mul, root, root, infinite).within);
  CHECK(judge(operation::mul, root, root, {top, 0x1p916}).within);
  CHECK_FALSE(sum({top, 0}, -0x1.8p971, {top, 0}));
  CHECK(sum({top, 0}, -0x1.8p971, {0x1.ffffffffffffep1023, -0x1p970}));

  CHECK(judge(operation::add, largest, {0, 0}, largest).where == region::top);
  CHECK(judge(operation::add, largest, {0x1p917, 0}, infinite).where == region::beyond);
  CHECK(judge(operation::mul, {0x1p-600, 0}, {0x1p-500, 0}, {0, 0}).where == region::bottom);
}

TEST_CASE("operands aimed at the ends of the range find out who does not think of them") {
  // Of each operation the end where the control fails; its error elsewhere is within the bound.
  struct expectation {
    operation op;
    bool top, bottom;
  };
  for (const auto [op, top, bottom] : {expectation{operation::add, true, false},
                                       {operation::sub, true, false},
                                       {operation::mul, true, false},
                                       {operation::div, true, true},
                                       {operation::sqrt, false, true},
                                       {operation::add_double, true, false},
                                       {operation::sub_double, true, false},
                                       {operation::mul_double, true, false},
                                       {operation::div_double, true, true}}) {
    CAPTURE(std::string(to_string(op)));
    operand_source source(11);
    edge_source edges(source);
    const auto faults_of = [&](auto aimed, auto implementation, error_bound bound) {
      int faults = 0;
      for (int i = 0; i < 3000; ++i) {
        auto [x, y] = (edges.*aimed)(op);
        if (op == operation::sqrt && x.hi < 0) x = {-x.hi, -x.lo};
        faults += !judge(op, bound, x, y, implementation(op, x, y)).within;
      }
      return faults;
    };
    const auto control_faults = [&](auto aimed) {
      return faults_of(aimed, control::unscaled, control::unscaled_bound);
    };
    const auto our_faults = [&](auto aimed) {
      return faults_of(aimed, reference_df64, bound_of(op));
    };
    const int at_top = control_faults(&edge_source::near_top);
    const int at_bottom = control_faults(&edge_source::near_bottom);
    CHECK((top ? at_top > 30 : at_top == 0));
    CHECK((bottom ? at_bottom > 30 : at_bottom == 0));
    CHECK(our_faults(&edge_source::near_top) == 0);
    CHECK(our_faults(&edge_source::near_bottom) == 0);

    // Away from the ends the control is as good as its bound.
    int faults = 0;
    for (int i = 0; i < 1000; ++i) {
      const pair x = source.near_power(source.between(0, 1)), y = source.near_power(0);
      const pair positive = x.hi < 0 ? pair{-x.hi, -x.lo} : x;
      faults += !judge(op, control::unscaled_bound, positive, y, control::unscaled(op, positive, y))
                     .within;
    }
    CHECK(faults == 0);
  }
}

TEST_CASE("a study finds a bad algorithm out") {
  const auto sloppy = study(operation::add, bound_of(operation::add), 20000, 3, sloppy_sum, {});
  CHECK_FALSE(sloppy.faults.empty());
  CHECK(sloppy.largest_generated > 1e15);
}

TEST_CASE("the reference keeps its bounds on random, boundary and adversarial operands") {
  const auto results = study_reference(100000, 2, false, read_hard_cases(hard + "df64.txt"));
  for (const study_result& r : results) {
    CAPTURE(std::string(to_string(r.op)), std::string(r.bound.source), r.faults);
    CHECK(r.faults.empty());
    CHECK(r.largest_generated > r.floor);
    CHECK(r.largest_kept > r.floor);
    const bool has_edges = r.op != operation::sqrt;  // no root lies at an end of the range
    CHECK((r.top > 1000) == has_edges);
    CHECK((r.beyond > 1000) == has_edges);
    CHECK((r.bottom > 1000) == has_edges);
  }
  // The table that is kept is this one; a new one is to be put there when the generator changes.
  const std::string found = table(results);
  std::printf("%s", found.c_str());
  CHECK(found == kept_table(errors, "## A hundred thousand operands an operation"));
}

TEST_CASE("the kept table of the long run is of this reference and reaches what is known") {
  const auto rows = read_rows(kept_table(errors, "## Ten million operands an operation"));
  REQUIRE(rows.size() == all_operations.size() + 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const kept_row& row = rows[i];
    const bool compared = i == all_operations.size();
    const operation op = compared ? operation::add : all_operations[i];
    const error_bound bound = compared ? control::accurate_bound : bound_of(op);
    CAPTURE(std::string(to_string(op)), row.of);
    CHECK(row.op == op);
    CHECK(row.of == bound.source);
    CHECK(std::fabs(row.proven - bound.relative) < 1e-3);
    CHECK(row.floor == (compared ? 2.4 : expected_strength(op).long_run));
    CHECK(row.operands >= 10'000'000);
    CHECK(row.largest >= row.floor);
    CHECK(row.largest <= bound.relative + 1e-4);
    // The worst operands still err as much as the table says.
    const pair z =
        compared ? control::accurate_sum(op, row.x, row.y) : reference_df64(op, row.x, row.y);
    const verdict v = judge(op, bound, row.x, row.y, z);
    CHECK(v.within);
    REQUIRE(v.error.has_value());
    CHECK(std::fabs(*v.error - row.largest) <= 0.5001e-4);
  }
}

TEST_CASE("a table of errors that cannot be read is an error") {
  CHECK(kept_table(hard + "no such file", "## x").empty());
  CHECK_THROWS(read_rows("heading\nrule\n| add | 1 |\n"));
  CHECK_THROWS(read_rows("heading\nrule\n|\n"));
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
