// A session runs programs for one owner, with what one application binds. It admits a program
// before it computes anything.
#pragma once

#include "derivative.h"
#include "owner.h"

namespace plumbline {

class session {
 public:
  // Both must outlive the session.
  session(owner& o, const support& s) : owner_(o), support_(s) {}

  // undeclared_scalar, naming the scalar; operation_unavailable, naming the operation.
  outcome<void> admit(const program& p) const;

  // Admits, then computes the values asked for. The inputs fit the program's (invalid_argument,
  // wrong_type, shape_mismatch) and belong to nobody or to this owner (foreign_value). An
  // operation's own refusals name it.
  outcome<std::vector<erased_tensor>> run(const program& p, std::vector<erased_tensor> inputs,
                                          const value_list& wanted) const;
  // One operation, without a program of one's own.
  outcome<std::vector<erased_tensor>> apply(std::shared_ptr<const operation> op,
                                            std::vector<erased_tensor> inputs) const;

  // Derivatives by the bound rules, of a program that is admitted.
  outcome<reverse_program> reverse(const program& p, value output, const value_list& wanted,
                                   int order = 1) const;
  outcome<forward_program> forward_mode(const program& p, value output, const value_list& varied,
                                        int order = 1) const;

 private:
  outcome<void> compute(const program& p, std::vector<std::optional<erased_tensor>>& known) const;

  owner& owner_;
  const support& support_;
};

}  // namespace plumbline
