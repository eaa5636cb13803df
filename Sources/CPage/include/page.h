#ifndef APNSIM_PAGE_H
#define APNSIM_PAGE_H

#include <stddef.h>

/// A file of the page, which the compiler puts into the program.
struct apnsim_page_asset {
  /// The path below the folder of assets: `lib/dom.js`.
  const char *path;
  const unsigned char *bytes;
  size_t length;
};

/// The files of the page.
const struct apnsim_page_asset *apnsim_page_assets(size_t *count);

#endif
