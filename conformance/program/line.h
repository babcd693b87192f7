// One line of `plumbline check --hex-lines`: text in, a JSON object out.
#pragma once

#include <string>

#include "commands.h"
#include "reference/descriptor/fault.h"

namespace plumbline::program {

struct LineAnswer {
  std::string json;
  Status status;  // unusable: the line could not be judged (verdict error)
};
LineAnswer answer_line(std::string line, const Options& options, bool all = false);

}  // namespace plumbline::program
