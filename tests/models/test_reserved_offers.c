/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reserved offers and capacity blocks: shipped prices against their sources, what no longer exists,
 * the sentences that say so, and files that are wrong. */
#include "engine/civil_time.h"
#include "engine/file.h"
#include "models/catalogue/block_prices.h"
#include "models/catalogue/offer_tables.h"
#include "models/catalogue/reserved_offers.h"
#include "tests/support/testing.h"

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
    assert_null(diagnostics_text(d, 0, NULL, NULL));
    diagnostics_free(d);
    return *state ? 0 : -1;
}

static int unload(void **state)
{
    catalogue_free(*state);
    return 0;
}

/* ---- shipped offers --------------------------------------------------------------- */

struct offer_row {
    const char *type, *region;
    enum offer_kind kind;
    int years;
    enum payment_option payment;
    const char *as_of;
    const char *effective; /* "" = none */
};

/* ec2instances.info dumps of 2017-11-12 and 2025-11-30 (in China 2026-01-21), LeanerCloud
 * 2023-08-30. */
static const struct offer_row offers[] = {
    {"p4d.24xlarge", "us-east-1", OFFER_STANDARD, 1, PAYMENT_NO_UPFRONT, "2026-03-02", "13.921094"},
    {"p4d.24xlarge", "us-east-1", OFFER_STANDARD, 1, PAYMENT_ALL_UPFRONT, "2026-03-02",
     "12.993037"},
    {"p4d.24xlarge", "us-east-1", OFFER_STANDARD, 1, PAYMENT_ALL_UPFRONT, "2025-11-29",
     "18.830479"},
    {"p4d.24xlarge", "us-east-1", OFFER_STANDARD, 1, PAYMENT_NO_UPFRONT, "2025-11-29", ""},
    {"p4d.24xlarge", "us-east-1", OFFER_STANDARD, 1, PAYMENT_ALL_UPFRONT, "2023-08-29", ""},
    {"p4d.24xlarge", "us-east-1", OFFER_STANDARD, 3, PAYMENT_ALL_UPFRONT, "2026-03-02", "8.159056"},
    {"p5.48xlarge", "us-east-1", OFFER_STANDARD, 1, PAYMENT_NO_UPFRONT, "2026-03-02", ""},
    {"p5.48xlarge", "us-east-1", OFFER_CONVERTIBLE, 1, PAYMENT_NO_UPFRONT, "2026-03-02", "43.344"},
    {"p5.48xlarge", "us-east-1", OFFER_STANDARD, 3, PAYMENT_ALL_UPFRONT, "2026-03-02", "20.695053"},
    {"p5en.48xlarge", "us-east-1", OFFER_STANDARD, 3, PAYMENT_ALL_UPFRONT, "2026-03-02", ""},
    {"p3.2xlarge", "us-east-1", OFFER_STANDARD, 1, PAYMENT_PARTIAL_UPFRONT, "2018-01-01", "1.99"},
    {"p3.2xlarge", "us-east-1", OFFER_STANDARD, 1, PAYMENT_PARTIAL_UPFRONT, "2026-03-02", ""},
    {"g5.xlarge", "us-east-1", OFFER_STANDARD, 1, PAYMENT_NO_UPFRONT, "2026-03-02", "0.63378"},
    {"g4dn.16xlarge", "cn-north-1", OFFER_STANDARD, 1, PAYMENT_NO_UPFRONT, "2026-03-02", "25.283"},
    {"g4dn.16xlarge", "cn-north-1", OFFER_INSTANCE_SAVINGS, 1, PAYMENT_NO_UPFRONT, "2026-03-02",
     "27.443"},
    {"p4d.24xlarge", "us-east-1", OFFER_INSTANCE_SAVINGS, 1, PAYMENT_NO_UPFRONT, "2026-03-02", ""},
    {"p4d.24xlarge", "nowhere", OFFER_STANDARD, 1, PAYMENT_NO_UPFRONT, "2026-03-02", ""},
    {"x9.huge", "us-east-1", OFFER_STANDARD, 1, PAYMENT_NO_UPFRONT, "2026-03-02", ""},
};
enum { OFFERS = sizeof offers / sizeof offers[0] };

static struct offer_key key_of(const struct offer_row *row)
{
    return (struct offer_key){row->type, row->region, row->kind, row->years, row->payment};
}

static void test_offers(void **state)
{
    for (size_t i = 0; i < OFFERS; i++) {
        struct offer_key key = key_of(&offers[i]);
        struct reserved_price price;
        char got[32] = "";
        if (catalogue_reserved(*state, &key, day(offers[i].as_of), &price)) {
            money_text(price.effective_per_hour, got);
            int64_t hours = 8760 * key.term_years;
            assert_int_equal(price.upfront + price.hourly * hours,
                             price.effective_per_hour * hours);
            assert_string_equal(price.layer, "shipped");
            assert_true(price.from_unix_s <= day(offers[i].as_of));
        }
        assert_string_equal(got, offers[i].effective);
    }
}

/* 1-year p3.2xlarge partial upfront: half of 1.99 × 8,760 = 8,716.20. The 2018 list has 8,712 and
 * 0.995: half, to the rounding of the published effective price. */
