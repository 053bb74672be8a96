/* SPDX-License-Identifier: GPL-3.0-or-later
 * Capacity Blocks from scenario files to the bill. The window of the worked example is that of the
 * EC2 API reference (CapacityBlockOffering): one day asked for at 04:55 ends at 11:30 of the same
 * day, after 6 h 35 min; instances go 30 minutes before. */
#include "engine/gsl_errors.h"
#include "scenarios/output/bill_tables.h"
#include "scenarios/study/simulation.h"
#include "tests/support/month_sums.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define P5 39.33 /* us-east-1, December 2024 (aws.amazon.com/ec2/capacityblocks/pricing) */

#define HEAD    "version: 1\nstart: 2026-03-02\nregion: us-east-1\nreplications: 1\nhorizon: 20d\n"
#define MORNING "block: {starts: 2026-03-03T04:55Z, days: 1, instances: 4}"
#define BLOCK(more)                                                                                \
    "strategies: {s: {instance: p5.48xlarge, nodes: 4, buy: capacity-block, " more "}}\n"
#define JOB(keys) "workloads: {w: {kind: training, " keys "}}\n"
/* Without a price of its own, p5 on demand is the catalogue's. */
#define ON_DEMAND "market: {on-demand: {p5.48xlarge: {price: 100 USD/h}}}\n"

static double value(const struct run *run, enum metric m)
{
    return run_value(run, 0, 0, m);
}

static struct study *run_text(struct run *run, const char *text)
{
    struct study *s = study_from_text(text, NULL);
    study_run(run, s, 1);
    return s;
}

static void finish(struct run *run, struct study *s)
{
    run_release(run);
    study_free(s);
}

/* ---- elastic jobs ---- */

/* Two on demand until the block opens after 28 h 55 min and once it has closed, 6 h 5 min later: of
 * 25 h of four nodes 14.458 h are done before, 6.083 h in it, 4.458 h behind it, at half the speed.
 */
static void an_elastic_job_moves_into_a_block_and_out_of_it(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run, HEAD ON_DEMAND JOB(
                  "hours: 25h, boot: 0s, checkpoint: continuous, elastic: {min: 2, max: 4, "
                  "resize: 0s, settle: 0s}") "strategies: {s: {instance: p5.48xlarge, "
                                             "nodes: 4, fill: [{buy: capacity-block}, "
                                             "{buy: on-demand, nodes: 2}], " MORNING "}}\n");
    const double before_h = 28 + 55.0 / 60, in_h = 365.0 / 60;
    const double behind_h = 2 * (25 - before_h / 2 - in_h);
    assert_near(value(&run, METRIC_TIME_TO_TRAIN), before_h + in_h + behind_h, 1e-4, "time");
    assert_near(value(&run, METRIC_NODE_HOURS), 4 * in_h + 2 * (before_h + behind_h), 1e-3, "all");
    finish(&run, s);
}

/* ---- the bill ---- */

struct use_row {
    const char *name, *hours;
    double used_h; /* node-hours of one node */
    double finished;
};

static const struct use_row uses[] = {
    {"nothing but a moment", "0.0001h", 0.0001, 1},
    {"an hour", "1h", 1, 1},
    {"just enough", "364min", 364.0 / 60, 1},
    {"more than there is", "100h", 365.0 / 60, 0},
};

/* 4 instances × 6 h 35 min × 39.33 USD = 1,035.69 USD, whatever is used. */
static void the_whole_price_whatever_is_used(void **state)
{
    const struct use_row *row = *state;
    const double whole = 1035.69;
    char text[1024];
    snprintf(text, sizeof text,
             HEAD JOB("hours: %s, boot: 0s, checkpoint: continuous") BLOCK(MORNING), row->hours);
    struct run run;
    struct study *s = run_text(&run, text);
    assert_near(value(&run, METRIC_COST), whole, 1e-9, "cost");
    assert_near(value(&run, METRIC_CASH), whole, 1e-9, "cash");
    assert_near(value(&run, METRIC_AMORTISED), whole, 1e-9, "amortised");
    assert_near(value(&run, METRIC_OBLIGATION), whole, 1e-9, "signed");
    assert_near(value(&run, METRIC_BLOCK_USED), 4 * P5 * row->used_h, 1e-4, "used");
    assert_near(value(&run, METRIC_BLOCK_UNUSED), whole - 4 * P5 * row->used_h, 1e-4, "unused");
    assert_near(value(&run, METRIC_NODE_HOURS), 4 * row->used_h, 1e-5, "node-hours");
    assert_near(value(&run, METRIC_FINISHED), row->finished, 0, "finished");
    assert_near(value(&run, METRIC_INTERRUPTIONS), 0, 0, "interruptions");
    finish(&run, s);
}

