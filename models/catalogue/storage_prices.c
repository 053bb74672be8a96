/* SPDX-License-Identifier: GPL-3.0-or-later
 * See storage_prices.h. */
#include "models/catalogue/storage_prices.h"

#include "engine/civil_time.h"
#include "engine/text.h"
#include "models/catalogue/catalogue_input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a user's file fewer: each row of earlier layers is looked for in it. */
enum { ROWS_MAX = 100000, LAYER_ROWS_MAX = 10000, NAMED_REGIONS = 6 };
static const money_t DEAREST = 1000000 * MONEY_UNIT;
static const char FILE_NAME[] = "storage_network.csv";

/* A user's file may lack the last two. */
enum { C_REGION, C_ITEM, C_UNIT, C_DATE, C_PRICE, C_CURRENCY, C_UP_TO, C_SOURCE };
static const char *const columns[] = {"region",   "item",  "unit",   "date", "price",
                                      "currency", "up_to", "source", NULL};

static const char GIB_MONTH[] = "GiB-month", GIB[] = "GiB", IOPS_MONTH[] = "IOPS-month",
                  MIBPS_MONTH[] = "MiBps-month", REQUESTS[] = "1000-requests";

const char *const storage_item_names[] = {
    [STORAGE_GP3] = "gp3",
    [STORAGE_GP3_IOPS] = "gp3-iops",
    [STORAGE_GP3_THROUGHPUT] = "gp3-throughput",
    [STORAGE_GP2] = "gp2",
    [STORAGE_IO1] = "io1",
    [STORAGE_IO1_IOPS] = "io1-iops",
    [STORAGE_IO2] = "io2",
    [STORAGE_IO2_IOPS] = "io2-iops",
    [STORAGE_ST1] = "st1",
    [STORAGE_SC1] = "sc1",
    [STORAGE_S3] = "s3",
    [STORAGE_S3_PUT] = "s3-put",
    [STORAGE_S3_GET] = "s3-get",
    [STORAGE_NAT_HOUR] = "nat-hour",
    [STORAGE_NAT_DATA] = "nat-data",
    [STORAGE_CROSS_AZ] = "cross-az",
    [STORAGE_CROSS_REGION] = "cross-region",
    [STORAGE_INTERNET] = "internet",
    [STORAGE_EFS] = "efs",
    [STORAGE_EFS_IA] = "efs-ia",
    [STORAGE_EFS_THROUGHPUT] = "efs-throughput",
    [STORAGE_EFS_READ] = "efs-read",
    [STORAGE_EFS_WRITE] = "efs-write",
    [STORAGE_EFS_IA_READ] = "efs-ia-read",
    [STORAGE_EFS_IA_WRITE] = "efs-ia-write",
    [STORAGE_FSX_SCRATCH] = "fsx-lustre-scratch",
    [STORAGE_FSX_12] = "fsx-lustre-12",
    [STORAGE_FSX_40] = "fsx-lustre-40",
    [STORAGE_FSX_50] = "fsx-lustre-50",
    [STORAGE_FSX_100] = "fsx-lustre-100",
    [STORAGE_FSX_125] = "fsx-lustre-125",
    [STORAGE_FSX_200] = "fsx-lustre-200",
    [STORAGE_FSX_250] = "fsx-lustre-250",
    [STORAGE_FSX_500] = "fsx-lustre-500",
    [STORAGE_FSX_1000] = "fsx-lustre-1000",
    [STORAGE_ITEM_COUNT] = NULL,
};

/* The one unit in which an item is priced: a row in another would be off by its factor. */
static const char *item_unit(enum storage_item item)
{
    switch (item) {
    case STORAGE_GP3_IOPS:
    case STORAGE_IO1_IOPS:
    case STORAGE_IO2_IOPS:
        return IOPS_MONTH;
    case STORAGE_GP3_THROUGHPUT:
    case STORAGE_EFS_THROUGHPUT:
        return MIBPS_MONTH;
    case STORAGE_S3_PUT:
    case STORAGE_S3_GET:
        return REQUESTS;
    case STORAGE_NAT_HOUR:
        return "hour";
    case STORAGE_NAT_DATA:
    case STORAGE_CROSS_AZ:
    case STORAGE_CROSS_REGION:
    case STORAGE_INTERNET:
    case STORAGE_EFS_READ:
    case STORAGE_EFS_WRITE:
    case STORAGE_EFS_IA_READ:
    case STORAGE_EFS_IA_WRITE:
        return GIB;
    default:
        return GIB_MONTH;
    }
}

