/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/yaml_tree.h"

#include "engine/text.h"
#include "scenarios/reader/quote.h"
#include "scenarios/reader/yaml_problem.h"

#include <stdlib.h>
#include <string.h>

/* ---- nodes ---------------------------------------------------------------------------------- */

void yaml_tree_append(struct yaml_node *parent, struct yaml_node *child)
{
    child->next = NULL;
    child->previous = parent->last;
    if (parent->last == NULL)
        parent->first = child;
    else
        parent->last->next = child;
    parent->last = child;
    parent->count++;
}

void yaml_tree_remove(struct yaml_node *parent, struct yaml_node *child)
{
    if (child->previous == NULL)
        parent->first = child->next;
    else
        child->previous->next = child->next;
    if (child->next == NULL)
        parent->last = child->previous;
    else
        child->next->previous = child->previous;
    parent->count--;
}

void yaml_tree_overwrite(struct yaml_node *old, const struct yaml_node *value)
{
    const struct yaml_node was = *old;

    *old = *value;
    old->previous = was.previous;
    old->next = was.next;
    old->key = was.key;
    if (was.key != NULL && value->key == NULL)
        old->key_place = value->place;
}

struct yaml_node *yaml_tree_find(const struct yaml_node *map, const char *key)
{
    for (struct yaml_node *n = map->first; map->kind == YAML_MAP && n != NULL; n = n->next) {
        if (strcmp(n->key, key) == 0)
            return n;
    }
    return NULL;
}

static int compare_nodes(const void *a, const void *b)
{
    const struct yaml_node *x = *(struct yaml_node *const *)a, *y = *(struct yaml_node *const *)b;
    int order = strcmp(x->key, y->key);

    if (order == 0)
        order = (x->key_place.line > y->key_place.line) - (x->key_place.line < y->key_place.line);
    if (order == 0)
        order = (x->key_place.column > y->key_place.column) -
                (x->key_place.column < y->key_place.column);
    return order;
}

struct yaml_node **yaml_tree_sorted(const struct yaml_node *map)
{
    struct yaml_node **sorted =
        map->count == 0 ? NULL : calloc(map->count, sizeof(struct yaml_node *));
    size_t i = 0;

    if (sorted == NULL)
        return NULL;
    for (struct yaml_node *n = map->first; n != NULL; n = n->next)
        sorted[i++] = n;
    qsort(sorted, map->count, sizeof(struct yaml_node *), compare_nodes);
    return sorted;
}

