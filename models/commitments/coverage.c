/* SPDX-License-Identifier: GPL-3.0-or-later
 * See coverage.h. Capacities are 128-bit: a rate times a fleet's microseconds passes 64. The one
 * division of the walk is for the group at which a commitment is used up. */
#include "models/commitments/coverage.h"

#include "models/commitments/coverage_order.h"
#include "models/commitments/normalisation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

#define USAGE_MAX_US INT64_C(10000000000000000)

/* A commitment as the walk needs it. */
struct cover_source {
    struct commitment commitment; /* its texts are not kept */
    int64_t per_us;               /* capacity of one microsecond in force */
    bool covers;                  /* has a part in matching */
    bool by_rate;                 /* a savings plan: capacity is money × time */
    bool exact_hour;
    money_t hour; /* amortised cost of a whole hour, rounded down */
};

struct coverage {
    size_t slot_count, source_count, pair_count, edge_count, group_count;
    uint32_t *slot_of_group;
    money_t *price; /* by slot */
    struct cover_source *sources;
    struct coverage_pair *pairs;
    int64_t *edges_us;
};

/* A commitment within one hour. */
struct cover_state {
    uint128 left, taken; /* capacity */
    uint64_t capacity;   /* of reserved instances */
    money_t hour;        /* amortised cost of this hour */
    money_t given;       /* of it, to usage so far */
    size_t last;         /* its last cover; NO_COVER before the first */
    bool by_rate, used_up;
    bool whole; /* in force the whole hour */
};
#define NO_COVER SIZE_MAX

struct coverage_work {
    struct cover_state *states;
    int64_t *left_us; /* by slot */
    struct coverage_cover *covers;
    int64_t *on_demand_us;
    money_t *on_demand, *used, *unused;
    struct coverage_outcome outcome;
};

/* ---- setting up --------------------------------------------------------------------- */

static bool out_of_memory(struct diagnostics *d)
{
    diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    return false;
}

static bool check_group(const struct coverage_group *g, struct place where, struct diagnostics *d)
{
    if (g->on_demand_per_hour <= 0) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                        "no on-demand price for '%s' in '%s'; expected one above 0", g->type,
                        g->region);
    }
    return g->on_demand_per_hour > 0;
}

/* Capacity that the commitment has in each microsecond. */
static bool capacity_of(const struct commitment *c, struct place where, struct diagnostics *d,
                        int64_t *per_us)
{
    *per_us = commitment_is_savings_plan(c) ? c->hourly : c->count;
    bool flexible = c->kind == COMMITMENT_REGIONAL_RESERVED && c->platform == PLATFORM_LINUX &&
                    instance_size_flexible(c->type);
    if (!flexible) {
        return true;
    }
    int64_t factor = normalisation_quarters(c->type);
    if (factor == 0) {
        char message[320];
        normalisation_explain(c->type, message, sizeof message);
        diagnostics_add(d, DIAGNOSTIC_ERROR, where, "%s", message);
        return false;
    }
    *per_us = c->count * factor; /* at most 1e5 × 7168, times an hour below 2^63 */
    return true;
}

static bool set_sources(struct coverage *c, const struct commitment *commitments,
                        struct place where, struct diagnostics *d)
{
    bool good = true;
    for (size_t i = 0; i < c->source_count; i++) {
        struct cover_source *s = &c->sources[i];
        const struct commitment *given = &commitments[i];
        if (!commitment_check(given, where, d) || !capacity_of(given, where, d, &s->per_us)) {
            good = false;
            continue;
        }
        s->commitment = *given;
        s->commitment.name = s->commitment.type = s->commitment.family = NULL;
        s->commitment.region = s->commitment.zone = NULL;
        s->by_rate = commitment_is_savings_plan(given);
        s->covers = s->by_rate || commitment_is_reserved(given);
        s->hour = commitment_hour(given, &s->exact_hour);
    }
    return good;
}

