// One step of a contraction, in blocks of independent outputs. Each output adds its products in the
// reference's order, whatever the blocks and whoever computes them:
//
//   32 outputs or more   a block of rows and columns is packed into panels, a portion of the summed
//                        index at a time, and handed to the micro kernels tile by tile
//   fewer                each output by itself, in the dot order
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include "kernels/bf16_dot/bf16_dot.h"
#include "kernels/einsum/einsum.h"
#include "kernels/einsum/micro_kernels.h"
#include "kernels/einsum/pack_kernels.h"
#include "kernels/einsum/step.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/reduce/reduce.h"

namespace plumbline::kernels {

// How elements lie in panels and sums in tiles.
template <class T>
struct packing;
template <>
struct packing<df64> {
  using element = df64;
  using lane = double;
  using panel_lane = double;
  static constexpr std::size_t terms_a_line = 1;  // of a panel
  static constexpr std::size_t lanes = 2;  // of an element
  static constexpr bool one_column_panel = false;
  static constexpr std::size_t row_block = 64, column_block = 128, term_block = 128;
  static const micro_kernels<double>& kernels() { return df64_micro_kernels(); }
  static const pack_kernels<df64, double>& packers() { return df64_pack_kernels(); }
  // Term k of a column or a row into its panel's line.
  static void put_column(double* line, std::size_t columns, std::size_t c, std::size_t, df64 x) {
    line[c] = x.hi;
    line[columns + c] = x.lo;
  }
  static void put_row(double* line, std::size_t r, std::size_t, df64 x) {
    line[2 * r] = x.hi;
    line[2 * r + 1] = x.lo;
  }
  static df64 sum(const double* tile, std::size_t columns, std::size_t r, std::size_t c) {
    const double* row = tile + 2 * columns * r;
    return df64::raw(row[c], row[columns + c]);
  }
  static bool is_sound(df64 x) { return std::isfinite(x.hi) && std::isfinite(x.lo); }
};
template <>
struct packing<bf16> {
  using element = bf16;
  using lane = float;
  using panel_lane = float;
  static constexpr std::size_t terms_a_line = 1;
  static constexpr std::size_t lanes = 1;
  // One panel at a time: a term's columns of a panel fill a line of the cache.
  static constexpr bool one_column_panel = true;
  static constexpr std::size_t row_block = 342, column_block = 1024, term_block = 256;
  static const micro_kernels<float>& kernels() { return bf16_micro_kernels(); }
  static const pack_kernels<bf16, float>& packers() { return bf16_pack_kernels(); }
  static void put_column(float* line, std::size_t, std::size_t c, std::size_t, bf16 x) {
    line[c] = float(x);
  }
  static void put_row(float* line, std::size_t r, std::size_t, bf16 x) { line[r] = float(x); }
  static float sum(const float* tile, std::size_t columns, std::size_t r, std::size_t c) {
    return tile[columns * r + c];
  }
  static bool is_sound(float) { return true; }  // float arithmetic has no poison
};
// For the dot instruction: pairs of terms, in tiles alone.
struct paired_bf16 : packing<bf16> {
  using panel_lane = std::uint32_t;
  static constexpr std::size_t terms_a_line = 2, term_block = 512;
  static const pack_kernels<bf16, float, std::uint32_t>& packers() {
    return paired_bf16_pack_kernels();
  }
  static void put_column(std::uint32_t* line, std::size_t, std::size_t c, std::size_t k, bf16 x) {
    put_row(line, c, k, x);
  }
  // The first of a pair leaves a zero beside it.
  static void put_row(std::uint32_t* line, std::size_t r, std::size_t k, bf16 x) {
    line[r] = k % 2 == 0 ? x.bits : line[r] | std::uint32_t{x.bits} << 16;
  }
};

inline std::size_t rounded_up(std::size_t n, std::size_t unit) {
  return (n + unit - 1) / unit * unit;
}

template <class Packing>
class contraction {
 public:
  using pack = Packing;
  using T = typename pack::element;
  using lane = typename pack::lane;
  using panel_lane = typename pack::panel_lane;
  using kernel_type = micro_kernel<lane, panel_lane>;
  using rule = accumulation<T>;
  using sum_type = typename rule::sum_type;

