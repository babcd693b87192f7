// metadata.md, Statistics Section
#include <bit>
#include <charconv>

#include "judge.h"

namespace plumbline {

void Statistics::visit(Fields& f) {
  at = f.offset();
  f.prefix("statistics.");
  f.u32("computed_mask", computed_mask);
  f.bytes("reserved", reserved, 4);
  f.u64("nnz", nnz);
  f.f64("sparsity_ratio", sparsity_ratio);
  f.f64("value_min", value_min);
  f.f64("value_max", value_max);
  f.f64("value_abs_max", value_abs_max);
  f.f64("value_mean", value_mean);
  f.f64("value_stddev", value_stddev);
  f.u8("nm_n", nm_n);
  f.u8("nm_m", nm_m);
  f.u8("has_nan", has_nan);
  f.u8("has_inf", has_inf);
  f.bytes("reserved2", reserved2, 4);
}

namespace {
// The fewest digits that tell it from its neighbours: what lies just above 1 is not shown as 1.
std::string digits(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}
}  // namespace

// A figure counts only where its mask bit is set (STA-02).
void judge_statistics(const Descriptor& d, Faults& faults) {
  const Statistics& s = *d.statistics;
  auto valid = [&](std::uint32_t bit) { return (s.computed_mask & bit) != 0; };
  if (s.computed_mask >> limit("STA-04", 6) != 0)
    faults.add("STA-04", s.at, "mask " + hex_tag(s.computed_mask), "bits 6 to 31 zero");
  judge_zero(s.reserved, "STA-05", s.at + 4, faults);
  double sparsity = std::bit_cast<double>(s.sparsity_ratio);
  bool is_ratio = sparsity >= limit("STA-07.low", 0.0) && sparsity <= limit("STA-07.high", 1.0);
  if (valid(statistic::sparsity) && !is_ratio)
    faults.add("STA-07", s.at + 16, "sparsity ratio " + digits(sparsity), "0 to 1");
  double deviation = std::bit_cast<double>(s.value_stddev);
  if (valid(statistic::value_stats) && !(deviation >= limit("STA-08", 0.0)))
    faults.add("STA-08", s.at + 56, "standard deviation " + digits(deviation), "0 or more");
  if (valid(statistic::nm_sparsity) && s.nm_n > limit("STA-09", int{s.nm_m}))
    faults.add("STA-09", s.at + 65, std::to_string(s.nm_n) + ":" + std::to_string(s.nm_m) + " sparsity",
               "nm_n at most nm_m");
  if (valid(statistic::nan_inf)) {
    if (s.has_nan > limit("STA-10.nan", 1))
      faults.add("STA-10", s.at + 66, "has_nan " + hex_tag(s.has_nan), "0x00 or 0x01");
    if (s.has_inf > limit("STA-10.inf", 1))
      faults.add("STA-10", s.at + 67, "has_inf " + hex_tag(s.has_inf), "0x00 or 0x01");
  }
  judge_zero(s.reserved2, "STA-06", s.at + 68, faults);
}

}  // namespace plumbline
