/* SPDX-License-Identifier: GPL-3.0-or-later
 * See price_files.h. */
#include "models/catalogue/price_files.h"

#include "engine/civil_time.h"
#include "engine/text.h"
#include "models/catalogue/catalogue_input.h"
#include "models/catalogue/price_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 1000000 };
/* The kinds of a user's file come first. */
enum row_kind { ROW_ON_DEMAND, ROW_SPOT, ROW_RESERVED, ROW_SAVINGS, ROW_ADVISOR };
static const char *const kind_names[] = {"on-demand",    "spot",    "reserved",
                                         "savings-plan", "advisor", NULL};
static const char *const kind_nouns[] = {"on-demand price", "spot price", "reserved offer",
                                         "savings-plan rate", "advisor bucket"};
/* Keys of reserved offers and savings-plan rates: this + enum offer_kind, a bit for each term and
 * payment. */
enum { KEY_RESERVED = ROW_ADVISOR + 1 };
static const char *const class_names[] = {"standard", "convertible", NULL};
static const char *const plan_names[] = {"ec2-instance", "compute", NULL};
#define BUCKETS_EXPECTED "<5%, 5-10%, 10-15%, 15-20% or >20%"
static const char *const term_names[] = {"1y", "3y", NULL};

static const money_t DEAREST = 1000000 * MONEY_UNIT; /* an hour; above it a row is a slip */
enum { ALL_STATISTICS = (1 << SPOT_STATISTIC_COUNT) - 1 };

struct price_file {
    struct catalogue_input in;
    struct price_keys keys;
    /* Of a user's file; -1 = not there. */
    int statistic_column, source_column, class_column, term_column, payment_column;
    int bucket_column, savings_column;
};

/* ---- keys that occur twice --------------------------------------------------- */

