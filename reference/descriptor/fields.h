// One walk over the fields of a descriptor, in wire order. Each page of the specification states its
// table of fields once, as a function that visits them; reading bytes, writing bytes, listing and
// reading back text all follow that one table.
//
// A field is the smallest unit of the specification's tables: one dimension, one stride, one member
// of a buffer handle, one reserved run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../bytes.h"

namespace plumbline {

class Fields {
 public:
  virtual ~Fields() = default;

  void u8(std::string_view name, std::uint8_t& value);
  void u16(std::string_view name, std::uint16_t& value);
  void u32(std::string_view name, std::uint32_t& value);
  void u64(std::string_view name, std::uint64_t& value);
  void i32(std::string_view name, std::int32_t& value);
  void f32(std::string_view name, std::uint32_t& bits);  // the IEEE bits, kept as they are
  void f64(std::string_view name, std::uint64_t& bits);
  // `count` integers, each a field of its own.
  void u32s(std::string_view name, std::vector<std::uint32_t>& values, std::size_t count);
  void u64s(std::string_view name, std::vector<std::uint64_t>& values, std::size_t count);
  void i64s(std::string_view name, std::vector<std::int64_t>& values, std::size_t count);
  // A run of `count` bytes as one field.
  virtual void bytes(std::string_view name, Bytes& value, std::uint64_t count) = 0;
  // A 32-bit length and that many bytes.
  void blob(std::string_view length_name, std::uint32_t& length, std::string_view name, Bytes& value);
  // Everything that is left, as one field.
  virtual void rest(std::string_view name, Bytes& value) = 0;

  // False once a field could not be read; all later calls do nothing.
  bool ok() const { return ok_; }
  // Offset of the next field in the descriptor.
  virtual std::size_t offset() const = 0;
  // The words put before the names of the following fields, as "quantization.".
  void prefix(std::string text) { prefix_ = std::move(text); }
  // Whether values come from outside (bytes, text) or are already in the struct.
  virtual bool reading() const = 0;
  // Before a list or a run of `count`, of which the struct holds `held` so far.
  virtual void holds(std::string_view name, std::uint64_t count, std::size_t held);

 protected:
  enum class Kind { unsigned_integer, signed_integer, float_bits };
  // One integer of `width` bytes; index is its place in a list, or -1.
  virtual void integer(std::string_view name, int index, std::size_t width, Kind kind,
                       std::uint64_t& value) = 0;
  // Bytes that a run of its own length has: what the struct holds, or what the text gives.
  virtual std::size_t run_length(std::string_view name, const Bytes& value) const;
  // Before a list of `count` integers.
  virtual void list(std::string_view name, std::size_t count);

  bool ok_ = true;
  std::string prefix_;
};

// Bytes -> struct. Stops at the field that crosses the end of the window, or the end of a narrower
// window inside it.
class ReadFields : public Fields {
 public:
  explicit ReadFields(Reader reader) : reader_(reader) {}

  void bytes(std::string_view name, Bytes& value, std::uint64_t count) override;
  void rest(std::string_view name, Bytes& value) override;
  std::size_t offset() const override { return reader_.offset(); }
  bool reading() const override { return true; }
  std::size_t left() const { return reader_.left(); }
  std::optional<ByteView> take(std::string_view name, std::uint64_t count);

  // Of the field that was cut off.
  const std::string& cut_name() const { return cut_name_; }
  std::uint64_t cut_width() const { return cut_width_; }

 protected:
  void integer(std::string_view name, int index, std::size_t width, Kind kind,
               std::uint64_t& value) override;

 private:
  Reader reader_;
  std::string cut_name_;
  std::uint64_t cut_width_ = 0;
};

// Struct -> bytes.
class WriteFields : public Fields {
 public:
  void bytes(std::string_view name, Bytes& value, std::uint64_t count) override;
  void rest(std::string_view name, Bytes& value) override;
  std::size_t offset() const override { return out.size(); }
  bool reading() const override { return false; }
  void holds(std::string_view name, std::uint64_t count, std::size_t held) override;

  Bytes out;
  // The first list or run that is longer or shorter in the struct than its count says.
  struct Miscounted {
    std::string name;
    std::size_t offset = 0, held = 0;
    std::uint64_t count = 0;
  };
  std::optional<Miscounted> miscounted;

 protected:
  void integer(std::string_view name, int index, std::size_t width, Kind kind,
               std::uint64_t& value) override;
};

// Struct -> a list of the fields with their places and values.
struct Field {
  std::string key;  // "shape", "buffer.0.byte_size", "extension.bit_width"
  int index = -1;   // place in a list, or -1
  std::size_t offset = 0, size = 0;
  std::string value;  // decimal, 0x and the IEEE bits, or hex bytes (- when empty)
};
class ListFields : public Fields {
 public:
  void bytes(std::string_view name, Bytes& value, std::uint64_t count) override;
  void rest(std::string_view name, Bytes& value) override;
  std::size_t offset() const override { return offset_; }
  bool reading() const override { return false; }

  std::vector<Field> fields;

 protected:
  void integer(std::string_view name, int index, std::size_t width, Kind kind,
               std::uint64_t& value) override;
  void list(std::string_view name, std::size_t count) override;

 private:
  std::size_t offset_ = 0;
};

// Text, as ListFields writes it -> struct. A list is one value, its members joined by commas; an
// empty list or run of bytes is "-". Keys that are absent leave the struct's own value.
using FieldText = std::map<std::string, std::string, std::less<>>;
// Why such a text gives no struct. Unreadable: a value is none that its field could have, or one
// that must be there is missing; otherwise they are values of no descriptor, or of one that can't
// be stated.
struct FieldTextFault {
  std::string text;
  bool is_unreadable = false;
};
class ParseFields : public Fields {
 public:
  explicit ParseFields(FieldText text) : text_(std::move(text)) {}

  void bytes(std::string_view name, Bytes& value, std::uint64_t count) override;
  void rest(std::string_view name, Bytes& value) override;
  std::size_t offset() const override { return 0; }
  bool reading() const override { return true; }

  bool has(std::string_view key) const { return text_.contains(key); }
  bool has_prefix(std::string_view prefix) const;
  // Number of members of a list value.
  std::size_t length(std::string_view key) const;
  const FieldTextFault& error() const { return error_; }
  // A key that nothing asked for.
  std::optional<std::string> unused() const;

 protected:
  void integer(std::string_view name, int index, std::size_t width, Kind kind,
               std::uint64_t& value) override;
  void list(std::string_view name, std::size_t count) override;
  std::size_t run_length(std::string_view name, const Bytes& value) const override;

 private:
  void fail(FieldTextFault why);

  FieldText text_;
  FieldText used_;
  std::vector<std::string> members_;
  FieldTextFault error_;
};

// Decimal, or hexadecimal after 0x; an optional leading minus. Nothing for any other text or a number
// that does not fit `width` bytes.
std::optional<std::uint64_t> parse_integer(std::string_view text, std::size_t width, bool is_signed);
// The members of "a,b,c"; none for "-".
std::vector<std::string> split_list(std::string_view text, char separator = ',');

}  // namespace plumbline
