// Values for the fields that sound() would leave as a new struct has them, all such that strict accepts
// them. Zeros, as behind the end of an input, leave a field as it was.
#pragma once

#include "build.h"

namespace plumbline::fuzz {

// Before there is a buffer table, as its sizes follow from these.
void vary_layout(Descriptor& d, Choices& choices);
void vary_quantization(Descriptor& d, Choices& choices);
// Behind it.
void vary_buffers(Descriptor& d, Choices& choices);
void vary_statistics(Descriptor& d, Choices& choices);

}  // namespace plumbline::fuzz
