/* SPDX-License-Identifier: GPL-3.0-or-later
 * Failures of hardware from the scenario to the results: exact means of checkpoint and restart,
 * books that close, spares, published runs. */
#include "engine/gsl_errors.h"
#include "engine/statistics.h"
#include "models/training/training_work.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define Z 4.0 /* standard errors */

#define HEAD "version: 1\nstart: 2026-01-01\nregion: us-east-1\n"

/* ---- closed forms ---- */

/* Failures strike work, checkpoint and restore; what goes on from the failure to the new node is
 * free of them, since what fails meanwhile is replaced with it: E[T_segment] =
 * exp(r R)(1/r + D)(exp(r (tau + C)) - 1), Daly, FGCS 22 (2006), with D after Bougeret et al.,
 * SC11. Values: mpmath at 40 digits, confirmed by independent Monte Carlo. */
struct daly_case {
    const char *name;
    double mean_between_h, every_h, write_h, restore_h, down_h;
    int segments, nodes;
    double mean_h;
};

static const struct daly_case daly_cases[] = {
    {"one node", 24, 2, 0.1, 0.25, 0, 24, 1, 53.22226542},
    {"four nodes that stand still", 3, 0.5, 0.05, 0.1, 0.1, 48, 4, 30.95559951},
    {"three nodes, long down times", 100, 4, 0.2, 0.5, 1, 50, 3, 217.7029155},
};

static void as_daly_has_it(void **state)
{
    const struct daly_case *c = *state;
    char text[2048];
    snprintf(text, sizeof text,
             HEAD "horizon: 300d\nreplications: 3000\n"
                  "workloads:\n  job:\n    kind: training\n    hours: %.17gh\n    boot: 0s\n"
                  "    failures: {mtbf: %.17gh, young: 1, detect: %.17gs}\n"
                  "    response: {auto: %.17gs, p_human: 0}\n"
                  "    checkpoint: {every: %.17gs, write: %.17gs, restore: %.17gs,\n"
                  "                 restore_from_scratch: yes}\n"
                  "strategies:\n  plain: {instance: p3.2xlarge, nodes: %d, buy: on-demand}\n",
             c->segments * c->every_h, c->mean_between_h * c->nodes, c->down_h * 3600 / 4,
             c->down_h * 3600 * 3 / 4, c->every_h * 3600, c->write_h * 3600, c->restore_h * 3600,
             c->nodes);
    struct study *s = study_from_text(text, NULL);
    struct run run;
    study_run(&run, s, 2);
    struct mean t = run_mean(&run, 0, METRIC_TIME_TO_TRAIN);
    assert_near(t.mean, c->mean_h, Z * t.error, "mean time");
    assert_near(run_mean(&run, 0, METRIC_INTERRUPTIONS).mean, 0, 0, "no failure is one");
    /* Failures go on while the others stand still. */
    struct mean failures = run_mean(&run, 0, METRIC_FAILURES);
    assert_near(failures.mean, t.mean / c->mean_between_h,
                0.03 * failures.mean + Z * failures.error, "failures");
    run_release(&run);
    study_free(s);
}

/* ---- the books ---- */

#define BOOKS                                                                                      \
    HEAD "horizon: 60d\nreplications: 200\n"                                                       \
         "workloads:\n  job:\n    kind: training\n    hours: 100h\n    boot: 10min\n"              \
         "    dataset: {size: 360 GB, read: never}\n    staging: 100 MB/s\n"                       \
         "    restart_time: {fixed: 1min, per_node: 2s, per_doubling: 10s}\n"                      \
         "    evaluation: {every: 10h, takes: 30min}\n    rework: 1.25\n"                          \
         "    failures: {mtbf: 50h, young: 1, detect: 5min}\n"                                     \
         "    response: {auto: 25min, human: 8h, p_human: 0}\n"                                    \
         "    checkpoint: {every: 1h, write: 3min, restore: 2min}\n"                               \
         "strategies:\n  plain: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"

