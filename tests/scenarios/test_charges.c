/* SPDX-License-Identifier: GPL-3.0-or-later
 * Charges beside nodes, from scenario files to the bill: each kind against a sum made by hand with
 * the catalogue's prices (us-east-1: gp3 0.08, S3 0.023 per GiB-month, NAT 0.045, …), and all of
 * them together, to the nano-unit. */
#include "engine/gsl_errors.h"
#include "scenarios/output/result_tables.h"
#include "scenarios/study/simulation.h"
#include "tests/support/month_sums.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define P4D 21.957642 /* us-east-1, since 2025-06-05 */
#define GIB 1073741824.0

/* ---- one line ---- */

/* A world of one strategy, with its lines. */
struct seen {
    struct study *study;
    struct simulation *simulation;
    struct metric_cells *cells;
    money_t *months, *others;
};

static void see(struct seen *s, const char *text)
{
    *s = (struct seen){.study = study_from_text(text, NULL)};
    s->simulation = simulation_new(s->study);
    s->cells = calloc(s->study->workload_count + 1, sizeof *s->cells);
    s->months = calloc(s->study->frame.months, sizeof *s->months);
    s->others = calloc((s->study->workload_count + 1) * s->study->frame.others, sizeof *s->others);
    const struct simulation_outputs out = {
        .cells = s->cells, .months = s->months, .others = s->others};
    assert_true(simulation_begin_world(s->simulation, 0));
    assert_true(simulation_run_strategy(s->simulation, 0, &out));
}

static void done(struct seen *s)
{
    simulation_free(s->simulation);
    free(s->cells);
    free(s->months);
    free(s->others);
    study_free(s->study);
}

/* The sum of a line over workloads and what they share. */
static double line(const struct seen *s, const char *name)
{
    const struct charge_plan *plan = &s->study->charges;
    money_t sum = 0;
    bool found = false;
    for (size_t i = 0; i < plan->count; i++) {
        if (strcmp(plan->items[i].name, name) == 0) {
            found = true;
            for (size_t row = 0; row <= s->study->workload_count; row++) {
                sum += s->others[row * plan->count + i];
            }
        }
    }
    if (!found) {
        fail_msg("no line '%s'", name);
    }
    return money_to_double(sum);
}

static double all(const struct seen *s, enum metric m)
{
    return metric_number(&s->cells[s->study->workload_count], m);
}

/* One node (or two) of p4d on demand from 2025-12-01, for 100 hours unless the case says so. */
#define HEAD "version: 1\nstart: 2025-12-01\nregion: us-east-1\nreplications: 1\n"
#define DAYS "horizon: 30d\n"
#define JOB  "workloads: {job: {kind: training, hours: 100h, boot: 0s"
#define BUY  "}}\nstrategies: {od: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}}\n"

struct line_case {
    const char *name, *text, *line;
    double want;
};

