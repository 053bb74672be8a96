/* SPDX-License-Identifier: GPL-3.0-or-later
 * Jobs on fixed capacity, through scenario files, against the closed forms of M/M/c (Erlang 1917;
 * values of mpmath at 40 digits): C = P(wait), Wq = C / (c mu - lambda), P(W > t) = C exp(-(c mu -
 * lambda) t); and stories that can be told by hand. A job's mean is an hour. */
#include "engine/gsl_errors.h"
#include "scenarios/output/job_tables.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define Z 4.0 /* standard errors */

#define HEAD "version: 1\nstart: 2026-03-02\nregion: us-east-1\n"

/* ---- M/M/c ---- */

struct queue_case {
    const char *name;
    double lambda_per_h;
    int nodes;
    double waited, wait_h, wait_p95_h, turnaround_h, turnaround_p95_h;
    int until_d; /* so long that the empty beginning is far below a standard error */
};

static const struct queue_case queues[] = {
    {"M/M/1, 0.5", 0.5, 1, 0.5, 1, 4.605170186, 2, 5.991464547, 300},
    {"M/M/2, 0.8", 1.6, 2, 0.711111111111, 1.77777777778, 6.637014216, 2.77777777778, 7.910684252,
     300},
    {"M/M/4, 0.8", 3.2, 4, 0.596432471787, 0.745540589734, 3.098678778, 1.74554058973, 4.738019496,
     200},
    {"M/M/16, 0.875", 14, 16, 0.508482206057, 0.254241103029, 1.159703608, 1.25424110303,
     3.395471331, 60},
};

static void assert_mean(const struct run *run, enum metric m, double want)
{
    const struct mean got = run_mean(run, 0, m);
    assert_near(got.mean, want, Z * got.error, metric_table[m].name);
}

static void closed_form(void **state)
{
    const struct queue_case *c = *state;
    char text[1024];
    snprintf(text, sizeof text,
             HEAD "horizon: %dd\nreplications: 60\nworkloads:\n"
                  "  q: {kind: jobs, rate: %.17g/h, until: %dd, duration: exponential(1h), boot: "
                  "0s, keep_idle: always}\n"
                  "strategies:\n  one: {instance: p3.2xlarge, nodes: %d, buy: on-demand}\n",
             c->until_d + 20, c->lambda_per_h, c->until_d, c->nodes);
    struct run run;
    struct study *s = study_from_text(text, NULL);
    study_run(&run, s, 2);
    assert_mean(&run, METRIC_JOBS_WAITED, c->waited);
    assert_mean(&run, METRIC_WAIT_MEAN, c->wait_h);
    assert_mean(&run, METRIC_WAIT_P95, c->wait_p95_h);
    assert_mean(&run, METRIC_TURNAROUND_MEAN, c->turnaround_h);
    assert_mean(&run, METRIC_TURNAROUND_P95, c->turnaround_p95_h);
    assert_mean(&run, METRIC_UTILISATION, c->lambda_per_h / c->nodes);
    assert_mean(&run, METRIC_JOBS, c->lambda_per_h * 24 * c->until_d);
    assert_near(run_mean(&run, 0, METRIC_FINISHED).mean, 1, 0, "all are done");
    run_release(&run);
    study_free(s);
}

/* ---- by hand ---- */

struct story {
    const char *name, *jobs, *strategy;
    /* in the one world, hours */
    double makespan_h, wait_mean_h, wait_max_h, node_h, useful_h, spot_h, launches;
};

#define ONE "{instance: p3.2xlarge, nodes: 2, buy: on-demand}"

