/* SPDX-License-Identifier: GPL-3.0-or-later
 * The bytes of a YAML file, checked before libyaml sees them. libyaml counts NEL, LS and PS as line
 * ends where editors do not, gives no place for bytes it cannot decode, and takes quadratic time
 * over many `%` directives: all of these are refused here, so that lines and columns mean the same
 * everywhere. */
#ifndef FLEETCAST_SCENARIOS_YAML_TEXT_H
#define FLEETCAST_SCENARIOS_YAML_TEXT_H

#include "engine/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>

struct yaml_source {
    const char *file; /* as in every place; must outlive tree and diagnostics */
    const char *text; /* NUL-terminated */
    size_t length;
    bool without_lines; /* a command-line value: places have line 0 */
};

/* Drops a byte-order mark and turns CR LF and CR into LF, in place; *length shrinks, the NUL behind
 * moves along. */
void yaml_text_normalise(char *text, size_t *length);

/* False, with the first fault told in d, when a normalised text is not UTF-8, holds a character
 * that YAML forbids, or a line that begins with `%`. */
bool yaml_text_check(const struct yaml_source *source, struct diagnostics *d);

#endif
