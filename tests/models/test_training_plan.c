/* SPDX-License-Identifier: GPL-3.0-or-later
 * The plan of a training job: where its speed comes from, what is refused and how, the checkpoint
 * interval, and what is listed under "assumed". Through the scenario reader, so that the keys are
 * those a user writes. */
#include "engine/gsl_errors.h"
#include "models/training/training_work.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "version: 1\nstart: 2026-01-05\nhorizon: 60d\nregion: us-east-1\nreplications: 1\n"
#define FOUR "strategies: {s: {instance: p4d.24xlarge, nodes: 4, buy: on-demand}}\n"
#define ONE  "strategies: {s: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n"

static const struct training_plan *plan_of(const struct study *s)
{
    return training_plan_of(s->strategies[0].plans[0]);
}

/* "what: value", or NULL. */
static const struct assumption *assumption(const struct study *s, const char *what)
{
    for (size_t i = 0; i < s->assumptions.count; i++) {
        if (strcmp(s->assumptions.items[i].what, what) == 0) {
            return &s->assumptions.items[i];
        }
    }
    return NULL;
}

static size_t input_of(const struct study *s, const char *name)
{
    int index = inputs_find(s->scenario->inputs, name);
    assert_true(index >= 0);
    return (size_t)index;
}

/* ---- speed ---- */

struct speed_row {
    const char *name, *job, *strategies;
    enum speed_basis basis;
    double work_s;
    const char *assumed; /* the value of "scaling of w above one node"; NULL: not listed */
};

static const struct speed_row speeds[] = {
    {"hours are taken as they are, whatever else is stated",
     "hours: 40h, throughput: {p4d.24xlarge: 1/s}", FOUR, SPEED_HOURS, 144000, NULL},
    {"throughput of the whole job before that of a node",
     "samples: 1M, throughput: {p4d.24xlarge: 100/s}, job_throughput: {p4d.24xlarge x 4: 320/s}",
     FOUR, SPEED_JOB_THROUGHPUT, 3125, NULL},
    {"spaces around the count do not matter",
     "samples: 1M, job_throughput: {p4d.24xlarge x2: 1/s, p4d.24xlarge x4: 320/s}", FOUR,
     SPEED_JOB_THROUGHPUT, 3125, NULL},
    {"throughput of a node at another count of the whole job's",
     "samples: 1M, throughput: {p4d.24xlarge: 100/s}, job_throughput: {p4d.24xlarge x 8: 320/s}",
     FOUR, SPEED_THROUGHPUT, 2500, "1 of linear"},
    {"throughput of a node, times nodes and scaling",
     "samples: 1M, throughput: {p4d.24xlarge: 100/s}, scaling: 80 %", FOUR, SPEED_THROUGHPUT, 3125,
     NULL},
    {"no scaling of a single node", "samples: 1M, throughput: {p4d.24xlarge: 100/s}, scaling: 80 %",
     ONE, SPEED_THROUGHPUT, 10000, NULL},
    {"a measured throughput before an estimate",
     "tokens: 1M, throughput: {p4d.24xlarge: 100/s}, mfu: 0.4, model: {parameters: 7B, precision: "
     "bf16}",
     ONE, SPEED_THROUGHPUT, 10000, NULL},
    /* 8 A100 of 312 TFLOP/s: 4 × 2.496e15 × 0.4 / (6 × 7e9) = 95,085.7 tokens/s */
    {"estimate from parameters, peak and mfu",
     "tokens: 20B, mfu: 0.4, model: {parameters: 7B, precision: bf16}", FOUR, SPEED_MFU,
     210336.5384615385, "1 of linear"},
    {"epochs", "samples: 1M, epochs: 3, throughput: {p4d.24xlarge: 100/s}", ONE, SPEED_THROUGHPUT,
     30000, NULL},
    {"no work", "samples: 0, throughput: {p4d.24xlarge: 100/s}", ONE, SPEED_THROUGHPUT, 0, NULL},
    {"no epochs", "samples: 1M, epochs: 0, throughput: {p4d.24xlarge: 100/s}", ONE,
     SPEED_THROUGHPUT, 0, NULL},
};

