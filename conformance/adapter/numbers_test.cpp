// The numeric vectors: the reference answers them, and answers that lose digits do not pass. Wrong
// answers are made of right ones (a dropped lo, a last bit) and by controls: the same algorithms in
// double, bf16 rounded at every step, the solve of the QR adjoint with R in place of its transpose.
#include "conformance/adapter/numbers.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "conformance/adapter/adapter.h"
#include "conformance/adapter/number_atoms.h"
#include "conformance/runner/case.h"
#include "conformance/vectors/numeric.h"
#include "reference/algorithms/einsum.h"
#include "reference/algorithms/qr_derivatives.h"

using namespace plumbline;
using adapter::parse_tensor;
using adapter::tensor_text;

namespace {

const std::vector<vectors::vector>& numeric_vectors() {
  static const auto all = [] {
    std::vector<vectors::vector> out;
    for (auto& v : runner::load_folder(PLUMBLINE_SOURCE_DIR "/corpus/vectors"))
      if (v.is_numeric()) out.push_back(std::move(v));
    return out;
  }();
  return all;
}

// Whether the vector takes this reply ("ok ..", "error KIND ..").
bool passes(const vectors::vector& v, const std::string& reply) {
  if (!v.expect.error.empty()) return reply.starts_with("error " + v.expect.error + ' ');
  if (!reply.starts_with("ok ")) return false;
  return numeric::judge_answer(v.op, v.ask, vectors::bound_in(v.expect), reply.substr(3)).right;
}

std::string reference_reply(const vectors::vector& v) {
  return adapter::numeric_reply(v.op, v.ask);
}

// Every df64 of the reply without its low part.
std::string without_lo(std::string reply) {
  for (std::size_t colon = reply.find(':'); colon != std::string::npos;
       colon = reply.find(':', colon + 1))
    reply.replace(colon + 1, 16, "0000000000000000");
  return reply;
}

// The last bit of the first number's hi, or of its only part, turned.
std::string with_last_bit(std::string reply) {
  const std::size_t values = reply.find('=') == std::string::npos ? 3 : reply.find('=') + 1;
  std::size_t end = reply.find_first_of(":, ", values);
  if (end == std::string::npos) end = reply.size();
  if (end <= values || reply[end - 1] == '-') return reply;
  char& digit = reply[end - 1];
  const int value = digit <= '9' ? digit - '0' : digit - 'a' + 10;
  digit = "0123456789abcdef"[value ^ 1];
  return reply;
}

bool is_exceptional(const vectors::vector& v) {
  const std::string& e = v.expect.value;
  return !v.expect.error.empty() || e.contains("nan") || e.contains("inf") || e == "-" ||
         e == "- -";
}

template <class T>
std::vector<std::string_view> words_of(const T& text) {
  std::vector<std::string_view> out;
  std::string_view rest = text;
  while (!rest.empty()) out.push_back(adapter::take_word(rest));
  return out;
}

tensor<double> heads(std::string_view text) {
  const auto x = parse_tensor<df64>(text);
  tensor<double> out(x.shape);
  for (std::size_t i = 0; i < out.values.size(); ++i) out.values[i] = x.values[i].hi;
  return out;
}
std::string widened(const tensor<double>& x) {
  tensor<df64> out(x.shape);
  for (std::size_t i = 0; i < out.values.size(); ++i) out.values[i] = x.values[i];
  return tensor_text(out);
}

// The same operations in double; empty where there is no such control.
std::string double_reply(const vectors::vector& v) {
  const auto w = words_of(v.ask);
  if (v.op.starts_with("df64.") && v.op != "df64.parse" && v.op != "df64.compare") {
    const double x = adapter::parse_number<df64>(w[0]).hi;
    const bool mixed = v.op.ends_with("_f64");
    const double y = w.size() < 2 ? 0
                     : mixed      ? adapter::parse_number<double>(w[1])
                                  : adapter::parse_number<df64>(w[1]).hi;
    const std::string op = v.op.substr(5, mixed ? v.op.size() - 9 : std::string::npos);
    const double z = op == "add"   ? x + y
                     : op == "sub" ? x - y
                     : op == "mul" ? x * y
                     : op == "div" ? x / y
                     : op == "neg" ? -x
                     : op == "abs" ? std::fabs(x)
                                   : std::sqrt(x);
    return "ok " + adapter::number_text(df64(z));
  }
  if (v.op == "sum" && w[0].starts_with("df64")) {
    const auto x = heads(w[0]);
    return "ok " + widened({{}, {sum(std::span<const double>(x.values))}});
  }
  if (v.op == "qr" && w[0].starts_with("df64")) {
    const auto f = qr(heads(w[0]));
    return f ? "ok " + widened(f->q) + ' ' + widened(f->r) : "error argument -";
  }
  if (v.op == "qr_vjp" && w[2] != "-" && w[3] != "-") {
    const auto g = qr_vjp(qr_factors<double>{heads(w[0]), heads(w[1])}, {heads(w[2]), heads(w[3])});
    return g && *g ? "ok " + widened(**g) : "error argument -";
  }
  if (v.op == "einsum" && w[1].starts_with("df64")) {
    const auto pattern = parse_einsum_pattern(w[0]);
    std::vector<tensor<double>> x;
    for (std::size_t i = 1; i < w.size(); ++i) {
      if (!w[i].starts_with("df64")) return "";
      x.push_back(heads(w[i]));
    }
    const auto z =
        pattern ? einsum(*pattern, x) : result<tensor<double>>(std::unexpected(pattern.error()));
    return z ? "ok " + widened(*z) : "error argument -";
  }
  return "";
}

// R as a whole tensor: X R = B where X R^T = B is asked for.
std::string gradient_by_the_wrong_solve(const vectors::vector& v, const std::string& reply) {
  const auto w = words_of(v.ask);
  const tensor<df64> r = parse_tensor<df64>(w[1]);
  const tensor<df64> right = parse_tensor<df64>(std::string_view(reply).substr(3));
  const auto b = einsum(parse_einsum_pattern("ik,jk->ij").value(), std::vector{right, r}).value();
  tensor<df64> x(b.shape);
  for (std::size_t j = 0; j < r.rows(); ++j) {
    for (std::size_t i = 0; i < b.rows(); ++i) {
      df64 value = b(i, j);
      for (std::size_t k = 0; k < j; ++k) value = value - x(i, k) * r(k, j);
      x(i, j) = value / r(j, j);
    }
  }
  return "ok " + tensor_text(x);
}

}  // namespace

