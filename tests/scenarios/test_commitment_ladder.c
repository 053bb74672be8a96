/* SPDX-License-Identifier: GPL-3.0-or-later
 * Ladders: one commitment bought several times, from scenario files to the bill. */
#include "engine/civil_time.h"
#include "engine/gsl_errors.h"
#include "models/commitments/commitment_keys.h"
#include "models/commitments/ladder.h"
#include "scenarios/study/simulation.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD          "version: 1\nstart: 2025-12-01\nregion: us-east-1\nreplications: 1\n"
#define P4D_ON_DEMAND 21.957642 /* us-east-1, since 2025-06-05 */
#define P4D_1Y_NO     13.921094 /* 1-year standard no-upfront, ec2instances.info 2025-11-30 */
#define P4D_1Y_ALL    12.993037 /* all upfront, effective an hour, same source */

static double value(const struct run *run, size_t strategy, enum metric m)
{
    return run_value(run, strategy, 0, m);
}

/* A month that lacks the day takes its last one, and the purchases after it are not moved. */
static void purchases_follow_the_calendar(void **state)
{
    (void)state;
    struct commitment_spec s = {.every.months = 1, .times = 5};
    const int64_t start = 1769817600; /* 2026-01-31 */
    static const char *const days[] = {"2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30",
                                       "2026-05-31"};
    for (int64_t n = 0; n < 5; n++) {
        char date[24];
        assert_string_equal(civil_date_text(start + (int64_t)ladder_at_s(&s, start, n), date),
                            days[n]);
    }
    s.at = (struct quantity){.months = 1, .value = 86400};
    s.every = (struct quantity){.value = 7 * 86400.0};
    assert_near(ladder_at_s(&s, start, 0), 29 * 86400.0, 0, "28 February and a day");
    assert_near(ladder_at_s(&s, start, 3), (29 + 21) * 86400.0, 0, "three weeks on");
    assert_int_equal(ladder_rungs((struct commitment_spec[]){{.times = 3}, {.times = 1}}, 2), 4);
}

#define JOB                                                                                        \
    "horizon: 500d\n"                                                                              \
    "workloads: {job: {kind: training, hours: 7200h, boot: 0s, checkpoint: continuous}}\n"
#define RESERVED "kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y"

/* Three nodes for 300 days; one reserved on day 0, 90 (1 March) and 182 (1 June) each, whose terms
 * end on day 365, 455 and 547. */
static void three_purchases_cover_in_steps(void **state)
{
    (void)state;
    struct run run;
    struct study *s =
        study_from_text(HEAD JOB "strategies:\n"
                                 "  ladder: {instance: p4d.24xlarge, nodes: 3, buy: on-demand,\n"
                                 "    commitments: {" RESERVED ", every: 3mo, times: 3}}\n"
                                 "  upfront: {instance: p4d.24xlarge, nodes: 3, buy: on-demand,\n"
                                 "    commitments: {" RESERVED
                                 ", payment: all-upfront, every: 3mo, times: 3, reuse: 50 %}}\n",
                        NULL);
    study_run(&run, s, 1);
    const double covered_h = 24 * (90 + 2 * (182 - 90) + 3 * (300 - 182));
    const double unused_h = 24 * ((365 - 300) + (455 - 300) + (500 - 300)), later_h = 24 * 47;
    const double on_demand = (3 * 7200 - covered_h) * P4D_ON_DEMAND;
    assert_near(value(&run, 0, METRIC_COVERED), covered_h * P4D_ON_DEMAND, 0.01, "covered");
    assert_near(value(&run, 0, METRIC_ON_DEMAND_COST), on_demand, 0.01, "the rest on demand");
    assert_near(value(&run, 0, METRIC_COMMITMENT_USED), covered_h * P4D_1Y_NO, 0.01, "used");
    assert_near(value(&run, 0, METRIC_COMMITMENT_UNUSED), unused_h * P4D_1Y_NO, 0.01, "unused");
    assert_near(value(&run, 0, METRIC_COMMITMENT_LATER), later_h * P4D_1Y_NO, 0.01, "later");
    assert_near(value(&run, 0, METRIC_OBLIGATION), 3 * 8760 * P4D_1Y_NO, 0.01, "signed thrice");
    assert_near(value(&run, 0, METRIC_CASH), on_demand + 24 * (365 + 365 + 500 - 182) * P4D_1Y_NO,
                0.01, "paid inside");
    /* All upfront: three times in full inside the horizon; half of what is later is reused. */
    assert_near(value(&run, 1, METRIC_CASH), on_demand + 3 * 8760 * P4D_1Y_ALL, 0.1, "upfront");
    assert_near(value(&run, 1, METRIC_COST), on_demand + (3 * 8760 - later_h / 2) * P4D_1Y_ALL, 0.1,
                "cost");
    run_release(&run);
    study_free(s);
}

