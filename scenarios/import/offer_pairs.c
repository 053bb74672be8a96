/* SPDX-License-Identifier: GPL-3.0-or-later
 * One slot for each type, region, class, term and payment: some hundred thousand at most. */
#include "scenarios/import/offer_pairs.h"

#include <stdlib.h>
#include <string.h>

enum { CLASSES = 2, TERMS = 2, HOURS_OF_YEAR = 8760 };

static const money_t MOST_UPFRONT = 100000000 * MONEY_UNIT;

struct half {
    int line; /* 0: not seen */
    money_t amount;
};

struct offer_halves {
    struct half upfront, hourly;
    int64_t day;
    const char *file, *source;
};

struct offer_pairs {
    struct price_rows *rows;
    struct diagnostics *d;
    size_t regions, count;
    struct offer_halves *pairs;
};

struct offer_pairs *offer_pairs_new(struct price_rows *rows, const struct import_request *r)
{
    const struct catalogue *c = price_rows_catalogue(rows);
    struct offer_pairs *o = calloc(1, sizeof *o);
    if (o != NULL) {
        o->rows = rows;
        o->d = r->d;
        o->regions = catalogue_regions(c);
        o->count = catalogue_types(c) * o->regions * CLASSES * TERMS * PAYMENT_COUNT;
        o->pairs = calloc(o->count, sizeof *o->pairs);
    }
    if (o == NULL || o->pairs == NULL) {
        diagnostics_add(r->d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
        offer_pairs_free(o);
        return NULL;
    }
    return o;
}

void offer_pairs_free(struct offer_pairs *o)
{
    if (o != NULL) {
        free(o->pairs);
        free(o);
    }
}

bool offer_pairs_upfront(const char *text, money_t *out)
{
    if (text[0] == '\0' || text[strspn(text, "0123456789.")] != '\0') {
        return false;
    }
    char *end;
    money_t amount;
    double units = strtod(text, &end);
    if (*end != '\0' || !money_from_double(units, &amount) || amount > MOST_UPFRONT) {
        return false;
    }
    *out = amount;
    return true;
}

static size_t slot_of(const struct offer_pairs *o, const struct imported_price *row)
{
    size_t cell = row->type * o->regions + row->region;
    return ((cell * CLASSES + (row->offer == OFFER_CONVERTIBLE)) * TERMS + (size_t)row->term) *
               PAYMENT_COUNT +
           (size_t)row->payment;
}

/* The row that a slot stands for, without its price. */
static struct imported_price row_of(const struct offer_pairs *o, size_t slot)
{
    const struct offer_halves *pair = &o->pairs[slot];
    size_t rest = slot / PAYMENT_COUNT;
    struct imported_price row = {.kind = PRICE_ROW_OFFER,
                                 .payment = (enum payment_option)(slot % PAYMENT_COUNT),
                                 .term = (int)(rest % TERMS),
                                 .day = pair->day,
                                 .file = pair->file,
                                 .source = pair->source};
    rest /= TERMS;
    row.offer = rest % CLASSES == 0 ? OFFER_STANDARD : OFFER_CONVERTIBLE;
    rest /= CLASSES;
    row.region = rest % o->regions;
    row.type = rest / o->regions;
    row.line = pair->hourly.line > pair->upfront.line ? pair->hourly.line : pair->upfront.line;
    return row;
}

static void tell(const struct offer_pairs *o, size_t slot, int line, const char *what)
{
    const struct catalogue *c = price_rows_catalogue(o->rows);
    struct imported_price row = row_of(o, slot);
    diagnostics_add(o->d, DIAGNOSTIC_ERROR, (struct place){row.file, line, 0},
                    "the %dy %s %s offer of '%s' in '%s' %s", row.term == 0 ? 1 : 3,
                    offer_kind_names[row.offer], payment_option_names[row.payment],
                    catalogue_type_at(c, row.type)->name, catalogue_region_at(c, row.region)->code,
                    what);
}

bool offer_pairs_add(struct offer_pairs *o, const struct imported_price *row, bool upfront)
{
    size_t slot = slot_of(o, row);
    struct offer_halves *pair = &o->pairs[slot];
    struct half *half = upfront ? &pair->upfront : &pair->hourly;
    pair->file = row->file;
    pair->source = row->source;
    if (half->line != 0 && half->amount != row->per_hour) {
        char what[120], here[32], there[32];
        snprintf(what, sizeof what, "costs %s here and %s on line %d; expected it once",
                 money_text(row->per_hour, here), money_text(half->amount, there), half->line);
        tell(o, slot, row->line, what);
        return false;
    }
    half->line = row->line;
    half->amount = row->per_hour;
    pair->day = row->day > pair->day ? row->day : pair->day;
    return true;
}

static bool finish_pair(struct offer_pairs *o, size_t slot)
{
    const struct offer_halves *pair = &o->pairs[slot];
    struct imported_price row = row_of(o, slot);
    if (row.line == 0) {
        return true;
    }
    if (pair->upfront.line == 0 && row.payment != PAYMENT_NO_UPFRONT) {
        tell(o, slot, row.line, "lacks the row of what is paid upfront; was the file cut?");
        return false;
    }
    if (pair->hourly.line == 0 && row.payment != PAYMENT_ALL_UPFRONT) {
        tell(o, slot, row.line, "lacks the row of its hourly rate; was the file cut?");
        return false;
    }
    int64_t hours = HOURS_OF_YEAR * (row.term == 0 ? 1 : 3);
    row.per_hour = pair->hourly.amount + money_share(pair->upfront.amount, 1, hours);
    if (row.per_hour == 0) {
        price_rows_skip(o->rows, "reserved offers at price 0", "");
        return true;
    }
    return price_rows_add(o->rows, &row);
}

bool offer_pairs_finish(struct offer_pairs *o)
{
    bool good = true;
    for (size_t slot = 0; slot < o->count; slot++) {
        good &= finish_pair(o, slot);
    }
    return good;
}