static void test_payments(void **state)
{
    struct offer_key key = {"p3.2xlarge", "us-east-1", OFFER_STANDARD, 1, PAYMENT_PARTIAL_UPFRONT};
    struct reserved_price price;
    assert_true(catalogue_reserved(*state, &key, day("2018-01-01"), &price));
    assert_int_equal(price.upfront, INT64_C(8716200000000));
    assert_int_equal(price.hourly, 995000000);
    key = (struct offer_key){"p4d.24xlarge", "us-east-1", OFFER_STANDARD, 3, PAYMENT_ALL_UPFRONT};
    assert_true(catalogue_reserved(*state, &key, day("2026-01-01"), &price));
    assert_int_equal(price.upfront, INT64_C(8159056000) * 26280);
    assert_int_equal(price.hourly, 0);
    key.payment = PAYMENT_NO_UPFRONT;
    assert_true(catalogue_reserved(*state, &key, day("2026-01-01"), &price));
    assert_int_equal(price.upfront, 0);
    assert_int_equal(price.hourly, INT64_C(9374219000));
}

static void explained(void **state, struct offer_key key, const char *as_of, const char *want)
{
    char text[700];
    catalogue_explain_missing_reserved(*state, &key, day(as_of), text, sizeof text);
    assert_string_equal(text, want);
}

static void test_what_exists_instead(void **state)
{
    explained(state,
              (struct offer_key){"p5.48xlarge", "us-east-1", OFFER_STANDARD, 1, PAYMENT_NO_UPFRONT},
              "2026-01-01",
              "no 1-year standard no-upfront offer for 'p5.48xlarge' in 'us-east-1' since "
              "2025-11-30; there are: 1-year convertible (no-upfront, partial-upfront, "
              "all-upfront), 3-year standard (no-upfront, partial-upfront, all-upfront), 3-year "
              "convertible (no-upfront, partial-upfront, all-upfront)");
    explained(state,
              (struct offer_key){"p3.2xlarge", "us-east-1", OFFER_STANDARD, 1, PAYMENT_NO_UPFRONT},
              "2026-01-01",
              "no 1-year standard no-upfront offer for 'p3.2xlarge' in 'us-east-1' since "
              "2025-11-30; there is none of any kind");
    explained(
        state,
        (struct offer_key){"p4d.24xlarge", "us-east-1", OFFER_STANDARD, 1, PAYMENT_NO_UPFRONT},
        "2024-01-01",
        "no 1-year standard no-upfront offer for 'p4d.24xlarge' in 'us-east-1' is known on "
        "2024-01-01; there are: 1-year standard (all-upfront)");
    explained(state,
              (struct offer_key){"p2.xlarge", "us-east-1", OFFER_STANDARD, 3, PAYMENT_ALL_UPFRONT},
              "2026-01-01",
              "no 3-year standard all-upfront offer for 'p2.xlarge' in 'us-east-1' since "
              "2025-11-30; there is none of any kind; it is known in ap-northeast-2 (seen "
              "2017-11-12), ap-southeast-2 (seen 2017-11-12), us-gov-west-1 (seen 2017-11-12)");
    explained(state,
              (struct offer_key){"p4d.24xlarg", "us-east-1", OFFER_STANDARD, 1, PAYMENT_NO_UPFRONT},
              "2024-01-01", "unknown instance type 'p4d.24xlarg'; did you mean 'p4d.24xlarge'?");
    explained(
        state,
        (struct offer_key){"p4d.24xlarge", "us-east-9", OFFER_STANDARD, 1, PAYMENT_NO_UPFRONT},
        "2024-01-01", "unknown region 'us-east-9'; did you mean 'us-east-1'?");
}

/* As published: three years of p4d, convertible, are dearer than one in Tokyo and Mumbai. */
static void test_strange_prices(void **state)
{
    static const struct {
        const char *region;
        size_t warnings;
    } rows[] = {{"us-east-1", 0}, {"ap-northeast-1", 3}, {"ap-south-1", 3}, {"nowhere", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct diagnostics *d = diagnostics_new();
        catalogue_check_reserved(*state, "p4d.24xlarge", rows[i].region, INT64_MAX, d);
        assert_int_equal(diagnostics_count(d, DIAGNOSTIC_WARNING), rows[i].warnings);
        if (strcmp(rows[i].region, "ap-south-1") == 0) {
            assert_string_equal(diagnostics_text(d, 0, NULL, NULL),
                                "the 3-year convertible no-upfront price of 'p4d.24xlarge' in "
                                "'ap-south-1', 21.872591 an hour, is above that for one year, "
                                "20.387256");
        }
        diagnostics_free(d);
    }
}

/* Everywhere else prices are in order: 3 years <= 1 year <= on demand, more upfront <= less. */
static void test_all_shipped_prices(void **state)
{
    const struct catalogue *c = *state;
    struct diagnostics *d = diagnostics_new();
    for (size_t r = 0; r < catalogue_regions(c); r++) {
        for (size_t t = 0; t < catalogue_types(c); t++) {
            catalogue_check_reserved(c, catalogue_type_at(c, t)->name,
                                     catalogue_region_at(c, r)->code, INT64_MAX, d);
        }
    }
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_WARNING), 6);
    diagnostics_free(d);
}

/* ---- shipped blocks ------------------------------------------------------------------ */

