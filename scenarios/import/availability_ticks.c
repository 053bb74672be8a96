/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tick traces. The gap may stand behind the data, so ticks are put at their ordinal first and
 * timed when the document has ended. */
#include "engine/json_stream.h"
#include "scenarios/import/availability_layouts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct change {
    uint64_t tick;
    int64_t value;
};

/* One array of the document: what changes, and how many ticks there are. */
struct series {
    struct change *changes;
    size_t count, capacity;
    uint64_t ticks;
    bool given;
};

struct tick_file {
    struct json_stream *json;
    double gap_s; /* 0: not yet known */
    struct series nodes, prices;
};

static bool refuse_token(struct tick_file *t, struct json_token token, const char *what)
{
    if (token.kind == JSON_STREAM_FAILED) {
        return false;
    }
    if (token.text[0] == '\0') {
        json_stream_refuse(t->json, "this value will not do; expected %s", what);
    } else {
        json_stream_refuse(t->json, "'%s' will not do; expected %s", token.text, what);
    }
    return false;
}

/* In a series: a document is often one line, so that the line alone says little. */
static bool refuse_item(struct tick_file *t, struct json_token token, const struct series *s,
                        const char *what)
{
    char expected[120];
    snprintf(expected, sizeof expected, "%s as item %llu of its list", what,
             (unsigned long long)s->ticks + 1);
    return refuse_token(t, token, expected);
}

static bool put_change(struct tick_file *t, struct series *s, int64_t value)
{
    if (s->count == 0 || s->changes[s->count - 1].value != value) {
        if (s->count == s->capacity) {
            size_t capacity = s->capacity * 2 + 256;
            struct change *changes = realloc(s->changes, capacity * sizeof *changes);
            if (changes == NULL) {
                json_stream_refuse(t->json, "out of memory");
                return false;
            }
            s->changes = changes;
            s->capacity = capacity;
        }
        s->changes[s->count++] = (struct change){s->ticks, value};
    }
    s->ticks++;
    return true;
}

static bool read_count(struct tick_file *t, struct json_token token, const struct series *s,
                       int64_t *out)
{
    char *end;
    errno = 0;
    long long nodes = strtoll(token.text, &end, 10);
    if (token.kind != JSON_STREAM_NUMBER || *end != '\0' || errno != 0 || nodes < 0 ||
        nodes > TRACE_MOST_NODES) {
        return refuse_item(t, token, s, "a whole number of nodes, 0 to a million,");
    }
    *out = nodes;
    return true;
}

static bool read_price(struct tick_file *t, struct json_token token, const struct series *s,
                       int64_t *out)
{
    char *end;
    double price = strtod(token.text, &end);
    if (token.kind != JSON_STREAM_NUMBER || *end != '\0' || !(price > 0) ||
        !money_from_double(price, out)) {
        return refuse_item(t, token, s, "a price per hour above zero");
    }
    return true;
}

static bool read_series(struct tick_file *t, struct series *s,
                        bool (*read)(struct tick_file *t, struct json_token token,
                                     const struct series *s, int64_t *out))
{
    struct json_token token = json_stream_next(t->json);
    if (token.kind != JSON_STREAM_ARRAY || s->given) {
        return refuse_token(t, token, s->given ? "this key once" : "a list of numbers");
    }
    s->given = true;
    while ((token = json_stream_next(t->json)).kind != JSON_STREAM_ARRAY_END) {
        int64_t value;
        if (!read(t, token, s, &value) || !put_change(t, s, value)) {
            return false;
        }
    }
    return true;
}

