/* SPDX-License-Identifier: GPL-3.0-or-later
 * The options of the program: one row each. Parsing, help, the manual page and shell completion
 * read the same table. */
#ifndef FLEETCAST_SCENARIOS_OPTIONS_H
#define FLEETCAST_SCENARIOS_OPTIONS_H

#include "scenarios/cli/verbs.h"

#include <stdbool.h>

enum option_id {
    OPTION_SET,
    OPTION_STRATEGY,
    OPTION_REPLICATIONS,
    OPTION_PRECISION,
    OPTION_SEED,
    OPTION_OUTPUT,
    OPTION_JOBS,
    OPTION_NO_CHARTS,
    OPTION_PRINT,
    OPTION_FORMAT,
    OPTION_QUIET,
    OPTION_REPLICATION,
    OPTION_FOCUS,
    OPTION_LIMIT,
    OPTION_REGION,
    OPTION_DATE,
    OPTION_SORT,
    OPTION_GPU_MEMORY,
    OPTION_GPUS,
    OPTION_DTYPE,
    OPTION_HISTORY,
    OPTION_LAYOUT,
    OPTION_ZONE,
    OPTION_INSTANCE,
    OPTION_SOURCE,
    OPTION_POLARITY,
    OPTION_TICK,
    OPTION_UNIT,
    OPTION_LENGTH,
    OPTION_PRODUCT,
    OPTION_COLUMNS,
    OPTION_FAIL_ON,
    OPTION_MARKDOWN,
    OPTION_WHERE,
    OPTION_LANG,
    OPTION_INPUT,
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_COUNT
};

/* What completion offers for an option's value. */
enum option_value { VALUE_NONE, VALUE_PLAIN, VALUE_FOLDER, VALUE_WORDS, VALUE_KEY };

struct option_row {
    const char *name;     /* "gpu-memory": --gpu-memory */
    char letter;          /* 0: none */
    const char *argument; /* "SIZE"; NULL: takes none */
    enum option_value value;
    const char *const *words; /* VALUE_WORDS: all that are legal, NULL-terminated */
    unsigned verbs;           /* bit 1 << VERB_…: which it belongs to */
    bool repeats;             /* may be given more than once; of others the last counts */
    const char *fallback;     /* the default, in words; NULL: none */
    const char *help;         /* one sentence, without a full stop */
};

extern const struct option_row option_table[OPTION_COUNT];
extern const char *const format_names[];        /* "table", "csv", "json", NULL */
extern const char *const report_format_names[]; /* of `report`: "html", "md", "pdf", "xlsx", NULL */

bool option_belongs(enum option_id option, const struct verb *verb);
/* What the option's value is chosen from, of this verb; NULL: it is free. */
const char *const *option_words(enum option_id option, const struct verb *verb);

#endif
