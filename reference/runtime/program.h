// A program: a list of operations over numbered values. Types and shapes follow as it is written,
// so what cannot fit together is refused before anything is computed.
#pragma once

#include "operation.h"

namespace plumbline {

struct program_step {
  std::shared_ptr<const operation> op;
  value_list inputs, outputs;
};

class program {
 public:
  value input(const element_type& element, shape_type shape);
  outcome<value_list> apply(std::shared_ptr<const operation> op, value_list inputs);
  // The same, for an operation with one output.
  outcome<value> apply_one(std::shared_ptr<const operation> op, value_list inputs);
  template <class Operation, class... Arguments>
  outcome<value> emit(value_list inputs, Arguments&&... arguments) {
    return apply_one(std::make_shared<const Operation>(std::forward<Arguments>(arguments)...),
                     std::move(inputs));
  }

  bool holds(value v) const { return v.number < types_.size(); }
  const value_type& type(value v) const { return types_.at(v.number); }
  std::size_t value_count() const { return types_.size(); }
  const value_list& inputs() const { return inputs_; }
  const std::vector<program_step>& steps() const { return steps_; }

 private:
  std::vector<value_type> types_;
  value_list inputs_;
  std::vector<program_step> steps_;
};

// "qr(df64[2,1])": an operation and what it is applied to, for refusals.
std::string step_text(const program& p, const program_step& step);

}  // namespace plumbline
