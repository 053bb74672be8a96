/* SPDX-License-Identifier: GPL-3.0-or-later
 * The invariants of the design, each a test of its name, on studies that go through the scenario
 * reader. (Files and exit codes are judged by test_cli.c, hostile text by test_hostile.c.) */
#include "engine/gsl_errors.h"
#include "models/billing/rating.h"
#include "models/training/training_work.h"
#include "scenarios/output/result_tables.h"
#include "scenarios/study/simulation.h"
#include "tests/support/month_sums.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Uncertain speed, price, availability and boot; gangs; losses; both ways to buy; two workloads. */
#define HEAD                                                                                       \
    "version: 1\n"                                                                                 \
    "start: 2026-01-30T10:17Z\n"                                                                   \
    "horizon: 20d\n"                                                                               \
    "region: us-east-1\n"                                                                          \
    "seed: 7\n"                                                                                    \
    "budget: 700 USD\n"                                                                            \
    "market:\n"                                                                                    \
    "  spot:\n"                                                                                    \
    "    p3.2xlarge: {price: 0.9..1.1 USD/h, availability: 60..90 %, interruptions: 0.01/h}\n"
#define JOB                                                                                        \
    "workloads:\n"                                                                                 \
    "  main:\n"                                                                                    \
    "    kind: training\n"                                                                         \
    "    hours: 30..50h\n"                                                                         \
    "    boot: lognormal(p50=3min; p95=9min)\n"                                                    \
    "    restart: node\n"                                                                          \
    "    checkpoint: {every: auto, write: 20..40s, restore: exponential(4min)}\n"                  \
    "    deadline: 6d\n"
#define SECOND                                                                                     \
    "  second:\n"                                                                                  \
    "    kind: training\n"                                                                         \
    "    hours: 5h\n"                                                                              \
    "    submit: 12h\n"                                                                            \
    "    checkpoint: continuous\n"
#define STRATEGIES                                                                                 \
    "strategies:\n"                                                                                \
    "  on-demand: {instance: p3.2xlarge, nodes: 4, buy: on-demand}\n"                              \
    "  spot: {instance: p3.2xlarge, nodes: 4, buy: spot}\n"                                        \
    "  back: {instance: p3.2xlarge, nodes: 4, buy: spot, policy: {name: fallback, return: yes}}\n"
#define REPLICATIONS "replications: 200\n"

static const char whole[] = HEAD REPLICATIONS JOB SECOND STRATEGIES;

static void assert_same_cells(const struct run *a, size_t strategy_a, const struct run *b,
                              size_t strategy_b, uint32_t count)
{
    size_t rows = a->results.workloads + 1;
    assert_int_equal(rows, b->results.workloads + 1);
    for (uint32_t i = 0; i < count; i++) {
        assert_memory_equal(results_cells(&a->results, i, strategy_a, 0),
                            results_cells(&b->results, i, strategy_b, 0),
                            rows * sizeof(struct metric_cells));
        assert_memory_equal(results_months(&a->results, i, strategy_a),
                            results_months(&b->results, i, strategy_b),
                            a->results.months * sizeof(money_t));
    }
}

/* ---- 1. same scenario, same seed, same bytes ---- */

static void same_bytes_at_any_number_of_threads(void **state)
{
    (void)state;
    struct study *s = study_from_text(whole, NULL);
    struct run one, three;
    study_run(&one, s, 1);
    study_run(&three, s, 3);
    for (size_t k = 0; k < 3; k++) {
        assert_same_cells(&one, k, &three, k, 200);
        assert_int_equal(one.plan_worlds[k], three.plan_worlds[k]);
    }
    size_t floats = (size_t)one.timeline.replications * 3 * TIMELINE_MEASURES * one.timeline.most;
    assert_int_equal(one.timeline.most, three.timeline.most);
    assert_memory_equal(one.timeline.worlds, three.timeline.worlds, floats * sizeof(float));
    run_release(&one);
    run_release(&three);
    study_free(s);
}

/* One work of each kind, in a project that slips and may be cancelled: whatever a simulation did
 * before, a world is as if it were its first. */
static const char *const works[] = {
    "kind: training, hours: 30h, look_every: 20min, deadline: 5d, failures: {mtbf: 60h}, "
    "response: {auto: 5min, human: exponential(3h), p_human: 30 %}",
    "kind: training, hours: 30h, elastic: {min: 1, max: 3}, look_every: 20min, checkpoint: "
    "continuous",
    "kind: training, hours: 30h, checkpoint: {every: adaptive, write: 60s}",
    "kind: usage, nodes: [{from: 1d, for: 2d, nodes: 3}]",
    "kind: jobs, rate: 1/h, until: 3d, duration: exponential(2h)",
    "kind: trials, trials: 9, duration: exponential(5h)",
    "kind: inference, mode: requests, demand: {rate: 0.02/s, until: 3d, bursts: {every: 3h, for: "
    "10min, factor: 9}}, service: {any: {time: exponential(60s)}}, timeout: 5min, retries: 2",
    "kind: inference, mode: interval, demand: 9/s, service: {any: {time: exponential(1s)}}",
};

