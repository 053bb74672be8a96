/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/catalogue/price_layer_file.h"

#include "models/catalogue/price_file.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {"on-demand",    "spot",    "reserved",
                                         "savings-plan", "advisor", NULL};
static const char *const class_names[] = {"standard", "convertible", NULL};
static const char *const plan_names[] = {"ec2-instance", "compute", NULL};

enum { U_KIND = C_OTHER, U_PRICE, U_CURRENCY };
static const char *const user_columns[] = {"region",         "instance_type", "date", "kind",
                                           "price_per_hour", "currency",      NULL};

/* Bits of the statistics that the row speaks of; 0 on error. */
static uint8_t read_row_statistics(struct catalogue_input *in, int kind, const char *value)
{
    if (!*value) {
        return ALL_STATISTICS;
    }
    if (kind != ROW_SPOT) {
        input_error(in, "statistic '%s' of %s %s; expected none", value,
                    kind == ROW_ON_DEMAND || kind == ROW_ADVISOR ? "an" : "a",
                    kind < 0 ? "row of no known kind" : price_row_nouns[kind]);
        return 0;
    }
    int statistic = price_file_choice(in, "statistic", value, spot_statistic_names,
                                      "min, mean or max, or nothing");
    if (statistic < 0) {
        return 0;
    }
    return (uint8_t)(1u << statistic);
}

static bool is_offer(int kind)
{
    return kind == ROW_RESERVED || kind == ROW_SAVINGS;
}

/* What was offered: of a reserved offer or a savings-plan rate alone, and then all three. */
struct row_offer {
    int offering_class, term, payment;
};

static bool read_offer_part(struct catalogue_input *in, int kind, const char *name, int column,
                            const char *const *choices, const char *expected, int *out)
{
    const char *value = csv_raw(in->csv, column);
    const bool wanted = is_offer(kind);
    *out = -1;
    if (wanted && !*value) {
        input_error(in, "'%s' of a %s is missing; expected %s", name, price_row_nouns[kind],
                    expected);
    } else if (wanted) {
        *out = price_file_choice(in, name, value, choices, expected);
    } else if (*value) {
        input_error(
            in, "%s '%s' belongs to reserved offers and savings-plan rates alone; expected none",
            name, value);
    }
    return wanted ? *out >= 0 : !*value;
}

static bool read_offer(struct price_file *f, int kind, struct row_offer *o)
{
    const bool plan = kind == ROW_SAVINGS;
    if (kind < 0) {
        return false; /* told already: nobody knows what it wants */
    }
    bool good = read_offer_part(
        &f->in, kind, "class", f->class_column, plan ? plan_names : class_names,
        plan ? "ec2-instance or compute" : "standard or convertible", &o->offering_class);
    good &= read_offer_part(&f->in, kind, "term", f->term_column, price_term_names, "1y or 3y",
                            &o->term);
    good &= read_offer_part(&f->in, kind, "payment", f->payment_column, payment_option_names,
                            "no-upfront, partial-upfront or all-upfront", &o->payment);
    return good;
}

static const char *row_source(struct price_file *f)
{
    const char *given = csv_raw(f->in.csv, f->source_column);
    return input_source(&f->in, *given ? given : f->in.shown_name);
}

/* A price, or of an offer `none`: there is no such offer from this day on. */
static bool read_user_price(struct catalogue_input *in, int kind, money_t *price)
{
    if (is_offer(kind) && strcmp(csv_text(in->csv, U_PRICE), "none") == 0) {
        *price = RESERVED_NONE;
        return true;
    }
    return price_file_price(in, U_PRICE, user_columns[U_PRICE], price);
}

static bool add_offer(struct price_file *f, int kind, const struct row_head *head,
                      const struct row_offer *o, money_t price, const char *source)
{
    static const enum offer_kind offers[][2] = {
        [ROW_RESERVED] = {OFFER_STANDARD, OFFER_CONVERTIBLE},
        [ROW_SAVINGS] = {OFFER_INSTANCE_SAVINGS, OFFER_COMPUTE_SAVINGS}};
    const enum offer_kind offer = offers[kind][o->offering_class];
    struct catalogue_input *in = &f->in;
    struct reserved_row row = {
        .cell = head->cell,
        .kind = offer,
        .rank = in->layer,
        .line = csv_line(in->csv),
        .from_unix_s = head->day,
        .confirmed_unix_s = head->day,
        .layer = in->catalogue->layers[in->layer],
        .source = source,
    };
    row.per_hour[o->term][o->payment] = price;
    uint8_t bit = (uint8_t)(1u << (o->term * PAYMENT_COUNT + o->payment));
    return price_file_remember(f, KEY_RESERVED + (int)offer, head->cell, head->day, bit) &&
           (reserved_offers_add(&in->catalogue->reserved, &row) || input_out_of_memory(in));
}

