// Which CPUs this process may use, and binding a thread to some of them, for owners that state their
// CPUs (owner_options::bind). The standard library knows neither; where the system does not either, the list is empty and binding is refused.
#pragma once

#include <vector>

namespace plumbline {

std::vector<int> usable_cpus();

// Binds the calling thread. False where a CPU is not usable.
bool bind_this_thread(const std::vector<int>& cpus);

// The CPU that the calling thread runs on, -1 where it is not known.
int current_cpu();

}  // namespace plumbline
