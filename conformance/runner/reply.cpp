// Replies from text.
#include "conformance/runner/reply.h"

#include <algorithm>

#include "conformance/vectors/keys.h"

namespace plumbline::runner {
namespace {

using form = reply::form;

std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

reply unreadable(std::string why) {
  reply r;
  r.rest = std::move(why);
  return r;
}

reply accept(std::string_view rest) {
  reply r;
  r.is = form::accept;
  r.extent = take_word(rest);
  r.rest = take_word(rest);
  if (r.extent != "full" && r.extent != "sized")
    return unreadable("accept is followed by full or sized");
  if (r.rest.empty() || !rest.empty()) return unreadable("accept EXTENT is followed by bytes or -");
  if (r.rest != "-" && !vectors::from_hex(r.rest))
    return unreadable("the bytes of an accept are no hexadecimal digits");
  return r;
}

reply reject(std::string_view rest) {
  reply r;
  r.is = form::reject;
  r.verdict = take_word(rest);
  if (r.verdict != "malformed" && r.verdict != "invalid" && r.verdict != "unsupported" &&
      r.verdict != "refused") {
    return unreadable("reject is followed by malformed, invalid, unsupported or refused");
  }
  r.code = take_word(rest);
  const std::string_view offset = take_word(rest);
  if (r.code.empty() || offset.empty())
    return unreadable("reject VERDICT is followed by CODE and OFFSET, or -");
  if (r.code == "-") r.code.clear();
  if (offset != "-") {
    r.offset = vectors::parse_unsigned(offset);
    if (!r.offset) return unreadable("the offset of a reject is no number");
  }
  while (rest.starts_with("member=") || rest.starts_with("buffer=")) {
    auto& place = rest.starts_with("member=") ? r.member : r.buffer;
    place = vectors::parse_unsigned(take_word(rest).substr(7));
    if (!place) return unreadable("member= and buffer= are followed by a number");
  }
  return r;
}

}  // namespace

reply parse_reply(std::string_view op, std::string_view text) {
  std::string_view rest = text;
  const std::string_view word = take_word(rest);
  const bool judges = op == "decode" || op == "composite" || op == "contents";
  reply r;
  if (word == "accept" && judges) return accept(rest);
  if (word == "reject") return reject(rest);
  if (word == "ok" && !judges) {
    r.is = form::ok;
    r.rest = rest;
    return r;
  }
  if (word == "error") {
    r.is = form::error;
    r.rest = take_word(rest);
    return r.rest.empty() ? unreadable("error is followed by its kind") : r;
  }
  if (word == "skip") {
    r.is = form::skip;
    r.rest = rest.empty() ? "no reason given" : std::string(rest);
    return r;
  }
  return unreadable(judges ? "neither accept, reject, error nor skip"
                           : "neither ok, reject, error nor skip");
}

}  // namespace plumbline::runner
