/* SPDX-License-Identifier: GPL-3.0-or-later
 * Declared keys. Each model exports one `struct schema` per section it understands; the scenario
 * reader fills the C struct by offset, and `--set`, "did you mean", the key tables of the manual
 * and shell completion come from the same rows. No key is known anywhere else. */
#ifndef FLEETCAST_ENGINE_SCHEMA_H
#define FLEETCAST_ENGINE_SCHEMA_H

#include "engine/diagnostics.h"
#include "engine/inputs.h"
#include "engine/quantity.h"
#include "engine/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum schema_kind {
    SCHEMA_TEXT,     /* const char *                                                    */
    SCHEMA_CHOICE,   /* int: index into `choices`                                       */
    SCHEMA_FLAG,     /* bool: yes, no (true, false)                                     */
    SCHEMA_INTEGER,  /* int64_t in [low, high]; suffixes k M B                          */
    SCHEMA_QUANTITY, /* struct quantity: certain, with unit (`horizon`, `deadline`)     */
    SCHEMA_NUMBER,   /* struct number: may be uncertain; `choices` = words such as auto */
    SCHEMA_VARIATE,  /* struct variate: drawn anew at each use                          */
    SCHEMA_DATE,     /* struct schema_date                                              */
    SCHEMA_SECTION,  /* the inner struct, in place; `inner` says its keys               */
    SCHEMA_MAP,      /* struct schema_list: names chosen by the user -> inner sections; with
                        `variants` instead of `inner`: items are struct schema_variant_item     */
    SCHEMA_LIST,     /* struct schema_list: a YAML list of inner sections               */
    SCHEMA_TEXTS,    /* struct schema_list of const char *: a YAML list of text         */
    SCHEMA_VARIANT,  /* struct schema_variant: one of `variants`, chosen by its `tag` key */
    SCHEMA_ANY       /* const struct yaml_node *: whatever was written, as it was written; whoever
                        knows what it means reads it. Absent: NULL                          */
};

struct schema_date {
    int64_t unix_s;
    bool given;
};

/* What each item of a map or list begins with: every inner struct of a MAP, LIST or VARIANT must
 * have `struct schema_item item` as its first member. */
struct schema_item {
    const char *name;   /* the user's name (MAP) or NULL */
    struct place place; /* of the name or of the item, for later errors */
};

struct schema_variant {
    int index;    /* into variants; -1 when absent */
    void *params; /* inner->size bytes, in the arena; NULL when absent */
};

/* A MAP whose key has `variants` in place of `inner` (workloads: each of some kind). */
struct schema_variant_item {
    struct schema_item item;
    struct schema_variant variant;
};

struct schema_list {
    void *items; /* count × inner->size, in the scenario's arena */
    size_t count;
};

struct schema_key {
    const char *name;
    enum schema_kind kind;
    enum dimension dimension;   /* QUANTITY, NUMBER, VARIATE */
    double low, high;           /* legal range in inside units; both 0 = any (see schema_low). TEXT:
                                   of its length in characters; MAP, LIST, TEXTS: of the number of
                                   items */
    const char *const *choices; /* NULL-terminated: CHOICE, or words of a NUMBER */
    const char *default_text;   /* as a user would write it; NULL: absent stays zeroed (numbers:
                                   certain 0, given = false; CHOICE and VARIANT: -1). An absent
                                   SECTION without one is read as an empty mapping, so that the
                                   defaults of its keys hold */
    bool required;
    bool list_or_one;                     /* LIST, TEXTS: a single item without [] is accepted */
    const struct schema *inner;           /* SECTION, MAP, LIST */
    const struct schema *const *variants; /* VARIANT (or MAP): NULL-terminated; each schema's `name`
                                             is the tag's value */
    bool either_currency; /* NUMBER of MONEY: may be stated in the report's currency too */
    size_t offset;        /* of the field in the struct of this schema */
    size_t given_offset;  /* of a bool that tells whether the user wrote the key; 0: none */
    size_t place_offset;  /* of a struct place where the user wrote the value, for errors that are
                             found later; zeroed without the key. 0, the first field: none */
    const char *whole;    /* INTEGER: why it is one, told beside a fraction; NULL: that is plain */
    const char *help;     /* one sentence, for the manual */
};

struct schema {
    const char *name;      /* "training": what the section is called in the manual */
    const char *tag;       /* VARIANT tables: the key that chooses ("kind", "name"); every
                              variant's table carries the same */
    const char *shorthand; /* a scalar in place of the mapping sets this key; NULL: none */
    bool ordered;          /* a YAML list in place of the mapping gives the keys in their order:
                              `[a, b, 0.6]` */
    const struct schema_key *keys;
    size_t key_count;
    size_t size; /* of the C struct */
    const char *help;
};

#define SCHEMA_KEYS(array) .keys = (array), .key_count = sizeof(array) / sizeof((array)[0])

const struct schema_key *schema_find(const struct schema *s, const char *name);
/* Nearest known name, or NULL. */
const char *schema_suggest(const struct schema *s, const char *name);
double schema_low(const struct schema_key *k); /* -infinity when low == high == 0 */
double schema_high(const struct schema_key *k);
const char *schema_kind_text(const struct schema_key *k); /* "number", "variate", "duration" … */

/* The first key, depth first through sections, lists and variants, whose number was stated as
 * uncertain; NULL: there is none. `data` is a struct of this schema that was read. */
const struct schema_key *schema_first_uncertain(const struct schema *s, const void *data);

/* One Markdown table per section, depth first, each section once: the key tables of
 * docs/scenario.md. */
void schema_write_markdown(const struct schema *root, struct text *out);
/* Every dotted path with `NAME` for user-chosen names, one a line: for completion and --set. */
void schema_write_paths(const struct schema *root, struct text *out);

#endif
