// What an application binds: the scalars it declares, the operations it provides, and the rule set,
// that is the operations whose derivatives may be used. Forward-only use needs no rule.
#pragma once

#include <map>
#include <set>
#include <string>
#include <typeindex>

#include "operation.h"

namespace plumbline {

// The derivatives that are bound. Rules are found by the type of the operation.
class rule_set {
 public:
  template <class Operation>
  requires std::derived_from<Operation, differentiable_operation>
  void bind() { bound_.insert(typeid(Operation)); }
  // How two cotangents of one value of this element type are added.
  void bind_addition(const element_type& element, std::shared_ptr<const operation> add) {
    additions_[&element] = std::move(add);
  }

  // rule_unavailable, naming the operation.
  outcome<const differentiable_operation*> find(const operation& op) const;
  outcome<std::shared_ptr<const operation>> addition(const element_type& element) const;

 private:
  std::set<std::type_index> bound_;
  std::map<const element_type*, std::shared_ptr<const operation>> additions_;
};

class support {
 public:
  // An external scalar under an identity that outlives the program, such as "plumbline.df64.v1".
  // duplicate_scalar where the scalar or the identity is taken.
  outcome<void> declare(const element_type& element, std::string identity);
  template <class... Operations>
  void provide() {
    (provided_.insert(typeid(Operations)), ...);
  }
  rule_set& rules() { return rules_; }
  const rule_set& rules() const { return rules_; }

  // The standard types need no declaration.
  bool declares(const element_type& element) const {
    return !element.is_external() || identities_.contains(&element);
  }
  bool provides(const operation& op) const { return provided_.contains(typeid(op)); }
  // The declared identity, or nothing.
  std::string_view identity(const element_type& element) const;

 private:
  std::map<const element_type*, std::string> identities_;
  std::set<std::type_index> provided_;
  rule_set rules_;
};

}  // namespace plumbline
