/* SPDX-License-Identifier: GPL-3.0-or-later
 * Prices of storage and network in a user's price files, over the shipped rows: which layer wins,
 * what a file may lack, what is wrong in one, and that prices of instances go on as before. */
#include "engine/civil_time.h"
#include "engine/file.h"
#include "models/catalogue/catalogue.h"
#include "models/catalogue/storage_prices.h"
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

/* Price files over the shipped catalogue. */
struct layers {
    char folder[300], paths[3][320];
    const char *names[3];
    size_t count;
    struct diagnostics *d;
    struct catalogue *c;
};

static void load(struct layers *l, const char *const *texts, size_t count)
{
    const char *base = getenv("TMPDIR");
    *l = (struct layers){.count = count, .d = diagnostics_new()};
    snprintf(l->folder, sizeof l->folder, "%s/fleetcast-layers-XXXXXX",
             base && strlen(base) < 200 ? base : "/tmp");
    assert_non_null(mkdtemp(l->folder));
    for (size_t i = 0; i < count; i++) {
        snprintf(l->paths[i], sizeof l->paths[i], "%s/%zu.csv", l->folder, i);
        l->names[i] = l->paths[i];
        FILE *out = fopen(l->paths[i], "w");
        assert_non_null(out);
        assert_true(fputs(texts[i], out) >= 0);
        assert_int_equal(fclose(out), 0);
    }
    l->c = catalogue_load(NULL, l->names, count, l->d);
}

static void done(struct layers *l)
{
    if (l->c) {
        catalogue_free(l->c);
    }
    assert_true(file_remove_tree(l->folder, l->d));
    diagnostics_free(l->d);
}

static struct storage_price at(const struct layers *l, enum storage_item item, const char *region,
                               const char *as_of)
{
    struct storage_price p;
    assert_non_null(l->c);
    assert_true(catalogue_storage(l->c, item, region, day(as_of), &p));
    return p;
}

#define HEAD "region,item,unit,date,price,currency\n"

/* gp3 is shipped at 0.08 for us-east-1 since 2024-07-01, in no other region. */
static void test_rows_stand_beside_the_shipped_ones(void **state)
{
    (void)state;
    struct layers l;
    load(&l,
         (const char *[]){HEAD "us-east-1,gp3,GiB-month,2025-03-01,0.07,USD\n"
                               "us-west-2,gp3,GiB-month,2025-03-01,0.085,USD\n"
                               "us-east-1,fsx-lustre-125,GiB-month,2025-03-01,0.15,USD\n"},
         1);
    struct storage_price p = at(&l, STORAGE_GP3, "us-east-1", "2025-02-28");
    assert_near(money_to_double(p.tiers[0].price), 0.08, 0, "before");
    assert_string_equal(p.layer, "shipped");
    p = at(&l, STORAGE_GP3, "us-east-1", "2025-03-01");
    assert_near(money_to_double(p.tiers[0].price), 0.07, 0, "from its date on");
    assert_string_equal(p.layer, l.names[0]);
    assert_string_equal(p.source, l.names[0]); /* no column `source`: the file itself */
    assert_near(money_to_double(at(&l, STORAGE_GP3, "us-west-2", "2026-01-01").tiers[0].price),
                0.085, 0, "another region");
    assert_near(money_to_double(at(&l, STORAGE_FSX_125, "us-east-1", "2026-01-01").tiers[0].price),
                0.15, 0, "an item that is not shipped");
    assert_near(money_to_double(at(&l, STORAGE_GP2, "us-east-1", "2026-01-01").tiers[0].price), 0.1,
                0, "others stay");
    assert_null(diagnostics_text(l.d, 0, NULL, NULL));
    done(&l);
}

/* All tiers of a date are replaced at once: none of an earlier layer stays between them. */
static void test_a_later_layer_replaces_a_date(void **state)
{
    (void)state;
    struct layers l;
    load(&l,
         (const char *[]){"item,source,region,up_to,unit,date,price,currency\n"
                          "internet,mine,us-east-1,1000,GiB,2024-09-25,0.05,USD\n"
                          "internet,mine,us-east-1,,GiB,2024-09-25,0.04,USD\n",
                          "item,region,up_to,unit,date,price,currency\n"
                          "internet,us-west-2,,GiB,2024-09-25,0.03,USD\n"},
         2);
    struct storage_price p = at(&l, STORAGE_INTERNET, "us-east-1", "2025-01-01");
    assert_int_equal(p.tier_count, 2);
    assert_near(p.tiers[0].up_to, 1000, 0, "tier");
    assert_true(isinf(p.tiers[1].up_to));
    assert_string_equal(p.source, "mine");
    assert_near(storage_price_of_first(&p, 1500), 1000 * 0.05 + 500 * 0.04, 1e-9, "both tiers");
    p = at(&l, STORAGE_INTERNET, "us-west-2", "2025-01-01");
    assert_int_equal(p.tier_count, 1);
    assert_string_equal(p.layer, l.names[1]);
    p = at(&l, STORAGE_INTERNET, "eu-west-1", "2025-01-01");
    assert_int_equal(p.tier_count, 4);
    assert_string_equal(p.layer, "shipped");
    done(&l);
}

