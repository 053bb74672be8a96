/* SPDX-License-Identifier: GPL-3.0-or-later
 * `aws ec2 describe-spot-price-history`, as JSON and as text, to a trace table of prices. */
#include "engine/json_stream.h"
#include "models/market/trace.h"
#include "scenarios/import/import_time.h"
#include "scenarios/import/importer.h"
#include "scenarios/import/line_file.h"
#include "scenarios/import/price_records.h"

#include <ctype.h>
#include <string.h>

#define PAGE    1000 /* most records of one answer of the API */
#define MESSAGE 300
#define FIELD   200

static const char default_product[] = "Linux/UNIX";

/* ---- JSON ---- */

enum { ZONE, ZONE_ID, TYPE, PRODUCT, PRICE, TIME, KEYS };
static const char *const keys[KEYS] = {"AvailabilityZone",   "AvailabilityZoneId", "InstanceType",
                                       "ProductDescription", "SpotPrice",          "Timestamp"};

static bool read_value(struct json_stream *json, const char *key, char values[KEYS][FIELD],
                       bool *given)
{
    struct json_token token = json_stream_next(json);
    for (size_t i = 0; i < KEYS; i++) {
        if (strcmp(keys[i], key) != 0) {
            continue;
        }
        if (token.kind == JSON_STREAM_FAILED) {
            return false;
        }
        if ((token.kind != JSON_STREAM_TEXT && token.kind != JSON_STREAM_NUMBER) || given[i] ||
            strlen(token.text) >= FIELD) {
            json_stream_refuse(json, "'%.60s' of %s will not do; expected one text", token.text,
                               keys[i]);
            return false;
        }
        memcpy(values[i], token.text, strlen(token.text) + 1);
        given[i] = true;
        return true;
    }
    return json_stream_skip(json, token);
}

static bool read_record(struct price_records *p, struct json_stream *json)
{
    char values[KEYS][FIELD] = {{0}}, key[FIELD], message[MESSAGE];
    bool given[KEYS] = {false};
    struct json_token token;
    while ((token = json_stream_next(json)).kind == JSON_STREAM_KEY) {
        snprintf(key, sizeof key, "%s", token.text);
        if (!read_value(json, key, values, given)) {
            return false;
        }
    }
    if (token.kind != JSON_STREAM_OBJECT_END) {
        return false;
    }
    struct price_record record = {given[ZONE] ? values[ZONE] : values[ZONE_ID], values[TYPE],
                                  values[PRODUCT], values[PRICE], values[TIME]};
    if (!price_records_add(p, &record, token.line, message, sizeof message)) {
        json_stream_refuse(json, "%s", message);
        return false;
    }
    return true;
}

static bool read_list(struct price_records *p, struct json_stream *json, struct json_token token)
{
    if (token.kind != JSON_STREAM_ARRAY) {
        if (token.kind != JSON_STREAM_FAILED) {
            json_stream_refuse(json, "'%.60s' will not do; expected a list of prices", token.text);
        }
        return false;
    }
    while ((token = json_stream_next(json)).kind == JSON_STREAM_OBJECT) {
        if (!read_record(p, json)) {
            return false;
        }
    }
    if (token.kind != JSON_STREAM_ARRAY_END && token.kind != JSON_STREAM_FAILED) {
        json_stream_refuse(json, "'%.60s' will not do; expected an object for each price",
                           token.text);
    }
    return token.kind == JSON_STREAM_ARRAY_END;
}

/* {"NextToken": "", "SpotPriceHistory": [...]}, or the list alone. */
static bool read_document(struct price_records *p, struct json_stream *json, bool *more)
{
    struct json_token token = json_stream_next(json);
    bool found = false;
    if (token.kind == JSON_STREAM_ARRAY) {
        return read_list(p, json, token) && json_stream_next(json).kind == JSON_STREAM_END;
    }
    if (token.kind != JSON_STREAM_OBJECT) {
        return false;
    }
    while ((token = json_stream_next(json)).kind == JSON_STREAM_KEY) {
        bool history = strcmp(token.text, "SpotPriceHistory") == 0;
        bool next = strcmp(token.text, "NextToken") == 0;
        token = json_stream_next(json);
        if (history && found) {
            json_stream_refuse(json, "SpotPriceHistory is there twice; expected it once");
            return false;
        }
        *more = *more || (next && token.kind == JSON_STREAM_TEXT && token.text[0] != '\0');
        if (!(history ? read_list(p, json, token) : json_stream_skip(json, token))) {
            return false;
        }
        found = found || history;
    }
    if (token.kind != JSON_STREAM_OBJECT_END || json_stream_next(json).kind != JSON_STREAM_END) {
        return false;
    }
    if (!found) {
        json_stream_refuse(json, "the file has no SpotPriceHistory; expected what `aws ec2 "
                                 "describe-spot-price-history` prints");
    }
    return found;
}

static bool read_json(struct price_records *p, const char *path, bool *more)
{
    struct json_stream *json = json_stream_open(path, NULL, p->r->d);
    if (json == NULL) {
        return false;
    }
    bool ok = read_document(p, json, more);
    if (!ok && !diagnostics_failed(p->r->d)) {
        json_stream_refuse(json, "this is no price history; expected what `aws ec2 "
                                 "describe-spot-price-history` prints");
    }
    json_stream_close(json);
    return ok;
}

