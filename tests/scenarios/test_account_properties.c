/* SPDX-License-Identifier: GPL-3.0-or-later
 * What must hold for any account and any plan in it. Prices are whole nano-units a microsecond, so
 * that nothing is rounded, and the bill of the account with and without the plan is worked out by
 * itself: a loop over clock hours that asks who is covered and charges what is left. */
#include "engine/gsl_errors.h"
#include "models/billing/committed.h"
#include "tests/support/draws.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <string.h>

enum { CASES = 2000, HOURS = 48, TYPES = 4, USES = 4, SUNK = 3, NEW = 2, RECORDS = 12, GROUPS = 8 };

/* 1, 7, 6 and 2 nano-units a microsecond; the first two are sizes of one flexible family. */
static const char world_text[] =
    "version: 1\nstart: 2025-12-01T00:20Z\nregion: us-east-1\nhorizon: 2d\n"
    "market: {on-demand: {p3.2xlarge: {price: 3.6 USD/h}, p3.16xlarge: {price: 25.2 USD/h},\n"
    "  p4d.24xlarge: {price: 21.6 USD/h}, g5.xlarge: {price: 7.2 USD/h}}}\n"
    "account:\n"
    "  usage: [{instance: p3.2xlarge, count: 0}, {instance: p3.16xlarge, count: 0},\n"
    "          {instance: p4d.24xlarge, count: 0}, {instance: g5.xlarge, count: 0}]\n"
    "workloads: {a: {kind: training, hours: 1h}}\n"
    "strategies: {a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}}\n";
static const char *const types[TYPES] = {"p3.2xlarge", "p3.16xlarge", "p4d.24xlarge", "g5.xlarge"};
static const money_t price_per_us[TYPES] = {1, 7, 6, 2};

struct scene {
    struct study *study;
    struct market *market;
    struct diagnostics *diagnostics;
    int pool[TYPES];
    /* one case */
    struct others_use_spec spec[USES];
    struct use_step steps[USES][6];
    struct others_use uses[USES];
    struct commitment items[NEW + SUNK];
    struct account_plan account;
    struct commitment_plan plan, alone;
    struct coverage_group groups[GROUPS];
    money_t rates[GROUPS][NEW + SUNK];
    int slot_of_pool[2][64], pool_of_slot[2][GROUPS];
    uint32_t slot_of_use[2][USES];
    bool others[2][GROUPS], idle[GROUPS]; /* nothing is reserved on demand */
    double reuse[NEW];
    struct usage records[RECORDS];
    struct usage_log log;
};

static struct scene scene;

/* ---- drawing ---- */

static int64_t draw_time(uint64_t *random)
{
    int64_t at_us = draw_below(random, HOURS * HOUR_US);
    return draw_below(random, 2) ? at_us : at_us / HOUR_US * HOUR_US;
}

static void draw_uses(uint64_t *random, struct scene *s)
{
    s->account.use_count = (size_t)draw_below(random, USES + 1);
    for (size_t i = 0; i < s->account.use_count; i++) {
        s->spec[i] = (struct others_use_spec){.scale = NUMBER_CERTAIN(1)};
        struct others_use *u = &s->uses[i];
        *u = (struct others_use){.spec = &s->spec[i],
                                 .pool = s->pool[draw_below(random, TYPES)],
                                 .account = (int32_t)draw_below(random, 3),
                                 .steps = s->steps[i]};
        int64_t at_us = 0;
        for (size_t k = 0; k < 6 && at_us < HOURS * HOUR_US; k++) {
            u->steps[u->step_count++] =
                (struct use_step){.at_us = at_us, .count = draw_below(random, 4)};
            at_us += 1 + draw_time(random) / 3;
        }
    }
}

