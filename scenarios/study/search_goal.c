/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/search_goal.h"

#include <string.h>

bool search_goal_make(struct search_goal *g, const struct study *study, struct arena *a,
                      struct diagnostics *d)
{
    char column[64], message[256] = "out of memory";
    const struct objective_names names = {.currency = study->scenario->currency};
    const char *text =
        arena_format(a, "%s.p50", metric_column(METRIC_COST, study->scenario->currency, column));
    *g = (struct search_goal){0};
    if (text == NULL ||
        !objective_parse(text, strlen(text), &names, &g->objective, message, sizeof message)) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "%s", message);
        return false;
    }
    return true;
}
