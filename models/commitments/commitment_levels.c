/* SPDX-License-Identifier: GPL-3.0-or-later
 * See commitment_levels.h. A level is the strategy's plan with other items: groups, rates and slots
 * hang on what is covered, not on how much. */
#include "models/commitments/commitment_levels.h"

#include <math.h>
#include <stdlib.h>

static const struct schema_key level_keys[] = {
    {.name = "level",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 10,
     .required = true,
     .offset = offsetof(struct level_spec, share),
     .help = "Share of what each strategy signs, such as `75 %`."},
};

const struct schema level_schema = {
    .name = "commitment_levels",
    .shorthand = "level",
    SCHEMA_KEYS(level_keys),
    .size = sizeof(struct level_spec),
    .help = "A size of commitments that is rated beside the signed one; the share alone may stand "
            "in its place.",
};

/* ---- which levels ---- */

static const double usual[] = {0,   0.25, 0.50, 0.60, 0.70, 0.80, 0.90,
                               1.0, 1.10, 1.25, 1.50, 1.75, 2.0};
enum { USUAL = sizeof usual / sizeof usual[0] };

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool is_small_count(const struct commitment_plan *plan)
{
    return plan->count == 1 && commitment_is_reserved(&plan->items[0]) &&
           plan->items[0].count <= COMMITMENT_LEVELS_EVERY_COUNT;
}

/* Rising; returns how many. */
static size_t choose(const struct commitment_plan *plan, const struct schema_list *stated,
                     double *shares)
{
    size_t count = 0;
    if (stated != NULL) {
        const struct level_spec *specs = stated->items;
        for (size_t i = 0; i < stated->count; i++) {
            shares[count++] = specs[i].share.value;
        }
        shares[count++] = 0;
        shares[count++] = 1;
        qsort(shares, count, sizeof *shares, compare);
    } else if (is_small_count(plan)) {
        const int64_t signed_count = plan->items[0].count;
        for (int64_t k = 0; k <= 2 * signed_count; k++) {
            shares[count++] = (double)k / (double)signed_count;
        }
    } else {
        for (; count < USUAL; count++) {
            shares[count] = usual[count];
        }
    }
    return count;
}

/* ---- one level ---- */

struct commitment commitment_of_size(const struct commitment_plan *plan, size_t item, double size)
{
    const struct commitment *c = &plan->later.listed[item];
    struct commitment s = *c;
    money_t hourly = 0;
    if (commitment_is_savings_plan(c)) {
        /* What is too much to be counted is refused by commitment_check. */
        commitment_set_savings_plan(&s, money_from_double(size, &hourly) ? hourly : MONEY_MAX);
    } else {
        commitment_set_reserved(&s, (int64_t)llround(size), c->upfront / c->count,
                                c->recurring_per_hour / c->count);
    }
    return s;
}

static struct commitment scaled(const struct commitment *c, double share)
{
    struct commitment s = *c;
    if (commitment_is_savings_plan(c)) {
        commitment_set_savings_plan(&s, (money_t)llround((double)c->hourly * share));
    } else {
        commitment_set_reserved(&s, (int64_t)llround((double)c->count * share),
                                c->upfront / c->count, c->recurring_per_hour / c->count);
    }
    return s;
}

static bool same(const struct commitment *a, const struct commitment *b, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (a[k].count != b[k].count || a[k].hourly != b[k].hourly) {
            return false;
        }
    }
    return true;
}

/* Whether all of it can be counted. */
static bool fits(const struct commitment *items, size_t count, struct diagnostics *unheard)
{
    for (size_t k = 0; k < count; k++) {
        if (!commitment_check(&items[k], (struct place){0}, unheard)) {
            return false;
        }
    }
    return true;
}

