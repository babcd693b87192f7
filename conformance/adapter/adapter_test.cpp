// The reference's adapter: every operation once, and any line at all.
#include "conformance/adapter/adapter.h"

#include <catch2/catch.hpp>
#include <random>
#include <regex>
#include <sstream>

#include "conformance/runner/case.h"

using plumbline::adapter::reply_to;
namespace runner = plumbline::runner;
namespace vectors = plumbline::vectors;

namespace {

// metadata.md, Worked Example: float32 [3, 4], row-major.
const std::string worked_example =
    "4852525901003d00000000000000030102000000030000000000000004000000000000000000000000000000013000"
    "0000000000004000000000000000";

const std::vector<std::string>& corpus_requests() {
  static const auto requests = [] {
    static const auto all = runner::load_folder(PLUMBLINE_SOURCE_DIR "/corpus/vectors");
    std::vector<std::string> out;
    for (const auto& c : runner::cases_of(all, runner::parse_profile("validator")))
      out.push_back(runner::request_of(c));
    return out;
  }();
  return requests;
}

// One line, printable, that answers this id in one of the protocol's forms.
bool is_reply(const std::string& reply, const std::string& id) {
  if (!reply.starts_with(id + ' ')) return false;
  for (const char c : reply) {
    if (c < 0x20 || c > 0x7e) return false;
  }
  const std::string_view rest = std::string_view(reply).substr(id.size() + 1);
  for (const char* word : {"accept full ", "accept sized ", "reject malformed ", "reject invalid ",
                           "reject unsupported ", "ok ", "error ", "skip "}) {
    if (rest.starts_with(word)) return true;
  }
  return rest == "ok";
}

}  // namespace

TEST_CASE("every operation answers") {
  CHECK(reply_to("hello plumbline 1").starts_with("hello plumbline 1 name=plumbline-reference "));
  CHECK(reply_to("7 decode strict " + worked_example) == "7 accept full " + worked_example);
  CHECK(reply_to("7 decode strict 4852").starts_with("7 reject malformed HDR-09 0 "));
  CHECK(reply_to("7 fields strict " + worked_example)
            .starts_with("7 ok version_major=1 version_minor=0 "));
  CHECK(reply_to("7 fields strict " + worked_example).find(" shape=3,4 ") != std::string::npos);
  CHECK(reply_to("7 encode type_tag=3 shape=3,4 buffer.0.byte_size=48") ==
        "7 ok " + worked_example);
  CHECK(reply_to("7 encode type_tag=3 shape=3,4 buffer.0.byte_size=47")
            .starts_with("7 reject invalid ELT-08 45 "));
  CHECK(reply_to("7 size " + worked_example) == "7 ok 48");
  CHECK(reply_to("7 address " + worked_example + " 1,2") == "7 ok 0 24 0");
  CHECK(reply_to("7 address " + worked_example + " 3,0").starts_with("7 error range"));
  const std::string buffer(96, '0');
  CHECK(reply_to("7 contents strict " + worked_example + ' ' + buffer) == "7 accept full -");
  CHECK(reply_to("7 contents strict " + worked_example + " -").starts_with("7 error buffers"));
  CHECK(reply_to("7 lookup " + worked_example + ' ' + buffer + " 1,2") == "7 ok stored 00000000");
  CHECK(
      reply_to("7 dequantise " + worked_example + ' ' + buffer).starts_with("7 error unquantized"));
  CHECK(reply_to("7 composite strict " + worked_example + ";").starts_with("7 "));
  CHECK(reply_to("7 fly " + worked_example) == "7 skip unknown");
  CHECK(reply_to("7 decode strict 4852\r").starts_with("7 reject malformed HDR-09"));
}

TEST_CASE("lines that are no requests are answered, never obeyed") {
  for (const char* line : {"",
                           " ",
                           "hello",
                           "x",
                           "-1 decode strict -",
                           "1",
                           "1 ",
                           "1 decode",
                           "1 decode strict",
                           "1 decode lax -",
                           "1 decode strict 4",
                           "1 decode strict zz",
                           "1 decode strict - -",
                           "1 decode strict+type=9 -",
                           "1 decode strict+transport=pigeon -",
                           "1 encode shape",
                           "1 encode shape=1 shape=1",
                           "1 encode =",
                           "1 encode shape=x",
                           "1 encode type_tag=3 nonsense=1",
                           "1 encode type_tag=3 =1",
                           "1 address - 1",
                           "1 address 00 x",
                           "1 lookup",
                           "1 composite strict ;",
                           "1 composite strict -",
                           "1 contents strict - -",
                           "1 size",
                           "1 dequantise - ;;",
                           "99999999999999999999999 decode strict -",
                           "1 encode type_tag=3 shape=18446744073709551616"}) {
    INFO(line);
    const std::string reply = reply_to(line);
    CHECK((is_reply(reply, "1") || is_reply(reply, "0")));
  }
  CHECK(reply_to(std::string((1 << 20) + 1, '1')).starts_with("0 error request"));
  const std::string longest = "77 size " + std::string((1 << 20) - 8, '0');
  CHECK(reply_to(longest).starts_with("77 reject"));
  CHECK(reply_to(longest + '\r').starts_with("77 reject"));
  CHECK(reply_to(longest + '0') == "77 error request longer than 1 MiB");
  CHECK(reply_to("18446744073709551615 size 00").starts_with("18446744073709551615 reject"));
  for (const char* id :
       {"18446744073709551616", "99999999999999999999", "0", "00", "+1", "1a", "0x1", ""}) {
    INFO(id);
    CHECK(reply_to(std::string(id) + " size 00").starts_with("0 error request"));
  }
  for (const char* line : {"7 size  00", "7 size 00 ", "7  size 00", "7 size\t00", "7 size \x80",
                           "7 size 00\r\r", "7 encode type_tag=3  shape=1", "7 fly  "}) {
    INFO(line);
    CHECK(reply_to(line).starts_with("7 error request"));
  }
  CHECK(reply_to("1 encode type_tag=3 rank=4294967295") ==
        "1 skip cannot be built: shape is missing");
}

