/* SPDX-License-Identifier: GPL-3.0-or-later
 * The verbs of the program: one row each, one file each (cmd_NAME.c). Dispatch, help, the manual
 * page and shell completion read the same table. */
#ifndef FLEETCAST_SCENARIOS_VERBS_H
#define FLEETCAST_SCENARIOS_VERBS_H

#include <stdbool.h>
#include <stddef.h>

enum verb_id {
    VERB_CHECK,
    VERB_RUN,
    VERB_OPTIMIZE,
    VERB_SHOW,
    VERB_EXPLAIN,
    VERB_EXPORT,
    VERB_IMPORT,
    VERB_CALIBRATE,
    VERB_PLOT,
    VERB_DIFF,
    VERB_ACTUALS,
    VERB_COMMIT,
    VERB_REPORT,
    VERB_HELP,
    VERB_VERSION,
    VERB_COMPLETION,
    VERB_SWEEP,
    VERB_THRESHOLDS,
    VERB_COUNT
};

/* Exit codes of the program; what diagnostics decide (1, 2, 4) is diagnostics_exit_code. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_LIMIT = 3,
    EXIT_INFEASIBLE = 4,
    EXIT_UNFINISHED = 5,
    EXIT_INTERRUPTED = 130
};

/* A row of the help: a code or a command, and what it means or does. */
struct help_row {
    const char *term, *meaning;
};
extern const struct help_row exit_code_rows[]; /* ends with a NULL term */

struct command;

#define VERB_EXAMPLES_MAX 5

struct verb {
    const char *name;
    const char *operands; /* "SCENARIO..." */
    size_t least, most;   /* number of operands */
    /* Words that the first operand is chosen from, NULL-terminated; NULL: it is free. */
    const char *const *words;
    const char *summary;                             /* one line, no full stop */
    const char *text;                                /* paragraphs, separated by blank lines */
    struct help_row examples[VERB_EXAMPLES_MAX + 1]; /* ends with a NULL term */
    /* Does it all; what is wrong goes to the command's diagnostics. Returns an exit code, which
     * counts when the diagnostics hold no failure. */
    int (*run)(struct command *c);
};

extern const struct verb verb_table[VERB_COUNT];

const struct verb *verb_find(const char *name); /* or NULL */
const char *verb_suggest(const char *name);     /* or NULL */

extern const char *const show_topics[]; /* NULL-terminated, as all below */
extern const char *const help_topics[]; /* beside the verbs */
extern const char *const completion_shells[];

int cmd_check(struct command *c);
int cmd_run(struct command *c);
int cmd_show(struct command *c);
int cmd_explain(struct command *c);
int cmd_export(struct command *c);
int cmd_import(struct command *c);
int cmd_calibrate(struct command *c);
int cmd_plot(struct command *c);
int cmd_diff(struct command *c);
int cmd_actuals(struct command *c);
int cmd_commit(struct command *c);
int cmd_report(struct command *c);
int cmd_help(struct command *c);
int cmd_version(struct command *c);
int cmd_completion(struct command *c);
int cmd_optimize(struct command *c);
int cmd_sweep(struct command *c);
int cmd_thresholds(struct command *c);

#endif
