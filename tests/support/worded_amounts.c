/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/worded_amounts.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) != 0;
}

static bool is_digit(char c)
{
    return isdigit((unsigned char)c) != 0;
}

static double scale_of(char letter)
{
    switch (letter) {
    case 'k':
    case 'K':
        return 1e3;
    case 'M':
        return 1e6;
    case 'B':
        return 1e9;
    case 'T':
        return 1e12;
    default:
        return 0;
    }
}

double amount_at(const char *text, bool *scaled)
{
    char *end;
    *scaled = false;
    text += strspn(text, "~ ");
    if (!is_digit(*text)) {
        return 0;
    }
    const double value = strtod(text, &end);
    const bool word_ends = end[0] == '\0' || (!is_letter(end[1]) && !is_digit(end[1]));
    const double scale = word_ends ? scale_of(end[0]) : 0;
    *scaled = scale > 0;
    return isfinite(value) ? value * (*scaled ? scale : 1) : 0;
}

double amount_after(const char *text, const char *word)
{
    bool scaled;
    for (const char *at = strcasestr(text, word); at != NULL; at = strcasestr(at + 1, word)) {
        const char *number = at + strlen(word);
        number += strspn(number, " =_:");
        const double value = amount_at(number, &scaled);
        if (value > 0 && (at == text || !is_letter(at[-1]))) {
            return value;
        }
    }
    return 0;
}

double amount_before(const char *text, const char *word)
{
    bool scaled;
    const char *at = strcasestr(text, word);
    if (at == NULL) {
        return 0;
    }
    while (at > text && at[-1] == ' ') {
        at--;
    }
    while (at > text && (is_letter(at[-1]) || is_digit(at[-1]) || at[-1] == '.')) {
        at--;
    }
    return amount_at(at, &scaled);
}

double amount_largest(const char *text)
{
    double most = 0;
    bool scaled;
    for (const char *at = text; *at != '\0'; at++) {
        const bool begins = at == text || !(is_digit(at[-1]) || is_letter(at[-1]) || at[-1] == '.');
        most = begins ? fmax(most, amount_at(at, &scaled)) : most;
    }
    return most;
}

double amount_of_steps(const char *text)
{
    bool scaled;
    const double steps = amount_at(text, &scaled);
    const char *number = text + strspn(text, "~ ");
    const char *word = number + strspn(number, "0123456789.kMB");
    word += strspn(word, " ");
    const bool counts = strncasecmp(word, "step", 4) == 0 || strncasecmp(word, "iter", 4) == 0;
    const char *times = counts ? strstr(word, " x ") : NULL;
    return times == NULL ? 0 : steps * amount_at(times + 3, &scaled);
}

double seconds_of_unit(const char *text)
{
    static const struct {
        const char *word;
        double seconds;
    } units[] = {{"ms", 1e-3},   {"s", 1},        {"sec", 1},          {"secs", 1},
                 {"second", 1},  {"seconds", 1},  {"min", 60},         {"mins", 60},
                 {"minute", 60}, {"minutes", 60}, {"h", 3600},         {"hr", 3600},
                 {"hrs", 3600},  {"hour", 3600},  {"hours", 3600},     {"d", 86400},
                 {"day", 86400}, {"days", 86400}, {"week", 7 * 86400}, {"weeks", 7 * 86400}};
    size_t length = 0;
    while (is_letter(text[length])) {
        length++;
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strlen(units[i].word) == length && strncasecmp(text, units[i].word, length) == 0) {
            return units[i].seconds;
        }
    }
    return 0;
}
