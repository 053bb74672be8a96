/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/text/terminal_line.h"

#include "engine/text.h"

#include <string.h>

bool terminal_line(const struct terminal_style *style, FILE *out, const char *text)
{
    static const struct terminal_column one = {"", false};
    const struct terminal_style unlimited = {0, style->ascii};
    struct terminal_table *line = terminal_table_new(&one, 1);
    bool ok;

    if (line == NULL)
        return false;
    terminal_table_set(line, terminal_table_add_row(line), 0, text);
    ok = terminal_table_write(line, &unlimited, out);
    terminal_table_free(line);
    return ok;
}

bool terminal_paragraph(const struct terminal_style *style, FILE *out, const char *text)
{
    enum { BROAD = 100 };
    const size_t width = style->width == 0 || style->width > BROAD ? BROAD : (size_t)style->width;
    const char *indent = "";
    struct text line;
    bool ok = true;

    text_init(&line, 8192);
    while (ok && *text != '\0') {
        size_t room = width - strlen(indent), length = strlen(text), cut = length;
        for (size_t i = 0; length > room && i < length && (i <= room || cut == length); i++) {
            if (text[i] == ' ')
                cut = i;
        }
        text_clear(&line);
        text_format(&line, "%s%.*s", indent, (int)cut, text);
        ok = terminal_line(style, out, line.data);
        text += cut + (text[cut] == ' ');
        indent = "    ";
    }
    text_release(&line);
    return ok;
}