static int compare_instants(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void set_edges(struct coverage *c)
{
    for (size_t i = 0; i < c->source_count; i++) {
        c->edges_us[2 * i] = c->sources[i].commitment.start_us;
        c->edges_us[2 * i + 1] = c->sources[i].commitment.end_us;
    }
    if (c->source_count == 0) {
        return;
    }
    qsort(c->edges_us, 2 * c->source_count, sizeof *c->edges_us, compare_instants);
    for (size_t i = 0; i < 2 * c->source_count; i++) {
        if (c->edge_count == 0 || c->edges_us[c->edge_count - 1] != c->edges_us[i]) {
            c->edges_us[c->edge_count++] = c->edges_us[i];
        }
    }
}

/* group × commitment; the caller frees. NULL: told in d. */
static money_t *find_rates(const struct coverage_group *groups, size_t group_count,
                           const struct commitment *commitments, size_t count, struct place where,
                           struct diagnostics *d)
{
    money_t *rates = calloc(group_count * count + 1, sizeof *rates);
    bool good = rates ? true : out_of_memory(d);
    for (size_t g = 0; rates && g < group_count; g++) {
        good = check_group(&groups[g], where, d) && good;
        for (size_t i = 0; i < count; i++) {
            good = coverage_rate(&groups[g], &commitments[i], i, where, d, &rates[g * count + i]) &&
                   good;
        }
    }
    if (!good) {
        free(rates);
        rates = NULL;
    }
    return rates;
}

static bool set_pairs(struct coverage *c, const struct coverage_group *groups,
                      const struct commitment *commitments, struct place where,
                      struct diagnostics *d)
{
    money_t *rates = find_rates(groups, c->group_count, commitments, c->source_count, where, d);
    if (!rates) {
        return false;
    }
    struct coverage_slots slots;
    bool good = coverage_slots_init(&slots, groups, c->group_count, rates, c->source_count) ||
                out_of_memory(d);
    good = good && coverage_order(&slots, commitments, c->source_count, where, d, &c->pairs,
                                  &c->pair_count);
    c->slot_count = good ? slots.count : 0;
    for (size_t i = 0; i < c->slot_count; i++) {
        c->price[i] = slots.group[i]->on_demand_per_hour;
    }
    if (good && c->group_count > 0) {
        memcpy(c->slot_of_group, slots.of_group, c->group_count * sizeof *c->slot_of_group);
    }
    coverage_slots_release(&slots);
    free(rates);
    return good;
}

struct coverage *coverage_new(const struct coverage_group *groups, size_t group_count,
                              const struct commitment *commitments, size_t commitment_count,
                              struct place where, struct diagnostics *d)
{
    if (group_count > COVERAGE_GROUPS_MAX || commitment_count > COVERAGE_COMMITMENTS_MAX ||
        group_count * commitment_count > COVERAGE_PAIRS_MAX) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                        "%zu groups of usage and %zu commitments; at most %d of each and %d pairs "
                        "can be matched",
                        group_count, commitment_count, COVERAGE_GROUPS_MAX, COVERAGE_PAIRS_MAX);
        return NULL;
    }
    struct coverage *c = calloc(1, sizeof *c);
    if (!c) {
        out_of_memory(d);
        return NULL;
    }
    c->group_count = group_count;
    c->source_count = commitment_count;
    c->slot_of_group = calloc(group_count + 1, sizeof *c->slot_of_group);
    c->price = calloc(group_count + 1, sizeof *c->price);
    c->sources = calloc(commitment_count + 1, sizeof *c->sources);
    c->edges_us = calloc(2 * commitment_count + 1, sizeof *c->edges_us);
    bool good = c->slot_of_group && c->price && c->sources && c->edges_us;
    good = good ? set_sources(c, commitments, where, d) : out_of_memory(d);
    if (!good || !set_pairs(c, groups, commitments, where, d)) {
        coverage_free(c);
        return NULL;
    }
    set_edges(c);
    return c;
}

void coverage_free(struct coverage *c)
{
    if (c) {
        free(c->slot_of_group);
        free(c->price);
        free(c->sources);
        free(c->pairs);
        free(c->edges_us);
        free(c);
    }
}

size_t coverage_slots(const struct coverage *c)
{
    return c->slot_count;
}

size_t coverage_slot(const struct coverage *c, size_t group)
{
    assert(group < c->group_count);
    return c->slot_of_group[group];
}

size_t coverage_commitments(const struct coverage *c)
{
    return c->source_count;
}

double coverage_reach(const struct coverage *c, size_t commitment, size_t slot)
{
    for (size_t i = 0; i < c->pair_count; i++) {
        const struct coverage_pair *p = &c->pairs[i];
        if (p->commitment == commitment && p->slot == slot) {
            return (double)c->sources[commitment].per_us / (double)p->weight;
        }
    }
    return 0;
}

