/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/serving_prediction.h"

#include "engine/random.h"

#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW_DEVIATION   0.15
#define PRIOR_DEVIATION 1.0
#define CLOSED_ROUNDS   40.0 /* requests of each user */
#define OPEN_REQUESTS   4000.0
#define MOST_STEPS      100
#define MOST_TOKENS     1024.0 /* of a length that varies: ShareGPT's limit of prompts */
#define GOLDEN          0.6180339887498949 /* far from all fractions, and not of one another */
#define SILVER          0.4142135623730951

const char *const serving_number_names[SERVING_NUMBERS] = {"e_c, 16 bits", "e_c, 8 bits", "e_m",
                                                           "tau (s)", "t_1 (s)"};

struct serving_numbers serving_numbers_default(void)
{
    const struct llm_overheads half = llm_overheads_default(false),
                               eight = llm_overheads_default(true);
    return (struct serving_numbers){{half.compute_share, eight.compute_share, half.memory_share,
                                     half.layer_s, half.sequence_s}};
}

/* ---- prediction ---- */

static struct llm_rules rules_of(const struct serving_row *row, const struct serving_numbers *n,
                                 double factor)
{
    struct llm_rules rules = row->rules;
    struct llm_overheads o = llm_overheads_default(row->eight_bit);
    o.compute_share = n->of[row->eight_bit ? 1 : 0];
    o.memory_share = n->of[2];
    o.layer_s = n->of[3];
    o.sequence_s = n->of[4];
    o.host_s = row->host_s;
    rules.step = llm_step_make(&row->model, &row->hardware, &o, factor);
    return rules;
}

/* Requests on one replica, and what becomes of them. */
struct serving_run {
    struct service_requests pool;
    struct llm_replica replica;
    const struct serving_row *row;
    double total, sent, done, timed, steps, decode_s, tokens, ended_s, ttft_s, tpot_s;
    double back; /* users whose request is done, and who come again */
};

static void note_done(void *owner, uint32_t request, double done_s)
{
    struct serving_run *run = owner;
    const struct service_request *q = &run->pool.items[request];
    run->done++;
    run->back++;
    run->steps += q->output - 1;
    run->decode_s += done_s - q->first_s;
    run->timed += q->output > 1;
    run->ended_s = done_s;
    run->ttft_s += q->first_s - q->arrived_s;
    run->tpot_s += q->output > 1 ? (done_s - q->first_s) / (q->output - 1) : 0;
    service_requests_give(&run->pool, request);
}

/* The index-th of `total` lengths: exponential, at equal steps of probability in an order that a
 * multiple of the golden section scatters, so that their mean is that of the distribution. */
static uint32_t length_at(double mean, bool varied, double index, double total, double turn)
{
    const double rank = (floor(fmod((index + 1) * turn, 1) * total) + 0.5) / total;
    return (uint32_t)(varied ? fmax(1, fmin(round(-mean * log1p(-rank)), MOST_TOKENS)) : mean);
}

static bool send(struct serving_run *run, double now_s)
{
    const uint32_t q = service_requests_take(&run->pool);
    const struct llm_lengths *l = &run->row->lengths;
    if (q == 0) {
        return false;
    }
    run->pool.items[q].arrived_s = now_s;
    const bool varied = run->row->varied;
    const double at = run->sent++;
    run->pool.items[q].prompt = length_at(l->prompt, varied, at, run->total, GOLDEN);
    run->pool.items[q].output = length_at(l->output, varied, at, run->total, SILVER);
    run->tokens += run->pool.items[q].output;
    return llm_replica_arrive(&run->replica, q, now_s);
}