/* One node, held all the time: its activities are the time of the whole, and each is what was
 * stated times how often it came. */
static void all_time_is_accounted_for(void **state)
{
    (void)state;
    struct study *s = study_from_text(BOOKS, NULL);
    struct run run;
    double some = 0;
    study_run(&run, s, 2);
    for (uint32_t i = 0; i < run.results.replications; i++) {
        const struct metric_cells *c = results_cells(&run.results, i, 0, 0);
        double failures = metric_number(c, METRIC_FAILURES), lives = failures + 1;
        double restarts = metric_number(c, METRIC_RESTARTS);
        some += failures;
        assert_near(metric_number(c, METRIC_USEFUL), 100, 1e-6, "useful");
        assert_near(metric_number(c, METRIC_EVALUATION), 6, 1e-6, "12 evaluations in 125 h");
        assert_near(metric_number(c, METRIC_LAUNCHES), lives, 0, "launches");
        assert_true(metric_number(c, METRIC_BOOT) <= lives / 6 + 1e-6);
        assert_true(metric_number(c, METRIC_STAGING) <= lives + 1e-6);
        assert_true(metric_number(c, METRIC_DOWN) <= failures / 2 + 1e-6);
        assert_true(metric_number(c, METRIC_RESTORE) <=
                    (lives * 62 + restarts * 120) / 3600 + 1e-6);
        assert_true(metric_number(c, METRIC_LOST) >= 25 - 1e-6);
        double sum = 0;
        static const enum metric parts[] = {METRIC_USEFUL,     METRIC_CHECKPOINT, METRIC_RESTORE,
                                            METRIC_BOOT,       METRIC_LOST,       METRIC_WAITING,
                                            METRIC_EVALUATION, METRIC_STAGING,    METRIC_DOWN};
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
            sum += metric_number(c, parts[k]);
        }
        double time_h = metric_number(c, METRIC_TIME_TO_TRAIN);
        assert_near(sum, time_h, 1e-6, "adds up");
        assert_near(metric_number(c, METRIC_NODE_HOURS), time_h, 1e-6, "one node, always held");
        assert_near(metric_number(c, METRIC_EFFECTIVE_TIME), 100 / time_h, 1e-9, "effective");
        assert_near(metric_number(c, METRIC_GOODPUT), 100 / time_h, 1e-6, "goodput");
    }
    assert_true(some > 400);
    run_release(&run);
    study_free(s);
}

static void without_failures_by_hand(void **state)
{
    (void)state;
    static const char *const sets[] = {"workloads.job.failures=none", "replications=1", NULL};
    struct study *s = study_from_text(BOOKS, sets);
    struct run run;
    study_run(&run, s, 1);
    /* 125 h of work with 12 evaluations: 131 h, a checkpoint each hour of work, 125 in all. */
    assert_near(run_mean(&run, 0, METRIC_TIME_TO_TRAIN).mean,
                1.0 / 6 + 1 + 62.0 / 3600 + 131 + 125 * 0.05, 1e-6, "time");
    assert_true(isnan(metric_number(results_cells(&run.results, 0, 0, 0), METRIC_FAILURES)));
    assert_near(run_mean(&run, 0, METRIC_STAGING).mean, 1, 1e-9, "360 GB at 100 MB/s");
    assert_near(run_mean(&run, 0, METRIC_LOST).mean, 25, 1e-6, "rework");
    assert_null(s->failures_left_out);
    run_release(&run);
    study_free(s);
}

/* Every failure needs somebody, or none does. */
static void people_come_as_often_as_stated(void **state)
{
    (void)state;
    static const char *const all[] = {"workloads.job.response.p_human=1", NULL};
    static const char *const half[] = {"workloads.job.response.p_human=50 %", NULL};
    double down_h[2], failures[2];
    for (int i = 0; i < 2; i++) {
        struct study *s = study_from_text(BOOKS, i == 0 ? all : half);
        struct run run;
        study_run(&run, s, 2);
        struct mean down = run_mean(&run, 0, METRIC_DOWN);
        down_h[i] = down.mean;
        failures[i] = run_mean(&run, 0, METRIC_FAILURES).mean;
        run_release(&run);
        study_free(s);
    }
    /* Those of a node that fails while it boots or stages wait for it. */
    assert_relative(down_h[0] / failures[0], 8 + 1.0 / 12, 0.04, "all");
    assert_relative(down_h[1] / failures[1], 0.5 * (8 + 25.0 / 60) + 1.0 / 12, 0.15, "half");
}