static void test_blocks(void **state)
{
    static const struct {
        const char *type, *region, *as_of, *price;
    } rows[] = {
        {"p5.48xlarge", "us-east-1", "2026-03-02", "39.33"},
        {"p5.48xlarge", "us-east-1", "2024-12-30", ""},
        {"p5.48xlarge", "eu-west-1", "2026-03-02", ""},
        {"p5e.48xlarge", "us-east-2", "2025-06-01", "43.26"},
        {"p5e.48xlarge", "us-east-2", "2025-12-31", "34.61"},
        {"p5e.48xlarge", "us-east-2", "2026-03-02", "39.80"},
        {"p5en.48xlarge", "eu-west-1", "2026-01-30", "36.18"},
        {"p5en.48xlarge", "eu-west-1", "2026-03-02", "41.61"},
        {"p5en.48xlarge", "cn-north-1", "2026-03-02", ""},
        {"p5en.48xlarge", "nowhere", "2026-03-02", ""},
        {"trn1.32xlarge", "ap-southeast-4", "2026-03-02", "15.49"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char got[32] = "";
        const struct block_price *b =
            catalogue_block(*state, rows[i].type, rows[i].region, day(rows[i].as_of));
        if (b) {
            money_text(b->per_hour, got);
        }
        assert_string_equal(got, rows[i].price);
    }
}

static void test_missing_blocks(void **state)
{
    static const struct {
        const char *type, *region, *as_of, *text;
    } rows[] = {
        {"p5.48xlarge", "eu-west-1", "2026-03-02",
         "no capacity-block price for 'p5.48xlarge' in 'eu-west-1' is known on 2026-03-02; it has "
         "one then in us-east-1, us-east-2"},
        {"p4de.24xlarge", "us-east-1", "2026-03-02",
         "no capacity-block price for 'p4de.24xlarge' in 'us-east-1' is known on 2026-03-02; "
         "types that have one then: p4d.24xlarge, p5.48xlarge, p5e.48xlarge, p5en.48xlarge, "
         "trn1.32xlarge"},
        {"p5.48xlarge", "us-east-1", "2020-01-01",
         "no capacity-block price for 'p5.48xlarge' in 'us-east-1' is known on 2020-01-01; no "
         "type has one then"},
        {"p5.48xlarg", "us-east-1", "2020-01-01",
         "unknown instance type 'p5.48xlarg'; did you mean 'p5.48xlarge'?"},
        {"p5.48xlarge", "us-east-9", "2020-01-01",
         "unknown region 'us-east-9'; did you mean 'us-east-1'?"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[700];
        catalogue_explain_missing_block(*state, rows[i].type, rows[i].region, day(rows[i].as_of),
                                        text, sizeof text);
        assert_string_equal(text, rows[i].text);
    }
}

/* ---- tables --------------------------------------------------------------------------- */

static size_t column(const struct table *t, const char *name)
{
    int index = table_find(t, name);
    if (index < 0) {
        fail_msg("no column '%s'", name);
    }
    return (size_t)index;
}

static void test_reserved_table(void **state)
{
    struct diagnostics *d = diagnostics_new();
    struct catalogue_filter f = {
        .pattern = "p4d.24xlarge", .region = "us-east-1", .date_unix_s = day("2026-03-02")};
    struct table *t = catalogue_table_reserved(*state, &f, d);
    assert_non_null(t);
    assert_int_equal(table_rows(t), 12);
    assert_string_equal(table_text(t, 0, column(t, "offer")), "standard");
    assert_string_equal(table_text(t, 0, column(t, "payment")), "no-upfront");
    assert_int_equal(table_integer(t, 0, column(t, "effective_per_hour")), INT64_C(13921094000));
    assert_int_equal(table_integer(t, 0, column(t, "on_demand_per_hour")), INT64_C(21957642000));
    /* 13.921094 / 21.957642, and of 12 months; against spot at 8.59075 never */
    assert_near(table_number(t, 0, column(t, "break_even_frac")), 0.633998, 1e-6, "break-even");
    assert_near(table_number(t, 0, column(t, "break_even_months")), 7.607971, 1e-5, "months");
    assert_near(table_number(t, 0, column(t, "break_even_spot_frac")), 1.620475, 1e-6, "spot");
    assert_int_equal(table_integer(t, 3, column(t, "term_years")), 3);
    assert_null(diagnostics_text(d, 0, NULL, NULL));
    table_free(t);
    f.history = true;
    t = catalogue_table_reserved(*state, &f, d);
    assert_int_equal(table_rows(t), 13);
    table_free(t);
    /* one that ended: a price, then a row without one */
    f.pattern = "p3.2xlarge";
    f.date_unix_s = INT64_MAX;
    t = catalogue_table_reserved(*state, &f, d);
    size_t ended = 0, rows = table_rows(t);
    for (size_t i = 0; i < rows; i++) {
        bool none = table_missing(t, i, column(t, "effective_per_hour"));
        const char *from = table_text(t, i, column(t, "from_date"));
        assert_int_equal(none, strcmp(from, "2025-11-30") == 0);
        assert_int_equal(none, table_missing(t, i, column(t, "upfront")));
        assert_int_equal(none, table_missing(t, i, column(t, "break_even_frac")));
        ended += none;
    }
    assert_true(ended >= 11 && ended < rows);
    table_free(t);
    f.history = false;
    t = catalogue_table_reserved(*state, &f, d);
    assert_int_equal(table_rows(t), 0);
    table_free(t);
    diagnostics_free(d);
}

static void test_reserved_table_warns(void **state)
{
    struct diagnostics *d = diagnostics_new();
    struct catalogue_filter f = {.region = "ap-south-1", .date_unix_s = INT64_MAX};
    struct table *t = catalogue_table_reserved(*state, &f, d);
    assert_true(table_rows(t) > 100);
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_WARNING), 3);
    table_free(t);
    f.region = "ap-south-9";
    assert_null(catalogue_table_reserved(*state, &f, d));
    assert_null(catalogue_table_blocks(*state, &f, d));
    diagnostics_free(d);
}