/* `batch` requests at once; then, of users, the next whenever one is done. */
static bool run_load(struct serving_run *run, double batch)
{
    while (run->sent < fmin(batch, run->total)) {
        if (!send(run, 0)) {
            return false;
        }
    }
    while (isfinite(run->replica.end_s)) {
        const double now_s = run->replica.end_s;
        run->back = 0;
        llm_replica_advance(&run->replica, note_done, run);
        for (; run->back > 0 && run->sent < run->total; run->back--) {
            if (!send(run, now_s)) {
                return false;
            }
        }
    }
    return run->done >= run->total;
}

/* `total` Poisson arrivals. */
static bool run_arrivals(struct serving_run *run)
{
    struct random_stream stream;
    random_stream_init(&stream, (struct random_world){.seed = 1, .replication = RANDOM_FIRST_FIT},
                       random_source("serving/arrivals"));
    double now_s = 0;
    while (run->sent < run->total) {
        now_s += random_exponential(&stream) / run->row->rate_per_s;
        while (run->replica.end_s <= now_s) {
            llm_replica_advance(&run->replica, note_done, run);
        }
        if (!send(run, now_s)) {
            return false;
        }
    }
    while (isfinite(run->replica.end_s)) {
        llm_replica_advance(&run->replica, note_done, run);
    }
    return run->done >= run->total;
}

static double requests_of(const struct serving_row *row)
{
    return row->load == SERVING_CLOSED ? row->batch * CLOSED_ROUNDS
           : row->load == SERVING_OPEN ? OPEN_REQUESTS
                                       : row->batch;
}

static bool simulate(const struct serving_row *row, const struct llm_rules *rules,
                     double out[SERVING_MEASURES])
{
    struct serving_run run = {.row = row, .total = requests_of(row)};
    if (!llm_rules_can_serve(rules, (uint32_t)row->lengths.prompt, (uint32_t)row->lengths.output)) {
        return false;
    }
    service_requests_init(&run.pool, 1000000);
    llm_replica_init(&run.replica, rules, &run.pool);
    const bool served = row->load == SERVING_OPEN ? run_arrivals(&run) : run_load(&run, row->batch);
    llm_replica_release(&run.replica);
    service_requests_release(&run.pool);
    if (served) {
        out[SERVING_TOKENS_PER_S] = run.tokens / run.ended_s;
        out[SERVING_TTFT] = run.ttft_s / run.total;
        out[SERVING_TPOT] =
            row->by_token ? run.decode_s / fmax(1, run.steps) : run.tpot_s / fmax(1, run.timed);
    }
    return served;
}

bool serving_predict(const struct serving_row *row, const struct serving_numbers *n, double factor,
                     double out[SERVING_MEASURES])
{
    const struct llm_rules rules = rules_of(row, n, factor);
    const struct llm_lengths *l = &row->lengths;
    memset(out, 0, SERVING_MEASURES * sizeof *out);
    if (!(rules.step.kv_tokens > l->prompt + l->output)) {
        return false;
    }
    switch (row->load) {
    case SERVING_PROMPT:
        out[SERVING_TTFT] = llm_batch_prefill_s(&rules, l, row->batch);
        return true;
    case SERVING_STATIC:
        out[SERVING_TTFT] = llm_batch_prefill_s(&rules, l, row->batch);
        out[SERVING_TOKENS_PER_S] = llm_static_batch_tokens_per_s(&rules, l, row->batch);
        out[SERVING_TPOT] =
            (row->batch * l->output / out[SERVING_TOKENS_PER_S] - out[SERVING_TTFT]) /
            (l->output - 1);
        return true;
    case SERVING_SATURATED: {
        const double b = llm_saturated_sequences(&rules, l);
        out[SERVING_TOKENS_PER_S] = llm_saturated_rate(&rules, l) * l->output;
        out[SERVING_TPOT] = b / out[SERVING_TOKENS_PER_S];
        return true;
    }
    case SERVING_BURST:
    case SERVING_CLOSED:
    case SERVING_OPEN:
        return simulate(row, &rules, out);
    }
    return false;
}

/* ---- fit ---- */

