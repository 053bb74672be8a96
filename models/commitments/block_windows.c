/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/commitments/block_windows.h"

#include "engine/civil_time.h"
#include "engine/text.h"
#include "models/commitments/block_keys.h"
#include "models/commitments/capacity_block.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#define SOLD_AHEAD_S (56 * INT64_C(86400))

/* One item under way; seconds of the calendar. */
struct block_making {
    const struct block_spec *spec, *before; /* before: NULL for the first */
    const struct market_context *context;
    const char *type;
    int64_t before_end; /* of the item before */
    int64_t start, end, bought;
    struct market_window *out;
};

static bool complain(const struct block_making *m, enum diagnostic_kind kind, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));

static bool complain(const struct block_making *m, enum diagnostic_kind kind, const char *format,
                     ...)
{
    va_list args;
    va_start(args, format);
    diagnostics_addv(m->context->diagnostics, kind, m->spec->item.place, format, args);
    va_end(args);
    return false;
}

/* ---- when ---- */

static int64_t span_end(const struct quantity *q, int64_t from)
{
    return civil_add_months(from, q->months) + (int64_t)llround(q->value);
}

static bool read_start(struct block_making *m)
{
    const struct block_spec *s = m->spec;
    struct quantity span;
    char message[256];
    if (civil_parse(s->starts, &m->start)) {
        if (m->start >= m->context->start_unix_s) {
            return true;
        }
        diagnostics_add(m->context->diagnostics, DIAGNOSTIC_ERROR, s->starts_place,
                        "the block starts before the scenario does");
        return false;
    }
    if (quantity_parse(s->starts, strlen(s->starts), DIMENSION_SPAN, &span, message,
                       sizeof message) &&
        span.value >= 0) {
        m->start = span_end(&span, m->context->start_unix_s);
        return true;
    }
    diagnostics_add(m->context->diagnostics, DIAGNOSTIC_ERROR, s->starts_place,
                    "'%s' is neither a date nor a duration; expected such as '2026-04-01T11:30Z' "
                    "or '14d'",
                    s->starts);
    return false;
}

static bool find_start(struct block_making *m)
{
    const struct block_spec *s = m->spec;
    m->start = m->before != NULL ? m->before_end : m->context->start_unix_s;
    if (s->extends && m->before == NULL) {
        return complain(m, DIAGNOSTIC_ERROR,
                        "the first block extends nothing; expected it after the block it extends");
    }
    if (s->extends && s->starts != NULL) {
        return complain(m, DIAGNOSTIC_ERROR,
                        "a block that extends another begins where that one ends; drop 'starts'");
    }
    if (s->extends && (s->instances != m->before->instances || s->blocks != m->before->blocks)) {
        return complain(m, DIAGNOSTIC_ERROR,
                        "an extension is of as many instances as the block it extends; expected "
                        "'instances: %lld' and 'blocks: %lld'",
                        (long long)m->before->instances, (long long)m->before->blocks);
    }
    if (!s->extends && s->starts == NULL && m->before != NULL) {
        return complain(m, DIAGNOSTIC_ERROR,
                        "this block does not say when it begins; expected 'starts: …', or "
                        "'extends: yes'");
    }
    return s->starts == NULL || read_start(m);
}

static bool find_window(struct block_making *m)
{
    const struct block_spec *s = m->spec;
    const struct market_context *c = m->context;
    char text[24];
    if (!capacity_block_days_legal(s->days)) {
        return complain(m, DIAGNOSTIC_ERROR,
                        "a block cannot be of %lld days; expected 1 to 14 days, or whole weeks up "
                        "to 182 days",
                        (long long)s->days);
    }
    if (s->instances * s->blocks > CAPACITY_BLOCKS_TOGETHER) {
        return complain(m, DIAGNOSTIC_ERROR,
                        "%lld instances are more than %d, the most in all blocks at a time",
                        (long long)(s->instances * s->blocks), CAPACITY_BLOCKS_TOGETHER);
    }
    if (!find_start(m)) {
        return false;
    }
    if (m->before != NULL && m->start < m->before_end) {
        return complain(m, DIAGNOSTIC_ERROR,
                        "this block begins before the one above it ends, on %s; expected blocks in "
                        "the order of time, and 'blocks: N' for several at a time",
                        civil_time_text(m->before_end, text));
    }
    if ((double)(m->start - c->start_unix_s) >= c->horizon_s) {
        return complain(m, DIAGNOSTIC_ERROR,
                        "the block begins at or after the horizon; lengthen 'horizon'");
    }
    m->end = capacity_block_end(m->start, s->days);
    if (capacity_block_usable_until(m->start, m->end) <= m->start) {
        return complain(m, DIAGNOSTIC_ERROR,
                        "a block of %lld day%s that begins on %s ends at 11:30 UTC of the same "
                        "day, and its instances go 30 minutes before: nothing is left; choose "
                        "another start or more days",
                        (long long)s->days, text_plural((double)s->days),
                        civil_time_text(m->start, text));
    }
    return true;
}

