#ifndef APNSIM_SUPERVISOR_H
#define APNSIM_SUPERVISOR_H

#include <stdint.h>
#include <sys/types.h>

#include "namespaces.h"

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

/// The kinds of reports.
enum {
  /// `value` is the command's process.
  APNSIM_REPORT_STARTED = 1,
  /// The command could not be run; `value` is errno.
  APNSIM_REPORT_FAILED = 2,
  /// The command and all its descendants have ended; `value` is the exit status of a shell: its exit code, or 128 +
  /// signal.
  APNSIM_REPORT_ENDED = 3,
  /// The files could not be laid over others; `value` is errno.
  APNSIM_REPORT_UNPREPARED = 4,
};

/// One report, in the form sent through the pipe.
typedef struct {
  int32_t kind;
  int32_t value;
} apnsim_report;

/// A started supervisor.
typedef struct {
  pid_t process;
  /// The pipe of reports, for reading. Its end without APNSIM_REPORT_ENDED or _FAILED means that the supervisor was
  /// killed.
  int reports;
} apnsim_supervisor;

/// Collects the signals for a command from now on instead of letting them end this process. Ignored signals stay
/// ignored. Returns 0 or errno.
int apnsim_trap_signals(void);

/// Returns the first signal that came since and that no supervisor has taken; 0 if there is none.
int apnsim_pending_signal(void);

/// Starts the command under a supervisor. Signals must be trapped already. The command inherits those descriptors
/// that we inherited.
///
/// - arguments, environment: end with NULL; the program is searched for in the environment's PATH.
/// - overlays: what the command, and everything that it starts, sees in the place of other files.
/// - scratch: a directory that the supervisor removes when this process is killed; NULL for none.
///
/// Returns 0 or errno.
int apnsim_supervise(char *const arguments[], char *const environment[], const apnsim_overlay *overlays,
                     size_t overlayCount, const char *scratch, apnsim_supervisor *supervisor);

/// Reads the next report, waiting for it: 1 when there is one, 0 at the end, -1 with errno set.
int apnsim_next_report(const apnsim_supervisor *supervisor, apnsim_report *report);

/// Waits for the supervisor's end, and ends processes that it may have left.
void apnsim_join(const apnsim_supervisor *supervisor);

#endif
