/* SPDX-License-Identifier: GPL-3.0-or-later
 * Nanoseconds a usage record costs: to log, and to rate under typical price paths. Rating must grow
 * with changes of price, not with hours: compare the two rows of 30-day records. */
#include "models/billing/rating_core.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RECORDS = 512, MONTHS = 14, BUCKETS = 400 };

#define TARGET_NS 60.0

static money_t price_steps(void *context, int64_t at_us, int64_t *until_us)
{
    const int64_t *step_us = context;
    if (*step_us == 0) {
        *until_us = INT64_MAX;
        return INT64_C(8590000000);
    }
    int64_t step = at_us / *step_us;
    *until_us = (step + 1) * *step_us;
    return INT64_C(8590000000) + step % 7 * INT64_C(10000001);
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Records of about length_s, spread over a year, every activity present. */
static void fill(struct usage_log *log, double length_s, enum end_reason reason)
{
    usage_log_clear(log);
    for (int i = 0; i < RECORDS; i++) {
        double start_s = 61234.567 * i, duration_s = length_s * (0.5 + (i * 37 % 101) * 0.01);
        double part[ACTIVITY_COUNT] = {0.8, 0.05, 0.02, 0.03, 0.08, 0.02};
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            part[a] *= duration_s;
        }
        usage_log_add(log, &(struct usage){.slot = (uint32_t)(i % 16), .reason = reason}, start_s,
                      start_s + duration_s, part);
    }
}

struct row {
    const char *name;
    enum purchase purchase;
    enum end_reason reason;
    double length_s;
    int64_t step_us; /* between changes of price; 0 = constant */
    bool timeline, target;
};

static void bench_row(const struct rating_frame *f, struct usage_log *log, const struct row *row)
{
    static double spend[BUCKETS], nodes[PURCHASE_COUNT * BUCKETS];
    money_t month[MONTHS];
    struct bill b = {.month = month};
    bill_clear(&b, f);
    int64_t step_us = row->step_us;
    struct rating_terms terms = {
        .purchase = row->purchase, .first_hour_free = true, .price = {price_steps, &step_us}};
    fill(log, row->length_s, row->reason);
    long rounds = 0;
    double begin = now_ns(), elapsed;
    do {
        bill_clear(&b, f);
        for (size_t i = 0; i < log->count; i++) {
            rating_core_rate(f, &terms, &log->records[i], &b, row->timeline ? spend : NULL,
                             row->timeline ? nodes : NULL);
        }
        rounds++;
        elapsed = now_ns() - begin;
    } while (elapsed < 1e8);
    char cost[32];
    printf("rating: %-44s %8.1f ns/record", row->name, elapsed / (double)rounds / RECORDS);
    if (row->target) {
        printf("   target %.0f", TARGET_NS);
    }
    printf("   (bill %s)\n", money_text(b.cost, cost));
}

int main(void)
{
    const int64_t day_us = 24 * HOUR_US;
    int64_t month_start_us[MONTHS];
    for (int i = 0; i < MONTHS; i++) {
        month_start_us[i] = i * 30 * day_us - day_us;
    }
    const struct rating_frame frame = {.start_unix_s = 1772411400, /* half past an hour */
                                       .horizon_us = 400 * day_us,
                                       .months = MONTHS,
                                       .month_start_us = month_start_us,
                                       .buckets = BUCKETS,
                                       .bucket_us = day_us};
    struct usage_log log;
    usage_log_init(&log, RECORDS);

    long rounds = 0;
    double begin = now_ns(), elapsed;
    do {
        fill(&log, 10800.0, END_FINISHED);
        rounds++;
        elapsed = now_ns() - begin;
    } while (elapsed < 1e8);
    printf("usage:  %-44s %8.1f ns/record\n", "log a record with six activities",
           elapsed / (double)rounds / RECORDS);

    static const struct row rows[] = {
        {"spot, about 3 h, constant price", PURCHASE_SPOT, END_INTERRUPTED, 10800, 0, false, true},
        {"on demand, about 3 h, constant price", PURCHASE_ON_DEMAND, END_RELEASED, 10800, 0, false,
         true},
        {"spot, free under the first-hour rule", PURCHASE_SPOT, END_INTERRUPTED, 1800, 0, false,
         true},
        {"on demand, about 30 days, constant price", PURCHASE_ON_DEMAND, END_RELEASED, 30 * 86400.0,
         0, false, false},
        {"spot, about 30 days, price changes daily", PURCHASE_SPOT, END_RELEASED, 30 * 86400.0,
         24 * HOUR_US, false, false},
        {"spot, about 30 days, price changes hourly", PURCHASE_SPOT, END_RELEASED, 30 * 86400.0,
         HOUR_US, false, false},
        {"spot, about 3 h, constant price, timeline", PURCHASE_SPOT, END_RELEASED, 10800, 0, true,
         false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bench_row(&frame, &log, &rows[i]);
    }
    usage_log_release(&log);
    return EXIT_SUCCESS;
}
