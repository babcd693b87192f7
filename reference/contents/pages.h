// The rules of each page on what the buffers hold, one function a page. Each adds the earliest
// instance of what breaks a clause.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../addressing/element_offset.h"
#include "../descriptor/judge.h"
#include "../mutation.h"
#include "../question.h"

namespace plumbline {

// A descriptor with buffers that fit its table and the sizes that its fields ask for.
struct Contents {
  const Descriptor& d;
  Buffers buffers;
  Faults& faults;

  Array array(std::size_t buffer, std::size_t width) const { return Array(buffers[buffer], width); }
  // A fault at byte `offset` of a buffer.
  void fault(std::string_view clause, std::size_t buffer, std::uint64_t offset, std::string found,
             std::string expected) {
    faults.set_member(buffer);
    faults.add(clause, offset, std::move(found), std::move(expected));
  }
};

// padding.cpp, reserved_patterns.cpp: element-types.md
void judge_padding(Contents& c);
void judge_reserved_patterns(Contents& c);
// last_block.cpp: quantization.md, Partial Block Policy
void judge_block_fill(Contents& c);
// coo.cpp, csr.cpp, csc.cpp, csf.cpp, block_paged.cpp
void judge_coo_contents(Contents& c, const Coo& layout);
void judge_csr_contents(Contents& c, const CompressedMatrix& layout);
void judge_csc_contents(Contents& c, const CompressedMatrix& layout);
void judge_csf_contents(Contents& c, const Csf& layout);
void judge_paged_contents(Contents& c, const BlockPaged& layout);
// per_channel.cpp, per_block.cpp, nf4.cpp, mxfp.cpp: the parameter arrays, where they are sized
void judge_per_channel_contents(Contents& c, const PerChannelAffine& scheme);
void judge_per_block_contents(Contents& c, const PerBlockAffine& scheme);
void judge_nf4_contents(Contents& c, const Nf4& scheme);
void judge_mxfp_contents(Contents& c, const Mxfp& scheme);

// --- what the pages share

// Entries [begin, end) of an array strictly increase, or the first entry that does not.
std::optional<std::uint64_t> first_not_increasing(std::string_view clause, const Array& a,
                                                  std::uint64_t begin, std::uint64_t end);
// The first of the first `count` entries that is `limit` or more.
std::optional<std::uint64_t> first_not_below(const Array& a, std::uint64_t count,
                                             std::uint64_t limit);
// The first of entries [1, count) that is below the one before it.
std::optional<std::uint64_t> first_falling(std::string_view clause, const Array& a,
                                           std::uint64_t count);

// csr.cpp: what CSR and CSC share. `lines` are compressed, `positions` is the bound of the indices;
// dynamic_dimension where not known.
struct CompressedClauses {
  std::string_view ends, order, sorted, bounds;
};
void judge_compressed(Contents& c, std::uint64_t nnz, std::uint64_t lines, std::uint64_t positions,
                      const CompressedClauses& clauses);

// storage.cpp: the elements that lie one after the other from the start of the storage, edge tiles
// and unused Morton codes included, whole last blocks not (open point D-088); nothing for strided
// orders and unknown sizes.
std::optional<Exact> storage_elements(const Descriptor& d);
// last_block.cpp: the elements with whole last blocks, where the room for them lies behind all
// elements (open point D-153) and buffer 0 has it.
std::optional<Exact> whole_block_elements(const Descriptor& d);

// scales.cpp: whether the bits are those of a finite number, or of a zero, in type 01, 02 or 03.
bool is_finite(std::uint64_t bits, std::uint8_t type_tag);
bool is_zero(std::uint64_t bits, std::uint8_t type_tag);
// The number of entries of the scheme's scale array; nothing where the descriptor does not size it.
std::optional<std::uint64_t> scale_count(const Descriptor& d);

}  // namespace plumbline
