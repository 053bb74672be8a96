/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/trace_statistics.h"

#include "engine/double_sort.h"

#include <math.h>
#include <stdlib.h>

#define DAY_S  86400.0
#define HOUR_S 3600.0

static double step_end(const struct trace *t, size_t i)
{
    return i + 1 < t->count ? t->steps[i + 1].at_s : t->end_s;
}

/* ---- runs ---- */

struct runs {
    double *lengths_s; /* with as many spare places behind them */
    size_t count;
    double sum_s;
};

static void close_run(struct runs *r, double length_s)
{
    r->lengths_s[r->count++] = length_s;
    r->sum_s += length_s;
}

static struct run_statistics summarise(struct runs *r)
{
    if (r->count == 0) {
        return (struct run_statistics){0, (double)NAN, (double)NAN, (double)NAN};
    }
    double_sort(r->lengths_s, r->lengths_s + r->count, r->count);
    size_t middle = r->count / 2;
    double median_s = r->count % 2 == 1 ? r->lengths_s[middle]
                                        : (r->lengths_s[middle - 1] + r->lengths_s[middle]) / 2;
    return (struct run_statistics){r->count, r->sum_s / (double)r->count, median_s,
                                   r->lengths_s[r->count - 1]};
}

static bool level(const struct trace *t, int64_t nodes, double observed_s,
                  struct level_statistics *out)
{
    struct runs runs[2] = {{.lengths_s = malloc(2 * (t->count + 1) * sizeof(double))},
                           {.lengths_s = malloc(2 * (t->count + 1) * sizeof(double))}};
    bool ok = runs[0].lengths_s != NULL && runs[1].lengths_s != NULL;
    int state = -1; /* of the run under way; -1: none */
    double since_s = 0;
    *out = (struct level_statistics){.nodes = nodes};
    for (size_t i = 0; ok && i < t->count; i++) {
        const struct trace_step *s = &t->steps[i];
        int now = s->nodes == TRACE_UNKNOWN ? -1 : s->nodes >= nodes;
        if (now == state) {
            continue;
        }
        if (state >= 0) {
            close_run(&runs[state], s->at_s - since_s);
            out->interruptions += state == 1 && now == 0;
            out->returns += state == 0 && now == 1;
        } else if (runs[0].count + runs[1].count == 0) {
            out->begins_up = now == 1;
        }
        state = now;
        since_s = s->at_s;
    }
    if (ok) {
        if (state >= 0) {
            close_run(&runs[state], t->end_s - since_s);
        }
        out->ends_up = state == 1;
        out->up_s = runs[1].sum_s;
        out->availability = out->up_s / observed_s;
        out->interruptions_per_day = (double)out->interruptions / (observed_s / DAY_S);
        out->up = summarise(&runs[1]);
        out->down = summarise(&runs[0]);
    }
    free(runs[0].lengths_s);
    free(runs[1].lengths_s);
    return ok;
}

/* ---- nodes and prices ---- */

static void nodes_statistics(const struct trace *t, struct trace_statistics *out)
{
    int64_t before = TRACE_UNKNOWN;
    double sum = 0, known_s = 0;
    for (size_t i = 0; i < t->count; i++) {
        int64_t nodes = t->steps[i].nodes;
        if (nodes == TRACE_UNKNOWN) {
            before = nodes;
            continue;
        }
        double length_s = step_end(t, i) - t->steps[i].at_s;
        sum += (double)nodes * length_s;
        known_s += length_s;
        if (!out->has_nodes) {
            out->has_nodes = true;
            out->fewest_nodes = out->most_nodes = out->first_nodes = nodes;
        }
        out->fewest_nodes = nodes < out->fewest_nodes ? nodes : out->fewest_nodes;
        out->most_nodes = nodes > out->most_nodes ? nodes : out->most_nodes;
        out->last_nodes = nodes;
        if (before != TRACE_UNKNOWN && nodes < before) {
            out->nodes_lost += before - nodes;
            out->losses++;
        } else if (before != TRACE_UNKNOWN) {
            out->nodes_gained += nodes - before;
        }
        before = nodes;
    }
    out->mean_nodes = known_s > 0 ? sum / known_s : (double)NAN;
    out->node_losses_per_day = (double)out->nodes_lost / (out->observed_s / DAY_S);
}

static void price_statistics(const struct trace *t, struct trace_statistics *out)
{
    money_t before = TRACE_UNKNOWN;
    double known_s = 0, up_s = 0, up_sum = 0, sum = 0;
    for (size_t i = 0; i < t->count; i++) {
        const struct trace_step *s = &t->steps[i];
        if (s->price == TRACE_UNKNOWN) {
            before = s->price;
            continue;
        }
        double length_s = step_end(t, i) - s->at_s, price = money_to_double(s->price);
        known_s += length_s;
        sum += price * length_s;
        if (s->nodes >= 1) {
            up_s += length_s;
            up_sum += price * length_s;
        }
        if (!out->has_price) {
            out->has_price = true;
            out->least_price = out->most_price = out->first_price = s->price;
        }
        out->least_price = s->price < out->least_price ? s->price : out->least_price;
        out->most_price = s->price > out->most_price ? s->price : out->most_price;
        out->last_price = s->price;
        out->price_changes += before != TRACE_UNKNOWN && before != s->price;
        before = s->price;
    }
    out->mean_price = known_s > 0 ? sum / known_s : (double)NAN;
    out->price_changes_per_day =
        known_s > 0 ? (double)out->price_changes / (known_s / DAY_S) : (double)NAN;
    out->mean_price_while_up = up_s > 0 ? up_sum / up_s : (double)NAN;
    out->price_integral = sum / HOUR_S;
}

bool trace_statistics(const struct trace *t, struct trace_statistics *out)
{
    *out = (struct trace_statistics){0};
    for (size_t i = 0; i < t->count; i++) {
        double length_s = step_end(t, i) - t->steps[i].at_s;
        *(t->steps[i].hole ? &out->hole_s : &out->observed_s) += length_s;
    }
    price_statistics(t, out);
    nodes_statistics(t, out);
    if (!out->has_nodes) {
        return true;
    }
    return level(t, 1, out->observed_s, &out->any) &&
           level(t, out->most_nodes > 1 ? out->most_nodes : 1, out->observed_s, &out->full);
}
