/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/interval_llm_books.h"

#include <math.h>
#include <stdlib.h>

/* Of a full replica's samples so many meet each wait. */
enum { FULL_PARTS = 64 };

/* Histograms that are filled. */
struct llm_latencies {
    struct log_histogram *wait, *latency, *ttft, *tpot;
};

static void add_sample(const struct llm_latencies *to, const struct llm_sample *x, double f,
                       double wait_s, double weight)
{
    log_histogram_add(to->wait, wait_s + f * (double)x->wait_s, weight);
    log_histogram_add(to->ttft, wait_s + f * (double)x->ttft_s, weight);
    log_histogram_add(to->latency, wait_s + f * (double)x->e2e_s, weight);
    if (x->tpot_s >= 0) {
        log_histogram_add(to->tpot, f * (double)x->tpot_s, weight);
    }
}

static void add_cell_law(const struct service_run *s, const struct llm_latencies *to,
                         const struct llm_cell *cell, double weight)
{
    double timeout_s = s->timeout_s > 0 ? s->timeout_s : HUGE_VAL, f = s->interval->llm->factor;
    for (uint32_t i = 0; i < cell->count; i++) {
        if (f * (double)cell->samples[i].wait_s <= timeout_s) {
            add_sample(to, &cell->samples[i], f, 0, weight / cell->count);
        }
    }
}

/* All waits of one size meet requests of full replicas. */
static void add_backlog_law(const struct service_run *s, const struct llm_latencies *to,
                            double wait_s, double weight)
{
    const struct interval_llm *l = s->interval->llm;
    const struct llm_cell *full = &l->table->full;
    for (size_t i = 0; i < FULL_PARTS; i++) {
        add_sample(to, &full->samples[i * full->count / FULL_PARTS], l->factor, wait_s,
                   weight / FULL_PARTS);
    }
}

static void make_laws(const struct service_run *s, const struct cell_weights *weights,
                      const struct log_histogram *waits, const struct llm_latencies *to)
{
    const struct llm_table *t = s->interval->llm->table;
    for (size_t k = 0; k < LLM_TABLE_COUNTS; k++) {
        for (size_t j = 0; j < LLM_TABLE_LOADS; j++) {
            if (weights->of[k][j] > 0) {
                add_cell_law(s, to, &t->cells[k][j], weights->of[k][j]);
            }
        }
    }
    if (waits->zero > 0) {
        add_backlog_law(s, to, 0, waits->zero);
    }
    for (size_t bin = 0; bin < LOG_HISTOGRAM_BINS; bin++) {
        if (waits->bins[bin] > 0) {
            add_backlog_law(s, to, log_histogram_middle(bin), waits->bins[bin]);
        }
    }
}

void interval_llm_end(struct service_run *s)
{
    struct interval_llm *l = s->interval->llm;
    struct service_books *b = &s->books;
    const struct llm_latencies to = {&b->wait, &b->latency, &b->ttft, &b->tpot};
    make_laws(s, &l->weights, &s->interval->latency.backlog, &to);
    b->within_slo = l->taken > 0 ? l->within / l->taken : 0;
}

void interval_llm_log(struct service_run *s, double at_s)
{
    struct interval_llm *l = s->interval->llm;
    const size_t w = s->plan->work.workload;
    struct log_histogram *h = calloc(4, sizeof *h);
    if (h == NULL) {
        fleet_fail(s->fleet);
        return;
    }
    const struct llm_latencies to = {&h[0], &h[1], &h[2], &h[3]};
    make_laws(s, &l->logged, &s->interval->log.latency.backlog, &to);
    if (h[1].weight > 0) {
        service_log_values(s->log, w, at_s, SERVICE_LATENCY, &h[1]);
        service_log_values(s->log, w, at_s, SERVICE_TTFT, &h[2]);
    }
    if (h[3].weight > 0) {
        service_log_values(s->log, w, at_s, SERVICE_TPOT, &h[3]);
    }
    free(h);
    l->logged = (struct cell_weights){0};
}

struct llm_lengths interval_llm_tokens(const struct service_run *s)
{
    const struct llm_table *t = s->interval->llm->table;
    return (struct llm_lengths){.prompt = t->prompt_tokens, .output = t->output_tokens};
}

void interval_llm_count_tokens(struct service_run *s)
{
    const struct interval_llm *l = s->interval->llm;
    s->books.prompt_tokens = s->books.served * l->table->prompt_tokens;
    s->books.output_tokens = s->books.served * l->table->output_tokens;
    s->books.evictions = l->evicted;
}
