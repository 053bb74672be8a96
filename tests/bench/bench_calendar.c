/* SPDX-License-Identifier: GPL-3.0-or-later
 * The calendar: events a second of an M/M/1 queue (arrivals and departures, rho 0.9, two pending
 * events, exponential draws and the time integral of the queue included), and nanoseconds a hold
 * with many pending events (fire the earliest, schedule its successor an exponential time later);
 * "with cancel" cancels in each hold one pending event at random, too, and schedules another in its
 * place. */
#include "engine/calendar.h"
#include "engine/random.h"
#include "tests/support/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WORLD ((struct random_world){.seed = 1, .replication = 0})

/* Nanoseconds a repetition takes in the quickest of several rounds of `count`. */
static double quickest_ns(void (*run)(void *context, long count), void *context, long count)
{
    enum { ROUNDS = 12 };
    double best_s = HUGE_VAL;
    for (int round = 0; round < ROUNDS; round++) {
        double start_s = bench_cpu_s();
        run(context, count);
        best_s = fmin(best_s, bench_cpu_s() - start_s);
    }
    return 1e9 * best_s / (double)count;
}

/* A row without a target. */
static void plain_row(const char *name, double value, const char *unit)
{
    printf("%-56s %12.4g %s\n", name, value, unit);
}

/* ---- M/M/1 ---------------------------------------------------------------------------------- */

struct queue {
    struct calendar calendar;
    struct random_stream arrivals, services;
    uint64_t customers;
    double area, since_s; /* integral of customers over time */
};

static void depart(void *actor, uint64_t tag);

static void count_customers(struct queue *q)
{
    q->area += (q->calendar.now_s - q->since_s) * (double)q->customers;
    q->since_s = q->calendar.now_s;
}

static void start_service(struct queue *q)
{
    double end_s = q->calendar.now_s + random_exponential(&q->services);
    calendar_schedule(&q->calendar, end_s, EVENT_WORK, depart, q, 0, NULL);
}

static void arrive(void *actor, uint64_t tag)
{
    struct queue *q = actor;
    const double mean_gap_s = 1 / 0.9;
    count_customers(q);
    if (q->customers++ == 0) {
        start_service(q);
    }
    double next_s = q->calendar.now_s + mean_gap_s * random_exponential(&q->arrivals);
    calendar_schedule(&q->calendar, next_s, EVENT_WORK, arrive, q, tag, NULL);
}

static void depart(void *actor, uint64_t tag)
{
    struct queue *q = actor;
    (void)tag;
    count_customers(q);
    if (--q->customers > 0) {
        start_service(q);
    }
}

static void run_queue(void *context, long count)
{
    struct queue *q = context;
    while (count-- > 0) {
        calendar_step(&q->calendar, 1e300);
    }
}

static void bench_queue(void)
{
    struct queue q = {.customers = 0};
    if (!calendar_init(&q.calendar, 16)) {
        abort();
    }
    random_stream_init(&q.arrivals, WORLD, 1);
    random_stream_init(&q.services, WORLD, 2);
    calendar_schedule(&q.calendar, 0, EVENT_WORK, arrive, &q, 0, NULL);
    double ns = quickest_ns(run_queue, &q, 3000000);
    bench_row("M/M/1, rho 0.9", 1e3 / ns, "M events/s", 45, BENCH_AT_LEAST);
    printf("    %.1f ns an event; mean number in the system %.2f (theory: 9)\n", ns,
           q.area / q.since_s);
    calendar_release(&q.calendar);
}

/* ---- hold ----------------------------------------------------------------------------------- */

enum variant { PLAIN, WITH_CANCEL, WITH_MOVE };

struct hold {
    struct calendar calendar;
    struct random_stream times, choices;
    enum variant variant;
    uint32_t pending;
    struct event_id *ids; /* by tag */
};

static void hold(void *actor, uint64_t tag);

static void schedule(struct hold *h, uint64_t tag)
{
    double time_s = h->calendar.now_s + random_exponential(&h->times);
    calendar_schedule(&h->calendar, time_s, EVENT_WORK, hold, h, tag, &h->ids[tag]);
}

static void hold(void *actor, uint64_t tag)
{
    struct hold *h = actor;
    schedule(h, tag);
    if (h->variant != PLAIN) {
        uint32_t chosen = random_below(&h->choices, h->pending);
        if (h->variant == WITH_CANCEL) {
            calendar_cancel(&h->calendar, h->ids[chosen]);
            schedule(h, chosen);
        } else {
            calendar_move(&h->calendar, h->ids[chosen],
                          h->calendar.now_s + random_exponential(&h->times));
        }
    }
}

static void run_holds(void *context, long count)
{
    struct hold *h = context;
    while (count-- > 0) {
        calendar_step(&h->calendar, 1e300);
    }
}

static void bench_hold(const char *name, uint32_t pending, enum variant variant, double target_ns)
{
    struct hold h = {.variant = variant, .pending = pending};
    h.ids = calloc(pending, sizeof *h.ids);
    if (h.ids == NULL || !calendar_init(&h.calendar, pending)) {
        abort();
    }
    random_stream_init(&h.times, WORLD, 3);
    random_stream_init(&h.choices, WORLD, 4);
    for (uint32_t i = 0; i < pending; i++) {
        schedule(&h, i);
    }
    run_holds(&h, 10L * pending);
    double ns = quickest_ns(run_holds, &h, 300000);
    if (target_ns > 0) {
        bench_row(name, ns, "ns a hold", target_ns, BENCH_AT_MOST);
    } else {
        plain_row(name, ns, "ns a hold");
    }
    calendar_release(&h.calendar);
    free(h.ids);
}

int main(void)
{
    printf("calendar\n");
    bench_queue();
    bench_hold("hold model, 1,000 pending, with cancel", 1000, WITH_CANCEL, 75);
    bench_hold("hold model, 1,000 pending, with move", 1000, WITH_MOVE, 0);
    bench_hold("hold model, 1,000 pending", 1000, PLAIN, 0);
    bench_hold("hold model, 100 pending", 100, PLAIN, 0);
    bench_hold("hold model, 10,000 pending", 10000, PLAIN, 0);
    return 0;
}
