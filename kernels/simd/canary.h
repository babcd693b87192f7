// The canary of the kernels: whether the file it is compiled in, on the target in use, keeps the
// products of vectors apart from the sums, subnormals, and round to nearest. (g++ contracts across
// intrinsics unless it is told not to.) Empty where all is well.
#pragma once

#include <string_view>
#include <vector>

namespace plumbline::kernels {

std::vector<std::string_view> kernel_faults();

}  // namespace plumbline::kernels
