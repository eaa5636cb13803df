#ifndef APNSIM_OPENAPI_DOCUMENT_H
#define APNSIM_OPENAPI_DOCUMENT_H

#include <stddef.h>

/// The OpenAPI document of the control API: the bytes of `openapi.json`, which the compiler puts into the program.
const unsigned char *apnsim_openapi_document(size_t *length);

#endif
