// quantization/*.md: the formulas, and where their parameters stand.
#include "schemes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "../addressing/refuse.h"
#include "../descriptor/judge.h"
#include "../mutation.h"
#include "element_type.h"
#include "number.h"

namespace plumbline {

float affine_value(float scale, std::int64_t q, std::int64_t zero_point) {
  if (mutant("wrong:", "zero points added")) zero_point = -zero_point;
  return scale * static_cast<float>(q - zero_point);
}

float nf4_value(float scale, std::uint8_t q) {
  return scale * nf4_levels[mutant("wrong:", "NF4 levels one off") && q > 0 ? q - 1 : q];
}

float mxfp_value(std::uint8_t scale_code, float value) {
  return std::ldexp(1.0f, scale_code - (mutant("wrong:", "MXFP bias 126") ? 126 : 127)) * value;
}

Exact block_index(const std::vector<std::uint64_t>& shape, std::uint32_t axis,
                  std::uint32_t block_size, const std::vector<std::uint64_t>& index) {
  Exact outer(0);  // row-major over all dimensions but the axis
  for (std::size_t k = 0; k < shape.size(); ++k)
    if (k != axis) outer = outer * Exact(shape[k]) + Exact(index[k]);
  if (mutant("wrong:", "blocks of the axis first")) {
    Exact others(1);
    for (std::size_t k = 0; k < shape.size(); ++k)
      if (k != axis) others = others * Exact(shape[k]);
    return Exact(index[axis] / block_size) * others + outer;
  }
  return outer * ceil_divide(Exact(shape[axis]), block_size) + Exact(index[axis] / block_size);
}

namespace {

constexpr std::uint8_t float32 = 0x03, e8m0 = 0x42, uint4 = 0x49;

// The storage types for which the scheme's formula says something; each page's own list is narrower
// and judged with the descriptor.
bool has_formula(std::uint8_t scheme_tag, std::uint8_t type_tag) {
  const ElementType* type = find_element_type(type_tag);
  if (!type) return false;
  bool is_integer =
      type->kind == NumberKind::signed_integer || type->kind == NumberKind::unsigned_integer;
  if (scheme_tag == scheme::nf4) return type_tag == uint4;
  if (scheme_tag == scheme::mxfp) {
    constexpr std::uint8_t listed[] = {0x40, 0x41, 0x43, 0x44, 0x45, 0x10, 0x48};
    return std::ranges::find(listed, type_tag) != std::end(listed);
  }
  return is_integer && type->bit_width <= 32;
}

bool is_in_range(std::int64_t zero_point, const ElementType& type) {
  std::int64_t values = std::int64_t{1} << type.bit_width;
  bool is_signed = type.kind == NumberKind::signed_integer;
  std::int64_t lowest = is_signed ? -values / 2 : 0;
  return zero_point >= lowest && zero_point < lowest + values;
}

std::int64_t signed_32(std::uint64_t bits) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
}

// The next `count` entries of `width` bytes.
std::optional<ByteView> take_entries(Reader& in, Exact count, std::uint64_t width) {
  Exact size = count * Exact(width);
  if (!size.fits_u64()) return std::nullopt;
  return in.take(static_cast<std::uint64_t>(size.value()));
}

}  // namespace

std::expected<Scheme, Refusal> Scheme::of(const Descriptor& d, const Buffers& buffers) {
  Scheme scheme(d);
  if (std::optional<Refusal> refusal = scheme.find_fields()) return std::unexpected(*refusal);
  if (std::optional<Refusal> refusal = scheme.find_arrays(buffers))
    return std::unexpected(*refusal);
  return scheme;
}

