#include "einsum_pattern.h"

#include <algorithm>
#include <string>

namespace plumbline {
namespace {

std::string name(label l) {
  const bool letter = (l >= 'a' && l <= 'z') || (l >= 'A' && l <= 'Z');
  return letter ? std::string(1, static_cast<char>(l)) : std::to_string(l);
}

// What holds of every pattern, those of derivatives too, whose operands may have no label.
result<void> check_output(const std::vector<label_list>& operands, const label_list& output) {
  using enum numeric_error_kind;
  if (operands.empty()) return refuse(invalid_argument, "the pattern has no operand");
  for (std::size_t i = 0; i < output.size(); ++i) {
    const label l = output[i];
    const bool known =
        std::ranges::any_of(operands, [&](const label_list& o) { return names(o, l); });
    if (!known) return refuse(invalid_argument, "no operand names the output label " + name(l));
    if (names(label_list(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(i)), l)) {
      return refuse(invalid_argument, "the output repeats the label " + name(l));
    }
  }
  return {};
}

}  // namespace

bool names(const label_list& labels, label l) {
  return std::ranges::find(labels, l) != labels.end();
}

label_list first_seen(const label_list& a, const label_list& b) {
  label_list seen;
  for (const label_list* list : {&a, &b}) {
    for (const label l : *list) {
      if (!names(seen, l)) seen.push_back(l);
    }
  }
  return seen;
}

result<einsum_pattern> make_einsum_pattern(std::vector<label_list> operands, label_list output) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].empty()) {
      return refuse(numeric_error_kind::invalid_argument,
                    "operand " + std::to_string(i) + " of the pattern has no label");
    }
  }
  if (auto sound = check_output(operands, output); !sound) return std::unexpected(sound.error());
  return einsum_pattern{std::move(operands), std::move(output)};
}

result<einsum_pattern> parse_einsum_pattern(std::string_view text) {
  const std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos) {
    return refuse(numeric_error_kind::invalid_argument, "a pattern needs its output: ik,kj->ij");
  }
  std::vector<label_list> operands(1);
  label_list output;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (i == arrow || i == arrow + 1) continue;
    if (c == ',' && i < arrow) {
      operands.emplace_back();
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      (i < arrow ? operands.back() : output).push_back(static_cast<label>(c));
    } else {
      return refuse(numeric_error_kind::invalid_argument,
                    std::string("a label is an ASCII letter, not '") + c + "'");
    }
  }
  if (arrow == 0) operands.clear();
  return make_einsum_pattern(std::move(operands), std::move(output));
}

result<label_extents> label_extents::of(const std::vector<label_list>& operands,
                                        const std::vector<shape_type>& shapes) {
  using enum numeric_error_kind;
  if (operands.size() != shapes.size()) {
    return refuse(invalid_argument, "the pattern has " + std::to_string(operands.size()) +
                                        " operands, not " + std::to_string(shapes.size()));
  }
  label_extents known;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].size() != shapes[i].size()) {
      return refuse(rank_mismatch, "operand " + std::to_string(i) + " has " +
                                       std::to_string(operands[i].size()) +
                                       " labels and the shape " + shape_text(shapes[i]));
    }
    for (std::size_t axis = 0; axis < shapes[i].size(); ++axis) {
      const label l = operands[i][axis];
      const auto found =
          std::ranges::find(known.extents_, l, &std::pair<label, std::size_t>::first);
      if (found == known.extents_.end()) {
        known.extents_.emplace_back(l, shapes[i][axis]);
      } else if (found->second != shapes[i][axis]) {
        return refuse(invalid_argument, "the extents of the shared label " + name(l) +
                                            " disagree: " + std::to_string(found->second) +
                                            " and " + std::to_string(shapes[i][axis]));
      }
    }
  }
  return known;
}

result<label_extents> label_extents::of(const einsum_pattern& pattern,
                                        const std::vector<shape_type>& shapes) {
  if (auto sound = check_output(pattern.operands, pattern.output); !sound)
    return std::unexpected(sound.error());
  return of(pattern.operands, shapes);
}

std::size_t label_extents::operator[](label l) const {
  return std::ranges::find(extents_, l, &std::pair<label, std::size_t>::first)->second;
}

shape_type label_extents::shape(const label_list& labels) const {
  shape_type shape;
  for (const label l : labels) shape.push_back((*this)[l]);
  return shape;
}

}  // namespace plumbline
