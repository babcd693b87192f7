// The innermost loops of a contraction: a tile of outputs that stay in registers while the summed
// index runs over two packed panels.
//
//   column panel  for each term: `columns` elements (df64: the high parts, then the low ones)
//   row panel     for each term: `rows` elements (df64: pairs)
//   tile          for each row: `columns` sums (df64: the high parts, then the low ones)
#pragma once

#include <cstddef>

namespace plumbline::kernels {

template <class Lane, class PanelLane = Lane>
struct micro_kernel {
  void (*run)(std::size_t terms, const PanelLane* row_panel, const PanelLane* column_panel,
              Lane* tile);
  std::size_t rows, columns;
};

template <class Lane>
struct micro_kernels {
  // The row's element is the left (row_first) or the right factor.
  micro_kernel<Lane> tile_row_first, tile_row_second;
  micro_kernel<Lane> line_row_first, line_row_second;  // one row
  // Both panels are column panels (the left operand's stands as the row panel), or there is no row
  // panel and the elements themselves are added.
  micro_kernel<Lane> both_columns, column_alone;
};

// Sums may be poisoned where they are not finite (df64.h): those outputs are to be redone.
const micro_kernels<double>& df64_micro_kernels();
const micro_kernels<float>& bf16_micro_kernels();

}  // namespace plumbline::kernels
