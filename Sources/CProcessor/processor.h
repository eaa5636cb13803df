#ifndef APNSIM_PROCESSOR_H
#define APNSIM_PROCESSOR_H

// Instructions of processors for which Swift has no word.

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

// MARK: Base64

// Sixteen digits at a time, as W. Mula and D. Lemire describe it ("Faster Base64 Encoding and Decoding using AVX2
// Instructions", 2018): bytes are looked up in a register, for which Swift has no word either. What is left over, and
// processors without such a look-up, are the caller's.

#if defined(__x86_64__)
#include <tmmintrin.h>

#define APNSIM_SHUFFLES __attribute__((target("ssse3")))

/// Whether the two functions below can be called.
static inline _Bool apnsim_shuffles(void) { return __builtin_cpu_supports("ssse3"); }

/// Writes the digits of 12 bytes at a time, while 16 can be read, and returns how many bytes it took.
APNSIM_SHUFFLES static inline long apnsim_base64_write(const void *source, long count, void *target) {
  const char *from = source;
  char *to = target;
  long taken = 0;
  // The sum that makes a digit of a value, by where that lies: a-z, ten times 0-9, +, /, A-Z.
  const __m128i offsets = _mm_setr_epi8('a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
                                        '0' - 52, '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0);
  for (; count - taken >= 16; taken += 12, to += 16) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)(from + taken));
    // Three bytes to each four: b a c b, so that every six bits lie within one half.
    bytes = _mm_shuffle_epi8(bytes, _mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10));
    __m128i high = _mm_mulhi_epu16(_mm_and_si128(bytes, _mm_set1_epi32(0x0fc0fc00)), _mm_set1_epi32(0x04000040));
    __m128i low = _mm_mullo_epi16(_mm_and_si128(bytes, _mm_set1_epi32(0x003f03f0)), _mm_set1_epi32(0x01000010));
    __m128i values = _mm_or_si128(high, low);
    __m128i places = _mm_subs_epu8(values, _mm_set1_epi8(51));
    __m128i isUpper = _mm_cmpgt_epi8(_mm_set1_epi8(26), values);
    places = _mm_or_si128(places, _mm_and_si128(isUpper, _mm_set1_epi8(13)));
    _mm_storeu_si128((__m128i *)to, _mm_add_epi8(_mm_shuffle_epi8(offsets, places), values));
  }
  return taken;
}

/// Reads 16 digits at a time, while there are 24, and returns how many it read; it stops before what is none. It
/// writes 16 bytes for each 12.
APNSIM_SHUFFLES static inline long apnsim_base64_read(const void *source, long count, void *target) {
  const char *from = source;
  char *to = target;
  long taken = 0;
  // A byte is no digit where a bit is set for both of its halves.
  const __m128i lowHalves =
      _mm_setr_epi8(0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x13, 0x1a, 0x1b, 0x1b, 0x1b, 0x1a);
  const __m128i highHalves =
      _mm_setr_epi8(0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10);
  // The sum that makes a value of a digit, by its higher half; that of / stands before that of +.
  const __m128i offsets = _mm_setr_epi8(0, 16, 19, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0);
  const __m128i half = _mm_set1_epi8(0x2f);
  for (; count - taken >= 24; taken += 16, to += 12) {
    __m128i digits = _mm_loadu_si128((const __m128i *)(from + taken));
    __m128i high = _mm_and_si128(_mm_srli_epi32(digits, 4), half);
    __m128i wrong = _mm_and_si128(_mm_shuffle_epi8(lowHalves, _mm_and_si128(digits, half)),
                                  _mm_shuffle_epi8(highHalves, high));
    if (_mm_movemask_epi8(_mm_cmpgt_epi8(wrong, _mm_setzero_si128())) != 0) break;
    __m128i isSlash = _mm_cmpeq_epi8(digits, _mm_set1_epi8('/'));
    __m128i values = _mm_add_epi8(digits, _mm_shuffle_epi8(offsets, _mm_add_epi8(isSlash, high)));
    __m128i pairs = _mm_maddubs_epi16(values, _mm_set1_epi32(0x01400140));
    __m128i groups = _mm_madd_epi16(pairs, _mm_set1_epi32(0x00011000));
    const __m128i order = _mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1);
    _mm_storeu_si128((__m128i *)to, _mm_shuffle_epi8(groups, order));
  }
  return taken;
}
#else
static inline _Bool apnsim_shuffles(void) { return 0; }
static inline long apnsim_base64_write(const void *source, long count, void *target) { return 0; }
static inline long apnsim_base64_read(const void *source, long count, void *target) { return 0; }
#endif

