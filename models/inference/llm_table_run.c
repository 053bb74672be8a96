/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/llm_table_run.h"

#include "models/inference/arrivals.h"
#include "models/inference/llm_replica_losses.h"
#include "models/inference/service_router.h"
#include "models/inference/token_lengths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the worlds that tables are made on; the same whatever the scenario's seed, as the table is. */
#define TABLE_SEED UINT64_C(0x6c6c6d)

enum {
    LENGTHS = 1 << 15,      /* requests that are drawn; they are served in a ring */
    MOST_REPLICAS = 32,     /* of a cell */
    ALWAYS_WAITING = 32,    /* at a replica that is kept full: more than a step takes in */
    LEAST_MEASURED = 10000, /* requests of a cell */
    MEASURED_A_PLACE = 20,  /* and for each that fills its replicas */
    WARM_UP_A_PLACE = 5,
    A_BATCH = 50, /* requests whose time together is looked at */
    MOST_WINDOWS = 4096,
    MOST_REQUESTS = 1 << 22 /* in the system at a time: a load below 1 stays far below */
};
/* The number in flight is averaged over windows as long as steps of autoscalers are, 15 to 60 s. */
#define WINDOW_S 30.0

struct llm_table_run {
    const struct llm_table_source *from;
    struct token_length *lengths; /* of requests that can be served */
    size_t length_count;
    struct service_requests requests;
    struct service_router router;
    struct llm_replica replicas[MOST_REPLICAS];
    double end_s[MOST_REPLICAS];
    uint32_t in_flight[MOST_REPLICAS];
    gsl_rng *rng;
    struct arrival_gaps gaps;
    double sequences;
    uint64_t source_order, source_gaps, source_route;

    /* Of the cell. */
    uint32_t replica_count;
    double now_s;
    uint64_t came, from_number, to_number, every; /* requests that are measured: [from, to) */
    uint64_t measured;                            /* of them, done */
    struct llm_cell *cell;
    double e2e_sum_s;
    bool full;      /* times are from admission */
    uint64_t batch; /* full: done since batch_from_s */
    double batch_from_s, batch_sum_s, batch_square, batches;
    bool failed;
    /* Integrals over time since measuring began, of all replicas together. */
    bool counts;
    double counted_s, in_flight_s, waiting_s, busy_s, active_s, square_s;
    double here, waiting, busy; /* now */
    double cache_token_s;       /* of all replicas, when measuring began */
    uint32_t active;            /* replicas that have something to do, now */
    double window_end_s, window_sum, windows[MOST_WINDOWS];
    size_t window_count;
};

/* ---- requests ---- */

/* Pairs that fill the unit square evenly (Hammersley's), in an order that is drawn. */
static bool draw_lengths(struct llm_table_run *run)
{
    const struct llm_spec *spec = run->from->spec;
    struct random_stream order;
    struct token_lengths lengths;
    const struct token_length none = {0, 0, 0};
    token_lengths_init(&lengths, "");
    run->lengths = malloc(LENGTHS * sizeof *run->lengths);
    uint32_t *place = malloc(LENGTHS * sizeof *place);
    if (run->lengths == NULL || place == NULL || !token_lengths_begin(&lengths, spec, NULL)) {
        free(place);
        return false;
    }
    for (uint32_t i = 0; i < LENGTHS; i++) {
        place[i] = i;
    }
    random_stream_init(&order, (struct random_world){TABLE_SEED, RANDOM_FIRST_JUDGE},
                       run->source_order);
    random_shuffle(&order, place, LENGTHS);
    for (uint32_t i = 0; i < LENGTHS; i++) {
        double u = (place[i] + 0.5) / LENGTHS, v = 0.5 / LENGTHS;
        for (uint32_t bits = place[i], half = LENGTHS / 2; bits > 0; bits >>= 1, half >>= 1) {
            v += (bits & 1) * (double)half / LENGTHS;
        }
        struct token_length l = token_lengths_at(&lengths, u, v, &none);
        if (token_lengths_cut(&l, (uint64_t)spec->context) &&
            llm_rules_can_serve(run->from->rules, l.prompt, l.output)) {
            run->lengths[run->length_count++] = l;
        }
    }
    free(place);
    return run->length_count > 0;
}

