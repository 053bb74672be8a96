/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/search_screen.h"

#include "engine/random.h"
#include "engine/statistics.h"
#include "plots/text/figures.h"
#include "scenarios/decide/search_bounds.h"
#include "scenarios/decide/search_confidence.h"
#include "scenarios/decide/search_rounds.h"
#include "scenarios/decide/search_standing.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Worlds that are asked, and the confidence of a bound. */
enum { SCREEN_WORLDS = 200 };
#define SCREEN_CONFIDENCE 0.999
/* Worlds beyond a quantile, so that the pairs say where it lies. */
#define LEAST_BEYOND 5.0
#define LEAST_PAIRS  30
/* Of the planned time: a plan that takes no more is faster beyond doubt. */
#define MUCH_FASTER 0.8

static bool out_of_memory(const struct search *s)
{
    diagnostics_add(s->diagnostics, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    return false;
}

/* ---- bounds of one plan ---- */

struct plan_bounds {
    double end_s[SCREEN_WORLDS], cost[SCREEN_WORLDS];
    double late[SCREEN_WORLDS]; /* of the condition that is asked: 1 where it surely is */
};

/* Whether a workload that counts for the objective is surely late in this world. */
static bool surely_late(const struct market_bounds *m, const struct candidate *c,
                        const struct objective *o)
{
    for (size_t w = 0; w < c->study->workload_count; w++) {
        const struct work_plan *plan = c->study->strategies[c->strategy].plans[w];
        if ((o == NULL || o->workload == NULL || o->workload_index == w) &&
            least_end_s(m, c->strategy, w) > plan->deadline_s) {
            return true;
        }
    }
    return false;
}

static const struct objective *lateness_asked(const struct search *s)
{
    for (size_t i = 0; i < s->goal.condition_count; i++) {
        const struct objective *o = &s->goal.conditions[i].objective;
        if (o->metric == METRIC_LATE && !o->unfinished) {
            return o;
        }
    }
    return NULL;
}

static void bound_world(struct plan_bounds *b, struct market_bounds *m, const struct candidate *c,
                        const struct objective *late, size_t world)
{
    b->end_s[world] = 0;
    for (size_t w = 0; w < c->study->workload_count; w++) {
        b->end_s[world] = fmax(b->end_s[world], least_end_s(m, c->strategy, w));
    }
    b->cost[world] = least_cost(m, c->strategy);
    b->late[world] = late != NULL && surely_late(m, c, late);
}

/* ---- by time ---- */

static bool screened(struct search *s, struct candidate *c, enum candidate_screen by,
                     const char *reason)
{
    c->status = CANDIDATE_SCREENED;
    c->screen = by;
    c->reason = reason;
    return reason != NULL || out_of_memory(s);
}

static bool screen_by_time(struct search *s, struct candidate *c, const struct plan_bounds *b)
{
    const double horizon_s = c->study->scenario->horizon_s;
    double shortest_s = HUGE_VAL, low, high;
    size_t cut = 0;
    for (size_t i = 0; i < SCREEN_WORLDS; i++) {
        cut += b->end_s[i] > horizon_s;
        shortest_s = fmin(shortest_s, b->end_s[i]);
    }
    share_interval(cut, SCREEN_WORLDS, SCREEN_CONFIDENCE, &low, &high);
    if (!(low > CHOICE_MOST_UNFINISHED)) {
        return true;
    }
    char shortest[32], horizon[32];
    return screened(s, c, SCREENED_BY_TIME,
                    arena_format(s->arena,
                                 "with nothing ever lost its work alone ends after the horizon of "
                                 "%s in %zu of %d worlds; in the best it takes %s",
                                 quantity_time_text(horizon_s, horizon), cut, SCREEN_WORLDS,
                                 quantity_time_text(shortest_s, shortest)));
}

/* ---- by a condition ---- */

/* The least that the condition's value can be, in each world; false: nothing bounds it. */
static bool least_of(const struct search *s, const struct condition *c, const struct plan_bounds *b,
                     double *values)
{
    const struct objective *o = &c->objective;
    const bool upper = c->op == CONDITION_AT_MOST || c->op == CONDITION_BELOW;
    const bool of_all = o->workload == NULL && !o->unfinished;
    if (!upper || (o->stat != OBJECTIVE_MEAN && o->stat != OBJECTIVE_QUANTILE)) {
        return false;
    }
    for (size_t i = 0; i < SCREEN_WORLDS; i++) {
        values[i] = o->metric == METRIC_COST ? b->cost[i]
                    : o->metric == METRIC_OVER_BUDGET
                        ? b->cost[i] > s->base->scenario->budget.median
                        : b->late[i];
    }
    return (of_all && o->metric == METRIC_COST) ||
           (of_all && o->metric == METRIC_OVER_BUDGET && s->base->scenario->budget.given &&
            s->base->scenario->budget.input < 0) ||
           o == lateness_asked(s);
}

static bool screen_by_condition(struct search *s, struct candidate *c, const struct plan_bounds *b)
{
    const char *currency = s->base->scenario->currency;
    for (size_t i = 0; i < s->goal.condition_count && c->status != CANDIDATE_SCREENED; i++) {
        const struct condition *condition = &s->goal.conditions[i];
        double values[SCREEN_WORLDS];
        struct estimate e;
        char text[48];
        if (!least_of(s, condition, b, values)) {
            continue;
        }
        if (!objective_estimate_from(&condition->objective, values, NULL, SCREEN_WORLDS,
                                     SCREEN_CONFIDENCE, &e)) {
            return out_of_memory(s);
        }
        if (e.n > 0 && condition_fails(condition, e.low, HUGE_VAL) &&
            !screened(
                s, c, SCREENED_BY_CONDITION,
                arena_format(s->arena,
                             "breaks %.*s: with nothing ever lost or waited for, and at the "
                             "least prices, at least %s in %d worlds",
                             (int)condition->length, condition->text,
                             objective_value_text(&condition->objective, e.value, currency, text),
                             SCREEN_WORLDS))) {
            return false;
        }
    }
    return true;
}

/* Only what may be of use is kept. */
static bool keep_cost(struct search *s, struct candidate *c, const struct plan_bounds *b)
{
    bool any = false;
    for (size_t i = 0; i < SCREEN_PILOT_WORLDS; i++) {
        any = any || b->cost[i] > 0;
    }
    if (!any || c->status == CANDIDATE_SCREENED) {
        return true;
    }
    c->least_cost = malloc(SCREEN_PILOT_WORLDS * sizeof *c->least_cost);
    if (c->least_cost == NULL) {
        return out_of_memory(s);
    }
    memcpy(c->least_cost, b->cost, SCREEN_PILOT_WORLDS * sizeof *c->least_cost);
    return true;
}

static bool screen_one(struct search *s, struct candidate *c, const struct plan_bounds *b)
{
    return screen_by_time(s, c, b) &&
           (c->status == CANDIDATE_SCREENED || screen_by_condition(s, c, b)) && keep_cost(s, c, b);
}

/* The plans of one study meet its worlds one after the other. */
static bool screen_study(struct search *s, const struct study *study, struct plan_bounds *bounds)
{
    const struct objective *late = lateness_asked(s);
    struct market_bounds *m = market_bounds_new(study);
    bool ok = m != NULL || out_of_memory(s);
    for (uint32_t i = 0; ok && i < SCREEN_WORLDS; i++) {
        (void)market_bounds_begin(m, RANDOM_FIRST_SEARCH + i);
        for (size_t k = 0; k < s->count; k++) {
            const struct candidate *c = &s->candidates[k];
            if (c->study == study) {
                bound_world(&bounds[c->strategy], m, c, late, i);
            }
        }
    }
    for (size_t k = 0; ok && k < s->count; k++) {
        struct candidate *c = &s->candidates[k];
        ok = c->study != study || screen_one(s, c, &bounds[c->strategy]);
    }
    market_bounds_free(m);
    return ok;
}

bool search_screen(struct search *s)
{
    size_t most = 0;
    for (size_t i = 0; i < s->study_count; i++) {
        most = s->studies[i]->strategy_count > most ? s->studies[i]->strategy_count : most;
    }
    struct plan_bounds *bounds = malloc((most + 1) * sizeof *bounds);
    bool ok = bounds != NULL || out_of_memory(s);
    for (size_t i = 0; ok && i < s->study_count && !s->base->project.cancels; i++) {
        ok = screen_study(s, s->studies[i], bounds);
    }
    free(bounds);
    return ok;
}

/* ---- by cost ---- */

/* What planning takes a plan to cost and to take: no bounds, but a guide to who is cheap, or fast.
 */
struct planned {
    double cost, time_s;
};

static struct planned planned_of(const struct candidate *c)
{
    struct planned p = {0, 0};
    for (size_t w = 0; w < c->study->workload_count; w++) {
        const struct work_plan *plan = c->study->strategies[c->strategy].plans[w];
        double price = plan->pool_count == 0 ? 0 : HUGE_VAL;
        for (size_t i = 0; i < plan->pool_count; i++) {
            price =
                fmin(price, market_planned_price_per_hour(c->study->market, plan->pools[i].pool));
        }
        p.cost += plan->nodes * plan->planned_work_s / 3600 * price;
        p.time_s = fmax(p.time_s, plan->planned_work_s);
    }
    return p;
}

/* The cheapest by planning. */
static size_t pick_pilots(const size_t *left, const struct planned *planned, size_t count,
                          size_t *pilots)
{
    size_t picked = 0, at[SCREEN_PILOTS];
    while (picked < SCREEN_PILOTS && picked < count) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < count; i++) {
            bool taken = false;
            for (size_t k = 0; k < picked; k++) {
                taken = taken || at[k] == i;
            }
            if (!taken && (best == SIZE_MAX || planned[i].cost < planned[best].cost)) {
                best = i;
            }
        }
        at[picked] = best;
        pilots[picked++] = left[best];
    }
    return picked;
}

