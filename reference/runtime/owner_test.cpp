#include <atomic>
#include <set>
#include <thread>

#include "reference/scalar/test_operands.h"
#include "test_runtime.h"

namespace plumbline::test {

namespace {

// 3 x 3 with full rank, or larger: a random matrix has it.
erased_tensor full_rank(std::size_t n, std::uint64_t seed = 1) {
  operand_stream random(seed);
  std::vector<df64> v(n * n);
  for (df64& x : v) x = random.pair(-1);
  return extended({n, n}, std::move(v));
}

struct qr_adjoint_inputs {
  erased_tensor q, r, qbar, rbar;
};
qr_adjoint_inputs factor(workshop& w, std::size_t n) {
  const auto factors = w.open().apply(std::make_shared<const qr_operation<df64>>(), {full_rank(n)});
  REQUIRE(factors);
  return {(*factors)[0], (*factors)[1], full_rank(n, 2), full_rank(n, 3)};
}
outcome<erased_tensor> adjoint(workshop& w, const qr_adjoint_inputs& in) {
  return w.apply<qr_vjp_operation<df64>>({in.q, in.r, in.qbar, in.rbar}, true, true);
}

struct other_workspace {
  std::size_t size = 0;
  std::size_t bytes() const { return size; }
};

}  // namespace

TEST_CASE("an owner states its identity, device and thread budget") {
  runtime r;
  const auto o = r.add_owner({.identity = "one", .device = "cpu:0", .threads = 3});
  REQUIRE(o);
  CHECK((*o)->thread_count() == 3);
  CHECK(r.find("one") == *o);
  CHECK(r.find("two") == nullptr);
  CHECK(refused(r.add_owner({.identity = "", .device = "cpu:1"}), invalid_argument));
  CHECK(refused(r.add_owner({.identity = "x", .device = ""}), invalid_argument));
  CHECK(refused(r.add_owner({.identity = "x", .device = "cpu:1", .threads = 0}), invalid_argument));
  const cpu_binder anywhere = [](const std::vector<int>&) { return true; };
  CHECK(refused(
      r.add_owner(
          {.identity = "x", .device = "cpu:1", .threads = 2, .cpus = {0}, .bind = anywhere}),
      invalid_argument, "more threads"));
  CHECK(refused(r.add_owner({.identity = "x", .device = "cpu:1", .cpus = {0}}), invalid_argument,
                "nothing that binds"));
}

TEST_CASE("a second owner of a device or an identity, a CPU out of reach: refused by name") {
  runtime r;
  REQUIRE(r.add_owner({.identity = "one", .device = "cpu:0"}));
  CHECK(refused(r.add_owner({.identity = "two", .device = "cpu:0"}), duplicate_owner, "cpu:0"));
  CHECK(refused(r.add_owner({.identity = "one", .device = "cpu:1"}), duplicate_owner, "one"));
  CHECK(r.add_owner({.identity = "two", .device = "cpu:1"}));
  CHECK(refused(r.add_owner({.identity = "far",
                             .device = "cpu:2",
                             .cpus = {100000},
                             .bind = [](const std::vector<int>&) { return false; }}),
                cpu_unavailable, "far"));
}

TEST_CASE("every thread of an owner that states CPUs is bound to them before it works") {
  runtime r;
  std::mutex mutex;
  std::set<std::thread::id> bound;
  const auto note = [&](const std::vector<int>& cpus) {
    const std::lock_guard lock(mutex);
    bound.insert(std::this_thread::get_id());
    return cpus == std::vector<int>{4, 7};
  };
  owner& o = **r.add_owner(
      {.identity = "one", .device = "cpu:0", .threads = 2, .cpus = {4, 7}, .bind = note});
  CHECK(bound.size() == 2);
  bool is_bound = false;
  o.run([&] { is_bound = bound.contains(std::this_thread::get_id()); });
  CHECK(is_bound);
  CHECK(refused(
      r.add_owner({.identity = "two", .device = "cpu:1", .cpus = {7}, .bind = note}),
      overlapping_cpus, "one"));
  REQUIRE(r.add_owner({.identity = "two", .device = "cpu:1", .bind = note}));  // states none
  CHECK(bound.size() == 2);
}

TEST_CASE("everything runs on the threads of the pool, and on no more than its budget") {
  runtime r;
  owner& o = **r.add_owner({.identity = "one", .device = "cpu:0", .threads = 2});
  std::mutex mutex;
  std::set<std::thread::id> seen;
  const auto note = [&] {
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  };
  for (int round = 0; round < 50; ++round) {
    o.run([&] {
      note();
      std::vector<int> hits(1001);
      o.parallel_for(hits.size(), [&](std::size_t begin, std::size_t end) {
        note();
        for (std::size_t i = begin; i < end; ++i) ++hits[i];
        o.run([&] { note(); });  // from inside: at once
      });
      if (hits != std::vector<int>(1001, 1)) throw std::runtime_error("not once each");
    });
  }
  CHECK(seen.size() <= 2);
  CHECK_FALSE(seen.contains(std::this_thread::get_id()));
  o.parallel_for(0, [](std::size_t, std::size_t) { FAIL("nothing to do"); });
  CHECK_THROWS_AS(o.run([&] {
    o.parallel_for(10, [](std::size_t, std::size_t) { throw std::runtime_error("inside"); });
  }),
                  std::runtime_error);
}

TEST_CASE("results are the same bits on any number of threads") {
  operand_stream random(7);
  std::vector<df64> a(1013), b(1013);
  for (df64& x : a) x = random.near_one();
  for (df64& x : b) x = random.near_one();
  std::vector<df64> first;
  for (const std::size_t threads : std::vector<std::size_t>{1, 2, 5}) {
    support s;
    REQUIRE(contribute_df64(s));
    runtime r;
    owner& o = **r.add_owner({.identity = "one", .device = "cpu:0", .threads = threads});
    const auto z = session(o, s).apply(std::make_shared<const elementwise<df64, multiply_op>>(),
                                       {extended({1013}, a), extended({1013}, b)});
    REQUIRE(z);
    if (first.empty()) first = elements<df64>(z->front());
    CHECK(equal_bits(elements<df64>(z->front()), first));
  }
}

TEST_CASE("sessions of one owner may run at the same time") {
  workshop w;
  std::atomic<int> right = 0;
  std::vector<std::thread> callers;
  for (int k = 0; k < 4; ++k) {
    callers.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        const auto f = session(*w.here, w.bound)
                           .apply(std::make_shared<const qr_operation<df64>>(),
                                  {*erased_tensor::of<df64>({2, 1}, {3, 4})});
        if (f && *(*f)[1].at<df64>({0, 0}) == df64(5)) ++right;
      }
    });
  }
  for (std::thread& t : callers) t.join();
  CHECK(right == 80);
}

