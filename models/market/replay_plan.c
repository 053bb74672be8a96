/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/replay_plan.h"

#include "engine/civil_time.h"
#include "engine/file.h"
#include "engine/quantity.h"
#include "engine/text.h"
#include "models/market/pool_terms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Tells an error and returns false. */
#define COMPLAIN(c, where, ...)                                                                    \
    (diagnostics_add((c)->diagnostics, DIAGNOSTIC_ERROR, (where), __VA_ARGS__), false)

static bool out_of_memory(const struct market_context *c, struct place where)
{
    diagnostics_add(c->diagnostics, DIAGNOSTIC_FAILURE, where, "out of memory");
    return false;
}

/* ---- a table's clock ---- */

static double shift_s(const struct replay_file *f, const struct trace *t)
{
    return f->start_unix_s == TRACE_NO_START ? 0.0 : (double)(t->start_unix_s - f->start_unix_s);
}

static bool set_clock(struct replay_file *f, struct place where, const struct market_context *c)
{
    size_t dated = 0;
    f->start_unix_s = TRACE_NO_START;
    for (size_t i = 0; i < f->set.count; i++) {
        int64_t start = f->set.items[i].start_unix_s;
        if (start != TRACE_NO_START) {
            f->start_unix_s = dated == 0 || start < f->start_unix_s ? start : f->start_unix_s;
            dated++;
        }
    }
    if (dated > 0 && dated < f->set.count) {
        return COMPLAIN(c, where,
                        "trace '%s' says of %zu of its %zu pools when they start; to replay them "
                        "on one clock, expected all or none",
                        f->name, dated, f->set.count);
    }
    f->from_s = 0;
    f->until_s = HUGE_VAL;
    for (size_t i = 0; i < f->set.count; i++) {
        const struct trace *t = &f->set.items[i];
        f->from_s = fmax(f->from_s, shift_s(f, t) + t->steps[0].at_s);
        f->until_s = fmin(f->until_s, shift_s(f, t) + t->end_s);
    }
    if (!(f->until_s - f->from_s >= 1)) {
        return COMPLAIN(c, where,
                        "the pools of trace '%s' were never observed at the same time, so they "
                        "cannot be replayed on one clock; put them into files of their own",
                        f->name);
    }
    return true;
}

static const struct replay_file *find_file(const struct replay_files *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++) {
        if (strcmp(f->items[i].name, name) == 0) {
            return &f->items[i];
        }
    }
    return NULL;
}

/* ---- an entry's start ---- */

static bool is_random(const struct replay_spec *s)
{
    return s->start == NULL || strcmp(s->start, "random") == 0;
}

/* Seconds of the table's clock; false when the text is no start, told. */
static bool read_start(const struct replay_spec *s, const struct replay_file *f, double *at_s,
                       const struct market_context *c)
{
    int64_t unix_s;
    struct quantity q;
    char message[200];
    if (civil_parse(s->start, &unix_s)) {
        if (f->start_unix_s == TRACE_NO_START) {
            return COMPLAIN(c, s->start_place,
                            "'start' of the trace is a date, but '%s' does not say when it begins; "
                            "expected a time into the trace such as '36h', or 'random'",
                            f->name);
        }
        *at_s = (double)(unix_s - f->start_unix_s);
        return true;
    }
    if (!quantity_parse(s->start, strlen(s->start), DIMENSION_TIME, &q, message, sizeof message)) {
        return COMPLAIN(c, s->start_place,
                        "'start' of a trace is '%.40s'; expected 'random', a time into the trace "
                        "such as '36h', or a date such as '2026-03-02'",
                        s->start);
    }
    *at_s = q.value;
    return true;
}

static bool check_start(const struct replay_spec *s, const struct replay_file *f,
                        const struct market_context *c)
{
    double at_s;
    char from[32], until[32];
    if (is_random(s)) {
        return true;
    }
    if (!read_start(s, f, &at_s, c)) {
        return false;
    }
    if (at_s < f->from_s || at_s >= f->until_s) {
        return COMPLAIN(c, s->start_place,
                        "'start' lies outside of trace '%s', whose pools were all observed from "
                        "%s to %s into it",
                        f->name, quantity_time_text(f->from_s, from),
                        quantity_time_text(f->until_s, until));
    }
    return true;
}

/* ---- reading ---- */

static bool read_file(struct replay_file *f, const struct replay_spec *s,
                      const struct market_context *c)
{
    const char *path = c->folder == NULL ? s->file : file_join(c->arena, c->folder, s->file);
    f->name = s->file;
    if (path == NULL || !inputs_note_file(c->inputs, s->file)) {
        return out_of_memory(c, s->file_place);
    }
    f->good =
        trace_read(&f->set, c->arena, path, path, c->diagnostics) && set_clock(f, s->file_place, c);
    return true;
}

