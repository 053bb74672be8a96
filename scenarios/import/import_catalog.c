/* SPDX-License-Identifier: GPL-3.0-or-later
 * SkyPilot's catalogue of AWS, vms.csv: one row for each type and zone, with the on-demand price of
 * the region and the spot price of the zone. A price file knows spot prices of a region, by
 * statistic over its zones; so zones are gathered here, and become min, mean and max. */
#include "engine/csv_reader.h"
#include "scenarios/import/price_rows.h"

#include <stdlib.h>
#include <string.h>

enum { C_TYPE, C_PRICE, C_SPOT, C_REGION, C_ZONE };
static const char *const columns[] = {"InstanceType",     "Price", "SpotPrice", "Region",
                                      "AvailabilityZone", NULL};

/* One zone's price; a zone name is short ("use1-az4", "us-east-1a"). */
struct zone_price {
    size_t type, region;
    char zone[40];
    money_t per_hour;
    int line;
};

struct vms {
    struct price_rows *rows;
    const struct import_request *r;
    struct csv_reader *csv;
    const char *path, *source;
    int64_t day;
    struct zone_price *zones;
    size_t count, capacity;
};

/* "use1-atl2-az1" and "us-east-1-atl-2a" are of local zones, which the regional price is not of:
 * a zone of the region is its code and a letter, or an identifier with one dash. */
static bool is_local_zone(const char *zone, const char *region)
{
    size_t length = strlen(region);
    if (strncmp(zone, region, length) == 0) {
        return strlen(zone) != length + 1;
    }
    const char *dash = strchr(zone, '-');
    return dash == NULL || strncmp(dash, "-az", 3) != 0;
}

static bool read_money(struct vms *f, size_t column, money_t *price)
{
    if (!price_rows_money(csv_text(f->csv, column), price)) {
        diagnostics_add(f->r->d, DIAGNOSTIC_ERROR, csv_place(f->csv),
                        "column '%s': '%.60s' will not do; expected a price per hour, at most a "
                        "million",
                        columns[column], csv_text(f->csv, column));
        return false;
    }
    return true;
}

static bool add_zone(struct vms *f, const struct zone_price *zone)
{
    if (f->count == f->capacity) {
        size_t capacity = f->capacity * 2 + 1024;
        struct zone_price *zones = realloc(f->zones, capacity * sizeof *zones);
        if (zones == NULL) {
            diagnostics_add(f->r->d, DIAGNOSTIC_FAILURE, (struct place){f->path, 0, 0},
                            "out of memory");
            return false;
        }
        f->zones = zones;
        f->capacity = capacity;
    }
    f->zones[f->count++] = *zone;
    return true;
}

/* What a cell says of a price: nothing and zero are no price. False when it is wrong (told). */
static bool read_cell(struct vms *f, size_t column, const char *what, bool *given, money_t *price)
{
    *given = false;
    if (csv_missing(f->csv, column)) {
        price_rows_skip(f->rows, "no", what);
        return true;
    }
    if (!read_money(f, column, price)) {
        return false;
    }
    *given = *price > 0;
    if (!*given) {
        price_rows_skip(f->rows, "price 0:", what);
    }
    return true;
}

static bool read_row(struct vms *f)
{
    struct imported_price row = {.kind = PRICE_ROW_ON_DEMAND,
                                 .day = f->day,
                                 .file = f->path,
                                 .source = f->source,
                                 .line = csv_line(f->csv)};
    struct zone_price zone = {.line = row.line};
    const char *name = csv_text(f->csv, C_ZONE);
    bool on_demand, spot;
    if (!price_rows_type(f->rows, csv_text(f->csv, C_TYPE), &row.type) ||
        !price_rows_region(f->rows, csv_text(f->csv, C_REGION), &row.region)) {
        return true;
    }
    if (is_local_zone(name, csv_text(f->csv, C_REGION))) {
        price_rows_skip(f->rows, "local zones", "");
        return true;
    }
    zone.type = row.type;
    zone.region = row.region;
    snprintf(zone.zone, sizeof zone.zone, "%.39s", name);
    return read_cell(f, C_PRICE, "on-demand price", &on_demand, &row.per_hour) &&
           (!on_demand || price_rows_add(f->rows, &row)) &&
           read_cell(f, C_SPOT, "spot price", &spot, &zone.per_hour) &&
           (!spot || add_zone(f, &zone));
}

