/* SPDX-License-Identifier: GPL-3.0-or-later
 * On-Demand Capacity Reservations from scenario files to the bill and to the launches, against sums
 * made by hand with the catalogue's prices (p4d.24xlarge in us-east-1: 21.957642 USD/h on demand
 * since 2025-06-05, 13.921094 USD/h as 1-year standard no-upfront Reserved Instance). */
#include "engine/gsl_errors.h"
#include "scenarios/output/commitment_results.h"
#include "scenarios/study/level_results.h"
#include "scenarios/study/simulation.h"
#include "tests/support/focus_rules.h"
#include "tests/support/month_sums.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HEAD        "version: 1\nstart: 2026-03-01\nregion: us-east-1\nreplications: 1\nhorizon: 10d\n"
#define WAITS       "market: {on-demand: {p4d.24xlarge: {capacity: wait, wait: 6h}}}\n"
#define LIMITED(n)  "market: {on-demand: {p4d.24xlarge: {capacity: limit, limit: " n "}}}\n"
#define NEEDS(list) "workloads: {w: {kind: usage, boot: 0s, nodes: [" list "]}}\n"
#define SIGNS(list)                                                                                \
    "strategies: {s: {instance: p4d.24xlarge, buy: on-demand, commitments: [" list "]}}\n"
#define HELD(n, keys) "{kind: capacity-reservation, instance: p4d.24xlarge, count: " n keys "}"
#define RESERVED(n, keys)                                                                          \
    "{kind: reserved-instances, instance: p4d.24xlarge, count: " n ", term: 1y" keys "}"
#define PRICE         21.957642
#define RESERVED_HOUR 13.921094

/* Hours are multiples of the price of one instance. */
struct cost_row {
    const char *name, *text;
    double node_h;    /* run */
    double idle_h;    /* reserved, idle and not covered */
    double covered_h; /* of what ran */
    double used_h;    /* of Reserved Instances */
};

#define THREE "{from: 24h, for: 48h, nodes: 3}"
#define ONE   "{from: 24h, for: 48h, nodes: 1}"

static const struct cost_row bills[] = {
    {"nothing runs in it", HEAD NEEDS(ONE) SIGNS(HELD("2", ", zone: us-east-1b, for: 4d")), 48, 192,
     0, 0},
    {"in another zone than the work's: without end, to the horizon",
     HEAD NEEDS(ONE) SIGNS(HELD("1", ", zone: us-east-1b")), 48, 240, 0, 0},
    {"used in part", HEAD NEEDS(THREE) SIGNS(HELD("2", ", at: 12h, for: 3d")), 144, 48, 0, 0},
    {"larger than the need", HEAD NEEDS(ONE) SIGNS(HELD("2", ", at: 12h, for: 3d")), 48, 96, 0, 0},
    {"until a date", HEAD NEEDS(ONE) SIGNS(HELD("1", ", until: 2026-03-05")), 48, 48, 0, 0},
    {"given up at the horizon", HEAD NEEDS(ONE) SIGNS(HELD("1", ", at: 9d, for: 1mo")), 48, 24, 0,
     0},
    {"two of one pool", HEAD NEEDS(THREE) SIGNS(HELD("2", ", for: 2d") ", " HELD("2", ", for: 3d")),
     144, /* 4 for 24 h, then 1 of 4 for 24 h, none of 2 for 24 h */ 96 + 24, 0, 0},
    /* One Reserved Instance over the ten days covers what runs first, then what is idle. */
    {"a regional reservation covers idle capacity too",
     HEAD NEEDS(ONE) SIGNS(HELD("1", ", at: 12h, for: 3d") ", " RESERVED("1", "")), 48, 0, 48, 72},
    {"and the first of two idle instances",
     HEAD NEEDS(ONE) SIGNS(HELD("2", ", at: 12h, for: 3d") ", " RESERVED("1", "")), 48, 72, 48, 72},
    {"a zonal one covers neither what is inside nor what is idle",
     HEAD NEEDS(THREE)
         SIGNS(HELD("2", ", at: 12h, for: 3d") ", " RESERVED("2", ", zone: us-east-1a")),
     144, 48, 48, 48},
    /* R3 of the billing rules in reserved capacity: two instances for 45 minutes of one hour under
     * one Reserved Instance: 3,600 s of 5,400 s covered, and nothing of the 1,800 s idle. */
    {"running instances are covered before idle ones",
     HEAD NEEDS("{from: 24h, for: 45min, nodes: 2}")
         SIGNS(HELD("2", ", at: 24h, for: 1h") ", " RESERVED("1", "")),
     1.5, 0.5, 1, 1},
    /* R1: one Reserved Instance, four instances for the whole hour. */
    {"one reservation, four instances",
     HEAD NEEDS("{from: 24h, for: 1h, nodes: 4}")
         SIGNS(HELD("4", ", at: 24h, for: 1h") ", " RESERVED("1", "")),
     4, 0, 1, 1},
};