  // `rhs` is null for a single operand. With a kernel for tiles that one is used; it takes a
  // product's factors in any order.
  contraction(const step& s, const T* lhs, const T* rhs, T* out,
              const kernel_type* tiles = nullptr)
      : step_(s),
        lhs_(lhs),
        rhs_(rhs),
        out_(out),
        terms_(count(s.summed)),
        outputs_(count(s.outputs)) {
    if (outputs_ < few_outputs || terms_ == 0) return;
    if (is_product()) return;
    choose_kernel(tiles);
    row_count_ = count(rows_);
    column_count_ = count(columns_);
    std::size_t most_columns = pack::column_block, most_terms = pack::term_block;
    streamed_ = kernel_->rows == 1 && row_count_ == 1;
    if (streamed_) {
      const place none, &term = step_.summed.empty() ? none : step_.summed.back().stride,
                        &column = columns_.empty() ? none : columns_.back().stride;
      const bool left = rhs_ == nullptr || row_second_ || both_;
      const bool right = rhs_ != nullptr && !row_second_;
      along_terms_ = (left && std::abs(term.lhs) < std::abs(column.lhs)) ||
                     (right && std::abs(term.rhs) < std::abs(column.rhs));
      most_terms = 4 * pack::term_block;
      if (!along_terms_) most_columns = 4 * pack::column_block;
    }
    // Blocks of rows of about the same height: columns are packed once for each.
    const std::size_t row_blocks = (row_count_ + pack::row_block - 1) / pack::row_block;
    row_block_ = rounded_up((row_count_ + row_blocks - 1) / std::max<std::size_t>(1, row_blocks),
                            kernel_->rows);
    column_block_ = std::min(rounded_up(most_columns, kernel_->columns),
                             rounded_up(column_count_, kernel_->columns));
    term_block_ = std::min(most_terms, rounded_up(terms_, 2));
  }

  // Of one worker.
  std::size_t scratch_bytes() const {
    if (terms_ == 0 || is_product()) return 0;
    if (outputs_ < few_outputs) return portion * (2 * sizeof(T) + sizeof(place));
    return (row_lanes() + column_lanes()) * sizeof(panel_lane) + tile_lanes() * sizeof(lane) +
           (row_block_ + column_block_ + term_block_) * sizeof(place) +
           2 * (column_block_ + term_block_) * sizeof(std::ptrdiff_t);
  }
  // Whether packed elements are used more than once.
  bool has_tiles() const { return kernel_ != nullptr && row_count_ > 1; }
  std::size_t task_count() const {
    if (terms_ == 0 || outputs_ == 0) return 0;
    if (outputs_ < few_outputs) return outputs_;
    if (is_product()) return outputs_ / step_.outputs.back().extent;
    return count(batch_) * row_blocks() * column_blocks();
  }

  void run(std::size_t workers) {
    std::vector<scratch> scratches(workers);
    run_tasks(workers, task_count(), [&](std::size_t worker, std::size_t task) {
      if (is_product()) {
        product(task);
      } else if (outputs_ < few_outputs) {
        dot_order(scratches[worker], place_of(step_.outputs, task));
      } else {
        block(scratches[worker], task);
      }
    });
  }

 private:
  using offsets = std::span<const std::ptrdiff_t>;

  static constexpr std::size_t stream_terms = 8;
  static constexpr std::size_t most_rows = 8;  // of a kernel's tile
  static constexpr std::size_t portion = 1024;  // a multiple of running_dot's
  static_assert(portion % running_dot<T>::portion == 0);

  struct scratch {
    std::vector<panel_lane> row_panels, column_panels;
    std::vector<lane> tiles;
    std::vector<place> rows, columns, terms;
    std::vector<std::ptrdiff_t> lhs_columns, rhs_columns, lhs_terms, rhs_terms;
    std::vector<T> x, y;
  };

