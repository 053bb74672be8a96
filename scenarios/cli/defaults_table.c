/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/defaults_table.h"

#include <fnmatch.h>
#include <stdio.h>

enum { DEEPEST = 32 };

enum { KEY, KIND, UNIT, DEFAULT, MEANING };
static const struct column columns[] = {
    [KEY] = {"key", "", "Dotted path; NAME is chosen by the user", COLUMN_TEXT, -1},
    [KIND] = {"kind", "", "What is written there", COLUMN_TEXT, -1},
    [UNIT] = {"unit", "", "Unit inside the program", COLUMN_TEXT, -1},
    [DEFAULT] = {"default", "", "What holds when the key is absent", COLUMN_TEXT, -1},
    [MEANING] = {"meaning", "", "What it says", COLUMN_TEXT, -1},
};

struct defaults_walk {
    struct table *table;
    const char *pattern;
    bool failed;
};

static bool has_unit(const struct schema_key *k)
{
    return k->kind == SCHEMA_QUANTITY || k->kind == SCHEMA_NUMBER || k->kind == SCHEMA_VARIATE;
}

static void add_key(struct defaults_walk *w, const char *path, const struct schema_key *k)
{
    if (w->pattern != NULL && fnmatch(w->pattern, path, 0) != 0) {
        return;
    }
    size_t row = table_add_row(w->table);
    if (row == SIZE_MAX) {
        w->failed = true;
        return;
    }
    table_set_text(w->table, row, KEY, path);
    table_set_text(w->table, row, KIND, schema_kind_text(k));
    table_set_text(w->table, row, UNIT, has_unit(k) ? quantity_unit(k->dimension) : "");
    table_set_text(w->table, row, DEFAULT, k->required ? "(required)" : k->default_text);
    table_set_text(w->table, row, MEANING, k->help);
}

/* Depth first, in the order of the manual. Keys that several variants share come once for each. */
static void walk_section(struct defaults_walk *w, const struct schema *s, const char *above,
                         int depth)
{
    for (size_t i = 0; i < s->key_count && depth < DEEPEST; i++) {
        const struct schema_key *k = &s->keys[i];
        const char *item = k->kind == SCHEMA_MAP ? ".NAME" : k->kind == SCHEMA_LIST ? ".N" : "";
        char path[512];
        int length = snprintf(path, sizeof path, "%s%s%s%s", above, above[0] == '\0' ? "" : ".",
                              k->name, item);
        if (length < 0 || (size_t)length >= sizeof path) {
            w->failed = true;
            return;
        }
        if (k->inner == NULL && k->variants == NULL) {
            add_key(w, path, k);
        }
        if (k->inner != NULL) {
            walk_section(w, k->inner, path, depth + 1);
        }
        for (size_t v = 0; k->variants != NULL && k->variants[v] != NULL; v++) {
            walk_section(w, k->variants[v], path, depth + 1);
        }
    }
}

struct table *defaults_table(const struct schema *root, const char *pattern)
{
    struct defaults_walk w = {
        .table = table_new("defaults", columns, sizeof columns / sizeof columns[0]),
        .pattern = pattern};
    if (w.table == NULL) {
        return NULL;
    }
    walk_section(&w, root, "", 0);
    if (w.failed) {
        table_free(w.table);
        return NULL;
    }
    return w.table;
}
