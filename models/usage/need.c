/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/usage/need.h"

#include "engine/civil_time.h"
#include "models/fleet/moment.h"
#include "models/fleet/work_making.h"

#include <math.h>

#define HOUR_S       3600
#define HOURS_A_DAY  24
#define HOURS_A_WEEK 168

/* ---- planning ---- */

static bool make_moment(double *s, const char *text, struct place where, const char *key,
                        const struct market_context *c)
{
    char message[256];
    if (text == NULL || moment_parse(text, c->start_unix_s, s, message, sizeof message)) {
        return true;
    }
    return work_complain(c, DIAGNOSTIC_ERROR, where, true, "'%s' is '%.60s'; %s", key, text,
                         message);
}

static bool make_span(struct need_span *span, const struct need_item *i,
                      const struct market_context *c)
{
    *span = (struct need_span){.from_s = 0, .to_s = HUGE_VAL};
    if (!make_moment(&span->from_s, i->from, i->from_place, "from", c)) {
        return false;
    }
    if (i->length_given) {
        int64_t from_unix_s = c->start_unix_s + (int64_t)floor(span->from_s);
        int64_t months_s = civil_add_months(from_unix_s, i->length.months) - from_unix_s;
        span->to_s = span->from_s + (double)months_s + i->length.value;
    }
    return true;
}

static bool is_timed(const struct need_item *i)
{
    return i->from != NULL || i->length_given;
}

static bool check_item(const struct need_plan *p, const struct need_item *i,
                       const struct market_context *c)
{
    struct place where = i->item.place;
    if (i->file == NULL && !i->nodes.given) {
        return work_complain(c, DIAGNOSTIC_ERROR, where, true,
                             "this item of 'nodes' states no number; expected such as 'nodes: 8'");
    }
    if (i->file != NULL && (i->nodes.given || is_timed(i))) {
        return work_complain(c, DIAGNOSTIC_ERROR, i->file_place, true,
                             "'file' says when and how many; it stands alone");
    }
    if (i->file != NULL && p->spec->nodes.count > 1) {
        return work_complain(c, DIAGNOSTIC_ERROR, i->file_place, true,
                             "'file' stands beside other items; expected 'nodes: {file: %.60s}'",
                             i->file);
    }
    return true;
}

/* Several numbers of which none says when it holds are a profile. */
static bool make_shape(struct need_plan *p, const struct market_context *c)
{
    const struct need_item *items = p->spec->nodes.items;
    size_t count = p->spec->nodes.count;
    bool profile = count > 1, good = true;
    for (size_t i = 0; i < count; i++) {
        profile = profile && !is_timed(&items[i]) && items[i].file == NULL;
    }
    for (size_t i = 0; i < count; i++) {
        good &= check_item(p, &items[i], c);
    }
    if (good && profile && count != HOURS_A_DAY && count != HOURS_A_WEEK) {
        good = work_complain(
            c, DIAGNOSTIC_ERROR, p->spec->nodes_place, true,
            "%zu numbers of nodes; a profile has 24, one for each hour of the day (UTC), or "
            "168, one for each hour of the week from Monday on; an item of a list says 'from' or "
            "'for'",
            count);
    }
    p->shape = items[0].file != NULL   ? NEED_FILE
               : !profile              ? NEED_ITEMS
               : count == HOURS_A_WEEK ? NEED_WEEK
                                       : NEED_DAY;
    return good;
}

static bool make_spans(struct need_plan *p, const struct market_context *c)
{
    const struct need_item *items = p->spec->nodes.items;
    struct need_span *spans = arena_array(c->arena, p->spec->nodes.count, sizeof *spans);
    bool good = spans != NULL;
    for (size_t i = 0; good && i < p->spec->nodes.count; i++) {
        good = make_span(&spans[i], &items[i], c);
    }
    p->spans = spans;
    return good;
}

/* Where the list is over, which may be never. */
static double end_of_list(const struct need_plan *p)
{
    double end_s = p->shape == NEED_ITEMS ? 0 : HUGE_VAL;
    for (size_t i = 0; p->shape == NEED_ITEMS && i < p->spec->nodes.count; i++) {
        end_s = fmax(end_s, p->spans[i].to_s);
    }
    return end_s;
}

bool need_plan_make(struct need_plan *p, const struct usage_spec *spec,
                    const struct project *project, const struct market_context *c)
{
    *p = (struct need_plan){.spec = spec,
                            .project = project,
                            .start_unix_s = c->start_unix_s,
                            .horizon_s = c->horizon_s};
    double until_s = HUGE_VAL;
    bool good = make_shape(p, c);
    good &= make_moment(&p->from_s, spec->from, spec->from_place, "from", c);
    good &= make_moment(&until_s, spec->until, spec->until_place, "until", c);
    if (!good || (p->shape == NEED_ITEMS && !make_spans(p, c))) {
        return false;
    }
    p->from_s = fmax(0, p->from_s);
    p->stated_end_s = fmin(until_s, end_of_list(p));
    p->ends = p->stated_end_s <= c->horizon_s;
    p->end_s = fmin(p->stated_end_s, c->horizon_s);
    if (p->from_s >= p->end_s) {
        bool late = p->from_s >= c->horizon_s;
        return work_complain(c, DIAGNOSTIC_ERROR, late ? spec->from_place : spec->item.place, true,
                             "'%s' %s", spec->item.name,
                             late ? "begins at or after the horizon; lengthen 'horizon'"
                                  : "ends before it begins; check its 'from', 'until' and 'nodes'");
    }
    return true;
}

/* ---- the largest need ---- */

