#include "support.h"

#include <algorithm>

namespace plumbline {

outcome<const differentiable_operation*> rule_set::find(const operation& op) const {
  using enum runtime_error_kind;
  const auto* rule = dynamic_cast<const differentiable_operation*>(&op);
  const std::string name(op.name());
  if (!rule) return fail(rule_unavailable, name + " has no derivative rule");
  if (!bound_.contains(typeid(op))) {
    return fail(rule_unavailable, "no derivative rule is bound for " + name);
  }
  return rule;
}

outcome<std::shared_ptr<const operation>> rule_set::addition(const element_type& element) const {
  const auto found = additions_.find(&element);
  if (found == additions_.end()) {
    return fail(runtime_error_kind::rule_unavailable,
                "no addition of cotangents is bound for " + std::string(element.name));
  }
  return found->second;
}

outcome<void> support::declare(const element_type& element, std::string identity) {
  using enum runtime_error_kind;
  if (!element.is_external()) {
    return fail(duplicate_scalar, std::string(element.name) + " is a standard type");
  }
  if (identity.empty()) return fail(invalid_argument, "a declared identity is not empty");
  if (identities_.contains(&element)) {
    return fail(duplicate_scalar, std::string(element.name) + " is declared already");
  }
  const bool taken = std::ranges::any_of(
      identities_, [&](const auto& declared) { return declared.second == identity; });
  if (taken) return fail(duplicate_scalar, "the identity " + identity + " is taken");
  identities_[&element] = std::move(identity);
  return {};
}

std::string_view support::identity(const element_type& element) const {
  const auto found = identities_.find(&element);
  return found == identities_.end() ? std::string_view() : found->second;
}

}  // namespace plumbline
