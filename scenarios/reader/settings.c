/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/settings.h"

#include "scenarios/reader/overlay.h"
#include "scenarios/reader/quote.h"
#include "scenarios/reader/yaml_text.h"

#include <string.h>

enum { MOST_PARTS = 64, MOST_KNOWN = 256 };

struct part {
    const char *text;
    bool quoted;
};

/* What may stand under a node: the keys of a section, those of some variant, or names. All NULL:
 * nothing. */
struct level {
    const struct schema *section;
    const struct schema *const *variants;
    const struct schema_key *names;
    bool of_list; /* it stands for a list's only item */
};

struct step {
    const char *name;
    const char *shorthand; /* the key that a scalar here stands for, or NULL */
    bool of_list;
};

struct settings_walk {
    struct part parts[MOST_PARTS];
    size_t count;
    struct step steps[MOST_PARTS];
    size_t step_count;
    struct arena *arena;
    size_t reached; /* the part at which the path could be followed no further, and where */
    struct level reached_level;
};

/* ---- the path ------------------------------------------------------------------------------- */

/* Splits `setting` at the dots before its `=`; returns the value behind it, NULL with a reason. */
static const char *split(struct settings_walk *w, const char *setting, const char **reason)
{
    const char *s = setting;

    while (w->count < MOST_PARTS) {
        struct part *p = &w->parts[w->count++];
        const char *end;
        p->quoted = *s == '"' || *s == '\'';
        end = p->quoted ? strchr(s + 1, *s) : s + strcspn(s, ".=");
        if (end == NULL) {
            *reason = "a quote in the path is not closed";
            return NULL;
        }
        s += p->quoted;
        p->text = arena_copy(w->arena, s, (size_t)(end - s));
        s = end + p->quoted;
        if (p->text == NULL || p->text[0] == '\0') {
            *reason = "the path has an empty part; write path.to.key=value";
            return NULL;
        }
        if (*s == '=')
            return s + 1;
        if (*s != '.') {
            *reason = *s == '\0' ? "no '='; write path.to.key=value"
                                 : "text after a quoted part of the path";
            return NULL;
        }
        s++;
    }
    *reason = "the path has too many parts";
    return NULL;
}

/* Parts [from, from + take) with their dots. A quoted part stands alone: NULL otherwise. */
static const char *join(struct settings_walk *w, size_t from, size_t take)
{
    const char *name = w->parts[from].text;

    for (size_t i = from + 1; name != NULL && i < from + take; i++) {
        if (w->parts[i].quoted || w->parts[from].quoted)
            return NULL;
        name = arena_format(w->arena, "%s.%s", name, w->parts[i].text);
    }
    return name;
}

/* ---- following it through the schema -------------------------------------------------------- */

static struct level below_key(const struct schema_key *k)
{
    switch (k->kind) {
    case SCHEMA_SECTION:
        return (struct level){.section = k->inner};
    case SCHEMA_VARIANT:
        return (struct level){.variants = k->variants};
    case SCHEMA_MAP:
        return (struct level){.names = k};
    default:
        return (struct level){0};
    }
}

static struct level below_name(const struct schema_key *map)
{
    if (map->variants != NULL)
        return (struct level){.variants = map->variants};
    return (struct level){.section = map->inner};
}

static const char *shorthand_of(struct level l)
{
    if (l.section != NULL)
        return l.section->shorthand;
    return l.variants == NULL ? NULL : l.variants[0]->shorthand;
}

/* The names that may come next at this level; returns their number. */
static size_t known_keys(struct level l, const char *known[MOST_KNOWN])
{
    size_t n = 0;
    const struct schema *const one[] = {l.section, NULL};
    const struct schema *const *all = l.variants != NULL ? l.variants : one;

    if (l.variants != NULL && l.variants[0]->tag != NULL)
        known[n++] = l.variants[0]->tag;
    for (size_t v = 0; all[v] != NULL; v++) {
        for (size_t i = 0; i < all[v]->key_count && n < MOST_KNOWN; i++)
            known[n++] = all[v]->keys[i].name;
    }
    return n;
}

static bool follow(struct settings_walk *w, struct level l, const struct yaml_node *node,
                   size_t at);

