/* SPDX-License-Identifier: GPL-3.0-or-later
 * A plan beside others in one account, from scenario files to the bill. The plan costs the
 * account's bill with it less the bill without it; every amount here is worked out by hand from 20
 * USD/h for a p4d.24xlarge and 24 USD/h for a p3.16xlarge on demand. */
#include "engine/gsl_errors.h"
#include "scenarios/cli/commitment_table.h"
#include "scenarios/cli/node_table.h"
#include "scenarios/output/result_tables.h"
#include "scenarios/study/simulation.h"
#include "tests/support/month_sums.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define P4D_1Y_NO 13.921094 /* 1-year standard no-upfront, ec2instances.info 2025-11-30 */

/* 2025-12-01 is a Monday. */
#define HEAD                                                                                       \
    "version: 1\nstart: 2025-12-01\nregion: us-east-1\nreplications: 1\nhorizon: 10d\n"            \
    "market: {on-demand: {p4d.24xlarge: {price: 20 USD/h}, p3.16xlarge: {price: 24 USD/h}}}\n"
/* 400 USD on demand */
#define TWO_NODES_FOR_TEN_HOURS                                                                    \
    "workloads: {job: {kind: training, hours: 10h, boot: 0s, checkpoint: continuous}}\n"           \
    "strategies: {plan: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}}\n"
#define RESERVED "{kind: reserved-instances, instance: p4d.24xlarge, "
#define SAVINGS                                                                                    \
    "{kind: compute-savings-plan, ends: 2026-06-01,\n"                                             \
    "  rates: {p4d.24xlarge: 15 USD/h, p3.16xlarge: 20 USD/h}, "

/* One strategy in one world. */
struct outcome {
    struct study *study;
    struct simulation *simulation;
    struct metric_cells cells[2];
    money_t months[8];
    money_t by_month[BILL_ROWS * 8];
};

static double value(const struct outcome *o, enum metric m)
{
    return metric_number(&o->cells[1], m);
}

static void assert_adds_up(const struct outcome *o)
{
    const struct metric_cells *all = &o->cells[1];
    money_t sum = all->value[METRIC_OTHER_COST].money - all->value[METRIC_DISCOUNT].money;
    money_t by_month = 0;
    for (int p = 0; p < PURCHASE_COUNT; p++) {
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            sum += all->line[p][a];
        }
    }
    for (size_t i = 0; study_shared_line(o->study, i) != NULL; i++) {
        const struct shared_line *line = study_shared_line(o->study, i);
        sum += line->sign * all->value[line->metric].money;
    }
    for (size_t m = 0; m < o->study->frame.months; m++) {
        by_month += o->months[m];
    }
    assert_int_equal(sum, all->value[METRIC_COST].money);
    assert_int_equal(by_month, all->value[METRIC_COST].money);
    assert_months_add_up(o->study, all, o->months, o->by_month);
}

static void run_world(struct outcome *o, size_t strategy, uint32_t world)
{
    const struct simulation_outputs out = {
        .cells = o->cells, .months = o->months, .by_month = o->by_month};
    assert_true(o->study->frame.months <= 8);
    assert_true(simulation_begin_world(o->simulation, world));
    assert_true(simulation_run_strategy(o->simulation, strategy, &out));
    assert_adds_up(o);
}

static void begin(struct outcome *o, const char *text, const char *const *sets)
{
    o->study = study_from_text(text, sets);
    o->simulation = simulation_new(o->study);
    assert_non_null(o->simulation);
    run_world(o, 0, 0);
}

static void end(struct outcome *o)
{
    simulation_free(o->simulation);
    study_free(o->study);
}

static void assert_costs(const char *text, double cost, double covered, double displaced)
{
    struct outcome o;
    begin(&o, text, NULL);
    assert_near(value(&o, METRIC_COST), cost, 1e-6, "cost");
    assert_near(value(&o, METRIC_COVERED), covered, 1e-6, "covered");
    assert_near(value(&o, METRIC_DISPLACED), displaced, 1e-6, "displaced");
    end(&o);
}

/* ---- the three cases, and the end of a term ---- */

