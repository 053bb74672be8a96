/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tree is walked in file order, so that uncertain numbers are registered, and drawn inputs
 * become columns, in the order of the file. Keys that are absent follow in the order of the table.
 */
#include "scenarios/reader/binder.h"

#include "engine/text.h"
#include "scenarios/reader/binder_values.h"
#include "scenarios/reader/binder_variant.h"
#include "scenarios/reader/binder_walk.h"
#include "scenarios/reader/key_home.h"
#include "scenarios/reader/quote.h"

#include <assert.h>
#include <string.h>

enum { MOST_KEYS = 64 }; /* of one section; a static table's size, not a user's */

static void *field_of(const struct schema_key *k, void *out)
{
    return (char *)out + k->offset;
}

static bool bind_key(struct binder_walk *w, const struct schema_key *k, struct yaml_node *node,
                     void *out);
static bool bind_absent(struct binder_walk *w, const struct schema_key *k, void *out);

/* ---- sections ------------------------------------------------------------------------------- */

/* What stands in place of a mapping, as one: a scalar for the section's shorthand key, a list for
 * its keys in order. NULL with an error told. */
static struct yaml_node *as_mapping(struct binder_walk *w, const struct schema *s,
                                    struct yaml_node *node, const char *label)
{
    struct arena *a = w->b->arena;
    size_t i = 0;

    if (node->kind == YAML_MAP)
        return node;
    if (yaml_tree_is_null(node)) {
        binder_tell(w, node->key_place, "%s is empty; give its keys, or leave it out",
                    quote(a, label));
        return NULL;
    }
    if (node->kind == YAML_TEXT && s->shorthand != NULL) {
        struct yaml_node *map = yaml_tree_map(a, node->place);
        struct yaml_node *only = yaml_tree_text(a, node->text, node->place);
        if (map == NULL || only == NULL) {
            binder_out_of_memory(w, node->place);
            return NULL;
        }
        only->plain = node->plain;
        only->key = s->shorthand;
        only->label = label;
        yaml_tree_append(map, only);
        map->key_place = node->key_place;
        return map;
    }
    if (node->kind == YAML_LIST && s->ordered) {
        for (struct yaml_node *n = node->first; n != NULL && i < s->key_count; n = n->next)
            n->key = s->keys[i++].name;
        if (node->count <= s->key_count) {
            node->kind = YAML_MAP;
            return node;
        }
        binder_tell(w, node->place, "%s has %zu values; expected at most %zu", quote(a, label),
                    node->count, s->key_count);
        return NULL;
    }
    binder_tell(w, node->place, "%s must be a mapping of keys%s", quote(a, label),
                s->ordered ? " or a list of their values" : "");
    return NULL;
}

/* Returns the key that was probably meant, or NULL. */
static const char *tell_unknown(struct binder_walk *w, const struct schema *s,
                                const struct yaml_node *n)
{
    struct arena *a = w->b->arena;
    const char *key = quote(a, n->key), *home = NULL, *meant = NULL;

    if (binder_still_guesses(w))
        home = key_home(a, w->root, n->key);
    if (binder_still_guesses(w) && home == NULL)
        meant = schema_suggest(s, n->key);
    if (strchr(n->key, ':') != NULL && yaml_tree_is_null(n))
        binder_tell(w, n->key_place, "unknown key %s; a space must follow the ':'", key);
    else if (home != NULL)
        binder_tell(w, n->key_place, "unknown key %s%s; it belongs %s%s", key, binder_in_path(w),
                    home[0] == '\0' ? "at the top" : "in ", home[0] == '\0' ? "" : quote(a, home));
    else if (meant != NULL)
        binder_tell(w, n->key_place, "unknown key %s; did you mean '%s'?", key, meant);
    else
        binder_tell(w, n->key_place, "unknown key %s%s", key, binder_in_path(w));
    return meant;
}

static bool is_tag(const struct schema *s, const struct yaml_node *n)
{
    return s->tag != NULL && strcmp(s->tag, n->key) == 0;
}

