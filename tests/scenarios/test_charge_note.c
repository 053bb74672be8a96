/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is told of each amount beside nodes: the bill's lines again, in quantities and prices. */
#include "models/billing/charge_note.h"

#include "engine/gsl_errors.h"
#include "scenarios/study/simulation.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "version: 1\nstart: 2025-12-01\nregion: us-east-1\nreplications: 1\nhorizon: 30d\n"

/* One world with what was told of it. */
struct told {
    struct study *study;
    struct simulation *simulation;
    money_t *others;
    struct charge_notes notes;
};

static void tell(struct told *t, const char *text)
{
    *t = (struct told){.study = study_from_text(text, NULL)};
    t->simulation = simulation_new(t->study);
    t->others = calloc((t->study->workload_count + 1) * t->study->frame.others, sizeof *t->others);
}

static void run(struct told *t, size_t strategy, uint32_t world)
{
    charge_notes_release(&t->notes);
    const struct charge_sink sink = {.take = charge_notes_take, .context = &t->notes};
    const struct simulation_outputs out = {.others = t->others, .charges = &sink};
    assert_true(simulation_begin_world(t->simulation, world));
    assert_true(simulation_run_strategy(t->simulation, strategy, &out));
    assert_false(t->notes.failed);
}

static void done(struct told *t)
{
    charge_notes_release(&t->notes);
    simulation_free(t->simulation);
    free(t->others);
    study_free(t->study);
}

/* Lines are the sums of their notes; quantities times prices are the amounts. */
static size_t check(const struct told *t)
{
    size_t shares = 0;
    const struct charge_plan *plan = &t->study->charges;
    money_t *lines = calloc((t->study->workload_count + 1) * plan->count, sizeof *lines);
    for (size_t i = 0; i < t->notes.count; i++) {
        const struct charge_note n = charge_notes_at(&t->notes, i);
        if (n.of_others) {
            shares++;
            lines[n.row * plan->count + n.item] += n.amount + n.later;
            continue;
        }
        double priced = 0, hours = (double)(n.to_us - n.from_us) / (double)HOUR_US;
        lines[n.row * plan->count + n.item] += n.amount;
        assert_true(n.from_us <= n.to_us && n.discount <= n.amount);
        assert_true(n.measure_count > 0);
        for (size_t m = 0; m < n.measure_count; m++) {
            priced += n.measures[m].quantity * n.scale * n.measures[m].price;
        }
        /* Rates are rounded to a nano-unit an hour. */
        assert_near(priced, money_to_double(n.amount), 1e-9 * (2 + 10 * hours), "priced");
    }
    for (size_t i = 0; i < (t->study->workload_count + 1) * plan->count; i++) {
        if (plan->items[i % plan->count].kind != CHARGE_DISCOUNT) {
            assert_int_equal(lines[i], t->others[i]);
        }
    }
    free(lines);
    return shares;
}