static void test_blocks_table(void **state)
{
    struct diagnostics *d = diagnostics_new();
    static const struct {
        const char *pattern, *region, *date;
        bool history;
        size_t rows;
    } rows[] = {
        {NULL, NULL, "2026-03-02", false, 8},         {NULL, NULL, "2026-03-02", true, 10},
        {NULL, NULL, "2025-01-01", false, 6},         {NULL, "us-east-2", "2026-03-02", false, 4},
        {"p5e", "us-east-2", "2026-03-02", true, 5},  {"p5e", "us-east-2", "2025-01-01", false, 1},
        {NULL, "cn-north-1", "2026-03-02", false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct catalogue_filter f = {.pattern = rows[i].pattern,
                                     .region = rows[i].region,
                                     .date_unix_s = day(rows[i].date),
                                     .history = rows[i].history};
        struct table *t = catalogue_table_blocks(*state, &f, d);
        assert_int_equal(table_rows(t), rows[i].rows);
        table_free(t);
    }
    struct catalogue_filter f = {
        .pattern = "p5.48xlarge", .region = "us-east-1", .date_unix_s = day("2026-03-02")};
    struct table *t = catalogue_table_blocks(*state, &f, d);
    assert_int_equal(table_integer(t, 0, column(t, "price_per_hour")), INT64_C(39330000000));
    assert_near(table_number(t, 0, column(t, "price_per_gpu_hour")), 4.91625, 1e-9, "per GPU");
    assert_near(table_number(t, 0, column(t, "break_even_frac")), 0.7145712, 1e-6, "break-even");
    assert_null(diagnostics_text(d, 0, NULL, NULL));
    table_free(t);
    diagnostics_free(d);
}

/* ---- files that are wrong ------------------------------------------------------------------ */

static const char *const files[][2] = {
    {"accelerators.csv",
     "accelerator,full_name,architecture,memory_gib,memory_bandwidth_gb_per_s,fp64_tflops,"
     "fp32_tflops,tf32_tflops,fp16_tflops,bf16_tflops,fp8_tflops,int8_tops,fp4_tflops,date,source,"
     "note\nA,Maker A,Arch,40,1000,,,,312,,,,,2020,s,\n"},
    {"instance_types.csv",
     "instance_type,accelerator,accelerator_count,accelerator_memory_gib,vcpus,memory_gib,"
     "network_gbps,efa,nvlink_gb_per_s,local_nvme_gb,date,source,note\n"
     "x1.large,A,2,40,8,64,10,no,,,2020,api,\n"},
    {"regions.csv", "region,name,currency,utc_offset_h,first_zone,date,source\n"
                    "us-one-1,One,USD,-5,us-one-1a,2020-01-01,list\n"
                    "cn-two-1,Two,CNY,8,cn-two-1a,2020-01-01,list\n"},
    {"prices_on_demand.csv",
     "region,instance_type,date,price_per_hour,currency,confirmed,source,note\n"
     "us-one-1,x1.large,2024-01-01,3.5,USD,2024-12-31,a,\n"},
    {"prices_spot.csv", "region,instance_type,date,observations,min_per_hour,mean_per_hour,"
                        "max_per_hour,currency,source\n"},
    {"spot_advisor.csv", "region,instance_type,date,bucket,source\n"},
};

#define RESERVED                                                                                   \
    "region,instance_type,offer,date,confirmed,no_upfront_1y,partial_upfront_1y,all_upfront_1y,"   \
    "no_upfront_3y,partial_upfront_3y,all_upfront_3y,currency,source\n"
#define BLOCKS "region,instance_type,date,price_per_hour,currency,source,note\n"

struct wrong {
    const char *name, *file, *text, *message;
    int line;
};

static const struct wrong wrong_files[] = {
    {"unknown offer", "reserved.csv",
     RESERVED "us-one-1,x1.large,normal,2025-01-01,2025-01-01,1,,,,,,USD,s\n",
     "unknown offer 'normal'", 2},
    {"unknown type", "reserved.csv",
     RESERVED "us-one-1,x1.larg,standard,2025-01-01,2025-01-01,1,,,,,,USD,s\n",
     "unknown instance type 'x1.larg'; did you mean 'x1.large'?", 2},
    {"zero price", "reserved.csv",
     RESERVED "us-one-1,x1.large,standard,2025-01-01,2025-01-01,1,0,,,,,USD,s\n",
     "'partial_upfront_1y' is '0'; expected a price above 0", 2},
    {"negative price", "reserved.csv",
     RESERVED "us-one-1,x1.large,standard,2025-01-01,2025-01-01,,,,,,-1,USD,s\n",
     "'all_upfront_3y' is '-1'", 2},
    {"price in words", "reserved.csv",
     RESERVED "us-one-1,x1.large,standard,2025-01-01,2025-01-01,free,,,,,,USD,s\n", "'free'", 2},
    {"currency", "reserved.csv",
     RESERVED "cn-two-1,x1.large,standard,2025-01-01,2025-01-01,1,,,,,,USD,s\n",
     "currency 'USD'; prices in 'cn-two-1' are in CNY", 2},
    {"confirmed before", "reserved.csv",
     RESERVED "us-one-1,x1.large,standard,2025-01-01,2024-01-01,1,,,,,,USD,s\n",
     "expected no day before the row's date", 2},
    {"no source", "reserved.csv",
     RESERVED "us-one-1,x1.large,standard,2025-01-01,2025-01-01,1,,,,,,USD,\n", "'source' is empty",
     2},
    {"twice", "reserved.csv",
     RESERVED "us-one-1,x1.large,standard,2025-01-01,2025-01-01,1,,,,,,USD,s\n"
              "us-one-1,x1.large,convertible,2025-01-01,2025-01-01,1,,,,,,USD,s\n"
              "us-one-1,x1.large,standard,2025-01-01,2025-01-02,2,,,,,,USD,s\n",
     "the standard offers of 'x1.large' in 'us-one-1' on 2025-01-01 are given twice; line 2 has "
     "them too",
     4},
    {"lacks a column", "reserved.csv", "region,instance_type\n", "'offer'", 1},
    {"block of an unknown type", "capacity_blocks.csv", BLOCKS "*,x1.larg,2025-01-01,1,USD,s,\n",
     "unknown instance type 'x1.larg'; did you mean 'x1.large'?", 2},
    {"block in an unknown region", "capacity_blocks.csv",
     BLOCKS "us-one-9,x1.large,2025-01-01,1,USD,s,\n", "unknown region 'us-one-9'", 2},
    {"block for nothing", "capacity_blocks.csv", BLOCKS "*,x1.large,2025-01-01,0,USD,s,\n",
     "'price_per_hour' is '0'", 2},
    {"block in another currency", "capacity_blocks.csv", BLOCKS "*,x1.large,2025-01-01,1,CNY,s,\n",
     "currency 'CNY'; expected USD", 2},
    {"block without source", "capacity_blocks.csv", BLOCKS "*,x1.large,2025-01-01,1,USD,,\n",
     "'source' is empty", 2},
    {"block twice", "capacity_blocks.csv",
     BLOCKS "*,x1.large,2025-01-01,1,USD,s,\nus-one-1,x1.large,2025-01-01,1,USD,s,\n"
            "*,x1.large,2025-01-01,1,USD,s,\n",
     "the capacity-block price of 'x1.large' in '*' on 2025-01-01 is given twice; line 2", 4},
};
enum { WRONG = sizeof wrong_files / sizeof wrong_files[0] };

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

/* A small catalogue in a folder of its own, with one more file unless NULL. */
static struct catalogue *small(char folder[300], const char *name, const char *text,
                               struct diagnostics *d)
{
    const char *base = getenv("TMPDIR");
    snprintf(folder, 300, "%s/fleetcast-offers-XXXXXX", base && strlen(base) < 200 ? base : "/tmp");
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        write_file(folder, files[i][0], files[i][1]);
    }
    if (name) {
        write_file(folder, name, text);
    }
    return catalogue_load(folder, NULL, 0, d);
}

