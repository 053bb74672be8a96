/* SPDX-License-Identifier: GPL-3.0-or-later
 * See price_files.h. */
#include "models/catalogue/price_files.h"

#include "models/catalogue/price_file.h"

#include <string.h>

/* ---- on-demand, as shipped ------------------------------------------------------ */

enum { D_PRICE = C_OTHER, D_CURRENCY, D_CONFIRMED, D_SOURCE };
static const char *const on_demand_columns[] = {
    "region", "instance_type", "date", "price_per_hour", "currency", "confirmed", "source", NULL};

static bool read_on_demand_row(struct price_file *f)
{
    struct catalogue_input *in = &f->in;
    struct row_head head;
    int64_t confirmed;
    money_t price;
    bool good = price_file_head(in, &head);
    good &= price_file_currency(in, D_CURRENCY, head.region);
    good &= price_file_price(in, D_PRICE, "price_per_hour", &price);
    good &= input_day(in, D_CONFIRMED, &confirmed);
    const char *source = price_file_source(in, D_SOURCE);
    if (!good || !source) {
        return true;
    }
    if (confirmed < head.day) {
        input_error(in, "'confirmed' is '%s'; expected no day before the row's date",
                    csv_text(in->csv, D_CONFIRMED));
        return true;
    }
    return price_file_remember(f, ROW_ON_DEMAND, head.cell, head.day, ALL_STATISTICS) &&
           price_file_add_price(in, &in->catalogue->on_demand, &head, confirmed, price, source);
}

bool price_files_read_on_demand(struct catalogue *c, struct diagnostics *d)
{
    struct price_file f = {.in = {.catalogue = c, .diagnostics = d}};
    if (!input_open_table(&f.in, FILE_PRICES_ON_DEMAND, on_demand_columns)) {
        return price_file_close(&f);
    }
    return price_file_rows(&f, read_on_demand_row);
}

/* ---- spot, as shipped -------------------------------------------------------------- */

enum { S_MIN = C_OTHER, S_MEAN, S_MAX, S_CURRENCY, S_SOURCE };
static const char *const spot_columns[] = {"region",       "instance_type", "date",
                                           "min_per_hour", "mean_per_hour", "max_per_hour",
                                           "currency",     "source",        NULL};

static const money_t MEAN_ROUNDING = MONEY_UNIT / 1000000; /* means are kept to six decimals */

/* The prices that are there; at least one, and in order. */
static bool read_statistics(struct catalogue_input *in, money_t prices[SPOT_STATISTIC_COUNT])
{
    bool any = false;
    for (size_t s = 0; s < SPOT_STATISTIC_COUNT; s++) {
        prices[s] = 0;
        if (csv_missing(in->csv, S_MIN + s)) {
            continue;
        }
        any = true;
        if (!price_file_price(in, S_MIN + s, spot_columns[S_MIN + s], &prices[s])) {
            return false;
        }
    }
    if (!any) {
        input_error(in, "no price; expected at least one of min_per_hour, mean_per_hour and "
                        "max_per_hour");
        return false;
    }
    money_t least = 0;
    for (size_t s = 0; s < SPOT_STATISTIC_COUNT; s++) {
        if (prices[s] && prices[s] < least - MEAN_ROUNDING) {
            input_error(in, "'%s' is below the statistic before it; expected min <= mean <= max",
                        spot_columns[S_MIN + s]);
            return false;
        }
        least = prices[s] > least ? prices[s] : least;
    }
    return true;
}

static bool read_spot_row(struct price_file *f)
{
    struct catalogue_input *in = &f->in;
    struct row_head head;
    money_t prices[SPOT_STATISTIC_COUNT];
    bool good = price_file_head(in, &head);
    good &= price_file_currency(in, S_CURRENCY, head.region);
    good &= read_statistics(in, prices);
    const char *source = price_file_source(in, S_SOURCE);
    if (!good || !source) {
        return true;
    }
    good = price_file_remember(f, ROW_SPOT, head.cell, head.day, ALL_STATISTICS);
    for (size_t s = 0; good && s < SPOT_STATISTIC_COUNT; s++) {
        good = !prices[s] || price_file_add_price(in, &in->catalogue->spot[s], &head, head.day,
                                                  prices[s], source);
    }
    return good;
}

bool price_files_read_spot(struct catalogue *c, struct diagnostics *d)
{
    struct price_file f = {.in = {.catalogue = c, .diagnostics = d}};
    if (!input_open_table(&f.in, FILE_PRICES_SPOT, spot_columns)) {
        return price_file_close(&f);
    }
    return price_file_rows(&f, read_spot_row);
}

/* ---- advisor, as shipped ---------------------------------------------------------- */

enum { V_BUCKET = C_OTHER, V_SOURCE };
static const char *const advisor_columns[] = {"region", "instance_type", "date",
                                              "bucket", "source",        NULL};

static bool read_advisor_row(struct price_file *f)
{
    struct catalogue_input *in = &f->in;
    struct row_head head;
    if (!price_file_head(in, &head)) {
        return true;
    }
    int bucket = price_file_choice(in, "bucket", csv_text(in->csv, V_BUCKET), advisor_bucket_names,
                                   BUCKETS_EXPECTED);
    const char *source = price_file_source(in, V_SOURCE);
    if (bucket < 0 || !source) {
        return true;
    }
    return price_file_add_advisor(f, &head, (enum advisor_bucket)bucket, -1.0, source);
}

bool price_files_read_advisor(struct catalogue *c, struct diagnostics *d)
{
    struct price_file f = {.in = {.catalogue = c, .diagnostics = d}};
    return input_open_table(&f.in, FILE_SPOT_ADVISOR, advisor_columns)
               ? price_file_rows(&f, read_advisor_row)
               : price_file_close(&f);
}
