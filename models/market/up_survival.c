/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/up_survival.h"

#include <math.h>
#include <stdlib.h>

#define NORMAL_975 1.959963984540054

void up_runs_release(struct up_runs *r)
{
    free(r->items);
    *r = (struct up_runs){0};
}

void up_runs_add(struct up_runs *r, double length_s, bool ended)
{
    if (r->count == r->capacity && !r->failed) {
        size_t capacity = r->capacity == 0 ? 256 : 2 * r->capacity;
        struct up_run *grown = realloc(r->items, capacity * sizeof *grown);
        r->failed = grown == NULL;
        r->items = grown == NULL ? r->items : grown;
        r->capacity = grown == NULL ? r->capacity : capacity;
    }
    if (!r->failed && length_s > 0) {
        r->items[r->count++] = (struct up_run){length_s, ended};
        r->ended += ended;
    }
}

void up_runs_of_trace(struct up_runs *r, const struct trace *t, int64_t nodes)
{
    double since_s = -1; /* of the run under way; < 0: none that was seen to begin */
    bool was_down = false;
    for (size_t i = 0; i < t->count; i++) {
        const struct trace_step *s = &t->steps[i];
        bool known = !s->hole && s->nodes != TRACE_UNKNOWN, up = known && s->nodes >= nodes;
        if (since_s >= 0 && !up) {
            up_runs_add(r, s->at_s - since_s, known);
            since_s = -1;
        } else if (since_s < 0 && up && was_down) {
            since_s = s->at_s;
        }
        was_down = known && !up;
    }
    if (since_s >= 0) {
        up_runs_add(r, t->end_s - since_s, false);
    }
}

/* The shortest of so many independent lives: that at the lowest luck, whichever end that is. */
static double shortest_life_s(struct market *m, int pool, uint32_t nodes,
                              struct random_stream *luck)
{
    if (!market_ends_nodes(m, pool)) {
        return HUGE_VAL;
    }
    /* P(all of n above u) = (1 - u)^n. */
    double u = -expm1(log1p(-random_uniform(luck)) / nodes);
    bool rises = market_node_life_s(m, pool, 0.25) <= market_node_life_s(m, pool, 0.75);
    return market_node_life_s(m, pool, rises ? u : 1 - u);
}

void up_runs_of_market(struct up_runs *r, struct market *m, int pool, uint32_t nodes,
                       double until_s, struct random_stream *luck)
{
    bool was_down = false;
    for (double at_s = 0; at_s < until_s && !r->failed;) {
        double next_s = at_s, end_s;
        bool up = market_capacity(m, pool, at_s, nodes) >= nodes;
        do { /* counts below `nodes` are all the same */
            next_s = market_next_change(m, pool, next_s, nodes);
        } while (next_s < until_s && (market_capacity(m, pool, next_s, nodes) >= nodes) == up);
        for (double gang_s = at_s; up && was_down && gang_s < fmin(next_s, until_s);
             gang_s = end_s) {
            end_s = gang_s + shortest_life_s(m, pool, nodes, luck);
            end_s = fmin(end_s, next_s);
            up_runs_add(r, fmin(end_s, until_s) - gang_s, end_s <= until_s);
            if (!(end_s > gang_s)) {
                break; /* a life of no length, again and again */
            }
        }
        was_down = was_down || !up;
        at_s = next_s;
    }
}

static int by_length(const void *a, const void *b)
{
    const struct up_run *x = a, *y = b;
    return x->length_s < y->length_s ? -1 : x->length_s > y->length_s;
}

void up_runs_sort(struct up_runs *r)
{
    if (r->count > 1) {
        qsort(r->items, r->count, sizeof *r->items, by_length);
    }
}

double up_runs_longest_s(const struct up_runs *r)
{
    double longest_s = 0;
    for (size_t i = 0; i < r->count; i++) {
        longest_s = fmax(longest_s, r->items[i].length_s);
    }
    return longest_s;
}

static struct survival_point point_of(double share, double variance)
{
    struct survival_point p = {share, (double)NAN, (double)NAN};
    if (share > 0 && share < 1) {
        double spread = exp(NORMAL_975 * sqrt(variance) / fabs(log(share)));
        p.low = pow(share, spread);
        p.high = pow(share, 1 / spread);
    }
    return p;
}

void survival_at(const struct up_runs *r, const double *times_s, size_t count,
                 struct survival_point *out)
{
    double share = 1, variance = 0;
    bool last_ended = r->count > 0 && r->items[r->count - 1].ended;
    size_t i = 0;
    for (size_t k = 0; k < count; k++) {
        while (i < r->count && r->items[i].length_s <= times_s[k]) {
            double length_s = r->items[i].length_s, at_risk = (double)(r->count - i), ends = 0;
            for (; i < r->count && r->items[i].length_s <= length_s; i++) {
                ends += r->items[i].ended;
            }
            share *= 1 - ends / at_risk;
            variance += at_risk > ends ? ends / (at_risk * (at_risk - ends)) : 0;
        }
        out[k] = i < r->count || last_ended ? point_of(share, variance) : point_of((double)NAN, 0);
    }
}
