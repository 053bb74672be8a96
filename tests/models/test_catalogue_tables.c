/* SPDX-License-Identifier: GPL-3.0-or-later
 * The catalogue's tables: filters, prices of a day, and what is missing. */
#include "tests/support/testing.h"

#include "engine/civil_time.h"
#include "models/catalogue/catalogue_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t day(const char *text)
{
    int64_t unix_s;
    assert_true(civil_parse(text, &unix_s));
    return unix_s;
}

static int load(void **state)
{
    struct diagnostics *d = diagnostics_new();
    *state = catalogue_load(NULL, NULL, 0, d);
    diagnostics_write(d, stderr);
    diagnostics_free(d);
    return *state ? 0 : -1;
}

static int unload(void **state)
{
    catalogue_free(*state);
    return 0;
}

typedef struct table *make_fn(const struct catalogue *, const struct catalogue_filter *,
                              struct diagnostics *);

/* The table, which must come without a word. */
static struct table *table_of(make_fn *make, void **state, struct catalogue_filter filter)
{
    struct diagnostics *d = diagnostics_new();
    if (filter.date_unix_s == 0) {
        filter.date_unix_s = INT64_MAX;
    }
    struct table *t = make(*state, &filter, d);
    diagnostics_write(d, stderr);
    assert_null(diagnostics_text(d, 0, NULL, NULL));
    assert_non_null(t);
    diagnostics_free(d);
    return t;
}

static size_t column(const struct table *t, const char *name)
{
    int index = table_find(t, name);
    if (index < 0) {
        fail_msg("no column '%s'", name);
    }
    return (size_t)index;
}

/* Row of this instance type (and region, unless NULL); SIZE_MAX = none. */
static size_t row_of(const struct table *t, const char *type, const char *region)
{
    for (size_t r = 0; r < table_rows(t); r++) {
        if (strcmp(table_text(t, r, column(t, "instance_type")), type) == 0 &&
            (!region || strcmp(table_text(t, r, column(t, "region")), region) == 0)) {
            return r;
        }
    }
    return SIZE_MAX;
}

static double number(const struct table *t, size_t row, const char *name)
{
    return table_number(t, row, column(t, name));
}

static double money(const struct table *t, size_t row, const char *name)
{
    assert_int_equal(table_column(t, column(t, name))->kind, COLUMN_MONEY);
    return money_to_double(table_integer(t, row, column(t, name)));
}

static const char *text(const struct table *t, size_t row, const char *name)
{
    return table_text(t, row, column(t, name));
}

static bool missing(const struct table *t, size_t row, const char *name)
{
    return table_missing(t, row, column(t, name));
}

/* ---- instances ------------------------------------------------------------------- */

static void instances_list_every_type(void **state)
{
    struct table *t = table_of(catalogue_table_instances, state, (struct catalogue_filter){0});
    assert_int_equal(table_rows(t), catalogue_types(*state));
    assert_int_equal(table_find(t, "price_per_hour"), -1); /* no region, no price */
    size_t r = row_of(t, "p4d.24xlarge", NULL);
    assert_string_equal(text(t, r, "accelerator"), "A100-40GB");
    assert_near(number(t, r, "gpus"), 8, 0, "gpus");
    assert_near(number(t, r, "gpu_memory_gib"), 40, 0, "each");
    assert_near(number(t, r, "gpu_memory_total_gib"), 320, 0, "all");
    assert_near(number(t, r, "network_gbps"), 400, 1e-9, "network");
    assert_near(number(t, r, "fp16_tflops"), 312, 1e-9, "fp16");
    assert_true(missing(t, r, "fp8_tflops")); /* the chip lacks it: never 0 */
    assert_string_equal(text(t, r, "efa"), "yes");
    r = row_of(t, "p2.xlarge", NULL);
    assert_true(missing(t, r, "fp16_tflops"));
    assert_true(missing(t, r, "network_gbps")); /* "High" */
    r = row_of(t, "g6f.large", NULL);
    assert_near(number(t, r, "gpus"), 0.125, 0, "a share");
    assert_near(number(t, r, "gpu_memory_total_gib"), 2.793945, 1e-9, "its share");
    for (size_t i = 0; i < table_rows(t); i++) {
        assert_false(missing(t, i, "date"));
        assert_false(missing(t, i, "source"));
    }
    table_free(t);
}