static void to_the_cent(void **state)
{
    const struct cost_row *row = *state;
    struct run run;
    struct study *s = study_from_text(row->text, NULL);
    study_run(&run, s, 1);
    const bool reserved = strstr(row->text, "reserved-instances") != NULL;
    const double count = strstr(row->text, "zone: us-east-1a") != NULL ? 2 : 1;
    const double signs = reserved ? count * 8760 * RESERVED_HOUR : 0;
    const double paid = reserved ? count * 240 * RESERVED_HOUR : 0;
    const double nodes = (row->node_h - row->covered_h) * PRICE, idle = row->idle_h * PRICE;
    assert_near(run_value(&run, 0, 0, METRIC_RESERVATION_IDLE), idle, 1e-6, "idle");
    assert_near(run_value(&run, 0, 0, METRIC_ON_DEMAND_COST), nodes, 1e-6, "on demand");
    assert_near(run_value(&run, 0, 0, METRIC_COMMITMENT_USED), row->used_h * RESERVED_HOUR, 1e-6,
                "used");
    assert_near(run_value(&run, 0, 0, METRIC_COST), nodes + idle + signs, 1e-6, "cost");
    assert_near(run_value(&run, 0, 0, METRIC_CASH), nodes + idle + paid, 1e-6, "cash");
    assert_near(run_value(&run, 0, 0, METRIC_AMORTISED), nodes + idle + paid, 1e-6, "amortised");
    assert_near(run_value(&run, 0, 0, METRIC_OBLIGATION), signs, 1e-6, "signed");
    run_release(&run);
    study_free(s);
}

/* ---- capacity ---- */

struct served_row {
    const char *name, *text;
    double served_h, idle_h;
};

#define JOBS                                                                                       \
    "workloads:\n"                                                                                 \
    "  a: {kind: usage, boot: 0s, nodes: [{from: 0h, for: 10h, nodes: 1}]}\n"                      \
    "  b: {kind: usage, boot: 0s, nodes: [{from: 8h, for: 10h, nodes: 1}]}\n"

static const struct served_row serves[] = {
    {"the market waits", HEAD WAITS NEEDS(THREE) SIGNS(""), 3 * 42, 0},
    {"two need not", HEAD WAITS NEEDS(THREE) SIGNS(HELD("2", ", at: 24h, for: 2d")), 96 + 42, 0},
    {"none that is not reserved yet",
     HEAD WAITS NEEDS(THREE) SIGNS(HELD("3", ", at: 36h, for: "
                                             "36h")),
     3 * 42, 0},
    {"those that wait go in when it begins",
     HEAD WAITS NEEDS(THREE) SIGNS(HELD("2", ", at: 26h, for: 46h")), 2 * 46 + 42, 0},
    {"in another zone it is of no use",
     HEAD WAITS NEEDS(THREE) SIGNS(HELD("3", ", zone: us-east-1b, at: 24h, for: 2d")), 3 * 42, 144},
    /* a leaves after 10 h; b has waited since 8 h, and would to 14 h. */
    {"what another leaves is taken", HEAD WAITS JOBS SIGNS(HELD("1", ", for: 18h")), 10 + 8, 0},
    {"without it", HEAD WAITS JOBS SIGNS(""), 4 + 4, 0},
    {"the market has one", HEAD LIMITED("1") NEEDS(THREE) SIGNS(""), 48, 0},
    {"two are reserved", HEAD LIMITED("1") NEEDS(THREE) SIGNS(HELD("2", ", at: 24h, for: 2d")), 96,
     0},
    {"fewer than the market has",
     HEAD LIMITED("2") NEEDS(THREE) SIGNS(HELD("1", ", at: 24h, for: "
                                                    "2d")),
     96, 0},
    {"nobody is put out when it ends",
     HEAD LIMITED("1") NEEDS(THREE) SIGNS(HELD("3", ", at: 24h, for: 1h")), 144, 0},
};

