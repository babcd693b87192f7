#include "memory.h"

#include <malloc.h>

#include <cstdlib>
#include <new>

namespace {

// One thread at a time counts: that of the inputs.
std::size_t live = 0, most = 0;

void* counted(void* block) {
  if (!block) throw std::bad_alloc();
  live += malloc_usable_size(block);
  if (live > most) most = live;
  return block;
}
void release(void* block) noexcept {
  if (!block) return;
  std::size_t size = malloc_usable_size(block);
  live = size > live ? 0 : live - size;
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return counted(std::malloc(size > 0 ? size : 1)); }
void* operator new[](std::size_t size) { return counted(std::malloc(size > 0 ? size : 1)); }
void operator delete(void* block) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t) noexcept { release(block); }

namespace plumbline::fuzz {

MemoryWatch::MemoryWatch() : start_(live) { most = live; }
std::size_t MemoryWatch::peak() const { return most > start_ ? most - start_ : 0; }

}  // namespace plumbline::fuzz

// Operators new that are not replaced here (nothrow, aligned) are the sanitizer's own; delete frees them.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "alloc_dealloc_mismatch=0"; }
