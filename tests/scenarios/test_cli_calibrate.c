/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast calibrate: what it prints can be laid over a scenario as it is. */
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A trace of thirty days: up for six hours, down for two, but for a bad day in each week. */
static void write_trace(const char *folder, const char *start)
{
    static char text[20000];
    size_t used = (size_t)snprintf(
        text, sizeof text, "zone,instance_type,start,tick_s,time_s,nodes,price_per_hour,mark\n");
    for (int hour = 0; hour < 720; hour += 8) {
        int bad = hour / 24 % 7 == 3;
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "us-east-1a,p3.2xlarge,%s,%s,%d,%d,,\n", hour == 0 ? start : "",
                                 hour == 0 ? "600" : "", hour * 3600, bad ? 0 : 2);
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "us-east-1a,p3.2xlarge,,,%d,%d,,\n",
                             (hour + 6) * 3600, bad ? 0 : 1);
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "us-east-1a,p3.2xlarge,,,%d,0,,\n", (hour + 7) * 3600);
    }
    snprintf(text + used, sizeof text - used, "us-east-1a,p3.2xlarge,,,%d,,,end\n", 720 * 3600);
    program_file(folder, "trace.csv", text);
}

static void the_block_can_be_laid_over_a_scenario(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    write_trace(folder, "");
    program_expect(&p, folder, "calibrate spot trace.csv", 0);
    /* 26 good days of 21 hours in 30. */
    assert_holds(p.out, "us-east-1a/p3.2xlarge:\n      capacity: hidden\n      availability: 75.83 "
                        "%\n      losses: 2.6/d\n      node_slope: 0.");
    assert_holds(p.out, "on the trace itself");
    assert_holds(p.out, "observed for 30 days, every 600 s: up 75.8 % of the time, 78 losses");
    program_file(folder, "market.yaml", p.out);
    program_release(&p);
    program_file(folder, "plan.yaml",
                 "version: 1\nstart: 2026-01-01\nhorizon: 20d\nregion: us-east-1\n"
                 "replications: 20\nworkloads: {w: {kind: training, hours: 20h}}\n"
                 "strategies: {s: {instance: p3.2xlarge, nodes: 2, buy: spot}}\n");
    /* Both nodes were there for 18 hours of 26 days in 30. */
    program_expect(&p, folder, "check plan.yaml market.yaml", 0);
    assert_holds(p.out, "all nodes obtainable 65 % of the time");
    program_release(&p);
    program_folder_free(folder);
}

/* A bad Thursday in each week: no hour is better than another, weekends are better than weekdays.
 */
static void a_season_is_told(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    write_trace(folder, "");
    program_expect(&p, folder, "calibrate spot trace.csv", 0);
    assert_holds(p.out, "season: left out, the trace does not say when it starts");
    assert_holds(p.out, "      season: none\n");
    program_release(&p);
    write_trace(folder, "2026-03-02T05:00:00Z"); /* a Monday, 0:00 in us-east-1 */
    program_expect(&p, folder, "calibrate spot trace.csv", 0);
    assert_holds(p.out, "no more than\n    #   days turned at random do");
    assert_holds(p.out, "    # weekends: +0.");
    assert_holds(p.out, "      season_amplitude: 0.000\n      weekend_shift: 0.");
    program_file(folder, "market.yaml", p.out);
    program_release(&p);
    program_file(folder, "plan.yaml",
                 "version: 1\nstart: 2026-01-01\nhorizon: 20d\nregion: us-east-1\n"
                 "replications: 20\nworkloads: {w: {kind: training, hours: 20h}}\n"
                 "strategies: {s: {instance: p3.2xlarge, nodes: 2, buy: spot}}\n");
    program_expect(&p, folder, "check plan.yaml market.yaml", 0);
    program_release(&p);
    program_folder_free(folder);
}

/* Up times of the trace: six hours of two nodes and one of one, but on bad days, which leave a gap.
 */
static void up_times_are_written_and_drawn(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    write_trace(folder, "");
    program_expect(&p, folder, "calibrate spot trace.csv -o fit", 0);
    program_release(&p);
    char *table = program_text(folder, "fit/survival.csv");
    assert_holds(table, "zone,instance_type,nodes,curve,hours,survival_frac");
    /* 77 up times of 7 h after the first, which was under way at the beginning. */
    assert_holds(table, "us-east-1a,p3.2xlarge,1,trace,7,0,,,77,77\n");
    assert_holds(table, "us-east-1a,p3.2xlarge,1,fitted,7,");
    free(table);
    char *script = program_text(folder, "fit/charts/survival.gp");
    assert_holds(script, "Fitted to trace.csv by fleetcast calibrate spot");
    free(script);
    program_expect(&p, folder, "calibrate spot trace.csv -o fit", 0); /* its own is replaced */
    program_release(&p);
    program_file(folder, "fit/survival.csv", "mine\n");
    program_expect(&p, folder, "calibrate spot trace.csv -o fit", 2);
    program_release(&p);
    program_folder_free(folder);
}

static void prices_are_told(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    program_file(folder, "p.csv",
                 "zone,instance_type,start,tick_s,time_s,nodes,price_per_hour,mark\n"
                 "us-east-1a,p3.2xlarge,,,0,,1,\nus-east-1a,p3.2xlarge,,,360000,,2,\n"
                 "us-east-1a,p3.2xlarge,,,720000,,,end\nnowhere,p3.2xlarge,,,0,,1,\n"
                 "nowhere,p3.2xlarge,,,60,,,end\n");
    program_expect(&p, folder, "calibrate spot p.csv", 0);
    assert_holds(p.out,
                 "    # prices only: nothing was observed of its capacity\n"
                 "    # price: mean 1.5 an hour, 1 to 2, 1 change in 8.333 days, 2 at the "
                 "end\n    #   the mean over 48 h differs from the price at its begin by 0 % "
                 "in the median,\n    #   by 67 % or less in 9 of 10 cases\n"
                 "    us-east-1a/p3.2xlarge:\n      price: 1.5 USD/h\n");
    assert_holds(p.out, "    #   left out: the trace names no zone of a region whose currency");
    program_release(&p);
    program_folder_free(folder);
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    write_trace(folder, "");
    program_expect(&p, folder, "calibrate spot nothing.csv", 2);
    assert_holds(p.err, "nothing.csv");
    program_release(&p);
    program_expect(&p, folder, "calibrate spot trace.csv --zone us-east-1b", 2);
    assert_holds(p.err, "has no pool of that zone and type");
    program_release(&p);
    program_expect(&p, folder, "calibrate demand trace.csv", 2);
    program_release(&p);
    program_folder_free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_block_can_be_laid_over_a_scenario),
        cmocka_unit_test(a_season_is_told),
        cmocka_unit_test(up_times_are_written_and_drawn),
        cmocka_unit_test(prices_are_told),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