std::optional<Refusal> Scheme::find_fields() {
  if (!d_->quantization) return Refusal{"unquantized", "the tensor has no quantization section"};
  const Quantization& q = *d_->quantization;
  bool is_known = true, has_axis = true;
  if (std::holds_alternative<PerTensorAffine>(q.scheme)) {
    has_axis = false;
  } else if (auto* channel = std::get_if<PerChannelAffine>(&q.scheme)) {
    axis_ = channel->axis;
    scale_index_ = channel->scale_buffer_index;
    zero_point_index_ = channel->zero_point_buffer_index;
    has_zero_points_ = !q.is_symmetric();
    is_known = channel->scale_type_tag == float32;
  } else if (auto* block = std::get_if<PerBlockAffine>(&q.scheme)) {
    axis_ = block->axis;
    block_size_ = block->block_size;
    scale_index_ = block->scale_buffer_index;
    zero_point_index_ = block->zero_point_buffer_index;
    has_zero_points_ = !q.is_symmetric();
    scale_type_ = block->scale_type_tag;
    is_known = scale_type_ >= 0x01 && scale_type_ <= 0x03;
  } else if (auto* nf4 = std::get_if<Nf4>(&q.scheme)) {
    axis_ = nf4->axis;
    block_size_ = nf4->block_size;
    scale_index_ = nf4->scale_buffer_index;
  } else if (auto* mxfp = std::get_if<Mxfp>(&q.scheme)) {
    axis_ = mxfp->axis;
    block_size_ = mxfp->block_size;
    scale_index_ = mxfp->scale_buffer_index;
    scale_type_ = e8m0;
  } else {
    is_known = false;
  }
  if (!is_known || !q.complete || !has_formula(q.scheme_tag, d_->header.type_tag))
    return Refusal{"opaque",
                   "scheme " + std::to_string(q.scheme_tag) + " has no formula for these fields"};
  if (!has_axis) return std::nullopt;

  if (is_per_slot()) {
    auto& paged = std::get<BlockPaged>(d_->layout);
    if (axis_ != 0 || block_size_ != paged.page_size)
      return Refusal{"opaque", "on a block-paged tensor the blocks are the pages of axis 0"};
    count_ = Exact(paged.num_pages) * Exact(paged.page_size);
    return std::nullopt;
  }
  // Which token a slot of a page holds is not in the bytes (D-140), and how NF4 and MXFP share
  // their scales with pages is not said (D-144).
  bool is_paged = d_->header.layout_tag == layout::block_paged;
  if (is_paged && (axis_ == 0 || q.scheme_tag != scheme::per_channel))
    return Refusal{"opaque", "no parameters by token or block on a block-paged tensor"};
  if (axis_ >= d_->shape.size() || block_size_ == 0)
    return Refusal{"opaque",
                   "no dimension " + std::to_string(axis_) + ", or blocks of no elements"};
  if (d_->shape[axis_] == dynamic_dimension || (!is_paged && d_->has_dynamic_dimension()))
    return Refusal{"dynamic", "the number of parameters is not known yet"};
  count_ = q.scheme_tag == scheme::per_channel ? Exact(d_->shape[axis_])
                                               : block_count(*d_, axis_, block_size_);
  return std::nullopt;
}

// quantization.md, Buffer Table Placement Rules: one entry may hold [scales | zero_points].
std::optional<Refusal> Scheme::find_arrays(const Buffers& buffers) {
  if (d_->quantization->scheme_tag == scheme::per_tensor) return std::nullopt;
  auto too_short = [&](const std::string& what, std::uint32_t index) {
    return Refusal{"buffers", "buffer " + std::to_string(index) + " does not hold the " + what};
  };
  if (scale_index_ >= buffers.size()) return too_short("scales", scale_index_);
  Reader in(buffers[scale_index_]);
  std::optional<ByteView> scales =
      take_entries(in, count_, find_element_type(scale_type_)->bit_width / 8);
  if (!scales) return too_short("scales", scale_index_);
  scales_ = *scales;
  entries_ = static_cast<std::uint64_t>(count_.value());  // backed by bytes now
  if (!has_zero_points_) return std::nullopt;
  if (zero_point_index_ >= buffers.size()) return too_short("zero points", zero_point_index_);
  if (zero_point_index_ != scale_index_ || mutant("wrong:", "zero points over the scales"))
    in = Reader(buffers[zero_point_index_]);
  std::optional<ByteView> zero_points = take_entries(in, count_, 4);
  if (!zero_points) return too_short("zero points", zero_point_index_);
  zero_points_ = *zero_points;
  return std::nullopt;
}

