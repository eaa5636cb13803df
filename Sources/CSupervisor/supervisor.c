#define _GNU_SOURCE
#include "supervisor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

extern char **environ;

/// The signals that are passed on to a command.
static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
enum { passedCount = sizeof passed / sizeof passed[0] };

/// The time in milliseconds within which a second signal demands an immediate end.
static const int64_t impatience = 2000;
/// The time in milliseconds within which the same signal again is an echo of the first: a terminal sends it to the whole
/// group, and a parent such as npm passes it on.
static const int64_t echo = 100;
/// The time in milliseconds that a command has to end by itself after a second signal, and its descendants after its
/// end.
static const int64_t grace = 1000;
/// The same time after the simulator was killed, when nothing waits for the result.
static const int64_t shortGrace = 300;

/// A message to the supervisor: a signal, or 0 as the acknowledgement of the command's end.
typedef struct {
  unsigned char number;
  /// True if a process sent the signal to us alone; a terminal sends its signals to the whole foreground group.
  unsigned char isDirect;
} message;

static int controlRead = -1;
static volatile sig_atomic_t controlWrite = -1;
/// The action for SIGPIPE and the signal mask at the start of this process, which the command inherits, without the
/// signals that are passed on. Threads that call later may have other masks.
static struct sigaction pipeBefore;
static sigset_t maskBefore;
/// The limit of open files at the start of this process, for the command: we raise our own, and an old client may
/// rely on a lower one.
static struct rlimit filesBefore;
static bool knowsFiles = false;
/// The inheritable descriptors at the start of this process beyond the standard streams (a shell's `3>log`, make's
/// job server), in ascending order, which the command inherits. They are collected before there is a second thread,
/// whose own would be among them.
enum { mostInherited = 256 };
static int inherited[mostInherited];
static int inheritedCount = 0;

static void remember_descriptor(int descriptor) {
  int flags = descriptor > 2 && inheritedCount < mostInherited ? fcntl(descriptor, F_GETFD) : -1;
  if (flags < 0 || (flags & FD_CLOEXEC) != 0) return;
  int place = inheritedCount++;
  for (; place > 0 && inherited[place - 1] > descriptor; place--) inherited[place] = inherited[place - 1];
  inherited[place] = descriptor;
}

static void remember_descriptors(void) {
  DIR *open = opendir("/dev/fd");
  if (open == NULL) return;
  struct dirent *entry;
  while ((entry = readdir(open)) != NULL) {
    char *end;
    long descriptor = strtol(entry->d_name, &end, 10);
    if (end != entry->d_name && *end == 0 && descriptor != dirfd(open)) remember_descriptor((int)descriptor);
  }
  closedir(open);
}

__attribute__((constructor)) static void remember(void) {
  remember_descriptors();
  sigaction(SIGPIPE, NULL, &pipeBefore);
  sigprocmask(SIG_SETMASK, NULL, &maskBefore);
  for (int index = 0; index < passedCount; index++) sigdelset(&maskBefore, passed[index]);
  knowsFiles = getrlimit(RLIMIT_NOFILE, &filesBefore) == 0;
}

// MARK: In apnsim

static void pass_on(int number, siginfo_t *info, void *context) {
  (void)context;
  int error = errno;
  // SIGHUP at the end of a terminal goes to the leader of its session alone, which may be us.
  message note = {(unsigned char)number, info == NULL || info->si_code <= 0 || number == SIGHUP};
  int descriptor = controlWrite;
  if (descriptor >= 0) (void)!write(descriptor, &note, sizeof note);
  errno = error;
}

static int close_on_exec(int descriptor) {
  return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == -1 ? errno : 0;
}

static int make_pipe(int ends[2]) {
  if (pipe(ends) != 0) return errno;
  int error = close_on_exec(ends[0]);
  return error ? error : close_on_exec(ends[1]);
}

/// A thread that takes the signals: all others may block them, as the parent process may have.
static void *take_signals(void *nothing) {
  sigset_t mask;
  sigfillset(&mask);
  for (int index = 0; index < passedCount; index++) sigdelset(&mask, passed[index]);
  while (true) sigsuspend(&mask);
  return nothing;
}