/* ---- text ---- */

/* zone, type, product, price and time between tabs; `aws --output text` puts SPOTPRICEHISTORY
 * before, newer ones also the zone's id behind its name. */
static bool read_row(struct price_records *p, struct line_file *f, bool *more)
{
    char *fields[7], *all[7], message[MESSAGE];
    size_t count = line_file_split(f, '\t', all, 7), at = 0;
    if (strcmp(all[0], "NEXTTOKEN") == 0) {
        *more = *more || (count > 1 && strcmp(all[1], "None") != 0);
        return true;
    }
    size_t skip = strcmp(all[0], "SPOTPRICEHISTORY") == 0 ? 1 : 0;
    for (size_t i = skip; i < count && i < 7; i++) {
        bool id = count - skip == 6 && i == skip + 1 && strstr(all[i], "-az") != NULL;
        if (!id) {
            fields[at++] = all[i];
        }
    }
    if (count > 7 || at != 5) {
        return line_file_refuse(f,
                                "the row has %zu field%s between tabs; expected zone, type, "
                                "product, price and time",
                                count, count == 1 ? "" : "s");
    }
    struct price_record record = {fields[0], fields[1], fields[2], fields[3], fields[4]};
    return price_records_add(p, &record, f->line, message, sizeof message) ||
           line_file_refuse(f, "%s", message);
}

static bool read_text(struct price_records *p, const char *path, bool *more)
{
    struct line_file f;
    bool ok = line_file_open(&f, path, p->r->d);
    while (ok && line_file_next(&f)) {
        ok = read_row(p, &f, more);
    }
    ok = ok && !line_file_failed(&f);
    line_file_close(&f);
    return ok;
}

/* ---- files ---- */

/* No row of text begins with a bracket, so nothing is guessed. */
static bool begins_json(const char *path)
{
    FILE *file = fopen(path, "rb");
    int c = file == NULL ? EOF : getc(file);
    while (c != EOF && (isspace(c) || c == 0xEF || c == 0xBB || c == 0xBF)) {
        c = getc(file);
    }
    if (file != NULL) {
        fclose(file);
    }
    return c == '{' || c == '[';
}

static bool read_file(struct price_records *p, unsigned index)
{
    const char *path = p->r->files[index];
    struct place where = {path, 0, 0};
    bool more = false;
    p->file = index;
    p->file_records = 0;
    if (!(begins_json(path) ? read_json(p, path, &more) : read_text(p, path, &more))) {
        return false;
    }
    if (p->file_records == 0) {
        diagnostics_add(p->r->d, DIAGNOSTIC_ERROR, where, "there is no price in this history");
        return false;
    }
    if (p->file_records == PAGE) {
        diagnostics_add(p->r->d, DIAGNOSTIC_WARNING, where,
                        "the history has exactly %d records, as many as a page of the API: it is "
                        "%s cut off at its old end",
                        PAGE, more ? "certainly" : "probably");
    } else if (more) {
        diagnostics_add(p->r->d, DIAGNOSTIC_WARNING, where,
                        "the history goes on, as its NextToken says: give the file of the next "
                        "page too");
    }
    return true;
}

static bool check_options(const struct import_request *r)
{
    const struct {
        bool given;
        const char *option;
    } options[] = {{r->zone != NULL, "--zone"},         {r->instance != NULL, "--instance"},
                   {r->polarity != NULL, "--polarity"}, {r->tick_s > 0, "--tick"},
                   {r->unit_s > 0, "--unit"},           {r->length_s > 0, "--length"}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (options[i].given) {
            diagnostics_add(r->d, DIAGNOSTIC_ERROR, (struct place){NULL, 0, 0},
                            "option '%s' means nothing for a price history", options[i].option);
        }
    }
    return !diagnostics_failed(r->d);
}

static void *read_all(const struct import_request *r)
{
    struct price_records p = {.r = r, .product = r->product == NULL ? default_product : r->product};
    struct trace_builder *b = trace_builder_new(r->arena);
    bool ok = b != NULL && check_options(r);
    for (unsigned i = 0; ok && i < r->file_count; i++) {
        ok = read_file(&p, i);
    }
    ok = ok && price_records_build(&p, b);
    if (ok) {
        enum trace_building built = trace_builder_close(b, NULL);
        ok = built == TRACE_BUILT;
        if (built == TRACE_TOO_LONG) {
            diagnostics_add(r->d, DIAGNOSTIC_ERROR, (struct place){r->files[0], 0, 0},
                            "more than %d changes, too many", TRACE_MOST_STEPS);
        }
    }
    if (!ok && !diagnostics_failed(r->d)) {
        diagnostics_add(r->d, DIAGNOSTIC_FAILURE, (struct place){NULL, 0, 0}, "out of memory");
    }
    price_records_release(&p);
    if (!ok) {
        trace_builder_free(b);
    }
    return ok ? b : NULL;
}

static bool write_table(const void *what, FILE *out)
{
    return trace_write_built(what, out);
}

static void release(void *what)
{
    trace_builder_free(what);
}

const struct importer importer_spot_history = {
    .name = "spot-history",
    .summary = "what `aws ec2 describe-spot-price-history` prints, to a trace table of prices",
    .first_column = "zone",
    .read = read_all,
    .write = write_table,
    .release = release,
};
