// Elements and values of one tensor, refused in the order that PROTOCOL.md gives: what of several
// refusals is said must not depend on how a reader looks for the element.
#pragma once

#include "reference/addressing/lookup.h"
#include "reference/descriptor/descriptor.h"

namespace plumbline::adapter {

// Why nothing is read from buffers that fit the table: their indices or parameters break a clause
// (open point D-246). Padding bits and the values of elements are no bar.
std::optional<Refusal> refuse_contents(const Descriptor& d, const Buffers& buffers);

std::expected<std::optional<Stored>, Refusal> lookup_judged(const Judgement& judged,
                                                            const Buffers& buffers,
                                                            const Index& index);
// `large` where there are more than `most` values.
std::expected<std::vector<float>, Refusal> dequantise_judged(const Judgement& judged,
                                                             const Buffers& buffers, std::size_t most);

}  // namespace plumbline::adapter