// MARK: Checksums

// CRC-32C (Castagnoli), by which a log knows that an entry is whole. Processors have had an instruction for it for long;
// the few that lack it look up a digit at a time.

static inline unsigned int apnsim_crc32c_slowly(unsigned int crc, const unsigned char *from, long count) {
  static const unsigned int digits[16] = {0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3,
                                          0x61c69362, 0x7198540d, 0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
                                          0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75};
  for (long place = 0; place < count; place++) {
    crc ^= from[place];
    crc = crc >> 4 ^ digits[crc & 15];
    crc = crc >> 4 ^ digits[crc & 15];
  }
  return crc;
}

#if defined(__x86_64__)
#define APNSIM_CHECKSUMS __attribute__((target("sse4.2")))
#define APNSIM_CRC8(crc, bits) (unsigned int)__builtin_ia32_crc32di(crc, bits)
#define APNSIM_CRC1(crc, bits) __builtin_ia32_crc32qi(crc, bits)
static inline _Bool apnsim_checksums(void) { return __builtin_cpu_supports("sse4.2"); }
#elif defined(__aarch64__) && (defined(__ARM_FEATURE_CRC32) || defined(__linux__))
#define APNSIM_CHECKSUMS __attribute__((target("crc")))
#define APNSIM_CRC8(crc, bits) __builtin_arm_crc32cd(crc, bits)
#define APNSIM_CRC1(crc, bits) __builtin_arm_crc32cb(crc, bits)
#if defined(__ARM_FEATURE_CRC32)
static inline _Bool apnsim_checksums(void) { return 1; }
#else
#include <sys/auxv.h>
// The bit of the capabilities (AT_HWCAP) that stands for these instructions.
static inline _Bool apnsim_checksums(void) { return (getauxval(16) >> 7 & 1) != 0; }
#endif
#endif

#ifdef APNSIM_CHECKSUMS
APNSIM_CHECKSUMS static inline unsigned int apnsim_crc32c_quickly(unsigned int crc, const unsigned char *from,
                                                                  long count) {
  for (; count >= 8; from += 8, count -= 8) {
    unsigned long long bits;
    __builtin_memcpy(&bits, from, sizeof bits);
    crc = APNSIM_CRC8(crc, bits);
  }
  for (; count > 0; from++, count--) crc = APNSIM_CRC1(crc, *from);
  return crc;
}
#endif

/// The CRC-32C of bytes after others whose CRC-32C is `seed`; 0 at the beginning.
static inline unsigned int apnsim_crc32c(unsigned int seed, const void *bytes, long count) {
#ifdef APNSIM_CHECKSUMS
  if (apnsim_checksums()) return ~apnsim_crc32c_quickly(~seed, bytes, count);
#endif
  return ~apnsim_crc32c_slowly(~seed, bytes, count);
}

/// Writes a number to a multiple of 8, after everything that was written before it: whoever sees it sees that too, and
/// so does a file that is mapped there.
static inline void apnsim_publish(void *place, unsigned long long number) {
  __atomic_store_n((unsigned long long *)place, number, __ATOMIC_RELEASE);
}

/// Writes to memory what is there, so that the system makes it writable now and not when others wait. They may write to
/// it meanwhile.
static inline void apnsim_touch(void *start, long count) {
  for (long place = 0; place < count; place += 4096) {
    unsigned char *byte = (unsigned char *)start + place;
    // Fresh pages hold 0: where that is there it is written again, and nothing else is. To read first would make the
    // system bring the page twice, once to be read.
    unsigned char fresh = 0;
    __atomic_compare_exchange_n(byte, &fresh, 0, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
}

#endif
