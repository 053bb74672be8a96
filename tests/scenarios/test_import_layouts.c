/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast import availability: what each layout makes of small files written by hand, and what it
 * says of broken ones. */
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>

#define HEAD  "zone,instance_type,start,tick_s,time_s,nodes,price_per_hour,mark\n"
#define LIVES "zone,instance_type,duration_s,ended_by_cloud\n"

struct import_case {
    const char *file, *options, *expected;
};

/* Each row's file, imported with its options, gives exactly this table. */
static void expect_tables(const struct import_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct program p;
        char words[300];
        char *folder = program_folder_new();
        program_file(folder, "x", cases[i].file);
        snprintf(words, sizeof words, "import availability x --layout %s", cases[i].options);
        program_expect(&p, folder, words, 0);
        assert_string_equal(p.out, cases[i].expected);
        assert_string_equal(p.err, "");
        program_release(&p);
        program_folder_free(folder);
    }
}

/* Each row's file is refused in these words, and nothing is written. */
static void expect_errors(const struct import_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct program p;
        char words[300];
        char *folder = program_folder_new();
        program_file(folder, "x", cases[i].file);
        snprintf(words, sizeof words, "import availability x -o t.csv --layout %s",
                 cases[i].options);
        program_expect(&p, folder, words, 2);
        assert_holds(p.err, cases[i].expected);
        assert_false(program_exists(folder, "t.csv"));
        program_release(&p);
        program_folder_free(folder);
    }
}
#define EACH(cases) cases, sizeof cases / sizeof cases[0]

/* ---- timestamps ---- */

#define PREEMPTED "timestamps --polarity preempted --tick 10min"

static void timestamps_become_traces(void **state)
{
    (void)state;
    static const char probes[] = "0,2022-10-26T22:05:04.000Z,0\n"
                                 "1,2022-10-26T22:15:05.000Z,1\r\n"
                                 "\n"
                                 "2,2022-10-26T22:25:05.500Z,0";
    static const struct import_case cases[] = {
        {probes, PREEMPTED,
         HEAD ",,2022-10-26T22:05:04Z,600,0,1,,\n,,,,601,0,,\n,,,,1201.5,1,,\n"
              ",,,,1801.5,,,end\n"},
        {probes, "timestamps --polarity available --tick 600s --zone us-west-2a --instance v",
         HEAD "us-west-2a,v,2022-10-26T22:05:04Z,600,0,0,,\nus-west-2a,v,,,601,1,,\n"
              "us-west-2a,v,,,1201.5,0,,\nus-west-2a,v,,,1801.5,,,end\n"},
        /* A header; an offset; 15 minutes are no hole, a second more is one. */
        {"\xef\xbb\xbfindex,time,preempted\n"
         "7,2022-10-27T00:00:00+02:00,0\n"
         "8,2022-10-26T22:15:00Z,0\n"
         "9,2022-10-26T22:30:01Z,0\n",
         PREEMPTED,
         HEAD ",,2022-10-26T22:00:00Z,600,0,1,,\n,,,,1500,,,hole\n,,,,1801,1,,\n"
              ",,,,2401,,,end\n"},
    };
    expect_tables(EACH(cases));
}

static void files_are_joined_with_holes(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    program_file(folder, "a", "0,2022-10-26T22:00:00Z,0\n1,2022-10-26T22:10:00Z,1\n");
    program_file(folder, "b", "0,2022-10-27T22:00:00Z,1\n");
    program_file(folder, "c", "0,2022-10-27T22:10:00Z,1\n");
    program_expect(&p, folder, "import availability a b c --layout " PREEMPTED, 0);
    assert_string_equal(p.out, HEAD ",,2022-10-26T22:00:00Z,600,0,1,,\n,,,,600,0,,\n"
                                    ",,,,1200,,,hole\n,,,,86400,0,,\n,,,,87600,,,end\n");
    program_release(&p);
    program_expect(&p, folder, "import availability b a --layout " PREEMPTED, 2);
    assert_holds(p.err, "a:1: error: the time 2022-10-26T22:00:00Z is not behind the last one");
    program_release(&p);
    /* Another tick than the file's is told. */
    program_expect(&p, folder,
                   "import availability a --layout timestamps --polarity available --tick 1min", 0);
    assert_holds(p.err, "warning: 1 of 1 gaps between probes are above 1.5 ticks of 60 s");
    program_release(&p);
    program_expect(&p, folder,
                   "import availability a --layout timestamps --polarity available --tick 1h", 0);
    assert_holds(p.err, "warning: 1 of 1 gaps between probes are below 0.5 ticks of 3600 s");
    program_release(&p);
    program_folder_free(folder);
}