static void speed(void **state)
{
    const struct speed_row *row = *state;
    char text[2048];
    snprintf(text, sizeof text, HEAD "workloads: {w: {kind: training, boot: 1min, %s}}\n%s",
             row->job, row->strategies);
    struct study *s = study_from_text(text, NULL);
    assert_int_equal(plan_of(s)->speed, row->basis);
    assert_relative(training_work_s(plan_of(s), NULL), row->work_s, 1e-12, "seconds of work");
    const struct assumption *a = assumption(s, "scaling of w above one node");
    if (row->assumed == NULL) {
        assert_null(a);
    } else {
        assert_non_null(a);
        assert_string_equal(a->value, row->assumed);
    }
    study_free(s);
}

static void an_estimate_is_an_assumption(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD "workloads: {w: {kind: training, tokens: 20B, epochs: 2, mfu: 0.4, model: "
             "{parameters: 7B, precision: bf16}}}\n" FOUR,
        NULL);
    const struct assumption *a = assumption(s, "speed of w on 4 x p4d.24xlarge");
    assert_non_null(a);
    assert_string_equal(a->value, "9.51e+04 tokens/s at mfu 0.4 of the bf16 peak");
    assert_string_equal(a->source, "estimate: 6 FLOPs per parameter and token, attention left out");
    study_free(s);
}

/* Planning sees medians; a world its draws. */
static void work_follows_the_draws(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD "workloads: {w: {kind: training, samples: 1M..4M, throughput: {p4d.24xlarge: "
             "50/s..200/s}, scaling: uniform(50 %; 70 %)}}\n" FOUR,
        NULL);
    const struct training_plan *p = plan_of(s);
    /* Medians: sqrt(1M × 4M), sqrt(50 × 200), 60 %. */
    assert_relative(training_work_s(p, NULL), 2e6 / (100 * 4 * 0.6), 1e-9, "planned");
    double drawn[16] = {0};
    drawn[input_of(s, "workloads.w.samples")] = 3e6;
    drawn[input_of(s, "workloads.w.throughput.p4d.24xlarge.rate")] = 120;
    drawn[input_of(s, "workloads.w.scaling")] = 0.5;
    assert_relative(training_work_s(p, drawn), 3e6 / (120 * 4 * 0.5), 1e-12, "drawn");
    study_free(s);
}

/* ---- refusals ---- */

struct refusal_row {
    const char *name, *text;
    int code;
    const char *says; /* exactly once */
};

#define JOB(keys)      HEAD "workloads: {w: {kind: training, " keys "}}\n"
#define STRATEGY(keys) "strategies: {s: {" keys "}}\n"
#define P4D4(keys)     STRATEGY("instance: p4d.24xlarge, nodes: 4, " keys)
#define THREE_STRATEGIES                                                                           \
    "strategies:\n  a: {instance: p4d.24xlarge, nodes: 4, buy: spot}\n"                            \
    "  b: {instance: p4d.24xlarge, nodes: 2, buy: spot}\n"                                         \
    "  c: {instance: p4d.24xlarge, nodes: 1, buy: spot}\n"

