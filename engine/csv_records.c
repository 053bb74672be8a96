/* SPDX-License-Identifier: GPL-3.0-or-later
 * libcsv is a good parser with no notion of lines or limits, so it is fed one line at a time:
 *
 * - a piece ends behind the first CR, LF or CRLF, so that at most one record ends in it, and the
 *   line on which a record starts is known even behind blank lines and quoted line ends;
 * - libcsv cannot be stopped from its callbacks and its buffer has no limit, so each record is
 *   measured before its bytes are fed, and faults seen in a callback are kept for after the piece;
 * - it passes NUL bytes through and keeps a byte-order mark in the first name: both are caught
 * here.
 *
 * Line by line costs nothing: libcsv itself (about 250 MB/s) is the limit, not the memchr calls. */
#include "engine/csv_records.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES (64 * 1024)

void csv_records_stop(struct csv_records *r, enum diagnostic_kind kind, int line, int column,
                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diagnostics_addv(r->diagnostics, kind, (struct place){r->name, line, column}, format, args);
    va_end(args);
    r->failed = true;
    r->fields = 0;
}

static void stop_for_memory(struct csv_records *r)
{
    csv_records_stop(r, DIAGNOSTIC_FAILURE, r->line, 0, "out of memory while reading");
}

/* A file that is not there is the fault of who named it; a disk that fails is not. */
static enum diagnostic_kind kind_of_errno(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EISDIR || error == EACCES ||
                   error == ENAMETOOLONG || error == ELOOP
               ? DIAGNOSTIC_ERROR
               : DIAGNOSTIC_FAILURE;
}

static void on_field(void *field, size_t length, void *context)
{
    struct csv_records *r = context;
    if (r->fields == CSV_FIELD_LIMIT) {
        r->too_many_fields = true;
        return;
    }
    if (r->text_capacity - r->text_used < length + 1) {
        size_t capacity = r->text_capacity + r->text_capacity / 2 + length + 4096;
        char *text = realloc(r->text, capacity);
        if (text == NULL) {
            r->out_of_memory = true;
            return;
        }
        r->text = text;
        r->text_capacity = capacity;
    }
    r->starts[r->fields++] = (uint32_t)r->text_used;
    if (length > 0) {
        memcpy(r->text + r->text_used, field, length);
    }
    r->text_used += length;
    r->text[r->text_used++] = '\0';
}

static void on_record(int terminator, void *context)
{
    struct csv_records *r = context;
    (void)terminator;
    r->complete = true;
}

static void find_line_ends(struct csv_records *r)
{
    const char *lf = r->length > 0 ? memchr(r->data, '\n', r->length) : NULL;
    const char *cr = r->length > 0 ? memchr(r->data, '\r', r->length) : NULL;
    r->next_lf = lf == NULL ? r->length : (size_t)(lf - r->data);
    r->next_cr = cr == NULL ? r->length : (size_t)(cr - r->data);
}

/* Makes data[position .. length) non-empty unless the input is at its end. */
static void refill(struct csv_records *r)
{
    if (r->position < r->length || r->file == NULL) {
        return;
    }
    errno = 0;
    r->length = fread(r->block, 1, BLOCK_BYTES, r->file);
    r->position = 0;
    if (ferror(r->file)) {
        int error = errno != 0 ? errno : EIO;
        r->length = 0;
        csv_records_stop(r, kind_of_errno(error), 0, 0, "cannot read '%s': %s", r->name,
                         strerror(error));
    }
    find_line_ends(r);
}

/* The first `byte` at or behind position, `known` being the last answer: each byte of a block is
 * looked at once, whatever mixture of line ends the file holds. */
static size_t find_from(const struct csv_records *r, size_t known, char byte)
{
    if (known >= r->position) {
        return known;
    }
    const char *found = memchr(r->data + r->position, byte, r->length - r->position);
    return found == NULL ? r->length : (size_t)(found - r->data);
}

/* Length of the next piece of a line: up to and with its end, or what the block holds of it. */
static size_t piece_length(struct csv_records *r)
{
    r->next_lf = find_from(r, r->next_lf, '\n');
    r->next_cr = find_from(r, r->next_cr, '\r');
    size_t end = r->length;
    if (r->next_lf < r->length || r->next_cr < r->length) {
        end = (r->next_lf < r->next_cr ? r->next_lf : r->next_cr) + 1;
        if (r->next_lf < r->length && r->next_lf == r->next_cr + 1) {
            end = r->next_lf + 1;
        }
    }
    size_t piece = end - r->position;
    return piece < BLOCK_BYTES ? piece : BLOCK_BYTES;
}

static int code_points(const char *s, size_t length)
{
    int n = 0;
    for (size_t i = 0; i < length; i++) {
        n += ((unsigned char)s[i] & 0xC0) != 0x80;
    }
    return n;
}

static void count_lines(struct csv_records *r, const char *piece, size_t n)
{
    char last = piece[n - 1];
    if (last != '\n' && last != '\r') {
        r->column += code_points(piece, n);
        r->after_cr = false;
        return;
    }
    bool second_half = last == '\n' && n == 1 && r->after_cr;
    if (!second_half && r->line < INT_MAX) {
        r->line++;
    }
    r->column = 0;
    r->after_cr = last == '\r';
}