/* ---- spares, gangs, strategies ---- */

#define GANGS                                                                                      \
    HEAD "horizon: 60d\nreplications: 150\n"                                                       \
         "workloads:\n  job:\n    kind: training\n    hours: 200h\n    boot: 10min\n"              \
         "    failures: {mtbf: 800h, young: 1, detect: 5min}\n"                                    \
         "    response: {auto: 55min, p_human: 0}\n"                                               \
         "    checkpoint: {every: 1h, write: 1min, restore: 2min}\n"                               \
         "strategies:\n"                                                                           \
         "  plain: {instance: p3.2xlarge, nodes: 16, buy: on-demand}\n"                            \
         "  spare: {instance: p3.2xlarge, nodes: 16, spares: 2, buy: on-demand}\n"                 \
         "  many:  {instance: p3.2xlarge, nodes: 16, spares: 6, buy: on-demand}\n"

static void spares_stand_in_at_once(void **state)
{
    (void)state;
    struct study *s = study_from_text(GANGS, NULL);
    struct run run;
    study_run(&run, s, 2);
    double gang_losses = 0, down_h = 0;
    for (uint32_t i = 0; i < run.results.replications; i++) {
        const struct metric_cells *plain = results_cells(&run.results, i, 0, 0);
        const struct metric_cells *spare = results_cells(&run.results, i, 1, 0);
        const struct metric_cells *many = results_cells(&run.results, i, 2, 0);
        double time_h = metric_number(many, METRIC_TIME_TO_TRAIN);
        assert_near(metric_number(many, METRIC_NODE_HOURS), 22 * time_h, 22 * time_h * 1e-6,
                    "all are paid all the time");
        assert_near(metric_number(many, METRIC_USEFUL), 16 * 200, 1e-3, "spares do no work");
        /* With so many, all that is lost of a failure is its detection, for 16 nodes. */
        gang_losses += metric_number(many, METRIC_LOSSES);
        down_h += metric_number(many, METRIC_DOWN);
        assert_true(metric_number(plain, METRIC_DOWN) >= metric_number(many, METRIC_DOWN));
        assert_near(metric_number(spare, METRIC_INTERRUPTIONS), 0, 0, "none");
    }
    assert_relative(down_h, gang_losses * 16 * 5 / 60, 0.02, "5 min each");
    struct mean slow = run_mean(&run, 0, METRIC_TIME_TO_TRAIN);
    struct mean fast = run_mean(&run, 1, METRIC_TIME_TO_TRAIN);
    assert_true(fast.mean + 3 < slow.mean); /* some 4 failures, an hour each less */
    run_release(&run);
    study_free(s);
}

/* The gang launches all anew: as many launches as nodes, for each failure that was acted upon. */
static void a_gang_can_be_launched_anew(void **state)
{
    (void)state;
    static const char *const sets[] = {"workloads.job.failures.restart=gang", "replications=40",
                                       NULL};
    struct study *s = study_from_text(GANGS, sets);
    struct run run;
    study_run(&run, s, 2);
    double losses = 0;
    for (uint32_t i = 0; i < run.results.replications; i++) {
        const struct metric_cells *c = results_cells(&run.results, i, 0, 0);
        losses += metric_number(c, METRIC_LOSSES);
        assert_near(metric_number(c, METRIC_LAUNCHES), 16 * (1 + metric_number(c, METRIC_LOSSES)),
                    0, "launches");
    }
    assert_true(losses > 100);
    run_release(&run);
    study_free(s);
}

