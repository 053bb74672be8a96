/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a checkpoint takes, from its size and the bandwidth, through the scenario reader: the worked
 * examples of docs/models.md, what is assumed, and what is refused. */
#include "engine/gsl_errors.h"
#include "models/training/training_work.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "version: 1\nstart: 2026-01-05\nhorizon: 60d\nregion: us-east-1\nreplications: 1\n"

struct cost_row {
    const char *name, *job;
    int nodes;
    double pause_s, complete_s, restore_s;
};

static const struct cost_row costs[] = {
    /* 7B x 14 bytes = 98 GB; 4 x 1 GB/s; 5 s */
    {"7B on four nodes, sharded", "model: {parameters: 7B}, checkpoint: {}", 4, 29.5, 29.5, 29.5},
    {"7B, one rank", "model: {parameters: 7B}, checkpoint: {sharded: no}", 4, 103, 103, 103},
    {"a stated size before that of the model", "model: {parameters: 7B}, checkpoint: {size: 40 GB}",
     4, 15, 15, 15},
    /* BLOOM: 2.3 to 2.5 TB in 40 s on 48 nodes: 57 to 62 GB/s, latency included */
    {"BLOOM",
     "model: {parameters: 176.2B}, checkpoint: {storage: fsx, bandwidth_shared: 70.5 GB/s}", 48,
     39.99, 39.99, 39.99},
    {"the shared bandwidth binds", "checkpoint: {size: 100 GB, bandwidth_shared: 2 GB/s}", 4, 55,
     55, 55},
    {"the nodes' bandwidth binds",
     "checkpoint: {size: 100 GB, bandwidth_per_node: 250 MB/s, bandwidth_shared: 2 GB/s}", 4, 105,
     105, 105},
    {"EBS as it comes", "checkpoint: {size: 10 GB, storage: ebs}", 2, 45, 45, 45},
    {"EBS with a disk's throughput",
     "disk: {size: 500 GiB, throughput: 500 MB/s}, checkpoint: {size: 10 GB, storage: ebs}", 2, 15,
     15, 15},
    {"no latency", "checkpoint: {size: 100 GB, latency: 0s}", 4, 25, 25, 25},
    {"stated times win", "checkpoint: {size: 100 GB, write: 7s, restore: 9s}", 4, 7, 7, 9},
    {"a stated write alone", "checkpoint: {size: 100 GB, write: 7s}", 4, 7, 7, 30},
    /* 98 GB / (32 x 10 GB/s) = 0.30625 s */
    {"asynchronous: the copy, then the write",
     "model: {parameters: 7B}, checkpoint: {asynchronous: yes}", 4, 0.30625, 29.80625, 29.5},
    {"asynchronous, a stated copy",
     "checkpoint: {size: 98 GB, asynchronous: yes, copy: 2s, write: 1min}", 4, 2, 62, 29.5},
    {"only what is trained is written",
     "model: {parameters: 7B, trained_parameters: 100M}, checkpoint: {}", 1, 6.4, 6.4, 6.4},
    {"a published model", "model: llama-2-7b, checkpoint: {sharded: no, latency: 0s}", 1,
     6.738415616 * 14, 6.738415616 * 14, 6.738415616 * 14},
};

static struct study *study_of(const char *job, int nodes)
{
    char text[2048];
    snprintf(text, sizeof text,
             HEAD "workloads: {w: {kind: training, hours: 10h, %s}}\n"
                  "strategies: {s: {instance: p4d.24xlarge, nodes: %d, buy: on-demand}}\n",
             job, nodes);
    return study_from_text(text, NULL);
}

static void cost(void **state)
{
    const struct cost_row *row = *state;
    struct study *s = study_of(row->job, row->nodes);
    const struct training_plan *p = training_plan_of(s->strategies[0].plans[0]);
    const uint32_t n = (uint32_t)row->nodes;
    assert_relative(checkpoint_pause_s(p, n, NULL), row->pause_s, 2e-3, "pause");
    assert_relative(checkpoint_complete_s(p, n, NULL), row->complete_s, 2e-3, "complete");
    assert_relative(checkpoint_planned_restore_s(p, n), row->restore_s, 2e-3, "restore");
    study_free(s);
}