  // The kernel that computes the fewest sums beyond those that are needed. Packing both operands
  // for every output counts as a third more.
  void choose_kernel(const kernel_type* tiles) {
    double least = HUGE_VAL;
    const auto consider = [&](const kernel_type& kernel, const axes& rows, const axes& columns,
                              const axes& batch, double weight) {
      const double cost = weight * static_cast<double>(rounded_up(count(rows), kernel.rows)) *
                          static_cast<double>(rounded_up(count(columns), kernel.columns)) *
                          static_cast<double>(count(batch));
      if (cost >= least) return;
      least = cost;
      kernel_ = &kernel;
      rows_ = rows;
      columns_ = columns;
      batch_ = batch;
      row_second_ = &rows == &step_.only_rhs;
      both_ = &columns == &step_.in_both;
    };
    const axes &lhs = step_.only_lhs, &rhs = step_.only_rhs, &both = step_.in_both;
    if (tiles != nullptr) {
      consider(*tiles, lhs, rhs, both, 1);
      consider(*tiles, rhs, lhs, both, 1);
      return;
    }
    if constexpr (std::is_same_v<lane, panel_lane>) {
      const micro_kernels<lane>& k = pack::kernels();
      if (rhs_ == nullptr) {
        kernel_ = &k.column_alone;
        columns_ = step_.outputs;
        return;
      }
      const std::size_t m = count(lhs), n = count(rhs), p = count(both);
      consider(k.tile_row_first, lhs, rhs, both, 1);
      consider(k.tile_row_second, rhs, lhs, both, 1);
      consider(m == 1 ? k.line_row_first : k.tile_row_first, lhs, rhs, both, 1.1);
      consider(n == 1 ? k.line_row_second : k.tile_row_second, rhs, lhs, both, 1.1);
      axes batch = lhs;
      batch.insert(batch.end(), rhs.begin(), rhs.end());
      if (p > 1 || (m == 1 && n == 1)) consider(k.both_columns, {}, both, batch, 1.3);
    }
  }

  std::size_t row_blocks() const { return (row_count_ + row_block_ - 1) / row_block_; }
  std::size_t column_blocks() const { return (column_count_ + column_block_ - 1) / column_block_; }
  // Of a panel with so many terms.
  static std::size_t lines(std::size_t terms) {
    return (terms + pack::terms_a_line - 1) / pack::terms_a_line;
  }
  std::size_t column_lanes() const {
    if (streamed_) return stream_terms * kernel_->columns * pack::lanes;
    const std::size_t columns = pack::one_column_panel ? kernel_->columns : column_block_;
    return lines(term_block_) * columns * pack::lanes;
  }
  std::size_t row_lanes() const {
    if (rhs_ == nullptr) return 0;
    return both_ ? column_lanes() : lines(term_block_) * row_block_ * pack::lanes;
  }
  std::size_t tile_lanes() const { return row_block_ * column_block_ * pack::lanes; }

  // The term at place k of n in its order is pair_swapped: blocks have an even length but the last.
  // The dot instruction swaps by itself.
  void term_places(std::size_t first, std::span<place> places) const {
    places_of(step_.summed, first, places);
    if (!rule::pair_swap || pack::terms_a_line == 2) return;
    for (std::size_t k = 0; k + 1 < places.size(); k += 2) std::swap(places[k], places[k + 1]);
  }

  const T* lhs_at(const place& a) const { return lhs_ + a.lhs; }
  const T* rhs_at(const place& a) const { return rhs_ + a.rhs; }

  // One term, one product: an elementwise operation along the output's last axis. Where df64
  // products underflow their zero becomes +0, as when it is added to +0; a float one would stay -0.
  bool is_product() const {
    return std::is_same_v<T, df64> && rhs_ != nullptr && terms_ == 1 && outputs_ >= few_outputs &&
           step_.outputs.back().extent >= 16;
  }
  void product(std::size_t task) {
    if constexpr (std::is_same_v<T, df64>) {
      const axis& last = step_.outputs.back();
      const place at = place_of(step_.outputs, task * last.extent);
      const std::span<df64> z(out_ + at.out, last.extent);
      one_term_sums({lhs_at(at), z.size(), last.stride.lhs},
                    {rhs_at(at), z.size(), last.stride.rhs}, z,
                    outputs_ * sizeof(df64) >= past_cache_bytes);
    }
  }

  // From one place to the next.
  template <std::ptrdiff_t place::*distance>
  static std::size_t pace(std::span<const place> places) {
    if (places.size() < 2) return 0;
    return static_cast<std::size_t>(std::abs(places[1].*distance - places[0].*distance));
  }

