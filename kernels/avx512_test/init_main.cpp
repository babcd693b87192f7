// The only process of the emulated machine: runs the kernels' tests, writes what they say to the
// serial line, and switches the machine off.
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <initializer_list>

int main() {
  mount("devtmpfs", "/dev", "devtmpfs", 0, nullptr);
  mount("proc", "/proc", "proc", 0, nullptr);
  const int line = open("/dev/ttyS0", O_RDWR);
  for (const int standard : {0, 1, 2}) dup2(line, standard);
  for (const char* program : {"/plumbline-targets", "/kernels_check"}) {
    const pid_t child = fork();
    if (child == 0) {
      execl(program, program, nullptr);
      _exit(127);
    }
    int status = -1;
    waitpid(child, &status, 0);
    std::printf("%s: ended, status %d\n", program, status);
  }
  std::printf("end of the emulated run\n");
  std::fflush(stdout);
  sleep(1);
  reboot(RB_POWER_OFF);
}