TEST_CASE("the reference answers every numeric question of the suite") {
  std::set<std::string> asked;
  for (const vectors::vector& v : numeric_vectors()) {
    const std::string reply = reference_reply(v);
    INFO(v.id << ' ' << v.op << ' ' << v.ask.substr(0, 200) << " -> " << reply.substr(0, 200));
    CHECK(passes(v, reply));
    asked.insert(v.op);
  }
  CHECK(numeric_vectors().size() >= 500);
  CHECK(asked.size() == adapter::numeric_operations().size());
}

TEST_CASE("an answer without its low parts does not pass") {
  std::size_t changed = 0, passed = 0;
  std::set<std::string> caught;
  for (const vectors::vector& v : numeric_vectors()) {
    const std::string reply = reference_reply(v);
    if (without_lo(reply) == reply || !v.expect.error.empty()) continue;
    ++changed;
    const bool still = passes(v, without_lo(reply));
    INFO(v.id << ' ' << v.op << ' ' << reply.substr(0, 200));
    // A low part that lies within the bound: 1 + 2^-200, an underflowing product, a derivative.
    if (still) ++passed;
    if (!still) caught.insert(v.op);
  }
  CHECK(changed > 140);
  CHECK(passed <= 12);
  for (const char* op :
       {"df64.add",     "df64.sub",     "df64.mul",     "df64.div",     "df64.sqrt",
        "df64.add_f64", "df64.sub_f64", "df64.mul_f64", "df64.div_f64", "df64.neg",
        "df64.abs",     "df64.parse",   "sum",          "dot",          "qr",
        "qr_jvp",       "qr_vjp",       "einsum",       "einsum_jvp",   "einsum_vjp"}) {
    INFO(op);
    CHECK(caught.contains(op));
  }
}