static bool take_step(struct settings_walk *w, const char *name, struct level below,
                      const struct yaml_node *node, size_t at)
{
    const size_t step = w->step_count;

    if (name == NULL || step == MOST_PARTS)
        return false;
    w->steps[step] = (struct step){name, shorthand_of(below), below.of_list};
    w->step_count++;
    if (at == w->count || follow(w, below, node, at))
        return true;
    w->step_count = step;
    return false;
}

static const struct yaml_node *child(const struct yaml_node *node, const char *name)
{
    return node == NULL || name == NULL ? NULL : yaml_tree_find(node, name);
}

/* A list that may be one item without [] has the item's keys below it, as long as there is one. */
static struct level below_list(const struct schema_key *k, const struct yaml_node **node)
{
    const struct yaml_node *n = *node;
    struct level below = below_name(k);

    if (!k->list_or_one || (n != NULL && n->kind == YAML_LIST && n->count != 1))
        return (struct level){0};
    if (n != NULL && n->kind == YAML_LIST)
        *node = n->first;
    below.of_list = true;
    return below;
}

static bool follow_keys(struct settings_walk *w, const struct schema *s,
                        const struct yaml_node *node, size_t at)
{
    const char *name = w->parts[at].text;
    const struct schema_key *k = schema_find(s, name);
    const struct yaml_node *n = child(node, name);

    return k != NULL &&
           take_step(w, name, k->kind == SCHEMA_LIST ? below_list(k, &n) : below_key(k), n, at + 1);
}

static bool follow_variants(struct settings_walk *w, const struct schema *const *variants,
                            const struct yaml_node *node, size_t at)
{
    if (variants[0]->tag != NULL && strcmp(w->parts[at].text, variants[0]->tag) == 0)
        return take_step(w, variants[0]->tag, (struct level){0}, NULL, at + 1);
    for (size_t i = 0; variants[i] != NULL; i++) {
        if (follow_keys(w, variants[i], node, at))
            return true;
    }
    return false;
}

/* A part behind the first that is a key below, or nearly one, was not meant for a part of a name.
 */
static bool holds_key(const struct settings_walk *w, struct level below, size_t at)
{
    const char *known[MOST_KNOWN];
    size_t n = known_keys(below, known);

    for (size_t i = at + 1; i < w->count; i++) {
        if (text_suggest(w->parts[i].text, known, n) != NULL)
            return true;
    }
    return false;
}

static bool follow_names(struct settings_walk *w, const struct schema_key *map,
                         const struct yaml_node *node, size_t at)
{
    const struct level below = below_name(map);
    bool exists = false;

    for (size_t take = w->count - at; take >= 1; take--) {
        const char *name = join(w, at, take);
        const struct yaml_node *there = child(node, name);
        if (there == NULL)
            continue;
        exists = true;
        if (take_step(w, name, below, there, at + take))
            return true;
    }
    for (size_t take = 1; take < w->count - at; take++) {
        if (take_step(w, join(w, at, take), below, NULL, at + take))
            return true;
    }
    if (exists || holds_key(w, below, at))
        return false;
    return take_step(w, join(w, at, w->count - at), below, NULL, w->count);
}

/* Whether the path from part `at` on can be followed; leaves the steps taken in w. The depth is
 * that of the schema. */
static bool follow(struct settings_walk *w, struct level l, const struct yaml_node *node, size_t at)
{
    if (at > w->reached || at == 0) {
        w->reached = at;
        w->reached_level = l;
    }
    if (l.section != NULL)
        return follow_keys(w, l.section, node, at);
    if (l.variants != NULL)
        return follow_variants(w, l.variants, node, at);
    return l.names != NULL && follow_names(w, l.names, node, at);
}

static void tell_where_it_ends(struct settings_walk *w, struct place where, struct diagnostics *d)
{
    const char *known[MOST_KNOWN];
    size_t n = known_keys(w->reached_level, known);
    const char *part = w->parts[w->reached].text;
    const char *meant = text_suggest(part, known, n);
    const char *above = w->reached == 0 ? "" : join(w, 0, w->reached);

    if (n == 0)
        diagnostics_add(d, DIAGNOSTIC_ERROR, where, "%s has no keys below it; set it as a whole",
                        quote(w->arena, above == NULL ? "..." : above));
    else if (meant != NULL)
        diagnostics_add(d, DIAGNOSTIC_ERROR, where, "unknown key %s; did you mean '%s'?",
                        quote(w->arena, part), meant);
    else
        diagnostics_add(d, DIAGNOSTIC_ERROR, where, "unknown key %s", quote(w->arena, part));
}