static const struct line_case line_cases[] = {
    /* ---- disk: 2 nodes × 100 h of a 730-hour month ---- */
    {"gp3", HEAD DAYS JOB ", disk: 500 GiB" BUY, "disk", 500 * 0.08 / 730 * 200},
    {"gp3 decimal: 466 whole GiB", HEAD DAYS JOB ", disk: {size: 500 GB}" BUY, "disk",
     466 * 0.08 / 730 * 200},
    {"gp3 with more of both",
     HEAD DAYS JOB ", disk: {size: 500 GiB, iops: 5000, throughput: 250 MiB/s}" BUY, "disk",
     (500 * 0.08 + 2000 * 0.005 + 125 * 0.04) / 730 * 200},
    {"gp3 below what is free",
     HEAD DAYS JOB ", disk: {size: 500 GiB, iops: 100, throughput: 9 MiB/s}" BUY, "disk",
     500 * 0.08 / 730 * 200},
    {"gp2", HEAD DAYS JOB ", disk: {size: 10 GiB, type: gp2}" BUY, "disk", 1.0 / 730 * 200},
    {"io2", HEAD DAYS JOB ", disk: {size: 30 GiB, type: io2, iops: 300}" BUY, "disk",
     (3.75 + 19.5) / 730 * 200},
    {"io1", HEAD DAYS JOB ", disk: {size: 30 GiB, type: io1, iops: 300}" BUY, "disk",
     (3.75 + 19.5) / 730 * 200},
    {"st1", HEAD DAYS JOB ", disk: {size: 1000 GiB, type: st1}" BUY, "disk", 45.0 / 730 * 200},
    {"sc1", HEAD DAYS JOB ", disk: {size: 1000 GiB, type: sc1}" BUY, "disk", 15.0 / 730 * 200},
    {"stated prices",
     HEAD DAYS JOB ", disk: {size: 73 GiB, iops: 3073, throughput: 135 MiB/s, per_gb_month: 1 USD, "
                   "per_iops_month: 2 USD, per_mbps_month: 3 USD}" BUY,
     "disk", (73 + 2 * 73 + 3 * 10) / 730.0 * 200},
    {"no disk", HEAD DAYS JOB BUY, "disk", 0},
    {"a disk of nothing", HEAD DAYS JOB ", disk: 0 GB" BUY, "disk", 0},
    /* ---- data set: from submission to the end ---- */
    {"data set", HEAD DAYS JOB ", dataset: 2048 GiB" BUY, "dataset", 2048 * 0.023 / 730 * 100},
    {"data set in decimal", HEAD DAYS JOB ", dataset: {size: 2 TB, store: s3}" BUY, "dataset",
     2e12 / GIB * 0.023 / 730 * 100},
    {"data set of a later job", HEAD DAYS JOB ", submit: 5d, dataset: 2048 GiB" BUY, "dataset",
     2048 * 0.023 / 730 * 100},
    {"data set of cut work", HEAD "horizon: 50h\n" JOB ", dataset: 2048 GiB" BUY, "dataset",
     2048 * 0.023 / 730 * 50},
    {"data set past the horizon",
     HEAD "horizon: 50h\n" JOB ", at_horizon: finish-on-demand, dataset: 2048 GiB" BUY, "dataset",
     2048 * 0.023 / 730 * 100},
    {"data set of a job submitted an hour before the horizon",
     HEAD "horizon: 50h\n" JOB ", submit: 49h, dataset: 73 GiB" BUY, "dataset", 7.3 * 0.023 / 73},
    {"stated", HEAD DAYS JOB ", dataset: {size: 73 GiB, per_gb_month: 5 USD}" BUY, "dataset", 50},
    {"an empty data set", HEAD DAYS JOB ", dataset: 0 B" BUY, "dataset", 0},
    /* ---- checkpoints: written after 10, 20, … hours (and minutes of writing) ---- */
    {"one kept", HEAD DAYS JOB ", checkpoint: {every: 10h, write: 0s, size: 100 GiB}" BUY,
     "checkpoints", 100 * 0.023 / 730 * 90},
    {"three kept",
     HEAD DAYS JOB ", checkpoint: {every: 10h, write: 0s, size: 100 GiB, keep: 3}" BUY,
     "checkpoints", 100 * 0.023 / 730 * (90 + 80 + 70)},
    {"more kept than written: 10 of 64, the last at the end",
     HEAD DAYS JOB ", checkpoint: {every: 10h, write: 0s, size: 100 GiB, keep: 64}" BUY,
     "checkpoints", 100 * 0.023 / 730 * (90 + 80 + 70 + 60 + 50 + 40 + 30 + 20 + 10)},
    {"writing takes its time: complete at 11, 22, 33 h, the end at 110 h",
     HEAD DAYS JOB ", checkpoint: {every: 10h, write: 1h, size: 100 GiB, keep: 3}" BUY,
     "checkpoints", 100 * 0.023 / 730 * (99 + 88 + 77)},
    {"kept by nobody", HEAD DAYS JOB ", checkpoint: {every: 10h, size: 100 GiB, keep: 0}" BUY,
     "checkpoints", 0},
    {"never written", HEAD DAYS JOB ", checkpoint: {mode: none, size: 100 GiB}" BUY, "checkpoints",
     0},
    /* 14 bytes a trained parameter, whether or not times are stated. */
    {"a size by the model",
     HEAD DAYS JOB ", model: {parameters: 7B}, memory: {check: no}, checkpoint: {every: 10h, "
                   "write: 0s}" BUY,
     "checkpoints", 98e9 / 1073741824 * 0.023 / 730 * 90},
    {"of a model whose weights are frozen",
     HEAD DAYS JOB ", model: {parameters: 7B, trained_parameters: 20M}, memory: {check: no}, "
                   "checkpoint: {every: 10h, write: 0s, keep: 2}" BUY,
     "checkpoints", 0.28e9 / 1073741824 * 0.023 / 730 * (90 + 80)},
    {"on volumes of which no disk is told",
     HEAD DAYS JOB ", checkpoint: {every: 10h, write: 0s, size: 100 GiB, storage: ebs}" BUY,
     "checkpoints", 100 * 0.08 / 730 * 90},
    {"on a disk, which is paid as such",
     HEAD DAYS JOB ", disk: 200 GiB, checkpoint: {every: 10h, write: 0s, size: 100 GiB, storage: "
                   "ebs}" BUY,
     "checkpoints", 0},
    {"on a file system, at a price for it",
     HEAD DAYS JOB ", checkpoint: {every: 10h, write: 0s, size: 100 GiB, storage: fsx, "
                   "bandwidth_shared: 1 GB/s, restore: 0s, per_gb_month: 0.145 USD}" BUY,
     "checkpoints", 100 * 0.145 / 730 * 90},
    {"without a size", HEAD DAYS JOB ", checkpoint: {every: 10h}" BUY, "checkpoints", 0},
    {"continuous: from submission",
     HEAD DAYS JOB ", checkpoint: {mode: continuous, size: 100 GiB, keep: 2}" BUY, "checkpoints",
     100 * 0.023 / 730 * 200},
    /* ---- transfer ---- */
    {"to another zone, both directions, each launch",
     HEAD DAYS JOB ", transfer: {size: 100 GiB, route: cross-az}" BUY, "transfer", 2 * 100 * 0.02},
    {"once at the start",
     HEAD DAYS JOB ", transfer: {size: 100 GiB, route: cross-region, when: start}" BUY, "transfer",
     2},
    {"results out", HEAD DAYS JOB ", transfer: {size: 100 GiB, route: internet, when: end}" BUY,
     "transfer", 9},
    {"no results of cut work",
     HEAD "horizon: 50h\n" JOB ", transfer: {size: 100 GiB, route: internet, when: end}" BUY,
     "transfer", 0},
    {"tiers: 10,240 at 0.09, 40,960 at 0.085, the rest at 0.07",
     HEAD DAYS JOB ", transfer: {size: 60000 GiB, route: internet, when: start}" BUY, "transfer",
     10240 * 0.09 + 40960 * 0.085 + 8800 * 0.07},
    {"tiers are counted over the month: 6,000 and 2 × 3,000",
     HEAD DAYS JOB ", transfer: [{size: 3000 GiB, route: internet}, {size: 6000 GiB, route: "
                   "internet, when: end}]" BUY,
     "transfer", 10240 * 0.09 + (12000 - 10240) * 0.085},
    {"a new month begins anew: started on 30 November, ended on 4 December",
     "version: 1\nstart: 2025-11-30\nregion: us-east-1\nreplications: 1\n" DAYS JOB
     ", transfer: [{size: 10240 GiB, route: internet, when: start}, {size: 10240 GiB, route: "
     "internet, when: end}]" BUY,
     "transfer", 2 * 10240 * 0.09},
    {"a stated price has no tiers",
     HEAD DAYS JOB
     ", transfer: {size: 60000 GiB, route: internet, when: start, per_gb: 0.01 USD}" BUY,
     "transfer", 600},
    {"a stated price is for all directions",
     HEAD DAYS JOB ", transfer: {size: 100 GiB, route: cross-az, per_gb: 0.05 USD}" BUY, "transfer",
     10},
    {"a region without storage prices",
     "version: 1\nstart: 2025-12-01\nregion: us-west-2\n"
     "replications: 1\n" DAYS JOB ", transfer: {size: 100 GiB, route: internet}" BUY,
     "transfer", 18},
    /* ---- NAT ---- */
    {"a gateway", HEAD DAYS "charges: {nat: {}}\n" JOB BUY, "nat", 100 * 0.045},
    {"and what goes through it",
     HEAD DAYS "charges: {nat: {}}\n" JOB ", transfer: {size: 50 GiB, route: nat}" BUY, "nat",
     100 * 0.045 + 100 * 0.045},
    {"of others",
     HEAD DAYS "charges: {nat: {hourly: 0 USD/h, per_gb: 0.03 USD}}\n" JOB
               ", transfer: {size: 50 GiB, route: nat}" BUY,
     "nat", 3},
    {"to the horizon",
     HEAD DAYS "charges: {nat: {hourly: 1 USD/h}, at: 5d, until: horizon}\n" JOB BUY, "nat",
     25 * 24},
    /* ---- stated ---- */
    {"monthly: 100 of December's 744 hours",
     HEAD DAYS "charges: {name: x, monthly: 744 USD}\n" JOB BUY, "x", 100},
    {"monthly over two months",
     "version: 1\nstart: 2026-01-31\nregion: us-east-1\nreplications: 1\n" DAYS
     "charges: {name: x, monthly: 100 USD}\n" JOB BUY,
     "x", 100.0 * 24 / 744 + 100.0 * 76 / 672},
    {"monthly to the horizon: one whole month",
     HEAD "horizon: 31d\ncharges: {name: x, monthly: 99.99 USD, until: horizon}\n" JOB BUY, "x",
     99.99},
    {"hourly", HEAD DAYS "charges: {name: x, hourly: 0.2 USD/h}\n" JOB BUY, "x", 20},
    {"hourly, given by the month of 730 hours",
     HEAD DAYS "charges: {name: x, hourly: 730 USD/mo}\n" JOB BUY, "x", 100},
    {"hourly from the third day", HEAD DAYS "charges: {name: x, hourly: 1 USD/h, at: 2d}\n" JOB BUY,
     "x", 52},
    {"hourly that begins after the work",
     HEAD DAYS "charges: {name: x, hourly: 1 USD/h, at: 9d}\n" JOB BUY, "x", 0},
    {"a helper of the catalogue", HEAD DAYS "charges: {name: x, instance: g4dn.xlarge}\n" JOB BUY,
     "x", 52.6},
    {"once", HEAD DAYS "charges: {name: x, once: 500 USD, at: 20d}\n" JOB BUY, "x", 500},
    {"per node-hour", HEAD DAYS "charges: {name: x, per_node_hour: 0.1 USD/h}\n" JOB BUY, "x", 20},
    {"of on-demand nodes",
     HEAD DAYS "charges: {name: x, per_node_hour: 0.1 USD/h, applies_to: on-demand}\n" JOB BUY, "x",
     20},
    {"of spot nodes",
     HEAD DAYS "charges: {name: x, per_node_hour: 0.1 USD/h, applies_to: spot}\n" JOB BUY, "x", 0},
    /* ---- shares ---- */
    {"support on all else",
     HEAD DAYS "charges: [{support: 10 %}, {name: x, once: 500 USD}]\n" JOB ", disk: 500 GiB" BUY,
     "support", 0.1 * (200 * P4D + 500 + 500 * 0.08 / 730 * 200)},
    {"tax on support too", HEAD DAYS "charges: [{tax: 19 %}, {support: 10 %}]\n" JOB BUY, "tax",
     0.19 * 1.1 * 200 * P4D},
    {"two taxes on the same",
     HEAD DAYS "charges: [{name: a, tax: 10 %}, {name: b, tax: 5 %}]\n" JOB BUY, "b",
     0.05 * 200 * P4D},
    {"a discount on the family", HEAD DAYS "charges: {discount: {p4d: 10 %, ec2: 50 %}}\n" JOB BUY,
     "discount", -0.1 * 200 * P4D},
    {"on all nodes", HEAD DAYS "charges: {discount: {ec2: 50 %}}\n" JOB BUY, "discount",
     -0.5 * 200 * P4D},
    {"on another family", HEAD DAYS "charges: {discount: {p5: 50 %}}\n" JOB BUY, "discount", 0},
    {"on a helper",
     HEAD DAYS "charges: [{discount: {g4dn: 10 %}}, {name: x, instance: g4dn.xlarge}]\n" JOB BUY,
     "discount", -5.26},
    {"on disks and objects",
     HEAD DAYS "charges: {discount: {ebs: 10 %, s3: 20 %}}\n" JOB
               ", disk: 73 GiB, dataset: 73 GiB" BUY,
     "discount", -0.1 * 73 * 0.08 / 730 * 200 - 0.2 * 73 * 0.023 / 730 * 100},
    {"on transfer and NAT",
     HEAD DAYS "charges: [{discount: {transfer: 10 %, nat: 20 %}}, {nat: {}}]\n" JOB
               ", transfer: [{size: 50 GiB, route: cross-az}, {size: 50 GiB, route: nat}]" BUY,
     "discount", -0.1 * 2 - 0.2 * 9},
    {"before support", HEAD DAYS "charges: [{support: 10 %}, {discount: {ec2: 50 %}}]\n" JOB BUY,
     "support", 0.05 * 200 * P4D},
    {"uncertain, drawn certain",
     HEAD DAYS "charges: {name: x, once: 'uniform(7 USD, 7.000001 USD)'}\n" JOB BUY, "x", 7},
};