/* A ladder is the same commitments written one by one, to the nano-unit; so is one bought once. */
static void a_ladder_is_its_purchases(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        "version: 1\nstart: 2026-01-31T10:17Z\nregion: us-east-1\nreplications: 30\nhorizon: 200d\n"
        "workloads: {job: {kind: training, hours: 800..3000h, boot: 2min..9min,\n"
        "  checkpoint: {every: 1h, write: 1min}}}\n"
        "strategies:\n"
        "  ladder: {instance: p4d.24xlarge, nodes: 3, buy: on-demand, commitments: [\n"
        "    {" RESERVED ", at: 1d, every: 1mo, times: 3},\n"
        "    {kind: compute-savings-plan, hourly: 9 USD/h, term: 3y, payment: partial-upfront,\n"
        "     rates: {p4d.24xlarge: 12 USD/h}, every: 40d, times: 2, reuse: 30 %}]}\n"
        "  single: {instance: p4d.24xlarge, nodes: 3, buy: on-demand, commitments: [\n"
        "    {" RESERVED ", at: 1d, times: 1}, {" RESERVED ", at: 29d}, {" RESERVED ", at: 60d},\n"
        "    {kind: compute-savings-plan, hourly: 9 USD/h, term: 3y, payment: partial-upfront,\n"
        "     rates: {p4d.24xlarge: 12 USD/h}, reuse: 30 %},\n"
        "    {kind: compute-savings-plan, hourly: 9 USD/h, term: 3y, payment: partial-upfront,\n"
        "     rates: {p4d.24xlarge: 12 USD/h}, at: 40d, reuse: 30 %}]}\n",
        NULL);
    struct run run;
    study_run(&run, s, 2);
    for (uint32_t i = 0; i < 30; i++) {
        const struct metric_cells *a = results_cells(&run.results, i, 0, 1);
        const struct metric_cells *b = results_cells(&run.results, i, 1, 1);
        for (int m = 0; m < METRIC_COUNT; m++) {
            double x = metric_number(a, (enum metric)m), y = metric_number(b, (enum metric)m);
            assert_true(isnan(x) == isnan(y)); /* what does not exist: no deadline is stated */
            assert_near(isnan(x) ? 0 : x, isnan(y) ? 0 : y, 0, metric_table[m].name);
        }
        assert_true(a->value[METRIC_COVERED].money > 0);
        assert_true(a->value[METRIC_COMMITMENT_UNUSED].money > 0);
    }
    run_release(&run);
    study_free(s);
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *says;
    } cases[] = {
        {"times: 3", "3 purchases, but no 'every'"},
        {"every: 3mo", "'every' without 'times'"},
        {"every: 3mo, times: 1", "'every' without 'times'"},
        {"every: 5mo, times: 5", "purchase 5 of 5 would be made on 2027-08-01, after the horizon"},
        {"every: 0s, times: 3", "'every'"},
        {"every: 3mo, times: 1000", "'times'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        int code = 0;
        snprintf(text, sizeof text,
                 HEAD JOB "strategies:\n  a: {instance: p4d.24xlarge, nodes: 1, buy: on-demand,\n"
                          "    commitments: {" RESERVED ", %s}}\n",
                 cases[i].keys);
        char *what = study_errors(text, &code);
        if (code != 2 || strstr(what, cases[i].says) == NULL) {
            fail_msg("%s: exit %d, %s", cases[i].keys, code, what);
        }
        free(what);
    }
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(purchases_follow_the_calendar),
        cmocka_unit_test(three_purchases_cover_in_steps),
        cmocka_unit_test(a_ladder_is_its_purchases),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("commitment ladder", tests, NULL, NULL);
}