/* FNV-1a, 64 bits, word by word. */
static uint64_t hash_of(const struct llm_table_run *run)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < run->length_count; i++) {
        const struct token_length *l = &run->lengths[i];
        const uint32_t words[] = {l->prompt, l->output, l->cached};
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
            hash = (hash ^ words[k]) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

struct llm_table_key llm_table_run_key(const struct llm_table_run *run)
{
    const struct llm_table_source *from = run->from;
    return (struct llm_table_key){.rules = *from->rules,
                                  .means = *from->means,
                                  .cv = from->cv,
                                  .law = from->law,
                                  .routing = (int)from->spec->routing,
                                  .lengths = hash_of(run),
                                  .length_count = run->length_count};
}

struct llm_table_run *llm_table_run_new(const struct llm_table_source *from)
{
    struct llm_table_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return NULL;
    }
    run->from = from;
    run->gaps = arrival_gaps_of(from->law, from->cv);
    run->sequences = llm_saturated_sequences(from->rules, from->means);
    run->source_order = random_source("latency-table/order");
    run->source_gaps = random_source("latency-table/gaps");
    run->source_route = random_source("latency-table/route");
    run->rng = random_gsl_new((struct random_world){0}, run->source_gaps);
    service_requests_init(&run->requests, MOST_REQUESTS);
    for (size_t i = 0; i < MOST_REPLICAS; i++) {
        llm_replica_init(&run->replicas[i], from->rules, &run->requests);
    }
    if (!service_router_init(&run->router, (enum routing_law)from->spec->routing, MOST_REPLICAS) ||
        run->rng == NULL || !draw_lengths(run)) {
        llm_table_run_free(run);
        return NULL;
    }
    return run;
}

void llm_table_run_free(struct llm_table_run *run)
{
    if (run == NULL) {
        return;
    }
    for (size_t i = 0; i < MOST_REPLICAS; i++) {
        llm_replica_release(&run->replicas[i]);
    }
    service_router_release(&run->router);
    service_requests_release(&run->requests);
    if (run->rng != NULL) {
        gsl_rng_free(run->rng);
    }
    free(run->lengths);
    free(run);
}

/* ---- counting ---- */

static void count_until(struct llm_table_run *run, double t_s)
{
    while (run->counts && run->now_s < t_s) {
        double to_s = fmin(t_s, run->window_end_s), past_s = to_s - run->now_s;
        run->counted_s += past_s;
        run->in_flight_s += past_s * run->here;
        run->square_s += past_s * run->here * run->here;
        run->waiting_s += past_s * run->waiting;
        run->busy_s += past_s * run->busy;
        run->active_s += past_s * run->active;
        run->window_sum += past_s * run->here;
        run->now_s = to_s;
        if (to_s >= run->window_end_s) {
            if (run->window_count < MOST_WINDOWS) {
                run->windows[run->window_count++] = run->window_sum / WINDOW_S;
            }
            run->window_sum = 0;
            run->window_end_s += WINDOW_S;
        }
    }
    run->now_s = t_s;
}

/* After anything was done to a replica. */
static void follow(struct llm_table_run *run, uint32_t i, uint32_t waited)
{
    const struct llm_replica *r = &run->replicas[i];
    uint32_t before = run->in_flight[i];
    run->here += (double)r->in_flight - before;
    run->waiting += (double)r->waiting - waited;
    run->busy += fmin(1, r->in_flight / run->sequences) - fmin(1, before / run->sequences);
    run->active += (uint32_t)(r->in_flight > 0) - (uint32_t)(before > 0);
    run->in_flight[i] = r->in_flight;
    run->end_s[i] = r->end_s;
    service_router_load(&run->router, i, r->in_flight);
}

static void count_batch(struct llm_table_run *run, double done_s)
{
    if (++run->batch == A_BATCH) {
        double took_s = done_s - run->batch_from_s;
        run->batch_sum_s += took_s;
        run->batch_square += took_s * took_s;
        run->batches++;
        run->batch = 0;
        run->batch_from_s = done_s;
    }
}

static void on_done(void *owner, uint32_t request, double done_s)
{
    struct llm_table_run *run = owner;
    const struct service_request *q = &run->requests.items[request];
    if (run->full && run->counts) {
        count_batch(run, done_s);
    }
    if (q->number >= run->from_number && q->number < run->to_number) {
        uint64_t index = q->number - run->from_number;
        double since_s = run->full ? q->admitted_s : q->arrived_s, e2e_s = done_s - since_s;
        run->e2e_sum_s += e2e_s;
        run->measured++;
        if (index % run->every == 0 && index / run->every < LLM_TABLE_SAMPLES) {
            run->cell->samples[index / run->every] = (struct llm_sample){
                .wait_s = (float)fmax(0, q->admitted_s - since_s),
                .ttft_s = (float)(q->first_s - since_s),
                .e2e_s = (float)e2e_s,
                .tpot_s =
                    q->output >= 2 ? (float)((done_s - q->first_s) / (q->output - 1)) : -1.0F};
        }
    }
    service_requests_give(&run->requests, request);
}

