#include "questions.h"

#include <algorithm>
#include <array>
#include <memory>

#include "guarded.h"
#include "reference/addressing/address.h"
#include "reference/addressing/lookup.h"
#include "reference/addressing/size.h"
#include "reference/contents/contents.h"
#include "reference/types/dequantise.h"

namespace plumbline::fuzz {

std::optional<Buffers> guarded_buffers(const Descriptor& d, ByteView bytes) {
  constexpr std::size_t most_buffers = 12, largest = 1 << 14;
  static std::array<std::unique_ptr<Guarded>, most_buffers> memory;
  if (d.buffers.handles.size() > most_buffers) return std::nullopt;
  Reader reader(bytes);
  Buffers buffers;
  for (const BufferHandle& handle : d.buffers.handles) {
    std::unique_ptr<Guarded>& own = memory[buffers.size()];
    if (!own) own = std::make_unique<Guarded>(largest);
    std::uint64_t size = std::min<std::uint64_t>(handle.byte_size, largest);
    ByteView given = *reader.take(std::min<std::uint64_t>(size, reader.left()));
    buffers.push_back(own->place(given, static_cast<std::size_t>(size)));
  }
  return buffers;
}

void ask_everything(const Descriptor& d, const Buffers& buffers) {
  (void)list_fields(d);
  (void)least_sizes(d);
  for (Mode mode : {Mode::strict, Mode::lenient, Mode::permissive})
    (void)judge_contents(d, buffers, {.mode = mode, .agreement = Agreement::everything()});
  std::size_t corners = std::size_t{1} << std::min<std::size_t>(d.shape.size(), 4);
  for (std::size_t corner = 0; corner < corners + 2; ++corner) {
    std::vector<std::uint64_t> index;
    for (std::size_t k = 0; k < d.shape.size(); ++k) {
      bool last = corner >= corners ? corner > corners : (corner >> (k % 4) & 1) != 0;
      index.push_back(last && d.shape[k] > 0 ? d.shape[k] - 1 : 0);
    }
    (void)address(d, index);
    (void)lookup(d, buffers, index);
    (void)dequantise_code(d, buffers, index, 1);
  }
  // Questions that make no sense are refused: a rank of another tensor, an index behind the last, a
  // buffer too few or too short.
  for (const std::vector<std::uint64_t>& index :
       {std::vector<std::uint64_t>(d.shape.size() + 1, 0), d.shape}) {
    (void)address(d, index);
    (void)lookup(d, buffers, index);
    (void)dequantise_code(d, buffers, index, 1);
  }
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    Buffers fewer(buffers.begin(), buffers.begin() + static_cast<std::ptrdiff_t>(k)), shorter = buffers;
    shorter[k] = shorter[k].first(shorter[k].size() / 2);
    std::vector<std::uint64_t> first(d.shape.size(), 0);
    for (const Buffers& some : {fewer, shorter}) {
      (void)judge_contents(d, some, {.mode = Mode::lenient});
      (void)lookup(d, some, first);
      (void)dequantise(d, some, 16);
    }
  }
  (void)buffer_size_bytes(d.header.type_tag, d.byte_offset);
  (void)bit_width_sentinel(d.header.type_tag);
  if (d.header.layout_tag == layout::block_paged)
    for (std::uint64_t t : {0u, 1u, 3u, 1000u}) {
      (void)lookup(d, buffers, {t % 2, t, 0, 0});
      (void)dequantise_paged(d, buffers, {.page = t, .slot = t % 4, .head = 0, .dimension = 0});
    }
  (void)dequantise(d, buffers, 4096);
}

}  // namespace plumbline::fuzz
