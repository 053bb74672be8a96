/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/llm_steps.h"

#include <math.h>
#include <stdlib.h>

enum where { WAITING, PREFILLING, DECODING };

struct served {
    struct llm_steps_request *request;
    enum where where;
    uint32_t made, prefilled, chunk; /* chunk: of the step under way */
};

struct engine {
    const struct llm_rules *rules;
    uint32_t block;
    struct served *list; /* admitted, in that order */
    size_t admitted;
    struct served *queue; /* waiting, in order; first at `head` */
    size_t head, tail;
};

static uint32_t target(const struct served *q)
{
    return q->request->prompt + q->made - q->request->cached;
}

static double in_cache(const struct engine *e, double tokens)
{
    return e->block == 0 ? tokens + e->rules->waste_tokens : e->block * ceil(tokens / e->block);
}

/* What it holds now, with `more` tokens. */
static double holds(const struct engine *e, const struct served *q, double more)
{
    double tokens =
        q->where == DECODING || e->rules->admission != LLM_ADMIT_CHUNK ? target(q) : q->prefilled;
    return in_cache(e, tokens + more);
}

static double held_by_all(const struct engine *e, double more_if_decoding, double room)
{
    double sum = 0.0;
    for (size_t i = 0; i < e->admitted; i++) {
        const struct served *q = &e->list[i];
        double more = 0.0;
        if (q->where == DECODING) {
            more = more_if_decoding;
        } else if (e->rules->admission == LLM_ADMIT_CHUNK) {
            more = fmin(room, target(q) - q->prefilled);
        }
        sum += holds(e, q, more);
    }
    return sum;
}

static bool may_enter(const struct engine *e, const struct served *q, double chunk)
{
    const struct llm_rules *r = e->rules;
    if (e->admitted == 0) {
        return true;
    }
    if (r->admission == LLM_ADMIT_GUARANTEED) {
        double sum =
            in_cache(e, (double)q->request->prompt + q->request->output - q->request->cached);
        for (size_t i = 0; i < e->admitted; i++) {
            const struct llm_steps_request *o = e->list[i].request;
            sum += in_cache(e, (double)o->prompt + o->output - o->cached);
        }
        return sum <= r->step.kv_tokens;
    }
    double used = 0.0;
    for (size_t i = 0; i < e->admitted; i++) {
        used += holds(e, &e->list[i],
                      r->admission == LLM_ADMIT_CHUNK && e->list[i].where == PREFILLING
                          ? e->list[i].chunk
                          : 0.0);
    }
    double need = r->admission == LLM_ADMIT_CHUNK ? chunk : target(q);
    return used + in_cache(e, need) <= r->step.kv_tokens * (1.0 - r->watermark);
}

static size_t decoding_count(const struct engine *e)
{
    size_t n = 0;
    for (size_t i = 0; i < e->admitted; i++) {
        n += e->list[i].where == DECODING;
    }
    return n;
}

/* Takes the newest out until the next step fits. */
static uint64_t evict(struct engine *e)
{
    uint64_t evicted = 0;
    for (;;) {
        double room = (double)e->rules->token_budget - (double)decoding_count(e);
        if (e->admitted < 2 || held_by_all(e, 1.0, fmax(room, 0.0)) <= e->rules->step.kv_tokens) {
            return evicted;
        }
        struct served q = e->list[--e->admitted];
        q.where = WAITING;
        q.prefilled = 0;
        e->queue[--e->head] = q;
        evicted++;
    }
}

/* One step; its duration, and 0 when there is nothing to do. */
static double step(struct engine *e)
{
    const struct llm_rules *r = e->rules;
    bool chunked = r->scheduling == LLM_CHUNKED;
    double decoding = (double)decoding_count(e);
    double room = r->token_budget - (chunked ? decoding : 0.0);
    double tokens = 0.0, attention = 0.0;
    size_t sequences = decoding_count(e), prompts = 0;
    for (size_t i = 0; i < e->admitted; i++) {
        struct served *q = &e->list[i];
        q->chunk = 0;
        if (q->where == PREFILLING && room >= 1) {
            q->chunk = (uint32_t)fmin(room, target(q) - q->prefilled);
            attention += llm_step_attention(q->chunk, (double)q->request->cached + q->prefilled);
            tokens += q->chunk;
            room -= q->chunk;
            prompts++;
        }
        sequences += q->where == PREFILLING;
    }
    while (e->head < e->tail && room >= 1 && sequences < r->most_sequences) {
        struct served *q = &e->queue[e->head];
        double left = target(q), chunk = chunked ? fmin(left, room) : left;
        if ((!chunked && left > room && prompts > 0) || !may_enter(e, q, chunk)) {
            break;
        }
        q->where = PREFILLING;
        q->chunk = (uint32_t)chunk;
        attention += llm_step_attention(chunk, (double)q->request->cached);
        tokens += chunk;
        room -= chunk;
        prompts++;
        sequences++;
        e->list[e->admitted++] = *q;
        e->head++;
    }
    bool decodes = prompts == 0 || chunked;
    double cached = 0.0;
    for (size_t i = 0; decodes && i < e->admitted; i++) {
        const struct served *q = &e->list[i];
        cached += q->where == DECODING ? (double)q->request->prompt + q->made : 0.0;
    }
    if (!decodes) {
        decoding = 0.0;
    }
    if (decoding + tokens <= 0) {
        return 0.0;
    }
    return llm_step_s(&r->step, decoding + tokens, decoding, cached, attention);
}

/* The step that ends at now_s has done its work. */
static void done(struct engine *e, double now_s)
{
    bool prompts = false;
    for (size_t i = 0; i < e->admitted; i++) {
        prompts |= e->list[i].where == PREFILLING && e->list[i].chunk > 0;
    }
    bool decodes = !prompts || e->rules->scheduling == LLM_CHUNKED;
    size_t kept = 0;
    for (size_t i = 0; i < e->admitted; i++) {
        struct served q = e->list[i];
        if (q.where == DECODING && decodes) {
            q.made++;
        } else if (q.where == PREFILLING) {
            q.prefilled += q.chunk;
            if (q.prefilled >= target(&q)) {
                if (q.made == 0) {
                    q.request->first_s = now_s;
                }
                q.where = DECODING;
                q.made++;
            }
        }
        q.chunk = 0;
        if (q.where == DECODING && q.made >= q.request->output) {
            q.request->done_s = now_s;
        } else {
            e->list[kept++] = q;
        }
    }
    e->admitted = kept;
}

struct llm_steps_result llm_steps_serve(const struct llm_rules *rules, uint32_t block,
                                        struct llm_steps_request *requests, size_t count)
{
    struct llm_steps_result result = {0};
    struct engine e = {.rules = rules, .block = block};
    /* Evicted requests go in front of the head: there is room for all of them. */
    e.queue = calloc(2 * count + 1, sizeof *e.queue);
    e.list = calloc(count + 1, sizeof *e.list);
    e.head = e.tail = count;
    double now_s = 0.0;
    size_t next = 0;
    while (next < count || e.head < e.tail || e.admitted > 0) {
        while (next < count && requests[next].arrived_s <= now_s) {
            e.queue[e.tail++] = (struct served){.request = &requests[next++]};
        }
        result.evictions += evict(&e);
        double takes_s = step(&e);
        if (takes_s > 0) {
            now_s += takes_s;
            done(&e, now_s);
            result.steps++;
        } else {
            now_s = requests[next].arrived_s;
        }
    }
    free(e.queue);
    free(e.list);
    return result;
}
