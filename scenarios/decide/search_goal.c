/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/search_goal.h"

#include <string.h>

/* What a strategy must serve where the scenario chooses by nothing: see choose_keys.c. */
#define SERVE_AT_LEAST 0.99

static bool take_choice(struct search_goal *g, const struct choice_plan *p, struct diagnostics *d)
{
    if (p->condition_count > SEARCH_MAX_CONDITIONS) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){0},
                        "'subject_to' has %zu conditions; a search takes at most %d",
                        p->condition_count, SEARCH_MAX_CONDITIONS);
        return false;
    }
    g->objective = p->objective;
    g->maximise = p->maximise;
    g->condition_count = p->condition_count;
    g->serve_at_least = p->serve_at_least;
    for (size_t i = 0; i < p->condition_count; i++) {
        g->conditions[i] = p->conditions[i];
    }
    return true;
}

bool search_goal_make(struct search_goal *g, const struct study *study, struct arena *a,
                      struct diagnostics *d)
{
    char column[64], message[256] = "out of memory";
    const struct objective_names names = {.currency = study->scenario->currency};
    const char *text =
        arena_format(a, "%s.p50", metric_column(METRIC_COST, study->scenario->currency, column));
    *g = (struct search_goal){.serve_at_least = SERVE_AT_LEAST};
    if (study->choice.given) {
        return take_choice(g, &study->choice, d);
    }
    if (text == NULL ||
        !objective_parse(text, strlen(text), &names, &g->objective, message, sizeof message)) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "%s", message);
        return false;
    }
    return true;
}