static void a_line_is_what_it_is_by_hand(void **state)
{
    const struct line_case *c = *state;
    struct seen s;
    see(&s, c->text);
    assert_near(line(&s, c->line), c->want, 2e-6, c->name);
    double nodes = all(&s, METRIC_ON_DEMAND_COST) + all(&s, METRIC_SPOT_COST);
    assert_near(all(&s, METRIC_COST), nodes + all(&s, METRIC_OTHER_COST) - all(&s, METRIC_DISCOUNT),
                1e-6, "cost");
    done(&s);
}

/* ---- inside and past the horizon ---- */

static void what_falls_past_the_horizon_is_cost_but_not_cash(void **state)
{
    (void)state;
    struct seen s;
    see(&s, HEAD "horizon: 50h\ncharges: [{name: x, hourly: 1 USD/h}, {tax: 10 %}]\n" JOB
                 ", at_horizon: finish-on-demand, disk: 730 GiB" BUY);
    double nodes = 200 * P4D, disk = 200 * 0.08, x = 100;
    assert_near(all(&s, METRIC_COST), 1.1 * (nodes + disk + x), 1e-5, "cost");
    assert_near(all(&s, METRIC_CASH), 1.1 * (nodes + disk + x) / 2, 1e-5, "cash");
    assert_near(all(&s, METRIC_AMORTISED), 1.1 * (nodes + disk + x) / 2, 1e-5, "amortised");
    assert_near(all(&s, METRIC_OTHER_COST), 1.1 * (nodes + disk + x) - nodes, 1e-5, "other");
    done(&s);
}