/* "1y standard no-upfront offer" */
static const char *noun_of(const struct price_key *key, char out[80])
{
    if (key->kind < KEY_RESERVED) {
        return kind_nouns[key->kind];
    }
    unsigned bit = 0;
    while (!(key->statistics >> bit & 1)) {
        bit++;
    }
    snprintf(out, 80, "%s %s %s offer", term_names[bit / PAYMENT_COUNT],
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

static bool remember_key(struct price_file *f, int kind, uint32_t cell, int64_t day,
                         uint8_t statistics)
{
    struct price_key key = {.day = day,
                            .cell = cell,
                            .line = csv_line(f->in.csv),
                            .kind = (uint8_t)kind,
                            .statistics = statistics};
    return price_keys_add(&f->keys, key) || input_out_of_memory(&f->in);
}

static bool close_file(struct price_file *f)
{
    if (f->in.csv) {
        price_keys_check(&f->keys, tell_clash, f);
    }
    price_keys_release(&f->keys);
    return input_close(&f->in);
}

/* ---- fields that all price rows have ------------------------------------------ */

static bool read_price(struct catalogue_input *in, size_t column, const char *name, money_t *price)
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

/* region NOT_FOUND: told already, nothing to compare with. */
static bool check_currency(struct catalogue_input *in, size_t column, size_t region)
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

/* Every file begins with these three columns, as far as its reader is concerned. */
enum { C_REGION, C_TYPE, C_DATE, C_OTHER };

struct row_head {
    uint32_t cell;
    size_t region;
    int64_t day;
};

static bool read_head(struct catalogue_input *in, struct row_head *head)
{
    bool good = input_cell(in, C_REGION, C_TYPE, &head->cell, &head->region);
    return input_day(in, C_DATE, &head->day) && good;
}

/* The source of a shipped row, which must be there. */
static const char *read_source(struct catalogue_input *in, size_t column)
{
    if (csv_missing(in->csv, column)) {
        input_error(in, "'source' is empty; every row needs it");
        return NULL;
    }
    return input_source(in, csv_text(in->csv, column));
}

static bool add_price(struct catalogue_input *in, struct price_book *book,
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

/* Reads all rows and checks the keys. read_row: false when memory is out. */
static bool read_rows(struct price_file *f, bool (*read_row)(struct price_file *))
{
    size_t count = 0;
    while (input_next(&f->in, count, ROWS_MAX) && read_row(f)) {
        count++;
    }
    return close_file(f);
}

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
    bool good = read_head(in, &head);
    good &= check_currency(in, D_CURRENCY, head.region);
    good &= read_price(in, D_PRICE, "price_per_hour", &price);
    good &= input_day(in, D_CONFIRMED, &confirmed);
    const char *source = read_source(in, D_SOURCE);
    if (!good || !source) {
        return true;
    }
    if (confirmed < head.day) {
        input_error(in, "'confirmed' is '%s'; expected no day before the row's date",
                    csv_text(in->csv, D_CONFIRMED));
        return true;
    }
    return remember_key(f, ROW_ON_DEMAND, head.cell, head.day, ALL_STATISTICS) &&
           add_price(in, &in->catalogue->on_demand, &head, confirmed, price, source);
}

bool price_files_read_on_demand(struct catalogue *c, struct diagnostics *d)
{
    struct price_file f = {.in = {.catalogue = c, .diagnostics = d}};
    if (!input_open_table(&f.in, FILE_PRICES_ON_DEMAND, on_demand_columns)) {
        return close_file(&f);
    }
    return read_rows(&f, read_on_demand_row);
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
        if (!read_price(in, S_MIN + s, spot_columns[S_MIN + s], &prices[s])) {
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
    bool good = read_head(in, &head);
    good &= check_currency(in, S_CURRENCY, head.region);
    good &= read_statistics(in, prices);
    const char *source = read_source(in, S_SOURCE);
    if (!good || !source) {
        return true;
    }
    good = remember_key(f, ROW_SPOT, head.cell, head.day, ALL_STATISTICS);
    for (size_t s = 0; good && s < SPOT_STATISTIC_COUNT; s++) {
        good = !prices[s] ||
               add_price(in, &in->catalogue->spot[s], &head, head.day, prices[s], source);
    }
    return good;
}

bool price_files_read_spot(struct catalogue *c, struct diagnostics *d)
{
    struct price_file f = {.in = {.catalogue = c, .diagnostics = d}};
    if (!input_open_table(&f.in, FILE_PRICES_SPOT, spot_columns)) {
        return close_file(&f);
    }
    return read_rows(&f, read_spot_row);
}

/* ---- a user's price file ------------------------------------------------------------- */

enum { U_KIND = C_OTHER, U_PRICE, U_CURRENCY };
static const char *const user_columns[] = {"region",         "instance_type", "date", "kind",
                                           "price_per_hour", "currency",      NULL};

/* Index of value in a NULL-terminated list, or -1, told with what was expected. */
static int read_choice(struct catalogue_input *in, const char *name, const char *value,
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

/* Bits of the statistics that the row speaks of; 0 on error. */
static uint8_t read_row_statistics(struct catalogue_input *in, int kind, const char *value)
{
    if (!*value) {
        return ALL_STATISTICS;
    }
    if (kind != ROW_SPOT) {
        input_error(in, "statistic '%s' of %s %s; expected none", value,
                    kind == ROW_ON_DEMAND || kind == ROW_ADVISOR ? "an" : "a",
                    kind < 0 ? "row of no known kind" : kind_nouns[kind]);
        return 0;
    }
    int statistic =
        read_choice(in, "statistic", value, spot_statistic_names, "min, mean or max, or nothing");
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
        input_error(in, "'%s' of a %s is missing; expected %s", name, kind_nouns[kind], expected);
    } else if (wanted) {
        *out = read_choice(in, name, value, choices, expected);
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
    good &= read_offer_part(&f->in, kind, "term", f->term_column, term_names, "1y or 3y", &o->term);
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
    return read_price(in, U_PRICE, user_columns[U_PRICE], price);
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
    return remember_key(f, KEY_RESERVED + (int)offer, head->cell, head->day, bit) &&
           (reserved_offers_add(&in->catalogue->reserved, &row) || input_out_of_memory(in));
}

/* ---- the advisor's buckets ---- */

static bool add_advisor(struct price_file *f, const struct row_head *head,
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
    return remember_key(f, ROW_ADVISOR, head->cell, head->day, ALL_STATISTICS) &&
           (advisor_book_add(&in->catalogue->advisor, &entry) || input_out_of_memory(in));
}

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
    int bucket = read_choice(in, "bucket", csv_raw(in->csv, f->bucket_column), advisor_bucket_names,
                             BUCKETS_EXPECTED);
    if (bucket < 0 || !read_savings(f, &savings)) {
        return true;
    }
    const char *source = row_source(f);
    return source && add_advisor(f, head, (enum advisor_bucket)bucket, savings, source);
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
    int kind = read_choice(in, "kind", csv_text(in->csv, U_KIND), kind_names,
                           "on-demand, spot, reserved, savings-plan or advisor");
    uint8_t statistics = read_row_statistics(in, kind, csv_raw(in->csv, f->statistic_column));
    bool good = read_head(in, &head);
    good &= read_offer(f, kind, &offer);
    if (kind == ROW_ADVISOR) {
        return !good || !statistics || read_user_advisor(f, &head);
    }
    good &= lacks_advisor(f, kind);
    good &= check_currency(in, U_CURRENCY, head.region);
    good &= read_user_price(in, kind, &price);
    if (!good || kind < 0 || !statistics) {
        return true;
    }
    const char *source = row_source(f);
    struct catalogue *c = in->catalogue;
    if (is_offer(kind)) {
        return source && add_offer(f, kind, &head, &offer, price, source);
    }
    good = source && remember_key(f, kind, head.cell, head.day, statistics);
    if (kind == ROW_ON_DEMAND) {
        return good && add_price(in, &c->on_demand, &head, head.day, price, source);
    }
    for (size_t s = 0; good && s < SPOT_STATISTIC_COUNT; s++) {
        good = !(statistics >> s & 1) || add_price(in, &c->spot[s], &head, head.day, price, source);
    }
    return good;
}

bool price_files_read_layer(struct catalogue_input *opened)
{
    struct price_file f = {.in = *opened};
    if (!input_columns(&f.in, user_columns)) {
        return close_file(&f);
    }
    f.statistic_column = csv_find_column(f.in.csv, "statistic");
    f.source_column = csv_find_column(f.in.csv, "source");
    f.class_column = csv_find_column(f.in.csv, "class");
    f.term_column = csv_find_column(f.in.csv, "term");
    f.payment_column = csv_find_column(f.in.csv, "payment");
    f.bucket_column = csv_find_column(f.in.csv, "bucket");
    f.savings_column = csv_find_column(f.in.csv, "savings_frac");
    return read_rows(&f, read_user_row);
}

/* ---- advisor, as shipped
 * --------------------------------------------------------------------------- */

enum { V_BUCKET = C_OTHER, V_SOURCE };
static const char *const advisor_columns[] = {"region", "instance_type", "date",
                                              "bucket", "source",        NULL};

static bool read_advisor_row(struct price_file *f)
{
    struct catalogue_input *in = &f->in;
    struct row_head head;
    if (!read_head(in, &head)) {
        return true;
    }
    int bucket = read_choice(in, "bucket", csv_text(in->csv, V_BUCKET), advisor_bucket_names,
                             BUCKETS_EXPECTED);
    const char *source = read_source(in, V_SOURCE);
    if (bucket < 0 || !source) {
        return true;
    }
    return add_advisor(f, &head, (enum advisor_bucket)bucket, -1.0, source);
}

bool price_files_read_advisor(struct catalogue *c, struct diagnostics *d)
{
    struct price_file f = {.in = {.catalogue = c, .diagnostics = d}};
    return input_open_table(&f.in, FILE_SPOT_ADVISOR, advisor_columns)
               ? read_rows(&f, read_advisor_row)
               : close_file(&f);
}
