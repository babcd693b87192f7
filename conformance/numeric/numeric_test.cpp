// Atoms, exact answers and the judge, on cases known by hand; wrong answers must fail.
#include <catch2/catch.hpp>

#include "conformance/numeric/judge.h"

using namespace plumbline::numeric;

namespace {

answer_bound answer_to(const std::string& op, const std::string& text) {
  return exact_answer(op, canonical_question(op, text));
}
judgement judged(const std::string& op, const std::string& text, const std::string& reply) {
  const std::string question = canonical_question(op, text);
  return judge_answer(op, question, exact_answer(op, question), reply);
}
std::string df64(const std::string& text) { return atom_of(scalar::df64, text); }

}  // namespace

TEST_CASE("atoms from what people write") {
  CHECK(df64("1") == "3ff0000000000000:0000000000000000");
  CHECK(df64("1:0x1p-80") == "3ff0000000000000:3af0000000000000");
  CHECK(df64("-0x1.8p0:-5e-324") == "bff8000000000000:8000000000000001");
  CHECK(df64("3ff0000000000000:8000000000000000") == "3ff0000000000000:8000000000000000");
  CHECK(df64("inf:nan") == "7ff0000000000000:7ff8000000000000");
  CHECK(atom_of(scalar::bf16, "1.5") == "0x3fc0");
  CHECK(atom_of(scalar::bf16, "0x7f81") == "0x7f81");
  CHECK(atom_of(scalar::f32, "0x1p-126") == "0x00800000");
  CHECK(tensor_atom_of("bf16[2]=1,-2") == "bf16[2]=0x3f80,0xc000");
  CHECK(tensor_atom_of("f64[]=0.1") == "f64[]=0x3fb999999999999a");
  CHECK(tensor_atom_of("df64[0,3]=-") == "df64[0,3]=-");
  for (const char* wrong : {"", "1x", "0x12", "1:2:3", "--1", "3ff000000000000g"})
    CHECK_THROWS_AS(df64(wrong), atom_error);
  CHECK_THROWS_AS(atom_of(scalar::bf16, "0.1"), atom_error);
  for (const char* wrong : {"df64[2]=1", "df64[]=", "df65[1]=1", "df64[1]1", "df64[x]=1",
                            "df64[1]=", "df64[99999999999]=1"})
    CHECK_THROWS_AS(tensor_atom_of(wrong), atom_error);
  CHECK_THROWS_AS(read_tensor("df64[1]=1"), atom_error);  // no bits
}

TEST_CASE("real numbers as text and back") {
  CHECK(real_text(read_real("0x1.8p3")) == "0xcp0");
  CHECK(real_text(read_real("-0x1p-1074")) == "-0x4p-1076");
  for (const char* text : {"0xf.8p-12", "-0x1p0", "0", "-0", "0x1.00000000000000000001p400"})
    CHECK(real_text(read_real(text), true) == text);
  CHECK_THROWS_AS(read_real("1x"), atom_error);
  CHECK_THROWS_AS(read_real("inf"), atom_error);
}