/* ---- all together ---- */

#define EVERYTHING                                                                                 \
    "charges:\n"                                                                                   \
    "  - {nat: {hourly: 0.01..0.09 USD/h}, until: horizon}\n"                                      \
    "  - {name: desk, monthly: 100..900 USD}\n"                                                    \
    "  - {name: log, hourly: 'uniform(0.1 USD/h, 0.7 USD/h)', at: 1d}\n"                           \
    "  - {name: head, instance: g4dn.xlarge}\n"                                                    \
    "  - {name: setup, once: 50..900 USD, at: 37h}\n"                                              \
    "  - {name: image, per_node_hour: 0.0731 USD/h, applies_to: spot}\n"                           \
    "  - {name: agent, per_node_hour: 0.0123457 USD/h}\n"                                          \
    "  - {discount: {p4d: 5..30 %, ec2: 3 %, ebs: 7.3 %, s3: 1 %, transfer: 10 %, nat: 50 %}}\n"   \
    "  - {support: 3..10 %}\n"                                                                     \
    "  - {tax: 19 %}\n  - {name: city, tax: 1.7 %}\n"

static const char everything[] =
    "version: 1\nstart: 2026-01-30T10:17Z\nregion: us-east-1\nreplications: 30\nhorizon: 40d\n"
    "market: {spot: {p4d.24xlarge: {availability: 70..90 %}}}\n" EVERYTHING "workloads:\n"
    "  a: {kind: training, hours: 100..900h, boot: 2min..9min, disk: {size: 100..900 GB, iops: "
    "4000..9000},\n"
    "      checkpoint: {every: 1h, write: 1min, size: 98 GB, keep: 5}, dataset: 1..3 TB,\n"
    "      transfer: [{size: 300..900 GB, route: internet}, {size: 9 GB, route: nat}]}\n"
    "  b: {kind: training, hours: 50..900h, submit: 5d, boot: 2min..9min, disk: 77 GB,\n"
    "      checkpoint: {mode: continuous, size: 9 GB}, at_horizon: finish-on-demand,\n"
    "      transfer: [{size: 90 GB, route: cross-az}, {size: 900 GB, route: internet, when: "
    "end}]}\n"
    "strategies:\n"
    "  mixed: {instance: p4d.24xlarge, nodes: 3, buy: spot, policy: {name: fallback, return: "
    "yes},\n"
    "    commitments: [{kind: reserved-instances, instance: p4d.24xlarge, count: 2, term: 1y},\n"
    "      {kind: compute-savings-plan, hourly: 40 USD/h, term: 3y, payment: partial-upfront, at: "
    "3d,\n       rates: {p4d.24xlarge: 12 USD/h}, reuse: 30 %}]}\n"
    "  plain: {instance: p4d.24xlarge, nodes: 3, buy: on-demand}\n";

