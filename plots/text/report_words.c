/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/text/report_words.h"

#include <assert.h>
#include <string.h>

const char *const report_language_names[] = {"en", "zh", NULL};

static const char *const words[REPORT_WORDS][REPORT_LANGUAGES] = {
#define ROW(id, en, zh) [WORD_##id] = {en, zh},
#include "plots/text/report_word_rows.h"
#undef ROW
};

const char *report_word(enum report_language language, enum report_word word)
{
    return words[word][language];
}

void report_say(struct text *out, enum report_language language, enum report_word word,
                const char *const *values)
{
    const char *s = words[word][language];
    size_t count = 0;

    while (values[count] != NULL)
        count++;
    while (*s != '\0') {
        if (s[0] == '{' && s[1] >= '1' && s[1] <= '9' && s[2] == '}') {
            size_t place = (size_t)(s[1] - '1');
            assert(place < count);
            text_add(out, values[place]);
            s += 3;
        } else {
            size_t length = 1 + strcspn(s + 1, "{");
            text_add_bytes(out, s, length);
            s += length;
        }
    }
}
