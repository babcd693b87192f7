// A stranger's first program: reads the worked example of metadata.md and writes it again.
#include <cstdint>
#include <cstdio>

#include "reference/descriptor/descriptor.h"
#include "reference/scalar/environment.h"
#include "reference/types/element_type.h"

int main() {
  const std::uint8_t bytes[] = {
      0x48, 0x52, 0x52, 0x59,                          // magic
      0x01, 0x00,                                      // version 1.0
      0x3D, 0x00, 0x00, 0x00,                          // descriptor_length = 61
      0x00, 0x00, 0x00, 0x00,                          // flags
      0x03,                                            // type_tag = float32
      0x01,                                            // layout_tag = row-major
      0x02, 0x00, 0x00, 0x00,                          // rank = 2
      0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,  // shape[0] = 3
      0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,  // shape[1] = 4
      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,  // byte_offset = 0
      0x01,                                            // buffer_count = 1
      0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,  // buffer[0].byte_size = 192
      0x40, 0x00, 0x00, 0x00,                          // buffer[0].alignment = 64
      0x00, 0x00, 0x00, 0x00,                          // buffer[0].device_tag = CPU, reserved
  };
  const auto descriptor = plumbline::decode(bytes);
  if (!descriptor) {
    std::printf("refused: %s\n", descriptor.error().message().c_str());
    return 1;
  }
  const auto* type = plumbline::find_element_type(descriptor->header.type_tag);
  std::printf("%.*s ", static_cast<int>(type->name.size()), type->name.data());
  for (std::size_t k = 0; k < descriptor->shape.size(); ++k) {
    std::printf("%s%llu", k == 0 ? "" : "x", static_cast<unsigned long long>(descriptor->shape[k]));
  }
  const plumbline::Bytes again = plumbline::serialize(*descriptor);
  const bool same = again == plumbline::Bytes(std::begin(bytes), std::end(bytes));
  std::printf(", %zu bytes, %s\n", again.size(), same ? "written again unchanged" : "CHANGED");

  for (const auto fault : plumbline::environment_faults()) {
    std::printf("fault: %.*s\n", static_cast<int>(fault.size()), fault.data());
  }
  return 0;
}
