/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/import/price_layer.h"

#include "engine/civil_time.h"
#include "engine/csv_writer.h"

#include <errno.h>

static const char *const kind_names[] = {[PRICE_ROW_ON_DEMAND] = "on-demand",
                                         [PRICE_ROW_SPOT] = "spot",
                                         [PRICE_ROW_ADVISOR] = "advisor"};

static const char *const columns[] = {
    "region", "instance_type", "kind",    "date",   "price_per_hour", "currency", "statistic",
    "class",  "term",          "payment", "bucket", "savings_frac",   "source",   NULL};

static void put_offer(struct csv_writer *w, const struct imported_price *row)
{
    static const char *const classes[] = {[OFFER_STANDARD] = "standard",
                                          [OFFER_CONVERTIBLE] = "convertible",
                                          [OFFER_INSTANCE_SAVINGS] = "ec2-instance",
                                          [OFFER_COMPUTE_SAVINGS] = "compute"};
    csv_put_text(w, classes[row->offer]);
    csv_put_text(w, row->term == 0 ? "1y" : "3y");
    csv_put_text(w, payment_option_names[row->payment]);
}

static const char *kind_text(const struct imported_price *row)
{
    if (row->kind != PRICE_ROW_OFFER) {
        return kind_names[row->kind];
    }
    return row->offer <= OFFER_CONVERTIBLE ? "reserved" : "savings-plan";
}

static void put_missing(struct csv_writer *w, int cells)
{
    for (int i = 0; i < cells; i++) {
        csv_put_missing(w);
    }
}

static void put_price(struct csv_writer *w, const struct imported_price *row, const char *currency)
{
    if (row->kind == PRICE_ROW_ADVISOR) {
        put_missing(w, 2);
        return;
    }
    if (row->per_hour == RESERVED_NONE) {
        csv_put_text(w, "none");
    } else {
        csv_put_money(w, row->per_hour);
    }
    csv_put_text(w, currency);
}

static void put_row(struct csv_writer *w, const struct catalogue *c,
                    const struct imported_price *row)
{
    char day[24];
    const struct region *region = catalogue_region_at(c, row->region);
    csv_put_text(w, region->code);
    csv_put_text(w, catalogue_type_at(c, row->type)->name);
    csv_put_text(w, kind_text(row));
    csv_put_text(w, civil_date_text(row->day, day));
    put_price(w, row, region->currency);
    if (row->kind == PRICE_ROW_SPOT) {
        csv_put_text(w, spot_statistic_names[row->statistic]);
    } else {
        csv_put_missing(w);
    }
    if (row->kind == PRICE_ROW_OFFER) {
        put_offer(w, row);
    } else {
        put_missing(w, 3);
    }
    if (row->kind == PRICE_ROW_ADVISOR) {
        csv_put_text(w, advisor_bucket_names[row->bucket]);
    } else {
        csv_put_missing(w);
    }
    if (row->kind == PRICE_ROW_ADVISOR && row->savings_percent >= 0) {
        csv_put_number(w, row->savings_percent / 100.0);
    } else {
        csv_put_missing(w);
    }
    csv_put_text(w, row->source);
    csv_end_row(w);
}

bool price_layer_write(const struct imported_price *rows, size_t count, const struct catalogue *c,
                       FILE *out)
{
    struct csv_writer w;
    if (!csv_writer_init(&w, out)) {
        errno = ENOMEM;
        return false;
    }
    for (size_t i = 0; columns[i] != NULL; i++) {
        csv_put_text(&w, columns[i]);
    }
    csv_end_row(&w);
    for (size_t i = 0; i < count; i++) {
        put_row(&w, c, &rows[i]);
    }
    return csv_writer_finish(&w);
}