static const struct story stories[] = {
    /* Two nodes: 4 h, 1 h at once, 2 h at hour 1, 3 h at hour 3: ends at 6. */
    {"a list, first come", "list: [{duration: 4h}, {duration: 1h}, {duration: 2h}, {duration: 3h}]",
     ONE, 6, (0 + 0 + 1 + 3) / 4.0, 3, 10, 10, 0, 2},
    /* 1 h and 2 h first, then 3 h at hour 1 and 4 h at hour 2. */
    {"the shortest first",
     "order: shortest, list: [{duration: 4h}, {duration: 1h}, {duration: 2h}, {duration: 3h}]", ONE,
     6, (2 + 0 + 0 + 1) / 4.0, 2, 10, 10, 0, 2},
    {"by priority",
     "order: priority, list: [{duration: 4h}, {duration: 1h, priority: -1}, {duration: 2h, "
     "priority: 5}, {duration: 3h}]",
     ONE, 5, (0 + 4 + 0 + 2) / 4.0, 4, 10, 10, 0, 2},
    /* One that needs both waits behind 3 h; the 1 h behind it waits too, or goes before. */
    {"a wide one blocks", "list: [{duration: 3h}, {duration: 2h, nodes: 2}, {duration: 1h}]", ONE,
     6, (0 + 3 + 5) / 3.0, 5, 8, 8, 0, 2},
    {"a wide one is passed",
     "backfill: yes, list: [{duration: 3h}, {duration: 2h, nodes: 2}, {duration: 1h}]", ONE, 5,
     (0 + 3 + 0) / 3.0, 3, 8, 8, 0, 3},
#define FOUR "{instance: p3.2xlarge, nodes: 4, buy: on-demand}"
#define QUEUE                                                                                      \
    "list: [{nodes: 3, duration: 10h}, {nodes: 4, duration: 5h}, {duration: 4h}, {duration: 20h}]"
    /* EASY: the 4 h end before the wide one can begin, after 10 h; the 20 h would not. */
    {"a reservation is not put off", "backfill: easy, " QUEUE, FOUR, 35, (0 + 10 + 0 + 15) / 4.0,
     15, 74, 74, 0, 5},
    {"without one the wide one waits for both", "backfill: yes, " QUEUE, FOUR, 29,
     (0 + 24 + 0 + 4) / 4.0, 24, 74, 74, 0, 7},
    {"who runs where the reservation is not may last",
     "backfill: easy, list: [{nodes: 2, duration: 10h}, {nodes: 3, duration: 5h}, {duration: 20h}]",
     FOUR, 20, 10 / 3.0, 10, 55, 55, 0, 4},
    /* The first ends after 10 h, not 30 as was said: so long may the last run at most. */
    {"durations as they were said",
     "backfill: easy, estimate: 3, list: [{nodes: 3, duration: 10h}, {nodes: 4, duration: 5h}, "
     "{duration: 9h}, {duration: 11h}]",
     FOUR, 26, (0 + 10 + 0 + 15) / 4.0, 15, 30 + 20 + 9 + 11, 70, 0, 5},

#define URGENT                                                                                     \
    "order: priority, preempt: yes, list: [{duration: 4h}, {duration: 4h}, {at: 1h, duration: "    \
    "2h, nodes: 2, priority: 5}]"
    {"a job of higher priority takes the nodes", "checkpoint: continuous, " URGENT, ONE, 6, 0, 0,
     12, 12, 0, 2},
    {"what it takes them from begins anew", URGENT, ONE, 7, 0, 0, 14, 12, 0, 2},
    /* 54 of 240 min are kept after 66; six checkpoints in the other 186, three in the 2 h. */
    {"or saves its work first", "checkpoint: {every: 30min, write: 6min}, " URGENT, ONE, 7.1,
     0.1 / 3, 0.1, 14.2, 12, 0, 2},
    {"no more of them than it needs, and the least of them",
     "order: priority, preempt: yes, checkpoint: continuous, list: [{duration: 4h, priority: 1}, "
     "{duration: 4h}, {at: 1h, duration: 2h, priority: 5}]",
     ONE, 6, 0, 0, 10, 10, 0, 2},
    {"its equals keep theirs",
     "order: priority, preempt: yes, checkpoint: continuous, list: [{duration: 4h, priority: 5}, "
     "{duration: 4h, priority: 5}, {at: 1h, duration: 2h, priority: 5}]",
     ONE, 6, 1, 3, 10, 10, 0, 2},
    {"a GPU of a shared node",
     "order: priority, preempt: yes, checkpoint: continuous, list: [{gpus: 4, duration: 4h}, "
     "{gpus: "
     "4, duration: 4h, priority: 1}, {at: 1h, gpus: 2, duration: 1h, priority: 5}]",
     "{instance: p3.16xlarge, nodes: 1, buy: on-demand}", 5, 0, 0, 5, (16 + 16 + 2) / 8.0, 0, 1},
    /* Idle for an hour, a node goes after half of it and another comes. */
    {"idle nodes go", "keep_idle: 30min, list: [{duration: 1h}, {at: 2h, duration: 1h}]", ONE, 3, 0,
     0, 2.5, 2, 0, 2},
    {"idle nodes stay", "keep_idle: 90min, list: [{duration: 1h}, {at: 2h, duration: 1h}]", ONE, 3,
     0, 0, 3, 2, 0, 1},
    {"boots are waited for", "boot: 6min, list: [{duration: 1h}, {duration: 1h, at: 1h}]", ONE, 2.1,
     0.1, 0.1, 1.1 + 1.1, 2, 0, 2},
    /* Jobs that wait for an hour go to spot. */
    {"overflow",
     "overflow_after: 1h, list: [{duration: 4h}, {duration: 4h}, {duration: 2h}, "
     "{duration: 30min}]",
     "{instance: p3.2xlarge, fill: [{buy: on-demand, nodes: 2}, {buy: spot, nodes: 1}]}", 4,
     (0 + 0 + 1 + 3) / 4.0, 3, 10.5, 10.5, 2.5, 3},
    /* 160 GPU-hours on 8 GPUs of a node each: 20 h; on two nodes 10 h, twice as fast: 5 h. */
    {"GPU-hours", "nodes_each: 2, gpu_hours: 160, speed: {p3.16xlarge: 2}, list: [{}]",
     "{instance: p3.16xlarge, nodes: 2, buy: on-demand}", 5, 0, 0, 10, 10, 0, 2},
    /* Eight GPUs: 4 + 3 at once, 2 when the 3 end, 8 when all are free. */
    {"GPUs of a node",
     "list: [{gpus: 4, duration: 2h}, {gpus: 3, duration: 1h}, {gpus: 2, duration: 2h}, {gpus: 8, "
     "duration: 1h}]",
     "{instance: p3.16xlarge, nodes: 1, buy: on-demand}", 4, (0 + 0 + 1 + 3) / 4.0, 3, 4,
     (8 + 3 + 4 + 8) / 8.0, 0, 1},
    {"GPUs beyond a node", "list: [{gpus: 12, duration: 2h}]",
     "{instance: p3.16xlarge, nodes: 3, buy: on-demand}", 2, 0, 0, 4, 4, 0, 2},
};

