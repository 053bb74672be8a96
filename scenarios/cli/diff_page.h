/* SPDX-License-Identifier: GPL-3.0-or-later
 * What `fleetcast diff` shows people: the figures that a plan is judged by, A beside B, and what
 * else differs between the two runs; on a terminal, or as Markdown for a review. */
#ifndef FLEETCAST_SCENARIOS_DIFF_PAGE_H
#define FLEETCAST_SCENARIOS_DIFF_PAGE_H

#include "scenarios/cli/command.h"
#include "scenarios/cli/fail_on.h"
#include "scenarios/decide/result_difference.h"

#include <stdbool.h>

struct diff_page {
    const struct diff_side *a, *b;
    const struct breach *breaches;
    size_t breach_count;
    const struct table *all;                  /* of difference_table: for what else changed */
    const struct table *assumptions, *inputs; /* of basis_difference.h */
    /* Of stated_difference.h; NULL: what one of them states cannot be read any more. */
    const struct table *stated;
};

/* On standard output. What cannot be printed is told in the command's diagnostics. */
void diff_page_print(struct command *c, const struct diff_page *p, bool markdown);

#endif
