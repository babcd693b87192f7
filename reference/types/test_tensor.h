// Descriptors for tests from the text of their fields, their buffers, and the bytes of parameter
// arrays.
#pragma once

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/descriptor/descriptor.h"
#include "reference/question.h"

namespace plumbline {

// "key=value key=value ..", keys as in conformance/PROTOCOL.md; one bufferK=size for each buffer.
inline Descriptor tensor(const std::string& fields) {
  FieldText text;
  std::istringstream words(fields);
  for (std::string word; words >> word;) {
    std::size_t equals = word.find('=');
    std::string key = word.substr(0, equals), value = word.substr(equals + 1);
    if (key.starts_with("buffer")) key = "buffer." + key.substr(6) + ".byte_size";
    if (key.starts_with("q.")) key = "quantization." + key.substr(2);
    text[key] = value;
  }
  std::expected<Descriptor, FieldTextFault> d = from_fields(text);
  if (!d) throw std::runtime_error(d.error().text);
  return *d;
}

// The same, for a descriptor that strict readers accept.
inline Descriptor sound_tensor(const std::string& fields) {
  Descriptor d = tensor(fields);
  std::expected<Bytes, Fault> bytes = encode(d);
  if (!bytes) throw std::runtime_error(bytes.error().message());
  return *decode(*bytes);
}

// Little-endian entries, each as wide as T.
template <class T>
Bytes entries(std::initializer_list<T> values) {
  Bytes bytes;
  for (T value : values) append_little_endian(bytes, static_cast<std::uint64_t>(value), sizeof(T));
  return bytes;
}
inline Bytes floats(std::initializer_list<float> values) {
  Bytes bytes;
  for (float value : values) append_little_endian(bytes, std::bit_cast<std::uint32_t>(value), 4);
  return bytes;
}
inline Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Each buffer on the heap with no byte to spare; sizes in the table are those of the bytes.
struct Tensor {
  Descriptor d;
  std::vector<std::unique_ptr<std::uint8_t[]>> held;
  Buffers views;

  Tensor(const std::string& fields, const std::vector<Bytes>& buffers, bool sound = true) {
    std::string sizes;
    for (std::size_t k = 0; k < buffers.size(); ++k) {
      sizes += " buffer" + std::to_string(k) + "=" + std::to_string(buffers[k].size());
      held.push_back(std::make_unique<std::uint8_t[]>(buffers[k].size()));
      std::copy(buffers[k].begin(), buffers[k].end(), held[k].get());
      views.push_back(ByteView(held[k].get(), buffers[k].size()));
    }
    d = sound ? sound_tensor(fields + sizes) : tensor(fields + sizes);
  }
};

}  // namespace plumbline
