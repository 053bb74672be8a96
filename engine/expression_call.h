/* SPDX-License-Identifier: GPL-3.0-or-later
 * `family(arguments)`: which families there are, what their arguments mean, and taking the text
 * apart. Private to the expression files. */
#ifndef FLEETCAST_ENGINE_EXPRESSION_CALL_H
#define FLEETCAST_ENGINE_EXPRESSION_CALL_H

#include "engine/distribution.h"
#include "engine/expression_value.h"

enum argument_role {
    ARGUMENT_VALUE,    /* in the key's dimension */
    ARGUMENT_POSITIVE, /* the same, above zero */
    ARGUMENT_SPREAD,   /* the same, not negative */
    ARGUMENT_RATIO,    /* a bare number, not negative */
    ARGUMENT_SHAPE,    /* a bare number, above zero */
    ARGUMENT_WORD      /* text */
};

struct call_family {
    const char *name;
    enum distribution_family family;
    bool by_name; /* no positions: the order of the arguments has many conventions */
    struct {
        const char *name; /* NULL behind the last */
        enum argument_role role;
    } arguments[3];
    const char *shown; /* "normal(mean; sd)" */
};

struct call {
    const struct call_family *family;
    struct span arguments[3]; /* in the order of family->arguments */
};

/* Whether s looks like a call: a word and a parenthesis, or the bare name of a family. */
bool call_is(struct span s);
/* Takes it apart. False with a message. */
bool call_parse(struct span s, struct expression_context *c, struct call *out);

#endif