static money_t lines_of(const struct metric_cells *c, const money_t *others, size_t count)
{
    money_t sum = 0;
    for (int p = 0; p < PURCHASE_COUNT; p++) {
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            sum += c->line[p][a];
        }
    }
    for (size_t i = 0; i < count; i++) {
        sum += others[i];
    }
    return sum;
}

/* Lines of each workload are its cost; workloads, what they share and what commitments change are
 * the whole; months are too; the timeline is the cash. */
static void random_worlds_add_up(void **state)
{
    (void)state;
    enum { BUCKETS = 50 };
    struct study *s = study_from_text(everything, NULL);
    const size_t count = s->frame.others, all_row = s->workload_count;
    struct simulation *sim = simulation_new(s);
    struct metric_cells *cells = calloc(all_row + 1, sizeof *cells);
    money_t *months = calloc(s->frame.months, sizeof *months);
    money_t *by_month_of = calloc(BILL_ROWS * s->frame.months, sizeof *by_month_of);
    money_t *others = calloc((all_row + 1) * count, sizeof *others);
    for (uint32_t world = 0; world < 30; world++) {
        assert_true(simulation_begin_world(sim, world));
        for (size_t k = 0; k < s->strategy_count; k++) {
            double spend[BUCKETS] = {0}, spent = 0;
            const struct simulation_outputs out = {.cells = cells,
                                                   .months = months,
                                                   .by_month = by_month_of,
                                                   .others = others,
                                                   .buckets = BUCKETS,
                                                   .bucket_us = s->frame.horizon_us / BUCKETS + 1,
                                                   .spend_units = spend};
            assert_true(simulation_run_strategy(sim, k, &out));
            const union metric_value *v = cells[all_row].value;
            money_t sum = v[METRIC_COMMITMENT_USED].money + v[METRIC_COMMITMENT_UNUSED].money +
                          v[METRIC_COMMITMENT_LATER].money - v[METRIC_COVERED].money;
            money_t other = 0, by_month = 0;
            for (size_t w = 0; w < all_row; w++) {
                money_t own = lines_of(&cells[w], others + w * count, count);
                assert_int_equal(own, cells[w].value[METRIC_COST].money);
                sum += own;
            }
            for (size_t i = 0; i < count; i++) {
                sum += others[all_row * count + i];
            }
            for (size_t i = 0; i < (all_row + 1) * count; i++) {
                other += others[i];
            }
            for (size_t m = 0; m < s->frame.months; m++) {
                by_month += months[m];
            }
            for (size_t i = 0; i < BUCKETS; i++) {
                spent += spend[i];
            }
            assert_int_equal(sum, v[METRIC_COST].money);
            assert_int_equal(by_month, v[METRIC_COST].money);
            assert_int_equal(other, v[METRIC_OTHER_COST].money - v[METRIC_DISCOUNT].money);
            assert_true(v[METRIC_DISCOUNT].money > 0 && v[METRIC_OTHER_COST].money > 0);
            assert_int_equal(v[METRIC_ON_DEMAND_COST].money + v[METRIC_SPOT_COST].money +
                                 v[METRIC_COMMITMENT_USED].money +
                                 v[METRIC_COMMITMENT_UNUSED].money +
                                 v[METRIC_COMMITMENT_LATER].money + other,
                             v[METRIC_COST].money);
            assert_months_add_up(s, &cells[all_row], months, by_month_of);
            assert_near(spent, money_to_double(v[METRIC_CASH].money), 1e-3, "the timeline is cash");
        }
    }
    free(cells);
    free(months);
    free(by_month_of);
    free(others);
    simulation_free(sim);
    study_free(s);
}

