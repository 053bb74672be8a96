/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/demand.h"

#include "engine/civil_time.h"
#include "models/fleet/moment.h"
#include "models/fleet/work_making.h"

#include <math.h>

#define HOUR_S 3600.0
enum { HOURS_A_DAY = 24, HOURS_A_WEEK = 168 };

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

static bool make_profile(struct demand_plan *p, const char *name, const struct market_context *c)
{
    const struct schema_list *profile = &p->spec->profile;
    const struct demand_hour *hours = profile->items;
    double sum = 0;
    for (size_t i = 0; i < profile->count; i++) {
        sum += hours[i].share.median;
    }
    p->hours = profile->count;
    if (p->hours == 0) {
        return true;
    }
    if (p->hours != HOURS_A_DAY && p->hours != HOURS_A_WEEK) {
        return work_complain(c, DIAGNOSTIC_ERROR, p->spec->profile_place, true,
                             "the profile of '%s' has %zu numbers; expected 24, one for each hour "
                             "of the day (UTC), or 168, one for each of the week from Monday on",
                             name, p->hours);
    }
    if (!(sum > 0)) {
        return work_complain(c, DIAGNOSTIC_ERROR, p->spec->profile_place, true,
                             "the profile of '%s' is 0 in every hour; state 'rate: 0/s' where no "
                             "requests come",
                             name);
    }
    return true;
}

static bool make_events(struct demand_plan *p, const struct market_context *c)
{
    const struct demand_event *events = p->spec->events.items;
    bool good = true;
    p->event_from_s = arena_array(c->arena, p->spec->events.count + 1, sizeof *p->event_from_s);
    if (p->event_from_s == NULL) {
        return false;
    }
    for (size_t i = 0; i < p->spec->events.count; i++) {
        good &= make_moment(&p->event_from_s[i], events[i].from, events[i].from_place, "from", c);
    }
    return good;
}

bool demand_plan_make(struct demand_plan *p, const struct demand_spec *spec,
                      const char *workload_name, const struct project *project,
                      const struct market_context *c)
{
    *p = (struct demand_plan){.spec = spec,
                              .project = project,
                              .start_unix_s = c->start_unix_s,
                              .horizon_s = c->horizon_s,
                              .stated_end_s = HUGE_VAL,
                              .source = random_source("workload/%s/bursts", workload_name)};
    bool good = make_profile(p, workload_name, c);
    good &= make_events(p, c);
    good &= make_moment(&p->from_s, spec->from, spec->from_place, "from", c);
    good &= make_moment(&p->stated_end_s, spec->until, spec->until_place, "until", c);
    if (!good) {
        return false;
    }
    p->from_s = fmax(0, p->from_s);
    p->end_s = fmin(p->stated_end_s, c->horizon_s);
    if (p->from_s >= p->end_s) {
        bool late = p->from_s >= c->horizon_s;
        return work_complain(c, DIAGNOSTIC_ERROR, late ? spec->from_place : spec->until_place, true,
                             "the demand of '%s' %s", workload_name,
                             late ? "begins at or after the horizon; lengthen 'horizon'"
                                  : "ends before it begins; check 'from' and 'until'");
    }
    if (spec->has_bursts && spec->bursts.length.median >= spec->bursts.every.median) {
        return work_complain(c, DIAGNOSTIC_ERROR, spec->profile_place, true,
                             "the bursts of '%s' last as long as they are apart; expected a 'for' "
                             "below 'every'",
                             workload_name);
    }
    return true;
}

/* ---- the rate ---- */

/* The profile at a time, along the lines between the middles of its hours; its mean is 1. */
static double profile_at(const struct demand *d, double t_s)
{
    const struct demand_plan *p = d->plan;
    const struct demand_hour *hours = p->spec->profile.items;
    if (p->hours == 0) {
        return 1.0;
    }
    /* The epoch was a Thursday: so many hours after a Monday, 00:00. */
    double hour = ((double)p->start_unix_s + t_s) / HOUR_S + 3 * HOURS_A_DAY - 0.5;
    double whole = floor(hour), share = hour - whole;
    size_t at = (size_t)fmod(whole, (double)p->hours), next = at + 1 == p->hours ? 0 : at + 1;
    double value = (1 - share) * number_value(&hours[at].share, d->drawn) +
                   share * number_value(&hours[next].share, d->drawn);
    return value / d->profile_mean;
}

static double mean_of_profile(const struct demand *d)
{
    const struct demand_hour *hours = d->plan->spec->profile.items;
    double sum = 0;
    for (size_t i = 0; i < d->plan->hours; i++) {
        sum += number_value(&hours[i].share, d->drawn);
    }
    return sum > 0 ? sum / (double)d->plan->hours : 1.0;
}

