// What a field's value means, in the specification's words, for people who read a descriptor.
#pragma once

#include <string>

#include "reference/descriptor/descriptor.h"

namespace plumbline::program {

// Empty where the value speaks for itself.
std::string meaning(const Descriptor& d, const Field& field);

}  // namespace plumbline::program