/* g5.2xlarge stands before g5.12xlarge. */
static void instances_stand_by_size(void **state)
{
    struct table *t =
        table_of(catalogue_table_instances, state, (struct catalogue_filter){.pattern = "g5.*"});
    static const char *const order[] = {"g5.xlarge",   "g5.2xlarge",  "g5.4xlarge",  "g5.8xlarge",
                                        "g5.12xlarge", "g5.16xlarge", "g5.24xlarge", "g5.48xlarge"};
    assert_int_equal(table_rows(t), 8);
    for (size_t i = 0; i < 8; i++) {
        assert_string_equal(text(t, i, "instance_type"), order[i]);
    }
    table_free(t);
}

static void instances_have_the_price_of_a_region_and_day(void **state)
{
    struct catalogue_filter f = {
        .region = "us-east-1", .pattern = "p5", .date_unix_s = day("2025-06-04")};
    struct table *t = table_of(catalogue_table_instances, state, f);
    size_t r = row_of(t, "p5.48xlarge", NULL);
    assert_near(money(t, r, "price_per_hour"), 98.32, 0, "before the cut");
    assert_string_equal(text(t, r, "currency"), "USD");
    assert_string_equal(text(t, r, "price_layer"), "shipped");
    /* never sold on demand: missing, not 0 and not the neighbour's */
    r = row_of(t, "p5e.48xlarge", NULL);
    assert_true(missing(t, r, "price_per_hour"));
    assert_true(missing(t, r, "price_date"));
    table_free(t);
    f.date_unix_s = day("2025-06-05");
    t = table_of(catalogue_table_instances, state, f);
    r = row_of(t, "p5.48xlarge", NULL);
    assert_near(money(t, r, "price_per_hour"), 55.04, 0, "after the cut");
    assert_string_equal(text(t, r, "price_date"), "2025-06-05");
    table_free(t);
    f.region = "cn-north-1";
    f.pattern = "p3.2xlarge";
    t = table_of(catalogue_table_instances, state, f);
    assert_near(money(t, 0, "price_per_hour"), 36.078, 0, "yuan");
    assert_string_equal(text(t, 0, "currency"), "CNY");
    table_free(t);
}

static void a_missing_price_sorts_last_both_ways(void **state)
{
    struct catalogue_filter f = {.region = "us-east-1"};
    struct table *t = table_of(catalogue_table_instances, state, f);
    size_t price = column(t, "price_per_hour"), unknown = 0;
    for (size_t i = 0; i < table_rows(t); i++) {
        unknown += table_missing(t, i, price);
    }
    assert_true(unknown >= 4); /* p5e, p6e, trn2 */
    for (int descending = 0; descending < 2; descending++) {
        table_sort(t, price, descending);
        for (size_t i = 0; i < table_rows(t); i++) {
            assert_int_equal(table_missing(t, i, price), i >= table_rows(t) - unknown);
        }
    }
    table_free(t);
}

struct filter_case {
    const char *name;
    struct catalogue_filter filter;
    const char *in, *out; /* a type that passes, one that does not */
    size_t rows;          /* 0 = not counted */
};
static const struct filter_case filter_cases[] = {
    {"glob", {.pattern = "p4d*"}, "p4de.24xlarge", "p5.48xlarge", 2},
    {"part of a name", {.pattern = "4XLARGE"}, "p5.4xlarge", "g5.xlarge", 0},
    {"accelerator", {.pattern = "h100"}, "p5.4xlarge", "p5e.48xlarge", 2},
    {"accelerator's full name", {.pattern = "*radeon*"}, "g4ad.xlarge", "g4dn.xlarge", 5},
    {"Trainium by name", {.pattern = "Trainium2"}, "trn2.48xlarge", "trn1.32xlarge", 2},
    {"Inferentia by name", {.pattern = "inferentia"}, "inf1.xlarge", "trn1.2xlarge", 8},
    {"set of letters", {.pattern = "trn[12].*xlarge"}, "trn2.3xlarge", "trn1n.32xlarge", 4},
    {"memory at least", {.gpu_memory = ">= 24GiB"}, "trn1.2xlarge", "g5.xlarge", 0},
    {"memory in gigabytes", {.gpu_memory = ">= 24 GB"}, "g5.xlarge", "g4dn.xlarge", 0},
    {"memory exactly", {.gpu_memory = "141GiB"}, "p5e.48xlarge", "p5.48xlarge", 2},
    {"memory below", {.gpu_memory = "<16GiB"}, "p2.xlarge", "p3.2xlarge", 0},
    {"memory at most", {.gpu_memory = "<=16GiB"}, "p3.2xlarge", "p3dn.24xlarge", 0},
    {"memory above", {.gpu_memory = ">80GiB"}, "p5e.48xlarge", "p5.48xlarge", 0},
    {"count exactly", {.gpus = "8"}, "p4d.24xlarge", "p2.16xlarge", 0},
    {"count at least", {.gpus = ">= 4"}, "p2.16xlarge", "p5.4xlarge", 0},
    {"count below one", {.gpus = "< 1"}, "g6f.xlarge", "g6.xlarge", 5},
    {"BF16", {.dtype = "bf16"}, "p4d.24xlarge", "p3.16xlarge", 0},
    {"FP8", {.dtype = "fp8"}, "g6.xlarge", "p4d.24xlarge", 0},
    {"FP16 needs tensor cores", {.dtype = "fp16"}, "p3.2xlarge", "p2.xlarge", 0},
    {"all at once",
     {.pattern = "p*", .gpu_memory = ">= 80GiB", .gpus = ">= 8", .dtype = "fp8"},
     "p5.48xlarge",
     "p4de.24xlarge",
     5},
};