static void broken_timestamps_are_told(void **state)
{
    (void)state;
#define ROW "0,2022-10-26T22:05:04Z,0\n"
    static const struct import_case cases[] = {
        {ROW, "timestamps --tick 600s", "expected --polarity available when 1 says"},
        {ROW, "timestamps --tick 600s --polarity up", "--polarity: error: 'up' will not do"},
        {ROW, "timestamps --polarity available", "expected the time between two probes"},
        {ROW, "timestamps --polarity available --tick 0s", "option '--tick' is '0s'"},
        {ROW, "timestamps --polarity available --tick 10", "option '--tick' is '10': "},
        {ROW, PREEMPTED " --unit s", "option '--unit' means nothing for the layout 'timestamps'"},
        {"index,time,available\n" ROW, PREEMPTED,
         "x:1: error: the flag is named 'available', and --polarity says that 1 means 'preempted'"},
        {"index,time,Unavailable\n" ROW, "timestamps --polarity available --tick 600s",
         "x:1: error: the flag is named 'Unavailable'"},
        {"", PREEMPTED, "x: error: nothing is observed in this file"},
        {"index,time,preempted\n", PREEMPTED, "x: error: nothing is observed in this file"},
        {ROW "1,2022-10-26T22:05:03Z,0\n", PREEMPTED,
         "x:2: error: the time 2022-10-26T22:05:03Z is before that of line 1"},
        {ROW ROW, PREEMPTED, "x:2: error: the time 2022-10-26T22:05:04Z is also that of line 1"},
        {ROW "1,2022-10-26T22:15:04Z,nan\n", PREEMPTED, "x:2: error: the flag is 'nan'"},
        {ROW "1,2022-10-26T22:15:04Z,2\n", PREEMPTED, "x:2: error: the flag is '2'"},
        {ROW "1,2022-10-26T22:15:04Z,\n", PREEMPTED, "x:2: error: the flag is ''"},
        {ROW "-1,2022-10-26T22:15:04Z,0\n", PREEMPTED, "x:2: error: the index is '-1'"},
        {ROW "1,2022-10-26 22:15:04,0\n", PREEMPTED, "x:2: error: the time is '2022-10-26 22:15"},
        {ROW "1,2022-02-30T22:15:04Z,0\n", PREEMPTED, "x:2: error: the time is '2022-02-30"},
        {ROW "1,2899-10-26T22:15:04Z,0\n", PREEMPTED,
         "x:2: error: the time 2899-10-26T22:15:04Z is in the future"},
        {ROW "1,2022-10-26T22:1", PREEMPTED, "x:2: error: the row has 2 fields"},
        {"0,yesterday,0\n", PREEMPTED, "x:1: error: the time is 'yesterday'"},
        {ROW "1,\x01\xff,0\n", PREEMPTED, "x:2: error: there are bytes here that are no text"},
    };
    expect_errors(EACH(cases));
}

/* ---- steps and events ---- */

static void steps_and_events_become_traces(void **state)
{
    (void)state;
    static const struct import_case cases[] = {
        /* Of one time the last row counts, also the last one of all, which holds a microsecond. */
        {"0,1\n0,4\n60.5,4\n60.5,3\n90,3\n90,5\n", "steps --unit s",
         HEAD ",,,0,0,4,,\n,,,,60.5,3,,\n,,,,90,5,,\n,,,,90.000001,,,end\n"},
        {"time, nodes\n500, 2\n1500, 0\n", "steps --unit ms --length 2s --zone a --instance b",
         HEAD "a,b,,0,0.5,2,,\na,b,,,1.5,0,,\na,b,,,2.5,,,end\n"},
        {"0.000,8\n0.000,8\n", "steps --unit h --length 17.5h",
         HEAD ",,,0,0,8,,\n,,,,63000,,,end\n"},
        {"0,add,n1\n0,add,n2\n1000,remove,n1\n1000,add,n3\n3000,remove,n3\n4000,add,n1\n",
         "events --unit ms", HEAD ",,,0,0,2,,\n,,,,3,1,,\n,,,,4,2,,\n,,,,4.000001,,,end\n"},
    };
    expect_tables(EACH(cases));
}

