/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/llm_replica.h"

#include <math.h>

/* A replica is advanced some millions of times a second: what most of its events take is inlined,
 * what few do is kept out of their way. */
#define INLINE __attribute__((always_inline)) inline
#define APART  __attribute__((noinline))

static struct service_request *at(const struct llm_replica *r, uint32_t request)
{
    return &r->requests->items[request];
}

/* ---- the cache, in tokens ---- */

/* Of a prompt to prefill, made tokens included, without what the prefix cache has. */
static double tokens_to_prefill(const struct service_request *q)
{
    return (double)((int64_t)q->prompt + q->made - q->cached); /* signed: one instruction */
}

static double guaranteed(const struct llm_replica *r, const struct service_request *q)
{
    return (double)((int64_t)q->prompt + q->output - q->cached) + r->rules->waste_tokens;
}

/* Of one that decodes, or whose prompt is in part done. */
static double held(const struct llm_replica *r, uint32_t request)
{
    const struct service_request *q = at(r, request);
    if (request == r->partial && r->rules->admission == LLM_ADMIT_CHUNK) {
        return r->prefilled + r->rules->waste_tokens;
    }
    return tokens_to_prefill(q) + r->rules->waste_tokens;
}

/* Whether a request that is to get `chunk` tokens of its prompt in the next step may be admitted
 * when `used` tokens are; alone: nothing else is here. */
static bool fits(const struct llm_replica *r, const struct service_request *q, double used,
                 double chunk, bool alone)
{
    const struct llm_rules *rules = r->rules;
    if (alone) {
        return true;
    }
    if (rules->admission == LLM_ADMIT_GUARANTEED) {
        return r->reserved + guaranteed(r, q) <= rules->step.kv_tokens;
    }
    double need = rules->admission == LLM_ADMIT_CHUNK ? chunk : tokens_to_prefill(q);
    return used + need + rules->waste_tokens <= rules->step.kv_tokens * (1.0 - rules->watermark);
}

/* ---- leaving ---- */

static void wait_first(struct llm_replica *r, uint32_t request)
{
    at(r, request)->next = r->first_waiting;
    r->first_waiting = request;
    if (r->last_waiting == 0) {
        r->last_waiting = request;
    }
    r->waiting++;
}

/* The one admitted last goes back to the head of those that wait, and is prefilled anew. */
static void evict_newest(struct llm_replica *r)
{
    uint32_t request = r->partial;
    if (request != 0) {
        r->used -= held(r, request);
        r->partial = 0;
    } else {
        const struct decode_entry newest = decode_heap_take_newest(&r->decoders);
        request = newest.request;
        struct service_request *q = at(r, request);
        q->made = q->output - (uint32_t)(newest.done_at - r->steps);
        r->cached -= (double)q->prompt + q->made;
        r->used -= held(r, request);
    }
    wait_first(r, request);
    r->evictions++;
}

static void finish(struct llm_replica *r, uint32_t request, double done_s, llm_done *done,
                   void *owner)
{
    struct service_request *q = at(r, request);
    q->made = q->output;
    r->used -= held(r, request);
    if (r->rules->admission == LLM_ADMIT_GUARANTEED) {
        r->reserved -= guaranteed(r, q);
    }
    r->in_flight--;
    done(owner, request, done_s);
}

/* ---- what comes next ---- */

/* A request is admitted from the head of those that wait. */
static uint32_t admit(struct llm_replica *r)
{
    uint32_t request = r->first_waiting;
    struct service_request *q = at(r, request);
    r->first_waiting = q->next;
    if (r->first_waiting == 0) {
        r->last_waiting = 0;
    }
    r->waiting--;
    if (q->made == 0) {
        q->admitted_s = r->begin_s;
    }
    q->order = r->admissions++;
    r->used += r->rules->waste_tokens;
    if (r->rules->admission != LLM_ADMIT_CHUNK) {
        r->used += tokens_to_prefill(q);
    }
    if (r->rules->admission == LLM_ADMIT_GUARANTEED) {
        r->reserved += guaranteed(r, q);
    }
    return request;
}

