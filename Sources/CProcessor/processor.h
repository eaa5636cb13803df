#ifndef APNSIM_PROCESSOR_H
#define APNSIM_PROCESSOR_H

// What processors can do and Swift has no word for.

/// Asks the processor to bring the cache line of an address nearer. It changes nothing and cannot fault, whatever
/// the address is.
static inline void apnsim_prefetch(const void *address) { __builtin_prefetch(address); }

typedef char apnsim_bytes __attribute__((ext_vector_type(64)));
typedef signed char apnsim_signed_bytes __attribute__((ext_vector_type(64)));
typedef _Bool apnsim_flags __attribute__((ext_vector_type(64)));

/// Copies 64 bytes and says where a JSON string of plain characters stops among them: a bit for each byte, the first
/// one's the lowest, set for a quote, a backslash, a control character or a byte beyond ASCII.
///
/// Swift's vectors have the comparisons, but from their result to bits there is no way but through memory.
static inline unsigned long long apnsim_copy_stops(void *target, const void *source) {
  apnsim_bytes bytes;
  __builtin_memcpy(&bytes, source, sizeof bytes);
  __builtin_memcpy(target, &bytes, sizeof bytes);
  // As signed numbers, those beyond ASCII are below the space too.
  apnsim_signed_bytes low = __builtin_convertvector(bytes, apnsim_signed_bytes);
  apnsim_flags flags = __builtin_convertvector((low < ' ') | (bytes == '"') | (bytes == '\\'), apnsim_flags);
  unsigned long long bits;
  __builtin_memcpy(&bits, &flags, sizeof bits);
  return bits;
}

#endif