static void remove_folder(const char *folder, struct diagnostics *d)
{
    assert_true(file_remove_tree(folder, d));
    diagnostics_free(d);
}

static void test_wrong_file(void **state)
{
    const struct wrong *w = *state;
    char folder[300];
    struct diagnostics *d = diagnostics_new();
    assert_null(small(folder, w->file, w->text, d));
    struct place where;
    enum diagnostic_kind kind;
    const char *text = diagnostics_text(d, 0, &kind, &where);
    assert_int_equal(kind, DIAGNOSTIC_ERROR);
    if (!strstr(text, w->message)) {
        fail_msg("'%s' lacks '%s'", text, w->message);
    }
    assert_string_equal(where.file, w->file);
    assert_int_equal(where.line, w->line);
    remove_folder(folder, d);
}

/* Older folders have neither file: then there are no offers, and no error. */
static void test_folder_without_offers(void **state)
{
    (void)state;
    char folder[300], text[700];
    struct diagnostics *d = diagnostics_new();
    struct catalogue *c = small(folder, NULL, NULL, d);
    assert_non_null(c);
    assert_null(diagnostics_text(d, 0, NULL, NULL));
    struct offer_key key = {"x1.large", "us-one-1", OFFER_STANDARD, 1, PAYMENT_NO_UPFRONT};
    struct reserved_price price;
    assert_false(catalogue_reserved(c, &key, INT64_MAX, &price));
    assert_null(catalogue_block(c, "x1.large", "us-one-1", INT64_MAX));
    catalogue_explain_missing_reserved(c, &key, INT64_MAX, text, sizeof text);
    assert_string_equal(text, "no 1-year standard no-upfront offer for 'x1.large' in 'us-one-1' is "
                              "known on 2999-12-31; there is none of any kind");
    catalogue_free(c);
    remove_folder(folder, d);
}

