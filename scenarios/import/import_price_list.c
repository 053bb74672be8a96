/* SPDX-License-Identifier: GPL-3.0-or-later
 * AWS price lists in CSV: the offer file of AmazonEC2 (on-demand prices and Reserved Instances) and
 * the index of savings plans, told apart by their columns. Metadata rows come first, then the
 * header; columns go by name, since files of several years have different ones. */
#include "engine/civil_time.h"
#include "engine/csv_reader.h"
#include "scenarios/import/offer_pairs.h"
#include "scenarios/import/price_rows.h"

#include <stdlib.h>
#include <string.h>

enum { DAY_S = 86400 };

struct list_head { /* what the rows before the header say */
    bool date_given;
    char date[24], version[24], code[48];
};

struct price_list {
    struct price_rows *rows;
    const struct import_request *r;
    const char *path, *source;
    struct csv_reader *csv;
    struct list_head head;
    int64_t published; /* the day */
    struct offer_pairs *pairs;
    /* Columns that files of some years lack; -1. */
    int region, location, capacity, market, family, license;
};

static void on_head_row(void *context, const char *name, const char *value)
{
    struct list_head *h = context;
    if (strcmp(name, "Publication Date") == 0) {
        snprintf(h->date, sizeof h->date, "%s", value);
        h->date_given = true;
    } else if (strcmp(name, "Version") == 0) {
        snprintf(h->version, sizeof h->version, "%s", value);
    } else if (strcmp(name, "OfferCode") == 0) {
        snprintf(h->code, sizeof h->code, "%s", value);
    }
}

static bool refuse(struct price_list *f, const char *what, const char *value, const char *expected)
{
    diagnostics_add(f->r->d, DIAGNOSTIC_ERROR, csv_place(f->csv), "%s '%.60s'; expected %s", what,
                    value, expected);
    return false;
}

/* The file's own day, and else --date; both are one too many. */
static bool read_head(struct price_list *f)
{
    int64_t at;
    struct place where = {f->path, 0, 0};
    if (!f->head.date_given) {
        if (!price_rows_day(f->rows, f->path, &f->published)) {
            return false;
        }
    } else if (!civil_parse(f->head.date, &at)) {
        diagnostics_add(f->r->d, DIAGNOSTIC_ERROR, where,
                        "publication date '%s'; expected one such as 2025-09-12T22:53:08Z",
                        f->head.date);
        return false;
    } else if (f->r->date_unix_s != INT64_MAX) {
        diagnostics_add(f->r->d, DIAGNOSTIC_ERROR, where,
                        "the file says that it was published at %s; expected no --date",
                        f->head.date);
        return false;
    } else {
        f->published = at - at % DAY_S;
    }
    char own[120];
    snprintf(own, sizeof own, "AWS price list %s %s",
             f->head.code[0] == '\0' ? "AmazonEC2" : f->head.code, f->head.version);
    f->source = price_rows_source(f->rows, f->path, f->head.version[0] == '\0' ? NULL : own);
    return f->source != NULL;
}

/* A list may state a price before it begins; one that held before the list is known from then on.
 */
static bool read_day(struct price_list *f, size_t column, int64_t *day)
{
    int64_t at;
    if (!civil_parse(csv_text(f->csv, column), &at)) {
        return refuse(f, "effective date", csv_text(f->csv, column), "a day such as 2025-09-01");
    }
    at -= at % DAY_S;
    *day = at > f->published ? at : f->published;
    return true;
}

static bool check_currency(struct price_list *f, const char *currency, size_t region)
{
    const struct region *known = catalogue_region_at(price_rows_catalogue(f->rows), region);
    return strcmp(currency, known->currency) == 0 ||
           refuse(f, "currency", currency, known->currency);
}

static bool read_payment(struct price_list *f, const char *text, enum payment_option *out)
{
    static const char *const names[] = {"No Upfront", "Partial Upfront", "All Upfront"};
    for (size_t i = 0; i < PAYMENT_COUNT; i++) {
        if (strcmp(text, names[i]) == 0) {
            *out = (enum payment_option)i;
            return true;
        }
    }
    return refuse(f, "purchase option", text, "No, Partial or All Upfront");
}

