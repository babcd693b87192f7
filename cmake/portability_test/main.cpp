// Whether the reference means the same bytes on this machine. Bytes and numbers are spelled out by
// hand from the specification's tables; the program runs on little- and big-endian machines.
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>

#include "reference/addressing/address.h"
#include "reference/addressing/lookup.h"
#include "reference/contents/contents.h"
#include "reference/descriptor/descriptor.h"
#include "reference/descriptor/judge.h"
#include "reference/scalar/df64.h"
#include "reference/scalar/storage.h"
#include "reference/types/dequantise.h"
#include "reference/types/number.h"
#include "reference/types/packing.h"

namespace {

using namespace plumbline;

int checks = 0, failures = 0;
void expect(bool holds, const char* what) {
  ++checks;
  if (!holds) {
    ++failures;
    std::printf("FAILED: %s\n", what);
  }
}

// clang-format off
// metadata.md, Worked Example.
const char* const worked_example =
    "48525259"                          // magic
    "01" "00" "3d000000" "00000000"     // version 1.0, 61 bytes, no flags
    "03" "01" "02000000"                // float32, row-major, rank 2
    "0300000000000000" "0400000000000000"
    "0000000000000000"                  // byte_offset
    "01" "c000000000000000" "40000000" "00" "000000";

// int8 [2,3], rows backwards, with quantization, shard and statistics.
const char* const every_width =
    "48525259" "01" "00" "c9000000" "0b000000" "10" "03" "02000000"
    "0200000000000000" "0300000000000000"
    "0300000000000000"                      // byte_offset 3
    "fdffffffffffffff" "0100000000000000"   // strides -3, 1
    "01" "0600000000000000" "40000000" "00" "000000"
    "10000000" "01" "01" "0000" "0000003f" "feffffff" "00000000"  // scale 0.5, zero point -2
    "0400000000000000" "0300000000000000"                         // parent [4,3]
    "0200000000000000" "0000000000000000"                         // from row 2
    "04000000" "00000000" "0000000000000000" "0000000000000000"
    "000000000000f8bf" "000000000000d03f" "000000000000f83f"      // -1.5, 0.25, 1.5
    "0000000000000000" "0000000000000000" "00000000" "00000000";

// Type F0: 16 bits, one sign, five exponent and ten mantissa bits, bias 15.
const char* const private_type =
    "48525259" "01" "00" "49000000" "04000000" "f0" "01" "01000000"
    "0300000000000000" "0000000000000000"
    "01" "0600000000000000" "40000000" "00" "000000"
    "10000000" "01" "01" "00" "01" "05" "0a" "0000" "0f000000" "01" "01" "0000";

// A 3x3 CSR matrix of float32 with two entries.
const char* const sparse =
    "48525259" "01" "00" "6d000000" "00000000" "03" "07" "02000000"
    "0300000000000000" "0300000000000000" "0000000000000000"
    "0200000000000000" "0000000000000000"   // nnz
    "03" "0800000000000000" "40000000" "00" "000000"
    "1000000000000000" "40000000" "00" "000000"
    "2000000000000000" "40000000" "00" "000000";
// clang-format on

// Reads the bytes, then writes them three ways: from the struct, as an author, and through the text
// of the fields.
Descriptor round_trip(const char* hex, const char* what) {
  Options options;
  options.agreement.add(Agreed::type, 0xF0);
  const Bytes bytes = from_hex(hex).value();
  const auto decoded = decode(bytes, options);
  expect(decoded.has_value(), what);
  if (!decoded) {
    std::printf("  %s\n", decoded.error().message().c_str());
    return {};
  }
  expect(serialize(*decoded) == bytes, what);
  const auto authored = encode(*decoded);
  expect(authored && *authored == bytes, what);

  FieldText text;
  for (const Field& field : list_fields(*decoded)) {
    std::string& value = text[field.key];
    value = field.index > 0 ? value + "," + field.value : field.value;
  }
  const auto parsed = from_fields(text);
  expect(parsed && serialize(*parsed) == bytes, what);
  return *decoded;
}

bool needs_are(const Descriptor& d, std::vector<u128> sizes) {
  const auto needs = all_needs(d);
  for (const Need& need : needs) {
    if (need.buffer >= sizes.size() || need.bytes.value() != sizes[need.buffer]) return false;
  }
  return needs.size() == sizes.size();
}

void check_descriptors() {
  const Descriptor dense = round_trip(worked_example, "the worked example");
  expect(dense.shape == std::vector<std::uint64_t>{3, 4}, "the worked example's shape");
  expect(needs_are(dense, {48}), "the worked example's size");

  const Descriptor wide = round_trip(every_width, "fields of every width");
  const auto* strided = std::get_if<Strided>(&wide.layout);
  expect(strided && strided->strides == std::vector<std::int64_t>{-3, 1}, "negative strides");
  expect(wide.byte_offset == 3 && needs_are(wide, {6}), "a strided size");
  const auto* affine =
      wide.quantization ? std::get_if<PerTensorAffine>(&wide.quantization->scheme) : nullptr;
  expect(affine && std::bit_cast<float>(affine->scale) == 0.5f && affine->zero_point == -2,
         "scale and zero point");
  expect(wide.shard && wide.shard->parent_shape == std::vector<std::uint64_t>{4, 3}, "the shard");
  expect(wide.statistics && std::bit_cast<double>(wide.statistics->value_min) == -1.5,
         "the statistics");

  const Descriptor own = round_trip(private_type, "a private type");
  expect(own.extension_type && own.extension_type->bit_width == 16 &&
             own.extension_type->exponent_bias == 15 && needs_are(own, {6}),
         "the private type's fields");

  expect(needs_are(round_trip(sparse, "a CSR matrix"), {8, 16, 32}), "the CSR matrix's sizes");
}

void check_elements() {
  const Descriptor wide = decode(from_hex(every_width).value()).value();
  const auto place = address(wide, {1, 2});
  expect(place && *place == Address{0, 2, 0}, "an address behind a negative stride");
  const Bytes codes = {1, 2, 3, 4, 5, 6};  // (code + 2) * 0.5, from byte 3 on, then from byte 0
  const auto values = dequantise(wide, {codes});
  expect(values && *values == std::vector<float>{3, 3.5, 4, 1.5, 2, 2.5}, "dequantised values");

  // 1.5 at (0,2) and -2 at (2,0); column indices; row pointers.
  const Descriptor matrix = decode(from_hex(sparse).value()).value();
  const Bytes stored = {0, 0, 0xC0, 0x3F, 0, 0, 0, 0xC0};
  Bytes columns, rows;
  for (const std::uint64_t column : {2u, 0u}) append_little_endian(columns, column, 8);
  for (const std::uint64_t row : {0u, 1u, 1u, 2u}) append_little_endian(rows, row, 8);
  const Buffers buffers = {stored, columns, rows};
  const auto cell = lookup(matrix, buffers, {2, 0});
  expect(cell && *cell == from_hex("000000c0"), "a stored cell");
  const auto zero = lookup(matrix, buffers, {1, 1});
  expect(zero && !*zero, "a cell that is not stored");
  const auto sound = judge_contents(matrix, buffers);
  expect(sound && sound->empty(), "sound indices");
  rows[24] = 3;
  const auto broken = judge_contents(matrix, buffers);
  expect(broken && !broken->empty(), "a row pointer past the end");

  expect(exact_float64(0x01, 0x3E00) == 1.5, "float16 widened");
  expect(load_bits(Bytes{0x34, 0x12}, 16, 0) == u128{0x1234}, "a 16-bit element");
  const Bytes codes_of_6_bits = {1, 2, 3, 4};  // 1 + (2 << 6) + (3 << 12) + (4 << 18)
  const auto packed = pack(codes_of_6_bits, 6);
  expect(packed && *packed == Bytes{0x81, 0x30, 0x10}, "6-bit packing");
}

void expect_refused(std::size_t at, std::uint8_t byte, std::string_view clause, Verdict verdict) {
  Bytes bytes = from_hex(worked_example).value();
  bytes[at] = byte;
  const auto decoded = decode(bytes);
  expect(!decoded && decoded.error().clause == clause && decoded.error().verdict == verdict,
         clause.data());
}

void check_refusals() {
  expect_refused(0, 0x59, "HDR-04", Verdict::malformed);     // magic
  expect_refused(11, 0x01, "FLG-02", Verdict::unsupported);  // flag bit 8
  expect_refused(16, 65, "SHP-02", Verdict::malformed);      // rank 65
  expect_refused(45, 47, "ELT-08", Verdict::invalid);        // one byte short of 48
}

template <std::size_t size>
using Raw = std::array<std::uint8_t, size>;

void check_scalars() {
  const Raw<df64_bytes> bytes = {0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0, 0, 0, 0x30, 0x3C};
  const df64 x = load_df64(bytes);
  expect(x.hi == 1.0 && x.lo == 0x1p-60, "load_df64");
  Raw<df64_bytes> df64_again{};
  store_df64(df64_again, x);
  expect(df64_again == bytes, "store_df64");
  const df64 third = df64(1.0) / df64(3.0);
  expect(std::bit_cast<std::uint64_t>(third.hi) == 0x3FD5555555555555 &&
             std::bit_cast<std::uint64_t>(third.lo) == 0x3C75555555555555,
         "1/3 in df64");

  const Raw<bf16_bytes> one = {0x80, 0x3F};
  expect(float(load_bf16(one)) == 1.0f, "load_bf16");
  Raw<bf16_bytes> bf16_again{};
  store_bf16(bf16_again, bf16(3.14159274f));
  expect(bf16_again == Raw<bf16_bytes>{0x49, 0x40}, "store_bf16");

  const Raw<4> half = {0, 0, 0, 0x3F};
  expect(load_float(half) == 0.5f, "load_float");
  Raw<4> float_again{};
  store_float(float_again, 0.5f);
  expect(float_again == half, "store_float");
}

}  // namespace

int main() {
  const std::uint16_t probe = 1;
  std::uint8_t first = 0;
  std::memcpy(&first, &probe, 1);
  check_descriptors();
  check_elements();
  check_refusals();
  check_scalars();
  std::printf("%s-endian: %d checks, %d failed\n", first == 1 ? "little" : "big", checks, failures);
  return failures == 0 ? 0 : 1;
}
