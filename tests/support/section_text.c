/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/section_text.h"

#include "engine/diagnostics.h"
#include "scenarios/reader/binder.h"
#include "tests/support/testing.h"
#include "tests/support/yaml_round.h"

#include <string.h>

void section_text_read(const struct schema *schema, const char *text, struct arena *arena,
                       struct inputs *inputs, void *out)
{
    struct diagnostics *d = diagnostics_new();
    struct binder b = {.arena = arena, .inputs = inputs, .d = d, .currency = "USD", .folder = "."};
    memset(out, 0, schema->size);
    if (!binder_fill(&b, schema, yaml_of_text(arena, d, "test.yaml", text), out)) {
        diagnostics_write(d, stdout);
        fail_msg("refused: %s", text);
    }
    diagnostics_free(d);
}