/* True when the value is the wanted one; else the row is left out. "" where the column is not in
 * this year's files. */
static bool is_wanted(struct price_list *f, const char *what, const char *value, const char *wanted)
{
    if (strcmp(value, wanted) == 0) {
        return true;
    }
    price_rows_skip(f->rows, what, *value == '\0' ? "(empty)" : value);
    return false;
}

/* ---- the offer file ---- */

enum {
    O_TERM_TYPE,
    O_EFFECTIVE,
    O_UNIT,
    O_PRICE,
    O_CURRENCY,
    O_LEASE,
    O_PAYMENT,
    O_CLASS,
    O_TYPE,
    O_TENANCY,
    O_SYSTEM,
    O_SOFTWARE
};
static const char *const offer_columns[] = {"TermType",
                                            "EffectiveDate",
                                            "Unit",
                                            "PricePerUnit",
                                            "Currency",
                                            "LeaseContractLength",
                                            "PurchaseOption",
                                            "OfferingClass",
                                            "Instance Type",
                                            "Tenancy",
                                            "Operating System",
                                            "Pre Installed S/W",
                                            NULL};

/* Files before 2021 name places alone, Ireland's as "EU (Ireland)". */
static bool region_by_location(struct price_list *f, size_t *region)
{
    const struct catalogue *c = price_rows_catalogue(f->rows);
    const char *location = csv_raw(f->csv, f->location);
    const bool eu = strncmp(location, "EU (", 4) == 0;
    for (size_t i = 0; i < catalogue_regions(c); i++) {
        const struct region *r = catalogue_region_at(c, i);
        bool same = strcmp(r->name, location) == 0 || (eu && strncmp(r->name, "Europe (", 8) == 0 &&
                                                       strcmp(r->name + 8, location + 4) == 0);
        if (same) {
            return price_rows_region(f->rows, r->code, region);
        }
    }
    return price_rows_region(f->rows, location, region);
}

static bool find_region(struct price_list *f, size_t *region)
{
    const char *code = csv_raw(f->csv, f->region);
    return *code != '\0' ? price_rows_region(f->rows, code, region) : region_by_location(f, region);
}

/* Linux without software, on shared hardware, at the open price. */
static bool is_plain(struct price_list *f)
{
    const struct csv_reader *c = f->csv;
    return is_wanted(f, "operating system", csv_text(c, O_SYSTEM), "Linux") &&
           is_wanted(f, "tenancy", csv_text(c, O_TENANCY), "Shared") &&
           is_wanted(f, "pre-installed software", csv_text(c, O_SOFTWARE), "NA") &&
           (f->capacity < 0 || is_wanted(f, "capacity status", csv_raw(c, f->capacity), "Used")) &&
           (f->market < 0 || is_wanted(f, "market option", csv_raw(c, f->market), "OnDemand")) &&
           (f->license < 0 ||
            is_wanted(f, "licence model", csv_raw(c, f->license), "No License required"));
}

static bool add_on_demand(struct price_list *f, const struct imported_price *row)
{
    if (!is_wanted(f, "on-demand unit", csv_text(f->csv, O_UNIT), "Hrs")) {
        return true;
    }
    if (row->per_hour == 0) {
        price_rows_skip(f->rows, "on-demand price 0", "");
        return true;
    }
    return price_rows_add(f->rows, row);
}

static bool add_reserved(struct price_list *f, struct imported_price *row)
{
    const char *lease = csv_text(f->csv, O_LEASE), *class = csv_text(f->csv, O_CLASS);
    const char *unit = csv_text(f->csv, O_UNIT);
    row->kind = PRICE_ROW_OFFER;
    if (strcmp(lease, "1yr") != 0 && strcmp(lease, "3yr") != 0 && strcmp(lease, "1 yr") != 0 &&
        strcmp(lease, "3 yr") != 0) {
        return refuse(f, "lease contract length", lease, "1yr or 3yr");
    }
    row->term = lease[0] == '3';
    if (strcmp(class, "standard") != 0 && strcmp(class, "convertible") != 0) {
        return refuse(f, "offering class", class, "standard or convertible");
    }
    row->offer = class[0] == 's' ? OFFER_STANDARD : OFFER_CONVERTIBLE;
    bool upfront = strcmp(unit, "Quantity") == 0;
    if (!upfront && strcmp(unit, "Hrs") != 0) {
        return refuse(f, "unit of a Reserved Instance", unit,
                      "Hrs, or Quantity for what is upfront");
    }
    if (!read_payment(f, csv_text(f->csv, O_PAYMENT), &row->payment)) {
        return false;
    }
    return offer_pairs_add(f->pairs, row, upfront);
}

