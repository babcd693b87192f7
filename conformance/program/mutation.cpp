// Mutations by fields, entries and words.
#include "mutation.h"

#include <algorithm>

#include "conformance/vectors/keys.h"

namespace plumbline::program {
namespace {

constexpr std::size_t length_at = 6;  // descriptor_length

std::ptrdiff_t signed_of(std::size_t n) { return static_cast<std::ptrdiff_t>(n); }

void apply(const edit& e, vectors::bytes& out) {
  const std::size_t at = std::min(e.at, out.size());
  const std::size_t removed = std::min(e.removed, out.size() - at);
  out.erase(out.begin() + signed_of(at), out.begin() + signed_of(at + removed));
  out.insert(out.begin() + signed_of(at), e.put.begin(), e.put.end());
}

void apply_to_words(const edit& e, const std::string& op, std::string& ask) {
  std::vector<std::string> words = vectors::split(ask, word_separator(op));
  const std::size_t at = std::min(e.at, words.size());
  if (e.removed > 0 && at < words.size()) words.erase(words.begin() + signed_of(at));
  if (!e.word.empty()) words.insert(words.begin() + signed_of(at), e.word);
  ask.clear();
  for (const std::string& word : words)
    ask += (ask.empty() ? "" : std::string(1, word_separator(op))) + word;
  if (ask.empty()) ask = "-";
}

// Members come and go with the head's count.
void apply_to_members(const edit& e, std::vector<vectors::bytes>& set) {
  if (e.at >= set.size()) return;
  if (e.removed > 0)
    set.erase(set.begin() + signed_of(e.at));
  else
    set.insert(set.begin() + signed_of(e.at), vectors::bytes(set[e.at]));
}

}  // namespace

std::size_t descriptors(const question& q) { return q.is_set() ? q.set.size() : 1; }
vectors::bytes& descriptor(question& q, std::size_t k) {
  return q.is_set() ? q.set.at(k) : q.input;
}
const vectors::bytes& descriptor(const question& q, std::size_t k) {
  return q.is_set() ? q.set.at(k) : q.input;
}

vectors::bytes little_endian(std::uint64_t value, std::size_t size) {
  vectors::bytes out(size, 0);
  for (std::size_t i = 0; i < std::min<std::size_t>(size, 8); ++i)
    out[i] = static_cast<std::uint8_t>(value >> (8 * i));
  return out;
}

std::uint64_t number_at(const vectors::bytes& data, std::size_t at, std::size_t size) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(size, 8) && at + i < data.size(); ++i)
    out |= std::uint64_t{data[at + i]} << (8 * i);
  return out;
}

std::string key_of(const Field& field) {
  return field.index < 0 ? field.key : field.key + '[' + std::to_string(field.index) + ']';
}

std::vector<std::pair<std::string, std::string>> named_fields(const std::vector<Field>& fields) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Field& f : fields) {
    if (f.key == "magic") continue;
    if (f.index > 0)
      out.back().second += "," + f.value;
    else
      out.emplace_back(f.key, f.value);
  }
  return out;
}

std::optional<vectors::bytes> bytes_of(FieldText text) {
  for (const char* key :
       {"descriptor_length", "flags", "rank", "buffer_count", "layout.extension_data_length",
        "quantization.quantization_length", "magic"})
    text.erase(key);
  const auto d = from_fields(text);
  if (!d) return std::nullopt;
  const Bytes data = serialize(*d);
  return vectors::bytes(data.begin(), data.end());
}

char word_separator(const std::string& op) { return op == "encode" ? ' ' : ','; }

question mutation::asked() const {
  question out = *base;
  out.op = op;
  out.mode = mode;
  if (!ask.empty()) out.ask = ask;
  if (over_network) out.transport = "network";
  if (without_agreement) out.agree.clear();
  std::vector<std::size_t> old_size;
  for (std::size_t k = 0; k < descriptors(out); ++k) old_size.push_back(descriptor(out, k).size());
  std::vector<bool> length_set(old_size.size());
  std::vector<edit> from_behind = edits;
  std::ranges::stable_sort(from_behind, std::ranges::greater(), &edit::at);
  for (const edit& e : from_behind) {
    if (e.in == edit::place::descriptor && e.part < descriptors(out)) {
      apply(e, descriptor(out, e.part));
      if (e.at <= length_at && e.at + e.removed > length_at) length_set[e.part] = true;
    } else if (e.in == edit::place::buffer && e.part < out.buffers.size()) {
      apply(e, out.buffers[e.part]);
    } else if (e.in == edit::place::word) {
      apply_to_words(e, op, out.ask);
    }
  }
  for (std::size_t k = 0; repair && k < old_size.size(); ++k) {
    vectors::bytes& data = descriptor(out, k);
    if (length_set[k] || data.size() == old_size[k] || data.size() < length_at + 4) continue;
    const std::uint64_t length = number_at(data, length_at, 4) + data.size() - old_size[k];
    std::ranges::copy(little_endian(length, 4), data.begin() + length_at);
  }
  for (const edit& e : edits)
    if (e.in == edit::place::member) apply_to_members(e, out.set);
  return out;
}

std::string without_numbers(const std::string& key) {
  std::string out;
  for (const char c : key)
    if (c < '0' || c > '9') out += c;
  return out;
}

}  // namespace plumbline::program