static const struct refusal_row refusals[] = {
    {"job_throughput at another count",
     JOB("samples: 1M, job_throughput: {p4d.24xlarge x 8: 320/s}") FOUR, 2,
     "error: strategy 's' runs 'w' on 'p4d.24xlarge x 4', but 'job_throughput' is stated for "
     "'p4d.24xlarge x 8' only; state it for this count, or a 'throughput' per node\n"},
    {"job_throughput at another count is not passed over for an estimate",
     JOB("tokens: 1M, job_throughput: {p4d.24xlarge x 8: 320/s}, mfu: 0.4, model: {parameters: 7B, "
         "precision: bf16}") FOUR,
     2, "but 'job_throughput' is stated for 'p4d.24xlarge x 8' only"},
    {"job_throughput without a count",
     JOB("samples: 1M, job_throughput: {p4d.24xlarge: 320/s}") FOUR, 2,
     "error: 'p4d.24xlarge' in 'job_throughput' of 'w' is no type and count; expected 'TYPE x "
     "NODES', such as 'p4d.24xlarge x 4'\n"},
    {"job_throughput with a count of none",
     JOB("samples: 1M, job_throughput: {p4d.24xlarge x 0: 320/s}") FOUR, 2,
     "error: 'p4d.24xlarge x 0' in 'job_throughput' of 'w' is no type and count"},
    {"a misspelt type in throughput is not passed over for an estimate",
     JOB("tokens: 1M, throughput: {p4d.24xlrge: 100/s}, mfu: 0.4, model: {parameters: 7B, "
         "precision: bf16}") FOUR,
     2,
     "error: unknown instance type 'p4d.24xlrge' in 'throughput' of 'w'; did you mean "
     "'p4d.24xlarge'?\n"},
    {"a misspelt type in job_throughput, told once for three strategies",
     JOB("samples: 1M, checkpoint: continuous, throughput: {p4d.24xlarge: 1/s}, job_throughput: "
         "{p4.24xlarge x 4: 320/s}") THREE_STRATEGIES,
     2, "error: unknown instance type 'p4.24xlarge' in 'job_throughput' of 'w'; did you mean"},
    {"a precision that the chip lacks",
     JOB("tokens: 1M, mfu: 0.4, model: {parameters: 7B, precision: fp8}") FOUR, 4,
     "'p4d.24xlarge' (A100-40GB) has no peak for fp8, so no speed can be estimated for 'w'; choose "
     "another precision (it has fp32, tf32, fp16, bf16) or state a throughput\n"},
    {"an estimate without a precision", JOB("tokens: 1M, mfu: 0.4, model: {parameters: 7B}") FOUR,
     2,
     "error: the speed of 'w' is to be estimated, but its model has no precision; expected 'model: "
     "{parameters: …, precision: bf16}'\n"},
    {"no speed, tokens", JOB("tokens: 1M") FOUR, 2,
     "error: nothing says how fast 'w' runs on 'p4d.24xlarge'; expected 'throughput: "
     "{p4d.24xlarge: …/s}' in the workload, or 'model: {parameters, precision}' for an estimate\n"},
    {"no speed, samples",
     JOB("samples: 1M, mfu: 0.4, model: {parameters: 7B, precision: bf16}") FOUR, 2,
     "error: the work of 'w' is stated in samples, but not how long they are; expected 'sequence' "
     "in "
     "its 'model', or 'tokens'\n"},
    {"two kinds of work, told once", JOB("hours: 1h, samples: 1M") THREE_STRATEGIES, 2,
     "error: workload 'w' states its work more than once; expected exactly one of 'tokens', "
     "'samples', 'hours', 'gpu_hours'\n"},
    {"no work stated", JOB("boot: 1min") FOUR, 2,
     "error: workload 'w' states its work nowhere; expected exactly one of 'tokens', 'samples', "
     "'hours', 'gpu_hours'\n"},
    {"work of many years", JOB("tokens: 1000000T, throughput: {p4d.24xlarge: 1/s}") ONE, 4,
     "'w' on 1 x 'p4d.24xlarge' would take 3.17e+10 years; check its work and speed\n"},
    {"a deadline beyond the horizon, told once",
     JOB("hours: 1h, submit: 50d, deadline: 11d") THREE_STRATEGIES, 2,
     "error: the deadline of 'w' lies beyond the horizon, so lateness could not be seen; lengthen "
     "'horizon'\n"},
    {"submitted at the horizon", JOB("hours: 1h, submit: 60d") FOUR, 2,
     "error: 'w' is submitted at or after the horizon; lengthen 'horizon'\n"},
    {"more nodes than the spot pool ever has",
     JOB("hours: 1h") "market: {spot: {p4d.24xlarge: {nodes: 3}}}\n" P4D4("buy: spot"), 4,
     "strategy 's' wants 4 nodes for 'w', but the market has at most 3 nodes of 'p4d.24xlarge' "
     "spot\n"},
    {"more nodes than the on-demand limit, to finish with",
     JOB("hours: 1h, at_horizon: finish-on-demand") "market: {on-demand: {p4d.24xlarge: {limit: "
                                                    "3}}}\n" P4D4("buy: spot"),
     4,
     "strategy 's' wants 4 nodes for 'w', but the market has at most 3 nodes of 'p4d.24xlarge' "
     "on-demand\n"},
    {"more nodes than can be simulated",
     JOB("hours: 1h") STRATEGY("instance: p4d.24xlarge, nodes: 100001, buy: on-demand"), 4,
     "strategy 's' wants 100001 nodes for 'w'; at most 100000 nodes of one job can be simulated\n"},
    {"no instance", JOB("hours: 1h") STRATEGY("nodes: 4, buy: spot"), 2,
     "error: strategy 's' does not say which instance runs 'w'; expected 'instance: TYPE'\n"},
    {"an unknown instance", JOB("hours: 1h") STRATEGY("instance: p4d.24xlrge, nodes: 4, buy: spot"),
     2, "error: unknown instance type 'p4d.24xlrge'; did you mean 'p4d.24xlarge'?\n"},
    {"an unknown instance like no other",
     JOB("hours: 1h") STRATEGY("instance: abacus, nodes: 4, buy: spot"), 2,
     "error: unknown instance type 'abacus'; `fleetcast show instances` lists them\n"},
    {"no nodes", JOB("hours: 1h") STRATEGY("instance: p4d.24xlarge, buy: spot"), 2,
     "error: strategy 's' does not say how many nodes run 'w'; expected 'nodes: N'\n"},
    {"no way to buy", JOB("hours: 1h") STRATEGY("instance: p4d.24xlarge, nodes: 4"), 2,
     "error: strategy 's' does not say how to buy for 'w'; expected 'buy: on-demand', "
     "'buy: spot', 'buy: capacity-block' or 'buy: owned'\n"},
    {"a policy that never buys so", JOB("hours: 1h") P4D4("buy: on-demand, policy: wait"), 2,
     "error: policy 'wait' of strategy 's' never buys on-demand; change 'buy' or 'policy'\n"},
    {"a return without checkpoints",
     JOB("hours: 1h") P4D4("buy: spot, policy: {name: fallback, return: yes}"), 2,
     "error: strategy 's' goes back from a working gang, which needs checkpoints, but workload 'w' "
     "writes none; give it a 'checkpoint' section or another policy\n"},
};