static double lines_sum(const struct run *run)
{
    struct table *t = lines_table(run);
    int column = table_find(t, "cost_plan_usd");
    double sum = 0;
    for (size_t i = 0; i < table_rows(t); i++) {
        sum += table_number(t, i, (size_t)column);
    }
    table_free(t);
    return sum;
}

static void assert_adds_up(const struct study *s, uint32_t worlds)
{
    struct simulation *sim = simulation_new(s);
    const size_t others = (s->workload_count + 1) * s->frame.others;
    struct metric_cells *cells = calloc(s->workload_count + 1, sizeof *cells);
    money_t *months = calloc(s->frame.months, sizeof *months);
    money_t *by_month = calloc(BILL_ROWS * s->frame.months, sizeof *by_month);
    money_t *other = calloc(others + 1, sizeof *other);
    double spend[50];
    for (uint32_t world = 0; world < worlds; world++) {
        assert_true(simulation_begin_world(sim, world));
        for (size_t k = 0; k < s->strategy_count; k++) {
            struct simulation_outputs out = {.cells = cells,
                                             .months = months,
                                             .by_month = by_month,
                                             .others = other,
                                             .buckets = 50,
                                             .bucket_us = s->frame.horizon_us / 50,
                                             .spend_units = spend};
            memset(spend, 0, sizeof spend);
            assert_true(simulation_run_strategy(sim, k, &out));
            const union metric_value *all = cells[s->workload_count].value;
            money_t sum = all[METRIC_BLOCK_UNUSED].money - all[METRIC_COVERED].money +
                          all[METRIC_COMMITMENT_USED].money + all[METRIC_COMMITMENT_UNUSED].money +
                          all[METRIC_COMMITMENT_LATER].money;
            money_t by_metric = all[METRIC_BLOCK_UNUSED].money + all[METRIC_BLOCK_USED].money +
                                all[METRIC_ON_DEMAND_COST].money + all[METRIC_SPOT_COST].money +
                                all[METRIC_COMMITMENT_USED].money +
                                all[METRIC_COMMITMENT_UNUSED].money +
                                all[METRIC_COMMITMENT_LATER].money + all[METRIC_OTHER_COST].money -
                                all[METRIC_DISCOUNT].money;
            for (int p = 0; p < PURCHASE_COUNT; p++) {
                for (int a = 0; a < ACTIVITY_COUNT; a++) {
                    sum += cells[s->workload_count].line[p][a];
                }
            }
            for (size_t i = 0; i < others; i++) {
                sum += other[i];
            }
            assert_months_add_up(s, &cells[s->workload_count], months, by_month);
            double by_bucket = 0;
            for (size_t b = 0; b < 50; b++) {
                by_bucket += spend[b];
            }
            assert_int_equal(sum, all[METRIC_COST].money);
            assert_int_equal(by_metric, all[METRIC_COST].money);
            assert_true(all[METRIC_BLOCK_UNUSED].money > 0);
            assert_near(by_bucket, money_to_double(all[METRIC_CASH].money), 1e-6, "timeline");
        }
    }
    free(other);
    free(by_month);
    free(months);
    free(cells);
    simulation_free(sim);
}

/* Uncertain work, write time and price; gaps, extensions, fallbacks; a discount, tax, commitments.
 */
