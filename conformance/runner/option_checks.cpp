#include "conformance/runner/option_checks.h"

#include <charconv>
#include <cstdint>

namespace plumbline::runner {
namespace {

// The whole text as a number, without a sign.
template <typename Number>
bool parse(const std::string& text, Number& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

}  // namespace

CLI::Validator is_seconds() {
  return CLI::Validator(
      [](std::string& text) {
        double value = 0;
        const bool fits = parse(text, value) && value >= 0.001 && value <= 86400;
        return fits ? "" : "\"" + text + "\" is no number of seconds from 0.001 to 86400";
      },
      "SECONDS");
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<long long>(seconds * 1000));
}

CLI::Validator is_whole_number() {
  return CLI::Validator(
      [](std::string& text) {
        std::uint64_t value = 0;
        return parse(text, value) ? "" : "\"" + text + "\" is no whole number from 0 to 2^64 - 1";
      },
      "NUMBER");
}

CLI::Validator is_named() {
  return CLI::Validator([](std::string& text) { return text.empty() ? "names nothing" : ""; },
                        "NAME");
}

CLI::Validator is_output() {
  return CLI::Validator(
      [](std::string& text) {
        return text.empty()  ? "names nothing"
               : text == "-" ? "takes a file; standard output is /dev/stdout"
                             : "";
      },
      "FILE");
}

}  // namespace plumbline::runner