/* Cells that say nothing leave the older price; "none" ends it; a later row brings it back. */
static void test_cells_over_time(void **state)
{
    (void)state;
    char folder[300];
    struct diagnostics *d = diagnostics_new();
    struct catalogue *c =
        small(folder, "reserved.csv",
              RESERVED "us-one-1,x1.large,standard,2025-04-01,2025-04-01,4.5,,,,,,USD,s\n"
                       "us-one-1,x1.large,standard,2025-01-01,2025-01-01,1,2,,,,,USD,s\n"
                       "us-one-1,x1.large,standard,2025-02-01,2025-02-01,,1.5,,,,,USD,s\n"
                       "us-one-1,x1.large,standard,2025-03-01,2025-03-01,none,,,,,,USD,s\n",
              d);
    assert_non_null(c);
    static const struct {
        const char *as_of;
        int64_t no_upfront, partial; /* in tenths; 0 = none */
    } rows[] = {{"2024-12-31", 0, 0},  {"2025-01-01", 10, 20}, {"2025-02-28", 10, 15},
                {"2025-03-01", 0, 15}, {"2025-03-31", 0, 15},  {"2025-04-01", 45, 15}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct reserved_price price = {0};
        struct offer_key key = {"x1.large", "us-one-1", OFFER_STANDARD, 1, PAYMENT_NO_UPFRONT};
        bool found = catalogue_reserved(c, &key, day(rows[i].as_of), &price);
        assert_int_equal(found, rows[i].no_upfront > 0);
        assert_int_equal(found ? price.effective_per_hour : 0,
                         rows[i].no_upfront * MONEY_UNIT / 10);
        key.payment = PAYMENT_PARTIAL_UPFRONT;
        found = catalogue_reserved(c, &key, day(rows[i].as_of), &price);
        assert_int_equal(found ? price.effective_per_hour : 0, rows[i].partial * MONEY_UNIT / 10);
    }
    /* 4.5 is above 3.5 on demand */
    catalogue_check_reserved(c, "x1.large", "us-one-1", INT64_MAX, d);
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_WARNING), 1);
    assert_string_equal(diagnostics_text(d, 0, NULL, NULL),
                        "the 1-year standard no-upfront price of 'x1.large' in 'us-one-1', 4.50 an "
                        "hour, is above the on-demand price known then, 3.50");
    catalogue_free(c);
    remove_folder(folder, d);
}

/* ---- price files ------------------------------------------------------------------------ */

#define OWN                                                                                        \
    "kind,region,instance_type,date,price_per_hour,currency,class,term,payment,statistic,source\n"

/* The small catalogue with one row of reserved offers of 2025-01-01, and up to two price files. */
static struct catalogue *with_files(char folder[300], char paths[2][320], const char *one,
                                    const char *two, struct diagnostics *d)
{
    const char *names[2] = {paths[0], paths[1]};
    struct catalogue *c = small(
        folder, "reserved.csv",
        RESERVED "us-one-1,x1.large,standard,2025-01-01,2025-02-01,2,1.9,1.8,,,1.5,USD,s\n", d);
    assert_non_null(c);
    catalogue_free(c);
    write_file(folder, "one.csv", one);
    write_file(folder, "two.csv", two ? two : "");
    snprintf(paths[0], 320, "%s/one.csv", folder);
    snprintf(paths[1], 320, "%s/two.csv", folder);
    return catalogue_load(folder, names, two ? 2 : 1, d);
}