static void broken_steps_and_events_are_told(void **state)
{
    (void)state;
    static const struct import_case cases[] = {
        {"0,1\n", "steps", "expected the unit of the file's times"},
        {"0,1\n", "steps --unit min", "--unit: error: 'min' will not do; expected one of s, ms, h"},
        {"0,1\n", "steps --unit s", "x: error: all rows have one time"},
        {"0,1\n9,1\n", "steps --unit s --length 9s", "--length is 9 s, and the last row 9 s"},
        {"0,1\n9,1\n", "steps --unit s --polarity available", "'--polarity' means nothing"},
        {"", "steps --unit s", "x: error: nothing is observed"},
        {"0,1\n2,1\n1,1\n", "steps --unit s",
         "x:3: error: the time is 1 after 2; expected the rows"},
        {"0,1\n-2,1\n", "steps --unit s", "x:2: error: the time is -2, or -2 s"},
        {"0,1\n2,-1\n", "steps --unit s", "x:2: error: '-1' will not do"},
        {"0,1\n2,0.5\n", "steps --unit s", "x:2: error: '0.5' will not do"},
        {"0,1\n2,nan\n", "steps --unit s", "x:2: error: 'nan' will not do"},
        {"nan,nan\n2,1\n", "steps --unit s", "x:1: error: the time is 'nan'"},
        /* Counts that rise would be taken for times. */
        {"nodes,time\n1,0\n2,5\n3,9\n", "steps --unit s",
         "x:1: error: the columns are 'nodes' and 'time'; expected the time first"},
        {"n,Seconds\n1,0\n2,5\n", "steps --unit s", "x:1: error: the columns are"},
        {"0,1\ninf,1\n", "steps --unit s", "x:2: error: the time is 'inf'"},
        {"0,1\n1e300,1\n", "steps --unit s", "x:2: error: the time is 1e300"},
        {"0,1\n2\n", "steps --unit s", "x:2: error: the row has 1 field; expected a time"},
        {"0,2000000\n", "steps --unit s", "x:1: error: '2000000' will not do"},
        {"0,add,a\n", "events --unit s", "x: error: all rows have one time"},
        {"0,add,a\n1,add,a\n", "events --unit s", "x:2: error: 'a' was added in line 1 already"},
        {"0,add,a\n1,remove,b\n", "events --unit s",
         "x:2: error: 'b' is removed and was not there"},
        {"0,add,a\n1,drop,a\n", "events --unit s", "x:2: error: 'drop' of 'a' will not do"},
        {"0,add,a\n1,remove,\n", "events --unit s", "x:2: error: 'remove' of '' will not do"},
        {"0,add,a\n1,remo", "events --unit s", "x:2: error: the row has 2 fields"},
        {"5,add,a\n1,remove,a\n", "events --unit s", "x:2: error: the time is 1 after 5"},
    };
    expect_errors(EACH(cases));
    struct program p;
    char *folder = program_folder_new();
    program_file(folder, "x", "0,1\n1,2\n");
    program_expect(&p, folder, "import availability x x --layout steps --unit s", 2);
    assert_holds(p.err, "the layout 'steps' takes one file at a time");
    program_release(&p);
    /* A cut number is a number: said, since nothing else can be known. */
    program_file(folder, "cut", "0,1\n1,1");
    program_expect(&p, folder, "import availability cut --layout steps --unit s", 0);
    assert_holds(p.err, "cut:2: warning: no line feed stands behind the last row");
    program_release(&p);
    program_expect(&p, folder, "import availability x x --layout ticks", 2);
    assert_holds(p.err, "the layout 'ticks' takes one file at a time");
    program_release(&p);
    program_folder_free(folder);
}

/* ---- logs and lifetimes ---- */

/* One is taken and tidied away, one was never made, one is given back, one lives on. */
static const char story[] =
    "[2020-03-15T10:00:00.000Z] Created instance i-1 with 8 GPU(s) of type k80 in zone z-1b\n"
    "[2020-03-15T10:05:00.000Z] Instance with 1 GPU(s) of type k80 creation failed\n"
    "[2020-03-15T10:10:00.000Z] Instance i-1 running in zone z-1b\n"
    "[2020-03-15T10:20:00.000Z] Created instance i-2 with 8 GPU(s) of type k80 in zone z-1b\n"
    "[2020-03-15T10:30:00.000Z] Instance i-1 not running in zone z-1b\n"
    "[2020-03-15T10:31:00.000Z] Successfully deleted instance i-1\n"
    "[2020-03-15T10:32:00.000Z] Instance i-9 creation failed\n"
    "[2020-03-15T10:33:00.000Z] Instance i-9 not running in zone z-1b\n"
    "[2020-03-15T10:40:00.000Z] Created instance i-1 with 8 GPU(s) of type k80 in zone z-1b\n"
    "[2020-03-15T10:50:00.000Z] Successfully deleted instance i-2\n"
    "[2020-03-15T10:59:00.000Z] Instance i-1 running in zone z-1b\n";

