/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/llm_capacity.h"

#include <math.h>

/* A measurement may say that so many times less than the usual share of the peak is computed. */
#define LEAST_SHARE 100.0

/* Tokens of a request in the cache, in the middle of its output. */
static double context(const struct llm_lengths *l)
{
    return l->prompt + 0.5 * l->output;
}

double llm_saturated_sequences(const struct llm_rules *r, const struct llm_lengths *l)
{
    double fit = r->step.kv_tokens / (context(l) - l->cached + r->waste_tokens);
    return fmax(1.0, fmin(r->most_sequences, fit));
}

double llm_prefill_s(const struct llm_rules *r, const struct llm_lengths *l)
{
    double left = fmax(1.0, l->prompt - l->cached), done = l->cached, sum_s = 0;
    for (int i = 0; left > 0 && i < 100; i++) {
        double chunk = fmin(left, r->token_budget);
        sum_s += llm_step_s(&r->step, chunk, 0, 0, llm_step_attention(chunk, done));
        done += chunk;
        left -= chunk;
    }
    return left > 0 ? sum_s * (1 + left / (100.0 * r->token_budget)) : sum_s;
}

double llm_decode_step_s(const struct llm_rules *r, const struct llm_lengths *l, double sequences)
{
    return llm_step_s(&r->step, sequences, sequences, sequences * context(l), 0);
}

double llm_batch_prefill_s(const struct llm_rules *r, const struct llm_lengths *l, double sequences)
{
    double prompt = fmax(1.0, l->prompt - l->cached);
    return llm_step_s(&r->step, sequences * prompt, 0, 0,
                      sequences * llm_step_attention(prompt, l->cached));
}

double llm_static_batch_tokens_per_s(const struct llm_rules *r, const struct llm_lengths *l,
                                     double sequences)
{
    double steps = l->output - 1, b = sequences;
    /* The mean of in + i over i = 1 .. out - 1 is in + out / 2, and a step is linear in it. */
    double decode_s = steps * llm_step_s(&r->step, b, b, b * context(l), 0);
    return b * l->output / (llm_batch_prefill_s(r, l, b) + decode_s);
}

/* Whole prompts that share a step where others wait: at least 1, which may take several steps. */
static double prompts_together(const struct llm_rules *r, const struct llm_lengths *l, double b)
{
    return fmax(1.0, floor(fmin(b, r->token_budget / fmax(1.0, l->prompt - l->cached))));
}

/* Of one prompt among others, its share of the steps. */
static double shared_prefill_s(const struct llm_rules *r, const struct llm_lengths *l, double b)
{
    double together = prompts_together(r, l, b);
    return together > 1 ? llm_batch_prefill_s(r, l, together) / together : llm_prefill_s(r, l);
}

static double shared_prefill_steps(const struct llm_rules *r, const struct llm_lengths *l, double b)
{
    return fmax(1.0, ceil((l->prompt - l->cached) / r->token_budget)) / prompts_together(r, l, b);
}

double llm_saturated_rate(const struct llm_rules *r, const struct llm_lengths *l)
{
    double b = llm_saturated_sequences(r, l);
    return b / ((l->output - 1) * llm_decode_step_s(r, l, b) + b * shared_prefill_s(r, l, b));
}

/* ---- measured ---- */

/* The overhead of a step that makes one sequence alone take tpot_s; false when even none is too
 * much. */
static bool fit_tpot(struct llm_rules *r, const struct llm_measured *m)
{
    r->step.fixed_s = 0;
    double without_s = llm_decode_step_s(r, &m->lengths, 1);
    r->step.fixed_s = fmax(0.0, m->tpot_s - without_s);
    return m->tpot_s >= without_s;
}

/* What was measured, and what it was measured of. */
struct llm_fitting {
    struct llm_rules *rules;
    const struct llm_model *model;
    const struct llm_hardware *hardware;
    struct llm_overheads o;
    const struct llm_measured *measured;
    bool good; /* of fit_tpot */
};

static double tokens_at_share(struct llm_fitting *f, double share)
{
    f->o.compute_share = share;
    f->rules->step = llm_step_make(f->model, f->hardware, &f->o, 1.0);
    f->good = fit_tpot(f->rules, f->measured);
    return llm_saturated_rate(f->rules, &f->measured->lengths) * f->measured->lengths.output;
}

/* The rate rises with the share. */
static enum llm_fit fit_share(struct llm_fitting *f, double low, double high)
{
    double tokens = f->measured->tokens_per_s;
    if (tokens_at_share(f, low) > tokens) {
        return LLM_FIT_TOO_SLOW;
    }
    if (tokens_at_share(f, high) < tokens) {
        return LLM_FIT_TOO_FAST;
    }
    for (int i = 0; i < 60; i++) {
        double middle = sqrt(low * high);
        *(tokens_at_share(f, middle) >= tokens ? &high : &low) = middle;
    }
    return f->good ? LLM_FIT_GOOD : LLM_FIT_TPOT_SHORT;
}

enum llm_fit llm_fit_measured(struct llm_rules *r, const struct llm_model *model,
                              const struct llm_hardware *hardware, struct llm_overheads o,
                              const struct llm_measured *m)
{
    const struct llm_lengths *l = &m->lengths;
    double share = o.compute_share;
    o.sequence_s = 0;
    struct llm_fitting f = {
        .rules = r, .model = model, .hardware = hardware, .o = o, .measured = m};
    tokens_at_share(&f, share);
    if (!f.good) {
        return LLM_FIT_TPOT_SHORT;
    }
    /* b out / tokens = (out - 1) (T + t (b - 1)) + b (prefill - t steps), the one sequence alone
     * having paid for t as well. */
    double b = llm_saturated_sequences(r, l);
    double slack_s = b * l->output / m->tokens_per_s - b * shared_prefill_s(r, l, b) -
                     (l->output - 1) * llm_decode_step_s(r, l, b);
    double divisor = (l->output - 1) * (b - 1) - b * shared_prefill_steps(r, l, b);
    if (slack_s < 0) {
        return fit_share(&f, share, 1.0);
    }
    double sequence_s = divisor > 0 ? slack_s / divisor : HUGE_VAL;
    if (sequence_s > r->step.fixed_s) {
        return fit_share(&f, share / LEAST_SHARE, share);
    }
    r->step.sequence_s = sequence_s;
    r->step.fixed_s -= sequence_s;
    return LLM_FIT_GOOD;
}

double llm_sequences_at(const struct llm_rules *r, const struct llm_lengths *l, double load)
{
    const double rate = load * llm_saturated_rate(r, l), prefill_s = llm_prefill_s(r, l);
    const double most = llm_saturated_sequences(r, l);
    const double left = 1 - rate * shared_prefill_s(r, l, most);
    double low = 0, high = most;
    for (int i = 0; left > 0 && i < 60; i++) {
        double n = 0.5 * (low + high);
        double step_s = llm_decode_step_s(r, l, fmax(1, n));
        double inside = rate * ((l->output - 1) * step_s + prefill_s) / left;
        *(inside > n ? &low : &high) = n;
    }
    return left > 0 && high < most ? high : HUGE_VAL;
}