static const char mixed[] =
    "version: 1\nstart: 2026-02-20T07:13Z\nregion: us-east-2\nreplications: 40\nhorizon: 30d\n"
    "market: {spot: {p4d.24xlarge: {availability: 70..90 %}}}\n"
    "charges: [{discount: {ec2: 7 %}}, {tax: 19 %}]\n"
    "workloads:\n"
    "  a: {kind: training, hours: 100..400h, boot: 2min..9min,\n"
    "      checkpoint: {every: 5h, write: 1..9min, restore: 4min}, at_horizon: finish-on-demand}\n"
    "  b: {kind: training, hours: 50..90h, submit: 8d, checkpoint: continuous}\n"
    "strategies:\n"
    "  then: {instance: p4d.24xlarge, nodes: 3, buy: capacity-block,\n"
    "    policy: {name: capacity-block, then: on-demand, gaps: yes},\n"
    "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y},\n"
    "    block: [{starts: 2d, days: 5, instances: 6, price: 12..19 USD/h},\n"
    "            {extends: yes, days: 3, instances: 6, upfront: 3000 USD},\n"
    "            {starts: 26d, days: 14, instances: 3}]}\n"
    "  spot: {instance: p4d.24xlarge, nodes: 3, buy: capacity-block,\n"
    "    policy: {name: capacity-block, then: spot},\n"
    "    workloads: {b: {block: {starts: 10d, days: 2, instances: 4}}},\n"
    "    block: {starts: 1d, days: 7, instances: 3}}\n"
    "  alone: {instance: p4d.24xlarge, nodes: 3, buy: capacity-block,\n"
    "    block: {starts: 1d, days: 7, instances: 3}}\n";

static void lines_months_and_timeline_add_up(void **state)
{
    (void)state;
    struct study *s = study_from_text(mixed, NULL);
    assert_int_equal(s->strategies[0].window_count, 1); /* both workloads share it */
    assert_int_equal(s->strategies[1].window_count, 2);
    assert_adds_up(s, 40);
    study_free(s);
}

static void lines_of_the_file_add_up(void **state)
{
    (void)state;
    struct run run;
    struct study *s =
        run_text(&run, HEAD JOB("hours: 5h, boot: 5min, checkpoint: {every: 1h, write: 2min}")
                           BLOCK(MORNING));
    assert_near(lines_sum(&run), 1035.69, 1e-6, "lines");
    finish(&run, s);
}

/* ---- the window ---- */

/* Boots 5 min, works, and begins its checkpoint of 10 min so that it ends when instances go. */
static void work_is_saved_before_the_window_closes(void **state)
{
    (void)state;
    struct run run;
    struct study *s =
        run_text(&run, HEAD JOB("hours: 100h, boot: 5min, checkpoint: {every: auto, write: 10min}")
                           BLOCK(MORNING));
    assert_near(value(&run, METRIC_USEFUL), 4 * 350 / 60.0, 1e-5, "kept");
    assert_near(value(&run, METRIC_CHECKPOINT), 4 * 10 / 60.0, 1e-5, "written");
    assert_near(value(&run, METRIC_LOST), 0, 1e-9, "lost");
    assert_near(value(&run, METRIC_WAITING), 0, 1e-5, "idle at the end");
    assert_near(value(&run, METRIC_FINISHED), 0, 0, "finished");
    assert_near(value(&run, METRIC_TIME_TO_TRAIN), 480, 1e-9, "cut at the horizon");
    /* It holds nothing before the window opens, and not after. */
    assert_near(value(&run, METRIC_IDLE), 480 - 365 / 60.0, 1e-5, "without a node");
    finish(&run, s);
}

static void without_checkpoints_all_is_lost(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(&run, HEAD JOB("hours: 100h, boot: 5min") BLOCK(MORNING));
    assert_near(value(&run, METRIC_USEFUL), 0, 0, "kept");
    assert_near(value(&run, METRIC_LOST), 4 * 6.0, 1e-6, "lost");
    finish(&run, s);
}

#define SAVING "hours: 10h, boot: 6min, checkpoint: {every: auto, write: 6min, restore: 12min}"

/* 365 min: 6 boot, 353 work, 6 write; then 247 of the 600 min are left. */
static void the_rest_is_finished_on_demand(void **state)
{
    (void)state;
    struct run run;
    struct study *s =
        run_text(&run, HEAD ON_DEMAND JOB(SAVING)
                           BLOCK(MORNING ", policy: {name: capacity-block, then: on-demand}"));
    const double rest_h = (6 + 12 + 247 + 6) / 60.0;
    assert_near(value(&run, METRIC_FINISHED), 1, 0, "finished");
    assert_near(value(&run, METRIC_ON_DEMAND_COST), 4 * rest_h * 100, 1e-2, "on demand");
    assert_near(value(&run, METRIC_COST), 1035.69 + 4 * rest_h * 100, 1e-2, "all");
    assert_near(value(&run, METRIC_TIME_TO_TRAIN), 24 + 11 + rest_h, 1e-4, "time");
    finish(&run, s);
}

