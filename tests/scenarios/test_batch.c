/* SPDX-License-Identifier: GPL-3.0-or-later
 * `kind: batch` from scenario files: items worked off by hand to the second and the cent, and what
 * is lost with nodes that are struck at random against its closed form. g4dn.xlarge in us-east-1:
 * 0.526 USD/h since 2022-06-23. */
#include "engine/gsl_errors.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define G4DN 0.526

#define HEAD                                                                                       \
    "version: 1\nstart: 2026-03-02\nregion: us-east-1\nprices_as_of: 2025-11-30\nseed: 4\n"        \
    "market: {spot: {g4dn.xlarge: {price: 10 USD/h, capacity: constant, nodes: 3}}}\n"

struct batch_case {
    const char *name, *horizon, *work, *terms;
    double done, finished, end_s, node_s, useful_s, launches, redone, cost;
};

static const struct batch_case batch_cases[] = {
    {"one node", "1d", "items: 3600, rate: {g4dn.xlarge: 1/s}, boot: 100s, load: 20s",
     "nodes: 1, buy: on-demand", 3600, 1, 3720, 3720, 3600, 1, 0, 3720 * G4DN / 3600},
    /* Six chunks: four at once, then two, while two nodes go. */
    {"nodes without a chunk go", "1d", "items: 3600, rate: {any: 1/s}, boot: 0s",
     "nodes: 4, buy: on-demand", 3600, 1, 1200, 3600, 3600, 4, 0, G4DN},
    {"no more nodes than chunks", "1d", "items: 1500, rate: {any: 1/s}, boot: 0s",
     "nodes: 10, buy: on-demand", 1500, 1, 600, 1500, 1500, 3, 0, 1500 * G4DN / 3600},
    {"one item", "1d", "items: 1, rate: {any: 1/s}, boot: 10s", "nodes: 10, buy: on-demand", 1, 1,
     11, 11, 1, 1, 0, 60 * G4DN / 3600 /* a minute at least */},
    /* Spot has three of five. */
    {"spot, then on-demand", "1d", "items: 3000, rate: {any: 1/s}, boot: 0s",
     "nodes: 5, fill: [spot, on-demand]", 3000, 1, 600, 3000, 3000, 5, 0,
     (3 * 600 * 10 + 2 * 600 * G4DN) / 3600},
    /* A chunk is so much time of each: 500 and 1,000 items. p3.2xlarge costs 3.06 USD/h. */
    {"two types", "1d",
     "items: 3000, rate: {g4dn.xlarge: 1/s, p3.2xlarge: 2/s}, chunk: 500s, boot: 0s",
     "nodes: 2, fill: [{buy: on-demand, nodes: 1}, {buy: on-demand, instance: p3.2xlarge}]", 3000,
     1, 1000, 2000, 2000, 2, 0, 1000 * (G4DN + 3.06) / 3600},
    /* Chunks end at 700 s, … 3,100 s; 500 s of the sixth are in vain. */
    {"cut at the horizon", "1h", "items: 10000, rate: {any: 1/s}, boot: 100s",
     "nodes: 1, buy: on-demand", 3000, 0, 3600, 3600, 3000, 1, 500, G4DN},
    {"submitted later", "1d", "items: 600, rate: {any: 1/s}, boot: 0s, submit: 2h",
     "nodes: 1, buy: on-demand", 600, 1, 7800, 600, 600, 1, 0, 600 * G4DN / 3600},
};

static void batch_by_hand(void **state)
{
    const struct batch_case *c = *state;
    char text[2000];
    struct run run;
    snprintf(text, sizeof text,
             HEAD
             "replications: 1\nhorizon: %s\nworkloads: {w: {kind: batch, %s}}\nstrategies: {s: "
             "{instance: g4dn.xlarge, %s}}\n",
             c->horizon, c->work, c->terms);
    struct study *s = study_from_text(text, NULL);
    study_run(&run, s, 1);
    const struct {
        enum metric metric;
        double value;
    } rows[] = {{METRIC_ITEMS_DONE, c->done},
                {METRIC_FINISHED, c->finished},
                {METRIC_TIME_TO_TRAIN, c->end_s / 3600},
                {METRIC_NODE_HOURS, c->node_s / 3600},
                {METRIC_USEFUL, c->useful_s / 3600},
                {METRIC_LAUNCHES, c->launches},
                {METRIC_ITEMS_REDONE, c->redone},
                {METRIC_COST, c->cost},
                {METRIC_PER_MILLION_ITEMS, 1e6 * c->cost / c->done}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double value = run_value(&run, 0, 0, rows[i].metric);
        assert_near(value, rows[i].value, 1e-6 * fmax(1, rows[i].value),
                    metric_table[rows[i].metric].name);
    }
    run_release(&run);
    study_free(s);
}

/* Nodes that are struck at rate h and replaced at once: before a chunk of length c is done, a node
 * has been struck e^(hc) - 1 times on average, and worked (e^(hc) - 1) / h in all. So of each item
 * (e^x - 1) / x - 1 are done in vain, x = hc, whatever the boot. */
