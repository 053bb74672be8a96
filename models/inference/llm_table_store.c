/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/llm_table_store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Of six megabytes each. */
#define MOST_TABLES 24

struct kept_table {
    struct llm_table_key key;
    struct llm_table table; /* its samples are those below */
    struct llm_sample *samples;
    struct kept_table *next;
};

struct llm_table_store {
    pthread_mutex_t lock;
    struct kept_table *first;
    size_t count;
};

struct llm_table_store *llm_table_store_new(void)
{
    struct llm_table_store *s = calloc(1, sizeof *s);
    if (s != NULL) {
        pthread_mutex_init(&s->lock, NULL);
    }
    return s;
}

void llm_table_store_free(struct llm_table_store *s)
{
    if (s == NULL) {
        return;
    }
    for (struct kept_table *k = s->first; k != NULL;) {
        struct kept_table *next = k->next;
        free(k->samples);
        free(k);
        k = next;
    }
    pthread_mutex_destroy(&s->lock);
    free(s);
}

static bool equal(double a, double b)
{
    return !(a < b) && !(a > b);
}

static bool same_step(const struct llm_step *a, const struct llm_step *b)
{
    return equal(a->weights_s, b->weights_s) && equal(a->token_s, b->token_s) &&
           equal(a->cached_s, b->cached_s) && equal(a->attention_s, b->attention_s) &&
           equal(a->fixed_s, b->fixed_s) && equal(a->sequence_s, b->sequence_s) &&
           equal(a->exchange_s, b->exchange_s) && equal(a->kv_tokens, b->kv_tokens) &&
           equal(a->kv_bytes_per_token, b->kv_bytes_per_token) &&
           equal(a->weights_bytes, b->weights_bytes);
}

static bool same_rules(const struct llm_rules *a, const struct llm_rules *b)
{
    return same_step(&a->step, &b->step) && a->scheduling == b->scheduling &&
           a->admission == b->admission && a->most_sequences == b->most_sequences &&
           a->token_budget == b->token_budget && equal(a->waste_tokens, b->waste_tokens) &&
           equal(a->watermark, b->watermark);
}

static bool same_key(const struct llm_table_key *a, const struct llm_table_key *b)
{
    return a->lengths == b->lengths && a->length_count == b->length_count && a->law == b->law &&
           a->routing == b->routing && equal(a->cv, b->cv) &&
           equal(a->means.prompt, b->means.prompt) && equal(a->means.output, b->means.output) &&
           equal(a->means.cached, b->means.cached) && same_rules(&a->rules, &b->rules);
}

/* All but the samples' places, which stay, and their contents. */
static void copy(struct llm_table *to, const struct llm_table *from)
{
    struct llm_sample *places[LLM_TABLE_COUNTS][LLM_TABLE_LOADS], *full = to->full.samples;
    for (size_t k = 0; k < LLM_TABLE_COUNTS; k++) {
        for (size_t j = 0; j < LLM_TABLE_LOADS; j++) {
            places[k][j] = to->cells[k][j].samples;
            memcpy(places[k][j], from->cells[k][j].samples,
                   LLM_TABLE_SAMPLES * sizeof(struct llm_sample));
        }
    }
    memcpy(full, from->full.samples, LLM_TABLE_SAMPLES * sizeof *full);
    *to = *from;
    to->full.samples = full;
    for (size_t k = 0; k < LLM_TABLE_COUNTS; k++) {
        for (size_t j = 0; j < LLM_TABLE_LOADS; j++) {
            to->cells[k][j].samples = places[k][j];
        }
    }
}

bool llm_table_store_take(struct llm_table_store *s, const struct llm_table_key *key,
                          struct llm_table *t)
{
    bool found = false;
    pthread_mutex_lock(&s->lock);
    for (const struct kept_table *k = s->first; k != NULL && !found; k = k->next) {
        found = same_key(&k->key, key);
        if (found) {
            copy(t, &k->table);
        }
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

static struct kept_table *kept_table_new(void)
{
    struct kept_table *k = calloc(1, sizeof *k);
    const size_t cells = (size_t)LLM_TABLE_COUNTS * LLM_TABLE_LOADS;
    if (k == NULL) {
        return NULL;
    }
    k->samples = calloc((cells + 1) * LLM_TABLE_SAMPLES, sizeof *k->samples);
    if (k->samples == NULL) {
        free(k);
        return NULL;
    }
    for (size_t i = 0; i < cells; i++) {
        k->table.cells[i / LLM_TABLE_LOADS][i % LLM_TABLE_LOADS].samples =
            k->samples + i * LLM_TABLE_SAMPLES;
    }
    k->table.full.samples = k->samples + cells * LLM_TABLE_SAMPLES;
    return k;
}

void llm_table_store_keep(struct llm_table_store *s, const struct llm_table_key *key,
                          const struct llm_table *t)
{
    pthread_mutex_lock(&s->lock);
    struct kept_table *k = s->count < MOST_TABLES ? kept_table_new() : NULL;
    if (k != NULL) {
        k->key = *key;
        copy(&k->table, t);
        k->next = s->first;
        s->first = k;
        s->count++;
    }
    pthread_mutex_unlock(&s->lock);
}
