// metadata.md, Core Variable Fields; data-model.md.
#include <algorithm>

#include "judge.h"

#include "../types/element_type.h"

namespace plumbline {

bool Descriptor::has_dynamic_dimension() const {
  return std::ranges::find(shape, dynamic_dimension) != shape.end();
}

Exact Descriptor::element_count() const {
  Exact count(1);
  for (std::uint64_t size : shape) count = count * Exact(size);
  return count;
}

bool Descriptor::is_empty() const {
  return !has_dynamic_dimension() && std::ranges::find(shape, 0u) != shape.end();
}

std::optional<std::uint32_t> Descriptor::element_bits() const {
  if (is_private_tag(header.type_tag)) {
    if (extension_type && extension_type->is_sizeable()) return extension_type->bit_width;
    return std::nullopt;
  }
  const ElementType* type = find_element_type(header.type_tag);
  return type ? std::optional(type->bit_width) : std::nullopt;
}

void judge_rank(const Descriptor& d, std::string_view clause, bool right, std::string expected,
                Faults& faults) {
  if (!right) faults.add(clause, 16, "rank " + std::to_string(d.header.rank), std::move(expected));
}

void judge_shape(const Descriptor& d, Faults& faults) {
  std::uint8_t tag = d.header.layout_tag;
  // CSR, CSC, CSF, block-paged and Hilbert exclude rank 0 by their own clauses; a composite head is
  // no scalar tensor (open point D-031).
  bool own_rule = tag >= layout::csr && tag <= layout::composite;
  if (!own_rule && tag != layout::hilbert && tag != layout::row_major && !is_invalid_tag(tag))
    judge_rank(d, "SHP-15", d.header.rank >= limit("SHP-15", 1u),
               "rank 1 or more: a scalar is row-major only", faults);

  if (layout::is_sparse(tag) || tag == layout::block_paged) {
    if (d.byte_offset > limit("OFF-03", std::uint64_t{0}))
      faults.add("OFF-03", d.byte_offset_at(), "byte_offset " + std::to_string(d.byte_offset),
                 "0 in a sparse or indirect layout");
  }
  if (!d.buffers.handles.empty() && !d.is_composite_head() &&
      d.byte_offset > limit("OFF-01", d.buffers.handles[0].byte_size)) {
    faults.add("OFF-01", d.buffers.handle_at(0),
               "byte_offset " + std::to_string(d.byte_offset) + " in a buffer of " +
                   counted(d.buffers.handles[0].byte_size, "byte"),
               "byte_offset at most the size of buffer 0");
    faults.too_small();
  }

  // A shard has no dynamic size (SHP-13). The flag makes it one, also where the section is cut off.
  if ((d.header.flags & flag::shard) == 0) return;
  auto judge_static = [&](const std::vector<std::uint64_t>& values, std::size_t at, std::string name) {
    for (std::size_t k = 0; k < values.size(); ++k)
      if (values[k] == dynamic_dimension)
        faults.add("SHP-13", at + 8 * k, "a dynamic " + name + "[" + std::to_string(k) + "]",
                   "a known size in a shard");
  };
  judge_static(d.shape, 20, "shape");
  if (!d.shard) return;
  judge_static(d.shard->parent_shape, d.shard->at, "parent_shape");
  judge_static(d.shard->shard_offset, d.shard->at + 8 * std::size_t{d.header.rank}, "shard_offset");
}

}  // namespace plumbline
