#include "cpu_affinity.h"

#ifdef __linux__
#include <sched.h>
#endif

namespace plumbline {

#ifdef __linux__

std::vector<int> usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
  }
  return cpus;
}

bool bind_this_thread(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) {
    if (cpu < 0 || cpu >= CPU_SETSIZE) return false;
    CPU_SET(static_cast<std::size_t>(cpu), &set);
  }
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

int current_cpu() { return sched_getcpu(); }

#else

std::vector<int> usable_cpus() { return {}; }
bool bind_this_thread(const std::vector<int>&) { return false; }
int current_cpu() { return -1; }

#endif

}  // namespace plumbline
