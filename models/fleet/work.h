/* SPDX-License-Identifier: GPL-3.0-or-later
 * Work, as the simulator drives it, whatever its kind: a table of functions (struct work_kind),
 * what is known of it before any world is drawn (struct work_plan) and what became of it in a world
 * (struct work_result). A kind of workload is a folder that fills these, and one row in
 * scenarios/reader/workload_kinds.h; study, simulation, charges, metrics and tables read nothing
 * else of it. */
#ifndef FLEETCAST_MODELS_WORK_H
#define FLEETCAST_MODELS_WORK_H

#include "engine/money.h"
#include "engine/text.h"
#include "models/fleet/fleet.h"
#include "models/fleet/label_keys.h"
#include "models/fleet/project.h"
#include "models/fleet/storage_keys.h"
#include "models/fleet/warm_nodes.h"
#include "models/fleet/work_order.h"
#include "models/policies/strategy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what became of it ---- */

/* Of many jobs that queue for nodes. Waits from coming to first running; turnarounds to the end. Of
 * jobs that have not run or ended: up to the end of the world. */
struct work_queue {
    uint32_t jobs, done; /* that came; those of them that are done */
    uint32_t waited;     /* jobs that did not run at once */
    double wait_mean_s, wait_p50_s, wait_p95_s, wait_max_s;
    double turnaround_mean_s, turnaround_p95_s;
    double base_node_s; /* nodes of the first way to buy × the time from beginning to end … */
    double base_busy_node_s; /* … and how much of it jobs ran on them */
};

/* Half, 90, 95 and 99 % of requests. */
enum { WORK_QUANTILES = 4 };

/* Of a service that answers requests: of those that came while it was measured. They add up:
 * served, dropped, timed_out, lost, rejected and left make requests. NaN: does not exist, such as a
 * quantile of none.
 */
struct work_service {
    double requests, served, dropped, timed_out, lost, left;
    double retries; /* requests sent again */
    double latency_mean_s, latency_p50_s, latency_p90_s, latency_p95_s, latency_p99_s;
    double wait_mean_s, wait_p95_s; /* until it is served */
    double waited;                  /* share of those served that did not begin at once */
    double within_slo;              /* requests served within the objective; NaN: none is stated */
    double replica_s, busy_replica_s; /* ready; busy of these */
    double in_system;                 /* requests that wait or are served, on average */
    double rejected;                  /* longer than any replica could serve, or not let in */
    /* Of a language model; quantiles are those of WORK_QUANTILES. */
    bool speaks; /* it is one; else the rest is not there */
    double ttft_mean_s, tpot_mean_s;
    double ttft_s[WORK_QUANTILES],
        tpot_s[WORK_QUANTILES]; /* to the first token; of each one after it */
    double prompt_tokens, output_tokens, output_tokens_per_s;
    double evictions; /* requests that lost their place in a cache, measured or not */
    /* Of the whole time, measured or not: node-seconds that its replicas were busy, each by the
     * share of its slots, and that they loaded. */
    double busy_node_s, loading_node_s;
    /* Hours of the scenario of which it is known what share was within the objective; those in
     * which the target share was. Hours in which it was overloaded, whole ones or what of one it
     * ran (hour_watch.h). */
    double hours_judged, hours_met, overloaded_h;
};

/* Of machines that people work on. */
struct work_sessions {
    double sessions;         /* that began */
    double forgotten;        /* after which the machine was left on */
    double forgotten_node_s; /* in which nobody worked on a machine that was ready */
    double wait_s;           /* in sessions, for a machine to be ready */
};

/* Of items that are worked off. */
struct work_items {
    double items, done;
    double redone; /* worked on in vain: the node was gone before its chunk was done */
};

