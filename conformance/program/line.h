// One line of `plumbline check --hex-lines`: text in, a JSON object out.
#pragma once

#include <string>

#include "reference/descriptor/fault.h"

namespace plumbline::program {

std::string answer_line(std::string line, const Options& options, bool all = false);

}  // namespace plumbline::program