/* Whether it may be one of those that no other beats in both cost and time: planning knows none
 * that is cheaper, and faster by more than interruptions and waits may take. */
static bool may_be_on_front(const struct planned *planned, size_t count, size_t one)
{
    for (size_t i = 0; i < count; i++) {
        if (planned[i].cost <= planned[one].cost &&
            planned[i].time_s <= MUCH_FASTER * planned[one].time_s) {
            return false;
        }
    }
    return true;
}

/* Of the pilots that may be chosen the best; NULL: there is none. */
static const struct candidate *best_pilot(const struct search *s, const size_t *pilots,
                                          size_t count)
{
    const struct candidate *best = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct candidate *c = &s->candidates[pilots[i]];
        if (c->standing.strict && (best == NULL || c->standing.loss < best->standing.loss)) {
            best = c;
        }
    }
    return best;
}

/* Of all plans at once, in one search of a thousand. */
static double beyond_chance(const struct search *s)
{
    return gsl_cdf_ugaussian_Qinv((1 - SCREEN_CONFIDENCE) / (double)(s->count + 1));
}

static bool enough_worlds(const struct search *s, uint32_t worlds)
{
    const struct objective *o = &s->goal.objective;
    const double beyond = worlds * fmin(o->quantile, 1 - o->quantile);
    return worlds >= LEAST_PAIRS && (o->stat == OBJECTIVE_MEAN || beyond >= LEAST_BEYOND);
}

