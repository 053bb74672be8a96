/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/search_standing.h"

#include "engine/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool out_of_memory(const struct search *s)
{
    diagnostics_add(s->diagnostics, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    return false;
}

static const struct candidate_worlds *worlds_of(const struct candidate *c, bool judged)
{
    return judged ? &c->judged : &c->searched;
}

/* ---- one by itself ---- */

static bool estimate(const struct search *s, const struct candidate_worlds *w, size_t measure,
                     uint32_t worlds, struct estimate *e)
{
    return objective_estimate_from(search_measure(s, measure), w->values + measure * w->capacity,
                                   w->censored + measure * w->capacity, worlds, SEARCH_CONFIDENCE,
                                   e) ||
           out_of_memory(s);
}

/* By how much a value misses a bound, as a share of it; of what is not known its worse end. */
static double excess_of(const struct condition *c, const struct estimate *e)
{
    const bool upper = c->op == CONDITION_AT_MOST || c->op == CONDITION_BELOW;
    const double value = upper ? e->at_most : e->at_least;
    const double scale = fmax(fabs(c->bound), 0.01);
    return isfinite(value) ? fmin(fabs(value - c->bound) / scale, 1e6) : 1e6;
}

/* The benefit of the doubt is of chance alone: what unfinished work leaves open stays open. */
static bool weigh_conditions(const struct search *s, const struct candidate_worlds *w,
                             uint32_t worlds, struct candidate_standing *standing)
{
    for (size_t i = 0; i < s->goal.condition_count; i++) {
        const struct condition *c = &s->goal.conditions[i];
        struct estimate e;
        if (!estimate(s, w, 1 + i, worlds, &e)) {
            return false;
        }
        const bool holds = eligibility_holds(c, &e);
        if (!holds && standing->broken < 0) {
            standing->broken = (int)i;
        }
        if (!holds && (!e.known || condition_fails(c, e.low, e.high))) {
            standing->tier = 1;
        }
        standing->excess += holds ? 0 : excess_of(c, &e);
    }
    return true;
}

/* Over all these worlds; NaN: there is none. */
static double share_of(const struct candidate_worlds *w, uint32_t worlds, size_t served,
                       size_t wanted)
{
    const double *a = w->values + served * w->capacity, *b = w->values + wanted * w->capacity;
    struct served_sum sum = {0};
    for (uint32_t i = 0; i < worlds; i++) {
        served_sum_add(&sum, a[i], b[i]);
    }
    return served_sum_share(&sum);
}

/* A service that serves less than it should is never chosen. Of usage by the clock boots are never
 * served: what is possible, the best plan shows. */
static void weigh_services(const struct search *s, const struct candidate_worlds *w, bool judged,
                           uint32_t worlds, struct candidate_standing *standing)
{
    standing->served = (double)NAN;
    for (size_t k = 0; k < s->base->workload_count; k++) {
        double least = s->goal.serve_at_least;
        double share = share_of(w, worlds, search_service(s, k, SEARCH_REQUESTS_SERVED),
                                search_service(s, k, SEARCH_REQUESTS));
        if (isnan(share)) {
            share = share_of(w, worlds, search_service(s, k, SEARCH_NODES_SERVED),
                             search_service(s, k, SEARCH_NODES_NEEDED));
            least *= s->seen[judged].best_served[k];
        }
        if (share < least) {
            standing->tier = 1;
            standing->excess += (least - share) / least;
            standing->served = share;
        }
    }
}

/* Share of all worlds; with the lower end of its interval. */
static double unfinished_share(const struct search *s, const struct candidate_worlds *w,
                               uint32_t worlds, double *low)
{
    const double *column = w->values + search_extra(s, SEARCH_UNFINISHED) * w->capacity;
    size_t cut = 0;
    double high;
    for (uint32_t i = 0; i < worlds; i++) {
        cut += column[i] > 0; /* NaN: cancelled, which is not unfinished */
    }
    share_interval(cut, worlds, SEARCH_CONFIDENCE, low, &high);
    return worlds == 0 ? 1 : (double)cut / (double)worlds;
}

static size_t missing_in(const struct search *s, const struct candidate_worlds *w, bool judged,
                         uint32_t worlds)
{
    size_t missing = 0;
    for (uint32_t i = 0; i < worlds; i++) {
        missing += isnan(w->values[i]) && s->seen[judged].valued[i];
    }
    return missing;
}

/* missing: whether worlds in which others have a value count. */
static bool stand(const struct search *s, const struct candidate *c, bool judged, uint32_t worlds,
                  bool missing, struct candidate_standing *standing)
{
    const struct candidate_worlds *w = worlds_of(c, judged);
    const struct estimate *o = &standing->objective;
    double low;
    *standing = (struct candidate_standing){.broken = -1};
    if (!estimate(s, w, 0, worlds, &standing->objective) ||
        !weigh_conditions(s, w, worlds, standing)) {
        return false;
    }
    weigh_services(s, w, judged, worlds, standing);
    standing->unfinished = unfinished_share(s, w, worlds, &low);
    standing->missing = missing ? missing_in(s, w, judged, worlds) : 0;
    standing->status =
        eligibility_status(&(struct eligibility){.unfinished = standing->unfinished,
                                                 .short_of = !isnan(standing->served),
                                                 .broken = standing->broken >= 0,
                                                 .missing = standing->missing,
                                                 .value = o});
    standing->strict = standing->status == CHOICE_WORSE;
    double value = o->known ? o->value : s->goal.maximise ? o->at_most : o->at_least;
    if (low > CHOICE_MOST_UNFINISHED || standing->missing > 0 || !o->known) {
        standing->tier = 2;
    }
    value = o->n == 0 || !isfinite(value) ? 0 : value;
    standing->loss = s->goal.maximise ? -value : value;
    return true;
}

bool search_standing(const struct search *s, const struct candidate *c, bool judged,
                     uint32_t worlds, struct candidate_standing *standing)
{
    return stand(s, c, judged, worlds, true, standing);
}

/* ---- all of them ---- */

static void note_best_served(struct search *s, const struct candidate_worlds *w, bool judged)
{
    double *best = s->seen[judged].best_served;
    for (size_t k = 0; k < s->base->workload_count; k++) {
        const double share = share_of(w, w->count, search_service(s, k, SEARCH_NODES_SERVED),
                                      search_service(s, k, SEARCH_NODES_NEEDED));
        best[k] = fmax(best[k], share);
    }
}

static void note_values(struct search *s, const struct candidate_worlds *w, bool judged)
{
    for (uint32_t i = 0; i < w->count; i++) {
        if (!isnan(w->values[i])) {
            s->seen[judged].valued[i] = 1;
        }
    }
}

bool search_standing_all(struct search *s, const size_t *candidates, size_t count, bool judged)
{
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        note_best_served(s, worlds_of(&s->candidates[candidates[i]], judged), judged);
    }
    for (int pass = 0; ok && pass < 2; pass++) {
        for (size_t i = 0; ok && i < count; i++) {
            struct candidate *c = &s->candidates[candidates[i]];
            struct candidate_standing *standing = judged ? &c->verdict : &c->standing;
            const struct candidate_worlds *w = worlds_of(c, judged);
            ok = stand(s, c, judged, w->count, pass > 0, standing);
            if (ok && pass == 0 && standing->strict) {
                note_values(s, w, judged);
            }
        }
    }
    return ok;
}