TEST_CASE("an answer that is off in the last bit of a double, or of a bf16, does not pass") {
  std::size_t passed = 0, changed = 0;
  for (const vectors::vector& v : numeric_vectors()) {
    if (is_exceptional(v) || v.op.ends_with(".compare")) continue;
    const std::string reply = reference_reply(v), wrong = with_last_bit(reply);
    if (wrong == reply) continue;
    ++changed;
    INFO(v.id << ' ' << v.op << ' ' << wrong.substr(0, 200));
    if (passes(v, wrong)) ++passed;
  }
  CHECK(changed > 300);
  CHECK(passed <= 16);  // underflows, and sums that are small beside their terms
}

TEST_CASE("the control in double does not pass where double is not enough") {
  std::map<std::string, std::size_t> asked, failed;
  for (const vectors::vector& v : numeric_vectors()) {
    const std::string reply = double_reply(v);
    if (reply.empty() || is_exceptional(v)) continue;
    ++asked[v.op];
    if (!passes(v, reply)) ++failed[v.op];
  }
  for (const char* op :
       {"df64.add", "df64.sub", "df64.mul", "df64.div", "df64.sqrt", "df64.add_f64", "df64.sub_f64",
        "df64.mul_f64", "df64.div_f64", "sum", "qr", "qr_vjp", "einsum"}) {
    INFO(op << ": " << failed[op] << " of " << asked[op]);
    CHECK(failed[op] >= 3);
  }
}

TEST_CASE("what faults of others answer does not pass: NaN for inf, one rounding a step, X R = B") {
  const auto find = [](const std::string& id) -> const vectors::vector& {
    for (const vectors::vector& v : numeric_vectors())
      if (v.id == id) return v;
    throw std::runtime_error("no vector " + id);
  };
  const std::string nan = "ok 7ff8000000000000:7ff8000000000000";
  for (const char* id : {"DFA-08/a", "DFA-08/b", "DFA-10/a", "DFA-10/c"}) {
    INFO(id);
    CHECK(passes(find(id), reference_reply(find(id))));
    CHECK_FALSE(passes(find(id), nan));
  }
  CHECK_FALSE(passes(find("CNV-04/a"), "ok bf16[4]=0x7f80,0xff80,0x7f80,0x7fc0"));  // NaN made inf
  CHECK_FALSE(passes(find("SUM-02/a"), "ok bf16[]=0x4380"));                        // 256
  CHECK_FALSE(passes(find("EIN-11/a"), "ok bf16[1,1]=0x4380"));

  std::size_t square = 0;
  for (const vectors::vector& v : numeric_vectors()) {
    if (v.op != "qr_vjp" || is_exceptional(v)) continue;
    const std::string reply = reference_reply(v), wrong = gradient_by_the_wrong_solve(v, reply);
    const bool one_column = parse_tensor<df64>(words_of(v.ask)[1]).rows() == 1;
    INFO(v.id << ' ' << wrong);
    CHECK(passes(v, wrong) == one_column);
    square += one_column ? 0 : 1;
  }
  CHECK(square >= 15);
}

TEST_CASE("a dependent column that is accepted does not pass") {
  for (const vectors::vector& v : numeric_vectors()) {
    if (v.clause != "QRF-04" || v.expect.error.empty()) continue;
    CHECK_FALSE(passes(v, "ok df64[2,2]=- df64[2,2]=-"));
    CHECK(passes(v, reference_reply(v)));
  }
}

