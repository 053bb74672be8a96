/* SPDX-License-Identifier: GPL-3.0-or-later
 * What autoscalers see of a service: what was since each of them looked last, or the datapoints of
 * a monitoring that makes them at a period of its own, late, or with errors. */
#include "models/inference/service_state.h"

#include <math.h>

#define SAME_INSTANT_S 1e-6

/* What was since the snapshot, which is made anew. */
static void read_since(const struct service_run *s, struct scaling_snapshot *seen, uint32_t ready,
                       struct scaling_reading readings[SCALING_METRIC_COUNT])
{
    const struct service_books *b = &s->books;
    double window_s = s->calendar->now_s - seen->at_s;
    bool any = window_s > 0;
    double answered = b->answered - seen->answered;
    /* Of those that stood in the window, not of those ready at its end: a replica that has just
     * come was not idle before. */
    double served_s = b->seen_s - seen->seen_s;
    bool served = any && ready > 0 && served_s > 0;
    readings[SCALING_UTILISATION] =
        (struct scaling_reading){.known = served,
                                 .total = served ? (b->busy_s - seen->busy_s) / window_s : 0,
                                 .of_ready = served ? served_s / window_s : 0};
    readings[SCALING_CONCURRENCY] = (struct scaling_reading){
        .known = any, .total = any ? (b->in_flight - seen->in_flight) / window_s : 0};
    readings[SCALING_REQUESTS] = (struct scaling_reading){
        .known = any, .total = any ? (b->arrivals - seen->arrivals) / window_s : 0};
    readings[SCALING_QUEUE] = (struct scaling_reading){.known = true, .total = service_waiting(s)};
    readings[SCALING_INSIDE] = (struct scaling_reading){.known = true, .total = service_inside(s)};
    readings[SCALING_LATENCY] = (struct scaling_reading){
        .known = answered > 0,
        .total = answered > 0 ? (b->latency_sum - seen->latency_sum) / answered * ready : 0};
    *seen = (struct scaling_snapshot){.at_s = s->calendar->now_s,
                                      .busy_s = b->busy_s,
                                      .seen_s = b->seen_s,
                                      .in_flight = b->in_flight,
                                      .latency_sum = b->latency_sum,
                                      .arrivals = b->arrivals,
                                      .answered = b->answered};
}

/* ---- datapoints ---- */

static void add_point(struct service_run *s, struct metric_feed *feed,
                      const struct metric_point *point)
{
    if (!metric_feed_add(feed, point)) {
        fleet_fail(s->fleet);
    }
}

void service_monitoring_begin(struct service_run *s, const double *drawn)
{
    const struct monitoring_spec *m = &s->plan->monitoring;
    s->points_every_s =
        s->plan->monitored && m->period.given ? number_value(&m->period, drawn) : HUGE_VAL;
    s->next_point_s = HUGE_VAL;
    s->sampled = (struct scaling_snapshot){0};
    for (size_t i = 0; i < s->plan->use_count && s->plan->monitored; i++) {
        metric_feed_begin(&s->feeds[i], fleet_world(s->fleet), s->source_noise,
                          number_value(&m->delay, drawn), number_value(&m->noise, drawn));
    }
}

void service_monitoring_release(struct service_run *s)
{
    for (size_t i = 0; i < SERVICE_MOST_AUTOSCALERS; i++) {
        metric_feed_release(&s->feeds[i]);
    }
}

static void on_point(void *run, uint64_t tag);

static void schedule_point(struct service_run *s)
{
    if (isfinite(s->next_point_s) &&
        calendar_schedule(s->calendar, fmax(s->next_point_s, s->calendar->now_s), EVENT_POLICY,
                          on_point, s, 0, NULL) != CALENDAR_OK) {
        fleet_fail(s->fleet);
    }
}

/* The datapoint that ends now, if it was not made before: whoever comes first at its instant makes
 * it. */
static void make_point(struct service_run *s)
{
    if (s->next_point_s > s->calendar->now_s + SAME_INSTANT_S) {
        return;
    }
    service_book(s);
    uint32_t ready = service_seen(s);
    struct metric_point point = {.at_s = s->calendar->now_s, .ready = ready};
    read_since(s, &s->sampled, ready, point.readings);
    for (size_t i = 0; i < s->plan->use_count; i++) {
        add_point(s, &s->feeds[i], &point);
    }
    s->next_point_s += s->points_every_s;
    schedule_point(s);
}

static void on_point(void *run, uint64_t tag)
{
    struct service_run *s = run;
    (void)tag;
    if (!s->over) {
        make_point(s);
    }
}

void service_monitoring_start(struct service_run *s)
{
    double now_s = s->calendar->now_s;
    for (size_t i = 0; i < s->plan->use_count; i++) {
        s->seen[i].at_s = now_s;
    }
    s->sampled.at_s = now_s;
    s->next_point_s = now_s + s->points_every_s;
    schedule_point(s);
}

double service_points_every_s(const struct service_run *s)
{
    return fmin(autoscaler_group_period_s(&s->group), s->points_every_s);
}

/* ---- looking ---- */

void service_read(void *run, size_t member, struct autoscaler_view *view)
{
    struct service_run *s = run;
    if (!s->plan->monitored) {
        read_since(s, &s->seen[member], view->ready, view->readings);
        return;
    }
    struct metric_feed *feed = &s->feeds[member];
    double now_s = s->calendar->now_s;
    if (isfinite(s->points_every_s)) {
        make_point(s);
    } else if (now_s > s->seen[member].at_s) {
        struct metric_point point = {.at_s = now_s, .ready = view->ready};
        read_since(s, &s->seen[member], view->ready, point.readings);
        add_point(s, feed, &point);
    }
    metric_feed_show(feed, view);
}
