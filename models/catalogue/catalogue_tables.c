/* SPDX-License-Identifier: GPL-3.0-or-later
 * See catalogue_tables.h. */
#include "models/catalogue/catalogue_tables.h"

#include "models/catalogue/table_filling.h"

static const double GIB = 1073741824.0;

/* ---- instances ---------------------------------------------------------------- */

#define PRICE_COLUMNS 5
static const struct column instance_columns[] = {
    {"instance_type", "", "name of the instance type", COLUMN_TEXT, 0},
    {"accelerator", "", "short name of its accelerator", COLUMN_TEXT, 0},
    {"gpus", "", "accelerator chips, not cores; below 1: a share of one chip", COLUMN_NUMBER, -1},
    {"gpu_memory_gib", "GiB", "memory of one accelerator as the instance sees it", COLUMN_NUMBER,
     1},
    {"gpu_memory_total_gib", "GiB", "memory of all accelerators of the instance", COLUMN_NUMBER,
     -1},
    {"vcpus", "", "virtual CPUs", COLUMN_NUMBER, -1},
    {"memory_gib", "GiB", "main memory", COLUMN_NUMBER, -1},
    {"network_gbps", "Gbit/s", "peak network rate", COLUMN_NUMBER, -1},
    {"fp16_tflops", "TFLOPS", "dense FP16 tensor peak of one whole accelerator", COLUMN_NUMBER, -1},
    {"bf16_tflops", "TFLOPS", "dense BF16 tensor peak of one whole accelerator", COLUMN_NUMBER, -1},
    {"fp8_tflops", "TFLOPS", "dense FP8 tensor peak of one whole accelerator", COLUMN_NUMBER, -1},
    {"efa", "", "yes if the Elastic Fabric Adapter is supported", COLUMN_TEXT, 0},
    /* with a region only: */
    {"price_per_hour", "currency/h",
     "on-demand price of the whole instance (Linux, shared tenancy)", COLUMN_MONEY, 4},
    {"currency", "", "currency of the price", COLUMN_TEXT, 0},
    {"price_date", "", "day since which this price is known", COLUMN_TEXT, 0},
    {"price_confirmed", "", "newest day on which this price was seen", COLUMN_TEXT, 0},
    {"price_layer", "", "shipped, or the price file that the price is from", COLUMN_TEXT, 0},
    /* always: */
    {"date", "", "date of the description", COLUMN_TEXT, 0},
    {"source", "", "where the description is from", COLUMN_TEXT, 0},
};
enum {
    INSTANCE_COLUMNS = sizeof instance_columns / sizeof instance_columns[0],
    FIRST_PRICE_COLUMN = INSTANCE_COLUMNS - 2 - PRICE_COLUMNS
};

static void fill_price(struct filling *f, size_t row, const struct instance_type *t)
{
    const struct region *region = f->plan.region;
    const struct dated_price *price =
        catalogue_on_demand_at(f->catalogue, t->name, region->code, f->plan.day, f->plan.day);
    filling_text(f, row, "currency", region->currency);
    if (price) {
        filling_money(f, row, "price_per_hour", price->per_hour);
        filling_day(f, row, "price_date", price->from_unix_s);
        filling_day(f, row, "price_confirmed", price->confirmed_unix_s);
        filling_text(f, row, "price_layer", price->layer);
    }
}

static void fill_instance(struct filling *f, size_t row, const struct instance_type *t)
{
    double devices = t->accelerator_count < 1.0 ? 1.0 : t->accelerator_count;
    filling_text(f, row, "instance_type", t->name);
    filling_text(f, row, "accelerator", t->accelerator_name);
    filling_known(f, row, "gpus", t->accelerator_count);
    filling_known(f, row, "gpu_memory_gib", t->accelerator_memory_bytes / GIB);
    filling_known(f, row, "gpu_memory_total_gib", devices * t->accelerator_memory_bytes / GIB);
    filling_known(f, row, "vcpus", t->vcpus);
    filling_known(f, row, "memory_gib", t->memory_bytes / GIB);
    filling_known(f, row, "network_gbps", t->network_bytes_per_s * 8.0 / 1e9);
    if (t->accelerator) {
        const double *peak = t->accelerator->peak_flops;
        filling_known(f, row, "fp16_tflops", peak[PRECISION_FP16] / 1e12);
        filling_known(f, row, "bf16_tflops", peak[PRECISION_BF16] / 1e12);
        filling_known(f, row, "fp8_tflops", peak[PRECISION_FP8] / 1e12);
    }
    filling_text(f, row, "efa", t->efa ? "yes" : "no");
    filling_text(f, row, "date", t->date);
    filling_text(f, row, "source", t->source);
    if (f->plan.region) {
        fill_price(f, row, t);
    }
}

