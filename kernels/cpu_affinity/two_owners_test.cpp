// Two owners on disjoint CPUs. CTest shows these tests as skipped where there is one CPU alone, or
// none is known.
#include "kernels/cpu_affinity/cpu_affinity.h"
#include "reference/consumers/application/test_gradients.h"

namespace plumbline::test {

TEST_CASE("a value goes from one owner to another explicitly, and not otherwise") {
  const std::vector<int> cpus = usable_cpus();
  if (cpus.size() < 2) {
    WARN("skipped: two owners on disjoint CPUs need two usable CPUs, there are " << cpus.size());
    return;
  }
  support standard, contribution;
  provide_standard_operations(standard);
  standard.provide<qr_operation<double>>();
  REQUIRE(contribute_df64(contribution));
  runtime r;
  owner& one = **r.add_owner({.identity = "plumbline.cpu.standard.v1",
                              .device = "cpu:0",
                              .threads = 1,
                              .cpus = {cpus[0]},
                              .bind = bind_this_thread});
  owner& two = **r.add_owner({.identity = "plumbline.cpu.contribution.v1",
                              .device = "cpu:1",
                              .threads = 1,
                              .cpus = {cpus[1]},
                              .bind = bind_this_thread});
  int on_one = -1, on_two = -1;
  one.run([&] { on_one = current_cpu(); });
  two.run([&] { on_two = current_cpu(); });
  CHECK(on_one == cpus[0]);
  CHECK(on_two == cpus[1]);

  const session first(one, standard), second(two, contribution);
  const auto sum = first.apply(std::make_shared<const standard_add>(),
                               {of<double>({2, 1}, {1, 2}), of<double>({2, 1}, {2, 2})});
  REQUIRE(sum);
  const erased_tensor value = sum->front();
  CHECK(value.owner() == "plumbline.cpu.standard.v1");
  const auto widen = std::make_shared<const conversion<double, df64>>();
  CHECK(refused(second.apply(widen, {value}), foreign_value, "plumbline.cpu.standard.v1"));
  CHECK(refused(hand_over(value, two, one), foreign_value));
  const auto handed = hand_over(value, one, two);
  REQUIRE(handed);
  CHECK(handed->shares_payload_with(value));
  CHECK(refused(first.apply(std::make_shared<const standard_negate>(), {*handed}), foreign_value));
  const auto wide = second.apply(widen, {*handed});
  REQUIRE(wide);
  const auto q = second.apply(std::make_shared<const qr_operation<df64>>(), {wide->front()});
  REQUIRE(q);
  const auto unit = elements<df64>(q->front());
  CHECK(std::abs(unit[0].hi - 0.6) < 1e-12);
  CHECK(std::abs(unit[1].hi - 0.8) < 1e-12);
  CHECK(refused(hand_over(of<double>({1}, {1}), one, two), foreign_value, "nobody"));
}

TEST_CASE("a second owner of a CPU is refused by name") {
  const std::vector<int> cpus = usable_cpus();
  if (cpus.empty()) {
    WARN("skipped: the CPUs of this system are not known");
    return;
  }
  runtime r;
  REQUIRE(r.add_owner(
      {.identity = "bound", .device = "cpu:0", .cpus = {cpus[0]}, .bind = bind_this_thread}));
  CHECK(refused(
      r.add_owner(
          {.identity = "late", .device = "cpu:1", .cpus = {cpus[0]}, .bind = bind_this_thread}),
      overlapping_cpus, "bound"));
}

TEST_CASE("configuration: both, cooperating as two owners on disjoint CPUs") {
  const std::vector<int> cpus = usable_cpus();
  if (cpus.size() < 2) {
    WARN("skipped: two owners on disjoint CPUs need two usable CPUs, there are " << cpus.size());
    return;
  }
  support bound_standard, bound_contribution;
  REQUIRE(bind_standard(bound_standard));
  REQUIRE(bind_contribution(bound_contribution));
  runtime owners;
  owner& one = **owners.add_owner({.identity = "application.cpu.standard.v1",
                                   .device = "cpu:0",
                                   .threads = 1,
                                   .cpus = {cpus[0]},
                                   .bind = bind_this_thread});
  owner& two = **owners.add_owner({.identity = "application.cpu.contribution.v1",
                                   .device = "cpu:1",
                                   .threads = 1,
                                   .cpus = {cpus[1]},
                                   .bind = bind_this_thread});
  const session first(one, bound_standard), second(two, bound_contribution);
  standard_binding standard;
  contribution_binding contribution;
  const auto standard_done = qr_loss(standard, first, standard_input());
  check_standard_gradient(standard_done);
  check_extended_gradient(qr_loss(contribution, second, extended_input()));

  // The standard gradient, widened by the other owner: only once it was handed over.
  const auto widen = std::make_shared<const conversion<double, df64>>();
  const erased_tensor gradient = standard_done->gradient;
  CHECK(refused(second.apply(widen, {gradient}), foreign_value, "application.cpu.standard.v1"));
  const auto handed = hand_over(gradient, one, two);
  REQUIRE(handed);
  const auto wide = second.apply(widen, {*handed});
  REQUIRE(wide);
  CHECK(std::abs((elements<df64>(wide->front())[1] - 8.0).hi) < 1e-12);
}

}  // namespace plumbline::test