static void a_filter_lets_the_right_types_pass(void **state)
{
    void *catalogue = NULL;
    assert_int_equal(load(&catalogue), 0);
    const struct filter_case *f = *state;
    struct table *t = table_of(catalogue_table_instances, &catalogue, f->filter);
    assert_true(row_of(t, f->in, NULL) != SIZE_MAX);
    assert_true(row_of(t, f->out, NULL) == SIZE_MAX);
    if (f->rows) {
        assert_int_equal(table_rows(t), f->rows);
    }
    table_free(t);
    catalogue_free(catalogue);
}

/* ---- unusable filters -------------------------------------------------------------- */

struct bad_filter {
    const char *name;
    struct catalogue_filter filter;
    const char *message;
};
static const struct bad_filter bad_filters[] = {
    {"memory without a unit", {.gpu_memory = ">= 24"}, "'>= 24'"},
    {"memory without a number", {.gpu_memory = ">="}, "such as '>= 24GiB'"},
    {"count that is none", {.gpus = "many"}, "such as '8' or '>= 4'"},
    {"infinite count", {.gpus = ">= inf"}, "such as '8' or '>= 4'"},
    {"negative count", {.gpus = "-1"}, "'-1' is below zero; expected a number such as '8'"},
    {"negative memory",
     {.gpu_memory = "< -1GiB"},
     "'< -1GiB': an amount of data cannot be negative"},
    {"unknown precision", {.dtype = "bf61"}, "unknown precision 'bf61'; expected fp64"},
    {"unknown region", {.region = "us-east1"}, "unknown region 'us-east1'; did you mean"},
    {"two faults", {.region = "mars", .gpus = "?"}, "unknown region 'mars'; expected a code"},
};

static void a_bad_filter_is_an_error(void **state)
{
    void *catalogue = NULL;
    assert_int_equal(load(&catalogue), 0);
    const struct bad_filter *f = *state;
    struct diagnostics *d = diagnostics_new();
    static make_fn *const makers[] = {catalogue_table_instances, catalogue_table_prices,
                                      catalogue_table_spot, catalogue_table_regions};
    for (size_t i = 0; i < 4; i++) {
        assert_null(makers[i](catalogue, &f->filter, d));
    }
    const char *told = diagnostics_text(d, 0, NULL, NULL);
    if (!told || !strstr(told, f->message)) {
        fail_msg("'%s' does not hold '%s'", told ? told : "", f->message);
    }
    assert_int_equal(diagnostics_exit_code(d), 2);
    diagnostics_free(d);
    catalogue_free(catalogue);
}

static void a_pattern_of_nothing_is_a_warning(void **state)
{
    struct diagnostics *d = diagnostics_new();
    struct catalogue_filter f = {.pattern = "p5.48xlarg?e", .date_unix_s = INT64_MAX};
    struct table *t = catalogue_table_prices(*state, &f, d);
    assert_non_null(t);
    assert_int_equal(table_rows(t), 0);
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_WARNING), 1);
    assert_non_null(strstr(diagnostics_text(d, 0, NULL, NULL), "did you mean 'p5.48xlarge'?"));
    table_free(t);
    char stars[200];
    memset(stars, '*', sizeof stars - 1);
    stars[sizeof stars - 1] = '\0';
    f.pattern = stars;
    assert_null(catalogue_table_prices(*state, &f, d));
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), 1);
    diagnostics_free(d);
}

/* ---- prices --------------------------------------------------------------------------- */

