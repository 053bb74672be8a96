/* SPDX-License-Identifier: GPL-3.0-or-later
 * See coverage_order.h. Savings are compared as fractions rate / price by cross products in 128
 * bits, so that equal percentages are equal whatever the decimals. */
#include "models/commitments/coverage_order.h"

#include "models/commitments/normalisation.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 int128;

static bool out_of_memory(struct diagnostics *d)
{
    diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    return false;
}

/* ---- rates ------------------------------------------------------------------------ */

static bool plan_could_apply(const struct commitment *c, const struct coverage_group *g)
{
    if (c->kind == COMMITMENT_COMPUTE_SAVINGS) {
        return true;
    }
    return c->kind == COMMITMENT_INSTANCE_SAVINGS && instance_of_family(g->type, c->family) &&
           strcmp(g->region, c->region) == 0;
}

bool coverage_rate(const struct coverage_group *g, const struct commitment *c, size_t index,
                   struct place where, struct diagnostics *d, money_t *rate)
{
    *rate = 0;
    if (!plan_could_apply(c, g)) {
        return true;
    }
    money_t given = g->plan_rates ? g->plan_rates[index] : 0;
    if (given <= 0 && given != COVERAGE_NOT_ELIGIBLE) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                        "no savings-plan rate for '%s' in '%s' under '%s'; expected one, or that "
                        "the plan does not apply to it",
                        g->type, g->region, c->name ? c->name : "");
        return false;
    }
    *rate = given > 0 ? given : 0;
    return true;
}

/* ---- slots ------------------------------------------------------------------------- */

struct ranked_group {
    const struct coverage_group *group;
    const money_t *rates;
    size_t rate_count;
    uint32_t index;
};

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* By everything that a group is; of equal usage the dearer first. */
static int compare_groups(const struct ranked_group *a, const struct ranked_group *b)
{
    const struct coverage_group *g = a->group, *h = b->group;
    int order = compare_numbers(g->account, h->account);
    order = order ? order : strcmp(g->region, h->region);
    order = order ? order : strcmp(g->zone, h->zone);
    order = order ? order : strcmp(g->type, h->type);
    order = order ? order : compare_numbers(g->platform, h->platform);
    order = order ? order : compare_numbers(g->use, h->use);
    order = order ? order : compare_numbers(h->on_demand_per_hour, g->on_demand_per_hour);
    order = order ? order : compare_numbers(h->others, g->others);
    for (size_t i = 0; !order && i < a->rate_count; i++) {
        order = compare_numbers(a->rates[i], b->rates[i]);
    }
    return order;
}

static int compare_ranked(const void *left, const void *right)
{
    const struct ranked_group *a = left, *b = right;
    int order = compare_groups(a, b);
    return order ? order : compare_numbers(a->index, b->index);
}

bool coverage_slots_init(struct coverage_slots *s, const struct coverage_group *groups,
                         size_t group_count, const money_t *rates, size_t commitment_count)
{
    struct ranked_group *ranked = calloc(group_count + 1, sizeof *ranked);
    *s = (struct coverage_slots){
        .group = calloc(group_count + 1, sizeof *s->group),
        .of_group = calloc(group_count + 1, sizeof *s->of_group),
        .rates = calloc(group_count * commitment_count + 1, sizeof *s->rates),
    };
    bool good = ranked && s->group && s->of_group && s->rates;
    for (size_t i = 0; good && i < group_count; i++) {
        ranked[i] = (struct ranked_group){.group = &groups[i],
                                          .rates = rates + i * commitment_count,
                                          .rate_count = commitment_count,
                                          .index = (uint32_t)i};
    }
    if (good && group_count > 0) {
        qsort(ranked, group_count, sizeof *ranked, compare_ranked);
    }
    for (size_t i = 0; good && i < group_count; i++) {
        if (i == 0 || compare_groups(&ranked[i - 1], &ranked[i]) != 0) {
            s->group[s->count] = ranked[i].group;
            if (commitment_count > 0) {
                memcpy(s->rates + s->count * commitment_count, ranked[i].rates,
                       commitment_count * sizeof *s->rates);
            }
            s->count++;
        }
        s->of_group[ranked[i].index] = (uint32_t)(s->count - 1);
    }
    free(ranked);
    return good;
}

void coverage_slots_release(struct coverage_slots *s)
{
    free(s->group);
    free(s->of_group);
    free(s->rates);
    *s = (struct coverage_slots){0};
}

/* ---- pairs ------------------------------------------------------------------------- */

/* What decides a pair's place; kinds of commitment are numbered in the order in which they apply.
 */
struct ranked_pair {
    int64_t kind, of_other_account, idle;
    int64_t factor, inexact;          /* reserved instances: size, and whether it is another's */
    int64_t on_demand_per_hour, rate; /* rate: savings plans only */
    int64_t of_plan, new;             /* of equal ones, what was there before the plan goes first */
    struct coverage_pair pair;
};