static void a_full_reservation_saves_nothing(void **state)
{
    (void)state;
    struct outcome o;
    begin(&o,
          HEAD "account:\n"
               "  commitments: " RESERVED "count: 3, ends: 2026-03-01, price: 12 USD/h}\n"
               "  usage: {instance: p4d.24xlarge, count: 3}\n" TWO_NODES_FOR_TEN_HOURS,
          NULL);
    assert_int_equal(o.cells[1].value[METRIC_COST].money, 400 * MONEY_UNIT);
    assert_int_equal(o.cells[1].value[METRIC_CASH].money, 400 * MONEY_UNIT);
    assert_int_equal(o.cells[1].value[METRIC_AMORTISED].money, 400 * MONEY_UNIT);
    assert_int_equal(o.cells[1].value[METRIC_COVERED].money, 0);
    assert_int_equal(o.cells[1].value[METRIC_DISPLACED].money, 0);
    assert_int_equal(o.cells[1].value[METRIC_OBLIGATION].money, 0);
    /* 3 × 12 USD/h over ten days */
    assert_int_equal(o.study->account.sunk, 3 * 12 * 240 * MONEY_UNIT);
    end(&o);
}

/* One of three reserved is free: one of the two nodes costs nothing for its ten hours. */
static void a_half_empty_reservation_saves_its_unused_part(void **state)
{
    (void)state;
    assert_costs(HEAD "account:\n"
                      "  commitments: " RESERVED "count: 3, ends: 2026-03-01, price: 12 USD/h}\n"
                      "  usage: {instance: p4d.24xlarge, count: 2}\n" TWO_NODES_FOR_TEN_HOURS,
                 200, 200, 0);
}

/* 45 USD/h at a rate of 15 are three nodes, of which others use two. */
static void a_half_empty_savings_plan_saves_its_unused_part(void **state)
{
    (void)state;
    assert_costs(HEAD "account:\n"
                      "  commitments: " SAVINGS "hourly: 45 USD/h}\n"
                      "  usage: {instance: p4d.24xlarge, count: 2}\n" TWO_NODES_FOR_TEN_HOURS,
                 200, 200, 0);
}

/* 30 USD/h cover 1.5 p3.16xlarge, worth 36 USD/h. The plan's p4d.24xlarge have the higher saving
 * (25 % against 16.7 %) and take all of it: 40 USD/h less for them, 36 USD/h more for others. */
static void displaced_cover_is_charged(void **state)
{
    (void)state;
    assert_costs(HEAD "account:\n"
                      "  commitments: " SAVINGS "hourly: 30 USD/h}\n"
                      "  usage: {instance: p3.16xlarge, count: 2}\n" TWO_NODES_FOR_TEN_HOURS,
                 400 - 400 + 360, 400, 360);
}

/* With the lower saving the plan comes last, and gets nothing. */
static void higher_savings_of_others_come_first(void **state)
{
    (void)state;
    assert_costs(
        HEAD "account:\n"
             "  commitments: " SAVINGS "hourly: 30 USD/h}\n"
             "  usage: {instance: p4d.24xlarge, count: 2}\n"
             "workloads: {job: {kind: training, hours: 10h, boot: 0s, checkpoint: continuous}}\n"
             "strategies: {plan: {instance: p3.16xlarge, nodes: 1, buy: on-demand}}\n",
        240, 0, 0);
}

/* It covers one node for four of the ten hours, then its term is over. */
static void an_existing_commitment_ends_inside_the_horizon(void **state)
{
    (void)state;
    struct outcome o;
    begin(&o,
          HEAD "account:\n"
               "  commitments: " RESERVED
               "count: 1, ends: 2025-12-01T04:00Z, price: 12 USD/h}\n" TWO_NODES_FOR_TEN_HOURS,
          NULL);
    assert_near(value(&o, METRIC_COST), 400 - 4 * 20, 1e-9, "four hours covered");
    assert_int_equal(o.study->account.sunk, 4 * 12 * MONEY_UNIT);
    end(&o);
}

/* From hour 4 on others lose their cover as well, without the plan as with it. */
static void an_end_changes_both_bills(void **state)
{
    (void)state;
    assert_costs(HEAD
                 "account:\n"
                 "  commitments:\n"
                 "  - " SAVINGS "hourly: 30 USD/h}\n"
                 "  - {kind: compute-savings-plan, hourly: 30 USD/h, ends: 2025-12-01T04:00Z,\n"
                 "     rates: {p4d.24xlarge: 15 USD/h, p3.16xlarge: 20 USD/h}}\n"
                 "  usage: {instance: p3.16xlarge, count: 2}\n" TWO_NODES_FOR_TEN_HOURS,
                 /* 60 USD/h: 30 for two p4d, 30 for 1.5 of two p3; later as above */
                 4 * 0.5 * 24 + 6 * 36, 400, 4 * 0.5 * 24 + 6 * 36);
}