static void explain_parser_error(struct csv_records *r, const char *piece, size_t taken)
{
    if (csv_error(&r->parser) != CSV_EPARSE) {
        stop_for_memory(r);
        return;
    }
    int column = r->column + code_points(piece, taken) + 1;
    if (r->record_line != r->line) {
        csv_records_stop(
            r, DIAGNOSTIC_ERROR, r->line, column,
            "a quote inside a field, in the record that starts on line %d; expected quotes round "
            "the whole field, and quotes in it doubled",
            r->record_line);
    } else {
        csv_records_stop(
            r, DIAGNOSTIC_ERROR, r->line, column,
            "a quote inside a field; expected quotes round the whole field, and quotes in it "
            "doubled");
    }
}

static void feed_piece(struct csv_records *r)
{
    const char *piece = r->data + r->position;
    size_t n = piece_length(r);
    if (!r->in_record) {
        r->record_line = r->line;
        r->record_bytes = 0;
    }
    const char *nul = memchr(piece, '\0', n);
    if (nul != NULL) {
        csv_records_stop(r, DIAGNOSTIC_ERROR, r->line,
                         r->column + code_points(piece, (size_t)(nul - piece)) + 1,
                         "a NUL byte; expected text in UTF-8");
        return;
    }
    r->record_bytes += n;
    if (r->record_bytes > CSV_RECORD_LIMIT) {
        csv_records_stop(
            r, DIAGNOSTIC_ERROR, r->record_line, 0,
            "the record that starts here is longer than 1 MiB; is a closing quote missing?");
        return;
    }
    size_t taken = csv_parse(&r->parser, piece, n, on_field, on_record, r);
    if (taken < n) {
        explain_parser_error(r, piece, taken);
        return;
    }
    char last = piece[n - 1];
    r->in_record = !r->complete && (r->parser.quoted != 0 || (last != '\n' && last != '\r'));
    r->position += n;
    count_lines(r, piece, n);
}

static void finish_input(struct csv_records *r)
{
    r->ended = true;
    if (csv_fini(&r->parser, on_field, on_record, r) != 0) {
        if (csv_error(&r->parser) == CSV_EPARSE) {
            csv_records_stop(r, DIAGNOSTIC_ERROR, r->record_line, 0,
                             "unclosed quote in the record that starts here");
        } else {
            stop_for_memory(r);
        }
    }
}

int csv_records_next(struct csv_records *r)
{
    r->text_used = 0;
    r->fields = 0;
    r->complete = false;
    while (!r->failed && !r->complete) {
        if (r->ended) {
            return 0;
        }
        refill(r);
        if (r->failed) {
            break;
        }
        if (r->position < r->length) {
            feed_piece(r);
        } else {
            finish_input(r);
        }
        if (r->too_many_fields && !r->failed) {
            csv_records_stop(r, DIAGNOSTIC_ERROR, r->record_line, 0, "more than %d columns",
                             CSV_FIELD_LIMIT);
        } else if (r->out_of_memory && !r->failed) {
            stop_for_memory(r);
        }
    }
    if (r->failed) {
        r->fields = 0;
        return -1;
    }
    return 1;
}

/* The first block is there: its line ends are looked for, and a byte-order mark is skipped. */
static bool start(struct csv_records *r)
{
    find_line_ends(r);
    if (r->length >= 3 && memcmp(r->data, "\xEF\xBB\xBF", 3) == 0) {
        r->position = 3;
    }
    return !r->failed;
}

static void init(struct csv_records *r, const char *name, struct diagnostics *d)
{
    memset(r, 0, sizeof *r);
    r->diagnostics = d;
    r->name = name;
    r->line = 1;
    r->record_line = 1;
    csv_init(&r->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL);
    csv_set_blk_size(&r->parser, 16 * 1024); /* 128 bytes by default: many reallocs */
}

/* Opens a regular file or a folder, which reading refuses: a pipe or a device could keep the
 * program waiting for ever. NULL with the reason told. */
static FILE *open_regular(struct csv_records *r, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct stat s;
    FILE *file = NULL;

    if (fd >= 0 && fstat(fd, &s) == 0) {
        if (!S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode)) {
            close(fd);
            csv_records_stop(r, DIAGNOSTIC_ERROR, 0, 0,
                             "'%s' is a pipe or a device; a regular file is wanted", r->name);
            return NULL;
        }
        file = fdopen(fd, "rb");
    }
    if (file == NULL) {
        csv_records_stop(r, kind_of_errno(errno), 0, 0, "cannot open '%s': %s", r->name,
                         strerror(errno));
        if (fd >= 0) {
            close(fd);
        }
    }
    return file;
}

bool csv_records_init_file(struct csv_records *r, const char *path, const char *name,
                           struct diagnostics *d)
{
    init(r, name, d);
    r->file = open_regular(r, path);
    if (r->file == NULL) {
        return false;
    }
    setvbuf(r->file, NULL, _IONBF, 0); /* the block is the buffer */
    r->block = malloc(BLOCK_BYTES);
    if (r->block == NULL) {
        stop_for_memory(r);
        return false;
    }
    r->data = r->block;
    refill(r);
    return start(r);
}

bool csv_records_init_text(struct csv_records *r, const char *text, size_t length, const char *name,
                           struct diagnostics *d)
{
    init(r, name, d);
    r->data = text;
    r->length = length;
    return start(r);
}

void csv_records_release(struct csv_records *r)
{
    if (r->file != NULL) {
        fclose(r->file);
    }
    csv_free(&r->parser);
    free(r->block);
    free(r->text);
}
