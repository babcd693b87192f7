// Elements at equal distances in memory: what the elementwise kernels read. Distance 0 repeats one
// element; a negative one runs backwards.
#pragma once

#include <cstddef>
#include <span>

namespace plumbline::kernels {

template <class T>
struct strided {
  const T* data = nullptr;
  std::size_t size = 0;
  std::ptrdiff_t stride = 1;  // in elements

  strided() = default;
  strided(const T* d, std::size_t n, std::ptrdiff_t s = 1) : data(d), size(n), stride(s) {}
  strided(std::span<const T> x) : data(x.data()), size(x.size()) {}

  const T& operator[](std::size_t i) const { return data[static_cast<std::ptrdiff_t>(i) * stride]; }
};

}  // namespace plumbline::kernels
