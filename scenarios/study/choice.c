/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/choice.h"

#include "engine/random.h"
#include "engine/selection.h"
#include "scenarios/study/rate_doubt.h"

#include <math.h>
#include <stdlib.h>

const char *choice_status_name(enum choice_status status)
{
    static const char *const names[] = {
        [CHOICE_CHOSEN] = "chosen",         [CHOICE_LEVEL] = "level",
        [CHOICE_WORSE] = "worse",           [CHOICE_BREAKS_LIMIT] = "breaks-limit",
        [CHOICE_UNFINISHED] = "unfinished", [CHOICE_UNKNOWN] = "unknown",
    };
    return names[status];
}

/* ---- who can be chosen ---- */

static double unfinished_share(const struct results *r, size_t strategy)
{
    size_t cut = 0;
    for (uint32_t i = 0; i < r->replications; i++) {
        cut += metric_cut(results_cells(r, i, strategy, r->workloads));
    }
    return r->replications == 0 ? 1 : (double)cut / (double)r->replications;
}

/* What is served of what came, or is needed, over all worlds; NaN: there is no such. */
static double served_share(const struct results *r, size_t strategy, size_t workload,
                           enum metric served, enum metric wanted)
{
    struct served_sum sum = {0};
    for (uint32_t i = 0; i < r->replications; i++) {
        const struct metric_cells *c = results_cells(r, i, strategy, workload);
        served_sum_add(&sum, metric_number(c, served), metric_number(c, wanted));
    }
    return served_sum_share(&sum);
}

/* Of usage by the clock boots are never served: what is possible, the best strategy shows. */
static double best_served(const struct results *r, size_t workload)
{
    double best = 0;
    for (size_t k = 0; k < r->strategies; k++) {
        best = fmax(best, served_share(r, k, workload, METRIC_SERVED, METRIC_NEEDED));
    }
    return best;
}

static void check_service(struct choice_service *s, const struct results *r, size_t strategy,
                          double at_least)
{
    for (size_t w = 0; w < r->workloads && !s->short_of; w++) {
        *s = (struct choice_service){
            .workload = w,
            .requests = true,
            .share = served_share(r, strategy, w, METRIC_REQUESTS_SERVED, METRIC_REQUESTS),
            .at_least = at_least};
        if (isnan(s->share)) {
            s->requests = false;
            s->share = served_share(r, strategy, w, METRIC_SERVED, METRIC_NEEDED);
            s->at_least = at_least * best_served(r, w);
        }
        s->short_of = s->share < s->at_least;
    }
}

/* The first condition that does not hold, or is not known to. NULL: all hold. */
static bool check_conditions(const struct choice_plan *p, const struct results *r, size_t strategy,
                             const struct condition **broken, struct estimate *value)
{
    *broken = NULL;
    for (size_t i = 0; i < p->condition_count && *broken == NULL; i++) {
        const struct condition *c = &p->conditions[i];
        if (!objective_estimate(&c->objective, r, strategy, p->confidence, value)) {
            return false;
        }
        *broken = eligibility_holds(c, value) ? NULL : c;
    }
    return true;
}

/* status: CHOICE_WORSE for those that can be chosen, until they are compared. */
static bool judge_alone(struct choice_one *one, const struct choice_plan *p,
                        const struct results *r, size_t strategy)
{
    *one = (struct choice_one){.status = CHOICE_WORSE,
                               .difference = (double)NAN,
                               .low = (double)NAN,
                               .high = (double)NAN,
                               .unfinished = unfinished_share(r, strategy)};
    check_service(&one->service, r, strategy, p->serve_at_least);
    if (!objective_estimate(&p->objective, r, strategy, p->confidence, &one->value) ||
        !check_conditions(p, r, strategy, &one->limit, &one->limit_value)) {
        return false;
    }
    one->status = eligibility_status(&(struct eligibility){.unfinished = one->unfinished,
                                                           .short_of = one->service.short_of,
                                                           .broken = one->limit != NULL,
                                                           .value = &one->value});
    return true;
}

/* ---- columns to compare ---- */

struct choice_columns {
    size_t count;  /* strategies that can be chosen */
    size_t worlds; /* in which all of them have a value */
    size_t *strategy;
    double **values; /* smaller is better */
    unsigned char *censored;
};

static void columns_release(struct choice_columns *c)
{
    for (size_t k = 0; c->values != NULL && k < c->count; k++) {
        free(c->values[k]);
    }
    free(c->values);
    free(c->strategy);
    free(c->censored);
}