size_t coverage_edges(const struct coverage *c, const int64_t **edges_us)
{
    *edges_us = c->edges_us;
    return c->edge_count;
}

struct coverage_work *coverage_work_new(const struct coverage *c)
{
    struct coverage_work *w = calloc(1, sizeof *w);
    if (!w) {
        return NULL;
    }
    w->states = calloc(c->source_count + 1, sizeof *w->states);
    w->left_us = calloc(c->slot_count + 1, sizeof *w->left_us);
    w->covers = calloc(c->pair_count + 1, sizeof *w->covers);
    w->on_demand_us = calloc(c->slot_count + 1, sizeof *w->on_demand_us);
    w->on_demand = calloc(c->slot_count + 1, sizeof *w->on_demand);
    w->used = calloc(c->source_count + 1, sizeof *w->used);
    w->unused = calloc(c->source_count + 1, sizeof *w->unused);
    if (!w->states || !w->left_us || !w->covers || !w->on_demand_us || !w->on_demand || !w->used ||
        !w->unused) {
        coverage_work_free(w);
        return NULL;
    }
    w->outcome = (struct coverage_outcome){
        .covers = w->covers,
        .on_demand_us = w->on_demand_us,
        .on_demand = w->on_demand,
        .used = w->used,
        .unused = w->unused,
    };
    return w;
}

void coverage_work_free(struct coverage_work *w)
{
    if (w) {
        free(w->states);
        free(w->left_us);
        free(w->covers);
        free(w->on_demand_us);
        free(w->on_demand);
        free(w->used);
        free(w->unused);
        free(w);
    }
}

/* ---- one hour ------------------------------------------------------------------------- */

/* part / whole rounded half to even, whole > 0; the quotient fits. */
static money_t quotient(uint128 part, uint64_t whole)
{
    uint64_t q = (uint64_t)(part / whole), rest = (uint64_t)(part % whole);
    return (money_t)(q + (rest > whole - rest || (rest == whole - rest && q % 2 != 0)));
}

/* What the capacity taken so far costs: a plan's rates by time, or a share of the reservation. */
static money_t price_taken(const struct cover_state *s)
{
    if (s->used_up) {
        return s->hour;
    }
    if (s->by_rate) {
        money_t amount = quotient(s->taken, (uint64_t)HOUR_US);
        return amount < s->hour ? amount : s->hour;
    }
    return quotient((uint128)s->hour * (uint64_t)s->taken, s->capacity);
}

static void open_sources(const struct coverage *c, struct coverage_work *w, int64_t from_us,
                         int64_t to_us, int64_t hours)
{
    for (size_t i = 0; i < c->source_count; i++) {
        const struct cover_source *source = &c->sources[i];
        struct cover_state *s = &w->states[i];
        int64_t overlap_us = commitment_overlap_us(&source->commitment, from_us, to_us);
        if (hours > 1) {
            assert(overlap_us == 0 || overlap_us == to_us - from_us);
            overlap_us = overlap_us > 0 ? HOUR_US : 0;
        }
        *s = (struct cover_state){.by_rate = source->by_rate, .last = NO_COVER};
        if (overlap_us == 0 || !source->covers) {
            continue;
        }
        s->whole = overlap_us == HOUR_US;
        s->hour =
            s->whole ? source->hour : commitment_amortised(&source->commitment, from_us, to_us);
        s->left = (uint128)(uint64_t)source->per_us * (uint64_t)overlap_us;
        s->capacity = (uint64_t)s->left; /* below 2^63 for reserved instances */
    }
}

static int64_t open_usage(const struct coverage *c, struct coverage_work *w, const int64_t *used_us)
{
    int64_t slots_left = 0;
    for (size_t i = 0; i < c->slot_count; i++) {
        assert(used_us[i] >= 0 && used_us[i] <= USAGE_MAX_US);
        w->left_us[i] = used_us[i];
        slots_left += used_us[i] > 0;
    }
    return slots_left;
}

