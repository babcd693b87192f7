// The same questions to two adapters at once.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "conformance/runner/reply.h"
#include "conformance/runner/session.h"

namespace plumbline::program {

// What an adapter, or the reference, said of one question.
struct said {
  runner::reply r;
  std::string broken;     // the outcome, where there is no reply
  bool was_asked = true;  // false where patience had run out before
  bool is_lacking =
      false;  // refused, or skipped, for want of a part that the adapter declares missing

  std::string words() const;
  bool compares() const;  // an answer, also a broken one
};
said said_of(std::string_view op, const std::string& reply);

struct two_adapters {
  std::vector<std::string> a, b;                                   // commands
  std::chrono::milliseconds timeout{10000}, start_timeout{10000};  // of a reply, of a hello
};

struct two_lists {
  std::vector<said> a, b;  // in the order of the questions
  runner::hello hello_a, hello_b;
  std::string fault;  // why an adapter could not be asked
};
// How many questions each may still leave unanswered, before it is asked no more. Each costs the
// whole time-out.
struct patience {
  std::size_t with_a = 20, with_b = 20;
  bool is_over() const { return with_a == 0 || with_b == 0; }
};

two_lists ask_both(const two_adapters& who, const std::vector<std::string>& questions,
                   patience& left);

}  // namespace plumbline::program
