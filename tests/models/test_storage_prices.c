/* SPDX-License-Identifier: GPL-3.0-or-later
 * Prices of storage and network: shipped rows against their source, tiers, dates, the sentence that
 * says what exists, and files that are wrong. */
#include "models/catalogue/storage_prices.h"

#include "engine/civil_time.h"
#include "engine/file.h"
#include "models/catalogue/catalogue.h"
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

/* ---- shipped: golden files of infracost, 2024-07-01 and 2024-09-25 ------------------- */

static void test_shipped_prices(void **state)
{
    static const struct {
        enum storage_item item;
        const char *region, *unit;
        double price;
        size_t tiers;
    } rows[] = {
        {STORAGE_GP3, "us-east-1", "GiB-month", 0.08, 1},
        {STORAGE_GP3_IOPS, "us-east-1", "IOPS-month", 0.005, 1},
        {STORAGE_GP3_THROUGHPUT, "us-east-1", "MiBps-month", 0.04, 1},
        {STORAGE_GP2, "us-east-1", "GiB-month", 0.1, 1},
        {STORAGE_IO1, "us-east-1", "GiB-month", 0.125, 1},
        {STORAGE_IO1_IOPS, "us-east-1", "IOPS-month", 0.065, 1},
        {STORAGE_IO2, "us-east-1", "GiB-month", 0.125, 1},
        {STORAGE_IO2_IOPS, "us-east-1", "IOPS-month", 0.065, 1},
        {STORAGE_ST1, "us-east-1", "GiB-month", 0.045, 1},
        {STORAGE_SC1, "us-east-1", "GiB-month", 0.015, 1},
        {STORAGE_S3, "us-east-1", "GiB-month", 0.023, 1},
        {STORAGE_S3_PUT, "us-east-1", "1000-requests", 0.005, 1},
        {STORAGE_S3_GET, "us-east-1", "1000-requests", 0.0004, 1},
        {STORAGE_NAT_HOUR, "us-east-1", "hour", 0.045, 1},
        {STORAGE_NAT_DATA, "us-east-1", "GiB", 0.045, 1},
        {STORAGE_CROSS_AZ, "us-east-1", "GiB", 0.01, 1},
        {STORAGE_CROSS_REGION, "ap-southeast-1", "GiB", 0.09, 1},
        {STORAGE_INTERNET, "us-east-1", "GiB", 0.09, 3},
        {STORAGE_INTERNET, "ap-northeast-1", "GiB", 0.114, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct storage_price p;
        assert_true(catalogue_storage(*state, rows[i].item, rows[i].region, day("2025-12-01"), &p));
        assert_near(money_to_double(p.tiers[0].price), rows[i].price, 0,
                    storage_item_names[rows[i].item]);
        assert_int_equal(p.tier_count, rows[i].tiers);
        assert_string_equal(p.unit, rows[i].unit);
        assert_non_null(strstr(p.source, "infracost"));
        for (size_t k = 1; k < p.tier_count; k++) {
            assert_true(p.tiers[k - 1].up_to < p.tiers[k].up_to);
            assert_true(p.tiers[k - 1].price > p.tiers[k].price);
        }
    }
}

static void test_what_is_missing_is_told(void **state)
{
    static const struct {
        enum storage_item item;
        const char *region, *as_of, *says;
    } rows[] = {
        {STORAGE_GP3, "us-west-2", "2025-12-01",
         "no price of 'gp3' in 'us-west-2' is known on 2025-12-01; it has one then in us-east-1"},
        {STORAGE_GP3, "us-east-1", "2024-06-30",
         "no price of 'gp3' in 'us-east-1' is known on 2024-06-30; the first is of 2024-07-01, in "
         "us-east-1"},
        {STORAGE_INTERNET, "nowhere", "2025-12-01", "no price of 'internet' in 'nowhere'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct storage_price p;
        char text[700];
        int64_t as_of = day(rows[i].as_of);
        assert_false(catalogue_storage(*state, rows[i].item, rows[i].region, as_of, &p));
        catalogue_explain_missing_storage(*state, rows[i].item, rows[i].region, as_of, text,
                                          sizeof text);
        assert_true(strncmp(text, rows[i].says, strlen(rows[i].says)) == 0);
    }
}

/* ---- own folders ---------------------------------------------------------------------- */

#define HEADER "region,item,up_to,unit,date,price,currency,source,note\n"

static const char *const files[][2] = {
    {"accelerators.csv",
     "accelerator,full_name,architecture,memory_gib,memory_bandwidth_gb_per_s,fp64_tflops,"
     "fp32_tflops,tf32_tflops,fp16_tflops,bf16_tflops,fp8_tflops,int8_tops,fp4_tflops,date,source,"
     "note\nX1,Chip X1,X,16,900,,10,,100,,,,,2024-01-01,s,\n"},
    {"instance_types.csv",
     "instance_type,accelerator,accelerator_count,accelerator_memory_gib,vcpus,memory_gib,"
     "network_gbps,efa,nvlink_gb_per_s,local_nvme_gb,date,source,note\n"
     "x1.large,X1,1,16,8,60,10,no,,0,2024-01-01,s,\n"},
    {"regions.csv", "region,name,currency,utc_offset_h,first_zone,date,source\n"
                    "us-one-1,US One,USD,-5,us-one-1a,2024-01-01,s\n"
                    "cn-two-1,China Two,CNY,8,cn-two-1a,2024-01-01,s\n"},
    {"prices_on_demand.csv",
     "region,instance_type,date,price_per_hour,currency,confirmed,source,note\n"
     "us-one-1,x1.large,2024-01-01,3,USD,2024-01-01,s,\n"},
    {"prices_spot.csv", "region,instance_type,date,observations,min_per_hour,mean_per_hour,"
                        "max_per_hour,currency,source\n"},
    {"spot_advisor.csv", "region,instance_type,date,bucket,source\n"},
};

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static struct catalogue *small(char folder[300], const char *rows, struct diagnostics *d)
{
    const char *base = getenv("TMPDIR");
    snprintf(folder, 300, "%s/fleetcast-storage-XXXXXX",
             base && strlen(base) < 200 ? base : "/tmp");
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        write_file(folder, files[i][0], files[i][1]);
    }
    if (rows) {
        char text[4000];
        snprintf(text, sizeof text, "%s%s", HEADER, rows);
        write_file(folder, "storage_network.csv", text);
    }
    return catalogue_load(folder, NULL, 0, d);
}

struct wrong {
    const char *rows, *says;
    int line;
};

static const struct wrong wrong_rows[] = {
    {"us-one-9,gp3,,GiB-month,2025-01-01,1,USD,s,\n", "unknown region 'us-one-9'", 2},
    {"us-one-1,gp9,,GiB-month,2025-01-01,1,USD,s,\n", "unknown item 'gp9'", 2},
    {"us-one-1,gp3,,GB-month,2025-01-01,1,USD,s,\n", "'unit' is 'GB-month'; expected 'GiB-month'",
     2},
    {"us-one-1,gp3,,GiB-month,2025-01-01,0,USD,s,\n", "'price' is '0'", 2},
    {"us-one-1,gp3,,GiB-month,2025-01-01,-1,USD,s,\n", "'price' is '-1'", 2},
    {"us-one-1,gp3,,GiB-month,2025-01-01,,USD,s,\n", "price", 2},
    {"us-one-1,gp3,0,GiB-month,2025-01-01,1,USD,s,\n", "'up_to' is '0'", 2},
    {"us-one-1,gp3,many,GiB-month,2025-01-01,1,USD,s,\n", "many", 2},
    {"cn-two-1,gp3,,GiB-month,2025-01-01,1,USD,s,\n",
     "currency 'USD'; prices in 'cn-two-1' are in "
     "CNY",
     2},
    {"us-one-1,gp3,,GiB-month,2025-01-01,1,USD,,\n", "'source' is empty", 2},
    {"us-one-1,gp3,,GiB-month,yesterday,1,USD,s,\n", "yesterday", 2},
    {"us-one-1,gp3,,GiB-month,2025-01-01,1,USD,s,\nus-one-1,gp3,,GiB-month,2025-01-01,2,USD,s,\n",
     "the price of 'gp3' in 'us-one-1' on 2025-01-01 is given twice", 3},
    {"us-one-1,internet,1,GiB,2025-01-01,1,USD,s,\nus-one-1,internet,2,GiB,2025-01-01,1,USD,s,\n"
     "us-one-1,internet,3,GiB,2025-01-01,1,USD,s,\nus-one-1,internet,4,GiB,2025-01-01,1,USD,s,\n"
     "us-one-1,internet,5,GiB,2025-01-01,1,USD,s,\nus-one-1,internet,6,GiB,2025-01-01,1,USD,s,\n"
     "us-one-1,internet,7,GiB,2025-01-01,1,USD,s,\nus-one-1,internet,8,GiB,2025-01-01,1,USD,s,\n"
     "us-one-1,internet,,GiB,2025-01-01,1,USD,s,\n",
     "more than 8 tiers", 10},
    {"us-one-1,s3,5,GiB-month,2025-01-01,1,USD,s,\nus-one-1,s3,,GiB-month,2025-01-01,1,USD,s,\n",
     "has tiers; it is charged at one price", 3},
};
enum { WRONG = sizeof wrong_rows / sizeof wrong_rows[0] };

static void test_wrong_row(void **state)
{
    const struct wrong *w = *state;
    char folder[300];
    struct diagnostics *d = diagnostics_new();
    assert_null(small(folder, w->rows, d));
    struct place where;
    const char *text = diagnostics_text(d, 0, NULL, &where);
    if (!strstr(text, w->says)) {
        fail_msg("'%s' lacks '%s'", text, w->says);
    }
    assert_string_equal(where.file, "storage_network.csv");
    assert_int_equal(where.line, w->line);
    assert_true(file_remove_tree(folder, d));
    diagnostics_free(d);
}

/* The newest date at or before the day asked about, with all its tiers and no other's. */
static void test_dates_and_tiers(void **state)
{
    (void)state;
    char folder[300];
    struct diagnostics *d = diagnostics_new();
    struct catalogue *c = small(folder,
                                "us-one-1,internet,,GiB,2025-03-01,0.5,USD,new,\n"
                                "us-one-1,internet,,GiB,2025-01-01,1,USD,old,\n"
                                "us-one-1,internet,10,GiB,2025-01-01,2,USD,old,\n"
                                "cn-two-1,internet,,GiB,2025-02-01,7,CNY,s,\n",
                                d);
    assert_non_null(c);
    struct storage_price p;
    assert_false(catalogue_storage(c, STORAGE_INTERNET, "us-one-1", day("2024-12-31"), &p));
    assert_true(catalogue_storage(c, STORAGE_INTERNET, "us-one-1", day("2025-02-28"), &p));
    assert_int_equal(p.tier_count, 2);
    assert_near(p.tiers[0].up_to, 10, 0, "first tier");
    assert_int_equal(p.tiers[0].price, 2 * MONEY_UNIT);
    assert_true(isinf(p.tiers[1].up_to));
    assert_int_equal(p.tiers[1].price, MONEY_UNIT);
    assert_true(catalogue_storage(c, STORAGE_INTERNET, "us-one-1", day("2025-03-01"), &p));
    assert_int_equal(p.tier_count, 1);
    assert_int_equal(p.tiers[0].price, MONEY_UNIT / 2);
    assert_string_equal(p.source, "new");
    catalogue_free(c);
    assert_true(file_remove_tree(folder, d));
    diagnostics_free(d);
}

static void test_a_folder_without_it_knows_no_price(void **state)
{
    (void)state;
    char folder[300], text[700];
    struct diagnostics *d = diagnostics_new();
    struct catalogue *c = small(folder, NULL, d);
    assert_non_null(c);
    struct storage_price p;
    assert_false(catalogue_storage(c, STORAGE_S3, "us-one-1", INT64_MAX, &p));
    catalogue_explain_missing_storage(c, STORAGE_S3, "us-one-1", INT64_MAX, text, sizeof text);
    assert_non_null(strstr(text, "no region has one"));
    catalogue_free(c);
    assert_true(file_remove_tree(folder, d));
    diagnostics_free(d);
}

int main(void)
{
    const struct CMUnitTest others[] = {
        cmocka_unit_test_setup_teardown(test_shipped_prices, load, unload),
        cmocka_unit_test_setup_teardown(test_what_is_missing_is_told, load, unload),
        cmocka_unit_test(test_dates_and_tiers),
        cmocka_unit_test(test_a_folder_without_it_knows_no_price),
    };
    enum { OTHERS = sizeof others / sizeof others[0] };
    struct CMUnitTest tests[WRONG + OTHERS];
    for (size_t i = 0; i < WRONG; i++) {
        tests[i] = (struct CMUnitTest){.name = wrong_rows[i].says,
                                       .test_func = test_wrong_row,
                                       .initial_state = (void *)(uintptr_t)&wrong_rows[i]};
    }
    for (size_t i = 0; i < OTHERS; i++) {
        tests[WRONG + i] = others[i];
    }
    return cmocka_run_group_tests_name("storage_prices", tests, NULL, NULL);
}