TEST_CASE("QR's derivative retains 524,288 bytes of scratch for 64 x 64, 8,192 for 8 x 8") {
  for (const auto& [n, bytes] : {std::pair<std::size_t, std::size_t>{64, 524288}, {8, 8192}}) {
    workshop w;
    const qr_adjoint_inputs in = factor(w, n);
    CHECK(w.owners.stats().entries == 0);
    REQUIRE(adjoint(w, in));
    cache_stats stats = w.here->scratch().stats();
    CHECK(stats.entries == 1);
    CHECK(stats.retained_bytes == bytes);
    CHECK(stats.hits == 0);
    CHECK(stats.misses == 1);
    REQUIRE(adjoint(w, in));
    stats = w.owners.stats();
    CHECK(stats.entries == 1);
    CHECK(stats.retained_bytes == bytes);
    CHECK(stats.hits == 1);
    CHECK(stats.misses == 1);
  }
}

TEST_CASE("a factor's cotangent alone retains the same scratch") {
  workshop w;
  const qr_adjoint_inputs in = factor(w, 8);
  REQUIRE(w.apply<qr_vjp_operation<df64>>({in.q, in.r, in.rbar}, false, true));
  CHECK(w.owners.stats().retained_bytes == 8192);
}

TEST_CASE("the adjoint in borrowed scratch has the bits of the plain one") {
  workshop w;
  for (const auto& [m, n] : {std::pair<std::size_t, std::size_t>{2, 1}, {5, 3}, {40, 33}}) {
    operand_stream random(m);
    const auto matrix = [&](shape_type shape) {
      tensor<df64> t(std::move(shape));
      for (df64& x : t.values) x = random.pair(-1);
      return t;
    };
    const auto f = qr(matrix({m, n}));
    REQUIRE(f);
    for (int present = 1; present < 4; ++present) {
      qr_cotangents<df64> c;
      if (present & 1) c.q = matrix({m, n});
      if (present & 2) c.r = matrix({n, n});
      qr_adjoint_workspace<df64> dirty;
      dirty.fit(m, n);
      for (auto* v : {&dirty.s, &dirty.rbar_t, &dirty.qbar_t_q, &dirty.r_rbar_t}) {
        for (df64& x : *v) x = 17;
      }
      const auto staged = qr_adjoint(*f, c, dirty);
      const auto plain = qr_vjp(*f, c);
      REQUIRE((staged && plain));
      CHECK(equal_bits(staged->values, (*plain)->values));
    }
  }
}