/* A pool whose first node came later; a name whose end was not seen, made again and found dead. */
static const char reuse[] =
    "[2020-03-15T10:00:00.000Z] Created instance i-1 with 8 GPU(s) of type k80 in zone z-1b\n"
    "[2020-03-15T10:30:00.000Z] Created instance g with 1 GPU(s) of type t4 in zone y\n"
    "[2020-03-15T10:40:00.000Z] Instance g running in zone y\n"
    "[2020-03-15T10:50:00.000Z] Created instance g with 1 GPU(s) of type t4 in zone y\n"
    "[2020-03-15T10:55:00.000Z] Instance g not running in zone y\n"
    "[2020-03-15T10:57:00.000Z] Instance g not running in zone y\n";

static void logs_become_counts_and_lifetimes(void **state)
{
    (void)state;
    static const struct import_case cases[] = {
        {story, "log",
         HEAD "z-1b,k80_8,2020-03-15T10:00:00Z,0,0,1,,\nz-1b,k80_8,,,1200,2,,\n"
              "z-1b,k80_8,,,1800,1,,\nz-1b,k80_8,,,2400,2,,\nz-1b,k80_8,,,3000,1,,\n"
              "z-1b,k80_8,,,3540.000001,,,end\n"},
        {story, "log-lifetimes", LIVES "z-1b,k80_8,1860,1\nz-1b,k80_8,1800,0\nz-1b,k80_8,1140,0\n"},
        {reuse, "log --tick 10min",
         HEAD "z-1b,k80_8,2020-03-15T10:00:00Z,600,0,1,,\nz-1b,k80_8,,,3420.000001,,,end\n"
              "y,t4_1,2020-03-15T10:00:00Z,600,0,0,,\ny,t4_1,,,1800,1,,\ny,t4_1,,,3300,0,,\n"
              "y,t4_1,,,3420.000001,,,end\n"},
        {reuse, "log-lifetimes", LIVES "y,t4_1,600,0\n"},
    };
    expect_tables(EACH(cases));
}

#define MADE "[2020-03-15T10:10:00Z] Created instance a with 8 GPU(s) of type k80 in zone z-1b\n"

static void broken_logs_are_told(void **state)
{
    (void)state;
    static const struct import_case cases[] = {
        {"", "log", "x: error: no instance was created in this log"},
        {"[2020-03-15T10:00:00Z] Instance i-9 creation failed\n", "log-lifetimes",
         "no instance was created"},
        {MADE "[2020-03-15T10:05:00Z] Instance a running in zone z\n", "log",
         "x:2: error: the time 2020-03-15T10:05:00Z is before that of the line before"},
        {MADE "[2020-03-15T10:15:00Z] Successfully deleted instance b\n", "log",
         "x:2: error: 'b' was deleted and was not there"},
        {MADE "[2020-03-15T10:15:00Z] Instance a runn", "log",
         "x:2: error: 'Instance a runn' is no event of an instance"},
        {"[2020-03-15T10:10:00Z] Created instance a with -1 GPU(s) of type k80 in zone z\n", "log",
         "x:1: error: -1 GPUs will not do"},
        {"Instance a running in zone z\n", "log", "x:1: error: the line has no time"},
        {"[nan] Instance a running in zone z\n", "log", "x:1: error: the time is 'nan'"},
        {"[2899-03-15T10:00:00Z] Instance a running in zone z\n", "log", "is in the future"},
        {MADE, "log --zone z", "option '--zone' means nothing for the layout 'log'"},
    };
    expect_errors(EACH(cases));
}

#define GOOGLE "name,zone,machine_type,lifetime_seconds,insert_time,preempted_time\n"

