/* SPDX-License-Identifier: GPL-3.0-or-later
 * Commitments at other sizes: each level is the bill that a strategy which signs so much gets, and
 * the curve over levels is the newsvendor's. */
#include "engine/gsl_errors.h"
#include "scenarios/output/levels_table.h"
#include "scenarios/study/simulation.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double number(const struct table *t, size_t row, const char *column)
{
    int index = table_find(t, column);
    assert_true(index >= 0);
    return table_number(t, row, (size_t)index);
}

static money_t cell(const struct table *t, size_t row, const char *column)
{
    int index = table_find(t, column);
    assert_true(index >= 0);
    return table_integer(t, row, (size_t)index);
}

/* ---- a level is a bill ---- */

/* Nothing that hangs on what is signed is missing: coverage, discounts given back, an agreement,
 * support in tiers, credits, tax, others in the account, prices that fall before a purchase. */
#define NODES "instance: p4d.24xlarge, nodes: 3, buy: on-demand"
#define BILL                                                                                       \
    "version: 1\nstart: 2026-01-30T10:17Z\nhorizon: 80d\nregion: us-east-1\nreplications: 12\n"    \
    "market: {price_changes: {at: 2026-02-10, change: -20 %}}\n"                                   \
    "account:\n"                                                                                   \
    "  commitments: [{kind: compute-savings-plan, hourly: 9 USD/h, ends: 2026-09-01, term: 1y,\n"  \
    "    rates: {p4d.24xlarge: 13 USD/h}}]\n"                                                      \
    "  usage: [{instance: p4d.24xlarge, count: 1}]\n"                                              \
    "charges:\n"                                                                                   \
    "  - {discount: {ec2: 7 %}}\n  - {name: head, hourly: 3 USD/h}\n"                              \
    "  - {edp: {discount: 4 %, minimum: 900k USD, years: 1}}\n  - {support_plan: business}\n"      \
    "  - {credit: 9k USD, expires: 2026-03-05}\n  - {tax: 19 %}\n"                                 \
    "workloads:\n"                                                                                 \
    "  a: {kind: training, hours: 900..4000h, boot: 2min..9min, checkpoint: {every: 1h, write: "   \
    "1min}, at_horizon: finish-on-demand}\n"

/* Strategy `base` signs so many and so much. */
static void bill_text(char *out, size_t size, int count, double hourly)
{
    snprintf(out, size,
             "%sstrategies:\n  base: {%s, commitments: [\n"
             "    {kind: reserved-instances, instance: p4d.24xlarge, count: %d, term: 1y,\n"
             "     payment: partial-upfront, at: 20d, every: 1mo, times: 2, reuse: 30 %%},\n"
             "    {kind: compute-savings-plan, hourly: %.9f USD/h, term: 3y, payment: "
             "all-upfront,\n"
             "     rates: {p4d.24xlarge: 12 USD/h}}]}\n"
             "commitment_levels: [50 %%, 200 %%]\n",
             BILL, NODES, count, hourly);
}

enum { LEVELS = 4 };

static void run_world(struct simulation *sim, uint32_t world, struct metric_cells cells[2],
                      struct level_cell levels[LEVELS])
{
    const struct simulation_outputs out = {.cells = cells, .levels = levels};
    assert_true(simulation_begin_world(sim, world));
    if (!simulation_run_strategy(sim, 0, &out)) {
        fail_msg("%s", simulation_error(sim));
    }
}

static void each_level_is_the_bill_of_what_it_signs(void **state)
{
    (void)state;
    static const struct {
        int count;
        double hourly;
        size_t level;
    } as_signed[] = {{1, 5.5, 1}, {2, 11, 2}, {4, 22, 3}};
    char text[4096];
    bill_text(text, sizeof text, 2, 11);
    struct study *s = study_from_text(text, NULL);
    assert_int_equal(s->strategies[0].levels.count, LEVELS);
    struct simulation *sim = simulation_new(s);
    for (size_t i = 0; i < sizeof as_signed / sizeof as_signed[0]; i++) {
        bill_text(text, sizeof text, as_signed[i].count, as_signed[i].hourly);
        struct study *other = study_from_text(text, NULL);
        struct simulation *its = simulation_new(other);
        for (uint32_t world = 0; world < 12; world++) {
            struct metric_cells cells[2], of_other[2];
            struct level_cell levels[LEVELS], unheard[LEVELS];
            run_world(sim, world, cells, levels);
            run_world(its, world, of_other, unheard);
            const struct level_cell *at = &levels[as_signed[i].level];
            assert_int_equal(at->cost, of_other[1].value[METRIC_COST].money);
            assert_int_equal(at->unused, of_other[1].value[METRIC_COMMITMENT_UNUSED].money);
            assert_int_equal(levels[2].cost, cells[1].value[METRIC_COST].money);
        }
        simulation_free(its);
        study_free(other);
    }
    simulation_free(sim);
    study_free(s);
}