static bool read_offer_row(struct price_list *f)
{
    const char *term = csv_text(f->csv, O_TERM_TYPE);
    const char *family = f->family < 0 ? "" : csv_raw(f->csv, f->family);
    struct imported_price row = {.file = f->path, .line = csv_line(f->csv), .source = f->source};
    if (csv_missing(f->csv, O_TYPE) ||
        (*family != '\0' && strncmp(family, "Compute Instance", 16) != 0)) {
        price_rows_skip(f->rows, "product family", *family == '\0' ? "without a type" : family);
        return true;
    }
    if (!price_rows_type(f->rows, csv_text(f->csv, O_TYPE), &row.type) ||
        !find_region(f, &row.region) || !is_plain(f)) {
        return true;
    }
    if (!read_day(f, O_EFFECTIVE, &row.day) ||
        !check_currency(f, csv_text(f->csv, O_CURRENCY), row.region)) {
        return false;
    }
    bool upfront = strcmp(csv_text(f->csv, O_UNIT), "Quantity") == 0;
    if (!(upfront ? offer_pairs_upfront : price_rows_money)(csv_text(f->csv, O_PRICE),
                                                            &row.per_hour)) {
        return refuse(f, "price", csv_text(f->csv, O_PRICE),
                      upfront ? "an amount, at most a hundred million"
                              : "a price per hour, at most a million");
    }
    if (strcmp(term, "Reserved") == 0) {
        return add_reserved(f, &row);
    }
    return !is_wanted(f, "term type", term, "OnDemand") || add_on_demand(f, &row);
}

/* ---- the index of savings plans ---- */

enum {
    P_UNIT,
    P_EFFECTIVE,
    P_RATE,
    P_CURRENCY,
    P_USAGE,
    P_OPERATION,
    P_PAYMENT,
    P_LENGTH,
    P_LENGTH_UNIT,
    P_FAMILY,
    P_REGION,
    P_TYPE
};
static const char *const plan_columns[] = {"Unit",
                                           "EffectiveDate",
                                           "DiscountedRate",
                                           "Currency",
                                           "DiscountedUsageType",
                                           "DiscountedOperation",
                                           "PurchaseOption",
                                           "LeaseContractLength",
                                           "LeaseContractLengthUnit",
                                           "Product Family",
                                           "DiscountedRegionCode",
                                           "DiscountedInstanceType",
                                           NULL};

/* "APE2-BoxUsage:r7g.large", in us-east-1 without a prefix: what runs on shared hardware. The rest
 * are dedicated hosts and instances, and reservations that nobody uses. */
static bool is_shared_usage(struct price_list *f)
{
    char kind[48];
    const char *usage = csv_text(f->csv, P_USAGE);
    const char *at = strstr(usage, "BoxUsage:");
    bool shared = at == usage || (at != NULL && at[-1] == '-');
    if (!shared) {
        const char *dash = strchr(usage, '-');
        const char *colon = strchr(usage, ':');
        const char *from = dash != NULL && (colon == NULL || dash < colon) ? dash + 1 : usage;
        snprintf(kind, sizeof kind, "%.*s", colon == NULL ? 40 : (int)(colon - from), from);
        price_rows_skip(f->rows, "usage", kind);
    }
    return shared;
}

static bool plan_kind(struct price_list *f, enum offer_kind *kind)
{
    const char *family = csv_text(f->csv, P_FAMILY);
    if (strcmp(family, "EC2InstanceSavingsPlans") == 0) {
        *kind = OFFER_INSTANCE_SAVINGS;
    } else if (strcmp(family, "ComputeSavingsPlans") == 0) {
        *kind = OFFER_COMPUTE_SAVINGS;
    } else {
        price_rows_skip(f->rows, "product family", *family == '\0' ? "(empty)" : family);
        return false;
    }
    return true;
}

