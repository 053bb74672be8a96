/* SPDX-License-Identifier: GPL-3.0-or-later
 * See offer_tables.h. */
#include "models/catalogue/offer_tables.h"

#include "models/catalogue/block_prices.h"
#include "models/catalogue/reserved_offers.h"
#include "models/catalogue/table_filling.h"

/* Hours of a month where a rate is turned into months (DESIGN: 730). */
static const double HOURS_A_MONTH = 730.0;
static const double HOURS_A_YEAR = 8760.0;

/* ---- prices to compare with --------------------------------------------------------- */

static void fill_comparison(struct filling *f, size_t row, const struct region *r,
                            const struct instance_type *t, money_t per_hour, int64_t as_of)
{
    const struct dated_price *on_demand =
        catalogue_on_demand_at(f->catalogue, t->name, r->code, as_of, as_of);
    struct dated_price spot;
    if (on_demand) {
        filling_money(f, row, "on_demand_per_hour", on_demand->per_hour);
        filling_number(f, row, "break_even_frac", (double)per_hour / (double)on_demand->per_hour);
    }
    if (catalogue_spot(f->catalogue, t->name, r->code, NULL, SPOT_MEAN, as_of, &spot)) {
        filling_money(f, row, "spot_mean_per_hour", spot.per_hour);
        filling_number(f, row, "break_even_spot_frac", (double)per_hour / (double)spot.per_hour);
    }
}

/* ---- reserved offers ---------------------------------------------------------------- */

static const struct column reserved_columns[] = {
    {"region", "", "code of the region", COLUMN_TEXT, 0},
    {"instance_type", "", "name of the instance type", COLUMN_TEXT, 0},
    {"offer", "", "standard or convertible Reserved Instances", COLUMN_TEXT, 0},
    {"term_years", "", "years of the term, of 8,760 hours each", COLUMN_INTEGER, 0},
    {"payment", "", "no-upfront, partial-upfront or all-upfront", COLUMN_TEXT, 0},
    {"effective_per_hour", "currency/h",
     "all payments divided by the hours of the term, whole instance; missing: no such offer any "
     "more",
     COLUMN_MONEY, 4},
    {"upfront", "currency", "paid at the start, derived from the effective price", COLUMN_MONEY, 2},
    {"hourly", "currency/h", "paid in every hour of the term, derived likewise", COLUMN_MONEY, 4},
    {"on_demand_per_hour", "currency/h",
     "on-demand price in force on the day asked for (in a history: on the row's date)",
     COLUMN_MONEY, 4},
    {"break_even_frac", "frac",
     "share of the term's hours that must be used for the offer to beat on-demand", COLUMN_NUMBER,
     3},
    {"break_even_months", "mo",
     "months (730 h) of full use on demand that cost as much as the whole term: cancelled earlier, "
     "it does not pay",
     COLUMN_NUMBER, 1},
    {"spot_mean_per_hour", "currency/h", "mean spot price over zones in force likewise",
     COLUMN_MONEY, 4},
    {"break_even_spot_frac", "frac",
     "the same share against spot at its mean price; above 1 spot is cheaper even in full use",
     COLUMN_NUMBER, 3},
    {"currency", "", "currency of the prices", COLUMN_TEXT, 0},
    {"from_date", "", "day since which this is known", COLUMN_TEXT, 0},
    {"confirmed", "", "newest day on which it was seen", COLUMN_TEXT, 0},
    {"layer", "", "shipped, or the price file that it is from", COLUMN_TEXT, 0},
    {"source", "", "where it is from", COLUMN_TEXT, 0},
};

static void fill_months(struct filling *f, size_t row, const struct offer_key *key,
                        money_t per_hour, int64_t as_of)
{
    const struct dated_price *on_demand =
        catalogue_on_demand_at(f->catalogue, key->type, key->region, as_of, as_of);
    if (on_demand) {
        filling_number(f, row, "break_even_months",
                       (double)per_hour / (double)on_demand->per_hour * HOURS_A_YEAR *
                           key->term_years / HOURS_A_MONTH);
    }
}