static void a_world_depends_on_itself_alone(void **state)
{
    (void)state;
    enum { WORLDS = 8 };
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        bool service = strstr(works[i], "inference") != NULL;
        bool requests = strstr(works[i], "requests") != NULL;
        char scenario[2000];
        snprintf(scenario, sizeof scenario,
                 "version: 1\nstart: 2026-03-02\nhorizon: 6d\nregion: us-east-1\nseed: 5\n"
                 "replications: %d\ncancel: {probability: 40 %%, at: uniform(1h; 6d)}\n"
                 "slip: uniform(0h; 2d)\n"
                 "market: {spot: {p3.2xlarge: {price: 1 USD/h, availability: 0.6..0.9}}}\n"
                 "workloads: {w: {%s}}\n"
                 "strategies: {s: {instance: p3.2xlarge, %s buy: spot%s}}\n",
                 WORLDS, works[i], strstr(works[i], "usage") != NULL ? "" : "nodes: 2,",
                 !service   ? ""
                 : requests ? ", autoscale: keda, min_replicas: 0, max_replicas: 6"
                            : ", autoscale: {name: hpa, utilisation: 60 %}, max_replicas: 30");
        struct study *s = study_from_text(scenario, NULL);
        struct run run;
        study_run(&run, s, 1);
        for (uint32_t k = 0; k < WORLDS; k++) {
            struct metric_cells cells[2];
            const struct simulation_outputs out = {.cells = cells};
            struct simulation *fresh = simulation_new(s);
            assert_true(simulation_begin_world(fresh, k));
            assert_true(simulation_run_strategy(fresh, 0, &out));
            for (int m = 0; m < METRIC_COUNT; m++) {
                double then = metric_number(results_cells(&run.results, k, 0, 0), (enum metric)m);
                double now = metric_number(&cells[0], (enum metric)m);
                if (then != now && !(isnan(then) && isnan(now)) && m != METRIC_OVER_BUDGET &&
                    m != METRIC_BEYOND_TRACE) {
                    fail_msg("%s, world %u, %s: %.9g after others, %.9g alone", works[i], k,
                             metric_table[m].name, then, now);
                }
            }
            simulation_free(fresh);
        }
        run_release(&run);
        study_free(s);
    }
}

static void same_bytes_alone_or_among_others(void **state)
{
    (void)state;
    static const char alone[] =
        HEAD REPLICATIONS JOB SECOND "strategies:\n"
                                     "  back: {instance: p3.2xlarge, nodes: 4, buy: spot, policy: "
                                     "{name: fallback, return: yes}}\n";
    struct study *s = study_from_text(whole, NULL);
    struct study *a = study_from_text(alone, NULL);
    struct run all, single;
    study_run(&all, s, 2);
    study_run(&single, a, 2);
    assert_same_cells(&all, 2, &single, 0, 200);
    const size_t buckets = all.timeline.frames[2].buckets;
    assert_int_equal(buckets, single.timeline.frames[0].buckets);
    assert_true(buckets != all.timeline.frames[0].buckets);
    for (uint32_t i = 0; i < 200; i++) {
        assert_memory_equal(timeline_world(&all.timeline, i, 2, TIMELINE_SPEND),
                            timeline_world(&single.timeline, i, 0, TIMELINE_SPEND),
                            buckets * sizeof(float));
    }
    run_release(&all);
    run_release(&single);
    study_free(s);
    study_free(a);
}

static void with_precision_one_is_a_prefix_of_the_other(void **state)
{
    (void)state;
    static const char precise[] =
        HEAD "precision: 5 %\nprecision_of: cost_usd.p50\nmax_replications: 20000\n" JOB STRATEGIES;
    static const char alone[] =
        HEAD "precision: 5 %\nprecision_of: cost_usd.p50\nmax_replications: 20000\n" JOB
             "strategies:\n  on-demand: {instance: p3.2xlarge, nodes: 4, buy: on-demand}\n";
    struct study *s = study_from_text(precise, NULL);
    struct study *a = study_from_text(alone, NULL);
    struct run all, single;
    study_run(&all, s, 2);
    study_run(&single, a, 2);
    assert_true(all.precise && single.precise);
    assert_true(all.precision_reached <= 0.05);
    uint32_t n = single.results.replications < all.results.replications
                     ? single.results.replications
                     : all.results.replications;
    assert_true(n >= 500);
    assert_same_cells(&all, 0, &single, 0, n);
    run_release(&all);
    run_release(&single);
    study_free(s);
    study_free(a);
}

/* ---- 2. one world for all strategies ---- */

struct luck {
    bool known;
    double boot_s;
};

