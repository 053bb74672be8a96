/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dumps of ec2instances.info: a list of instance types, each with its prices by region and system.
 * All prices are by the hour, those of Reserved Instances effective; the dump of China has the same
 * shape and counts in CNY, which is the currency of its regions. */
#include "engine/json_stream.h"
#include "scenarios/import/price_rows.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OFFER_TERMS = 2, RESERVED_CLASSES = 2 };

struct dump {
    struct price_rows *rows;
    const struct import_request *r;
    struct json_stream *json;
    const char *path, *source;
    int64_t day;
    /* Of the type being read. */
    bool type_known, type_wanted;
    size_t type;
};

static bool is_scalar(struct json_token token)
{
    return token.kind == JSON_STREAM_TEXT || token.kind == JSON_STREAM_NUMBER;
}

static bool refuse(struct dump *f, struct json_token token, const char *expected)
{
    if (token.kind != JSON_STREAM_FAILED) {
        bool scalar = is_scalar(token);
        json_stream_refuse(f->json, "%s%.60s%s will not do; expected %s", scalar ? "'" : "this",
                           scalar ? token.text : "", scalar ? "'" : "", expected);
    }
    return false;
}

static bool enter(struct dump *f, enum json_kind kind, const char *expected)
{
    struct json_token token = json_stream_next(f->json);
    return token.kind == kind || refuse(f, token, expected);
}

static bool skip_value(struct dump *f)
{
    return json_stream_skip(f->json, json_stream_next(f->json));
}

/* ---- prices of one region and system ---- */

/* A price into a row; where there is none dumps say nothing, 0, or N/A in several spellings. */
static bool read_price(struct dump *f, struct imported_price *row, bool *given)
{
    struct json_token token = json_stream_next(f->json);
    *given = false;
    row->line = token.line;
    if (token.kind == JSON_STREAM_NULL ||
        (token.kind == JSON_STREAM_TEXT &&
         (token.text[0] == '\0' || strncmp(token.text, "N/A", 3) == 0))) {
        price_rows_skip(f->rows, "entries without a price", "");
        return true;
    }
    if (!is_scalar(token) || !price_rows_money(token.text, &row->per_hour)) {
        return refuse(f, token, "a price per hour, at most a million");
    }
    if (row->per_hour == 0) {
        price_rows_skip(f->rows, "entries with price 0", "");
        return true;
    }
    *given = true;
    return true;
}

/* "yrTerm3Convertible.partialUpfront" */
static bool parse_offer(const char *key, struct imported_price *row)
{
    static const struct {
        const char *name;
        enum offer_kind offer;
    } classes[] = {{"Standard.", OFFER_STANDARD},
                   {"Convertible.", OFFER_CONVERTIBLE},
                   {"Savings.", OFFER_INSTANCE_SAVINGS}};
    static const char *const payments[] = {"noUpfront", "partialUpfront", "allUpfront"};
    if (strncmp(key, "yrTerm", 6) != 0 || (key[6] != '1' && key[6] != '3')) {
        return false;
    }
    for (size_t c = 0; c < sizeof classes / sizeof classes[0]; c++) {
        size_t length = strlen(classes[c].name);
        if (strncmp(key + 7, classes[c].name, length) != 0) {
            continue;
        }
        for (size_t p = 0; p < PAYMENT_COUNT; p++) {
            if (strcmp(key + 7 + length, payments[p]) == 0) {
                row->term = key[6] == '3';
                row->offer = classes[c].offer;
                row->payment = (enum payment_option)p;
                return true;
            }
        }
    }
    return false;
}

/* What a dump lists as Reserved Instances is all there is: the rest is no longer, or not yet,
 * offered. Of savings plans most dumps say nothing. */
