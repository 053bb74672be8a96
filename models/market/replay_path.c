/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/replay_path.h"

#include <math.h>

void replay_path_begin(struct replay_path *p, const struct replay_series *s, double offset_s)
{
    *p = (struct replay_path){.series = s, .offset_s = offset_s, .cycle_s = -offset_s};
}

/* When the window begins for the turn-th time, in the scenario's time: one expression for all. */
static double cycle_begin_s(const struct replay_path *p, double turn)
{
    return turn * p->series->length_s - p->offset_s;
}

static double turn_of(const struct replay_path *p)
{
    return round((p->cycle_s + p->offset_s) / p->series->length_s);
}

static void find_cycle(struct replay_path *p, double t_s)
{
    if (!p->series->wraps || (t_s >= p->cycle_s && t_s < cycle_begin_s(p, turn_of(p) + 1))) {
        return;
    }
    double turn = floor((t_s + p->offset_s) / p->series->length_s);
    while (cycle_begin_s(p, turn) > t_s) {
        turn--;
    }
    while (cycle_begin_s(p, turn + 1) <= t_s) {
        turn++;
    }
    p->cycle_s = cycle_begin_s(p, turn);
    p->at = 0;
}

static void find_step(struct replay_path *p, double t_s)
{
    const struct replay_series *s = p->series;
    find_cycle(p, t_s);
    bool begun = p->cycle_s + s->steps[p->at].at_s <= t_s;
    if (begun && (p->at + 1 == s->count || t_s < p->cycle_s + s->steps[p->at + 1].at_s)) {
        return;
    }
    size_t low = 0, high = s->count; /* the answer is in [low, high) */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (p->cycle_s + s->steps[middle].at_s <= t_s) {
            low = middle;
        } else {
            high = middle;
        }
    }
    p->at = low;
}

int64_t replay_path_at(struct replay_path *p, double t_s)
{
    find_step(p, t_s);
    return p->series->steps[p->at].value;
}

static int64_t at_most(int64_t value, int64_t cap)
{
    return value < cap ? value : cap;
}

double replay_path_next(struct replay_path *p, double t_s, int64_t cap, double until_s)
{
    const struct replay_series *s = p->series;
    const int64_t now = at_most(replay_path_at(p, t_s), cap);
    double turn = turn_of(p), cycle_s = p->cycle_s;
    size_t i = p->at;
    for (size_t seen = 0; seen <= s->count; seen++) {
        i++;
        if (i == s->count) {
            if (!s->wraps) {
                return HUGE_VAL;
            }
            i = 0;
            cycle_s = cycle_begin_s(p, ++turn);
        }
        double at_s = cycle_s + s->steps[i].at_s;
        if (at_s > until_s) {
            return HUGE_VAL;
        }
        if (at_s > t_s && at_most(s->steps[i].value, cap) != now) {
            return at_s;
        }
    }
    return HUGE_VAL;
}

double replay_path_end_s(const struct replay_path *p)
{
    return -p->offset_s + p->series->length_s; /* as a step at that end is told */
}

/* A series that does not wrap may have a last step at its end. */
static double step_s(const struct replay_series *s, size_t i)
{
    double end_s = i + 1 < s->count ? s->steps[i + 1].at_s : s->length_s;
    return end_s - s->steps[i].at_s;
}

static struct replay_share share_where(const struct replay_series *s, int64_t low, int64_t high)
{
    struct replay_share out = {0};
    for (size_t i = 0; i < s->count && s->steps[i].at_s < s->length_s; i++) {
        size_t next = i + 1 < s->count ? i + 1 : 0;
        bool goes_on = next > 0 ? s->steps[next].at_s < s->length_s : s->wraps;
        if (s->steps[i].value < low || s->steps[i].value > high) {
            continue;
        }
        int64_t then = s->steps[next].value;
        out.up_s += step_s(s, i);
        out.falls += goes_on && (then < low || then > high);
    }
    return out;
}

struct replay_share replay_share_of(const struct replay_series *s, int64_t level)
{
    return share_where(s, level, INT64_MAX);
}

struct replay_share replay_share_at_most(const struct replay_series *s, int64_t level)
{
    return share_where(s, INT64_MIN, level);
}

double replay_mean(const struct replay_series *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->count && s->steps[i].at_s < s->length_s; i++) {
        sum += (double)s->steps[i].value * step_s(s, i);
    }
    return sum / s->length_s;
}
