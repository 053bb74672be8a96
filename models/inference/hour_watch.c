/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/hour_watch.h"

#include <math.h>

#define MINUTE_S     60.0
#define HOUR_S       3600.0
#define SAME_SHARE   1e-12 /* rounding */
#define SAME_INSTANT 1e-6

void hour_watch_begin(struct hour_watch *w, bool judges, double target, struct hour_log *log,
                      size_t workload)
{
    *w = (struct hour_watch){.judges = judges,
                             .target = target,
                             .log = log,
                             .workload = workload,
                             .minute_end_s = HUGE_VAL};
}

static void open_hour(struct hour_watch *w, double hour_s, double from_s)
{
    w->hour_s = hour_s;
    w->from_s = from_s;
    w->ended = w->within = 0;
    w->bucket = (struct service_bucket){.span_s = 0};
}

void hour_watch_start(struct hour_watch *w, double now_s, double counted_from_s)
{
    w->counted_from_s = counted_from_s;
    open_hour(w, floor(now_s / HOUR_S) * HOUR_S, now_s);
    w->minute_end_s = (floor(now_s / MINUTE_S) + 1) * MINUTE_S;
}

static void close_hour(struct hour_watch *w)
{
    const bool overloaded = service_bucket_overloaded(&w->bucket);
    struct hour_sum sum = {
        .ended = w->ended, .within = w->within, .hours = 1, .overloaded = overloaded};
    const double attained = w->judges ? hour_sum_attained(&sum) : (double)NAN;
    sum.judged = isnan(attained) ? 0U : 1U;
    sum.met = attained >= w->target - SAME_SHARE ? 1U : 0U;
    if (w->from_s >= w->counted_from_s - SAME_INSTANT) {
        w->judged += sum.judged;
        w->met += sum.met;
        w->overloaded_h += overloaded ? w->bucket.span_s / HOUR_S : 0;
        hour_log_put(w->log, w->workload, w->hour_s, &sum);
    }
    open_hour(w, w->hour_s + HOUR_S, w->hour_s + HOUR_S);
}

static void close_minute(struct hour_watch *w)
{
    struct service_bucket *b = &w->bucket;
    const double into_s = w->minute_end_s - w->hour_s;
    const size_t part =
        (size_t)(into_s > HOUR_S / 4) + (into_s > HOUR_S / 2) + (into_s > 3 * HOUR_S / 4);
    b->count[SERVICE_ARRIVED] += w->came; /* sent again or not */
    b->could_serve += w->could;
    b->span_s += w->span_s;
    b->part_s[part] += w->span_s;
    b->part_waiting_s[part] += w->waiting_s;
    b->burst |= service_fluid_minute(&w->fluid, w->came, w->could + w->left);
    w->span_s = w->came = w->left = w->could = w->waiting_s = 0;
    w->minute_end_s += MINUTE_S;
    if (w->minute_end_s > w->hour_s + HOUR_S) {
        close_hour(w);
    }
}

void hour_watch_flow(struct hour_watch *w, double from_s, double to_s, const struct hour_flow *f)
{
    double at_s = from_s;
    while (at_s < to_s) {
        const bool whole = at_s == from_s && to_s <= w->minute_end_s;
        const double end_s = to_s <= w->minute_end_s ? to_s : w->minute_end_s;
        const double share = whole ? 1 : (end_s - at_s) / (to_s - from_s);
        w->span_s += end_s - at_s;
        w->came += share * f->came;
        w->left += share * f->left;
        w->could += share * f->could;
        w->waiting_s += share * f->waiting;
        w->ended += share * f->ended;
        w->within += share * f->within;
        at_s = end_s;
        if (end_s >= w->minute_end_s) {
            close_minute(w);
        }
    }
}

void hour_watch_end(struct hour_watch *w)
{
    if (isinf(w->minute_end_s)) {
        return; /* it never began */
    }
    const double hour_s = w->hour_s;
    const bool open = w->span_s > 0 || w->came > 0 || w->ended > 0;
    if (open) {
        close_minute(w);
    }
    if (w->hour_s == hour_s && w->bucket.span_s > 0) {
        close_hour(w);
    }
    w->minute_end_s = HUGE_VAL;
}