  template <std::ptrdiff_t place::*distance>
  static void offsets_of(std::span<const place> places, std::vector<std::ptrdiff_t>& distances) {
    distances.clear();
    for (const place& p : places) distances.push_back(p.*distance);  // within what is reserved
  }

  // Columns into panels; what is beyond them is zero. Where they lie side by side, a few terms of
  // all of them at a time follow the memory.
  void pack_columns(const T* base, offsets columns, offsets terms, panel_lane* panels) const {
    const std::size_t w = kernel_->columns;
    const bool across = columns.size() > w && are_side_by_side(columns.first(w));
    const std::size_t most = across ? 16 : terms.size();
    for (std::size_t k = 0; k < terms.size(); k += most) {
      const offsets some = terms.subspan(k, std::min(most, terms.size() - k));
      for (std::size_t first = 0; first < columns.size(); first += w) {
        pack_panel(base, columns.subspan(first, std::min(w, columns.size() - first)), some,
                   panels + (first * lines(terms.size()) + lines(k) * w) * pack::lanes);
      }
    }
  }
  void pack_panel(const T* base, offsets columns, offsets terms, panel_lane* panel) const {
    const pack_kernels<T, lane, panel_lane>& packers = pack::packers();
    if (columns.size() < kernel_->columns) {
      pack_some(base, columns, terms, panel);
    } else if (are_side_by_side(columns)) {
      packers.side_by_side(base + columns[0], columns.size(), terms, panel);
    } else {
      packers.apart(base, columns, terms, panel);
    }
  }
  static bool are_side_by_side(offsets columns) {
    if (columns.back() - columns.front() != std::ssize(columns) - 1) return false;
    for (std::size_t c = 1; c < columns.size(); ++c) {
      if (columns[c] != columns[c - 1] + 1) return false;
    }
    return true;
  }
  void pack_some(const T* base, offsets columns, offsets terms, panel_lane* panel) const {
    const std::size_t w = kernel_->columns, size = w * pack::lanes;
    std::fill_n(panel, size * lines(terms.size()), panel_lane{});
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const T* x = base + columns[c];
      for (std::size_t k = 0; k < terms.size(); ++k) {
        pack::put_column(panel + k / pack::terms_a_line * size, w, c, k, x[terms[k]]);
      }
    }
  }
  template <std::ptrdiff_t place::*distance>
  void pack_rows(const T* base, std::span<const place> rows, offsets terms,
                 panel_lane* panel) const {
    const std::size_t height = kernel_->rows, size = height * pack::lanes;
    assert(height <= most_rows);
    for (std::size_t first = 0; first < rows.size(); first += height) {
      const std::size_t here = std::min(height, rows.size() - first);
      if (here < height) std::fill_n(panel, size * lines(terms.size()), panel_lane{});
      const T* x[most_rows];
      for (std::size_t r = 0; r < here; ++r) x[r] = base + rows[first + r].*distance;
      panel_lane* line = panel;
      for (std::size_t k = 0; k < terms.size(); ++k) {
        for (std::size_t r = 0; r < here; ++r) pack::put_row(line, r, k, x[r][terms[k]]);
        if ((k + 1) % pack::terms_a_line == 0) line += size;
      }
      panel += size * lines(terms.size());
    }
  }

  // All that a worker ever needs, so that nothing grows beyond what was counted.
  void reserve(scratch& s) const {
    if (s.rows.capacity() != 0) return;
    s.rows.reserve(row_block_);
    s.columns.reserve(column_block_);
    s.terms.reserve(term_block_);
    s.lhs_columns.reserve(column_block_);
    s.rhs_columns.reserve(column_block_);
    s.lhs_terms.reserve(term_block_);
    s.rhs_terms.reserve(term_block_);
  }