/* ---- what the plan signs ---- */

/* Four reserved cover three nodes of others all the time and one of the plan's for ten hours. */
static void new_commitments_cover_others_too(void **state)
{
    (void)state;
    struct outcome o;
    begin(&o,
          HEAD
          "account: {usage: {instance: p4d.24xlarge, count: 3}}\n"
          "workloads: {job: {kind: training, hours: 10h, boot: 0s, checkpoint: continuous}}\n"
          "strategies: {plan: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, commitments:\n"
          "  " RESERVED "count: 4, term: 1y}}}\n",
          NULL);
    double signed_for = 4 * 8760 * P4D_1Y_NO;
    assert_near(value(&o, METRIC_OBLIGATION), signed_for, 1e-4, "signed");
    assert_near(value(&o, METRIC_DISPLACED), -3 * 240 * 20, 1e-6, "saved for others");
    assert_near(value(&o, METRIC_COVERED), 10 * 20, 1e-6, "covered of the plan");
    assert_near(value(&o, METRIC_COST), 400 - 200 - 3 * 240 * 20 + signed_for, 1e-4, "cost");
    assert_near(value(&o, METRIC_COMMITMENT_USED), (720 + 10) * P4D_1Y_NO, 1e-4, "used");
    assert_near(value(&o, METRIC_COMMITMENT_UNUSED), (240 - 10) * P4D_1Y_NO, 1e-4, "unused");
    assert_near(value(&o, METRIC_CASH), 200 - 14400 + 4 * 240 * P4D_1Y_NO, 1e-4, "cash");
    end(&o);
}

/* The existing one is full before the new one is used at all. */
static void of_equal_commitments_the_existing_one_is_used_first(void **state)
{
    (void)state;
    struct outcome o;
    begin(&o,
          HEAD
          "account: {commitments: " RESERVED "count: 2, ends: 2026-03-01, price: 12 USD/h}}\n"
          "workloads: {job: {kind: training, hours: 10h, boot: 0s, checkpoint: continuous}}\n"
          "strategies: {plan: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, commitments:\n"
          "  " RESERVED "count: 2, term: 1y}}}\n",
          NULL);
    const struct committed_account *accounts = simulation_commitments(o.simulation, 0);
    assert_near(value(&o, METRIC_COST), 2 * 8760 * P4D_1Y_NO, 1e-4, "nothing on demand");
    assert_near(value(&o, METRIC_COMMITMENT_USED), 0, 0, "the new one is useless");
    assert_int_equal(accounts[0].covered_us, 0);
    assert_int_equal(accounts[1].covered_us, 2 * 10 * HOUR_US);
    assert_int_equal(accounts[1].used, 2 * 10 * 12 * MONEY_UNIT);
    assert_int_equal(accounts[1].used + accounts[1].unused, o.study->account.sunk);
    struct table *t = commitment_table(o.study, 0, accounts);
    assert_int_equal(table_rows(t), 2);
    assert_string_equal(table_text(t, 1, 0), "existing: 2 x p4d.24xlarge, until 2026-03-01");
    assert_true(table_find(t, "others_h") >= 0);
    table_free(t);
    end(&o);
}

/* ---- owners ---- */

/* A linked account's reservation covers its own node first; the plan gets the other. */
static void the_owner_comes_first(void **state)
{
    (void)state;
    struct outcome o;
    begin(&o,
          HEAD
          "account:\n"
          "  owner: research\n"
          "  commitments: " RESERVED "count: 2, ends: 2026-03-01, owner: web, price: 12 USD/h}\n"
          "  usage: [{instance: p4d.24xlarge, count: 1, owner: web},\n"
          "          {instance: p4d.24xlarge, count: 1, owner: games}]\n" TWO_NODES_FOR_TEN_HOURS,
          NULL);
    /* web's own node takes one, games' node the other, as without the plan */
    assert_near(value(&o, METRIC_COST), 400, 1e-9, "cost");
    end(&o);
    begin(&o,
          HEAD
          "account:\n"
          "  owner: research\n"
          "  commitments: " RESERVED
          "count: 2, ends: 2026-03-01, owner: research, price: 12 USD/h}\n"
          "  usage: [{instance: p4d.24xlarge, count: 1, owner: web},\n"
          "          {instance: p4d.24xlarge, count: 1, owner: games}]\n" TWO_NODES_FOR_TEN_HOURS,
          NULL);
    /* the plan is the owner: its nodes displace both others' */
    assert_near(value(&o, METRIC_COVERED), 400, 1e-9, "covered");
    assert_near(value(&o, METRIC_DISPLACED), 400, 1e-9, "displaced");
    assert_near(value(&o, METRIC_COST), 400, 1e-9, "cost");
    end(&o);
}

