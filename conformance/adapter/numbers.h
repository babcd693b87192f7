// The numeric operations of the protocol by the reference: conformance/PROTOCOL.md, Operations on
// numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::adapter {

const std::vector<std::string_view>& numeric_operations();
// What follows the id. `name` is one of the list. Throws bad_request.
std::string numeric_reply(std::string_view name, std::string_view operands);

}  // namespace plumbline::adapter