static bool make_instance_table(struct filling *f)
{
    struct column columns[INSTANCE_COLUMNS];
    size_t count = 0;
    for (size_t i = 0; i < INSTANCE_COLUMNS; i++) {
        bool of_price = i >= FIRST_PRICE_COLUMN && i < FIRST_PRICE_COLUMN + PRICE_COLUMNS;
        if (!of_price || f->plan.region) {
            columns[count++] = instance_columns[i];
        }
    }
    return filling_make_table(f, "instances", columns, count);
}

struct table *catalogue_table_instances(const struct catalogue *c, const struct catalogue_filter *f,
                                        struct diagnostics *d)
{
    struct filling fill;
    if (!filling_begin(&fill, c, f, true, d) || !make_instance_table(&fill)) {
        return filling_end(&fill);
    }
    for (size_t i = 0; fill.table && i < fill.type_count; i++) {
        size_t row = filling_add_row(&fill);
        if (row != SIZE_MAX) {
            fill_instance(&fill, row, fill.types[i]);
        }
    }
    return filling_end(&fill);
}

/* ---- regions and types together -------------------------------------------------- */

/* Every chosen type in the region asked for, or in each. */
static void visit_cells(struct filling *f, void (*visit)(struct filling *, const struct region *,
                                                         const struct instance_type *))
{
    for (size_t r = 0; r < catalogue_regions(f->catalogue); r++) {
        const struct region *region = catalogue_region_at(f->catalogue, r);
        if (f->plan.region && f->plan.region != region) {
            continue;
        }
        for (size_t i = 0; f->table && i < f->type_count; i++) {
            visit(f, region, f->types[i]);
        }
    }
}

/* Of `count` rows those to show: with history all that are known at the day, else the newest. */
static size_t shown_rows(const struct filling *f, const struct dated_price *rows, size_t count,
                         const struct dated_price **first)
{
    while (count > 0 && rows[count - 1].from_unix_s > f->plan.day) {
        count--;
    }
    bool newest_only = !f->plan.history && count > 0;
    *first = newest_only ? rows + count - 1 : rows;
    return newest_only ? 1 : count;
}

/* ---- on-demand prices ------------------------------------------------------------- */

static const struct column price_columns[] = {
    {"region", "", "code of the region", COLUMN_TEXT, 0},
    {"instance_type", "", "name of the instance type", COLUMN_TEXT, 0},
    {"price_per_hour", "currency/h",
     "on-demand price of the whole instance (Linux, shared tenancy)", COLUMN_MONEY, 4},
    {"currency", "", "currency of the price", COLUMN_TEXT, 0},
    {"price_per_gpu_hour", "currency/h", "price of the instance divided by its accelerators",
     COLUMN_NUMBER, 4},
    {"from_date", "", "day since which this price is known", COLUMN_TEXT, 0},
    {"confirmed", "", "newest day on which this price was seen", COLUMN_TEXT, 0},
    {"layer", "", "shipped, or the price file that the price is from", COLUMN_TEXT, 0},
    {"source", "", "where the price is from", COLUMN_TEXT, 0},
};

static void add_price(struct filling *f, const struct region *r, const struct instance_type *t,
                      const struct dated_price *price)
{
    size_t row = filling_add_row(f);
    if (row == SIZE_MAX) {
        return;
    }
    filling_text(f, row, "region", r->code);
    filling_text(f, row, "instance_type", t->name);
    filling_money(f, row, "price_per_hour", price->per_hour);
    filling_text(f, row, "currency", r->currency);
    filling_known(f, row, "price_per_gpu_hour",
                  money_to_double(price->per_hour) / t->accelerator_count);
    filling_day(f, row, "from_date", price->from_unix_s);
    filling_day(f, row, "confirmed", price->confirmed_unix_s);
    filling_text(f, row, "layer", price->layer);
    filling_text(f, row, "source", price->source);
}

static void visit_prices(struct filling *f, const struct region *r, const struct instance_type *t)
{
    const struct dated_price *rows;
    size_t count = catalogue_on_demand(f->catalogue, t->name, r->code, &rows);
    count = shown_rows(f, rows, count, &rows);
    for (size_t i = 0; f->table && i < count; i++) {
        add_price(f, r, t, &rows[i]);
    }
}

struct table *catalogue_table_prices(const struct catalogue *c, const struct catalogue_filter *f,
                                     struct diagnostics *d)
{
    struct filling fill;
    if (filling_begin(&fill, c, f, true, d) &&
        filling_make_table(&fill, "prices", price_columns,
                           sizeof price_columns / sizeof price_columns[0])) {
        visit_cells(&fill, visit_prices);
    }
    return filling_end(&fill);
}

/* ---- spot prices --------------------------------------------------------------------- */

