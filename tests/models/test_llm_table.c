/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of latencies of language models: the same bytes whenever they are made, in units of the
 * factor on all times, rising with the load, and true to Little's law and to closed forms. */
#include "engine/gsl_errors.h"
#include "models/inference/interval_retries.h"
#include "models/inference/llm_capacity.h"
#include "models/inference/llm_table.h"
#include "models/inference/llm_table_run.h"
#include "models/inference/llm_table_store.h"
#include "models/inference/service_router.h"
#include "tests/support/testing.h"

#include <math.h>
#include <string.h>

static struct llm_rules rules_of(double factor, double kv_tokens)
{
    struct llm_model m = {.parameters = 8.03e9,
                          .active_parameters = 8.03e9,
                          .layers = 32,
                          .hidden = 4096,
                          .kv_heads = 8,
                          .head_size = 128,
                          .bytes_per_weight = 2,
                          .bytes_per_kv = 2};
    struct llm_hardware h = {
        .accelerators = 1, .flops = 312e12, .bytes_per_s = 2.039e12, .memory_bytes = 80e9};
    struct llm_overheads o = llm_overheads_default(false);
    struct llm_rules r = {.step = llm_step_make(&m, &h, &o, factor),
                          .scheduling = LLM_CHUNKED,
                          .admission = LLM_ADMIT_PROMPT,
                          .most_sequences = 16,
                          .token_budget = 2048,
                          .waste_tokens = 7.5,
                          .watermark = 0.01};
    r.step.kv_tokens = kv_tokens;
    return r;
}

static struct llm_table *make_table(struct arena *arena, double factor, double kv_tokens,
                                    struct llm_table_store *store)
{
    const struct llm_rules rules = rules_of(factor, kv_tokens);
    struct llm_spec spec = {.routing = ROUTING_LEAST};
    spec.prompt = variate_constant(400);
    spec.output = variate_constant(60);
    spec.prompt.given = spec.output.given = true;
    spec.correlation = spec.prefix_hits = NUMBER_CERTAIN(0);
    const struct llm_lengths means = {.prompt = 400, .output = 60};
    const struct llm_table_source from = {.spec = &spec, .rules = &rules, .means = &means, .cv = 1};
    struct llm_table *t = arena_array(arena, 1, sizeof *t);
    assert_non_null(t);
    assert_true(llm_table_init(t, arena));
    assert_true(llm_table_make_sharing(t, &from, store));
    return t;
}

static int make_tables(void **state)
{
    static struct {
        struct arena *arena;
        struct llm_table *one, *slow, *tight;
        struct llm_table_store *store;
    } made;
    gsl_errors_install();
    made.arena = arena_new(0);
    made.store = llm_table_store_new();
    assert_non_null(made.store);
    made.one = make_table(made.arena, 1, 1e6, made.store);
    made.slow = make_table(made.arena, 1.7, 1e6, NULL);
    made.tight = make_table(made.arena, 1, 4000, NULL); /* room for eight */
    *state = &made;
    return 0;
}

struct tables {
    struct arena *arena;
    struct llm_table *one, *slow, *tight;
    struct llm_table_store *store;
};

static int free_tables(void **state)
{
    llm_table_store_free(((struct tables *)*state)->store);
    arena_free(((struct tables *)*state)->arena);
    return 0;
}

static void the_same_bytes_again(void **state)
{
    const struct tables *t = *state;
    struct arena *arena = arena_new(0);
    const struct llm_table *again = make_table(arena, 1, 4000, NULL);
    for (size_t k = 0; k < LLM_TABLE_COUNTS; k++) {
        for (size_t j = 0; j < LLM_TABLE_LOADS; j++) {
            const struct llm_cell *a = &t->tight->cells[k][j], *b = &again->cells[k][j];
            assert_int_equal(a->count, b->count);
            assert_memory_equal(a->samples, b->samples, a->count * sizeof *a->samples);
            assert_near(a->in_flight, b->in_flight, 0, "in flight");
            assert_near(a->spread, b->spread, 0, "spread");
        }
    }
    assert_near(t->tight->saturated_rate, again->saturated_rate, 0, "saturated rate");
    arena_free(arena);
}

/* A world that is 1.7 times as slow is this table with all times 1.7 times as long. */
static void times_are_in_units_of_the_factor(void **state)
{
    const struct tables *t = *state;
    assert_relative(t->slow->saturated_rate * 1.7, t->one->saturated_rate, 1e-6, "rate");
    for (size_t j = 0; j < LLM_TABLE_LOADS; j++) {
        const struct llm_cell *a = &t->one->cells[2][j], *b = &t->slow->cells[2][j];
        /* Rounding moves single steps of an arrival that comes at a boundary. */
        assert_relative(b->e2e_s, 1.7 * a->e2e_s, 5e-3, "latency");
        assert_relative(b->in_flight, a->in_flight, 5e-3, "in flight");
    }
}