/* Whether billing counts the month's quantity (or the volume's): of anything else a second tier
 * would be read and never charged. */
static bool has_tiers(enum storage_item item)
{
    return item == STORAGE_INTERNET || item == STORAGE_CROSS_REGION || item == STORAGE_IO1_IOPS ||
           item == STORAGE_IO2_IOPS;
}

/* ---- reading ------------------------------------------------------------------- */

static bool read_region(struct catalogue_input *in, struct storage_row *row)
{
    const char *code = csv_text(in->csv, C_REGION);
    size_t region = store_region(in->catalogue, code);
    if (region == NOT_FOUND) {
        const char *meant = catalogue_suggest_region(in->catalogue, code);
        input_error(in, "unknown region '%s'%s%s%s", code, meant ? "; did you mean '" : "",
                    meant ? meant : "", meant ? "'?" : "");
        return false;
    }
    row->region = (uint32_t)region;
    return true;
}

static bool read_item(struct catalogue_input *in, struct storage_row *row)
{
    const char *name = csv_text(in->csv, C_ITEM);
    for (int i = 0; i < STORAGE_ITEM_COUNT; i++) {
        if (strcmp(storage_item_names[i], name) != 0) {
            continue;
        }
        row->item = (enum storage_item)i;
        row->unit = item_unit(row->item);
        if (strcmp(csv_text(in->csv, C_UNIT), row->unit) != 0) {
            input_error(in, "'unit' is '%s'; expected '%s', in which '%s' is priced",
                        csv_text(in->csv, C_UNIT), row->unit, name);
            return false;
        }
        return true;
    }
    input_error(in, "unknown item '%s'; expected one such as 'gp3', 's3' or 'internet'", name);
    return false;
}

static bool read_price(struct catalogue_input *in, struct storage_row *row)
{
    row->up_to = HUGE_VAL;
    bool with_tiers = csv_find_column(in->csv, columns[C_UP_TO]) >= 0;
    if (with_tiers && !csv_missing(in->csv, C_UP_TO) &&
        (!input_amount(in, C_UP_TO, "up_to", 1, true, &row->up_to) || row->up_to <= 0)) {
        input_error(in, "'up_to' is '%s'; expected a quantity above 0, or nothing",
                    csv_text(in->csv, C_UP_TO));
        return false;
    }
    if (!csv_money(in->csv, C_PRICE, &row->price)) {
        in->failed = true;
        return false;
    }
    if (row->price <= 0 || row->price > DEAREST) {
        input_error(in, "'price' is '%s'; expected a price above 0 and at most a million",
                    csv_text(in->csv, C_PRICE));
        return false;
    }
    const char *currency = csv_text(in->csv, C_CURRENCY);
    const struct region *r = &in->catalogue->regions[row->region];
    if (strcmp(currency, r->currency) != 0) {
        input_error(in, "currency '%s'; prices in '%s' are in %s", currency, r->code, r->currency);
        return false;
    }
    return true;
}

static bool read_row(struct catalogue_input *in, void *to)
{
    struct storage_row *row = to;
    bool good = read_region(in, row);
    good &= read_item(in, row);
    good = good && read_price(in, row);
    good &= input_day(in, C_DATE, &row->from_unix_s);
    row->layer = in->layer;
    row->line = csv_line(in->csv);
    if (in->layer == 0) {
        row->source = input_text(in, C_SOURCE, "source", true);
    } else {
        const char *given = csv_raw(in->csv, csv_find_column(in->csv, columns[C_SOURCE]));
        row->source = input_source(in, *given ? given : in->shown_name);
    }
    return good && row->source;
}

