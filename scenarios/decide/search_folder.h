/* SPDX-License-Identifier: GPL-3.0-or-later
 * The result directory of a search: candidates.csv, front.csv, chosen.yaml (when a plan was
 * chosen), copies of the inputs, manifest.json. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_FOLDER_H
#define FLEETCAST_SCENARIOS_SEARCH_FOLDER_H

#include "scenarios/decide/search.h"
#include "scenarios/output/manifest.h"
#include "scenarios/output/result_folder.h"

/* What takes time, which alone differs between two searches of one seed without a time limit. */
struct search_effort {
    double cpu_s, wall_s;
};

/* Into the folder's draft. False with the reason in d. */
bool search_folder_write(const struct result_folder *f, const struct search *s,
                         const struct table *candidates, const struct table *front,
                         const struct manifest_request *request, const struct search_effort *effort,
                         struct diagnostics *d);
/* chosen.yaml: the plan beside the strategies of the scenario, with what it sets of the scenario.
 * Its name there goes to *name (in the search's arena). False, told. */
bool search_folder_chosen(struct text *out, const struct search *s, const char **name,
                          struct diagnostics *d);

#endif
