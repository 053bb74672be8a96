/* SPDX-License-Identifier: GPL-3.0-or-later
 * One queue for all replicas: a request is served by the first that has a free slot, or, where the
 * slots of a replica share it, by the one with the fewest requests.
 *
 * Slots that share one accelerator (processor sharing) all advance together, at 1/k of the speed
 * while k are taken. each_s is the service that a request would have had that was there since the
 * replica was last empty; one that comes at each_s = e with a time of t is done at e + t, so that
 * one event a replica, for the least of these, is enough. */
#include "models/inference/service_state.h"

#include <math.h>
#include <stdlib.h>

static struct service_request *request_at(const struct service_run *s, uint32_t request)
{
    return &s->requests.items[request];
}

/* ---- free slots ---- */

enum { WORD_BITS = 64 };

static void set_free(struct service_run *s, uint32_t replica)
{
    const struct replica *r = &s->replicas[replica];
    uint32_t word = replica / WORD_BITS;
    uint64_t bit = UINT64_C(1) << (replica % WORD_BITS);
    if (r->state == REPLICA_READY && r->busy < s->serving[r->pool].slots) {
        s->free_words[word] |= bit;
        s->free_hint = word < s->free_hint ? word : s->free_hint;
    } else {
        s->free_words[word] &= ~bit;
    }
}

/* The first replica with a free slot; replica_count: none. */
static uint32_t find_free(struct service_run *s)
{
    uint32_t words = (s->replica_count + WORD_BITS - 1) / WORD_BITS;
    while (s->free_hint < words && s->free_words[s->free_hint] == 0) {
        s->free_hint++;
    }
    if (s->free_hint >= words) {
        return s->replica_count;
    }
    return s->free_hint * WORD_BITS + (uint32_t)__builtin_ctzll(s->free_words[s->free_hint]);
}

/* The first of those with the fewest requests, as balancers of load do; there is one with a free
 * slot. */
static uint32_t find_least(const struct service_run *s)
{
    uint32_t words = (s->replica_count + WORD_BITS - 1) / WORD_BITS, least = s->replica_count;
    for (uint32_t word = s->free_hint; word < words; word++) {
        for (uint64_t bits = s->free_words[word]; bits != 0; bits &= bits - 1) {
            uint32_t i = word * WORD_BITS + (uint32_t)__builtin_ctzll(bits);
            if (least == s->replica_count || s->replicas[i].busy < s->replicas[least].busy) {
                least = i;
            }
        }
    }
    return least;
}

static bool takes_one(struct service_run *s)
{
    return find_free(s) < s->replica_count;
}

/* ---- units ---- */

static uint32_t take_unit(struct service_units *u)
{
    if (u->free_ != 0) {
        uint32_t taken = u->free_;
        u->free_ = u->items[taken].newer;
        return taken;
    }
    if (u->count + 1 >= u->capacity) {
        uint32_t capacity = u->capacity < 64 ? 128 : u->capacity * 2;
        struct service_unit *items = realloc(u->items, capacity * sizeof *items);
        if (items == NULL) {
            return 0;
        }
        u->items = items;
        u->capacity = capacity;
    }
    return ++u->count;
}

/* So many slots are taken. Of slots that share one accelerator any keeps it busy. */
static void set_busy(struct service_run *s, struct replica *r, uint32_t busy)
{
    const struct pool_serving *serving = &s->serving[r->pool];
    const bool active = busy > 0;
    if (!serving->sharing) {
        s->busy_replicas += ((double)busy - r->busy) / serving->slots;
    } else {
        s->busy_replicas += (double)active - (double)(r->busy > 0);
    }
    s->active_replicas += (uint32_t)active - (uint32_t)(r->busy > 0);
    r->busy = busy;
}

/* Takes it from its replica; the records of its requests stay. */
static void end_unit(struct service_run *s, uint32_t unit)
{
    struct service_unit *u = &s->units.items[unit];
    struct replica *r = &s->replicas[u->replica];
    *(u->older != 0 ? &s->units.items[u->older].newer : &r->first_unit) = u->newer;
    if (u->newer != 0) {
        s->units.items[u->newer].older = u->older;
    }
    u->newer = s->units.free_;
    s->units.free_ = unit;
    set_busy(s, r, r->busy - 1);
}