/* A strategy beside it, with spares or without, changes no failure of this one. */
static void luck_is_by_launch(void **state)
{
    (void)state;
    static const char *const alone[] = {"strategies.spare.spares=0", "replications=40", NULL};
    struct study *s = study_from_text(GANGS, alone);
    struct run run;
    study_run(&run, s, 2);
    for (uint32_t i = 0; i < run.results.replications; i++) {
        const struct metric_cells *a = results_cells(&run.results, i, 0, 0);
        const struct metric_cells *b = results_cells(&run.results, i, 1, 0);
        assert_near(metric_number(a, METRIC_TIME_TO_TRAIN), metric_number(b, METRIC_TIME_TO_TRAIN),
                    0, "same luck");
    }
    run_release(&run);
    study_free(s);
}

/* On spot both happen, and are counted apart; losses count both. */
static void failures_and_interruptions_are_apart(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "horizon: 90d\nreplications: 100\n"
             "market: {spot: {p3.2xlarge: {price: 1 USD/h, capacity: constant,\n"
             "  interruptions: 200h, notice: 0s}}}\n"
             "workloads:\n  job: {kind: training, hours: 300h, boot: 0s, checkpoint: continuous,\n"
             "    failures: {mtbf: 100h, young: 1, detect: 0s}, response: {auto: 0s, p_human: 0}}\n"
             "strategies:\n  spot: {instance: p3.2xlarge, nodes: 1, buy: spot}\n";
    struct study *s = study_from_text(text, NULL);
    struct run run;
    study_run(&run, s, 2);
    struct mean failures = run_mean(&run, 0, METRIC_FAILURES);
    struct mean interruptions = run_mean(&run, 0, METRIC_INTERRUPTIONS);
    assert_near(failures.mean, 3, Z * failures.error, "300 h at 100 h");
    assert_near(interruptions.mean, 1.5, Z * interruptions.error, "300 h at 200 h");
    struct mean losses = run_mean(&run, 0, METRIC_LOSSES);
    assert_near(losses.mean, failures.mean + interruptions.mean, 1e-9, "both");
    run_release(&run);
    study_free(s);
}

/* ---- planning ---- */

static const struct training_plan *plan_of(const struct study *s, size_t strategy)
{
    return training_plan_of(s->strategies[strategy].plans[0]);
}

static void intervals_count_failures(void **state)
{
    (void)state;
    static const char *const sets[] = {"workloads.job.checkpoint.every=auto", NULL};
    struct study *s = study_from_text(GANGS, sets);
    /* 16 nodes at 800 h: M = 50 h, C = 1 min; tau = M (1 + W0(-exp(-1 - C/M))). */
    assert_relative(training_planned_failure_rate_per_s(plan_of(s, 0)), 1 / (50 * 3600.0), 1e-12,
                    "rate");
    assert_relative(plan_of(s, 0)->every_s[PURCHASE_ON_DEMAND], 4607.667, 1e-6, "interval");
    study_free(s);
}

/* "Hardware failures" without a word: how many are to be expected, and that none are modelled. */
static void what_is_left_out_is_told(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "horizon: 200d\nworkloads:\n  job: {kind: training, hours: 54d}\n"
             "strategies:\n  big: {instance: p5.48xlarge, nodes: 2048, buy: on-demand}\n";
    struct study *s = study_from_text(text, NULL);
    /* 419, and 1.7 times as many in one of the 54 days. */
    assert_relative(s->strategies[0].plans[0]->left_out_failures, 419 * (54 + 1.7) / 54, 2e-3,
                    "expected");
    assert_non_null(strstr(s->failures_left_out, "hardware failures (at published rates about 43"));
    study_free(s);
}

static void refused(const char *text, const char *with)
{
    int code;
    char *errors = study_errors(text, &code);
    if (strstr(errors, with) == NULL) {
        print_error("expected '%s' in: %s\n", with, errors);
        fail();
    }
    assert_int_equal(code, 2);
    free(errors);
}

