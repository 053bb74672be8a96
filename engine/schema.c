/* SPDX-License-Identifier: GPL-3.0-or-later
 * What can be said about the tables without reading a scenario: finding a key, guessing the one
 * meant, and writing the tables of the manual. Sections are walked depth first; a section that
 * several keys share is written where it is met first. */
#include "engine/schema.h"
#include "engine/inputs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    DEEPEST = 32,        /* sections below each other */
    MOST_SECTIONS = 256, /* different ones in a manual */
    MOST_KEYS = 128,     /* in one section */
    LONGEST_PATH = 512
};

const struct schema_key *schema_find(const struct schema *s, const char *name)
{
    for (size_t i = 0; i < s->key_count; i++)
        if (strcmp(s->keys[i].name, name) == 0)
            return &s->keys[i];
    return NULL;
}

const char *schema_suggest(const struct schema *s, const char *name)
{
    const char *names[MOST_KEYS];
    size_t count = 0;

    if (s->tag != NULL)
        names[count++] = s->tag;
    for (size_t i = 0; i < s->key_count && count < MOST_KEYS; i++)
        names[count++] = s->keys[i].name;
    return text_suggest(name, names, count);
}

static bool has_range(const struct schema_key *k)
{
    return k->low < 0 || k->low > 0 || k->high < 0 || k->high > 0;
}

double schema_low(const struct schema_key *k)
{
    return has_range(k) ? k->low : -HUGE_VAL;
}

double schema_high(const struct schema_key *k)
{
    return has_range(k) ? k->high : HUGE_VAL;
}

static const struct schema_key *first_uncertain_item(const struct schema_key *k,
                                                     const struct schema_list *list)
{
    const struct schema_key *found = NULL;
    const char *items = list->items;
    for (size_t i = 0; k->inner != NULL && i < list->count && found == NULL; i++) {
        found = schema_first_uncertain(k->inner, items + i * k->inner->size);
    }
    return found;
}

