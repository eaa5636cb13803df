#define _GNU_SOURCE
#include "namespaces.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arguments.h"

static int outcome = APNSIM_NAMESPACES_NOT_ASKED;

int apnsim_namespaces(void) { return outcome; }

int apnsim_may_listen(const char *address, const int *ports, size_t count) {
  for (size_t index = 0; index < count; index++) {
    struct sockaddr_in place;
    memset(&place, 0, sizeof place);
    place.sin_family = AF_INET;
    place.sin_port = htons((uint16_t)ports[index]);
    if (inet_pton(AF_INET, address, &place.sin_addr) != 1) return EINVAL;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0) return errno;
    int on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    bool isFree = bind(listener, (struct sockaddr *)&place, sizeof place) == 0 && listen(listener, 1) == 0;
    int error = isFree ? 0 : errno;
    close(listener);
    if (error) return error;
  }
  return 0;
}

int apnsim_start_in_namespaces(const char *pasta) {
  char program[4096];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  char *const *arguments = apnsim_command_line();
  if (length < 0 || arguments == NULL) return length < 0 ? errno : ENOSYS;
  program[length] = 0;
  if (setenv(APNSIM_NAMESPACES_VARIABLE, pasta, 1) != 0) return errno;
  execv(program, arguments);
  int error = errno;
  unsetenv(APNSIM_NAMESPACES_VARIABLE);
  return error;
}

#ifdef __linux__
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>

/// The time in milliseconds that `pasta` has to connect the network.
static const int patience = 5000;

static int make_mounts_private(void) {
  return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 ? 0 : errno;
}

int apnsim_lay_over(const apnsim_overlay *overlays, size_t count) {
  if (unshare(CLONE_NEWNS) != 0) return errno;
  int error = make_mounts_private();
  for (size_t index = 0; index < count && error == 0; index++) {
    if (mount(overlays[index].source, overlays[index].target, NULL, MS_BIND, NULL) != 0) error = errno;
  }
  return error;
}

/// Writes a text to a file of /proc/self.
static bool put(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  bool isWritten = write(file, text, strlen(text)) == (ssize_t)strlen(text);
  close(file);
  return isWritten;
}

/// Makes user, mounts and network of our own, in which we keep our user and group. Returns 0 or errno.
static int enter(void) {
  char users[64], groups[64];
  snprintf(users, sizeof users, "%u %u 1", geteuid(), geteuid());
  snprintf(groups, sizeof groups, "%u %u 1", getegid(), getegid());
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET) != 0) return errno;
  // Without this a user may not name its group; older kernels have no such file.
  put("/proc/self/setgroups", "deny");
  if (!put("/proc/self/uid_map", users) || !put("/proc/self/gid_map", groups)) return errno;
  return make_mounts_private();
}

/// Runs a trial in a process of its own, which ends with its errno. Returns that.
static int try_in_process(int (*trial)(void)) {
  pid_t process = fork();
  if (process < 0) return errno;
  if (process == 0) _exit(trial());
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return errno;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
}

static int mount_alone(void) { return apnsim_lay_over(NULL, 0); }

int apnsim_may_mount(void) { return try_in_process(mount_alone); }

static int bring_up_loopback(void) {
  int socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) return errno;
  struct ifreq request;
  memset(&request, 0, sizeof request);
  strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  int error = ioctl(socket_, SIOCSIFFLAGS, &request) == 0 ? 0 : errno;
  close(socket_);
  return error;
}

static int enter_with_loopback(void) {
  int error = enter();
  return error ? error : bring_up_loopback();
}

int apnsim_may_have_namespaces(void) { return try_in_process(enter_with_loopback); }

/// Waits in the old namespaces until the process `target` has left them, then becomes `pasta`, which connects the
/// new ones. It ends with us.
static _Noreturn void connect_network(const char *pasta, pid_t target, int gate) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  char byte, process[24];
  if (getppid() != target || read(gate, &byte, 1) != 1) _exit(127);
  snprintf(process, sizeof process, "%d", target);
  int nothing = open("/dev/null", O_RDWR);
  if (nothing >= 0) {
    dup2(nothing, 0);
    dup2(nothing, 1);
    dup2(nothing, 2);
  }
  execl(pasta, "pasta", "--config-net", "--foreground", "--quiet", process, (char *)NULL);
  _exit(127);
}

/// True if an interface beside loopback has an address.
static bool is_connected(void) {
  struct ifaddrs *all = NULL;
  if (getifaddrs(&all) != 0) return false;
  bool isThere = false;
  for (struct ifaddrs *one = all; one != NULL; one = one->ifa_next) {
    if (one->ifa_addr == NULL || (one->ifa_flags & IFF_LOOPBACK) || !(one->ifa_flags & IFF_UP)) continue;
    if (one->ifa_addr->sa_family == AF_INET) isThere = true;
    if (one->ifa_addr->sa_family == AF_INET6 &&
        !IN6_IS_ADDR_LINKLOCAL(&((struct sockaddr_in6 *)one->ifa_addr)->sin6_addr)) isThere = true;
  }
  freeifaddrs(all);
  return isThere;
}

/// Waits until the network is connected; false if `helper` ends or time is over before.
static bool await_connection(pid_t helper) {
  for (int time = 0; time < patience; time += 10) {
    if (is_connected()) return true;
    if (waitpid(helper, NULL, WNOHANG) != 0) return false;
    struct timespec pause = {0, 10000000};
    nanosleep(&pause, NULL);
  }
  kill(helper, SIGKILL);
  waitpid(helper, NULL, 0);
  return false;
}

/// Before the main function and any second thread: a process with more of them may have no user namespace.
__attribute__((constructor)) static void enter_if_asked(void) {
  const char *asked = getenv(APNSIM_NAMESPACES_VARIABLE);
  if (asked == NULL) return;
  char pasta[4096];
  snprintf(pasta, sizeof pasta, "%s", asked);
  unsetenv(APNSIM_NAMESPACES_VARIABLE);
  outcome = APNSIM_NAMESPACES_FAILED;
  int gate[2];
  if (pipe2(gate, O_CLOEXEC) != 0) return;
  pid_t self = getpid();
  pid_t helper = strcmp(pasta, "none") == 0 ? -1 : fork();
  if (helper == 0) {
    close(gate[1]);
    connect_network(pasta, self, gate[0]);
  }
  close(gate[0]);
  int error = enter_with_loopback();
  // A helper that is gone must not end us.
  struct sigaction ignoring, before;
  memset(&ignoring, 0, sizeof ignoring);
  ignoring.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignoring, &before);
  bool isConnected = !error && helper > 0 && write(gate[1], "", 1) == 1 && await_connection(helper);
  sigaction(SIGPIPE, &before, NULL);
  close(gate[1]);
  if (error) return;
  outcome = isConnected ? APNSIM_NAMESPACES_CONNECTED : APNSIM_NAMESPACES_ALONE;
}
#else
int apnsim_lay_over(const apnsim_overlay *overlays, size_t count) {
  (void)overlays;
  return count == 0 ? 0 : ENOSYS;
}
int apnsim_may_mount(void) { return ENOSYS; }
int apnsim_may_have_namespaces(void) { return ENOSYS; }
#endif
