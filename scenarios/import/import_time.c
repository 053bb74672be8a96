/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/import/import_time.h"

#include "engine/civil_time.h"
#include "engine/money.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The fraction's digits behind the point, those beyond the sixth cut off; NULL without any. */
static const char *read_fraction(const char *at, int64_t *us)
{
    int64_t unit = MICROSECONDS / 10;
    const char *begin = at;
    for (; is_digit(*at); at++) {
        *us += (*at - '0') * unit;
        unit /= 10;
    }
    return at == begin ? NULL : at;
}

/* "Z", "+00:00", "-0700": seconds east of UTC, to the text's end. */
static bool read_offset(const char *at, int64_t *offset_s)
{
    if (strcmp(at, "Z") == 0 || strcmp(at, "z") == 0) {
        *offset_s = 0;
        return true;
    }
    if ((*at != '+' && *at != '-') || !is_digit(at[1]) || !is_digit(at[2])) {
        return false;
    }
    const char *minutes = at[3] == ':' ? at + 4 : at + 3;
    if (!is_digit(minutes[0]) || !is_digit(minutes[1]) || minutes[2] != '\0') {
        return false;
    }
    int64_t h = (at[1] - '0') * 10 + at[2] - '0', min = (minutes[0] - '0') * 10 + minutes[1] - '0';
    *offset_s = (h * 60 + min) * 60 * (*at == '-' ? -1 : 1);
    return h <= 14 && min < 60;
}

bool import_instant(const char *text, int64_t *us)
{
    enum { SECONDS_LENGTH = 19 }; /* of 2022-10-26T22:05:04 */
    char local[SECONDS_LENGTH + 2];
    int64_t unix_s, fraction_us = 0, offset_s;
    if (strnlen(text, SECONDS_LENGTH) < SECONDS_LENGTH || (text[10] != 'T' && text[10] != ' ')) {
        return false;
    }
    memcpy(local, text, SECONDS_LENGTH);
    local[10] = 'T';
    local[SECONDS_LENGTH] = 'Z';
    local[SECONDS_LENGTH + 1] = '\0';
    if (!civil_parse(local, &unix_s)) {
        return false;
    }
    const char *at = text + SECONDS_LENGTH;
    if (*at == '.' && (at = read_fraction(at + 1, &fraction_us)) == NULL) {
        return false;
    }
    if (!read_offset(at, &offset_s)) {
        return false;
    }
    *us = (unix_s - offset_s) * MICROSECONDS + fraction_us;
    return true;
}

bool import_is_future(const struct import_request *r, int64_t us)
{
    return r->now_us != 0 && us > r->now_us + 24 * HOUR_US;
}

bool import_number(const char *text, double *out)
{
    char *end;
    if (text[0] == '\0' || strspn(text, "+-.0123456789eE") != strlen(text)) {
        return false;
    }
    double value = strtod(text, &end);
    if (*end != '\0' || !isfinite(value)) {
        return false;
    }
    *out = value;
    return true;
}

bool import_whole(const char *text, int64_t most, int64_t *out)
{
    int64_t value = 0;
    if (text[0] == '\0') {
        return false;
    }
    for (; *text != '\0'; text++) {
        if (!is_digit(*text) || value > (most - (*text - '0')) / 10) {
            return false;
        }
        value = value * 10 + (*text - '0');
    }
    *out = value;
    return true;
}

bool import_names_a_column(const char *text)
{
    size_t letters = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_ ()");
    return text[0] != '\0' && text[letters] == '\0' && strcasecmp(text, "nan") != 0 &&
           strcasecmp(text, "inf") != 0 && strcasecmp(text, "null") != 0 &&
           strcasecmp(text, "none") != 0;
}

bool import_holds_a_word(const char *text, const char *const *words)
{
    for (; *words != NULL; words++) {
        size_t length = strlen(*words);
        for (const char *at = text; strlen(at) >= length; at++) {
            if (strncasecmp(at, *words, length) == 0) {
                return true;
            }
        }
    }
    return false;
}