/* What a step with prompts is made of. */
struct prompt_step {
    double tokens, attention; /* of prompts */
    uint32_t sequences;       /* that it holds beside the decoding ones */
    uint32_t last;            /* of the list in_step */
};

/* `chunk` tokens of this request's prompt are in the step, and end it or not. */
INLINE static void put_chunk(struct llm_replica *r, struct prompt_step *step, uint32_t request,
                             double chunk)
{
    struct service_request *q = at(r, request);
    const uint32_t before = request == r->partial ? r->prefilled : 0;
    step->tokens += chunk;
    step->attention += llm_step_attention(chunk, (double)((int64_t)q->cached + before));
    step->sequences++;
    if (r->rules->admission == LLM_ADMIT_CHUNK) {
        r->used += chunk;
    }
    if (before + chunk >= tokens_to_prefill(q)) {
        q->next = 0;
        *(step->last != 0 ? &at(r, step->last)->next : &r->in_step) = request;
        step->last = request;
        if (request == r->partial) {
            r->partial = 0;
        }
    } else {
        r->partial = request;
        r->prefilled = before;
        r->chunk = (uint32_t)chunk;
    }
}

static bool alone(const struct llm_replica *r, const struct prompt_step *step)
{
    return r->decoders.count == 0 && step->sequences == 0;
}

/* Fills a step with prompts of those that wait, up to `room` tokens. whole: prompts are not cut,
 * but for one that is larger than any step. */
static void fill_step(struct llm_replica *r, struct prompt_step *step, double room, bool whole)
{
    while (r->first_waiting != 0 && room >= 1 &&
           r->decoders.count + step->sequences < r->rules->most_sequences) {
        const struct service_request *q = at(r, r->first_waiting);
        double left = tokens_to_prefill(q), chunk = whole || left < room ? left : room;
        bool first = step->sequences == 0;
        if ((whole && left > room && !first) || !fits(r, q, r->used, chunk, alone(r, step))) {
            return;
        }
        put_chunk(r, step, admit(r), chunk);
        room -= chunk;
    }
}

INLINE static void begin_decoding(struct llm_replica *r)
{
    const struct llm_step *s = &r->rules->step;
    double b = r->decoders.count;
    uint64_t until_done = r->decoders.entries[0].done_at - r->steps;
    double n = (double)(int64_t)until_done, free_tokens = s->kv_tokens - r->used;
    r->phase = LLM_DECODE;
    r->jump = until_done;
    if (b * n > free_tokens) { /* else it is not full before */
        double until_full = floor(free_tokens / b);
        r->jump = until_full < n ? (uint64_t)until_full : until_done;
        n = (double)(int64_t)r->jump;
    }
    r->end_s = r->begin_s + llm_step_decoding_s(s, b) * n +
               s->cached_s * (r->cached * n + 0.5 * b * n * (n - 1.0));
}

/* Steps that all hold the same full chunk of one long prompt, which does not end in them. */
APART static void begin_full_chunks(struct llm_replica *r, double room)
{
    const struct llm_step *s = &r->rules->step;
    const struct service_request *q = at(r, r->partial);
    double b = r->decoders.count, left = tokens_to_prefill(q) - r->prefilled;
    double grows = b + (r->rules->admission == LLM_ADMIT_CHUNK ? room : 0.0);
    double n = ceil(left / room) - 1.0;
    if (r->decoders.count > 0) {
        n = fmin(n, (double)(r->decoders.entries[0].done_at - r->steps));
    }
    if (grows > 0) {
        n = fmin(n, fmax(1.0, floor((s->kv_tokens - r->used) / grows)));
    }
    double before = (double)q->cached + r->prefilled;
    r->phase = LLM_PREFILL;
    r->jump = (uint64_t)n;
    r->chunk = (uint32_t)room;
    if (r->rules->admission == LLM_ADMIT_CHUNK) {
        r->used += room * n;
    }
    r->end_s = r->begin_s + n * llm_step_s(s, b + room, b, 0.0, llm_step_attention(room, before)) +
               s->cached_s * (r->cached * n + 0.5 * b * n * (n - 1.0)) +
               s->attention_s * 0.5 * room * room * n * (n - 1.0);
}

