/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a run rests on and a reader of two runs wants to see beside their results: every price and
 * assumption with its source, and the values that its uncertain inputs took in each world. Read
 * from a result directory, or taken from a study that has run. */
#ifndef FLEETCAST_SCENARIOS_RUN_BASIS_H
#define FLEETCAST_SCENARIOS_RUN_BASIS_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "scenarios/output/manifest.h"
#include "scenarios/output/manifest_register.h"
#include "scenarios/study/run.h"

#include <stdbool.h>
#include <stddef.h>

/* A price or an assumption. */
struct basis_fact {
    const char *what, *value, *source;
};

/* Strings and values in the arena. */
struct run_basis {
    struct basis_fact *facts; /* prices first, then assumptions, in the order of the manifest */
    size_t fact_count;
    const char **inputs; /* as columns of replications.csv: "workloads.train.mfu_frac" */
    double **values;     /* [input][world]; NaN where the file says nothing */
    size_t input_count, worlds;
};

/* Of a folder whose manifest is m. False with the reason in d. `folder` must outlive d. */
bool run_basis_read(struct run_basis *b, struct arena *a, const char *folder,
                    const struct manifest *m, struct diagnostics *d);
/* Of a run; the register and the draws are those that its directory would hold. */
bool run_basis_of(struct run_basis *b, struct arena *a, const struct run *run,
                  struct diagnostics *d);

#endif
