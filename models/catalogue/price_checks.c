/* SPDX-License-Identifier: GPL-3.0-or-later
 * See price_checks.h. */
#include "models/catalogue/price_checks.h"

#include "engine/civil_time.h"
#include "models/catalogue/catalogue_folder.h"

#include <stdlib.h>

static const char *type_of(const struct catalogue *c, size_t cell)
{
    return c->types[cell / c->region_count].name;
}

static const char *region_of(const struct catalogue *c, size_t cell)
{
    return c->regions[cell % c->region_count].code;
}

/* ---- spot above on-demand ------------------------------------------------------- */

static bool is_above(const struct catalogue *c, size_t cell, const struct dated_price *spot)
{
    const struct dated_price *cap = price_book_at(&c->on_demand, cell, spot->from_unix_s);
    return cap && spot->per_hour > cap->per_hour + SPOT_ROUNDING;
}

/* Of several statistics of one date only the highest is told. */
static bool told_by_higher(const struct catalogue *c, size_t cell, size_t statistic, int64_t day)
{
    for (size_t s = statistic + 1; s < SPOT_STATISTIC_COUNT; s++) {
        const struct dated_price *other = price_book_at(&c->spot[s], cell, day);
        if (other && other->from_unix_s == day && is_above(c, cell, other)) {
            return true;
        }
    }
    return false;
}

static void warn_above(const struct catalogue *c, size_t cell, size_t statistic,
                       const struct dated_price *spot, struct diagnostics *d)
{
    struct price_origin origin = price_book_origin(&c->spot[statistic], spot);
    const char *file =
        origin.layer == 0 ? catalogue_file_names[FILE_PRICES_SPOT] : c->layers[origin.layer];
    const struct dated_price *cap = price_book_at(&c->on_demand, cell, spot->from_unix_s);
    char day[24], cap_day[24], price[32], cap_price[32];
    diagnostics_add(d, DIAGNOSTIC_WARNING, (struct place){file, origin.line, 0},
                    "the %s spot price of '%s' in '%s' on %s, %s, is above the on-demand price "
                    "known then, %s since %s",
                    spot_statistic_names[statistic], type_of(c, cell), region_of(c, cell),
                    civil_date_text(spot->from_unix_s, day), money_text(spot->per_hour, price),
                    money_text(cap->per_hour, cap_price),
                    civil_date_text(cap->from_unix_s, cap_day));
}

void price_checks_spot(const struct catalogue *c, struct diagnostics *d)
{
    for (size_t s = 0; s < SPOT_STATISTIC_COUNT; s++) {
        for (size_t cell = 0; cell < store_cells(c); cell++) {
            const struct dated_price *rows;
            size_t count = price_book_rows(&c->spot[s], cell, &rows);
            for (size_t i = 0; i < count; i++) {
                if (is_above(c, cell, &rows[i]) &&
                    !told_by_higher(c, cell, s, rows[i].from_unix_s)) {
                    warn_above(c, cell, s, &rows[i], d);
                }
            }
        }
    }
}

/* ---- rows that an earlier layer ends --------------------------------------------- */

/* The first such row of a price file. */
struct ended {
    int line; /* 0 = none */
    bool more;
    const char *what; /* "spot price" */
    size_t cell;
    int64_t from_unix_s, until_unix_s;
    const char *by; /* the layer that ends it */
};

static void note_ended(struct ended *e, struct ended found)
{
    if (e->line != 0 && e->line != found.line) {
        found.more = e->more = true;
    }
    if (e->line == 0 || found.line < e->line) {
        *e = found;
    }
}

static void find_ended(const struct catalogue *c, const struct price_book *book, const char *what,
                       struct ended *by_layer)
{
    for (size_t cell = 0; cell < store_cells(c); cell++) {
        const struct dated_price *rows;
        size_t count = price_book_rows(book, cell, &rows);
        uint32_t highest_after = 0;
        for (size_t i = count; i-- > 0;) {
            struct price_origin origin = price_book_origin(book, &rows[i]);
            if (origin.layer > highest_after && i + 1 < count) {
                note_ended(&by_layer[origin.layer],
                           (struct ended){.line = origin.line,
                                          .what = what,
                                          .cell = cell,
                                          .from_unix_s = rows[i].from_unix_s,
                                          .until_unix_s = rows[i + 1].from_unix_s,
                                          .by = rows[i + 1].layer});
            }
            highest_after = origin.layer > highest_after ? origin.layer : highest_after;
        }
    }
}

