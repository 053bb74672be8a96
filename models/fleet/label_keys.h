/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whose something is: an owner and tags, by which costs are split. They change no world. */
#ifndef FLEETCAST_MODELS_LABEL_KEYS_H
#define FLEETCAST_MODELS_LABEL_KEYS_H

#include "engine/schema.h"

#include <stdbool.h>
#include <stddef.h>

enum { TAGS_MAX = 16 };

/* `tags: {team: vision}` */
struct tag_spec {
    struct schema_item item; /* the tag */
    const char *value;
};
extern const struct schema tag_schema;

struct label_spec {
    const char *owner;       /* NULL: none stated */
    struct schema_list tags; /* struct tag_spec */
};

static inline bool labels_given(const struct label_spec *l)
{
    return l->owner != NULL || l->tags.count > 0;
}
/* The value of a tag, of the owner when tag is NULL; NULL: none stated. */
const char *label_value(const struct label_spec *l, const char *tag);

/* The two keys, for a schema whose struct has them at base (a struct label_spec). */
#define LABEL_KEY_OWNER(base, words)                                                               \
    {                                                                                              \
        .name = "owner", .kind = SCHEMA_TEXT, .low = 1, .high = 64,                                \
        .offset = (base) + offsetof(struct label_spec, owner), .help = words                       \
    }
#define LABEL_KEY_TAGS(base)                                                                       \
    {                                                                                              \
        .name = "tags", .kind = SCHEMA_MAP, .inner = &tag_schema, .low = 0, .high = TAGS_MAX,      \
        .offset = (base) + offsetof(struct label_spec, tags),                                      \
        .help = "Tags with their values, by each of which split.csv splits the cost: "             \
                "`{team: vision}`."                                                                \
    }

#endif
