/* SPDX-License-Identifier: GPL-3.0-or-later
 * A sweep over time for each pool: the nodes that run, in the order of their launches, and at every
 * instant at which one comes, one goes or more or less is reserved, the place of each. */
#include "models/billing/focus_held.h"

#include <stdbool.h>
#include <stdlib.h>

/* Steps of all sweeps together, and stays kept. */
#define STEPS_MAX 4000000000.0
enum { STAYS_MAX = 20000000 };

struct held_node {
    size_t record;
    uint32_t twin;
    int64_t start_us, end_us;
    size_t item, next; /* + 1, in which it is, and will be; 0: none */
    int64_t since_us;
};

/* One pool. */
struct held_pool_sweep {
    struct focus_held *out;
    const struct reservation_plan *plan;
    int pool;
    int64_t until_us;
    struct held_node *nodes; /* in the order of their launches */
    size_t node_count, node_capacity;
    size_t *running; /* indices of nodes, rising */
    size_t running_count;
    int64_t *instants; /* sorted */
    size_t *places;    /* by reservation of the plan */
    size_t instant_count;
    double steps;
    enum focus_held_end end;
};

/* ---- what happens in a pool ---- */

static bool room_for_nodes(struct held_pool_sweep *s, size_t more)
{
    size_t capacity = s->node_capacity == 0 ? 256 : s->node_capacity;
    while (capacity < s->node_count + more) {
        capacity *= 2;
    }
    if (capacity > s->node_capacity) {
        struct held_node *grown = realloc(s->nodes, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        s->nodes = grown;
        s->node_capacity = capacity;
    }
    return true;
}

static int compare_nodes(const void *left, const void *right)
{
    const struct held_node *a = left, *b = right;
    if (a->start_us != b->start_us) {
        return a->start_us < b->start_us ? -1 : 1;
    }
    if (a->record != b->record) {
        return a->record < b->record ? -1 : 1;
    }
    return (a->twin > b->twin) - (a->twin < b->twin);
}

static bool gather_nodes(struct held_pool_sweep *s, const struct usage_log *log)
{
    s->node_count = 0;
    for (size_t i = 0; i < log->count; i++) {
        const struct usage *u = &log->records[i];
        if (u->pool != s->pool || u->end_us == u->start_us) {
            continue;
        }
        if (!room_for_nodes(s, (size_t)usage_nodes(u))) {
            return false;
        }
        for (uint32_t twin = 0; twin <= u->twins; twin++) {
            s->nodes[s->node_count++] = (struct held_node){
                .record = i, .twin = twin, .start_us = u->start_us, .end_us = u->end_us};
        }
    }
    if (s->node_count > 0) {
        qsort(s->nodes, s->node_count, sizeof *s->nodes, compare_nodes);
    }
    return true;
}

static int compare_instants(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static bool gather_instants(struct held_pool_sweep *s)
{
    const size_t most = 2 * (s->node_count + s->plan->count);
    free(s->instants);
    free(s->running);
    s->instants = malloc((most + 1) * sizeof *s->instants);
    s->running = malloc((s->node_count + 1) * sizeof *s->running);
    if (s->instants == NULL || s->running == NULL) {
        return false;
    }
    s->instant_count = s->running_count = 0;
    for (size_t i = 0; i < s->node_count; i++) {
        s->instants[s->instant_count++] = s->nodes[i].start_us;
        s->instants[s->instant_count++] = s->nodes[i].end_us;
    }
    for (size_t i = 0; i < s->plan->count; i++) {
        if (s->plan->items[i].pool == s->pool) {
            s->instants[s->instant_count++] = s->plan->items[i].from_us;
            s->instants[s->instant_count++] = s->plan->items[i].to_us;
        }
    }
    qsort(s->instants, s->instant_count, sizeof *s->instants, compare_instants);
    return true;
}

/* ---- places ---- */

static bool keep_stay(struct held_pool_sweep *s, const struct held_node *n, int64_t to_us)
{
    struct focus_held *h = s->out;
    if (n->item == 0 || n->since_us == to_us) {
        return true;
    }
    if (h->count == h->capacity) {
        size_t capacity = h->capacity == 0 ? 256 : 2 * h->capacity;
        if (capacity > STAYS_MAX) {
            s->end = FOCUS_HELD_TOO_MANY;
            return false;
        }
        struct focus_stay *grown = realloc(h->stays, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        h->stays = grown;
        h->capacity = capacity;
    }
    h->stays[h->count++] = (struct focus_stay){.record = n->record,
                                               .twin = n->twin,
                                               .item = (uint32_t)(n->item - 1),
                                               .from_us = n->since_us,
                                               .to_us = to_us};
    return true;
}

static bool move_to(struct held_pool_sweep *s, struct held_node *n, size_t item, int64_t at_us)
{
    if (n->item != item) {
        if (!keep_stay(s, n, at_us)) {
            return false;
        }
        n->item = item;
        n->since_us = at_us;
    }
    return true;
}

/* Those that end, out; *next: nodes up to it have come. */
static bool come_and_go(struct held_pool_sweep *s, int64_t at_us, size_t *next)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->running_count; i++) {
        struct held_node *n = &s->nodes[s->running[i]];
        if (n->end_us > at_us) {
            s->running[kept++] = s->running[i];
        } else if (!keep_stay(s, n, at_us)) {
            return false;
        }
    }
    s->steps += (double)s->running_count;
    s->running_count = kept;
    while (*next < s->node_count && s->nodes[*next].start_us <= at_us) {
        s->running[s->running_count++] = (*next)++;
    }
    return true;
}

/* How many run in each reservation of the pool, as the bill has it: the first is filled first. */
static void set_places(struct held_pool_sweep *s, int64_t at_us)
{
    size_t left = s->running_count;
    for (size_t i = 0; i < s->plan->count; i++) {
        const struct held_capacity *h = &s->plan->items[i];
        const bool held =
            h->pool == s->pool && h->from_us <= at_us && at_us < h->to_us && at_us < s->until_us;
        s->places[i] = !held ? 0 : left < h->count ? left : h->count;
        left -= s->places[i];
    }
}

/* Who is in a reservation stays in it as long as there is a place; the places left go to those that
 * were launched first. */
static bool take_places(struct held_pool_sweep *s, int64_t at_us)
{
    set_places(s, at_us);
    for (size_t i = 0; i < s->running_count; i++) {
        struct held_node *n = &s->nodes[s->running[i]];
        n->next = n->item > 0 && s->places[n->item - 1] > 0 ? n->item : 0;
        if (n->next > 0) {
            s->places[n->next - 1]--;
        }
    }
    for (size_t i = 0, item = 0; i < s->running_count; i++) {
        struct held_node *n = &s->nodes[s->running[i]];
        while (n->next == 0 && item < s->plan->count && s->places[item] == 0) {
            item++;
        }
        if (n->next == 0 && item < s->plan->count) {
            s->places[item]--;
            n->next = item + 1;
        }
        if (!move_to(s, n, n->next, at_us)) {
            return false;
        }
    }
    s->steps += (double)s->running_count;
    return true;
}

static bool sweep(struct held_pool_sweep *s)
{
    size_t next = 0;
    for (size_t i = 0; i < s->instant_count; i++) {
        const int64_t at_us = s->instants[i];
        if (i > 0 && at_us == s->instants[i - 1]) {
            continue;
        }
        if (s->steps > STEPS_MAX) {
            s->end = FOCUS_HELD_TOO_MANY;
            return false;
        }
        if (!come_and_go(s, at_us, &next) || !take_places(s, at_us)) {
            return false;
        }
    }
    return true;
}

/* ---- all of it ---- */

static int compare_stays(const void *left, const void *right)
{
    const struct focus_stay *a = left, *b = right;
    if (a->record != b->record) {
        return a->record < b->record ? -1 : 1;
    }
    if (a->twin != b->twin) {
        return a->twin < b->twin ? -1 : 1;
    }
    return (a->from_us > b->from_us) - (a->from_us < b->from_us);
}

enum focus_held_end focus_held_init(struct focus_held *h, const struct reservation_plan *plan,
                                    const struct usage_log *log, int64_t until_us)
{
    struct held_pool_sweep s = {
        .out = h, .plan = plan, .until_us = until_us, .end = FOCUS_HELD_DONE};
    *h = (struct focus_held){0};
    s.places = calloc(plan->count + 1, sizeof *s.places);
    bool ok = s.places != NULL;
    for (size_t i = 0; i < plan->pool_count && ok; i++) {
        s.pool = plan->pools[i].pool;
        ok = gather_nodes(&s, log) && gather_instants(&s) && sweep(&s);
    }
    if (h->count > 0) {
        qsort(h->stays, h->count, sizeof *h->stays, compare_stays);
    }
    free(s.nodes);
    free(s.running);
    free(s.instants);
    free(s.places);
    return ok ? FOCUS_HELD_DONE : s.end == FOCUS_HELD_DONE ? FOCUS_HELD_NO_MEMORY : s.end;
}

void focus_held_release(struct focus_held *h)
{
    free(h->stays);
}

size_t focus_held_at(const struct focus_held *h, size_t record, uint32_t twin, int64_t at_us,
                     int64_t *until_us)
{
    const struct focus_stay key = {.record = record, .twin = twin, .from_us = at_us};
    size_t low = 0, high = h->count; /* the first that begins after at_us */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_stays(&h->stays[middle], &key) <= 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (h->count == 0) {
        *until_us = INT64_MAX;
        return 0;
    }
    const struct focus_stay *next = &h->stays[low], *last = low > 0 ? next - 1 : NULL;
    if (last != NULL && last->record == record && last->twin == twin && at_us < last->to_us) {
        *until_us = last->to_us;
        return last->item + (size_t)1;
    }
    *until_us =
        low < h->count && next->record == record && next->twin == twin ? next->from_us : INT64_MAX;
    return 0;
}
