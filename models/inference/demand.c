/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/demand.h"

#include "engine/civil_time.h"
#include "engine/extremes.h"
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

/* Requests of a trace that a world may go through, whether they come or not. */
#define MOST_TRACE_STEPS 2e9

/* What a trace has of itself cannot be stated beside it. */
static bool check_beside_trace(const struct demand_plan *p, const char *name,
                               const struct market_context *c)
{
    const struct demand_spec *s = p->spec;
    bool good = true;
    if (s->rate.given) {
        good = work_complain(c, DIAGNOSTIC_ERROR, s->rate_place, true,
                             "the demand of '%s' states both 'rate' and 'trace'; expected one of "
                             "them, and 'scale' for more or fewer requests than the trace has",
                             name);
    }
    if (s->profile.count > 0) {
        good = work_complain(c, DIAGNOSTIC_ERROR, s->profile_place, true,
                             "the demand of '%s' states a 'profile' beside its 'trace', which has "
                             "its own; drop one of them",
                             name);
    }
    if (s->cv.given) {
        good = work_complain(c, DIAGNOSTIC_ERROR, s->cv_place, true,
                             "the demand of '%s' states a 'cv' beside its 'trace', which has its "
                             "own; drop one of them",
                             name);
    }
    return good;
}

static bool make_trace(struct demand_plan *p, const char *name, const struct market_context *c)
{
    const struct demand_spec *s = p->spec;
    if (s->trace == NULL) {
        if (s->loop || s->begin != TRACE_BEGIN_AUTO || s->scale.given) {
            return work_complain(c, DIAGNOSTIC_ERROR, s->place, true,
                                 "the demand of \'%s\' states \'loop\', 'begin' or 'scale', but no "
                                 "'trace' that they are of; add one, or drop them",
                                 name);
        }
        return s->rate.given ||
               work_complain(c, DIAGNOSTIC_ERROR, s->place, true,
                             "the demand of \'%s\' does not say how many requests come; expected "
                             "'rate' or 'trace'",
                             name);
    }
    double period_s = request_trace_period_s(&s->requests);
    p->trace = &s->requests;
    p->begins_at_random =
        s->begin == TRACE_BEGIN_RANDOM || (s->begin == TRACE_BEGIN_AUTO && s->loop);
    if (s->loop && !(period_s > 0)) {
        return work_complain(c, DIAGNOSTIC_ERROR, s->trace_place, true,
                             "all requests of the trace of '%s' come at one instant, so it cannot "
                             "loop; drop 'loop'",
                             name);
    }
    double laps = s->loop ? ceil(c->horizon_s / period_s) : 1;
    if (laps * (double)s->requests.count > MOST_TRACE_STEPS) {
        return work_complain(c, DIAGNOSTIC_INFEASIBLE, s->trace_place, true,
                             "the trace of '%s' would be gone through %.3g times in a world, which "
                             "is %.3g requests; at most %g can be",
                             name, laps, laps * (double)s->requests.count, MOST_TRACE_STEPS);
    }
    if (s->begin == TRACE_BEGIN_AUTO && s->loop) {
        assumptions_add(c->assumptions, false, "default",
                        work_text(c, "begin of the trace of %s", name),
                        "at a random time of it in each world");
    }
    return check_beside_trace(p, name, c);
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
    bool good = make_trace(p, workload_name, c);
    good &= make_profile(p, workload_name, c);
    good &= make_events(p, c);
    good &= make_moment(&p->from_s, spec->from, spec->from_place, "from", c);
    good &= make_moment(&p->stated_end_s, spec->until, spec->until_place, "until", c);
    if (!good) {
        return false;
    }
    p->from_s = double_max(0, p->from_s);
    p->end_s = double_min(p->stated_end_s, c->horizon_s);
    if (p->from_s >= p->end_s) {
        bool late = p->from_s >= c->horizon_s;
        return work_complain(c, DIAGNOSTIC_ERROR, late ? spec->from_place : spec->until_place, true,
                             "the demand of '%s' %s", workload_name,
                             late ? "begins at or after the horizon; lengthen 'horizon'"
                                  : "ends before it begins; check 'from' and 'until'");
    }
    if (spec->has_bursts && spec->bursts.length.median >= spec->bursts.every.median) {
        return work_complain(c, DIAGNOSTIC_ERROR, spec->bursts_place, true,
                             "the bursts of '%s' last as long as they are apart; expected a 'for' "
                             "below 'every'",
                             workload_name);
    }
    return true;
}

