/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/level_results.h"

#include <stdlib.h>

static uint32_t worlds(uint32_t replications)
{
    return replications < LEVELS_MAX_REPLICATIONS ? replications : LEVELS_MAX_REPLICATIONS;
}

double level_bytes(size_t levels, uint32_t replications)
{
    return (double)levels * worlds(replications) * sizeof(struct level_cell);
}

bool level_results_init(struct level_results *r, const size_t *counts, size_t strategies,
                        uint32_t replications)
{
    *r = (struct level_results){.strategies = strategies, .capacity = worlds(replications)};
    r->start = calloc(strategies + 1, sizeof *r->start);
    if (r->start == NULL) {
        return false;
    }
    for (size_t k = 0; k < strategies; k++) {
        r->start[k + 1] = r->start[k] + counts[k];
    }
    if (r->start[strategies] == 0) {
        return true;
    }
    r->cells = calloc((size_t)r->capacity * r->start[strategies], sizeof *r->cells);
    return r->cells != NULL;
}

void level_results_release(struct level_results *r)
{
    free(r->start);
    free(r->cells);
    r->start = NULL;
    r->cells = NULL;
}
