/* SPDX-License-Identifier: GPL-3.0-or-later
 * The billing rules' worked examples, through rating.h, on a market of this file's own: pools with
 * exact price steps. (These definitions stand in for the market's; nothing else of it is linked.)
 *
 * Sources. On demand: Amazon EC2 user guide, "On-Demand Instances" (2023-06-15): per second while
 * running, at least 60 s a start. Spot: Amazon EC2 user guide, "Billing for interrupted Spot
 * Instances": who ends it, and whether in the first hour. */
#include "tests/support/testing.h"

#include "models/billing/rating.h"

#include <math.h>
#include <string.h>

/* ---- a market of our own --------------------------------------------------------------------- */

enum { POOLS = 3, STEPS = 4 };
enum { POOL_ON_DEMAND, POOL_SPOT, POOL_SPOT_NEVER_FREE };

struct price_step {
    double from_s;
    money_t per_hour;
};

struct market_plan {
    struct pool_info info[POOLS];
};

struct market {
    struct market_plan plan;
    struct price_step step[STEPS];
    size_t steps;
    int asked_pool;
};

const struct market_plan *market_plan_of(const struct market *m)
{
    return &m->plan;
}

const struct pool_info *market_pool_info(const struct market_plan *p, int pool)
{
    return &p->info[pool];
}

bool market_first_hour_free(const struct market *m, int pool)
{
    (void)m;
    return pool != POOL_SPOT_NEVER_FREE; /* whatever it says for on demand must not matter */
}

money_t market_price(struct market *m, int pool, double t_s, double *until_s)
{
    m->asked_pool = pool;
    size_t i = m->steps - 1;
    while (i > 0 && m->step[i].from_s > t_s) {
        i--;
    }
    if (until_s) {
        *until_s = i + 1 < m->steps ? m->step[i + 1].from_s : (double)INFINITY;
    }
    return m->step[i].per_hour;
}

static struct market market_at(money_t per_hour)
{
    return (struct market){.plan.info = {{.purchase = PURCHASE_ON_DEMAND},
                                         {.purchase = PURCHASE_SPOT},
                                         {.purchase = PURCHASE_SPOT}},
                           .step = {{0.0, per_hour}},
                           .steps = 1};
}

#define PER_SECOND  INT64_C(1000000)    /* 0.001 */
#define PRICE       (3600 * PER_SECOND) /* 3.60 an hour */
#define START_UNIX  INT64_C(1772409600) /* 2026-03-02 00:00 UTC */
#define HALF_HOUR_S 1800
#define MONTHS      2

static const int64_t month_start_us[MONTHS] = {-INT64_C(86400) * MICROSECONDS,
                                               30 * INT64_C(86400) * MICROSECONDS};
static const struct rating_frame frame = {.start_unix_s = START_UNIX,
                                          .horizon_us = INT64_C(864000) * MICROSECONDS,
                                          .months = MONTHS,
                                          .month_start_us = month_start_us};

struct bill_memory {
    struct bill bill;
    money_t month[MONTHS], by_month[BILL_ROWS * MONTHS];
};

static struct bill *clear(struct bill_memory *m)
{
    m->bill.month = m->month;
    m->bill.by_month = m->by_month;
    bill_clear(&m->bill, &frame);
    return &m->bill;
}

static struct usage usage_of(int pool, double start_s, double length_s, enum end_reason reason)
{
    struct usage_log log;
    usage_log_init(&log, 1);
    const double useful[ACTIVITY_COUNT] = {length_s};
    usage_log_add(&log, &(struct usage){.pool = pool, .reason = reason}, start_s,
                  start_s + length_s, useful);
    assert_int_equal(log.count, 1);
    struct usage u = log.records[0];
    usage_log_release(&log);
    return u;
}

/* ---- worked examples ------------------------------------------------------------------------- */

struct example {
    const char *name;
    int pool;
    enum end_reason reason;
    double start_s, length_s; /* start: into the clock hour */
    int runs;
    double charged_s, free_s; /* of all runs */
};