static void draw_commitment(uint64_t *random, struct commitment *c, bool sunk)
{
    const char *type = types[draw_below(random, TYPES)];
    *c = (struct commitment){.name = "x",
                             .kind = (enum commitment_kind)draw_below(random, 4),
                             .term_years = 1,
                             .region = "us-east-1",
                             .owner = (int32_t)(sunk ? draw_below(random, 3) : 0),
                             .sunk = sunk};
    c->start_us = sunk ? -draw_time(random) : draw_time(random) / 2;
    if (commitment_is_reserved(c)) {
        c->type = type;
        c->zone = c->kind == COMMITMENT_ZONAL_RESERVED ? "us-east-1a" : NULL;
        commitment_set_reserved(c, draw_below(random, 5), 0,
                                1 + draw_below(random, 20 * MONEY_UNIT));
    } else {
        c->family = c->kind == COMMITMENT_INSTANCE_SAVINGS ? "p3" : NULL;
        c->region = c->kind == COMMITMENT_COMPUTE_SAVINGS ? NULL : c->region;
        commitment_set_savings_plan(c, draw_below(random, 60 * MONEY_UNIT));
    }
    if (sunk) { /* as account_plan holds it */
        c->end_us = draw_below(random, 2) ? HOURS * HOUR_US : draw_time(random) + 1;
    }
}

static void draw_records(uint64_t *random, struct scene *s)
{
    s->log =
        (struct usage_log){.records = s->records, .count = (size_t)draw_below(random, RECORDS + 1)};
    for (size_t i = 0; i < s->log.count; i++) {
        int64_t a = draw_time(random), b = draw_time(random);
        s->records[i] = (struct usage){.pool = s->pool[draw_below(random, TYPES)],
                                       .start_us = a < b ? a : b,
                                       .end_us = a < b ? b : a,
                                       .twins = (uint32_t)draw_below(random, 3)};
    }
}

/* ---- making a plan ---- */

static size_t type_of_pool(const struct scene *s, int pool)
{
    size_t i = 0;
    while (s->pool[i] != pool) {
        i++;
    }
    return i;
}

/* own: how many types the plan may run, 0 for the account alone. */
static void make_plan(struct scene *s, struct commitment_plan *p, int which, size_t own,
                      size_t count)
{
    struct coverage_group groups[GROUPS];
    for (size_t g = 0; g < own + s->account.use_count; g++) {
        const struct others_use *use = g < own ? NULL : &s->uses[g - own];
        size_t type = g < own ? g : type_of_pool(s, use->pool);
        groups[g] = (struct coverage_group){.type = types[type],
                                            .region = "us-east-1",
                                            .zone = "us-east-1a",
                                            .account = use == NULL ? 0 : use->account,
                                            .others = use != NULL,
                                            .on_demand_per_hour = price_per_us[type] * HOUR_US,
                                            .plan_rates = s->rates[type] + NEW - count};
    }
    *p = (struct commitment_plan){.items = s->items + NEW - count,
                                  .reuse = s->reuse,
                                  .count = count,
                                  .sunk = s->account.commitment_count,
                                  .slot_of_pool = s->slot_of_pool[which],
                                  .slot_of_use = s->slot_of_use[which],
                                  .pool_of_slot = s->pool_of_slot[which],
                                  .others = s->others[which],
                                  .idle = s->idle,
                                  .pool_count = 64,
                                  .factor = NUMBER_CERTAIN(1),
                                  .account = &s->account};
    p->coverage = coverage_new(groups, own + s->account.use_count, p->items, p->count + p->sunk,
                               (struct place){0}, s->diagnostics);
    assert_non_null(p->coverage);
    memset(s->others[which], 0, sizeof s->others[which]);
    for (size_t i = 0; i < 64; i++) {
        p->slot_of_pool[i] = -1;
    }
    for (size_t g = 0; g < own; g++) {
        size_t slot = coverage_slot(p->coverage, g);
        p->slot_of_pool[s->pool[g]] = (int)slot;
        p->pool_of_slot[slot] = s->pool[g];
    }
    for (size_t i = 0; i < s->account.use_count; i++) {
        size_t slot = coverage_slot(p->coverage, own + i);
        p->slot_of_use[i] = (uint32_t)slot;
        p->pool_of_slot[slot] = s->uses[i].pool;
        p->others[slot] = true;
    }
}

