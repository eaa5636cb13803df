#ifndef APNSIM_OPENAPI_DOCUMENT_H
#define APNSIM_OPENAPI_DOCUMENT_H

#include <stddef.h>

/// The part of the OpenAPI document that is written by hand: the bytes of `openapi.json`, which the compiler puts into the
/// program. It has no schemas.
const unsigned char *apnsim_openapi_document(size_t *length);

#endif