/* Fills the struct of a section from its mapping. */
static bool bind_section(struct binder_walk *w, const struct schema *s, struct yaml_node *map,
                         void *out)
{
    bool seen[MOST_KEYS] = {false}, meant[MOST_KEYS] = {false};
    bool good = true;

    assert(s->key_count <= MOST_KEYS);
    for (struct yaml_node *n = map->first; n != NULL; n = n->next) {
        const struct schema_key *k = schema_find(s, n->key);
        if (k != NULL) {
            seen[k - s->keys] = true;
            good &= bind_key(w, k, n, out);
        } else if (!is_tag(s, n)) {
            const char *name = tell_unknown(w, s, n);
            if (name != NULL && schema_find(s, name) != NULL)
                meant[schema_find(s, name) - s->keys] = true;
            good = false;
        }
    }
    for (size_t i = 0; i < s->key_count; i++) {
        const struct schema_key *k = &s->keys[i];
        if (seen[i])
            continue;
        if (k->required && !meant[i])
            good = binder_tell(w, map->key_place, "missing key '%s'%s; expected %s", k->name,
                               binder_in_path(w), binder_wanted(w->b, k));
        good &= bind_absent(w, k, out);
    }
    return good;
}

/* Fills the struct of a section that the user did not write: required keys are not missed. */
static bool bind_absent_section(struct binder_walk *w, const struct schema *s, void *out)
{
    bool good = true;

    for (size_t i = 0; i < s->key_count; i++)
        good &= bind_absent(w, &s->keys[i], out);
    return good;
}

static bool bind_absent(struct binder_walk *w, const struct schema_key *k, void *out)
{
    struct place nowhere = {NULL, 0, 0};
    const bool was_default = w->is_default;
    struct yaml_source source = {.file = k->name, .text = k->default_text, .without_lines = true};
    struct yaml_node *node;
    size_t length;
    bool good;

    if (k->default_text == NULL) {
        binder_absent(k, field_of(k, out));
        if (k->kind != SCHEMA_SECTION)
            return true;
        length = binder_push(w, k->name);
        good = bind_absent_section(w, k->inner, field_of(k, out));
        binder_pop(w, length);
        return good;
    }
    source.length = strlen(k->default_text);
    if (k->default_text[0] == '{' || k->default_text[0] == '[')
        node = yaml_tree_read(&source, w->b->arena, w->b->d);
    else
        node = yaml_tree_text(w->b->arena, k->default_text, nowhere);
    if (node == NULL)
        return binder_out_of_memory(w, nowhere);
    w->is_default = true;
    good = bind_key(w, k, node, out);
    w->is_default = was_default;
    return good;
}

/* ---- variants ------------------------------------------------------------------------------- */

static bool bind_variant(struct binder_walk *w, const struct schema *const *variants,
                         struct yaml_node *node, const char *label, struct schema_item item,
                         struct schema_variant *out)
{
    const int chosen = binder_choose_variant(w, variants, node, label);
    const struct schema *s;
    struct yaml_node *map;

    out->index = -1;
    if (chosen < 0)
        return false;
    s = variants[chosen];
    if (node->kind == YAML_TEXT && strcmp(node->text, s->name) == 0) {
        map = yaml_tree_map(w->b->arena, node->place);
        if (map != NULL)
            map->key_place = node->key_place;
    } else {
        map = as_mapping(w, s, node, label);
    }
    if (map == NULL)
        return false;
    out->params = arena_alloc(w->b->arena, s->size);
    if (out->params == NULL)
        return binder_out_of_memory(w, node->place);
    out->index = chosen;
    *(struct schema_item *)out->params = item;
    return bind_section(w, s, map, out->params);
}

/* ---- maps and lists ------------------------------------------------------------------------- */

