/* SPDX-License-Identifier: GPL-3.0-or-later
 * See coverage_run.h. */
#include "models/commitments/coverage_run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct coverage_run {
    const struct coverage *coverage;
    struct coverage_work *work;
    int64_t *running; /* by slot */
    int64_t *hour_us; /* usage of the hour, by slot */
};

static int compare_changes(const void *left, const void *right)
{
    const struct coverage_change *a = left, *b = right;
    if (a->at_us != b->at_us) {
        return a->at_us < b->at_us ? -1 : 1;
    }
    if (a->slot != b->slot) {
        return a->slot < b->slot ? -1 : 1;
    }
    return (a->delta > b->delta) - (a->delta < b->delta);
}

void coverage_changes_sort(struct coverage_change *changes, size_t count)
{
    if (count > 0) {
        qsort(changes, count, sizeof *changes, compare_changes);
    }
}

struct coverage_run *coverage_run_new(const struct coverage *c)
{
    struct coverage_run *r = calloc(1, sizeof *r);
    if (!r) {
        return NULL;
    }
    r->coverage = c;
    r->work = coverage_work_new(c);
    r->running = calloc(coverage_slots(c) + 1, sizeof *r->running);
    r->hour_us = calloc(coverage_slots(c) + 1, sizeof *r->hour_us);
    if (!r->work || !r->running || !r->hour_us) {
        coverage_run_free(r);
        return NULL;
    }
    return r;
}

void coverage_run_free(struct coverage_run *r)
{
    if (r) {
        coverage_work_free(r->work);
        free(r->running);
        free(r->hour_us);
        free(r);
    }
}

/* ---- the walk through time ------------------------------------------------------- */