static void story_told(void **state)
{
    const struct story *c = *state;
    char text[2048];
    snprintf(text, sizeof text,
             HEAD "horizon: 30d\nreplications: 1\n"
                  "market: {spot: {p3.2xlarge: {price: 1 USD/h, capacity: constant, interruptions: "
                  "none}}}\nworkloads:\n  q: {kind: jobs, %s%s%s}\nstrategies:\n  one: %s\n",
             strstr(c->jobs, "boot") == NULL ? "boot: 0s, " : "",
             strstr(c->jobs, "keep_idle") == NULL ? "keep_idle: 0s, " : "", c->jobs, c->strategy);
    struct run run;
    struct study *s = study_from_text(text, NULL);
    study_run(&run, s, 1);
    assert_near(run_value(&run, 0, 0, METRIC_MAKESPAN), c->makespan_h, 1e-6, "makespan");
    assert_near(run_value(&run, 0, 0, METRIC_WAIT_MEAN), c->wait_mean_h, 1e-6, "mean wait");
    assert_near(run_value(&run, 0, 0, METRIC_WAIT_MAX), c->wait_max_h, 1e-6, "longest wait");
    assert_near(run_value(&run, 0, 0, METRIC_NODE_HOURS), c->node_h, 1e-6, "node-hours");
    assert_near(run_value(&run, 0, 0, METRIC_LAUNCHES), c->launches, 1e-6, "launches");
    assert_near(run_value(&run, 0, 0, METRIC_USEFUL), c->useful_h, 1e-6, "useful node-hours");
    assert_near(run_value(&run, 0, 0, METRIC_SPOT_NODE_HOURS), c->spot_h, 1e-6, "spot node-hours");
    run_release(&run);
    study_free(s);
}