static bool check_count(struct binder_walk *w, const struct schema_key *k,
                        const struct yaml_node *node, size_t count)
{
    const double low = k->low, high = k->high > 0 ? k->high : BINDER_MAX_ITEMS;

    if ((double)count < low)
        return binder_tell(w, node->key_place, "'%s' needs at least %.0f %s", k->name, low,
                           low < 2 ? "entry" : "entries");
    if ((double)count > high)
        return binder_tell(w, node->key_place, "'%s' has %zu entries; at most %.0f are allowed",
                           k->name, count, high);
    return true;
}

/* Marks that turn text around would let one strategy be taken for another. */
static bool has_misleading(const char *s)
{
    size_t length = strlen(s);

    for (size_t i = 0, n; i < length; i += n == 0 ? 1 : n) {
        uint32_t c = 0;
        n = text_decode(s + i, length - i, &c);
        if (text_misleads(c))
            return true;
    }
    return false;
}

static bool check_name(struct binder_walk *w, const struct yaml_node *n)
{
    bool has_control;
    size_t length = binder_characters(n->key, &has_control);

    if (has_control)
        return binder_tell(w, n->key_place, "the name %s has a control character",
                           quote(w->b->arena, n->key));
    if (has_misleading(n->key))
        return binder_tell(w, n->key_place,
                           "the name %s has a mark that turns text around or breaks its line",
                           quote(w->b->arena, n->key));
    if (length > BINDER_MAX_NAME)
        return binder_tell(w, n->key_place,
                           "the name %s has %zu characters; at most %d are allowed",
                           quote(w->b->arena, n->key), length, BINDER_MAX_NAME);
    return true;
}

/* Fills one item of a map or list: `item` is its first member. */
static bool bind_item(struct binder_walk *w, const struct schema_key *k, struct yaml_node *node,
                      const char *label, struct schema_item item, void *out)
{
    struct yaml_node *map;

    if (node->broken)
        return false;
    *(struct schema_item *)out = item;
    if (k->variants != NULL)
        return bind_variant(w, k->variants, node, label, item,
                            &((struct schema_variant_item *)out)->variant);
    map = as_mapping(w, k->inner, node, label);
    return map != NULL && bind_section(w, k->inner, map, out);
}

static size_t item_size(const struct schema_key *k)
{
    if (k->kind == SCHEMA_TEXTS)
        return sizeof(const char *);
    return k->variants != NULL ? sizeof(struct schema_variant_item) : k->inner->size;
}

static bool make_list(struct binder_walk *w, const struct schema_key *k,
                      const struct yaml_node *node, size_t count, struct schema_list *out)
{
    if (!check_count(w, k, node, count))
        return false;
    if (count == 0)
        return true;
    out->items = arena_array(w->b->arena, count, item_size(k));
    if (out->items == NULL)
        return binder_out_of_memory(w, node->place);
    out->count = count;
    return true;
}

static bool bind_map(struct binder_walk *w, const struct schema_key *k, struct yaml_node *node,
                     struct schema_list *out)
{
    bool good = true;
    size_t i = 0;

    if (node->kind != YAML_MAP)
        return binder_tell(w, node->place, "'%s' must be a mapping of names%s", k->name,
                           yaml_tree_is_null(node) ? "; it is empty" : "");
    if (!make_list(w, k, node, node->count, out))
        return false;
    for (struct yaml_node *n = node->first; n != NULL; n = n->next, i++) {
        const struct schema_item item = {.name = n->key, .place = n->key_place};
        size_t length = binder_push(w, n->key);
        good &= check_name(w, n);
        good &= bind_item(w, k, n, n->key, item, (char *)out->items + i * item_size(k));
        binder_pop(w, length);
    }
    return good;
}

static bool bind_list_item(struct binder_walk *w, const struct schema_key *k,
                           struct yaml_node *node, size_t i, struct schema_list *list)
{
    const struct schema_item item = {.name = NULL, .place = node->place};
    void *out = (char *)list->items + i * item_size(k);
    struct binding text;
    struct schema_key as_text;
    const char *label;
    char number[24];
    size_t length;
    bool good;