/* The k-th launch of a slot boots equally long in both strategies, whenever it comes. */
static void the_kth_launch_meets_the_same_luck(void **state)
{
    (void)state;
    struct study *s = study_from_text(whole, NULL);
    struct simulation *sim = simulation_new(s);
    const struct simulation_outputs nothing = {0};
    size_t compared = 0;
    for (uint32_t world = 0; world < 40; world++) {
        struct luck seen[4][64] = {0};
        assert_true(simulation_begin_world(sim, world));
        for (size_t k = 1; k < 3; k++) {
            assert_true(simulation_run_strategy(sim, k, &nothing));
            const struct usage_log *log = simulation_usage(sim);
            uint32_t launches[4] = {0};
            for (size_t i = 0; i < log->count; i++) {
                const struct usage *u = &log->records[i];
                bool spot = market_pool_info(s->market, u->pool)->purchase == PURCHASE_SPOT;
                double boot_s = (double)u->activity_us[ACTIVITY_BOOT] / 1e6;
                bool whole_boot = u->activity_us[ACTIVITY_USEFUL] > 0;
                if (u->workload != 0 || !spot) {
                    continue;
                }
                assert_int_equal(u->twins, 0); /* their boots differ */
                uint32_t launch = launches[u->slot]++;
                if (launch >= 64 || !whole_boot) {
                    continue;
                }
                struct luck *l = &seen[u->slot][launch];
                if (l->known) {
                    assert_near(boot_s, l->boot_s, 2e-6, "boot of the same launch");
                    compared++;
                }
                *l = (struct luck){true, boot_s};
            }
        }
    }
    assert_true(compared > 100);
    simulation_free(sim);
    study_free(s);
}

static void adding_a_workload_changes_no_draw(void **state)
{
    (void)state;
    static const char fewer[] = HEAD REPLICATIONS JOB STRATEGIES;
    struct study *more = study_from_text(whole, NULL);
    struct study *less = study_from_text(fewer, NULL);
    struct run a, b;
    study_run(&a, more, 2);
    study_run(&b, less, 2);
    /* On-demand shares nothing: the first workload's cells are the same bytes. */
    for (uint32_t i = 0; i < 200; i++) {
        assert_memory_equal(results_cells(&a.results, i, 0, 0), results_cells(&b.results, i, 0, 0),
                            sizeof(struct metric_cells));
    }
    run_release(&a);
    run_release(&b);
    study_free(more);
    study_free(less);
}

static void every_strategy_meets_the_same_market(void **state)
{
    (void)state;
    struct study *s = study_from_text(whole, NULL);
    struct simulation *sim = simulation_new(s);
    const struct simulation_outputs nothing = {0};
    int pool = training_plan_of(s->strategies[1].plans[0])->pools[PURCHASE_SPOT];
    for (uint32_t world = 0; world < 10; world++) {
        uint32_t before[480];
        assert_true(simulation_begin_world(sim, world));
        money_t price = market_price(simulation_market(sim), pool, 0, NULL);
        for (int h = 0; h < 480; h++) {
            before[h] = market_capacity(simulation_market(sim), pool, h * 3600.0, 100);
        }
        for (size_t k = 0; k < 3; k++) {
            assert_true(simulation_run_strategy(sim, k, &nothing));
            assert_int_equal(market_price(simulation_market(sim), pool, 0, NULL), price);
            for (int h = 0; h < 480; h++) {
                assert_int_equal(market_capacity(simulation_market(sim), pool, h * 3600.0, 100),
                                 before[h]);
            }
        }
    }
    simulation_free(sim);
    study_free(s);
}

/* ---- 3. money is exact and conserved ---- */

static void lines_months_workloads_and_records_add_up(void **state)
{
    (void)state;
    struct study *s = study_from_text(whole, NULL);
    struct simulation *sim = simulation_new(s);
    struct metric_cells cells[3];
    money_t months[32], parts[BILL_ROWS * 32];
    assert_true(s->frame.months <= 32);
    for (uint32_t world = 0; world < 50; world++) {
        assert_true(simulation_begin_world(sim, world));
        for (size_t k = 0; k < 3; k++) {
            const struct simulation_outputs out = {
                .cells = cells, .months = months, .by_month = parts};
            assert_true(simulation_run_strategy(sim, k, &out));
            money_t total = cells[2].value[METRIC_COST].money;
            money_t by_line = 0, by_month = 0, by_record = 0;
            for (int p = 0; p < PURCHASE_COUNT; p++) {
                for (int a = 0; a < ACTIVITY_COUNT; a++) {
                    by_line += cells[2].line[p][a];
                }
            }
            for (size_t m = 0; m < s->frame.months; m++) {
                by_month += months[m];
            }
            const struct usage_log *log = simulation_usage(sim);
            for (size_t i = 0; i < log->count; i++) {
                by_record += usage_nodes(&log->records[i]) *
                             rating_pieces(simulation_market(sim), &log->records[i],
                                           s->frame.start_unix_s, NULL, NULL);
            }
            assert_true(total > 0);
            assert_int_equal(by_line, total);
            assert_int_equal(by_month, total);
            assert_int_equal(by_record, total);
            assert_months_add_up(s, &cells[2], months, parts);
            assert_int_equal(cells[0].value[METRIC_COST].money + cells[1].value[METRIC_COST].money,
                             total);
            assert_int_equal(cells[2].value[METRIC_ON_DEMAND_COST].money +
                                 cells[2].value[METRIC_SPOT_COST].money,
                             total);
        }
    }
    simulation_free(sim);
    study_free(s);
}