/* On demand from the start; moves into the block, which boots meanwhile, and out again. */
static void gaps_are_bridged(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run, HEAD ON_DEMAND JOB("hours: 60h, boot: 6min, checkpoint: {every: auto, write: 6min, "
                                 "restore: 12min}")
                  BLOCK(MORNING ", policy: {name: capacity-block, then: on-demand, gaps: yes}"));
    /* min: 6 boot, work to the window's opening at 1,735, 6 more while the block boots, 6 write; 12
     * restore and work to 2,094, 6 write; then 6 boot and 12 restore. */
    const double before = 1735 - 6 + 6, inside = 2094 - (1735 + 6 + 6 + 12);
    const double rest = 60 * 60 - before - inside;
    assert_near(value(&run, METRIC_SWITCHES), 1, 0, "moves");
    assert_near(value(&run, METRIC_LAUNCHES), 12, 0, "launches");
    assert_near(value(&run, METRIC_TIME_TO_TRAIN), (2100 + 6 + 12 + rest + 6) / 60, 1e-4, "time");
    finish(&run, s);
}

struct window_row {
    const char *name, *block;
    double launches, useful_min;
};

/* The first window is open for 365 min, of which 353 are work. A second one by itself opens at
 * 11:30, boots and restores; an extension goes on without either. Both end at 11:30 of the next
 * day, so that 23.5 h of a separate one, and 24 h more of an extended one, can be used. */
static const struct window_row windows[] = {
    {"one after the other", MORNING ", {starts: 2026-03-03T11:30Z, days: 1, instances: 4}]", 8,
     353 + 1410 - 6 - 12 - 6},
    {"extended", MORNING ", {extends: yes, days: 1, instances: 4}]", 4, 365 + 1440 - 6 - 6},
};

static void windows_follow_each_other(void **state)
{
    const struct window_row *row = *state;
    char text[1024];
    struct run run;
    snprintf(text, sizeof text,
             HEAD JOB("hours: 100h, boot: 6min, checkpoint: {every: auto, write: 6min, restore: "
                      "12min}") "strategies: {s: {instance: p5.48xlarge, nodes: 4, buy: "
                                "capacity-block, block: [%s}}\n",
             row->block + strlen("block: "));
    struct study *s = run_text(&run, text);
    const double whole = 4 * P5 * (395 + 1440) / 60;
    assert_near(value(&run, METRIC_COST), whole, 1e-6, "both are paid in whole");
    assert_near(value(&run, METRIC_LAUNCHES), row->launches, 0, "launches");
    assert_near(value(&run, METRIC_USEFUL), 4 * row->useful_min / 60, 1e-4, "kept");
    assert_near(value(&run, METRIC_LOST), 0, 1e-9, "lost");
    finish(&run, s);
}

/* ---- when it is paid ---- */

/* Paid eight weeks before it begins; amortised by time; what lies after the horizon is owed. */
static void cash_amortised_and_months(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run,
        "version: 1\nstart: 2026-03-02\nregion: us-east-1\nreplications: 1\nhorizon: 120d\n" JOB(
            "hours: 5h") BLOCK("block: {starts: 2026-06-23T11:30Z, days: 14, instances: 4, "
                               "upfront: 14000 USD}"));
    const struct market_window *w;
    assert_int_equal(market_plan_windows(s->market, s->strategies[0].windows[0], &w), 1);
    assert_near(w->bought_s, (113 - 56) * 86400.0 + 41400, 0, "eight weeks before");
    assert_near(value(&run, METRIC_CASH), 14000, 1e-9, "cash");
    /* the horizon is 30 June, 00:00, 6 d 12 h 30 min after the block's start */
    assert_near(value(&run, METRIC_AMORTISED), 14000 * (6 * 24 + 12.5) / 336, 1e-6, "amortised");
    assert_near(value(&run, METRIC_COST), 14000, 1e-9, "cost");
    const money_t *months = results_months(&run.results, 0, 0);
    assert_near(money_to_double(months[3]), 14000 * (7 * 24 + 12.5) / 336, 1e-6, "June");
    assert_near(money_to_double(months[4]), 14000 * (6 * 24 + 11.5) / 336, 1e-6, "July");
    finish(&run, s);
}