static void test_both_kinds_of_file(void **state)
{
    (void)state;
    struct layers l;
    load(&l,
         (const char *[]){HEAD "us-east-1,gp3,GiB-month,2025-03-01,0.07,USD\n",
                          "kind,region,instance_type,date,price_per_hour,currency\n"
                          "on-demand,us-east-1,p5.48xlarge,2026-01-01,48.50,USD\n"},
         2);
    assert_near(money_to_double(at(&l, STORAGE_GP3, "us-east-1", "2026-01-01").tiers[0].price),
                0.07, 0, "storage");
    const struct dated_price *p = catalogue_on_demand_at(l.c, "p5.48xlarge", "us-east-1",
                                                         day("2026-01-02"), day("2026-01-02"));
    assert_non_null(p);
    assert_int_equal(p->per_hour, 48500000000);
    assert_string_equal(p->layer, l.names[1]);
    done(&l);
}

/* A row that a newer shipped one ends is most often a slip: it is told once a file. */
static void test_a_row_that_is_ended_is_told(void **state)
{
    (void)state;
    struct layers l;
    load(&l,
         (const char *[]){HEAD "us-east-1,gp2,GiB-month,2024-01-01,0.07,USD\n"
                               "us-east-1,gp3,GiB-month,2024-01-01,0.07,USD\n"},
         1);
    assert_non_null(l.c);
    enum diagnostic_kind kind;
    struct place where;
    const char *text = diagnostics_text(l.d, 0, &kind, &where);
    assert_non_null(text);
    assert_int_equal(kind, DIAGNOSTIC_WARNING);
    assert_non_null(strstr(text, "holds from 2024-01-01 only to 2024-07-01"));
    assert_null(diagnostics_text(l.d, 1, NULL, NULL));
    done(&l);
}

struct wrong {
    const char *text, *says;
    int line;
};
static const struct wrong wrongs[] = {
    {HEAD "us-east-1,gp4,GiB-month,2025-03-01,1,USD\n", "unknown item 'gp4'", 2},
    {HEAD "us-east-9,gp3,GiB-month,2025-03-01,1,USD\n", "unknown region 'us-east-9'", 2},
    {HEAD "us-east-1,gp3,GB-month,2025-03-01,1,USD\n", "'unit' is 'GB-month'", 2},
    {HEAD "us-east-1,gp3,GiB-month,2025-03-01,0,USD\n", "above 0", 2},
    {HEAD "us-east-1,gp3,GiB-month,2025-03-01,1,CNY\n", "currency 'CNY'", 2},
    {HEAD "us-east-1,gp3,GiB-month,soon,1,USD\n", "soon", 2},
    {HEAD "us-east-1,gp3,GiB-month,2025-03-01,1,USD\nus-east-1,gp3,GiB-month,2025-03-01,2,USD\n",
     "is given twice", 3},
    {"region,item,unit,date,price\nus-east-1,gp3,GiB-month,2025-03-01,1\n", "currency", 1},
    {"region,thing,unit,date,price,currency\n", "instance_type", 1},
    {"region,item,up_to,unit,date,price,currency\nus-east-1,s3,9,GiB-month,2025-03-01,2,USD\n"
     "us-east-1,s3,,GiB-month,2025-03-01,1,USD\n",
     "has tiers", 3},
    {"region,item,up_to,unit,date,price,currency\nus-east-1,internet,-3,GiB,2025-03-01,2,USD\n",
     "'-3'", 2},
};
enum { WRONGS = sizeof wrongs / sizeof wrongs[0] };

static void test_wrong_file(void **state)
{
    const struct wrong *w = *state;
    struct layers l;
    load(&l, &w->text, 1);
    assert_null(l.c);
    struct place where;
    const char *text = diagnostics_text(l.d, 0, NULL, &where);
    assert_non_null(text);
    if (!strstr(text, w->says)) {
        fail_msg("'%s' lacks '%s'", text, w->says);
    }
    assert_string_equal(where.file, l.names[0]);
    assert_int_equal(where.line, w->line);
    done(&l);
}

int main(void)
{
    const struct CMUnitTest others[] = {
        cmocka_unit_test(test_rows_stand_beside_the_shipped_ones),
        cmocka_unit_test(test_a_later_layer_replaces_a_date),
        cmocka_unit_test(test_both_kinds_of_file),
        cmocka_unit_test(test_a_row_that_is_ended_is_told),
    };
    enum { OTHERS = sizeof others / sizeof others[0] };
    struct CMUnitTest tests[WRONGS + OTHERS];
    for (size_t i = 0; i < WRONGS; i++) {
        tests[i] = (struct CMUnitTest){.name = wrongs[i].says,
                                       .test_func = test_wrong_file,
                                       .initial_state = (void *)(uintptr_t)&wrongs[i]};
    }
    for (size_t i = 0; i < OTHERS; i++) {
        tests[WRONGS + i] = others[i];
    }
    return cmocka_run_group_tests_name("price_layers", tests, NULL, NULL);
}
