/* SPDX-License-Identifier: GPL-3.0-or-later
 * The data behind AWS's Spot Instance Advisor: for each region, system and type `r`, a position in
 * `ranges`, and `s`, the savings over on-demand in percent. The ranges may stand behind the types,
 * so positions become buckets when the document has ended. */
#include "engine/json_stream.h"
#include "scenarios/import/price_rows.h"

#include <stdlib.h>
#include <string.h>

enum { RANGES_MAX = 16 };

struct advice {
    struct price_rows *rows;
    const struct import_request *r;
    struct json_stream *json;
    const char *path, *source;
    int64_t day;
    bool given, ranges_given;
    int bucket_of[RANGES_MAX]; /* by `index`; -1: no such range */
};

static bool refuse(struct advice *f, struct json_token token, const char *expected)
{
    if (token.kind != JSON_STREAM_FAILED) {
        bool scalar = token.text[0] != '\0';
        json_stream_refuse(f->json, "%s%.60s%s will not do; expected %s", scalar ? "'" : "this",
                           token.text, scalar ? "'" : "", expected);
    }
    return false;
}

static bool enter(struct advice *f, enum json_kind kind, const char *expected)
{
    struct json_token token = json_stream_next(f->json);
    return token.kind == kind || refuse(f, token, expected);
}

static bool skip_value(struct advice *f)
{
    return json_stream_skip(f->json, json_stream_next(f->json));
}

static bool read_whole(struct advice *f, long most, const char *expected, long *out)
{
    struct json_token token = json_stream_next(f->json);
    char *end;
    long value = strtol(token.text, &end, 10);
    if (token.kind != JSON_STREAM_NUMBER || *end != '\0' || value < 0 || value > most) {
        return refuse(f, token, expected);
    }
    *out = value;
    return true;
}

/* ---- ranges ---- */

static bool read_label(struct advice *f, int *bucket)
{
    struct json_token token = json_stream_next(f->json);
    for (int i = 0; token.kind == JSON_STREAM_TEXT && advisor_bucket_names[i] != NULL; i++) {
        if (strcmp(token.text, advisor_bucket_names[i]) == 0) {
            *bucket = i;
            return true;
        }
    }
    return refuse(f, token, "<5%, 5-10%, 10-15%, 15-20% or >20%");
}

static bool read_range(struct advice *f)
{
    struct json_token token;
    long index = -1;
    int bucket = -1;
    while ((token = json_stream_next(f->json)).kind == JSON_STREAM_KEY) {
        bool ok = strcmp(token.text, "index") == 0
                      ? read_whole(f, RANGES_MAX - 1, "a position from 0 to 15", &index)
                  : strcmp(token.text, "label") == 0 ? read_label(f, &bucket)
                                                     : skip_value(f);
        if (!ok) {
            return false;
        }
    }
    if (token.kind != JSON_STREAM_OBJECT_END) {
        return false;
    }
    if (index < 0 || bucket < 0 || f->bucket_of[index] >= 0) {
        json_stream_refuse(f->json, "a range needs an index of its own and a label");
        return false;
    }
    f->bucket_of[index] = bucket;
    return true;
}

static bool read_ranges(struct advice *f)
{
    struct json_token token;
    if (!enter(f, JSON_STREAM_ARRAY, "a list of ranges")) {
        return false;
    }
    f->ranges_given = true;
    while ((token = json_stream_next(f->json)).kind == JSON_STREAM_OBJECT) {
        if (!read_range(f)) {
            return false;
        }
    }
    return token.kind == JSON_STREAM_ARRAY_END || refuse(f, token, "a range");
}

/* ---- regions, systems, types ---- */

static bool read_type(struct advice *f, struct imported_price row, bool wanted)
{
    struct json_token token;
    long range = -1, savings = -1;
    if (!wanted) {
        return skip_value(f);
    }
    if (!enter(f, JSON_STREAM_OBJECT, "an object with r and s")) {
        return false;
    }
    while ((token = json_stream_next(f->json)).kind == JSON_STREAM_KEY) {
        row.line = token.line;
        bool ok = strcmp(token.text, "r") == 0
                      ? read_whole(f, RANGES_MAX - 1, "a position in the ranges", &range)
                  : strcmp(token.text, "s") == 0
                      ? read_whole(f, 100, "savings in whole percent", &savings)
                      : skip_value(f);
        if (!ok) {
            return false;
        }
    }
    if (token.kind != JSON_STREAM_OBJECT_END) {
        return false;
    }
    if (range < 0) {
        json_stream_refuse(f->json, "this type has no 'r'; expected a position in the ranges");
        return false;
    }
    row.bucket = (enum advisor_bucket)range; /* until the ranges are known */
    row.savings_percent = (int)savings;
    return price_rows_add(f->rows, &row);
}

