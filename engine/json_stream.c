/* SPDX-License-Identifier: GPL-3.0-or-later
 * yajl calls back, callers want to ask: each block's tokens are kept in a queue, and read from it.
 * A block gives at most as many tokens as it has bytes, so the queue is bounded too. */
#include "engine/json_stream.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <yajl/yajl_parse.h>

#define BLOCK_BYTES (32 * 1024)

struct queued {
    enum json_kind kind;
    size_t text; /* offset in the block's texts */
    int line;
};

struct json_stream {
    struct diagnostics *d;
    const char *name;
    FILE *file; /* NULL: from memory */
    const char *memory;
    size_t memory_left;
    unsigned char *block;
    size_t total;
    yajl_handle parser;

    struct queued *queue;
    size_t queued, capacity, next;
    char *texts;
    size_t text_used, text_capacity;

    const unsigned char *counting; /* the block being parsed … */
    size_t counted;                /* … and how many of its bytes `line` knows of */
    int line;
    int token_line;
    int depth;
    bool ended, failed;
    const char *fault; /* seen in a callback: why it stopped the parser */
};

static void fail(struct json_stream *s, enum diagnostic_kind kind, int line, const char *format,
                 ...) __attribute__((format(printf, 4, 5)));

static void fail(struct json_stream *s, enum diagnostic_kind kind, int line, const char *format,
                 ...)
{
    va_list args;
    va_start(args, format);
    diagnostics_addv(s->d, kind, (struct place){s->name, line, 0}, format, args);
    va_end(args);
    s->failed = true;
}

/* ---- what yajl calls ---- */

/* yajl knows how many bytes of the block it has read; lines are counted up to there. */
static void count_lines(struct json_stream *s, size_t until)
{
    while (s->counted < until) {
        const unsigned char *lf = memchr(s->counting + s->counted, '\n', until - s->counted);
        if (lf == NULL) {
            s->counted = until;
            return;
        }
        s->line++;
        s->counted = (size_t)(lf - s->counting) + 1;
    }
}

static bool room(struct json_stream *s, size_t length)
{
    if (s->queued == s->capacity) {
        size_t capacity = s->capacity * 2 + 256;
        struct queued *queue = realloc(s->queue, capacity * sizeof *queue);
        if (queue == NULL) {
            return false;
        }
        s->queue = queue;
        s->capacity = capacity;
    }
    if (s->text_capacity - s->text_used < length + 1) {
        size_t capacity = s->text_capacity * 2 + length + 1024;
        char *texts = realloc(s->texts, capacity);
        if (texts == NULL) {
            return false;
        }
        s->texts = texts;
        s->text_capacity = capacity;
    }
    return true;
}

static int put(struct json_stream *s, enum json_kind kind, const void *text, size_t length)
{
    if (length > JSON_STREAM_LONGEST) {
        s->fault = "a text above 1 MiB";
        return 0;
    }
    if (length > 0 && memchr(text, '\0', length) != NULL) {
        s->fault = "a NUL inside a text";
        return 0;
    }
    if (!room(s, length)) {
        s->fault = "out of memory";
        return 0;
    }
    count_lines(s, yajl_get_bytes_consumed(s->parser));
    s->queue[s->queued++] = (struct queued){kind, s->text_used, s->line};
    if (length > 0) {
        memcpy(s->texts + s->text_used, text, length);
    }
    s->text_used += length;
    s->texts[s->text_used++] = '\0';
    return 1;
}

static int open_nest(struct json_stream *s, enum json_kind kind)
{
    if (++s->depth > JSON_STREAM_DEPTH) {
        s->fault = "nested more than 64 deep";
        return 0;
    }
    return put(s, kind, NULL, 0);
}

static int close_nest(struct json_stream *s, enum json_kind kind)
{
    s->depth--;
    return put(s, kind, NULL, 0);
}

static int on_null(void *s)
{
    return put(s, JSON_STREAM_NULL, NULL, 0);
}

