#include "erased_tensor.h"

#include <cstring>
#include <limits>
#include <new>

namespace plumbline {

namespace {

// Memory of `count` elements, of zero bytes.
std::shared_ptr<void> allocate(const element_type& type, std::size_t count) {
  constexpr std::align_val_t alignment{payload_alignment};
  void* const memory = ::operator new(count* type.size, alignment);
  std::memset(memory, 0, count * type.size);
  return {memory, [](void* p) { ::operator delete(p, alignment); }};
}

constexpr std::size_t largest = std::numeric_limits<std::ptrdiff_t>::max();

// The place of the last element along an axis, added without wrapping.
bool add_product(std::ptrdiff_t& sum, std::size_t extent, std::ptrdiff_t stride) {
  if (extent - 1 > largest) return false;
  std::ptrdiff_t product = 0;
  return !__builtin_mul_overflow(static_cast<std::ptrdiff_t>(extent - 1), stride, &product) &&
         !__builtin_add_overflow(sum, product, &sum);
}

}  // namespace

stride_type dense_strides(const shape_type& shape) {
  stride_type strides(shape.size());
  std::size_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = static_cast<std::ptrdiff_t>(stride);
    stride *= shape[axis];
  }
  return strides;
}

outcome<erased_tensor> erased_tensor::copied(const element_type& type, const void* from,
                                             std::size_t count, shape_type shape) {
  auto payload = allocate(type, count);
  if (count > 0) std::memcpy(payload.get(), from, count * type.size);
  return over(type, std::move(payload), count, std::move(shape));
}

outcome<erased_tensor> erased_tensor::over(const element_type& type, std::shared_ptr<void> payload,
                                           std::size_t count, shape_type shape, bool writable) {
  using enum runtime_error_kind;
  const auto wanted = element_count(shape);
  if (!wanted || *wanted != count) {
    return fail(shape_mismatch, std::to_string(count) + " values do not fill " + shape_text(shape));
  }
  erased_tensor t;
  t.type_ = &type;
  t.payload_ = std::move(payload);
  t.count_ = count;
  t.writable_ = writable;
  t.strides_ = dense_strides(shape);
  t.shape_ = std::move(shape);
  return t;
}

outcome<erased_tensor> erased_tensor::zeros(const element_type& type, shape_type shape) {
  const auto count = element_count(shape);
  if (!count || *count > largest / type.size) {
    return fail(runtime_error_kind::invalid_argument,
                "no memory holds a tensor of " + shape_text(shape));
  }
  return over(type, allocate(type, *count), *count, std::move(shape));
}

std::size_t erased_tensor::size() const { return element_count(shape_).value(); }

bool erased_tensor::is_dense() const {
  if (size() == 0) return true;
  const stride_type dense = dense_strides(shape_);
  for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
    if (shape_[axis] > 1 && strides_[axis] != dense[axis]) return false;  // of one, none is taken
  }
  return true;
}

outcome<erased_tensor> erased_tensor::duplicate() const {
  erased_tensor copy = *this;
  copy.payload_ = allocate(*type_, count_);
  copy.writable_ = true;
  if (count_ > 0) std::memcpy(copy.payload_.get(), payload_.get(), count_ * type_->size);
  return copy;
}

outcome<erased_tensor> erased_tensor::permuted(const std::vector<std::size_t>& axes) const {
  using enum runtime_error_kind;
  if (axes.size() != shape_.size()) {
    return fail(invalid_permutation,
                shape_text(axes) + " does not name the axes of " + shape_text(shape_));
  }
  erased_tensor view = *this;
  std::vector<bool> seen(axes.size());
  for (std::size_t k = 0; k < axes.size(); ++k) {
    if (axes[k] >= axes.size()) {
      return fail(invalid_permutation, "axis " + std::to_string(axes[k]) + " is out of range");
    }
    if (seen[axes[k]]) {
      return fail(invalid_permutation, "axis " + std::to_string(axes[k]) + " is named twice");
    }
    seen[axes[k]] = true;
    view.shape_[k] = shape_[axes[k]];
    view.strides_[k] = strides_[axes[k]];
  }
  return view;
}