static void capacity(void **state)
{
    const struct served_row *row = *state;
    struct run run;
    struct study *s = study_from_text(row->text, NULL);
    study_run(&run, s, 1);
    assert_near(run_value(&run, 0, 0, METRIC_SERVED), row->served_h, 1e-9, "served");
    assert_near(run_value(&run, 0, 0, METRIC_RESERVATION_IDLE), row->idle_h * PRICE, 1e-6, "idle");
    run_release(&run);
    study_free(s);
}

/* A gang of four is trained where the market has two: only in what is reserved. */
static void a_gang_starts_inside(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        HEAD LIMITED("2") "workloads: {t: {kind: training, hours: 10h, boot: 0s}}\n"
                          "strategies: {s: {instance: p4d.24xlarge, nodes: 4, buy: on-demand, "
                          "commitments: " HELD("4", ", at: 6h, for: 12h") "}}\n",
        NULL);
    study_run(&run, s, 1);
    assert_near(run_value(&run, 0, 0, METRIC_TIME_TO_TRAIN), 16, 1e-9, "time");
    /* Two are given back after ten minutes without the others. */
    assert_near(run_value(&run, 0, 0, METRIC_NODE_HOURS), 2.0 / 6 + 4 * 10, 1e-9, "node-hours");
    assert_near(run_value(&run, 0, 0, METRIC_RESERVATION_IDLE), 4 * 2 * PRICE, 1e-6, "idle");
    run_release(&run);
    study_free(s);
}

/* ---- the rest of the bill ---- */

/* 10 % off all of EC2 on demand, idle capacity too, but not off what Reserved Instances cover; 20 %
 * of tax on it all. 48 h run, 24 h are idle; a Reserved Instance from 54 h on covers the 18 h of
 * work left and the 12 h idle after it. */
static void discounts_and_tax(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD "charges: [{discount: {ec2: 10 %}}, {tax: 20 %}]\n" NEEDS(ONE)
            SIGNS(HELD("1", ", at: 12h, for: 3d")),
        HEAD "charges: [{discount: {ec2: 10 %}}, {tax: 20 %}]\n" NEEDS(ONE)
            SIGNS(HELD("1", ", at: 12h, for: 3d") ", " RESERVED("1", ", at: 54h")),
    };
    /* On demand: 72 h; 42 h, the 12 h before the work and 30 h of it. */
    const double on_demand_h[] = {72, 42}, signed_h[] = {0, 8760};
    for (size_t i = 0; i < 2; i++) {
        struct run run;
        struct study *s = study_from_text(texts[i], NULL);
        study_run(&run, s, 1);
        double net = on_demand_h[i] * PRICE * 0.9 + signed_h[i] * RESERVED_HOUR;
        assert_near(run_value(&run, 0, 0, METRIC_COST), net * 1.2, 1e-5, "cost");
        assert_near(run_value(&run, 0, 0, METRIC_DISCOUNT), on_demand_h[i] * PRICE * 0.1, 1e-6,
                    "discount");
        run_release(&run);
        study_free(s);
    }
}

/* From 12 h on the price is a quarter less: idle capacity follows it. */
static void the_price_in_force(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(HEAD "market: {price_changes: [{at: 2026-03-02, change: -25 "
                                           "%, instances: [p4d.24xlarge]}]}\n" NEEDS(ONE)
                                               SIGNS(HELD("1", ", zone: us-east-1b, for: 36h")),
                                      NULL);
    study_run(&run, s, 1);
    assert_near(run_value(&run, 0, 0, METRIC_RESERVATION_IDLE), (24 + 12 * 0.75) * PRICE, 1e-6,
                "idle");
    run_release(&run);
    study_free(s);
}

