#ifndef APNSIM_NAMESPACES_H
#define APNSIM_NAMESPACES_H

#include <stddef.h>

/*
 Namespaces (namespaces(7)) in which one command sees other files and ports than the rest of the machine. They go with
 the last process in them: nothing outside is changed, however it ends.
 */

/// A file or directory that a command sees in the place of another one. Both exist.
typedef struct {
  const char *source;
  const char *target;
} apnsim_overlay;

/// Tries, in a process that ends at once, whether this one may have mounts of its own. Returns 0 or errno.
int apnsim_may_mount(void);

/// Tries, in a process that ends at once, whether a user may have mounts and a network of its own. Returns 0 or errno.
int apnsim_may_have_namespaces(void);

/// The variable by which a program that starts again asks for namespaces of its own before its main function, when it
/// has one thread: the path of `pasta`, which connects it with the network, or "none".
#define APNSIM_NAMESPACES_VARIABLE "APNSIM_NAMESPACES"

/// Starts this program again as it was started, to have namespaces of its own. Its process stays the same one. Returns errno
/// where that is not possible.
///
/// - pasta: the value of the variable.
int apnsim_start_in_namespaces(const char *pasta);

/// Tries whether every one of these ports can be listened on at an IPv4 address. Returns 0 or errno.
int apnsim_may_listen(const char *address, const int *ports, size_t count);

/// The outcome of that request.
enum {
  APNSIM_NAMESPACES_NOT_ASKED = 0,
  /// The network reaches nothing but itself.
  APNSIM_NAMESPACES_ALONE = 1,
  /// The network reaches what the machine reaches.
  APNSIM_NAMESPACES_CONNECTED = 2,
  APNSIM_NAMESPACES_FAILED = 3,
};
int apnsim_namespaces(void);

/// Lays files over others, in mounts of this process's own, which has one thread. Only async-signal-safe functions are
/// called. Returns 0 or errno.
int apnsim_lay_over(const apnsim_overlay *overlays, size_t count);

#endif
