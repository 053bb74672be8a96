/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/price_outlook.h"

#include "engine/civil_time.h"
#include "engine/expression.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Horizons longer than this are cut into by default. */
#define CUTS_AFTER_MONTHS 6
#define YEAR_S            (365.25 * 86400.0)

/* Tells an error at the change's place; false for the caller's convenience. */
#define COMPLAIN(o, spec, ...)                                                                     \
    (diagnostics_add((o)->context.diagnostics, DIAGNOSTIC_ERROR, (spec)->item.place, __VA_ARGS__), \
     false)

/* ---- stated changes ---------------------------------------------------------------------------
 */

static bool is_listed(const struct schema_list *names, const char *name)
{
    const char *const *items = names->items;
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(items[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool check_instances(const struct price_outlook *o, const struct price_change_spec *s)
{
    const char *const *names = s->instances.items;
    bool good = true;
    for (size_t i = 0; i < s->instances.count; i++) {
        if (catalogue_type(o->context.catalogue, names[i]) == NULL) {
            const char *near = catalogue_suggest_type(o->context.catalogue, names[i]);
            good = COMPLAIN(o, s, "unknown instance type '%s'%s%s%s", names[i],
                            near != NULL ? "; did you mean '"
                                         : "; 'fleetcast show instances' lists them",
                            near != NULL ? near : "", near != NULL ? "'?" : "");
        }
    }
    return good;
}

static bool check_families(const struct price_outlook *o, const struct price_change_spec *s)
{
    const char *const *names = s->families.items;
    bool good = true;
    for (size_t i = 0; i < s->families.count; i++) {
        if (!catalogue_has_family(o->context.catalogue, names[i])) {
            good = COMPLAIN(o, s,
                            "no instance family is called '%s'; 'fleetcast show instances' lists "
                            "types, such as 'p4d.24xlarge' of family 'p4d'",
                            names[i]);
        }
    }
    return good;
}

static bool check_dates(const struct price_outlook *o, const struct price_change_spec *s)
{
    const struct market_context *c = &o->context;
    char at[24], known[24];
    bool after_start = c->prices_as_of_unix_s > c->start_unix_s;
    int64_t known_unix_s = after_start ? c->prices_as_of_unix_s : c->start_unix_s;
    civil_date_text(s->at.unix_s, at);
    if (s->at.unix_s <= known_unix_s) {
        return COMPLAIN(o, s,
                        "the price change of %s is not after %s (%s), up to which prices are taken "
                        "from the catalogue; state the price itself in a price file or as 'price'",
                        at, after_start ? "'prices_as_of'" : "the start",
                        civil_date_text(known_unix_s, known));
    }
    if (s->announced.given && s->announced.unix_s > s->at.unix_s) {
        return COMPLAIN(o, s, "the price change of %s is announced later, on %s", at,
                        civil_date_text(s->announced.unix_s, known));
    }
    if ((double)(s->at.unix_s - c->start_unix_s) >= c->horizon_s) {
        diagnostics_add(c->diagnostics, DIAGNOSTIC_WARNING, s->item.place,
                        "the price change of %s comes after the horizon", at);
    }
    return true;
}

static int by_time(const void *a, const void *b)
{
    const struct price_change *x = a, *y = b;
    if (x->at_s != y->at_s) {
        return x->at_s < y->at_s ? -1 : 1;
    }
    return x->spec < y->spec ? -1 : x->spec > y->spec;
}

static bool init_changes(struct price_outlook *o)
{
    const struct price_change_spec *specs = o->spec->price_changes.items;
    o->change_count = o->spec->price_changes.count;
    o->changes = arena_array(o->context.arena, o->change_count + 1, sizeof *o->changes);
    if (o->changes == NULL) {
        return false;
    }
    for (size_t i = 0; i < o->change_count; i++) {
        const struct price_change_spec *s = &specs[i];
        (void)check_instances(o, s);
        (void)check_families(o, s);
        (void)check_dates(o, s);
        o->changes[i] = (struct price_change){
            .spec = s,
            .at_s = (double)(s->at.unix_s - o->context.start_unix_s),
            .known = !s->announced.given || s->announced.unix_s <= o->context.start_unix_s,
        };
    }
    if (o->change_count > 0) {
        qsort(o->changes, o->change_count, sizeof *o->changes, by_time);
    }
    return true;
}

static bool reaches(const struct price_change_spec *s, const struct price_reach *r)
{
    bool bought =
        s->purchase == CHANGE_ALL || (s->purchase == CHANGE_SPOT) == (r->purchase == PURCHASE_SPOT);
    bool all = s->instances.count == 0 && s->families.count == 0;
    return bought && (all || is_listed(&s->instances, r->type->name) ||
                      is_listed(&s->families, r->type->family));
}

/* ---- cuts ------------------------------------------------------------------------------------
 */

static void init_cuts(struct price_outlook *o)
{
    const struct market_context *c = &o->context;
    const struct price_cuts_spec *s = &o->spec->price_cuts;
    bool none = s->rate.given && (s->rate.word == 0 || (s->rate.input < 0 && s->rate.median <= 0));
    int64_t six_months_s = civil_add_months(c->start_unix_s, CUTS_AFTER_MONTHS) - c->start_unix_s;
    o->cuts = !none && (s->rate.given || s->size.given || c->horizon_s > (double)six_months_s);
    o->rate = s->rate;
    o->size = s->size;
    if (none && s->size.given) {
        diagnostics_add(c->diagnostics, DIAGNOSTIC_WARNING, s->size_place,
                        "'size' of 'price_cuts' has no effect at rate 'none'");
    }
    int64_t known_s = c->prices_as_of_unix_s - c->start_unix_s;
    o->cuts_from_s = known_s > 0 ? (double)known_s : 0.0;
}

static struct expression_context expression(const struct price_outlook *o, const char *name,
                                            enum dimension dimension, char *message, size_t size)
{
    return (struct expression_context){.arena = o->context.arena,
                                       .inputs = o->context.inputs,
                                       .name = name,
                                       .dimension = dimension,
                                       .low = 0,
                                       .high = dimension == DIMENSION_SHARE ? 0.95 : HUGE_VAL,
                                       .message = message,
                                       .message_size = size};
}

static void tell_cuts(const struct price_outlook *o)
{
    static const char source[] = "4 cuts (P4d, P4de, P5, P5en, June 2025) in 91.3 family-years of "
                                 "on-demand prices in us-east-1, 2017-2026; docs/models.md";
    struct assumptions *a = o->context.assumptions;
    if (!o->spec->price_cuts.rate.given) {
        const struct distribution *d =
            &inputs_at(o->context.inputs, (size_t)o->rate.input)->distribution;
        assumptions_add(a, false, source, "cuts of on-demand prices to come",
                        "%.2g a year for each instance family (90 %% %.2g to %.2g), drawn once per "
                        "replication; 'price_cuts: none' leaves them out",
                        distribution_mean(d) * YEAR_S, distribution_quantile(d, 0.05) * YEAR_S,
                        distribution_quantile(d, 0.95) * YEAR_S);
    }
    if (!o->spec->price_cuts.size.given) {
        assumptions_add(a, false, source, "size of a price cut",
                        "17 to 55 %% (90 %%), drawn for each cut");
    }
    assumptions_add(a, false, "the terms of commitments; spot prices of their own",
                    "what price cuts leave as it is",
                    "what is signed, and spot prices, even where they then lie above on-demand");
}

/* Once, and only when something is bought on demand: elsewhere no input is added. */
static bool make_cuts(struct price_outlook *o)
{
    char message[200];
    if (o->cuts_told) {
        return true;
    }
    o->cuts_told = true;
    if (!o->spec->price_cuts.rate.given) {
        struct expression_context c =
            expression(o, "market.price_cuts.rate", DIMENSION_RATE, message, sizeof message);
        if (!expression_number(price_cuts_default_rate, &c, &o->rate)) {
            return false;
        }
    }
    if (!o->spec->price_cuts.size.given) {
        struct expression_context c =
            expression(o, "market.price_cuts.size", DIMENSION_SHARE, message, sizeof message);
        if (!expression_variate(price_cuts_default_size, &c, &o->size)) {
            return false;
        }
    }
    tell_cuts(o);
    return true;
}

static int add_family(struct price_outlook *o, const char *name)
{
    for (size_t i = 0; i < o->family_count; i++) {
        if (strcmp(o->families[i].name, name) == 0) {
            return (int)i;
        }
    }
    if (o->family_count == o->family_capacity) {
        size_t capacity = o->family_capacity == 0 ? 8 : 2 * o->family_capacity;
        struct price_family *grown = arena_array(o->context.arena, capacity, sizeof *grown);
        if (grown == NULL) {
            return -1;
        }
        if (o->family_count > 0) {
            memcpy(grown, o->families, o->family_count * sizeof *grown);
        }
        o->families = grown;
        o->family_capacity = capacity;
    }
    o->families[o->family_count] =
        (struct price_family){.name = name,
                              .time_source = random_source("market/price-cuts/%s/time", name),
                              .size_source = random_source("market/price-cuts/%s/size", name)};
    return (int)o->family_count++;
}

/* ---- the outlook ------------------------------------------------------------------------------
 */

bool price_outlook_init(struct price_outlook *o, const struct market_spec *spec,
                        const struct market_context *context)
{
    *o = (struct price_outlook){.spec = spec, .context = *context};
    init_cuts(o);
    return init_changes(o);
}

static bool fill_reach(struct price_outlook *o, struct price_reach *r)
{
    size_t *changes = arena_array(o->context.arena, o->change_count + 1, sizeof *changes);
    if (changes == NULL) {
        return false;
    }
    for (size_t i = 0; i < o->change_count; i++) {
        if (reaches(o->changes[i].spec, r)) {
            changes[r->change_count++] = i;
        }
    }
    r->changes = changes;
    r->family = -1;
    if (o->cuts && r->purchase == PURCHASE_ON_DEMAND) {
        r->family = make_cuts(o) ? add_family(o, r->type->family) : -1;
        return r->family >= 0;
    }
    return true;
}

int price_outlook_reach(struct price_outlook *o, const struct instance_type *type,
                        enum purchase purchase)
{
    for (size_t i = 0; i < o->reach_count; i++) {
        if (o->reaches[i].type == type && o->reaches[i].purchase == purchase) {
            return (int)i;
        }
    }
    if (o->reach_count == o->reach_capacity) {
        size_t capacity = o->reach_capacity == 0 ? 16 : 2 * o->reach_capacity;
        struct price_reach *grown = arena_array(o->context.arena, capacity, sizeof *grown);
        if (grown == NULL) {
            return -1;
        }
        if (o->reach_count > 0) {
            memcpy(grown, o->reaches, o->reach_count * sizeof *grown);
        }
        o->reaches = grown;
        o->reach_capacity = capacity;
    }
    struct price_reach *r = &o->reaches[o->reach_count];
    *r = (struct price_reach){.type = type, .purchase = purchase};
    return fill_reach(o, r) ? (int)o->reach_count++ : -1;
}

bool price_outlook_moves(const struct price_outlook *o, int reach)
{
    assert(reach >= 0 && (size_t)reach < o->reach_count);
    return o->reaches[reach].change_count > 0 || o->reaches[reach].family >= 0;
}

double price_outlook_planned(const struct price_outlook *o, int reach, double t_s, double *until_s)
{
    assert(reach >= 0 && (size_t)reach < o->reach_count);
    const struct price_reach *r = &o->reaches[reach];
    double factor = 1.0, next_s = HUGE_VAL;
    for (size_t i = 0; i < r->change_count && isinf(next_s); i++) {
        const struct price_change *c = &o->changes[r->changes[i]];
        if (c->known && c->at_s > t_s) {
            next_s = c->at_s;
        } else if (c->known) {
            factor *= 1.0 + number_value(&c->spec->change, NULL);
        }
    }
    if (until_s != NULL) {
        *until_s = next_s;
    }
    return factor;
}