/* Stated charges change no world: nodes cost what they cost without them. */
static void charges_change_no_world(void **state)
{
    (void)state;
    char plain[4096];
    snprintf(plain, sizeof plain, "%s", everything);
    char *from = strstr(plain, "charges:"), *to = strstr(plain, "workloads:");
    assert_true(from != NULL && to != NULL);
    memmove(from, to, strlen(to) + 1);
    for (char *nat; (nat = strstr(plain, ", {size: 9 GB, route: nat}")) != NULL;) {
        size_t length = strlen(", {size: 9 GB, route: nat}");
        memmove(nat, nat + length, strlen(nat + length) + 1);
    }
    struct study *with = study_from_text(everything, NULL), *without = study_from_text(plain, NULL);
    struct run a, b;
    study_run(&a, with, 2);
    study_run(&b, without, 1);
    for (uint32_t i = 0; i < 30; i++) {
        for (size_t k = 0; k < 2; k++) {
            assert_near(run_value(&a, k, i, METRIC_ON_DEMAND_COST),
                        run_value(&b, k, i, METRIC_ON_DEMAND_COST), 0, "on demand");
            assert_near(run_value(&a, k, i, METRIC_SPOT_COST),
                        run_value(&b, k, i, METRIC_SPOT_COST), 0, "spot");
            assert_near(run_value(&a, k, i, METRIC_OBLIGATION),
                        run_value(&b, k, i, METRIC_OBLIGATION), 0, "obligation");
        }
    }
    run_release(&a);
    run_release(&b);
    study_free(with);
    study_free(without);
}

/* A node that is covered whole gets no discount: R1 with the three others discounted. */
static void no_discount_on_what_is_covered(void **state)
{
    (void)state;
    struct seen s;
    see(&s,
        HEAD "horizon: 1d\ncharges: {discount: {ec2: 10 %}}\n"
             "workloads: {job: {kind: training, hours: 1h, boot: 0s}}\n"
             "strategies: {one: {instance: p4d.24xlarge, nodes: 4, buy: on-demand, commitments: "
             "{kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y}}}\n");
    assert_near(line(&s, "discount"), -0.1 * 3 * P4D, 1e-6, "discount");
    assert_near(all(&s, METRIC_COVERED), P4D, 1e-6, "covered");
    assert_near(all(&s, METRIC_ON_DEMAND_COST), 3 * P4D, 1e-6, "on demand");
    done(&s);
}

/* All is covered: rounding may leave a few nano-units of odd pieces, never on the wrong side. */
static void a_discount_on_covered_nodes_comes_to_nothing(void **state)
{
    (void)state;
    struct seen s;
    see(&s, "version: 1\nstart: 2025-12-01T07:13Z\nregion: us-east-1\nreplications: 1\n"
            "horizon: 30d\ncharges: {discount: {ec2: 7.3 %}}\n"
            "workloads: {a: {kind: training, hours: 61.237h, boot: 71s}, b: {kind: training, "
            "hours: 33.331h, boot: 97s, submit: 5.7h}}\n"
            "strategies: {one: {instance: p4d.24xlarge, nodes: 3, buy: on-demand, commitments: "
            "{kind: reserved-instances, instance: p4d.24xlarge, count: 6, term: 1y}}}\n");
    assert_near(line(&s, "discount"), 0, 1e-7, "discount");
    assert_true(line(&s, "discount") <= 0);
    assert_near(all(&s, METRIC_ON_DEMAND_COST), 0, 1e-7, "on demand");
    assert_true(all(&s, METRIC_ON_DEMAND_COST) >= 0);
    assert_near(all(&s, METRIC_OTHER_COST), 0, 0, "other");
    assert_near(all(&s, METRIC_COST), 6 * 8760 * 13.921094, 1e-6, "the reservations alone");
    done(&s);
}

/* A volume is paid on spot too, free first hour or not: every record of every node. */
static void disks_of_spot_nodes_are_paid(void **state)
{
    (void)state;
    struct seen s;
    see(&s, HEAD DAYS "market: {spot: {p4d.24xlarge: {price: 5 USD/h, availability: 0.7}}}\n"
                      "workloads: {job: {kind: training, hours: 100h, boot: 9min, disk: 730 GiB, "
                      "checkpoint: {every: 1h}}}\n"
                      "strategies: {s: {instance: p4d.24xlarge, nodes: 2, buy: spot}}\n");
    double node_h = all(&s, METRIC_NODE_HOURS);
    assert_true(all(&s, METRIC_INTERRUPTIONS) > 0);
    assert_near(line(&s, "disk"), 0.08 * node_h, 1e-6, "disk");
    done(&s);
}

/* ---- lines.csv ---- */