/* An uncertain price is drawn once a world. */
static void the_price_may_be_uncertain(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-03-02\nregion: us-east-1\nreplications: 200\nhorizon: 20d\n" JOB(
            "hours: 1h") BLOCK("block: {days: 1, instances: 4, price: 30..50 USD/h}"),
        NULL);
    struct run run;
    study_run(&run, s, 1);
    int input = inputs_find(s->scenario->inputs, "strategies.s.block.1.price");
    struct simulation *sim = simulation_new(s);
    for (uint32_t i = 0; i < 5; i++) {
        assert_true(input >= 0 && simulation_begin_world(sim, i));
        double price = simulation_drawn(sim)[input];
        assert_near(run_value(&run, 0, i, METRIC_COST), 4 * 11.5 * price, 1e-6, "cost");
    }
    simulation_free(sim);
    finish(&run, s);
}

/* What is paid is used beyond the horizon, where the work may go on. */
static void work_stays_in_its_block_beyond_the_horizon(void **state)
{
    (void)state;
    struct run run;
    struct study *s = run_text(
        &run,
        "version: 1\nstart: 2026-03-02\nregion: us-east-1\nreplications: 1\nhorizon: 1d\n" ON_DEMAND
            JOB("hours: 30h, boot: 0s, checkpoint: continuous, at_horizon: finish-on-demand")
                BLOCK("block: {days: 7, instances: 4}"));
    assert_near(value(&run, METRIC_FINISHED), 1, 0, "finished");
    assert_near(value(&run, METRIC_ON_DEMAND_COST), 0, 0, "on demand");
    assert_near(value(&run, METRIC_TIME_TO_TRAIN), 30, 1e-9, "time");
    finish(&run, s);
}

/* ---- what is wrong ---- */

struct refusal_row {
    const char *name, *text;
    int code;
    const char *says;
};

#define ONE(block) HEAD JOB("hours: 1h") BLOCK("block: " block)

static const struct refusal_row refusals[] = {
    {"no block", HEAD JOB("hours: 1h") BLOCK("zone: us-east-1a"), 2,
     "strategy 's' buys capacity blocks for 'w' but states none; expected 'block: {starts: …, "
     "days: …, instances: …}'"},
    {"fifteen days", ONE("{days: 15, instances: 4}"), 2,
     "a block cannot be of 15 days; expected 1 to 14 days, or whole weeks up to 182 days"},
    {"too many instances", ONE("{days: 1, instances: 65}"), 2, "'instances'"},
    {"too many together", ONE("{days: 1, instances: 64, blocks: 5}"), 2,
     "320 instances are more than 256, the most in all blocks at a time"},
    {"too small", ONE("{days: 1, instances: 3}"), 4,
     "strategy 's' wants 4 nodes for 'w', but the market has at most 3 nodes of 'p5.48xlarge' "
     "capacity-block"},
    {"neither date nor duration", ONE("{starts: soon, days: 1, instances: 4}"), 2,
     "'soon' is neither a date nor a duration; expected such as '2026-04-01T11:30Z' or '14d'"},
    {"before the start", ONE("{starts: 2026-03-01, days: 1, instances: 4}"), 2,
     "the block starts before the scenario does"},
    {"after the horizon", ONE("{starts: 20d, days: 1, instances: 4}"), 2,
     "the block begins at or after the horizon; lengthen 'horizon'"},
    {"nothing is left", ONE("{starts: 2026-03-03T11:05Z, days: 1, instances: 4}"), 2,
     "nothing is left; choose another start or more days"},
    {"out of order",
     ONE("[{starts: 3d, days: 2, instances: 4}, {starts: 4d, days: 1, instances: 4}]"), 2,
     "this block begins before the one above it ends, on 2026-03-06T11:30:00Z"},
    {"no start", ONE("[{days: 2, instances: 4}, {days: 1, instances: 4}]"), 2,
     "this block does not say when it begins; expected 'starts: …', or 'extends: yes'"},
    {"extends nothing", ONE("{extends: yes, days: 2, instances: 4}"), 2,
     "the first block extends nothing"},
    {"extends to another size",
     ONE("[{days: 2, instances: 4}, {extends: yes, days: 1, instances: 5}]"), 2,
     "expected 'instances: 4' and 'blocks: 1'"},
    {"two prices", ONE("{days: 1, instances: 4, price: 1 USD/h, upfront: 1 USD}"), 2,
     "'price' and 'upfront' exclude each other; drop one"},
    {"bought too late", ONE("{starts: 1d, days: 1, instances: 4, bought: 2d}"), 2,
     "the block is bought after it has begun"},
    {"no price",
     HEAD JOB("hours: 1h") "strategies: {s: {instance: p4d.24xlarge, nodes: 4, buy: "
                           "capacity-block, block: {days: 1, instances: 4}}}\n",
     4,
     "no capacity-block price for 'p4d.24xlarge' in 'us-east-1' is known on 2026-03-02; it has "
     "one then in us-east-2, us-west-2; or state 'price' or 'upfront'"},
    {"a block for nobody",
     HEAD ON_DEMAND JOB("hours: 1h") "strategies: {s: {instance: p5.48xlarge, nodes: 4, buy: "
                                     "on-demand, block: {days: 1, instances: 4}}}\n",
     2, "strategy 's' has a block but buys nothing so; expected 'buy: capacity-block'"},
    {"a block of a workload that does not buy so",
     HEAD ON_DEMAND JOB("hours: 1h") "strategies: {s: {instance: p5.48xlarge, nodes: 4, buy: "
                                     "on-demand, workloads: {w: {block: {days: 1, instances: "
                                     "4}}}}}\n",
     2, "'w' has a block but is not bought so; expected 'buy: capacity-block'"},
    {"shared by two types",
     HEAD "workloads: {a: {kind: training, hours: 1h}, b: {kind: training, hours: 1h}}\n"
          "strategies: {s: {instance: p5.48xlarge, nodes: 4, buy: capacity-block, block: {days: 1, "
          "instances: 4}, workloads: {b: {instance: p5en.48xlarge}}}}\n",
     2,
     "the blocks of strategy 's' are of 'p5.48xlarge' in us-east-1a, which 'b' does not run on; "
     "give it a 'block' of its own"},
    {"too many in all",
     HEAD "workloads: {a: {kind: training, hours: 1h}, b: {kind: training, hours: 1h}}\n"
          "strategies: {s: {instance: p5.48xlarge, nodes: 4, buy: capacity-block, block: {days: 7, "
          "instances: 64, blocks: 4}, workloads: {b: {block: {starts: 1d, days: 1, instances: "
          "4}}}}}\n",
     2, "the blocks of strategy 's' hold 260 instances at a time; at most 256 can be had"},
};

