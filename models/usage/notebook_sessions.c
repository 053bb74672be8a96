/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/usage/notebook_sessions.h"

#include <math.h>

enum { DAY_S = 86400, WEEK_DAYS = 7, FIRST_OF_WEEKEND = 5 };

bool notebook_habits_draw(struct notebook_habits *h, const struct notebook_spec *spec,
                          int64_t start_unix_s, double horizon_s, struct random_world world,
                          const double *drawn)
{
    *h = (struct notebook_habits){.spec = spec,
                                  .world = world,
                                  .start_unix_s = start_unix_s,
                                  .horizon_s = horizon_s,
                                  .use = number_value(&spec->use, drawn),
                                  .forgotten = number_value(&spec->forgotten, drawn)};
    return variate_resolve(&spec->begins, drawn, &h->begins) &&
           variate_resolve(&spec->session, drawn, &h->session) &&
           variate_resolve(&spec->pause, drawn, &h->pause);
}

void notebook_sessions_init(struct notebook_sessions *s, const char *workload_name, uint32_t person)
{
    *s = (struct notebook_sessions){
        .begin_s = HUGE_VAL,
        .source_use = random_source("notebook/%s/%u/use", workload_name, person),
        .source_begins = random_source("notebook/%s/%u/begins", workload_name, person),
        .source_session = random_source("notebook/%s/%u/session", workload_name, person),
        .source_pause = random_source("notebook/%s/%u/pause", workload_name, person),
        .source_forgotten = random_source("notebook/%s/%u/forgotten", workload_name, person)};
}

/* Of a day, counted from that of the scenario's start: when it begins, from that start. */
static double midnight_s(const struct notebook_habits *h, int64_t day)
{
    int64_t into = h->start_unix_s % DAY_S;
    into += into < 0 ? DAY_S : 0;
    return (double)(day * DAY_S - into);
}

static bool is_working_day(const struct notebook_habits *h, int64_t day)
{
    /* The epoch was a Thursday; 0 is Monday. */
    int64_t since_epoch = (h->start_unix_s - h->start_unix_s % DAY_S) / DAY_S + day;
    return h->spec->weekend || (since_epoch + 3) % WEEK_DAYS < FIRST_OF_WEEKEND;
}

static double draw(const struct notebook_habits *h, const struct distribution *d, uint64_t source,
                   uint32_t index)
{
    return distribution_quantile(d, random_uniform_at(h->world, source, index));
}

static double day_begins_s(const struct notebook_sessions *s, const struct notebook_habits *h,
                           int64_t day)
{
    return midnight_s(h, day) + draw(h, &h->begins, s->source_begins, (uint32_t)day);
}

static uint32_t index_of(const struct notebook_sessions *s)
{
    return (uint32_t)s->day * NOTEBOOK_MOST_SESSIONS + s->place;
}

/* The session of s->day and s->place, which would begin then. */
static void set_session(struct notebook_sessions *s, const struct notebook_habits *h,
                        double begin_s)
{
    s->begin_s = begin_s;
    s->end_s = begin_s + draw(h, &h->session, s->source_session, index_of(s));
    s->forgotten = random_uniform_at(h->world, s->source_forgotten, index_of(s)) < h->forgotten;
}

static bool is_used(const struct notebook_sessions *s, const struct notebook_habits *h, int64_t day)
{
    return is_working_day(h, day) &&
           random_uniform_at(h->world, s->source_use, (uint32_t)day) < h->use;
}

/* The first session of the first day from this one on that is used, no sooner than at t_s. */
static void find_day(struct notebook_sessions *s, const struct notebook_habits *h, int64_t day,
                     double t_s)
{
    s->place = 0;
    for (s->day = day; midnight_s(h, s->day) < h->horizon_s; s->day++) {
        if (is_used(s, h, s->day)) {
            double begin_s = day_begins_s(s, h, s->day);
            if (begin_s >= 0) {
                set_session(s, h, fmax(begin_s, t_s));
                return;
            }
        }
    }
    s->begin_s = s->end_s = HUGE_VAL;
}

void notebook_sessions_begin(struct notebook_sessions *s, const struct notebook_habits *h)
{
    find_day(s, h, 0, 0);
}

void notebook_sessions_next(struct notebook_sessions *s, const struct notebook_habits *h)
{
    double end_s = s->end_s;
    if (s->place + 1 < (uint32_t)h->spec->sessions) {
        double pause_s = draw(h, &h->pause, s->source_pause, index_of(s));
        s->place++;
        set_session(s, h, end_s + pause_s);
    } else {
        find_day(s, h, s->day + 1, end_s);
    }
}

double notebook_next_day_s(const struct notebook_sessions *s, const struct notebook_habits *h,
                           double t_s)
{
    int64_t day = (int64_t)floor((t_s - midnight_s(h, 0)) / DAY_S);
    for (; midnight_s(h, day) < h->horizon_s; day++) {
        if (is_working_day(h, day)) {
            double begin_s = day_begins_s(s, h, day);
            if (begin_s > t_s) {
                return begin_s;
            }
        }
    }
    return HUGE_VAL;
}