/* Where the walk is: the next change, the next edge of a commitment, the next cut. */
struct coverage_walk {
    struct coverage_run *run;
    const struct coverage_span *span;
    const struct coverage_change *changes;
    const int64_t *edges_us;
    size_t change_count, edge_count;
    size_t change, edge, cut;
    int64_t phase_us; /* from a full clock hour to the scenario's start */
    enum coverage_run_end end;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The next full clock hour after at_us. */
static int64_t hour_end(const struct coverage_walk *w, int64_t at_us)
{
    int64_t into_us = (at_us + w->phase_us) % HOUR_US;
    return at_us + HOUR_US - (into_us < 0 ? into_us + HOUR_US : into_us);
}

static int64_t next_change(const struct coverage_walk *w)
{
    return w->change < w->change_count ? w->changes[w->change].at_us : INT64_MAX;
}

/* All changes of one instant together: they may go through negative numbers in between. */
static void apply_changes(struct coverage_walk *w, int64_t until_us)
{
    const struct coverage_run *r = w->run;
    while (next_change(w) <= until_us) {
        size_t first = w->change;
        int64_t at_us = next_change(w);
        for (; next_change(w) == at_us; w->change++) {
            const struct coverage_change *c = &w->changes[w->change];
            assert(c->slot < coverage_slots(r->coverage));
            r->running[c->slot] += c->delta;
        }
        assert(w->change == w->change_count || next_change(w) > at_us);
        for (size_t i = first; i < w->change; i++) {
            int64_t count = r->running[w->changes[i].slot];
            if (count < 0) {
                w->end = COVERAGE_RUN_NEGATIVE;
            } else if (count > COVERAGE_RUNNING_MAX && w->end == COVERAGE_RUN_DONE) {
                w->end = COVERAGE_RUN_TOO_MUCH;
            }
        }
    }
}

static void set_hour(const struct coverage_walk *w, int64_t us)
{
    const struct coverage_run *r = w->run;
    for (size_t i = 0; i < coverage_slots(r->coverage); i++) {
        r->hour_us[i] = r->running[i] * us;
    }
}

/* Usage of an hour in which the count changes. */
static void integrate_hour(struct coverage_walk *w, int64_t from_us, int64_t to_us)
{
    const struct coverage_run *r = w->run;
    memset(r->hour_us, 0, coverage_slots(r->coverage) * sizeof *r->hour_us);
    while (w->end == COVERAGE_RUN_DONE && from_us < to_us) {
        int64_t until_us = least(next_change(w), to_us);
        for (size_t i = 0; i < coverage_slots(r->coverage); i++) {
            r->hour_us[i] += r->running[i] * (until_us - from_us);
        }
        from_us = until_us;
        if (from_us < to_us) {
            apply_changes(w, from_us);
        }
    }
}

/* The end of the stretch from at_us, a full hour, in which whole hours are equal; at_us itself when
 * there is not one. */
static int64_t equal_until(struct coverage_walk *w, int64_t at_us)
{
    const struct coverage_span *span = w->span;
    while (w->edge < w->edge_count && w->edges_us[w->edge] <= at_us) {
        w->edge++;
    }
    while (w->cut < span->cut_count && span->cut_us[w->cut] <= at_us) {
        w->cut++;
    }
    int64_t until_us = least(next_change(w), span->to_us);
    if (w->edge < w->edge_count) {
        until_us = least(until_us, w->edges_us[w->edge]);
    }
    if (w->cut < span->cut_count) {
        /* The hour that holds a cut may go with those before it. */
        until_us = least(until_us, hour_end(w, span->cut_us[w->cut] - 1));
    }
    return at_us + (until_us - at_us) / HOUR_US * HOUR_US;
}

/* The next hour, or equal hours; where it ends. */
static int64_t step(struct coverage_walk *w, int64_t at_us)
{
    apply_changes(w, at_us);
    int64_t until_us = least(hour_end(w, at_us), w->span->to_us);
    if (until_us - at_us == HOUR_US) {
        int64_t equal_us = equal_until(w, at_us);
        if (equal_us > at_us) {
            set_hour(w, HOUR_US);
            return equal_us;
        }
    }
    if (next_change(w) >= until_us) {
        set_hour(w, until_us - at_us);
    } else {
        integrate_hour(w, at_us, until_us);
    }
    return until_us;
}

enum coverage_run_end coverage_run(struct coverage_run *r, const struct coverage_change *changes,
                                   size_t change_count, const struct coverage_span *span,
                                   void (*sink)(void *context, const struct coverage_outcome *o),
                                   void *context)
{
    assert(span->from_us < span->to_us);
    const int64_t hour_s = HOUR_US / MICROSECONDS;
    struct coverage_walk w = {.run = r,
                              .span = span,
                              .changes = changes,
                              .change_count = change_count,
                              .phase_us = span->start_unix_s % hour_s * MICROSECONDS,
                              .end = COVERAGE_RUN_DONE};
    w.edge_count = coverage_edges(r->coverage, &w.edges_us);
    memset(r->running, 0, coverage_slots(r->coverage) * sizeof *r->running);
    for (int64_t at_us = span->from_us; at_us < span->to_us;) {
        int64_t until_us = step(&w, at_us);
        if (w.end != COVERAGE_RUN_DONE) {
            return w.end;
        }
        const struct coverage_outcome *o =
            coverage_match(r->coverage, r->work, r->hour_us, at_us, until_us);
        if (o->overflow) {
            return COVERAGE_RUN_OVERFLOW;
        }
        sink(context, o);
        at_us = until_us;
    }
    return COVERAGE_RUN_DONE;
}

/* ---- sums --------------------------------------------------------------------------- */

bool coverage_sums_init(struct coverage_sums *s, const struct coverage *c)
{
    size_t commitments = coverage_commitments(c), slots = coverage_slots(c);
    *s = (struct coverage_sums){
        .commitments = commitments,
        .slots = slots,
        .used = calloc(commitments + 1, sizeof *s->used),
        .unused = calloc(commitments + 1, sizeof *s->unused),
        .covered_us = calloc(slots + 1, sizeof *s->covered_us),
        .on_demand_us = calloc(slots + 1, sizeof *s->on_demand_us),
        .covered = calloc(slots + 1, sizeof *s->covered),
        .on_demand = calloc(slots + 1, sizeof *s->on_demand),
    };
    if (!s->used || !s->unused || !s->covered_us || !s->on_demand_us || !s->covered ||
        !s->on_demand) {
        coverage_sums_release(s);
        return false;
    }
    return true;
}

void coverage_sums_release(struct coverage_sums *s)
{
    free(s->used);
    free(s->unused);
    free(s->covered_us);
    free(s->on_demand_us);
    free(s->covered);
    free(s->on_demand);
    *s = (struct coverage_sums){0};
}

void coverage_sums_clear(struct coverage_sums *s)
{
    memset(s->used, 0, s->commitments * sizeof *s->used);
    memset(s->unused, 0, s->commitments * sizeof *s->unused);
    memset(s->covered_us, 0, s->slots * sizeof *s->covered_us);
    memset(s->on_demand_us, 0, s->slots * sizeof *s->on_demand_us);
    memset(s->covered, 0, s->slots * sizeof *s->covered);
    memset(s->on_demand, 0, s->slots * sizeof *s->on_demand);
    s->paid = s->total = 0;
    s->overflow = false;
}

static void add(int64_t *sum, int64_t amount, bool *overflow)
{
    if (__builtin_add_overflow(*sum, amount, sum) || *sum == INT64_MAX) {
        *sum = INT64_MAX;
        *overflow = true;
    }
}

void coverage_sums_add(void *sums, const struct coverage_outcome *o)
{
    struct coverage_sums *s = sums;
    s->overflow |= o->overflow;
    for (size_t i = 0; i < s->commitments; i++) {
        add(&s->used[i], o->used[i], &s->overflow);
        add(&s->unused[i], o->unused[i], &s->overflow);
        add(&s->paid, o->used[i], &s->overflow);
        add(&s->paid, o->unused[i], &s->overflow);
        add(&s->total, o->used[i], &s->overflow);
        add(&s->total, o->unused[i], &s->overflow);
    }
    for (size_t i = 0; i < o->cover_count; i++) {
        add(&s->covered_us[o->covers[i].slot], o->covers[i].us, &s->overflow);
        add(&s->covered[o->covers[i].slot], o->covers[i].money, &s->overflow);
    }
    for (size_t i = 0; i < s->slots; i++) {
        add(&s->on_demand_us[i], o->on_demand_us[i], &s->overflow);
        add(&s->on_demand[i], o->on_demand[i], &s->overflow);
        add(&s->total, o->on_demand[i], &s->overflow);
    }
}