/* Without any the bill is that of the same strategy that signs nothing. */
static void level_zero_signs_nothing(void **state)
{
    (void)state;
    char text[4096];
    bill_text(text, sizeof text, 2, 11);
    struct study *s = study_from_text(text, NULL);
    struct study *plain = study_from_text(BILL "strategies: {base: {" NODES "}}\n", NULL);
    struct simulation *sim = simulation_new(s), *its = simulation_new(plain);
    assert_int_equal(plain->strategies[0].levels.count, 0);
    for (uint32_t world = 0; world < 12; world++) {
        struct metric_cells cells[2], of_plain[2];
        struct level_cell levels[LEVELS];
        const struct simulation_outputs out = {.cells = of_plain};
        run_world(sim, world, cells, levels);
        assert_true(simulation_begin_world(its, world) && simulation_run_strategy(its, 0, &out));
        assert_int_equal(levels[0].cost, of_plain[1].value[METRIC_COST].money);
        assert_int_equal(levels[0].covered_us, 0);
        assert_int_equal(levels[0].used_inside + levels[0].unused, 0);
        assert_true(levels[2].covered_us > 0 && levels[3].covered_us >= levels[2].covered_us);
    }
    simulation_free(sim);
    simulation_free(its);
    study_free(s);
    study_free(plain);
}

/* Hardware of one's own stands on the bill behind all that hangs on commitments. */
static void owned_hardware_costs_the_same_at_every_level(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2025-12-01\nhorizon: 20d\nregion: us-east-1\nreplications: 1\n"
        "workloads: {w: {kind: usage, nodes: 3, boot: 0s}}\n"
        "strategies: {s: {instance: p4d.24xlarge, fill: [{buy: owned, nodes: 1}, on-demand],\n"
        "  owned: {nodes: 1, capital: 300k USD, life: 4y, power_kw: 6, per_kwh: 0.1 USD},\n"
        "  commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 2, term: 1y}}}\n",
        NULL);
    struct simulation *sim = simulation_new(s);
    struct metric_cells cells[2];
    struct level_cell levels[5];
    run_world(sim, 0, cells, levels);
    assert_int_equal(s->strategies[0].levels.count, 5);
    assert_int_equal(levels[2].cost, cells[1].value[METRIC_COST].money);
    assert_int_equal(levels[0].cost - levels[1].cost,
                     480 * 21957642000 - (money_t)8760 * 13921094000);
    assert_true(levels[0].cost > 300000 * MONEY_UNIT);
    simulation_free(sim);
    study_free(s);
}

/* ---- which levels ---- */

#define SMALL                                                                                      \
    "version: 1\nstart: 2025-12-01\nhorizon: 20d\nregion: us-east-1\nreplications: 3\n"            \
    "workloads: {w: {kind: usage, nodes: 2, boot: 0s, until: 10d}}\n"
#define RESERVED(count)                                                                            \
    "strategies: {s: {instance: p4d.24xlarge, buy: on-demand, commitments: {kind: "                \
    "reserved-instances, instance: p4d.24xlarge, term: 1y, count: " count "}}}\n"

struct level_choice {
    const char *name, *text;
    size_t count;
    double first, second, last;
};

static const struct level_choice choices[] = {
    {"every count of few", SMALL RESERVED("3"), 7, 0, 1 / 3.0, 2},
    {"steps of many", SMALL RESERVED("40"), 13, 0, 0.25, 2},
    {"whole instances, the signed level kept",
     SMALL RESERVED("11") "commitment_levels: [90 %, 96 %, 104 %]\n", 3, 0, 0.9, 1},
    {"stated, in any order, twice, with 0 and what is signed",
     SMALL RESERVED("40") "commitment_levels: [150 %, 0.3, 30 %]\n", 4, 0, 0.3, 1.5},
    {"what signs the same is one", SMALL RESERVED("1") "commitment_levels: [60 %, 120 %, 140 %]\n",
     2, 0, 1, 1},
    {"none", SMALL RESERVED("3") "commitment_levels: []\n", 0, 0, 0, 0},
};