/* ---- serving ---- */

/* random_uniform_at of the request's number, sixteen of them computed at a time: they are served
 * nearly in that order. */
static double service_luck(struct service_run *s, uint32_t number)
{
    if (!s->luck.made || number - s->luck.from >= PHILOX_BATCH) {
        const struct random_world w = fleet_world(s->fleet);
        const uint32_t counter[4] = {number, w.replication, (uint32_t)s->source_time,
                                     (uint32_t)(s->source_time >> 32)};
        const uint32_t key[2] = {(uint32_t)w.seed, (uint32_t)(w.seed >> 32)};
        philox_batch(counter, key, s->luck.words);
        s->luck.from = number;
        s->luck.made = true;
    }
    const uint32_t *words = s->luck.words + (size_t)(number - s->luck.from) * 4;
    return random_unit(words[0] | (uint64_t)words[1] << 32);
}

static double service_time(struct service_run *s, const struct pool_serving *serving,
                           const struct service_request *first, uint32_t count)
{
    if (serving->batch > 1) {
        double all_s = serving->each_s * count;
        return serving->law == BATCH_LINEAR ? serving->base_s + all_s
                                            : hypot(serving->base_s, all_s);
    }
    const double luck = service_luck(s, first->number);
    const double takes_s = serving->time_table != NULL
                               ? quantile_table_at(serving->time_table, luck)
                               : distribution_quantile(&serving->time, luck);
    return takes_s > 0 ? takes_s : 0.0;
}

/* Up to now, while as many were served. */
static void advance_shared(struct service_run *s, struct replica *r)
{
    const double now_s = s->calendar->now_s;
    r->each_s = r->busy > 0 ? r->each_s + (now_s - r->shared_at_s) / r->busy : 0;
    r->shared_at_s = now_s;
}

/* Of those that share the one that is done first, the oldest of several. There is one. */
static uint32_t first_shared(const struct service_run *s, const struct replica *r)
{
    uint32_t first = r->first_unit;
    for (uint32_t unit = first; unit != 0; unit = s->units.items[unit].newer) {
        if (s->units.items[unit].done_each_s <= s->units.items[first].done_each_s) {
            first = unit;
        }
    }
    return first;
}

static void on_shared(void *run, uint64_t replica);

/* After it was advanced, and a request came or went. */
static bool schedule_shared(struct service_run *s, uint32_t replica)
{
    struct replica *r = &s->replicas[replica];
    calendar_cancel(s->calendar, r->shared_end);
    if (r->busy == 0) {
        return true;
    }
    double left_s = s->units.items[first_shared(s, r)].done_each_s - r->each_s;
    double end_s = s->calendar->now_s + fmax(0, left_s) * r->busy;
    return calendar_schedule(s->calendar, end_s, EVENT_WORK, on_shared, s, replica,
                             &r->shared_end) == CALENDAR_OK;
}

static void on_served(void *run, uint64_t unit)
{
    struct service_run *s = run;
    struct service_unit *u = &s->units.items[unit];
    uint32_t replica = u->replica;
    service_book(s);
    for (uint32_t request = u->first, left = u->count, next; left > 0; request = next, left--) {
        next = request_at(s, request)->next;
        service_succeed(s, request);
    }
    end_unit(s, (uint32_t)unit);
    if (s->serving[s->replicas[replica].pool].sharing && !schedule_shared(s, replica)) {
        fleet_fail(s->fleet);
    }
    if (s->replicas[replica].state == REPLICA_DRAINING) {
        if (s->replicas[replica].busy == 0) {
            service_drained(s, replica);
        }
        return;
    }
    if (s->plan->of_jobs) {
        service_job_ends(s, replica);
        service_jobs_follow(s);
        return;
    }
    set_free(s, replica);
    service_dispatch(s);
}

static void on_shared(void *run, uint64_t replica)
{
    struct service_run *s = run;
    struct replica *r = &s->replicas[replica];
    uint32_t unit = first_shared(s, r);
    advance_shared(s, r);
    r->each_s = fmax(r->each_s, s->units.items[unit].done_each_s); /* but for rounding it is */
    on_served(run, unit);
}