static void draw_case(uint64_t *random, struct scene *s)
{
    s->account = (struct account_plan){.commitments = s->items + NEW,
                                       .commitment_count = (size_t)draw_below(random, SUNK + 1),
                                       .uses = s->uses,
                                       .until_us = HOURS * HOUR_US + 40 * 60 * MICROSECONDS};
    draw_uses(random, s);
    for (size_t k = 0; k < NEW + SUNK; k++) {
        draw_commitment(random, &s->items[k], k >= NEW);
        for (size_t t = 0; t < TYPES; t++) {
            s->rates[t][k] = price_per_us[t] * HOUR_US * (4 + draw_below(random, 6)) / 10;
        }
    }
    draw_records(random, s);
}

/* ---- the account's bill, hour by hour ---- */

static int64_t overlap(int64_t a, int64_t b, int64_t from, int64_t to)
{
    a = a > from ? a : from;
    b = b < to ? b : to;
    return b > a ? b - a : 0;
}

/* On-demand charges of others and, with_plan, of the plan. */
static money_t bill_by_hours(const struct scene *s, const struct commitment_plan *p, bool with_plan)
{
    struct coverage_work *work = coverage_work_new(p->coverage);
    const int64_t phase_us = 20 * 60 * MICROSECONDS;
    money_t sum = 0;
    for (int64_t from = 0; from < s->account.until_us;) {
        int64_t to = (from + phase_us) / HOUR_US * HOUR_US + HOUR_US - phase_us;
        int64_t used_us[GROUPS] = {0};
        for (size_t i = 0; with_plan && i < s->log.count; i++) {
            const struct usage *u = &s->records[i];
            used_us[p->slot_of_pool[u->pool]] +=
                overlap(u->start_us, u->end_us, from, to) * usage_nodes(u);
        }
        for (size_t i = 0; i < s->account.use_count; i++) {
            const struct others_use *u = &s->uses[i];
            for (size_t k = 0; k < u->step_count; k++) {
                int64_t end = k + 1 < u->step_count ? u->steps[k + 1].at_us : s->account.until_us;
                used_us[p->slot_of_use[i]] +=
                    overlap(u->steps[k].at_us, end, from, to) * u->steps[k].count;
            }
        }
        const struct coverage_outcome *o = coverage_match(p->coverage, work, used_us, from, to);
        for (size_t slot = 0; slot < coverage_slots(p->coverage); slot++) {
            sum += o->on_demand_us[slot] * price_per_us[type_of_pool(s, p->pool_of_slot[slot])];
        }
        from = to;
    }
    coverage_work_free(work);
    return sum;
}

static money_t on_demand_of_plan(const struct scene *s)
{
    money_t sum = 0;
    for (size_t i = 0; i < s->log.count; i++) {
        const struct usage *u = &s->records[i];
        sum += (u->end_us - u->start_us) * usage_nodes(u) * price_per_us[type_of_pool(s, u->pool)];
    }
    return sum;
}

/* ---- the program's bill ---- */

struct rated {
    struct bill bill;
    money_t month[8];
};

static void rate_case(struct scene *s, const struct commitment_plan *plan, bool beside,
                      struct rated *r)
{
    struct account_world *world = beside ? account_world_new(&s->alone) : NULL;
    struct committed *committed = committed_new(plan, world);
    struct rating_frame frame = s->study->frame;
    frame.others = 0;
    memset(r, 0, sizeof *r);
    r->bill.month = r->month;
    bill_clear(&r->bill, &frame);
    assert_non_null(committed);
    assert_true(!beside || account_world_begin(world, s->market, NULL));
    assert_true(committed_begin(committed, s->market, NULL, INT64_MAX));
    assert_int_equal(committed_rate(committed, &frame, s->market, &s->log, on_demand_of_plan(s),
                                    NULL, &r->bill, NULL),
                     MATCHED_OK);
    assert_false(r->bill.overflow);
    r->bill.month = NULL;
    committed_free(committed);
    account_world_free(world);
}

