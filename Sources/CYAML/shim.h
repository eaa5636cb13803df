#ifndef APNSIM_CYAML_SHIM_H
#define APNSIM_CYAML_SHIM_H

#include <yaml.h>

#endif
