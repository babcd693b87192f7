// Mutations drawn from a seed, by what the vectors know of their fields.
#pragma once

#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mutation.h"

namespace plumbline::program {

// Which questions both adapters answer.
struct abilities {
  std::set<std::string, std::less<>> ops, modes;
};

// The same values for the same seed on every machine.
class mutator {
 public:
  mutator(const std::vector<vectors::vector>& all, const abilities& both, std::uint64_t seed);
  bool empty() const { return of_op_.empty(); }
  mutation next();
  // Other mutations of the same base and of the vectors of a clause, one edit each.
  std::vector<mutation> around(const mutation& m, const std::string& clause, std::size_t count);
  // The mutation with its one changed field on other bases that have that field, the smallest
  // first.
  std::vector<mutation> on_other_bases(const mutation& m) const;
  // The mutation with one edit less, and with values closer to those of the base.
  static std::vector<mutation> closer_to_base(const mutation& m);

 private:
  struct base {
    const vectors::vector* vector;
    std::vector<std::vector<Field>> fields;  // of each descriptor
  };
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  void learn(const vectors::vector& v, bool is_base);
  std::uint64_t beside(std::uint64_t value, std::size_t size);
  edit change_field(const base& from);
  edit change_section(const base& from);
  edit change_buffer(const vectors::vector& v);
  edit change_word(const mutation& m);
  edit change(const base& from, const mutation& m);
  void add_edit(const base& from, mutation& m);
  std::string an_index(const base& from);
  std::string fields_of(const base& from) const;

  abilities both_;
  std::vector<std::string> modes_;
  std::vector<std::pair<std::string, std::vector<base>>> of_op_;  // by the vector's own operation
  std::vector<std::vector<const base*>>
      of_clause_;  // by operation and clause: each as often as another
  std::map<std::string, std::vector<vectors::bytes>> seen_;     // values of each key in the vectors
  std::map<std::string, std::vector<FieldText>> sections_;      // "shard." and the fields of some
  std::map<std::size_t, std::vector<vectors::bytes>> entries_;  // of buffers, by their width
  std::map<std::string, std::vector<std::string>> words_;       // key=value of encode questions
  std::mt19937_64 random_;
};

}  // namespace plumbline::program