static bool add_missing_offers(struct dump *f, struct imported_price row,
                               bool seen[RESERVED_CLASSES][OFFER_TERMS][PAYMENT_COUNT])
{
    row.per_hour = RESERVED_NONE;
    for (int class = 0; class < RESERVED_CLASSES; class ++) {
        for (int term = 0; term < OFFER_TERMS; term++) {
            for (int payment = 0; payment < PAYMENT_COUNT; payment++) {
                row.offer = class == 0 ? OFFER_STANDARD : OFFER_CONVERTIBLE;
                row.term = term;
                row.payment = (enum payment_option)payment;
                if (!seen[class][term][payment] && !price_rows_add(f->rows, &row)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool read_reserved(struct dump *f, struct imported_price row)
{
    struct json_token token = json_stream_next(f->json);
    bool seen[RESERVED_CLASSES][OFFER_TERMS][PAYMENT_COUNT] = {{{false}}};
    row.kind = PRICE_ROW_OFFER;
    row.line = token.line;
    if (token.kind != JSON_STREAM_OBJECT) {
        return refuse(f, token, "an object of Reserved Instances");
    }
    while ((token = json_stream_next(f->json)).kind == JSON_STREAM_KEY) {
        bool given;
        if (!parse_offer(token.text, &row)) {
            price_rows_skip(f->rows, "offers of a kind that fleetcast does not know", "");
            if (!skip_value(f)) {
                return false;
            }
            continue;
        }
        if (!read_price(f, &row, &given) || (given && !price_rows_add(f->rows, &row))) {
            return false;
        }
        if (given && row.offer <= OFFER_CONVERTIBLE) {
            seen[row.offer == OFFER_CONVERTIBLE][row.term][row.payment] = true;
        }
    }
    return token.kind == JSON_STREAM_OBJECT_END && add_missing_offers(f, row, seen);
}

/* What the dump repeats of the Spot Instance Advisor. */
static bool read_advice(struct dump *f, const char *key, struct imported_price *advice)
{
    struct json_token token = json_stream_next(f->json);
    if (token.kind == JSON_STREAM_NULL ||
        (token.kind == JSON_STREAM_TEXT &&
         (token.text[0] == '\0' || strncmp(token.text, "N/A", 3) == 0))) {
        return true;
    }
    if (strcmp(key, "pct_savings_od") == 0) {
        char *end;
        long percent = strtol(token.text, &end, 10);
        if (!is_scalar(token) || *end != '\0' || percent < 0 || percent > 100) {
            return refuse(f, token, "savings in whole percent");
        }
        advice->savings_percent = (int)percent;
        return true;
    }
    advice->line = token.line;
    for (int i = 0; token.kind == JSON_STREAM_TEXT && advisor_bucket_names[i] != NULL; i++) {
        if (strcmp(token.text, advisor_bucket_names[i]) == 0) {
            advice->bucket = (enum advisor_bucket)i;
            return true;
        }
    }
    return refuse(f, token, "<5%, 5-10%, 10-15%, 15-20% or >20%");
}

static bool read_prices(struct dump *f, size_t region)
{
    static const char *const spot_keys[] = {"spot_min", "spot_avg", "spot_max"};
    struct imported_price row = {
        .type = f->type, .region = region, .day = f->day, .file = f->path, .source = f->source};
    struct imported_price advice = row;
    struct json_token token;
    advice.kind = PRICE_ROW_ADVISOR;
    advice.bucket = ADVISOR_UNKNOWN;
    advice.savings_percent = -1;
    if (!enter(f, JSON_STREAM_OBJECT, "an object of prices")) {
        return false;
    }
    while ((token = json_stream_next(f->json)).kind == JSON_STREAM_KEY) {
        bool priced = strcmp(token.text, "ondemand") == 0, given;
        row.kind = PRICE_ROW_ON_DEMAND;
        row.statistic = SPOT_MIN;
        for (size_t s = 0; s < SPOT_STATISTIC_COUNT; s++) {
            if (strcmp(token.text, spot_keys[s]) == 0) {
                row.kind = PRICE_ROW_SPOT;
                row.statistic = (enum spot_statistic)s;
                priced = true;
            }
        }
        bool ok;
        if (priced) {
            ok = read_price(f, &row, &given) && (!given || price_rows_add(f->rows, &row));
        } else if (strcmp(token.text, "reserved") == 0) {
            ok = read_reserved(f, row);
        } else if (strcmp(token.text, "pct_interrupt") == 0) {
            ok = read_advice(f, "pct_interrupt", &advice);
        } else if (strcmp(token.text, "pct_savings_od") == 0) {
            ok = read_advice(f, "pct_savings_od", &advice);
        } else {
            ok = skip_value(f);
        }
        if (!ok) {
            return false;
        }
    }
    return token.kind == JSON_STREAM_OBJECT_END &&
           (advice.bucket == ADVISOR_UNKNOWN || price_rows_add(f->rows, &advice));
}

/* ---- types ---- */

static bool read_systems(struct dump *f, size_t region)
{
    struct json_token token;
    if (!enter(f, JSON_STREAM_OBJECT, "an object of operating systems")) {
        return false;
    }
    while ((token = json_stream_next(f->json)).kind == JSON_STREAM_KEY) {
        bool linux_prices = strcmp(token.text, "linux") == 0;
        if (!linux_prices) {
            price_rows_skip(f->rows, "prices of", token.text);
        }
        if (!(linux_prices ? read_prices(f, region) : skip_value(f))) {
            return false;
        }
    }
    return token.kind == JSON_STREAM_OBJECT_END;
}

static bool read_pricing(struct dump *f)
{
    struct json_token token = json_stream_next(f->json);
    if (f->type_known && !f->type_wanted) {
        return json_stream_skip(f->json, token);
    }
    if (token.kind != JSON_STREAM_OBJECT) {
        return refuse(f, token, "an object of regions");
    }
    while ((token = json_stream_next(f->json)).kind == JSON_STREAM_KEY) {
        size_t region;
        bool wanted = price_rows_region(f->rows, token.text, &region);
        if (!(wanted ? read_systems(f, region) : skip_value(f))) {
            return false;
        }
    }
    return token.kind == JSON_STREAM_OBJECT_END;
}

static bool read_name(struct dump *f)
{
    struct json_token token = json_stream_next(f->json);
    if (token.kind != JSON_STREAM_TEXT || f->type_known) {
        return refuse(f, token, f->type_known ? "one instance_type" : "the name of a type");
    }
    f->type_known = true;
    f->type_wanted = price_rows_type(f->rows, token.text, &f->type);
    return true;
}

/* The prices may stand before the name: rows get their type when the object ends. */
static bool read_type(struct dump *f)
{
    struct json_token token;
    size_t first = price_rows_count(f->rows);
    f->type_known = f->type_wanted = false;
    f->type = 0;
    while ((token = json_stream_next(f->json)).kind == JSON_STREAM_KEY) {
        bool ok = strcmp(token.text, "instance_type") == 0 ? read_name(f)
                  : strcmp(token.text, "pricing") == 0     ? read_pricing(f)
                                                           : skip_value(f);
        if (!ok) {
            return false;
        }
    }
    if (token.kind != JSON_STREAM_OBJECT_END) {
        return false;
    }
    if (!f->type_known) {
        json_stream_refuse(f->json, "this entry has no instance_type");
        return false;
    }
    if (!f->type_wanted) {
        price_rows_truncate(f->rows, first);
    }
    for (size_t i = first; i < price_rows_count(f->rows); i++) {
        price_rows_at(f->rows, i)->type = f->type;
    }
    return true;
}

static bool read_document(struct dump *f)
{
    struct json_token token;
    if (!enter(f, JSON_STREAM_ARRAY, "a list of instance types")) {
        return false;
    }
    while ((token = json_stream_next(f->json)).kind == JSON_STREAM_OBJECT) {
        if (!read_type(f)) {
            return false;
        }
    }
    if (token.kind != JSON_STREAM_ARRAY_END) {
        return refuse(f, token, "an object for each instance type");
    }
    return json_stream_next(f->json).kind == JSON_STREAM_END;
}

static bool read_dump(struct price_rows *rows, const struct import_request *r, const char *path)
{
    struct dump f = {.rows = rows, .r = r, .path = path};
    f.source = price_rows_source(rows, path, NULL);
    f.json = json_stream_open(path, NULL, r->d);
    bool ok = f.json != NULL && f.source != NULL && price_rows_day(rows, path, &f.day) &&
              read_document(&f);
    json_stream_close(f.json);
    return ok;
}

static void *read_all(const struct import_request *r)
{
    return price_rows_import(r, read_dump);
}

const struct importer importer_instances_json = {
    .name = "instances-json",
    .summary = "dumps of ec2instances.info, to a price file",
    .first_column = PRICE_ROWS_BEGIN,
    .prices = true,
    .read = read_all,
    .write = price_rows_write,
    .release = price_rows_release,
};
