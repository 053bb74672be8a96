/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/token_lengths.h"

#include "engine/log_histogram.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define LONG_QUANTILE 0.99

_Static_assert(sizeof((struct random_window *)0)->values == TOKEN_LENGTHS_BATCH * sizeof(double),
               "a batch is of one window");

void token_lengths_init(struct token_lengths *t, const char *workload_name)
{
    *t =
        (struct token_lengths){.source_prompt = random_source("workload/%s/prompt", workload_name),
                               .source_output = random_source("workload/%s/output", workload_name)};
}

bool token_lengths_tabulate(struct token_lengths *t)
{
    t->prompt_table = quantile_table_new();
    t->output_table = quantile_table_new();
    return t->prompt_table != NULL && t->output_table != NULL;
}

void token_lengths_release(struct token_lengths *t)
{
    quantile_table_free(t->prompt_table);
    quantile_table_free(t->output_table);
    t->prompt_table = t->output_table = NULL;
}

static bool begin(const struct variate *v, const double *drawn, struct distribution *d,
                  struct quantile_table *table, bool *looks_up)
{
    if (!v->given) {
        return true;
    }
    if (!variate_resolve(v, drawn, d)) {
        return false;
    }
    *looks_up = table != NULL && quantile_table_begin(table, d);
    return true;
}

bool token_lengths_begin(struct token_lengths *t, const struct llm_spec *spec, const double *drawn)
{
    t->correlation = number_value(&spec->correlation, drawn);
    t->prefix_hits = number_value(&spec->prefix_hits, drawn);
    t->draws_prompt = spec->prompt.given;
    t->draws_output = spec->output.given;
    t->draws_hits = spec->prefix_hits.given || spec->prompt.given;
    t->has_batch = false;
    return begin(&spec->prompt, drawn, &t->prompt, t->prompt_table, &t->looks_prompt_up) &&
           begin(&spec->output, drawn, &t->output, t->output_table, &t->looks_output_up);
}

static uint32_t draw(const struct distribution *d, double u)
{
    double tokens = distribution_quantile(d, u);
    if (!(tokens >= 1.5)) { /* comparisons and a cast: these are drawn for every request */
        return 1;
    }
    return tokens < 1e9 ? (uint32_t)(tokens + 0.5) : 1000000000;
}

/* Rounded, a length that is right to a billionth is right, unless it lies next to where rounding
 * turns: then, and where there is no table, the inverse itself says which it is. */
static inline uint32_t look_up(const struct distribution *d, struct quantile_table *table, double u)
{
    const double x = quantile_table_at(table, u) + 0.5, doubt = 10 * QUANTILE_TABLE_ERROR * x;
    if (x >= 1.5 && x < 1e6) {
        const int64_t tokens = (int64_t)x; /* signed: one instruction */
        const double above = x - (double)tokens;
        if (above > doubt && above < 1 - doubt) {
            return (uint32_t)tokens;
        }
    }
    return draw(d, u);
}

/* With what of the prompt the prefix cache has. */
static struct token_length with_hits(const struct token_lengths *t, struct token_length l)
{
    l.prompt = l.prompt > 0 ? l.prompt : 1;
    l.output = l.output > 0 ? l.output : 1;
    if (t->draws_hits) {
        /* A share of it: the cast rounds down. */
        l.cached = t->prefix_hits > 0 ? (uint32_t)(t->prefix_hits * l.prompt) : 0;
    }
    l.cached = l.cached < l.prompt ? l.cached : l.prompt - 1;
    return l;
}

struct token_length token_lengths_at(const struct token_lengths *t, double u, double v,
                                     const struct token_length *traced)
{
    struct token_length l = *traced;
    double rho = t->correlation;
    if (t->draws_prompt) {
        l.prompt =
            t->looks_prompt_up ? look_up(&t->prompt, t->prompt_table, u) : draw(&t->prompt, u);
    }
    if (t->draws_output) {
        if (rho != 0.0 && t->draws_prompt) {
            double z =
                rho * gsl_cdf_ugaussian_Pinv(u) + sqrt(1.0 - rho * rho) * gsl_cdf_ugaussian_Pinv(v);
            v = fmin(fmax(gsl_cdf_ugaussian_P(z), 1e-12), 1.0 - 1e-12);
        }
        l.output =
            t->looks_output_up ? look_up(&t->output, t->output_table, v) : draw(&t->output, v);
    }
    return with_hits(t, l);
}

