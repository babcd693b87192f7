#include "survive.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "reference/addressing/address.h"
#include "reference/addressing/composite_lookup.h"
#include "reference/addressing/lookup.h"
#include "reference/addressing/size.h"
#include "reference/contents/contents.h"
#include "reference/descriptor/composite_set.h"
#include "reference/descriptor/descriptor.h"
#include "reference/types/dequantise.h"

namespace plumbline::robustness {

// Of the corners (each index the first or the last of its dimension) all up to rank 6. Above, 2^rank of
// them cannot be asked: rank 64 has as many as there are numbers of 64 bits. Every layout but Hilbert's
// adds up one term a dimension, so what a wrong term does shows at the corner of that dimension alone,
// and what a sum does where all terms, or all of one sign, come together. For what no such argument
// covers there is a sample of the others by a fixed seed. Lookups of rank 64 are the slowest of all, so
// there the dimensions are sampled too: 16 corners in place of 16 dimensions.
std::vector<std::vector<std::uint64_t>> corners(const Descriptor& d) {
  constexpr std::size_t most_single = 48, most_drawn = 16;
  std::size_t rank = d.shape.size();
  std::vector<std::uint64_t> first(rank, 0), last(rank);
  for (std::size_t k = 0; k < rank; ++k) last[k] = d.shape[k] == 0 ? 0 : d.shape[k] - 1;
  std::vector<std::vector<std::uint64_t>> all;
  auto add = [&](auto takes_last) {
    all.push_back(first);
    for (std::size_t k = 0; k < rank; ++k)
      if (takes_last(k)) all.back()[k] = last[k];
  };
  if (rank <= 6) {
    for (std::size_t bits = 0; bits < std::size_t{1} << rank; ++bits)
      add([&](std::size_t k) { return (bits >> k & 1) != 0; });
    return all;
  }
  all = {first, last};
  if (auto* strided = std::get_if<Strided>(&d.layout)) {
    add([&](std::size_t k) { return strided->strides[k] < 0; });
    add([&](std::size_t k) { return strided->strides[k] > 0; });
  }
  // The seed depends on the shape alone, so that an input is asked the same whenever it is judged.
  std::minstd_rand random(static_cast<unsigned>(
      std::accumulate(d.shape.begin(), d.shape.end(), std::uint64_t{1}) % 0x7FFFFFFF + 1));
  std::vector<std::size_t> dimensions(rank);
  std::iota(dimensions.begin(), dimensions.end(), std::size_t{0});
  for (std::size_t n = 0; n < std::min(rank, most_single); ++n) {
    std::swap(dimensions[n], dimensions[n + random() % (rank - n)]);
    add([&](std::size_t k) { return k == dimensions[n]; });
  }
  for (std::size_t n = 0; n < most_drawn; ++n) add([&](std::size_t) { return (random() >> 16 & 1) != 0; });
  return all;
}

namespace {

constexpr std::uint64_t largest_buffer = 4096;  // buffers are made only up to this size

// The descriptor's printed fields as the text that from_fields takes.
FieldText printed(const Descriptor& d) {
  FieldText text;
  for (const Field& field : list_fields(d)) {
    if (field.key == "magic") continue;
    std::string& value = text[field.key];
    value = field.index > 0 ? value + "," + field.value : field.value;
  }
  return text;
}

std::string written_again(const Descriptor& d, ByteView bytes) {
  ByteView expected = bytes.first(d.header.descriptor_length);
  if (!std::ranges::equal(serialize(d), expected)) return "does not re-encode to its own bytes";
  std::expected<Descriptor, FieldTextFault> parsed = from_fields(printed(d));
  if (!parsed) return "its printed fields are not taken: " + parsed.error().text;
  if (!std::ranges::equal(serialize(*parsed), expected)) return "its printed fields give other bytes";
  return "";
}

std::string sizes_and_addresses(const Descriptor& d) {
  std::expected<std::vector<std::uint64_t>, Refusal> sizes = least_sizes(d);
  if (sizes)
    for (std::size_t k = 0; k < sizes->size() && k < d.buffers.handles.size(); ++k)
      if ((*sizes)[k] > d.buffers.handles[k].byte_size) return "accepted with a buffer that is too small";
  for (const std::vector<std::uint64_t>& corner : corners(d)) {
    std::expected<Address, Refusal> place = address(d, corner);
    bool must_answer = layout::is_dense(d.header.layout_tag) && !d.has_dynamic_dimension() &&
                       !d.is_empty() && d.element_bits().has_value();
    if (must_answer && !place) return "no address for a corner: " + place.error().text;
    if (!place) continue;
    std::uint64_t element = std::max<std::uint64_t>(1, d.element_bits().value_or(8) / 8);
    if (place->buffer >= d.buffers.handles.size()) return "an address in no buffer";
    std::uint64_t size = d.buffers.handles[place->buffer].byte_size;
    if (place->byte >= size || size - place->byte < element) return "an address outside its buffer";
  }
  return "";
}

// Buffers of exactly the listed sizes, each on the heap of its own so that a sanitizer sees its end.
void ask_of_contents(const Descriptor& d, std::uint8_t fill) {
  std::vector<Bytes> storage;
  Buffers buffers;
  for (const BufferHandle& handle : d.buffers.handles) {
    storage.emplace_back(static_cast<std::size_t>(std::min(handle.byte_size, largest_buffer)));
    std::uint8_t value = fill;
    for (std::uint8_t& byte : storage.back()) {
      byte = value;
      if (fill == 1) value = static_cast<std::uint8_t>(value * 5 + 3);
    }
  }
  for (const Bytes& bytes : storage) buffers.emplace_back(bytes);
  for (Mode mode : {Mode::strict, Mode::lenient, Mode::permissive})
    (void)judge_contents(d, buffers, {.mode = mode});
  for (const std::vector<std::uint64_t>& corner : corners(d)) (void)lookup(d, buffers, corner);
  if (d.header.layout_tag == layout::block_paged)
    for (std::uint64_t t : {0u, 1u, 100u}) (void)lookup(d, buffers, {0, t, 0, 0});
  (void)dequantise(d, buffers, 4096);
}

}  // namespace

namespace {

// Sets `unsupported` when strict or lenient calls the bytes so.
std::string broken_promise_with(ByteView bytes, const Agreement& agreement, bool& unsupported) {
  bool lenient_refuses = false, asked = false;
  for (Mode mode : {Mode::lenient, Mode::strict, Mode::permissive}) {
    Options options{.mode = mode, .agreement = agreement};
    Judgement judged = judge(bytes, options);
    if (mode == Mode::strict) {
      std::expected<Descriptor, Fault> decoded = decode(bytes, options);
      if (decoded.has_value() != judged.accepted()) return "the stopping and the collecting call differ";
      if (!decoded && (decoded.error().clause != judged.faults[0].clause ||
                       decoded.error().offset != judged.faults[0].offset))
        return "the stopping and the collecting call name different faults";
    }
    if (judged.read_end > bytes.size()) return "fields read behind the end of the input";
    for (const Fault& fault : judged.faults)
      if (!find_clause(fault.clause) && !fault.clause.starts_with("D-")) return "a fault without a clause";
    if (mode != Mode::permissive && judged.verdict() == Verdict::unsupported) unsupported = true;
    if (mode == Mode::lenient) lenient_refuses = !judged.accepted();
    if (mode == Mode::strict && lenient_refuses && judged.accepted())
      return "lenient refuses what strict accepts";
    if (mode == Mode::strict && !judged.accepted()) (void)list_fields(judged.descriptor);
    if (!judged.accepted() || asked) continue;
    asked = true;  // the same descriptor, whichever mode accepted it
    if (std::string broken = written_again(judged.descriptor, bytes); !broken.empty()) return broken;
    if (std::string broken = sizes_and_addresses(judged.descriptor); !broken.empty()) return broken;
    for (std::uint8_t fill : {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{0xFF}})
      ask_of_contents(judged.descriptor, fill);
  }
  return "";
}

// Elements of the head's view, with buffers of zeros.
void ask_through(const SetJudgement& judged) {
  std::vector<std::vector<Bytes>> storage;
  std::vector<Part> parts;
  for (const Judgement& member : judged.members) {
    std::vector<Bytes>& own = storage.emplace_back();
    for (const BufferHandle& handle : member.descriptor.buffers.handles)
      own.emplace_back(static_cast<std::size_t>(std::min(handle.byte_size, largest_buffer)));
    parts.push_back({member.descriptor, Buffers(own.begin(), own.end())});
  }
  for (const std::vector<std::uint64_t>& corner : corners(judged.members[0].descriptor))
    (void)lookup_composite(parts, corner);
}

}  // namespace

std::string broken_promise(ByteView bytes) {
  bool unsupported = false;
  std::string broken = broken_promise_with(bytes, {}, unsupported);
  // An agreement changes the answer only where something was unsupported without it.
  if (!broken.empty() || !unsupported) return broken;
  return broken_promise_with(bytes, Agreement::everything(), unsupported);
}

std::string broken_promise_of_set(const std::vector<ByteView>& set, std::optional<std::size_t> changed) {
  bool unsupported = false;
  for (const Agreement& agreement : {Agreement{}, Agreement::everything()}) {
    bool lenient_refuses = false;
    for (Mode mode : {Mode::lenient, Mode::strict, Mode::permissive}) {
      SetJudgement judged = judge_set(set, {.mode = mode, .agreement = agreement});
      if (judged.members.size() > std::max<std::size_t>(1, set.size())) return "more members than tensors";
      for (const Fault& fault : judged.faults)
        if (fault.member >= judged.members.size()) return "a fault of no member";
      if (judged.verdict() == Verdict::unsupported) unsupported = true;
      if (mode == Mode::lenient) lenient_refuses = !judged.accepted();
      if (mode == Mode::strict && lenient_refuses && judged.accepted())
        return "lenient refuses a set that strict accepts";
      if (!judged.accepted()) continue;
      ask_through(judged);
      for (std::size_t m = 0; m < judged.members.size(); ++m) {
        if (changed && *changed != m) continue;
        const Descriptor& d = judged.members[m].descriptor;
        if (std::string broken = written_again(d, set[m]); !broken.empty()) return broken;
        if (std::string broken = sizes_and_addresses(d); !broken.empty()) return broken;
        ask_of_contents(d, 1);
      }
    }
    if (!unsupported) return "";  // an agreement would change nothing
  }
  return "";
}

}  // namespace plumbline::robustness