/* ---- usage over time ---- */

/* Others run three nodes from 02:00 to 06:00: in these four hours the reservation is full. */
#define NIGHT "[0,0,3,3,3,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]"

static void by_the_hour_of_the_day(void **state)
{
    (void)state;
    assert_costs(HEAD "account:\n"
                      "  commitments: " RESERVED "count: 3, ends: 2026-03-01, price: 12 USD/h}\n"
                      "  usage: {instance: p4d.24xlarge, day: " NIGHT "}\n" TWO_NODES_FOR_TEN_HOURS,
                 4 * 2 * 20, 6 * 2 * 20, 0);
}

/* The scenario begins at half past three: the hours of the day stay where they are. */
static void a_start_within_an_hour(void **state)
{
    (void)state;
    struct outcome o;
    const char *sets[] = {"start=2025-12-01T03:30Z", NULL};
    begin(&o,
          HEAD "account:\n"
               "  commitments: " RESERVED "count: 3, ends: 2026-03-01, price: 12 USD/h}\n"
               "  usage: {instance: p4d.24xlarge, day: " NIGHT "}\n" TWO_NODES_FOR_TEN_HOURS,
          sets);
    assert_near(value(&o, METRIC_COST), 2.5 * 2 * 20, 1e-9, "until six");
    end(&o);
}

/* Monday is busy; the job runs from Monday 20:00 to Tuesday 06:00. */
static void by_the_hour_of_the_week(void **state)
{
    (void)state;
    char week[168 * 2 + 1] = "", text[4000];
    for (size_t i = 0; i < 168; i++) {
        strcat(week, i < 24 ? "3" : "0");
        strcat(week, i < 167 ? "," : "");
    }
    snprintf(text, sizeof text,
             HEAD "account:\n"
                  "  commitments: " RESERVED "count: 3, ends: 2026-03-01, price: 12 USD/h}\n"
                  "  usage: {instance: p4d.24xlarge, week: [%s]}\n"
                  "workloads: {job: {kind: training, hours: 10h, submit: 20h, boot: 0s,\n"
                  "  checkpoint: continuous}}\n"
                  "strategies: {plan: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}}\n",
             week);
    assert_costs(text, 4 * 2 * 20, 6 * 2 * 20, 0);
}