int apnsim_trap_signals(void) {
  int ends[2];
  int error = make_pipe(ends);
  if (error) return error;
  // A full pipe must not block the handler.
  if (fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0 || fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0) return errno;
  controlRead = ends[0];
  controlWrite = ends[1];
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = pass_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigfillset(&action.sa_mask);
  for (int index = 0; index < passedCount; index++) {
    struct sigaction before;
    if (sigaction(passed[index], NULL, &before) != 0) return errno;
    if (before.sa_handler == SIG_IGN) continue;
    if (sigaction(passed[index], &action, NULL) != 0) return errno;
  }
  pthread_t thread;
  if ((error = pthread_create(&thread, NULL, take_signals, NULL)) != 0) return error;
  return pthread_detach(thread);
}

int apnsim_pending_signal(void) {
  message note;
  return read(controlRead, &note, sizeof note) == sizeof note ? note.number : 0;
}

int apnsim_next_report(const apnsim_supervisor *supervisor, apnsim_report *report) {
  size_t count = 0;
  while (count < sizeof *report) {
    ssize_t step = read(supervisor->reports, (char *)report + count, sizeof *report - count);
    if (step < 0 && errno == EINTR) continue;
    if (step < 0) return -1;
    if (step == 0) return 0;
    count += (size_t)step;
  }
  int descriptor = controlWrite;
  if (report->kind == APNSIM_REPORT_ENDED && descriptor >= 0) {
    message heard = {0, 0};
    (void)!write(descriptor, &heard, sizeof heard);
  }
  return 1;
}

// MARK: Ending whatever is left

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void pause_for(int64_t milliseconds) {
  struct timespec time = {milliseconds / 1000, (milliseconds % 1000) * 1000000};
  nanosleep(&time, NULL);
}

/// Appends a text to a path with a capacity of `size` bytes.
static void append(char *path, size_t size, const char *text) {
  size_t length = strlen(path);
  for (; *text != 0 && length + 1 < size; text++) path[length++] = *text;
  path[length] = 0;
}

static void append_number(char *path, size_t size, long number) {
  char digits[24];
  size_t index = sizeof digits;
  digits[--index] = 0;
  do digits[--index] = (char)('0' + number % 10);
  while ((number /= 10) > 0 && index > 0);
  append(path, size, digits + index);
}

/// Sends a signal to every child of one of our threads; false if the system does not list them.
static bool signal_children_of(const char *thread, int number) {
  char path[64] = "/proc/self/task/";
  append(path, sizeof path, thread);
  append(path, sizeof path, "/children");
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char buffer[4096];
  pid_t process = 0;
  ssize_t count;
  while ((count = read(file, buffer, sizeof buffer)) > 0) {
    for (ssize_t index = 0; index < count; index++) {
      if (buffer[index] >= '0' && buffer[index] <= '9') {
        process = process * 10 + (buffer[index] - '0');
      } else {
        if (process > 1) kill(process, number);
        process = 0;
      }
    }
  }
  close(file);
  return true;
}

/// Sends a signal to every child of this process, which has one thread, or to `known` if the system does not list
/// them.
static void signal_children(int number, pid_t known) {
  char thread[24] = "";
  append_number(thread, sizeof thread, getpid());
  if (!signal_children_of(thread, number) && known > 1) kill(known, number);
}

/// Ends every descendant: with SIGTERM first, and with SIGKILL after `patience` milliseconds. As children die, their
/// own become ours, until there is none left.
static void end_children(pid_t known, int64_t patience) {
  int64_t start = now();
  bool asked = false;
  while (true) {
    pid_t process;
    while ((process = waitpid(-1, NULL, WNOHANG)) > 0) asked = false;
    if (process < 0 && errno != EINTR) return;
    int64_t elapsed = now() - start;
    // A process that cannot be killed (one that waits for a disk) is left to the system.
    if (elapsed > patience + 5000) return;
    if (elapsed >= patience) {
      signal_children(SIGKILL, known);
    } else if (!asked) {
      // A stopped process gets SIGTERM only once it goes on.
      signal_children(SIGTERM, known);
      signal_children(SIGCONT, known);
      asked = true;
    }
    pause_for(2);
  }
}

