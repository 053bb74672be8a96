/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/text/label.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#define LABEL_LIMIT 8192

/* Invisible or reordering marks, and what XML 1.0 has no way to write. */
static bool hidden(uint32_t c)
{
    return c == 0x200b || c == 0x200e || c == 0x200f || c == 0x061c || c == 0xfeff || c == 0x2028 ||
           c == 0x2029 || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Emoji and rare scripts, which few machines have a font for. Where there is none, gnuplot's bitmap
 * terminal draws a letter as large as the page over the chart. */
static bool without_a_font(uint32_t c)
{
    return c >= 0x10000 || (c >= 0xe000 && c <= 0xf8ff);
}

void label_clean(struct text *out, const char *s)
{
    size_t length = strlen(s);

    for (size_t i = 0, n; i < length; i += n) {
        uint32_t c = 0;
        n = text_decode(s + i, length - i, &c);
        if (n == 0 || (c & 0xfffe) == 0xfffe) {
            text_add(out, "\xef\xbf\xbd");
            n = n == 0 ? 1 : n;
        } else if (c == '\n' || c == '\t' || c == '\r') {
            text_add(out, " ");
        } else if (without_a_font(c)) {
            text_add(out, "\xe2\x96\xa1");
        } else if (c >= 0x20 && !(c >= 0x7f && c < 0xa0) && !hidden(c)) {
            text_add_bytes(out, s + i, n);
        }
    }
}

static void quote(struct text *out, const char *s, bool tic)
{
    struct text clean;

    text_init(&clean, LABEL_LIMIT);
    label_clean(&clean, s);
    text_add(out, "'");
    for (size_t i = 0; i < clean.length; i++) {
        char c = clean.data[i];
        if (c == '\'') {
            text_add(out, "'.Q.'");
            continue;
        }
        if (tic && c == '%')
            text_add(out, "%");
        if (c == '>' && i >= 2 && clean.data[i - 1] == ']' && clean.data[i - 2] == ']')
            text_add(out, " ");
        text_add_bytes(out, &c, 1);
    }
    text_add(out, "'");
    text_release(&clean);
}

void label_quote(struct text *out, const char *s)
{
    quote(out, s, false);
}

void label_quote_tic(struct text *out, const char *s)
{
    quote(out, s, true);
}

/* Advance widths in 1/100 em of U+0020 to U+007E: the wider of Inter 4 and DejaVu Sans 2.37; bold
 * is 12 % broader (DejaVu Sans Bold). */
static const unsigned char ascii_width[95] = {
    32, 40, 46, 84, 64, 95, 78, 28, 40,  40, 50, 84, 32, 46, 32, 36, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 70, 69, 73, 77, 63, 60, 78, 76, 30, 58, 67, 58, 90, 76, 79,
    64, 79, 67, 65, 68, 75, 70, 99, 70,  68, 69, 40, 36, 40, 84, 50, 50, 62, 64, 58, 64, 62, 40, 64,
    64, 28, 28, 59, 28, 98, 64, 62, 64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 56, 64, 36, 64, 84};

static double code_point_width(uint32_t c, bool bold)
{
    double em;

    if (c >= 0x20 && c < 0x7f)
        em = ascii_width[c - 0x20] / 100.0;
    else if (c == 0xa0)
        em = ascii_width[0] / 100.0;
    else if (c == 0x2026)
        em = 1.0;
    else
        em = text_code_point_width(c) == 2 ? 1.0 : text_code_point_width(c) == 0 ? 0.0 : 0.68;
    return bold ? em * 1.12 : em;
}

double label_width(const char *s, bool bold)
{
    size_t length = strlen(s);
    double em = 0.0;

    for (size_t i = 0, n; i < length; i += n) {
        uint32_t c = 'n';
        n = text_decode(s + i, length - i, &c);
        n = n == 0 ? 1 : n;
        em += code_point_width(c, bold);
    }
    return em;
}

/* Bytes of the longest prefix of s[0..length) of at most max_em. */
static size_t prefix_within(const char *s, size_t length, double max_em, bool bold)
{
    size_t i = 0;
    double em = 0.0;

    while (i < length) {
        uint32_t c = 'n';
        size_t n = text_decode(s + i, length - i, &c);
        n = n == 0 ? 1 : n;
        em += code_point_width(c, bold);
        if (em > max_em)
            break;
        i += n;
    }
    return i;
}

/* Where the longest suffix of at most max_em begins. */
static size_t suffix_within(const char *s, size_t length, double max_em, bool bold)
{
    double rest = label_width(s, bold);
    size_t i = 0;

    while (i < length && rest > max_em) {
        uint32_t c = 'n';
        size_t n = text_decode(s + i, length - i, &c);
        n = n == 0 ? 1 : n;
        rest -= code_point_width(c, bold);
        i += n;
    }
    /* Marks belong to the character before them. */
    while (i < length) {
        uint32_t c = 'n';
        size_t n = text_decode(s + i, length - i, &c);
        if (n == 0 || text_code_point_width(c) != 0)
            break;
        i += n;
    }
    return i;
}

void label_shorten(struct text *out, const char *s, double max_em, bool bold)
{
    size_t length = strlen(s), head, tail;
    double room = max_em - code_point_width(0x2026, bold);

    if (label_width(s, bold) <= max_em) {
        text_add(out, s);
        return;
    }
    if (room <= 0.0)
        room = 0.0;
    head = prefix_within(s, length, 0.55 * room, bold);
    tail = suffix_within(s, length, 0.45 * room, bold);
    text_add_bytes(out, s, head);
    text_add(out, "\xe2\x80\xa6");
    if (tail > head)
        text_add(out, s + tail);
}

/* The space of "EUR 2,410". */
static bool is_behind_code(const char *s, size_t length, size_t i)
{
    return i >= 3 && i + 1 < length && isdigit((unsigned char)s[i + 1]) &&
           isupper((unsigned char)s[i - 1]) && isupper((unsigned char)s[i - 2]) &&
           isupper((unsigned char)s[i - 3]);
}

/* 、。」』】，．！）：；？”: no line begins with one. */
static bool closes(uint32_t c)
{
    return (c >= 0x3001 && c <= 0x3002) || c == 0x300d || c == 0x300f || c == 0x3011 ||
           c == 0xff0c || c == 0xff0e || c == 0xff01 || c == 0xff09 || c == 0xff1a || c == 0xff1b ||
           c == 0xff1f || c == 0x201d;
}

/* The best place to end the first line: at most `fit` bytes; 0 when there is none. The end of a
 * clause is the best, a number is not parted from what it counts ("5 days", "95 of 100"). */
static size_t break_before(const char *s, size_t length, size_t fit)
{
    size_t clause = 0, space = 0, poor = 0, mark = 0, wide = 0;

    for (size_t i = 0, n; i <= fit && i < length; i += n) {
        uint32_t c = 'n';
        n = text_decode(s + i, length - i, &c);
        n = n == 0 ? 1 : n;
        if (c == ' ' && i > 0) {
            if (strchr(",;:", s[i - 1]) != NULL)
                clause = i;
            if ((s[i - 1] >= '0' && s[i - 1] <= '9') || is_behind_code(s, length, i))
                poor = i;
            else
                space = i;
        } else if (c < 0x80 && strchr("-_/+,.", (int)c) != NULL && i + n <= fit &&
                   strncmp(s + i + n, "\xc2\xa0", 2) != 0) {
            mark = i + n;
        } else if (text_code_point_width(c) == 2 && i > 0 && s[i - 1] != ' ' && !closes(c)) {
            wide = i;
        }
    }
    /* Where every character may end a line, the few spaces are not better places. */
    if (wide > space && wide > clause && 4 * wide >= 3 * fit)
        return wide;
    if (3 * clause >= 2 * fit)
        return clause;
    if (space > 0 && 3 * space >= fit)
        return space;
    if (poor > 0 && 3 * poor >= fit)
        return poor;
    if (mark > 0 && 3 * mark >= fit)
        return mark;
    return wide > 0 ? wide : fit;
}

bool label_wrap(struct text *first, struct text *second, const char *s, double max_em, bool bold)
{
    size_t length = strlen(s), fit, cut;

    text_clear(second);
    if (label_width(s, bold) <= max_em) {
        text_add(first, s);
        return true;
    }
    fit = prefix_within(s, length, max_em, bold);
    cut = break_before(s, length, fit);
    if (cut == 0) {
        label_shorten(first, s, max_em, bold);
        return false;
    }
    text_add_bytes(first, s, cut);
    while (s[cut] == ' ')
        cut++;
    label_shorten(second, s + cut, max_em, bold);
    return label_width(s + cut, bold) <= max_em;
}