static void more_load_is_never_lighter(void **state)
{
    const struct tables *t = *state;
    const struct llm_table *of[] = {t->one, t->tight};
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < LLM_TABLE_COUNTS; k++) {
            const struct llm_cell *c = of[i]->cells[k];
            for (size_t j = 1; j < LLM_TABLE_LOADS; j++) {
                assert_true(c[j].in_flight > c[j - 1].in_flight);
                assert_true(c[j].waiting >= c[j - 1].waiting);
                assert_true(c[j].busy >= c[j - 1].busy && c[j].busy <= 1);
                assert_true(c[j].drain_s >= c[j - 1].drain_s);
                assert_true(c[j].active >= c[j - 1].active && c[j].active <= 1 + 1e-9);
                assert_true(c[j].cache_tokens >= c[j - 1].cache_tokens);
            }
        }
    }
}

/* A replica that nobody waits for is one of infinitely many servers: Poisson numbers in flight.
 * Each request holds its prompt, about half of its answer, and half a block. */
static void what_is_in_use_follows_from_what_is_inside(void **state)
{
    const struct tables *t = *state;
    for (size_t j = 0; j < 3; j++) {
        const struct llm_cell *c = &t->one->cells[0][j];
        assert_near(c->active, -expm1(-c->in_flight), 0.03, "active");
    }
    for (size_t k = 0; k < LLM_TABLE_COUNTS; k++) {
        for (size_t j = 0; j < LLM_TABLE_LOADS; j++) {
            const struct llm_cell *c = &t->one->cells[k][j];
            double admitted = c->in_flight - c->waiting;
            assert_relative(c->cache_tokens, admitted * (400 + 30 + 7.5), 0.03, "cache");
            assert_true(c->active >= fmin(1, c->in_flight) * 0.5);
        }
    }
    assert_near(t->one->full.active, 1, 1e-9, "always something to do");
    assert_relative(t->one->full.cache_tokens, 16 * (400 + 30 + 7.5), 0.03, "full");
    /* The smaller cache is used up as far as whole requests fit in. */
    assert_true(t->tight->full.cache_tokens <= 4000 && t->tight->full.cache_tokens > 3000);
}

/* Little's law ties what was counted over time to what was counted over requests. */
static void what_is_inside_is_rate_times_stay(void **state)
{
    const struct tables *t = *state;
    for (size_t k = 0; k < LLM_TABLE_COUNTS; k += 2) {
        for (size_t j = 2; j < LLM_TABLE_LOADS - 2; j++) {
            const struct llm_cell *c = &t->one->cells[k][j];
            double rate = llm_table_loads[j] * t->one->saturated_rate;
            assert_relative(c->in_flight, rate * c->e2e_s, 0.05, "Little");
        }
    }
}

static void a_full_replica_is_full(void **state)
{
    const struct tables *t = *state;
    const struct llm_lengths means = {.prompt = 400, .output = 60};
    const struct llm_rules wide = rules_of(1, 1e6), tight = rules_of(1, 4000);
    assert_relative(t->one->saturated_in_flight, 16, 0.02, "as many as sequences");
    assert_true(t->tight->saturated_in_flight < 10);
    assert_relative(t->one->saturated_rate, llm_saturated_rate(&wide, &means), 0.06, "rate");
    assert_relative(t->tight->saturated_rate, llm_saturated_rate(&tight, &means), 0.15, "rate");
    assert_true(t->tight->full.evictions > 0);
    assert_near(t->one->full.evictions, 0, 0, "nothing is evicted");
    assert_near(t->one->rejected, 0, 0, "all can be served");
    assert_near(t->one->prompt_tokens, 400, 1e-9, "prompt");
    assert_near(t->one->output_tokens, 60, 1e-9, "output");
}

static void a_lone_request_takes_what_its_steps_take(void **state)
{
    const struct tables *t = *state;
    const struct llm_lengths means = {.prompt = 400, .output = 60};
    const struct llm_rules rules = rules_of(1, 1e6);
    double least_s = llm_prefill_s(&rules, &means);
    const struct llm_cell *c = &t->one->cells[5][0];
    double shortest_s = HUGE_VAL;
    for (uint32_t i = 0; i < c->count; i++) {
        shortest_s = fmin(shortest_s, (double)c->samples[i].ttft_s);
        assert_true(c->samples[i].e2e_s > c->samples[i].ttft_s);
        assert_true(c->samples[i].tpot_s > 0);
    }
    assert_relative(shortest_s, least_s, 1e-3, "prefill");
}