static void advance(struct llm_table_run *run, uint32_t i)
{
    uint32_t waited = run->replicas[i].waiting;
    count_until(run, run->replicas[i].end_s);
    llm_replica_advance(&run->replicas[i], on_done, run);
    follow(run, i, waited);
}

static void arrive(struct llm_table_run *run, uint32_t i)
{
    uint32_t request = service_requests_take(&run->requests);
    if (request == 0) {
        run->failed = true;
        return;
    }
    struct service_request *q = &run->requests.items[request];
    const struct token_length *l = &run->lengths[run->came % run->length_count];
    q->arrived_s = q->queued_s = run->now_s;
    q->number = (uint32_t)run->came++;
    q->prompt = l->prompt;
    q->output = l->output;
    q->cached = l->cached;
    uint32_t waited = run->replicas[i].waiting;
    run->failed |= !llm_replica_arrive(&run->replicas[i], request, run->now_s);
    follow(run, i, waited);
}

static void begin_cell(struct llm_table_run *run, struct llm_cell *cell, uint32_t replicas,
                       double warm_up, double measured)
{
    run->cell = cell;
    run->replica_count = replicas;
    run->now_s = run->here = run->waiting = run->busy = run->e2e_sum_s = 0;
    run->came = run->measured = 0;
    run->from_number = (uint64_t)warm_up;
    run->to_number = run->from_number + (uint64_t)measured;
    run->every = (uint64_t)ceil(measured / LLM_TABLE_SAMPLES);
    run->counts = false;
    run->counted_s = run->in_flight_s = run->waiting_s = run->busy_s = run->square_s = 0;
    run->active_s = run->cache_token_s = 0;
    run->active = 0;
    run->window_sum = 0;
    run->window_count = 0;
    cell->count = (uint32_t)(((uint64_t)measured + run->every - 1) / run->every);
    service_router_reset(&run->router);
    for (uint32_t i = 0; i < replicas; i++) {
        llm_replica_reset(&run->replicas[i]);
        service_router_open(&run->router, i);
        run->end_s[i] = HUGE_VAL;
        run->in_flight[i] = 0;
    }
    service_requests_reset(&run->requests);
    for (uint32_t i = 0; i < replicas; i++) {
        /* Their clocks go on from 0 again. */
        llm_replica_release(&run->replicas[i]);
    }
}

/* Summed over time until the last event of each. */
static double cache_token_s(const struct llm_table_run *run)
{
    double sum = 0;
    for (uint32_t i = 0; i < run->replica_count; i++) {
        sum += run->replicas[i].cache_token_s;
    }
    return sum;
}

static void begin_counting(struct llm_table_run *run)
{
    run->counts = true;
    run->cache_token_s = cache_token_s(run);
    run->window_end_s = run->now_s + WINDOW_S;
}

/* ---- the number in flight over time ---- */

/* Time of correlation of an Ornstein-Uhlenbeck process the mean of which over a window has this
 * share of its variance: 2 / r (1 - (1 - exp(-r)) / r), r = window / time. */
static double memory_of(double window_s, double share)
{
    double low = 1e-4, high = 1e5; /* of r */
    for (int i = 0; i < 60; i++) {
        double r = sqrt(low * high);
        *(2 / r * (1 + expm1(-r) / r) > share ? &low : &high) = r;
    }
    return window_s / sqrt(low * high);
}

static void fill_cell(struct llm_table_run *run)
{
    struct llm_cell *c = run->cell;
    double replicas = run->replica_count, mean = run->in_flight_s / run->counted_s;
    double variance = fmax(run->square_s / run->counted_s - mean * mean, 1e-9), between = 0;
    for (size_t i = 0; i < run->window_count; i++) {
        between += (run->windows[i] - mean) * (run->windows[i] - mean);
    }
    c->in_flight = mean / replicas;
    c->waiting = run->waiting_s / run->counted_s / replicas;
    c->busy = run->busy_s / run->counted_s / replicas;
    c->active = run->active_s / run->counted_s / replicas;
    c->cache_tokens = (cache_token_s(run) - run->cache_token_s) / run->counted_s / replicas;
    c->spread = variance / replicas;
    c->e2e_s = run->e2e_sum_s / (double)run->measured;
    c->memory_s = run->window_count >= 16
                      ? memory_of(WINDOW_S, between / (double)run->window_count / variance)
                      : c->e2e_s;
    uint64_t evictions = 0;
    for (uint32_t i = 0; i < run->replica_count; i++) {
        evictions += run->replicas[i].evictions;
    }
    c->evictions = (double)evictions / (double)run->came;
}