/* What the account has signed for already covers the plan's idle capacity at no cost. */
static void the_account_covers_it(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        HEAD "account: {commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 1, "
             "ends: 2026-09-01}}\n" NEEDS(ONE) SIGNS(HELD("2", ", at: 12h, for: 3d")),
        NULL);
    study_run(&run, s, 1);
    assert_near(run_value(&run, 0, 0, METRIC_ON_DEMAND_COST), 0, 1e-6, "on demand");
    assert_near(run_value(&run, 0, 0, METRIC_RESERVATION_IDLE), 72 * PRICE, 1e-6, "idle");
    assert_near(run_value(&run, 0, 0, METRIC_COST), 72 * PRICE, 1e-6, "cost");
    run_release(&run);
    study_free(s);
}

static double cell(const struct table *t, size_t row, const char *column)
{
    int at = table_find(t, column);
    assert_true(at >= 0);
    return table_number(t, row, (size_t)at);
}

/* Of two of a pool the first is used first; the Reserved Instance covers of both. */
static void a_row_for_each(void **state)
{
    (void)state;
    struct run run;
    struct study *s =
        study_from_text(HEAD NEEDS(THREE) SIGNS(HELD("2", ", at: 12h, for: 3d") ", " RESERVED(
                            "1", "") ", " HELD("2", ", at: 24h, for: 2d")),
                        NULL);
    study_run(&run, s, 1);
    struct table *t = commitment_results_table(&run);
    assert_int_equal(table_rows(t), 3);
    /* 1 instance for the 72 h in which there is any; eligible: 144 h run and 48 + 48 h idle. */
    assert_near(cell(t, 0, "covered_h_mean"), 72, 1e-9, "covered");
    assert_near(cell(t, 0, "coverage_mean_frac"), 72.0 / (144 + 96), 1e-6, "coverage");
    assert_near(cell(t, 1, "signed_usd"), 0, 0, "signed");
    assert_near(cell(t, 1, "used_plan_usd"), 96 * PRICE, 1e-6, "used");
    assert_near(cell(t, 1, "unused_plan_usd"), 48 * PRICE, 1e-6, "idle");
    assert_near(cell(t, 1, "utilisation_mean_frac"), 96.0 / 144, 1e-6, "utilisation");
    assert_near(cell(t, 2, "used_plan_usd"), 48 * PRICE, 1e-6, "used of the second");
    assert_near(cell(t, 2, "unused_plan_usd"), 48 * PRICE, 1e-6, "idle of the second");
    table_free(t);
    run_release(&run);
    study_free(s);
}

/* A year of uncertain work on spot with fallback, uncertain prices, three commitments, an account
 * and its others, two workloads: parts, months, categories and timeline add up to the nano-unit. */
static const char rich[] =
    "version: 1\nstart: 2026-02-02T05:11Z\nregion: us-east-1\nreplications: 30\nhorizon: 200d\n"
    "charges: [{discount: {p4d: 7 %}}, {support: 3 %}, {tax: 19 %}]\n"
    "market:\n"
    "  on-demand: {p4d.24xlarge: {capacity: wait, wait: exponential(3h)}}\n"
    "  spot: {p4d.24xlarge: {price: 8..12 USD/h, capacity: on-off, mean_up: 20h, mean_down: 9h}}\n"
    "account:\n"
    "  commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 2, ends: "
    "2026-05-05}\n"
    "  usage: {instance: p4d.24xlarge, day: [0,0,0,0,0,0,1,2,3,3,3,3,3,3,3,3,2,1,1,1,1,0,0,0]}\n"
    "workloads:\n"
    "  tune: {kind: training, hours: 1000..2500h, boot: 3..9min,\n"
    "    checkpoint: {every: 3h, write: 60..180s, restore: 4min}}\n"
    "  serve: {kind: usage, nodes: [1,1,1,1,1,1,2,2,3,3,4,4,4,4,4,3,3,3,2,2,1,1,1,1], scale: "
    "0.7..1.6}\n"
    "strategies:\n"
    "  s:\n"
    "    instance: p4d.24xlarge\n"
    "    workloads:\n"
    "      tune: {nodes: 2, buy: spot, policy: fallback}\n"
    "      serve: {fill: [{buy: on-demand}]}\n"
    "    commitments:\n"
    "      - {kind: capacity-reservation, instance: p4d.24xlarge, count: 3, at: 3h, for: 77d}\n"
    "      - {kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y, at: 20d}\n"
    "      - {kind: capacity-reservation, instance: p4d.24xlarge, count: 2, at: 1mo, until: "
    "2026-07-07}\n"
    "      - {kind: compute-savings-plan, hourly: 21.7 USD/h, term: 1y, at: 45d, rates: "
    "{p4d.24xlarge: 14.3 USD/h}}\n";

