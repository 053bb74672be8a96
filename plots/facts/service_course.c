/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/service_course.h"

#include "plots/facts/table_columns.h"

#include <math.h>
#include <string.h>

/* Of its buckets; less is the start, in which nothing is up. */
#define SERVICE_OVERLOADED_OFTEN 0.01

#define WEEK_S (7 * 86400.0)

enum {
    V_STRATEGY,
    V_WORKLOAD,
    V_START,
    V_END,
    V_ARRIVED_RATE,
    V_COULD,
    V_P50,
    V_P95,
    V_ARRIVED,
    V_OVERLOADED,
    V_SLO,
    V_COUNT
};
static const char *const names[V_COUNT] = {
    "strategy",      "workload",      "start_s", "end_s",      "arrival_rate", "could_serve_rate",
    "latency_p50_s", "latency_p95_s", "arrived", "overloaded", "slo_s"};

static bool wanted(const struct table *t, size_t row, const int *c, const char *strategy,
                   const char *workload)
{
    return strcmp(table_text(t, row, (size_t)c[V_STRATEGY]), strategy) == 0 &&
           strcmp(table_text(t, row, (size_t)c[V_WORKLOAD]), workload) == 0 &&
           isfinite(table_number(t, row, (size_t)c[V_START])) &&
           isfinite(table_number(t, row, (size_t)c[V_END]));
}

/* What is asked for is shown. Tables of before have no such columns. */
static void take_first_token(struct service_course *out, const struct table *t, const int *c,
                             const char *strategy, const char *workload)
{
    const int p50 = table_find(t, "ttft_p50_s"), p95 = table_find(t, "ttft_p95_s"),
              slo = table_find(t, "slo_ttft_s");
    size_t k = 0;

    if (isfinite(out->slo_s) || p50 < 0 || p95 < 0 || slo < 0)
        return;
    for (size_t row = 0; row < table_rows(t); row++) {
        if (!wanted(t, row, c, strategy, workload))
            continue;
        const double asked = table_known(t, row, slo);
        if (isfinite(asked)) {
            out->first_token = true;
            out->slo_s = asked;
        }
        if (out->first_token) {
            out->latency_p50_s[k] = table_known(t, row, p50);
            out->latency_p95_s[k] = table_known(t, row, p95);
        }
        k++;
    }
}

bool service_course_read(struct service_course *out, const struct table *t, const char *strategy,
                         const char *workload, struct arena *a, struct diagnostics *d)
{
    double **const arrays[] = {&out->start_s,          &out->end_s,         &out->arrival_rate,
                               &out->could_serve_rate, &out->latency_p50_s, &out->latency_p95_s,
                               &out->arrived,          &out->overloaded};
    int c[V_COUNT];
    size_t count = 0;

    *out = (struct service_course){.slo_s = (double)NAN};
    if (!table_columns_needed(c, t, names, V_COUNT, d))
        return false;
    for (size_t row = 0; row < table_rows(t); row++)
        count += wanted(t, row, c, strategy, workload);
    if (!table_arrays(arrays, sizeof arrays / sizeof arrays[0], count, a, d))
        return false;
    for (size_t row = 0; row < table_rows(t); row++) {
        size_t k = out->count;
        if (!wanted(t, row, c, strategy, workload))
            continue;
        for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
            (*arrays[i])[k] = table_known(t, row, c[i + V_START]);
        out->slo_s = table_known(t, row, c[V_SLO]);
        out->count++;
    }
    take_first_token(out, t, c, strategy, workload);
    return true;
}

/* What tells one service from another: sums over all strategies. */
struct service_sums {
    double arrived, overloaded, buckets;
};

static bool is_overloaded_often(const struct service_sums *s)
{
    return s->overloaded > SERVICE_OVERLOADED_OFTEN * s->buckets;
}