    if (k->kind == SCHEMA_TEXTS) {
        if (node->broken)
            return false;
        if (node->kind != YAML_TEXT || yaml_tree_is_null(node))
            return binder_tell(w, node->place, "an entry of '%s' must be text", k->name);
        as_text = (struct schema_key){.name = k->name, .kind = SCHEMA_TEXT};
        text = (struct binding){w->b, &as_text, node, w->path.data, w->is_default};
        return binder_scalar(&text, out);
    }
    snprintf(number, sizeof(number), "%zu", i + 1);
    length = binder_push(w, number);
    label = arena_format(w->b->arena, "%s.%s", k->name, number);
    good = bind_item(w, k, node, label == NULL ? k->name : label, item, out);
    binder_pop(w, length);
    return good;
}

static bool bind_list(struct binder_walk *w, const struct schema_key *k, struct yaml_node *node,
                      struct schema_list *out)
{
    bool good = true;
    size_t i = 0;

    if (node->kind != YAML_LIST) {
        if (!k->list_or_one || yaml_tree_is_null(node))
            return binder_tell(w, node->place, "'%s' must be a list such as [a, b]", k->name);
        return make_list(w, k, node, 1, out) && bind_list_item(w, k, node, 0, out);
    }
    if (!make_list(w, k, node, node->count, out))
        return false;
    for (struct yaml_node *n = node->first; n != NULL; n = n->next)
        good &= bind_list_item(w, k, n, i++, out);
    return good;
}

/* ---- one key -------------------------------------------------------------------------------- */

static bool bind_scalar(struct binder_walk *w, const struct schema_key *k,
                        const struct yaml_node *node, void *field)
{
    const struct binding b = {w->b, k, node, w->path.data, w->is_default};

    binder_absent(k, field); /* what stays when the value is wrong */
    if (node->kind != YAML_TEXT)
        return binder_tell(w, node->place, "'%s' is a %s; expected %s", k->name,
                           node->kind == YAML_LIST ? "list" : "mapping", binder_wanted(w->b, k));
    if (yaml_tree_is_null(node))
        return binder_tell(w, node->key_place, "'%s' has no value; expected %s", k->name,
                           binder_wanted(w->b, k));
    return binder_scalar(&b, field);
}

static bool bind_value(struct binder_walk *w, const struct schema_key *k, struct yaml_node *node,
                       void *field)
{
    const struct schema_item item = {.name = NULL, .place = node->place};
    struct yaml_node *map;

    switch (k->kind) {
    case SCHEMA_SECTION:
        map = as_mapping(w, k->inner, node, k->name);
        return map != NULL && bind_section(w, k->inner, map, field);
    case SCHEMA_MAP:
        return bind_map(w, k, node, field);
    case SCHEMA_LIST:
    case SCHEMA_TEXTS:
        return bind_list(w, k, node, field);
    case SCHEMA_VARIANT:
        return bind_variant(w, k->variants, node, k->name, item, field);
    case SCHEMA_ANY:
        *(const struct yaml_node **)field = node;
        return true;
    default:
        return bind_scalar(w, k, node, field);
    }
}

static bool bind_key(struct binder_walk *w, const struct schema_key *k, struct yaml_node *node,
                     void *out)
{
    size_t length;
    bool good;

    if (node->broken) {
        binder_absent(k, field_of(k, out));
        return false;
    }
    length = binder_push(w, k->name);
    good = bind_value(w, k, node, field_of(k, out));
    binder_pop(w, length);
    if (k->given_offset != 0)
        *(bool *)((char *)out + k->given_offset) = !w->is_default;
    if (k->place_offset != 0 && !w->is_default)
        *(struct place *)((char *)out + k->place_offset) = node->place;
    return good;
}

bool binder_fill(const struct binder *b, const struct schema *schema, struct yaml_node *root,
                 void *out)
{
    struct binder_walk w = {.b = b, .root = schema};
    bool good;

    text_init(&w.path, 0);
    good = bind_section(&w, schema, root, out);
    text_release(&w.path);
    return good;
}
