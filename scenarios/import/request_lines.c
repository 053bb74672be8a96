/* SPDX-License-Identifier: GPL-3.0-or-later
 * Mooncake's traces: one JSON object to a line. `hash_ids` names the blocks of 512 tokens that the
 * prompt begins with; equal ids are equal prefixes, up to and with that block (Qin and others,
 * "Mooncake: Trading More Storage for Less Computation", FAST 2025). */
#include "engine/json_stream.h"
#include "models/inference/request_trace.h"
#include "scenarios/import/import_time.h"
#include "scenarios/import/prefix_blocks.h"
#include "scenarios/import/request_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_TOKENS = 512 };

struct mooncake_reading {
    struct request_rows *rows;
    const struct import_request *r;
    struct json_stream *json;
    struct prefix_blocks blocks;
    /* Of this request. */
    uint64_t *ids;
    size_t id_count, id_capacity;
};

static bool no_memory(struct mooncake_reading *m)
{
    diagnostics_add(m->r->d, DIAGNOSTIC_FAILURE, json_stream_place(m->json),
                    "out of memory while reading");
    return false;
}

static bool refuse_value(struct mooncake_reading *m, const char *key, const char *expected)
{
    json_stream_refuse(m->json, "'%s' is not what it should be; expected %s", key, expected);
    return false;
}

static bool read_ids(struct mooncake_reading *m)
{
    struct json_token token = json_stream_next(m->json);
    m->id_count = 0;
    if (token.kind != JSON_STREAM_ARRAY) {
        return token.kind != JSON_STREAM_FAILED &&
               refuse_value(m, "hash_ids", "a list of whole numbers");
    }
    while ((token = json_stream_next(m->json)).kind == JSON_STREAM_NUMBER) {
        int64_t id;
        if (!import_whole(token.text, INT64_MAX / 16, &id)) {
            return refuse_value(m, "hash_ids", "a list of whole numbers");
        }
        if (m->id_count == m->id_capacity) {
            size_t capacity = m->id_capacity == 0 ? 256 : 2 * m->id_capacity;
            uint64_t *grown = realloc(m->ids, capacity * sizeof *grown);
            if (grown == NULL) {
                return no_memory(m);
            }
            m->ids = grown;
            m->id_capacity = capacity;
        }
        m->ids[m->id_count++] = (uint64_t)id;
    }
    return token.kind == JSON_STREAM_ARRAY_END ||
           (token.kind != JSON_STREAM_FAILED &&
            refuse_value(m, "hash_ids", "a list of whole numbers"));
}

/* Leading blocks that were there; then all of them are. */
static bool look_up(struct mooncake_reading *m, struct imported_request *request)
{
    size_t hits = 0;
    while (hits < m->id_count && prefix_blocks_has(&m->blocks, m->ids[hits])) {
        hits++;
    }
    for (size_t i = hits; i < m->id_count; i++) {
        if (!prefix_blocks_add(&m->blocks, m->ids[i])) {
            if (m->blocks.count == PREFIX_BLOCKS_MOST) {
                json_stream_refuse(m->json, "more than %d blocks of prompts; cut the file",
                                   PREFIX_BLOCKS_MOST);
                return false;
            }
            return no_memory(m);
        }
    }
    m->rows->blocks += m->id_count;
    m->rows->hit_blocks += hits;
    int64_t tokens = (int64_t)hits * BLOCK_TOKENS;
    request->cached = tokens < request->prompt ? tokens : request->prompt;
    return true;
}

static bool read_value(struct mooncake_reading *m, const char *key, int64_t *out)
{
    struct json_token token = json_stream_next(m->json);
    if (token.kind != JSON_STREAM_NUMBER ||
        !import_whole(token.text, REQUEST_TRACE_MOST_TOKENS, out)) {
        return token.kind != JSON_STREAM_FAILED && refuse_value(m, key, "a whole number");
    }
    return true;
}

static bool read_time(struct mooncake_reading *m, int64_t *at)
{
    struct json_token token = json_stream_next(m->json);
    double ms;
    if (token.kind != JSON_STREAM_NUMBER || !import_number(token.text, &ms) ||
        !(fabs(ms) <= 1e3 * REQUEST_TRACE_LONGEST_S)) {
        return token.kind != JSON_STREAM_FAILED &&
               refuse_value(m, "timestamp", "a number of milliseconds");
    }
    *at = llround(ms * (double)REQUEST_TICKS_PER_S / 1e3);
    return true;
}

/* After its opening bracket. */
static bool read_request(struct mooncake_reading *m)
{
    struct imported_request request = {.at = INT64_MIN, .prompt = -1, .output = -1, .cached = -1};
    bool has_ids = false, good = true;
    struct json_token token;
    while (good && (token = json_stream_next(m->json)).kind == JSON_STREAM_KEY) {
        if (strcmp(token.text, "timestamp") == 0) {
            good = read_time(m, &request.at);
        } else if (strcmp(token.text, "input_length") == 0) {
            good = read_value(m, "input_length", &request.prompt);
        } else if (strcmp(token.text, "output_length") == 0) {
            good = read_value(m, "output_length", &request.output);
        } else if (strcmp(token.text, "hash_ids") == 0) {
            good = has_ids = read_ids(m);
        } else {
            good = json_stream_skip(m->json, json_stream_next(m->json));
        }
    }
    if (!good || token.kind != JSON_STREAM_OBJECT_END) {
        return false;
    }
    const char *missing = request.at == INT64_MIN ? "timestamp"
                          : request.prompt < 0    ? "input_length"
                          : request.output < 0    ? "output_length"
                                                  : NULL;
    if (missing != NULL) {
        json_stream_refuse(m->json,
                           "the request has no '%s'; expected 'timestamp', 'input_length' "
                           "and 'output_length'",
                           missing);
        return false;
    }
    return (!has_ids || look_up(m, &request)) &&
           request_rows_append(m->rows, m->r, &request, json_stream_place(m->json));
}

static bool read_file(struct mooncake_reading *m, const char *path)
{
    struct json_token token = {.kind = JSON_STREAM_FAILED};
    m->json = json_stream_open_values(path, NULL, m->r->d);
    if (m->json == NULL) {
        return false;
    }
    bool good = true;
    while (good && (token = json_stream_next(m->json)).kind == JSON_STREAM_OBJECT) {
        good = read_request(m);
    }
    if (good && token.kind != JSON_STREAM_END && token.kind != JSON_STREAM_FAILED) {
        json_stream_refuse(m->json,
                           "this is no request; expected an object in braces on each line");
    }
    json_stream_close(m->json);
    return good && token.kind == JSON_STREAM_END;
}

bool request_rows_read_mooncake(struct request_rows *rows, const struct import_request *r)
{
    struct mooncake_reading m = {.rows = rows, .r = r};
    bool good = true;
    for (size_t i = 0; good && i < r->file_count; i++) {
        good = read_file(&m, r->files[i]);
    }
    prefix_blocks_release(&m.blocks);
    free(m.ids);
    return good;
}