  void block(scratch& s, std::size_t task) {
    reserve(s);
    const std::size_t column_task = task % column_blocks(), rest = task / column_blocks();
    const place batch = place_of(batch_, rest / row_blocks());
    const std::size_t first_row = rest % row_blocks() * row_block_;
    const std::size_t first_column = column_task * column_block_;
    s.rows.resize(std::min(row_block_, row_count_ - first_row));
    s.columns.resize(std::min(column_block_, column_count_ - first_column));
    places_of(rows_, first_row, s.rows);
    places_of(columns_, first_column, s.columns);
    s.row_panels.resize(row_lanes());
    s.column_panels.resize(column_lanes());
    s.tiles.assign(tile_lanes(), 0);

    const T* lhs = lhs_at(batch);
    const T* rhs = rhs_ == nullptr ? nullptr : rhs_at(batch);
    offsets_of<&place::lhs>(s.columns, s.lhs_columns);
    offsets_of<&place::rhs>(s.columns, s.rhs_columns);
    for (std::size_t first = 0; first < terms_; first += term_block_) {
      s.terms.resize(std::min(term_block_, terms_ - first));
      term_places(first, s.terms);
      offsets_of<&place::lhs>(s.terms, s.lhs_terms);
      offsets_of<&place::rhs>(s.terms, s.rhs_terms);
      if (rhs != nullptr && !both_) {
        if (row_second_) {
          pack_rows<&place::rhs>(rhs, s.rows, s.rhs_terms, s.row_panels.data());
        } else {
          pack_rows<&place::lhs>(lhs, s.rows, s.lhs_terms, s.row_panels.data());
        }
      }
      if (streamed_) {
        stream(s, lhs, rhs);
      } else {
        add_tiles(s, lhs, rhs);
      }
    }
    write(s, batch);
  }

  void add_tiles(scratch& s, const T* lhs, const T* rhs) const {
    const std::size_t height = kernel_->rows, w = kernel_->columns, n = lines(s.terms.size());
    const T* const base = row_second_ ? lhs : rhs;
    const offsets columns = row_second_ ? s.lhs_columns : s.rhs_columns;
    const offsets terms = row_second_ ? s.lhs_terms : s.rhs_terms;
    panel_lane* column_panel = s.column_panels.data();
    if (!pack::one_column_panel) pack_columns(base, columns, terms, column_panel);
    lane* tile = s.tiles.data();
    for (std::size_t c = 0; c < s.columns.size(); c += w) {
      if (pack::one_column_panel) {
        pack_panel(base, columns.subspan(c, std::min(w, columns.size() - c)), terms, column_panel);
      } else {
        column_panel = s.column_panels.data() + c * n * pack::lanes;
      }
      for (std::size_t r = 0; r < s.rows.size(); r += height) {
        kernel_->run(n, s.row_panels.data() + r * n * pack::lanes, column_panel, tile);
        tile += height * w * pack::lanes;
      }
    }
  }

  // Where each packed element is used once: a few terms of one panel at a time, following the
  // operand's memory.
  void stream(scratch& s, const T* lhs, const T* rhs) const {
    const std::size_t w = kernel_->columns;
    const auto add = [&](std::size_t column, std::size_t term) {
      const std::size_t columns = std::min(w, s.columns.size() - column);
      const std::size_t terms = std::min(stream_terms, s.terms.size() - term);
      // One operand alone has no row panel.
      const bool shared = both_ || rhs == nullptr;
      const panel_lane* row_panel = s.row_panels.data() + (shared ? 0 : term * pack::lanes);
      lane* tile = s.tiles.data() + column * pack::lanes;
      const bool uses_lhs = rhs == nullptr || row_second_ || both_;
      const bool uses_rhs = rhs != nullptr && !row_second_;
      const auto pack_from = [&](const T* x, offsets all_columns, offsets all_terms, panel_lane* panel) {
        pack_panel(x, all_columns.subspan(column, columns), all_terms.subspan(term, terms), panel);
      };
      if (uses_lhs) {
        pack_from(lhs, s.lhs_columns, s.lhs_terms, (both_ ? s.row_panels : s.column_panels).data());
      }
      if (uses_rhs) pack_from(rhs, s.rhs_columns, s.rhs_terms, s.column_panels.data());
      kernel_->run(terms, row_panel, s.column_panels.data(), tile);
    };
    if (along_terms_) {
      for (std::size_t c = 0; c < s.columns.size(); c += w) {
        for (std::size_t k = 0; k < s.terms.size(); k += stream_terms) add(c, k);
      }
    } else {
      for (std::size_t k = 0; k < s.terms.size(); k += stream_terms) {
        for (std::size_t c = 0; c < s.columns.size(); c += w) add(c, k);
      }
    }
  }