static void which_levels(void **state)
{
    const struct level_choice *c = *state;
    struct study *s = study_from_text(c->text, NULL);
    const struct commitment_levels *l = &s->strategies[0].levels;
    size_t as_signed = 0;
    assert_int_equal(l->count, c->count);
    for (size_t i = 0; i < l->count; i++) {
        as_signed += l->levels[i].share == 1.0;
        assert_true(i == 0 || l->levels[i].share > l->levels[i - 1].share);
        assert_true(i == 0 ||
                    l->levels[i].plan.items[0].count > l->levels[i - 1].plan.items[0].count);
    }
    if (c->count > 0) {
        assert_int_equal(as_signed, 1);
        assert_near(l->levels[0].share, c->first, 0, "first");
        assert_near(l->levels[1].share, c->second, 1e-15, "second");
        assert_near(l->levels[l->count - 1].share, c->last, 0, "last");
    }
    study_free(s);
}

/* Twice this would be more than money can hold: it is left out, and the rest is rated. */
static void what_cannot_be_counted_is_left_out(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        SMALL "strategies: {s: {instance: p4d.24xlarge, buy: on-demand, commitments: {kind: "
              "compute-savings-plan, term: 3y, hourly: 300k USD/h, rates: {p4d.24xlarge: 9 "
              "USD/h}}}}\n",
        NULL);
    const struct commitment_levels *l = &s->strategies[0].levels;
    assert_int_equal(l->count, 9); /* 9.2e9 / 26,280 h: up to 116 % */
    assert_near(l->levels[8].share, 1.1, 0, "the last one");
    study_free(s);
}

/* Two nodes for ten of twenty days at 21.957642 USD/h; reserved at 13.921094 for a year. */
static void columns_of_the_table(void **state)
{
    (void)state;
    static const double unused[] = {NAN, 0.5, 0.5, 2 / 3.0, 0.75}, covers[] = {0, 0.5, 1, 1, 1};
    struct run run;
    struct study *s = study_from_text(SMALL RESERVED("2"), NULL);
    study_run(&run, s, 1);
    struct table *t = levels_table(&run);
    assert_int_equal(table_rows(t), 5);
    for (size_t k = 0; k < 5; k++) {
        double signed_usd = 8760 * 13.921094 * (double)k;
        double on_demand = 240 * 21.957642 * (2 - fmin(2, (double)k));
        assert_int_equal(cell(t, k, "instances"), k);
        assert_near(number(t, k, "level_frac"), (double)k / 2, 0, "level");
        assert_near(number(t, k, "committed_per_hour_usd"), 13.921094 * (double)k, 1e-9, "an hour");
        assert_near(number(t, k, "signed_usd"), signed_usd, 1e-6, "signed");
        assert_near(number(t, k, "cost_mean_usd"), signed_usd + on_demand, 1e-6, "cost");
        assert_near(number(t, k, "cost_p90_usd"), signed_usd + on_demand, 1e-6, "p90");
        assert_near(number(t, k, "saving_mean_usd"), 480 * 21.957642 - signed_usd - on_demand, 1e-6,
                    "saved");
        assert_near(number(t, k, "over_signed_mean_usd"),
                    signed_usd + on_demand - 2 * 8760 * 13.921094, 1e-6, "over what is signed");
        assert_true(k == 0 ? isnan(number(t, k, "unused_mean_frac"))
                           : fabs(number(t, k, "unused_mean_frac") - unused[k]) < 1e-9);
        assert_near(number(t, k, "coverage_mean_frac"), covers[k], 1e-9, "coverage");
        assert_true(isnan(number(t, k, "hourly_usd")));
    }
    table_free(t);
    run_release(&run);
    study_free(s);
}

/* ---- newsvendor ---- */

/* A year of demand, at 10 USD/h on demand and 6 USD/h committed. */
#define YEAR                                                                                       \
    "version: 1\nstart: 2026-03-02\nhorizon: 365d\nregion: us-east-1\nseed: 7\n"                   \
    "market: {on-demand: {p4d.24xlarge: {price: 10 USD/h}}, price_cuts: none}\n"