/* Whether the least that a plan costs is surely more than what another does; *difference of both.
 */
static bool is_beaten(const struct search *s, const struct candidate *c,
                      const struct candidate *best, uint32_t worlds, double *difference,
                      bool *beaten)
{
    const struct candidate_worlds least = {.values = c->least_cost};
    double error;
    if (!search_confidence_difference(s, &least, &best->searched, worlds, difference, &error)) {
        return false;
    }
    *beaten = *difference > 0 && *difference > beyond_chance(s) * error;
    return true;
}

static bool compare(struct search *s, struct candidate *c, const struct candidate *best)
{
    double difference;
    bool beaten;
    char own[48], other[48];
    if (!is_beaten(s, c, best, SCREEN_PILOT_WORLDS, &difference, &beaten)) {
        return false;
    }
    if (!beaten) {
        return true;
    }
    const struct objective *o = &s->goal.objective;
    const char *currency = s->base->scenario->currency;
    return screened(
        s, c, SCREENED_BY_COST,
        arena_format(
            s->arena,
            "at the least prices, with nothing ever lost, its %.*s is at least %s; that of "
            "%s is %s in the same %d worlds",
            (int)o->length, o->text,
            objective_value_text(o, best->standing.objective.value + difference, currency, own),
            best->plan.name,
            objective_value_text(o, best->standing.objective.value, currency, other),
            SCREEN_PILOT_WORLDS));
}