#define PLAIN(job)                                                                                 \
    HEAD "horizon: 20d\nworkloads:\n  job: {kind: training, hours: 5d" job "}\n"                   \
         "strategies:\n  a: {instance: p4d.24xlarge, nodes: 4, buy: on-demand}\n"

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    refused(PLAIN(", staging: 1 GB/s"),
            "'staging' of 'job' reads its data set, and none is stated");
    refused(PLAIN(", failures: {of: gpu}"), "says what a stated 'mtbf' is of, and none is stated");
    refused(HEAD "horizon: 20d\nworkloads:\n  job: {kind: usage, nodes: 4}\n"
                 "strategies:\n  a: {instance: p4d.24xlarge, spares: 2, buy: on-demand}\n",
            "'spares' is of a gang (`kind: training`), and no workload is one");
}

/* Without checkpoints a failure throws all away, which is warned of as interruptions are. */
static void work_without_checkpoints_is_warned_of(void **state)
{
    (void)state;
    struct diagnostics *d = diagnostics_new();
    struct study *s = study_from_text_telling(PLAIN(", failures: 10d"), d);
    struct place at;
    const char *text = diagnostics_text(d, 0, NULL, &at);
    assert_non_null(text);
    assert_non_null(strstr(text, "each failure of hardware, of which 2.7 are to be expected"));
    study_free(s);
    diagnostics_free(d);
}

/* ---- the run of Llama 3 405B ---- */

static const char llama[] =
    HEAD "horizon: 54d\nreplications: 16\n"
         "workloads:\n  llama-3-405b:\n    kind: training\n    hours: 60d\n    boot: 5min\n"
         "    failures: {mtbf: 6334h, young: 1, detect: 1min}\n"
         "    response: {auto: 5min, human: 4h, p_human: 0.7 %}\n"
         "    restart_time: 3min\n"
         "    checkpoint: {every: auto, write: 5s, restore: 1min}\n"
         "strategies:\n"
         "  spares: {instance: p5.48xlarge, nodes: 2048, spares: 16, buy: on-demand}\n";

/* 419 unexpected interruptions in 54 days of 2,048 nodes with 16,384 H100: one in 3.09 h, and more
 * than 90 % effective training time (Grattafiori et al., "The Llama 3 Herd of Models", 2024,
 * section 3.3.4 and table 5). */
static void llama_3(void **state)
{
    (void)state;
    struct study *s = study_from_text(llama, NULL);
    struct run run;
    study_run(&run, s, 2);
    double days = 54.0 * run.results.replications;
    struct mean failures = run_mean(&run, 0, METRIC_FAILURES);
    struct mean losses = run_mean(&run, 0, METRIC_LOSSES);
    struct mean effective = run_mean(&run, 0, METRIC_EFFECTIVE_TIME);
    /* Spares fail too: 2,064 nodes. */
    double expected = 419 * days / 54 * 2064 / 2048;
    assert_near(failures.mean * run.results.replications, expected, Z * sqrt(expected),
                "failures of hardware");
    assert_relative(54 * 24 / losses.mean, 3.093, 0.08, "hours between interruptions");
    assert_true(effective.mean > 0.90 && effective.mean < 0.97);
    run_release(&run);
    study_free(s);
}

/* ---- BLOOM 176B and OPT-175B ---- */

/* Speeds as measured without any trouble, failures as often as their chronicles say; how often
 * somebody had to come and what was done again are known roughly. */
struct campaign {
    const char *name, *text;
    double days;
};