TEST_CASE("numeric requests that cannot be read, or ask for too much, are answered") {
  const auto reply = [](const std::string& request) {
    const std::string whole = adapter::reply_to("5 " + request);
    return whole.substr(2, whole.find(' ', whole.find(' ', 2) + 1) - 2);
  };
  for (const char* request : {"df64.add",
                              "df64.add 1 2",
                              "df64.add 3ff0000000000000:0 3ff0000000000000:0000000000000000",
                              "df64.sqrt 0x3ff0000000000000",
                              "bf16.add 0x3f80",
                              "bf16.add 0x3f8 0x3f80",
                              "sum",
                              "sum -",
                              "sum df64[2]=-",
                              "sum df64[1]=0x3f80",
                              "sum bf16[1]=0x3f80 bf16[1]=0x3f80",
                              "qr -",
                              "qr x",
                              "qr_jvp df64[1,1]=- - -",
                              "einsum",
                              "einsum i->i",
                              "einsum_jvp i->i - -",
                              "einsum_vjp i->i -",
                              "convert df64",
                              "convert df64 x",
                              "sum df64[99999999999999999999]=-",
                              "df64.parse",
                              "sum df64[-1]=-"}) {
    INFO(request);
    CHECK(reply(request).starts_with("error request"));
  }
  CHECK(reply("einsum ij->j df64[0,1152921504606846976]=-") == "error large");
  CHECK(reply("einsum_vjp ij->j - df64[0,1152921504606846976]=-") == "error large");
  // 800 x 800: fewer products than are too many, and an answer of more than 4 MiB
  std::string line = "df64[800]=0000000000000000:0000000000000000";
  for (int i = 1; i < 800; ++i) line += ",0000000000000000:0000000000000000";
  CHECK(reply("einsum i,j->ij " + line + ' ' + line) == "error large");
  CHECK(reply("einsum_jvp i,j->ij - - " + line + ' ' + line) == "ok -");
  CHECK(reply("einsum ij,kl->ijkl df64[0,18446744073709551615]=- df64[0,2]=-") == "error large");
  CHECK(reply("qr df64[0,18446744073709551615]=-") == "error argument");
  CHECK(reply("sum f64[1]=0x3ff0000000000000") == "error type");
  for (const char* pair :
       {"3ff0000000000000:3ff0000000000000", "0000000000000000:3ff0000000000000",
        "3ff0000000000000:3ca8000000000000", "3ff0000000000000:8000000000000000",
        "7ff0000000000000:3ff0000000000000", "7ff8000000000000:7ff8000000000000",
        "7ff0000000000000:8000000000000000", "3ff0000000000000:7ff8000000000000"}) {
    INFO(pair);
    const std::string x = pair, one = "3ff0000000000000:0000000000000000", t = "df64[1,1]=" + x,
                      unit = "df64[1,1]=" + one;
    for (const std::string& request :
         {"df64.abs " + x, "df64.neg " + x, "df64.sqrt " + x, "df64.compare " + x + ' ' + one,
          "df64.compare " + one + ' ' + x, "df64.add " + one + ' ' + x, "df64.div " + x + ' ' + one,
          "df64.mul_f64 " + x + " 0x3ff0000000000000", "sum " + t, "dot " + unit + ' ' + t,
          "qr " + t, "qr_jvp " + t + ' ' + unit + " -", "qr_jvp " + unit + ' ' + unit + ' ' + t,
          "qr_vjp " + unit + ' ' + unit + " - " + t, "einsum ij->i " + t,
          "einsum_jvp ij->i " + t + ' ' + unit, "einsum_vjp ij->ji " + t + ' ' + unit,
          "einsum_vjp ij->ji - " + t}) {
      INFO(request);
      CHECK(reply(request) == "error argument");
    }
    CHECK(reply("convert f64 " + t).starts_with("ok f64"));
  }
  CHECK(adapter::reply_to("5 df64.parse nonsense").starts_with("5 error argument "));
  CHECK(adapter::reply_to("5 df64.parse 1e999999999999999999").starts_with("5 "));
}