static void test_own_offers_win_cell_by_cell(void **state)
{
    (void)state;
    char folder[300], paths[2][320];
    struct diagnostics *d = diagnostics_new();
    struct catalogue *c = with_files(
        folder, paths,
        OWN "reserved,us-one-1,x1.large,2025-01-01,1.25,USD,standard,1y,no-upfront,,EDP\n"
            "reserved,us-one-1,x1.large,2025-01-01,1.75,USD,standard,1y,all-upfront,,\n"
            "reserved,us-one-1,x1.large,2025-06-01,none,USD,standard,1y,all-upfront,,\n"
            "reserved,us-one-1,x1.large,2025-03-01,1.1,USD,convertible,3y,"
            "partial-upfront,,\n"
            "on-demand,us-one-1,x1.large,2025-03-01,3,USD,,,,,\n",
        OWN "reserved,us-one-1,x1.large,2025-01-01,1.2,USD,standard,1y,no-upfront,,\n", d);
    assert_non_null(c);
    assert_null(diagnostics_text(d, 0, NULL, NULL));
    static const struct {
        enum offer_kind kind;
        int years;
        enum payment_option payment;
        const char *as_of;
        int64_t hundredths; /* 0 = none */
        int layer;          /* -1: shipped */
    } rows[] = {
        {OFFER_STANDARD, 1, PAYMENT_NO_UPFRONT, "2025-01-01", 120, 1}, /* the last file's */
        {OFFER_STANDARD, 1, PAYMENT_NO_UPFRONT, "2024-12-31", 0, 0},
        {OFFER_STANDARD, 1, PAYMENT_PARTIAL_UPFRONT, "2025-12-31", 190, -1}, /* untouched */
        {OFFER_STANDARD, 1, PAYMENT_ALL_UPFRONT, "2025-05-31", 175, 0},
        {OFFER_STANDARD, 1, PAYMENT_ALL_UPFRONT, "2025-06-01", 0, 0}, /* ended */
        {OFFER_STANDARD, 3, PAYMENT_ALL_UPFRONT, "2025-06-01", 150, -1},
        {OFFER_CONVERTIBLE, 3, PAYMENT_PARTIAL_UPFRONT, "2025-02-28", 0, 0},
        {OFFER_CONVERTIBLE, 3, PAYMENT_PARTIAL_UPFRONT, "2025-03-01", 110, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct offer_key key = {"x1.large", "us-one-1", rows[i].kind, rows[i].years,
                                rows[i].payment};
        struct reserved_price price;
        bool found = catalogue_reserved(c, &key, day(rows[i].as_of), &price);
        assert_int_equal(found ? price.effective_per_hour : 0,
                         rows[i].hundredths * MONEY_UNIT / 100);
        if (found) {
            assert_string_equal(price.layer, rows[i].layer < 0 ? "shipped" : paths[rows[i].layer]);
        }
    }
    /* with history every dated price once: what was replaced is gone */
    struct catalogue_filter f = {.date_unix_s = INT64_MAX, .history = true};
    struct table *t = catalogue_table_reserved(c, &f, d);
    assert_int_equal(table_rows(t), 6);
    table_free(t);
    catalogue_free(c);
    remove_folder(folder, d);
}

/* A negotiated price from before the shipped one does not replace it: told. */
static void test_own_offer_that_a_shipped_one_ends(void **state)
{
    (void)state;
    char folder[300], paths[2][320];
    struct diagnostics *d = diagnostics_new();
    struct catalogue *c = with_files(
        folder, paths,
        OWN "reserved,us-one-1,x1.large,2024-06-01,1.25,USD,standard,1y,no-upfront,,\n", NULL, d);
    assert_non_null(c);
    struct place where;
    enum diagnostic_kind kind;
    const char *text = diagnostics_text(d, 0, &kind, &where);
    assert_int_equal(kind, DIAGNOSTIC_WARNING);
    assert_string_equal(where.file, paths[0]);
    assert_int_equal(where.line, 2);
    assert_string_equal(text, "this reserved offer of 'x1.large' in 'us-one-1' holds from "
                              "2024-06-01 only to 2025-01-01, when a newer row of 'shipped' "
                              "follows; date it on or after that day to replace the newer row");
    assert_null(diagnostics_text(d, 1, NULL, NULL));
    catalogue_free(c);
    remove_folder(folder, d);
}

/* Strange prices are told with the file that they are from. */
static void test_own_strange_price_names_its_file(void **state)
{
    (void)state;
    char folder[300], paths[2][320];
    struct diagnostics *d = diagnostics_new();
    struct catalogue *c = with_files(
        folder, paths, OWN "reserved,us-one-1,x1.large,2025-01-01,9,USD,standard,1y,no-upfront,,\n",
        NULL, d);
    assert_non_null(c);
    catalogue_check_reserved(c, "x1.large", "us-one-1", INT64_MAX, d);
    struct place where;
    assert_non_null(strstr(diagnostics_text(d, 0, NULL, &where), "is above the on-demand price"));
    assert_string_equal(where.file, paths[0]);
    assert_int_equal(where.line, 2);
    catalogue_free(c);
    remove_folder(folder, d);
}

static const struct wrong wrong_rows[] = {
    {"own offer without class", NULL,
     "reserved,us-one-1,x1.large,2025-01-01,1,USD,,1y,no-upfront,,\n",
     "'class' of a reserved offer is missing; expected standard or convertible", 2},
    {"own offer without term", NULL,
     "reserved,us-one-1,x1.large,2025-01-01,1,USD,standard,,no-upfront,,\n",
     "'term' of a reserved offer is missing; expected 1y or 3y", 2},
    {"own offer without payment", NULL,
     "reserved,us-one-1,x1.large,2025-01-01,1,USD,standard,1y,,,\n",
     "'payment' of a reserved offer is missing", 2},
    {"own offer of an unknown term", NULL,
     "reserved,us-one-1,x1.large,2025-01-01,1,USD,standard,2y,no-upfront,,\n", "term '2y'", 2},
    {"own offer of an unknown payment", NULL,
     "reserved,us-one-1,x1.large,2025-01-01,1,USD,standard,1y,no-upfrnt,,\n",
     "unknown payment 'no-upfrnt'; did you mean 'no-upfront'?", 2},
    {"own offer with a statistic", NULL,
     "reserved,us-one-1,x1.large,2025-01-01,1,USD,standard,1y,no-upfront,mean,\n",
     "statistic 'mean' of a reserved offer; expected none", 2},
    {"own offer for nothing", NULL,
     "reserved,us-one-1,x1.large,2025-01-01,0,USD,standard,1y,no-upfront,,\n",
     "expected a price above 0", 2},
    {"own offer in another currency", NULL,
     "reserved,cn-two-1,x1.large,2025-01-01,1,USD,standard,1y,no-upfront,,\n",
     "prices in 'cn-two-1' are in CNY", 2},
    {"own on-demand price with a term", NULL,
     "on-demand,us-one-1,x1.large,2025-01-01,1,USD,,1y,,,\n",
     "term '1y' belongs to reserved offers and savings-plan rates alone; expected none", 2},
    {"own on-demand price of none", NULL, "on-demand,us-one-1,x1.large,2025-01-01,none,USD,,,,,\n",
     "none", 2},
    {"own rate without class", NULL,
     "savings-plan,us-one-1,x1.large,2025-01-01,1,USD,,1y,no-upfront,,\n",
     "'class' of a savings-plan rate is missing; expected ec2-instance or compute", 2},
    {"own rate of a reserved class", NULL,
     "savings-plan,us-one-1,x1.large,2025-01-01,1,USD,standard,1y,no-upfront,,\n",
     "unknown class 'standard'; expected ec2-instance or compute", 2},
    {"own rate twice", NULL,
     "savings-plan,us-one-1,x1.large,2025-01-01,1,USD,compute,3y,all-upfront,,\n"
     "savings-plan,us-one-1,x1.large,2025-01-01,1,USD,ec2-instance,3y,all-upfront,,\n"
     "savings-plan,us-one-1,x1.large,2025-01-01,2,USD,compute,3y,all-upfront,,\n",
     "the 3y compute-savings-plan all-upfront offer of 'x1.large' in 'us-one-1' on 2025-01-01 is "
     "given twice; line 2 has it too",
     4},
    {"own offer twice", NULL,
     "reserved,us-one-1,x1.large,2025-01-01,1,USD,standard,3y,partial-upfront,,\n"
     "reserved,us-one-1,x1.large,2025-01-01,1,USD,standard,1y,partial-upfront,,\n"
     "reserved,us-one-1,x1.large,2025-01-01,1,USD,convertible,3y,partial-upfront,,\n"
     "reserved,us-one-1,x1.large,2025-01-01,2,USD,standard,3y,partial-upfront,,\n",
     "the 3y standard partial-upfront offer of 'x1.large' in 'us-one-1' on 2025-01-01 is given "
     "twice; line 2 has it too",
     5},
};
enum { WRONG_ROWS = sizeof wrong_rows / sizeof wrong_rows[0] };

static void test_wrong_own_row(void **state)
{
    const struct wrong *w = *state;
    char folder[300], paths[2][320], text[2000];
    struct diagnostics *d = diagnostics_new();
    snprintf(text, sizeof text, "%s%s", OWN, w->text);
    assert_null(with_files(folder, paths, text, NULL, d));
    struct place where;
    enum diagnostic_kind kind;
    const char *told = diagnostics_text(d, 0, &kind, &where);
    assert_int_equal(kind, DIAGNOSTIC_ERROR);
    if (!strstr(told, w->message)) {
        fail_msg("'%s' lacks '%s'", told, w->message);
    }
    assert_string_equal(where.file, paths[0]);
    assert_int_equal(where.line, w->line);
    assert_null(diagnostics_text(d, 1, NULL, NULL));
    remove_folder(folder, d);
}

/* A file from before there were offers has none of the three columns. */
static void test_own_file_without_offer_columns(void **state)
{
    (void)state;
    char folder[300], paths[2][320];
    struct diagnostics *d = diagnostics_new();
    assert_null(with_files(folder, paths,
                           "kind,region,instance_type,date,price_per_hour,currency\n"
                           "on-demand,us-one-1,x1.large,2025-01-01,1,USD\n"
                           "reserved,us-one-1,x1.large,2025-01-01,1,USD\n",
                           NULL, d));
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), 3);
    remove_folder(folder, d);
}

