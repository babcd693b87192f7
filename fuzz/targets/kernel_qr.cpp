// QR and its derivatives of small matrices against the reference: the same bits, or a refusal of the
// same kind.
#include "../kernel_operands.h"
#include "../target.h"
#include "kernels/qr/qr.h"

namespace plumbline::fuzz {

namespace {

std::string compare(const std::optional<tensor<df64>>& got, const std::optional<tensor<df64>>& expected) {
  if (got.has_value() != expected.has_value()) return "nothing, or not nothing";
  if (!got) return "";
  return got->shape == expected->shape ? difference(got->values, expected->values) : "another shape";
}

template <class T>
std::string compare_refusals(const result<T>& got, const result<T>& expected) {
  if (got.has_value() != expected.has_value()) return got ? "is not refused" : "refuses: " + got.error().text;
  return got || got.error().kind == expected.error().kind ? "" : "another kind of refusal";
}

std::string compare(const result<qr_factors<df64>>& got, const result<qr_factors<df64>>& expected) {
  std::string broken = compare_refusals(got, expected);
  if (!broken.empty() || !got) return broken;
  broken = compare(std::optional(got->q), std::optional(expected->q));
  return broken.empty() ? compare(std::optional(got->r), std::optional(expected->r)) : broken;
}

std::string differentiate(Choices& choices, Operands& operands, const qr_factors<df64>& f) {
  auto like = [&](const tensor<df64>& x) -> std::optional<tensor<df64>> {
    if (choices.one_in(4)) return std::nullopt;
    return tensor<df64>(x.shape, operands.many<df64>(x.values.size()));
  };
  std::optional<tensor<df64>> tangent = like(f.q);
  qr_cotangents<df64> cotangents{like(f.q), like(f.r)};
  auto jvp = qr_jvp(f, tangent);
  auto vjp = qr_vjp(f, cotangents);
  return on_every_target([&] {
    kernels::workspace work;
    auto forward = kernels::qr_jvp(f, tangent, work);
    std::string broken = compare_refusals(forward, jvp);
    if (broken.empty() && jvp && forward->has_value() != jvp->has_value()) broken = "nothing, or not nothing";
    if (broken.empty() && jvp && *jvp) {
      broken = compare(std::optional((*forward)->q), std::optional((*jvp)->q));
      if (broken.empty()) broken = compare(std::optional((*forward)->r), std::optional((*jvp)->r));
    }
    if (!broken.empty()) return "qr_jvp: " + broken;
    auto backward = kernels::qr_vjp(f, cotangents, work);
    broken = compare_refusals(backward, vjp);
    if (broken.empty() && vjp) broken = compare(*backward, *vjp);
    return broken.empty() ? broken : "qr_vjp: " + broken;
  });
}

}  // namespace

std::string kernel_qr(ByteView input) {
  Choices choices(input);
  shape_type shape{1 + choices.below(12), 1 + choices.below(6)};
  if (choices.one_in(16)) shape[0] = choices.below(70);
  bool with_zeros = choices.one_in(3), dependent = choices.one_in(5);
  Operands operands(choices);
  tensor<df64> a(shape, operands.many<df64>(*element_count(shape)));
  if (with_zeros)
    for (std::size_t i = 0; i < a.values.size(); i += 1 + i % 3) a.values[i] = i % 2 == 0 ? 0.0 : -0.0;
  if (dependent && shape[1] > 1)
    for (std::size_t i = 0; i < shape[0]; ++i) a(i, 1) = a(i, 0) + df64(i == 1 ? 1e-29 : 0.0);
  result<qr_factors<df64>> expected = qr(a);
  std::string broken = on_every_target([&] {
    kernels::workspace work;
    return compare(kernels::qr(a, work), expected);
  });
  if (!broken.empty()) return "qr: " + broken;
  return expected && choices.one_in(2) ? differentiate(choices, operands, *expected) : "";
}

}  // namespace plumbline::fuzz