/* Covers what it can; the time covered. */
static int64_t cover(struct cover_state *s, int64_t weight, int64_t left_us)
{
    uint128 wanted = (uint128)(uint64_t)weight * (uint64_t)left_us;
    int64_t us = left_us;
    if (wanted < s->left) {
        s->left -= wanted;
        s->taken += wanted;
        return us;
    }
    if (wanted > s->left) {
        us = (int64_t)(s->left / (uint64_t)weight);
    }
    s->taken += s->left;
    s->left = 0;
    s->used_up = true;
    return us;
}

/* What is left of a commitment is worth less than a microsecond: it goes with its last cover, or
 * stays unused when there is none. */
static void give_rest(struct coverage_work *w, struct cover_state *s)
{
    if (s->last == NO_COVER) {
        s->used_up = false;
        return;
    }
    w->covers[s->last].money += s->hour - s->given;
    s->given = s->hour;
}

static void walk_pairs(const struct coverage *c, struct coverage_work *w, int64_t slots_left)
{
    size_t covers = 0;
    for (size_t i = 0; slots_left > 0 && i < c->pair_count; i++) {
        const struct coverage_pair *p = &c->pairs[i];
        struct cover_state *s = &w->states[p->commitment];
        if (s->left == 0 || w->left_us[p->slot] == 0) {
            continue;
        }
        int64_t us = cover(s, p->weight, w->left_us[p->slot]);
        if (us == 0) {
            give_rest(w, s);
            continue;
        }
        w->left_us[p->slot] -= us;
        slots_left -= w->left_us[p->slot] == 0;
        money_t until = price_taken(s);
        w->covers[covers] = (struct coverage_cover){
            .commitment = p->commitment, .slot = p->slot, .us = us, .money = until - s->given};
        s->given = until;
        s->last = covers++;
    }
    w->outcome.cover_count = covers;
}

/* ---- several equal hours ---------------------------------------------------------------- */

static int64_t times(int64_t amount, int64_t hours, bool *overflow)
{
    int64_t product;
    if (__builtin_mul_overflow(amount, hours, &product)) {
        *overflow = true;
        return INT64_MAX;
    }
    return product;
}

static void settle_sources(const struct coverage *c, struct coverage_work *w)
{
    struct coverage_outcome *o = &w->outcome;
    for (size_t i = 0; i < c->source_count; i++) {
        const struct cover_source *source = &c->sources[i];
        const struct cover_state *s = &w->states[i];
        money_t paid = s->hour; /* of an hour in part, or without the commitment */
        if (s->whole) {
            paid = source->exact_hour
                       ? times(s->hour, o->hours, &o->overflow)
                       : commitment_amortised(&source->commitment, o->from_us, o->to_us);
        }
        money_t priced = times(s->given, o->hours, &o->overflow);
        w->used[i] = s->used_up ? paid : priced;
        w->unused[i] = paid - w->used[i];
        if (s->used_up) {
            /* What rounding the hour down has cut off goes with its last cover. */
            w->covers[s->last].money += paid - priced;
        }
    }
}

const struct coverage_outcome *coverage_match(const struct coverage *c, struct coverage_work *w,
                                              const int64_t *used_us, int64_t from_us,
                                              int64_t to_us)
{
    assert(from_us < to_us);
    struct coverage_outcome *o = &w->outcome;
    o->from_us = from_us;
    o->to_us = to_us;
    o->hours = to_us - from_us > HOUR_US ? (to_us - from_us) / HOUR_US : 1;
    o->overflow = false;
    assert(o->hours == 1 || (to_us - from_us) % HOUR_US == 0);
    open_sources(c, w, from_us, to_us, o->hours);
    walk_pairs(c, w, open_usage(c, w, used_us));
    for (size_t i = 0; o->hours > 1 && i < o->cover_count; i++) {
        w->covers[i].us = times(w->covers[i].us, o->hours, &o->overflow);
        w->covers[i].money = times(w->covers[i].money, o->hours, &o->overflow);
    }
    for (size_t i = 0; i < c->slot_count; i++) {
        money_t hour = w->left_us[i] > 0 ? money_for_time(c->price[i], w->left_us[i]) : 0;
        o->overflow |= money_overflowed(hour);
        w->on_demand[i] = times(hour, o->hours, &o->overflow);
        w->on_demand_us[i] = times(w->left_us[i], o->hours, &o->overflow);
    }
    settle_sources(c, w);
    return o;
}
