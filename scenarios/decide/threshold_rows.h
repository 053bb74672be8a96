/* SPDX-License-Identifier: GPL-3.0-or-later
 * thresholds.csv: at which value of an input the choice flips, in numbers and as a sentence that
 * says no more than was found. */
#ifndef FLEETCAST_SCENARIOS_THRESHOLD_ROWS_H
#define FLEETCAST_SCENARIOS_THRESHOLD_ROWS_H

#include "engine/crossings.h"
#include "engine/text.h"
#include "scenarios/output/result_rows.h"

/* One input and one pair of strategies. */
struct threshold_case {
    const char *input, *unit;               /* path; suffix as of its column */
    double now;                             /* NaN: not known */
    double from, to;                        /* searched */
    const char *chosen, *other, *objective; /* other NULL: of no pair */
    const struct crossings *found;          /* of chosen less other; NULL: nothing was searched */
    const char *reason;                     /* why nothing is known somewhere, or NULL */
    int64_t worlds;
    /* Of each crossing, the sentence that says who cannot be chosen on one of its sides, or NULL:
     * the two differ by the objective. The last one: of the whole range, where there is none. */
    const char *causes[CROSSINGS_MAX + 1];
    const char *third[CROSSINGS_MAX]; /* who is chosen there, when it is neither; or NULL */
};

/* A row for each crossing; one that says so where there is none, or nothing is known. */
void threshold_rows_put(struct result_rows *rows, const struct threshold_case *c);

/* The sentence of the index-th crossing, or of none (index >= count):
 *   - "B wins above 20.5 USD/h of PATH (now 20 USD/h); level from 19.7 to 21.2 USD/h"; an end of
 *     the level stretch that is not known: "level from 19.7 USD/h to the end of the range".
 *   - By a condition: "B wins above 20.5 USD/h of PATH (now 20 USD/h): A cannot be chosen there:
 *     'p_late <= 5 %' does not hold: …"; and where a third is chosen: "; C is chosen there".
 *   - Several: "…; one of 3 values at which it flips".
 *   - None: "none in the range 15 to 25 USD/h of PATH: A stays ahead of B" (or B of A, where the
 *     input's single value makes it so). Known in a part only: "…; beyond 20 USD/h nothing is
 *     known: REASON".
 *   - Nothing known: "not known of PATH: REASON". */
void threshold_sentence(struct text *out, const struct threshold_case *c, size_t index);

#endif