static void fill_price(struct filling *f, size_t row, const struct region *r,
                       const struct instance_type *t, const struct offer_key *key,
                       const struct reserved_price *price)
{
    int64_t as_of = f->plan.history ? price->from_unix_s : f->plan.day;
    filling_money(f, row, "effective_per_hour", price->effective_per_hour);
    filling_money(f, row, "upfront", price->upfront);
    filling_money(f, row, "hourly", price->hourly);
    fill_comparison(f, row, r, t, price->effective_per_hour, as_of);
    fill_months(f, row, key, price->effective_per_hour, as_of);
}

/* price NULL: a row which says that there is no such offer. */
static void add_offer(struct filling *f, const struct region *r, const struct instance_type *t,
                      const struct offer_key *key, const struct reserved_row *said_by,
                      const struct reserved_price *price)
{
    size_t row = filling_add_row(f);
    if (row == SIZE_MAX) {
        return;
    }
    filling_text(f, row, "region", r->code);
    filling_text(f, row, "instance_type", t->name);
    filling_text(f, row, "offer", offer_kind_names[key->kind]);
    filling_count(f, row, "term_years", key->term_years);
    filling_text(f, row, "payment", payment_option_names[key->payment]);
    if (price) {
        fill_price(f, row, r, t, key, price);
    }
    filling_text(f, row, "currency", r->currency);
    filling_day(f, row, "from_date", price ? price->from_unix_s : said_by->from_unix_s);
    filling_day(f, row, "confirmed", price ? price->confirmed_unix_s : said_by->confirmed_unix_s);
    filling_text(f, row, "layer", price ? price->layer : said_by->layer);
    filling_text(f, row, "source", price ? price->source : said_by->source);
}

/* The dated cells of one offer, or the one in force. */
static void visit_offer(struct filling *f, const struct region *r, const struct instance_type *t,
                        const struct offer_key *key)
{
    struct reserved_price price;
    if (!f->plan.history) {
        if (catalogue_reserved(f->catalogue, key, f->plan.day, &price)) {
            add_offer(f, r, t, key, NULL, &price);
        }
        return;
    }
    const struct reserved_row *rows;
    size_t count = catalogue_reserved_rows(f->catalogue, t->name, r->code, key->kind, &rows);
    for (size_t i = 0; f->table && i < count && rows[i].from_unix_s <= f->plan.day; i++) {
        if (rows[i].per_hour[key->term_years == 3][key->payment] == 0) {
            continue;
        }
        bool offered = catalogue_reserved(f->catalogue, key, rows[i].from_unix_s, &price);
        add_offer(f, r, t, key, &rows[i], offered ? &price : NULL);
    }
}

static void visit_type(struct filling *f, const struct region *r, const struct instance_type *t)
{
    static const int terms[] = {1, 3};
    for (int kind = 0; kind < OFFER_INSTANCE_SAVINGS; kind++) {
        for (size_t i = 0; i < 2; i++) {
            for (int payment = 0; f->table && payment < PAYMENT_COUNT; payment++) {
                visit_offer(f, r, t,
                            &(struct offer_key){.type = t->name,
                                                .region = r->code,
                                                .kind = (enum offer_kind)kind,
                                                .term_years = terms[i],
                                                .payment = (enum payment_option)payment});
            }
        }
    }
    if (!f->plan.history) {
        catalogue_check_reserved(f->catalogue, t->name, r->code, f->plan.day, f->diagnostics);
    }
}

/* A table of all regions and types that pass. */
struct offer_table {
    const char *name;
    const struct column *columns;
    size_t column_count;
    void (*visit)(struct filling *f, const struct region *r, const struct instance_type *t);
};

