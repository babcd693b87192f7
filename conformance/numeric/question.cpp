// The table of operations.
#include "conformance/numeric/question.h"

#include <algorithm>
#include <cmath>

namespace plumbline::numeric {
namespace {

// d df64, f float64, b bf16, t a tensor, T a tensor or -, n a name, w any word; * repeats the last.
struct operation {
  std::string name, operands;
};

const std::vector<operation>& table() {
  static const std::vector<operation> all = [] {
    std::vector<operation> out;
    for (const char* op : {"add", "sub", "mul", "div"}) {
      out.push_back({std::string("df64.") + op, "dd"});
      out.push_back({std::string("df64.") + op + "_f64", "df"});
      out.push_back({std::string("bf16.") + op, "bb"});
    }
    for (const char* op : {"sqrt", "neg", "abs"}) {
      out.push_back({std::string("df64.") + op, "d"});
      out.push_back({std::string("bf16.") + op, "b"});
    }
    out.push_back({"df64.compare", "dd"});
    out.push_back({"bf16.compare", "bb"});
    out.push_back({"df64.parse", "w"});
    out.push_back({"convert", "nt"});
    out.push_back({"sum", "t"});
    out.push_back({"dot", "tt"});
    out.push_back({"qr", "t"});
    out.push_back({"qr_jvp", "ttT"});
    out.push_back({"qr_vjp", "ttTT"});
    out.push_back({"einsum", "wt*"});
    out.push_back({"einsum_jvp", "wT*"});
    out.push_back({"einsum_vjp", "wTt*"});
    return out;
  }();
  return all;
}

// A pair that df64 operations take; `convert f64` alone is asked of others.
void require_pair(oracle::pair x, const std::string& atom) {
  const bool is_pair = std::isfinite(x.hi) ? x.hi + x.lo == x.hi : x.lo == 0;
  if (!is_pair || (x.lo == 0 && std::signbit(x.lo)))
    throw atom_error("not a canonical pair: " + atom);
}

void require_pairs(std::string_view op, const std::string& question) {
  const std::vector<std::string> words = split(question, ' ');
  if (op == "df64.parse" || (op == "convert" && words[0] == "f64")) return;
  for (const std::string& word : words) {
    if (word.starts_with("df64[")) {
      for (const oracle::pair x : read_tensor(word).values) require_pair(x, word.substr(0, 60));
    } else if (op.starts_with("df64.") && word.contains(':')) {
      require_pair(read_scalar(scalar::df64, word), word);
    }
  }
}

std::string canonical_operand(char kind, const std::string& word) {
  switch (kind) {
    case 'd':
      return atom_of(scalar::df64, word);
    case 'f':
      return atom_of(scalar::f64, word);
    case 'b':
      return atom_of(scalar::bf16, word);
    case 't':
      return tensor_atom_of(word);
    case 'T':
      return word == "-" ? word : tensor_atom_of(word);
    case 'n':
      return std::string(name_of(scalar_named(word)));
    default:
      return word;
  }
}

// Q and R of A, each entry rounded to df64.
std::string factors_of(const std::string& text) {
  const tensor a = read_tensor(tensor_atom_of(text));
  if (a.shape.size() != 2 || a.shape[0] < a.shape[1] || a.values.empty())
    throw atom_error("of A: A has at least as many rows as columns");
  const oracle::real_factors exact = oracle::qr_exact(a);
  const auto rounded = [](const std::vector<oracle::real>& values, std::vector<std::size_t> shape) {
    tensor t;
    t.shape = std::move(shape);
    for (const oracle::real& x : values) t.values.push_back(oracle::rounded(x));
    return tensor_atom_of(t);
  };
  const std::size_t n = a.shape[1];
  return rounded(exact.q, a.shape) + ' ' + rounded(exact.r, {n, n});
}

}  // namespace

bool is_operation(std::string_view op) {
  return std::ranges::find(table(), op, &operation::name) != table().end();
}

const std::vector<std::string>& operations() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const operation& op : table()) out.push_back(op.name);
    return out;
  }();
  return names;
}

bool is_refusal(std::string_view kind) {
  return kind == "argument" || kind == "rank" || kind == "shape" || kind == "type" ||
         kind == "rule";
}

std::string canonical_question(std::string_view op, std::string_view text) {
  const auto found = std::ranges::find(table(), op, &operation::name);
  if (found == table().end()) throw atom_error("no such operation: " + std::string(op));
  std::vector<std::string> words;
  for (std::string& word : split(text, ' ')) {
    if (!word.empty()) words.push_back(std::move(word));
  }
  std::string out;
  if (op.starts_with("qr_") && words.size() > 1 && words[0] == "of") {
    out = factors_of(words[1]);
    words.erase(words.begin(), words.begin() + 2);
  }
  const std::size_t given = out.empty() ? 0 : 2;
  const std::string& kinds = found->operands;
  const bool repeats = kinds.ends_with('*');
  const std::size_t least = repeats ? kinds.size() - 2 : kinds.size();
  if (words.size() + given < least || (!repeats && words.size() + given != least))
    throw atom_error(std::string(op) + " does not take " + std::to_string(words.size()) +
                     " operands");
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t last = repeats ? kinds.size() - 2 : kinds.size() - 1;
    out += (out.empty() ? "" : " ") + canonical_operand(kinds[std::min(i + given, last)], words[i]);
  }
  require_pairs(op, out);
  return out;
}

std::set<std::string> needs_of(std::string_view op, std::string_view question) {
  std::set<std::string> out;
  for (const std::string& word : split(question, ' ')) {
    const std::size_t open = word.find('[');
    if (open != std::string::npos && op != "df64.parse")
      out.insert("scalar:" + word.substr(0, open));
  }
  if (op == "convert") out.insert("scalar:" + split(question, ' ').front());
  return out;
}

std::optional<pattern> read_pattern(std::string_view text) {
  const std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos) return std::nullopt;
  const auto labels_of = [](std::string_view letters) {
    return oracle::labels(letters.begin(), letters.end());
  };
  pattern p;
  for (const std::string& operand : split(text.substr(0, arrow), ','))
    p.operands.push_back(labels_of(operand));
  p.output = labels_of(text.substr(arrow + 2));
  return p;
}

}  // namespace plumbline::numeric
