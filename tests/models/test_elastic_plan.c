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

/* Of the check's rows. */
struct seen {
    double most, fewest, speed, need_gib;
};

static void see(void *context, const struct work_reason *r)
{
    struct seen *seen = context;
    const struct {
        const char *quantity;
        double *to;
    } wanted[] = {{"most nodes", &seen->most},
                  {"fewest nodes", &seen->fewest},
                  {"speed on the fewest", &seen->speed},
                  {"GPU memory", &seen->need_gib}};
    for (size_t i = 0; strcmp(r->part, "elastic") == 0 && i < 4; i++) {
        if (strcmp(r->quantity, wanted[i].quantity) == 0) {
            *wanted[i].to = r->value;
        }
    }
}

#define MODEL                                                                                      \
    "tokens: 1B, throughput: {p4d.24xlarge: 3000/s}, model: {preset: llama-2-70b, precision: "     \
    "bf16, sequence: 2048}, parallel: {zero: 3, micro_batch: 1, recompute: full}, "

static void check_says_what_the_fewest_nodes_mean(void **state)
{
    (void)state;
    char text[2048];
    make_text(text, MODEL "elastic: {min: 8}", SPOT);
    struct study *s = study_from_text(text, NULL);
    const struct work_plan *plan = s->strategies[0].plans[0];
    const struct training_plan *p = training_plan_of(plan);
    struct seen seen = {0};
    plan->kind->reasons(plan, see, &seen);
    assert_near(seen.most, 16, 0, "most");
    assert_near(seen.fewest, 8, 0, "fewest");
    assert_near(seen.speed, 50, 1e-9, "speed");
    /* 16 bytes of state a parameter on 64 accelerators in place of 128, by 5 % for the reserve. */
    double more_gib = seen.need_gib - p->memory.gpu.need_bytes / 1073741824.0;
    double state_gib = p->memory.layout.shape.parameters * 16 / 1073741824.0;
    assert_relative(more_gib, 1.05 * state_gib * (1 / 64.0 - 1 / 128.0), 1e-9, "memory");
    study_free(s);
}

static void what_does_not_fit_on_the_fewest_nodes_is_refused(void **state)
{
    (void)state;
    char text[2048];
    int code;
    make_text(text, MODEL "elastic: {min: 1}", SPOT);
    char *what = study_errors(text, &code);
    assert_non_null(strstr(what, "'w' does not fit on 1 x 'p4d.24xlarge'"));
    assert_int_equal(code, 4);
    free(what);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paces_follow_the_speed),
        cmocka_unit_test(nodes_default_to_the_most),
        cmocka_unit_test(what_it_cannot_is_refused),
        cmocka_unit_test(check_says_what_the_fewest_nodes_mean),
        cmocka_unit_test(what_does_not_fit_on_the_fewest_nodes_is_refused),
    };
    return cmocka_run_group_tests_name("elastic_plan", tests, NULL, NULL);
}
