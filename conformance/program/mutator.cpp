// Where mutations come from: the bases, and the values that fields, entries and words have
// elsewhere.
#include "mutator.h"

#include <algorithm>

#include "conformance/vectors/keys.h"

namespace plumbline::program {
namespace {

constexpr std::size_t largest_base = 4096;
std::size_t size_of(const vectors::vector& v) {
  std::size_t out = v.input.size() + v.ask.size();
  for (const auto& part : v.set) out += part.size();
  for (const auto& part : v.buffers) out += part.size();
  return out;
}

}  // namespace

mutator::mutator(const std::vector<vectors::vector>& all, const abilities& both, std::uint64_t seed)
    : both_(both), modes_(both.modes.begin(), both.modes.end()), random_(seed) {
  for (const vectors::vector& v : all) {
    if (v.is_numeric() || size_of(v) > largest_base) continue;
    const bool is_base = both.ops.contains(v.op) && !v.expect.is_refusal() &&
                         (v.op != "decode" || v.mode == "strict");
    learn(v, is_base);
  }
  for (const auto& [op, bases] : of_op_) {
    std::map<std::string, std::vector<const base*>> of_clause;
    for (const base& b : bases) of_clause[b.vector->clause].push_back(&b);
    for (auto& [clause, some] : of_clause) of_clause_.push_back(std::move(some));
  }
}

// Every vector says which values its fields can have; those that are no refusal are bases.
void mutator::learn(const vectors::vector& v, bool is_base) {
  base b{&v, {}};
  for (std::size_t k = 0; k < descriptors(v); ++k) {
    const vectors::bytes& data = descriptor(v, k);
    b.fields.emplace_back();
    for (const Field& f :
         list_fields(judge(data, {.agreement = Agreement::everything()}).descriptor)) {
      if (f.size == 0 || f.offset + f.size > data.size()) continue;
      b.fields.back().push_back(f);
      vectors::bytes value(data.begin() + signed_of(f.offset),
                           data.begin() + signed_of(f.offset + f.size));
      std::vector<vectors::bytes>& values = seen_[without_numbers(f.key)];
      if (values.size() < 200 && std::ranges::find(values, value) == values.end())
        values.push_back(std::move(value));
    }
  }
  for (const auto& fields : b.fields) {
    for (const std::string section : section_names) {
      FieldText text;
      for (const auto& [key, value] : named_fields(fields))
        if (key.starts_with(section)) text[key] = value;
      std::vector<FieldText>& some = sections_[section];
      if (!text.empty() && std::ranges::find(some, text) == some.end())
        some.push_back(std::move(text));
    }
  }
  for (const vectors::bytes& data : v.buffers) {
    for (std::size_t width = 1; width <= 8; width *= 2) {
      std::vector<vectors::bytes>& entries = entries_[width];
      for (std::size_t at = 0; at + width <= data.size() && at < 16 * width; at += width) {
        vectors::bytes entry(data.begin() + signed_of(at), data.begin() + signed_of(at + width));
        if (entries.size() < 400 && std::ranges::find(entries, entry) == entries.end())
          entries.push_back(std::move(entry));
      }
    }
  }
  if (v.op == "encode" || !v.given.empty()) {
    for (const std::string& word : vectors::split(v.op == "encode" ? v.ask : v.given, ' ')) {
      std::vector<std::string>& words = words_[word.substr(0, word.find('='))];
      if (words.size() < 60 && std::ranges::find(words, word) == words.end()) words.push_back(word);
    }
  }
  if (!is_base || b.fields.front().empty()) return;
  auto found = std::ranges::find(of_op_, v.op, &decltype(of_op_)::value_type::first);
  if (found == of_op_.end()) found = of_op_.insert(found, {v.op, {}});
  found->second.push_back(std::move(b));
}

std::string mutator::an_index(const base& from) {
  std::string out;
  for (const Field& f : from.fields.front()) {
    if (f.key != "shape") continue;
    const std::uint64_t size = number_at(from.vector->input, f.offset, f.size);
    const std::uint64_t at = size == 0 ? 0 : below(2) == 0 ? size - 1 : below(size);
    out += (out.empty() ? "" : ",") + std::to_string(at);
  }
  return out.empty() ? "-" : out;
}

std::string mutator::fields_of(const base& from) const {
  std::string out;
  for (const auto& [key, value] : named_fields(from.fields.front()))
    if (key != "descriptor_length" && key != "flags" && key != "rank" && key != "buffer_count")
      out += (out.empty() ? "" : " ") + key + '=' + value;
  return out;
}

mutation mutator::next() {
  const std::vector<const base*>& bases = of_clause_[below(of_clause_.size())];
  const base& from = *bases[below(bases.size())];
  mutation out{.base = from.vector, .op = from.vector->op, .mode = from.vector->mode};
  out.repair = below(2) == 0;
  if (out.op == "decode") {
    static constexpr const char* others[] = {"fields", "size", "address", "encode"};
    const char* other = others[below(std::size(others))];
    if (below(3) == 0 && both_.ops.contains(other)) out.op = other;
    if (out.op == "address") out.ask = an_index(from);
    if (out.op == "encode") out.ask = fields_of(from);
  }
  if (!modes_.empty() && (below(3) == 0 || !both_.modes.contains(out.mode)))
    out.mode = modes_[below(modes_.size())];
  out.over_network = below(32) == 0;
  out.without_agreement = below(16) == 0;
  for (std::size_t n = 1 + (below(3) == 0 ? below(3) : 0); n > 0; --n) add_edit(from, out);
  return out;
}

std::vector<mutation> mutator::around(const mutation& m, const std::string& clause,
                                      std::size_t count) {
  std::vector<const base*> bases;
  for (const auto& some : of_clause_)
    for (const base* b : some)
      if (b->vector == m.base || b->vector->clause == clause) bases.push_back(b);
  std::vector<mutation> out;
  while (out.size() < count && !bases.empty()) {
    const base& from = *bases[below(bases.size())];
    if (from.vector == m.base)
      out.push_back(m);
    else
      out.push_back({.base = from.vector, .op = from.vector->op, .mode = from.vector->mode});
    out.back().edits.clear();
    out.back().repair = below(2) == 0;
    add_edit(from, out.back());
  }
  return out;
}

std::vector<mutation> mutator::on_other_bases(const mutation& m) const {
  std::vector<mutation> out;
  if (m.edits.size() != 1 || m.edits[0].key.empty() || m.base->is_set()) return out;
  const edit& e = m.edits[0];
  const auto bases = std::ranges::find(of_op_, m.base->op, &decltype(of_op_)::value_type::first);
  if (bases == of_op_.end() || !m.base->buffers.empty()) return out;
  for (const base& b : bases->second) {
    if (b.vector == m.base || b.vector->is_set()) continue;
    const auto field = std::ranges::find(b.fields.front(), e.key, key_of);
    if (field == b.fields.front().end() || field->size != e.put.size()) continue;
    out.push_back(m);
    out.back().base = b.vector;
    out.back().ask.clear();
    out.back().edits[0].at = field->offset;
    if (m.op != m.base->op) out.back().ask = m.op == "encode" ? fields_of(b) : m.ask;
  }
  std::ranges::stable_sort(out, {}, [](const mutation& x) { return size_of(*x.base); });
  if (out.size() > 40) out.resize(40);
  return out;
}

std::vector<mutation> mutator::closer_to_base(const mutation& m) {
  std::vector<mutation> out;
  for (bool mutation::*way : {&mutation::over_network, &mutation::without_agreement}) {
    if (!(m.*way)) continue;
    out.push_back(m);
    out.back().*way = false;
  }
  for (std::size_t i = 0; i < m.edits.size(); ++i) {
    out.push_back(m);
    out.back().edits.erase(out.back().edits.begin() + signed_of(i));
    const edit& e = m.edits[i];
    const bool is_value = e.in == edit::place::descriptor || e.in == edit::place::buffer;
    if (!is_value || e.removed != e.put.size() || e.removed == 0 || e.removed > 8) continue;
    if (e.in == edit::place::buffer && e.part >= m.base->buffers.size()) continue;
    const vectors::bytes& data =
        e.in == edit::place::buffer ? m.base->buffers[e.part] : descriptor(*m.base, e.part);
    const std::uint64_t old = number_at(data, e.at, e.removed),
                        fresh = number_at(e.put, 0, e.removed);
    for (const std::uint64_t value :
         {old + 1, old - 1, old + (fresh - old) / 2, fresh > old ? fresh - 1 : fresh + 1}) {
      vectors::bytes put = little_endian(value, e.removed);
      if (put == e.put || number_at(put, 0, e.removed) == old) continue;
      out.push_back(m);
      out.back().edits[i].put = std::move(put);
    }
  }
  return out;
}

}  // namespace plumbline::program