int main(void)
{
    struct CMUnitTest tests[16 + WRONG + WRONG_ROWS] = {
        cmocka_unit_test(test_offers),
        cmocka_unit_test(test_payments),
        cmocka_unit_test(test_what_exists_instead),
        cmocka_unit_test(test_strange_prices),
        cmocka_unit_test(test_all_shipped_prices),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_missing_blocks),
        cmocka_unit_test(test_reserved_table),
        cmocka_unit_test(test_reserved_table_warns),
        cmocka_unit_test(test_blocks_table),
    };
    int failed = _cmocka_run_group_tests("shipped offers", tests, 10, load, unload);
    tests[0] = (struct CMUnitTest)cmocka_unit_test(test_folder_without_offers);
    tests[1] = (struct CMUnitTest)cmocka_unit_test(test_cells_over_time);
    for (size_t i = 0; i < WRONG; i++) {
        tests[2 + i] = (struct CMUnitTest){wrong_files[i].name, test_wrong_file, NULL, NULL,
                                           (void *)&wrong_files[i]};
    }
    failed += _cmocka_run_group_tests("offer files", tests, 2 + WRONG, NULL, NULL);
    tests[0] = (struct CMUnitTest)cmocka_unit_test(test_own_offers_win_cell_by_cell);
    tests[1] = (struct CMUnitTest)cmocka_unit_test(test_own_offer_that_a_shipped_one_ends);
    tests[2] = (struct CMUnitTest)cmocka_unit_test(test_own_strange_price_names_its_file);
    tests[3] = (struct CMUnitTest)cmocka_unit_test(test_own_file_without_offer_columns);
    for (size_t i = 0; i < WRONG_ROWS; i++) {
        tests[4 + i] = (struct CMUnitTest){wrong_rows[i].name, test_wrong_own_row, NULL, NULL,
                                           (void *)&wrong_rows[i]};
    }
    return failed +
           _cmocka_run_group_tests("offers in price files", tests, 4 + WRONG_ROWS, NULL, NULL);
}
