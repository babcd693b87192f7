// The parts of a tensor descriptor as structs, in the order of metadata.md, Overall Descriptor
// Structure. `at` is the offset of a part's first byte in the bytes it was read from; not_read where
// the part was never reached. Reserved bytes are kept, so that what was accepted can be written again.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "../exact.h"
#include "fields.h"
#include "quantization.h"

namespace plumbline {

inline constexpr std::uint64_t dynamic_dimension = std::numeric_limits<std::uint64_t>::max();

// metadata.md, Fixed Header (bytes 0 to 19). The magic is checked, not kept; descriptor_length is
// computed when writing.
struct Header {
  std::uint8_t version_major = 1, version_minor = 0;
  std::uint32_t descriptor_length = 0;
  std::uint32_t flags = 0;
  std::uint8_t type_tag = 0, layout_tag = 0;
  std::uint32_t rank = 0;
  void visit(Fields& f);  // from version_major on
};

namespace flag {
inline constexpr std::uint32_t quantization = 1, shard = 2, extension_type = 4, statistics = 8,
                               composite_member = 16, defined = 31;
}

namespace layout {
inline constexpr std::uint8_t row_major = 0x01, column_major = 0x02, strided = 0x03, tiled = 0x04,
                              morton = 0x05, coo = 0x06, csr = 0x07, csc = 0x08, csf = 0x09,
                              block_paged = 0x0A, composite = 0x0B, hilbert = 0x40;
bool is_dense(std::uint8_t tag);   // 01..05, 40
bool is_sparse(std::uint8_t tag);  // 06..09
bool is_known(std::uint8_t tag);   // all twelve
std::string_view name(std::uint8_t tag);
}  // namespace layout

// layouts/row-major.md and column-major.md: no fields.
struct Contiguous {
  void visit(Fields&, std::uint32_t) {}
};

// layouts/strided.md
struct Strided {
  std::size_t at = not_read;
  std::vector<std::int64_t> strides;  // in elements
  void visit(Fields& f, std::uint32_t rank);
};

// layouts/tiled.md: the outermost level first. A level whose inner_layout is 04 is followed by another.
struct TileLevel {
  std::size_t at = not_read;
  std::vector<std::uint64_t> tile_shape;
  std::uint8_t outer_layout = layout::row_major, inner_layout = layout::row_major;
  Bytes reserved = Bytes(2);
  std::vector<std::int64_t> outer_strides;  // in tiles; only when outer_layout is 03
  std::vector<std::int64_t> inner_strides;  // in elements; only when inner_layout is 03
  std::size_t outer_layout_at() const { return at + 8 * tile_shape.size(); }
};
inline constexpr std::size_t deepest_tiling = 8;  // levels, the outermost included (D-113)
struct Tiled {
  std::vector<TileLevel> levels;
  // False where reading stopped before the last level: the bytes end, a tile order is outside the
  // table, or tiles nest beyond deepest_tiling.
  bool located = true;
  void visit(Fields& f, std::uint32_t rank);
};

// layouts/morton.md
struct Morton {
  std::size_t at = not_read;
  std::vector<std::uint32_t> morton_bits;
  void visit(Fields& f, std::uint32_t rank);
};

// layouts/coo.md
struct Coo {
  std::size_t at = not_read;
  std::uint64_t nnz = 0;
  std::uint8_t is_sorted = 0;
  Bytes reserved = Bytes(7);
  void visit(Fields& f, std::uint32_t rank);
};

// layouts/csr.md and csc.md: the same fields.
struct CompressedMatrix {
  std::size_t at = not_read;
  std::uint64_t nnz = 0;
  Bytes reserved = Bytes(8);
  void visit(Fields& f, std::uint32_t rank);
};

// layouts/csf.md
struct Csf {
  std::size_t at = not_read;
  std::uint64_t nnz = 0;
  std::vector<std::uint32_t> mode_order;  // the dimension that each level stores, outermost first
  Bytes reserved = Bytes(8);
  void visit(Fields& f, std::uint32_t rank);
};

// layouts/block-paged.md
struct BlockPaged {
  std::size_t at = not_read;
  std::uint32_t page_size = 1;  // tokens per page
  std::uint64_t num_pages = 0;
  std::uint32_t paged_axis = 0, num_seqs = 0;
  std::uint8_t kv_role = 0;
  std::uint32_t layer_index = 0xFFFFFFFF;
  std::uint8_t block_table_index_type = 0;
  Bytes reserved = Bytes(6);
  // Bytes of an entry of block_table and seq_ptr.
  std::size_t index_width() const { return block_table_index_type == 0 ? 4 : 8; }
  void visit(Fields& f, std::uint32_t rank);
};

// layouts/composite.md, Head Layout-Specific Fields
struct CompositeHead {
  std::size_t at = not_read;
  std::uint8_t composition_rule = 3, combine_op = 0;
  Bytes reserved = Bytes(2);
  std::uint32_t member_count = 0;
  void visit(Fields& f, std::uint32_t rank);
};
namespace rule {
inline constexpr std::uint8_t partition = 1, overlay = 2, group = 3;
}

// layouts/hilbert.md
struct Hilbert {
  std::size_t at = not_read;
  std::uint32_t hilbert_order = 1, hilbert_rank = 2;
  void visit(Fields& f, std::uint32_t rank);
};

// memory-layout.md, Extension Layouts (tags F0..FE)
struct PrivateLayout {
  std::size_t at = not_read;
  std::uint64_t extension_layout_id = 0;
  std::uint32_t extension_data_length = 0;  // that of extension_data when writing
  Bytes extension_data;
  void visit(Fields& f, std::uint32_t rank);
};

// A tag of no layout known here: its fields have no length, so nothing behind byte_offset can be
// located (open point D-020). The bytes are kept.
struct UnknownLayout {
  Bytes raw;
  void visit(Fields& f, std::uint32_t rank);
};

using Layout = std::variant<Contiguous, Strided, Tiled, Morton, Coo, CompressedMatrix, Csf,
                            BlockPaged, CompositeHead, Hilbert, PrivateLayout, UnknownLayout>;
// The empty struct of that tag's layout.
Layout layout_for(std::uint8_t tag);

// buffer-protocol.md, Buffer Handle (16 bytes)
struct BufferHandle {
  std::uint64_t byte_size = 0;
  std::uint32_t alignment = 64;
  std::uint8_t device_tag = 0, sync_mode = 0, memory_class = 0, reserved = 0;
};
struct BufferTable {
  std::size_t at = not_read;  // of buffer_count
  std::uint8_t buffer_count = 0;
  std::vector<BufferHandle> handles;
  void visit(Fields& f);
  std::size_t handle_at(std::size_t k) const { return at + 1 + 16 * k; }
};

// metadata.md, Shard Section
struct Shard {
  std::size_t at = not_read;
  std::vector<std::uint64_t> parent_shape, shard_offset;
  void visit(Fields& f, std::uint32_t rank);
};

// metadata.md, Statistics Section (72 bytes); the float64 fields as IEEE bits.
struct Statistics {
  std::size_t at = not_read;
  std::uint32_t computed_mask = 0;
  Bytes reserved = Bytes(4);
  std::uint64_t nnz = 0, sparsity_ratio = 0, value_min = 0, value_max = 0, value_abs_max = 0,
                value_mean = 0, value_stddev = 0;
  std::uint8_t nm_n = 0, nm_m = 0, has_nan = 0, has_inf = 0;
  Bytes reserved2 = Bytes(4);
  void visit(Fields& f);
};
namespace statistic {
inline constexpr std::uint32_t nnz = 1, sparsity = 2, value_range = 4, value_stats = 8,
                               nm_sparsity = 16, nan_inf = 32, defined = 63;
}

// metadata.md, Extension Type Section (20 bytes)
struct ExtensionType {
  std::size_t at = not_read;
  std::uint32_t bit_width = 8;
  std::uint8_t packing_factor = 1;
  std::uint8_t is_float = 0, is_signed = 0, sign_bits = 0, exponent_bits = 0, mantissa_bits = 0;
  Bytes reserved = Bytes(2);
  std::uint32_t exponent_bias = 0;
  std::uint8_t has_nan = 0, has_inf = 0;
  Bytes reserved2 = Bytes(2);
  void visit(Fields& f);
  // Whether width and packing are such that elements can be counted in bytes (EXT-02 to 05, EXT-19).
  bool is_sizeable() const;
};

// metadata.md, Composite Member Section (16 bytes)
struct CompositeMember {
  std::size_t at = not_read;
  std::uint8_t member_role = 0;
  Bytes reserved = Bytes(15);
  void visit(Fields& f);
};

// metadata.md, Overall Descriptor Structure
struct Descriptor {
  Header header;
  std::vector<std::uint64_t> shape;
  std::uint64_t byte_offset = 0;
  Layout layout = Contiguous{};
  BufferTable buffers;
  std::optional<Quantization> quantization;
  std::optional<Shard> shard;
  std::optional<Statistics> statistics;
  std::optional<ExtensionType> extension_type;
  std::optional<CompositeMember> composite_member;
  Bytes tail;  // bytes behind the last section, inside descriptor_length

  // All fields in wire order, the magic first.
  void visit(Fields& f);

  // Offsets that follow from the header alone.
  std::size_t shape_at(std::size_t k) const { return 20 + 8 * k; }
  std::size_t byte_offset_at() const { return 20 + 8 * std::size_t{header.rank}; }
  std::size_t layout_at() const { return byte_offset_at() + 8; }

  bool is_composite_head() const { return header.layout_tag == layout::composite; }
  bool has_dynamic_dimension() const;
  // Product of the dimensions; call only without dynamic dimensions.
  Exact element_count() const;
  bool is_empty() const;  // no dynamic dimension, and one of size 0
  // Bits of one element: of the defined type, or of a sound extension type section.
  std::optional<std::uint32_t> element_bits() const;
};

}  // namespace plumbline