/* ---- trials on spot ---- */

/* The same trials under every strategy; node time is conserved; what is lost is done again. */
static void trials_on_spot(void **state)
{
    (void)state;
    enum { WORLDS = 60 };
    struct run run;
    struct study *s = study_from_text(
        HEAD "horizon: 30d\nreplications: 60\n"
             "market: {spot: {p3.2xlarge: {price: 1 USD/h, capacity: constant, interruptions: 5h, "
             "notice: 0s}}}\n"
             "workloads:\n"
             "  sweep: {kind: trials, trials: 40, at_a_time: 4, duration: exponential(2h), boot: "
             "3min,\n    stop_early: {share: 50 %, after: 30 %}, checkpoint: {every: 30min, write: "
             "1min, restore: 2min}}\n"
             "strategies:\n  on-demand: {instance: p3.2xlarge, buy: on-demand}\n"
             "  spot: {instance: p3.2xlarge, buy: spot}\n",
        NULL);
    study_run(&run, s, 2);
    for (size_t k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < WORLDS; i++) {
            double sum_h = 0;
            for (int m = METRIC_USEFUL; m <= METRIC_WAITING; m++) {
                sum_h += run_value(&run, k, i, (enum metric)m);
            }
            assert_relative(sum_h, run_value(&run, k, i, METRIC_NODE_HOURS), 1e-9, "node time");
            assert_relative(run_value(&run, k, i, METRIC_USEFUL),
                            run_value(&run, 0, i, METRIC_USEFUL), 1e-6, "the same trials");
            assert_near(run_value(&run, k, i, METRIC_JOBS_DONE), 40, 0, "all done");
        }
    }
    /* 40 × 2 h, half of them cut to 30 %. */
    const struct mean useful = run_mean(&run, 0, METRIC_USEFUL);
    assert_near(useful.mean, 40 * 2 * 0.65, Z * useful.error, "work of the trials");
    assert_true(run_mean(&run, 1, METRIC_LOST).mean > 0.5);
    /* A node is lost every 5 h of running. */
    const struct mean lost = run_mean(&run, 1, METRIC_INTERRUPTIONS);
    assert_near(lost.mean, run_mean(&run, 1, METRIC_NODE_HOURS).mean / 5, Z * lost.error,
                "interruptions");
    assert_near(run_mean(&run, 0, METRIC_LOST).mean, 0, 0, "none on demand");
    run_release(&run);
    study_free(s);
}

/* A notice in which a checkpoint fits saves the work; what was restored is not done again. */
static void notice_saves(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        HEAD "horizon: 30d\nreplications: 30\n"
             "market: {spot: {p3.2xlarge: {price: 1 USD/h, capacity: constant, interruptions: 3h, "
             "notice: 2min}}}\n"
             "workloads:\n"
             "  sweep: {kind: trials, trials: 4, at_a_time: 2, duration: 10h, boot: 0s, keep_idle: "
             "0s,\n    checkpoint_on_notice: yes, checkpoint: {every: 100h, write: 90s}}\n"
             "strategies:\n  spot: {instance: p3.2xlarge, buy: spot}\n",
        NULL);
    study_run(&run, s, 2);
    assert_near(run_mean(&run, 0, METRIC_USEFUL).mean, 40, 1e-6, "useful");
    assert_near(run_mean(&run, 0, METRIC_LOST).mean, 0, 1e-6, "nothing is lost");
    const struct mean saved = run_mean(&run, 0, METRIC_CHECKPOINTS);
    assert_true(saved.mean > 5);
    assert_near(run_mean(&run, 0, METRIC_CHECKPOINT).mean, saved.mean * 90 / 3600, 1e-6, "writes");
    run_release(&run);
    study_free(s);
}