static const struct column spot_columns[] = {
    {"region", "", "code of the region", COLUMN_TEXT, 0},
    {"instance_type", "", "name of the instance type", COLUMN_TEXT, 0},
    {"min_per_hour", "currency/h", "lowest spot price over zones, whole instance", COLUMN_MONEY, 4},
    {"mean_per_hour", "currency/h", "mean spot price over zones, whole instance", COLUMN_MONEY, 4},
    {"max_per_hour", "currency/h", "highest spot price over zones, whole instance", COLUMN_MONEY,
     4},
    {"on_demand_per_hour", "currency/h",
     "on-demand price in force on the day asked for (in a history: on the row's date)",
     COLUMN_MONEY, 4},
    {"savings_frac", "frac", "1 - mean spot price / on-demand price", COLUMN_NUMBER, 3},
    {"currency", "", "currency of the prices", COLUMN_TEXT, 0},
    {"advisor_bucket", "",
     "share of instances reclaimed in the month before, by the Spot Instance Advisor; not a "
     "monthly "
     "risk of one instance",
     COLUMN_TEXT, 0},
    {"advisor_date", "", "date of the bucket", COLUMN_TEXT, 0},
    {"date", "", "date of the spot prices", COLUMN_TEXT, 0},
    {"layer", "", "shipped, or the price file that the prices are from", COLUMN_TEXT, 0},
    {"source", "", "where the prices are from", COLUMN_TEXT, 0},
    {"advisor_savings_frac", "frac", "what spot was cheaper than on-demand, as the advisor said",
     COLUMN_NUMBER, 3},
    {"advisor_layer", "", "shipped, or the price file that the bucket is from", COLUMN_TEXT, 0},
};

/* The statistics of one day; a statistic that has no row of that day is NULL, never an older one.
 */
struct spot_day {
    int64_t day;
    const struct dated_price *rows[SPOT_STATISTIC_COUNT];
};

static void fill_advisor(struct filling *f, size_t row, const struct region *r,
                         const struct instance_type *t, int64_t as_of)
{
    struct advisor_row advisor = catalogue_advisor(f->catalogue, t->name, r->code, as_of);
    if (advisor.bucket != ADVISOR_UNKNOWN) {
        filling_text(f, row, "advisor_bucket", advisor_bucket_names[advisor.bucket]);
        filling_day(f, row, "advisor_date", advisor.date_unix_s);
        filling_text(f, row, "advisor_layer", advisor.layer);
    }
    if (advisor.bucket != ADVISOR_UNKNOWN && advisor.savings_frac >= 0.0) {
        filling_number(f, row, "advisor_savings_frac", advisor.savings_frac);
    }
}

static void add_spot(struct filling *f, const struct region *r, const struct instance_type *t,
                     const struct spot_day *spot)
{
    static const char *const names[] = {"min_per_hour", "mean_per_hour", "max_per_hour"};
    size_t row = filling_add_row(f);
    if (row == SIZE_MAX) {
        return;
    }
    int64_t as_of = f->plan.history ? spot->day : f->plan.day;
    const struct dated_price *said_by = NULL; /* the mean's layer and source, else another's */
    filling_text(f, row, "region", r->code);
    filling_text(f, row, "instance_type", t->name);
    for (size_t s = 0; s < SPOT_STATISTIC_COUNT; s++) {
        if (spot->rows[s]) {
            filling_money(f, row, names[s], spot->rows[s]->per_hour);
            said_by = said_by && s != SPOT_MEAN ? said_by : spot->rows[s];
        }
    }
    const struct dated_price *on_demand =
        catalogue_on_demand_at(f->catalogue, t->name, r->code, as_of, as_of);
    const struct dated_price *mean = spot->rows[SPOT_MEAN];
    if (on_demand) {
        filling_money(f, row, "on_demand_per_hour", on_demand->per_hour);
    }
    if (on_demand && mean) {
        filling_number(f, row, "savings_frac",
                       1.0 -
                           money_to_double(mean->per_hour) / money_to_double(on_demand->per_hour));
    }
    fill_advisor(f, row, r, t, as_of);
    filling_text(f, row, "currency", r->currency);
    filling_day(f, row, "date", spot->day);
    filling_text(f, row, "layer", said_by->layer);
    filling_text(f, row, "source", said_by->source);
}