/* False when out of memory. */
static bool make_level(struct commitment_level *level, const struct commitment_plan *plan,
                       struct commitment *listed, const struct market_context *c)
{
    const size_t width = plan->count + plan->sunk;
    level->plan = *plan;
    level->plan.coverage = NULL;
    level->plan.later.listed = listed;
    level->plan.items = arena_array(c->arena, width, sizeof *level->plan.items);
    if (level->plan.items == NULL) {
        return false;
    }
    level->plan.coverage = commitment_plan_coverage(
        &level->plan, NULL, NULL, INT64_MAX, level->plan.items, (struct place){0}, c->diagnostics);
    return level->plan.coverage != NULL;
}

/* What is listed at this level; NULL when out of memory. */
static struct commitment *list_at(const struct commitment_plan *plan, double share,
                                  const struct market_context *c)
{
    const size_t width = plan->count + plan->sunk;
    struct commitment *listed = arena_array(c->arena, width, sizeof *listed);
    for (size_t k = 0; listed != NULL && k < width; k++) {
        const struct commitment *as_signed = &plan->later.listed[k];
        listed[k] = k < plan->count ? scaled(as_signed, share) : *as_signed;
    }
    return listed;
}

static bool is_signed_level(double share)
{
    return share == 1.0;
}

static bool add_level(struct commitment_levels *l, const struct commitment_plan *plan, double share,
                      struct diagnostics *unheard, const struct market_context *c)
{
    struct commitment *listed = list_at(plan, share, c);
    if (listed == NULL) {
        return false;
    }
    const struct commitment *before =
        l->count == 0 ? NULL : l->levels[l->count - 1].plan.later.listed;
    if (!fits(listed, plan->count, unheard) ||
        (!is_signed_level(share) && same(listed, plan->later.listed, plan->count)) ||
        (before != NULL && same(listed, before, plan->count))) {
        return true;
    }
    struct commitment_level *level = &l->levels[l->count++];
    level->share = share;
    return make_level(level, plan, listed, c);
}

bool commitment_levels_make(struct commitment_levels *l, const struct commitment_plan *plan,
                            const struct schema_list *stated, const struct market_context *c)
{
    double shares[COMMITMENT_LEVELS_MAX + 2];
    *l = (struct commitment_levels){0};
    if (plan->count == 0 || plan->coverage == NULL || (stated != NULL && stated->count == 0)) {
        return true;
    }
    const size_t count = choose(plan, stated, shares);
    struct diagnostics *unheard = diagnostics_new();
    l->levels = arena_array(c->arena, count, sizeof *l->levels);
    bool ok = l->levels != NULL && unheard != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        ok = add_level(l, plan, shares[i], unheard, c);
    }
    diagnostics_free(unheard);
    return ok;
}

double commitment_size_most(const struct commitment_plan *plan, size_t item)
{
    struct diagnostics *unheard = diagnostics_new();
    double size = COMMITMENT_COUNT_MAX;
    for (; unheard != NULL && size > 1; size /= 2) {
        const struct commitment c = commitment_of_size(plan, item, size);
        if (commitment_check(&c, (struct place){0}, unheard)) {
            break;
        }
    }
    diagnostics_free(unheard);
    return exp2(floor(log2(size)));
}

bool commitment_levels_sizes(struct commitment_levels *l, const struct commitment_plan *plan,
                             const double *sizes, size_t count, const struct market_context *c)
{
    const size_t width = plan->count + plan->sunk;
    *l = (struct commitment_levels){.levels = arena_array(c->arena, count, sizeof *l->levels)};
    bool ok = l->levels != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        struct commitment *listed = arena_array(c->arena, width, sizeof *listed);
        for (size_t k = 0; listed != NULL && k < width; k++) {
            listed[k] = k < plan->count ? commitment_of_size(plan, k, sizes[i * plan->count + k])
                                        : plan->later.listed[k];
        }
        struct commitment_level *level = &l->levels[l->count];
        level->share = (double)NAN;
        ok = listed != NULL;
        l->count += ok;
        ok = ok && make_level(level, plan, listed, c);
    }
    return ok;
}

void commitment_levels_release(struct commitment_levels *l)
{
    for (size_t i = 0; i < l->count; i++) {
        commitment_plan_release(&l->levels[i].plan);
    }
    l->count = 0;
}
