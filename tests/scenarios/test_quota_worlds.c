/* SPDX-License-Identifier: GPL-3.0-or-later
 * On-demand capacity that is not there: what falls back on it ends unfinished, and does not look
 * cheap for that. */
#include "engine/gsl_errors.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Spot is there for an hour in five at the most, in which 48 h cannot be done in time; on demand a
 * service has 8 of the nodes (8 vCPUs each) that the account may have. */
static struct study *job_beside_a_service(int vcpus, const char *policy)
{
    char text[2000];
    snprintf(text, sizeof text,
             "version: 1\nstart: 2026-03-02\nhorizon: 5d\nregion: us-east-1\nreplications: 40\n"
             "market:\n"
             "  spot: {p3.2xlarge: {price: 1 USD/h, mean_up: 1h, mean_down: 9h}}\n"
             "  quotas: {families: p3, vcpus: %d}\n"
             "workloads:\n"
             "  service: {kind: usage, nodes: 8}\n"
             "  job: {kind: training, hours: 48h, boot: 3min, deadline: 4d,\n"
             "    checkpoint: {every: 30min, write: 30s, restore: 2min}}\n"
             "strategies:\n"
             "  mixed: {instance: p3.2xlarge, nodes: 4, buy: on-demand,\n"
             "    workloads: {job: {policy: %s}}}\n",
             vcpus, policy);
    return study_from_text(text, NULL);
}

static double shares(const struct run *run, enum metric m)
{
    return run_mean(run, 0, m).mean;
}

static void a_fallback_without_on_demand_ends_unfinished(void **state)
{
    static const char *const policies[] = {"fallback", "greedy", "uniform-progress", "time-sliced"};
    (void)state;
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        struct run run;
        struct study *there = job_beside_a_service(96, policies[i]);
        study_run(&run, there, 2);
        assert_near(shares(&run, METRIC_FINISHED), 1, 0, policies[i]);
        double cost = shares(&run, METRIC_COST);
        run_release(&run);
        study_free(there);
        struct study *full = job_beside_a_service(88, policies[i]); /* 3 nodes are left, not 4 */
        study_run(&run, full, 2);
        assert_near(shares(&run, METRIC_FINISHED), 0, 0, policies[i]);
        /* What it cost so far is less, and said to be no more than a bound. */
        double *values = malloc(40 * sizeof *values);
        unsigned char *censored = malloc(40);
        assert_int_equal(results_column(&run.results, 0, 2, METRIC_COST, values, censored), 40);
        assert_true(shares(&run, METRIC_COST) < cost);
        free(values);
        free(censored);
        run_release(&run);
        study_free(full);
    }
}

/* A gang that no quota could ever grant is no plan. */
static void a_gang_beyond_the_quota_is_refused(void **state)
{
    (void)state;
    int exit_code;
    char *text = study_errors(
        "version: 1\nstart: 2026-03-02\nhorizon: 5d\nregion: us-east-1\nreplications: 4\n"
        "market: {quotas: {families: p4d, vcpus: 384}}\n"
        "workloads: {job: {kind: training, hours: 48h}}\n"
        "strategies: {s: {instance: p4d.24xlarge, nodes: 5, buy: on-demand}}\n",
        &exit_code);
    assert_int_equal(exit_code, 4);
    assert_non_null(strstr(text, "wants 5 nodes for 'job', but the market has at most 4 nodes of "
                                 "'p4d.24xlarge' on-demand: the account's quota in "
                                 "'market.quotas' allows no more"));
    free(text);
}

/* Each fits alone, together they do not. */
static void workloads_that_share_a_quota_are_told(void **state)
{
    static const char head[] =
        "version: 1\nstart: 2026-03-02\nhorizon: 5d\nregion: us-east-1\n"
        "replications: 4\n"
        "workloads: {a: {kind: training, hours: 4h},\n"
        "  b: {kind: training, hours: 4h}}\n"
        "strategies: {s: {instance: p4d.24xlarge, nodes: 3, buy: on-demand}}\n"
        "market: {quotas: {families: p4d, vcpus: %d}}\n";
    (void)state;
    for (int vcpus = 480; vcpus <= 576; vcpus += 96) {
        char text[1000], said[1000] = "";
        snprintf(text, sizeof text, head, vcpus);
        struct diagnostics *d = diagnostics_new();
        struct study *s = study_from_text_telling(text, d);
        for (size_t i = 0; i < diagnostics_count(d, DIAGNOSTIC_WARNING); i++) {
            struct place where;
            snprintf(said + strlen(said), sizeof said - strlen(said), "%s\n",
                     diagnostics_text(d, i, NULL, &where));
        }
        const char *told = strstr(said, "2 workloads of strategy 's' may want 576 in all of the "
                                        "quota of 480 vCPUs on demand of p4d");
        assert_true((told != NULL) == (vcpus == 480));
        assert_true(told != NULL || strstr(said, "quota") == NULL);
        study_free(s);
        diagnostics_free(d);
    }
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fallback_without_on_demand_ends_unfinished),
        cmocka_unit_test(workloads_that_share_a_quota_are_told),
        cmocka_unit_test(a_gang_beyond_the_quota_is_refused),
    };
    return cmocka_run_group_tests_name("quota worlds", tests, NULL, NULL);
}