static bool columns_init(struct choice_columns *c, const bool *in, const struct results *r,
                         const struct choice_plan *p)
{
    *c = (struct choice_columns){.worlds = r->replications,
                                 .strategy = calloc(r->strategies + 1, sizeof *c->strategy),
                                 .values = calloc(r->strategies + 1, sizeof *c->values),
                                 .censored = malloc(r->replications + 1)};
    bool ok = c->strategy != NULL && c->values != NULL && c->censored != NULL;
    for (size_t k = 0; ok && k < r->strategies; k++) {
        if (!in[k]) {
            continue;
        }
        double *v = malloc((r->replications + 1) * sizeof *v);
        ok = v != NULL;
        if (ok) {
            objective_column(&p->objective, r, k, v, c->censored);
            c->strategy[c->count] = k;
            c->values[c->count++] = v;
        }
        for (uint32_t i = 0; ok && i < r->replications; i++) {
            /* The quantile is known whatever it becomes: as if it passed any number. */
            v[i] = c->censored[i] && !p->maximise && p->objective.stat == OBJECTIVE_QUANTILE
                       ? HUGE_VAL
                   : p->maximise ? -v[i]
                                 : v[i];
        }
    }
    return ok;
}

static bool exists_for_any(const struct choice_columns *c, size_t world)
{
    for (size_t k = 0; k < c->count; k++) {
        if (!isnan(c->values[k][world])) {
            return true;
        }
    }
    return false;
}

/* Worlds without a value that another strategy has: such a strategy is not comparable. True when
 * there is one. */
static bool mark_missing(const struct choice_columns *c, struct choice_one *one)
{
    bool any = false;
    for (size_t i = 0; i < c->worlds; i++) {
        const bool exists = exists_for_any(c, i);
        for (size_t k = 0; exists && k < c->count; k++) {
            if (isnan(c->values[k][i])) {
                one[c->strategy[k]].missing++;
                one[c->strategy[k]].status = CHOICE_UNKNOWN;
                any = true;
            }
        }
    }
    return any;
}

/* Leaves out the worlds in which none has a value. */
static void drop_empty(struct choice_columns *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->worlds; i++) {
        if (exists_for_any(c, i)) {
            for (size_t k = 0; k < c->count; k++) {
                c->values[k][kept] = c->values[k][i];
            }
            kept++;
        }
    }
    c->worlds = kept;
}

/* Where the quantile of the negative lies: the same order statistic from the other end. */
static double selection_p(const struct choice_plan *p, size_t worlds)
{
    const double n = (double)worlds;
    if (p->objective.stat != OBJECTIVE_QUANTILE) {
        return 0;
    }
    return p->maximise ? (n + 0.5 - ceil(n * p->objective.quantile - 1e-9 * n)) / n
                       : p->objective.quantile;
}

static bool select_from(struct selection *s, const struct choice_columns *c,
                        const struct choice_plan *p)
{
    const struct selection_request q = {.count = c->count,
                                        .worlds = c->worlds,
                                        .values = (const double *const *)c->values,
                                        .p = selection_p(p, c->worlds),
                                        .confidence = p->confidence};
    return selection_make(s, &q);
}

/* ---- the choice ---- */

static bool money_matters(const struct choice_plan *p)
{
    return metric_in_currency(p->objective.metric) || p->objective.metric == METRIC_OVER_BUDGET;
}

static void take_selection(struct choice *c, const struct study *study,
                           const struct choice_columns *of, const struct selection *s)
{
    c->chosen = of->strategy[s->best];
    c->runner_up = of->count > 1 ? of->strategy[s->second] : CHOICE_NONE;
    c->sure = s->sure;
    c->at_most = s->at_most;
    c->worlds_needed = s->worlds_needed;
    c->eligible = of->count;
    for (size_t i = 0; i < of->count; i++) {
        struct choice_one *one = &c->one[of->strategy[i]];
        one->rank = 1;
        for (size_t k = 0; k < of->count; k++) {
            one->rank += s->one[k].value < s->one[i].value ||
                         (k < i && !(s->one[k].value > s->one[i].value));
        }
        if (i == s->best) {
            one->status = CHOICE_CHOSEN;
            continue;
        }
        one->difference = s->one[i].difference;
        one->low = s->one[i].low;
        one->high = s->one[i].high;
        one->doubted = money_matters(&study->choice) &&
                       rate_doubt(study, of->strategy[i], of->strategy[s->best]);
        if (one->doubted) {
            one->low = -HUGE_VAL;
            one->high = HUGE_VAL;
            c->sure = 0;
            c->at_most = HUGE_VAL;
        }
        const bool level = one->doubted || s->one[i].level;
        one->status = level ? CHOICE_LEVEL : CHOICE_WORSE;
        c->level += level;
    }
}

