// The rules of each page, one function a page. Each looks at a descriptor as far as it was read and
// adds what breaks a clause; a fault at a field that was not read is dropped by Faults.
#pragma once

#include "../mutation.h"
#include "fault.h"
#include "sections.h"

namespace plumbline {

// A buffer's size as the text asks for it.
struct Need {
  std::size_t buffer = 0;
  Exact bytes;             // at least this many
  bool exact = false;      // and no more (a larger buffer breaks the clause as class W)
  std::string clause;      // the clause that asks
  std::size_t offset = 0;  // last field, in wire order, that takes part
  bool below_start = false;  // an element would lie before the buffer's first byte
  std::string unless = {};   // the clause that the size presupposes, where it is broken
};

// header.cpp
void judge_header(const Descriptor& d, const Options& options, Faults& faults);
// shape.cpp
void judge_shape(const Descriptor& d, Faults& faults);
// layouts/*.cpp: the rules of the layout's own fields
void judge_strided(const Descriptor& d, const Strided& layout, Faults& faults);
void judge_tiled(const Descriptor& d, const Tiled& layout, Faults& faults);
void judge_morton(const Descriptor& d, const Morton& layout, Faults& faults);
void judge_hilbert(const Descriptor& d, const Hilbert& layout, Faults& faults);
void judge_coo(const Descriptor& d, const Coo& layout, Faults& faults);
void judge_csr(const Descriptor& d, const CompressedMatrix& layout, Faults& faults);
void judge_csc(const Descriptor& d, const CompressedMatrix& layout, Faults& faults);
void judge_csf(const Descriptor& d, const Csf& layout, Faults& faults);
void judge_block_paged(const Descriptor& d, const BlockPaged& layout, Faults& faults);
void judge_composite_head(const Descriptor& d, const CompositeHead& layout, const Options& options,
                          Faults& faults);
void judge_private_layout(const Descriptor& d, const PrivateLayout& layout, const Options& options,
                          Faults& faults);
// buffer_table.cpp
void judge_buffer_table(const Descriptor& d, const Options& options, Faults& faults);
void judge_buffer_count(const Descriptor& d, Faults& faults);
// sizes.cpp
void judge_sizes(const Descriptor& d, Faults& faults);
// quantization.cpp and quantization/*.cpp
void judge_quantization(const Descriptor& d, const Options& options, Faults& faults);
void judge_per_tensor(const Descriptor& d, const PerTensorAffine& scheme, Faults& faults);
void judge_per_channel(const Descriptor& d, const PerChannelAffine& scheme, Faults& faults);
void judge_per_block(const Descriptor& d, const PerBlockAffine& scheme, Faults& faults);
void judge_nf4(const Descriptor& d, const Nf4& scheme, Faults& faults);
void judge_mxfp(const Descriptor& d, const Mxfp& scheme, Faults& faults);
// shard.cpp, statistics.cpp, extension_type.cpp, composite_member.cpp
void judge_shard(const Descriptor& d, Faults& faults);
void judge_statistics(const Descriptor& d, Faults& faults);
void judge_extension_type(const Descriptor& d, Faults& faults);
void judge_composite_member(const Descriptor& d, Faults& faults);

// --- what the pages share

// The least sizes of the layout's own buffers; nothing for what is dynamic, private or unknown, or
// where a precondition of the clause is broken.
void need_contiguous(const Descriptor& d, std::vector<Need>& needs);
void need_strided(const Descriptor& d, const Strided& layout, std::vector<Need>& needs);
void need_tiled(const Descriptor& d, const Tiled& layout, std::vector<Need>& needs);
void need_morton(const Descriptor& d, const Morton& layout, std::vector<Need>& needs);
void need_hilbert(const Descriptor& d, const Hilbert& layout, std::vector<Need>& needs);
void need_coo(const Descriptor& d, const Coo& layout, std::vector<Need>& needs);
void need_csr(const Descriptor& d, const CompressedMatrix& layout, std::vector<Need>& needs);
void need_csc(const Descriptor& d, const CompressedMatrix& layout, std::vector<Need>& needs);
void need_csf(const Descriptor& d, const Csf& layout, std::vector<Need>& needs);
void need_block_paged(const Descriptor& d, const BlockPaged& layout, std::vector<Need>& needs);
// The exact sizes of the buffers that the quantization scheme names.
void need_parameters(const Descriptor& d, std::vector<Need>& needs);
void need_per_channel(const Descriptor& d, const PerChannelAffine& scheme, std::vector<Need>& needs);
void need_per_block(const Descriptor& d, const PerBlockAffine& scheme, std::vector<Need>& needs);
void need_nf4(const Descriptor& d, const Nf4& scheme, std::vector<Need>& needs);
void need_mxfp(const Descriptor& d, const Mxfp& scheme, std::vector<Need>& needs);
std::vector<Need> all_needs(const Descriptor& d);

// Element offsets that a dense layout reaches from byte_offset: from -low to high.
struct Reach {
  Exact low, high;
};
// Buffer 0 of a dense layout: every element inside, counted from byte_offset (clause OFF-05 where
// byte_offset is above 0 and the layout has no such clause of its own).
void need_reach(const Descriptor& d, Reach reach, std::string_view clause, std::vector<Need>& needs);
// Buffer `k` holds at least `count` elements of the tensor's type.
void need_elements(const Descriptor& d, std::size_t k, Exact count, std::string_view clause,
                   std::vector<Need>& needs);
// Where a size fault of buffer k lies: at its byte_size, or, for elements of a private type, at the
// field of the extension type section that the formula takes last.
std::size_t size_fault_at(const Descriptor& d, std::size_t k, bool holds_elements);

// Buffers that the layout itself lists.
std::size_t layout_buffer_count(const Descriptor& d);
// A field of the scheme that names a parameter buffer.
struct ParameterIndex {
  std::uint32_t index;
  std::size_t offset;  // of the field
};
std::vector<ParameterIndex> parameter_indices(const Quantization& q);
// Indices that name a buffer of their own: inside the table and behind the layout's buffers.
bool parameter_indices_sound(const Descriptor& d);

// per-block-affine.md, Block Layout: blocks of `block_size` along `axis`, over all other dimensions.
Exact block_count(const Descriptor& d, std::uint32_t axis, std::uint32_t block_size);
bool is_power_of_two(std::uint64_t n);
// The checks that schemes 02 to 05 share: index past the table, the data buffer, a layout buffer.
void judge_parameter_indices(const Descriptor& d, std::string_view past_clause, Faults& faults);
void judge_storage_type(const Descriptor& d, std::string_view clause,
                        std::initializer_list<std::uint8_t> tags, Faults& faults);
// A started last block is stored whole (D-153: where the padding lies at the end of the storage).
void judge_last_block(const Descriptor& d, std::uint32_t axis, std::uint32_t block_size,
                      std::string_view clause, std::size_t offset, Faults& faults);

// The nnz of a sparse layout: COO-08, and its agreement with the statistics section.
void judge_nnz(const Descriptor& d, std::uint64_t nnz, std::size_t at,
               std::string_view statistics_clause, Faults& faults);
// One run of reserved bytes.
void judge_zero(const Bytes& reserved, std::string_view clause, std::size_t at, Faults& faults);
// A rank that the layout does not have.
void judge_rank(const Descriptor& d, std::string_view clause, bool right, std::string expected,
                Faults& faults);
// The number of buffers a sparse layout states (too few: N; too many: W).
void judge_listed_buffers(const Descriptor& d, std::string_view clause, Faults& faults);

}  // namespace plumbline
