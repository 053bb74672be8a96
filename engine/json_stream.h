/* SPDX-License-Identifier: GPL-3.0-or-later
 * JSON in, through yajl, token by token: memory does not grow with the file, only with its longest
 * string. A byte-order mark before the document is skipped. For exports of hundreds of megabytes;
 * small documents are easier with jansson. */
#ifndef FLEETCAST_ENGINE_JSON_STREAM_H
#define FLEETCAST_ENGINE_JSON_STREAM_H

#include "engine/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>

#define JSON_STREAM_DEPTH      64            /* deepest nesting */
#define JSON_STREAM_LONGEST    (1024 * 1024) /* bytes of one string or number */
#define JSON_STREAM_MOST_BYTES ((size_t)4 << 30)

enum json_kind {
    JSON_STREAM_END, /* of the document */
    JSON_STREAM_FAILED,
    JSON_STREAM_OBJECT,
    JSON_STREAM_OBJECT_END,
    JSON_STREAM_ARRAY,
    JSON_STREAM_ARRAY_END,
    JSON_STREAM_KEY,
    JSON_STREAM_TEXT,
    JSON_STREAM_NUMBER, /* text: as it was written */
    JSON_STREAM_BOOL,   /* text: "true" or "false" */
    JSON_STREAM_NULL
};

struct json_token {
    enum json_kind kind;
    const char *text; /* NUL-terminated, without NUL inside; valid until the next call. "" where a
                         token has none */
    int line;
};

struct json_stream;

/* shown_name as in csv_open: what messages call the file; NULL: path. Errors go to d: what is not
 * there is an ERROR, a disk that fails a FAILURE. NULL on failure. */
struct json_stream *json_stream_open(const char *path, const char *shown_name,
                                     struct diagnostics *d);
/* Likewise, of one value after the other, as files with one to a line have them (JSON lines). */
struct json_stream *json_stream_open_values(const char *path, const char *shown_name,
                                            struct diagnostics *d);
/* On text in memory, borrowed until closed. */
struct json_stream *json_stream_open_text(const char *text, size_t length, const char *shown_name,
                                          struct diagnostics *d);
void json_stream_close(struct json_stream *s);

/* The next token. FAILED (told in d: no JSON, cut short, too deep, a string above the limit, a NUL
 * inside a string) and END stay for ever. */
struct json_token json_stream_next(struct json_stream *s);
/* Reads past a value whose first token was `first`; nothing for a scalar. False when it failed. */
bool json_stream_skip(struct json_stream *s, struct json_token first);
/* The place of the token read last. */
struct place json_stream_place(const struct json_stream *s);
/* Ends the stream with an error of the caller's at this place. */
void json_stream_refuse(struct json_stream *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
