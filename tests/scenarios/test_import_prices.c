/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast import spot-history: price histories as JSON and as text, whole and broken. */
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "zone,instance_type,start,tick_s,time_s,nodes,price_per_hour,mark\n"
#define PRICE(zone, product, price, time)                                                          \
    "{\"AvailabilityZone\": \"" zone                                                               \
    "\", \"InstanceType\": \"p3\", \"ProductDescription\": \"" product                             \
    "\", \"SpotPrice\": \"" price "\", \"Timestamp\": \"2020-02-" time "\"}"
#define LINUX(zone, price, time) PRICE(zone, "Linux/UNIX", price, time)
#define HISTORY(...)             "{\"NextToken\": \"\",\n\"SpotPriceHistory\": [" __VA_ARGS__ "]}\n"

#define LINES(a, b, c, d, e, f) a ",\n" b ",\n" c ",\n" d ",\n" e ",\n" f

/* Newest first, zones mixed, a daily repeat, another product. */
static const char history[] = HISTORY(LINES(LINUX("us-east-1a", "0.918000", "20T13:02:49.000Z"),
                                            LINUX("us-east-1b", "1.2000", "20T01:00:00Z"),
                                            PRICE("us-east-1a", "Windows", "9.0", "20T00:00:00Z"),
                                            LINUX("us-east-1a", "0.9512", "19T13:02:49.000Z"),
                                            LINUX("us-east-1a", "0.951200", "18T13:02:49+00:00"),
                                            LINUX("us-east-1b", "1.1999", "18T14:02:49+01:00")));
static const char table[] = HEAD "us-east-1a,p3,2020-02-18T13:02:49Z,0,0,,0.9512,\n"
                                 "us-east-1a,p3,,,172800,,0.918,\n"
                                 "us-east-1a,p3,,,172800.000001,,,end\n"
                                 "us-east-1b,p3,2020-02-18T13:02:49Z,0,0,,1.1999,\n"
                                 "us-east-1b,p3,,,129431,,1.20,\n"
                                 "us-east-1b,p3,,,129431.000001,,,end\n";

static void json_becomes_a_trace_table(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    program_file(folder, "h.json", history);
    program_expect(&p, folder, "import spot-history h.json", 0);
    assert_string_equal(p.out, table);
    assert_holds(p.err, "h.json: warning: kept the prices of the product 'Linux/UNIX' and left out "
                        "1 record of: Windows; --product names another");
    program_release(&p);
    program_expect(&p, folder, "import spot-history h.json --product Windows", 0);
    assert_holds(p.out, "us-east-1a,p3,2020-02-20T00:00:00Z,0,0,,9.00,\n");
    assert_holds(p.err, "left out 5 records of: Linux/UNIX");
    assert_holds(p.err, "h.json:4: warning: this is the one record of p3 in us-east-1a");
    program_release(&p);
    /* The mean weighs by time: 2 days less 49 s after each other is not what counting gives. */
    program_expect_code(folder, "import spot-history h.json -o t.csv", 0);
    program_expect(&p, folder, "show trace t.csv --format csv", 0);
    assert_holds(p.out, "us-east-1a,p3,mean price,0.9512,per hour\n");
    assert_holds(p.out, "us-east-1a,p3,last price,0.918,per hour\n");
    assert_holds(p.out, "us-east-1a,p3,price changes,1,\n");
    assert_holds(p.out, "us-east-1a,p3,cost of a node billed throughout,45.6576,currency units\n");
    program_release(&p);
    program_folder_free(folder);
}

static void text_says_the_same(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    program_file(folder, "new.tsv",
                 "us-east-1b\tp3\tLinux/UNIX\t1.2000\t2020-02-20T01:00:00+00:00\n"
                 "us-east-1a\tp3\tLinux/UNIX\t0.918000\t2020-02-20T13:02:49+00:00\n"
                 "us-east-1a\tp3\tLinux/UNIX\t0.951200\t2020-02-19T13:02:49+00:00\n");
    program_file(folder, "old.txt",
                 "NEXTTOKEN\tNone\n"
                 "SPOTPRICEHISTORY\tus-east-1a\tp3\tLinux/UNIX\t0.951200\t2020-02-19T13:02:49Z\n"
                 "SPOTPRICEHISTORY\tus-east-1a\tp3\tLinux/UNIX\t0.951200\t2020-02-18T13:02:49Z\n"
                 "SPOTPRICEHISTORY\tus-east-1b\tuse1-az6\tp3\tLinux/UNIX\t1.1999\t"
                 "2020-02-18T13:02:49Z\n");
    /* Files in any order, with a record that both have. The pool met first stands first. */
    program_expect(&p, folder, "import spot-history old.txt new.tsv", 0);
    assert_string_equal(p.out, table);
    assert_string_equal(p.err, "");
    program_release(&p);
    program_file(folder, "ids.tsv",
                 "use1-az2\tp3\tLinux/UNIX\t0.9\t2023-02-28T00:00:00+00:00\n"
                 "use1-az2\tp3\tLinux/UNIX\t0.8\t2023-02-28T01:00:00+00:00\n");
    program_expect(&p, folder, "import spot-history ids.tsv", 0);
    assert_holds(p.out, "use1-az2,p3,2023-02-28T00:00:00Z,0,0,,0.90,\n");
    program_release(&p);
    program_expect(&p, folder, "import spot-history ids.tsv new.tsv", 2);
    assert_holds(p.err, "new.tsv:1: error: 'us-east-1b' stands beside zones of the other kind");
    program_release(&p);
    program_file(folder, "ids.json",
                 "[{\"AvailabilityZoneId\": \"use1-az2\", \"InstanceType\": "
                 "\"p3\", \"ProductDescription\": \"Linux/UNIX\", \"SpotPrice\""
                 ": 0.7, \"Timestamp\": \"2023-02-27T00:00:00Z\", \"X\": []}]");
    program_expect(&p, folder, "import spot-history ids.json ids.tsv", 0);
    assert_holds(p.out, "use1-az2,p3,2023-02-27T00:00:00Z,0,0,,0.70,\n");
    program_release(&p);
    program_folder_free(folder);
}

