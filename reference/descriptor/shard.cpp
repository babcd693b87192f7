// metadata.md, Shard Section
#include "judge.h"

namespace plumbline {

void Shard::visit(Fields& f, std::uint32_t rank) {
  at = f.offset();
  f.prefix("shard.");
  if (mutant("wrong:", "shard_offset before parent_shape"))
    f.u64s("shard_offset", shard_offset, rank);
  f.u64s("parent_shape", parent_shape, rank);
  if (mutant("wrong:", "shard_offset before parent_shape")) return;
  f.u64s("shard_offset", shard_offset, rank);
}

void judge_shard(const Descriptor& d, Faults& faults) {
  const Shard& s = *d.shard;
  for (std::size_t k = 0; k < s.shard_offset.size(); ++k) {
    std::uint64_t size = d.shape[k], parent = s.parent_shape[k], offset = s.shard_offset[k];
    if (size == dynamic_dimension || offset == dynamic_dimension) continue;  // SHP-13
    // A dynamic parent is SHP-13 too; a sum beyond 64 bits is above every parent (open point D-185).
    if (!(Exact(offset) + Exact(size)).at_most(limit("SHD-02", parent)))
      faults.add("SHD-02", s.at + 8 * (std::size_t{d.header.rank} + k),
                 "offset " + std::to_string(offset) + " plus size " + std::to_string(size),
                 "at most the parent's size, " + std::to_string(parent));
  }
}

}  // namespace plumbline
