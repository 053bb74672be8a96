/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/catalogue/price_file.h"

#include "engine/civil_time.h"
#include "engine/text.h"

#include <stdio.h>
#include <string.h>

enum { ROWS_MAX = 1000000 };
static const money_t DEAREST = 1000000 * MONEY_UNIT; /* an hour; above it a row is a slip */

const char *const price_row_nouns[] = {"on-demand price", "spot price", "reserved offer",
                                       "savings-plan rate", "advisor bucket"};
const char *const price_term_names[] = {"1y", "3y", NULL};

/* ---- keys that occur twice --------------------------------------------------- */

/* "1y standard no-upfront offer" */
static const char *noun_of(const struct price_key *key, char out[80])
{
    if (key->kind < KEY_RESERVED) {
        return price_row_nouns[key->kind];
    }
    unsigned bit = 0;
    while (!(key->statistics >> bit & 1)) {
        bit++;
    }
    snprintf(out, 80, "%s %s %s offer", price_term_names[bit / PAYMENT_COUNT],
             offer_kind_names[key->kind - KEY_RESERVED], payment_option_names[bit % PAYMENT_COUNT]);
    return out;
}

static void tell_clash(const struct price_key *key, int earlier_line, void *context)
{
    struct price_file *f = context;
    const struct catalogue *c = f->in.catalogue;
    char day[24], noun[80];
    diagnostics_add(
        f->in.diagnostics, DIAGNOSTIC_ERROR, (struct place){f->in.shown_name, key->line, 0},
        "the %s of '%s' in '%s' on %s is given twice; line %d has it too", noun_of(key, noun),
        c->types[key->cell / c->region_count].name, c->regions[key->cell % c->region_count].code,
        civil_date_text(key->day, day), earlier_line);
    f->in.failed = true;
}

bool price_file_remember(struct price_file *f, int kind, uint32_t cell, int64_t day,
                         uint8_t statistics)
{
    struct price_key key = {.day = day,
                            .cell = cell,
                            .line = csv_line(f->in.csv),
                            .kind = (uint8_t)kind,
                            .statistics = statistics};
    return price_keys_add(&f->keys, key) || input_out_of_memory(&f->in);
}

bool price_file_close(struct price_file *f)
{
    if (f->in.csv) {
        price_keys_check(&f->keys, tell_clash, f);
    }
    price_keys_release(&f->keys);
    return input_close(&f->in);
}

/* ---- fields that all price rows have ------------------------------------------ */

bool price_file_price(struct catalogue_input *in, size_t column, const char *name, money_t *price)
{
    if (csv_missing(in->csv, column)) {
        input_error(in, "'%s' is empty; leave a row without a price out", name);
        return false;
    }
    if (!csv_money(in->csv, column, price)) {
        in->failed = true;
        return false;
    }
    if (*price <= 0) {
        input_error(in,
                    "'%s' is '%s'; expected a price above 0: a missing price is left out, "
                    "never zero",
                    name, csv_text(in->csv, column));
        return false;
    }
    if (*price > DEAREST) {
        input_error(in, "'%s' is '%s'; expected at most a million an hour", name,
                    csv_text(in->csv, column));
        return false;
    }
    return true;
}

bool price_file_currency(struct catalogue_input *in, size_t column, size_t region)
{
    if (region == NOT_FOUND) {
        return true;
    }
    const struct region *r = &in->catalogue->regions[region];
    const char *currency = csv_text(in->csv, column);
    if (strcmp(currency, r->currency) != 0) {
        input_error(in, "currency '%s'; prices in '%s' are in %s", currency, r->code, r->currency);
        return false;
    }
    return true;
}

bool price_file_head(struct catalogue_input *in, struct row_head *head)
{
    bool good = input_cell(in, C_REGION, C_TYPE, &head->cell, &head->region);
    return input_day(in, C_DATE, &head->day) && good;
}

const char *price_file_source(struct catalogue_input *in, size_t column)
{
    if (csv_missing(in->csv, column)) {
        input_error(in, "'source' is empty; every row needs it");
        return NULL;
    }
    return input_source(in, csv_text(in->csv, column));
}

bool price_file_add_price(struct catalogue_input *in, struct price_book *book,
                          const struct row_head *head, int64_t confirmed, money_t price,
                          const char *source)
{
    struct price_row row = {.cell = head->cell,
                            .origin = {.layer = in->layer, .line = csv_line(in->csv)},
                            .price = {.from_unix_s = head->day,
                                      .confirmed_unix_s = confirmed,
                                      .per_hour = price,
                                      .layer = in->catalogue->layers[in->layer],
                                      .source = source}};
    return price_book_add(book, &row) || input_out_of_memory(in);
}

bool price_file_rows(struct price_file *f, bool (*read_row)(struct price_file *))
{
    size_t count = 0;
    while (input_next(&f->in, count, ROWS_MAX) && read_row(f)) {
        count++;
    }
    return price_file_close(f);
}

int price_file_choice(struct catalogue_input *in, const char *name, const char *value,
                      const char *const *choices, const char *expected)
{
    size_t count = 0;
    for (; choices[count]; count++) {
        if (strcmp(value, choices[count]) == 0) {
            return (int)count;
        }
    }
    const char *meant = text_suggest(value, choices, count);
    if (meant) {
        input_error(in, "unknown %s '%s'; did you mean '%s'?", name, value, meant);
    } else {
        input_error(in, "unknown %s '%s'; expected %s", name, value, expected);
    }
    return -1;
}

bool price_file_add_advisor(struct price_file *f, const struct row_head *head,
                            enum advisor_bucket bucket, double savings, const char *source)
{
    struct catalogue_input *in = &f->in;
    struct advisor_entry entry = {.cell = head->cell,
                                  .layer = in->layer,
                                  .line = csv_line(in->csv),
                                  .row = {.bucket = bucket,
                                          .savings_frac = savings,
                                          .date_unix_s = head->day,
                                          .source = source,
                                          .layer = in->catalogue->layers[in->layer]}};
    return price_file_remember(f, ROW_ADVISOR, head->cell, head->day, ALL_STATISTICS) &&
           (advisor_book_add(&in->catalogue->advisor, &entry) || input_out_of_memory(in));
}