static bool compare_all(struct search *s, size_t *left, const struct planned *planned,
                        size_t *count, const struct candidate *best)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        struct candidate *c = &s->candidates[left[i]];
        if (c->least_cost != NULL && c != best && !may_be_on_front(planned, *count, i) &&
            !compare(s, c, best)) {
            return false;
        }
        left[kept] = left[i];
        kept += c->status != CANDIDATE_SCREENED;
    }
    *count = kept;
    return true;
}

static bool screen_list(struct search *s, size_t *left, const struct planned *planned,
                        size_t *count)
{
    size_t pilots[SCREEN_PILOTS];
    const size_t picked = pick_pilots(left, planned, *count, pilots);
    if (!search_rounds_run(s, pilots, picked, RANDOM_FIRST_SEARCH, SCREEN_PILOT_WORLDS) ||
        !search_standing_all(s, pilots, picked, false)) {
        return false;
    }
    const struct candidate *best = best_pilot(s, pilots, picked);
    const bool ok = best == NULL || compare_all(s, left, planned, count, best);
    for (size_t i = 0; i < picked; i++) { /* with all others from the first world on */
        s->candidates[pilots[i]].searched.count = 0;
    }
    return ok;
}

static bool is_minimised(const struct search *s)
{
    const struct objective *o = &s->goal.objective;
    return !s->goal.maximise && o->metric == METRIC_COST && o->workload == NULL &&
           (o->stat == OBJECTIVE_MEAN || o->stat == OBJECTIVE_QUANTILE) &&
           enough_worlds(s, SCREEN_PILOT_WORLDS);
}

bool search_screen_by_cost(struct search *s, size_t *left, size_t *count, uint64_t budget)
{
    bool any = false;
    for (size_t i = 0; i < *count; i++) {
        any = any || s->candidates[left[i]].least_cost != NULL;
    }
    if (!s->spec->screen || !any || !is_minimised(s) || *count <= SEARCH_FINALISTS ||
        (uint64_t)10 * SCREEN_PILOTS * SCREEN_PILOT_WORLDS > budget) {
        return true;
    }
    struct planned *planned = malloc((*count + 1) * sizeof *planned);
    for (size_t i = 0; planned != NULL && i < *count; i++) {
        planned[i] = planned_of(&s->candidates[left[i]]);
    }
    const bool ok = planned != NULL ? screen_list(s, left, planned, count) : out_of_memory(s);
    free(planned);
    return ok;
}

/* ---- taken back ---- */

/* The best of the list that may be chosen as its worlds are; NULL: there is none. */
static const struct candidate *first_strict(const struct search *s, const size_t *left,
                                            size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (s->candidates[left[i]].standing.strict) {
            return &s->candidates[left[i]];
        }
    }
    return NULL;
}

bool search_screen_again(struct search *s, size_t *left, size_t *count, uint64_t budget)
{
    const struct candidate *best = first_strict(s, left, *count);
    const uint32_t worlds = s->candidates[left[0]].searched.count;
    const uint32_t pairs = worlds < SCREEN_PILOT_WORLDS ? worlds : SCREEN_PILOT_WORLDS;
    const size_t before = *count;
    for (size_t i = 0; i < s->count; i++) {
        struct candidate *c = &s->candidates[i];
        bool beaten = false;
        double difference;
        if (c->status != CANDIDATE_SCREENED || c->screen != SCREENED_BY_COST) {
            continue;
        }
        if (best != NULL &&
            (!enough_worlds(s, pairs) || !is_beaten(s, c, best, pairs, &difference, &beaten))) {
            return !enough_worlds(s, pairs);
        }
        if (!beaten && s->spent + worlds <= budget) {
            if (!search_rounds_run(s, &i, 1, RANDOM_FIRST_SEARCH, worlds)) {
                return false;
            }
            c->status = CANDIDATE_DROPPED;
            c->reason = NULL;
            left[(*count)++] = i;
        }
    }
    if (*count > before) {
        if (!search_standing_all(s, left, *count, false)) {
            return false;
        }
        search_standing_sort(s, left, *count);
    }
    return true;
}