static void lines_stand_there_zero_or_not(void **state)
{
    (void)state;
    static const char *const want[][2] = {
        {"job", "disk"}, {"job", "dataset"}, {"job", "checkpoints"}, {"job", "transfer"},
        {"job", "nat"},  {"job", "tax"},     {"shared", "x"},        {"shared", "tax"},
    };
    struct study *s =
        study_from_text(HEAD DAYS "charges: [{name: x, once: 0 USD}, {tax: 0 %}]\n" JOB BUY, NULL);
    struct run run;
    struct result_tables t;
    study_run(&run, s, 1);
    assert_true(result_tables_make(&t, &run));
    size_t rows = table_rows(t.lines), found = 0;
    for (size_t i = 0; i < rows; i++) {
        if (strcmp(table_text(t.lines, i, 2), "other") == 0) {
            assert_true(found < sizeof want / sizeof want[0]);
            assert_string_equal(table_text(t.lines, i, 1), want[found][0]);
            assert_string_equal(table_text(t.lines, i, 3), want[found][1]);
            assert_int_equal(table_integer(t.lines, i, 5), 0);
            found++;
        }
    }
    assert_int_equal(found, sizeof want / sizeof want[0]);
    result_tables_release(&t);
    run_release(&run);
    study_free(s);
}

static const char *register_value(const struct study *s, const char *what)
{
    for (size_t i = 0; i < s->assumptions.count; i++) {
        if (strcmp(s->assumptions.items[i].what, what) == 0) {
            return s->assumptions.items[i].value;
        }
    }
    return NULL;
}

static void what_is_not_stated_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *text, *what;
    } cases[] = {
        {HEAD DAYS JOB BUY, "storage, transfer"},
        {HEAD DAYS JOB ", disk: 1 GB" BUY, "transfer"},
        {HEAD DAYS "charges: {nat: {}}\n" JOB BUY, "storage"},
        {HEAD DAYS "charges: {nat: {}}\n" JOB ", dataset: 1 GB" BUY, NULL},
    };
    static const char *const whats[] = {"storage, transfer", "transfer", "storage"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct study *s = study_from_text(cases[i].text, NULL);
        for (size_t k = 0; k < 3; k++) {
            bool wanted = cases[i].what != NULL && strcmp(cases[i].what, whats[k]) == 0;
            const char *value = register_value(s, whats[k]);
            assert_true((value != NULL) == wanted);
            if (wanted) {
                assert_string_equal(value, "none stated");
            }
        }
        study_free(s);
    }
}

/* ---- refusals ---- */

struct refusal {
    const char *charges, *job, *says;
    int code;
};

static const struct refusal refusals[] = {
    {"{name: x}", "", "states no amount", 2},
    {"{name: x, once: 1 USD, hourly: 1 USD/h}", "", "several amounts", 2},
    {"{once: 1 USD}", "", "no 'name'", 2},
    {"{name: disk, once: 1 USD}", "", "two lines of the bill are called 'disk'", 2},
    {"[{name: x, once: 1 USD}, {name: x, once: 1 USD}]", "", "called 'x'", 2},
    {"[{tax: 1 %}, {tax: 2 %}]", "", "called 'tax'", 2},
    {"[{nat: {}}, {nat: {}}]", "", "'nat' stands twice", 2},
    {"{nat: {}, name: gate}", "", "called 'nat'", 2},
    {"[{discount: {p5: 1 %}}, {name: d, discount: {p5: 1 %}}]", "", "'discount' stands twice", 2},
    {"{discount: {p55: 1 %}}", "", "'p55' is neither a service", 2},
    {"{discount: {ec2: 101 %}}", "", "101 %", 2},
    {"{name: x, once: 1 USD, at: 31d}", "", "beyond the horizon", 2},
    {"{name: x, once: 1 USD, until: horizon}", "", "'until' does not belong", 2},
    {"{tax: 1 %, at: 1d}", "", "'at' does not belong", 2},
    {"{name: x, once: 1 USD, applies_to: spot}", "", "'applies_to' belongs", 2},
    {"{name: x, once: 1 CNY}", "", "CNY", 2},
    {"{name: x, hourly: 3}", "", "3", 2},
    {"{name: x, instance: t3.xlarge}", "", "'t3.xlarge'", 4},
    {"{name: x, instance: t3.xlarge}", "", "a stated price: 'hourly'", 4},
    {"[]", ", disk: {type: gp3}", "states no size", 2},
    {"[]", ", disk: {size: 1 GB, type: gp2, iops: 9}", "'iops' does not belong to a 'gp2'", 2},
    {"[]", ", disk: {size: 1 GB, type: io2}", "an 'io2' volume needs 'iops'", 2},
    {"[]", ", disk: {size: 1 GB, type: io2, iops: 9, throughput: 9 MB/s}", "'throughput'", 2},
    {"[]", ", dataset: {store: s3}", "states no size", 2},
    {"[]", ", dataset: {size: 1 GB, store: efs}", "efs", 2},
    {"[]", ", checkpoint: {every: 1h, keep: 65}", "65", 2},
    {"[]", ", transfer: {size: 1 GB}", "route", 2},
    {"[]", ", transfer: {size: 1 GB, route: nat}", "no item of 'charges' is 'nat'", 2},
};

static void a_wrong_charge_is_refused(void **state)
{
    const struct refusal *r = *state;
    char text[2048];
    int code = 0;
    snprintf(text, sizeof text, "%scharges: %s\n%s%s%s", HEAD DAYS, r->charges, JOB, r->job, BUY);
    char *what = study_errors(text, &code);
    if (code != r->code || strstr(what, r->says) == NULL) {
        fail_msg("%s%s: exit %d, %s", r->charges, r->job, code, what);
    }
    free(what);
}

