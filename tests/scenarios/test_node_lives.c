/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lives of single spot nodes from a scenario file to interruptions and dollars. */
#include "engine/gsl_errors.h"
#include "tests/support/program.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static char scenario[2000];

static const char *with(const char *spot, int nodes)
{
    snprintf(scenario, sizeof scenario,
             "version: 1\nregion: us-east-1\nreplications: 400\nstart: 2026-03-02\nhorizon: 60d\n"
             "market: {spot: {p3.2xlarge: {price: 1 USD/h, notice: 0s, first_hour_free: no, %s}}}\n"
             "workloads: {job: {kind: training, hours: 240h, boot: 0s, checkpoint: continuous}}\n"
             "strategies: {one: {instance: p3.2xlarge, nodes: %d, buy: spot}}\n",
             spot, nodes);
    return scenario;
}

/* 240 h in lives of 25 h: nine ends before the last; with continuous checkpoints nothing is lost.
 */
static void a_cap_interrupts_every_day(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(with("lifetime_cap: 25h", 1), NULL);
    study_run(&run, s, 1);
    assert_near(run_value(&run, 0, 0, METRIC_LOSSES), 9, 0, "losses");
    assert_near(run_value(&run, 0, 0, METRIC_INTERRUPTIONS), 9, 0, "interruptions");
    assert_near(run_value(&run, 0, 0, METRIC_COST), 240, 1e-9, "cost");
    run_release(&run);
    study_free(s);
}

/* A slot that is filled again at once is a renewal process: ends in 240 h ~ 240/mean + (cv^2 -
 * 1)/2, the mean of the bathtub being 17.1 h or so; computed here by the integral of the survival.
 */
static void the_bathtub_ends_nodes_at_its_rate(void **state)
{
    (void)state;
    double mean = 0, square = 0, step = 0.001;
    for (double t = step / 2; t < 24; t += step) {
        double survival = 1 - 0.425 * (1 - exp(-pow(t / 5.3, 0.58)));
        mean += survival * step;
        square += 2 * t * survival * step;
    }
    double cv2 = square / (mean * mean) - 1;
    struct run run;
    struct study *s = study_from_text(with("lifetimes: bathtub", 1), NULL);
    study_run(&run, s, 1);
    struct mean m = run_mean(&run, 0, METRIC_LOSSES);
    assert_near(m.mean, 240 / mean + (cv2 - 1) / 2, 4 * m.error, "losses in 240 h");
    run_release(&run);
    study_free(s);
}

static void what_does_not_fit_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *spot, *says;
    } rows[] = {
        {"lifetimes: bathtub, interruptions: 14h", "has both 'interruptions' and 'lifetimes'"},
        {"early_share: 10 %", "'early_share' of spot 'p3.2xlarge' is the share of nodes"},
        {"early_share: 10 %, lifetime: 3h", "the other nodes end at a 'lifetime_cap'"},
        {"lifetimes: tub", "tub"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int code;
        char *text = study_errors(with(rows[i].spot, 1), &code);
        assert_int_equal(code, 2);
        assert_holds(text, rows[i].says);
        free(text);
    }
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cap_interrupts_every_day),
        cmocka_unit_test(the_bathtub_ends_nodes_at_its_rate),
        cmocka_unit_test(what_does_not_fit_is_told),
    };
    return cmocka_run_group_tests_name("node_lives", tests, NULL, NULL);
}