/* The first three are shares of a peak: by their log-odds; the others by their logarithms. */
enum { SERVING_SHARES = 3 };
static double number_of(double x, size_t i)
{
    return i < SERVING_SHARES ? 1 / (1 + exp(-x)) : exp(x);
}
static double place_of(double number, size_t i)
{
    return i < SERVING_SHARES ? log(number / (1 - number)) : log(number);
}

struct serving_fitting {
    const struct serving_row *const *rows;
    size_t count;
    double from[SERVING_NUMBERS]; /* see number_of */
};

static int residuals(const gsl_vector *x, void *data, gsl_vector *f)
{
    const struct serving_fitting *s = data;
    struct serving_numbers n;
    for (size_t i = 0; i < SERVING_NUMBERS; i++) {
        const double x_i = gsl_vector_get(x, i);
        n.of[i] = number_of(x_i, i);
        gsl_vector_set(f, s->count + i, (x_i - s->from[i]) / PRIOR_DEVIATION);
    }
    for (size_t i = 0; i < s->count; i++) {
        const struct serving_row *row = s->rows[i];
        double out[SERVING_MEASURES];
        const enum serving_measure m = row->measured[SERVING_TOKENS_PER_S] > 0
                                           ? SERVING_TOKENS_PER_S
                                       : row->measured[SERVING_TTFT] > 0 ? SERVING_TTFT
                                                                         : SERVING_TPOT;
        if (!serving_predict(row, &n, 1, out) || !(out[m] > 0)) {
            return GSL_EDOM;
        }
        gsl_vector_set(f, i, log(out[m] / row->measured[m]) / ROW_DEVIATION);
    }
    return GSL_SUCCESS;
}

static bool solve(struct serving_fitting *s, struct serving_numbers *n)
{
    gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
    how.h_df = 1e-5;
    gsl_multifit_nlinear_workspace *w = gsl_multifit_nlinear_alloc(
        gsl_multifit_nlinear_trust, &how, s->count + SERVING_NUMBERS, SERVING_NUMBERS);
    gsl_multifit_nlinear_fdf fdf = {
        .f = residuals, .n = s->count + SERVING_NUMBERS, .p = SERVING_NUMBERS, .params = s};
    gsl_vector_view from = gsl_vector_view_array(s->from, SERVING_NUMBERS);
    int info;
    bool ok = w != NULL && gsl_multifit_nlinear_init(&from.vector, &fdf, w) == GSL_SUCCESS;
    if (ok) {
        gsl_multifit_nlinear_driver(MOST_STEPS, 1e-8, 1e-8, 1e-8, NULL, NULL, &info, w);
        for (size_t i = 0; i < SERVING_NUMBERS; i++) {
            n->of[i] = number_of(gsl_vector_get(gsl_multifit_nlinear_position(w), i), i);
        }
    }
    gsl_multifit_nlinear_free(w);
    return ok;
}

size_t serving_fit(struct serving_numbers *n, const struct serving_row *rows, size_t count,
                   const char *skipped)
{
    const struct serving_numbers from = serving_numbers_default();
    const struct serving_row **used = calloc(count + 1, sizeof *used);
    struct serving_fitting s = {.rows = used};
    for (size_t i = 0; i < count && used != NULL; i++) {
        double out[SERVING_MEASURES];
        if (rows[i].engine == LLM_ENGINE_TUNED && !rows[i].assumed &&
            rows[i].unpredictable == NULL &&
            (skipped == NULL || strcmp(rows[i].source, skipped) != 0) &&
            serving_predict(&rows[i], &from, 1, out)) {
            used[s.count++] = &rows[i];
        }
    }
    for (size_t i = 0; i < SERVING_NUMBERS; i++) {
        s.from[i] = place_of(from.of[i], i);
    }
    *n = from;
    const size_t fitted = s.count > 0 && solve(&s, n) ? s.count : 0;
    free(used);
    return fitted;
}