/* Times from the scenario's start. What a kind does not know of stays 0. */
struct work_result {
    bool by_clock;                 /* usage by the clock: never late, never unfinished */
    bool finished;                 /* its own end came */
    bool cancelled;                /* the project was cancelled before */
    double end_s;                  /* of the work; the horizon when not finished */
    double work_s;                 /* useful seconds that finite work needs in all */
    double kept_s;                 /* useful seconds kept at the end */
    uint64_t checkpoints;          /* complete ones */
    const double *checkpoint_at_s; /* when the first min(checkpoints, `keep`) of them were complete;
                                      rising; borrowed until the next world */
    uint32_t restarts;             /* restores begun after a loss or a switch */
    uint32_t losses;               /* times a working, restoring or booting gang lost nodes */
    uint32_t switches;             /* planned moves to another pool */
    uint32_t resizes;              /* times nodes joined or left work that went on */
    double idle_s;                 /* in which nodes were wanted and not one was held */
    uint32_t launches;             /* of nodes */
    uint32_t interruptions;        /* of nodes, by the cloud */
    double handed_in_s;            /* when it was submitted, or what it waits for was done; set by
                                      the study */
    const struct work_queue *queue;       /* NULL: the kind has none; borrowed as above */
    const struct work_service *service;   /* NULL: it is none; borrowed as above */
    const struct work_sessions *sessions; /* likewise */
    const struct work_items *items;       /* likewise */
    bool may_fail;                        /* the hardware of its nodes fails at times … */
    uint32_t failures;                    /* … which is so many nodes */
    double crossed_bytes;                 /* over borders between zones */
    const struct stopped_span *stopped;   /* when nodes stood stopped; borrowed as above */
    size_t stopped_count;
    bool needs; /* what it needs does not hang on what it has, as usage by the clock, … */
    double needed_node_s; /* … and nodes × seconds were needed so many … */
    double served_node_s; /* … and for which as many nodes had booted and were held */
    bool hosted;          /* it stands on the nodes of another workload … */
    uint32_t host;        /* … of this index, … */
    double hosted_node_s; /* … and has taken so many node-seconds there */
    money_t hosted_cost;  /* its share of what they cost; set by the study */
};

/* ---- what is known before ---- */

/* Most pools that one workload may ask under one strategy. */
enum { WORK_MAX_POOLS = 16 };

struct work_pool {
    int pool; /* the market's index; each at most once in a plan */
    enum purchase purchase;
    uint32_t nodes; /* most that are held in it at a time: slots are 0 … nodes - 1 */
};

struct work_kind;

/* One workload under one strategy: the first member of every kind's own plan. Read only once made.
 */
struct work_plan {
    const struct work_kind *kind;
    uint32_t workload; /* index in the scenario */
    const char *workload_name;
    struct place place; /* of the workload */
    bool finite;        /* has an end of its own: it may be late, or not finished */
    uint32_t nodes;     /* that run at a time, at most */
    struct work_pool pools[WORK_MAX_POOLS];
    size_t pool_count;
    const char *how;               /* the nodes are bought, for people: "policy wait" */
    const struct project *project; /* NULL: nothing can happen to it */
    double submit_s;               /* as stated; see work_submit_s */
    bool awaits;            /* it begins after other workloads, when it is told to: `start` */
    double planned_start_s; /* as planning sees it; set by the study */
    double deadline_s;      /* from the scenario's start; +infinity: none */
    /* As planning sees it, nothing being lost. */
    double planned_work_s, planned_overhead_s; /* finite work and what goes before it */
    bool failures_stated;                      /* of hardware; none is stated too */
    bool memory_checked; /* what it works on is known to fit, or it would have been refused */
    bool crosses_zones;  /* what it synchronises between zones is paid: see crossed_bytes */
    /* Those that are to be expected, and what one costs, where the plan leaves them out; 0: it does
     * not, or nothing is known. */
    double left_out_failures, left_out_failure_cost;
    double planned_requests; /* that it answers in a world: each may take some events */
    bool cut_at_horizon;     /* what is unfinished then is not gone on with */
};

/* When it is submitted in a world, which may be later than stated; drawn NULL: as planned. */
static inline double work_submit_s(const struct work_plan *plan, const double *drawn)
{
    double slip_s = plan->project == NULL ? 0.0 : project_slip_s(plan->project, drawn);
    return plan->submit_s + slip_s;
}

/* True when some node may be bought like this. */
static inline bool work_plan_buys(const struct work_plan *plan, enum purchase purchase)
{
    for (size_t i = 0; i < plan->pool_count; i++) {
        if (plan->pools[i].purchase == purchase) {
            return true;
        }
    }
    return false;
}

/* What a plan is made of. */
struct work_request {
    const void *spec; /* what the kind's schema filled */
    uint32_t workload;
    const struct strategy *strategy;
    struct market_plan *market;
    const struct market_context *context;
    const struct project *project;        /* for work_plan.project */
    bool awaits;                          /* for work_plan.awaits */
    double deadline_s;                    /* of the project, for a workload that ends it; 0: none */
    const struct work_plan *const *hosts; /* plans made so far, by workload; NULL entries: none */
    size_t hosts_count;
    bool hosts_failed; /* some host could not be planned, which was told */
};