static bool find_purchase(struct block_making *m)
{
    const struct market_context *c = m->context;
    const int64_t sold = m->start - SOLD_AHEAD_S;
    m->bought = sold > c->start_unix_s ? sold : c->start_unix_s;
    if (!m->spec->bought_given) {
        assumptions_add(c->assumptions, false, "default", "payment of capacity blocks",
                        "as soon as they are sold: eight weeks before they begin, at the earliest "
                        "at the start");
        return true;
    }
    m->bought = span_end(&m->spec->bought, c->start_unix_s);
    if (m->bought > m->start) {
        return complain(m, DIAGNOSTIC_ERROR, "the block is bought after it has begun");
    }
    if (m->bought < sold) {
        complain(m, DIAGNOSTIC_WARNING,
                 "blocks are sold at most eight weeks before they begin; this one is bought "
                 "earlier");
    }
    return true;
}

/* ---- at what price ---- */

static bool find_price(struct block_making *m)
{
    const struct block_spec *s = m->spec;
    const struct market_context *c = m->context;
    if (s->price.given && s->upfront.given) {
        return complain(m, DIAGNOSTIC_ERROR, "'price' and 'upfront' exclude each other; drop one");
    }
    if (s->price.given || s->upfront.given) {
        m->out->whole = s->upfront.given;
        m->out->price = s->upfront.given ? s->upfront : s->price;
        return true;
    }
    const int64_t as_of = m->bought < c->prices_as_of_unix_s ? m->bought : c->prices_as_of_unix_s;
    const struct block_price *row = catalogue_block(c->catalogue, m->type, c->region->code, as_of);
    if (row == NULL) {
        char why[700];
        catalogue_explain_missing_block(c->catalogue, m->type, c->region->code, as_of, why,
                                        sizeof why);
        return complain(m, DIAGNOSTIC_INFEASIBLE, "%s; or state 'price' or 'upfront'", why);
    }
    m->out->listed = row;
    char date[24], money[32];
    assumptions_add(c->assumptions, false, row->source,
                    arena_format(c->arena, "price of capacity blocks of %s", m->type),
                    "%s %s/h an instance, of %s%s%s%s", money_text(row->per_hour, money),
                    c->region->currency, civil_date_text(row->from_unix_s, date),
                    row->region == NULL ? ", for most regions at once" : "",
                    row->note[0] != '\0' ? "; " : "", row->note);
    return true;
}

static bool make_window(struct block_making *m)
{
    const struct block_spec *s = m->spec;
    const struct market_context *c = m->context;
    char from[24], to[24];
    *m->out = (struct market_window){.price = {.input = -1, .word = -1}};
    if (!find_window(m) || !find_purchase(m) || !find_price(m)) {
        return false;
    }
    m->out->nodes = (uint32_t)(s->instances * s->blocks);
    m->out->from_s = (double)(m->start - c->start_unix_s);
    m->out->until_s = (double)(capacity_block_usable_until(m->start, m->end) - c->start_unix_s);
    m->out->paid_until_s = (double)(m->end - c->start_unix_s);
    m->out->bought_s = (double)(m->bought - c->start_unix_s);
    m->out->name = arena_format(c->arena, "%u x %s from %s to %s", m->out->nodes, m->type,
                                civil_time_text(m->start, from), civil_time_text(m->end, to));
    return m->out->name != NULL;
}

const struct market_window *block_windows_make(const struct schema_list *specs, const char *type,
                                               const struct market_context *context)
{
    const struct block_spec *items = specs->items;
    struct market_window *windows = arena_array(context->arena, specs->count, sizeof *windows);
    struct block_making m = {.context = context, .type = type};
    if (windows == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < specs->count; i++) {
        m.spec = &items[i];
        m.out = &windows[i];
        if (!make_window(&m)) {
            return NULL;
        }
        if (items[i].extends) {
            windows[i - 1].until_s = windows[i - 1].paid_until_s;
        }
        m.before = m.spec;
        m.before_end = m.end;
    }
    return windows;
}