/* All end what they have; how long that takes a replica on average. */
static double drain(struct llm_table_run *run)
{
    double sum_s = 0, from_s = run->now_s;
    run->counts = false;
    for (uint32_t i = 0; i < run->replica_count; i++) {
        double last_s = from_s;
        while (isfinite(run->replicas[i].end_s)) {
            last_s = run->replicas[i].end_s;
            advance(run, i);
        }
        sum_s += last_s - from_s;
    }
    return sum_s / run->replica_count;
}

/* ---- cells ---- */

bool llm_table_run_full(struct llm_table_run *run, struct llm_table *t)
{
    double warm_up = 1000 + 2 * WARM_UP_A_PLACE * run->sequences;
    double measured = LEAST_MEASURED + 4 * MEASURED_A_PLACE * run->sequences;
    begin_cell(run, &t->full, 1, warm_up, measured);
    run->full = true;
    while (run->measured < (uint64_t)measured && !run->failed) {
        while (run->replicas[0].waiting < ALWAYS_WAITING && !run->failed) {
            arrive(run, 0);
        }
        if (!run->counts && run->came > run->from_number + ALWAYS_WAITING) {
            begin_counting(run);
            run->batch_from_s = run->now_s;
        }
        advance(run, 0);
    }
    run->full = false;
    if (run->failed) {
        return false;
    }
    fill_cell(run);
    double sum_prompt = 0, sum_output = 0, served = (double)run->length_count;
    for (size_t i = 0; i < run->length_count; i++) {
        sum_prompt += run->lengths[i].prompt;
        sum_output += run->lengths[i].output;
    }
    t->prompt_tokens = sum_prompt / served;
    t->output_tokens = sum_output / served;
    t->rejected = 1 - served / LENGTHS;
    t->saturated_in_flight = t->full.in_flight - t->full.waiting;
    /* By Little's law over those measured: what is admitted, over how long it stays. */
    t->saturated_rate = t->saturated_in_flight / t->full.e2e_s;
    t->full.in_flight = t->saturated_in_flight;
    double mean_s = run->batch_sum_s / run->batches;
    t->dispersion = A_BATCH * fmax(0, run->batch_square / run->batches / (mean_s * mean_s) - 1);
    t->full.waiting = 0;
    return true;
}

static uint32_t first_to_end(const struct llm_table_run *run)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < run->replica_count; i++) {
        first = run->end_s[i] < run->end_s[first] ? i : first;
    }
    return first;
}

bool llm_table_run_cell(struct llm_table_run *run, struct llm_table *t, size_t column, size_t row)
{
    uint32_t replicas = llm_table_counts[column];
    double share = llm_table_loads[row], places = replicas * t->saturated_in_flight * share;
    double longer = share < 0.85 ? 1 : 2;
    double measured = LEAST_MEASURED + longer * MEASURED_A_PLACE * places;
    begin_cell(run, &t->cells[column][row], replicas, 1000 + longer * WARM_UP_A_PLACE * places,
               measured);
    struct random_world world = {TABLE_SEED, RANDOM_FIRST_JUDGE + replicas};
    random_stream_init(gsl_rng_state(run->rng), world, run->source_gaps);
    double gap_s = 1 / (share * t->saturated_rate * replicas), next_s = 0;
    while (run->measured < (uint64_t)measured && !run->failed) {
        next_s += gap_s * arrival_gap(&run->gaps, run->rng);
        for (uint32_t i = first_to_end(run); run->end_s[i] <= next_s; i = first_to_end(run)) {
            advance(run, i);
        }
        count_until(run, next_s);
        double u = run->router.law == ROUTING_TWO_CHOICES
                       ? random_uniform_at(world, run->source_route, (uint32_t)run->came)
                       : 0.5;
        arrive(run, service_router_pick(&run->router, u));
        if (!run->counts && run->came == run->from_number) {
            begin_counting(run);
        }
    }
    if (run->failed) {
        return false;
    }
    fill_cell(run);
    run->cell->drain_s = drain(run);
    return true;
}