static void prices_are_those_in_force(void **state)
{
    struct catalogue_filter f = {.pattern = "p4d.24xlarge", .date_unix_s = day("2025-06-04")};
    struct table *t = table_of(catalogue_table_prices, state, f);
    size_t r = row_of(t, "p4d.24xlarge", "us-east-1");
    assert_near(money(t, r, "price_per_hour"), 32.7726, 0, "before");
    assert_near(number(t, r, "price_per_gpu_hour"), 32.7726 / 8, 1e-9, "per GPU");
    assert_string_equal(text(t, r, "from_date"), "2022-06-23");
    assert_string_equal(text(t, r, "layer"), "shipped");
    assert_true(row_of(t, "p4d.24xlarge", "sa-east-1") == SIZE_MAX); /* not known then: no row */
    table_free(t);
    f.date_unix_s = day("2025-12-01");
    t = table_of(catalogue_table_prices, state, f);
    r = row_of(t, "p4d.24xlarge", "us-east-1");
    assert_near(money(t, r, "price_per_hour"), 21.957642, 0, "after");
    assert_true(strcmp(text(t, r, "confirmed"), "2026-07-20") == 0);
    table_free(t);
}

static void history_shows_every_dated_row(void **state)
{
    struct catalogue_filter f = {.pattern = "p4d.24xlarge", .region = "us-east-1", .history = true};
    struct table *t = table_of(catalogue_table_prices, state, f);
    assert_int_equal(table_rows(t), 2);
    assert_near(money(t, 0, "price_per_hour"), 32.7726, 0, "first");
    assert_near(money(t, 1, "price_per_hour"), 21.957642, 0, "second");
    table_free(t);
    f.date_unix_s = day("2025-06-04"); /* nothing that was not yet known */
    t = table_of(catalogue_table_prices, state, f);
    assert_int_equal(table_rows(t), 1);
    table_free(t);
}

static void every_money_column_names_hour_and_currency(void **state)
{
    static make_fn *const makers[] = {catalogue_table_prices, catalogue_table_spot};
    for (size_t i = 0; i < 2; i++) {
        struct table *t = table_of(makers[i], state, (struct catalogue_filter){0});
        column(t, "currency");
        for (size_t k = 0; k < table_columns(t); k++) {
            const struct column *c = table_column(t, k);
            if (c->kind == COLUMN_MONEY) {
                assert_non_null(strstr(c->name, "_per_hour"));
                assert_string_equal(c->unit, "currency/h");
            }
            assert_true(strlen(c->meaning) > 0);
        }
        for (size_t r = 0; r < table_rows(t); r++) {
            bool china = strncmp(text(t, r, "region"), "cn-", 3) == 0;
            assert_string_equal(text(t, r, "currency"), china ? "CNY" : "USD");
            assert_false(missing(t, r, "source"));
        }
        table_free(t);
    }
}

/* ---- spot --------------------------------------------------------------------------------- */

static void spot_rows_have_statistics_savings_and_bucket(void **state)
{
    struct catalogue_filter f = {
        .pattern = "p4d.24xlarge", .region = "us-east-1", .date_unix_s = day("2026-01-01")};
    struct table *t = table_of(catalogue_table_spot, state, f);
    assert_int_equal(table_rows(t), 1);
    assert_near(money(t, 0, "min_per_hour"), 8.0468, 0, "min");
    assert_near(money(t, 0, "mean_per_hour"), 8.59075, 0, "mean");
    assert_near(money(t, 0, "max_per_hour"), 9.1506, 0, "max");
    assert_near(money(t, 0, "on_demand_per_hour"), 21.957642, 0, "on-demand");
    assert_near(number(t, 0, "savings_frac"), 1 - 8.59075 / 21.957642, 1e-12, "saves");
    assert_string_equal(text(t, 0, "advisor_bucket"), ">20%");
    assert_string_equal(text(t, 0, "advisor_date"), "2025-11-30");
    assert_string_equal(text(t, 0, "date"), "2025-11-30");
    table_free(t);
}

static void spot_without_on_demand_has_no_savings(void **state)
{
    struct catalogue_filter f = {.pattern = "p5e.48xlarge", .region = "us-east-2"};
    struct table *t = table_of(catalogue_table_spot, state, f);
    assert_int_equal(table_rows(t), 1);
    assert_false(missing(t, 0, "mean_per_hour"));
    assert_true(missing(t, 0, "on_demand_per_hour"));
    assert_true(missing(t, 0, "savings_frac"));
    table_free(t);
}

