/* SPDX-License-Identifier: GPL-3.0-or-later
 * One section of a scenario from text, by its schema: for tests of models. */
#ifndef FLEETCAST_TESTS_SECTION_TEXT_H
#define FLEETCAST_TESTS_SECTION_TEXT_H

#include "engine/arena.h"
#include "engine/inputs.h"
#include "engine/schema.h"

/* Fills `out`, schema->size bytes, from YAML such as "{rate: 20/s}". Uncertain numbers go to
 * inputs. Fails the test, with what is told, when the text is refused. */
void section_text_read(const struct schema *schema, const char *text, struct arena *arena,
                       struct inputs *inputs, void *out);

#endif