/* ---- 4. a missing price is an error ---- */

static void a_missing_price_is_never_a_default(void **state)
{
    (void)state;
    /* P5e is sold in capacity blocks only; nothing is known of p2 on-demand in 2016. */
    static const struct {
        const char *start, *type, *says;
    } cases[] = {
        {"2026-01-30", "p5e.48xlarge", "p5e.48xlarge"},
        {"2016-01-01", "p2.xlarge", "p2.xlarge"},
    };
    for (size_t i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "version: 1\nstart: %s\nhorizon: 5d\nregion: us-east-1\n"
                 "workloads: {job: {kind: training, hours: 5h}}\n"
                 "strategies: {a: {instance: %s, nodes: 1, buy: on-demand}}\n",
                 cases[i].start, cases[i].type);
        int code = 0;
        char *what = study_errors(text, &code);
        assert_true(code == 2 || code == 4);
        assert_non_null(strstr(what, cases[i].says));
        assert_non_null(strstr(what, "us-east-1"));
        free(what);
    }
}

static bool assumed(const struct study *s, const char *what)
{
    for (size_t i = 0; i < s->assumptions.count; i++) {
        if (strstr(s->assumptions.items[i].what, what) != NULL) {
            return true;
        }
    }
    return false;
}

static void what_is_assumed_is_listed(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2026-01-30\nhorizon: 5d\nregion: us-east-1\n"
        "workloads: {job: {kind: training, samples: 1M, throughput: {p4d.24xlarge: 100/s}}}\n"
        "strategies:\n  od: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}\n"
        "  spot: {instance: p4d.24xlarge, nodes: 2, buy: spot}\n";
    struct study *s = study_from_text(text, NULL);
    assert_true(assumed(s, "spot price"));
    assert_true(assumed(s, "availability"));
    assert_true(assumed(s, "scaling"));
    assert_true(assumed(s, "boot"));
    bool extrapolated = false;
    for (size_t i = 0; i < s->assumptions.count; i++) {
        extrapolated = extrapolated || s->assumptions.items[i].extrapolated;
        assert_true(s->assumptions.items[i].value[0] != '\0');
    }
    assert_true(extrapolated);
    assert_non_null(study_not_modelled(s, 0));
    study_free(s);
}

/* ---- 5. nothing unfinished looks cheap ---- */

static void a_strategy_cut_at_the_horizon_is_not_cheap(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2026-01-30\nhorizon: 3d\nregion: us-east-1\nreplications: 500\n"
        "market: {spot: {p3.2xlarge: {price: 0.3 USD/h, availability: 0.6, season: none}}}\n"
        "workloads:\n  job: {kind: training, hours: 60h, checkpoint: continuous, boot: 0s, "
        "deadline: 3d}\n"
        "strategies:\n  od: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"
        "  spot: {instance: p3.2xlarge, nodes: 1, buy: spot}\n";
    struct study *s = study_from_text(text, NULL);
    struct run run;
    study_run(&run, s, 2);
    struct mean finished = run_mean(&run, 1, METRIC_FINISHED);
    assert_true(finished.mean > 0 && finished.mean < 0.5);
    struct result_tables t;
    assert_true(result_tables_make(&t, &run));
    bool seen = false;
    for (size_t r = 0; r < table_rows(t.summary); r++) {
        bool cost = strcmp(table_text(t.summary, r, (size_t)table_find(t.summary, "metric")),
                           "cost_usd") == 0;
        bool spot = strcmp(table_text(t.summary, r, (size_t)table_find(t.summary, "strategy")),
                           "spot") == 0;
        if (!cost || !spot) {
            continue;
        }
        seen = true;
        assert_true(table_integer(t.summary, r, (size_t)table_find(t.summary, "censored")) > 250);
        assert_true(table_missing(t.summary, r, (size_t)table_find(t.summary, "mean")));
        assert_true(table_missing(t.summary, r, (size_t)table_find(t.summary, "p90")));
        assert_false(table_missing(t.summary, r, (size_t)table_find(t.summary, "p90_at_least")));
    }
    assert_true(seen);
    for (size_t r = 0; r < table_rows(t.comparison); r++) {
        if (strcmp(table_text(t.comparison, r, (size_t)table_find(t.comparison, "metric")),
                   "cost_usd") == 0) {
            assert_true(table_missing(t.comparison, r,
                                      (size_t)table_find(t.comparison, "mean_difference")));
        }
    }
    result_tables_release(&t);
    /* Late in every world in which it is not finished. */
    for (uint32_t i = 0; i < 500; i++) {
        if (!(run_value(&run, 1, i, METRIC_FINISHED) > 0)) {
            assert_true(run_value(&run, 1, i, METRIC_LATE) > 0);
        }
    }
    run_release(&run);
    study_free(s);
}