TEST_CASE("exact answers known by hand") {
  CHECK(answer_to("df64.add", "1 0x1p-80").value == "0x1.00000000000000000001p0");
  CHECK(answer_to("df64.div", "1 0").value == "inf");
  CHECK(answer_to("df64.mul", "0 inf").value == "nan");
  CHECK(answer_to("df64.sub", "1 1").value == "0");
  CHECK(answer_to("df64.mul", "0x1p-700 -0x1p-700").value == "-0x1p-1400");
  CHECK(answer_to("df64.sqrt", "-0").value == "-0");
  CHECK(answer_to("df64.neg", "0").value == "-0");
  CHECK(answer_to("df64.abs", "-1:0x1p-80").value == "0xf." + std::string(19, 'f') + "p-4");
  CHECK(answer_to("df64.compare", "1:0x1p-80 1").value == "greater");
  CHECK(answer_to("df64.compare", "nan 1").value == "unordered");
  CHECK(answer_to("df64.parse", "1e999").value == "inf");
  CHECK(answer_to("df64.parse", "-1e99999999999").value == "-inf");
  CHECK(answer_to("df64.parse", "1e-99999999999").value == "0");
  CHECK(answer_to("df64.parse", "1e-2+1e-3").value ==
        real_text(read_real("0x1.47ae147ae147bp-7") + read_real("0x1.0624dd2f1a9fcp-10"), true));
  for (const char* wrong : {"1e0-0x", "1+", "1.2.3", "e5", ".", "1--2", "1+2+3", "1e", "inf+0"})
    CHECK_THROWS_AS(answer_to("df64.parse", wrong), atom_error);
  CHECK(answer_to("bf16.add", "1 0.0078125").value == "0x1.02p0");
  CHECK(answer_to("convert", "bf16 f32[2]=0x3f808000,0x7f800001").value == "bf16[2]=0x1p0,nan");
  CHECK(answer_to("convert", "f64 df64[1]=1:0x1p-53").value == "f64[1]=0x1p0");
  CHECK(answer_to("sum", "bf16[3]=1,2,3").value == "bf16[]=0x6p0");
  CHECK(answer_to("einsum", "ik,kj->ij df64[2,2]=1,2,3,4 df64[2,2]=5,6,7,8").value ==
        "df64[2,2]=0x1.3p4,0x1.6p4,0x2.bp4,0x3.2p4");
  CHECK(answer_to("einsum_vjp", "ii->i df64[2]=5,7 df64[2,2]=1,2,3,4").value ==
        "df64[2,2]=0x5p0,0,0,0x7p0");
  CHECK(answer_to("einsum_vjp", "ij->i - df64[1,1]=1").value == "-");
  CHECK(answer_to("einsum_jvp", "i,i-> - - df64[1]=1 df64[1]=2").value == "-");
  CHECK(answer_to("qr_vjp", "df64[2,1]=0.6,0.8 df64[1,1]=5 - -").value == "-");
  CHECK(canonical_question("qr_vjp", "of df64[2,1]=3,4 - df64[1,1]=10")
            .starts_with("df64[2,1]=3fe3333333333333:3c7"));
  for (const char* wrong : {"", "df64[1]=1", "df64[1]=1 df64[1]=1 df64[1]=1"})
    CHECK_THROWS_AS(answer_to("dot", wrong), atom_error);
  CHECK_THROWS_AS(answer_to("convert", "df64 f32[1]=1"), atom_error);
  CHECK_THROWS_AS(answer_to("df64.add", "1:1 1"), atom_error);  // not canonical
}

TEST_CASE("a right answer is right, whatever its bits, and one that loses digits is wrong") {
  const std::string third = "3fd5555555555555:3c75555555555555";
  CHECK(judged("df64.div", "1 3", third).right);
  CHECK(judged("df64.div", "1 3", third).unit == "u^2");
  CHECK(judged("df64.div", "1 3", third).error.value() < 0.5);
  CHECK(judged("df64.div", "1 3", "3fd5555555555555:3c75555555555560").error.value() > 0.5);
  CHECK(judged("df64.div", "1 3", "3fd5555555555555:3c75555555555560").right);
  CHECK_FALSE(judged("df64.div", "1 3", "3fd5555555555555:0000000000000000").right);  // lo dropped
  CHECK_FALSE(judged("df64.div", "1 3", "3fd5555555555555:bc75555555555555").right);  // lo's sign
  CHECK_FALSE(judged("df64.div", "1 3", "3fd5555555555555:3fd5555555555555").right);  // no pair
  CHECK_FALSE(judged("df64.div", "1 3", "nonsense").right);
  CHECK_FALSE(judged("df64.div", "1 3", "").right);

  CHECK(judged("df64.mul", "inf 1", df64("inf")).right);
  CHECK_FALSE(judged("df64.mul", "inf 1", df64("nan")).right);
  CHECK_FALSE(judged("df64.mul", "inf 1", df64("inf:nan")).right);
  CHECK_FALSE(judged("df64.mul", "inf 1", df64("-inf")).right);
  CHECK(judged("df64.sub", "inf inf", df64("nan:nan")).right);
  CHECK_FALSE(judged("df64.sub", "1 1", df64("-0")).right);
  CHECK(judged("df64.mul", "0x1p1023 2", df64("inf")).right);
  CHECK_FALSE(judged("df64.mul", "0x1p1023 1", df64("inf")).right);
  CHECK(judged("df64.mul", "0x1p-700 -0x1p-700", df64("-0")).right);
  CHECK_FALSE(judged("df64.mul", "0x1p-700 -0x1p-700", df64("0")).right);
  CHECK_FALSE(judged("df64.compare", "1 2", "greater").right);
}

