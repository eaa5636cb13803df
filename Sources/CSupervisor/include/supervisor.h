#ifndef APNSIM_SUPERVISOR_H
#define APNSIM_SUPERVISOR_H

#include <stdint.h>
#include <sys/types.h>

/*
 Runs one command so that neither side outlives the other.

   apnsim ──fork──▶ supervisor ──fork, exec──▶ command ──▶ whatever it starts
     │  signals, and that it lives  │
     └──────────── pipe ───────────▶┤
     ◀──────────── pipe ────────────┘ what became of the command

 Between fork and exec, and in the supervisor, which never execs, only async-signal-safe functions may be called; that is
 why this is C. The supervisor adopts every descendant that loses its parent (Linux: PR_SET_CHILD_SUBREAPER), so that
 nothing the command has started is left when it is over. Where there is no such thing, the command itself is all that
 is seen to.
 */

/// What a report says.
enum {
  /// `value` is the command's process.
  APNSIM_REPORT_STARTED = 1,
  /// It could not be run; `value` is errno.
  APNSIM_REPORT_FAILED = 2,
  /// It is over, and so is whatever it had started; `value` is what a shell would say: its exit code, or 128 + signal.
  APNSIM_REPORT_ENDED = 3,
};

/// One report, as it comes through the pipe.
typedef struct {
  int32_t kind;
  int32_t value;
} apnsim_report;

/// A supervisor that was started.
typedef struct {
  pid_t process;
  /// To be read: reports. Its end without APNSIM_REPORT_ENDED or _FAILED means that the supervisor was killed.
  int reports;
} apnsim_supervisor;

/// Has signals that end, or mean something to, a command wait for it from now on instead of ending this process.
/// Those that are ignored stay ignored. Returns 0 or errno.
int apnsim_trap_signals(void);

/// The first of the signals that came since and no supervisor has taken; 0 when none did.
int apnsim_pending_signal(void);

/// Starts the command under a supervisor. Signals must be trapped already. Of our descriptors it inherits those that we
/// inherited.
///
/// - arguments, environment: end with NULL; the program is looked for in the environment's PATH.
/// - scratch: a directory that the supervisor removes when this process is killed; NULL for none.
///
/// Returns 0 or errno.
int apnsim_supervise(char *const arguments[], char *const environment[], const char *scratch,
                     apnsim_supervisor *supervisor);

/// Reads the next report, waiting for it: 1 when there is one, 0 at the end, -1 with errno set.
int apnsim_next_report(const apnsim_supervisor *supervisor, apnsim_report *report);

/// Waits for the supervisor's end, and ends what it may have left behind.
void apnsim_join(const apnsim_supervisor *supervisor);

#endif
