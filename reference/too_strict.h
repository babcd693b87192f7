// Mutants that refuse what is right, or answer wrong sizes (./dev mutants); nothing in every other
// build.
#pragma once

#include <vector>

namespace plumbline {

struct Contents;
struct Descriptor;
struct Need;
struct Options;
struct SetJudgement;
class Faults;

#ifdef PLUMBLINE_MUTANTS
void judge_too_strictly(const Descriptor& d, const Options& options, Faults& faults);
void judge_too_strictly(Contents& c);
// `across` holds the faults of each member of the set.
void judge_too_strictly(const SetJudgement& set, std::vector<Faults>& across);
void spoil_sizes(const Descriptor& d, std::vector<Need>& needs);
#else
inline void judge_too_strictly(const Descriptor&, const Options&, Faults&) {}
inline void judge_too_strictly(Contents&) {}
inline void judge_too_strictly(const SetJudgement&, std::vector<Faults>&) {}
inline void spoil_sizes(const Descriptor&, std::vector<Need>&) {}
#endif

}  // namespace plumbline