/* ---- the value ------------------------------------------------------------------------------ */

/* Reads the value as YAML; NULL when it is none, told in d. */
static struct yaml_node *read_value(const char *text, const char *file, struct arena *a,
                                    struct diagnostics *d)
{
    const struct place where = {file, 0, 0};
    struct yaml_source source = {.file = file, .length = strlen(text), .without_lines = true};
    struct yaml_node *value;
    char *copy = arena_copy(a, text, source.length);
    size_t first, last;

    if (copy == NULL || source.length > YAML_TREE_MAX_BYTES) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, where, "the value is too long");
        return NULL;
    }
    yaml_text_normalise(copy, &source.length);
    source.text = copy;
    if (!yaml_text_check(&source, d))
        return NULL;
    value = yaml_tree_read(&source, a, d);
    if (value == NULL || value->kind != YAML_TEXT || !value->plain || value->broken)
        return value;
    /* `name=job #2` would lose its end as a comment, unseen. */
    first = strspn(copy, " \t\n");
    last = source.length;
    while (last > first && strchr(" \t\n", copy[last - 1]) != NULL)
        last--;
    if (strlen(value->text) == last - first && memcmp(value->text, copy + first, last - first) == 0)
        return value;
    diagnostics_add(d, DIAGNOSTIC_ERROR, where, "the value would read as %s; put it in quotes",
                    quote(a, value->text));
    return NULL;
}

/* The child as a mapping: made when absent, and spelt out where it is a scalar that stands for one
 * of its keys (`policy: fallback`). */
static struct yaml_node *open_child(struct yaml_node *map, const struct step *step,
                                    struct place where, struct arena *a)
{
    struct yaml_node *n = yaml_tree_find(map, step->name);
    struct yaml_node *spelt, *scalar;

    if (n != NULL && step->of_list && n->kind == YAML_LIST && n->count == 1)
        n = n->first;
    if (n != NULL && n->kind == YAML_MAP)
        return n;
    spelt = yaml_tree_map(a, where);
    if (spelt == NULL)
        return NULL;
    if (n == NULL) {
        spelt->key = step->name;
        yaml_tree_append(map, spelt);
        return spelt;
    }
    if (n->kind == YAML_TEXT && step->shorthand != NULL && !yaml_tree_is_null(n)) {
        scalar = yaml_tree_text(a, n->text, n->place);
        if (scalar == NULL)
            return NULL;
        scalar->plain = n->plain;
        scalar->broken = n->broken;
        scalar->key = step->shorthand;
        yaml_tree_append(spelt, scalar);
        spelt->place = n->place;
    }
    yaml_tree_overwrite(n, spelt);
    return n;
}

static bool lay(struct settings_walk *w, struct yaml_node *root, struct yaml_node *value,
                struct place where)
{
    struct yaml_node *map = root, *upper;
    bool removes = yaml_tree_is_written_null(value);

    for (size_t i = 0; i + 1 < w->step_count; i++) {
        if (removes && child(map, w->steps[i].name) == NULL)
            return true;
        map = open_child(map, &w->steps[i], where, w->arena);
        if (map == NULL)
            return false;
    }
    value->key = w->steps[w->step_count - 1].name;
    value->key_place = where;
    upper = yaml_tree_map(w->arena, where);
    if (upper == NULL)
        return false;
    yaml_tree_append(upper, value);
    return overlay_merge(map, upper);
}

bool settings_apply(struct yaml_node *root, const struct schema *schema, const char *setting,
                    struct arena *a, struct diagnostics *d)
{
    struct settings_walk w = {.arena = a};
    const char *file = arena_format(a, "--set %s", setting);
    const struct place where = {file == NULL ? "--set" : file, 0, 0};
    const char *reason = NULL, *text = split(&w, setting, &reason);
    struct yaml_node *value;

    if (text == NULL) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, where, "%s", reason);
        return false;
    }
    if (!follow(&w, (struct level){.section = schema}, root, 0)) {
        tell_where_it_ends(&w, where, d);
        return false;
    }
    value = read_value(text, where.file, a, d);
    if (value == NULL)
        return false;
    if (!lay(&w, root, value, where)) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, where, "out of memory");
        return false;
    }
    return true;
}
