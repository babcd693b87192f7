// The atoms of numeric questions: conformance/PROTOCOL.md, Atoms. A scalar is its IEEE bits
// (0x3f80, 0x3f800000, 0x3ff0000000000000, HI:LO), a tensor TYPE[2,3]=v,v,.. in row-major order.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/oracle/tensor_oracle.h"

namespace plumbline::numeric {

struct atom_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class scalar { f32, f64, bf16, df64 };
std::string_view name_of(scalar type);
scalar scalar_named(std::string_view name);  // throws atom_error

// The value of an atom; lo is zero but in a df64.
oracle::pair read_scalar(scalar type, std::string_view atom);  // throws atom_error
// A number as people write it (1, -0.1, 0x1p-80, inf, nan, a df64 as 1:0x1p-80), or an atom, as an
// atom. A decimal is the nearest double; in f32 and bf16 it must be exact.
std::string atom_of(scalar type, std::string_view text);
std::string atom_of(scalar type, oracle::pair value);

struct tensor : oracle::array {
  scalar type = scalar::df64;
};
tensor read_tensor(std::string_view atom);          // throws atom_error
std::string tensor_atom_of(std::string_view text);  // values as people write them
std::string tensor_atom_of(const tensor& t);
std::string head_of(const tensor& t);  // "df64[2,3]="

// Real numbers in full: -0x1.8p-3, or at most 212 bits of what has no end; nan, inf, -inf, 0, -0.
std::string real_text(const oracle::real& x, bool in_full = false);
oracle::real read_real(std::string_view text);  // throws atom_error; finite numbers only

std::vector<std::string> split(std::string_view text, char separator);

}  // namespace plumbline::numeric