bool Scheme::is_per_slot() const {
  return d_->header.layout_tag == layout::block_paged &&
         std::holds_alternative<PerBlockAffine>(d_->quantization->scheme);
}

Exact Scheme::entry_at(const std::vector<std::uint64_t>& index) const {
  switch (d_->quantization->scheme_tag) {
    case scheme::per_tensor:
      return Exact(0);
    case scheme::per_channel:
      return Exact(index[mutant("wrong:", "channels of the last axis") ? index.size() - 1 : axis_]);
  }
  return block_index(d_->shape, axis_, block_size_, index);
}

std::expected<Parameters, Refusal> Scheme::parameters(Exact entry) const {
  const Quantization& q = *d_->quantization;
  auto refuse_entry = [&](const std::string& what) {
    std::string at =
        entry.fits_u64() ? std::to_string(static_cast<std::uint64_t>(entry.value())) : "?";
    return refuse("contents", "parameter entry " + at + ": " + what);
  };
  Parameters p;
  if (auto* inline_parameters = std::get_if<PerTensorAffine>(&q.scheme)) {
    p.scale = std::bit_cast<float>(inline_parameters->scale);
    p.zero_point = inline_parameters->zero_point;
  } else {
    if (!entry.at_most(entries_) || entry == Exact(entries_))
      return refuse("buffers",
                    "the parameter arrays have " + std::to_string(entries_) + " entries");
    std::uint64_t i = static_cast<std::uint64_t>(entry.value());
    std::uint64_t bits = *Array(scales_, find_element_type(scale_type_)->bit_width / 8).entry(i);
    if (scale_type_ == e8m0) p.scale_code = static_cast<std::uint8_t>(bits);
    // Lossless (CON-56). The reserved codes 00 and FF of float8_e8m0 have no value.
    std::optional<float> scale = exact_float32(scale_type_, bits);
    if (!scale) return refuse_entry("the reserved scale code " + hex_tag(bits));
    p.scale = *scale;
    if (has_zero_points_) p.zero_point = signed_32(*Array(zero_points_, 4).entry(i));
  }
  if (!std::isfinite(p.scale)) return refuse_entry("a scale that is not finite");
  if (q.scheme_tag == scheme::nf4 ? p.scale < 0 : p.scale == 0)  // -0.0 is zero (D-157)
    return refuse_entry(q.scheme_tag == scheme::nf4 ? "a negative scale" : "a scale of zero");
  bool has_bound =
      q.scheme_tag == scheme::per_tensor || q.scheme_tag == scheme::per_channel;  // D-156
  if (has_bound && !is_in_range(p.zero_point, *find_element_type(d_->header.type_tag)))
    return refuse_entry("zero point " + std::to_string(p.zero_point) + " outside the storage type");
  return p;
}

std::optional<Refusal> Scheme::refused_entry() const {
  for (std::uint64_t i = 0; i < entries_; ++i)
    if (std::expected<Parameters, Refusal> p = parameters(Exact(i)); !p) return p.error();
  return std::nullopt;
}

float Scheme::value(std::uint64_t code, const Parameters& p) const {
  std::uint8_t type = d_->header.type_tag;
  switch (d_->quantization->scheme_tag) {
    case scheme::nf4:
      return nf4_value(p.scale, static_cast<std::uint8_t>(code));
    case scheme::mxfp:
      return mxfp_value(p.scale_code, exact_float32(type, code).value());
  }
  return affine_value(p.scale, static_cast<std::int64_t>(integer_value(type, code).value()),
                      p.zero_point);
}

}  // namespace plumbline