/* Of the events that hold at t; *to_s: where that changes at the latest. */
static double events_at(const struct demand *d, double t_s, double *to_s)
{
    const struct demand_event *events = d->plan->spec->events.items;
    double factor = 1;
    for (size_t i = 0; i < d->plan->spec->events.count; i++) {
        double from_s = d->plan->event_from_s[i] + d->slip_s;
        double end_s = from_s + events[i].length.value;
        if (t_s < from_s) {
            *to_s = fmin(*to_s, from_s);
        } else if (t_s < end_s) {
            *to_s = fmin(*to_s, end_s);
            factor *= number_value(&events[i].factor, d->drawn);
        }
    }
    return factor;
}

/* ---- bursts ---- */

static void next_burst(struct demand *d)
{
    const struct demand_bursts *b = &d->plan->spec->bursts;
    double length_s = number_value(&b->length, d->drawn);
    double break_s = fmax(number_value(&b->every, d->drawn) - length_s, 1e-3);
    double mean_s = d->in_burst ? length_s : break_s;
    d->burst_changes_s += b->regular ? mean_s : mean_s * random_exponential(&d->bursts);
}

static void begin_bursts(struct demand *d, struct random_world world)
{
    const struct demand_bursts *b = &d->plan->spec->bursts;
    d->in_burst = false;
    d->burst_changes_s = HUGE_VAL;
    if (!d->plan->spec->has_bursts || d->drawn == NULL) {
        return;
    }
    random_stream_init(&d->bursts, world, d->plan->source);
    double length_s = number_value(&b->length, d->drawn);
    double every_s = number_value(&b->every, d->drawn);
    /* Stationary from the first moment on. */
    d->in_burst = !b->regular && random_uniform(&d->bursts) < length_s / fmax(every_s, length_s);
    d->burst_changes_s = d->begin_s;
    next_burst(d);
}

static double burst_factor(struct demand *d, double t_s, double *to_s)
{
    const struct demand_bursts *b = &d->plan->spec->bursts;
    if (!d->plan->spec->has_bursts) {
        return 1;
    }
    double factor = number_value(&b->factor, d->drawn);
    if (d->drawn == NULL) {
        double share = b->length.median / b->every.median;
        return 1 + share * (factor - 1);
    }
    while (d->burst_changes_s <= t_s) {
        d->in_burst = !d->in_burst;
        next_burst(d);
    }
    *to_s = fmin(*to_s, d->burst_changes_s);
    return d->in_burst ? factor : 1;
}

/* ---- a walk ---- */

static void enter(struct demand *d, double from_s)
{
    d->from_s = from_s;
    /* By the minute of the clock, whatever came between. */
    d->to_s = fmin(d->end_s, (floor(from_s / DEMAND_STRETCH_S) + 1) * DEMAND_STRETCH_S);
    double events = events_at(d, from_s, &d->to_s), burst = burst_factor(d, from_s, &d->to_s);
    double middle_s = 0.5 * (d->from_s + d->to_s);
    d->rate = d->base * profile_at(d, middle_s) * exp(d->growth_per_s * (middle_s - d->slip_s)) *
              events * burst;
}

bool demand_begin(struct demand *d, const struct demand_plan *p, struct random_world world,
                  const double *drawn)
{
    const struct project *project = p->project;
    *d = (struct demand){.plan = p, .drawn = drawn};
    d->slip_s = project == NULL ? 0 : project_slip_s(project, drawn);
    d->begin_s = p->from_s + d->slip_s;
    d->end_s = fmin(p->stated_end_s + d->slip_s, p->horizon_s);
    d->base = number_value(&p->spec->rate, drawn) *
              (project == NULL ? 1 : project_work_factor(project, drawn));
    d->growth_per_s = log1p(number_value(&p->spec->growth, drawn)) / NUMBER_MONTH_S;
    d->profile_mean = mean_of_profile(d);
    if (d->begin_s >= d->end_s) {
        d->from_s = d->to_s = d->begin_s;
        return false;
    }
    begin_bursts(d, world);
    enter(d, d->begin_s);
    return true;
}

bool demand_next(struct demand *d)
{
    if (d->to_s >= d->end_s) {
        return false;
    }
    enter(d, d->to_s);
    return true;
}

struct demand_outlook demand_planned(const struct demand_plan *p)
{
    struct demand d;
    struct demand_outlook o = {0};
    bool more = demand_begin(&d, p, (struct random_world){0}, NULL);
    double begin_s = d.from_s;
    for (; more; more = demand_next(&d)) {
        o.requests += d.rate * (d.to_s - d.from_s);
        o.peak = fmax(o.peak, d.rate);
    }
    o.mean = d.to_s > begin_s ? o.requests / (d.to_s - begin_s) : 0;
    return o;
}
