/* SPDX-License-Identifier: GPL-3.0-or-later
 * services.csv and hour_of_week.csv of small services, held against the metrics of the same world
 * and against what can be told by hand. */
#include "scenarios/output/service_tables.h"

#include "engine/gsl_errors.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <string.h>

#define HEAD "version: 1\nstart: 2026-03-03\nregion: us-east-1\nreplications: 1\n"

struct made {
    struct study *study;
    struct run run;
    struct table *services, *week;
};

static void make(struct made *m, const char *text)
{
    m->study = study_from_text(text, NULL);
    study_run(&m->run, m->study, 1);
    service_tables_make(&m->run, &m->services, &m->week);
    assert_non_null(m->services);
    assert_non_null(m->week);
}

static void release(struct made *m)
{
    table_free(m->services);
    table_free(m->week);
    run_release(&m->run);
    study_free(m->study);
}

static double cell(const struct table *t, size_t row, const char *column)
{
    return table_number(t, row, (size_t)table_find(t, column));
}

static double sum(const struct table *t, const char *column)
{
    double all = 0;
    for (size_t i = 0; i < table_rows(t); i++) {
        double x = cell(t, i, column);
        all += isnan(x) ? 0 : x;
    }
    return all;
}

static double value(const struct made *m, enum metric metric)
{
    return run_value(&m->run, 0, 0, metric);
}

static double ended(const struct table *t, size_t row)
{
    return cell(t, row, "served") + cell(t, row, "dropped") + cell(t, row, "timed_out") +
           cell(t, row, "lost") + cell(t, row, "rejected");
}

/* 0.5/s against two slots of a second; from 2 h on for an hour ten times as many. */
#define OVERLOAD                                                                                   \
    HEAD "horizon: 6h\nworkloads:\n  w: {kind: inference, %s demand: {rate: 0.5/s, events: "       \
         "[{from: "                                                                                \
         "2026-03-03T02:00:00Z, for: 1h, factor: 10}]}, service: {any: {time: exponential(1s), "   \
         "slots: 2}}, boot: 60s, load: 30s, timeout: 20s, slo: 5s}\n"                              \
         "strategies:\n  one: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}\n"

static void counts_add_up_and_overload_is_marked(void **state)
{
    const char *mode = *state;
    struct made m;
    char text[1024];
    snprintf(text, sizeof text, OVERLOAD, mode);
    make(&m, text);
    const bool by_interval = strstr(mode, "interval") != NULL;
    const double near = by_interval ? 1e-6 * value(&m, METRIC_REQUESTS) : 0.5;
    assert_near(sum(m.services, "arrived"), value(&m, METRIC_REQUESTS), near, "requests");
    assert_near(sum(m.services, "timed_out"), value(&m, METRIC_REQUESTS_TIMED_OUT), near, "waited");
    assert_near(sum(m.services, "served"), value(&m, METRIC_REQUESTS_SERVED), by_interval ? 4 : 0.5,
                "served");
    if (!by_interval) {
        assert_near(sum(m.services, "retried"), value(&m, METRIC_RETRIES), 2.5, "sent again");
    }
    double within = 0, active = 0, p50_s = 0, calm_buckets = 0;
    for (size_t i = 0; i < table_rows(m.services); i++) {
        const double from_s = cell(m.services, i, "start_s"), to_s = cell(m.services, i, "end_s");
        const bool hot = from_s >= 7200 && to_s <= 10800;
        const bool calm = from_s >= 900 && (to_s <= 7200 || from_s >= 11000);
        const double marked = cell(m.services, i, "overloaded");
        if ((hot && marked != 1) || (calm && marked != 0)) {
            fail_msg("from %g s: %g", from_s, marked);
        }
        if (hot) {
            assert_near(cell(m.services, i, "could_serve_rate"), 2, 1e-9, "two slots of 1 s");
            assert_near(cell(m.services, i, "busy_frac"), 1, 0.05, "all are busy");
        }
        within += cell(m.services, i, "slo_attained_frac") * ended(m.services, i);
        if (calm) { /* waits are short; an answer takes an exponential second */
            p50_s += cell(m.services, i, "latency_p50_s");
            calm_buckets++;
            if (by_interval) {
                assert_near(cell(m.services, i, "latency_p99_s"), 4.7, 0.4, "P99");
            }
        } else if (hot && from_s >= 7800) { /* nobody waits longer than the time-out */
            assert_true(cell(m.services, i, "latency_p50_s") > 15);
        }
        if (calm && !by_interval) {
            active += cell(m.services, i, "gpu_active_frac");
        }
    }
    assert_near(p50_s / calm_buckets, 0.77, 0.05, "P50");
    assert_near(within, value(&m, METRIC_SLO_ATTAINED) * value(&m, METRIC_REQUESTS),
                0.004 * value(&m, METRIC_REQUESTS), "within the objective, bucket by bucket");
    assert_near(sum(m.services, "spend_usd"), value(&m, METRIC_CASH), 1e-6, "all that is paid");
    if (!by_interval) {
        /* M/M/2 at a load of 1/4 a slot is empty with (1 - 1/4) / (1 + 1/4). */
        assert_near(active / calm_buckets, 0.4, 0.04, "something to do");
    }
    assert_int_equal(table_rows(m.week), 0);
    release(&m);
}

