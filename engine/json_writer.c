/* SPDX-License-Identifier: GPL-3.0-or-later
 * A state machine of one bool per level: has this object or array had a value yet? That is all that
 * commas and line breaks need, so nothing is built in memory. */
#include "engine/json_writer.h"

#include "engine/text.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put(struct json_writer *j, const char *bytes, size_t length)
{
    if (j->error != 0) {
        return;
    }
    errno = 0;
    if (fwrite(bytes, 1, length, j->out) != length) {
        j->error = errno != 0 ? errno : EIO;
    }
}

static void put_word(struct json_writer *j, const char *word)
{
    put(j, word, strlen(word));
}

static void new_line(struct json_writer *j)
{
    put(j, "\n", 1);
    for (int i = 0; i < j->depth; i++) {
        put(j, "  ", 2);
    }
}

/* What stands before a value or a key: nothing behind a key, else a comma and a new line. */
static void before_item(struct json_writer *j)
{
    if (j->after_key) {
        j->after_key = false;
        return;
    }
    if (j->depth == 0) {
        return;
    }
    if (!j->first[j->depth - 1]) {
        put(j, ",", 1);
    }
    j->first[j->depth - 1] = false;
    new_line(j);
}

static void begin(struct json_writer *j, const char *bracket)
{
    assert(j->depth < JSON_DEPTH_LIMIT);
    before_item(j);
    put(j, bracket, 1);
    j->first[j->depth++] = true;
}

static void end(struct json_writer *j, const char *bracket)
{
    assert(j->depth > 0);
    assert(!j->after_key);
    bool empty = j->first[--j->depth];
    if (!empty) {
        new_line(j);
    }
    put(j, bracket, 1);
}

/* Bytes of the UTF-8 sequence at s, or 0 when it is none. s is NUL-terminated. */
static size_t sequence_length(const char *s)
{
    unsigned char lead = (unsigned char)s[0];
    size_t n = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    return strnlen(s, n) == n && text_is_utf8(s, n) ? n : 0;
}

static void put_string(struct json_writer *j, const char *s)
{
    put(j, "\"", 1);
    while (*s != '\0') {
        size_t plain = 0;
        while ((unsigned char)s[plain] >= 0x20 && (unsigned char)s[plain] < 0x7F &&
               s[plain] != '"' && s[plain] != '\\') {
            plain++;
        }
        put(j, s, plain);
        s += plain;
        unsigned char c = (unsigned char)*s;
        if (c == '\0') {
            break;
        }
        size_t n = sequence_length(s);
        if (c == '"' || c == '\\') {
            put(j, "\\", 1);
            put(j, s, 1);
        } else if (c == '\n') {
            put(j, "\\n", 2);
        } else if (c == '\t') {
            put(j, "\\t", 2);
        } else if (c < 0x20 || c == 0x7F) {
            char escape[8];
            snprintf(escape, sizeof escape, "\\u%04x", c);
            put(j, escape, 6);
        } else if (n > 0) {
            put(j, s, n);
        } else {
            put(j, "\xEF\xBF\xBD", 3); /* U+FFFD */
        }
        s += n > 0 ? n : 1;
    }
    put(j, "\"", 1);
}

void json_init(struct json_writer *j, FILE *out)
{
    *j = (struct json_writer){.out = out};
}

void json_begin_object(struct json_writer *j)
{
    begin(j, "{");
}

void json_end_object(struct json_writer *j)
{
    end(j, "}");
}

void json_begin_array(struct json_writer *j)
{
    begin(j, "[");
}

void json_end_array(struct json_writer *j)
{
    end(j, "]");
}

void json_put_key(struct json_writer *j, const char *key)
{
    assert(j->depth > 0);
    assert(!j->after_key);
    before_item(j);
    put_string(j, key);
    put(j, ": ", 2);
    j->after_key = true;
}

void json_put_text(struct json_writer *j, const char *value)
{
    if (value == NULL) {
        json_put_null(j);
        return;
    }
    before_item(j);
    put_string(j, value);
}

void json_put_number(struct json_writer *j, double value)
{
    if (!isfinite(value)) {
        json_put_null(j);
        return;
    }
    if (value == 0.0) {
        value = 0.0; /* no negative zero */
    }
    char bytes[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(bytes, sizeof bytes, "%.*g", digits, value);
        if (strtod(bytes, NULL) == value) {
            break;
        }
    }
    before_item(j);
    put_word(j, bytes);
}

void json_put_integer(struct json_writer *j, int64_t value)
{
    char bytes[32];
    snprintf(bytes, sizeof bytes, "%lld", (long long)value);
    before_item(j);
    put_word(j, bytes);
}

void json_put_money(struct json_writer *j, money_t value)
{
    char bytes[32];
    money_text(value, bytes);
    before_item(j);
    put_word(j, bytes);
}

void json_put_bool(struct json_writer *j, bool value)
{
    before_item(j);
    put_word(j, value ? "true" : "false");
}

void json_put_null(struct json_writer *j)
{
    before_item(j);
    put_word(j, "null");
}

void json_member_text(struct json_writer *j, const char *key, const char *value)
{
    json_put_key(j, key);
    json_put_text(j, value);
}

void json_member_number(struct json_writer *j, const char *key, double value)
{
    json_put_key(j, key);
    json_put_number(j, value);
}

void json_member_integer(struct json_writer *j, const char *key, int64_t value)
{
    json_put_key(j, key);
    json_put_integer(j, value);
}

void json_member_bool(struct json_writer *j, const char *key, bool value)
{
    json_put_key(j, key);
    json_put_bool(j, value);
}

void json_member_hash(struct json_writer *j, const char *key, uint64_t hash)
{
    char text[32];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    json_member_text(j, key, text);
}

bool json_finish(struct json_writer *j)
{
    assert(j->depth == 0);
    assert(!j->after_key);
    put(j, "\n", 1);
    errno = 0;
    if (j->error == 0 && fflush(j->out) != 0) {
        j->error = errno != 0 ? errno : EIO;
    }
    errno = j->error;
    return j->error == 0;
}
