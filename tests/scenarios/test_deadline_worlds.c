/* SPDX-License-Identifier: GPL-3.0-or-later
 * Policies with a deadline in continuous time, from scenario files: what the greedy one costs on
 * the hidden process, and what all of them owe their users. */
#include "engine/gsl_errors.h"
#include "engine/statistics.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define Z 4.0 /* standard errors */

/* 48 h of work, 0.2 h at every start, nothing else lost, 70 h to the deadline, spot at 0.3 of
 * on-demand; cost in on-demand hours. Computed on ticks of ten minutes, with decisions at ticks
 * only (docs/models.md, "Market"); in continuous time decisions come when they are due, which
 * moves the mean by less than the 2 % allowed. */
struct deadline_case {
    const char *name;
    double availability, mean, p90;
};

static const struct deadline_case deadlines[] = {
    {"0.30", 0.30, 41.6, 48.2}, {"0.50", 0.50, 33.9, 47.65},  {"0.70", 0.70, 24.8, 44.0},
    {"0.80", 0.80, 20.3, 38.2}, {"0.95", 0.95, 15.15, 15.15}, {"0.99", 0.99, 14.54, 14.64},
};

static void greedy_costs_what_was_computed(void **state)
{
    const struct deadline_case *c = *state;
    const uint32_t n = DRAWS_OF(10000);
    char text[2048];
    snprintf(text, sizeof text,
             "version: 1\nstart: 2026-01-01\nhorizon: 90h\nregion: us-east-1\nreplications: %u\n"
             "market: {spot: {p3.2xlarge: {price: 0.3 USD/h, availability: %.17g, season: none,\n"
             "  notice: 0s, first_hour_free: no}},\n"
             "  on-demand: {p3.2xlarge: {price: 1 USD/h}}}\n"
             "workloads: {job: {kind: training, hours: 48h, boot: 12min, checkpoint: continuous,\n"
             "  deadline: 70h}}\n"
             "strategies: {greedy: {instance: p3.2xlarge, nodes: 1, buy: spot,\n"
             "  policy: {name: greedy, margin: 0s}}}\n",
             n, c->availability);
    struct study *study = study_from_text(text, NULL);
    struct run run;
    study_run(&run, study, 2);
    struct mean cost = run_mean(&run, 0, METRIC_COST);
    assert_near(cost.mean, c->mean, Z * cost.error + 0.02 * c->mean, "mean cost");
    double *values = malloc(n * sizeof *values);
    unsigned char *censored = malloc(n);
    assert_int_equal(results_column(&run.results, 0, 1, METRIC_COST, values, censored), 0);
    struct sample *s = sample_new(values, censored, n);
    struct quantile p90 = sample_quantile(s, 0.9, 0.9999);
    assert_true(p90.low - 0.03 * c->p90 <= c->p90 && c->p90 <= p90.high + 0.03 * c->p90);
    assert_near(run_mean(&run, 0, METRIC_LATE).mean, 0, 0, "late");
    sample_free(s);
    free(values);
    free(censored);
    run_release(&run);
    study_free(study);
}

/* Boots, restores and writes as they are planned: no policy but last-moment may ever be late. */
static const char plan[] =
    "version: 1\nstart: 2026-01-01\nhorizon: 10d\nregion: us-west-2\nreplications: 1500\n"
    "market: {spot: {p3.2xlarge: {price: 0.9 USD/h, availability: 0.3..0.9}}}\n"
    "workloads: {job: {kind: training, hours: 48h, boot: 4min,\n"
    "  checkpoint: {every: 15min, write: 20s, restore: 5min}, deadline: 66h}}\n"
    "strategies:\n"
    "  on-demand: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"
    "  greedy: {instance: p3.2xlarge, nodes: 1, buy: spot, policy: greedy}\n"
    "  line: {instance: p3.2xlarge, nodes: 1, buy: spot, policy: uniform-progress}\n"
    "  loose line:\n"
    "    {instance: p3.2xlarge, nodes: 1, buy: spot,\n"
    "     policy: {name: uniform-progress, hysteresis: no}}\n"
    "  sliced: {instance: p3.2xlarge, nodes: 1, buy: spot, policy: {name: time-sliced, slice: "
    "6h}}\n"
    "  last moment: {instance: p3.2xlarge, nodes: 1, buy: spot, policy: last-moment}\n";

static void who_has_a_net_is_in_time(void **state)
{
    (void)state;
    struct study *study = study_from_text(plan, NULL);
    struct run run;
    study_run(&run, study, 2);
    double on_demand = run_mean(&run, 0, METRIC_COST).mean;
    for (size_t k = 0; k < study->strategy_count; k++) {
        struct mean late = run_mean(&run, k, METRIC_LATE);
        struct mean cost = run_mean(&run, k, METRIC_COST);
        if (strcmp(study_strategy_name(study, k), "last moment") == 0) {
            assert_true(late.mean > 0.2);
        } else {
            assert_near(late.mean, 0, 0, study_strategy_name(study, k));
        }
        if (k > 0) {
            assert_true(cost.mean < on_demand);
        }
    }
    run_release(&run);
    study_free(study);
}

static void a_policy_for_deadlines_wants_one(void **state)
{
    (void)state;
    int code;
    char *said = study_errors(
        "version: 1\nstart: 2026-01-01\nhorizon: 10d\nregion: us-west-2\n"
        "workloads: {job: {kind: training, hours: 48h, checkpoint: continuous}}\n"
        "strategies: {s: {instance: p3.2xlarge, nodes: 1, buy: spot, policy: greedy}}\n",
        &code);
    assert_int_equal(code, 2);
    assert_non_null(strstr(said, "policy 'greedy' of strategy 's' works towards a deadline, but "
                                 "workload 'job' has none"));
    free(said);
}

int main(void)
{
    gsl_errors_install();
    struct CMUnitTest tests[16] = {{0}};
    static char names[16][64];
    size_t n = 0;
    for (size_t i = 0; i < sizeof deadlines / sizeof deadlines[0]; i++) {
        snprintf(names[n], sizeof names[n], "greedy, availability %s", deadlines[i].name);
        tests[n] = (struct CMUnitTest){names[n], greedy_costs_what_was_computed, NULL, NULL,
                                       (void *)(uintptr_t)&deadlines[i]};
        n++;
    }
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(who_has_a_net_is_in_time);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_policy_for_deadlines_wants_one);
    return _cmocka_run_group_tests("deadline_worlds", tests, n, NULL, NULL);
}