static void refusal(void **state)
{
    const struct refusal_row *row = *state;
    int code = 0;
    char *what = study_errors(row->text, &code);
    if (strstr(what, row->says) == NULL) {
        fail_msg("expected: %s\ngot: %s", row->says, what);
    }
    assert_int_equal(code, row->code);
    free(what);
}

int main(void)
{
    gsl_errors_install();
    enum {
        USES = sizeof uses / sizeof uses[0],
        WINDOWS = sizeof windows / sizeof windows[0],
        REFUSALS = sizeof refusals / sizeof refusals[0]
    };
    const struct CMUnitTest own[] = {
        cmocka_unit_test(lines_months_and_timeline_add_up),
        cmocka_unit_test(lines_of_the_file_add_up),
        cmocka_unit_test(work_is_saved_before_the_window_closes),
        cmocka_unit_test(without_checkpoints_all_is_lost),
        cmocka_unit_test(the_rest_is_finished_on_demand),
        cmocka_unit_test(gaps_are_bridged),
        cmocka_unit_test(an_elastic_job_moves_into_a_block_and_out_of_it),
        cmocka_unit_test(cash_amortised_and_months),
        cmocka_unit_test(the_price_may_be_uncertain),
        cmocka_unit_test(work_stays_in_its_block_beyond_the_horizon),
    };
    struct CMUnitTest tests[sizeof own / sizeof own[0] + USES + WINDOWS + REFUSALS];
    size_t n = sizeof own / sizeof own[0];
    memcpy(tests, own, sizeof own);
    for (size_t i = 0; i < USES; i++) {
        tests[n++] = (struct CMUnitTest){.name = uses[i].name,
                                         .test_func = the_whole_price_whatever_is_used,
                                         .initial_state = (void *)(uintptr_t)&uses[i]};
    }
    for (size_t i = 0; i < WINDOWS; i++) {
        tests[n++] = (struct CMUnitTest){.name = windows[i].name,
                                         .test_func = windows_follow_each_other,
                                         .initial_state = (void *)(uintptr_t)&windows[i]};
    }
    for (size_t i = 0; i < REFUSALS; i++) {
        tests[n++] = (struct CMUnitTest){.name = refusals[i].name,
                                         .test_func = refusal,
                                         .initial_state = (void *)(uintptr_t)&refusals[i]};
    }
    return _cmocka_run_group_tests("blocks", tests, n, NULL, NULL);
}
