// The reference as an adapter: conformance/PROTOCOL.md, answered line by line.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

namespace plumbline::adapter {

// The reply to one request line, hello included; without the line's end. Any text gets an answer.
std::string reply_to(std::string_view line);

// A conversation: the same, but only its first line can be a hello.
class session {
 public:
  std::string reply_to(std::string_view line);

 private:
  bool is_first_ = true;
};

// The next line, without its end; false at the end of the input. What is beyond the protocol's 1 MiB
// is read and not kept, save for so much that the line is still too long.
bool read_line(std::istream& in, std::string& line);

// Answers until the input ends.
void serve(std::istream& in, std::ostream& out);

}  // namespace plumbline::adapter
