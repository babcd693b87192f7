// Bytes that end right before a page that nobody may touch, in every build, sanitized or not.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "reference/bytes.h"

namespace plumbline::fuzz {

class Guarded {
 public:
  explicit Guarded(std::size_t room) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    room_ = (room + page_ - 1) / page_ * page_;
    void* at = mmap(nullptr, room_ + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::runtime_error("no memory for a guarded page");
    base_ = static_cast<std::uint8_t*>(at);
    if (mprotect(base_ + room_, page_, PROT_NONE) != 0) throw std::runtime_error("no guarded page");
  }
  ~Guarded() { munmap(base_, room_ + page_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  std::size_t room() const { return room_; }
  // `size` bytes at the end: those of `bytes`, then zeros.
  ByteView place(ByteView bytes, std::size_t size) {
    std::uint8_t* start = base_ + room_ - size;
    std::size_t copied = std::min(bytes.size(), size);
    if (copied > 0) std::memcpy(start, bytes.data(), copied);
    if (size > copied) std::memset(start + copied, 0, size - copied);
    return {start, size};
  }

 private:
  std::size_t page_, room_ = 0;
  std::uint8_t* base_ = nullptr;
};

}  // namespace plumbline::fuzz