static struct table *make_offers(const struct offer_table *made, const struct catalogue *c,
                                 const struct catalogue_filter *f, struct diagnostics *d)
{
    struct filling fill;
    if (!filling_begin(&fill, c, f, true, d) ||
        !filling_make_table(&fill, made->name, made->columns, made->column_count)) {
        return filling_end(&fill);
    }
    for (size_t r = 0; r < catalogue_regions(c); r++) {
        const struct region *region = catalogue_region_at(c, r);
        if (fill.plan.region && fill.plan.region != region) {
            continue;
        }
        for (size_t i = 0; fill.table && i < fill.type_count; i++) {
            made->visit(&fill, region, fill.types[i]);
        }
    }
    return filling_end(&fill);
}

struct table *catalogue_table_reserved(const struct catalogue *c, const struct catalogue_filter *f,
                                       struct diagnostics *d)
{
    static const struct offer_table made = {"reserved", reserved_columns,
                                            sizeof reserved_columns / sizeof reserved_columns[0],
                                            visit_type};
    return make_offers(&made, c, f, d);
}

/* ---- savings-plan rates --------------------------------------------------------------- */

static const struct column savings_columns[] = {
    {"region", "", "code of the region", COLUMN_TEXT, 0},
    {"instance_type", "", "name of the instance type", COLUMN_TEXT, 0},
    {"plan", "", "ec2-instance-savings-plan or compute-savings-plan", COLUMN_TEXT, 0},
    {"term_years", "", "years of the term, of 8,760 hours each", COLUMN_INTEGER, 0},
    {"payment", "", "no-upfront, partial-upfront or all-upfront", COLUMN_TEXT, 0},
    {"basis", "",
     "listed, or as-reserved: no rate is known, and this is what `rate: as-reserved` assumes",
     COLUMN_TEXT, 0},
    {"rate_per_hour", "currency/h",
     "rate of the whole instance, as listed or the middle of what is assumed", COLUMN_MONEY, 4},
    {"low_per_hour", "currency/h", "least that is assumed: the reserved price itself", COLUMN_MONEY,
     4},
    {"high_per_hour", "currency/h", "most that is assumed, never above on demand", COLUMN_MONEY, 4},
    {"on_demand_per_hour", "currency/h",
     "on-demand price in force on the day asked for (in a history: on the row's date)",
     COLUMN_MONEY, 4},
    {"break_even_frac", "frac",
     "share of the term's hours in which the commitment must be used for it to beat on-demand",
     COLUMN_NUMBER, 3},
    {"break_even_months", "mo",
     "months (730 h) of full use on demand that cost as much as the whole term: cancelled earlier, "
     "it does not pay",
     COLUMN_NUMBER, 1},
    {"spot_mean_per_hour", "currency/h", "mean spot price over zones in force likewise",
     COLUMN_MONEY, 4},
    {"break_even_spot_frac", "frac",
     "the same share against spot at its mean price; above 1 spot is cheaper even in full use",
     COLUMN_NUMBER, 3},
    {"currency", "", "currency of the prices", COLUMN_TEXT, 0},
    {"from_date", "", "day since which this, or the reserved price, is known", COLUMN_TEXT, 0},
    {"confirmed", "", "newest day on which it was seen", COLUMN_TEXT, 0},
    {"layer", "", "shipped, or the price file that it is from", COLUMN_TEXT, 0},
    {"source", "", "where it is from", COLUMN_TEXT, 0},
};

/* Up to what it costs on demand, where that is known. */
static money_t at_most_on_demand(const struct filling *f, const struct offer_key *key,
                                 money_t per_hour)
{
    const struct dated_price *on_demand =
        catalogue_on_demand_at(f->catalogue, key->type, key->region, f->plan.day, f->plan.day);
    return on_demand && on_demand->per_hour < per_hour ? on_demand->per_hour : per_hour;
}

static money_t times(money_t price, double factor)
{
    money_t product;
    return money_from_double(money_to_double(price) * factor, &product) ? product : price;
}