/* One step that ends prompts, or holds the first chunk of one. */
APART static bool begin_prompts(struct llm_replica *r)
{
    bool chunked = r->rules->scheduling == LLM_CHUNKED;
    double b = chunked ? r->decoders.count : 0.0, room = r->rules->token_budget - b;
    struct prompt_step step = {0};
    r->in_step = 0;
    r->chunk = 0;
    if (r->partial != 0) {
        const struct service_request *q = at(r, r->partial);
        double left = tokens_to_prefill(q) - r->prefilled;
        if (room < 1) {
            return false; /* decoding takes all of the budget */
        }
        if (left > room) {
            begin_full_chunks(r, room);
            return true;
        }
        put_chunk(r, &step, r->partial, left);
        room -= left;
    }
    fill_step(r, &step, room, !chunked);
    if (step.sequences == 0) {
        return false;
    }
    r->phase = LLM_PREFILL;
    r->jump = 1;
    r->end_s = r->begin_s + llm_step_s(&r->rules->step, b + step.tokens, b,
                                       chunked ? r->cached : 0.0, step.attention);
    return true;
}

/* Tokens that the next step adds to the cache for certain: of decoding, and of a prompt that is
 * let in chunk by chunk. */
static double next_tokens(const struct llm_replica *r)
{
    if (r->partial == 0 || r->rules->admission != LLM_ADMIT_CHUNK) {
        return r->decoders.count;
    }
    const struct service_request *q = at(r, r->partial);
    double room = (double)r->rules->token_budget - r->decoders.count;
    return r->decoders.count + fmax(0.0, fmin(room, tokens_to_prefill(q) - r->prefilled));
}

/* Until the next step fits; one alone goes on. */
APART static void evict(struct llm_replica *r)
{
    while (r->used + next_tokens(r) > r->rules->step.kv_tokens &&
           r->decoders.count + (r->partial != 0) > 1) {
        evict_newest(r);
    }
}

/* At begin_s, a boundary between steps. */
INLINE static void begin(struct llm_replica *r)
{
    if (r->used + (r->partial == 0 ? r->decoders.count : next_tokens(r)) >
        r->rules->step.kv_tokens) {
        evict(r);
    }
    if ((r->first_waiting != 0 || r->partial != 0) && begin_prompts(r)) {
        return;
    }
    if (r->decoders.count > 0) {
        begin_decoding(r);
        return;
    }
    r->phase = LLM_IDLE;
    r->jump = 0;
    r->end_s = HUGE_VAL;
}

/* ---- what is over ---- */

/* Decoding went `jump` steps on. */
static void decode(struct llm_replica *r, llm_done *done, void *owner)
{
    double made = (double)(int64_t)r->jump * r->decoders.count;
    r->steps += r->jump;
    r->cached += made;
    r->used += made;
    while (r->decoders.count > 0 && r->decoders.entries[0].done_at <= r->steps) {
        uint32_t request = r->decoders.entries[0].request;
        decode_heap_pop(&r->decoders);
        r->cached -= (double)((int64_t)at(r, request)->prompt + at(r, request)->output);
        finish(r, request, r->end_s, done, owner);
    }
}

