// An operation is a named type: what it makes of types and shapes, and of values; optionally its
// first derivatives, which append operations to a program and own nothing. Whether a derivative may
// be used is for the application to say: it binds the rule (support.h).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "erased_tensor.h"
#include "scratch.h"

namespace plumbline {

// What is known of a value before it is computed.
struct value_type {
  const element_type* element = nullptr;
  shape_type shape;
};

// A value of a program, by its number in it.
struct value {
  std::size_t number = 0;
  friend bool operator==(value, value) = default;
};
using value_list = std::vector<value>;
using optional_values = std::vector<std::optional<value>>;

class program;

// What an owner lends to the operation that it runs.
class execution {
 public:
  virtual ~execution() = default;
  virtual scratch_cache& scratch() = 0;
  // Calls body(begin, end) on parts that together make 0 .. count, on the owner's threads.
  virtual void parallel_for(std::size_t count,
                            const std::function<void(std::size_t, std::size_t)>& body) = 0;
};

class operation {
 public:
  virtual ~operation() = default;
  virtual std::string_view name() const = 0;
  virtual outcome<std::vector<value_type>> infer(std::span<const value_type> inputs) const = 0;
  virtual outcome<std::vector<erased_tensor>> forward(std::span<const erased_tensor> inputs,
                                                      execution& on) const = 0;
};

// A derivative that is absent stays absent: it is never turned into zeros.
class differentiable_operation : public operation {
 public:
  // The tangents of the outputs; `tangents` has an entry per input.
  virtual outcome<optional_values> jvp(program& p, const value_list& inputs,
                                       const value_list& outputs,
                                       const optional_values& tangents) const = 0;
  // The cotangents of the inputs; `cotangents` has an entry per output.
  virtual outcome<optional_values> vjp(program& p, const value_list& inputs,
                                       const value_list& outputs,
                                       const optional_values& cotangents) const = 0;
};

}  // namespace plumbline