static bool comes_first(const struct service_sums *s, const struct service_sums *than)
{
    const bool often = is_overloaded_often(s), than_often = is_overloaded_often(than);
    const double share = often ? s->overloaded / s->buckets : 0.0;
    const double than_share = than_often ? than->overloaded / than->buckets : 0.0;

    return often || than_often ? share > than_share : s->arrived > than->arrived;
}

const char *service_course_main(const struct table *t, size_t *others)
{
    const int workload = t == NULL ? -1 : table_find(t, "workload");
    const int arrived = t == NULL ? -1 : table_find(t, "arrived");
    const int overloaded = t == NULL ? -1 : table_find(t, "overloaded");
    const char *best = NULL, *seen = NULL;
    struct service_sums most = {0.0, 0.0, 0.0};

    *others = 0;
    if (workload < 0 || arrived < 0)
        return NULL;
    for (size_t row = 0; row < table_rows(t); row++) {
        const char *name = table_text(t, row, (size_t)workload);
        struct service_sums sum = {0.0, 0.0, 0.0};
        bool before = false;
        if (seen != NULL && strcmp(seen, name) == 0)
            continue; /* rows of one service follow each other */
        seen = name;
        for (size_t k = 0; k < table_rows(t); k++) {
            const double x = table_number(t, k, (size_t)arrived);
            if (strcmp(table_text(t, k, (size_t)workload), name) != 0)
                continue;
            before = before || k < row;
            sum.arrived += isfinite(x) ? x : 0.0;
            const double marked = overloaded >= 0 ? table_number(t, k, (size_t)overloaded) : 0.0;
            sum.overloaded += marked > 0.0 ? 1.0 : 0.0;
            sum.buckets += isnan(marked) ? 0.0 : 1.0;
        }
        if (before)
            continue;
        *others += best != NULL;
        if (best == NULL || comes_first(&sum, &most)) {
            most = sum;
            best = name;
        }
    }
    return best;
}

static double came_within(const struct service_course *c, double from_s, double to_s)
{
    double sum = 0.0;

    for (size_t k = 0; k < c->count; k++) {
        if (c->start_s[k] >= from_s && c->start_s[k] < to_s && isfinite(c->arrived[k]))
            sum += c->arrived[k];
    }
    return sum;
}

struct service_window service_course_window(const struct service_course *all, size_t count)
{
    struct service_window w = {INFINITY, -INFINITY, false};
    double most = -1.0, best_s = 0.0;

    for (size_t i = 0; i < count; i++) {
        if (all[i].count == 0)
            continue;
        w.from_s = fmin(w.from_s, all[i].start_s[0]);
        w.to_s = fmax(w.to_s, all[i].end_s[all[i].count - 1]);
    }
    if (!(w.to_s > w.from_s))
        return (struct service_window){0.0, 0.0, false};
    if (w.to_s - w.from_s <= WEEK_S)
        return w;
    /* A week that is cut by the end is none. */
    for (double at_s = WEEK_S * floor(w.from_s / WEEK_S); at_s + WEEK_S <= w.to_s; at_s += WEEK_S) {
        double came = 0.0;
        for (size_t i = 0; i < count; i++)
            came = fmax(came, came_within(&all[i], at_s, at_s + WEEK_S));
        if (came > most) {
            most = came;
            best_s = at_s;
        }
    }
    return (struct service_window){best_s, best_s + WEEK_S, true};
}

struct service_hours service_course_hours(const struct service_course *c,
                                          const struct service_window *w)
{
    struct service_hours h = {0.0, 0.0};

    for (size_t k = 0; k < c->count; k++) {
        double hours = fmin(c->end_s[k], w->to_s) - fmax(c->start_s[k], w->from_s);
        hours = isnan(c->overloaded[k]) ? 0.0 : fmax(0.0, hours) / 3600.0;
        h.all += hours;
        h.overloaded += c->overloaded[k] > 0.0 ? hours : 0.0;
    }
    return h;
}
