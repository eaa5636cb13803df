#ifndef APNSIM_COUNTING_H
#define APNSIM_COUNTING_H

#include <valgrind/callgrind.h>

// Requests of a program to the callgrind that runs it; without it they do nothing. They are macros, for which Swift has
// no word.

/// Begins to count instructions.
static inline void apnsim_begin_counting(void) { CALLGRIND_START_INSTRUMENTATION; }

/// Counts no more of them. What was counted is written at the end of the program.
static inline void apnsim_end_counting(void) { CALLGRIND_STOP_INSTRUMENTATION; }

#endif