/* ---- what it keeps and moves ---- */

/* Checkpoints that lie in a store and cost there. */
struct work_saves {
    bool given;      /* some are kept, and their size is known */
    bool continuous; /* there are always `keep` of them; else the result's checkpoints count */
    int item;        /* enum storage_item: what is paid by the GiB: S3, volumes, FSx */
    const struct number *size, *per_gb_month;
    /* Not NULL: the size follows from something else, of `derived_from`. */
    double (*derived_bytes)(const void *derived_from, const double *drawn);
    const void *derived_from;
    int64_t keep;
    const struct number *part_size, *per_1000_put, *per_1000_get; /* of requests */
};

/* Borrowed from the workload's spec. */
struct work_data {
    const char *name;   /* of the workload; set by the study */
    struct place place; /* of the workload */
    const struct disk_spec *disk;
    const struct dataset_spec *dataset;
    const struct schema_list *transfer; /* struct transfer_spec */
    bool crosses_zones;                 /* under some strategy; set by the study */
    struct work_saves saves;            /* not given: none; its numbers are there all the same */
    const struct label_spec *labels;    /* whose it is; NULL: the kind knows no such keys */
    const struct order_spec *order;     /* what it waits for; NULL: it has no end of its own */
};

/* ---- a kind ---- */

/* One line of what a plan means: a term, and its meaning, borrowed for the call. */
typedef void work_line(void *context, const char *term, const struct text *meaning);

/* One figure behind a plan; texts are borrowed for the call. */
struct work_reason {
    const char *part;     /* what it belongs to: "speed", "step", "memory" */
    const char *quantity; /* "activations" */
    double value;         /* NaN: `note` says it in words */
    const char *unit;     /* "GiB", "ms", "%", "" */
    const char *note;     /* NULL: none */
};
typedef void work_reason_row(void *context, const struct work_reason *reason);

struct work_kind {
    const struct schema *schema; /* of the workload's keys; its name is the `kind` */
    bool sized_by_strategy;      /* the strategy's `nodes` says how many run it */
    bool stops_when_idle;        /* the strategy may say `stop_when_idle` */
    bool is_gang;                /* the strategy may say `spares` and `span_zones` */
    bool is_service;             /* the strategy may say `autoscale`, and what goes with it */
    bool is_host;                /* other workloads may stand on its nodes: it is planned first */
    /* Once, before planning: reads the files that the spec names, relative to the folder, and notes
     * them among the inputs. False, told, when that failed. NULL: it names none. */
    bool (*read_files)(void *spec, const char *folder, const struct market_context *context);
    struct work_data (*data)(const void *spec, const struct market_context *context);
    /* In the context's arena. All that is wrong goes to the context's diagnostics, what is assumed
     * to its register. NULL when anything failed. */
    struct work_plan *(*plan)(const struct work_request *r);
    /* What is worth saying of a plan beside its pools and its deadline, line by line. */
    void (*describe)(const struct work_plan *plan, const struct market_plan *market,
                     work_line *line, void *context);
    /* The figures from which the plan follows, part by part. NULL: there are none. */
    void (*reasons)(const struct work_plan *plan, work_reason_row *row, void *context);

    /* Made once and used for every world; adds its crews to the fleet. NULL when out of memory. The
     * plan is borrowed. */
    void *(*make)(const struct work_plan *plan, struct fleet *fleet);
    void (*free)(void *work);
    /* After fleet_begin: draws what is drawn once a world and schedules the work's beginning,
     * unless it awaits. False when a drawn number is impossible; then no world of it can be
     * simulated. */
    bool (*begin)(void *work, const double *drawn);
    /* A plan that awaits: what it waits for is done, and it is submitted now. No effect on work
     * that is done. NULL, as the next: the kind never awaits. */
    void (*start)(void *work);
    /* Likewise: what it waits for has ended undone, so it never begins and is done, unfinished. */
    void (*forgo)(void *work);
    /* Nothing more will come of it. */
    bool (*done)(const void *work);
    /* At the horizon, with the calendar standing there: ends the work, or makes it go on to its own
     * end where its spec says so; then `done` tells. No effect on work that is done. */
    void (*horizon)(void *work);
    /* The project is cancelled, now: ends the work, which is then done, and gives its nodes back.
     * No effect on work that is done. */
    void (*cancel)(void *work);
    struct work_result (*result)(const void *work);
};

#endif
