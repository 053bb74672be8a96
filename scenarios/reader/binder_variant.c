/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/binder_variant.h"

#include "scenarios/reader/quote.h"

#include <ctype.h>
#include <string.h>

enum { MOST_VARIANTS = 64 }; /* named in a message */

static int find_variant(const struct schema *const *variants, const char *name)
{
    for (int i = 0; variants[i] != NULL; i++) {
        if (strcmp(variants[i]->name, name) == 0)
            return i;
    }
    return -1;
}

static bool tell_unknown_variant(struct binder_walk *w, const struct schema *const *variants,
                                 const struct yaml_node *node, const char *what)
{
    const char *names[MOST_VARIANTS + 1] = {NULL};
    const char *meant = NULL;
    size_t count = 0;

    for (; variants[count] != NULL && count < MOST_VARIANTS; count++)
        names[count] = variants[count]->name;
    if (binder_still_guesses(w))
        meant = text_suggest(node->text, names, count);
    if (meant != NULL)
        return binder_tell(w, node->place, "'%s' is %s; did you mean '%s'?", what,
                           quote(w->b->arena, node->text), meant);
    return binder_tell(w, node->place, "'%s' is %s; expected %s", what,
                       quote(w->b->arena, node->text), quote_choices(w->b->arena, names));
}

static bool tell_missing_tag(struct binder_walk *w, const struct schema *const *variants,
                             const struct yaml_node *map)
{
    const char *names[MOST_VARIANTS + 1] = {NULL};

    for (size_t i = 0; variants[i] != NULL && i < MOST_VARIANTS; i++)
        names[i] = variants[i]->name;
    return binder_tell(w, map->key_place, "missing key '%s'%s; expected %s", variants[0]->tag,
                       binder_in_path(w), quote_choices(w->b->arena, names));
}

static int choose_by_tag(struct binder_walk *w, const struct schema *const *variants,
                         const struct yaml_node *map)
{
    const char *tag = variants[0]->tag;
    const struct yaml_node *named = yaml_tree_find(map, tag);
    int chosen;

    if (named == NULL) {
        tell_missing_tag(w, variants, map);
        return -1;
    }
    if (named->broken)
        return -1;
    if (named->kind != YAML_TEXT || yaml_tree_is_null(named)) {
        binder_tell(w, named->key_place, "'%s' must be a name", tag);
        return -1;
    }
    chosen = find_variant(variants, named->text);
    if (chosen < 0)
        tell_unknown_variant(w, variants, named, tag);
    return chosen;
}

/* Whether a text can only be meant as a name: letters, digits and hyphens behind a letter. */
static bool is_word(const char *text)
{
    if (!isalpha((unsigned char)text[0]))
        return false;
    while (isalnum((unsigned char)*text) || *text == '-' || *text == '_')
        text++;
    return *text == '\0';
}

int binder_choose_variant(struct binder_walk *w, const struct schema *const *variants,
                          const struct yaml_node *node, const char *label)
{
    const char *tag = variants[0]->tag;
    bool by_name = false;
    int chosen = -1;

    if (node->kind == YAML_MAP)
        return choose_by_tag(w, variants, node);
    if (node->kind == YAML_TEXT && !yaml_tree_is_null(node)) {
        for (int i = 0; variants[i] != NULL; i++)
            by_name |= variants[i]->shorthand != NULL && strcmp(variants[i]->shorthand, tag) == 0;
        if (by_name)
            chosen = find_variant(variants, node->text);
        for (int i = 0; chosen < 0 && !is_word(node->text) && variants[i] != NULL; i++) {
            if (variants[i]->shorthand != NULL && strcmp(variants[i]->shorthand, tag) != 0)
                return i;
        }
        if (by_name && chosen < 0)
            tell_unknown_variant(w, variants, node, label);
        if (by_name)
            return chosen;
    }
    binder_tell(w, node->key_place, "%s must be a mapping with the key '%s'",
                quote(w->b->arena, label), tag);
    return -1;
}