TEST_CASE("requests of the corpus, cut, joined and with characters changed, are answered") {
  std::mt19937 random(20);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  const auto& requests = corpus_requests();
  static const std::string characters = "0123456789abcdef;,- +=xz.";
  for (int i = 0; i < 4000; ++i) {
    std::string request = requests[below(requests.size())];
    for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
      switch (below(4)) {
        case 0:
          request[below(request.size())] = characters[below(characters.size())];
          break;
        case 1:
          request.resize(1 + below(request.size()));
          break;
        case 2:
          request.insert(below(request.size()), 1, characters[below(characters.size())]);
          break;
        default: {
          const std::string& other = requests[below(requests.size())];
          request =
              request.substr(0, 1 + below(request.size())) + other.substr(below(other.size()));
        }
      }
    }
    INFO(request);
    REQUIRE(is_reply(reply_to("31 " + request), "31"));
  }
}

TEST_CASE("a conversation ends with its input") {
  std::istringstream in("hello plumbline 1\r\n1 size " + worked_example + "\r\n2 fly\n");
  std::ostringstream out;
  plumbline::adapter::serve(in, out);
  const std::string text = out.str();
  CHECK(text.substr(text.find('\n') + 1) == "1 ok 48\n2 skip unknown\n");
}

TEST_CASE("a hello is the first line and no other; a version below ours is none") {
  const auto conversation = [](const std::string& lines) {
    std::istringstream in(lines);
    std::ostringstream out;
    plumbline::adapter::serve(in, out);
    return out.str();
  };
  const std::string hello = conversation("hello plumbline 1\n");
  CHECK(hello.starts_with("hello plumbline 1 name="));
  CHECK(conversation("hello plumbline 7 window=3 mood=good\n") == hello);
  CHECK(conversation("hello plumbline 1\nhello plumbline 1\n2 fly\n") ==
        hello + "0 error request the hello is the first line, and no other\n2 skip unknown\n");
  CHECK(conversation("2 fly\nhello plumbline 1\n") ==
        "2 skip unknown\n0 error request the hello is the first line, and no other\n");
  for (const char* line :
       {"hello", "hello ", "hello world 1", "hello plumbline", "hello plumbline 0",
        "hello plumbline -1", "hello plumbline x", "hellos plumbline 1"}) {
    INFO(line);
    CHECK(conversation(line).starts_with("0 error request "));
  }
}

TEST_CASE("a line that is too long is answered and not kept") {
  std::istringstream in("7 size " + std::string(std::size_t{5} << 20, '0') + "\n8 fly\n9 fly");
  std::string line;
  REQUIRE(plumbline::adapter::read_line(in, line));
  CHECK(line.size() == (1 << 20) + 2);
  CHECK(reply_to(line) == "7 error request longer than 1 MiB");
  REQUIRE(plumbline::adapter::read_line(in, line));
  CHECK(line == "8 fly");
  REQUIRE(plumbline::adapter::read_line(in, line));
  CHECK(line == "9 fly");
  CHECK_FALSE(plumbline::adapter::read_line(in, line));
}

TEST_CASE("every refusal says where, what was found and what was expected") {
  static const std::regex refusal(
      R"(\d+ reject (malformed|invalid|unsupported) ([A-Z]{3}-\d\d|D-\d{3}) \d+ ((member|buffer)=\d+ )?)"
      R"(found [^,].*, expected \S.*)");
  // One byte, two bytes; what is found and expected are things, not sentences.
  static const std::regex clumsy(
      R"(\b1 (bytes|buffers|bits|logical pages)\b|expected (need|to be)|found (the input|entry \d+ (lies|repeats))|is dynamic)");
  std::size_t refusals = 0, authored = 0;
  for (const std::string& request : corpus_requests()) {
    const std::string reply = reply_to("1 " + request);
    if (!reply.starts_with("1 reject ")) continue;
    ++refusals;
    authored += request.starts_with("encode ");
    INFO(reply);
    CHECK(std::regex_match(reply, refusal));
    CHECK_FALSE(std::regex_search(reply, clumsy));
  }
  CHECK(refusals > 3500);
  CHECK(authored > 900);
}
