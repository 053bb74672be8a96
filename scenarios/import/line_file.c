/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/import/line_file.h"

#include "engine/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool line_file_open(struct line_file *f, const char *path, struct diagnostics *d)
{
    *f = (struct line_file){.path = path, .d = d, .failed = true};
    struct place where = {path, 0, 0};
    struct stat facts;
    f->file = fopen(path, "rb");
    if (f->file == NULL) {
        diagnostics_add(d,
                        errno == EMFILE || errno == ENFILE || errno == ENOMEM ? DIAGNOSTIC_FAILURE
                                                                              : DIAGNOSTIC_ERROR,
                        where, "cannot be opened: %s", strerror(errno));
        return false;
    }
    if (fstat(fileno(f->file), &facts) == 0 && S_ISDIR(facts.st_mode)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, where, "is a folder; expected a file");
        return false;
    }
    f->capacity = LINE_FILE_LONGEST + 2;
    f->buffer = malloc(f->capacity);
    if (f->buffer == NULL) {
        return line_file_no_memory(f);
    }
    f->failed = false;
    return true;
}

void line_file_close(struct line_file *f)
{
    if (f->file != NULL) {
        fclose(f->file);
    }
    free(f->buffer);
    *f = (struct line_file){.failed = true};
}

bool line_file_refuse(struct line_file *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diagnostics_addv(f->d, DIAGNOSTIC_ERROR, (struct place){f->path, f->line, 0}, format, args);
    va_end(args);
    f->failed = true;
    return false;
}

bool line_file_no_memory(struct line_file *f)
{
    diagnostics_add(f->d, DIAGNOSTIC_FAILURE, (struct place){f->path, f->line, 0},
                    "out of memory while reading");
    f->failed = true;
    return false;
}

/* Bytes up to a line feed or the end; SIZE_MAX when there are none. */
static size_t read_line(struct line_file *f)
{
    size_t length = 0;
    int byte;
    while ((byte = getc_unlocked(f->file)) != EOF && byte != '\n') {
        if (length == LINE_FILE_LONGEST) {
            f->line++;
            line_file_refuse(f, "the line is above %d bytes; expected a text file",
                             LINE_FILE_LONGEST);
            return SIZE_MAX;
        }
        f->buffer[length++] = (char)byte;
    }
    if (byte == EOF && ferror(f->file)) {
        diagnostics_add(f->d, DIAGNOSTIC_FAILURE, (struct place){f->path, f->line, 0},
                        "cannot be read: %s", strerror(errno));
        f->failed = true;
        return SIZE_MAX;
    }
    if (byte == EOF && length == 0) {
        return SIZE_MAX;
    }
    f->line++;
    f->unended = byte == EOF;
    return length;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* In place; the text begins where it returns. */
static char *trim(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && is_space(text[length - 1])) {
        text[--length] = '\0';
    }
    return text + strspn(text, " \t\r");
}

bool line_file_next(struct line_file *f)
{
    while (!f->failed) {
        size_t length = read_line(f);
        if (length == SIZE_MAX) {
            return false;
        }
        f->buffer[length] = '\0';
        if (memchr(f->buffer, '\0', length) != NULL || !text_is_utf8(f->buffer, length)) {
            return line_file_refuse(f, "there are bytes here that are no text; expected UTF-8");
        }
        bool mark = f->line == 1 && strncmp(f->buffer, "\xef\xbb\xbf", 3) == 0;
        f->text = trim(f->buffer + (mark ? 3 : 0));
        if (f->text[0] != '\0') {
            return true;
        }
    }
    return false;
}

size_t line_file_split(struct line_file *f, char separator, char **fields, size_t most)
{
    size_t count = 0;
    char *at = f->text;
    while (at != NULL) {
        char *end = strchr(at, separator);
        if (end != NULL) {
            *end++ = '\0';
        }
        if (count < most) {
            fields[count] = trim(at);
        }
        count++;
        at = end;
    }
    return count;
}