static void make_both(struct scene *s, size_t count)
{
    make_plan(s, &s->plan, 0, TYPES, count);
    if (s->account.commitment_count > 0) {
        make_plan(s, &s->alone, 1, 0, 0);
    } else {
        s->alone = (struct commitment_plan){.account = &s->account};
    }
}

static void drop_both(struct scene *s)
{
    commitment_plan_release(&s->plan);
    commitment_plan_release(&s->alone);
}

static money_t signed_for(const struct commitment_plan *p)
{
    money_t sum = 0;
    for (size_t k = 0; k < p->count; k++) {
        sum += commitment_total(&p->items[k]);
    }
    return sum;
}

/* ---- properties ---- */

static void the_plan_costs_the_bill_with_it_less_the_bill_without(void **state)
{
    struct scene *s = *state;
    uint64_t random = 20251201;
    size_t displaced = 0, saved = 0, covered = 0;
    for (int i = 0; i < CASES; i++) {
        struct rated r;
        draw_case(&random, s);
        make_both(s, (size_t)draw_below(&random, NEW + 1));
        rate_case(s, &s->plan, true, &r);
        money_t with = bill_by_hours(s, &s->plan, true);
        money_t without = s->alone.coverage == NULL ? 0 : bill_by_hours(s, &s->alone, false);
        if (s->alone.coverage == NULL) { /* others pay for all */
            for (size_t u = 0; u < s->account.use_count; u++) {
                const struct others_use *use = &s->uses[u];
                for (size_t k = 0; k < use->step_count; k++) {
                    int64_t end =
                        k + 1 < use->step_count ? use->steps[k + 1].at_us : s->account.until_us;
                    without += overlap(use->steps[k].at_us, end, 0, s->account.until_us) *
                               use->steps[k].count * price_per_us[type_of_pool(s, use->pool)];
                }
            }
        }
        assert_int_equal(on_demand_of_plan(s) + r.bill.cost, with - without + signed_for(&s->plan));
        const struct bill_committed *c = &r.bill.committed;
        assert_int_equal(r.bill.cost, -c->covered + c->used + c->unused + c->later + c->displaced);
        money_t months = 0;
        for (size_t m = 0; m < s->study->frame.months; m++) {
            months += r.month[m];
        }
        assert_int_equal(months, r.bill.cost);
        displaced += c->displaced > 0;
        saved += c->displaced < 0;
        covered += c->covered > 0;
        drop_both(s);
    }
    assert_true(displaced > CASES / 20 && saved > CASES / 20 && covered > CASES / 4);
}

/* Records in another order, and each split in two: the same bill. */
static void neither_order_nor_splitting_matters(void **state)
{
    struct scene *s = *state;
    uint64_t random = 7;
    for (int i = 0; i < CASES; i++) {
        struct rated one, other;
        draw_case(&random, s);
        s->log.count = s->log.count > RECORDS / 2 ? RECORDS / 2 : s->log.count;
        make_both(s, (size_t)draw_below(&random, NEW + 1));
        rate_case(s, &s->plan, true, &one);
        size_t n = s->log.count;
        for (size_t k = 0; k < n; k++) {
            struct usage *u = &s->records[n - 1 - k], second = *u;
            int64_t cut_us = u->start_us + draw_below(&random, u->end_us - u->start_us + 1);
            u->end_us = second.start_us = cut_us;
            s->records[n + k] = second;
        }
        s->log.count = 2 * n;
        rate_case(s, &s->plan, true, &other);
        assert_memory_equal(&one, &other, sizeof one);
        drop_both(s);
    }
}