static bool read_metadata(struct tick_file *t)
{
    struct json_token token = json_stream_next(t->json);
    if (token.kind != JSON_STREAM_OBJECT) {
        return refuse_token(t, token, "an object with gap_seconds");
    }
    while ((token = json_stream_next(t->json)).kind == JSON_STREAM_KEY) {
        bool gap = strcmp(token.text, "gap_seconds") == 0;
        token = json_stream_next(t->json);
        if (!gap) {
            if (!json_stream_skip(t->json, token)) {
                return false;
            }
            continue;
        }
        if (t->gap_s != 0) {
            return refuse_token(t, token, "gap_seconds once");
        }
        char *end;
        t->gap_s = strtod(token.text, &end);
        if (token.kind != JSON_STREAM_NUMBER || *end != '\0' ||
            !(t->gap_s > 0 && t->gap_s <= 86400)) {
            return refuse_token(t, token, "gap_seconds above 0, at most 86400");
        }
    }
    return token.kind == JSON_STREAM_OBJECT_END;
}

static bool read_document(struct tick_file *t)
{
    struct json_token token = json_stream_next(t->json);
    if (token.kind != JSON_STREAM_OBJECT) {
        return refuse_token(t, token, "an object with metadata and data");
    }
    while ((token = json_stream_next(t->json)).kind == JSON_STREAM_KEY) {
        bool ok;
        if (strcmp(token.text, "metadata") == 0) {
            ok = read_metadata(t);
        } else if (strcmp(token.text, "data") == 0) {
            ok = read_series(t, &t->nodes, read_count);
        } else if (strcmp(token.text, "prices") == 0) {
            ok = read_series(t, &t->prices, read_price);
        } else {
            ok = json_stream_skip(t->json, json_stream_next(t->json));
        }
        if (!ok) {
            return false;
        }
    }
    return token.kind == JSON_STREAM_OBJECT_END &&
           json_stream_next(t->json).kind == JSON_STREAM_END;
}

static bool check(struct tick_file *t, const char *path, struct diagnostics *d)
{
    struct place where = {path, 0, 0};
    if (t->gap_s == 0) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                        "the file has no metadata.gap_seconds; expected the seconds between ticks");
    } else if (t->nodes.ticks == 0) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                        "the file has no data; expected a list of node counts");
    } else if (t->prices.given && t->prices.ticks != t->nodes.ticks) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                        "data has %llu ticks and prices %llu; expected as many",
                        (unsigned long long)t->nodes.ticks, (unsigned long long)t->prices.ticks);
    } else {
        return true;
    }
    return false;
}

static void build(const struct tick_file *t, const struct import_request *r,
                  struct trace_builder *b)
{
    int pool = trace_builder_pool(b, r->zone, r->instance);
    if (pool < 0) {
        return; /* told when the builder finishes */
    }
    trace_builder_start(b, pool, TRACE_NO_START, t->gap_s);
    for (size_t i = 0, k = 0; i < t->nodes.count || k < t->prices.count;) {
        const struct change *n = i < t->nodes.count ? &t->nodes.changes[i] : NULL;
        const struct change *p = k < t->prices.count ? &t->prices.changes[k] : NULL;
        if (p == NULL || (n != NULL && n->tick <= p->tick)) {
            trace_builder_nodes(b, pool, (double)n->tick * t->gap_s, n->value);
            i++;
        } else {
            trace_builder_price(b, pool, (double)p->tick * t->gap_s, p->value);
            k++;
        }
    }
    trace_builder_end(b, pool, (double)t->nodes.ticks * t->gap_s);
}

bool availability_read_ticks(const struct import_request *r, const char *path,
                             struct trace_builder *b)
{
    struct tick_file t = {.json = json_stream_open(path, NULL, r->d)};
    if (t.json == NULL) {
        return false;
    }
    bool ok = read_document(&t);
    if (!ok && !diagnostics_failed(r->d)) {
        json_stream_refuse(t.json, "this is no tick trace; expected an object with metadata and "
                                   "data");
    }
    ok = ok && check(&t, path, r->d);
    if (ok) {
        build(&t, r, b);
    }
    free(t.nodes.changes);
    free(t.prices.changes);
    json_stream_close(t.json);
    return ok;
}
