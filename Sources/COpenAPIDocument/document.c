#include "openapi_document.h"

// C has what Swift does not have yet: a file as an array, at the cost of copying it.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char document[] = {
#embed "openapi.json"
};

const unsigned char *apnsim_openapi_document(size_t *length) {
  *length = sizeof document;
  return document;
}
