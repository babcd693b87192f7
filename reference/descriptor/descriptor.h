// Judging, reading and writing one tensor descriptor.
#pragma once

#include <expected>

#include "fault.h"
#include "sections.h"

namespace plumbline {

// What a descriptor was found to be. Everything that could be read is there, also beside a fault.
struct Judgement {
  Descriptor descriptor;
  std::vector<Fault> faults;  // by offset, ties in table order; none when accepted
  bool interpreted = true;    // false: sized, but not interpreted (permissive mode)
  std::size_t read_end = 0;   // the fields before this offset were read
  std::size_t rest = 0;       // bytes of the input behind descriptor_length

  bool accepted() const { return faults.empty(); }
  Verdict verdict() const { return faults.empty() ? Verdict::accept : faults.front().verdict; }
};

// Collects every fault of the bytes. Time and memory are linear in the input.
Judgement judge(ByteView input, const Options& options = {});

// The descriptor, or the first fault.
std::expected<Descriptor, Fault> decode(ByteView input, const Options& options = {});

// The bytes of a descriptor, as its fields say; descriptor_length and quantization_length are those
// of what is written. The result is what decode read, whatever mode accepted it.
Bytes serialize(const Descriptor& d);

// Authoring: the bytes, or why a writer must not emit them (judged in strict mode; a writer knows
// its own private tags).
std::expected<Bytes, Fault> encode(const Descriptor& d);

// Every field in wire order, with the keys of conformance/PROTOCOL.md. After a fault: the fields
// before judgement.read_end.
std::vector<Field> list_fields(const Descriptor& d);
// The struct that those keys state; the text says why where it can't be built.
std::expected<Descriptor, FieldTextFault> from_fields(const FieldText& text);

}  // namespace plumbline
