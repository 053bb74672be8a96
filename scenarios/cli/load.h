/* SPDX-License-Identifier: GPL-3.0-or-later
 * From the command line's scenario files, settings and strategies to a study: catalogue, scenario
 * and plan, all that is wrong with them told at once. */
#ifndef FLEETCAST_SCENARIOS_LOAD_H
#define FLEETCAST_SCENARIOS_LOAD_H

#include "scenarios/cli/command.h"
#include "scenarios/study/study.h"

/* What is read, when it is not what the command line names. */
struct load_request {
    const char *const *paths;
    size_t path_count;
    const char *const *sets;
    size_t set_count;
    const char *const *strategies;
    size_t strategy_count;
};

/* NULL when anything is wrong, told in the command's diagnostics. The caller frees the study, which
 * the command must outlive. */
struct study *load_study(struct command *c);
/* The same with further settings, "path=value", laid over those of the command line, and what is
 * wrong told in d. */
struct study *load_study_with(struct command *c, const char *const *sets, size_t count,
                              struct diagnostics *d);
/* The same of other files or settings. */
struct study *load_study_of(struct command *c, const struct load_request *request);

#endif