const struct schema_key *schema_first_uncertain(const struct schema *s, const void *data)
{
    for (size_t i = 0; i < s->key_count; i++) {
        const struct schema_key *k = &s->keys[i], *found = NULL;
        const void *field = (const char *)data + k->offset;
        if (k->kind == SCHEMA_NUMBER) {
            const struct number *n = field;
            found = n->given && n->input >= 0 ? k : NULL;
        } else if (k->kind == SCHEMA_SECTION) {
            found = schema_first_uncertain(k->inner, field);
        } else if (k->kind == SCHEMA_LIST) {
            found = first_uncertain_item(k, field);
        } else if (k->kind == SCHEMA_VARIANT) {
            const struct schema_variant *v = field;
            found = v->index >= 0 && v->params != NULL
                        ? schema_first_uncertain(k->variants[v->index], v->params)
                        : NULL;
        }
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

const char *schema_kind_text(const struct schema_key *k)
{
    static const char *const quantities[] = {[DIMENSION_COUNT] = "count",
                                             [DIMENSION_SHARE] = "share",
                                             [DIMENSION_TIME] = "duration",
                                             [DIMENSION_SPAN] = "span of time",
                                             [DIMENSION_OFFSET] = "offset of time",
                                             [DIMENSION_DATA] = "amount of data",
                                             [DIMENSION_DATA_RATE] = "data rate",
                                             [DIMENSION_RATE] = "rate",
                                             [DIMENSION_HAZARD] = "rate or mean time",
                                             [DIMENSION_MONEY] = "money",
                                             [DIMENSION_PRICE] = "price per hour",
                                             [DIMENSION_FLOPS] = "computing speed"};

    switch (k->kind) {
    case SCHEMA_TEXT:
        return "text";
    case SCHEMA_CHOICE:
        return "choice";
    case SCHEMA_FLAG:
        return "yes or no";
    case SCHEMA_INTEGER:
        return "whole number";
    case SCHEMA_QUANTITY:
        return quantities[k->dimension];
    case SCHEMA_NUMBER:
        return "number";
    case SCHEMA_VARIATE:
        return "variate";
    case SCHEMA_DATE:
        return "date";
    case SCHEMA_SECTION:
    case SCHEMA_VARIANT:
        return "section";
    case SCHEMA_MAP:
        return "named sections";
    case SCHEMA_LIST:
        return "list of sections";
    case SCHEMA_TEXTS:
        return "list of text";
    case SCHEMA_ANY:
        return "see below";
    }
    return "";
}

/* ---- the tables of the manual -----------------------------------------------------------------
 */

struct manual {
    struct text *out;
    const struct schema *seen[MOST_SECTIONS];
    size_t seen_count;
};

/* Text inside a table cell: a bar would end it, a line break the row. */
static void add_cell(struct text *out, const char *s)
{
    for (; *s != '\0'; s++) {
        if (*s == '|')
            text_add(out, "\\|");
        else
            text_add_bytes(out, *s == '\n' ? " " : s, 1);
    }
}

static void add_code(struct text *out, const char *s)
{
    text_add(out, "`");
    add_cell(out, s);
    text_add(out, "`");
}

/* "`a`, `b`" */
static void add_names(struct text *out, const char *const *names)
{
    for (size_t i = 0; names != NULL && names[i] != NULL; i++) {
        if (i > 0)
            text_add(out, ", ");
        add_code(out, names[i]);
    }
}

static bool has_unit(const struct schema_key *k)
{
    return k->kind == SCHEMA_QUANTITY || k->kind == SCHEMA_NUMBER || k->kind == SCHEMA_VARIATE;
}

static void add_kind(struct text *out, const struct schema_key *k)
{
    text_add(out, schema_kind_text(k));
    if (has_unit(k) && quantity_unit(k->dimension)[0] != '\0')
        text_format(out, ", %s", quantity_unit(k->dimension));
    if (k->list_or_one)
        text_add(out, ", or one alone");
}

static void add_default(struct text *out, const struct schema_key *k)
{
    if (k->required)
        text_add(out, "required");
    else if (k->default_text != NULL)
        add_code(out, k->default_text);
}

static const char *bound_text(const struct schema_key *k, double bound, char text[48])
{
    if (k->kind == SCHEMA_INTEGER && bound >= 0x1p63) {
        snprintf(text, 48, "2^63 - 1"); /* what a double cannot say */
        return text;
    }
    const double years = bound / (365.25 * 86400);
    if ((k->dimension == DIMENSION_TIME || k->dimension == DIMENSION_SPAN) && has_unit(k) &&
        years >= 1 && years <= floor(years)) {
        snprintf(text, 48, "%.0f years", years);
        return text;
    }
    return quantity_text(bound, has_unit(k) ? k->dimension : DIMENSION_COUNT, NULL, text);
}

static void add_range(struct text *out, const struct schema_key *k)
{
    const char *what = k->kind == SCHEMA_TEXT ? " characters"
                       : k->kind == SCHEMA_MAP || k->kind == SCHEMA_LIST || k->kind == SCHEMA_TEXTS
                           ? " items"
                           : "";
    char low[48], high[48];

    if (!has_range(k))
        return;
    bound_text(k, k->low, low);
    bound_text(k, k->high, high);
    if (isfinite(k->low) && isfinite(k->high))
        text_format(out, "%s to %s%s", low, high, what);
    else if (isfinite(k->low))
        text_format(out, "at least %s%s", low, what);
    else if (isfinite(k->high))
        text_format(out, "at most %s%s", high, what);
}

static void add_legal(struct text *out, const struct schema_key *k)
{
    size_t before = out->length;

    add_names(out, k->choices);
    for (size_t i = 0; k->variants != NULL && k->variants[i] != NULL; i++) {
        if (i > 0)
            text_add(out, ", ");
        add_code(out, k->variants[i]->name);
    }
    if (has_range(k)) {
        if (out->length > before)
            text_add(out, "; ");
        add_range(out, k);
    }
}

static void add_row(struct text *out, const struct schema_key *k)
{
    text_add(out, "| ");
    add_code(out, k->name);
    text_add(out, " | ");
    add_kind(out, k);
    text_add(out, " | ");
    add_default(out, k);
    text_add(out, " | ");
    add_legal(out, k);
    text_add(out, " | ");
    add_cell(out, k->help != NULL ? k->help : "");
    text_add(out, " |\n");
}

static void add_table(struct text *out, const struct schema *s, const char *tag)
{
    text_add(out, "| key | kind, unit | default | legal | meaning |\n|---|---|---|---|---|\n");
    if (tag != NULL && schema_find(s, tag) == NULL) {
        text_add(out, "| ");
        add_code(out, tag);
        text_add(out, " | choice | required | ");
        add_code(out, s->name);
        text_add(out, " | chooses this section |\n");
    }
    for (size_t i = 0; i < s->key_count; i++)
        add_row(out, &s->keys[i]);
}

static void add_notes(struct text *out, const struct schema *s)
{
    if (s->shorthand != NULL) {
        text_add(out, "\nA plain value in place of the section sets ");
        add_code(out, s->shorthand);
        text_add(out, ".\n");
    }
    if (s->ordered)
        text_add(out, "\nA list in place of the section gives the keys in this order.\n");
}

/* One section with its heading. tag: of a variant. False when it was written before. */
static bool add_section(struct manual *m, const struct schema *s, const char *tag)
{
    for (size_t i = 0; i < m->seen_count; i++)
        if (m->seen[i] == s)
            return false;
    if (m->seen_count == MOST_SECTIONS) {
        m->out->overflow = true;
        return false;
    }
    m->seen[m->seen_count++] = s;
    if (m->out->length > 0)
        text_add(m->out, "\n");
    text_add(m->out, "### ");
    if (tag != NULL)
        text_format(m->out, "`%s: %s`", tag, s->name);
    else
        add_cell(m->out, s->name);
    text_add(m->out, "\n\n");
    if (s->help != NULL)
        text_format(m->out, "%s\n\n", s->help);
    add_table(m->out, s, tag);
    add_notes(m->out, s);
    return true;
}

static void walk_manual(struct manual *m, const struct schema *s, const char *tag, int depth)
{
    if (depth > DEEPEST) {
        m->out->overflow = true;
        return;
    }
    if (!add_section(m, s, tag))
        return;
    for (size_t i = 0; i < s->key_count; i++) {
        const struct schema_key *k = &s->keys[i];
        if (k->inner != NULL)
            walk_manual(m, k->inner, NULL, depth + 1);
        for (size_t v = 0; k->variants != NULL && k->variants[v] != NULL; v++)
            walk_manual(m, k->variants[v], k->variants[v]->tag, depth + 1);
    }
}

void schema_write_markdown(const struct schema *root, struct text *out)
{
    struct manual m = {.out = out};

    walk_manual(&m, root, NULL, 1);
}

/* ---- paths ------------------------------------------------------------------------------------
 */

static void walk_paths(const struct schema *s, const char *prefix, struct text *out, int depth);

static void add_path(struct text *out, const char *path)
{
    text_add(out, path);
    text_add(out, "\n");
}

/* The keys of each variant below path, each once, and the tag before them. */
static void walk_variants(const struct schema *const *variants, const char *path, struct text *out,
                          int depth)
{
    if (variants[0] == NULL)
        return;
    if (variants[0]->shorthand != NULL)
        add_path(out, path);
    if (variants[0]->tag != NULL && schema_find(variants[0], variants[0]->tag) == NULL)
        text_format(out, "%s.%s\n", path, variants[0]->tag);
    for (size_t v = 0; variants[v] != NULL; v++) {
        for (size_t i = 0; i < variants[v]->key_count; i++) {
            struct schema one = *variants[v];
            bool before = false;
            for (size_t w = 0; w < v && !before; w++)
                before = schema_find(variants[w], variants[v]->keys[i].name) != NULL;
            one.keys = &variants[v]->keys[i];
            one.key_count = 1;
            if (!before)
                walk_paths(&one, path, out, depth);
        }
    }
}

static void walk_paths(const struct schema *s, const char *prefix, struct text *out, int depth)
{
    char path[LONGEST_PATH];

    for (size_t i = 0; i < s->key_count; i++) {
        const struct schema_key *k = &s->keys[i];
        const char *item = k->kind == SCHEMA_MAP ? ".NAME" : k->kind == SCHEMA_LIST ? ".N" : "";
        int length = snprintf(path, sizeof(path), "%s%s%s%s", prefix, prefix[0] == '\0' ? "" : ".",
                              k->name, item);
        if (length < 0 || (size_t)length >= sizeof(path) || depth > DEEPEST) {
            out->overflow = true;
            return;
        }
        if (k->inner != NULL) {
            if (k->inner->shorthand != NULL)
                add_path(out, path);
            walk_paths(k->inner, path, out, depth + 1);
        } else if (k->variants != NULL) {
            walk_variants(k->variants, path, out, depth + 1);
        } else {
            add_path(out, path);
        }
    }
}

void schema_write_paths(const struct schema *root, struct text *out)
{
    walk_paths(root, "", out, 1);
}
