/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/trace.h"

#include "engine/civil_time.h"
#include "engine/csv_reader.h"
#include "engine/csv_writer.h"
#include "models/market/trace_builder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ZONE, TYPE, START, TICK, TIME, NODES, PRICE, MARK };
static const char *const columns[] = {"zone",  "instance_type",  "start", "tick_s", "time_s",
                                      "nodes", "price_per_hour", "mark",  NULL};

/* ---- reading ---- */

struct seen_pool {
    double last_s;
    bool ended;
};

struct trace_reading {
    struct csv_reader *csv;
    struct diagnostics *d;
    struct trace_builder *builder;
    struct seen_pool *pools;
    size_t count;
};

static bool refuse(struct trace_reading *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool refuse(struct trace_reading *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diagnostics_addv(r->d, DIAGNOSTIC_ERROR, csv_place(r->csv), format, args);
    va_end(args);
    return false;
}

static bool read_start(struct trace_reading *r, int pool)
{
    int64_t start = TRACE_NO_START;
    double tick_s = 0;
    if (!csv_missing(r->csv, START) && !csv_date(r->csv, START, &start)) {
        return false;
    }
    if (!csv_missing(r->csv, TICK)) {
        if (!csv_double(r->csv, TICK, &tick_s)) {
            return false;
        }
        if (!(tick_s >= 0 && tick_s <= 86400)) {
            return refuse(r, "tick_s is %g; expected 0 to 86400 seconds", tick_s);
        }
    }
    trace_builder_start(r->builder, pool, start, tick_s);
    trace_builder_in_order(r->builder, pool);
    return true;
}

/* The record's pool; -1 when memory is out or its first row is wrong. */
static int find_pool(struct trace_reading *r)
{
    int pool = trace_builder_pool(r->builder, csv_text(r->csv, ZONE), csv_text(r->csv, TYPE));
    if (pool < 0) {
        return -1;
    }
    if ((size_t)pool < r->count) {
        if (!csv_missing(r->csv, START) || !csv_missing(r->csv, TICK)) {
            refuse(r,
                   "start and tick_s stand in the first row of a pool; expected them empty here");
            return -1;
        }
        return pool;
    }
    struct seen_pool *pools = realloc(r->pools, (r->count + 1) * sizeof *pools);
    if (pools == NULL) {
        return -1;
    }
    r->pools = pools;
    r->pools[r->count++] = (struct seen_pool){.last_s = -1};
    return read_start(r, pool) ? pool : -1;
}

static bool read_values(struct trace_reading *r, int pool, double at_s)
{
    int64_t nodes;
    money_t price;
    if (csv_missing(r->csv, NODES) && csv_missing(r->csv, PRICE)) {
        return refuse(r, "the row says neither nodes nor price_per_hour; expected one of them, or "
                         "the mark 'hole' or 'end'");
    }
    if (!csv_missing(r->csv, NODES)) {
        if (!csv_int64(r->csv, NODES, &nodes)) {
            return false;
        }
        if (nodes < 0 || nodes > TRACE_MOST_NODES) {
            return refuse(r, "nodes is %lld; expected 0 to %d", (long long)nodes, TRACE_MOST_NODES);
        }
        trace_builder_nodes(r->builder, pool, at_s, nodes);
    }
    if (!csv_missing(r->csv, PRICE)) {
        if (!csv_money(r->csv, PRICE, &price)) {
            return false;
        }
        if (price <= 0) {
            return refuse(r, "price_per_hour is '%s'; expected a price above zero",
                          csv_text(r->csv, PRICE));
        }
        trace_builder_price(r->builder, pool, at_s, price);
    }
    return true;
}

static bool read_row(struct trace_reading *r)
{
    double at_s;
    const char *mark = csv_text(r->csv, MARK);
    int pool = find_pool(r);
    if (pool < 0 || !csv_double(r->csv, TIME, &at_s)) {
        return false;
    }
    struct seen_pool *seen = &r->pools[pool];
    if (seen->ended) {
        return refuse(r, "this row follows the end of its pool; expected nothing after it");
    }
    if (!(at_s >= 0 && at_s <= TRACE_LATEST_S)) {
        return refuse(r, "time_s is %g; expected 0 to %g", at_s, TRACE_LATEST_S);
    }
    if (at_s <= seen->last_s) {
        return refuse(r, "time_s is %g after %g; expected the rows of a pool in rising order", at_s,
                      seen->last_s);
    }
    seen->last_s = at_s;
    if (mark[0] == '\0') {
        return read_values(r, pool, at_s);
    }
    seen->ended = strcmp(mark, "end") == 0;
    if (!seen->ended && strcmp(mark, "hole") != 0) {
        return refuse(r, "mark is '%s'; expected 'hole', 'end' or nothing", mark);
    }
    if (!csv_missing(r->csv, NODES) || !csv_missing(r->csv, PRICE)) {
        return refuse(r, "a row marked '%s' has no values; expected nodes and price_per_hour empty",
                      mark);
    }
    if (seen->ended) {
        trace_builder_end(r->builder, pool, at_s);
    } else {
        trace_builder_hole(r->builder, pool, at_s);
    }
    return true;
}

static bool finish(struct trace_reading *r, struct trace_set *set, struct place where)
{
    size_t failed = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (!r->pools[i].ended) {
            diagnostics_add(r->d, DIAGNOSTIC_ERROR, where,
                            "the trace's pool %zu has no end; expected a last row with the mark "
                            "'end'",
                            i + 1);
            return false;
        }
    }
    switch (trace_builder_finish(r->builder, set, &failed)) {
    case TRACE_BUILT:
        return true;
    case TRACE_TOO_LONG:
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, where, "more than %d changes, too many",
                        TRACE_MOST_STEPS);
        return false;
    case TRACE_EMPTY:
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, where,
                        r->count == 0 ? "nothing is observed in this trace; expected rows"
                                      : "a pool of this trace has no observation before its end");
        return false;
    case TRACE_NO_MEMORY:
    default:
        diagnostics_add(r->d, DIAGNOSTIC_FAILURE, where, "out of memory");
        return false;
    }
}

