#include "arguments.h"

// Not stddef.h, which is the compiler's: a header of the library says which one it is.
#include <stdlib.h>

static char *const *commandLine = NULL;

// Of the libraries, glibc and Apple's pass the command line to what runs before the main function; musl does not.
#if defined(__GLIBC__) || defined(__APPLE__)
__attribute__((constructor)) static void remember(int count, char *const *arguments) {
  if (count > 0) commandLine = arguments;
}
#endif

char *const *apnsim_command_line(void) { return commandLine; }
