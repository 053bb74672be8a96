/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/charts/svg_polish.h"

#include <string.h>

static void add_escaped(struct text *out, const char *s)
{
    for (; *s != '\0'; s++) {
        if (*s == '<')
            text_add(out, "&lt;");
        else if (*s == '&')
            text_add(out, "&amp;");
        else if (*s == '>')
            text_add(out, "&gt;");
        else
            text_add_bytes(out, s, 1);
    }
}

bool svg_polish(struct text *out, const char *svg, size_t length, const char *title)
{
    static const char open[] = "<title>", close[] = "</title>", end[] = "</svg>";
    const char *p = svg, *stop = svg + length;
    bool first = true;

    if (memmem(svg, length, end, sizeof end - 1) == NULL)
        return false;
    /* Text of the user's cannot look like a tag: gnuplot writes its < as &lt;. */
    for (;;) {
        const char *from = memmem(p, (size_t)(stop - p), open, sizeof open - 1), *to;
        if (from == NULL)
            break;
        to = memmem(from, (size_t)(stop - from), close, sizeof close - 1);
        if (to == NULL)
            break;
        text_add_bytes(out, p, (size_t)(from - p));
        if (first) {
            text_add(out, open);
            add_escaped(out, title);
            text_add(out, close);
        }
        first = false;
        p = to + sizeof close - 1;
    }
    text_add_bytes(out, p, (size_t)(stop - p));
    return !out->overflow;
}
