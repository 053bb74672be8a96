/* SPDX-License-Identifier: GPL-3.0-or-later
 * The parts of an expression that hold one certain value, and the messages about ranges. Private to
 * the expression files. */
#ifndef FLEETCAST_ENGINE_EXPRESSION_VALUE_H
#define FLEETCAST_ENGINE_EXPRESSION_VALUE_H

#include "engine/expression.h"

/* A piece of the user's text, without spaces around it. */
struct span {
    const char *text;
    size_t length;
};
struct span span_trim(const char *text, size_t length);
/* A bounded copy for messages, cut between characters. Returns out. */
const char *span_quote(struct span s, char out[56]);

/* Writes the message; false always. */
bool expression_fail(struct expression_context *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Puts "argument 'sd' of normal: " before the message; false always. */
bool expression_blame(struct expression_context *c, const char *argument, const char *family);

/* One certain value of a dimension. Calendar months and foreign currencies are refused. */
bool expression_value(struct span s, struct expression_context *c, enum dimension dimension,
                      double *out);
/* True when s is a time (with a unit) and so, for a hazard, a mean time between events. */
bool expression_is_time(struct span s);

double expression_low(const struct expression_context *c); /* of key and dimension together */
/* Refuses a certain value outside the legal range; written is what the user wrote. */
bool expression_check_range(struct expression_context *c, double value, struct span written);
/* "60 s to 1 h", with the bounds that there are. Returns out. */
const char *expression_range_text(const struct expression_context *c, char out[120]);

#endif