static int compare_pairs(const void *left, const void *right)
{
    const struct ranked_pair *a = left, *b = right;
    int order = compare_numbers(a->kind, b->kind);
    order = order ? order : compare_numbers(a->of_other_account, b->of_other_account);
    order = order ? order : compare_numbers(a->idle, b->idle);
    order = order ? order : compare_numbers(a->factor, b->factor);
    order = order ? order : compare_numbers(a->inexact, b->inexact);
    if (!order && a->rate > 0) {
        /* The higher saving first: the lower share of the on-demand price. */
        int128 share_a = (int128)a->rate * b->on_demand_per_hour;
        int128 share_b = (int128)b->rate * a->on_demand_per_hour;
        order = (share_a > share_b) - (share_a < share_b);
        order = order ? order : compare_numbers(a->rate, b->rate);
    }
    order = order ? order : compare_numbers(b->on_demand_per_hour, a->on_demand_per_hour);
    order = order ? order : compare_numbers(a->of_plan, b->of_plan);
    order = order ? order : compare_numbers(a->pair.slot, b->pair.slot);
    order = order ? order : compare_numbers(a->new, b->new);
    return order ? order : compare_numbers(a->pair.commitment, b->pair.commitment);
}

struct pair_list {
    struct ranked_pair *pairs;
    size_t count, capacity;
};

static bool add_pair(struct pair_list *l, const struct ranked_pair *pair, struct diagnostics *d)
{
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : 64;
        struct ranked_pair *grown = realloc(l->pairs, capacity * sizeof *grown);
        if (!grown) {
            return out_of_memory(d);
        }
        l->pairs = grown;
        l->capacity = capacity;
    }
    l->pairs[l->count++] = *pair;
    return true;
}

/* Whether the commitment's reserved instances cover usage of this group; *flexible: by size. */
static bool reserved_applies(const struct commitment *c, const struct coverage_group *g,
                             bool *flexible)
{
    *flexible = false;
    if (c->platform != g->platform || strcmp(c->region, g->region) != 0) {
        return false;
    }
    if (c->kind == COMMITMENT_ZONAL_RESERVED) {
        return g->use == USE_INSTANCE && strcmp(c->zone, g->zone) == 0 &&
               strcmp(c->type, g->type) == 0;
    }
    *flexible = c->platform == PLATFORM_LINUX && instance_size_flexible(c->type);
    return *flexible ? instance_same_family(c->type, g->type) : strcmp(c->type, g->type) == 0;
}

/* The weights of a size-flexible pair; false when a size has none, told in d. */
static bool find_factor(const char *type, struct place where, struct diagnostics *d, int64_t *out)
{
    *out = normalisation_quarters(type);
    if (*out == 0) {
        char message[320];
        normalisation_explain(type, message, sizeof message);
        diagnostics_add(d, DIAGNOSTIC_ERROR, where, "%s", message);
    }
    return *out > 0;
}

static bool add_if_applies(struct pair_list *l, const struct coverage_slots *s, size_t slot,
                           const struct commitment *c, size_t index, money_t rate,
                           struct place where, struct diagnostics *d)
{
    const struct coverage_group *g = s->group[slot];
    struct ranked_pair p = {
        .kind = c->kind,
        .of_other_account = c->owner != g->account,
        .idle = g->use == USE_IDLE,
        .on_demand_per_hour = g->on_demand_per_hour,
        .rate = rate,
        .of_plan = !g->others,
        .new = !c->sunk,
        .pair = {.commitment = (uint32_t)index, .slot = (uint32_t)slot, .weight = rate},
    };
    if (commitment_is_reserved(c)) {
        bool flexible;
        if (!reserved_applies(c, g, &flexible)) {
            return true;
        }
        p.pair.weight = 1;
        if (flexible) {
            if (!find_factor(g->type, where, d, &p.factor)) {
                return false;
            }
            p.pair.weight = p.factor;
            p.inexact = strcmp(c->type, g->type) != 0;
        }
    } else if (rate == 0) {
        return true;
    }
    return add_pair(l, &p, d);
}

bool coverage_order(const struct coverage_slots *s, const struct commitment *commitments,
                    size_t commitment_count, struct place where, struct diagnostics *d,
                    struct coverage_pair **pairs, size_t *pair_count)
{
    struct pair_list list = {0};
    bool good = true;
    for (size_t slot = 0; good && slot < s->count; slot++) {
        for (size_t i = 0; good && i < commitment_count; i++) {
            money_t rate = s->rates[slot * commitment_count + i];
            good = add_if_applies(&list, s, slot, &commitments[i], i, rate, where, d);
        }
    }
    if (good && list.count > 0) {
        qsort(list.pairs, list.count, sizeof *list.pairs, compare_pairs);
    }
    *pair_count = list.count;
    *pairs = good ? calloc(list.count + 1, sizeof **pairs) : NULL;
    if (good && !*pairs) {
        good = out_of_memory(d);
    }
    for (size_t i = 0; good && i < list.count; i++) {
        (*pairs)[i] = list.pairs[i].pair;
    }
    free(list.pairs);
    return good;
}