static const char *write_file(const char *text)
{
    static char path[64];
    strcpy(path, "/tmp/fleetcast-use-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *out = fdopen(fd, "w");
    fputs(text, out);
    fclose(out);
    return path;
}

static void from_a_file(void **state)
{
    (void)state;
    char text[4000];
    const char *path = write_file("count,from,note\n9,2025-11-01,long ago\n0,2025-11-30T12:00Z,\n"
                                  "3,2025-12-01T02:00Z,busy\n0,2025-12-01 06:30,\n");
    snprintf(text, sizeof text,
             HEAD "account:\n"
                  "  commitments: " RESERVED "count: 3, ends: 2026-03-01, price: 12 USD/h}\n"
                  "  usage: {instance: p4d.24xlarge, file: %s}\n" TWO_NODES_FOR_TEN_HOURS,
             path);
    /* full for four hours. From six to seven others take half of the 3 × 3600 seconds, so that the
     * plan finds 5400 of the 7200 it wants. */
    assert_costs(text, 4 * 2 * 20 + 0.5 * 20, 5 * 2 * 20 + 1.5 * 20, 0);
    unlink(path);
}

/* The same reservation and three nodes at 50 %: 1.5 are two nodes, one is left. */
static void a_scale_is_rounded_to_nodes(void **state)
{
    (void)state;
    assert_costs(
        HEAD "account:\n"
             "  commitments: " RESERVED "count: 3, ends: 2026-03-01, price: 12 USD/h}\n"
             "  usage: {instance: p4d.24xlarge, count: 3, scale: 50 %}\n" TWO_NODES_FOR_TEN_HOURS,
        200, 200, 0);
}

/* Two worlds, two scales; both strategies of a world meet the same. */
static void an_uncertain_scale_is_of_the_world(void **state)
{
    (void)state;
    struct outcome o;
    begin(&o,
          HEAD "account:\n"
               "  commitments: " RESERVED "count: 3, ends: 2026-03-01, price: 12 USD/h}\n"
               "  usage: {instance: p4d.24xlarge, count: 2, scale: uniform(0 %; 200 %)}\n"
               "workloads: {job: {kind: training, hours: 10h, boot: 0s, checkpoint: continuous}}\n"
               "strategies:\n  a: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}\n"
               "  b: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}\n",
          NULL);
    int seen[3] = {0};
    for (uint32_t world = 0; world < 200; world++) {
        run_world(&o, 0, world);
        double drawn = simulation_drawn(o.simulation)[0];
        long free_nodes = 3 - lround(2 * drawn);
        free_nodes = free_nodes < 0 ? 0 : free_nodes > 2 ? 2 : free_nodes;
        assert_near(value(&o, METRIC_COST), 400 - 200 * (double)free_nodes, 1e-6, "free nodes");
        const money_t cost = o.cells[1].value[METRIC_COST].money;
        run_world(&o, 1, world);
        assert_int_equal(o.cells[1].value[METRIC_COST].money, cost);
        seen[free_nodes]++;
    }
    assert_true(seen[0] > 20 && seen[1] > 20 && seen[2] > 20);
    end(&o);
}

/* ---- what changes nothing ---- */

static const char busy[] =
    "version: 1\nstart: 2025-12-01T10:17Z\nregion: us-east-1\nreplications: 20\nhorizon: 40d\n"
    "market: {spot: {p4d.24xlarge: {availability: 70..90 %}}}\n"
    "workloads:\n"
    "  a: {kind: training, hours: 100..300h, boot: 2min..9min,\n"
    "      checkpoint: {every: 1h, write: 1min}}\n"
    "strategies:\n"
    "  mixed: {instance: p4d.24xlarge, nodes: 3, buy: spot, policy: {name: fallback, return: "
    "yes},\n"
    "    commitments: [\n"
    "      {kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y},\n"
    "      {kind: compute-savings-plan, hourly: 6 USD/h, term: 1y,\n"
    "       rates: {p4d.24xlarge: 12 USD/h, p3.16xlarge: 20 USD/h}}]}\n"
    "  plain: {instance: p4d.24xlarge, nodes: 3, buy: on-demand}\n"
    "  spot: {instance: p4d.24xlarge, nodes: 3, buy: spot}\n";

static void assert_same(const char *a, const char *b, size_t strategies)
{
    struct outcome x, y;
    begin(&x, a, NULL);
    begin(&y, b, NULL);
    for (uint32_t world = 0; world < 20; world++) {
        for (size_t k = 0; k < strategies; k++) {
            run_world(&x, k, world);
            run_world(&y, k, world);
            assert_memory_equal(x.cells, y.cells, sizeof x.cells);
            assert_memory_equal(x.months, y.months, x.study->frame.months * sizeof *x.months);
        }
    }
    end(&x);
    end(&y);
}

static char *with(const char *text, const char *account)
{
    static char out[8000];
    snprintf(out, sizeof out, "%s%s", text, account);
    return out;
}

static void an_empty_account_changes_nothing(void **state)
{
    (void)state;
    assert_same(busy, with(busy, "account: {}\n"), 3);
    assert_same(busy, with(busy, "account: {owner: x, commitments: [], usage: []}\n"), 3);
}

/* Nobody has signed for anything: there is nothing to share. */
static void usage_alone_changes_nothing(void **state)
{
    (void)state;
    char text[8000];
    strcpy(text, busy);
    char *cut = strstr(text, "  mixed:");
    char *rest = strstr(text, "  plain:");
    memmove(cut, rest, strlen(rest) + 1);
    char *bare = strdup(text);
    assert_same(bare, with(bare, "account: {usage: {instance: p4d.24xlarge, day: " NIGHT "}}\n"),
                2);
    free(bare);
}

/* Two accounts that differ in what is sunk: no cost of any strategy does. */
static void sunk_costs_are_in_no_cost(void **state)
{
    (void)state;
    char *cheap = strdup(with(busy, "account:\n  usage: {instance: p4d.24xlarge, day: " NIGHT
                                    "}\n  commitments: " RESERVED
                                    "count: 2, ends: 2025-12-20, price: 1 USD/h}\n"));
    assert_same(cheap,
                with(busy, "account:\n  usage: {instance: p4d.24xlarge, day: " NIGHT
                           "}\n  commitments: " RESERVED
                           "count: 2, ends: 2025-12-20, price: 99 USD/h}\n"),
                3);
    free(cheap);
}

/* ---- the horizon ---- */

/* Finishing late: nothing of the account counts after the horizon, so the last 14 hours of 254 are
 * on demand though the reservation goes on. */
static void the_account_ends_with_the_horizon(void **state)
{
    (void)state;
    assert_costs(
        HEAD "account: {commitments: " RESERVED "count: 2, ends: 2026-03-01, price: 12 USD/h}}\n"
             "workloads: {job: {kind: training, hours: 254h, boot: 0s, checkpoint: continuous,\n"
             "  at_horizon: finish-on-demand}}\n"
             "strategies: {plan: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}}\n",
        14 * 2 * 20, 240 * 2 * 20, 0);
}

/* The horizon cuts a clock hour: of what others save in it, the half before it is in the cash. */
static void a_horizon_within_an_hour(void **state)
{
    (void)state;
    struct outcome o;
    const char *sets[] = {"start=2025-12-01T03:30Z", NULL};
    begin(&o,
          HEAD
          "account: {usage: {instance: p4d.24xlarge, count: 1}}\n"
          "workloads: {job: {kind: training, hours: 1h, boot: 0s, checkpoint: continuous}}\n"
          "strategies: {plan: {instance: p4d.24xlarge, nodes: 1, buy: on-demand, commitments:\n"
          "  " RESERVED "count: 2, term: 1y}}}\n",
          sets);
    assert_near(value(&o, METRIC_DISPLACED), -240.5 * 20, 1e-6, "to the end of the clock hour");
    assert_near(value(&o, METRIC_CASH), -240.0 * 20 + 2 * 240 * P4D_1Y_NO, 1e-4, "cash");
    end(&o);
}

/* ---- discounts, tax, tables ---- */

/* At half past three prices halve: of what others lose, 3.5 hours are at 36 USD/h, 6.5 at 18. */
static void prices_may_change_within_an_hour(void **state)
{
    (void)state;
    struct outcome o;
    const char *sets[] = {
        "market.price_changes=[{at: 2025-12-01T03:30Z, change: -50 %, families: [p3, p4d]}]", NULL};
    begin(&o,
          HEAD "account:\n"
               "  commitments: " SAVINGS "hourly: 30 USD/h}\n"
               "  usage: {instance: p3.16xlarge, count: 2}\n" TWO_NODES_FOR_TEN_HOURS,
          sets);
    assert_near(value(&o, METRIC_COVERED), 3.5 * 40 + 6.5 * 20, 1e-6, "covered");
    assert_near(value(&o, METRIC_DISPLACED), 3.5 * 36 + 6.5 * 18, 1e-6, "displaced");
    assert_near(value(&o, METRIC_COST), 3.5 * 36 + 6.5 * 18, 1e-6, "cost");
    end(&o);
}

/* Others have the account's discount too: they lose 36 USD/h of cover less ten percent. */
static void discounts_are_of_the_whole_account(void **state)
{
    (void)state;
    assert_costs(HEAD "account:\n"
                      "  commitments: " SAVINGS "hourly: 30 USD/h}\n"
                      "  usage: {instance: p3.16xlarge, count: 2}\n"
                      "charges: {name: deal, discount: {ec2: 10 %}}\n" TWO_NODES_FOR_TEN_HOURS,
                 324, 400, 324);
}

static void tables_show_what_is_displaced(void **state)
{
    (void)state;
    struct run run;
    struct study *s =
        study_from_text(HEAD "account:\n"
                             "  commitments: " SAVINGS "hourly: 30 USD/h}\n"
                             "  usage: {instance: p3.16xlarge, count: 2}\n" TWO_NODES_FOR_TEN_HOURS,
                        NULL);
    study_run(&run, s, 1);
    struct result_tables tables;
    assert_true(result_tables_make(&tables, &run));
    const struct table *t = tables.lines;
    money_t sum = 0, displaced = 0;
    size_t plan = (size_t)table_find(t, "cost_plan_usd");
    for (size_t row = 0; row < table_rows(t); row++) {
        sum += table_integer(t, row, plan);
        if (strcmp(table_text(t, row, 3), "displaced") == 0) {
            displaced += table_integer(t, row, plan);
        }
    }
    assert_int_equal(displaced, 360 * MONEY_UNIT);
    assert_int_equal(sum, 360 * MONEY_UNIT);
    /* The plan's ten hours take all of it, others the rest of ten days: 300 and 30 × 230 USD. */
    const struct table *c = tables.commitments;
    assert_int_equal(table_rows(c), 1);
    assert_true(table_missing(c, 0, (size_t)table_find(c, "commitment")));
    assert_true(table_missing(c, 0, (size_t)table_find(c, "signed_usd")));
    assert_string_equal(table_text(c, 0, (size_t)table_find(c, "name")),
                        "existing: compute savings plan, until 2026-06-01");
    assert_int_equal(table_integer(c, 0, (size_t)table_find(c, "used_plan_usd")),
                     7200 * MONEY_UNIT);
    assert_int_equal(table_integer(c, 0, (size_t)table_find(c, "unused_plan_usd")), 0);
    assert_int_equal(table_integer(c, 0, (size_t)table_find(c, "covered_plan_usd")),
                     400 * MONEY_UNIT);
    assert_near(table_number(c, 0, (size_t)table_find(c, "others_h_mean")), 1.5 * 230, 1e-9,
                "hours of others");
    result_tables_release(&tables);
    run_release(&run);
    study_free(s);
}

/* ---- what is refused ---- */

struct error_case {
    const char *account, *error;
    int exit_code;
};

static void errors_say_what_is_wrong(void **state)
{
    (void)state;
    static const struct error_case cases[] = {
        {"commitments: " RESERVED "count: 1, ends: 2025-11-30}",
         "ends at or before the scenario's start", 2},
        {"commitments: " RESERVED "count: 1, ends: 2027-03-01}",
         "begins on 2026-03-01, after the scenario's start", 2},
        {"commitments: " RESERVED "ends: 2026-03-01}", "'count' is missing", 2},
        {"commitments: " RESERVED "count: 1, hourly: 2 USD/h, ends: 2026-03-01}",
         "'hourly' does not belong to this kind of commitment", 2},
        {"commitments: {kind: compute-savings-plan, ends: 2026-03-01}", "'hourly' is missing", 2},
        {"commitments: {kind: compute-savings-plan, hourly: 2 USD/h, ends: 2026-03-01}",
         "covers on-demand 'p4d.24xlarge' too, but states no rate", 2},
        {"commitments: {kind: reserved-instances, instance: p4d.48xlarge, count: 1,\n"
         "    ends: 2026-03-01}",
         "unknown instance type 'p4d.48xlarge'; did you mean", 2},
        {"commitments: {kind: reserved-instances, instance: p5.48xlarge, count: 1,\n"
         "    ends: 2026-03-01}",
         "no 1-year standard no-upfront offer for 'p5.48xlarge'", 4},
        {"usage: {instance: p4d.24xlarge}", "how many nodes others run is not said", 2},
        {"usage: {instance: p4d.24xlarge, count: 1, day: " NIGHT "}", "said more than once", 2},
        {"usage: {instance: p4d.24xlarge, day: [1, 2]}", "'day' needs at least 24 entries", 2},
        {"usage: {instance: p4d.24xlarge, count: -1}", "count", 2},
        {"usage: {instance: p4d.24xlarge, file: nowhere.csv}", "nowhere.csv", 2},
        {"usage: {instance: p4x.24xlarge, count: 1}", "unknown instance type 'p4x.24xlarge'", 2},
        {"usage: {instance: p4d.24xlarge, count: 1, zone: eu-west-1a}", "eu-west-1a", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[4000];
        snprintf(text, sizeof text, HEAD "account:\n  %s\n" TWO_NODES_FOR_TEN_HOURS,
                 cases[i].account);
        int exit_code;
        char *words = study_errors(text, &exit_code);
        if (strstr(words, cases[i].error) == NULL || exit_code != cases[i].exit_code) {
            fail_msg("%s\nsays (%d): %s\nexpected (%d): %s", cases[i].account, exit_code, words,
                     cases[i].exit_code, cases[i].error);
        }
        free(words);
    }
}

static void files_are_checked(void **state)
{
    (void)state;
    static const struct error_case cases[] = {
        {"from,count\n", "has no rows", 2},
        {"from,count\n2025-12-02,3\n", "the first row is after the scenario's start", 2},
        {"from,count\n2025-11-02,3\n2025-11-02,4\n", ":3: error: 'from' is not later", 2},
        {"from,count\n2025-11-02,-3\n", "'count' is -3", 2},
        {"from,count\n2025-11-02,3.5\n", "3.5", 2},
        {"from,count\nsoon,3\n", "a date such as", 2},
        {"from\n2025-11-02\n", "count", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[4000];
        const char *path = write_file(cases[i].account);
        snprintf(text, sizeof text,
                 HEAD
                 "account: {usage: {instance: p4d.24xlarge, file: %s}}\n" TWO_NODES_FOR_TEN_HOURS,
                 path);
        int exit_code;
        char *words = study_errors(text, &exit_code);
        unlink(path);
        if (strstr(words, cases[i].error) == NULL || exit_code != cases[i].exit_code) {
            fail_msg("%s\nsays (%d): %s\nexpected (%d): %s", cases[i].account, exit_code, words,
                     cases[i].exit_code, cases[i].error);
        }
        free(words);
    }
}

/* A support plan is priced by all of the account's bill, of which others' nodes alone are known. */
static void what_others_spend_is_asked_for(void **state)
{
    (void)state;
    static const char *const plans[] = {"business", "{plan: business, other_spend: 9000 USD}"};
    for (int i = 0; i < 2; i++) {
        char text[900];
        snprintf(text, sizeof text,
                 "version: 1\nstart: 2026-03-01\nregion: us-east-1\nreplications: 1\nhorizon: 5d\n"
                 "charges: {support_plan: %s}\n"
                 "account: {usage: {instance: p4d.24xlarge, count: 1}}\n"
                 "workloads: {w: {kind: usage, nodes: 1}}\n"
                 "strategies: {s: {instance: p4d.24xlarge, buy: on-demand}}\n",
                 plans[i]);
        struct study *s = study_from_text(text, NULL);
        size_t told = 0;
        for (size_t k = 0; k < s->assumptions.count; k++) {
            told += strstr(s->assumptions.items[k].what, "what others spend") != NULL;
        }
        assert_int_equal(told, i == 0);
        study_free(s);
    }
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_others_spend_is_asked_for),
        cmocka_unit_test(a_full_reservation_saves_nothing),
        cmocka_unit_test(a_half_empty_reservation_saves_its_unused_part),
        cmocka_unit_test(a_half_empty_savings_plan_saves_its_unused_part),
        cmocka_unit_test(displaced_cover_is_charged),
        cmocka_unit_test(higher_savings_of_others_come_first),
        cmocka_unit_test(an_existing_commitment_ends_inside_the_horizon),
        cmocka_unit_test(an_end_changes_both_bills),
        cmocka_unit_test(new_commitments_cover_others_too),
        cmocka_unit_test(of_equal_commitments_the_existing_one_is_used_first),
        cmocka_unit_test(the_owner_comes_first),
        cmocka_unit_test(by_the_hour_of_the_day),
        cmocka_unit_test(a_start_within_an_hour),
        cmocka_unit_test(by_the_hour_of_the_week),
        cmocka_unit_test(from_a_file),
        cmocka_unit_test(a_scale_is_rounded_to_nodes),
        cmocka_unit_test(an_uncertain_scale_is_of_the_world),
        cmocka_unit_test(an_empty_account_changes_nothing),
        cmocka_unit_test(usage_alone_changes_nothing),
        cmocka_unit_test(sunk_costs_are_in_no_cost),
        cmocka_unit_test(the_account_ends_with_the_horizon),
        cmocka_unit_test(a_horizon_within_an_hour),
        cmocka_unit_test(prices_may_change_within_an_hour),
        cmocka_unit_test(discounts_are_of_the_whole_account),
        cmocka_unit_test(tables_show_what_is_displaced),
        cmocka_unit_test(errors_say_what_is_wrong),
        cmocka_unit_test(files_are_checked),
    };
    return cmocka_run_group_tests_name("account", tests, NULL, NULL);
}
