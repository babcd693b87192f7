// One step smaller, in every way.
#include "shrink.h"

#include <algorithm>
#include <bit>

#include "conformance/vectors/keys.h"
#include "conformance/vectors/writer.h"

namespace plumbline::program {
namespace {

using vectors::bytes;

constexpr std::uint64_t longest_buffer = 1 << 16;

Judgement read(const bytes& data) { return judge(data, {.agreement = Agreement::everything()}); }

bool put_fields(question& q, std::size_t k, FieldText text) {
  auto data = bytes_of(std::move(text));
  if (!data) return false;
  descriptor(q, k) = std::move(*data);
  return true;
}

void without_parts(const question& q, std::size_t k, std::vector<question>& out) {
  const Judgement j = read(descriptor(q, k));
  const std::vector<Field> fields = list_fields(j.descriptor);
  if (fields.empty() || fields.back().offset + fields.back().size > std::min(j.read_end, descriptor(q, k).size()))
    return;  // not read to its end
  FieldText all;
  std::size_t rank = 0;
  for (const auto& [key, value] : named_fields(fields)) all[key] = value;
  for (const Field& f : fields) rank += f.key == "shape";
  const auto add = [&](const FieldText& text) {
    question next = q;
    if (put_fields(next, k, text)) out.push_back(std::move(next));
  };
  for (const std::string section : {"quantization.", "shard.", "statistics.", "extension.", "member.", "tail"}) {
    FieldText text = all;
    if (std::erase_if(text, [&](const auto& field) { return field.first.starts_with(section); }) > 0) add(text);
  }
  for (std::size_t d = 0; d < rank; ++d) {  // every list with an entry a dimension loses one
    FieldText text = all;
    for (auto& [key, value] : text) {
      std::vector<std::string> entries = vectors::split(value, ',');
      if (entries.size() != rank || (rank == 1 && key != "shape" && value.find(',') == std::string::npos)) continue;
      entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(d));
      value.clear();
      for (const std::string& entry : entries) value += (value.empty() ? "" : ",") + entry;
      if (value.empty()) value = "-";
    }
    add(text);
  }
  for (std::size_t n = 255; n-- > 0;) {
    const std::string prefix = "buffer." + std::to_string(n) + '.';
    FieldText text = all;
    if (std::erase_if(text, [&](const auto& field) { return field.first.starts_with(prefix); }) == 0) continue;
    add(text);
    break;
  }
}

void nearer_to_zero(const bytes& data, std::size_t at, std::size_t size, auto add) {
  const std::uint64_t value = number_at(data, at, size);
  for (const std::uint64_t fresh : {std::uint64_t{0}, std::uint64_t{1}, value / 2, value - 1}) {
    if (fresh >= value) continue;
    bytes next = data;
    std::ranges::copy(little_endian(fresh, size), next.begin() + static_cast<std::ptrdiff_t>(at));
    add(std::move(next));
  }
}

void smaller_fields(const question& q, std::size_t k, std::vector<question>& out) {
  const bytes& data = descriptor(q, k);
  const auto add = [&](bytes fresh) {
    out.push_back(q);
    descriptor(out.back(), k) = std::move(fresh);
  };
  for (const Field& f : list_fields(read(data).descriptor)) {
    const bool keeps = f.key == "magic" || f.key == "descriptor_length" || f.key == "version_major";
    if (keeps || f.size == 0 || f.size > 8 || f.offset + f.size > data.size()) continue;
    nearer_to_zero(data, f.offset, f.size, add);
  }
  const std::uint64_t length = number_at(data, 6, 4);
  if (length < data.size()) add(bytes(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(length)));
  if (!data.empty()) add(bytes(data.begin(), data.end() - 1));
}

// At most as many entries as a round can take; the rest follows when these are small.
void smaller_buffers(const question& q, std::vector<question>& out) {
  for (std::size_t k = 0; k < q.buffers.size(); ++k) {
    std::size_t left = 12;
    for (std::size_t at = 0; at < q.buffers[k].size() && left > 0; ++at) {
      if (q.buffers[k][at] == 0) continue;
      --left;
      nearer_to_zero(q.buffers[k], at, 1, [&](bytes fresh) {
        out.push_back(q);
        out.back().buffers[k] = std::move(fresh);
      });
    }
  }
}

// A vector must be able to state the fields.
bool can_be_written(const std::vector<std::string>& words) {
  vectors::field_map fields;
  for (const std::string& word : words)
    fields[word.substr(0, word.find('='))] = word.substr(std::min(word.size(), word.find('=') + 1));
  try {
    return !vectors::write_descriptor(fields).given.empty();
  } catch (const vectors::value_error&) {
    return false;
  }
}

void smaller_words(const question& q, std::vector<question>& out) {
  const char between = q.op == "encode" ? ' ' : ',';
  const std::vector<std::string> words = vectors::split(q.ask, between);
  const auto add = [&](std::vector<std::string> fresh) {
    out.push_back(q);
    out.back().ask.clear();
    for (const std::string& word : fresh)
      out.back().ask += (out.back().ask.empty() ? "" : std::string(1, between)) + word;
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::vector<std::string> fresh = words;
    const std::size_t start = q.op == "encode" ? words[i].find('=') + 1 : 0;
    const auto value = vectors::parse_unsigned(words[i].substr(start));
    for (const std::uint64_t v : {std::uint64_t{0}, value.value_or(0) / 2, value.value_or(0) - 1}) {
      if (!value || v >= *value) continue;
      fresh[i] = words[i].substr(0, start) + std::to_string(v);
      add(fresh);
    }
    fresh = words;
    fresh.erase(fresh.begin() + static_cast<std::ptrdiff_t>(i));
    if (q.op == "encode" && !fresh.empty() && can_be_written(fresh)) add(fresh);
  }
}

std::size_t digits(const bytes& data) {
  std::size_t out = 0;
  for (const std::uint8_t b : data) out += static_cast<std::size_t>(b != 0) * 256 + b;
  return out;
}

// The same bytes, judged alone, and each member by itself: what is refused there is no matter of the
// operation or of the set.
void judged_alone(const question& q, std::vector<question>& out) {
  if (q.op == "decode") return;
  question next = q;
  if (q.op == "encode") {
    FieldText text;
    for (const std::string& word : vectors::split(q.ask, ' '))
      text[word.substr(0, word.find('='))] = word.substr(std::min(word.size(), word.find('=') + 1));
    const auto d = from_fields(text);
    if (!d) return;
    const Bytes data = serialize(*d);
    next.input.assign(data.begin(), data.end());
  }
  next.ask.clear();
  next.buffers.clear();
  for (const char* mode : {"strict", "lenient"}) {
    next.mode = mode;
    next.op = q.is_set() ? "composite" : "decode";
    if (q.op != next.op) out.push_back(next);
    question alone = next;
    alone.op = "decode";
    alone.set.clear();
    for (const bytes& data : q.set) {
      alone.input = data;
      out.push_back(alone);
    }
  }
}

// Every buffer as long as its entry of the table says.
void fit_buffers(question& q) {
  if (q.buffers.empty()) return;
  std::vector<bytes> fitting;
  for (std::size_t k = 0; k < descriptors(q); ++k) {
    const bytes& data = descriptor(q, k);
    for (const Field& f : list_fields(read(data).descriptor)) {
      if (!f.key.starts_with("buffer.") || !f.key.ends_with(".byte_size") || f.offset + 8 > data.size()) continue;
      fitting.push_back(fitting.size() < q.buffers.size() ? q.buffers[fitting.size()] : bytes());
      fitting.back().resize(std::min<std::uint64_t>(number_at(data, f.offset, 8), longest_buffer));
    }
  }
  q.buffers = std::move(fitting);
}

// Half of the members go, then one; with one, the count of a head before it as well.
void fewer_members(const question& q, std::vector<question>& out) {
  if (q.set.size() < 2) return;
  const auto begin = [](question& n, std::size_t k) { return n.set.begin() + static_cast<std::ptrdiff_t>(k); };
  out.push_back(q);
  out.back().set.resize(1 + q.set.size() / 2);
  for (std::size_t k = q.set.size(); k-- > 1;) {
    out.push_back(q);
    out.back().set.erase(begin(out.back(), k));
    for (std::size_t head = k; head-- > 0;) {
      FieldText text;
      for (const auto& [key, value] : named_fields(list_fields(read(q.set[head]).descriptor))) text[key] = value;
      const auto count = vectors::parse_unsigned(text["layout.member_count"]);
      if (!count || *count == 0) continue;
      text["layout.member_count"] = std::to_string(*count - 1);
      question next = out.back();
      if (put_fields(next, head, text)) out.push_back(std::move(next));
      break;
    }
  }
}

// The same size in every part.
bool is_alike(const question& x, const question& y) {
  if (descriptors(x) != descriptors(y) || x.buffers.size() != y.buffers.size() || x.ask != y.ask) return false;
  for (std::size_t k = 0; k < descriptors(x); ++k)
    if (descriptor(x, k).size() != descriptor(y, k).size()) return false;
  return std::ranges::equal(x.buffers, y.buffers, {}, &bytes::size, &bytes::size);
}

}  // namespace