/* ---- the rate ---- */

/* The profile at a time, along the lines between the middles of its hours; its mean is 1. */
static double profile_at(struct demand *d, double t_s)
{
    const struct demand_plan *p = d->plan;
    const struct demand_hour *hours = p->spec->profile.items;
    if (p->hours == 0) {
        return 1.0;
    }
    /* The epoch was a Thursday: so many hours after a Monday, 00:00. */
    double hour = ((double)p->start_unix_s + t_s) / HOUR_S + 3 * HOURS_A_DAY - 0.5;
    double whole = floor(hour), share = hour - whole;
    if (whole != d->hour) {
        size_t at = (size_t)fmod(whole, (double)p->hours), next = at + 1 == p->hours ? 0 : at + 1;
        d->hour = whole;
        d->of_hour = number_value(&hours[at].share, d->drawn);
        d->of_next = number_value(&hours[next].share, d->drawn);
    }
    return ((1 - share) * d->of_hour + share * d->of_next) / d->profile_mean;
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
            *to_s = double_min(*to_s, from_s);
        } else if (t_s < end_s) {
            *to_s = double_min(*to_s, end_s);
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
    double break_s = double_max(number_value(&b->every, d->drawn) - length_s, 1e-3);
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
    d->in_burst =
        !b->regular && random_uniform(&d->bursts) < length_s / double_max(every_s, length_s);
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
    *to_s = double_min(*to_s, d->burst_changes_s);
    return d->in_burst ? factor : 1;
}

/* ---- a walk ---- */

static void enter(struct demand *d, double from_s)
{
    d->from_s = from_s;
    /* By the minute of the clock, whatever came between. */
    d->to_s = double_min(d->end_s, (floor(from_s / DEMAND_STRETCH_S) + 1) * DEMAND_STRETCH_S);
    d->jumps_s = HUGE_VAL;
    double events = events_at(d, from_s, &d->jumps_s), burst = burst_factor(d, from_s, &d->jumps_s);
    d->to_s = double_min(d->to_s, d->jumps_s);
    double middle_s = 0.5 * (d->from_s + d->to_s);
    d->rate = d->base * profile_at(d, middle_s) * exp(d->growth_per_s * (middle_s - d->slip_s)) *
              events * burst;
}

bool demand_begin(struct demand *d, const struct demand_plan *p, struct random_world world,
                  const double *drawn)
{
    const struct project *project = p->project;
    *d = (struct demand){.plan = p, .drawn = drawn, .hour = -1};
    d->slip_s = project == NULL ? 0 : project_slip_s(project, drawn);
    d->begin_s = p->from_s + d->slip_s;
    d->end_s = double_min(p->stated_end_s + d->slip_s, p->horizon_s);
    d->base = number_value(p->trace != NULL ? &p->spec->scale : &p->spec->rate, drawn) *
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

/* Of the trace, per second; a trace of less than a minute is spread over one. */
static void trace_rates(const struct demand_plan *p, double *mean, double *peak, double *lasts_s)
{
    struct request_statistics s = request_trace_statistics(p->trace);
    double period_s =
        double_max(request_trace_period_s(p->trace), p->spec->loop ? 0 : DEMAND_STRETCH_S);
    *mean = (double)p->trace->count / period_s;
    *peak = isfinite(s.minute_most) ? double_max(*mean, s.minute_most / DEMAND_STRETCH_S) : *mean;
    *lasts_s = p->spec->loop ? HUGE_VAL : period_s * (p->begins_at_random ? 0.5 : 1);
}

struct demand_outlook demand_planned(const struct demand_plan *p)
{
    struct demand d;
    struct demand_outlook o = {0};
    double mean = 1, peak = 1, lasts_s = HUGE_VAL;
    if (p->trace != NULL) {
        trace_rates(p, &mean, &peak, &lasts_s);
    }
    bool more = demand_begin(&d, p, (struct random_world){0}, NULL);
    double begin_s = d.from_s, ends_s = begin_s + lasts_s;
    for (; more; more = d.to_s < ends_s && demand_next(&d)) {
        o.requests += mean * d.rate * (double_min(d.to_s, ends_s) - d.from_s);
        o.peak = double_max(o.peak, peak * d.rate);
    }
    o.mean = d.to_s > begin_s ? o.requests / (d.to_s - begin_s) : 0;
    return o;
}