static bool read_types(struct advice *f, struct imported_price row)
{
    struct json_token token;
    if (!enter(f, JSON_STREAM_OBJECT, "an object of instance types")) {
        return false;
    }
    while ((token = json_stream_next(f->json)).kind == JSON_STREAM_KEY) {
        bool wanted = price_rows_type(f->rows, token.text, &row.type);
        if (!read_type(f, row, wanted)) {
            return false;
        }
    }
    return token.kind == JSON_STREAM_OBJECT_END;
}

/* The types of a system that is not wanted; each is one that is skipped. */
static bool skip_system(struct advice *f, const char *system)
{
    struct json_token token = json_stream_next(f->json);
    if (token.kind != JSON_STREAM_OBJECT) {
        return refuse(f, token, "an object of instance types");
    }
    while ((token = json_stream_next(f->json)).kind == JSON_STREAM_KEY) {
        price_rows_skip(f->rows, "operating system", system);
        if (!skip_value(f)) {
            return false;
        }
    }
    return token.kind == JSON_STREAM_OBJECT_END;
}

static bool read_systems(struct advice *f, const char *code)
{
    struct imported_price row = {
        .kind = PRICE_ROW_ADVISOR, .day = f->day, .file = f->path, .source = f->source};
    struct json_token token;
    if (!price_rows_region(f->rows, code, &row.region)) {
        return skip_value(f);
    }
    if (!enter(f, JSON_STREAM_OBJECT, "an object of operating systems")) {
        return false;
    }
    while ((token = json_stream_next(f->json)).kind == JSON_STREAM_KEY) {
        char system[40];
        snprintf(system, sizeof system, "%s", token.text);
        if (!(strcmp(system, "Linux") == 0 ? read_types(f, row) : skip_system(f, system))) {
            return false;
        }
    }
    return token.kind == JSON_STREAM_OBJECT_END;
}

static bool read_regions(struct advice *f)
{
    struct json_token token;
    if (!enter(f, JSON_STREAM_OBJECT, "an object of regions")) {
        return false;
    }
    f->given = true;
    while ((token = json_stream_next(f->json)).kind == JSON_STREAM_KEY) {
        if (!read_systems(f, token.text)) {
            return false;
        }
    }
    return token.kind == JSON_STREAM_OBJECT_END;
}

static bool read_document(struct advice *f)
{
    struct json_token token;
    if (!enter(f, JSON_STREAM_OBJECT, "an object with ranges and spot_advisor")) {
        return false;
    }
    while ((token = json_stream_next(f->json)).kind == JSON_STREAM_KEY) {
        bool ok = strcmp(token.text, "ranges") == 0         ? read_ranges(f)
                  : strcmp(token.text, "spot_advisor") == 0 ? read_regions(f)
                                                            : skip_value(f);
        if (!ok) {
            return false;
        }
    }
    return token.kind == JSON_STREAM_OBJECT_END &&
           json_stream_next(f->json).kind == JSON_STREAM_END;
}

/* ---- the file ---- */

static bool resolve_buckets(struct advice *f, size_t first)
{
    struct diagnostics *d = f->r->d;
    if (!f->ranges_given || !f->given) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){f->path, 0, 0},
                        "the file has no '%s'; expected the advisor's document with both 'ranges' "
                        "and 'spot_advisor'",
                        f->given ? "ranges" : "spot_advisor");
        return false;
    }
    for (size_t i = first; i < price_rows_count(f->rows); i++) {
        struct imported_price *row = price_rows_at(f->rows, i);
        int bucket = f->bucket_of[row->bucket];
        if (bucket < 0) {
            diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){f->path, row->line, 0},
                            "there is no range %d", (int)row->bucket);
            return false;
        }
        row->bucket = (enum advisor_bucket)bucket;
    }
    return true;
}

static bool read_advice(struct price_rows *rows, const struct import_request *r, const char *path)
{
    struct advice f = {.rows = rows, .r = r, .path = path};
    size_t first = price_rows_count(rows);
    for (size_t i = 0; i < RANGES_MAX; i++) {
        f.bucket_of[i] = -1;
    }
    f.source = price_rows_source(rows, path, NULL);
    f.json = json_stream_open(path, NULL, r->d);
    bool ok = f.json != NULL && f.source != NULL && price_rows_day(rows, path, &f.day) &&
              read_document(&f) && resolve_buckets(&f, first);
    json_stream_close(f.json);
    return ok;
}

static void *read_all(const struct import_request *r)
{
    return price_rows_import(r, read_advice);
}

const struct importer importer_advisor = {
    .name = "advisor",
    .summary = "the Spot Instance Advisor's JSON, to a price file",
    .first_column = PRICE_ROWS_BEGIN,
    .prices = true,
    .read = read_all,
    .write = price_rows_write,
    .release = price_rows_release,
};
