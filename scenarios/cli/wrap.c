/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/wrap.h"

#include "engine/text.h"

#include <string.h>

/* Columns of the first `length` bytes. */
static int columns_of(const char *text, size_t length)
{
    int columns = 0;
    for (size_t i = 0; i < length;) {
        uint32_t c;
        size_t bytes = text_decode(text + i, length - i, &c);
        columns += bytes == 0 ? 1 : text_code_point_width(c);
        i += bytes == 0 ? 1 : bytes;
    }
    return columns;
}

void wrap_print(FILE *out, const char *text, int column, int indent, int width)
{
    while (*text != '\0') {
        if (*text == '\n') {
            text += strspn(text, "\n");
            fprintf(out, "\n\n%*s", indent, "");
            column = indent;
            continue;
        }
        size_t spaces = strspn(text, " ");
        size_t length = spaces + strcspn(text + spaces, " \n");
        int columns = columns_of(text, length);
        if (column > indent && column + columns > width) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            text += spaces;
            length -= spaces;
            columns -= (int)spaces;
        }
        fprintf(out, "%.*s", (int)length, text);
        column += columns;
        text += length;
    }
    fputc('\n', out);
}
