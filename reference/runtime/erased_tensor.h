// A tensor whose element type is known at run time: a shared payload, and a view of it by shape,
// signed strides and offset, counted in elements. The last index of a dense tensor is the fastest.
//
//   clone        another handle of the same payload
//   duplicate    the same view of a copy of the payload
//   permuted, viewed   metadata alone
//   materialised gathers the elements, in row-major order, into a payload of its own
//
// Typed access names the exact element type. Dense access is refused to a strided view, mutation
// while the payload has another holder. A handle belongs to one thread at a time.
//
// Memory that a tensor allocates is aligned to payload_alignment, which a Hurray descriptor
// promises of every buffer (clause BUF-07), so that any tensor can be described without a copy.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "../algorithms/shape.h"
#include "element_type.h"
#include "error.h"

namespace plumbline {

using stride_type = std::vector<std::ptrdiff_t>;
using index_type = std::vector<std::size_t>;

inline constexpr std::size_t payload_alignment = 64;

class erased_tensor {
 public:
  // A row-major tensor of these values, copied once into memory of its own.
  template <scalar T>
  static outcome<erased_tensor> of(shape_type shape, const std::vector<T>& values) {
    return copied(type_of<T>(), values.data(), values.size(), std::move(shape));
  }
  // A row-major tensor over the first elements of memory that is kept alive by `payload` and holds
  // `count` elements, aligned for them. shape_mismatch where the shape has another count.
  static outcome<erased_tensor> over(const element_type& type, std::shared_ptr<void> payload,
                                     std::size_t count, shape_type shape, bool writable = true);
  // A row-major tensor of zero bytes: the zero of every scalar.
  static outcome<erased_tensor> zeros(const element_type& type, shape_type shape);

  const element_type& type() const { return *type_; }
  const shape_type& shape() const { return shape_; }
  const stride_type& strides() const { return strides_; }
  std::ptrdiff_t offset() const { return offset_; }
  std::size_t size() const;  // number of elements of the view
  bool is_dense() const;     // row-major, without gaps

  erased_tensor clone() const { return *this; }
  outcome<erased_tensor> duplicate() const;
  outcome<erased_tensor> permuted(const std::vector<std::size_t>& axes) const;
  // Another view of the same payload; out_of_range where an element would lie outside it.
  outcome<erased_tensor> viewed(shape_type shape, stride_type strides, std::ptrdiff_t offset) const;
  outcome<erased_tensor> materialised() const;

  bool shares_payload_with(const erased_tensor& other) const;
  bool is_sole_holder() const { return payload_.use_count() == 1; }
  // The whole payload, and how many elements it holds.
  const std::shared_ptr<void>& payload() const { return payload_; }
  std::size_t payload_count() const { return count_; }

  // The owner that holds the value, by its identity; empty for a value of nobody.
  const std::string& owner() const { return owner_; }
  erased_tensor held_by(std::string owner) const;

  template <scalar T>
  outcome<std::span<const T>> dense() const {
    if (auto fault = refuse_dense(type_of<T>())) return std::unexpected(*fault);
    return std::span<const T>(first<T>(), size());
  }
  template <scalar T>
  outcome<std::span<T>> dense_mutable() {
    if (auto fault = refuse_dense(type_of<T>())) return std::unexpected(*fault);
    if (auto fault = refuse_mutation()) return std::unexpected(*fault);
    return std::span<T>(first<T>(), size());
  }
  template <scalar T>
  outcome<T> at(const index_type& index) const {
    const auto place = locate(type_of<T>(), index);
    if (!place) return std::unexpected(place.error());
    return static_cast<const T*>(payload_.get())[*place];
  }
  template <scalar T>
  outcome<T*> element_mutable(const index_type& index) {
    const auto place = locate(type_of<T>(), index);
    if (!place) return std::unexpected(place.error());
    if (auto fault = refuse_mutation()) return std::unexpected(*fault);
    return static_cast<T*>(payload_.get()) + *place;
  }
  // The elements of the view in row-major order, copied.
  template <scalar T>
  outcome<std::vector<T>> gathered() const {
    if (auto fault = refuse_type(type_of<T>())) return std::unexpected(*fault);
    std::vector<T> values(size());
    gather(values.data());
    return values;
  }

 private:
  erased_tensor() = default;
  static outcome<erased_tensor> copied(const element_type& type, const void* from,
                                       std::size_t count, shape_type shape);
  template <class T>
  T* first() const {
    return count_ == 0 ? nullptr : static_cast<T*>(payload_.get()) + offset_;
  }
  std::optional<runtime_error> refuse_type(const element_type& wanted) const;
  std::optional<runtime_error> refuse_dense(const element_type& wanted) const;
  std::optional<runtime_error> refuse_mutation() const;
  outcome<std::size_t> locate(const element_type& wanted, const index_type& index) const;
  void gather(void* to) const;  // size() elements

  const element_type* type_ = nullptr;
  std::shared_ptr<void> payload_;
  std::size_t count_ = 0;
  bool writable_ = true;
  shape_type shape_;
  stride_type strides_;
  std::ptrdiff_t offset_ = 0;
  std::string owner_;
};

// Row-major strides of a shape.
stride_type dense_strides(const shape_type& shape);

}  // namespace plumbline