/* The same job with the rest finished on-demand: all end, later and dearer than the cut ones. */
static void the_rest_can_be_finished_on_demand(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2026-01-30\nhorizon: 3d\nregion: us-east-1\nreplications: 300\n"
        "market: {spot: {p3.2xlarge: {price: 0.3 USD/h, availability: 0.6, season: none}}}\n"
        "workloads:\n  job: {kind: training, hours: 60h, checkpoint: {every: 1h, write: 1min, "
        "restore: 2min},\n"
        "        boot: 3min, at_horizon: %s}\n"
        "strategies:\n  spot: {instance: p3.2xlarge, nodes: 1, buy: spot}\n";
    char cut[1024], finish[1024];
    snprintf(cut, sizeof cut, text, "cut");
    snprintf(finish, sizeof finish, text, "finish-on-demand");
    struct study *a = study_from_text(cut, NULL), *b = study_from_text(finish, NULL);
    struct run run_cut, run_finish;
    study_run(&run_cut, a, 2);
    study_run(&run_finish, b, 2);
    uint32_t went_on = 0;
    for (uint32_t i = 0; i < 300; i++) {
        assert_true(run_value(&run_finish, 0, i, METRIC_FINISHED) > 0);
        double cash = run_value(&run_finish, 0, i, METRIC_CASH);
        double cost = run_value(&run_finish, 0, i, METRIC_COST);
        if (run_value(&run_cut, 0, i, METRIC_FINISHED) > 0) {
            assert_near(cost, run_value(&run_cut, 0, i, METRIC_COST), 0,
                        "finished in time: the same");
            continue;
        }
        went_on++;
        assert_true(run_value(&run_finish, 0, i, METRIC_TIME_TO_TRAIN) > 72);
        assert_true(cost > cash);
        assert_true(cost > run_value(&run_cut, 0, i, METRIC_COST));
        /* What is paid inside the horizon does not depend on what comes after it, up to the write
         * that begins at the horizon. */
        assert_near(cash, run_value(&run_cut, 0, i, METRIC_CASH), 1e-9, "cash inside the horizon");
    }
    assert_true(went_on > 100);
    run_release(&run_cut);
    run_release(&run_finish);
    study_free(a);
    study_free(b);
}

/* ---- 6. no NaN, no infinity, no negative time; zero is legal ---- */

static void assert_sound(const struct run *run)
{
    for (uint32_t i = 0; i < run->results.replications; i++) {
        for (size_t k = 0; k < run->results.strategies; k++) {
            for (size_t w = 0; w <= run->results.workloads; w++) {
                const struct metric_cells *c = results_cells(&run->results, i, k, w);
                for (int m = 0; m < METRIC_COUNT; m++) {
                    double v = metric_number(c, (enum metric)m);
                    bool may_be_absent = m == METRIC_LATE || m == METRIC_OVER_BUDGET ||
                                         m == METRIC_GOODPUT || m == METRIC_CANCELLED ||
                                         m == METRIC_BEYOND_TRACE || m == METRIC_FAILURES ||
                                         m == METRIC_EFFECTIVE_TIME || m == METRIC_MEAN_NODES ||
                                         (m >= METRIC_JOBS && m <= METRIC_UTILISATION) ||
                                         (m >= METRIC_REQUESTS && m <= METRIC_PER_1000_REQUESTS) ||
                                         (m >= METRIC_REQUESTS_REJECTED && m <= METRIC_EVICTIONS) ||
                                         (m >= METRIC_SESSIONS && m <= METRIC_OVERLOADED) ||
                                         (m >= METRIC_NEEDED && m <= METRIC_SERVED_SHARE);
                    assert_true((isnan(v) && may_be_absent) || (isfinite(v) && v >= 0));
                }
            }
        }
    }
}

static void every_number_is_sound(void **state)
{
    (void)state;
    static const char *const sets[][8] = {
        {NULL},
        {"workloads.main.hours=0h", NULL},
        {"budget=0 USD", NULL},
        {"replications=1", NULL},
        {"horizon=1min", "workloads.second.submit=0s", "workloads.main.deadline=30s", NULL},
        {"market.spot.p3.2xlarge.price=0.0001 USD/h", NULL},
    };
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        struct study *s = study_from_text(whole, sets[i]);
        struct run run;
        study_run(&run, s, 2);
        assert_sound(&run);
        struct result_tables t;
        assert_true(result_tables_make(&t, &run));
        result_tables_release(&t);
        run_release(&run);
        study_free(s);
    }
}