static void lifetimes_become_a_table(void **state)
{
    (void)state;
    static const struct import_case cases[] = {
        {GOOGLE "a,us-c,n1,2836.621,2019-03-25T12:22:36.614-07:00,2019-03-25T13:09:53.235-07:00\n"
                "b,us-c,n1,90,2019-03-25T12:22:36.614-07:00,\n",
         "lifetimes", LIVES "us-c,n1,2836.621,1\nus-c,n1,90,0\n"},
        {LIVES "us-c,n1,2836.621,1\n", "lifetimes", LIVES "us-c,n1,2836.621,1\n"},
        {"lifetime_seconds,ended_by_cloud\n60,0\n", "lifetimes --zone z --instance t",
         LIVES "z,t,60,0\n"},
    };
    expect_tables(EACH(cases));
    struct program p;
    char *folder = program_folder_new();
    /* By hand: of five, one ends at 1 h (4/5 are left), one is cut off at 2 h, one of three ends at
     * 4 h (4/5 x 2/3), one at 10 h (x 1/2), and the last is cut off at 25 h. */
    program_file(folder, "t.csv",
                 LIVES "z,t,3600,1\nz,t,36000,1\nz,t,7200,0\nz,t,90000,0\n"
                       "z,t,14400,1\n");
    program_expect(&p, folder, "show trace t.csv --format csv", 0);
    assert_holds(p.out,
                 "z,t,lifetimes,5,\nz,t,ended by the cloud,3,\nz,t,cut short otherwise,2,\n");
    assert_holds(p.out, "z,t,mean observed,8.4,h\nz,t,median observed,4,h\n");
    assert_holds(p.out, "z,t,alive after 1 h,0.8,frac\nz,t,alive after 3 h,0.8,frac\n"
                        "z,t,alive after 6 h,0.533333,frac\nz,t,alive after 12 h,0.266667,frac\n");
    assert_holds(p.out, "z,t,median until the cloud ends it,10,h\n");
    program_release(&p);
    program_expect(&p, folder, "show trace t.csv", 0);
    assert_holds(p.out, "5  -\n");
    program_release(&p);
    program_folder_free(folder);
}

static void broken_lifetimes_are_told(void **state)
{
    (void)state;
    static const struct import_case cases[] = {
        {"zone,preempted_time\nz,\n", "lifetimes",
         "x:1: error: the file has no column 'lifetime_s"},
        {"zone,duration_s\nz,1\n", "lifetimes", "x:1: error: the file does not say which nodes"},
        {LIVES, "lifetimes", "x: error: nothing is observed in this file"},
        {LIVES "z,t,1,1\nz,t,-5,1\n", "lifetimes", "x:3: error: the lifetime is '-5'"},
        {LIVES "z,t,nan,1\n", "lifetimes", "x:2: error: the lifetime is 'nan'"},
        {LIVES "z,t,0,1\n", "lifetimes", "x:2: error: the lifetime is '0'"},
        {LIVES "z,t,1,yes\n", "lifetimes", "x:2: error: ended_by_cloud is 'yes'"},
        {LIVES "z,t,1\n", "lifetimes", "x:2: error: "},
        {LIVES "z,t,1,1\n", "lifetimes --zone z", "expected no option --zone"},
        {GOOGLE "a,z,n1,60,2019-03-25T12:00:00Z,2019-03-25T12:02:00Z\n", "lifetimes",
         "x:2: error: the lifetime is 60 s, and insert_time and preempted_time are 120 s apart"},
        {GOOGLE "a,z,n1,60,2019-03-25T12:00:00Z,2019-03-25\n", "lifetimes",
         "x:2: error: preempted_time is '2019-03-25'"},
        {GOOGLE "a,z,n1,60,2019-03-25T12:00:00Z,\nb,z,n1,60,2019-03-25T12:00:00Z,\n"
                "a,z,n1,90,2019-03-25T12:00:00Z,\n",
         "lifetimes", "x:4: error: 'a' of 2019-03-25T12:00:00Z stands here again"},
        {"lifetime_seconds,ended_by_cloud,preempted_time\n60,0,2019-03-25T12:00:00Z\n", "lifetimes",
         "x:2: error: ended_by_cloud is '0'; expected 1 beside a preempted_time"},
        {GOOGLE "a,z,n1,60,,2899-03-25T12:00:00Z\n", "lifetimes", "expected no time in the future"},
    };
    expect_errors(EACH(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timestamps_become_traces),
        cmocka_unit_test(files_are_joined_with_holes),
        cmocka_unit_test(broken_timestamps_are_told),
        cmocka_unit_test(steps_and_events_become_traces),
        cmocka_unit_test(broken_steps_and_events_are_told),
        cmocka_unit_test(logs_become_counts_and_lifetimes),
        cmocka_unit_test(broken_logs_are_told),
        cmocka_unit_test(lifetimes_become_a_table),
        cmocka_unit_test(broken_lifetimes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