#define PLAN(hourly)                                                                               \
    "strategies: {s: {instance: p4d.24xlarge, buy: on-demand, commitments: {kind: "                \
    "compute-savings-plan, term: 1y, hourly: " hourly                                              \
    " USD/h, rates: {p4d.24xlarge: 6 USD/h}}}}\n"
#define R     6.0
#define P     10.0
#define HOURS 8760.0

struct newsvendor {
    const char *name, *text;
    double signed_q, best_q, best_cost; /* Q*, cost at Q* an hour: r Q + p E[(D - Q)+] */
    double density;                     /* of the demand at Q*, for the error of the best level */
    double grid;                        /* distance of levels */
};

/* Optimal Q* = F^-1(1 - r/p) and the cost there, by 40-digit arithmetic and Monte Carlo: Normal: r
 * mu + p sd phi(z); Uniform(a, b): r Q + p (b - Q)^2 / (2 (b - a)); Exp: r Q + p m exp(-Q/m);
 * Poisson(20): smallest Q with F(Q) >= 0.4. Demand is drawn as a whole number of nodes, which moves
 * the cost by p f(Q)/24 < 0.01. */
static const struct newsvendor newsvendors[] = {
    {"normal",
     YEAR "replications: 2000\nworkloads: {w: {kind: usage, boot: 0s, nodes: [{nodes: normal(100; "
          "20)}]}}\n" PLAN("600") "commitment_levels: [80 %, 85 %, 88 %, 90 %, 91 %, 92 %, 93 %, "
                                  "94 %, 95 %, 96 %, 97 %, 98 %, 99 %, 102 %, 110 %]\n",
     100, 94.933057937284, 677.268506699372, 0.01932, 1},
    {"uniform",
     YEAR "replications: 2000\nworkloads: {w: {kind: usage, boot: 0s, nodes: [{nodes: uniform(40; "
          "160)}]}}\n" PLAN("600") "commitment_levels: [70 %, 76 %, 80 %, 82 %, 84 %, 86 %, 88 %, "
                                   "90 %, 92 %, 94 %, 96 %, 106 %]\n",
     100, 88, 744, 1 / 120.0, 2},
    {"exponential",
     YEAR "replications: 2000\nworkloads: {w: {kind: usage, boot: 0s, nodes: [{nodes: "
          "exponential(100)}]}}\n" PLAN("300") "commitment_levels: [60 %, 80 %, 86 %, 90 %, 94 %, "
                                               "98 %, 102 %, 106 %, 110 %, 114 %, 120 %]\n",
     50, 51.08256237659907, 906.4953742595944, 0.006, 2},
    {"poisson",
     YEAR
     "replications: 2000\nworkloads: {w: {kind: usage, boot: 0s, nodes: [{nodes: "
     "poisson(20)}]}}\n" PLAN("120") "commitment_levels: [75 %, 80 %, 85 %, 90 %, 95 %, 100 %, "
                                     "105 %, 110 %]\n",
     20, 19, 137.064490810, 0.0846, 1},
};

static void minimum_of_the_curve(void **state)
{
    const struct newsvendor *c = *state;
    struct run run;
    struct study *s = study_from_text(c->text, NULL);
    study_run(&run, s, 2);
    struct table *t = levels_table(&run);
    size_t best = 0, nearest = 0;
    for (size_t i = 0; i < table_rows(t); i++) {
        double q = number(t, i, "level_frac") * c->signed_q;
        assert_near(number(t, i, "committed_per_hour_usd"), R * q, 1e-6, "r Q");
        best = number(t, i, "cost_mean_usd") < number(t, best, "cost_mean_usd") ? i : best;
        double so_far = number(t, nearest, "level_frac") * c->signed_q;
        nearest = fabs(q - c->best_q) < fabs(so_far - c->best_q) ? i : nearest;
    }
    /* The best level of a sample is its quantile, whose error is sqrt(u (1 - u) / n) / f. */
    const double n = (double)cell(t, 0, "n");
    double error_q = sqrt(0.4 * 0.6 / n) / c->density;
    assert_int_equal((int)n, 2000);
    assert_true(best > 0 && best + 1 < table_rows(t)); /* a minimum inside */
    assert_near(number(t, best, "level_frac") * c->signed_q, c->best_q, 4 * error_q + c->grid,
                "the best level");
    /* At the level nearest to Q*, within half a step, the curve is flat: p f (dQ)^2 / 2. */
    double half = (number(t, nearest, "cost_high_usd") - number(t, nearest, "cost_low_usd")) / 2;
    double off = number(t, nearest, "level_frac") * c->signed_q - c->best_q;
    assert_near(number(t, nearest, "cost_mean_usd") / HOURS,
                c->best_cost + P * c->density * off * off / 2, 2 * half / HOURS + 0.01,
                "the cost there");
    /* What it saves is known far better, and is real. */
    assert_true(number(t, nearest, "saving_low_usd") > 0);
    table_free(t);
    run_release(&run);
    study_free(s);
}