static void every_line_is_the_sum_of_its_notes(void **state)
{
    (void)state;
    struct told t;
    size_t discounted = 0;
    tell(&t,
         "version: 1\nstart: 2026-01-30T10:17Z\nregion: us-east-1\nreplications: 30\nhorizon: 40d\n"
         "market: {spot: {p4d.24xlarge: {availability: 70..90 %}}}\n"
         "charges:\n"
         "  - {nat: {hourly: 0.01..0.09 USD/h}, until: horizon}\n"
         "  - {name: desk, monthly: 100..900 USD}\n"
         "  - {name: log, hourly: 'uniform(0.1 USD/h, 0.7 USD/h)', at: 1d}\n"
         "  - {name: head, instance: g4dn.xlarge}\n"
         "  - {name: setup, once: 50..900 USD, at: 37h}\n"
         "  - {name: image, per_node_hour: 0.0731 USD/h, applies_to: spot}\n"
         "  - {discount: {p4d: 5..30 %, ebs: 7.3 %, s3: 1 %, transfer: 10 %, nat: 50 %}}\n"
         "  - {support: 3..10 %}\n  - {tax: 19 %}\n"
         "workloads:\n"
         "  a: {kind: training, hours: 100..900h, boot: 2min..9min,\n"
         "      disk: {size: 100..900 GB, iops: 4000..9000, throughput: 200 MiB/s},\n"
         "      checkpoint: {every: 1h, write: 1min, size: 98 GB, keep: 5}, dataset: 1..3 TB,\n"
         "      transfer: [{size: 3..9 TB, route: internet}, {size: 9 GB, route: nat}]}\n"
         "  b: {kind: training, hours: 50..900h, submit: 5d, boot: 2min..9min, disk: 77 GB,\n"
         "      checkpoint: {mode: continuous, size: 9 GB}, at_horizon: finish-on-demand,\n"
         "      transfer: [{size: 90 GB, route: cross-az}, {size: 9 TB, route: internet, when: "
         "end}]}\n"
         "strategies:\n"
         "  mixed: {instance: p4d.24xlarge, nodes: 3, buy: spot, policy: {name: fallback, return: "
         "yes}}\n"
         "  plain: {instance: p4d.24xlarge, nodes: 3, buy: on-demand}\n");
    for (uint32_t world = 0; world < 20; world++) {
        for (size_t k = 0; k < 2; k++) {
            run(&t, k, world);
            assert_int_equal(check(&t), 2 * 3); /* support and tax, on three bills */
            for (size_t i = 0; i < t.notes.count; i++) {
                discounted += t.notes.items[i].discount > 0;
            }
        }
    }
    assert_true(discounted > 100);
    done(&t);
}

static struct charge_note only_note_of(const struct told *t, enum charge_kind kind)
{
    struct charge_note found = {0};
    size_t count = 0;
    for (size_t i = 0; i < t->notes.count; i++) {
        if (t->study->charges.items[t->notes.items[i].item].kind == kind) {
            found = charge_notes_at(&t->notes, i);
            count++;
        }
    }
    assert_int_equal(count, 1);
    return found;
}

/* 60,000 GiB: 10,240 at 0.09, 40,960 at 0.085, the rest at 0.07. */
static void tiers_are_measured_apart(void **state)
{
    (void)state;
    static const double quantity[] = {10240, 40960, 8800}, price[] = {0.09, 0.085, 0.07};
    struct told t;
    tell(&t, HEAD "workloads: {job: {kind: training, hours: 10h, boot: 0s,\n"
                  "    transfer: {size: 60000 GiB, route: internet, when: start}}}\n"
                  "strategies: {od: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n");
    run(&t, 0, 0);
    check(&t);
    const struct charge_note n = only_note_of(&t, CHARGE_TRANSFER);
    assert_int_equal(n.measure_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_near(n.measures[i].quantity, quantity[i], 1e-9, "quantity");
        assert_near(n.measures[i].price, price[i], 1e-12, "price");
        assert_string_equal(n.measures[i].product, "internet");
        assert_int_equal(n.measures[i].meter, METER_GB);
    }
    done(&t);
}

/* Two nodes for ten hours of a month of 730: size, and what is provisioned above 3,000 and 125. */
static void a_volume_has_three_measures(void **state)
{
    (void)state;
    struct told t;
    tell(&t,
         HEAD "workloads: {job: {kind: training, hours: 10h, boot: 0s, checkpoint: continuous,\n"
              "    disk: {size: 500 GiB, iops: 5000, throughput: 225 MiB/s}}}\n"
              "strategies: {od: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}}\n");
    run(&t, 0, 0);
    check(&t);
    const struct charge_note n = only_note_of(&t, CHARGE_DISK);
    static const enum charge_meter meters[] = {METER_GB_MONTHS, METER_IOPS_MONTHS,
                                               METER_MIBPS_MONTHS};
    static const double of_a_month[] = {500, 2000, 100};
    assert_int_equal(n.row, 0);
    assert_int_equal(n.measure_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(n.measures[i].meter, meters[i]);
        assert_near(n.measures[i].quantity * n.scale, of_a_month[i] * 20 / 730, 1e-9, "quantity");
    }
    done(&t);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_is_the_sum_of_its_notes),
        cmocka_unit_test(tiers_are_measured_apart),
        cmocka_unit_test(a_volume_has_three_measures),
    };
    return cmocka_run_group_tests_name("charge note", tests, NULL, NULL);
}