static int compare_series(const struct storage_row *a, const struct storage_row *b)
{
    int order = (a->region > b->region) - (a->region < b->region);
    order = order ? order : (a->item > b->item) - (a->item < b->item);
    return order ? order : (a->from_unix_s > b->from_unix_s) - (a->from_unix_s < b->from_unix_s);
}

static int compare_rows(const void *left, const void *right)
{
    const struct storage_row *a = left, *b = right;
    int order = compare_series(a, b);
    order = order ? order : (a->up_to > b->up_to) - (a->up_to < b->up_to);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static void tell(struct catalogue_input *in, const struct storage_row *row, const char *wrong)
{
    char day[24];
    diagnostics_add(in->diagnostics, DIAGNOSTIC_ERROR, (struct place){in->shown_name, row->line, 0},
                    "the price of '%s' in '%s' on %s %s", storage_item_names[row->item],
                    in->catalogue->regions[row->region].code,
                    civil_date_text(row->from_unix_s, day), wrong);
    in->failed = true;
}

/* Every series of the file by itself. */
static void check_series(struct catalogue_input *in, const struct storage_row *rows, size_t count)
{
    size_t tiers = 1;
    for (size_t i = 1; i < count; i++) {
        bool same = compare_series(&rows[i - 1], &rows[i]) == 0;
        tiers = same ? tiers + 1 : 1;
        if (same && !(rows[i - 1].up_to < rows[i].up_to)) {
            tell(in, &rows[i], "is given twice");
        } else if (tiers > STORAGE_TIERS) {
            tell(in, &rows[i], "has more than 8 tiers");
        } else if (tiers == 2 && !has_tiers(rows[i].item)) {
            tell(in, &rows[i], "has tiers; it is charged at one price, whatever the quantity");
        }
    }
}

static bool is_replaced(const struct storage_row *row, const struct storage_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (compare_series(row, &rows[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* A file's first row that a newer one of an earlier layer ends. rows: all, sorted. */
static void warn_ended(struct catalogue_input *in, const struct storage_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct storage_row *row = &rows[i], *next = row + 1;
        while (next < rows + count && compare_series(row, next) == 0) {
            next++;
        }
        if (row->layer != in->layer || next == rows + count || next->layer == in->layer ||
            next->region != row->region || next->item != row->item) {
            continue;
        }
        char from[24], until[24];
        diagnostics_add(
            in->diagnostics, DIAGNOSTIC_WARNING, (struct place){in->shown_name, row->line, 0},
            "this price of '%s' in '%s' holds from %s only to %s, when a newer row of "
            "'%s' follows; date it on or after that day to replace the newer row",
            storage_item_names[row->item], in->catalogue->regions[row->region].code,
            civil_date_text(row->from_unix_s, from), civil_date_text(next->from_unix_s, until),
            in->catalogue->layers[next->layer]);
        return;
    }
}

/* Lays the file's rows over those of earlier layers. */
static void finish(struct catalogue_input *in, void *all, size_t count)
{
    struct storage_row *rows = all;
    struct storage_prices *s = &in->catalogue->storage;
    qsort(rows, count, sizeof *rows, compare_rows);
    check_series(in, rows, count);
    struct storage_row *laid = arena_array(in->catalogue->arena, s->count + count, sizeof *laid);
    if (!laid) {
        input_out_of_memory(in);
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (!is_replaced(&s->rows[i], rows, count)) {
            laid[kept++] = s->rows[i];
        }
    }
    memcpy(laid + kept, rows, count * sizeof *rows);
    s->rows = laid;
    s->count = kept + count;
    qsort(laid, s->count, sizeof *laid, compare_rows);
    if (in->layer > 0) {
        warn_ended(in, laid, s->count);
    }
}

bool storage_prices_read(struct catalogue *c, struct diagnostics *d)
{
    const struct input_rows rows = {.file = FILE_NAME,
                                    .columns = columns,
                                    .size = sizeof(struct storage_row),
                                    .most = ROWS_MAX,
                                    .read = read_row,
                                    .finish = finish};
    return input_read_optional(c, &rows, d);
}

bool storage_prices_are_in(const struct catalogue_input *in)
{
    return csv_find_column(in->csv, columns[C_ITEM]) >= 0 &&
           csv_find_column(in->csv, "instance_type") < 0;
}

bool storage_prices_read_layer(struct catalogue_input *in)
{
    size_t count = csv_find_column(in->csv, columns[C_UP_TO]) >= 0 ? C_SOURCE : C_UP_TO;
    const char *names[C_SOURCE + 1] = {0};
    const struct input_rows rows = {.columns = names,
                                    .size = sizeof(struct storage_row),
                                    .most = LAYER_ROWS_MAX,
                                    .read = read_row,
                                    .finish = finish};
    memcpy(names, columns, count * sizeof *names);
    return input_columns(in, names) ? input_read_rows(in, &rows) : input_close(in);
}

/* ---- prices -------------------------------------------------------------------------- */

double storage_price_of_first(const struct storage_price *p, double quantity)
{
    double units = 0, from = 0;
    for (size_t i = 0; i < p->tier_count && from < quantity; i++) {
        bool last = i + 1 == p->tier_count;
        double to = last || quantity < p->tiers[i].up_to ? quantity : p->tiers[i].up_to;
        units += (to - from) * money_to_double(p->tiers[i].price);
        from = to;
    }
    return units;
}

/* ---- looking up ------------------------------------------------------------------- */

bool catalogue_storage(const struct catalogue *c, enum storage_item item, const char *region,
                       int64_t as_of, struct storage_price *out)
{
    size_t wanted = store_region(c, region);
    *out = (struct storage_price){0};
    for (size_t i = 0; i < c->storage.count; i++) {
        const struct storage_row *row = &c->storage.rows[i];
        if (row->region != wanted || row->item != item || row->from_unix_s > as_of) {
            continue;
        }
        if (out->tier_count > 0 && row->from_unix_s > out->from_unix_s) {
            out->tier_count = 0;
        }
        out->tiers[out->tier_count++] =
            (struct storage_tier){.up_to = row->up_to, .price = row->price};
        out->from_unix_s = row->from_unix_s;
        out->unit = row->unit;
        out->layer = c->layers[row->layer];
        out->source = row->source;
    }
    return out->tier_count > 0;
}

/* ---- what exists instead ------------------------------------------------------------- */

static void add_places(struct text *t, const struct catalogue *c, enum storage_item item,
                       int64_t as_of)
{
    size_t found = 0;
    struct storage_price price;
    for (size_t r = 0; r < c->region_count; r++) {
        if (catalogue_storage(c, item, c->regions[r].code, as_of, &price)) {
            if (found < NAMED_REGIONS) {
                text_format(t, "%s%s", found ? ", " : "; it has one then in ", c->regions[r].code);
            }
            found++;
        }
    }
    if (found > NAMED_REGIONS) {
        text_format(t, " and %zu more", found - NAMED_REGIONS);
    }
    if (found > 0) {
        return;
    }
    const struct storage_row *first = NULL;
    for (size_t i = 0; i < c->storage.count; i++) {
        const struct storage_row *row = &c->storage.rows[i];
        if (row->item == item && (!first || row->from_unix_s < first->from_unix_s)) {
            first = row;
        }
    }
    char day[24];
    if (first) {
        text_format(t, "; the first is of %s, in %s", civil_date_text(first->from_unix_s, day),
                    c->regions[first->region].code);
    } else {
        text_add(t, "; no region has one");
    }
}

void catalogue_explain_missing_storage(const struct catalogue *c, enum storage_item item,
                                       const char *region, int64_t as_of, char *out,
                                       size_t out_size)
{
    static const int64_t last_day = INT64_C(32503593600); /* 2999-12-31 */
    int64_t day = as_of < 0 ? 0 : as_of > last_day ? last_day : as_of;
    struct text t;
    char text[24];
    text_init(&t, 4096);
    text_format(&t, "no price of '%s' in '%s' is known on %s", storage_item_names[item], region,
                civil_date_text(day, text));
    add_places(&t, c, item, day);
    snprintf(out, out_size, "%s", t.data);
    text_release(&t);
}