static void what_is_lost_on_average(void **state)
{
    (void)state;
    const double x = 0.5, expected = expm1(x) / x - 1;
    char text[2000];
    struct run run;
    snprintf(
        text, sizeof text,
        "version: 1\nstart: 2026-03-02\nregion: us-east-1\nseed: 4\nreplications: 200\nhorizon: "
        "200d\nmarket: {spot: {g4dn.xlarge: {price: 1 USD/h, capacity: constant, "
        "interruptions: %.17gs, notice: 0s}}}\nworkloads: {w: {kind: batch, items: 36000, rate: "
        "{any: 1/s}, chunk: 600s, boot: 50s}}\nstrategies: {s: {instance: g4dn.xlarge, nodes: 4, "
        "buy: spot}}\n",
        600 / x);
    struct study *s = study_from_text(text, NULL);
    study_run(&run, s, 1);
    struct mean redone = run_mean(&run, 0, METRIC_ITEMS_REDONE);
    assert_near(redone.mean / 36000, expected, 4 * redone.error / 36000, "in vain");
    struct mean struck = run_mean(&run, 0, METRIC_LOSSES);
    assert_near(struck.mean, 60 * expm1(x), 4 * struck.error, "losses of chunks");
    for (uint32_t i = 0; i < 200; i++) {
        assert_near(run_value(&run, 0, i, METRIC_ITEMS_DONE), 36000, 1e-6, "all are done");
        assert_near(run_value(&run, 0, i, METRIC_USEFUL), 10, 1e-6, "and each once");
        assert_near(run_value(&run, 0, i, METRIC_LOST) * 3600,
                    run_value(&run, 0, i, METRIC_ITEMS_REDONE), 1e-2, "lost node time");
    }
    run_release(&run);
    study_free(s);
}

/* A notice of the whole chunk lets every node finish what it has: nothing is lost. */
static void a_long_notice_saves_all(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-03-02\nregion: us-east-1\nseed: 4\nreplications: 20\nhorizon: "
        "200d\nmarket: {spot: {g4dn.xlarge: {price: 1 USD/h, capacity: constant, interruptions: "
        "20min, notice: 100s}}}\nworkloads: {w: {kind: batch, items: 36000, rate: {any: 1/s}, "
        "chunk: "
        "100s}}\nstrategies: {s: {instance: g4dn.xlarge, nodes: 4, fill: [spot, on-demand]}}\n",
        NULL);
    study_run(&run, s, 1);
    assert_true(run_mean(&run, 0, METRIC_INTERRUPTIONS).mean > 5);
    assert_near(run_mean(&run, 0, METRIC_ITEMS_REDONE).mean, 0, 1e-9, "in vain");
    run_release(&run);
    study_free(s);
}

static void late_and_after(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        HEAD
        "replications: 1\nhorizon: 1d\nworkloads:\n  a: {kind: batch, items: 3600, rate: {any: "
        "1/s}, boot: 0s, deadline: 59min}\n  b: {kind: batch, items: 3600, rate: {any: 1/s}, "
        "boot: 0s, after: a, delay: 1h}\nstrategies: {s: {instance: g4dn.xlarge, nodes: 1, buy: "
        "on-demand}}\n",
        NULL);
    study_run(&run, s, 1);
    const struct metric_cells *a = results_cells(&run.results, 0, 0, 0);
    const struct metric_cells *b = results_cells(&run.results, 0, 0, 1);
    assert_near(metric_number(a, METRIC_LATE), 1, 0, "an hour is late");
    assert_near(metric_number(b, METRIC_TIME_TO_TRAIN), 3, 1e-9, "an hour after the first");
    run_release(&run);
    study_free(s);
}

static void wrong_scenarios_are_refused(void **state)
{
    static const struct {
        const char *work, *terms, *says;
        int code;
    } wrong[] = {
        {"items: 1M, rate: {g4dn.xlarge: 1/s}", "buy: on-demand", "expected 'nodes: N'", 2},
        {"items: 1M, rate: {p3.2xlarge: 1/s}", "nodes: 2, buy: on-demand",
         "does not say how fast g4dn.xlarge works", 2},
        {"items: 1M, rate: {g4dn.xlarg: 1/s}", "nodes: 2, buy: on-demand",
         "did you mean 'g4dn.xlarge'?", 2},
        {"items: 0, rate: {any: 1/s}", "nodes: 2, buy: on-demand", "items", 2},
        {"items: 1M, rate: {any: 0/s}", "nodes: 2, buy: on-demand", "rate", 2},
        {"items: 1M", "nodes: 2, buy: on-demand", "rate", 2},
        {"items: 1M, rate: {any: 1/s}, deadline: 90d", "nodes: 2, buy: on-demand",
         "lies beyond the horizon", 2},
        {"items: 1M, rate: {any: 1/s}, submit: 40d", "nodes: 2, buy: on-demand",
         "at or after the horizon", 2},
        {"items: 1000M, rate: {any: 1/s}, chunk: 1s", "nodes: 2, buy: on-demand",
         "lengthen 'chunk'", 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[1000];
        int code;
        snprintf(text, sizeof text,
                 HEAD "horizon: 30d\nworkloads: {w: {kind: batch, %s}}\nstrategies: {s: {instance: "
                      "g4dn.xlarge, %s}}\n",
                 wrong[i].work, wrong[i].terms);
        char *told = study_errors(text, &code);
        if (strstr(told, wrong[i].says) == NULL || code != wrong[i].code) {
            fail_msg("expected '%s', got (%d) %s", wrong[i].says, code, told);
        }
        free(told);
    }
}

int main(void)
{
    enum { CASES = sizeof batch_cases / sizeof batch_cases[0] };
    struct CMUnitTest tests[CASES + 5];
    size_t n = 0;
    gsl_errors_install();
    for (; n < CASES; n++) {
        tests[n] = (struct CMUnitTest){batch_cases[n].name, batch_by_hand, NULL, NULL,
                                       (void *)&batch_cases[n]};
    }
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(what_is_lost_on_average);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_long_notice_saves_all);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(late_and_after);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(wrong_scenarios_are_refused);
    return _cmocka_run_group_tests("batch", tests, n, NULL, NULL);
}