static const struct example examples[] = {
    /* EC2 user guide, "On-Demand Instances" */
    {"on demand: 45 s are charged as 60 s", POOL_ON_DEMAND, END_FINISHED, 0, 45, 1, 60, 0},
    {"on demand: 60 s are charged as 60 s", POOL_ON_DEMAND, END_FINISHED, 0, 60, 1, 60, 0},
    {"on demand: 61 s are charged as 61 s", POOL_ON_DEMAND, END_FINISHED, 0, 61, 1, 61, 0},
    {"on demand: 3601 s are charged as 3601 s", POOL_ON_DEMAND, END_FINISHED, 0, 3601, 1, 3601, 0},
    {"on demand: three runs of 20 s are charged as 180 s", POOL_ON_DEMAND, END_RELEASED, 0, 20, 3,
     180, 0},
    /* EC2 user guide, "Billing for interrupted Spot Instances", Linux */
    {"spot: interrupted at 00:59:59, no charge", POOL_SPOT, END_INTERRUPTED, 0, 3599, 1, 0, 3599},
    {"spot: interrupted at 01:30:00, 5400 s", POOL_SPOT, END_INTERRUPTED, 0, 5400, 1, 5400, 0},
    {"spot: we stop at 00:20:00, 1200 s", POOL_SPOT, END_RELEASED, 0, 1200, 1, 1200, 0},
    {"spot: first hour from launch, not by the clock: 45 min from half past, no charge", POOL_SPOT,
     END_INTERRUPTED, HALF_HOUR_S, 2700, 1, 0, 2700},
    {"spot: first hour from launch, not by the clock: 61 min from half past, 3660 s", POOL_SPOT,
     END_INTERRUPTED, HALF_HOUR_S, 3660, 1, 3660, 0},
    /* What the rules leave open, as docs/models.md decides it */
    {"spot: interrupted after exactly one hour, 3600 s", POOL_SPOT, END_INTERRUPTED, 0, 3600, 1,
     3600, 0},
    {"spot: interrupted a microsecond before, no charge", POOL_SPOT, END_INTERRUPTED, 0,
     3599.999999, 1, 0, 3599.999999},
    {"spot: the work ends in the first hour, seconds", POOL_SPOT, END_FINISHED, 0, 1200, 1, 1200,
     0},
    {"spot: the horizon comes in the first hour, seconds", POOL_SPOT, END_HORIZON, 0, 1200, 1, 1200,
     0},
    {"spot: no minimum, 45 s", POOL_SPOT, END_RELEASED, 0, 45, 1, 45, 0},
    {"spot: first hour not free when switched off", POOL_SPOT_NEVER_FREE, END_INTERRUPTED, 0, 1200,
     1, 1200, 0},
    {"on demand: nothing is free, whoever ends it", POOL_ON_DEMAND, END_INTERRUPTED, 0, 1200, 1,
     1200, 0},
    {"on demand: the minimum holds, whoever ends it", POOL_ON_DEMAND, END_INTERRUPTED, 0, 45, 1, 60,
     0},
    {"on demand: parts of a second are not rounded up", POOL_ON_DEMAND, END_FINISHED, 0, 61.25, 1,
     61.25, 0},
    {"three free interruptions in one hour", POOL_SPOT, END_INTERRUPTED, 0, 600, 3, 0, 1800},
};

static void test_example(void **state)
{
    const struct example *row = *state;
    struct market m = market_at(PRICE);
    struct bill_memory memory;
    struct bill *b = clear(&memory);
    money_t pieces = 0;
    for (int run = 0; run < row->runs; run++) {
        struct usage u = usage_of(row->pool, row->start_s + run * (row->length_s + 100),
                                  row->length_s, row->reason);
        rating_rate(&frame, &m, &u, b, NULL, NULL);
        assert_int_equal(m.asked_pool, row->pool);
        pieces += rating_pieces(&m, &u, START_UNIX, NULL, NULL);
        assert_int_equal(rating_is_free(&m, &u), row->free_s > 0);
    }
    const money_t charge = (money_t)llround(row->charged_s * (double)PER_SECOND);
    const enum purchase p = m.plan.info[row->pool].purchase;
    assert_int_equal(b->cost, charge);
    assert_int_equal(b->cash, charge);
    assert_int_equal(b->amortised, charge);
    assert_int_equal(b->obligation, 0);
    assert_int_equal(b->month[0], charge);
    assert_int_equal(pieces, charge);
    assert_int_equal(b->line[p][ACTIVITY_USEFUL] + b->line[p][ACTIVITY_BOOT], charge);
    assert_int_equal(b->free_us, llround(row->free_s * 1e6));
    assert_int_equal(b->free_worth, llround(row->free_s * (double)PER_SECOND));
    assert_int_equal(b->node_us[p][ACTIVITY_USEFUL], llround(row->runs * row->length_s * 1e6));
    assert_false(b->overflow);
}

/* ---- price paths ----------------------------------------------------------------------------- */

/* The prevailing price is what is paid: 90 minutes over a rise from 3.60 to 7.20 after 30. */
static void test_the_prevailing_price_is_integrated(void **state)
{
    (void)state;
    struct market m = market_at(PRICE);
    m.step[1] = (struct price_step){1800.0, 2 * PRICE};
    m.steps = 2;
    struct bill_memory memory;
    struct usage u = usage_of(POOL_SPOT, 0, 5400, END_INTERRUPTED);
    rating_rate(&frame, &m, &u, clear(&memory), NULL, NULL);
    assert_int_equal(memory.bill.cost, (1800 + 2 * 3600) * PER_SECOND);

    /* What a free record would have cost is integrated too. */
    u = usage_of(POOL_SPOT, 0, 3000, END_INTERRUPTED);
    rating_rate(&frame, &m, &u, clear(&memory), NULL, NULL);
    assert_int_equal(memory.bill.cost, 0);
    assert_int_equal(memory.bill.free_worth, (1800 + 2 * 1200) * PER_SECOND);
}

static void keep_piece(void *context, const struct charge_piece *p)
{
    struct charge_piece **next = context;
    *(*next)++ = *p;
}