static size_t occurrences(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) {
        n++;
    }
    return n;
}

static void refusal(void **state)
{
    const struct refusal_row *row = *state;
    int code = 0;
    char *what = study_errors(row->text, &code);
    if (occurrences(what, row->says) != 1) {
        fail_msg("expected once: %s\ngot: %s", row->says, what);
    }
    assert_int_equal(code, row->code);
    free(what);
}

static void all_that_is_wrong_is_told_at_once(void **state)
{
    (void)state;
    int code = 0;
    char *what =
        study_errors(JOB("hours: 1h, samples: 1M, deadline: 90d, throughput: {p4d.24xlrge: "
                         "1/s}") "market: {on-demand: {p4d.24xlarge: {limit: 3}}}\n"
                                 "strategies:\n  a: {instance: p4d.24xlarge, buy: on-demand}\n"
                                 "  b: {instance: p4d.24xlarge, nodes: 4, buy: on-demand}\n"
                                 "  c: {instance: p4d.24xlarge, nodes: 1}\n"
                                 "  d: {instance: p9.huge, nodes: 200000, buy: spot, policy: "
                                 "on-demand}\n",
                     &code);
    static const char *const parts[] = {
        "states its work more than once",
        "the deadline of 'w' lies beyond the horizon",
        "unknown instance type 'p4d.24xlrge' in 'throughput'",
        "strategy 'a' does not say how many nodes",
        "strategy 'b' wants 4 nodes",
        "strategy 'c' does not say how to buy",
        "unknown instance type 'p9.huge'",
        "strategy 'd' wants 200000 nodes",
        "policy 'on-demand' of strategy 'd' never buys spot",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (occurrences(what, parts[i]) != 1) {
            fail_msg("expected once: %s\ngot: %s", parts[i], what);
        }
    }
    assert_int_equal(code, 2);
    free(what);
}