static const struct campaign campaigns[] = {
    /* 105 s for 4.19M tokens, a checkpoint in 40 s every 100 of them, 12 min of evaluation every
     * 1,000; about one GPU a week of 48 nodes. From 11 March to 6 July 2022 (its chronicles). */
    {"BLOOM 176B",
     HEAD "horizon: 300d\nreplications: 300\n"
          "workloads:\n  bloom:\n    kind: training\n    tokens: 366B\n    boot: 5min\n"
          "    job_throughput: {p4de.24xlarge x 48: 39400/s..40060/s}\n"
          "    checkpoint: {every: 2.92h, write: 40s, restore: 10min}\n"
          "    evaluation: {every: 29.2h, takes: 12min}\n"
          "    failures: {mtbf: 336d, detect: 10min..2h}\n"
          "    response: {auto: 20min, human: 2h..16h, p_human: 50 %}\n"
          "    rework: 1.02..1.12\n"
          "strategies:\n  plain: {instance: p4de.24xlarge, nodes: 48, buy: on-demand}\n",
     117},
    /* 33 days on 1,024 A100 "assuming no hardware issues", about two of its machines down a day,
     * 35 of more than 105 restarts by hand, in about two months (its chronicles; the paper). */
    {"OPT-175B",
     HEAD "horizon: 300d\nreplications: 300\n"
          "workloads:\n  opt:\n    kind: training\n    hours: 34.1d\n    boot: 5min\n"
          "    checkpoint: {every: 1.1h, write: 2min, restore: 20min}\n"
          "    failures: {mtbf: 62d, detect: 10min..2h}\n"
          "    response: {auto: 20min, human: 2h..16h, p_human: 33 %}\n"
          "    rework: 1.05..1.3\n"
          "strategies:\n  plain: {instance: p4de.24xlarge, nodes: 124, buy: on-demand}\n",
     60},
};

static void campaigns_take_as_long_as_they_did(void **state)
{
    const struct campaign *c = *state;
    struct study *s = study_from_text(c->text, NULL);
    struct run run;
    study_run(&run, s, 2);
    const uint32_t n = run.results.replications;
    double *values = malloc(n * sizeof *values);
    unsigned char *censored = malloc(n);
    assert_int_equal(results_column(&run.results, 0, 1, METRIC_TIME_TO_TRAIN, values, censored), 0);
    struct sample *sample = sample_new(values, censored, n);
    double p10 = sample_quantile(sample, 0.1, 0.95).value / 24;
    double p90 = sample_quantile(sample, 0.9, 0.95).value / 24;
    printf("  %s: %.0f days published, %.1f to %.1f\n", c->name, c->days, p10, p90);
    assert_true(p10 <= c->days && c->days <= p90);
    assert_true(p90 / p10 <= 1.5);
    sample_free(sample);
    free(values);
    free(censored);
    run_release(&run);
    study_free(s);
}

int main(void)
{
    gsl_errors_install();
    struct CMUnitTest tests[24] = {{0}};
    size_t n = 0;
    for (size_t i = 0; i < sizeof daly_cases / sizeof daly_cases[0]; i++) {
        tests[n++] = (struct CMUnitTest){daly_cases[i].name, as_daly_has_it, NULL, NULL,
                                         (void *)(uintptr_t)&daly_cases[i]};
    }
    for (size_t i = 0; i < sizeof campaigns / sizeof campaigns[0]; i++) {
        tests[n++] = (struct CMUnitTest){campaigns[i].name, campaigns_take_as_long_as_they_did,
                                         NULL, NULL, (void *)(uintptr_t)&campaigns[i]};
    }
    const struct CMUnitTest others[] = {
        cmocka_unit_test(all_time_is_accounted_for),
        cmocka_unit_test(without_failures_by_hand),
        cmocka_unit_test(people_come_as_often_as_stated),
        cmocka_unit_test(spares_stand_in_at_once),
        cmocka_unit_test(a_gang_can_be_launched_anew),
        cmocka_unit_test(luck_is_by_launch),
        cmocka_unit_test(failures_and_interruptions_are_apart),
        cmocka_unit_test(intervals_count_failures),
        cmocka_unit_test(what_is_left_out_is_told),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(work_without_checkpoints_is_warned_of),
        cmocka_unit_test(llama_3),
    };
    memcpy(&tests[n], others, sizeof others);
    n += sizeof others / sizeof others[0];
    return _cmocka_run_group_tests("failures", tests, n, NULL, NULL);
}
