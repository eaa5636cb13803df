#ifndef APNSIM_CZLIB_SHIM_H
#define APNSIM_CZLIB_SHIM_H

#include <zlib.h>

// zlib's initialisers are macros, which Swift does not import. 15 + 16: a window of 32 KiB in a gzip wrapper
// (zlib.h, inflateInit2).

static inline int apnsim_inflate_init(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

static inline int apnsim_deflate_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
