// What a reply says: conformance/PROTOCOL.md, Replies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plumbline::runner {

struct reply {
  enum class form { accept, reject, ok, error, skip, unreadable };
  form is = form::unreadable;
  std::string extent;                   // accept: full, sized
  std::string verdict;                  // reject: malformed, invalid, unsupported, refused
  std::string code;                     // reject: the clause; empty for -
  std::optional<std::uint64_t> offset;  // reject
  std::optional<std::uint64_t> member, buffer;
  std::string
      rest;  // accept: bytes; ok: the value; error: the kind; skip: why; unreadable: what is wrong
};

// `text` is what follows the id.
reply parse_reply(std::string_view op, std::string_view text);

}  // namespace plumbline::runner