static void no_work_costs_nothing_and_takes_no_time(void **state)
{
    (void)state;
    static const char *const sets[] = {"workloads.main.hours=0h", NULL};
    static const char text[] = HEAD REPLICATIONS JOB STRATEGIES;
    struct study *s = study_from_text(text, sets);
    struct run run;
    study_run(&run, s, 1);
    for (size_t k = 0; k < 3; k++) {
        assert_near(run_mean(&run, k, METRIC_COST).mean, 0, 0, "cost");
        assert_near(run_mean(&run, k, METRIC_TIME_TO_TRAIN).mean, 0, 0, "time");
        assert_near(run_mean(&run, k, METRIC_FINISHED).mean, 1, 0, "finished");
        assert_near(run_mean(&run, k, METRIC_LAUNCHES).mean, 0, 0, "launches");
    }
    run_release(&run);
    study_free(s);
}

/* ---- 7. nobody peeks ---- */

static void auto_sees_medians_not_draws(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2026-01-30\nhorizon: 30d\nregion: us-east-1\nreplications: 200\n"
        "market: {spot: {p3.2xlarge: {price: 1 USD/h, capacity: constant, interruptions: %s}}}\n"
        "workloads: {job: {kind: training, hours: 100h, checkpoint: {every: auto, write: 2min}}}\n"
        "strategies: {spot: {instance: p3.2xlarge, nodes: 1, buy: spot}}\n";
    char certain[1024], uncertain[1024];
    snprintf(certain, sizeof certain, text, "0.2/h");
    /* Median 0.2/h, drawn anew in each world. */
    snprintf(uncertain, sizeof uncertain, text, "\"0.05/h..0.8/h\"");
    struct study *a = study_from_text(certain, NULL), *b = study_from_text(uncertain, NULL);
    double every_a = training_plan_of(a->strategies[0].plans[0])->every_s[PURCHASE_SPOT];
    double every_b = training_plan_of(b->strategies[0].plans[0])->every_s[PURCHASE_SPOT];
    assert_relative(every_b, every_a, 1e-9, "interval");
    /* And in two worlds with different drawn rates the same interval is used: with 100 h of work
     * and no loss at all the number of checkpoints says which. */
    struct run run;
    study_run(&run, b, 2);
    double most = ceil(100 * 3600 / every_b - 1e-6);
    for (uint32_t i = 0; i < 200; i++) {
        if (run_value(&run, 0, i, METRIC_LOSSES) <= 0) {
            assert_near(run_value(&run, 0, i, METRIC_CHECKPOINTS), most, 0,
                        "checkpoints without a loss");
        }
    }
    run_release(&run);
    study_free(a);
    study_free(b);
}

/* ---- 8. no global mutable state ---- */

static void two_simulations_in_one_thread_do_not_meet(void **state)
{
    (void)state;
    struct study *s = study_from_text(whole, NULL);
    struct simulation *a = simulation_new(s), *b = simulation_new(s);
    struct metric_cells alone[3], between[3], other[3];
    const struct simulation_outputs to_alone = {.cells = alone}, to_between = {.cells = between},
                                    to_other = {.cells = other};
    assert_true(simulation_begin_world(a, 3) && simulation_run_strategy(a, 2, &to_alone));
    assert_true(simulation_begin_world(a, 3));
    assert_true(simulation_begin_world(b, 4) && simulation_run_strategy(b, 1, &to_other));
    assert_true(simulation_run_strategy(a, 0, &to_other) &&
                simulation_run_strategy(a, 2, &to_between));
    assert_memory_equal(alone, between, sizeof alone);
    simulation_free(a);
    simulation_free(b);
    study_free(s);
}

/* ---- 9. a quantile comes with its uncertainty ---- */

static void quantiles_have_intervals_and_differences_are_paired(void **state)
{
    (void)state;
    struct study *s = study_from_text(whole, NULL);
    struct run run;
    study_run(&run, s, 2);
    struct result_tables t;
    assert_true(result_tables_make(&t, &run));
    const struct table *sum = t.summary;
    for (size_t r = 0; r < table_rows(sum); r++) {
        double p50 = table_number(sum, r, (size_t)table_find(sum, "p50"));
        double low = table_number(sum, r, (size_t)table_find(sum, "p50_low"));
        double high = table_number(sum, r, (size_t)table_find(sum, "p50_high"));
        if (!isnan(p50) && !isnan(high)) {
            assert_true(low <= p50 && p50 <= high);
        }
    }
    /* The difference is that of the worlds, one by one. */
    double want = 0;
    uint32_t wins = 0;
    for (uint32_t i = 0; i < 200; i++) {
        double d = run_value(&run, 2, i, METRIC_COST) - run_value(&run, 0, i, METRIC_COST);
        want += d / 200;
        wins += d < 0;
    }
    const struct table *cmp = t.comparison;
    bool seen = false;
    for (size_t r = 0; r < table_rows(cmp); r++) {
        if (strcmp(table_text(cmp, r, (size_t)table_find(cmp, "strategy")), "back") == 0 &&
            strcmp(table_text(cmp, r, (size_t)table_find(cmp, "workload")), "all") == 0 &&
            strcmp(table_text(cmp, r, (size_t)table_find(cmp, "metric")), "cost_usd") == 0) {
            seen = true;
            assert_near(table_number(cmp, r, (size_t)table_find(cmp, "mean_difference")), want,
                        1e-9, "mean difference");
            assert_near(table_number(cmp, r, (size_t)table_find(cmp, "win_frac")), wins / 200.0,
                        1e-12, "share of wins");
        }
    }
    assert_true(seen);
    result_tables_release(&t);
    run_release(&run);
    study_free(s);
}

