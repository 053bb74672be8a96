/* SPDX-License-Identifier: GPL-3.0-or-later
 * Every word of a report, in each of its languages: one row of report_word_rows.h each. A row may
 * have places {1} to {9}, which report_say fills; both languages have the same ones, which a test
 * looks at. What a scenario or a result table says in words of its own (names, assumptions) is not
 * translated. */
#ifndef FLEETCAST_PLOTS_REPORT_WORDS_H
#define FLEETCAST_PLOTS_REPORT_WORDS_H

#include "engine/text.h"

#include <stdbool.h>

enum report_language { REPORT_EN, REPORT_ZH, REPORT_LANGUAGES };

enum report_word {
#define ROW(id, en, zh) WORD_##id,
#include "plots/text/report_word_rows.h"
#undef ROW
    REPORT_WORDS
};

/* "en", "zh", NULL: by enum report_language. */
extern const char *const report_language_names[];

const char *report_word(enum report_language language, enum report_word word);
/* Adds the row with its places filled; values: as many as it has places, ended by NULL, borrowed.
 * They are put in as they are. */
void report_say(struct text *out, enum report_language language, enum report_word word,
                const char *const *values);
#define REPORT_SAY(out, language, word, ...)                                                       \
    report_say(out, language, word, (const char *const[]){__VA_ARGS__, NULL})

#endif