/* A listed rate, or what is assumed from a reserved price. */
static void add_rate(struct filling *f, const struct region *r, const struct instance_type *t,
                     const struct offer_key *key, const struct reserved_price *price, bool assumed)
{
    static const double middle = 0.5 * (SAVINGS_OVER_RESERVED_LOW + SAVINGS_OVER_RESERVED_HIGH);
    size_t row = filling_add_row(f);
    if (row == SIZE_MAX) {
        return;
    }
    int64_t as_of = f->plan.history ? price->from_unix_s : f->plan.day;
    money_t rate = price->effective_per_hour;
    filling_text(f, row, "region", r->code);
    filling_text(f, row, "instance_type", t->name);
    filling_text(f, row, "plan", offer_kind_names[key->kind]);
    filling_count(f, row, "term_years", key->term_years);
    filling_text(f, row, "payment", payment_option_names[key->payment]);
    filling_text(f, row, "basis", assumed ? "as-reserved" : "listed");
    if (assumed) {
        filling_money(f, row, "low_per_hour", at_most_on_demand(f, key, rate));
        filling_money(f, row, "high_per_hour",
                      at_most_on_demand(f, key, times(rate, SAVINGS_OVER_RESERVED_HIGH)));
        rate = at_most_on_demand(f, key, times(rate, middle));
    }
    filling_money(f, row, "rate_per_hour", rate);
    fill_comparison(f, row, r, t, rate, as_of);
    fill_months(f, row, key, rate, as_of);
    filling_text(f, row, "currency", r->currency);
    filling_day(f, row, "from_date", price->from_unix_s);
    filling_day(f, row, "confirmed", price->confirmed_unix_s);
    filling_text(f, row, "layer", price->layer);
    filling_text(f, row, "source", price->source);
}

static void visit_rate(struct filling *f, const struct region *r, const struct instance_type *t,
                       const struct offer_key *key)
{
    struct reserved_price price;
    const struct reserved_row *rows;
    if (!f->plan.history) {
        struct offer_key reserved = *key;
        reserved.kind = offer_as_reserved(key->kind);
        bool listed = catalogue_reserved(f->catalogue, key, f->plan.day, &price);
        if (listed || catalogue_reserved(f->catalogue, &reserved, f->plan.day, &price)) {
            add_rate(f, r, t, key, &price, !listed);
        }
        return;
    }
    size_t count = catalogue_reserved_rows(f->catalogue, t->name, r->code, key->kind, &rows);
    for (size_t i = 0; f->table && i < count && rows[i].from_unix_s <= f->plan.day; i++) {
        if (rows[i].per_hour[key->term_years == 3][key->payment] > 0 &&
            catalogue_reserved(f->catalogue, key, rows[i].from_unix_s, &price)) {
            add_rate(f, r, t, key, &price, false);
        }
    }
}

static void visit_plans(struct filling *f, const struct region *r, const struct instance_type *t)
{
    for (int kind = OFFER_INSTANCE_SAVINGS; kind <= OFFER_COMPUTE_SAVINGS; kind++) {
        for (int term = 1; term <= 3; term += 2) {
            for (int payment = 0; f->table && payment < PAYMENT_COUNT; payment++) {
                visit_rate(f, r, t,
                           &(struct offer_key){.type = t->name,
                                               .region = r->code,
                                               .kind = (enum offer_kind)kind,
                                               .term_years = term,
                                               .payment = (enum payment_option)payment});
            }
        }
    }
}

struct table *catalogue_table_savings(const struct catalogue *c, const struct catalogue_filter *f,
                                      struct diagnostics *d)
{
    static const struct offer_table made = {"savings", savings_columns,
                                            sizeof savings_columns / sizeof savings_columns[0],
                                            visit_plans};
    return make_offers(&made, c, f, d);
}

/* ---- capacity blocks ------------------------------------------------------------------ */