/* ---- 10. the input cannot hurt: legal but enormous ---- */

static void enormous_scenarios_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *nodes, *replications, *says;
    } cases[] = {
        {"1000000", "100", "nodes"},
        {"1", "1000000\nmax_replications: 1000000", "memory"},
        {"100000", "1", "6000000 nodes in all"}, /* each legal, together too much memory */
    };
    for (size_t i = 0; i < 3; i++) {
        char text[65536];
        size_t used =
            (size_t)snprintf(text, sizeof text,
                             "version: 1\nstart: 2026-01-30\nhorizon: 9y\nregion: us-east-1\n"
                             "replications: %s\n"
                             "workloads: {job: {kind: training, hours: 5h}}\nstrategies:\n",
                             cases[i].replications);
        for (int k = 0; k < 60; k++) {
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "  s%d: {instance: p3.2xlarge, nodes: %s, buy: on-demand}\n",
                                     k, cases[i].nodes);
        }
        int code = 0;
        char *what = study_errors(text, &code);
        assert_int_equal(code, 4);
        assert_non_null(strstr(what, cases[i].says));
        free(what);
    }
}

static void too_many_events_are_refused_by_name(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2026-01-30\nhorizon: 9y\nregion: us-east-1\nreplications: 2\n"
        "market: {spot: {p3.2xlarge: {price: 1 USD/h, capacity: constant, interruptions: 900/h, "
        "notice: 0s}}}\n"
        "workloads: {job: {kind: training, hours: 70000h, boot: 0s, checkpoint: continuous}}\n"
        "strategies: {spot: {instance: p3.2xlarge, nodes: 64, buy: spot}}\n";
    struct study *s = study_from_text(text, NULL);
    struct diagnostics *d = diagnostics_new();
    struct run run;
    const struct run_options options = {.jobs = 1};
    assert_false(run_study(&run, s, &options, d));
    assert_int_equal(diagnostics_exit_code(d), 4);
    run_release(&run);
    diagnostics_free(d);
    study_free(s);
}

/* ---- 11. cost has one meaning ---- */

static void the_four_measures_agree_without_commitments(void **state)
{
    (void)state;
    struct study *s = study_from_text(whole, NULL);
    struct run run;
    study_run(&run, s, 2);
    for (uint32_t i = 0; i < 200; i++) {
        for (size_t k = 0; k < 3; k++) {
            double cost = run_value(&run, k, i, METRIC_COST);
            assert_near(run_value(&run, k, i, METRIC_CASH), cost, 0, "cash");
            assert_near(run_value(&run, k, i, METRIC_AMORTISED), cost, 0, "amortised");
            assert_near(run_value(&run, k, i, METRIC_OBLIGATION), 0, 0, "obligation");
        }
    }
    run_release(&run);
    study_free(s);
}

/* ---- plain sums that anyone can check ---- */

static void spot_without_interruptions_costs_hours_times_price(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2026-01-30\nhorizon: 30d\nregion: us-east-1\nreplications: 3\n"
        "market: {spot: {p3.2xlarge: {price: 0.918 USD/h, capacity: constant}}}\n"
        "workloads: {job: {kind: training, hours: 100h, boot: 0s,\n"
        "                  checkpoint: {every: auto, write: 5min, final: no}}}\n"
        "strategies: {spot: {instance: p3.2xlarge, nodes: 3, buy: spot}}\n";
    struct study *s = study_from_text(text, NULL);
    struct run run;
    study_run(&run, s, 1);
    const struct metric_cells *c = results_cells(&run.results, 0, 0, 1);
    assert_int_equal(c->value[METRIC_COST].money, INT64_C(275400000000)); /* 3 × 100 h × 0.918 */
    assert_near(c->value[METRIC_TIME_TO_TRAIN].number, 100, 0, "hours");
    assert_near(c->value[METRIC_CHECKPOINTS].number, 0, 0, "nothing to lose, nothing written");
    assert_true(assumed(s, "checkpoint interval"));
    run_release(&run);
    study_free(s);
}

/* Every node of an on-demand gang comes after a wait of its own, for sure: the first are kept, and
 * paid, until the last is there, whatever the patience. */
