#ifndef APNSIM_ARGUMENTS_H
#define APNSIM_ARGUMENTS_H

/// The command line of this process as it was started with, the program's name first, which ends with NULL; NULL where the
/// system's library does not pass it on. Swift's own is read from /proc, and is empty where that is not mounted.
char *const *apnsim_command_line(void);

#endif
