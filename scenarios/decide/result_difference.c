/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/result_difference.h"

#include "engine/selection.h"
#include "scenarios/study/objective_estimate.h"
#include "scenarios/study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENCE 0.95

const char *const diff_verdict_names[] = {
    "absent", "only in A", "only in B", "unchanged", "no detectable change",
    "less",   "more",      "unknown",   NULL};

/* Values of one side, in the worlds that count. */
struct diff_values {
    double *values;
    unsigned char *censored;
};

size_t diff_side_strategy(const struct diff_side *s, const char *name)
{
    for (size_t k = 0; k < s->results->strategies; k++) {
        if (strcmp(s->strategies[k], name) == 0) {
            return k;
        }
    }
    return SIZE_MAX;
}

size_t diff_side_workload(const struct diff_side *s, const char *name)
{
    for (size_t w = 0; w < s->results->workloads; w++) {
        if (strcmp(s->workloads[w], name) == 0) {
            return w;
        }
    }
    return strcmp(name, STUDY_ALL) == 0 ? s->results->workloads : SIZE_MAX;
}

bool diff_side_overloaded(const struct diff_side *s, size_t strategy, const char *workload)
{
    const size_t w = diff_side_workload(s, workload);
    for (uint32_t i = 0; w != SIZE_MAX && i < s->results->replications; i++) {
        if (results_cells(s->results, i, strategy, w)->value[METRIC_OVERLOADED].number > 0) {
            return true;
        }
    }
    return false;
}

/* ---- the worlds ---- */

static bool values_make(struct diff_values *v, size_t n)
{
    v->values = malloc((n + 1) * sizeof *v->values);
    v->censored = malloc(n + 1);
    return v->values != NULL && v->censored != NULL;
}

static void values_release(struct diff_values *v)
{
    free(v->values);
    free(v->censored);
}

/* Whether the side can say anything of the objective. */
static bool fill(struct diff_values *v, const struct diff_side *s, size_t strategy,
                 const struct objective *o, size_t n)
{
    struct objective own = *o;
    if (o->workload != NULL) {
        own.workload_index = s->results->workloads;
        for (size_t w = 0; w < s->results->workloads; w++) {
            if (strlen(s->workloads[w]) == o->workload_length &&
                memcmp(s->workloads[w], o->workload, o->workload_length) == 0) {
                own.workload_index = w;
            }
        }
    }
    struct results first = *s->results;
    first.replications = (uint32_t)n;
    objective_column(&own, &first, strategy, v->values, v->censored);
    const bool named = o->workload == NULL || own.workload_index < s->results->workloads;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        any = any || !isnan(v->values[i]);
    }
    return any && named && (s->has == NULL || s->has[o->metric]);
}

bool diff_are_written_alike(double a, double b)
{
    const double size = fmax(fabs(a), fabs(b));
    const double last_digit = size >= 0.1 ? 1e-6 : size >= 1e-4 ? 1e-9 : 1e-8 * size;
    return fabs(a - b) <= 0.51 * last_digit;
}

/* Keeps the pairs that exist; returns how many. */
static size_t keep_pairs(struct diff_values *a, struct diff_values *b, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(a->values[i]) && !isnan(b->values[i])) {
            a->values[kept] = a->values[i];
            b->values[kept] =
                diff_are_written_alike(a->values[i], b->values[i]) ? a->values[i] : b->values[i];
            a->censored[kept] = a->censored[i];
            b->censored[kept++] = b->censored[i];
        }
    }
    return kept;
}

static bool are_same(const struct diff_values *a, const struct diff_values *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (a->values[i] < b->values[i] || a->values[i] > b->values[i] ||
            a->censored[i] != b->censored[i]) {
            return false;
        }
    }
    return true;
}

static bool any_censored(const struct diff_values *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (v->censored[i]) {
            return true;
        }
    }
    return false;
}

/* Whether a yes or no that is alike so far may still part: what is cut off below the budget on both
 * sides has not passed it yet, but where it has not cost the same, the one may and the other not.
 * False in *ok when out of memory. */
static bool may_part(const struct diff_side *a, size_t strategy_a, const struct diff_side *b,
                     size_t strategy_b, const struct objective *o, size_t n, bool *ok)
{
    struct objective cost = *o;
    struct diff_values of_a = {0}, of_b = {0};
    bool part = false;
    cost.metric = METRIC_COST;
    *ok = values_make(&of_a, n) && values_make(&of_b, n);
    if (*ok && fill(&of_a, a, strategy_a, &cost, n) && fill(&of_b, b, strategy_b, &cost, n)) {
        for (size_t i = 0; i < n; i++) {
            part = part || ((of_a.censored[i] || of_b.censored[i]) &&
                            !diff_are_written_alike(of_a.values[i], of_b.values[i]));
        }
    }
    values_release(&of_a);
    values_release(&of_b);
    return part;
}

/* ---- the change ---- */

/* Of quantiles, in which what is cut off counts as more than any. */
static void lift_censored(struct diff_values *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        v->values[i] = v->censored[i] ? HUGE_VAL : v->values[i];
    }
}