/* ---- none of them ---- */

#define HOPELESS_CONFIDENCE 0.999
#define HOPELESS_WORLDS     100

static bool is_hopeless(const struct search *s, const struct candidate *c, bool *hopeless)
{
    const struct candidate_worlds *w = &c->searched;
    const double *unfinished = w->values + search_extra(s, SEARCH_UNFINISHED) * w->capacity;
    size_t cut = 0;
    double low, high;
    *hopeless = false;
    if (w->count < HOPELESS_WORLDS) {
        return true;
    }
    for (uint32_t i = 0; i < w->count; i++) {
        cut += unfinished[i] > 0;
    }
    share_interval(cut, w->count, HOPELESS_CONFIDENCE, &low, &high);
    *hopeless = low > CHOICE_MOST_UNFINISHED;
    for (size_t i = 0; !*hopeless && i < s->goal.condition_count; i++) {
        const size_t m = 1 + i;
        struct estimate e;
        if (!objective_estimate_from(search_measure(s, m), w->values + m * w->capacity,
                                     w->censored + m * w->capacity, w->count, HOPELESS_CONFIDENCE,
                                     &e)) {
            return out_of_memory(s);
        }
        *hopeless = e.known && condition_fails(&s->goal.conditions[i], e.low, e.high);
    }
    return true;
}

bool search_standing_hopeless(const struct search *s, const size_t *candidates, size_t count,
                              bool *hopeless)
{
    bool ok = true;
    *hopeless = count > 0;
    for (size_t i = 0; ok && *hopeless && i < count; i++) {
        ok = is_hopeless(s, &s->candidates[candidates[i]], hopeless);
    }
    return ok;
}

/* ---- order ---- */

bool search_standing_before(const struct candidate_standing *a, const struct candidate_standing *b)
{
    if (a->tier != b->tier) {
        return a->tier < b->tier;
    }
    if (a->tier == 1 && (a->excess < b->excess || a->excess > b->excess)) {
        return a->excess < b->excess;
    }
    return a->loss < b->loss;
}

/* Merge sort: stable, and in no need of a context. */
static void merge_sort(const struct search *s, size_t *list, size_t *room, size_t count)
{
    const size_t half = count / 2;
    if (count < 2) {
        return;
    }
    merge_sort(s, list, room, half);
    merge_sort(s, list + half, room, count - half);
    memcpy(room, list, count * sizeof *room);
    for (size_t i = 0, a = 0, b = half; i < count; i++) {
        bool second =
            a == half || (b < count && search_standing_before(&s->candidates[room[b]].standing,
                                                              &s->candidates[room[a]].standing));
        list[i] = room[second ? b++ : a++];
    }
}

void search_standing_sort(const struct search *s, size_t *candidates, size_t count)
{
    size_t *room = malloc((count + 1) * sizeof *room);
    if (room == NULL) { /* slower, and the same */
        for (size_t i = 1; i < count; i++) {
            size_t c = candidates[i], k = i;
            for (; k > 0 && search_standing_before(&s->candidates[c].standing,
                                                   &s->candidates[candidates[k - 1]].standing);
                 k--) {
                candidates[k] = candidates[k - 1];
            }
            candidates[k] = c;
        }
        return;
    }
    merge_sort(s, candidates, room, count);
    free(room);
}