/* Requests of one length, one at a time and a long way apart. */
static void a_language_model_is_told_of_token_by_token(void **state)
{
    struct made m;
    (void)state;
    make(&m, HEAD
         "horizon: 2h\nworkloads:\n  w: {kind: inference, demand: 0.02/s, llm: {model: llama-2-7b, "
         "prompt: 1000, output: 201}, boot: 0s}\nstrategies:\n  one: {instance: g5.xlarge, nodes: "
         "1, "
         "buy: on-demand}\n");
    const size_t rows = table_rows(m.services);
    double cache_s = 0;
    assert_near(sum(m.services, "prompt_tokens"), value(&m, METRIC_PROMPT_TOKENS), 0, "prompts");
    assert_near(sum(m.services, "output_tokens"), value(&m, METRIC_OUTPUT_TOKENS), 0, "answers");
    for (size_t i = 0; i < rows; i++) {
        const double kv = cell(m.services, i, "kv_cache_frac");
        const double all = cell(m.services, i, "gpu_memory_frac");
        const double tpot = cell(m.services, i, "tpot_p50_s");
        cache_s += kv * 12634 * (cell(m.services, i, "end_s") - cell(m.services, i, "start_s"));
        /* 6.74e9 weights of 2 bytes in 24e9; 12,634 tokens of 524,288 bytes. */
        assert_near(all, 6.738e9 * 2 / 24e9 + kv * 12634 * 524288 / 24e9, 1e-3, "memory");
        assert_true(isnan(tpot) == (cell(m.services, i, "served") == 0));
        if (!isnan(tpot)) {
            assert_near(tpot, value(&m, METRIC_TPOT_P50), 0.15 * tpot, "time of a token");
            assert_true(cell(m.services, i, "ttft_p99_s") >= cell(m.services, i, "ttft_p50_s"));
        }
    }
    /* Each holds about 1000 + 201/2 tokens, and half a block, while it is served. */
    assert_near(cache_s, value(&m, METRIC_REQUESTS_SERVED) * 1108 * value(&m, METRIC_LATENCY_MEAN),
                0.04 * cache_s, "cache");
    release(&m);
}

/* In steps of time tokens are the mean of those served. */
static void a_language_model_in_steps_counts_tokens_too(void **state)
{
    struct made m;
    (void)state;
    make(
        &m, HEAD
        "horizon: 2h\nworkloads:\n  w: {kind: inference, mode: interval, demand: 3/s, llm: {model: "
        "llama-2-7b, prompt: 300, output: 51}, boot: 0s, slo: {ttft: 1s}}\nstrategies:\n  two: "
        "{instance: g5.xlarge, nodes: 2, buy: on-demand}\n");
    size_t known = 0, calm = 0;
    for (size_t i = 0; i < table_rows(m.services); i++) {
        const double served = cell(m.services, i, "served");
        assert_near(cell(m.services, i, "prompt_tokens"), 300 * served, 1e-6 * 300 * served, "in");
        assert_near(cell(m.services, i, "output_tokens"), 51 * served, 1e-6 * 51 * served, "out");
        /* 6.74e9 weights of 2 bytes in 24e9; 12,634 tokens of 524,288 bytes. */
        const double kv = cell(m.services, i, "kv_cache_frac");
        assert_near(cell(m.services, i, "gpu_memory_frac"),
                    6.738e9 * 2 / 24e9 + kv * 12634 * 524288 / 24e9, 1e-3, "memory");
        if (cell(m.services, i, "start_s") >= 900) {
            known += cell(m.services, i, "ttft_p95_s") >= cell(m.services, i, "ttft_p50_s");
            calm++;
        }
        assert_near(cell(m.services, i, "slo_ttft_s"), 1, 0, "objective");
    }
    assert_true(calm == 21 && known == calm);
    assert_near(sum(m.services, "output_tokens"), value(&m, METRIC_OUTPUT_TOKENS),
                0.02 * value(&m, METRIC_OUTPUT_TOKENS), "all");
    release(&m);
}