static void everything_adds_up(void **state)
{
    (void)state;
    struct study *s = study_from_text(rich, NULL);
    struct simulation *sim = simulation_new(s);
    struct metric_cells cells[3];
    money_t *months = calloc(s->frame.months, sizeof *months);
    money_t *by_month = calloc(BILL_ROWS * s->frame.months, sizeof *by_month);
    const struct commitment_levels *levels = &s->strategies[0].levels;
    struct level_cell *at_level = calloc(levels->count, sizeof *at_level);
    money_t least = INT64_MAX, most = 0;
    for (uint32_t world = 0; world < 30; world++) {
        double spend[40] = {0}, by_bucket = 0;
        const struct simulation_outputs out = {.cells = cells,
                                               .months = months,
                                               .by_month = by_month,
                                               .levels = at_level,
                                               .buckets = 40,
                                               .bucket_us = s->frame.horizon_us / 40,
                                               .spend_units = spend};
        assert_true(simulation_begin_world(sim, world));
        assert_true(simulation_run_strategy(sim, 0, &out));
        const union metric_value *v = cells[2].value;
        money_t sum = v[METRIC_ON_DEMAND_COST].money + v[METRIC_SPOT_COST].money +
                      v[METRIC_RESERVATION_IDLE].money + v[METRIC_COMMITMENT_USED].money +
                      v[METRIC_COMMITMENT_UNUSED].money + v[METRIC_COMMITMENT_LATER].money +
                      v[METRIC_DISPLACED].money + v[METRIC_OTHER_COST].money -
                      v[METRIC_DISCOUNT].money;
        assert_int_equal(sum, v[METRIC_COST].money);
        assert_months_add_up(s, &cells[2], months, by_month);
        for (size_t i = 0; i < levels->count; i++) {
            assert_true(levels->levels[i].share != 1.0 || at_level[i].cost == v[METRIC_COST].money);
        }
        for (size_t b = 0; b < 40; b++) {
            by_bucket += spend[b];
        }
        assert_near(by_bucket, money_to_double(v[METRIC_CASH].money), 1e-4, "timeline");
        money_t idle = v[METRIC_RESERVATION_IDLE].money;
        assert_true(idle >= 0);
        least = idle < least ? idle : least;
        most = idle > most ? idle : most;
    }
    assert_true(most > least);
    free(at_level);
    free(by_month);
    free(months);
    simulation_free(sim);
    study_free(s);
}

/* ---- as rows of a FOCUS file ---- */

