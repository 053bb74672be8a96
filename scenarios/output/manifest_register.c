/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/manifest_register.h"

#include "engine/civil_time.h"
#include "engine/file.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#define MANIFEST_MAX_BYTES (64u << 20)

/* ---- writing ---- */

static void put_date(struct json_writer *j, const char *key, int64_t unix_s)
{
    char date[24];
    json_member_text(j, key, civil_date_text(unix_s, date));
}

/* row NULL: the scenario states the price. */
static void put_price(struct json_writer *j, const struct pool_info *pool, double per_hour,
                      const struct dated_price *row)
{
    json_begin_object(j);
    json_member_text(j, "instance_type", pool->type->name);
    json_member_text(j, "zone", pool->zone);
    json_member_text(j, "purchase", purchase_names[pool->purchase]);
    json_put_key(j, "per_hour");
    json_put_number(j, per_hour);
    if (row != NULL) {
        put_date(j, "since", row->from_unix_s);
        put_date(j, "last_seen", row->confirmed_unix_s);
        json_member_text(j, "layer", row->layer);
        json_member_text(j, "source", row->source);
    } else {
        json_member_text(j, "since", NULL);
        json_member_text(j, "last_seen", NULL);
        json_member_text(j, "layer", NULL);
        json_member_text(j, "source", "the scenario");
    }
    json_end_object(j);
}

/* Rows of the catalogue that come into force after the start, as far as they are known. */
static void put_later_prices(struct json_writer *j, const struct study *s,
                             const struct pool_info *pool)
{
    const struct scenario *sc = s->scenario;
    const struct dated_price *rows;
    size_t count = catalogue_on_demand(s->catalogue, pool->type->name, sc->region, &rows);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].from_unix_s > sc->start.unix_s &&
            rows[i].from_unix_s <= sc->prices_as_of_unix_s) {
            put_price(j, pool, money_to_double(rows[i].per_hour), &rows[i]);
        }
    }
}

static void put_prices(struct json_writer *j, const struct study *s)
{
    json_put_key(j, "prices");
    json_begin_array(j);
    for (size_t i = 0; i < market_plan_pools(s->market); i++) {
        const struct pool_info *pool = market_pool_info(s->market, (int)i);
        struct dated_price row;
        bool listed = market_planned_price_row(s->market, (int)i, &row);
        put_price(j, pool, market_planned_price_per_hour(s->market, (int)i), listed ? &row : NULL);
        if (listed && pool->purchase == PURCHASE_ON_DEMAND) {
            put_later_prices(j, s, pool);
        }
    }
    json_end_array(j);
}

static void put_assumptions(struct json_writer *j, const struct study *s)
{
    json_put_key(j, "assumptions");
    json_begin_array(j);
    for (size_t i = 0; i < s->assumptions.count; i++) {
        const struct assumption *a = &s->assumptions.items[i];
        json_begin_object(j);
        json_member_text(j, "what", a->what);
        json_member_text(j, "value", a->value);
        json_member_text(j, "source", a->source);
        json_put_key(j, "extrapolated");
        json_put_bool(j, a->extrapolated);
        json_end_object(j);
    }
    json_end_array(j);
    json_put_key(j, "not_modelled");
    json_begin_array(j);
    for (size_t i = 0; study_not_modelled(s, i) != NULL; i++) {
        json_put_text(j, study_not_modelled(s, i));
    }
    json_end_array(j);
}

void manifest_register_put(struct json_writer *j, const struct study *s)
{
    put_prices(j, s);
    put_assumptions(j, s);
}

/* ---- reading ---- */

static const char *text_of(struct arena *a, const json_t *value)
{
    const char *text = json_string_value(value);
    const char *kept = arena_string(a, text != NULL ? text : "");
    return kept != NULL ? kept : "";
}

static const char *get(struct arena *a, const json_t *object, const char *key)
{
    return text_of(a, json_object_get(object, key));
}

static bool read_assumptions(struct manifest_register *r, struct arena *a, const json_t *root)
{
    const json_t *all = json_object_get(root, "assumptions");
    size_t count = json_array_size(all);
    r->assumptions = arena_array(a, count + 1, sizeof *r->assumptions);
    for (size_t i = 0; r->assumptions != NULL && i < count; i++) {
        const json_t *x = json_array_get(all, i);
        r->assumptions[r->assumption_count++] =
            (struct manifest_assumption){get(a, x, "what"), get(a, x, "value"), get(a, x, "source"),
                                         json_is_true(json_object_get(x, "extrapolated"))};
    }
    return r->assumptions != NULL;
}

