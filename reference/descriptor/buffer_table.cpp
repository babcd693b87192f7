// metadata.md, Buffer Table; buffer-protocol.md, Buffer Handle, Device Tags, Memory Class, sync_mode.
#include "judge.h"

#include "../types/element_type.h"

namespace plumbline {

void BufferTable::visit(Fields& f) {
  at = f.offset();
  f.prefix("");
  f.u8("buffer_count", buffer_count);
  f.holds("buffers", buffer_count, handles.size());
  for (std::size_t k = 0; k < buffer_count && f.ok(); ++k) {
    if (k == handles.size()) handles.emplace_back();
    BufferHandle& h = handles[k];
    f.prefix("buffer." + std::to_string(k) + ".");
    f.u64("byte_size", h.byte_size);
    f.u32("alignment", h.alignment);
    f.u8("device_tag", h.device_tag);
    f.u8("sync_mode", h.sync_mode);
    f.u8("memory_class", h.memory_class);
    f.u8("reserved", h.reserved);
  }
}

namespace {

constexpr std::uint8_t last_device = 0x08, last_class = 0x03, last_sync_mode = 0x02;

// buffer-protocol.md, Per-Device Validity: the classes that go with devices 00 to 08, as bits
// STANDARD 1, HOST_PINNED 2, UNIFIED 4, PEER 8.
constexpr std::uint8_t valid_classes[] = {
    1 + 2 + 4,      // CPU
    1 + 2 + 4 + 8,  // CUDA
    1 + 2 + 4 + 8,  // ROCm
    1 + 2 + 4,      // Metal
    1 + 2 + 4 + 8,  // Vulkan
    1,              // WebGPU
    1 + 2 + 4,      // Hexagon
    1 + 2 + 4 + 8,  // Level Zero
    1 + 2 + 4,      // OpenCL
};

bool is_known_device(std::uint8_t tag) { return tag <= last_device || is_private_tag(tag); }

bool is_valid_pair(std::uint8_t device, std::uint8_t memory_class) {
  if (is_private_tag(device)) return memory_class == 0 || is_private_tag(memory_class);
  return memory_class <= last_class && (valid_classes[device] >> memory_class & 1) != 0;
}

void judge_handle(const BufferHandle& h, std::size_t at, const Options& options, Faults& faults) {
  if (!is_power_of_two(h.alignment))
    faults.add("BUF-06", at + 8, "alignment " + std::to_string(h.alignment), "a power of two");
  else if (h.byte_size > 0 && h.alignment < limit("BUF-07", 64u))
    faults.add("BUF-07", at + 8,
               "alignment " + std::to_string(h.alignment) + " of a buffer that is not empty",
               "64 or more");

  std::uint8_t device = h.device_tag, memory_class = h.memory_class;
  if (device == 0xFF)
    faults.add("BUF-16", at + 12, "device tag 0xff", "a device of buffer-protocol.md");
  else if (device > limit("BUF-17", last_device) && !is_private_tag(device))
    faults.add("BUF-17", at + 12, "device tag " + hex_tag(device), "a device of buffer-protocol.md");
  else if (is_private_tag(device) && !options.agreement.covers(Agreed::device, device))
    faults.add("D-022", at + 12, "private device tag " + hex_tag(device),
               "an agreement on this device");  // BUF-18 binds the exchange, not the bytes

  if (h.sync_mode == 0xFF)
    faults.add("BUF-31", at + 13, "sync mode 0xff", "0x00, 0x01 or 0x02");
  else if (h.sync_mode > limit("BUF-30", last_sync_mode))
    faults.add("BUF-30", at + 13, "sync mode " + hex_tag(h.sync_mode), "0x00, 0x01 or 0x02");
  else if (h.sync_mode > limit("BUF-32", 0) && device == 0)
    faults.add("BUF-32", at + 13, "sync mode " + hex_tag(h.sync_mode) + " of a CPU buffer", "0x00");
  if (options.network_transport && h.sync_mode > limit("BUF-35", 0) && h.sync_mode != 0xFF)
    faults.add("BUF-35", at + 13, "sync mode " + hex_tag(h.sync_mode) + " across a network", "0x00");

  if (memory_class == 0xFF)
    faults.add("BUF-23", at + 14, "memory class 0xff", "a class of buffer-protocol.md");
  else if (memory_class > limit("BUF-22", last_class) && !is_private_tag(memory_class))
    faults.add("BUF-22", at + 14, "memory class " + hex_tag(memory_class),
               "a class of buffer-protocol.md");
  else if (is_known_device(device) && !is_valid_pair(device, memory_class))
    faults.add("BUF-26", at + 14,
               "memory class " + hex_tag(memory_class) + " with device " + hex_tag(device),
               "a pair that the table of buffer-protocol.md lists");
  else if (is_private_tag(memory_class) &&
           !options.agreement.covers(Agreed::memory_class, memory_class))
    faults.add("BUF-24", at + 14, "private memory class " + hex_tag(memory_class),
               "an agreement on this class");

  if (h.reserved > limit("BUF-14", 0))
    faults.add("BUF-14", at + 15, "reserved byte " + hex_tag(h.reserved), "0x00");
}

}  // namespace

bool is_power_of_two(std::uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

void judge_zero(const Bytes& reserved, std::string_view clause, std::size_t at, Faults& faults) {
  for (std::uint8_t byte : reserved)
    if (byte > limit(clause, 0)) {
      faults.add(clause, at, "reserved bytes " + to_hex(reserved), "zero");
      return;
    }
}

void judge_buffer_table(const Descriptor& d, const Options& options, Faults& faults) {
  const BufferTable& table = d.buffers;
  if (table.at == not_read) return;
  for (std::size_t k = 0; k < table.handles.size(); ++k) {
    const BufferHandle &first = table.handles[0], &h = table.handles[k];
    std::size_t at = table.handle_at(k);
    judge_handle(h, at, options, faults);
    if (h.device_tag != first.device_tag)
      faults.add("BUF-19", at + 12, "device " + hex_tag(h.device_tag) + " beside " +
                                        hex_tag(first.device_tag),
                 "one device for all buffers of a descriptor");
    if (h.memory_class != first.memory_class)
      faults.add("BUF-20", at + 14, "memory class " + hex_tag(h.memory_class) + " beside " +
                                        hex_tag(first.memory_class),
                 "one memory class for all buffers of a descriptor");
  }
}

std::size_t layout_buffer_count(const Descriptor& d) {
  switch (d.header.layout_tag) {
    case layout::coo: return 2;
    case layout::csr:
    case layout::csc:
    case layout::block_paged: return 3;
    case layout::csf: return 2 * std::size_t{d.header.rank} + 1;
    case layout::composite: return 0;
  }
  return 1;
}

void judge_buffer_count(const Descriptor& d, Faults& faults) {
  const BufferTable& table = d.buffers;
  if (table.at == not_read) return;
  std::uint8_t tag = d.header.layout_tag;
  std::size_t listed = table.buffer_count;
  if ((layout::is_dense(tag) || is_private_tag(tag)) && listed < limit("BUF-01", 1u))
    faults.add("BUF-01", table.at, "0 buffers", "at least one");
  bool is_quantized = (d.header.flags & flag::quantization) != 0;
  if (layout::is_dense(tag) && !is_quantized && listed > limit("BUF-02", 1u))
    faults.add("BUF-02", table.at, counted(listed, "buffer"),
               "one buffer for a dense tensor without quantization");

  // Entries that neither the layout nor the scheme names (open point D-058).
  if (!d.quantization || is_private_tag(tag) || d.is_composite_head()) return;
  if (std::holds_alternative<UnknownScheme>(d.quantization->scheme) || !d.quantization->complete)
    return;
  if (!parameter_indices_sound(d)) return;
  std::set<std::uint32_t> named;
  std::size_t at = d.quantization->byte_at(0);
  for (const ParameterIndex& p : parameter_indices(*d.quantization)) {
    named.insert(p.index);
    at = p.offset;
  }
  std::size_t own = layout_buffer_count(d);
  std::string_view clause = tag == layout::coo           ? "COO-01"
                            : tag == layout::csr         ? "CSR-02"
                            : tag == layout::csc         ? "CSC-02"
                            : tag == layout::csf         ? "CSF-06"
                            : tag == layout::block_paged ? "BPG-03"
                                                         : "BUF-03";
  if (listed > limit(clause, 2, own + named.size())) {
    faults.add(clause, at, counted(listed, "buffer"),
               std::to_string(own + named.size()) + ": the layout's and the scheme's", Class::W);
  }
}

}  // namespace plumbline