/* Each price that is missing is an error that says where there is one, and how to state it. */
static void a_missing_price_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *charges, *job, *item, *key;
    } cases[] = {
        {"[]", ", disk: 1 GB", "'gp3'", "per_gb_month"},
        {"[]", ", disk: {size: 1 GB, per_gb_month: 1 USD, iops: 9}", "'gp3-iops'",
         "per_iops_month"},
        {"[]", ", disk: {size: 1 GB, per_gb_month: 1 USD, throughput: 9 MB/s}", "'gp3-throughput'",
         "per_mbps_month"},
        {"[]", ", disk: {size: 1 GB, type: st1}", "'st1'", "per_gb_month"},
        {"[]", ", dataset: 1 GB", "'s3'", "per_gb_month"},
        {"[]", ", checkpoint: {every: 1h, size: 1 GB}", "'s3'", "checkpoint.per_gb_month"},
        {"{nat: {hourly: 1 USD/h}}", "", "'nat-data'", "per_gb"},
        {"{nat: {per_gb: 1 USD}}", "", "'nat-hour'", "hourly"},
        {"[]", ", transfer: {size: 1 GB, route: cross-region}", NULL, NULL},
        /* A size that nobody stated is left out, and listed. */
        {"[]", ", model: {parameters: 7B}, memory: {check: no}, checkpoint: {every: 1h}", NULL,
         NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2048];
        int code = 0;
        snprintf(text, sizeof text,
                 "version: 1\nstart: 2025-12-01\nregion: us-west-2\nreplications: 1\n%scharges: "
                 "%s\n%s%s%s",
                 DAYS, cases[i].charges, JOB, cases[i].job, BUY);
        if (cases[i].item == NULL) {
            study_free(study_from_text(text, NULL)); /* known there, or not needed */
            continue;
        }
        char *what = study_errors(text, &code);
        if (code != 4 || strstr(what, cases[i].item) == NULL ||
            strstr(what, cases[i].key) == NULL || strstr(what, "us-east-1") == NULL) {
            fail_msg("%s%s: exit %d, %s", cases[i].charges, cases[i].job, code, what);
        }
        free(what);
    }
}

static void too_early_for_any_price(void **state)
{
    (void)state;
    int code = 0;
    char *what =
        study_errors("version: 1\nstart: 2024-01-01\nregion: us-east-1\nreplications: 1\n" DAYS JOB
                     ", dataset: 1 GB" BUY,
                     &code);
    assert_int_equal(code, 4);
    assert_non_null(strstr(what, "the first is of 2024-07-01"));
    free(what);
}

static void more_than_can_be_counted_is_refused(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD DAYS JOB ", dataset: {size: 1000 PB, per_gb_month: 1000000 USD}" BUY, NULL);
    struct simulation *sim = simulation_new(s);
    const struct simulation_outputs nothing = {0};
    assert_true(simulation_begin_world(sim, 0));
    assert_false(simulation_run_strategy(sim, 0, &nothing));
    assert_non_null(strstr(simulation_error(sim), "9.2 billion"));
    simulation_free(sim);
    study_free(s);
}

int main(void)
{
    enum { LINES = sizeof line_cases / sizeof line_cases[0] };
    enum { REFUSALS = sizeof refusals / sizeof refusals[0] };
    gsl_errors_install();
    const struct CMUnitTest others[] = {
        cmocka_unit_test(what_falls_past_the_horizon_is_cost_but_not_cash),
        cmocka_unit_test(random_worlds_add_up),
        cmocka_unit_test(charges_change_no_world),
        cmocka_unit_test(no_discount_on_what_is_covered),
        cmocka_unit_test(a_discount_on_covered_nodes_comes_to_nothing),
        cmocka_unit_test(disks_of_spot_nodes_are_paid),
        cmocka_unit_test(lines_stand_there_zero_or_not),
        cmocka_unit_test(what_is_not_stated_is_said),
        cmocka_unit_test(a_missing_price_is_an_error),
        cmocka_unit_test(too_early_for_any_price),
        cmocka_unit_test(more_than_can_be_counted_is_refused),
    };
    enum { OTHERS = sizeof others / sizeof others[0] };
    struct CMUnitTest tests[LINES + REFUSALS + OTHERS];
    size_t count = 0;
    for (size_t i = 0; i < LINES; i++) {
        tests[count++] = (struct CMUnitTest){.name = line_cases[i].name,
                                             .test_func = a_line_is_what_it_is_by_hand,
                                             .initial_state = (void *)(uintptr_t)&line_cases[i]};
    }
    for (size_t i = 0; i < REFUSALS; i++) {
        tests[count++] = (struct CMUnitTest){.name = refusals[i].says,
                                             .test_func = a_wrong_charge_is_refused,
                                             .initial_state = (void *)(uintptr_t)&refusals[i]};
    }
    for (size_t i = 0; i < OTHERS; i++) {
        tests[count++] = others[i];
    }
    return cmocka_run_group_tests_name("charges", tests, NULL, NULL);
}
