/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/drawn_inputs.h"

#include <stdlib.h>

bool drawn_inputs_init(struct drawn_inputs *in, const struct run *run)
{
    const struct scenario *sc = run->study->scenario;
    *in = (struct drawn_inputs){.count = inputs_count(sc->inputs), .n = run->results.replications};
    in->values = calloc(in->count * in->n + 1, sizeof *in->values);
    double *world = calloc(in->count + 1, sizeof *world);
    bool ok = in->values != NULL && world != NULL;
    for (size_t i = 0; ok && in->count > 0 && i < in->n; i++) {
        inputs_draw(sc->inputs, (struct random_world){(uint64_t)sc->seed, (uint32_t)i}, world);
        for (size_t k = 0; k < in->count; k++) {
            in->values[k * in->n + i] = world[k];
        }
    }
    free(world);
    return ok;
}

void drawn_inputs_release(struct drawn_inputs *in)
{
    free(in->values);
    in->values = NULL;
}