TEST_CASE("scratch comes back on the error path too") {
  workshop w;
  const qr_adjoint_inputs in = factor(w, 8);
  erased_tensor singular = *in.r.duplicate();
  **singular.element_mutable<df64>({3, 3}) = 0;
  const auto fails = [&] {
    return w.apply<qr_vjp_operation<df64>>({in.q, singular, in.qbar, in.rbar}, true, true);
  };
  CHECK(refused(fails(), invalid_argument, "invertible"));
  cache_stats stats = w.owners.stats();
  CHECK(stats.entries == 1);
  CHECK(stats.retained_bytes == 8192);
  CHECK(refused(fails(), invalid_argument));
  REQUIRE(adjoint(w, in));
  stats = w.owners.stats();
  CHECK(stats.entries == 1);
  CHECK(stats.retained_bytes == 8192);
  CHECK(stats.hits == 2);
  CHECK(stats.misses == 1);
}

TEST_CASE("clearing releases the scratch and leaves live values intact") {
  workshop w;
  const qr_adjoint_inputs in = factor(w, 8);
  const auto live = adjoint(w, in);
  REQUIRE(live);
  const std::vector<df64> before = elements<df64>(*live);
  w.owners.clear_caches();
  CHECK(w.owners.stats().entries == 0);
  CHECK(w.owners.stats().retained_bytes == 0);
  CHECK(equal_bits(elements<df64>(*live), before));
  const auto again = adjoint(w, in);
  REQUIRE(again);
  CHECK(equal_bits(elements<df64>(*again), before));
  CHECK(w.owners.stats().misses == 2);
}

TEST_CASE("scratch is cleared as a whole, by family, or by name") {
  scratch_cache cache;
  const auto fill = [&] {
    cache.borrow<other_workspace>({"a", "x", {1}})->size = 10;
    cache.borrow<other_workspace>({"a", "y", {1}})->size = 20;
    cache.borrow<other_workspace>({"b", "x", {1}})->size = 40;
    CHECK(cache.stats().retained_bytes == 70);
  };
  fill();
  cache.clear("a", "x");
  CHECK(cache.stats().retained_bytes == 60);
  CHECK(cache.stats().entries == 2);
  cache.clear("a");
  CHECK(cache.stats().retained_bytes == 40);
  cache.clear("c");
  cache.clear("b", "y");
  CHECK(cache.stats().entries == 1);
  cache.clear();
  CHECK(cache.stats().entries == 0);
  fill();
}

TEST_CASE("scratch is found by family, name, shape and type; two loans at a time are two entries") {
  scratch_cache cache;
  {
    auto first = cache.borrow<other_workspace>({"a", "x", {1, 2}});
    auto second = cache.borrow<other_workspace>({"a", "x", {1, 2}});
    CHECK(&*first != &*second);
    CHECK(cache.stats().entries == 0);  // on loan, not at rest
    first->size = 1;
    second->size = 2;
  }
  CHECK(cache.stats().entries == 2);
  CHECK(cache.stats().retained_bytes == 3);
  CHECK(cache.borrow<other_workspace>({"a", "x", {2, 1}})->size == 0);
  CHECK(cache.borrow<qr_adjoint_workspace<df64>>({"a", "x", {1, 2}})->bytes() == 0);
  CHECK(cache.stats().misses == 4);
  for (std::size_t k = 0; k < scratch_cache::most_entries + 9; ++k) {
    cache.borrow<other_workspace>({"many", "x", {k}})->size = 1;
  }
  CHECK(cache.stats().entries == scratch_cache::most_entries);
  const auto hits = cache.stats().hits;
  CHECK(cache.borrow<other_workspace>({"many", "x", {0}})->size == 0);  // rested longest
  CHECK(cache.stats().hits == hits);
}

TEST_CASE("factors outlive their runtime, are overwritten and feed a later adjoint") {
  std::vector<erased_tensor> factors;
  {
    workshop w;
    factors =
        *w.open().apply(std::make_shared<const qr_operation<df64>>(), {extended({2, 1}, {3, 4})});
  }
  CHECK(*factors[1].at<df64>({0, 0}) == df64(5));
  const auto q = factors[0].dense_mutable<df64>();
  REQUIRE(q);  // nobody else holds it any more
  (*q)[0] = df64(.3);
  (*q)[1] = df64(.4);

  workshop later;
  const auto gradient = later.apply<qr_vjp_operation<df64>>(
      {factors[0], factors[1], extended({1, 1}, {1})}, false, true);
  REQUIRE(gradient);
  const auto g = elements<df64>(*gradient);
  CHECK(std::abs((g[0] - df64(.3)).hi) < 1e-30);
  CHECK(std::abs((g[1] - df64(.4)).hi) < 1e-30);
}

}  // namespace plumbline::test