/* One offer of the rows of one type, region and class. */
static void find_ended_offer(const struct reserved_row *rows, size_t count, size_t term,
                             size_t payment, struct ended *by_layer)
{
    uint32_t highest_after = 0;
    const struct reserved_row *next = NULL;
    for (size_t i = count; i-- > 0;) {
        if (rows[i].per_hour[term][payment] == 0) {
            continue;
        }
        if (rows[i].rank > highest_after && next) {
            note_ended(&by_layer[rows[i].rank], (struct ended){.line = rows[i].line,
                                                               .what = "reserved offer",
                                                               .cell = rows[i].cell,
                                                               .from_unix_s = rows[i].from_unix_s,
                                                               .until_unix_s = next->from_unix_s,
                                                               .by = next->layer});
        }
        highest_after = rows[i].rank > highest_after ? rows[i].rank : highest_after;
        next = &rows[i];
    }
}

static void find_ended_offers(const struct catalogue *c, struct ended *by_layer)
{
    const struct reserved_row *rows = c->reserved.rows;
    size_t count = c->reserved.count, first = 0;
    for (size_t i = 0; i < count; i++) {
        bool last = i + 1 == count || rows[i + 1].cell != rows[first].cell ||
                    rows[i + 1].kind != rows[first].kind;
        if (!last) {
            continue;
        }
        for (size_t term = 0; term < 2; term++) {
            for (size_t payment = 0; payment < PAYMENT_COUNT; payment++) {
                find_ended_offer(rows + first, i + 1 - first, term, payment, by_layer);
            }
        }
        first = i + 1;
    }
}

static void find_ended_advice(const struct catalogue *c, struct ended *by_layer)
{
    const struct advisor_entry *next = NULL;
    uint32_t highest_after = 0;
    for (size_t i = c->advisor.count; i-- > 0;) {
        const struct advisor_entry *e = &c->advisor.entries[i];
        if (next && next->cell != e->cell) {
            next = NULL;
            highest_after = 0;
        }
        if (next && e->layer > highest_after) {
            note_ended(&by_layer[e->layer], (struct ended){.line = e->line,
                                                           .what = "advisor bucket",
                                                           .cell = e->cell,
                                                           .from_unix_s = e->row.date_unix_s,
                                                           .until_unix_s = next->row.date_unix_s,
                                                           .by = next->row.layer});
        }
        highest_after = e->layer > highest_after ? e->layer : highest_after;
        next = e;
    }
}

static void warn_ended(const struct catalogue *c, const char *file, const struct ended *e,
                       struct diagnostics *d)
{
    char from[24], until[24];
    diagnostics_add(d, DIAGNOSTIC_WARNING, (struct place){file, e->line, 0},
                    "this %s of '%s' in '%s' holds from %s only to %s, when a newer row of "
                    "'%s' follows; date it on or after that day to replace the newer row%s",
                    e->what, type_of(c, e->cell), region_of(c, e->cell),
                    civil_date_text(e->from_unix_s, from), civil_date_text(e->until_unix_s, until),
                    e->by, e->more ? " (as for other rows of this file)" : "");
}

bool price_checks_layers(const struct catalogue *c, struct diagnostics *d)
{
    if (c->layer_count < 2) {
        return true;
    }
    struct ended *by_layer = calloc(c->layer_count, sizeof *by_layer);
    if (!by_layer) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0},
                        "out of memory while checking price files");
        return false;
    }
    find_ended(c, &c->on_demand, "on-demand price", by_layer);
    for (size_t s = 0; s < SPOT_STATISTIC_COUNT; s++) {
        find_ended(c, &c->spot[s], "spot price", by_layer);
    }
    find_ended_offers(c, by_layer);
    find_ended_advice(c, by_layer);
    for (size_t layer = 1; layer < c->layer_count; layer++) {
        if (by_layer[layer].line > 0) {
            warn_ended(c, c->layers[layer], &by_layer[layer], d);
        }
    }
    free(by_layer);
    return true;
}