static void in_the_file(void **state)
{
    const struct cost_row *row = *state;
    struct study *s = study_from_text(row->text, NULL);
    struct focus_reading f;
    double node_h = 0, idle_h = 0, covered_h = 0, idle_covered_h = 0, units_h = 0;
    focus_check_world(s, 0, 0);
    focus_reading_open(&f, s, 0, 0);
    while (csv_next(f.csv) == 1) {
        const bool covered = focus_cell_is(&f, FOCUS_COMMITMENT_STATUS, "Used");
        if (focus_cell_is(&f, FOCUS_CAPACITY_RESERVATION_STATUS, "Unused")) {
            *(covered ? &idle_covered_h : &idle_h) += focus_cell_number(&f, FOCUS_PRICING_QUANTITY);
            assert_string_equal(focus_cell(&f, FOCUS_RESOURCE_TYPE), "Capacity Reservation");
            assert_string_equal(focus_cell(&f, FOCUS_PRICING_CATEGORY),
                                covered ? "Committed" : "Standard");
        } else if (!csv_missing(f.csv, FOCUS_X_END_REASON)) {
            node_h += focus_cell_number(&f, FOCUS_CONSUMED_QUANTITY);
            covered_h += covered ? focus_cell_number(&f, FOCUS_CONSUMED_QUANTITY) : 0;
        }
        units_h += covered ? focus_cell_number(&f, FOCUS_COMMITMENT_QUANTITY) : 0;
    }
    focus_reading_close(&f);
    study_free(s);
    assert_near(node_h, row->node_h, 1e-9, "run");
    assert_near(idle_h, row->idle_h, 1e-9, "idle");
    assert_near(covered_h, row->covered_h, 1e-9, "covered of what ran");
    assert_near(units_h, row->used_h, 1e-9, "of Reserved Instances");
    assert_near(idle_covered_h, row->used_h - row->covered_h, 1e-9, "covered of what was idle");
}

/* Three run, of which the two that came first are in the reservation; when one of them ends, the
 * third moves in: two rows of one node. */
static void the_next_moves_in(void **state)
{
    (void)state;
    static const struct {
        const char *resource, *start, *end, *reservation, *status;
    } want[] = {
        {"a/us-east-1a/p4d.24xlarge/on-demand/0/0", "2026-03-01T00:00:00Z", "2026-03-01T10:00:00Z",
         "reservation-1", "Used"},
        {"b/us-east-1a/p4d.24xlarge/on-demand/0/0", "2026-03-01T02:00:00Z", "2026-03-01T20:00:00Z",
         "reservation-2", "Used"},
        {"c/us-east-1a/p4d.24xlarge/on-demand/0/0", "2026-03-01T04:00:00Z", "2026-03-01T10:00:00Z",
         "", ""},
        {"c/us-east-1a/p4d.24xlarge/on-demand/0/0", "2026-03-01T10:00:00Z", "2026-03-01T20:00:00Z",
         "reservation-1", "Used"},
    };
    struct study *s = study_from_text(
        HEAD "workloads:\n"
             "  a: {kind: usage, boot: 0s, nodes: [{from: 0h, for: 10h, nodes: 1}]}\n"
             "  b: {kind: usage, boot: 0s, nodes: [{from: 2h, for: 18h, nodes: 1}]}\n"
             "  c: {kind: usage, boot: 0s, nodes: [{from: 4h, for: 16h, nodes: 1}]}\n" SIGNS(
                 HELD("1", ", for: 1d") ", " HELD("1", ", for: 1d")),
        NULL);
    struct focus_reading f;
    size_t found = 0, rows = 0;
    focus_check_world(s, 0, 0);
    focus_reading_open(&f, s, 0, 0);
    while (csv_next(f.csv) == 1) {
        if (csv_missing(f.csv, FOCUS_X_END_REASON)) {
            continue;
        }
        for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
            found += focus_cell_is(&f, FOCUS_RESOURCE_ID, want[i].resource) &&
                     focus_cell_is(&f, FOCUS_CHARGE_PERIOD_START, want[i].start) &&
                     focus_cell_is(&f, FOCUS_CHARGE_PERIOD_END, want[i].end) &&
                     focus_cell_is(&f, FOCUS_CAPACITY_RESERVATION_ID, want[i].reservation) &&
                     focus_cell_is(&f, FOCUS_CAPACITY_RESERVATION_STATUS, want[i].status);
        }
        rows++;
    }
    focus_reading_close(&f);
    study_free(s);
    assert_int_equal(rows, 4);
    assert_int_equal(found, 4);
}

/* ---- what cannot be ---- */

struct refusal_row {
    const char *name, *text, *says;
};