static void a_gang_on_its_way_is_held_together(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2026-01-30\nhorizon: 60d\nregion: us-east-1\nreplications: 100\n"
        "market: {on-demand: {p3.2xlarge: {wait: lognormal(p50=2h; p95=24h)}}}\n"
        "workloads: {job: {kind: training, hours: 10h, boot: 0s, patience: 1min,\n"
        "                  checkpoint: continuous}}\n"
        "strategies: {od: {instance: p3.2xlarge, nodes: 16, buy: on-demand}}\n";
    struct study *s = study_from_text(text, NULL);
    struct run run;
    study_run(&run, s, 2);
    for (uint32_t i = 0; i < 100; i++) {
        double idle_h = run_value(&run, 0, i, METRIC_IDLE);
        assert_true(run_value(&run, 0, i, METRIC_FINISHED) > 0);
        assert_near(run_value(&run, 0, i, METRIC_LAUNCHES), 16, 0, "each node comes once");
        assert_near(run_value(&run, 0, i, METRIC_USEFUL), 160, 1e-6, "useful");
        /* The last node ends the waiting: 10 h later all is done. */
        double gathered_h = run_value(&run, 0, i, METRIC_TIME_TO_TRAIN) - 10;
        assert_true(gathered_h > idle_h);
        assert_true(run_value(&run, 0, i, METRIC_WAITING) <= 15 * (gathered_h - idle_h) + 1e-6);
    }
    run_release(&run);
    study_free(s);
}

static void cost_scales_with_nodes_and_hours(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2026-01-30\nhorizon: 30d\nregion: us-east-1\nreplications: 1\n"
        "workloads: {job: {kind: training, hours: 10h, boot: 6min, checkpoint: continuous}}\n"
        "strategies:\n  one: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"
        "  seven: {instance: p3.2xlarge, nodes: 7, buy: on-demand}\n";
    struct study *s = study_from_text(text, NULL);
    struct run run;
    study_run(&run, s, 1);
    /* p3.2xlarge in us-east-1 is 3.06 USD/h since 2017. 10.1 h are held. */
    assert_int_equal(results_cells(&run.results, 0, 0, 1)->value[METRIC_COST].money,
                     INT64_C(30906000000));
    assert_int_equal(results_cells(&run.results, 0, 1, 1)->value[METRIC_COST].money,
                     7 * INT64_C(30906000000));
    run_release(&run);
    study_free(s);
}

static void the_price_cut_of_june_2025_is_visible(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: %s\nhorizon: 5d\nregion: us-east-1\nreplications: 1\n"
        "workloads: {job: {kind: training, hours: 10h, boot: 0s, checkpoint: continuous}}\n"
        "strategies: {od: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}}\n";
    static const struct {
        const char *start;
        money_t cost;
    } cases[] = {{"2025-03-10", INT64_C(327726000000)}, {"2025-09-10", INT64_C(219576420000)}};
    for (int i = 0; i < 2; i++) {
        char one[1024];
        snprintf(one, sizeof one, text, cases[i].start);
        struct study *s = study_from_text(one, NULL);
        struct run run;
        study_run(&run, s, 1);
        money_t cost = results_cells(&run.results, 0, 0, 1)->value[METRIC_COST].money;
        assert_near(money_to_double(cost), money_to_double(cases[i].cost), 0.01, cases[i].start);
        run_release(&run);
        study_free(s);
    }
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes_at_any_number_of_threads),
        cmocka_unit_test(a_world_depends_on_itself_alone),
        cmocka_unit_test(same_bytes_alone_or_among_others),
        cmocka_unit_test(with_precision_one_is_a_prefix_of_the_other),
        cmocka_unit_test(the_kth_launch_meets_the_same_luck),
        cmocka_unit_test(adding_a_workload_changes_no_draw),
        cmocka_unit_test(every_strategy_meets_the_same_market),
        cmocka_unit_test(lines_months_workloads_and_records_add_up),
        cmocka_unit_test(a_missing_price_is_never_a_default),
        cmocka_unit_test(what_is_assumed_is_listed),
        cmocka_unit_test(a_strategy_cut_at_the_horizon_is_not_cheap),
        cmocka_unit_test(the_rest_can_be_finished_on_demand),
        cmocka_unit_test(every_number_is_sound),
        cmocka_unit_test(no_work_costs_nothing_and_takes_no_time),
        cmocka_unit_test(auto_sees_medians_not_draws),
        cmocka_unit_test(two_simulations_in_one_thread_do_not_meet),
        cmocka_unit_test(quantiles_have_intervals_and_differences_are_paired),
        cmocka_unit_test(enormous_scenarios_are_refused_by_name),
        cmocka_unit_test(too_many_events_are_refused_by_name),
        cmocka_unit_test(the_four_measures_agree_without_commitments),
        cmocka_unit_test(spot_without_interruptions_costs_hours_times_price),
        cmocka_unit_test(a_gang_on_its_way_is_held_together),
        cmocka_unit_test(cost_scales_with_nodes_and_hours),
        cmocka_unit_test(the_price_cut_of_june_2025_is_visible),
    };
    return cmocka_run_group_tests_name("invariants", tests, NULL, NULL);
}
