#ifndef APNSIM_PREFETCH_H
#define APNSIM_PREFETCH_H

/// Asks the processor to bring the cache line of an address nearer. It changes nothing and cannot fault, whatever
/// the address is. Swift has no word for it.
static inline void apnsim_prefetch(const void *address) { __builtin_prefetch(address); }

#endif
