// What a scalar is to algebra. Derivatives need a field.
#pragma once

#include <cstdint>

namespace plumbline {

enum class scalar_domain : std::uint8_t { field, ordered_ring, truth_value };

}  // namespace plumbline