/* What comes late is cut at the horizon and counted; nothing of it looks finished. */
static void cut_at_the_horizon(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        HEAD "horizon: 10h\nreplications: 1\nworkloads:\n"
             "  q: {kind: jobs, boot: 0s, list: [{duration: 6h}, {duration: 6h}, {duration: 1h}]}\n"
             "  next: {kind: training, hours: 1h, after: q}\n"
             "strategies:\n  one: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n",
        NULL);
    study_run(&run, s, 1);
    const struct metric_cells *q = results_cells(&run.results, 0, 0, 0);
    assert_near(metric_number(q, METRIC_FINISHED), 0, 0, "unfinished");
    assert_near(metric_number(q, METRIC_JOBS_DONE), 1, 0, "one is done");
    assert_near(metric_number(q, METRIC_WAIT_MAX), 10, 1e-9, "the last has waited so long");
    assert_near(metric_number(q, METRIC_USEFUL), 6, 1e-9, "kept");
    assert_near(metric_number(q, METRIC_LOST), 4, 1e-9, "in no checkpoint");
    assert_true(metric_censored(q, METRIC_WAIT_MEAN));
    assert_near(metric_number(results_cells(&run.results, 0, 0, 1), METRIC_LAUNCHES), 0, 0,
                "what follows never begins");
    run_release(&run);
    study_free(s);
}

/* ---- tables ---- */

static double cell(const struct table *t, size_t row, const char *column)
{
    return table_number(t, row, (size_t)table_find(t, column));
}

static bool holds(const struct table *t, size_t row, const char *column, const char *text)
{
    return strcmp(table_text(t, row, (size_t)table_find(t, column)), text) == 0;
}

/* In the plan world: the attempts of a job follow each other, their costs add up to what the nodes
 * are charged, and the course of utilisation has the area of the metric. */
static void tables_add_up(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        HEAD "horizon: 30d\nreplications: 3\n"
             "market: {spot: {p3.2xlarge: {price: 1 USD/h, capacity: constant, interruptions: 4h, "
             "notice: 0s}}}\n"
             "workloads:\n"
             "  q: {kind: jobs, rate: 2/h, until: 3d, duration: exponential(1h), checkpoint: "
             "continuous}\n"
             "  t: {kind: training, hours: 20h, checkpoint: continuous, after: q}\n"
             "strategies:\n  spot: {instance: p3.2xlarge, nodes: 3, buy: spot}\n",
        NULL);
    study_run(&run, s, 1);
    struct table *jobs, *use;
    job_tables_make(&run, &jobs, &use);
    const struct metric_cells *c = results_cells(&run.results, run.plan_worlds[0], 0, 2);
    money_t of_jobs = 0, of_attempts = 0;
    double last_end_s = 0, busy_s = 0, node_s = 0;
    size_t rows = 0, lost = 0, training = 0;
    for (size_t i = 0; i < table_rows(jobs); i++) {
        money_t cost = table_integer(jobs, i, (size_t)table_find(jobs, "cost_usd"));
        if (holds(jobs, i, "row", "job")) {
            rows++;
            of_jobs += cost;
            last_end_s = cell(jobs, i, "submitted_s");
            continue;
        }
        of_attempts += cost;
        assert_near(cell(jobs, i, "submitted_s"), last_end_s, 1e-3, "waits from then on");
        assert_true(cell(jobs, i, "started_s") >= last_end_s - 1e-3);
        last_end_s = cell(jobs, i, "ended_s");
        lost += holds(jobs, i, "outcome", "lost");
        training += holds(jobs, i, "workload", "t");
        node_s += holds(jobs, i, "workload", "q") ? cell(jobs, i, "node_s") : 0;
    }
    assert_int_equal(of_jobs, of_attempts);
    assert_near(money_to_double(of_jobs), metric_number(c, METRIC_SPOT_COST), 1e-9, "charged");
    assert_int_equal(rows, (size_t)metric_number(c, METRIC_JOBS) + 1);
    assert_true(lost > 3 && training > 0);
    for (size_t i = 0; i < table_rows(use); i++) {
        double s_long = cell(use, i, "end_s") - cell(use, i, "start_s");
        busy_s += s_long * cell(use, i, "base_busy_nodes");
        assert_true(cell(use, i, "base_busy_nodes") <= cell(use, i, "base_held_nodes") + 1e-9);
        assert_near(cell(use, i, "utilisation_frac"), cell(use, i, "base_busy_nodes") / 3, 1e-9,
                    "of three nodes");
    }
    assert_relative(busy_s, node_s, 1e-9, "busy time");
    const struct metric_cells *q = results_cells(&run.results, run.plan_worlds[0], 0, 0);
    assert_relative(
        busy_s, metric_number(q, METRIC_UTILISATION) * 3 * 3600 * metric_number(q, METRIC_MAKESPAN),
        1e-6, "the metric");
    table_free(jobs);
    table_free(use);
    run_release(&run);
    study_free(s);
}