static const struct refusal_row refusals[] = {
    {"without a type", HEAD NEEDS(ONE) SIGNS("{kind: capacity-reservation, count: 1}"),
     "'instance' is missing from this kind of commitment"},
    {"without a count",
     HEAD NEEDS(ONE) SIGNS("{kind: capacity-reservation, instance: p4d.24xlarge}"),
     "'count' is missing from this kind of commitment"},
    {"with a term", HEAD NEEDS(ONE) SIGNS(HELD("1", ", term: 1y")),
     "'term' does not belong to a capacity reservation"},
    {"with a payment", HEAD NEEDS(ONE) SIGNS(HELD("1", ", payment: all-upfront")),
     "'payment' does not belong to a capacity reservation"},
    {"with a class", HEAD NEEDS(ONE) SIGNS(HELD("1", ", class: standard")),
     "'class' does not belong to a capacity reservation"},
    {"with reuse", HEAD NEEDS(ONE) SIGNS(HELD("1", ", reuse: 50 %")),
     "'reuse' does not belong to a capacity reservation"},
    {"as a ladder", HEAD NEEDS(ONE) SIGNS(HELD("1", ", every: 1d, times: 3")),
     "'times' does not belong to a capacity reservation"},
    {"with two ends", HEAD NEEDS(ONE) SIGNS(HELD("1", ", for: 1d, until: 2026-03-04")),
     "both 'for' and 'until'"},
    {"an end before it begins", HEAD NEEDS(ONE) SIGNS(HELD("1", ", at: 4d, until: 2026-03-04")),
     "'until' is not after the reservation begins"},
    {"after the horizon", HEAD NEEDS(ONE) SIGNS(HELD("1", ", at: 10d")),
     "the reservation begins at or after the horizon"},
    {"a type that is not there",
     HEAD NEEDS(ONE) SIGNS("{kind: capacity-reservation, instance: p4d.25xlarge, count: 1}"),
     "unknown instance type 'p4d.25xlarge'"},
    {"a zone that is not there", HEAD NEEDS(ONE) SIGNS(HELD("1", ", zone: us-west-1a")),
     "us-west-1a"},
    {"a term in time of a purchase", HEAD NEEDS(ONE) SIGNS(RESERVED("1", ", for: 3d")),
     "'for' does not belong to this kind of commitment"},
    {"a purchase without a term",
     HEAD NEEDS(ONE) SIGNS("{kind: reserved-instances, instance: p4d.24xlarge, count: 1}"),
     "'term' is missing from this kind of commitment"},
    {"of the account",
     HEAD "account: {commitments: {kind: capacity-reservation, instance: p4d.24xlarge, count: 1, "
          "ends: 2026-09-01}}\n" NEEDS(ONE) SIGNS(""),
     "'kind' is 'capacity-reservation'"},
    {"too few for a gang",
     HEAD LIMITED("2") "workloads: {t: {kind: training, hours: 10h}}\n"
                       "strategies: {s: {instance: p4d.24xlarge, nodes: 4, buy: on-demand, "
                       "commitments: " HELD("3", "") "}}\n",
     "wants 4 nodes for 't', but the market has at most 3 nodes"},
};

static void refusal(void **state)
{
    const struct refusal_row *row = *state;
    int code = 0;
    char *what = study_errors(row->text, &code);
    if (strstr(what, row->says) == NULL) {
        fail_msg("expected: %s\ngot: %s", row->says, what);
    }
    free(what);
}

#define ADD(rows, function)                                                                        \
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {                                    \
        tests[n++] = (struct CMUnitTest){.name = rows[i].name,                                     \
                                         .test_func = function,                                    \
                                         .initial_state = (void *)(uintptr_t)&rows[i]};            \
    }

int main(void)
{
    gsl_errors_install();
    struct CMUnitTest tests[96] = {
        cmocka_unit_test(a_gang_starts_inside), cmocka_unit_test(discounts_and_tax),
        cmocka_unit_test(the_price_in_force),   cmocka_unit_test(the_account_covers_it),
        cmocka_unit_test(a_row_for_each),       cmocka_unit_test(everything_adds_up),
        cmocka_unit_test(the_next_moves_in),
    };
    size_t n = 0;
    while (tests[n].test_func != NULL) {
        n++;
    }
    ADD(bills, to_the_cent)
    ADD(bills, in_the_file)
    ADD(serves, capacity)
    ADD(refusals, refusal)
    return _cmocka_run_group_tests("reservations", tests, n, NULL, NULL);
}
