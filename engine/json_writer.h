/* SPDX-License-Identifier: GPL-3.0-or-later
 * JSON out, indented, valid whatever text it is given (control characters escaped, invalid UTF-8
 * replaced, NaN and infinity as null). */
#ifndef FLEETCAST_ENGINE_JSON_WRITER_H
#define FLEETCAST_ENGINE_JSON_WRITER_H

#include "engine/money.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_DEPTH_LIMIT 32

struct json_writer { /* private but for `error` */
    FILE *out;
    int depth;
    bool first[JSON_DEPTH_LIMIT];
    bool after_key;
    int error; /* errno of the first failed write; 0 when all is well */
};

/* out stays the caller's. Misuse (a value without its key, an end without its begin, more than 32
 * levels) is a programming error and asserted. */
void json_init(struct json_writer *j, FILE *out);
void json_begin_object(struct json_writer *j);
void json_end_object(struct json_writer *j);
void json_begin_array(struct json_writer *j);
void json_end_array(struct json_writer *j);
void json_put_key(struct json_writer *j, const char *key);
void json_put_text(struct json_writer *j, const char *value); /* NULL = null */
/* The shortest of 15, 16 or 17 significant digits that reads back as the same double. */
void json_put_number(struct json_writer *j, double value);
void json_put_integer(struct json_writer *j, int64_t value);
/* A number, exact, as money_text: readers that keep doubles round it, decimal ones do not. */
void json_put_money(struct json_writer *j, money_t value);
void json_put_bool(struct json_writer *j, bool value);
void json_put_null(struct json_writer *j);

/* A member of an object: its key and its value. */
void json_member_text(struct json_writer *j, const char *key, const char *value);
void json_member_number(struct json_writer *j, const char *key, double value);
void json_member_integer(struct json_writer *j, const char *key, int64_t value);
void json_member_bool(struct json_writer *j, const char *key, bool value);
/* 64 bits as text of 16 hexadecimal digits: readers that keep doubles would round a number. */
void json_member_hash(struct json_writer *j, const char *key, uint64_t hash);

/* Ends the line and flushes; false if any write failed (errno says why). */
bool json_finish(struct json_writer *j);

#endif
