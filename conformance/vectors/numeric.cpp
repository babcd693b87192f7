// `expect bounded`, `expect bounded N`, `expect exactly VALUE ..`, `expect error KIND`, or a word.
#include "conformance/vectors/numeric.h"

#include <charconv>

#include "conformance/numeric/domain.h"
#include "conformance/vectors/keys.h"

namespace plumbline::vectors {
namespace {

expectation with_bound(const numeric::answer_bound& bound) {
  expectation e;
  e.value = bound.value;
  e.scale = bound.scale;
  e.within = bound.within;
  e.absolute = bound.absolute;
  return e;
}

// The stated answer as a reply would give it.
std::string reply_of(std::string_view op, std::string_view text) {
  std::string out;
  for (const std::string& word : split(text, ' ')) {
    if (word.empty()) continue;
    if (!out.empty()) out += ' ';
    if (word == "-")
      out += word;
    else if (word.contains('['))
      out += numeric::tensor_atom_of(word);
    else
      out += numeric::atom_of(
          op.starts_with("df64.") ? numeric::scalar::df64 : numeric::scalar::bf16, word);
  }
  return out;
}

// The exact arithmetic answers whatever is not refused.
bool has_answer(std::string_view op, std::string_view question) {
  try {
    (void)numeric::exact_answer(op, question);
    return true;
  } catch (const numeric::atom_error&) {
    return false;
  }
}

double positive(std::string_view text) {
  double n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size() || !(n > 0))
    throw value_error("bounded N: a number above zero");
  return n;
}

}  // namespace

std::string numeric_question(std::string_view op, std::string_view text) {
  try {
    return numeric::canonical_question(op, text);
  } catch (const numeric::atom_error& e) {
    throw value_error(e.what());
  }
}

expectation numeric_answer(std::string_view op, std::string_view question, std::string_view text) {
  const std::string word(text.substr(0, text.find(' ')));
  const std::string_view rest = trim(text.substr(word.size()));
  try {
    if (word == "error") {
      if (!numeric::is_refusal(rest)) throw value_error("unknown error: " + std::string(rest));
      if (has_answer(op, question)) throw value_error("the question has an answer");
      numeric::require_asked(op, question);
      expectation e;
      e.error = rest;
      return e;
    }
    numeric::answer_bound bound = numeric::exact_answer(op, question);
    if (word == "bounded") {
      if (!rest.empty()) bound.within = positive(rest);
      return with_bound(bound);
    }
    if (word != "exactly") {  // less, absent
      if (text != (bound.value == "-" || bound.value == "- -" ? "absent" : bound.value))
        throw value_error("the answer is " + bound.value);
      return with_bound(bound);
    }
    if (op == "qr") throw value_error("a factorisation is judged by its bound");
    bound.within = bound.absolute = 0;
    const auto judged = numeric::judge_answer(op, question, bound, reply_of(op, rest));
    if (!judged.right) throw value_error("not the exact answer: " + judged.fault);
    return with_bound(bound);
  } catch (const numeric::atom_error& e) {
    throw value_error(e.what());
  }
}

numeric::answer_bound bound_in(const expectation& e) {
  return {e.value, e.scale, e.within, e.absolute};
}

}  // namespace plumbline::vectors