static const struct column block_columns[] = {
    {"region", "", "code of the region; empty: published for most regions at once", COLUMN_TEXT, 0},
    {"instance_type", "", "name of the instance type", COLUMN_TEXT, 0},
    {"price_per_hour", "currency/h",
     "price of a reserved hour of the whole instance, used or not, paid in advance", COLUMN_MONEY,
     4},
    {"price_per_gpu_hour", "currency/h", "price of the instance divided by its accelerators",
     COLUMN_NUMBER, 4},
    {"on_demand_per_hour", "currency/h",
     "on-demand price in force on the day asked for (in a history: on the row's date)",
     COLUMN_MONEY, 4},
    {"break_even_frac", "frac",
     "share of the block's hours that must be used for it to beat on-demand", COLUMN_NUMBER, 3},
    {"spot_mean_per_hour", "currency/h", "mean spot price over zones in force likewise",
     COLUMN_MONEY, 4},
    {"break_even_spot_frac", "frac",
     "the same share against spot at its mean price; above 1 spot is cheaper even in full use",
     COLUMN_NUMBER, 3},
    {"currency", "", "currency of the prices", COLUMN_TEXT, 0},
    {"date", "", "day since which this price is known", COLUMN_TEXT, 0},
    {"layer", "", "shipped, or the price file that it is from", COLUMN_TEXT, 0},
    {"source", "", "where it is from", COLUMN_TEXT, 0},
    {"note", "", "what the source says beside it", COLUMN_TEXT, 0},
};

static void add_block(struct filling *f, const struct block_price *b)
{
    size_t row = filling_add_row(f);
    if (row == SIZE_MAX) {
        return;
    }
    const struct region *r = b->region ? b->region : f->plan.region;
    filling_text(f, row, "region", b->region ? b->region->code : "");
    filling_text(f, row, "instance_type", b->type->name);
    filling_money(f, row, "price_per_hour", b->per_hour);
    filling_known(f, row, "price_per_gpu_hour",
                  money_to_double(b->per_hour) / b->type->accelerator_count);
    if (r) {
        fill_comparison(f, row, r, b->type, b->per_hour,
                        f->plan.history ? b->from_unix_s : f->plan.day);
    }
    filling_text(f, row, "currency", b->region ? b->region->currency : "USD");
    filling_day(f, row, "date", b->from_unix_s);
    filling_text(f, row, "layer", b->layer);
    filling_text(f, row, "source", b->source);
    filling_text(f, row, "note", b->note);
}

/* Whether another row of the same type and region, known on the day, is newer. */
static bool is_replaced(const struct filling *f, const struct block_price *rows, size_t count,
                        size_t at)
{
    return at + 1 < count && rows[at + 1].type == rows[at].type &&
           rows[at + 1].region == rows[at].region && rows[at + 1].from_unix_s <= f->plan.day;
}

static bool is_shown(const struct filling *f, const struct block_price *rows, size_t count,
                     size_t at)
{
    const struct block_price *b = &rows[at];
    const struct region *wanted = f->plan.region;
    if (b->from_unix_s > f->plan.day) {
        return false;
    }
    if (wanted && !f->plan.history) {
        return catalogue_block(f->catalogue, b->type->name, wanted->code, f->plan.day) == b;
    }
    if (wanted && b->region && b->region != wanted) {
        return false;
    }
    return f->plan.history || !is_replaced(f, rows, count, at);
}

struct table *catalogue_table_blocks(const struct catalogue *c, const struct catalogue_filter *f,
                                     struct diagnostics *d)
{
    struct filling fill;
    if (!filling_begin(&fill, c, f, true, d) ||
        !filling_make_table(&fill, "blocks", block_columns,
                            sizeof block_columns / sizeof block_columns[0])) {
        return filling_end(&fill);
    }
    const struct block_price *rows;
    size_t count = catalogue_block_rows(c, &rows);
    for (size_t t = 0; t < fill.type_count; t++) {
        for (size_t i = 0; fill.table && i < count; i++) {
            if (rows[i].type == fill.types[t] && is_shown(&fill, rows, count, i)) {
                add_block(&fill, &rows[i]);
            }
        }
    }
    return filling_end(&fill);
}
