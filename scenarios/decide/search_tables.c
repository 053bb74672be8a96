/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/search_tables.h"

#include "scenarios/decide/search_confidence.h"
#include "scenarios/decide/search_judge.h"
#include "scenarios/output/result_rows.h"

#include <math.h>

static const char *text_of(const struct search *s, const struct objective *o)
{
    return arena_format(s->arena, "%.*s", (int)o->length, o->text);
}

static void put_interval(struct result_rows *r, const struct estimate *e)
{
    rows_number(r, e->value);
    rows_number(r, e->low);
    rows_number(r, e->high);
}

static void put_nothing(struct result_rows *r, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        rows_number(r, (double)NAN);
    }
}

static bool on_front(const struct search *s, size_t candidate)
{
    for (size_t i = 0; i < s->front_count; i++) {
        if (s->front[i] == candidate) {
            return true;
        }
    }
    return false;
}

static const char *meets_limits(const struct candidate *c)
{
    if (c->searched.count == 0) {
        return "";
    }
    return search_keeps_all(c) ? "yes" : "no";
}

static void put_extra(struct result_rows *r, const struct search *s, const struct candidate *c,
                      enum search_extra extra)
{
    struct estimate e;
    if (!search_judge_estimate(s, c, search_extra(s, extra), &e)) {
        rows_fail(r);
    }
    rows_number(r, e.value);
}

static void put_unfinished(struct result_rows *r, const struct search *s, const struct candidate *c)
{
    const size_t m = search_extra(s, SEARCH_UNFINISHED);
    struct estimate e;
    if (!objective_estimate_from(search_measure(s, m),
                                 c->searched.values + m * c->searched.capacity,
                                 c->searched.censored + m * c->searched.capacity, c->searched.count,
                                 SEARCH_CONFIDENCE, &e)) {
        rows_fail(r);
    }
    rows_number(r, e.value);
}

static void put_difference(struct result_rows *r, const struct search *s, const struct candidate *c)
{
    double difference = (double)NAN, error = (double)NAN;
    if (s->chosen != SIZE_MAX && c != &s->candidates[s->chosen] && c->standing.objective.known) {
        const struct candidate_worlds *best = &s->candidates[s->chosen].searched;
        uint32_t n = c->searched.count < best->count ? c->searched.count : best->count;
        if (!search_confidence_difference(s, &c->searched, best, n, &difference, &error)) {
            rows_fail(r);
        }
    }
    rows_number(r, s->goal.maximise ? -difference : difference);
    rows_number(r, error);
}

static void put_simulated(struct result_rows *r, const struct search *s, size_t index)
{
    const struct candidate *c = &s->candidates[index];
    put_interval(r, &c->standing.objective);
    put_unfinished(r, s, c);
    rows_text(r, meets_limits(c));
    put_extra(r, s, c, SEARCH_COST);
    put_extra(r, s, c, SEARCH_TIME);
    rows_integer(r, c->judged.count);
    if (c->judged.count > 0) {
        put_interval(r, &c->verdict.objective);
    } else {
        put_nothing(r, 3);
    }
    put_difference(r, s, c);
    rows_text(r, on_front(s, index) ? "yes" : "");
}

struct table *search_table_candidates(const struct search *s)
{
    struct result_rows r;
    const struct objective *o = &s->goal.objective;
    char unit[16];
    rows_begin(&r, "candidates", s->base->scenario->currency);
    const char *objective = text_of(s, o);
    metric_unit(o->metric, s->base->scenario->currency, unit);
    for (size_t i = 0; i < s->count; i++) {
        const struct candidate *c = &s->candidates[i];
        rows_next(&r);
        rows_text(&r, c->plan.name);
        rows_text(&r, candidate_status_names[c->status]);
        rows_text(&r, search_plan_text(s, c));
        rows_integer(&r, c->rounds);
        rows_integer(&r, c->searched.count);
        rows_text(&r, objective);
        rows_text(&r, unit);
        if (c->searched.count > 0) {
            put_simulated(&r, s, i);
        } else {
            put_nothing(&r, 4);
            rows_text(&r, "");
            put_nothing(&r, 2);
            rows_integer(&r, 0);
            put_nothing(&r, 5);
            rows_text(&r, "");
        }
        rows_text(&r, c->reason);
    }
    return rows_end(&r);
}

struct table *search_table_front(const struct search *s)
{
    struct result_rows r;
    rows_begin(&r, "front", s->base->scenario->currency);
    const char *cost = text_of(s, search_measure(s, search_extra(s, SEARCH_COST)));
    const char *time = text_of(s, search_measure(s, search_extra(s, SEARCH_TIME)));
    for (size_t i = 0; i < s->front_count; i++) {
        const struct candidate *c = &s->candidates[s->front[i]];
        struct estimate e;
        rows_next(&r);
        rows_text(&r, c->plan.name);
        rows_text(&r, candidate_status_names[c->status]);
        rows_text(&r, search_plan_text(s, c));
        rows_text(&r, meets_limits(c));
        rows_integer(&r, c->judged.count);
        rows_text(&r, cost);
        if (!search_judge_estimate(s, c, search_extra(s, SEARCH_COST), &e)) {
            rows_fail(&r);
        }
        put_interval(&r, &e);
        rows_text(&r, time);
        if (!search_judge_estimate(s, c, search_extra(s, SEARCH_TIME), &e)) {
            rows_fail(&r);
        }
        put_interval(&r, &e);
    }
    return rows_end(&r);
}