/* Prompts ended: each has made a token, its first unless it was evicted before. */
static void end_prompts(struct llm_replica *r, llm_done *done, void *owner)
{
    for (uint32_t request = r->in_step, next; request != 0; request = next) {
        struct service_request *q = at(r, request);
        next = q->next;
        if (q->made == 0) {
            q->first_s = r->end_s;
        }
        q->made++;
        r->used += 1.0;
        if (q->made >= q->output) {
            finish(r, request, r->end_s, done, owner);
            continue;
        }
        r->cached += (double)((int64_t)q->prompt + q->made);
        decode_heap_push(&r->decoders,
                         (struct decode_entry){.done_at = r->steps + (q->output - q->made),
                                               .request = request,
                                               .order = q->order});
    }
    r->in_step = 0;
}

void llm_replica_advance(struct llm_replica *r, llm_done *done, void *owner)
{
    r->events++;
    const double past_s = r->end_s - r->begin_s;
    const bool decodes = r->phase == LLM_DECODE || r->rules->scheduling == LLM_CHUNKED;
    r->busy_s += past_s;
    r->cache_token_s +=
        past_s * (r->used + (decodes ? 0.5 * (double)(int64_t)r->jump * r->decoders.count : 0.0));
    if (decodes) {
        decode(r, done, owner);
    }
    if (r->phase == LLM_PREFILL) {
        if (r->partial != 0) {
            r->prefilled += r->chunk * (uint32_t)r->jump;
        }
        end_prompts(r, done, owner);
    }
    r->begin_s = r->end_s;
    begin(r);
}

/* ---- arrivals ---- */

/* A jump of decoding is cut at the first boundary not before now_s where the new request, the only
 * one that waits, can be admitted. */
static void cut_jump(struct llm_replica *r, double now_s)
{
    const struct llm_rules *rules = r->rules;
    const struct llm_step *s = &rules->step;
    const struct service_request *q = at(r, r->first_waiting);
    double b = r->decoders.count, room = rules->token_budget;
    if (rules->scheduling == LLM_CHUNKED) {
        room -= b;
    }
    if (room < 1 || r->decoders.count >= rules->most_sequences) {
        return;
    }
    /* duration(m) = p m + q m^2 >= dt */
    double square = 0.5 * s->cached_s * b;
    double linear = llm_step_s(s, b, b, r->cached, 0.0) - square;
    double dt = now_s - r->begin_s, steps = 0.0;
    if (dt > 0) {
        double root = 2.0 * dt / (linear + sqrt(linear * linear + 4.0 * square * dt));
        steps = root * (1.0 - 1e-12);
    }
    const int64_t jump = (int64_t)r->jump;
    if (!(steps < (double)jump)) {
        return;
    }
    int64_t cut = (int64_t)steps; /* rounded up: ceil is a call */
    cut += (double)cut < steps;
    const double m = (double)cut, prompt = tokens_to_prefill(q);
    if (cut >= jump || !fits(r, q, r->used + b * m, prompt < room ? prompt : room, false)) {
        return;
    }
    r->jump = (uint64_t)cut;
    r->end_s = r->begin_s + linear * m + square * m * m;
}

bool llm_replica_arrive(struct llm_replica *r, uint32_t request, double now_s)
{
    if (!decode_heap_reserve(&r->decoders, r->in_flight + 1)) {
        return false;
    }
    struct service_request *q = at(r, request);
    q->next = 0;
    *(r->last_waiting != 0 ? &at(r, r->last_waiting)->next : &r->first_waiting) = request;
    r->last_waiting = request;
    r->waiting++;
    r->in_flight++;
    if (r->phase == LLM_IDLE) {
        r->begin_s = now_s;
        begin(r);
    } else if (r->phase == LLM_DECODE && r->waiting == 1) {
        cut_jump(r, now_s);
    }
    return true;
}

/* ---- life ---- */

void llm_replica_init(struct llm_replica *r, const struct llm_rules *rules,
                      struct service_requests *requests)
{
    *r = (struct llm_replica){.rules = rules, .requests = requests, .end_s = HUGE_VAL};
    decode_heap_init(&r->decoders);
}

void llm_replica_release(struct llm_replica *r)
{
    decode_heap_release(&r->decoders);
    llm_replica_init(r, r->rules, r->requests);
}