/* ---- refusals ---- */

struct refusal {
    const char *name, *workload, *says;
    int exit_code;
};

static const struct refusal refusals[] = {
    {"no source", "kind: jobs, duration: 1h",
     "nothing says when the jobs of 'q' come; expected exactly one of 'rate', 'interarrival', "
     "'list' and 'file'",
     2},
    {"two sources", "kind: jobs, duration: 1h, rate: 1/h, list: [{}], until: 2d",
     "several keys say when the jobs of 'q' come", 2},
    {"no end", "kind: jobs, duration: 1h, rate: 1/h",
     "the jobs of 'q' come without end; say when the last may come: 'until'", 2},
    {"an end at the horizon", "kind: jobs, duration: 1h, rate: 1/h, until: 30d",
     "jobs of 'q' come up to the horizon or beyond", 2},
    {"preemption without priorities", "kind: jobs, duration: 1h, preempt: yes, list: [{}]",
     "expected 'order: priority' too", 2},
    {"no size", "kind: jobs, rate: 1/h, until: 2d",
     "nothing says how much work a job of 'q' is; expected 'duration' or 'gpu_hours'", 2},
    {"a size too many", "kind: trials, trials: 3, duration: 1h, gpu_hours: 3",
     "'q' has both a 'duration' and 'gpu_hours'; drop one", 2},
    {"too wide", "kind: trials, trials: 3, duration: 1h, nodes_each: 3",
     "a job of 'q' needs 3 nodes at once, more than any way to buy of strategy 'one' has; it would "
     "wait for ever",
     4},
    {"a listed one too wide", "kind: jobs, duration: 1h, list: [{name: big, nodes: 5}]",
     "job big of 'q' needs 5 nodes at once", 4},
    {"too many", "kind: jobs, duration: 1h, rate: 100000/h, until: 2d",
     "at most 1000000 can be simulated: shorten 'until' or lower its rate", 4},
};

static void refused(void **state)
{
    const struct refusal *r = *state;
    char text[1024];
    int exit_code;
    snprintf(text, sizeof text,
             HEAD "horizon: 30d\nworkloads:\n  q: {%s}\nstrategies:\n"
                  "  one: {instance: p3.2xlarge, nodes: 2, buy: on-demand}\n",
             r->workload);
    char *errors = study_errors(text, &exit_code);
    if (strstr(errors, r->says) == NULL) {
        fail_msg("expected %s\nin %s", r->says, errors);
    }
    assert_int_equal(exit_code, r->exit_code);
    free(errors);
}

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/* What the queue waits for takes ten times as long in one strategy: the same jobs come all the
 * same. */
