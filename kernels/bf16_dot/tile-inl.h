// The tile of einsum's micro kernels over pairs. Included where its instruction set is switched on,
// within a namespace: hence no include guard and nothing included. `step` is one dot instruction over
// step::width lanes:
//
//   sums, pairs            vectors of float and of pairs
//   load, store, repeated  to and from memory; one pair in all lanes
//   dot(sums, x, y)        the sums with the products of each lane's pairs

template <class step, std::size_t rows, std::size_t vectors>
void dot_tile(std::size_t count, const std::uint32_t* row_panel, const std::uint32_t* column_panel,
              float* tile) {
  constexpr std::size_t columns = vectors * step::width;
  typename step::sums s[rows][vectors];
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t v = 0; v < vectors; ++v) {
      s[r][v] = step::load(tile + r * columns + v * step::width);
    }
  }
  for (std::size_t k = 0; k < count; ++k) {
    typename step::pairs column[vectors];
    for (std::size_t v = 0; v < vectors; ++v) column[v] = step::load(column_panel + v * step::width);
    for (std::size_t r = 0; r < rows; ++r) {
      const typename step::pairs row = step::repeated(row_panel[r]);
      for (std::size_t v = 0; v < vectors; ++v) s[r][v] = step::dot(s[r][v], row, column[v]);
    }
    column_panel += columns;
    row_panel += rows;
  }
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t v = 0; v < vectors; ++v) {
      step::store(s[r][v], tile + r * columns + v * step::width);
    }
  }
}

// Twelve sums hide the instruction's latency.
template <class step>
inline constexpr dot_kernel dot_kernel_of{dot_tile<step, 6, 2>, 6, 2 * step::width};
