/* SPDX-License-Identifier: GPL-3.0-or-later
 * A gang in several zones at once: what it synchronises is paid, by hand, and EFA is gone. */
#include "engine/gsl_errors.h"
#include "models/training/training_work.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(work, zones, more)                                                                    \
    "version: 1\nstart: 2026-03-02\nhorizon: 60d\nregion: us-east-1\nreplications: 3\n"            \
    "workloads:\n  job:\n    kind: training\n    checkpoint: continuous\n" work                    \
    "strategies:\n  one:  {instance: p4d.24xlarge, nodes: 8, buy: on-demand}\n"                    \
    "  span: {instance: p4d.24xlarge, nodes: 8, zones: " zones ", span_zones: yes" more "}\n"
#define GIB 1073741824.0

static double transfer_of(const struct run *run, size_t strategy, uint32_t world)
{
    const struct results *r = &run->results;
    double sum = 0;
    for (size_t i = 0; i < r->others; i++) {
        if (strcmp(run->study->charges.items[i].name, "transfer") == 0) {
            sum += money_to_double(results_others(r, world, strategy)[i]);
        }
    }
    return sum;
}

/* 2 B tokens in steps of 1,024 x 4,096; gradients of 6.738 B parameters in two bytes, 2 x 63/64 of
 * them over each of two borders, half as much again for ZeRO 3; 0.01 USD a GiB, out and in. */
static void every_synchronised_byte_is_paid(void **state)
{
    (void)state;
    struct study *s =
        study_from_text(TEXT("    tokens: 2B\n    model: {preset: llama-2-7b, precision: bf16}\n"
                             "    parallel: {batch: 1024, zero: 3}\n",
                             "[us-east-1a, us-east-1b]", ", buy: on-demand"),
                        NULL);
    const struct training_plan *p = training_plan_of(s->strategies[1].plans[0]);
    struct model_shape shape = model_shape_resolve(&p->spec->model, p->preset, NULL);
    double gib =
        2e9 / (1024 * 4096) * 2 * (2 * 63.0 / 64) * 1.5 * 2 * shape.trained_parameters / GIB;
    struct run run;
    study_run(&run, s, 2);
    for (uint32_t i = 0; i < 3; i++) {
        assert_relative(transfer_of(&run, 1, i), gib * 0.02, 1e-5, "whatever the speed");
        assert_near(transfer_of(&run, 0, i), 0, 0, "in one zone");
    }
    run_release(&run);
    study_free(s);
}

/* A stated traffic, for as long as the gang works, over three borders. */
static void stated_traffic_lasts_as_long_as_the_work(void **state)
{
    (void)state;
    struct study *s =
        study_from_text(TEXT("    hours: 10h\n    zone_traffic: 1 GiB/s\n",
                             "[us-east-1a, us-east-1b, us-east-1c]", ", buy: on-demand"),
                        NULL);
    struct run run;
    study_run(&run, s, 1);
    assert_relative(transfer_of(&run, 1, 0), 3 * 36000 * 0.02, 1e-6, "USD");
    run_release(&run);
    study_free(s);
}

static void refused_with(const char *text, const char *with, int code_expected)
{
    int code;
    char *errors = study_errors(text, &code);
    if (strstr(errors, with) == NULL) {
        print_error("expected '%s' in: %s\n", with, errors);
        fail();
    }
    assert_int_equal(code, code_expected);
    free(errors);
}

static void refused(const char *text, const char *with)
{
    refused_with(text, with, 2);
}

#define SPOT(nodes)                                                                                \
    "market: {spot: {p4d.24xlarge: {price: 12 USD/h, capacity: constant, nodes: " nodes "}}}\n"

/* Each zone has room for a part of the gang; one that has room for all of it crosses nothing. */
static void on_spot_what_stands_in_several_zones_is_paid(void **state)
{
    (void)state;
    static const struct {
        const char *market;
        double borders;
    } rows[] = {{SPOT("4"), 2}, {SPOT("9"), 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[2000];
        snprintf(text, sizeof text, "%s%s", rows[i].market,
                 TEXT("    hours: 10h\n    zone_traffic: 1 GiB/s\n    boot: 0s\n",
                      "[us-east-1a, us-east-1b]", ", buy: spot"));
        struct study *s = study_from_text(text, NULL);
        struct run run;
        study_run(&run, s, 1);
        assert_relative(1 + transfer_of(&run, 1, 0), 1 + rows[i].borders * 36000 * 0.02, 1e-6,
                        "USD of transfer");
        assert_near(run_value(&run, 1, 0, METRIC_NODE_HOURS), 80, 1e-6, "node-hours");
        assert_near(run_value(&run, 1, 0, METRIC_FINISHED), 1, 0, "done");
        run_release(&run);
        study_free(s);
    }
    refused_with(SPOT("3") TEXT("    hours: 10h\n    zone_traffic: 1 GiB/s\n",
                                "[us-east-1a, us-east-1b]", ", buy: spot"),
                 "the market has at most 6 nodes of 'p4d.24xlarge' spot", 4);
}

static void efa_is_lost(void **state)
{
    (void)state;
    struct study *s =
        study_from_text(TEXT("    tokens: 2B\n    model: {preset: llama-2-7b, precision: bf16}\n"
                             "    parallel: {batch: 64, zero: 3}\n",
                             "[us-east-1a, us-east-1b]", ", buy: on-demand"),
                        NULL);
    double one_s = s->strategies[0].plans[0]->planned_work_s;
    double span_s = s->strategies[1].plans[0]->planned_work_s;
    assert_true(span_s > 1.2 * one_s);
    study_free(s);
}

static void what_cannot_span_is_refused(void **state)
{
    (void)state;
    refused(TEXT("    hours: 10h\n    zone_traffic: 1 GiB/s\n", "[us-east-1a]", ", buy: on-demand"),
            "has one; expected such as 'zones:");
    refused(TEXT("    hours: 10h\n    zone_traffic: 1 GiB/s\n", "[us-east-1a, us-east-1b]",
                 ", buy: spot, failover: cheapest"),
            "'failover' chooses one zone at a time");
    refused(TEXT("    hours: 10h\n    zone_traffic: 1 GiB/s\n", "[us-east-1a, us-east-1b]",
                 ", buy: spot, spares: 1"),
            "'spares' of 'job' stand by in the zone of their gang");
    refused(TEXT("    hours: 10h\n    zone_traffic: 1 GiB/s\n", "[us-east-1a, us-east-1b]",
                 ", buy: capacity-block, block: {days: 2, instances: 8}"),
            "policy 'capacity-block' also buys capacity blocks, which stand in one place");
    refused(TEXT("    hours: 10h\n", "[us-east-1a, us-east-1b]", ", buy: on-demand"),
            "or 'zone_traffic: 2 GB/s'");
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_synchronised_byte_is_paid),
        cmocka_unit_test(stated_traffic_lasts_as_long_as_the_work),
        cmocka_unit_test(on_spot_what_stands_in_several_zones_is_paid),
        cmocka_unit_test(efa_is_lost),
        cmocka_unit_test(what_cannot_span_is_refused),
    };
    return cmocka_run_group_tests_name("zone_span", tests, NULL, NULL);
}