/* `count` records of one zone, a minute apart. */
static char *many_records(size_t count)
{
    char *text = malloc(count * 80 + 1), *at = text;
    for (size_t i = 0; i < count; i++) {
        at += sprintf(at, "us-east-1a\tp3\tLinux/UNIX\t0.%04zu\t2020-02-%02zuT%02zu:%02zu:00Z\n",
                      i % 9000 + 500, 1 + i / 1440, i / 60 % 24, i % 60);
    }
    return text;
}

static void a_page_that_is_full_is_told(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        bool told;
    } cases[] = {{999, false}, {1000, true}, {1001, false}};
    for (size_t i = 0; i < 3; i++) {
        struct program p;
        char *folder = program_folder_new(), *text = many_records(cases[i].count);
        program_file(folder, "h.tsv", text);
        program_expect(&p, folder, "import spot-history h.tsv", 0);
        if (cases[i].told) {
            assert_holds(p.err, "h.tsv: warning: the history has exactly 1000 records, as many as "
                                "a page of the API: it is probably cut off at its old end");
        } else {
            assert_string_equal(p.err, "");
        }
        program_release(&p);
        program_folder_free(folder);
        free(text);
    }
    struct program p;
    char *folder = program_folder_new();
    program_file(folder, "h.json",
                 "{\"SpotPriceHistory\": [" LINUX("a", "1", "18T00:00:00Z") "," LINUX(
                     "a", "2", "19T00:00:00Z") "], \"NextToken\": \"abc\"}");
    program_expect(&p, folder, "import spot-history h.json", 0);
    assert_holds(p.err, "h.json: warning: the history goes on, as its NextToken says");
    program_release(&p);
    program_folder_free(folder);
}

static void broken_histories_are_told(void **state)
{
    (void)state;
#define OK LINUX("a", "1", "18T00:00:00Z") ",\n"
    static const struct {
        const char *file, *options, *text;
    } cases[] = {
        {"", "", "h: error: there is no price in this history"},
        {"{}", "", "h:1: error: the file has no SpotPriceHistory"},
        {"[]", "", "h: error: there is no price in this history"},
        {HISTORY(""), "", "h: error: there is no price in this history"},
        {"{\"SpotPriceHistory\": {}}", "", "expected a list of prices"},
        {"{\"SpotPriceHistory\": [1]}", "", "h:1: error: '1' will not do; expected an object"},
        {"{\"SpotPriceHistory\": [\n" OK, "", "h:3: error: "},
        {HISTORY(OK "{\"InstanceType\": \"p3\"}"), "", "h:3: error: the record has no zone"},
        {HISTORY(OK LINUX("a", "0", "19T00:00:00Z")), "", "h:3: error: the price is '0'"},
        {HISTORY(OK LINUX("a", "-1", "19T00:00:00Z")), "", "h:3: error: the price is '-1'"},
        {HISTORY(OK LINUX("a", "NaN", "19T00:00:00Z")), "", "h:3: error: the price is 'NaN'"},
        {HISTORY(OK LINUX("a", "", "19T00:00:00Z")), "", "h:3: error: the record has no price"},
        {HISTORY(OK LINUX("a", "1e-12", "19T00:00:00Z")), "", "h:3: error: the price is '1e-12'"},
        {HISTORY(OK LINUX("a", "1", "31T00:00:00Z")), "", "h:3: error: the time is '2020-02-31"},
        {HISTORY(OK LINUX("a", "1", "19T00:00:00")), "", "h:3: error: the time is '2020-02-19T"},
        {HISTORY(OK LINUX("a", "1.5", "18T00:00:00Z")), "",
         "h:3: error: the price is 1.50 here and 1.00 in line 2 of 'h', of one zone, type and "
         "time"},
        {HISTORY(OK LINUX("use1-az1", "1", "19T00:00:00Z")), "",
         "h:3: error: 'use1-az1' stands beside zones of the other kind"},
        {HISTORY(LINUX("a", "1", "18T00:00:00Z")), " --product Windows",
         "there is no price of the product 'Windows'; expected --product with one of: Linux/UNIX"},
        {HISTORY(LINUX("a", "1", "18T00:00:00Z")), " --zone a", "'--zone' means nothing"},
        {HISTORY(LINUX("a", "1", "18T00:00:00Z")), " --layout json", "'--layout' means nothing"},
        {"a\tp3\tLinux/UNIX\t1\n", "", "h:1: error: the row has 4 fields between tabs"},
        {"a\tp3\tLinux/UNIX\t1\t2020-02-18T00:00:00Z\na,p3,1\n", "", "h:2: error: the row has 1 "},
        {"a\tp3\tLinux/UNIX\t1\t2899-02-18T00:00:00Z\n", "", "h:1: error: the time 2899-02-18T"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct program p;
        char words[200];
        char *folder = program_folder_new();
        program_file(folder, "h", cases[i].file);
        snprintf(words, sizeof words, "import spot-history h -o t.csv%s", cases[i].options);
        program_expect(&p, folder, words, 2);
        assert_holds(p.err, cases[i].text);
        assert_false(program_exists(folder, "t.csv"));
        program_release(&p);
        program_folder_free(folder);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_becomes_a_trace_table),
        cmocka_unit_test(text_says_the_same),
        cmocka_unit_test(a_page_that_is_full_is_told),
        cmocka_unit_test(broken_histories_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