outcome<erased_tensor> erased_tensor::viewed(shape_type shape, stride_type strides,
                                             std::ptrdiff_t offset) const {
  using enum runtime_error_kind;
  if (strides.size() != shape.size()) {
    return fail(rank_mismatch,
                std::to_string(strides.size()) + " strides for " + shape_text(shape));
  }
  const auto count = element_count(shape);
  if (!count || *count > largest / type_->size) {
    return fail(invalid_argument, "too many elements: " + shape_text(shape));
  }
  const auto outside = [&] {
    return fail(out_of_range,
                "the view leaves its payload of " + std::to_string(count_) + " elements");
  };
  if (*count > 0) {
    std::ptrdiff_t lowest = offset, highest = offset;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (!add_product(strides[axis] < 0 ? lowest : highest, shape[axis], strides[axis])) {
        return outside();
      }
    }
    if (lowest < 0 || highest >= static_cast<std::ptrdiff_t>(count_)) return outside();
  } else {
    offset = 0;
  }
  erased_tensor view = *this;
  view.shape_ = std::move(shape);
  view.strides_ = std::move(strides);
  view.offset_ = offset;
  return view;
}

outcome<erased_tensor> erased_tensor::materialised() const {
  auto copy = zeros(*type_, shape_);
  if (!copy) return copy;
  gather(copy->payload_.get());
  copy->owner_ = owner_;
  return copy;
}

bool erased_tensor::shares_payload_with(const erased_tensor& other) const {
  return !payload_.owner_before(other.payload_) && !other.payload_.owner_before(payload_);
}

erased_tensor erased_tensor::held_by(std::string owner) const {
  erased_tensor held = *this;
  held.owner_ = std::move(owner);
  return held;
}

std::optional<runtime_error> erased_tensor::refuse_type(const element_type& wanted) const {
  if (wanted == *type_) return std::nullopt;
  return runtime_error{
      runtime_error_kind::wrong_type,
      "the elements are " + std::string(type_->name) + ", not " + std::string(wanted.name)};
}

std::optional<runtime_error> erased_tensor::refuse_dense(const element_type& wanted) const {
  if (auto fault = refuse_type(wanted)) return fault;
  if (is_dense()) return std::nullopt;
  return runtime_error{runtime_error_kind::not_dense,
                       "a strided view has no dense elements: materialise it"};
}

std::optional<runtime_error> erased_tensor::refuse_mutation() const {
  if (!writable_) {
    return runtime_error{runtime_error_kind::read_only_payload,
                         "the payload was lent for reading: duplicate it"};
  }
  if (is_sole_holder()) return std::nullopt;
  return runtime_error{runtime_error_kind::shared_payload,
                       "the payload has another holder: duplicate it"};
}

outcome<std::size_t> erased_tensor::locate(const element_type& wanted,
                                           const index_type& index) const {
  using enum runtime_error_kind;
  if (auto fault = refuse_type(wanted)) return std::unexpected(*fault);
  if (index.size() != shape_.size()) {
    return fail(out_of_range, shape_text(index) + " is no index into " + shape_text(shape_));
  }
  std::ptrdiff_t place = offset_;
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    if (index[axis] >= shape_[axis]) {
      return fail(out_of_range, shape_text(index) + " is outside " + shape_text(shape_));
    }
    place += static_cast<std::ptrdiff_t>(index[axis]) * strides_[axis];
  }
  return static_cast<std::size_t>(place);
}

void erased_tensor::gather(void* to) const {
  const std::size_t count = size(), width = type_->size;
  if (count == 0) return;
  const auto* const from = static_cast<const unsigned char*>(payload_.get());
  auto* target = static_cast<unsigned char*>(to);
  index_type index(shape_.size(), 0);
  for (std::size_t n = 0; n < count; ++n, target += width) {
    std::ptrdiff_t place = offset_;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      place += static_cast<std::ptrdiff_t>(index[axis]) * strides_[axis];
    }
    std::memcpy(target, from + static_cast<std::size_t>(place) * width, width);
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < shape_[axis]) break;
      index[axis] = 0;
    }
  }
}

}  // namespace plumbline
