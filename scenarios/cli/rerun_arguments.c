/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/rerun_arguments.h"

#include "engine/file.h"
#include "scenarios/output/rerun.h"

bool rerun_arguments(struct command *c, const char *folder, const struct manifest *m,
                     struct arguments *out)
{
    size_t count;
    char **words = rerun_words(c->arena, m->rerun, &count);
    if (words == NULL) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "'%s' does not say how it was run: its manifest has no command under "
                         "'rerun'; name its scenario instead",
                         folder);
        return false;
    }
    if (!arguments_parse(out, c->arena, (int)count, words, c->d)) {
        return false;
    }
    const char **paths = arena_array(c->arena, out->operand_count + 1, sizeof *paths);
    for (size_t i = 0; paths != NULL && i < out->operand_count; i++) {
        paths[i] = file_join(c->arena, folder, out->operands[i]);
    }
    if (paths == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return false;
    }
    out->operands = paths;
    return true;
}