TEST_CASE("bf16 answers: the nearest, and one rounding of a wide sum") {
  CHECK(judged("bf16.add", "1 0x3b80", "0x3f80").right);  // 1 + 2^-8, a tie to even
  CHECK_FALSE(judged("bf16.add", "1 0x3b80", "0x3f81").right);
  CHECK(judged("bf16.add", "1 0x3b80", "0x3f80").error.value() == 0.5);
  CHECK(judged("convert", "bf16 f32[1]=0x7f7fffff", "bf16[1]=0x7f80").right);
  CHECK_FALSE(judged("convert", "bf16 f32[1]=0x7f7fffff", "bf16[1]=0x7f7f").right);
  CHECK(judged("convert", "bf16 f32[1]=0x7f800001", "bf16[1]=0x7fc0").right);
  CHECK_FALSE(judged("convert", "bf16 f32[1]=0x7f800001", "bf16[1]=0x7f80").right);
  std::string ones = "bf16[300]=1";
  for (int i = 1; i < 300; ++i) ones += ",1";
  CHECK(judged("sum", ones, "bf16[]=0x4396").right);        // 300
  CHECK_FALSE(judged("sum", ones, "bf16[]=0x4380").right);  // 256, rounded at every step
  CHECK_FALSE(judged("sum", ones, "bf16[1]=0x4396").right);
  CHECK_FALSE(judged("sum", ones, "df64[]=4072c00000000000:0000000000000000").right);
}

TEST_CASE("a factorisation is judged by what it must be") {
  const std::string a = "df64[2,1]=3,4", r = "df64[1,1]=4014000000000000:0000000000000000";
  const std::string q =
      "df64[2,1]=3fe3333333333333:3c7999999999999a,3fe999999999999a:bc8999999999999a";
  CHECK(judged("qr", a, q + ' ' + r).right);
  CHECK(judged("qr", a, q + ' ' + r).error.value() < 2);
  const std::string dropped = tensor_atom_of("df64[2,1]=0.6,0.8");
  CHECK_FALSE(judged("qr", a, dropped + ' ' + r).right);
  const std::string other_sign = tensor_atom_of(
      "df64[2,1]=bfe3333333333333:bc7999999999999a,bfe999999999999a:3c8999999999999a");
  CHECK_FALSE(judged("qr", a, other_sign + ' ' + tensor_atom_of("df64[1,1]=-5")).right);
  CHECK_FALSE(judged("qr", a, q).right);
  CHECK_FALSE(judged("qr", a, r + ' ' + q).right);
  CHECK_FALSE(judged("qr", a, q + ' ' + tensor_atom_of("df64[1,1]=nan")).right);
  const std::string identity = tensor_atom_of("df64[2,2]=1,0,0,1");
  CHECK(judged("qr", "df64[2,2]=1,0,0,1", identity + ' ' + identity).right);
  CHECK_FALSE(
      judged("qr", "df64[2,2]=1,0,0,1", identity + ' ' + tensor_atom_of("df64[2,2]=1,0,0x1p-400,1"))
          .right);
}

TEST_CASE("derivatives: an absent one is no zero, and the values of the closed form") {
  const std::string vjp = "of df64[2,1]=3,4 - df64[1,1]=10";
  CHECK(judged("qr_vjp", vjp, tensor_atom_of("df64[2,1]=6,8")).right);
  CHECK_FALSE(judged("qr_vjp", vjp, tensor_atom_of("df64[2,1]=6,8:0x1p-80")).right);
  CHECK(judged("qr_vjp", "of df64[2,1]=3,4 - -", "-").right);
  CHECK_FALSE(judged("qr_vjp", "of df64[2,1]=3,4 - -", tensor_atom_of("df64[2,1]=0,0")).right);
  CHECK_FALSE(judged("qr_vjp", vjp, "-").right);
  CHECK(judged("einsum_jvp", "i,i-> - - df64[1]=1 df64[1]=2", "-").right);
  CHECK_FALSE(
      judged("einsum_jvp", "i,i-> - - df64[1]=1 df64[1]=2", tensor_atom_of("df64[]=0")).right);
}
