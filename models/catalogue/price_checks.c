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
    bool spot;
    size_t cell;
    const struct dated_price *row; /* the next one ends it */
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

static void find_ended(const struct catalogue *c, const struct price_book *book, bool spot,
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
                           (struct ended){
                               .line = origin.line, .spot = spot, .cell = cell, .row = &rows[i]});
            }
            highest_after = origin.layer > highest_after ? origin.layer : highest_after;
        }
    }
}

static void warn_ended(const struct catalogue *c, const char *file, const struct ended *e,
                       struct diagnostics *d)
{
    char from[24], until[24];
    diagnostics_add(d, DIAGNOSTIC_WARNING, (struct place){file, e->line, 0},
                    "this %s price of '%s' in '%s' holds from %s only to %s, when a newer row of "
                    "'%s' follows; date it on or after that day to replace the newer row%s",
                    e->spot ? "spot" : "on-demand", type_of(c, e->cell), region_of(c, e->cell),
                    civil_date_text(e->row->from_unix_s, from),
                    civil_date_text(e->row[1].from_unix_s, until), e->row[1].layer,
                    e->more ? " (as for other rows of this file)" : "");
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
    find_ended(c, &c->on_demand, false, by_layer);
    for (size_t s = 0; s < SPOT_STATISTIC_COUNT; s++) {
        find_ended(c, &c->spot[s], true, by_layer);
    }
    for (size_t layer = 1; layer < c->layer_count; layer++) {
        if (by_layer[layer].line > 0) {
            warn_ended(c, c->layers[layer], &by_layer[layer], d);
        }
    }
    free(by_layer);
    return true;
}