bool replay_files_read(struct replay_files *f, const struct schema_list *spot, bool *good,
                       const struct market_context *c)
{
    const struct spot_spec *specs = spot->items;
    f->count = 0;
    f->items = arena_array(c->arena, spot->count + 1, sizeof *f->items);
    if (f->items == NULL) {
        return false;
    }
    for (size_t i = 0; i < spot->count; i++) {
        const struct replay_spec *s = &specs[i].trace;
        if (s->file == NULL) {
            continue;
        }
        const struct replay_file *of = find_file(f, s->file);
        if (of == NULL) {
            of = &f->items[f->count++];
            if (!read_file(&f->items[f->count - 1], s, c)) {
                return false;
            }
        }
        good[i] = of->good && check_start(s, of, c) && good[i];
    }
    return true;
}

/* ---- a pool's series ---- */

/* What a step of the trace says; while nothing is known, `unknown`. */
static int64_t nodes_of(const struct trace_step *s, int64_t per_unit)
{
    return s->hole || s->nodes == TRACE_UNKNOWN ? 0 : s->nodes * per_unit;
}

struct series_making {
    const struct replay_file *file;
    const struct trace *trace;
    struct replay_step *steps;
    size_t count;
};

static void put_step(struct series_making *m, double clock_s, int64_t value)
{
    double at_s = fmax(0.0, clock_s - m->file->from_s);
    if (m->count > 0 && m->steps[m->count - 1].at_s == at_s) {
        m->count--; /* before the window: the latest counts */
    }
    if (m->count == 0 || m->steps[m->count - 1].value != value) {
        m->steps[m->count++] = (struct replay_step){at_s, value};
    }
}

static bool begin_series(struct series_making *m, const struct replay_file *f,
                         const struct trace *t, const struct market_context *c)
{
    *m = (struct series_making){.file = f, .trace = t};
    m->steps = arena_array(c->arena, t->count + 2, sizeof *m->steps);
    return m->steps != NULL;
}

static struct replay_series end_series(const struct series_making *m, bool wraps)
{
    return (struct replay_series){m->steps, m->count, m->file->until_s - m->file->from_s, wraps};
}

/* Where nothing was observed there are no nodes, and behind the end neither. *unknown_s: how long
 * that is inside the window. */
static bool make_nodes(struct replay_series *out, double *unknown_s, const struct replay_file *f,
                       const struct trace *t, const struct replay_spec *s,
                       const struct market_context *c)
{
    struct series_making m;
    if (!begin_series(&m, f, t, c)) {
        return false;
    }
    const int64_t per_unit = s->nodes_per_unit > 0 ? s->nodes_per_unit : 1;
    const double by_s = shift_s(f, t);
    *unknown_s = 0;
    for (size_t i = 0; i < t->count && by_s + t->steps[i].at_s < f->until_s; i++) {
        const struct trace_step *step = &t->steps[i];
        double end_s = by_s + (i + 1 < t->count ? t->steps[i + 1].at_s : t->end_s);
        double known_from_s = fmax(by_s + step->at_s, f->from_s);
        if (step->hole || step->nodes == TRACE_UNKNOWN) {
            *unknown_s += fmax(0.0, fmin(end_s, f->until_s) - known_from_s);
        }
        put_step(&m, by_s + step->at_s, nodes_of(step, per_unit));
    }
    if (!s->wrap) {
        put_step(&m, f->until_s, 0);
    }
    *out = end_series(&m, s->wrap);
    return true;
}

/* The last known price holds; before the first, the first. */
static bool make_price(struct replay_series *out, const struct replay_file *f,
                       const struct trace *t, const struct replay_spec *s,
                       const struct market_context *c)
{
    struct series_making m;
    if (!begin_series(&m, f, t, c)) {
        return false;
    }
    money_t price = TRACE_UNKNOWN;
    for (size_t i = 0; i < t->count && price == TRACE_UNKNOWN; i++) {
        price = t->steps[i].price;
    }
    put_step(&m, f->from_s, price);
    for (size_t i = 0; i < t->count && shift_s(f, t) + t->steps[i].at_s < f->until_s; i++) {
        price = t->steps[i].price != TRACE_UNKNOWN ? t->steps[i].price : price;
        put_step(&m, shift_s(f, t) + t->steps[i].at_s, price);
    }
    *out = end_series(&m, s->wrap);
    return true;
}

/* ---- in words ---- */

