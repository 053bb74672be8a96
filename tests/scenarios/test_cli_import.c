/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast import and show trace, as a user calls them. */
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <stdlib.h>

static const char ticks[] = "{\"metadata\": {\"gap_seconds\": 600},\n"
                            " \"data\": [0, 1, 1, 0, 2, 2],\n"
                            " \"prices\": [0.5, 0.5, 0.6, 0.6, 0.6, 0.6]}\n";

static const char table[] = "zone,instance_type,start,tick_s,time_s,nodes,price_per_hour,mark\n"
                            "us-west-2a,p3.2xlarge,,600,0,0,0.50,\n"
                            "us-west-2a,p3.2xlarge,,,600,1,,\n"
                            "us-west-2a,p3.2xlarge,,,1200,,0.60,\n"
                            "us-west-2a,p3.2xlarge,,,1800,0,,\n"
                            "us-west-2a,p3.2xlarge,,,2400,2,,\n"
                            "us-west-2a,p3.2xlarge,,,3600,,,end\n";

static void ticks_become_a_trace_table(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    program_file(folder, "x.json", ticks);
    program_expect_code(folder,
                        "import availability x.json --layout ticks --zone us-west-2a --instance "
                        "p3.2xlarge -o t.csv",
                        0);
    char *text = program_text(folder, "t.csv");
    assert_string_equal(text, table);
    free(text);
    /* The table is the verb's own and may be replaced. */
    program_expect_code(folder, "import availability x.json --layout ticks -o t.csv", 0);
    program_expect(&p, folder,
                   "import availability x.json --layout ticks --zone us-west-2a --instance "
                   "p3.2xlarge",
                   0);
    assert_string_equal(p.out, table);
    program_release(&p);
    program_folder_free(folder);
}

static void a_trace_is_told_in_numbers(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    program_file(folder, "t.csv", table);
    program_expect(&p, folder, "show trace t.csv --format csv", 0);
    assert_holds(p.out,
                 "us-west-2a,p3.2xlarge,\"availability, at least one node\",0.666667,frac\n");
    assert_holds(p.out, "us-west-2a,p3.2xlarge,\"mean up, all nodes\",0.333333,h\n");
    assert_holds(p.out, "us-west-2a,p3.2xlarge,mean price,0.566667,per hour\n");
    assert_holds(p.out, "us-west-2a,p3.2xlarge,nodes lost,1,\n");
    program_release(&p);
    program_expect(&p, folder, "show trace", 2);
    assert_holds(p.err, "the file of the trace is missing");
    program_release(&p);
    program_folder_free(folder);
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *json, *words, *text;
    } cases[] = {
        {ticks, "import availability x.json -o t.csv", "expected --layout with one of ticks"},
        {ticks, "import availability x.json --layout tick -o t.csv", "did you mean 'ticks'?"},
        {ticks, "import availability x.json --layout ticks -o x.json", "is no table of this kind"},
        {ticks, "import availabilty x.json --layout ticks", "availability"},
        {"{\"data\": [1, 0]}", "import availability x.json --layout ticks -o t.csv",
         "x.json: error: the file has no metadata.gap_seconds"},
        {"{\"metadata\": {\"gap_seconds\": 60}}",
         "import availability x.json --layout ticks -o t.csv", "the file has no data"},
        {"{\"metadata\": {\"gap_seconds\": 0}, \"data\": [1]}",
         "import availability x.json --layout ticks -o t.csv", "expected gap_seconds above 0"},
        {"{\"metadata\": {\"gap_seconds\": 60},\n\"data\": [1,\n-1]}",
         "import availability x.json --layout ticks -o t.csv",
         "x.json:3: error: '-1' will not do; expected a whole number of nodes, 0 to a million, as "
         "item 2 of its list"},
        {"{\"metadata\": {\"gap_seconds\": 60},\n\"data\": [1, null]}",
         "import availability x.json --layout ticks -o t.csv",
         "x.json:2: error: this value will not do"},
        {"{\"metadata\": {\"gap_seconds\": 60}, \"data\": [1],\n\"metadata\": {\"gap_seconds\": "
         "6}}",
         "import availability x.json --layout ticks -o t.csv",
         "x.json:2: error: '6' will not do; expected gap_seconds once"},
        {"{\"metadata\": {\"gap_seconds\": 60}, \"data\": [1],\n\"data\": [0]}",
         "import availability x.json --layout ticks -o t.csv", "expected this key once"},
        {"{\"metadata\": {\"gap_seconds\": 60},\n\"data\": [1, 0.5]}",
         "import availability x.json --layout ticks -o t.csv", "x.json:2: error: '0.5'"},
        {"{\"metadata\": {\"gap_seconds\": 60}, \"data\": [1, 1], \"prices\": [0.5]}",
         "import availability x.json --layout ticks -o t.csv", "data has 2 ticks and prices 1"},
        {"{\"metadata\": {\"gap_seconds\": 60},\n\"data\": [1, 1],\n\"prices\": [0.5, 0]}",
         "import availability x.json --layout ticks -o t.csv", "x.json:3: error: '0' will not do"},
        {"{\"metadata\": {\"gap_seconds\": 60},\n\"data\": [1, 1, ",
         "import availability x.json --layout ticks -o t.csv", "x.json:2: error: the file ends"},
        {"{\"metadata\": {\"gap_seconds\": 60},\n\"data\": [1, NaN]}",
         "import availability x.json --layout ticks -o t.csv", "x.json:2: error: this is no JSON"},
        {"", "import availability x.json --layout ticks -o t.csv", "x.json: error: the file is "},
        {"", "show trace x.json", "x.json: error: the file is empty"},
        {"[1, 0]", "import availability x.json --layout ticks -o t.csv", "expected an object"},
        {"[]", "import availability nothing.json --layout ticks -o t.csv", "nothing.json: error: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct program p;
        char *folder = program_folder_new();
        program_file(folder, "x.json", cases[i].json);
        program_expect(&p, folder, cases[i].words, 2);
        assert_holds(p.err, cases[i].text);
        assert_false(program_exists(folder, "t.csv"));
        program_release(&p);
        program_folder_free(folder);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_become_a_trace_table),
        cmocka_unit_test(a_trace_is_told_in_numbers),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