/* ---- the advisor's buckets ---- */

/* -1.0 when the row does not say it. */
static bool read_savings(struct price_file *f, double *savings)
{
    const char *value = csv_raw(f->in.csv, f->savings_column);
    char *end;
    *savings = -1.0;
    if (!*value) {
        return true;
    }
    double found = strtod(value, &end);
    if (*end || value[strspn(value, "0123456789.")] || !(found <= 1.0)) {
        input_error(&f->in, "savings_frac '%s'; expected a share from 0 to 1", value);
        return false;
    }
    *savings = found;
    return true;
}

static bool read_user_advisor(struct price_file *f, const struct row_head *head)
{
    struct catalogue_input *in = &f->in;
    double savings;
    if (!csv_missing(in->csv, U_PRICE) || !csv_missing(in->csv, U_CURRENCY)) {
        input_error(in, "an advisor bucket has no price; expected none, and no currency");
        return true;
    }
    int bucket = price_file_choice(in, "bucket", csv_raw(in->csv, f->bucket_column),
                                   advisor_bucket_names, BUCKETS_EXPECTED);
    if (bucket < 0 || !read_savings(f, &savings)) {
        return true;
    }
    const char *source = row_source(f);
    return source && price_file_add_advisor(f, head, (enum advisor_bucket)bucket, savings, source);
}

/* Columns of advisor rows alone. */
static bool lacks_advisor(struct price_file *f, int kind)
{
    bool empty = !*csv_raw(f->in.csv, f->bucket_column) && !*csv_raw(f->in.csv, f->savings_column);
    if (!empty && kind >= 0) {
        input_error(&f->in, "'bucket' and 'savings_frac' belong to advisor rows alone; expected "
                            "none");
    }
    return empty;
}

/* ---- rows of any kind ---- */

static bool read_user_row(struct price_file *f)
{
    struct catalogue_input *in = &f->in;
    struct row_head head;
    struct row_offer offer;
    money_t price;
    int kind = price_file_choice(in, "kind", csv_text(in->csv, U_KIND), kind_names,
                                 "on-demand, spot, reserved, savings-plan or advisor");
    uint8_t statistics = read_row_statistics(in, kind, csv_raw(in->csv, f->statistic_column));
    bool good = price_file_head(in, &head);
    good &= read_offer(f, kind, &offer);
    if (kind == ROW_ADVISOR) {
        return !good || !statistics || read_user_advisor(f, &head);
    }
    good &= lacks_advisor(f, kind);
    good &= price_file_currency(in, U_CURRENCY, head.region);
    good &= read_user_price(in, kind, &price);
    if (!good || kind < 0 || !statistics) {
        return true;
    }
    const char *source = row_source(f);
    struct catalogue *c = in->catalogue;
    if (is_offer(kind)) {
        return source && add_offer(f, kind, &head, &offer, price, source);
    }
    good = source && price_file_remember(f, kind, head.cell, head.day, statistics);
    if (kind == ROW_ON_DEMAND) {
        return good && price_file_add_price(in, &c->on_demand, &head, head.day, price, source);
    }
    for (size_t s = 0; good && s < SPOT_STATISTIC_COUNT; s++) {
        good = !(statistics >> s & 1) ||
               price_file_add_price(in, &c->spot[s], &head, head.day, price, source);
    }
    return good;
}

bool price_layer_file_read(struct catalogue_input *opened)
{
    struct price_file f = {.in = *opened};
    if (!input_columns(&f.in, user_columns)) {
        return price_file_close(&f);
    }
    f.statistic_column = csv_find_column(f.in.csv, "statistic");
    f.source_column = csv_find_column(f.in.csv, "source");
    f.class_column = csv_find_column(f.in.csv, "class");
    f.term_column = csv_find_column(f.in.csv, "term");
    f.payment_column = csv_find_column(f.in.csv, "payment");
    f.bucket_column = csv_find_column(f.in.csv, "bucket");
    f.savings_column = csv_find_column(f.in.csv, "savings_frac");
    return price_file_rows(&f, read_user_row);
}