bool trace_read(struct trace_set *set, struct arena *arena, const char *path,
                const char *shown_name, struct diagnostics *d)
{
    const char *name = shown_name == NULL ? path : shown_name;
    struct trace_reading r = {.csv = csv_open(path, shown_name, columns, d), .d = d};
    if (r.csv == NULL) {
        return false;
    }
    r.builder = trace_builder_new(arena);
    bool ok = r.builder != NULL;
    int status = 0;
    while (ok && (status = csv_next(r.csv)) == 1) {
        ok = read_row(&r);
    }
    if (!ok && !diagnostics_failed(d)) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){name, 0, 0}, "out of memory");
    }
    ok = ok && status == 0 && finish(&r, set, (struct place){name, 0, 0});
    trace_builder_free(r.builder);
    free(r.pools);
    csv_close(r.csv);
    return ok;
}

/* ---- finding and writing ---- */

static bool fits(const char *asked, const char *has)
{
    return asked == NULL || has[0] == '\0' || strcmp(asked, has) == 0;
}

const struct trace *trace_find(const struct trace_set *set, const char *zone, const char *type,
                               size_t *matches)
{
    const struct trace *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++) {
        const struct trace *t = &set->items[i];
        if (fits(zone, t->zone) && fits(type, t->instance_type)) {
            first = first == NULL ? t : first;
            count++;
        }
    }
    if (matches != NULL) {
        *matches = count;
    }
    return first;
}

static void write_row(struct csv_writer *w, const struct trace *t, bool first, double at_s)
{
    csv_put_text(w, t->zone);
    csv_put_text(w, t->instance_type);
    if (first && t->start_unix_s != TRACE_NO_START) {
        csv_put_time(w, t->start_unix_s);
    } else {
        csv_put_missing(w);
    }
    if (first) {
        csv_put_number(w, t->tick_s);
    } else {
        csv_put_missing(w);
    }
    csv_put_number(w, at_s);
}

static void write_step(struct csv_writer *w, const struct trace *t, bool first,
                       const struct trace_step *s, const struct trace_step *before)
{
    write_row(w, t, first, s->at_s);
    if (s->nodes != before->nodes && !s->hole) {
        csv_put_integer(w, s->nodes);
    } else {
        csv_put_missing(w);
    }
    if (s->price != before->price && !s->hole) {
        csv_put_money(w, s->price);
    } else {
        csv_put_missing(w);
    }
    csv_put_text(w, s->hole ? "hole" : "");
    csv_end_row(w);
}

static void write_end(struct csv_writer *w, const struct trace *t)
{
    write_row(w, t, false, t->end_s);
    csv_put_missing(w);
    csv_put_missing(w);
    csv_put_text(w, "end");
    csv_end_row(w);
}

bool trace_write_built(const struct trace_builder *b, FILE *out)
{
    struct csv_writer w;
    if (!csv_writer_init(&w, out)) {
        errno = ENOMEM;
        return false;
    }
    for (const char *const *c = columns; *c != NULL; c++) {
        csv_put_text(&w, *c);
    }
    csv_end_row(&w);
    for (size_t i = 0; i < trace_builder_count(b); i++) {
        struct trace t = trace_builder_head(b, i);
        struct trace_step before = trace_builder_before_all(), step = before;
        size_t at = 0;
        for (bool first = true; trace_builder_step(b, i, &at, &step); first = false) {
            write_step(&w, &t, first, &step, &before);
            before = step;
        }
        write_end(&w, &t);
    }
    return csv_writer_finish(&w);
}