/* Steps between the grid's points: rounded as usage is; of steps that fall on one point the last
 * holds; a step that rounds onto the record's end is not charged. */
static void test_steps_off_the_grid(void **state)
{
    (void)state;
    struct market m = market_at(PRICE);
    m.step[1] = (struct price_step){10.0000003, 2 * PRICE};  /* 10.000000 s */
    m.step[2] = (struct price_step){10.0000004, 3 * PRICE};  /* the same point */
    m.step[3] = (struct price_step){19.99999970, 4 * PRICE}; /* 20.000000 s */
    m.steps = 4;
    struct charge_piece piece[8], *next = piece;
    struct usage u = usage_of(POOL_SPOT, 0, 20, END_RELEASED);
    money_t total = rating_pieces(&m, &u, START_UNIX, keep_piece, &next);
    assert_int_equal(next - piece, 2);
    assert_int_equal(piece[0].from_us, 0);
    assert_int_equal(piece[0].to_us, 10000000);
    assert_int_equal(piece[0].per_hour, PRICE);
    assert_int_equal(piece[0].amount, 10 * PER_SECOND);
    assert_int_equal(piece[1].to_us, 20000000);
    assert_int_equal(piece[1].per_hour, 3 * PRICE);
    assert_int_equal(piece[1].amount, 3 * 10 * PER_SECOND);
    assert_int_equal(total, 40 * PER_SECOND);

    /* A record that starts on such a point meets the new price at once. */
    next = piece;
    u = usage_of(POOL_SPOT, 10, 20, END_RELEASED);
    total = rating_pieces(&m, &u, START_UNIX, keep_piece, &next);
    assert_int_equal(next - piece, 2);
    assert_int_equal(piece[0].per_hour, 3 * PRICE);
    assert_int_equal(piece[1].from_us, 20000000);
    assert_int_equal(piece[1].per_hour, 4 * PRICE);
    assert_int_equal(total, (3 * 10 + 4 * 10) * PER_SECOND);
}

/* Times that no sum of doubles hits exactly: a step at the sum of 0.1, 600 times, is a minute. */
static void test_steps_with_the_noise_of_a_clock(void **state)
{
    (void)state;
    double clock_s = 0.0;
    for (int i = 0; i < 600; i++) {
        clock_s += 0.1;
    }
    assert_true(clock_s != 60.0);
    struct market m = market_at(PRICE);
    m.step[1] = (struct price_step){clock_s, 5 * PRICE};
    m.steps = 2;
    struct bill_memory memory;
    struct usage before = usage_of(POOL_SPOT, 0, 60, END_RELEASED);
    struct usage after = usage_of(POOL_SPOT, 60, 60, END_RELEASED);
    rating_rate(&frame, &m, &before, clear(&memory), NULL, NULL);
    assert_int_equal(memory.bill.cost, 60 * PER_SECOND);
    rating_rate(&frame, &m, &after, clear(&memory), NULL, NULL);
    assert_int_equal(memory.bill.cost, 5 * 60 * PER_SECOND);
}

static void test_free_pieces_cost_nothing(void **state)
{
    (void)state;
    struct market m = market_at(PRICE);
    m.step[1] = (struct price_step){600.0, 2 * PRICE};
    m.steps = 2;
    struct charge_piece piece[8], *next = piece;
    struct usage u = usage_of(POOL_SPOT, 0, 1200, END_INTERRUPTED);
    assert_int_equal(rating_pieces(&m, &u, START_UNIX, keep_piece, &next), 0);
    assert_int_equal(next - piece, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(piece[i].amount, 0);
        assert_int_equal(piece[i].per_hour, (i + 1) * PRICE);
    }
}

/* The clock hour is the calendar's: a scenario that starts at half past rounds its hours there. */
static void test_pieces_round_at_clock_hours(void **state)
{
    (void)state;
    struct market m = market_at(5);
    struct usage u = usage_of(POOL_SPOT, 0, 3600, END_RELEASED);
    assert_int_equal(rating_pieces(&m, &u, START_UNIX, NULL, NULL), 5);
    assert_int_equal(rating_pieces(&m, &u, START_UNIX + HALF_HOUR_S, NULL, NULL), 2 + 2);
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

int main(void)
{
    static const struct CMUnitTest fixed[] = {
        cmocka_unit_test(test_the_prevailing_price_is_integrated),
        cmocka_unit_test(test_steps_off_the_grid),
        cmocka_unit_test(test_steps_with_the_noise_of_a_clock),
        cmocka_unit_test(test_free_pieces_cost_nothing),
        cmocka_unit_test(test_pieces_round_at_clock_hours),
    };
    struct CMUnitTest tests[COUNT(fixed) + COUNT(examples)];
    memcpy(tests, fixed, sizeof fixed);
    for (size_t i = 0; i < COUNT(examples); i++) {
        tests[COUNT(fixed) + i] = (struct CMUnitTest){examples[i].name, test_example, NULL, NULL,
                                                      (void *)(uintptr_t)&examples[i]};
    }
    return _cmocka_run_group_tests("rating", tests, COUNT(tests), NULL, NULL);
}
