/* SPDX-License-Identifier: GPL-3.0-or-later
 * Jobs in a market written by hand (scripted_market.h), and what became of them in words: one line
 * a usage record, one line a result, so that a test shows the whole story that it expects. */
#ifndef FLEETCAST_TESTS_JOB_WORLD_H
#define FLEETCAST_TESTS_JOB_WORLD_H

#include "models/training/job.h"
#include "tests/support/scripted_market.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JOB_WORLD_JOBS = 3 };

/* One job; what is left out is 0 or the first of an enum: gang restarts, periodic checkpoints,
 * nothing at a notice, cut at the horizon. */
struct job_script {
    uint32_t nodes;
    double submit_s, work_s, boot_s;
    int mode;                               /* enum checkpoint_mode */
    double every_s, write_s, restore_s;     /* every 0: none but the final one */
    double boot_spread_s, restore_spread_s; /* uniform from that time to that time + spread */
    bool no_final, restore_from_scratch;
    double copy_s;         /* > 0: asynchronous, with a copy of this length */
    double adaptive_per_s; /* > 0: adaptive, with this planned rate of losses; every_s is then 0 */
    int restart, on_notice, on_rebalance, at_horizon, handover;
    double look_every_s; /* of the policy; 0: at once */
    double mtbf_s;       /* > 0: the hardware of its nodes fails so often, and young nodes … */
    double young_factor; /* … so many times as often in their first 1,000 s */
    /* The first launch of this slot on spot fails then, whatever `mtbf_s` says; at_s 0: none. */
    struct {
        uint32_t slot;
        double at_s;
    } fails[3];
    double detect_s, respond_s;
    int failure_restart; /* enum failure_restart */
    uint32_t spares;
    double staging_s;
    double patience_s; /* 0: nothing is held for others; negative: for ever */
    /* min > 0: elastic, between so many and `nodes`. */
    struct {
        uint32_t min;
        double resize_s, settle_s;
        int on_loss;
        struct elastic_entry fill[3]; /* in place of the policy, when the first has a `most` */
    } elastic;
    /* The policy: on-demand, wait, fallback, or one that wants these in turn, whatever happens. */
    const char *policy;
    double after_s; /* fallback */
    bool back;      /* fallback: `return` */
    struct {
        double from_s;
        enum purchase want;
    } wants[4]; /* policy "script" */
};

struct job_world_script {
    struct scripted_pool spot, on_demand; /* pools 1 and 0; names and purchases are set */
    struct scripted_pool zones[2];        /* of spot, behind the first: "spot-b", "spot-c" */
    size_t zone_count;                    /* of these */
    const struct zone_rule *rule;         /* by which a zone is chosen */
    bool span;                    /* all zones at once; a byte a second crosses each border */
    double max_price, max_hourly; /* of asking; 0: none */
    double stop_at_budget;        /* 0: none */
    struct job_script jobs[JOB_WORLD_JOBS];
    size_t job_count; /* 0: one */
    double horizon_s;
};

struct job_world;
/* Fails the test when something cannot be made. The script is borrowed. */
struct job_world *job_world_new(const struct job_world_script *script);
void job_world_free(struct job_world *w);
/* Runs world `replication` of seed 1 to its end, as the simulation does. watch, which may be NULL,
 * is called after each event. False when nothing is left that could happen, or the fleet failed. */
bool job_world_run(struct job_world *w, uint32_t replication, void (*watch)(struct job_world *w));

const struct usage_log *job_world_usage(const struct job_world *w);
const struct job *job_world_job(const struct job_world *w, size_t index); /* NULL: elastic */
struct work_result job_world_work(const struct job_world *w, size_t index);
struct fleet *job_world_fleet(const struct job_world *w);
const struct job_world_script *job_world_script_of(const struct job_world *w);

/* "spot 0-3 0..4000 finished: useful 3600, boot 400\n" for each record, in the order of the log;
 * with several jobs "a spot …". Caller frees. */
char *job_world_story(const struct job_world *w);
/* "done 4000 of 3600" or "cut 5000, kept 3000 of 3600"; then the counters that are not 0:
 * "; checkpoints 2, launches 4"; then node-seconds: "; spot 16000, on-demand 0". Caller frees. */
char *job_world_result(const struct job_world *w, size_t index);

#endif
