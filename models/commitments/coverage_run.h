/* SPDX-License-Identifier: GPL-3.0-or-later
 * Coverage over a whole horizon. Usage comes as changes of how many instances run; hours in which
 * nothing changes are equal to the next and are matched once, so that the work grows with changes,
 * not with hours. */
#ifndef FLEETCAST_MODELS_COVERAGE_RUN_H
#define FLEETCAST_MODELS_COVERAGE_RUN_H

#include "models/commitments/coverage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From at_us on `delta` more instances (or units) of this slot run. */
struct coverage_change {
    int64_t at_us; /* since the scenario's start */
    uint32_t slot;
    int32_t delta;
};

/* Sorts by time (stable in what it adds up to: changes of one instant are one). */
void coverage_changes_sort(struct coverage_change *changes, size_t count);

struct coverage_span {
    int64_t from_us, to_us; /* from < to */
    int64_t start_unix_s;   /* of the scenario: where the clock hours lie */
    /* Where outcomes must not reach across, rising: months, the horizon. Clock hours stay whole;
     * one with a cut inside belongs to the side on which it begins. */
    const int64_t *cut_us;
    size_t cut_count;
};

enum coverage_run_end {
    COVERAGE_RUN_DONE,
    COVERAGE_RUN_NEGATIVE, /* the changes are wrong: less than nothing runs */
    COVERAGE_RUN_TOO_MUCH, /* more than COVERAGE_RUNNING_MAX of one slot run */
    COVERAGE_RUN_OVERFLOW  /* a sum passed what int64 holds */
};
enum { COVERAGE_RUNNING_MAX = 1000000 };

struct coverage_run;                                             /* one thread's memory */
struct coverage_run *coverage_run_new(const struct coverage *c); /* NULL: no memory */
void coverage_run_free(struct coverage_run *r);

/* Calls sink with the outcome of every clock hour, or of several equal ones at once, in order of
 * time and without gaps over [from_us, to_us). changes: sorted; those before from_us set what runs
 * at the beginning, those at or after to_us are ignored. Allocates nothing. */
enum coverage_run_end coverage_run(struct coverage_run *r, const struct coverage_change *changes,
                                   size_t change_count, const struct coverage_span *span,
                                   void (*sink)(void *context, const struct coverage_outcome *o),
                                   void *context);

/* Sums of outcomes, as a ready sink. */
struct coverage_sums {
    size_t commitments, slots;
    money_t *used, *unused; /* by commitment */
    int64_t *covered_us;    /* by slot */
    int64_t *on_demand_us;  /* by slot */
    money_t *covered;       /* by slot: shares of the commitments' cost */
    money_t *on_demand;     /* by slot */
    money_t paid, total;    /* used + unused; that and on_demand */
    bool overflow;
};
bool coverage_sums_init(struct coverage_sums *s, const struct coverage *c); /* false: no memory */
void coverage_sums_release(struct coverage_sums *s);
void coverage_sums_clear(struct coverage_sums *s);
void coverage_sums_add(void *sums, const struct coverage_outcome *o);

#endif
