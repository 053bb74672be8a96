/* SPDX-License-Identifier: GPL-3.0-or-later
 * Times and numbers as files of others write them. */
#ifndef FLEETCAST_SCENARIOS_IMPORT_TIME_H
#define FLEETCAST_SCENARIOS_IMPORT_TIME_H

#include "scenarios/import/importer.h"

#include <stdbool.h>
#include <stdint.h>

/* "2022-10-26T22:05:04.000Z", "2023-02-28T23:59:57+00:00", "2019-03-25 12:22:36.614-07:00": a date,
 * a time to the second at least, and UTC or an offset, which must be there: a local time is not
 * known. Microseconds since 1970. False on anything else; *us is then untouched. */
bool import_instant(const char *text, int64_t *us);
/* True when nothing can have been observed then: a day after the request's clock. */
bool import_is_future(const struct import_request *r, int64_t us);
/* All of the text as a finite decimal number in the C locale; no hexadecimal. */
bool import_number(const char *text, double *out);
/* All of the text as digits, at most `most`. */
bool import_whole(const char *text, int64_t most, int64_t *out);
/* True when the text can head a column: words, and none that stand for a number that is missing. */
bool import_names_a_column(const char *text);
/* True when one of the words, which ends at NULL, stands in the text, in letters of any case. */
bool import_holds_a_word(const char *text, const char *const *words);

#endif