/* ---- checkpoint intervals ---- */

#define NEVER HUGE_VAL

struct interval_row {
    const char *name, *spot, *job, *nodes;
    double spot_s;
    const char *says; /* "assumed" of the spot pool; NULL: nothing */
};

/* tau = M (1 + W0(-exp(-1 - C/M))): values of mpmath at 40 digits, in hours, for M and C in hours:
 * (24, 0.1) 2.12473692, (3, 0.05) 0.514908854, (8, 1/60) 0.505346953. */
static const struct interval_row intervals[] = {
    {"hazard of one node: M = 3 h, C = 3 min", "capacity: constant, interruptions: 3h",
     "checkpoint: {write: 3min}", "1", 0.514908854 * 3600,
     "30.9 min of useful work (Lambert W, 8 losses a day while running)"},
    {"hazard of a gang: four nodes of 96 h each", "capacity: constant, interruptions: 96h",
     "checkpoint: {write: 6min}", "4", 2.12473692 * 3600,
     "2.12 h of useful work (Lambert W, 1 losses a day while running)"},
    {"on-off: all nodes go together", "capacity: on-off, mean_up: 8h, mean_down: 1h",
     "checkpoint: {write: 1min}", "4", 0.505346953 * 3600,
     "30.3 min of useful work (Lambert W, 3 losses a day while running)"},
    {"medians of uncertain inputs", "capacity: constant, interruptions: 1.5h..6h",
     "checkpoint: {write: 90s..6min}", "1", 0.514908854 * 3600,
     "30.9 min of useful work (Lambert W, 8 losses a day while running)"},
    {"auto in words", "capacity: constant, interruptions: 3h",
     "checkpoint: {every: auto, write: 3min}", "1", 0.514908854 * 3600,
     "30.9 min of useful work (Lambert W, 8 losses a day while running)"},
    {"nothing is lost", "capacity: constant", "checkpoint: {write: 3min}", "1", NEVER,
     "no periodic checkpoint: nothing is left to lose"},
    {"on_notice saves: no periodic checkpoint", "capacity: constant, interruptions: 3h",
     "on_notice: checkpoint, checkpoint: {write: 2min}", "1", NEVER,
     "no periodic checkpoint: one fits into the notice, which saves the work"},
    {"on_notice does not fit", "capacity: constant, interruptions: 3h",
     "on_notice: checkpoint, checkpoint: {write: 3min}", "1", 0.514908854 * 3600,
     "30.9 min of useful work (Lambert W, 8 losses a day while running)"},
    {"writes that take no time: a second", "capacity: constant, interruptions: 3h",
     "checkpoint: {write: 0s}", "1", 1,
     "1 s of useful work (Lambert W, 8 losses a day while running)"},
    {"stated", "capacity: constant, interruptions: 3h", "checkpoint: {every: 30min, write: 3min}",
     "1", 1800, NULL},
    {"continuous", "capacity: constant, interruptions: 3h", "checkpoint: continuous", "1", NEVER,
     NULL},
    {"none", "capacity: constant, interruptions: 3h", "checkpoint: none", "1", NEVER, NULL},
};