static void what_it_waits_for_takes_no_jobs_away(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        HEAD "horizon: 30d\nreplications: 20\n"
             "workloads:\n"
             "  first: {kind: training, samples: 1M, throughput: {p3.2xlarge: 2.9/s, p3.16xlarge: "
             "29/s}}\n"
             "  q: {kind: jobs, rate: 1/h, until: 2d, duration: exponential(1h), after: first}\n"
             "strategies:\n"
             "  slow: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"
             "  fast: {instance: p3.2xlarge, nodes: 1, buy: on-demand, workloads: {first: "
             "{instance: p3.16xlarge}}}\n",
        NULL);
    study_run(&run, s, 1);
    double came = 0;
    for (uint32_t i = 0; i < run.results.replications; i++) {
        double slow = metric_number(results_cells(&run.results, i, 0, 1), METRIC_JOBS);
        assert_true(slow == metric_number(results_cells(&run.results, i, 1, 1), METRIC_JOBS));
        came += slow;
    }
    assert_near(came / 20, 48, 4 * sqrt(48.0 / 20), "one an hour for two days");
    run_release(&run);
    study_free(s);
}

/* The nodes of an elastic job come and go while it runs: an attempt has the node time of those
 * that it had. */
static void attempts_have_the_nodes_that_they_had(void **state)
{
    (void)state;
    struct run run;
    struct study *s = study_from_text(
        HEAD "horizon: 30d\nreplications: 3\n"
             "market: {spot: {p3.2xlarge: {price: 1 USD/h, capacity: constant, interruptions: 4h, "
             "notice: 0s}}}\n"
             "workloads: {t: {kind: training, hours: 20h, checkpoint: continuous, elastic: {min: "
             "1}}}\n"
             "strategies:\n  spot: {instance: p3.2xlarge, nodes: 4, buy: spot}\n",
        NULL);
    study_run(&run, s, 1);
    struct table *jobs, *use;
    job_tables_make(&run, &jobs, &use);
    const struct metric_cells *c = results_cells(&run.results, run.plan_worlds[0], 0, 0);
    double node_h = 0;
    for (size_t i = 0; i < table_rows(jobs); i++) {
        node_h += holds(jobs, i, "row", "attempt") ? cell(jobs, i, "node_s") / 3600 : 0;
    }
    double held_h = metric_number(c, METRIC_NODE_HOURS) - metric_number(c, METRIC_BOOT);
    double waiting_h = metric_number(c, METRIC_WAITING);
    assert_true(metric_number(c, METRIC_INTERRUPTIONS) > 5);
    assert_true(node_h <= held_h * (1 + 1e-9) && node_h >= (held_h - waiting_h) * (1 - 1e-9));
    table_free(jobs);
    table_free(use);
    run_release(&run);
    study_free(s);
}

int main(void)
{
    const struct CMUnitTest others[] = {
        cmocka_unit_test(trials_on_spot),
        cmocka_unit_test(notice_saves),
        cmocka_unit_test(cut_at_the_horizon),
        cmocka_unit_test(tables_add_up),
        cmocka_unit_test(what_it_waits_for_takes_no_jobs_away),
        cmocka_unit_test(attempts_have_the_nodes_that_they_had),
    };
    struct CMUnitTest tests[COUNT(queues) + COUNT(stories) + COUNT(refusals) + COUNT(others)];
    size_t n = COUNT(others);
    gsl_errors_install();
    memcpy(tests, others, sizeof others);
    for (size_t i = 0; i < COUNT(queues); i++) {
        tests[n++] =
            (struct CMUnitTest){queues[i].name, closed_form, NULL, NULL, (void *)&queues[i]};
    }
    for (size_t i = 0; i < COUNT(stories); i++) {
        tests[n++] =
            (struct CMUnitTest){stories[i].name, story_told, NULL, NULL, (void *)&stories[i]};
    }
    for (size_t i = 0; i < COUNT(refusals); i++) {
        tests[n++] =
            (struct CMUnitTest){refusals[i].name, refused, NULL, NULL, (void *)&refusals[i]};
    }
    return _cmocka_run_group_tests("jobs", tests, n, NULL, NULL);
}
