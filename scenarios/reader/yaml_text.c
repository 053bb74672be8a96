/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/yaml_text.h"

#include "engine/text.h"

#include <stdint.h>
#include <string.h>

void yaml_text_normalise(char *text, size_t *length)
{
    size_t in = 0, out = 0;

    if (*length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        in = 3;
    while (in < *length) {
        char c = text[in++];
        if (c == '\r') {
            if (in < *length && text[in] == '\n')
                in++;
            c = '\n';
        }
        text[out++] = c;
    }
    text[out] = '\0';
    *length = out;
}

/* Characters that YAML 1.1 forbids (5.1, c-printable), and the line ends that only it knows. */
static bool is_forbidden(uint32_t c)
{
    if (c < 0x20)
        return c != '\t' && c != '\n';
    return (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff || c == 0xfffe ||
           c == 0xffff;
}

static bool looks_like_utf16(const char *text, size_t length)
{
    const unsigned char *b = (const unsigned char *)text;

    return length >= 2 && ((b[0] == 0xff && b[1] == 0xfe) || (b[0] == 0xfe && b[1] == 0xff));
}

static void refuse_character(uint32_t c, struct place where, struct diagnostics *d)
{
    if (c == 0)
        diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                        "a NUL byte is not allowed; a scenario is a text file");
    else
        diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                        "the character U+%04X is not allowed; remove it", (unsigned)c);
}

bool yaml_text_check(const struct yaml_source *s, struct diagnostics *d)
{
    const struct place whole = {s->file, 0, 0};
    struct place at = {s->file, 1, 1};

    if (looks_like_utf16(s->text, s->length)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, whole, "the file is UTF-16; save it as UTF-8");
        return false;
    }
    for (size_t i = 0; i < s->length;) {
        const struct place where = s->without_lines ? whole : at;
        uint32_t c = 0;
        size_t bytes = text_decode(s->text + i, s->length - i, &c);
        if (bytes == 0) {
            diagnostics_add(d, DIAGNOSTIC_ERROR, where, "the byte 0x%02X is not UTF-8",
                            (unsigned)(unsigned char)s->text[i]);
            return false;
        }
        if (is_forbidden(c)) {
            refuse_character(c, where, d);
            return false;
        }
        if (c == '%' && at.column == 1) {
            diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                            "a line cannot begin with '%%'; YAML directives are not supported");
            return false;
        }
        i += bytes;
        at.column = c == '\n' ? 1 : at.column + 1;
        at.line += c == '\n';
    }
    return true;
}
