/* SPDX-License-Identifier: GPL-3.0-or-later
 * The grammar of a number in a scenario: a quantity, an interval `a..b`, or `family(arguments)`
 * with `,` or `;` between arguments; `empirical(file.csv, column)`. */
#ifndef FLEETCAST_ENGINE_EXPRESSION_H
#define FLEETCAST_ENGINE_EXPRESSION_H

#include "engine/arena.h"
#include "engine/inputs.h"
#include "engine/quantity.h"

#include <stdbool.h>
#include <stddef.h>

struct expression_context {
    struct arena *arena;       /* owns what the result points to */
    struct inputs *inputs;     /* uncertain numbers are registered here under `name` */
    const char *name;          /* path of the key */
    enum dimension dimension;
    double low, high;          /* legal range of the value, in inside units */
    const char *currency;      /* the scenario's; MONEY and PRICE in another are refused */
    const char *base_folder;   /* empirical files are relative to it */
    char *message;             /* what is wrong, for the user */
    size_t message_size;
    char *warning;             /* "3.1 % of the distribution lies outside …": "" when none */
    size_t warning_size;
};

/* A number: certain, or registered as an input. False with a message. */
bool expression_number(const char *text, struct expression_context *c, struct number *out);
/* A variate: its own distribution, whose arguments may themselves be intervals or distributions
 * (then registered as inputs named "<name>.<argument>"). False with a message. */
bool expression_variate(const char *text, struct expression_context *c, struct variate *out);

#endif