/* A world's own size and bandwidth; planning sees medians. */
static void a_world_has_its_own(void **state)
{
    (void)state;
    struct study *s = study_of("checkpoint: {size: 50 GB..200 GB, bandwidth_shared: uniform(1 "
                               "GB/s; 3 GB/s)}",
                               8);
    const struct training_plan *p = training_plan_of(s->strategies[0].plans[0]);
    double drawn[8] = {0};
    drawn[inputs_find(s->scenario->inputs, "workloads.w.checkpoint.size")] = 60e9;
    drawn[inputs_find(s->scenario->inputs, "workloads.w.checkpoint.bandwidth_shared")] = 1.5e9;
    assert_relative(checkpoint_write_s(p, 8, NULL), 100e9 / 2e9 + 5, 1e-9, "planned");
    assert_relative(checkpoint_write_s(p, 8, drawn), 45, 1e-12, "drawn");
    study_free(s);
}

struct said_row {
    const char *job, *what, *value;
};

static const struct said_row said[] = {
    {"model: {parameters: 7B}, checkpoint: {}", "size of a checkpoint of w",
     "98 GB, 14 bytes a trained parameter"},
    {"model: {parameters: 7B}, checkpoint: {}", "bandwidth of checkpoints of w", "1 GB/s a node"},
    {"model: {parameters: 7B}, checkpoint: {}", "what a checkpoint of w takes beside its transfer",
     "5 s"},
    {"model: {parameters: 7B}, checkpoint: {}", "time to write a checkpoint of w",
     "29.5 s on 4 nodes"},
    {"model: {parameters: 7B}, checkpoint: {sharded: no}", "time to write a checkpoint of w",
     "1.72 min on 1 writing node"},
    {"model: {parameters: 7B}, checkpoint: {}", "time to restore w", "29.5 s"},
    {"model: {parameters: 7B}, checkpoint: {asynchronous: yes}",
     "copy of a checkpoint of w to host memory", "306 ms"},
    {"checkpoint: {size: 98 GB, write: 3s, restore: 4s}", "bandwidth of checkpoints of w", NULL},
    {"checkpoint: {size: 98 GB, write: 3s, restore: 4s}", "size of a checkpoint of w", NULL},
    {"checkpoint: {size: 98 GB, latency: 1s, bandwidth_per_node: 3 GB/s}",
     "bandwidth of checkpoints of w", NULL},
    {"checkpoint: none, model: {parameters: 7B}", "size of a checkpoint of w", NULL},
};

static void assumed(void **state)
{
    const struct said_row *row = *state;
    struct study *s = study_of(row->job, 4);
    const char *value = NULL;
    for (size_t i = 0; i < s->assumptions.count; i++) {
        const struct assumption *a = &s->assumptions.items[i];
        value = strcmp(a->what, row->what) == 0 ? a->value : value;
    }
    if (row->value == NULL) {
        assert_null(value);
    } else {
        assert_non_null(value);
        assert_string_equal(value, row->value);
    }
    study_free(s);
}

static const struct said_row refused[] = {
    {"checkpoint: {storage: local, size: 98 GB}", "are gone with their node", NULL},
    {"checkpoint: {storage: fsx, size: 98 GB}", "expected 'bandwidth_shared'", NULL},
    {"checkpoint: {asynchronous: yes}", "which is not known", NULL},
    {"checkpoint: {asynchronous: yes, copy: 3s}", "which is not known", NULL},
    {"checkpoint: {bandwidth_per_node: 1 GB/s}", "but not their size", NULL},
    {"checkpoint: {mode: continuous, asynchronous: yes}", "'w' writes continuously", NULL},
    {"checkpoint: {asynchronous: yes, size: 98 GB, every: 20s}",
     "to begin every 20 s, but each is written in the background for 29.5 s", NULL},
};

static void refusal(void **state)
{
    const struct said_row *row = *state;
    char text[2048];
    snprintf(text, sizeof text,
             HEAD "workloads: {w: {kind: training, hours: 10h, %s}}\n"
                  "strategies: {s: {instance: p4d.24xlarge, nodes: 4, buy: on-demand}}\n",
             row->job);
    int code;
    char *what = study_errors(text, &code);
    if (strstr(what, row->what) == NULL) {
        fail_msg("expected: %s\ngot: %s", row->what, what);
    }
    assert_int_equal(code, 2);
    free(what);
}

int main(void)
{
    gsl_errors_install();
    struct CMUnitTest tests[64] = {cmocka_unit_test(a_world_has_its_own)};
    size_t n = 1;
#define ADD(table, function)                                                                       \
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {                                  \
        tests[n++] = (struct CMUnitTest){.name = #function,                                        \
                                         .test_func = function,                                    \
                                         .initial_state = (void *)(uintptr_t)&table[i]};           \
    }
    ADD(costs, cost)
    ADD(said, assumed)
    ADD(refused, refusal)
    assert_true(n <= sizeof tests / sizeof tests[0]);
    return _cmocka_run_group_tests("checkpoint_cost", tests, n, NULL, NULL);
}