/* 8 hours a day at 2, 8 at 10, 8 at 5 nodes, for 365 days: exactly, to the nano-dollar. */
#define DAY                                                                                        \
    "replications: 1\nworkloads: {w: {kind: usage, boot: 0s, nodes: [2,2,2,2,2,2,2,2, "            \
    "10,10,10,10,10,10,10,10, 5,5,5,5,5,5,5,5]}}\n"

static void exact_profile_of_the_day(void **state)
{
    (void)state;
    static const int64_t day_usd[] = {1360, 1264, 1168, 1152, 1136, 1120,
                                      1184, 1248, 1312, 1376, 1440};
    struct run run;
    struct study *s = study_from_text(YEAR DAY PLAN("30") "commitment_levels: [20 %, 40 %, 60 %, "
                                                          "80 %, 120 %, 140 %, 160 %, 180 %, "
                                                          "200 %]\n",
                                      NULL);
    study_run(&run, s, 1);
    assert_int_equal(s->strategies[0].levels.count, 11);
    for (size_t q = 0; q <= 10; q++) {
        assert_int_equal(level_results_cells(&run.levels, 0, 0)[q].cost,
                         365 * day_usd[q] * MONEY_UNIT);
    }
    run_release(&run);
    study_free(s);
}

/* The same with whole Reserved Instances at the catalogue's price, of which every count is a level.
 */
static void exact_profile_with_reserved_instances(void **state)
{
    (void)state;
    static const int64_t demand[] = {2, 10, 5};
    const money_t reserved = 13921094000, on_demand = 23201824000; /* r / p = 0.6 */
    size_t best = 0;
    struct run run;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-03-02\nhorizon: 365d\nregion: us-east-1\n"
        "market: {on-demand: {p4d.24xlarge: {price: 23.201824 USD/h}}, price_cuts: none}\n" DAY
            RESERVED("5"),
        NULL);
    study_run(&run, s, 1);
    assert_int_equal(s->strategies[0].levels.count, 11);
    const struct level_cell *cells = level_results_cells(&run.levels, 0, 0);
    for (int64_t q = 0; q <= 10; q++) {
        money_t cost = 8760 * q * reserved;
        for (size_t k = 0; k < 3; k++) {
            cost += demand[k] > q ? 365 * 8 * (demand[k] - q) * on_demand : 0;
        }
        assert_int_equal(cells[q].cost, cost);
        best = cells[q].cost < cells[best].cost ? (size_t)q : best;
    }
    assert_int_equal(best, 5);
    run_release(&run);
    study_free(s);
}

int main(void)
{
    enum { CHOICES = sizeof choices / sizeof choices[0] };
    enum { VENDORS = sizeof newsvendors / sizeof newsvendors[0] };
    struct CMUnitTest tests[CHOICES + VENDORS + 7] = {
        cmocka_unit_test(each_level_is_the_bill_of_what_it_signs),
        cmocka_unit_test(level_zero_signs_nothing),
        cmocka_unit_test(owned_hardware_costs_the_same_at_every_level),
        cmocka_unit_test(what_cannot_be_counted_is_left_out),
        cmocka_unit_test(columns_of_the_table),
        cmocka_unit_test(exact_profile_of_the_day),
        cmocka_unit_test(exact_profile_with_reserved_instances),
    };
    size_t count = 7;
    gsl_errors_install();
    for (size_t i = 0; i < CHOICES; i++) {
        tests[count++] = (struct CMUnitTest){choices[i].name, which_levels, NULL, NULL,
                                             (void *)(uintptr_t)&choices[i]};
    }
    for (size_t i = 0; i < VENDORS; i++) {
        tests[count++] = (struct CMUnitTest){newsvendors[i].name, minimum_of_the_curve, NULL, NULL,
                                             (void *)(uintptr_t)&newsvendors[i]};
    }
    return _cmocka_run_group_tests("commitment levels", tests, count, NULL, NULL);
}
