/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/failure_rates.h"

#include <string.h>

#define GPU_SHARE (268.0 / 419.0)

static const struct {
    const char *architecture; /* as the catalogue has it */
    struct failure_rate rate;
} rates[] = {
    {"Hopper",
     {"hopper", 3.79, 0.71, false,
      "Llama 3 405B: 419 unexpected interruptions in 54 days of 2,048 nodes; spread of six runs"}},
    {"Ampere",
     {"ampere", 5.2, 0.85, false, "A100 nodes of Meta RSC-1 and RSC-2, BLOOM 176B and OPT-175B"}},
    {"Blackwell",
     {"blackwell", 2.9, 0.71, true, "63 B200 nodes, XID errors of 55 days; spread of six runs"}},
};

static const struct failure_rate others = {
    "others", 4.5, 0.71, true, "six runs on A100, H100 and B200: none of this generation is known"};

const struct failure_rate *failure_rate_of(const struct instance_type *type)
{
    const char *of = type->accelerator != NULL ? type->accelerator->architecture : NULL;
    for (size_t i = 0; of != NULL && i < sizeof rates / sizeof rates[0]; i++) {
        if (strcmp(of, rates[i].architecture) == 0) {
            return &rates[i].rate;
        }
    }
    return &others;
}

double failure_rate_scale(const struct instance_type *type)
{
    return (1 - GPU_SHARE) + GPU_SHARE * type->accelerator_count / 8;
}