struct yaml_node *yaml_tree_search(struct yaml_node *const *sorted, size_t count, const char *key)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(sorted[middle]->key, key);
        if (order == 0)
            return sorted[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

bool yaml_tree_is_written_null(const struct yaml_node *n)
{
    return n->kind == YAML_TEXT && n->plain &&
           (strcmp(n->text, "~") == 0 || strcmp(n->text, "null") == 0);
}

bool yaml_tree_is_null(const struct yaml_node *n)
{
    return yaml_tree_is_written_null(n) || (n->kind == YAML_TEXT && n->plain && n->text[0] == '\0');
}

static struct yaml_node *make_node(struct arena *a, enum yaml_kind kind, struct place place)
{
    struct yaml_node *n = arena_alloc(a, sizeof(*n));

    if (n != NULL) {
        n->kind = kind;
        n->place = n->key_place = place;
    }
    return n;
}

struct yaml_node *yaml_tree_text(struct arena *a, const char *text, struct place place)
{
    struct yaml_node *n = make_node(a, YAML_TEXT, place);

    if (n != NULL) {
        n->plain = true;
        n->text = text;
    }
    return n;
}

struct yaml_node *yaml_tree_map(struct arena *a, struct place place)
{
    return make_node(a, YAML_MAP, place);
}

enum { MOST_PIECES = 8 }; /* into which commas may have cut a value; see join_split_values */

/* ---- reading -------------------------------------------------------------------------------- */

struct frame {
    struct yaml_node *node;
    bool flow;    /* written with {} or [] */
    bool has_key; /* of a MAP: a key waits for its value */
    const char *key;
    struct place key_place;
};

struct builder {
    const struct yaml_source *source;
    struct arena *arena;
    struct diagnostics *d;
    struct yaml_node *root;
    struct frame frames[YAML_TREE_MAX_DEPTH];
    size_t depth;
    size_t nodes;
    size_t documents;
};

static bool refuse(struct builder *b, yaml_mark_t mark, const char *text)
{
    diagnostics_add(b->d, DIAGNOSTIC_ERROR, yaml_place(b->source, mark), "%s", text);
    return false;
}

static bool out_of_memory(struct builder *b)
{
    diagnostics_add(b->d, DIAGNOSTIC_FAILURE, (struct place){b->source->file, 0, 0},
                    "out of memory");
    return false;
}

/* Text of a scalar event in the arena. */
static const char *take_text(struct builder *b, const yaml_event_t *e)
{
    const char *text = (const char *)e->data.scalar.value;
    size_t length = e->data.scalar.length;

    if (memchr(text, '\0', length) != NULL) {
        refuse(b, e->start_mark, "a NUL character is not allowed");
        return NULL;
    }
    if (length > YAML_TREE_MAX_SCALAR) {
        diagnostics_add(b->d, DIAGNOSTIC_ERROR, yaml_place(b->source, e->start_mark),
                        "a value of %zu bytes; at most %d are allowed", length,
                        YAML_TREE_MAX_SCALAR);
        return NULL;
    }
    text = arena_copy(b->arena, text, length);
    if (text == NULL)
        out_of_memory(b);
    return text;
}

/* Hangs a new node where the parser is: as the root, in a list, or under the waiting key. */
static bool add_node(struct builder *b, struct yaml_node *n)
{
    struct frame *top = b->depth == 0 ? NULL : &b->frames[b->depth - 1];

    if (n == NULL)
        return out_of_memory(b);
    if (++b->nodes > YAML_TREE_MAX_NODES) {
        diagnostics_add(b->d, DIAGNOSTIC_ERROR, n->place,
                        "more than %d values and keys in one file", YAML_TREE_MAX_NODES);
        return false;
    }
    if (top == NULL) {
        b->root = n;
        return true;
    }
    if (top->node->kind == YAML_MAP) {
        n->key = top->key;
        n->key_place = top->key_place;
        top->has_key = false;
    }
    yaml_tree_append(top->node, n);
    return true;
}

static bool waits_for_key(const struct builder *b)
{
    return b->depth > 0 && b->frames[b->depth - 1].node->kind == YAML_MAP &&
           !b->frames[b->depth - 1].has_key;
}

/* Anchors and tags are told; the value is read on without them. */
static void refuse_decorations(struct builder *b, const yaml_event_t *e, const yaml_char_t *anchor,
                               const yaml_char_t *tag)
{
    if (anchor != NULL)
        refuse(b, e->start_mark,
               "anchors are not supported; put text that begins with '&' in quotes");
    if (tag != NULL)
        refuse(b, e->start_mark, "tags are not supported; put text that begins with '!' in quotes");
}

static bool take_key(struct builder *b, const yaml_event_t *e)
{
    struct frame *top = &b->frames[b->depth - 1];

    if (e->data.scalar.length == 0)
        return refuse(b, e->start_mark, "a key is empty");
    if (e->data.scalar.length > YAML_TREE_MAX_KEY) {
        diagnostics_add(b->d, DIAGNOSTIC_ERROR, yaml_place(b->source, e->start_mark),
                        "a key of %zu bytes; at most %d are allowed", e->data.scalar.length,
                        YAML_TREE_MAX_KEY);
        return false;
    }
    if (++b->nodes > YAML_TREE_MAX_NODES) {
        diagnostics_add(b->d, DIAGNOSTIC_ERROR, yaml_place(b->source, e->start_mark),
                        "more than %d values and keys in one file", YAML_TREE_MAX_NODES);
        return false;
    }
    top->key = take_text(b, e);
    top->key_place = yaml_place(b->source, e->start_mark);
    top->has_key = true;
    return top->key != NULL;
}

static bool take_scalar(struct builder *b, const yaml_event_t *e)
{
    struct yaml_node *n;
    const char *text;

    refuse_decorations(b, e, e->data.scalar.anchor, e->data.scalar.tag);
    if (waits_for_key(b))
        return take_key(b, e);
    text = take_text(b, e);
    if (text == NULL)
        return false;
    n = yaml_tree_text(b->arena, text, yaml_place(b->source, e->start_mark));
    if (n != NULL) {
        n->plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
        n->broken = e->data.scalar.anchor != NULL || e->data.scalar.tag != NULL;
    }
    return add_node(b, n);
}

static bool take_alias(struct builder *b, const yaml_event_t *e)
{
    struct yaml_node *n;

    refuse(b, e->start_mark, "aliases are not supported; put text that begins with '*' in quotes");
    if (waits_for_key(b))
        return false;
    n = yaml_tree_text(b->arena, "", yaml_place(b->source, e->start_mark));
    if (n != NULL)
        n->broken = true;
    return add_node(b, n);
}

static bool open_node(struct builder *b, const yaml_event_t *e, enum yaml_kind kind, bool flow)
{
    struct yaml_node *n;

    if (waits_for_key(b))
        return refuse(
            b, e->start_mark,
            "a key must be text, not a mapping or a list; put text that begins with '{' or "
            "'[' in quotes");
    if (b->depth == YAML_TREE_MAX_DEPTH) {
        diagnostics_add(b->d, DIAGNOSTIC_ERROR, yaml_place(b->source, e->start_mark),
                        "nested more than %d deep", YAML_TREE_MAX_DEPTH);
        return false;
    }
    n = make_node(b->arena, kind, yaml_place(b->source, e->start_mark));
    if (!add_node(b, n))
        return false;
    b->frames[b->depth++] = (struct frame){.node = n, .flow = flow};
    return true;
}

/* ---- a finished mapping or list ------------------------------------------------------------- */

/* How many parentheses the text leaves open. */
static int open_parentheses(const char *text)
{
    int open = 0;

    for (; *text != '\0'; text++)
        open += (*text == '(') - (*text == ')');
    return open;
}

/* What YAML made of the rest of `uniform(60s, 120s)` inside {} or []: a key without value, or a
 * further item. */
static const char *rest_text(const struct yaml_node *parent, const struct yaml_node *n)
{
    if (n->kind != YAML_TEXT || !n->plain)
        return NULL;
    if (parent->kind == YAML_LIST)
        return n->text;
    return n->text[0] == '\0' ? n->key : NULL;
}

/* The sibling that closes the parenthesis left open in n, the whole text put together in *whole;
 * NULL when there is none near. */
static struct yaml_node *find_closing(const struct yaml_node *parent, const struct yaml_node *n,
                                      struct text *whole)
{
    int open = n->kind == YAML_TEXT && n->plain ? open_parentheses(n->text) : 0;
    struct yaml_node *r = n->next;

    if (open <= 0)
        return NULL;
    text_clear(whole);
    text_add(whole, n->text);
    for (int pieces = 0; r != NULL && pieces < MOST_PIECES; r = r->next, pieces++) {
        const char *rest = rest_text(parent, r);
        if (rest == NULL)
            return NULL;
        text_format(whole, "; %s", rest);
        open += open_parentheses(rest);
        if (open <= 0)
            return r;
    }
    return NULL;
}

/* Inside {} and [] YAML ends a value at a comma. A value left with an open parenthesis that a later
 * piece closes is told as one error, and its pieces are taken away. */
static void join_split_values(struct builder *b, struct yaml_node *parent)
{
    struct text whole;

    text_init(&whole, 0);
    for (struct yaml_node *n = parent->first; n != NULL; n = n->next) {
        struct yaml_node *last = find_closing(parent, n, &whole);
        if (last == NULL)
            continue;
        diagnostics_add(b->d, DIAGNOSTIC_ERROR, n->place,
                        "unclosed parenthesis: inside %s a comma ends the value; write %s",
                        parent->kind == YAML_MAP ? "{}" : "[]", quote(b->arena, whole.data));
        n->broken = true;
        while (n->next != last)
            yaml_tree_remove(parent, n->next);
        yaml_tree_remove(parent, last);
    }
    text_release(&whole);
}

static bool refuse_duplicates(struct builder *b, struct yaml_node *map)
{
    struct yaml_node **sorted;
    const size_t count = map->count;
    const struct yaml_node *kept;

    if (count < 2)
        return true;
    sorted = yaml_tree_sorted(map);
    if (sorted == NULL)
        return out_of_memory(b);
    kept = sorted[0];
    for (size_t i = 1; i < count; i++) {
        if (strcmp(sorted[i]->key, kept->key) != 0) {
            kept = sorted[i];
            continue;
        }
        diagnostics_add(b->d, DIAGNOSTIC_ERROR, sorted[i]->key_place, "duplicate key %s",
                        quote(b->arena, sorted[i]->key));
        diagnostics_add(b->d, DIAGNOSTIC_NOTE, kept->key_place, "it is given here already");
        yaml_tree_remove(map, sorted[i]);
    }
    free(sorted);
    return true;
}

static bool close_node(struct builder *b)
{
    struct frame *top = &b->frames[--b->depth];

    if (top->flow)
        join_split_values(b, top->node);
    return top->node->kind != YAML_MAP || refuse_duplicates(b, top->node);
}

/* ---- the loop ------------------------------------------------------------------------------- */

static bool take_event(struct builder *b, const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++b->documents > 1)
            return refuse(b, e->start_mark,
                          "a second document begins here; a scenario is one document a file");
        return true;
    case YAML_ALIAS_EVENT:
        return take_alias(b, e);
    case YAML_SCALAR_EVENT:
        return take_scalar(b, e);
    case YAML_SEQUENCE_START_EVENT:
        refuse_decorations(b, e, e->data.sequence_start.anchor, e->data.sequence_start.tag);
        return open_node(b, e, YAML_LIST, e->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE);
    case YAML_MAPPING_START_EVENT:
        refuse_decorations(b, e, e->data.mapping_start.anchor, e->data.mapping_start.tag);
        return open_node(b, e, YAML_MAP, e->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_node(b);
    default:
        return true;
    }
}

struct yaml_node *yaml_tree_read(const struct yaml_source *source, struct arena *a,
                                 struct diagnostics *d)
{
    struct builder b = {.source = source, .arena = a, .d = d};
    yaml_parser_t parser;
    bool good = true, end = false;

    if (!yaml_parser_initialize(&parser)) {
        out_of_memory(&b);
        return NULL;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)source->text, source->length);
    while (good && !end) {
        yaml_event_t e;
        if (!yaml_parser_parse(&parser, &e)) {
            yaml_problem_tell(&parser, source, d);
            good = false;
            break;
        }
        good = take_event(&b, &e);
        end = e.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&e);
    }
    yaml_parser_delete(&parser);
    if (!good)
        return NULL;
    if (b.root == NULL)
        b.root = yaml_tree_text(a, "", (struct place){source->file, 0, 0});
    if (b.root == NULL)
        out_of_memory(&b);
    return b.root;
}