  void write(const scratch& s, const place& batch) {
    const std::size_t height = kernel_->rows, w = kernel_->columns;
    const std::size_t tile_size = height * w * pack::lanes;
    const std::size_t row_tiles = (s.rows.size() + height - 1) / height;
    const pack_kernels<T, lane, panel_lane>& packers = pack::packers();
    // The sums of row `row`, columns first, .. , in their tile.
    const auto write_line = [&](std::size_t row, std::size_t first, const lane* tile,
                                std::size_t r) {
      const place& line = s.rows[row];
      const std::size_t end = std::min(w, s.columns.size() - first);
      T* const out = out_ + batch.out + line.out;
      // The output's offsets only grow.
      if (end == w &&
          s.columns[first + w - 1].out - s.columns[first].out ==
              static_cast<std::ptrdiff_t>(w - 1) &&
          packers.write(tile + r * w * pack::lanes, w, out + s.columns[first].out)) {
        return;
      }
      for (std::size_t c = 0; c < end; ++c) {
        const place& column = s.columns[first + c];
        const sum_type sum = pack::sum(tile, w, r, c);
        out[column.out] =
            pack::is_sound(sum)
                ? rule::rounded(sum)
                : redone({batch.lhs + line.lhs + column.lhs, batch.rhs + line.rhs + column.rhs, 0});
      }
    };
    const auto write_tile_row = [&](std::size_t t, std::size_t first, std::size_t panel) {
      const lane* tile = s.tiles.data() + (panel * row_tiles + t) * tile_size;
      for (std::size_t r = 0; r < height && t * height + r < s.rows.size(); ++r) {
        write_line(t * height + r, first, tile, r);
      }
    };
    // Along the output's memory as far as tiles allow.
    if (pace<&place::out>(s.columns) > pace<&place::out>(s.rows) && s.rows.size() > 1) {
      for (std::size_t first = 0, panel = 0; first < s.columns.size(); first += w, ++panel) {
        for (std::size_t t = 0; t < row_tiles; ++t) write_tile_row(t, first, panel);
      }
    } else {
      for (std::size_t t = 0; t < row_tiles; ++t) {
        for (std::size_t first = 0, panel = 0; first < s.columns.size(); first += w, ++panel) {
          write_tile_row(t, first, panel);
        }
      }
    }
  }

  sum_type joined(sum_type sum, const place& out, const place& term) const {
    const T& x = lhs_at(out)[term.lhs];
    return rhs_ == nullptr ? rule::add(sum, x) : rule::add_product(sum, x, rhs_at(out)[term.rhs]);
  }
  // By the reference's operations.
  T redone(const place& out) const {
    const auto one_more = [&](sum_type sum, std::size_t i) {
      return joined(sum, out, place_of(step_.summed, i));
    };
    return rule::rounded(outputs_ < few_outputs
                             ? accumulate_dot_order<sum_type>(terms_, rule::pair_swap, one_more)
                             : accumulate_sequential<sum_type>(terms_, rule::pair_swap, one_more));
  }

  void dot_order(scratch& s, const place& out) {
    running_dot<T> running;
    s.x.resize(portion);
    s.y.resize(portion);
    s.terms.reserve(portion);
    for (std::size_t first = 0; first < terms_; first += portion) {
      const std::size_t n = std::min(portion, terms_ - first);
      s.terms.resize(n);
      places_of(step_.summed, first, s.terms);
      for (std::size_t k = 0; k < n; ++k) s.x[k] = lhs_at(out)[s.terms[k].lhs];
      if (rhs_ == nullptr) {
        running.add(s.x.data(), n);
      } else {
        for (std::size_t k = 0; k < n; ++k) s.y[k] = rhs_at(out)[s.terms[k].rhs];
        running.add(s.x.data(), s.y.data(), n);
      }
    }
    const sum_type total = running.total();
    out_[out.out] = pack::is_sound(total) ? rule::rounded(total) : redone(out);
  }

  const step& step_;
  const T* lhs_;
  const T* rhs_;
  T* out_;
  std::size_t terms_, outputs_;
  const kernel_type* kernel_ = nullptr;
  axes rows_, columns_, batch_;
  bool row_second_ = false, both_ = false;
  bool streamed_ = false, along_terms_ = false;
  std::size_t row_count_ = 0, column_count_ = 0;
  std::size_t row_block_ = 0, column_block_ = 0, term_block_ = 0;
};

}  // namespace plumbline::kernels