static void draw_batch(const struct distribution *d, struct quantile_table *table,
                       const double u[TOKEN_LENGTHS_BATCH], uint32_t tokens[TOKEN_LENGTHS_BATCH])
{
    for (size_t i = 0; i < TOKEN_LENGTHS_BATCH; i++) {
        tokens[i] = look_up(d, table, u[i]);
    }
}

static void fill_batch(struct token_lengths *t, struct random_world world, uint32_t from)
{
    const struct token_length none = {0, 0, 0};
    /* Windows begin where batches do, and are as long. */
    (void)random_window_at(&t->prompt_draws, world, t->source_prompt, from);
    (void)random_window_at(&t->output_draws, world, t->source_output, from);
    const double *u = t->prompt_draws.values, *v = t->output_draws.values;
    if (t->looks_prompt_up && t->looks_output_up && t->correlation == 0.0) {
        uint32_t prompt[TOKEN_LENGTHS_BATCH], output[TOKEN_LENGTHS_BATCH];
        draw_batch(&t->prompt, t->prompt_table, u, prompt);
        draw_batch(&t->output, t->output_table, v, output);
        for (size_t i = 0; i < TOKEN_LENGTHS_BATCH; i++) {
            t->batch[i] = with_hits(t, (struct token_length){prompt[i], output[i], 0});
        }
    } else {
        for (size_t i = 0; i < TOKEN_LENGTHS_BATCH; i++) {
            t->batch[i] = token_lengths_at(t, u[i], v[i], &none);
        }
    }
    t->batch_world = world;
    t->batch_from = from;
    t->has_batch = true;
}

struct token_length token_lengths_outside(struct token_lengths *t, struct random_world world,
                                          uint32_t number, const struct token_length *traced)
{
    if (t->draws_prompt && t->draws_output) {
        const uint32_t place = number % TOKEN_LENGTHS_BATCH;
        fill_batch(t, world, number - place);
        return t->batch[place];
    }
    double u = 0.5, v = 0.5;
    if (t->draws_prompt) {
        u = random_window_at(&t->prompt_draws, world, t->source_prompt, number);
    }
    if (t->draws_output) {
        v = random_window_at(&t->output_draws, world, t->source_output, number);
    }
    return token_lengths_at(t, u, v, traced);
}

/* ---- as planned ---- */

/* Of a request, as planned: the mean and the 99 % quantile. */
struct planned_length {
    double mean, most;
};

static bool of_variate(const struct variate *v, struct planned_length *out)
{
    struct distribution d;
    if (!variate_resolve(v, NULL, &d)) {
        return false;
    }
    *out = (struct planned_length){distribution_mean(&d), distribution_quantile(&d, LONG_QUANTILE)};
    return true;
}

static void of_trace(const struct request_trace *t, struct planned_length *prompt,
                     struct planned_length *output, double *cached)
{
    struct log_histogram lengths[2];
    log_histogram_clear(&lengths[0]);
    log_histogram_clear(&lengths[1]);
    for (size_t i = 0; i < t->count; i++) {
        log_histogram_add(&lengths[0], fmax(1, t->items[i].prompt_tokens), 1);
        log_histogram_add(&lengths[1], fmax(1, t->items[i].output_tokens), 1);
        *cached += t->items[i].cached_tokens;
    }
    prompt->mean = lengths[0].sum / (double)t->count;
    prompt->most = log_histogram_quantile(&lengths[0], LONG_QUANTILE);
    output->mean = lengths[1].sum / (double)t->count;
    output->most = log_histogram_quantile(&lengths[1], LONG_QUANTILE);
    *cached /= (double)t->count;
}

bool token_lengths_planned(const struct llm_spec *s, const struct request_trace *trace,
                           struct llm_lengths *lengths, double *long_request)
{
    struct planned_length prompt = {0}, output = {0};
    double cached = 0, most = s->context > 0 ? (double)s->context : HUGE_VAL;
    if (trace != NULL) {
        of_trace(trace, &prompt, &output, &cached);
    }
    if ((s->prompt.given && !of_variate(&s->prompt, &prompt)) ||
        (s->output.given && !of_variate(&s->output, &output))) {
        return false;
    }
    double in = fmin(fmax(1, prompt.mean), fmax(1, most - 1));
    cached = s->prompt.given ? 0 : cached;
    *lengths = (struct llm_lengths){.prompt = in,
                                    .output = fmax(1, fmin(output.mean, most - in)),
                                    .cached = s->prefix_hits.given ? s->prefix_hits.median * in
                                                                   : fmin(cached, in - 1)};
    *long_request = fmin(most, prompt.most + output.most);
    return true;
}