/* ---- from zones to regions ---- */

static int compare_cells(const struct zone_price *a, const struct zone_price *b)
{
    if (a->type != b->type) {
        return a->type < b->type ? -1 : 1;
    }
    return a->region != b->region ? (a->region < b->region ? -1 : 1) : 0;
}

static int compare_zones(const void *left, const void *right)
{
    const struct zone_price *a = left, *b = right;
    int found = compare_cells(a, b);
    found = found != 0 ? found : strcmp(a->zone, b->zone);
    return found != 0 ? found : (a->line > b->line) - (a->line < b->line);
}

/* A type stands twice in a zone when two descriptions of its GPUs are about. */
static bool drop_repeated_zones(struct vms *f)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct zone_price *z = &f->zones[i], *before = &f->zones[kept > 0 ? kept - 1 : 0];
        if (kept > 0 && compare_cells(before, z) == 0 && strcmp(before->zone, z->zone) == 0) {
            if (before->per_hour != z->per_hour) {
                char here[32], there[32];
                diagnostics_add(f->r->d, DIAGNOSTIC_ERROR, (struct place){f->path, z->line, 0},
                                "the spot price in zone '%s' is %s here, and %s on line %d; "
                                "expected it once",
                                z->zone, money_text(z->per_hour, here),
                                money_text(before->per_hour, there), before->line);
                return false;
            }
            continue;
        }
        f->zones[kept++] = *z;
    }
    f->count = kept;
    return true;
}

static bool add_statistics(struct vms *f, const struct zone_price *zones, size_t count)
{
    money_t of[SPOT_STATISTIC_COUNT] = {zones[0].per_hour, 0, zones[0].per_hour};
    money_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        money_t price = zones[i].per_hour;
        sum += price; /* a million zones at a million an hour do not fit, but no region has any */
        of[SPOT_MIN] = price < of[SPOT_MIN] ? price : of[SPOT_MIN];
        of[SPOT_MAX] = price > of[SPOT_MAX] ? price : of[SPOT_MAX];
    }
    of[SPOT_MEAN] = money_share(sum, 1, (int64_t)count);
    for (size_t s = 0; s < SPOT_STATISTIC_COUNT; s++) {
        struct imported_price row = {.kind = PRICE_ROW_SPOT,
                                     .type = zones[0].type,
                                     .region = zones[0].region,
                                     .day = f->day,
                                     .per_hour = of[s],
                                     .statistic = (enum spot_statistic)s,
                                     .file = f->path,
                                     .source = f->source,
                                     .line = zones[0].line};
        if (!price_rows_add(f->rows, &row)) {
            return false;
        }
    }
    return true;
}

static bool gather_zones(struct vms *f)
{
    if (f->count > 0) {
        qsort(f->zones, f->count, sizeof *f->zones, compare_zones);
    }
    if (!drop_repeated_zones(f)) {
        return false;
    }
    size_t first = 0;
    for (size_t i = 1; i <= f->count; i++) {
        if (i < f->count && compare_cells(&f->zones[first], &f->zones[i]) == 0) {
            continue;
        }
        if (!add_statistics(f, f->zones + first, i - first)) {
            return false;
        }
        first = i;
    }
    return true;
}

static bool read_vms(struct price_rows *rows, const struct import_request *r, const char *path)
{
    struct vms f = {.rows = rows, .r = r, .path = path};
    f.source = price_rows_source(rows, path, NULL);
    f.csv = csv_open(path, NULL, columns, r->d);
    bool ok = f.csv != NULL && f.source != NULL && price_rows_day(rows, path, &f.day);
    int got = ok ? 1 : -1;
    while (got == 1 && (got = csv_next(f.csv)) == 1) {
        got = read_row(&f) ? 1 : -1;
    }
    ok = got == 0 && gather_zones(&f);
    csv_close(f.csv);
    free(f.zones);
    return ok;
}

static void *read_all(const struct import_request *r)
{
    return price_rows_import(r, read_vms);
}

const struct importer importer_catalog = {
    .name = "catalog",
    .summary = "SkyPilot's vms.csv, to a price file",
    .first_column = PRICE_ROWS_BEGIN,
    .prices = true,
    .read = read_all,
    .write = price_rows_write,
    .release = price_rows_release,
};
