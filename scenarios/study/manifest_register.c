/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/manifest_register.h"

#include "engine/file.h"

#include <jansson.h>
#include <math.h>

#define MANIFEST_MAX_BYTES (64u << 20)

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
    json_t *root = json_loadb(text, length, 0, NULL);
    r->version = get(a, root, "version");
    r->scenario_hash = get(a, root, "scenario_hash");
    r->catalogue_hash = get(a, root, "catalogue_hash");
    r->region = get(a, root, "region");
    bool ok = root != NULL && read_assumptions(r, a, root) && read_not_modelled(r, a, root) &&
              read_prices(r, a, root);
    json_decref(root);
    if (!ok) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){.file = path},
                        "the register of the run cannot be read");
    }
    return ok;
}