static void tell(const struct replay_plan *r, const struct replay_file *f, const struct trace *t,
                 const struct replay_spec *s, double unknown_s, const struct pool_info *pool,
                 const struct market_context *c)
{
    struct text value;
    char what[160], source[1100], length[32];
    text_init(&value, 600);
    const double length_s = f->until_s - f->from_s;
    text_format(&value, "%s of it, replayed from %s on; at its end %s",
                quantity_time_text(length_s, length),
                r->random ? "a random instant (one per replication, the same for all pools of the "
                            "file)"
                          : s->start,
                s->wrap ? "it goes on at its beginning" : "it has no nodes any more");
    if (r->nodes.count > 0 && unknown_s > 0) {
        text_format(&value, "; where it knows nothing, %.3g %% of the time, there are no nodes",
                    100 * unknown_s / length_s);
    }
    if (r->nodes.count > 0 && s->nodes_per_unit > 1) {
        text_format(&value, "; one of its nodes stands for %lld", (long long)s->nodes_per_unit);
    }
    snprintf(what, sizeof what, "spot %s of %s in %s",
             r->nodes.count == 0   ? "price"
             : r->price.count == 0 ? "capacity"
                                   : "capacity and price",
             pool->type->name, pool->zone);
    snprintf(source, sizeof source, "trace %.500s%s%s%s%s", f->name, t->zone[0] != '\0' ? ", " : "",
             t->zone, t->instance_type[0] != '\0' ? ", " : "", t->instance_type);
    assumptions_add(c->assumptions, false, source, what, "%s", value.data);
    text_release(&value);
}

/* ---- a pool ---- */

static const struct trace *find_trace(const struct replay_file *f, const struct replay_spec *s,
                                      const struct pool_info *pool, const struct market_context *c)
{
    const char *zone = s->zone != NULL ? s->zone : pool->zone;
    const char *type = s->instance != NULL ? s->instance : pool->type->name;
    size_t matches;
    const struct trace *t = trace_find(&f->set, zone, type, &matches);
    if (matches == 1) {
        return t;
    }
    const struct trace *has = &f->set.items[0];
    if (matches > 1) {
        (void)COMPLAIN(c, s->file_place,
                       "%zu pools of trace '%s' fit '%s' in '%s'; expected one: name them in the "
                       "table, or choose with 'zone' and 'instance'",
                       matches, f->name, type, zone);
    } else {
        (void)COMPLAIN(c, s->file_place,
                       "trace '%s' has no pool '%s' in '%s', which a strategy uses; it has %zu, "
                       "such as '%s' in '%s': choose with 'zone' and 'instance' of the trace",
                       f->name, type, zone, f->set.count, has->instance_type, has->zone);
    }
    return NULL;
}

static uint32_t most_of(const struct replay_series *s)
{
    int64_t most = 0;
    for (size_t i = 0; i < s->count; i++) {
        most = s->steps[i].value > most ? s->steps[i].value : most;
    }
    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX - 1;
}

struct replay_plan *replay_plan_new(const struct replay_files *files, const struct spot_spec *spec,
                                    const struct pool_info *pool, struct place where,
                                    const struct market_context *c)
{
    const struct replay_spec *s = &spec->trace;
    const struct replay_file *f = find_file(files, s->file);
    const struct trace *t = find_trace(f, s, pool, c);
    struct replay_plan *r = t == NULL ? NULL : arena_alloc(c->arena, sizeof *r);
    double at_s = f->from_s, unknown_s = 0;
    const bool nodes = pool_terms_spot_kind(spec) == CAPACITY_REPLAY;
    const bool price = spec->price_model == PRICE_MODEL_REPLAY;
    if (t == NULL) {
        return NULL;
    }
    if ((nodes && !t->has_nodes) || (price && !t->has_price)) {
        (void)COMPLAIN(c, s->file_place,
                       "trace '%s' has no %s of '%s' in '%s' to replay; choose another trace, or "
                       "another '%s'",
                       f->name, nodes && !t->has_nodes ? "nodes" : "price", pool->type->name,
                       pool->zone, nodes && !t->has_nodes ? "capacity" : "price_model");
        return NULL;
    }
    if (r == NULL || (nodes && !make_nodes(&r->nodes, &unknown_s, f, t, s, c)) ||
        (price && !make_price(&r->price, f, t, s, c))) {
        out_of_memory(c, where);
        return NULL;
    }
    r->file = f->name;
    r->random = is_random(s);
    if (!r->random) {
        (void)read_start(s, f, &at_s, c);
    }
    r->offset_s = at_s - f->from_s;
    r->most_nodes = most_of(&r->nodes);
    r->trace = t;
    r->nodes_per_unit = s->nodes_per_unit > 0 ? s->nodes_per_unit : 1;
    tell(r, f, t, s, unknown_s, pool, c);
    return r;
}

double replay_plan_offset_s(const struct replay_plan *r, struct random_world world)
{
    if (!r->random) {
        return r->offset_s;
    }
    const double length_s = r->nodes.count > 0 ? r->nodes.length_s : r->price.length_s;
    double u = random_uniform_at(world, random_source(REPLAY_START_SOURCE), 0);
    /* Whole seconds, so that a trace of whole seconds has its changes at such. */
    return fmin(floor(u * length_s), fmax(0.0, ceil(length_s) - 1.0));
}
