/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_wrap.h"

#include "plots/text/label.h"

#include <stdint.h>
#include <string.h>

static bool is_wide(uint32_t c)
{
    return text_code_point_width(c) == 2;
}

/* Marks that may not begin a line. */
static bool closes(uint32_t c)
{
    static const uint32_t marks[] = {0x3001, 0x3002, 0xff0c, 0xff1a, 0xff1b, 0xff09,
                                     0xff01, 0xff1f, 0x201d, 0x300d, 0x300b, ')',
                                     ',',    '.',    ';',    ':',    '%',    0x2019};

    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (marks[i] == c)
            return true;
    }
    return false;
}

/* Whether a line may end between two characters. */
static bool is_alphanumeric(uint32_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c > 0x7f;
}

/* earlier: what stands before `before`. A minus stays with its number, a hyphen ends a line. */
static bool may_break(uint32_t earlier, uint32_t before, uint32_t after)
{
    if (closes(after) || before == 0xff08 || before == 0x201c)
        return false;
    if (before == '-' && !is_alphanumeric(earlier))
        return false;
    return before == ' ' || before == '-' || before == '/' || is_wide(before) || is_wide(after);
}

bool report_wrap_next(struct report_wrap *w, struct text *line)
{
    size_t length, at = 0, last = 0;
    uint32_t earlier = 0, before = 0;
    double width = 0.0;

    text_clear(line);
    w->rest += strspn(w->rest, " ");
    length = strlen(w->rest);
    if (length == 0)
        return false;
    while (at < length) {
        uint32_t c = 0;
        size_t n = text_decode(w->rest + at, length - at, &c);
        char one[8] = "";
        n = n == 0 ? 1 : n;
        if (at > 0 && may_break(earlier, before, c))
            last = at;
        memcpy(one, w->rest + at, n);
        width += label_width(one, w->bold);
        if (width > w->max_em && c != ' ' && at > 0)
            break;
        at += n;
        earlier = before;
        before = c;
    }
    if (at < length && last > 0)
        at = last;
    text_add_bytes(line, w->rest, at);
    w->rest += at;
    return true;
}

size_t report_wrap_count(const char *s, double max_em, bool bold)
{
    struct report_wrap w = {s, max_em, bold};
    struct text line;
    size_t count = 0;

    text_init(&line, 0);
    while (report_wrap_next(&w, &line))
        count++;
    text_release(&line);
    return count == 0 ? 1 : count;
}
