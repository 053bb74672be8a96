/* SPDX-License-Identifier: GPL-3.0-or-later
 * One of the two that `fleetcast diff` compares: a result directory, which is read, or a scenario
 * file, which is run. */
#ifndef FLEETCAST_SCENARIOS_DIFF_OPERAND_H
#define FLEETCAST_SCENARIOS_DIFF_OPERAND_H

#include "scenarios/cli/command.h"
#include "scenarios/decide/result_difference.h"
#include "scenarios/output/manifest.h"
#include "scenarios/output/run_basis.h"
#include "scenarios/reader/yaml_tree.h"
#include "scenarios/study/run.h"

#include <stdatomic.h>
#include <stdbool.h>

struct diff_operand {
    struct diff_side side;
    struct results past; /* of a directory */
    bool has[METRIC_COUNT];
    struct study *study; /* of a scenario; NULL: a directory */
    struct run run;
    struct run_basis basis; /* of diff_operand_find_basis */
    /* What the scenario states, files and settings together; NULL: the copies in a directory cannot
     * be read. */
    const struct yaml_node *tree;
};

/* Of `path`. sets: for a scenario, from the command line; a directory is what it is. Strategies are
 * those of --strategy, or all. False with the reason in the command's diagnostics. Release either
 * way. */
bool diff_operand_open(struct diff_operand *o, struct command *c, const char *path, bool with_sets);
/* Runs a scenario; of a directory nothing is to be done. */
bool diff_operand_run(struct diff_operand *o, struct command *c, atomic_bool *interrupted);
/* What it rests on; after it has run. False with the reason in the command's diagnostics. */
bool diff_operand_find_basis(struct diff_operand *o, struct command *c);
/* The limits of the scenario, of which a directory remembers whether they held: a warning for each
 * that does not hold or is not known to, of the strategies compared. *broken: whether there is one.
 * False when that cannot be read. */
bool diff_operand_tell_limits(const struct diff_operand *o, struct command *c, bool *broken);
void diff_operand_release(struct diff_operand *o);

#endif
