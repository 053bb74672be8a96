/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which strategy `choose` chooses: eligibility.h says which can be chosen at all. Of those the one
 * with the best estimate is chosen; engine/selection.h says which cannot be told from it. The
 * chosen one and the runner-up are then estimated anew on fresh worlds, since the estimate that won
 * is better than the truth on average. */
#ifndef FLEETCAST_SCENARIOS_CHOICE_H
#define FLEETCAST_SCENARIOS_CHOICE_H

#include "engine/diagnostics.h"
#include "engine/text.h"
#include "scenarios/study/choice_plan.h"
#include "scenarios/study/eligibility.h"
#include "scenarios/study/objective_estimate.h"
#include "scenarios/study/results.h"
#include "scenarios/study/study.h"
#include "scenarios/study/world_runs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHOICE_NONE SIZE_MAX

/* "chosen", "breaks-limit" … */
const char *choice_status_name(enum choice_status status);

/* How a share is served that falls short. */
struct choice_service {
    bool short_of;   /* it does */
    size_t workload; /* the first that does */
    bool requests;   /* of requests; else of what is needed by the clock */
    double share;    /* that is served */
    double at_least; /* that would do */
};

/* Estimates of one strategy on fresh worlds; NaN: unknown. */
struct choice_fresh {
    bool given;
    struct estimate value;
    double difference, low, high;  /* of the runner-up, to the chosen one: > 0 is worse */
    const struct condition *limit; /* that does not hold there; NULL: all do */
    struct estimate limit_value;
    double unfinished; /* share */
};

struct choice_one {
    enum choice_status status;
    size_t rank;           /* 1: chosen; 0: it cannot be */
    struct estimate value; /* of the objective, on the run's worlds */
    double difference;     /* to the chosen one: > 0 is worse; NaN: none, as the two below */
    double low, high;      /* with all others at once; infinite: open */
    bool doubted;          /* the difference rests on an assumed rate: rate_doubt.h */
    double unfinished;     /* share of worlds */
    size_t missing;        /* worlds in which it has no value, but another strategy has one */
    struct choice_service service;
    const struct condition *limit; /* the first that does not hold; NULL: all do */
    struct estimate limit_value;
    struct choice_fresh fresh;
};

struct choice {
    struct choice_one *one; /* by strategy; NULL: nothing is asked */
    size_t count;
    uint32_t worlds;          /* that it was chosen in */
    size_t eligible;          /* that can be chosen */
    size_t level;             /* that cannot be told from the chosen one, it aside */
    size_t chosen, runner_up; /* CHOICE_NONE: there is none */
    double sure;              /* as in engine/selection.h, the three */
    double at_most;
    double worlds_needed;
    uint32_t fresh_worlds; /* 0: none */
};

/* From the results of the study's strategies, all of r->replications worlds. False when out of
 * memory; choice_release is due either way. */
bool choice_make(struct choice *c, const struct study *study, const struct results *r);
/* Estimates the chosen one and the runner-up anew. An interrupted call leaves no fresh estimates.
 * False when it failed, told in d. */
bool choice_judge(struct choice *c, const struct study *study, const struct run_options *options,
                  struct diagnostics *d);
void choice_release(struct choice *c);

#endif