static void interval(void **state)
{
    const struct interval_row *row = *state;
    char text[2048];
    snprintf(text, sizeof text,
             HEAD "market: {spot: {p4d.24xlarge: {price: 9 USD/h, %s}}}\n"
                  "workloads: {w: {kind: training, hours: 10h, %s}}\n"
                  "strategies: {s: {instance: p4d.24xlarge, nodes: %s, buy: spot, policy: "
                  "fallback}}\n",
             row->spot, row->job, row->nodes);
    struct study *s = study_from_text(text, NULL);
    const struct training_plan *p = plan_of(s);
    bool stated = strstr(row->name, "stated") != NULL;
    if (isinf(row->spot_s)) {
        assert_true(isinf(p->every_s[PURCHASE_SPOT]));
    } else {
        assert_relative(p->every_s[PURCHASE_SPOT], row->spot_s, 3e-9, "interval on spot");
    }
    if (stated) {
        assert_near(p->every_s[PURCHASE_ON_DEMAND], row->spot_s, 0, "interval on on-demand");
    } else {
        assert_true(isinf(p->every_s[PURCHASE_ON_DEMAND])); /* nothing is lost there */
    }
    char what[80];
    snprintf(what, sizeof what, "checkpoint interval of w on %s spot node%s", row->nodes,
             strcmp(row->nodes, "1") == 0 ? "" : "s");
    const struct assumption *a = assumption(s, what);
    if (row->says == NULL) {
        assert_null(a);
    } else {
        assert_non_null(a);
        assert_string_equal(a->value, row->says);
    }
    study_free(s);
}

/* A stated interval may be uncertain; an automatic one is one number for all worlds. */
static void a_stated_interval_is_drawn(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "workloads: {w: {kind: training, hours: 10h, checkpoint: {every: 20min..1h, write: "
             "1min..3min}}}\n" P4D4("buy: spot");
    struct study *s = study_from_text(text, NULL);
    double drawn[8] = {0};
    drawn[input_of(s, "workloads.w.checkpoint.every")] = 1234;
    const struct training_plan *p = plan_of(s);
    assert_near(training_every_s(p, PURCHASE_SPOT, drawn), 1234, 0, "drawn");
    assert_relative(training_every_s(p, PURCHASE_SPOT, NULL), sqrt(1200 * 3600.0), 1e-9, "planned");
    assert_true(isinf(training_every_s(p, PURCHASE_ON_DEMAND, drawn))); /* no such pool */
    study_free(s);
}

/* ---- warnings ---- */

static void assert_warned(const char *text, const char *says, size_t times)
{
    struct diagnostics *d = diagnostics_new();
    struct study *s = study_from_text_telling(text, d);
    size_t n = 0;
    const char *told;
    enum diagnostic_kind kind;
    for (size_t i = 0; (told = diagnostics_text(d, i, &kind, NULL)) != NULL; i++) {
        n += kind == DIAGNOSTIC_WARNING && strcmp(told, says) == 0;
    }
    assert_int_equal(n, times);
    study_free(s);
    diagnostics_free(d);
}

static void what_may_go_wrong_is_told_once(void **state)
{
    (void)state;
    static const char none[] =
        "workload 'w' writes no checkpoints: every interruption throws all its work away";
    assert_warned(JOB("hours: 1h") THREE_STRATEGIES, none, 1);
    assert_warned(JOB("hours: 1h") FOUR, none, 0);
    assert_warned(JOB("hours: 1h, checkpoint: continuous") THREE_STRATEGIES, none, 0);
    static const char longer[] =
        "checkpoints of 'w' take longer than the notice in more than 5 % of the worlds; there "
        "'on_notice: checkpoint' saves nothing, and 'every: auto' writes none before: state "
        "'every'";
#define WRITES(every, write)                                                                       \
    JOB("hours: 1h, on_notice: checkpoint, checkpoint: {" every "write: " write "}")
    assert_warned(WRITES("", "1min..3min") THREE_STRATEGIES, longer, 1);
    assert_warned(WRITES("", "1min..119s") THREE_STRATEGIES, longer, 0);
    assert_warned(WRITES("every: 1h, ", "1min..3min") THREE_STRATEGIES, longer, 0);
    assert_warned(WRITES("", "90s") THREE_STRATEGIES, longer, 0);
}

/* ---- the rest ---- */

