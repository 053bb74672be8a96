/* SPDX-License-Identifier: GPL-3.0-or-later
 * The reference values of the default hidden process (docs/models.md, "The hidden process";
 * computed twice, independently, to within 0.2 %), from scenario files: losses a day, mean and
 * median times up and down, and the share of times up that are longer than 1, 6 and 24 h. */
#include "engine/gsl_errors.h"
#include "scenarios/study/simulation.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TICK_S 600.0

enum { WORLDS = 12, DAYS = 1500, LONGEST = 4096 };

struct reference {
    const char *name;
    double availability, losses_per_day, mean_up_h, mean_down_h;
    int median_up, median_down; /* ticks */
    double survives[3];
};

static const struct reference references[] = {
    {"0.30", 0.30, 5.784, 1.245, 2.905, 3, 4, {0.276, 0.036, 0.001}},
    {"0.50", 0.50, 6.643, 1.806, 1.806, 3, 3, {0.332, 0.068, 0.006}},
    {"0.70", 0.70, 5.784, 2.905, 1.245, 4, 3, {0.391, 0.117, 0.019}},
    {"0.80", 0.80, 4.650, 4.129, 1.032, 4, 2, {0.428, 0.157, 0.036}},
    {"0.90", 0.90, 2.905, 7.435, 0.826, 6, 2, {0.480, 0.223, 0.075}},
    {"0.95", 0.95, 1.701, 13.40, 0.705, 8, 2, {0.523, 0.285, 0.125}},
    {"0.99", 0.99, 0.4354, 54.57, 0.551, 16, 2, {0.600, 0.414, 0.265}},
};
enum { REFERENCES = sizeof references / sizeof references[0] };

/* Of one world, in the order of the columns. */
enum measure { LOSSES, MEAN_UP, MEAN_DOWN, S_1, S_6, S_24, MEASURES };

/* Runs of the pool; the first is cut by the start, the last by the end. */
static void walk(struct market *m, int pool, double out[MEASURES], double count[2][LONGEST])
{
    static const size_t marks[3] = {6, 36, 144};
    const double end_s = DAYS * 86400.0;
    double number[2] = {0}, total[2] = {0}, longer[3] = {0}, losses = 0;
    double at_s = market_next_change(m, pool, 0, 1);
    for (;;) {
        double until_s = market_next_change(m, pool, at_s, 1);
        if (!(until_s <= end_s)) {
            break;
        }
        bool up = market_capacity(m, pool, at_s, 1) == 1;
        size_t ticks = (size_t)llround((until_s - at_s) / TICK_S);
        number[up]++;
        total[up] += (double)ticks;
        losses += up;
        count[up][ticks < LONGEST ? ticks : LONGEST - 1]++;
        for (int k = 0; up && k < 3; k++) {
            longer[k] += ticks > marks[k];
        }
        at_s = until_s;
    }
    out[LOSSES] = losses / DAYS;
    out[MEAN_UP] = total[1] / number[1] / 6;
    out[MEAN_DOWN] = total[0] / number[0] / 6;
    for (int k = 0; k < 3; k++) {
        out[S_1 + k] = longer[k] / number[1];
    }
}

/* Half of the runs are at most so long, less than half are shorter; both within 1 % of all. */
static void assert_median(const double *count, int median)
{
    double total = 0, shorter = 0;
    for (int i = 0; i < LONGEST; i++) {
        total += count[i];
        shorter += i < median ? count[i] : 0;
    }
    assert_true(shorter / total < 0.51);
    assert_true((shorter + count[median]) / total > 0.49);
}

static void runs_come_out(void **state)
{
    const struct reference *r = *state;
    static double count[2][LONGEST];
    const double want[MEASURES] = {r->losses_per_day, r->mean_up_h,   r->mean_down_h,
                                   r->survives[0],    r->survives[1], r->survives[2]};
    static const char *const names[MEASURES] = {"losses a day", "mean up, h", "mean down, h",
                                                "S(1 h)",       "S(6 h)",     "S(24 h)"};
    double sum[MEASURES] = {0}, squares[MEASURES] = {0};
    char text[1000];
    snprintf(text, sizeof text,
             "version: 1\nstart: 2026-01-01\nhorizon: %dd\nregion: us-east-1\nreplications: %d\n"
             "market: {spot: {p3.2xlarge: {price: 1 USD/h, availability: %.17g, season: none}}}\n"
             "workloads: {job: {kind: training, hours: 48h}}\n"
             "strategies: {spot: {instance: p3.2xlarge, nodes: 1, buy: spot}}\n",
             (int)DAYS, (int)WORLDS, r->availability);
    struct study *s = study_from_text(text, NULL);
    struct simulation *sim = simulation_new(s);
    const int pool = s->strategies[0].plans[0]->pools[0].pool;
    memset(count, 0, sizeof count);
    for (uint32_t world = 0; world < WORLDS; world++) {
        double got[MEASURES];
        assert_true(simulation_begin_world(sim, world));
        walk(simulation_market(sim), pool, got, count);
        for (int k = 0; k < MEASURES; k++) {
            sum[k] += got[k];
            squares[k] += got[k] * got[k];
        }
    }
    for (int k = 0; k < MEASURES; k++) {
        double mean = sum[k] / WORLDS;
        double error = sqrt(fmax(0, squares[k] / WORLDS - mean * mean) / (WORLDS - 1));
        double rounding = k >= S_1 ? 0.0005 : 0.0005 * want[k]; /* as printed */
        assert_near(mean, want[k], 4 * error + 0.002 * want[k] + rounding, names[k]);
        assert_true(error < 0.06 * want[k] + rounding); /* or nothing would be tested */
    }
    assert_median(count[1], r->median_up);
    assert_median(count[0], r->median_down);
    simulation_free(sim);
    study_free(s);
}

int main(void)
{
    gsl_errors_install();
    struct CMUnitTest tests[REFERENCES];
    for (size_t i = 0; i < REFERENCES; i++) {
        tests[i] = (struct CMUnitTest){references[i].name, runs_come_out, NULL, NULL,
                                       (void *)(uintptr_t)&references[i]};
    }
    return _cmocka_run_group_tests("availability worlds", tests, REFERENCES, NULL, NULL);
}
