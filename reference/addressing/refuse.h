// Saying no to a question; the kinds are listed in question.h.
#pragma once

#include <expected>
#include <string>

#include "../question.h"

namespace plumbline {

inline std::unexpected<Refusal> refuse(std::string kind, std::string text) {
  return std::unexpected(Refusal{std::move(kind), std::move(text)});
}

}  // namespace plumbline