/* Walks the three statistics side by side, day by day. */
static void visit_spot(struct filling *f, const struct region *r, const struct instance_type *t)
{
    const struct dated_price *rows[SPOT_STATISTIC_COUNT];
    size_t left[SPOT_STATISTIC_COUNT];
    for (size_t s = 0; s < SPOT_STATISTIC_COUNT; s++) {
        left[s] =
            catalogue_spot_rows(f->catalogue, t->name, r->code, (enum spot_statistic)s, &rows[s]);
    }
    struct spot_day newest = {0};
    bool found = false;
    while (f->table) {
        struct spot_day spot = {.day = INT64_MAX};
        for (size_t s = 0; s < SPOT_STATISTIC_COUNT; s++) {
            if (left[s] > 0 && rows[s]->from_unix_s < spot.day) {
                spot.day = rows[s]->from_unix_s;
            }
        }
        if (spot.day == INT64_MAX || spot.day > f->plan.day) {
            break;
        }
        for (size_t s = 0; s < SPOT_STATISTIC_COUNT; s++) {
            if (left[s] > 0 && rows[s]->from_unix_s == spot.day) {
                spot.rows[s] = rows[s]++;
                left[s]--;
            }
        }
        if (f->plan.history) {
            add_spot(f, r, t, &spot);
        }
        newest = spot;
        found = true;
    }
    if (found && f->table && !f->plan.history) {
        add_spot(f, r, t, &newest);
    }
}

struct table *catalogue_table_spot(const struct catalogue *c, const struct catalogue_filter *f,
                                   struct diagnostics *d)
{
    struct filling fill;
    if (filling_begin(&fill, c, f, true, d) &&
        filling_make_table(&fill, "spot", spot_columns,
                           sizeof spot_columns / sizeof spot_columns[0])) {
        visit_cells(&fill, visit_spot);
    }
    return filling_end(&fill);
}

/* ---- regions -------------------------------------------------------------------------- */

static const struct column region_columns[] = {
    {"region", "", "code of the region", COLUMN_TEXT, 0},
    {"name", "", "name of the region", COLUMN_TEXT, 0},
    {"currency", "", "currency of its prices", COLUMN_TEXT, 0},
    {"utc_offset_h", "h", "standard time minus UTC", COLUMN_NUMBER, -1},
    {"first_zone", "", "zone of a plan that names none", COLUMN_TEXT, 0},
    {"on_demand_types", "", "instance types with an on-demand price", COLUMN_INTEGER, 0},
    {"spot_types", "", "instance types with a mean spot price", COLUMN_INTEGER, 0},
    {"newest_confirmed", "", "newest day on which an on-demand price was seen", COLUMN_TEXT, 0},
    {"date", "", "date of the description", COLUMN_TEXT, 0},
    {"source", "", "where the description is from", COLUMN_TEXT, 0},
};

static void fill_region(struct filling *f, size_t row, const struct region *r)
{
    int64_t on_demand = 0, spot = 0, newest = INT64_MIN;
    for (size_t i = 0; i < f->type_count; i++) {
        const char *type = f->types[i]->name;
        struct dated_price spot_price;
        const struct dated_price *price =
            catalogue_on_demand_at(f->catalogue, type, r->code, f->plan.day, f->plan.day);
        if (price) {
            on_demand++;
            newest = price->confirmed_unix_s > newest ? price->confirmed_unix_s : newest;
        }
        spot +=
            catalogue_spot(f->catalogue, type, r->code, NULL, SPOT_MEAN, f->plan.day, &spot_price);
    }
    filling_text(f, row, "region", r->code);
    filling_text(f, row, "name", r->name);
    filling_text(f, row, "currency", r->currency);
    filling_number(f, row, "utc_offset_h", r->utc_offset_h);
    filling_text(f, row, "first_zone", r->first_zone);
    filling_count(f, row, "on_demand_types", on_demand);
    filling_count(f, row, "spot_types", spot);
    if (on_demand > 0) {
        filling_day(f, row, "newest_confirmed", newest);
    }
    filling_text(f, row, "date", r->date);
    filling_text(f, row, "source", r->source);
}

static bool region_passes(const struct filling *f, const struct region *r)
{
    const char *pattern = f->plan.pattern;
    return (!f->plan.region || f->plan.region == r) &&
           (!pattern || filter_pattern(pattern, r->code) || filter_pattern(pattern, r->name));
}

struct table *catalogue_table_regions(const struct catalogue *c, const struct catalogue_filter *f,
                                      struct diagnostics *d)
{
    struct filling fill;
    if (!filling_begin(&fill, c, f, false, d) ||
        !filling_make_table(&fill, "regions", region_columns,
                            sizeof region_columns / sizeof region_columns[0])) {
        return filling_end(&fill);
    }
    for (size_t i = 0; fill.table && i < catalogue_regions(c); i++) {
        const struct region *r = catalogue_region_at(c, i);
        size_t row = region_passes(&fill, r) ? filling_add_row(&fill) : SIZE_MAX;
        if (row != SIZE_MAX) {
            fill_region(&fill, row, r);
        }
    }
    return filling_end(&fill);
}
