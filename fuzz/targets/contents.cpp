// A descriptor with buffers that hold anything.
#include <algorithm>

#include "../bounds.h"
#include "../pieces.h"
#include "../target.h"
#include "reference/addressing/lookup.h"
#include "reference/contents/contents.h"
#include "reference/descriptor/descriptor.h"
#include "reference/types/dequantise.h"

namespace plumbline::fuzz {

namespace {

// Up to `most` indices of the shape, the last index fastest.
template <class Visit>
void each_index(const std::vector<std::uint64_t>& shape, std::size_t most, Visit visit) {
  std::vector<std::uint64_t> index(shape.size(), 0);
  for (std::uint64_t size : shape)
    if (size == 0 || size == dynamic_dimension) return;
  for (std::size_t n = 0; n < most; ++n) {
    visit(index);
    std::size_t k = shape.size();
    while (k > 0 && ++index[k - 1] == shape[k - 1]) index[--k] = 0;
    if (k == 0) return;
  }
}

}  // namespace

std::string contents(ByteView input) {
  std::size_t front = front_length(input);
  std::expected<Descriptor, Fault> d = decode(input.first(front), {.mode = Mode::permissive});
  if (!d) d = decode(input.first(front), {.mode = Mode::lenient});
  bool is_strict = decode(input.first(front)).has_value();
  if (!d) return "";
  Reader reader(input.subspan(front));
  std::vector<Bytes> storage;
  for (const BufferHandle& handle : d->buffers.handles) {
    std::uint64_t size = std::min<std::uint64_t>(handle.byte_size, 1 << 16);
    ByteView given = *reader.take(std::min<std::uint64_t>(size, reader.left()));
    storage.emplace_back(given.begin(), given.end());
    storage.back().resize(static_cast<std::size_t>(size));
  }
  Buffers buffers(storage.begin(), storage.end());

  std::size_t size = front;
  for (const Bytes& buffer : storage) size += buffer.size();
  Bounds bounds;
  auto strict = judge_contents(*d, buffers, {.mode = Mode::strict});
  if (std::string broken = bounds.broken("judging contents", size, 65536, 16); !broken.empty()) return broken;
  auto lenient = judge_contents(*d, buffers, {.mode = Mode::lenient});
  if (strict.has_value() != lenient.has_value()) return "contents: a refusal in one mode only";
  if (strict && strict->empty() && !lenient->empty()) return "contents: lenient refuses what strict takes";
  if (strict && lenient)
    for (const Fault& fault : *lenient) {
      if (fault.member >= buffers.size()) return "contents: a fault in no buffer";
      // CSF-07 names the pointer that is missing, which lies where the buffer should go on.
      if (fault.offset > buffers[fault.member].size() && fault.clause != "CSF-07")
        return "contents: " + fault.clause + " behind its buffer";
      if (!find_clause(fault.clause) && !fault.clause.starts_with("D-")) return "contents: no clause";
    }
  bool sound = lenient && lenient->empty();
  bool sparse = layout::is_sparse(d->header.layout_tag);
  std::string broken;
  std::uint64_t stored = 0, cells = 0, answered = 0;
  bool whole = d->shape.size() <= 4 && !d->has_dynamic_dimension() && d->element_count().at_most(512);
  std::vector<std::uint64_t> places = d->shape;
  if (auto* l = std::get_if<BlockPaged>(&d->layout)) places.insert(places.begin(), l->num_seqs);
  each_index(places, whole ? 512 : 64, [&](const std::vector<std::uint64_t>& index) {
    auto found = lookup(*d, buffers, index);
    if (!found && sound && found.error().kind == "contents")
      broken = "contents are sound, but a lookup says: " + found.error().text;
    ++cells;
    if (found) ++answered;
    if (found && *found) ++stored;
  });
  if (sound && sparse && whole && broken.empty() && cells > 0 && cells == answered && strict->empty()) {
    std::uint64_t nnz = 0;
    if (auto* l = std::get_if<Coo>(&d->layout)) nnz = l->nnz;
    if (auto* l = std::get_if<CompressedMatrix>(&d->layout)) nnz = l->nnz;
    if (auto* l = std::get_if<Csf>(&d->layout)) nnz = l->nnz;
    if (stored != nnz)
      broken = "nnz is " + std::to_string(nnz) + ", but " + std::to_string(stored) + " cells are stored";
  }
  auto values = dequantise(*d, buffers, 4096);
  if (!values && is_strict && strict && strict->empty() && values.error().kind == "contents" && d->quantization)
    broken = "contents are sound, but dequantise says: " + values.error().text;
  return broken;
}

}  // namespace plumbline::fuzz