static void rows_between_numbers_of_replicas(void **state)
{
    const struct tables *t = *state;
    struct llm_row three = llm_table_row(t->one, 3), many = llm_table_row(t->one, 500);
    assert_int_equal(three.column, 1);
    assert_near(three.share, log2(1.5), 1e-12, "in the logarithm");
    double low = t->one->cells[1][9].in_flight, high = t->one->cells[2][9].in_flight;
    assert_near(three.in_flight[9], low + log2(1.5) * (high - low), 1e-9, "along the line");
    assert_near(many.in_flight[9], t->one->cells[5][9].in_flight, 1e-9, "as the last column");
    assert_near(llm_table_row(t->one, 0.2).in_flight[9], t->one->cells[0][9].in_flight, 1e-9,
                "as one");
}

/* ---- requests that are sent again ---- */

static void each_attempt_is_one_more(void **state)
{
    (void)state;
    struct interval_retries r = {0};
    bool good;
    interval_retries_begin(&r, 2, 5);
    struct request_mix mix = request_mix_fresh();
    assert_near(interval_retries_fail(&r, &mix, 10, 3, 100, &good), 10, 1e-12, "all come again");
    assert_near(interval_retries_take(&r, 104, 0, &mix), 0, 0, "not yet");
    assert_near(interval_retries_take(&r, 105, 30, &mix), 10, 1e-12, "now");
    assert_near(mix.share[0], 0.75, 1e-12, "for the first time");
    assert_near(mix.share[1], 0.25, 1e-12, "for the second");
    assert_near(mix.age_s[1], 8, 1e-12, "since it was sent first");
    /* A fifth of that fails; then all of those that fail for the third time are over. */
    assert_near(interval_retries_fail(&r, &mix, 8, 3, 110, &good), 8, 1e-12, "again");
    struct request_mix next = request_mix_fresh();
    assert_near(interval_retries_take(&r, 115, 0, &next), 8, 1e-12, "all");
    assert_near(next.share[1], 0.75, 1e-12, "second");
    assert_near(next.share[2], 0.25, 1e-12, "third");
    assert_near(next.age_s[2], 16, 1e-12, "twice as old");
    assert_near(interval_retries_fail(&r, &next, 8, 3, 120, &good), 6, 1e-12, "two give up");
    /* Half of what was taken is put back, due before all. */
    assert_near(interval_retries_take(&r, 200, 0, &next), 6, 1e-12, "taken");
    interval_retries_return(&r, &next, 3, 150);
    assert_near(r.amount, 3, 1e-12, "put back");
    assert_near(interval_retries_take(&r, 150, 0, &next), 3, 1e-12, "due");
    interval_retries_release(&r);
}

/* What was made once is found again by all that it hangs on, and by nothing less. */
static void kept_in_a_store(void **state)
{
    const struct tables *made = *state;
    struct llm_spec spec = {.routing = ROUTING_LEAST};
    spec.prompt = variate_constant(400);
    spec.output = variate_constant(60);
    spec.prompt.given = spec.output.given = true;
    spec.correlation = spec.prefix_hits = NUMBER_CERTAIN(0);
    const struct llm_lengths means = {.prompt = 400, .output = 60};
    for (int i = 0; i < 5; i++) {
        const struct llm_rules rules = rules_of(i == 1 ? 1.7 : 1, 1e6);
        const struct llm_table_source from = {
            .spec = &spec, .rules = &rules, .means = &means, .cv = i == 2 ? 1.1 : 1};
        struct llm_table t;
        spec.output = variate_constant(i == 3 ? 61 : 60); /* its mean as planned stays */
        spec.output.given = true;
        spec.routing = i == 4 ? ROUTING_ROUND_ROBIN : ROUTING_LEAST;
        struct llm_table_run *run = llm_table_run_new(&from);
        const struct llm_table_key key = llm_table_run_key(run);
        llm_table_run_free(run);
        assert_true(llm_table_init(&t, made->arena));
        assert_int_equal(llm_table_store_take(made->store, &key, &t), i == 0);
        if (i == 0) {
            assert_true(t.made);
            assert_near(t.cells[2][7].in_flight, made->one->cells[2][7].in_flight, 0, "in flight");
            assert_memory_equal(t.cells[5][9].samples, made->one->cells[5][9].samples,
                                t.cells[5][9].count * sizeof *t.cells[5][9].samples);
            assert_ptr_not_equal(t.full.samples, made->one->full.samples);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bytes_again),
        cmocka_unit_test(times_are_in_units_of_the_factor),
        cmocka_unit_test(more_load_is_never_lighter),
        cmocka_unit_test(what_is_in_use_follows_from_what_is_inside),
        cmocka_unit_test(what_is_inside_is_rate_times_stay),
        cmocka_unit_test(a_full_replica_is_full),
        cmocka_unit_test(a_lone_request_takes_what_its_steps_take),
        cmocka_unit_test(rows_between_numbers_of_replicas),
        cmocka_unit_test(each_attempt_is_one_more),
        cmocka_unit_test(kept_in_a_store),
    };
    return cmocka_run_group_tests(tests, make_tables, free_tables);
}
