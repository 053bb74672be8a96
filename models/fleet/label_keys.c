/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/label_keys.h"

#include <string.h>

static const struct schema_key tag_keys[] = {
    {.name = "value",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .required = true,
     .offset = offsetof(struct tag_spec, value),
     .help = "Value of the tag."},
};

const struct schema tag_schema = {
    .name = "tags",
    .shorthand = "value",
    SCHEMA_KEYS(tag_keys),
    .size = sizeof(struct tag_spec),
    .help = "A tag and its value: `team: vision`.",
};

const char *label_value(const struct label_spec *l, const char *tag)
{
    const struct tag_spec *tags = l->tags.items;
    if (tag == NULL) {
        return l->owner;
    }
    for (size_t i = 0; i < l->tags.count; i++) {
        if (strcmp(tags[i].item.name, tag) == 0) {
            return tags[i].value;
        }
    }
    return NULL;
}