std::optional<question> together(const question& from, const std::vector<question>& steps) {
  question out = from;
  std::size_t taken = 0;
  const auto overlay = [](bytes& to, const bytes& old, const bytes& fresh) {
    for (std::size_t i = 0; i < to.size(); ++i)
      if (fresh[i] != old[i]) to[i] = fresh[i];
  };
  for (const question& step : steps) {
    if (!is_alike(from, step)) continue;
    ++taken;
    for (std::size_t k = 0; k < descriptors(out); ++k)
      overlay(descriptor(out, k), descriptor(from, k), descriptor(step, k));
    for (std::size_t k = 0; k < out.buffers.size(); ++k) overlay(out.buffers[k], from.buffers[k], step.buffers[k]);
  }
  return taken > 1 ? std::optional(std::move(out)) : std::nullopt;
}

std::vector<question> smaller(const question& q) {
  std::vector<question> out;
  judged_alone(q, out);
  fewer_members(q, out);
  for (std::size_t k = 0; q.op != "encode" && k < descriptors(q); ++k) {
    without_parts(q, k, out);
    smaller_fields(q, k, out);
  }
  smaller_buffers(q, out);
  if (!q.ask.empty()) smaller_words(q, out);
  const auto change = [&](auto step) {
    out.push_back(q);
    step(out.back());
  };
  if (q.mode != "strict") change([](question& n) { n.mode = "strict"; });
  if (!q.transport.empty()) change([](question& n) { n.transport.clear(); });
  for (std::size_t i = 0; i < q.agree.size(); ++i)
    change([&](question& n) { n.agree.erase(n.agree.begin() + static_cast<std::ptrdiff_t>(i)); });
  for (question& next : out) fit_buffers(next);
  return out;
}

std::pair<std::size_t, std::size_t> weight(const question& q) {
  std::size_t size = 0, values = (q.mode != "strict") + q.agree.size() + !q.transport.empty();
  const auto add = [&](const bytes& data) {
    size += data.size();
    values += digits(data);
  };
  if (q.op == "encode") {
    size = q.ask.size();
    for (const char c : q.ask) values += static_cast<std::size_t>(c);
    return {size, values};
  }
  for (std::size_t k = 0; k < descriptors(q); ++k) add(descriptor(q, k));
  for (const bytes& data : q.buffers) add(data);
  for (const char c : q.ask) values += static_cast<std::size_t>(c);
  return {size + q.ask.size(), values};
}

}  // namespace plumbline::program