/// Ends the children of all our threads, which a killed supervisor could not end.
static void end_adopted(void) {
  int64_t start = now();
  while (now() - start < 5000) {
    pid_t process;
    while ((process = waitpid(-1, NULL, WNOHANG)) > 0) continue;
    if (process < 0 && errno != EINTR) return;
    DIR *threads = opendir("/proc/self/task");
    if (threads == NULL) return;
    struct dirent *entry;
    while ((entry = readdir(threads)) != NULL) {
      if (entry->d_name[0] != '.') signal_children_of(entry->d_name, SIGKILL);
    }
    closedir(threads);
    pause_for(2);
  }
}

void apnsim_join(const apnsim_supervisor *supervisor) {
  int status = 0;
  while (waitpid(supervisor->process, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFSIGNALED(status)) end_adopted();
  close(supervisor->reports);
}

// MARK: In the supervisor

static void close_range_of(int first, int last) {
  if (first > last) return;
#ifdef SYS_close_range
  if (syscall(SYS_close_range, (unsigned)first, (unsigned)last, 0) == 0) return;
#endif
  long limit = sysconf(_SC_OPEN_MAX);
  if (limit < 0 || limit > 65536) limit = 65536;
  for (int descriptor = first; descriptor <= last && descriptor < limit; descriptor++) close(descriptor);
}

/// Closes every descriptor above 2 but these, which are in ascending order.
static void close_others(const int *kept, int count) {
  int first = 3;
  for (int index = 0; index < count; index++) {
    if (kept[index] < first) continue;
    close_range_of(first, kept[index] - 1);
    first = kept[index] + 1;
  }
  close_range_of(first, 0x7FFFFFFF);
}

static void report(int descriptor, int32_t kind, int32_t value) {
  apnsim_report note = {kind, value};
  (void)!write(descriptor, &note, sizeof note);
}

/// Moves a descriptor above those that the command inherits.
static int above(int descriptor) {
  int lowest = inheritedCount > 0 ? inherited[inheritedCount - 1] + 1 : 3;
  int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, lowest);
  return moved < 0 ? descriptor : moved;
}

static void nothing(int number) { (void)number; }

static _Noreturn void run_command(char *const arguments[], char *const environment[], int failure, pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
#else
  (void)parent;
#endif
  int kept[mostInherited + 1];
  memcpy(kept, inherited, sizeof inherited);
  kept[inheritedCount] = failure;
  close_others(kept, inheritedCount + 1);
  sigaction(SIGPIPE, &pipeBefore, NULL);
  sigprocmask(SIG_SETMASK, &maskBefore, NULL);
  if (knowsFiles) setrlimit(RLIMIT_NOFILE, &filesBefore);
  environ = (char **)environment;
  execvp(arguments[0], arguments);
  int error = errno;
  (void)!write(failure, &error, sizeof error);
  _exit(127);
}

/// Starts the command; returns its process, or -1 with the reason in errno.
static pid_t start_command(char *const arguments[], char *const environment[]) {
  int ends[2];
  int error = make_pipe(ends);
  if (error) {
    errno = error;
    return -1;
  }
  int failure = above(ends[1]);
  if (failure != ends[1]) close(ends[1]);
  pid_t self = getpid();
  pid_t command = fork();
  if (command == 0) {
    run_command(arguments, environment, failure, self);
  }
  int reason = command < 0 ? errno : 0;
  close(failure);
  if (command > 0) {
    ssize_t count;
    while ((count = read(ends[0], &reason, sizeof reason)) < 0 && errno == EINTR) continue;
    if (count == sizeof reason) {
      while (waitpid(command, NULL, 0) < 0 && errno == EINTR) continue;
      command = -1;
    }
  }
  close(ends[0]);
  errno = reason;
  return command;
}

/// Removes the directory that the simulator would have removed.
static _Noreturn void remove_and_exit(const char *scratch) {
  if (scratch != NULL) execl("/bin/rm", "rm", "-rf", "--", scratch, (char *)NULL);
  _exit(125);
}

/// Reports how the command ended, and cleans up for the simulator if that has ended as well. A killed simulator may
/// exist for a moment more, so only its acknowledgement shows that it lives.
static _Noreturn void report_and_exit(int control, int reports, int32_t status, const char *scratch) {
  report(reports, APNSIM_REPORT_ENDED, status);
  for (int64_t end = now() + impatience, rest; (rest = end - now()) > 0;) {
    struct pollfd source = {control, POLLIN, 0};
    if (poll(&source, 1, (int)rest) <= 0) continue;
    message note;
    ssize_t count = read(control, &note, sizeof note);
    if (count == 0) remove_and_exit(scratch);
    if (count > 0 && note.number == 0) break;
  }
  _exit(0);
}

