/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/search_judge.h"

#include "engine/random.h"
#include "engine/text.h"
#include "plots/text/figures.h"
#include "scenarios/decide/search_confirm.h"
#include "scenarios/decide/search_rounds.h"
#include "scenarios/decide/search_standing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool out_of_memory(const struct search *s)
{
    diagnostics_add(s->diagnostics, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    return false;
}

static bool simulated(const struct candidate *c)
{
    return c->searched.count > 0;
}

bool search_judge_estimate(const struct search *s, const struct candidate *c, size_t measure,
                           struct estimate *e)
{
    const struct candidate_worlds *w = c->judged.count > 0 ? &c->judged : &c->searched;
    return objective_estimate_from(search_measure(s, measure), w->values + measure * w->capacity,
                                   w->censored + measure * w->capacity, w->count, SEARCH_CONFIDENCE,
                                   e) ||
           out_of_memory(s);
}

/* ---- the front ---- */

struct front_point {
    size_t candidate;
    double cost, time;
};

/* By rising cost; of equal cost by rising time. */
static int by_cost(const void *a, const void *b)
{
    const struct front_point *x = a, *y = b;
    if (x->cost < y->cost || x->cost > y->cost) {
        return x->cost < y->cost ? -1 : 1;
    }
    if (x->time < y->time || x->time > y->time) {
        return x->time < y->time ? -1 : 1;
    }
    return x->candidate < y->candidate ? -1 : x->candidate > y->candidate;
}

/* Keeps the points that no other beats in both, by rising cost; returns how many. */
static size_t keep_front(struct front_point *points, size_t count)
{
    size_t kept = 0;
    double fastest = HUGE_VAL;
    qsort(points, count, sizeof *points, by_cost);
    for (size_t i = 0; i < count; i++) {
        if (points[i].time < fastest) {
            fastest = points[i].time;
            points[kept++] = points[i];
        }
    }
    return kept;
}

/* The point of a plan that is finished often enough; false when it has none. */
static bool point_of(const struct search *s, size_t index, struct front_point *p, bool *ok)
{
    const struct candidate *c = &s->candidates[index];
    const struct candidate_standing *known = c->judged.count > 0 ? &c->verdict : &c->standing;
    struct estimate cost, time;
    *ok = search_judge_estimate(s, c, search_extra(s, SEARCH_COST), &cost) &&
          search_judge_estimate(s, c, search_extra(s, SEARCH_TIME), &time);
    if (!*ok || known->tier == 2 || !cost.known || !time.known) {
        return false;
    }
    *p = (struct front_point){index, cost.value, time.value};
    return true;
}

/* At most SEARCH_MAX_FRONT of them, spread over the front, its ends among them. */
static size_t thin(struct front_point *points, size_t count)
{
    if (count <= SEARCH_MAX_FRONT) {
        return count;
    }
    for (size_t i = 0; i < SEARCH_MAX_FRONT; i++) {
        points[i] = points[i * (count - 1) / (SEARCH_MAX_FRONT - 1)];
    }
    return SEARCH_MAX_FRONT;
}

static bool note_front(struct search *s, const struct front_point *points, size_t count)
{
    size_t *front = malloc((count + 1) * sizeof *front);
    if (front == NULL) {
        return out_of_memory(s);
    }
    for (size_t i = 0; i < count; i++) {
        front[i] = points[i].candidate;
    }
    free(s->front);
    s->front = front;
    s->front_count = count;
    return true;
}

/* Of all that were simulated, or only of those judged. */
static bool find_front(struct search *s, bool of_judged)
{
    struct front_point *points = malloc((s->count + 1) * sizeof *points);
    size_t count = 0;
    bool ok = points != NULL || out_of_memory(s);
    for (size_t i = 0; ok && i < s->count; i++) {
        const struct candidate *c = &s->candidates[i];
        if (simulated(c) && (!of_judged || c->judged.count > 0)) {
            count += point_of(s, i, &points[count], &ok);
        }
    }
    if (ok) {
        count = thin(points, keep_front(points, count));
        ok = note_front(s, points, count);
    }
    free(points);
    return ok;
}

/* ---- judging ---- */

static size_t list_judged(const struct search *s, size_t *list)
{
    size_t count = 0;
    for (size_t i = 0; i < s->finalist_count; i++) {
        list[count++] = s->finalists[i];
    }
    for (size_t i = 0; i < s->front_count; i++) {
        bool new = true;
        for (size_t k = 0; k < s->finalist_count; k++) {
            new = new && s->finalists[k] != s->front[i];
        }
        if (new) {
            list[count++] = s->front[i];
        }
    }
    return count;
}

static bool run_judged(struct search *s)
{
    size_t list[SEARCH_FINALISTS + 1 + SEARCH_MAX_FRONT];
    const size_t count = list_judged(s, list);
    const uint64_t before = s->spent, left = (uint64_t)s->spec->budget - s->spent;
    uint64_t budget = search_rounds_judge_budget(s);
    budget = budget < left ? budget : left;
    uint64_t worlds = count == 0 ? 0 : budget / count;
    worlds = worlds < SEARCH_MOST_WORLDS ? worlds : SEARCH_MOST_WORLDS;
    if (!search_rounds_run(s, list, count, RANDOM_FIRST_JUDGE, (uint32_t)worlds)) {
        return false;
    }
    s->judge_spent = s->spent - before;
    return search_standing_all(s, list, count, true);
}

/* The best that keeps everything, here and in the worlds of `run`; behind it the best that keeps
 * everything here. */
static bool name_winners(struct search *s)
{
    for (size_t i = 0; i < s->finalist_count; i++) {
        struct candidate *c = &s->candidates[s->finalists[i]];
        bool stands = true;
        if (!c->standing.strict || !c->verdict.strict) {
            continue;
        }
        if (s->chosen == SIZE_MAX) {
            if (!search_confirm(s, c, &stands)) {
                return false;
            }
            s->chosen = stands ? s->finalists[i] : SIZE_MAX;
            c->status = stands ? CANDIDATE_CHOSEN : CANDIDATE_FINALIST;
        } else if (s->runner_up == SIZE_MAX) {
            s->runner_up = s->finalists[i];
            c->status = CANDIDATE_RUNNER_UP;
        }
    }
    return true;
}

/* ---- why not ---- */

static const char *why_broken(const struct search *s, const struct candidate_standing *standing,
                              const struct candidate_worlds *w)
{
    const size_t i = (size_t)standing->broken;
    const struct condition *condition = &s->goal.conditions[i];
    struct estimate e;
    char value[48];
    if (!objective_estimate_from(&condition->objective, w->values + (1 + i) * w->capacity,
                                 w->censored + (1 + i) * w->capacity, w->count, SEARCH_CONFIDENCE,
                                 &e)) {
        return NULL;
    }
    return arena_format(
        s->arena, "breaks %.*s: %s in %s worlds", (int)condition->length, condition->text,
        objective_value_text(&condition->objective, isnan(e.value) ? e.at_least : e.value,
                             s->base->scenario->currency, value),
        figure_count(w->count).text);
}

static const char *why_unfinished(const struct search *s, const struct candidate_standing *standing,
                                  const struct candidate_worlds *w)
{
    return arena_format(s->arena, "not finished in %.3g %% of %s worlds",
                        100 * standing->unfinished, figure_count(w->count).text);
}

static const char *why_unknown(const struct search *s, const struct candidate_standing *standing,
                               const struct candidate_worlds *w)
{
    const struct objective *o = &s->goal.objective;
    if (standing->missing > 0) {
        return arena_format(
            s->arena, "its %.*s does not exist in %s of %s worlds in which another plan has one",
            (int)o->length, o->text, figure_count((double)standing->missing).text,
            figure_count(w->count).text);
    }
    if (standing->objective.n == 0) {
        return arena_format(s->arena, "its %.*s exists in no world", (int)o->length, o->text);
    }
    return arena_format(
        s->arena, "its %.*s is unknown: the work is not finished in %.3g %% of %s worlds",
        (int)o->length, o->text, 100 * standing->unfinished, figure_count(w->count).text);
}

static const char *why_short(const struct search *s, const struct candidate_standing *standing,
                             const struct candidate_worlds *w)
{
    return arena_format(s->arena, "serves only %.4g %% of what comes in %s worlds",
                        100 * standing->served, figure_count(w->count).text);
}

static const char *why_worse(const struct search *s, const struct candidate *c)
{
    char own[48], best[48];
    struct candidate_standing chosen;
    if (s->chosen == SIZE_MAX) {
        return arena_format(s->arena, "worse than others that were left");
    }
    const struct candidate *winner = &s->candidates[s->chosen];
    const uint32_t worlds =
        c->searched.count < winner->searched.count ? c->searched.count : winner->searched.count;
    if (!search_standing(s, winner, false, worlds, &chosen)) {
        return NULL;
    }
    const struct objective *o = &s->goal.objective;
    const char *currency = s->base->scenario->currency;
    return arena_format(
        s->arena, "%.*s is %s; of the chosen plan it is %s in the same %s worlds", (int)o->length,
        o->text, objective_value_text(o, c->standing.objective.value, currency, own),
        objective_value_text(o, chosen.objective.value, currency, best), figure_count(worlds).text);
}

static bool say_why(struct search *s, struct candidate *c)
{
    const bool judged = c->judged.count > 0 && c->standing.strict;
    const struct candidate_standing *standing = judged ? &c->verdict : &c->standing;
    const struct candidate_worlds *w = judged ? &c->judged : &c->searched;
    switch (standing->status) {
    case CHOICE_BREAKS_LIMIT:
        c->reason = !isnan(standing->served) ? why_short(s, standing, w)
                    : standing->tier > 0 || c->status == CANDIDATE_FINALIST
                        ? why_broken(s, standing, w)
                        : why_worse(s, c);
        break;
    case CHOICE_UNFINISHED:
        c->reason = why_unfinished(s, standing, w);
        break;
    case CHOICE_UNKNOWN:
        c->reason = why_unknown(s, standing, w);
        break;
    default:
        c->reason = why_worse(s, c);
        break;
    }
    return c->reason != NULL || out_of_memory(s);
}

bool search_judge(struct search *s)
{
    bool ok = find_front(s, false);
    if (!s->hopeless) {
        ok = ok && run_judged(s) && name_winners(s) && find_front(s, true);
    }
    for (size_t i = 0; ok && i < s->count; i++) {
        struct candidate *c = &s->candidates[i];
        if (simulated(c) && c->status != CANDIDATE_CHOSEN && c->reason == NULL) {
            ok = say_why(s, c);
        }
    }
    return ok;
}
