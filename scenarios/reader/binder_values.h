/* SPDX-License-Identifier: GPL-3.0-or-later
 * One scalar of a scenario, turned into what its key wants. */
#ifndef FLEETCAST_SCENARIOS_BINDER_VALUES_H
#define FLEETCAST_SCENARIOS_BINDER_VALUES_H

#include "scenarios/reader/binder.h"

#include <stdbool.h>

struct binding {
    const struct binder *binder;
    const struct schema_key *key;
    const struct yaml_node *node;
    const char *path; /* of the key: names an uncertain number */
    bool is_default;  /* the text is the key's own default */
};

/* Fills the field of a TEXT, CHOICE, FLAG, INTEGER, QUANTITY, NUMBER, VARIATE or DATE key from a
 * text node. False with an error told. */
bool binder_scalar(const struct binding *b, void *field);
/* What the field holds when the key is absent and has no default. */
void binder_absent(const struct schema_key *key, void *field);

/* Tells an error at the node's place; "'KEY' …" is up to the format. Always false. */
bool binder_refuse(const struct binding *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "a duration such as 90s, 4min or 2h", "yes or no", "a mapping": what the key wants. */
const char *binder_wanted(const struct binder *b, const struct schema_key *key);
/* Characters of a text, and whether it has control characters. */
size_t binder_characters(const char *text, bool *has_control);

#endif
