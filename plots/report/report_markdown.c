/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_markdown.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

struct markdown {
    FILE *out;
    const char *charts;
    struct text text; /* escaped */
    bool failed;
};

/* Whether a mark at the beginning of a line would begin a list, underline a heading or draw a rule.
 */
static bool begins_block(const char *s)
{
    return s[1] == ' ' || s[1] == '\0' || s[1] == s[0];
}

static size_t escape_start(struct text *out, const char *s)
{
    size_t digits = strspn(s, "0123456789");

    if ((s[0] == '-' || s[0] == '+' || s[0] == '=') && begins_block(s)) {
        text_format(out, "\\%c", s[0]);
        return 1;
    }
    if (digits > 0 && (s[digits] == '.' || s[digits] == ')') &&
        (s[digits + 1] == ' ' || s[digits + 1] == '\0')) {
        text_add_bytes(out, s, digits);
        text_format(out, "\\%c", s[digits]);
        return digits + 1;
    }
    return 0;
}

/* Escaped by a backslash, or as an entity where GitHub makes a link of the bare text. */
void report_markdown_escape(struct text *out, const char *s)
{
    size_t i = escape_start(out, s);

    for (; s[i] != '\0'; i++) {
        char c = s[i];
        if (c == '&')
            text_add(out, "&amp;");
        else if (c == '<')
            text_add(out, "&lt;");
        else if (c == '>')
            text_add(out, "&gt;");
        else if (c == '@')
            text_add(out, "&#64;");
        else if (c == '#')
            text_add(out, "&#35;");
        else if (c == ':' && s[i + 1] == '/')
            text_add(out, "&#58;");
        else if (c == '.' && i >= 3 && strncasecmp(s + i - 3, "www", 3) == 0)
            text_add(out, "&#46;");
        else if (strchr("\\`*_[]|~$", c) != NULL)
            text_format(out, "\\%c", c);
        else
            text_add_bytes(out, &c, 1);
    }
}

static void put(struct markdown *m, const char *s)
{
    m->failed = fputs(s, m->out) == EOF || m->failed;
}

static void put_text(struct markdown *m, const char *before, const char *s, const char *after)
{
    text_clear(&m->text);
    report_markdown_escape(&m->text, s);
    m->failed = m->failed || m->text.overflow;
    put(m, before);
    put(m, m->text.data);
    put(m, after);
}

static void put_tiles(struct markdown *m, const struct report_block *b)
{
    put(m, "| | | |\n|---|---|---|\n");
    for (size_t row = 0; row < b->rows; row++) {
        const struct report_cell *c = &b->cells[row * b->columns];
        put_text(m, "| ", c[0].text, " ");
        put_text(m, "| **", c[1].text, "** ");
        put_text(m, "| ", c[2].text, " |\n");
    }
    put(m, "\n");
}

static void put_grid(struct markdown *m, const struct report_block *b)
{
    for (size_t i = 0; i < b->columns; i++)
        put_text(m, "| ", b->head[i], " ");
    put(m, "|\n");
    for (size_t i = 0; i < b->columns; i++)
        put(m, b->right[i] ? "|---:" : "|---");
    put(m, "|\n");
    for (size_t row = 0; row < b->rows; row++) {
        for (size_t i = 0; i < b->columns; i++)
            put_text(m, "| ", b->cells[row * b->columns + i].text, " ");
        put(m, "|\n");
    }
    put(m, "\n");
}

/* A link's target between < and >: spaces may stand in it, but neither of those nor a line's end.
 */
static void put_chart(struct markdown *m, const struct report_block *b)
{
    put_text(m, "![", b->text, "](<");
    for (const char *c = m->charts; *c != '\0'; c++) {
        char escaped[8] = {*c, '\0'};
        if (*c == '<' || *c == '>' || *c == '\\' || *c == '%' || iscntrl((unsigned char)*c))
            snprintf(escaped, sizeof escaped, "%%%02X", (unsigned)(unsigned char)*c);
        put(m, escaped);
    }
    put(m, "/");
    put(m, b->chart);
    put(m, ".svg>)\n\n");
    put_text(m, "", b->text, "\n\n");
}

static void put_block(struct markdown *m, const struct report_block *b)
{
    switch (b->kind) {
    case REPORT_HEADING:
        put_text(m, "## ", b->text, "\n\n");
        break;
    case REPORT_LEAD:
        put_text(m, "**", b->text, "**\n\n");
        break;
    case REPORT_TEXT:
    case REPORT_NOTE:
        put_text(m, "", b->text, "\n\n");
        break;
    case REPORT_ITEM:
        put_text(m, "- ", b->text, b->next == NULL || b->next->kind != REPORT_ITEM ? "\n\n" : "\n");
        break;
    case REPORT_TILES:
        put_tiles(m, b);
        break;
    case REPORT_GRID:
        put_grid(m, b);
        break;
    case REPORT_CHART:
        put_chart(m, b);
        break;
    case REPORT_BREAK:
        break;
    }
}

bool report_markdown_write(const struct report_document *r, const char *charts, FILE *out)
{
    struct markdown m = {.out = out, .charts = charts};

    text_init(&m.text, 0);
    put(&m, "<!-- fleetcast report -->\n");
    put_text(&m, "# ", r->title, "\n\n");
    put_text(&m, "", r->subtitle, "\n\n");
    for (const struct report_block *b = r->first; b != NULL; b = b->next)
        put_block(&m, b);
    if (m.failed && m.text.overflow)
        errno = ENOMEM;
    text_release(&m.text);
    return !m.failed;
}
