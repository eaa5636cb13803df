// Refuses the process that it is loaded into (LD_PRELOAD) every socket and every process. Such a call is named with its callers, and
// ends the process with status 86. `scripts/test-swift` runs the pure tests with it. It is a filter of the kernel, so that it does
// not matter by which library a call comes; only starting a program has a function of its own here, because the system's blocks
// the signal by which the filter tells.
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "this processor's numbers of system calls are not known here"
#endif

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
// The next statement is for one number only.
#define IF(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1)
#define REFUSE(number) IF(number), RETURN(SECCOMP_RET_TRAP)

static struct sock_filter filter[] = {
  LOAD(arch),
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
  RETURN(SECCOMP_RET_KILL_PROCESS),
  LOAD(nr),
  REFUSE(__NR_socket),
  REFUSE(__NR_socketpair),
  REFUSE(__NR_execve),
  REFUSE(__NR_execveat),
#ifdef __NR_fork
  REFUSE(__NR_fork),
  REFUSE(__NR_vfork),
#endif
  // Its flags are in memory, where a filter does not see them: libraries go on with clone.
  IF(__NR_clone3),
  RETURN(SECCOMP_RET_ERRNO | ENOSYS),
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 1, 0),
  RETURN(SECCOMP_RET_ALLOW),
  // A thread is no process.
  LOAD(args[0]),
  BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
  RETURN(SECCOMP_RET_ALLOW),
  RETURN(SECCOMP_RET_TRAP),
};

static const char *name(int number) {
  switch (number) {
  case __NR_socket: return "socket";
  case __NR_socketpair: return "socketpair";
  case __NR_execve: return "execve";
  case __NR_execveat: return "execveat";
#ifdef __NR_fork
  case __NR_fork: return "fork";
  case __NR_vfork: return "vfork";
#endif
  default: return "clone";
  }
}

static _Noreturn void refuse(const char *call) {
  void *callers[64];
  dprintf(STDERR_FILENO, "\nrefused: a pure test called %s\n", call);
  backtrace_symbols_fd(callers, backtrace(callers, 64), STDERR_FILENO);
  _exit(86);
}

static void refused(int signal, siginfo_t *information, void *context) {
  (void)signal, (void)context;
  refuse(name(information->si_syscall));
}

int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  (void)process, (void)path, (void)actions, (void)attributes, (void)arguments, (void)environment;
  refuse("posix_spawn");
}

int posix_spawnp(pid_t *process, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  return posix_spawn(process, file, actions, attributes, arguments, environment);
}

__attribute__((constructor)) static void begin(void) {
  struct sigaction action = {.sa_flags = SA_SIGINFO};
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  void *caller;
  action.sa_sigaction = refused;
  // Its first call loads a library.
  backtrace(&caller, 1);
  if (sigaction(SIGSYS, &action, NULL) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
    perror("error: sockets and processes cannot be refused");
    _exit(86);
  }
}