static bool read_not_modelled(struct manifest_register *r, struct arena *a, const json_t *root)
{
    const json_t *all = json_object_get(root, "not_modelled");
    size_t count = json_array_size(all);
    r->not_modelled = arena_array(a, count + 1, sizeof *r->not_modelled);
    for (size_t i = 0; r->not_modelled != NULL && i < count; i++) {
        r->not_modelled[r->not_modelled_count++] = text_of(a, json_array_get(all, i));
    }
    return r->not_modelled != NULL;
}

static bool read_prices(struct manifest_register *r, struct arena *a, const json_t *root)
{
    const json_t *all = json_object_get(root, "prices");
    size_t count = json_array_size(all);
    r->prices = arena_array(a, count + 1, sizeof *r->prices);
    for (size_t i = 0; r->prices != NULL && i < count; i++) {
        const json_t *x = json_array_get(all, i), *per_hour = json_object_get(x, "per_hour");
        r->prices[r->price_count++] = (struct manifest_price){
            .instance_type = get(a, x, "instance_type"),
            .zone = get(a, x, "zone"),
            .purchase = get(a, x, "purchase"),
            .since = get(a, x, "since"),
            .last_seen = get(a, x, "last_seen"),
            .source = get(a, x, "source"),
            .per_hour = json_is_number(per_hour) ? json_number_value(per_hour) : (double)NAN};
    }
    return r->prices != NULL;
}

static bool read_account(struct manifest_register *r, struct arena *a, const json_t *root)
{
    const json_t *account = json_object_get(root, "account");
    const json_t *sunk = json_object_get(account, "sunk");
    const json_t *all = json_object_get(account, "commitments");
    size_t count = json_array_size(all);
    r->sunk = json_is_number(sunk) && count > 0 ? json_number_value(sunk) : (double)NAN;
    r->sunk_names = arena_array(a, count + 1, sizeof *r->sunk_names);
    for (size_t i = 0; r->sunk_names != NULL && i < count; i++) {
        r->sunk_names[r->sunk_count++] = get(a, json_array_get(all, i), "name");
    }
    return r->sunk_names != NULL;
}

static bool parse(struct manifest_register *r, struct arena *a, const char *text, size_t length)
{
    json_t *root = json_loadb(text, length, 0, NULL);
    r->version = get(a, root, "version");
    r->scenario_hash = get(a, root, "scenario_hash");
    r->catalogue_hash = get(a, root, "catalogue_hash");
    r->region = get(a, root, "region");
    bool ok = root != NULL && read_assumptions(r, a, root) && read_not_modelled(r, a, root) &&
              read_prices(r, a, root) && read_account(r, a, root);
    json_decref(root);
    return ok;
}

bool manifest_register_read(struct manifest_register *r, struct arena *a, const char *folder,
                            struct diagnostics *d)
{
    size_t length = 0;
    char *path = file_join(a, folder, "manifest.json");
    char *text = path == NULL ? NULL : file_read_regular(a, path, MANIFEST_MAX_BYTES, &length, d);
    *r = (struct manifest_register){0};
    if (text == NULL) {
        return false;
    }
    bool ok = parse(r, a, text, length);
    if (!ok) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){.file = path},
                        "the register of the run cannot be read");
    }
    return ok;
}

bool manifest_register_of(struct manifest_register *r, struct arena *a, const struct study *s,
                          struct diagnostics *d)
{
    char *text = NULL;
    size_t length = 0;
    *r = (struct manifest_register){0};
    FILE *out = open_memstream(&text, &length);
    struct json_writer j;
    bool ok = out != NULL;
    if (ok) {
        json_init(&j, out);
        json_begin_object(&j);
        manifest_register_put(&j, s);
        json_end_object(&j);
        ok = json_finish(&j);
        ok = fclose(out) == 0 && ok && parse(r, a, text, length);
    }
    free(text);
    if (!ok) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0},
                        "out of memory for the register of assumptions");
    }
    return ok;
}