/* The interval of b - a, both known. */
static bool find_interval(struct diff_values *a, struct diff_values *b, size_t n,
                          const struct objective *o, struct diff *out)
{
    const bool by_quantile = o->stat == OBJECTIVE_QUANTILE;
    if (by_quantile) {
        lift_censored(a, n);
        lift_censored(b, n);
    } else if (o->stat != OBJECTIVE_MEAN) {
        out->low = -HUGE_VAL; /* an extreme has no interval */
        out->high = HUGE_VAL;
        return true;
    }
    const double *const values[] = {a->values, b->values};
    const struct selection_request request = {.count = 2,
                                              .worlds = n,
                                              .values = values,
                                              .p = by_quantile ? o->quantile : 0,
                                              .confidence = CONFIDENCE};
    struct selection s;
    const bool ok = selection_make(&s, &request);
    if (ok && s.best == 0) {
        out->low = s.one[1].low;
        out->high = s.one[1].high;
    } else if (ok) {
        out->low = -s.one[0].high;
        out->high = -s.one[0].low;
    }
    selection_release(&s);
    return ok;
}

static enum diff_verdict judge(const struct diff *d)
{
    return isnan(d->change) ? DIFF_UNKNOWN
           : d->low > 0     ? DIFF_MORE
           : d->high < 0    ? DIFF_LESS
                            : DIFF_UNCLEAR;
}

/* parting: equal values do not make the two the same. */
static bool measure(struct diff_values *a, struct diff_values *b, size_t n,
                    const struct objective *o, bool parting, struct diff *out)
{
    struct estimate of_a, of_b;
    if (!objective_estimate_from(o, a->values, a->censored, n, CONFIDENCE, &of_a) ||
        !objective_estimate_from(o, b->values, b->censored, n, CONFIDENCE, &of_b)) {
        return false;
    }
    out->a = of_a.value;
    out->b = of_b.value;
    out->at_least = of_b.at_least - of_a.at_most;
    out->at_most = of_b.at_most - of_a.at_least;
    out->a_at_least = of_a.at_least;
    out->a_at_most = of_a.at_most;
    out->b_at_least = of_b.at_least;
    out->b_at_most = of_b.at_most;
    out->change = of_b.value - of_a.value;
    if (!parting && are_same(a, b, n)) {
        out->verdict = DIFF_SAME;
        out->change = out->low = out->high = out->at_least = out->at_most = 0;
        out->share = 0;
        return true;
    }
    const bool ok = isnan(out->change) || find_interval(a, b, n, o, out);
    out->share = fabs(out->a) > 0 ? out->change / fabs(out->a) : (double)NAN;
    out->verdict = judge(out);
    return ok;
}

static bool estimate(const struct diff_values *v, size_t n, const struct objective *o,
                     double *value)
{
    struct estimate e;
    const bool ok = objective_estimate_from(o, v->values, v->censored, n, CONFIDENCE, &e);
    *value = e.value;
    return ok;
}

bool diff_measure(const struct diff_side *a, size_t strategy_a, const struct diff_side *b,
                  size_t strategy_b, const struct objective *o, struct diff *out)
{
    const double nan = (double)NAN;
    const size_t n = a->results->replications < b->results->replications ? a->results->replications
                                                                         : b->results->replications;
    struct diff_values of_a = {0}, of_b = {0};
    *out = (struct diff){.verdict = DIFF_ABSENT,
                         .a = nan,
                         .b = nan,
                         .change = nan,
                         .low = nan,
                         .high = nan,
                         .at_least = -HUGE_VAL,
                         .at_most = HUGE_VAL,
                         .a_at_least = -HUGE_VAL,
                         .a_at_most = HUGE_VAL,
                         .b_at_least = -HUGE_VAL,
                         .b_at_most = HUGE_VAL,
                         .share = nan};
    bool ok = values_make(&of_a, n) && values_make(&of_b, n);
    if (ok) {
        const bool in_a = fill(&of_a, a, strategy_a, o, n);
        const bool in_b = fill(&of_b, b, strategy_b, o, n);
        out->worlds = in_a && in_b ? keep_pairs(&of_a, &of_b, n) : 0;
        out->left_out = in_a && in_b ? n - out->worlds : 0;
        if (out->worlds > 0) {
            const bool parting = o->metric == METRIC_OVER_BUDGET &&
                                 any_censored(&of_a, out->worlds) &&
                                 may_part(a, strategy_a, b, strategy_b, o, n, &ok);
            ok = ok && measure(&of_a, &of_b, out->worlds, o, parting, out);
        } else if (in_a && in_b) {
            out->verdict = DIFF_UNKNOWN;
        } else if (in_a) {
            out->verdict = DIFF_ONLY_A;
            ok = estimate(&of_a, n, o, &out->a);
        } else if (in_b) {
            out->verdict = DIFF_ONLY_B;
            ok = estimate(&of_b, n, o, &out->b);
        }
    }
    values_release(&of_a);
    values_release(&of_b);
    return ok;
}