static _Noreturn void supervise(pid_t command, int control, int reports, const char *scratch,
                                const sigset_t *waiting) {
  int64_t last = -impatience, deadline = -1;
  int lastNumber = 0;
  while (true) {
    int status;
    pid_t process;
    while ((process = waitpid(-1, &status, WNOHANG)) > 0) {
      if (process != command) continue;
      end_children(-1, grace);
      report_and_exit(control, reports, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), scratch);
    }
    int64_t rest = deadline < 0 ? -1 : deadline - now();
    if (deadline >= 0 && rest <= 0) {
      end_children(command, 0);
      report_and_exit(control, reports, 128 + SIGKILL, scratch);
    }
    struct pollfd source = {control, POLLIN, 0};
    struct timespec time = {rest / 1000, (rest % 1000) * 1000000};
    if (ppoll(&source, 1, rest < 0 ? NULL : &time, waiting) <= 0) continue;
    message note;
    ssize_t count = read(control, &note, sizeof note);
    if (count < 0) continue;
    if (count == 0) {
      // The simulator is gone, and the command with it has no purpose.
      end_children(command, shortGrace);
      remove_and_exit(scratch);
    }
    int64_t moment = now();
    bool isUsers = note.number == SIGUSR1 || note.number == SIGUSR2;
    if (!isUsers && note.number == lastNumber && moment - last < echo) continue;
    if (note.isDirect) kill(command, note.number);
    if (isUsers) continue;
    lastNumber = note.number;
    if (moment - last < impatience && deadline < 0) deadline = moment + grace;
    last = moment;
  }
}

int apnsim_supervise(char *const arguments[], char *const environment[], const apnsim_overlay *overlays,
                     size_t overlayCount, const char *scratch, apnsim_supervisor *supervisor) {
  int ends[2];
  int error = make_pipe(ends);
  if (error) return error;
  sigset_t all, before;
  sigfillset(&all);
  if ((error = pthread_sigmask(SIG_SETMASK, &all, &before)) != 0) {
    close(ends[0]);
    close(ends[1]);
    return error;
  }
  pid_t process = fork();
  if (process != 0) {
    error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (process < 0) {
      close(ends[0]);
      return error;
    }
    close(controlRead);
    controlRead = -1;
#ifdef __linux__
    // If the supervisor is killed, its children become ours.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
    supervisor->process = process;
    supervisor->reports = ends[0];
    return 0;
  }

  // From here on this is another process, with one thread.
  close(controlWrite);
  controlWrite = -1;
  for (int index = 0; index < passedCount; index++) {
    struct sigaction current;
    // The command has the default action, unless the signal was ignored before.
    if (sigaction(passed[index], NULL, &current) == 0 && current.sa_handler != SIG_IGN) {
      signal(passed[index], SIG_DFL);
    }
  }
#ifdef __linux__
  prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
  signal(SIGCHLD, SIG_DFL);
  int refusal = overlayCount > 0 ? apnsim_lay_over(overlays, overlayCount) : 0;
  if (refusal) {
    report(ends[1], APNSIM_REPORT_UNPREPARED, refusal);
    _exit(0);
  }
  pid_t command = start_command(arguments, environment);
  if (command < 0) {
    report(ends[1], APNSIM_REPORT_FAILED, errno);
    _exit(0);
  }
  for (int index = 0; index < passedCount; index++) signal(passed[index], SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  struct sigaction wake;
  memset(&wake, 0, sizeof wake);
  wake.sa_handler = nothing;
  sigaction(SIGCHLD, &wake, NULL);
  int control = controlRead, reports = ends[1];
  int own[2] = {control < reports ? control : reports, control < reports ? reports : control};
  close_others(own, 2);
  report(reports, APNSIM_REPORT_STARTED, (int32_t)command);
  // SIGCHLD is blocked except in ppoll, so that none is missed.
  sigset_t held, waiting;
  sigemptyset(&held);
  sigaddset(&held, SIGCHLD);
  sigemptyset(&waiting);
  sigprocmask(SIG_SETMASK, &held, NULL);
  supervise(command, control, reports, scratch, &waiting);
}
