// One edit: which part of a vector it changes, and to what.
#include <algorithm>

#include "conformance/vectors/keys.h"
#include "mutator.h"

namespace plumbline::program {

// A value that is likely to lie beside a border.
std::uint64_t mutator::beside(std::uint64_t value, std::size_t size) {
  static constexpr std::uint64_t values[] = {0,  1,  2,  3,  4,  5,  7,   8,   9,   16,
                                             31, 32, 33, 63, 64, 65, 127, 128, 255, 256};
  switch (below(8)) {
    case 0:
      return value + 1;
    case 1:
      return value - 1;
    case 2:
      return value ^ std::uint64_t{1} << below(8 * size);
    case 3:
      return ~std::uint64_t{0} >> below(3);
    case 4:
      return value * 2;
    case 5:
      return value / 2;
    case 6:
      return below(256);
    default:
      return values[below(std::size(values))];
  }
}

// One field gets another value, goes, or comes twice.
edit mutator::change_field(const base& from) {
  using enum edit::place;
  const std::size_t part = below(from.fields.size());
  const vectors::bytes& data = program::descriptor(*from.vector, part);
  if (from.fields[part].empty()) return {descriptor, part, data.size(), 0, {0}, "", ""};
  const Field& f = from.fields[part][below(from.fields[part].size())];
  const vectors::bytes own(data.begin() + signed_of(f.offset),
                           data.begin() + signed_of(f.offset + f.size));
  switch (below(24)) {
    case 0:
      return {descriptor, part, f.offset, f.size, {}, "", ""};
    case 1:
      return {descriptor, part, f.offset, 0, own, "", ""};
    case 2:
      return {descriptor, part, f.offset, data.size(), {}, "", ""};  // the rest is cut off
    case 3:
      return {descriptor, part, data.size(), 0, vectors::bytes(1 + below(8), 0), "", ""};
    default:
      break;
  }
  vectors::bytes put = own;
  const std::vector<vectors::bytes>& known = seen_[without_numbers(f.key)];
  if (below(2) == 0) put = known[below(known.size())];
  if (put.size() != own.size() || put == own) {
    put = own;
    if (f.size > 8)
      put[below(put.size())] ^= static_cast<std::uint8_t>(1U << below(8));
    else
      put = little_endian(beside(number_at(data, f.offset, f.size), f.size), f.size);
  }
  if (put == own) put[0] ^= 1;
  return {descriptor, part, f.offset, f.size, put, "", key_of(f)};
}

// A section comes from another vector, or goes.
edit mutator::change_section(const base& from) {
  const std::size_t part = below(from.fields.size());
  const std::size_t size = program::descriptor(*from.vector, part).size();
  FieldText text;
  for (const auto& [key, value] : named_fields(from.fields[part])) text[key] = value;
  const std::string section = section_names[below(std::size(section_names))];
  const std::vector<FieldText>& some = sections_[section];
  const bool had =
      std::erase_if(text, [&](const auto& field) { return field.first.starts_with(section); }) > 0;
  if (!some.empty() && (!had || below(2) == 0)) {
    const FieldText& other = some[below(some.size())];
    text.insert(other.begin(), other.end());
  }
  const auto data = bytes_of(std::move(text));
  if (!data) return change_field(from);
  return {edit::place::descriptor, part, 0, size, *data, "", ""};
}

// One entry of a buffer gets another value, or that of its neighbour.
edit mutator::change_buffer(const vectors::vector& v) {
  const std::size_t part = below(v.buffers.size());
  const vectors::bytes& data = v.buffers[part];
  std::size_t width = std::size_t{1} << below(4);
  while (width > 1 && data.size() % width != 0) width /= 2;
  edit out{edit::place::buffer, part, 0, 0, {}, "", ""};
  if (data.size() < width) return out;
  out.at = width * below(data.size() / width);
  out.removed = width;
  const std::uint64_t value = number_at(data, out.at, width);
  const std::vector<vectors::bytes>& known = entries_[width];
  switch (below(4)) {
    case 0:
      out.put = little_endian(number_at(data, width * below(data.size() / width), width), width);
      break;
    case 1:
      out.put = known[below(known.size())];
      break;
    default:
      out.put = little_endian(beside(value, width), width);
      break;
  }
  if (number_at(out.put, 0, width) == value) out.put[0] ^= 1;
  return out;
}

// One number of an index, or one key=value of what is to be written.
edit mutator::change_word(const mutation& m) {
  const std::string& ask = m.ask.empty() ? m.base->ask : m.ask;
  const std::vector<std::string> words = vectors::split(ask, word_separator(m.op));
  edit out{edit::place::word, 0, below(words.size()), 1, {}, "", ""};
  const std::string& old = words[out.at];
  if (m.op != "encode") {
    const auto value = vectors::parse_unsigned(old);
    out.word = std::to_string(value ? beside(*value, 8) : below(4));
    return out;
  }
  const std::string key = old.substr(0, old.find('='));
  if (below(6) == 0) return out;           // the key goes
  if (below(6) == 0 && !words_.empty()) {  // another comes
    const auto other = std::next(words_.begin(), signed_of(below(words_.size())));
    const bool is_there = std::ranges::any_of(
        words, [&](const std::string& w) { return w.starts_with(other->first + '='); });
    if (!is_there && !other->second.empty()) {
      out.removed = 0;
      out.word = other->second[below(other->second.size())];
      return out;
    }
  }
  const std::vector<std::string>& known = words_[key];
  const auto value = vectors::parse_unsigned(old.substr(std::min(old.size(), key.size() + 1)));
  if (!known.empty() && (below(2) == 0 || !value))
    out.word = known[below(known.size())];
  else if (value)
    out.word = key + '=' + std::to_string(beside(*value, 8) & 0xffffffff);
  return out;
}

edit mutator::change(const base& from, const mutation& m) {
  const bool has_words = m.op == "address" || m.op == "lookup" || m.op == "encode";
  if (m.op == "encode" || (has_words && below(2) == 0)) return change_word(m);
  if (!m.base->buffers.empty() && below(4) != 0) return change_buffer(*m.base);
  if (m.base->is_set() && below(8) == 0)
    return {edit::place::member, 0, below(m.base->set.size()), below(2), {}, "", ""};
  return below(12) == 0 ? change_section(from) : change_field(from);
}

void mutator::add_edit(const base& from, mutation& m) {
  edit e = change(from, m);
  const auto overlaps = [&](const edit& o) {
    return e.in == o.in && e.part == o.part && e.at < o.at + std::max<std::size_t>(o.removed, 1) &&
           o.at < e.at + std::max<std::size_t>(e.removed, 1);
  };
  if (std::ranges::none_of(m.edits, overlaps)) m.edits.push_back(std::move(e));
}

}  // namespace plumbline::program
