/* SPDX-License-Identifier: GPL-3.0-or-later
 * `--fail-on CONDITION`: what a change may not do. The condition says what is bad: `cost_usd.p90 >
 * +10 %` breaks when the P90 of the cost rose by more than a tenth, `p_late > +5 %` when the chance
 * of being late rose by more than five points, `cost_usd.p90 > 6000 USD` when that of B is above.
 * What cannot be known breaks it too: nothing unfinished passes for good. */
#ifndef FLEETCAST_SCENARIOS_FAIL_ON_H
#define FLEETCAST_SCENARIOS_FAIL_ON_H

#include "scenarios/cli/command.h"
#include "scenarios/decide/result_difference.h"

#include <stdbool.h>
#include <stddef.h>

struct fail_on {
    struct condition *conditions;
    size_t count;
};

/* Reads the conditions of the command line; all that is wrong is told in its diagnostics. False
 * then. */
bool fail_on_read(struct fail_on *f, struct command *c, const struct diff_side *a);

/* One condition that the two sides break. */
struct breach {
    const char *sentence;
};

/* By condition, then by the strategies that both have, in the order of A; in the arena. A condition
 * whose metric neither side knows of any strategy is an error. False when something failed. */
bool fail_on_judge(const struct fail_on *f, struct command *c, const struct diff_side *a,
                   const struct diff_side *b, const struct breach **breaches, size_t *count);

#endif
