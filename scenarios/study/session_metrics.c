/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/session_metrics.h"

#include <math.h>

/* What is left on was waiting, and nothing else of it was. */
static double cost_of_waiting(const struct metric_cells *c)
{
    money_t cost = 0;
    for (int p = 0; p < PURCHASE_COUNT; p++) {
        (void)money_add(&cost, c->line[p][ACTIVITY_WAITING]);
    }
    return money_to_double(cost);
}

void session_metrics_fill(struct metric_cells *c, const struct work_sessions *sessions)
{
    static const struct work_sessions none; /* its numbers are not read */
    const struct work_sessions *s = sessions == NULL ? &none : sessions;
    const struct {
        enum metric metric;
        double value;
    } rows[] = {
        {METRIC_SESSIONS, s->sessions},
        {METRIC_SESSIONS_FORGOTTEN, s->forgotten},
        {METRIC_FORGOTTEN_NODE_HOURS, s->forgotten_node_s / 3600},
        {METRIC_FORGOTTEN_COST, cost_of_waiting(c)},
        {METRIC_SESSION_WAIT_MEAN, s->sessions > 0 ? s->wait_s / s->sessions : (double)NAN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        c->value[rows[i].metric].number = sessions != NULL ? rows[i].value : (double)NAN;
    }
}

/* The mean over sessions is that of all of them. */
void session_metrics_join(struct metric_cells *all, const struct metric_cells *workloads,
                          size_t count)
{
    double wait_s = 0, sessions = 0;
    for (size_t i = 0; i < count; i++) {
        double of_one = workloads[i].value[METRIC_SESSIONS].number;
        if (of_one > 0) {
            wait_s += of_one * workloads[i].value[METRIC_SESSION_WAIT_MEAN].number;
            sessions += of_one;
        }
    }
    all->value[METRIC_SESSION_WAIT_MEAN].number = sessions > 0 ? wait_s / sessions : (double)NAN;
}
