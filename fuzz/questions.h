// Every question that the reference answers about a descriptor and its buffers.
#pragma once

#include <optional>

#include "reference/descriptor/descriptor.h"
#include "reference/question.h"

namespace plumbline::fuzz {

// The descriptor's buffers out of `bytes`, each as long as its entry says (16 KiB at most) and right
// before a page that nobody may touch, until the next call. Nothing beyond 12 buffers.
std::optional<Buffers> guarded_buffers(const Descriptor& d, ByteView bytes);

// Asks them all, also those that make no sense; the answers do not matter. The descriptor need not be one
// that was accepted.
void ask_everything(const Descriptor& d, const Buffers& buffers);

}  // namespace plumbline::fuzz