/* Draws are quantiles of a uniform below 1: none is above this. */
static double upper(const struct number *n, const struct inputs *inputs)
{
    const double last = 1 - 0x1p-53;
    return n->input < 0
               ? n->median
               : distribution_quantile(&inputs_at(inputs, (size_t)n->input)->distribution, last);
}

/* The number of nodes at t by whatever `value` says of each number, before it is scaled. */
typedef double value_of(const struct number *n, const void *context);

static double upper_value(const struct number *n, const void *context)
{
    return upper(n, context);
}

static double world_value(const struct number *n, const void *context)
{
    return number_value(n, context);
}

static double items_at(const struct need_plan *p, double t_s, double *to_s, value_of *value,
                       const void *context)
{
    const struct need_item *items = p->spec->nodes.items;
    double nodes = 0;
    for (size_t i = 0; i < p->spec->nodes.count; i++) {
        const struct need_span *s = &p->spans[i];
        if (t_s < s->from_s) {
            *to_s = fmin(*to_s, s->from_s);
        } else if (t_s < s->to_s) {
            *to_s = fmin(*to_s, s->to_s);
            nodes += value(&items[i].nodes, context);
        }
    }
    return nodes;
}

static double profile_at(const struct need_plan *p, double t_s, double *to_s, value_of *value,
                         const void *context)
{
    const struct need_item *items = p->spec->nodes.items;
    int64_t second = p->start_unix_s + (int64_t)floor(t_s);
    int64_t hour_unix_s = second - second % HOUR_S; /* no scenario begins before 1970 */
    int64_t hour = hour_unix_s / HOUR_S % HOURS_A_DAY;
    if (p->shape == NEED_WEEK) {
        hour += HOURS_A_DAY * civil_weekday(hour_unix_s);
    }
    *to_s = fmin(*to_s, (double)(hour_unix_s + HOUR_S - p->start_unix_s));
    return value(&items[hour].nodes, context);
}

static double file_at(const struct need_plan *p, double t_s, double *to_s)
{
    const struct need_steps *s = &p->spec->steps;
    size_t low = 0, high = s->count; /* rows before low are at or before t, from high on after it */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->items[middle].from_s <= t_s) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < s->count) {
        *to_s = fmin(*to_s, s->items[low].from_s);
    }
    return low > 0 ? s->items[low - 1].nodes : 0;
}

/* Unscaled; *to_s: where it may change next, at most end_s. */
static double nodes_at(const struct need_plan *p, double t_s, double slip_s, double end_s,
                       double *to_s, value_of *value, const void *context)
{
    if (p->shape != NEED_ITEMS && p->shape != NEED_FILE) {
        *to_s = end_s;
        return profile_at(p, t_s, to_s, value, context);
    }
    double own_s = t_s - slip_s, nodes;
    do {
        double own_to_s = INFINITY;
        nodes = p->shape == NEED_FILE ? file_at(p, own_s, &own_to_s)
                                      : items_at(p, own_s, &own_to_s, value, context);
        *to_s = fmin(own_to_s + slip_s, end_s);
        own_s = own_to_s; /* where rounding left t just before a change that is due */
    } while (*to_s <= t_s && t_s < end_s);
    return nodes;
}

double need_most(const struct need_plan *p, const struct inputs *inputs)
{
    double most = 0, to_s;
    bool profile = p->shape == NEED_DAY || p->shape == NEED_WEEK;
    const struct need_item *items = p->spec->nodes.items;
    for (size_t i = 0; profile && p->project != NULL && i < p->spec->nodes.count; i++) {
        most = fmax(most, upper(&items[i].nodes, inputs)); /* it may slip into any hour */
    }
    for (double t_s = p->from_s; t_s < p->end_s; t_s = to_s) {
        most = fmax(most, nodes_at(p, t_s, 0, p->end_s, &to_s, upper_value, inputs));
    }
    double grown = p->project == NULL ? 1 : 1 + upper(&p->project->spec.grow.work, inputs);
    return floor(most * upper(&p->spec->scale, inputs) * grown + 0.5);
}

/* ---- a walk ---- */

static uint32_t scaled_at(const struct need *n, double t_s, double *to_s)
{
    double nodes = nodes_at(n->plan, t_s, n->slip_s, n->end_s, to_s, world_value, n->drawn);
    return (uint32_t)floor(nodes * n->scale + 0.5);
}

/* Lengthens the stretch as far as the number of nodes holds. */
static void stretch(struct need *n)
{
    double to_s;
    while (n->to_s < n->end_s && scaled_at(n, n->to_s, &to_s) == n->nodes) {
        n->to_s = to_s;
    }
}

void need_begin(struct need *n, const struct need_plan *p, const double *drawn)
{
    double slip_s = p->project == NULL ? 0 : project_slip_s(p->project, drawn);
    double grown = p->project == NULL ? 1 : project_work_factor(p->project, drawn);
    double end_s = p->stated_end_s + slip_s;
    *n = (struct need){.plan = p,
                       .drawn = drawn,
                       .from_s = p->from_s + slip_s,
                       .slip_s = slip_s,
                       .scale = number_value(&p->spec->scale, drawn) * grown,
                       .end_s = fmin(end_s, p->horizon_s),
                       .ends = end_s <= p->horizon_s};
    if (n->from_s >= n->end_s) {
        n->to_s = n->from_s;
        return;
    }
    n->nodes = scaled_at(n, n->from_s, &n->to_s);
    stretch(n);
}

bool need_next(struct need *n)
{
    if (n->to_s >= n->end_s) {
        return false;
    }
    n->from_s = n->to_s;
    n->nodes = scaled_at(n, n->from_s, &n->to_s);
    stretch(n);
    return true;
}