static bool compare(struct choice *c, const struct study *study, const struct results *r)
{
    const struct choice_plan *p = &study->choice;
    struct choice_columns of = {0};
    struct selection s = {0};
    bool *in = calloc(c->count + 1, sizeof *in);
    bool ok = in != NULL;
    for (bool again = true; ok && again;) {
        for (size_t k = 0; k < c->count; k++) {
            in[k] = c->one[k].status == CHOICE_WORSE;
        }
        columns_release(&of);
        ok = columns_init(&of, in, r, p);
        again = ok && mark_missing(&of, c->one);
    }
    if (ok) {
        drop_empty(&of);
    }
    if (ok && of.count > 0 && of.worlds > 0) {
        ok = select_from(&s, &of, p);
        if (ok) {
            take_selection(c, study, &of, &s);
        }
        selection_release(&s);
    }
    columns_release(&of);
    free(in);
    return ok;
}

bool choice_make(struct choice *c, const struct study *study, const struct results *r)
{
    *c = (struct choice){.count = r->strategies,
                         .worlds = r->replications,
                         .chosen = CHOICE_NONE,
                         .runner_up = CHOICE_NONE,
                         .one = calloc(r->strategies + 1, sizeof *c->one)};
    bool ok = c->one != NULL;
    for (size_t k = 0; ok && k < c->count; k++) {
        ok = judge_alone(&c->one[k], &study->choice, r, k);
    }
    return ok && compare(c, study, r);
}

void choice_release(struct choice *c)
{
    free(c->one);
    *c = (struct choice){0};
}

/* ---- on fresh worlds ---- */

static bool estimate_fresh(struct choice_one *one, const struct study *study,
                           const struct results *r, size_t strategy)
{
    const struct choice_plan *p = &study->choice;
    struct choice_fresh *f = &one->fresh;
    *f = (struct choice_fresh){.given = true,
                               .difference = (double)NAN,
                               .low = (double)NAN,
                               .high = (double)NAN,
                               .unfinished = unfinished_share(r, strategy)};
    return objective_estimate(&p->objective, r, strategy, p->confidence, &f->value) &&
           check_conditions(p, r, strategy, &f->limit, &f->limit_value);
}

/* Of two, chosen before: an interval for one difference. */
static bool compare_fresh(struct choice *c, const struct choice_plan *p, const struct results *r,
                          const bool *both)
{
    struct choice_fresh *f = &c->one[c->runner_up].fresh;
    struct choice_columns of;
    struct selection s = {0};
    bool ok = columns_init(&of, both, r, p);
    if (ok) {
        drop_empty(&of);
    }
    bool comparable = ok && of.worlds > 1 && f->value.known && c->one[c->chosen].fresh.value.known;
    for (size_t i = 0; comparable && i < of.worlds; i++) {
        comparable = !isnan(of.values[0][i]) && !isnan(of.values[1][i]);
    }
    if (comparable) {
        ok = select_from(&s, &of, p);
        /* To the better of the two there; turned when that is the runner-up. */
        const size_t other = ok ? 1 - s.best : 0;
        if (ok && of.strategy[s.best] == c->chosen) {
            f->difference = s.one[other].difference;
            f->low = s.one[other].low;
            f->high = s.one[other].high;
        } else if (ok) {
            f->difference = -s.one[other].difference;
            f->low = -s.one[other].high;
            f->high = -s.one[other].low;
        }
        selection_release(&s);
    }
    columns_release(&of);
    return ok;
}

static bool judge_on(struct choice *c, const struct study *study, const struct results *r,
                     const bool *both)
{
    if (!estimate_fresh(&c->one[c->chosen], study, r, c->chosen)) {
        return false;
    }
    return c->runner_up == CHOICE_NONE ||
           (estimate_fresh(&c->one[c->runner_up], study, r, c->runner_up) &&
            compare_fresh(c, &study->choice, r, both));
}

bool choice_judge(struct choice *c, const struct study *study, const struct run_options *options,
                  struct diagnostics *d)
{
    const struct choice_plan *p = &study->choice;
    const uint32_t worlds =
        p->fresh_given || p->fresh_worlds < c->worlds ? p->fresh_worlds : c->worlds;
    if (c->chosen == CHOICE_NONE || worlds == 0) {
        return true;
    }
    struct results r = {0};
    uint32_t complete = 0;
    bool *both = calloc(c->count, sizeof *both);
    bool ran = false, ok = both != NULL && world_results_init(&r, study, worlds);
    if (ok) {
        both[c->chosen] = true;
        both[c->runner_up == CHOICE_NONE ? c->chosen : c->runner_up] = true;
        const struct world_request q = {
            .first = RANDOM_FIRST_JUDGE, .count = worlds, .strategies = both};
        ran = world_runs(&r, study, &q, options, &complete, d);
        ok = !ran || complete < worlds || judge_on(c, study, &r, both);
        c->fresh_worlds = ran && complete == worlds ? worlds : 0;
    }
    results_release(&r);
    free(both);
    if (!ok) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory for the choice");
    }
    return ok && ran;
}