/* Begins to serve the first `count` that wait. */
static bool serve(struct service_run *s, uint32_t replica, uint32_t count)
{
    struct replica *r = &s->replicas[replica];
    const struct pool_serving *serving = &s->serving[r->pool];
    uint32_t unit = take_unit(&s->units);
    if (unit == 0) {
        return false;
    }
    struct service_unit *u = &s->units.items[unit];
    double now_s = s->calendar->now_s;
    *u = (struct service_unit){.count = count, .replica = replica, .newer = r->first_unit};
    for (uint32_t i = 0, last = 0; i < count; i++) {
        uint32_t request = service_take_first(s);
        const struct service_request *q = request_at(s, request);
        if (service_measures(s, q->arrived_s)) {
            log_histogram_add(&s->books.wait, now_s - q->arrived_s, 1);
            s->books.waited += now_s > q->arrived_s;
        }
        *(i == 0 ? &u->first : &request_at(s, last)->next) = request;
        last = request;
    }
    if (r->first_unit != 0) {
        s->units.items[r->first_unit].older = unit;
    }
    r->first_unit = unit;
    double takes_s = service_time(s, serving, request_at(s, u->first), count);
    if (serving->sharing) {
        advance_shared(s, r);
        u->done_each_s = r->each_s + takes_s;
    }
    set_busy(s, r, r->busy + 1);
    set_free(s, replica);
    return serving->sharing ? schedule_shared(s, replica)
                            : calendar_schedule(s->calendar, now_s + takes_s, EVENT_WORK, on_served,
                                                s, unit, &u->end) == CALENDAR_OK;
}

static void on_delay(void *run, uint64_t tag)
{
    struct service_run *s = run;
    (void)tag;
    if (!s->over) {
        service_book(s);
        service_dispatch(s);
    }
}

/* A batch that is not full waits for more, up to its delay. */
static bool waits_for_more(struct service_run *s, const struct pool_serving *serving)
{
    double until_s = request_at(s, s->first_waiting)->queued_s + serving->delay_s;
    if (s->waiting >= serving->batch || until_s <= s->calendar->now_s) {
        return false;
    }
    calendar_cancel(s->calendar, s->delay);
    if (calendar_schedule(s->calendar, until_s, EVENT_WORK, on_delay, s, 0, &s->delay) !=
        CALENDAR_OK) {
        fleet_fail(s->fleet);
    }
    return true;
}

static void dispatch(struct service_run *s)
{
    service_give_up(s);
    while (s->waiting > 0) {
        uint32_t replica = find_free(s);
        if (replica >= s->replica_count) {
            return;
        }
        const struct pool_serving *serving = &s->serving[s->replicas[replica].pool];
        if (serving->sharing) { /* the fuller, the slower */
            replica = find_least(s);
        }
        if (serving->batch > 1 && waits_for_more(s, serving)) {
            return;
        }
        uint32_t count = s->waiting < serving->batch ? s->waiting : serving->batch;
        if (!serve(s, replica, count)) {
            fleet_fail(s->fleet);
            return;
        }
    }
}

/* ---- losing ---- */

static void lose(struct service_run *s, uint32_t replica)
{
    struct replica *r = &s->replicas[replica];
    calendar_cancel(s->calendar, r->shared_end);
    while (r->first_unit != 0) {
        uint32_t unit = r->first_unit;
        struct service_unit u = s->units.items[unit];
        calendar_cancel(s->calendar, u.end);
        end_unit(s, unit);
        for (uint32_t request = u.first, next; u.count > 0; request = next, u.count--) {
            next = request_at(s, request)->next;
            service_fail(s, request, REQUEST_LOST);
        }
    }
}

static void begin_serving(struct service_run *s)
{
    s->luck.made = false; /* nothing of this world */
    s->units.count = s->units.free_ = 0;
}

const struct serving_way serving_by_slots = {
    .dispatch = dispatch,
    .takes_one = takes_one,
    .lose = lose,
    .set_free = set_free,
    .begin = begin_serving,
};