static void spot_history_compares_with_the_price_of_its_day(void **state)
{
    struct catalogue_filter f = {.pattern = "p5.48xlarge", .region = "us-east-1", .history = true};
    struct table *t = table_of(catalogue_table_spot, state, f);
    assert_int_equal(table_rows(t), 2);
    assert_string_equal(text(t, 0, "date"), "2025-06-04");
    assert_near(money(t, 0, "on_demand_per_hour"), 98.32, 0, "before the cut");
    assert_true(missing(t, 0, "advisor_bucket")); /* the first bucket is of 2025-06-28 */
    assert_string_equal(text(t, 1, "date"), "2025-11-30");
    assert_near(money(t, 1, "on_demand_per_hour"), 55.04, 0, "after the cut");
    table_free(t);
}

/* ---- regions -------------------------------------------------------------------------------- */

static void regions_say_how_much_they_have(void **state)
{
    struct table *t = table_of(catalogue_table_regions, state, (struct catalogue_filter){0});
    assert_int_equal(table_rows(t), catalogue_regions(*state));
    size_t gaps = 0;
    for (size_t r = 0; r < table_rows(t); r++) {
        int64_t priced = table_integer(t, r, column(t, "on_demand_types"));
        if (strcmp(text(t, r, "region"), "us-east-1") == 0) {
            assert_true(priced >= 80);
            assert_near(number(t, r, "utc_offset_h"), -5, 0, "offset");
            assert_string_equal(text(t, r, "newest_confirmed"), "2026-07-20");
        }
        gaps += priced == 0;
        assert_int_equal(missing(t, r, "newest_confirmed"), priced == 0);
    }
    assert_int_equal(gaps, 6); /* described for price files, but no GPU price was published */
    table_free(t);
    t = table_of(catalogue_table_regions, state, (struct catalogue_filter){.pattern = "tokyo"});
    assert_int_equal(table_rows(t), 1);
    assert_string_equal(text(t, 0, "region"), "ap-northeast-1");
    table_free(t);
    t = table_of(catalogue_table_regions, state,
                 (struct catalogue_filter){.region = "us-east-1", .dtype = "fp8", .gpus = "8"});
    assert_int_equal(table_rows(t), 1);
    assert_true(table_integer(t, 0, column(t, "on_demand_types")) < 12);
    table_free(t);
}

static void csv_has_no_zero_for_a_missing_price(void **state)
{
    struct catalogue_filter f = {.pattern = "p5e*", .region = "us-east-1"};
    struct table *t = table_of(catalogue_table_instances, state, f);
    char *csv = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&csv, &size);
    assert_true(table_write_csv(t, out));
    assert_int_equal(fclose(out), 0);
    const char *row = strstr(csv, "\np5e.48xlarge,");
    assert_non_null(row);
    assert_non_null(strstr(row, ",yes,,USD,,,,2026,"));
    free(csv);
    table_free(t);
}

enum {
    FILTER_CASES = sizeof filter_cases / sizeof filter_cases[0],
    BAD_FILTERS = sizeof bad_filters / sizeof bad_filters[0]
};

static int run_cases(void)
{
    struct CMUnitTest tests[FILTER_CASES + BAD_FILTERS];
    for (size_t i = 0; i < FILTER_CASES; i++) {
        tests[i] = (struct CMUnitTest){filter_cases[i].name, a_filter_lets_the_right_types_pass,
                                       NULL, NULL, (void *)&filter_cases[i]};
    }
    for (size_t i = 0; i < BAD_FILTERS; i++) {
        tests[FILTER_CASES + i] = (struct CMUnitTest){bad_filters[i].name, a_bad_filter_is_an_error,
                                                      NULL, NULL, (void *)&bad_filters[i]};
    }
    return _cmocka_run_group_tests("catalogue filters", tests, FILTER_CASES + BAD_FILTERS, NULL,
                                   NULL);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(instances_list_every_type),
        cmocka_unit_test(instances_stand_by_size),
        cmocka_unit_test(instances_have_the_price_of_a_region_and_day),
        cmocka_unit_test(a_missing_price_sorts_last_both_ways),
        cmocka_unit_test(a_pattern_of_nothing_is_a_warning),
        cmocka_unit_test(prices_are_those_in_force),
        cmocka_unit_test(history_shows_every_dated_row),
        cmocka_unit_test(every_money_column_names_hour_and_currency),
        cmocka_unit_test(spot_rows_have_statistics_savings_and_bucket),
        cmocka_unit_test(spot_without_on_demand_has_no_savings),
        cmocka_unit_test(spot_history_compares_with_the_price_of_its_day),
        cmocka_unit_test(regions_say_how_much_they_have),
        cmocka_unit_test(csv_has_no_zero_for_a_missing_price),
    };
    unsetenv("FLEETCAST_CATALOGUE");
    return cmocka_run_group_tests_name("catalogue tables", tests, load, unload) + run_cases();
}
