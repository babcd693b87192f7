// Two measurements of the runtime: what session and dispatch cost around a body, and what QR and
// its adjoint allocate. A report, no threshold; MEASUREMENTS.md records one.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "reference/runtime/contributions.h"
#include "reference/runtime/elementwise_operations.h"
#include "reference/runtime/external_scalars.h"
#include "reference/runtime/qr_operations.h"
#include "reference/runtime/session.h"
#include "reference/runtime/standard_operations.h"
#include "reference/scalar/test_operands.h"

namespace {

std::atomic<std::size_t> allocations = 0, allocated_bytes = 0;

struct counted {
  std::size_t count = allocations, bytes = allocated_bytes;
  std::size_t new_count() const { return allocations - count; }
  std::size_t new_bytes() const { return allocated_bytes - bytes; }
};

}  // namespace

// Not inlined: g++ would see free() beside an operator new of the library.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  allocated_bytes += size;
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  allocated_bytes += size;
  const auto a = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(a, (size + a) / a * a)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

using namespace plumbline;

constexpr int rounds = 2000;

double nanoseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

struct timing {
  double median = 0, low = 0, high = 0;  // with the 5th and the 95th hundredth
  double allocations = 0;
};

template <class Body>
timing measure(Body body) {
  std::vector<double> times(rounds);
  std::size_t inside = 0;
  for (double& t : times) {
    const counted now;
    const auto start = std::chrono::steady_clock::now();
    body();
    t = nanoseconds_since(start);
    inside += now.new_count();
  }
  std::ranges::sort(times);
  return {times[rounds / 2], times[rounds / 20], times[rounds - rounds / 20],
          static_cast<double>(inside) / rounds};
}

void print(const char* path, const char* what, timing t) {
  std::printf("| %s | %s | %.0f | %.0f .. %.0f | %.1f |\n", path, what, t.median, t.low, t.high,
              t.allocations);
}

template <scalar T, class Operation>
void measure_dispatch(const char* path, owner& o, const support& s) {
  const erased_tensor x = *erased_tensor::of<T>({2}, {T(1.0), T(2.0)});
  const session here(o, s);
  const auto write = [&] {
    program p;
    const value a = p.input(type_of<T>(), {2}), b = p.input(type_of<T>(), {2});
    return std::pair(p, *p.apply(std::make_shared<const Operation>(), {a, b}));
  };
  print(path, "write and admit the program", measure([&] {
          const auto [p, out] = write();
          if (!here.admit(p)) std::abort();
        }));
  print(path, "write, admit and run it", measure([&] {
          const auto [p, out] = write();
          if (!here.run(p, {x, x}, out)) std::abort();
        }));
  const auto [p, out] = write();
  print(path, "run it again", measure([&] {
          if (!here.run(p, {x, x}, out)) std::abort();
        }));
  const Operation op;
  const std::vector<erased_tensor> inputs{x, x};
  print(path, "the operation's forward", measure([&] {
          if (!op.forward(inputs, o)) std::abort();
        }));
  const std::vector<T> v{T(1.0), T(2.0)};
  print(path, "the kernel, with its result", measure([&] {
          std::vector<T> z(2);
          binary_kernel<T, add_op>(v, v, z);
          if (z.empty()) std::abort();
        }));
}

void print(const char* what, const counted& before) {
  const std::size_t count = before.new_count(), bytes = before.new_bytes();
  std::printf("| %s | %zu | %zu |\n", what, count, bytes);
}

void measure_allocations(owner& o, const support& s) {
  test::operand_stream random(1);
  const auto matrix = [&] {
    std::vector<df64> v(64 * 64);
    for (df64& x : v) x = random.pair(-1);
    return *erased_tensor::of<df64>({64, 64}, std::move(v));
  };
  const erased_tensor a = matrix(), qbar = matrix(), rbar = matrix();
  const session here(o, s);
  const auto qr = std::make_shared<const qr_operation<df64>>();
  const auto adjoint = std::make_shared<const qr_vjp_operation<df64>>(true, true);
  std::vector<erased_tensor> factors;
  for (const char* what : {"QR, first", "QR, steady"}) {
    const counted before;
    factors = *here.apply(qr, {a});
    print(what, before);
  }
  for (const char* what : {"adjoint of QR, first", "adjoint of QR, steady"}) {
    const counted before;
    const auto gradient = here.apply(adjoint, {factors[0], factors[1], qbar, rbar});
    print(what, before);
    if (!gradient) std::abort();
  }
  const cache_stats stats = o.scratch().stats();
  std::printf("\nScratch after it: %zu entry, %zu bytes, %llu hit, %llu miss.\n", stats.entries,
              stats.retained_bytes, static_cast<unsigned long long>(stats.hits),
              static_cast<unsigned long long>(stats.misses));
}

}  // namespace

int main() {
  support s;
  provide_standard_operations(s);
  if (!contribute_df64(s)) return 1;
  runtime owners;
  owner& o = **owners.add_owner({.identity = "plumbline.cpu.measured.v1", .device = "cpu:0"});
  std::printf("An addition of two values, %zu thread, %d rounds, nanoseconds.\n\n",
              o.thread_count(), rounds);
  std::printf("| path | what | median | 5 .. 95 %% | allocations |\n|---|---|---|---|---|\n");
  measure_dispatch<double, standard_add>("standard", o, s);
  measure_dispatch<df64, addition<df64>>("contribution", o, s);
  std::printf("\n64 x 64 of df64, 65,536 bytes, full rank.\n\n");
  std::printf("| what | allocations | bytes |\n|---|---|---|\n");
  measure_allocations(o, s);
  return 0;
}