static int on_boolean(void *s, int value)
{
    return put(s, JSON_STREAM_BOOL, value ? "true" : "false", value ? 4 : 5);
}

static int on_number(void *s, const char *text, size_t length)
{
    return put(s, JSON_STREAM_NUMBER, text, length);
}

static int on_string(void *s, const unsigned char *text, size_t length)
{
    return put(s, JSON_STREAM_TEXT, text, length);
}

static int on_key(void *s, const unsigned char *text, size_t length)
{
    return put(s, JSON_STREAM_KEY, text, length);
}

static int on_object(void *s)
{
    return open_nest(s, JSON_STREAM_OBJECT);
}

static int on_object_end(void *s)
{
    return close_nest(s, JSON_STREAM_OBJECT_END);
}

static int on_array(void *s)
{
    return open_nest(s, JSON_STREAM_ARRAY);
}

static int on_array_end(void *s)
{
    return close_nest(s, JSON_STREAM_ARRAY_END);
}

static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_boolean,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_object,
    .yajl_map_key = on_key,
    .yajl_end_map = on_object_end,
    .yajl_start_array = on_array,
    .yajl_end_array = on_array_end,
};

/* ---- life ---- */

static struct json_stream *new_stream(const char *name, struct diagnostics *d)
{
    struct json_stream *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->d = d;
    s->name = name;
    s->line = 1;
    s->block = malloc(BLOCK_BYTES);
    s->parser = yajl_alloc(&callbacks, NULL, s);
    if (s->block == NULL || s->parser == NULL) {
        json_stream_close(s);
        return NULL;
    }
    return s;
}

struct json_stream *json_stream_open(const char *path, const char *shown_name,
                                     struct diagnostics *d)
{
    const char *name = shown_name == NULL ? path : shown_name;
    struct place where = {name, 0, 0};
    struct stat facts;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        diagnostics_add(d,
                        errno == EMFILE || errno == ENFILE || errno == ENOMEM ? DIAGNOSTIC_FAILURE
                                                                              : DIAGNOSTIC_ERROR,
                        where, "cannot be opened: %s", strerror(errno));
        return NULL;
    }
    if (fstat(fileno(file), &facts) == 0 && S_ISDIR(facts.st_mode)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, where, "is a folder; expected a JSON file");
        fclose(file);
        return NULL;
    }
    struct json_stream *s = new_stream(name, d);
    if (s == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, where, "out of memory while reading");
        fclose(file);
        return NULL;
    }
    s->file = file;
    return s;
}

struct json_stream *json_stream_open_values(const char *path, const char *shown_name,
                                            struct diagnostics *d)
{
    struct json_stream *s = json_stream_open(path, shown_name, d);
    if (s != NULL) {
        yajl_config(s->parser, yajl_allow_multiple_values, 1);
    }
    return s;
}

struct json_stream *json_stream_open_text(const char *text, size_t length, const char *shown_name,
                                          struct diagnostics *d)
{
    struct json_stream *s = new_stream(shown_name, d);
    if (s == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){shown_name, 0, 0},
                        "out of memory while reading");
        return NULL;
    }
    s->memory = text;
    s->memory_left = length;
    return s;
}

void json_stream_close(struct json_stream *s)
{
    if (s == NULL) {
        return;
    }
    if (s->file != NULL) {
        fclose(s->file);
    }
    if (s->parser != NULL) {
        yajl_free(s->parser);
    }
    free(s->block);
    free(s->queue);
    free(s->texts);
    free(s);
}

/* ---- reading ---- */