/* Two replicas of two slots on one A10G of 24 GB, 12 each, of which either takes 3 and each request
 * 1. 2/s of 500 ms are one request in service: (2 x 3 + 1) / (2 x 12). Other services' replicas say
 * nothing, and none has a cache. */
static void replicas_on_one_gpu_take_their_parts(void **state)
{
    (void)state;
    for (int by_interval = 0; by_interval < 2; by_interval++) {
        for (int stated = 0; stated < 2; stated++) {
            struct made m;
            char text[1024];
            snprintf(text, sizeof text,
                     HEAD
                     "horizon: 3h\nworkloads:\n  w: {kind: inference, mode: %s, demand: {rate: "
                     "2/s, cv: 0.1}, boot: 0s, service: {any: {time: 500ms, slots: 2, "
                     "replicas_per_node: 2%s}}}\nstrategies:\n  one: {instance: g5.xlarge, "
                     "nodes: 1, buy: on-demand}\n",
                     by_interval ? "interval" : "requests",
                     stated ? ", memory: 3 GB, memory_per_request: 1 GB" : "");
            make(&m, text);
            double mean = 0;
            const size_t rows = table_rows(m.services);
            for (size_t i = 0; i < rows; i++) {
                mean += cell(m.services, i, "gpu_memory_frac") / (double)rows;
                assert_true(isnan(cell(m.services, i, "kv_cache_frac")));
            }
            if (stated) {
                assert_near(mean, 7.0 / 24, 1e-3, "memory");
            } else {
                assert_true(isnan(mean));
            }
            release(&m);
        }
    }
}

/* The same service request by request and in steps of time: what of GPUs and of caches is in use,
 * from half idle to heavily loaded. */
static void what_is_in_use_is_the_same_in_steps(void **state)
{
    static const char *const columns[] = {"gpu_active_frac", "kv_cache_frac", "gpu_memory_frac"};
    static const double rates[] = {0.5, 3, 8};
    (void)state;
    for (size_t k = 0; k < sizeof rates / sizeof rates[0]; k++) {
        double mean[2][3] = {{0}};
        for (int by_interval = 0; by_interval < 2; by_interval++) {
            struct made m;
            char text[1024];
            snprintf(text, sizeof text,
                     HEAD
                     "horizon: 5h\nworkloads:\n  w: {kind: inference, mode: %s, demand: %g/s, "
                     "llm: {model: llama-2-7b, prompt: 300, output: 51}, boot: 0s}\nstrategies:"
                     "\n  two: {instance: g5.xlarge, nodes: 2, buy: on-demand}\n",
                     by_interval ? "interval" : "requests", rates[k]);
            make(&m, text);
            const size_t rows = table_rows(m.services);
            for (size_t c = 0; c < 3; c++) {
                for (size_t i = 1; i < rows; i++) {
                    mean[by_interval][c] += cell(m.services, i, columns[c]) / (double)(rows - 1);
                }
            }
            release(&m);
        }
        for (size_t c = 0; c < 3; c++) {
            assert_near(mean[1][c], mean[0][c], 0.01 + 0.05 * mean[0][c], columns[c]);
            assert_true(mean[1][c] > 0 && mean[1][c] <= 1);
        }
    }
}

