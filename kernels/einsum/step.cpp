#include "kernels/einsum/step.h"

namespace plumbline::kernels {

std::size_t count(const axes& a) {
  std::size_t n = 1;
  for (const axis& x : a) n *= x.extent;
  return n;
}

place place_of(const axes& a, std::size_t i) {
  place p;
  for (std::size_t k = a.size(); k-- > 0;) {
    const auto index = static_cast<std::ptrdiff_t>(i % a[k].extent);
    i /= a[k].extent;
    p.lhs += index * a[k].stride.lhs;
    p.rhs += index * a[k].stride.rhs;
    p.out += index * a[k].stride.out;
  }
  return p;
}

void places_of(const axes& a, std::size_t first, std::span<place> places) {
  if (a.empty()) {
    for (place& p : places) p = {};
    return;
  }
  const axis& last = a.back();
  std::size_t done = 0;
  while (done < places.size()) {  // one run of the last axis after the other
    place p = place_of(a, first + done);
    const std::size_t left = last.extent - (first + done) % last.extent;
    for (std::size_t k = 0; k < left && done < places.size(); ++k, ++done) {
      places[done] = p;
      p.lhs += last.stride.lhs;
      p.rhs += last.stride.rhs;
      p.out += last.stride.out;
    }
  }
}

step make_step(const label_list& lhs_labels, std::span<const std::ptrdiff_t> lhs_strides,
               const label_list& rhs_labels, std::span<const std::ptrdiff_t> rhs_strides,
               const label_list& output, const label_extents& extents) {
  // A label named twice moves along both of its axes: the diagonal.
  const auto stride = [](const label_list& labels, std::span<const std::ptrdiff_t> strides,
                         label l) {
    std::ptrdiff_t sum = 0;
    for (std::size_t k = 0; k < labels.size(); ++k) sum += labels[k] == l ? strides[k] : 0;
    return sum;
  };
  const auto make = [&](label l) {
    return axis{extents[l],
                {stride(lhs_labels, lhs_strides, l), stride(rhs_labels, rhs_strides, l), 0}};
  };
  step s;
  for (const label l : first_seen(lhs_labels, rhs_labels)) {
    if (!names(output, l)) s.summed.push_back(make(l));
  }
  std::ptrdiff_t out = 1;
  s.outputs.resize(output.size());
  for (std::size_t k = output.size(); k-- > 0;) {
    s.outputs[k] = make(output[k]);
    s.outputs[k].stride.out = out;
    out *= static_cast<std::ptrdiff_t>(s.outputs[k].extent);
  }
  for (std::size_t k = 0; k < output.size(); ++k) {
    const bool left = names(lhs_labels, output[k]), right = names(rhs_labels, output[k]);
    (left && right ? s.in_both : left ? s.only_lhs : s.only_rhs).push_back(s.outputs[k]);
  }
  return s;
}

}  // namespace plumbline::kernels