/* What yajl says, cut to its first line: the rest draws an arrow into the text. */
static void refuse_syntax(struct json_stream *s, const unsigned char *block, size_t length)
{
    count_lines(s, yajl_get_bytes_consumed(s->parser));
    if (s->fault != NULL) {
        fail(s, strcmp(s->fault, "out of memory") == 0 ? DIAGNOSTIC_FAILURE : DIAGNOSTIC_ERROR,
             s->line, "%s; expected JSON that can be read in steps", s->fault);
        return;
    }
    unsigned char *said = yajl_get_error(s->parser, 0, block, length);
    const char *text = said == NULL ? "parse error" : (const char *)said;
    size_t end = strcspn(text, "\n");
    fail(s, DIAGNOSTIC_ERROR, s->line, "this is no JSON: %.*s", (int)end, text);
    if (said != NULL) {
        yajl_free_error(s->parser, said);
    }
}

static void end_document(struct json_stream *s)
{
    s->counting = (const unsigned char *)"";
    s->counted = 0;
    if (s->total == 0) {
        fail(s, DIAGNOSTIC_ERROR, 0, "the file is empty; expected JSON");
    } else if (yajl_complete_parse(s->parser) != yajl_status_ok) {
        fail(s, DIAGNOSTIC_ERROR, s->line, "the file ends in the middle of its JSON; was it cut?");
    } else {
        s->ended = true;
    }
}

/* Fills the queue from one more block, or ends. */
static void refill(struct json_stream *s)
{
    s->queued = s->next = s->text_used = 0;
    const unsigned char *block = s->block;
    size_t length = 0;
    if (s->file != NULL) {
        length = fread(s->block, 1, BLOCK_BYTES, s->file);
        if (ferror(s->file)) {
            fail(s, DIAGNOSTIC_FAILURE, s->line, "cannot be read: %s", strerror(errno));
            return;
        }
    } else {
        length = s->memory_left < BLOCK_BYTES ? s->memory_left : BLOCK_BYTES;
        block = (const unsigned char *)s->memory;
        s->memory += length;
        s->memory_left -= length;
    }
    if (length == 0) {
        end_document(s);
        return;
    }
    /* Editors of some systems put a byte-order mark before the document. */
    if (s->total == 0 && length >= 3 && memcmp(block, "\xef\xbb\xbf", 3) == 0) {
        block += 3;
        length -= 3;
    }
    s->total += length;
    if (s->total > JSON_STREAM_MOST_BYTES) {
        fail(s, DIAGNOSTIC_ERROR, s->line, "the file is above 4 GiB, which is too much");
        return;
    }
    s->counting = block;
    s->counted = 0;
    if (yajl_parse(s->parser, block, length) != yajl_status_ok) {
        refuse_syntax(s, block, length);
        return;
    }
    count_lines(s, length);
}

struct json_token json_stream_next(struct json_stream *s)
{
    while (!s->failed && !s->ended && s->next == s->queued) {
        refill(s);
    }
    if (s->failed || s->next == s->queued) {
        return (struct json_token){s->failed ? JSON_STREAM_FAILED : JSON_STREAM_END, "", s->line};
    }
    const struct queued *q = &s->queue[s->next++];
    s->token_line = q->line;
    return (struct json_token){q->kind, s->texts + q->text, q->line};
}

bool json_stream_skip(struct json_stream *s, struct json_token first)
{
    int open = first.kind == JSON_STREAM_OBJECT || first.kind == JSON_STREAM_ARRAY ? 1 : 0;
    while (open > 0) {
        switch (json_stream_next(s).kind) {
        case JSON_STREAM_OBJECT:
        case JSON_STREAM_ARRAY:
            open++;
            break;
        case JSON_STREAM_OBJECT_END:
        case JSON_STREAM_ARRAY_END:
            open--;
            break;
        case JSON_STREAM_END:
        case JSON_STREAM_FAILED:
            return false;
        default:
            break;
        }
    }
    return first.kind != JSON_STREAM_FAILED;
}

struct place json_stream_place(const struct json_stream *s)
{
    return (struct place){s->name, s->token_line, 0};
}

void json_stream_refuse(struct json_stream *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diagnostics_addv(s->d, DIAGNOSTIC_ERROR, json_stream_place(s), format, args);
    va_end(args);
    s->failed = true;
}