/* What a node costs is what it does: booting, loading, serving, and nothing. */
static void idle_and_cold_starts_are_the_rest(void **state)
{
    struct made m;
    char text[1024];
    (void)state;
    snprintf(text, sizeof text, OVERLOAD, "");
    make(&m, text);
    const double nodes = value(&m, METRIC_ON_DEMAND_COST), a_second = nodes / 21600;
    assert_near(value(&m, METRIC_COLD_START_COST), 90 * a_second, 1e-6, "60 s boot, 30 s load");
    const double busy_s = (21600 - 90) * value(&m, METRIC_REPLICA_BUSY);
    assert_near(value(&m, METRIC_IDLE_COST), (21600 - 90 - busy_s) * a_second, 1e-5, "idle");
    release(&m);
}

static void hours_of_the_week_add_up_to_what_nodes_are_charged(void **state)
{
    struct made m;
    (void)state;
    make(&m, HEAD
         "horizon: 10d\nworkloads:\n  w: {kind: inference, demand: 0.001/s, service: {any: {time: "
         "1s}}, boot: 0s}\nstrategies:\n  two: {instance: g4dn.xlarge, nodes: 2, buy: "
         "on-demand}\n");
    assert_int_equal(table_rows(m.week), 168);
    double spend = 0, hours = 0;
    for (size_t i = 0; i < 168; i++) {
        assert_near(cell(m.week, i, "hour_of_week"), (double)i, 0, "hour");
        assert_near(cell(m.week, i, "nodes_mean"), 2, 1e-9, "nodes");
        /* Ten days from a Tuesday: Tuesday to Thursday come twice. */
        assert_near(cell(m.week, i, "hours_used"), cell(m.week, i, "hours"), 0, "all in use");
        assert_near(cell(m.week, i, "hours"), i >= 24 && i < 96 ? 2 : 1, 0, "hours");
        spend += cell(m.week, i, "hours") * cell(m.week, i, "spend_mean_usd");
        hours += cell(m.week, i, "hours");
    }
    assert_near(hours, 240, 0, "ten days");
    assert_near(spend, value(&m, METRIC_ON_DEMAND_COST), 1e-6, "all that nodes cost");
    assert_int_equal(table_rows(m.services), 240);
    release(&m);
}

/* What comes before the first node and after the last is no hour in use. */
static void hours_without_work_are_not_in_use(void **state)
{
    struct made m;
    (void)state;
    make(&m, HEAD "horizon: 10d\nworkloads:\n  t: {kind: training, hours: 30h, checkpoint: "
                  "continuous, boot: 0s}\nstrategies:\n  one: {instance: g4dn.xlarge, nodes: 1, "
                  "buy: on-demand}\n");
    double used = 0, spend = 0;
    for (size_t i = 0; i < 168; i++) {
        used += cell(m.week, i, "hours_used");
        spend += cell(m.week, i, "hours") * cell(m.week, i, "spend_mean_usd");
    }
    assert_near(used, 30, 0, "hours of work");
    assert_near(cell(m.week, 24, "hours_used"), 1, 0, "the first");
    assert_near(cell(m.week, 54, "hours_used"), 0, 0, "the one after the last");
    assert_near(spend, value(&m, METRIC_ON_DEMAND_COST), 1e-6, "all that nodes cost");
    release(&m);
}

static void nothing_without_services(void **state)
{
    struct made m;
    (void)state;
    make(&m,
         HEAD "horizon: 2d\nworkloads:\n  t: {kind: training, hours: 4h, checkpoint: continuous}\n"
              "strategies:\n  one: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}\n");
    assert_int_equal(table_rows(m.services), 0);
    assert_int_equal(table_rows(m.week), 0);
    release(&m);
}

int main(void)
{
    gsl_errors_install();
    static char requests[] = "retries: 1,", interval[] = "mode: interval,";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(counts_add_up_and_overload_is_marked, requests),
        cmocka_unit_test_prestate(counts_add_up_and_overload_is_marked, interval),
        cmocka_unit_test(a_language_model_is_told_of_token_by_token),
        cmocka_unit_test(a_language_model_in_steps_counts_tokens_too),
        cmocka_unit_test(replicas_on_one_gpu_take_their_parts),
        cmocka_unit_test(what_is_in_use_is_the_same_in_steps),
        cmocka_unit_test(idle_and_cold_starts_are_the_rest),
        cmocka_unit_test(hours_of_the_week_add_up_to_what_nodes_are_charged),
        cmocka_unit_test(hours_without_work_are_not_in_use),
        cmocka_unit_test(nothing_without_services),
    };
    return cmocka_run_group_tests_name("service_tables", tests, NULL, NULL);
}
