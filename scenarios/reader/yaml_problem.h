/* SPDX-License-Identifier: GPL-3.0-or-later
 * libyaml's one syntax error, as a sentence that says what to do about it. */
#ifndef FLEETCAST_SCENARIOS_YAML_PROBLEM_H
#define FLEETCAST_SCENARIOS_YAML_PROBLEM_H

#include "engine/diagnostics.h"
#include "scenarios/reader/yaml_text.h"

#include <yaml.h>

struct place yaml_place(const struct yaml_source *source, yaml_mark_t mark);

/* Tells why the parser stopped, in d. */
void yaml_problem_tell(const yaml_parser_t *parser, const struct yaml_source *source,
                       struct diagnostics *d);

#endif
