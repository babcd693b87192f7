// What the kernels really take from the heap against what they say they take, by operators new and
// delete of this program's own: the most that was in use at once, less the result, is no more than
// scratch_peak and a little for shapes, strides and threads. Under a limit of exactly that much the
// call succeeds; under less it is refused before it takes the memory.
#include <catch2/catch.hpp>

#include <atomic>
#include <cstdlib>
#include <new>

#include "kernels/einsum/einsum.h"
#include "kernels/qr/qr.h"
#include "reference/scalar/test_operands.h"

namespace {

// Each block begins with its size.
constexpr std::size_t header = alignof(std::max_align_t);
std::atomic<std::size_t> live{0}, most{0};

void* take(std::size_t size) noexcept {
  auto* const block = static_cast<unsigned char*>(std::malloc(header + size));
  if (block == nullptr) return nullptr;
  ::new (block) std::size_t(size);
  const std::size_t now = live += size;
  std::size_t before = most;
  while (now > before && !most.compare_exchange_weak(before, now)) {
  }
  return block + header;
}
void* take_or_throw(std::size_t size) {
  void* const block = take(size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void give_back(void* at) noexcept {
  if (at == nullptr) return;
  unsigned char* const block = static_cast<unsigned char*>(at) - header;
  live -= *reinterpret_cast<std::size_t*>(block);
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return take_or_throw(size); }
void* operator new[](std::size_t size) { return take_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return take(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return take(size); }
void operator delete(void* at) noexcept { give_back(at); }
void operator delete[](void* at) noexcept { give_back(at); }
void operator delete(void* at, std::size_t) noexcept { give_back(at); }
void operator delete[](void* at, std::size_t) noexcept { give_back(at); }
void operator delete(void* at, const std::nothrow_t&) noexcept { give_back(at); }
void operator delete[](void* at, const std::nothrow_t&) noexcept { give_back(at); }

using namespace plumbline;
using kernels::workspace;

namespace {

constexpr std::size_t allowance = 4 << 10;

template <class T>
std::size_t bytes_of(const tensor<T>& x) {
  return x.values.size() * sizeof(T);
}
std::size_t bytes_of(const qr_factors<df64>& f) { return bytes_of(f.q) + bytes_of(f.r); }
template <class T>
std::size_t bytes_of(const std::optional<T>& x) {
  return x ? bytes_of(*x) : 0;
}

tensor<df64> random(const shape_type& shape) {
  test::operand_stream stream(7);
  tensor<df64> x(shape);
  for (df64& v : x.values) v = stream.near_one();
  return x;
}
tensor<bf16> random_bf16(const shape_type& shape) {
  tensor<bf16> x(shape);
  const tensor<df64> wide = random(shape);
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    x.values[i] = bf16(static_cast<float>(wide.values[i].hi));
  }
  return x;
}

// call(workspace&) gives a result.
template <class Call>
void check_scratch(Call call) {
  for (const unsigned threads : {1u, 2u}) {
    CAPTURE(threads);
    const auto measured = [&](workspace& work) {
      const std::size_t start = live;
      most = start;
      const auto got = call(work);
      const std::size_t peak = most - start;
      return std::pair{got.has_value(), got ? peak - std::min(peak, bytes_of(*got)) : peak};
    };
    workspace work{.threads = threads};
    const auto [done, taken] = measured(work);
    REQUIRE(done);
    CHECK(taken <= work.scratch_peak + allowance);
    workspace enough{.threads = threads, .scratch_limit = work.scratch_peak};
    const auto [also_done, taken_of_enough] = measured(enough);
    CHECK(also_done);
    CHECK(enough.scratch_peak <= work.scratch_peak);
    CHECK(taken_of_enough <= enough.scratch_peak + allowance);
    if (work.scratch_peak == 0) continue;
    // Fewer workers may do with less: below what one needs nothing helps.
    workspace one{.threads = 1};
    REQUIRE(measured(one).first);
    workspace tight{.threads = threads, .scratch_limit = one.scratch_peak - 1};
    const auto [not_done, taken_of_tight] = measured(tight);
    CHECK(!not_done);
    CHECK(tight.scratch_peak <= tight.scratch_limit);
  }
}

struct example {
  const char* pattern;
  std::vector<shape_type> shapes;
};
// Products by blocks and in one piece, few outputs, intermediates, labels that are named twice or in
// one operand alone.
const std::vector<example> examples{
    {"ik,kj->ij", {{150, 131}, {131, 140}}}, {"ki,jk->ji", {{60, 60}, {60, 60}}},
    {"ik,k->i", {{90, 300}, {300}}},         {"i,j->ij", {{90}, {90}}},
    {"ij,ij->", {{70, 70}, {70, 70}}},       {"ij->ji", {{70, 60}}},
    {"ij->j", {{70, 60}}},                   {"ii->", {{70, 70}}},
    {"iij,jk->ik", {{30, 30, 30}, {30, 30}}}, {"ijk,j->i", {{30, 20, 30}, {20}}},
    {"ik,kl,lj->ij", {{60, 70}, {70, 50}, {50, 60}}},
    {"bik,bkj->bij", {{40, 8, 30}, {40, 30, 8}}},
    {"i,j,k->kij", {{20}, {15}, {20}}},
};

}  // namespace

TEST_CASE("the heap is counted") {
  const std::size_t start = live;
  most = start;
  { const std::vector<double> x(1000); }
  const std::size_t peak = most - start, after = live;  // the checks take memory, too
  CHECK(peak == 8000);
  CHECK(after == start);
}

TEST_CASE("einsum and its derivatives take no memory that they do not account for") {
  for (const example& e : examples) {
    CAPTURE(e.pattern);
    const auto pattern = parse_einsum_pattern(e.pattern).value();
    std::vector<tensor<df64>> operands;
    for (const shape_type& shape : e.shapes) operands.push_back(random(shape));
    const std::optional<tensor<df64>> z = einsum(pattern, operands).value();
    check_scratch([&](workspace& work) { return kernels::einsum(pattern, operands, work); });
    const optional_tensors<df64> tangents(operands.begin(), operands.end());
    {
      INFO("the tangent");
      check_scratch(
          [&](workspace& work) { return kernels::einsum_jvp(pattern, operands, tangents, work); });
    }
    for (std::size_t i = 0; i < operands.size(); ++i) {
      INFO("the cotangent of operand " << i);
      check_scratch(
          [&](workspace& work) { return kernels::einsum_vjp(pattern, operands, i, z, work); });
    }
  }
}

TEST_CASE("einsum of bfloat16 takes no memory that it does not account for") {
  const auto pattern = parse_einsum_pattern("ik,kj->ij").value();
  const std::vector<tensor<bf16>> operands{random_bf16({150, 300}), random_bf16({300, 130})};
  check_scratch([&](workspace& work) { return kernels::einsum(pattern, operands, work); });
}

TEST_CASE("QR and its derivatives take no memory that they do not account for") {
  const tensor<df64> a = random({70, 40});
  const std::optional<tensor<df64>> tangent = a;
  const auto factors = qr(a).value();
  check_scratch([&](workspace& work) { return kernels::qr(a, work); });
  check_scratch([&](workspace& work) { return kernels::qr_jvp(factors, tangent, work); });
  for (const bool q : {false, true}) {
    for (const bool r : {false, true}) {
      CAPTURE(q, r);
      qr_cotangents<df64> cotangents;
      if (q) cotangents.q = tangent;
      if (r) cotangents.r = factors.r;
      check_scratch([&](workspace& work) { return kernels::qr_vjp(factors, cotangents, work); });
    }
  }
}
