/* SPDX-License-Identifier: GPL-3.0-or-later
 * Plans of elastic jobs through the scenario reader: how fast on how many nodes, and what is
 * refused. */
#include "engine/gsl_errors.h"
#include "models/training/training_work.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "version: 1\nstart: 2026-01-05\nhorizon: 60d\nregion: us-east-1\nreplications: 1\n"
#define SPOT "instance: p4d.24xlarge, nodes: 16, buy: spot"

static void make_text(char text[2048], const char *job, const char *strategy)
{
    snprintf(text, 2048,
             HEAD "workloads: {w: {kind: training, checkpoint: {write: 1min}, %s}}\n"
                  "strategies: {s: {%s}}\n",
             job, strategy);
}

struct pace_row {
    const char *job;
    uint32_t nodes;
    double pace;
};

static const struct pace_row paces[] = {
    {"hours: 10h, elastic: {min: 2}", 16, 1},
    {"hours: 10h, elastic: {min: 2}", 4, 0.25},
    {"hours: 10h, scaling: 80 %, elastic: {min: 1}", 1, 1 / (16 * 0.8)},
    {"samples: 1M, throughput: {p4d.24xlarge: 100/s}, elastic: {min: 2}", 12, 0.75},
    /* 300/s at 4, 900/s at 16: 500/s at 8 on the line between. */
    {"samples: 1M, job_throughput: {p4d.24xlarge x 16: 900/s, p4d.24xlarge x 4: 300/s}, elastic: "
     "{min: 4}",
     8, 5 / 9.0},
};

static void paces_follow_the_speed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof paces / sizeof paces[0]; i++) {
        char text[2048];
        make_text(text, paces[i].job, SPOT);
        struct study *s = study_from_text(text, NULL);
        const struct training_plan *p = training_plan_of(s->strategies[0].plans[0]);
        assert_relative(elastic_pace(p, paces[i].nodes, NULL), paces[i].pace, 1e-12, "pace");
        study_free(s);
    }
}

static void nodes_default_to_the_most(void **state)
{
    (void)state;
    char text[2048];
    make_text(text, "hours: 10h, elastic: {min: 4, max: 12}",
              "instance: p4d.24xlarge, fill: [{buy: on-demand, nodes: 4}, {buy: spot}]");
    struct study *s = study_from_text(text, NULL);
    const struct training_plan *p = training_plan_of(s->strategies[0].plans[0]);
    assert_int_equal(p->work.nodes, 12);
    assert_int_equal(p->elastic.least, 4);
    assert_int_equal(p->elastic.entry_count, 2);
    assert_true(p->pools[PURCHASE_ON_DEMAND] >= 0 && p->pools[PURCHASE_SPOT] >= 0);
    study_free(s);
}

static void what_it_cannot_is_refused(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"hours: 10h, elastic: {min: 20}", SPOT, "asks for 16 nodes for 'w'"},
        {"hours: 10h, elastic: {min: 8, max: 4}", SPOT, "has a 'min' above its 'max'"},
        {"hours: 10h, elastic: {min: 2, max: 8}", SPOT, "at least 2 and at most 8"},
        {"samples: 1M, job_throughput: {p4d.24xlarge x 16: 900/s}, elastic: {min: 4}", SPOT,
         "is measured for 16 and more; state it for 4"},
        {"hours: 10h, elastic: {min: 2}",
         "instance: p4d.24xlarge, nodes: 16, fill: [{buy: spot, zone: us-east-1b}]",
         "drop 'zone' from 'fill'"},
        {"hours: 10h, elastic: {min: 2}, failures: {mtbf: 100d, restart: gang}", SPOT,
         "after a failure the others go on; expected 'restart: node'"},
        {"hours: 10h, elastic: {min: 2}, failures: {mtbf: 100d}", SPOT ", spares: 2",
         "ask for more 'nodes' in place of 'spares'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[2048];
        int code;
        make_text(text, rows[i][0], rows[i][1]);
        char *what = study_errors(text, &code);
        if (strstr(what, rows[i][2]) == NULL) {
            fail_msg("expected: %s\ngot: %s", rows[i][2], what);
        }
        assert_int_equal(code, 2);
        free(what);
    }
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paces_follow_the_speed),
        cmocka_unit_test(nodes_default_to_the_most),
        cmocka_unit_test(what_it_cannot_is_refused),
    };
    return cmocka_run_group_tests_name("elastic_plan", tests, NULL, NULL);
}
