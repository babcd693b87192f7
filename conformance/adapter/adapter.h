// The reference as an adapter: conformance/PROTOCOL.md, answered line by line.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

namespace plumbline::adapter {

// The reply to one request line, hello included; without the line's end. Any text gets an answer.
std::string reply_to(std::string_view line);

// Answers until the input ends. Lines beyond the protocol's 1 MiB are answered and not kept.
void serve(std::istream& in, std::ostream& out);

}  // namespace plumbline::adapter