static bool read_plan_row(struct price_list *f)
{
    struct imported_price row = {
        .kind = PRICE_ROW_OFFER, .file = f->path, .line = csv_line(f->csv), .source = f->source};
    if (csv_missing(f->csv, P_TYPE)) {
        price_rows_skip(f->rows, "services other than instances", "");
        return true;
    }
    if (!price_rows_type(f->rows, csv_text(f->csv, P_TYPE), &row.type) ||
        !price_rows_region(f->rows, csv_text(f->csv, P_REGION), &row.region) ||
        !is_shared_usage(f) ||
        !is_wanted(f, "operation", csv_text(f->csv, P_OPERATION), "RunInstances") ||
        !plan_kind(f, &row.offer)) {
        return true;
    }
    const char *length = csv_text(f->csv, P_LENGTH), *unit = csv_text(f->csv, P_LENGTH_UNIT);
    if ((strcmp(length, "1") != 0 && strcmp(length, "3") != 0) || strncmp(unit, "year", 4) != 0) {
        return refuse(f, "lease contract length", length, "1 or 3, of years");
    }
    row.term = length[0] == '3';
    if (strcmp(csv_text(f->csv, P_UNIT), "Hrs") != 0) {
        return refuse(f, "unit", csv_text(f->csv, P_UNIT), "Hrs");
    }
    if (!read_payment(f, csv_text(f->csv, P_PAYMENT), &row.payment) ||
        !read_day(f, P_EFFECTIVE, &row.day) ||
        !check_currency(f, csv_text(f->csv, P_CURRENCY), row.region)) {
        return false;
    }
    if (!price_rows_money(csv_text(f->csv, P_RATE), &row.per_hour) || row.per_hour == 0) {
        return refuse(f, "rate", csv_text(f->csv, P_RATE), "one above zero, at most a million");
    }
    return price_rows_add(f->rows, &row);
}

/* ---- both ---- */

static bool read_rows(struct price_list *f, bool (*read_row)(struct price_list *f))
{
    int got;
    while ((got = csv_next(f->csv)) == 1) {
        if (!read_row(f)) {
            return false;
        }
    }
    return got == 0;
}

static struct csv_reader *open_list(struct price_list *f, const char *const *wanted)
{
    f->head = (struct list_head){0};
    struct csv_preamble preamble = {"SKU", on_head_row, &f->head};
    csv_close(f->csv);
    f->csv = csv_open_behind(f->path, f->path, &preamble, wanted, f->r->d);
    return f->csv;
}

static bool read_offers(struct price_list *f)
{
    f->region = csv_find_column(f->csv, "Region Code");
    f->location = csv_find_column(f->csv, "Location");
    f->capacity = csv_find_column(f->csv, "CapacityStatus");
    f->market = csv_find_column(f->csv, "MarketOption");
    f->family = csv_find_column(f->csv, "Product Family");
    f->license = csv_find_column(f->csv, "License Model");
    f->pairs = offer_pairs_new(f->rows, f->r);
    if (f->pairs == NULL) {
        return false;
    }
    if (f->region < 0 && f->location < 0) {
        return refuse(f, "no column", "Region Code", "it or 'Location'");
    }
    return read_rows(f, read_offer_row) && offer_pairs_finish(f->pairs);
}

static bool read_list(struct price_rows *rows, const struct import_request *r, const char *path)
{
    struct price_list f = {.rows = rows, .r = r, .path = path};
    bool ok = open_list(&f, NULL) != NULL;
    bool plans = ok && csv_find_column(f.csv, "DiscountedRate") >= 0;
    ok = ok && open_list(&f, plans ? plan_columns : offer_columns) != NULL && read_head(&f);
    ok = ok && (plans ? read_rows(&f, read_plan_row) : read_offers(&f));
    offer_pairs_free(f.pairs);
    csv_close(f.csv);
    return ok;
}

static void *read_all(const struct import_request *r)
{
    return price_rows_import(r, read_list);
}

const struct importer importer_price_list = {
    .name = "price-list",
    .summary = "AWS price lists in CSV, to a price file",
    .first_column = PRICE_ROWS_BEGIN,
    .prices = true,
    .read = read_all,
    .write = price_rows_write,
    .release = price_rows_release,
};