static void an_account_of_nothing_changes_nothing(void **state)
{
    struct scene *s = *state;
    uint64_t random = 11;
    for (int i = 0; i < CASES; i++) {
        struct rated with, without;
        draw_case(&random, s);
        s->account.use_count = s->account.commitment_count = 0;
        make_both(s, 1 + (size_t)draw_below(&random, NEW));
        rate_case(s, &s->plan, false, &without);
        rate_case(s, &s->plan, true, &with);
        assert_memory_equal(&with, &without, sizeof with);
        drop_both(s);
    }
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Zonal reservations, others and plan of one type: a full one gives nothing, one with some left
 * exactly the hours of these. */
static void what_is_left_over_is_what_is_saved(void **state)
{
    struct scene *s = *state;
    uint64_t random = 13;
    int full = 0;
    for (int i = 0; i < CASES; i++) {
        struct rated r;
        draw_case(&random, s);
        int64_t reserved = draw_below(&random, 6), taken = draw_below(&random, 8);
        int64_t hours = 1 + draw_below(&random, HOURS - 1), nodes = 1 + draw_below(&random, 6);
        s->account.commitment_count = s->account.use_count = 1;
        s->items[NEW] = (struct commitment){.name = "x",
                                            .kind = COMMITMENT_ZONAL_RESERVED,
                                            .term_years = 1,
                                            .type = types[2],
                                            .region = "us-east-1",
                                            .zone = "us-east-1a",
                                            .sunk = true};
        commitment_set_reserved(&s->items[NEW], reserved, 0, MONEY_UNIT);
        s->spec[0] = (struct others_use_spec){.scale = NUMBER_CERTAIN(1)};
        s->steps[0][0] = (struct use_step){.count = taken};
        s->uses[0] = (struct others_use){
            .spec = &s->spec[0], .pool = s->pool[2], .steps = s->steps[0], .step_count = 1};
        s->records[0] = (struct usage){
            .pool = s->pool[2], .end_us = hours * HOUR_US, .twins = (uint32_t)(nodes - 1)};
        s->log = (struct usage_log){.records = s->records, .count = 1};
        make_both(s, 0);
        rate_case(s, &s->plan, true, &r);
        int64_t left = reserved > taken ? reserved - taken : 0;
        /* Usage ends 20 minutes into a clock hour, which is covered in whole. */
        const int64_t end_us = 20 * 60 * MICROSECONDS;
        int64_t saved_us =
            least(nodes, left) * (hours * HOUR_US - end_us) + least(nodes * end_us, left * HOUR_US);
        assert_int_equal(r.bill.committed.displaced, 0);
        assert_int_equal(r.bill.committed.covered, saved_us * price_per_us[2]);
        assert_int_equal(r.bill.cost, -saved_us * price_per_us[2]);
        full += left == 0;
        drop_both(s);
    }
    assert_true(full > CASES / 4 && full < CASES * 3 / 4);
}

static int set_up(void **state)
{
    gsl_errors_install();
    struct scene *s = &scene;
    s->study = study_from_text(world_text, NULL);
    s->market = market_new(s->study->market);
    s->diagnostics = diagnostics_new();
    const struct random_world world = {.seed = 1};
    assert_true(s->study->frame.months <= 8 && market_begin(s->market, world, NULL));
    for (size_t i = 0; i < TYPES; i++) {
        s->pool[i] = s->study->account.uses[i].pool;
    }
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *s = *state;
    market_free(s->market);
    diagnostics_free(s->diagnostics);
    study_free(s->study);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plan_costs_the_bill_with_it_less_the_bill_without),
        cmocka_unit_test(neither_order_nor_splitting_matters),
        cmocka_unit_test(an_account_of_nothing_changes_nothing),
        cmocka_unit_test(what_is_left_over_is_what_is_saved),
    };
    return cmocka_run_group_tests_name("account_properties", tests, set_up, tear_down);
}