static void defaults_are_listed_under_assumed(void **state)
{
    (void)state;
    struct study *s =
        study_from_text(JOB("samples: 1M, throughput: {p4d.24xlarge: 100/s}, checkpoint: periodic")
                            P4D4("buy: spot"),
                        NULL);
    static const char *const rows[][2] = {
        {"scaling of w above one node", "1 of linear"},
        {"boot of a node of w", "180 s from launch to ready"},
        {"time to write a checkpoint of w", "0 s"},
        {"time to restore w", "0 s"},
        {"patience of w", "a part of the gang is held, and paid, for 10 min, then given back"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct assumption *a = assumption(s, rows[i][0]);
        assert_non_null(a);
        assert_string_equal(a->value, rows[i][1]);
        assert_string_equal(a->source, "default");
    }
    study_free(s);
    s = study_from_text(JOB("samples: 1M, throughput: {p4d.24xlarge: 100/s}, boot: 1min, scaling: "
                            "1, patience: 1h, checkpoint: {write: 0s, restore: 0s}")
                            P4D4("buy: spot"),
                        NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_null(assumption(s, rows[i][0]));
    }
    study_free(s);
}

static void pools_are_those_of_the_policy(void **state)
{
    (void)state;
    static const struct {
        const char *job, *strategy;
        bool on_demand, spot;
    } rows[] = {
        {"", "buy: on-demand", true, false},
        {"", "buy: spot", false, true},
        {"", "buy: spot, policy: fallback", true, true},
        {", at_horizon: finish-on-demand", "buy: spot", true, true},
        {", at_horizon: finish-on-demand", "buy: on-demand", true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "workloads: {w: {kind: training, hours: 1h%s}}\nstrategies: {s: {instance: "
                      "p4d.24xlarge, nodes: 4, %s}}\n",
                 rows[i].job, rows[i].strategy);
        struct study *s = study_from_text(text, NULL);
        assert_int_equal(plan_of(s)->pools[PURCHASE_ON_DEMAND] >= 0, rows[i].on_demand);
        assert_int_equal(plan_of(s)->pools[PURCHASE_SPOT] >= 0, rows[i].spot);
        study_free(s);
    }
}

/* 2026-01-05 and a month is 2026-02-05, 31 days on; another one 2026-03-05, 28 more. */
static void times_count_in_the_calendar(void **state)
{
    (void)state;
    struct study *s =
        study_from_text(JOB("hours: 1h, submit: 1mo, deadline: 1mo, boot: uniform(1min; 3min), "
                            "checkpoint: {restore: exponential(4min)}") FOUR,
                        NULL);
    const struct training_plan *p = plan_of(s);
    assert_near(p->work.submit_s, 31 * 86400.0, 0, "submit");
    assert_near(p->work.deadline_s, 59 * 86400.0, 0, "deadline");
    assert_near(p->work.planned_overhead_s, 120 + 240, 1e-3, "mean boot and restore");
    study_free(s);
    s = study_from_text(JOB("hours: 1h, submit: 0.25s, deadline: 2s") FOUR, NULL);
    assert_near(plan_of(s)->work.deadline_s, 2.25, 0,
                "a deadline from a submission within a second");
    study_free(s);
    s = study_from_text(JOB("hours: 1h") FOUR, NULL);
    assert_true(isinf(plan_of(s)->work.deadline_s));
    study_free(s);
}

int main(void)
{
    gsl_errors_install();
    struct CMUnitTest tests[96] = {
        cmocka_unit_test(an_estimate_is_an_assumption),
        cmocka_unit_test(work_follows_the_draws),
        cmocka_unit_test(all_that_is_wrong_is_told_at_once),
        cmocka_unit_test(a_stated_interval_is_drawn),
        cmocka_unit_test(what_may_go_wrong_is_told_once),
        cmocka_unit_test(defaults_are_listed_under_assumed),
        cmocka_unit_test(pools_are_those_of_the_policy),
        cmocka_unit_test(times_count_in_the_calendar),
    };
    size_t n = 0;
    while (tests[n].test_func != NULL) {
        n++;
    }
#define ADD(table, function)                                                                       \
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {                                  \
        tests[n++] = (struct CMUnitTest){table[i].name, function, NULL, NULL,                      \
                                         (void *)(uintptr_t)&table[i]};                            \
    }
    ADD(speeds, speed)
    ADD(refusals, refusal)
    ADD(intervals, interval)
    assert_true(n <= sizeof tests / sizeof tests[0]);
    return _cmocka_run_group_tests("training_plan", tests, n, NULL, NULL);
}
