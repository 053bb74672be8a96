/* SPDX-License-Identifier: GPL-3.0-or-later
 * The shipped scenarios of spot on small traces made for them, each policy followed on paper.
 *
 * "K80 prototype on spot" on the first day of its own trace: 12 h of work in 18 h; a launch costs
 * 0.1 h of boot and, once something is kept, 0.1 h of restore, so d = 0.2 h; nothing else is lost.
 * Spot is there
 *
 *     in a   0 to 3 h, 5 to 6.5 h, 11 to 14 h, and from 24 h on again so       0.27 USD/h
 *     in b   1 to 4.5 h, 8 to 10 h, 15.5 to 24 h, and so on                    0.33 USD/h
 *
 * on-demand costs 0.90 USD/h. A spot node that the cloud ends within an hour is free. */
#include "engine/gsl_errors.h"
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a row of the table below says of a strategy. */
struct paper {
    const char *strategy;
    double time_h, spot_a_h, spot_b_h, on_demand_h; /* billed hours */
    double interruptions;
    /* A policy that looks for a lead looks again after a minute where it is only just not there. */
    bool within_a_minute;
};

static const struct paper days[] = {
    /* 0.1 h of boot and the work. */
    {"on-demand", 12.1, 0, 0, 12.1, 0, false},
    /* 2.9 h of work to 3; 1.3 to 6.5; 2.8 to 14; round again 2.8 from 24 to 27 and 1.3 from 29 to
     * 30.5: 11.1 h; the last 0.9 h from 35.2 on. Late. */
    {"wait", 36.1, 3 + 1.5 + 3 + 3 + 1.5 + 1.1, 0, 0, 5, false},
    /* On-demand an hour after each loss. 2.9 to 3. On-demand from 4, works from 4.2; spot is back
     * at 5 and boots to 5.1, while on-demand works on: 3.8. Spot restores to 5.2, works
     * to 6.5: 5.1. On-demand from 7.5, works from 7.7 to 11.1: 8.5. Spot from 11, works 11.2 to
     * 14: 11.3. On-demand from 15, works from 15.2 for 0.7 h. */
    {"fallback", 15.9, 3 + 1.5 + 3, 0, 1.1 + 3.6 + 0.9, 3, false},
    /* Spot or nothing: 2.9 to 3, 4.2 to 6.5. Then 7.8 h are left, and 7.8 + 2d = 8.2 h before the
     * deadline, at 9.8, no try is left: on-demand, which works from 10. When spot is back at 11,
     * 6.8 h are left of 7: too late for a move. */
    {"greedy", 17.8, 3 + 1.5, 0, 8, 2, false},
    /* The line rises by 2/3 h in an hour. At 3, with 2.9 h, the work is ahead until 4.35: on-demand
     * then, which works from 4.55. Spot is back at 5, but the lead must be what the line gains in
     * 2d: 2/3 (t + 0.4) = 3.35 + (t - 5), at 5.75. Spot boots to 5.85 (4.2 h), works from 5.95
     * to 6.5 (4.75) and has lasted 0.75 h: free. Ahead until 4.75 × 1.5 = 7.125; on-demand works
     * from 7.325; at 11 it leads by enough, and works on to 11.1 (8.525). Spot works from 11.2 to
     * 14 (11.325). 0.675 h are left, so that no try is left from 18 - 0.675 - 2d = 16.925 on,
     * sooner than the line is met: on-demand works from 17.125. */
    {"uniform progress", 17.8, 3 + 3, 0, 1.5 + 3.975 + 0.875, 3, true},
    /* Slices of 6 h with 4 h of work each. First: 2.9 h on spot; 1.1 + 2d = 1.5 h before its end,
     * at 4.5, on-demand, which works from 4.7; at 5 a move is too late; at 5.8 the share is done,
     * so that spot is taken: it boots to 5.9 (4.1 h), restores to 6, works to 6.5 (4.6), 0.7 h:
     * free. Second, begun with 0.1 h gained: 3.5 h of its share are left, and 3.9 h before its end
     * and the 0.1 h gained, at 8.2, on-demand: it works from 8.4; 3.4 h later, at 11.8, share less
     * gain is done: spot, beside on-demand until 11.9 (8.1), restores to 12. Third: spot works to
     * 14 (10.1). 1.9 h are left, 2.3 h before the end is 15.7: on-demand works from 15.9. */
    {"time-sliced", 17.8, 3 + 2.2, 0, 1.4 + 3.7 + 2.1, 3, false},
    /* The cheapest zone with room whenever one is lost: a to 3 (2.9), b from there to 4.5 (4.2),
     * nothing to 5, a to 6.5 (5.5), b from 8 to 10 (7.3), a from 11 to 14 (10.1), b from 15.5: it
     * works from 15.7 for 1.9 h. */
    {"two zones", 17.6, 3 + 1.5 + 3, 1.5 + 2 + 2.1, 0, 5, false},
};

#define TRACE_HEAD "zone,instance_type,start,tick_s,time_s,nodes,price_per_hour,mark\n"

/* "48 hours of V100 training before a deadline", with spot from 0 to 20 h and from 45 h on, at
 * 0.9731 USD/h, and no notice: d = 0.2 h as above; the policies keep their margin of 10 minutes, so
 * that what is left runs to R = 69.8333 h. */
#define V100_TRACE                                                                                 \
    TRACE_HEAD "us-west-2a,p3.2xlarge,,0,0,1,,\nus-west-2a,p3.2xlarge,,,72000,0,,\n"               \
               "us-west-2a,p3.2xlarge,,,162000,1,,\nus-west-2a,p3.2xlarge,,,864000,,,end\n"
#define V100_MARKET                                                                                \
    "market:\n  spot:\n    p3.2xlarge: null\n    us-west-2a/p3.2xlarge:\n"                         \
    "      {price: 0.9731 USD/h, trace: {file: small.csv, start: 0s}, notice: 0s}\n"
#define R_H 69.833333333333333
static const struct paper v100[] = {
    {"on-demand", 48.1, 0, 0, 48.1, 0, false},
    /* 19.9 h of work to 20; 28.1 are left at 45.2. */
    {"wait", 73.3, 20 + 28.3, 0, 0, 1, false},
    /* On-demand from 21, works from 21.2; spot is back at 45 and boots to 45.1: 43.8 h. Spot works
     * from 45.2. */
    {"fallback", 49.4, 20 + 4.4, 0, 24.1, 1, false},
    /* No try is left when R - t = 28.1 + 2d, at 41.3333. At 45 it is too late for a move. */
    {"greedy", R_H - 0.2, 20, 0, R_H - 0.4 - 28.1 - 41.3333333333333 + 28.3, 1, false},
    /* The line rises by 48/R: 19.9 h are ahead of it until 19.9 R/48 = 28.9517. On-demand works
     * 0.2 h later; at 45 it leads by far, and works on until spot has booted, at 45.1. Spot works
     * from 45.2 on what is left. */
    {"uniform progress", 45.2 + 28.1 - (44.9 - 19.9 * R_H / 48),
     20 + 0.2 + 28.1 - (44.9 - 19.9 * R_H / 48), 0, 45.1 - 19.9 * R_H / 48, 1, false},
    /* Shares s = 4 x 48/R = 2.7494 h a slice. Spot gains 19.9 - 5s in five slices, which lasts for
     * the next two and leaves 19.9 - 7s = 0.6542. In the eighth, to 32, on-demand comes when its
     * end and the gain are s + 2d away, at 32 + (19.9 - 7s) - s - 0.4 = 29.5048, and goes
     * when the share less the gain is done, at 31.8. In each of the next three it comes s + 0.4
     * before the end and goes 0.2 before it, likewise in the twelfth, to 48, where spot is back at
     * 45 and boots from 47.8 to 47.9: 12 s + 0.1 are done. Spot works from 48 on. */
    {"time-sliced", 48 + 47.9 - 12 * (192 / R_H), 20 + 0.2 + 47.9 - 12 * (192 / R_H), 0,
     (31.8 - (51.5 - 8 * (192 / R_H))) + 3 * (192 / R_H + 0.2) + (192 / R_H + 0.3), 1, false},
};

/* "Sixteen nodes, failing over between three zones", 24 h of work that is written for a minute
 * every half hour, 6 min of boot and 4 of restore, no notice. There are
 *
 *     in a   16 nodes to 10 h, 8 to 20 h, then 16                               4.10 USD/h
 *     in b   16 nodes from 5 to 15 h, then none to 20 h, then 16                5.20 USD/h
 *     in c   16 nodes to 15 h, then 4                                           6.20 USD/h
 *
 * so that from 0.1 to 10 h there are 19 turns of 31 min, and 5 min that are lost: 9.5 h. Hours of
 * b below are those of b and c in USD of b. */
#define ZONE_TRACE                                                                                 \
    TRACE_HEAD "us-east-1a,p3.16xlarge,,0,0,16,,\nus-east-1a,p3.16xlarge,,,36000,8,,\n"            \
               "us-east-1a,p3.16xlarge,,,72000,16,,\nus-east-1a,p3.16xlarge,,,5184000,,,end\n"     \
               "us-east-1b,p3.16xlarge,,0,0,0,,\nus-east-1b,p3.16xlarge,,,18000,16,,\n"            \
               "us-east-1b,p3.16xlarge,,,54000,0,,\nus-east-1b,p3.16xlarge,,,72000,16,,\n"         \
               "us-east-1b,p3.16xlarge,,,5184000,,,end\n"                                          \
               "us-east-1c,p3.16xlarge,,0,0,16,,\nus-east-1c,p3.16xlarge,,,54000,4,,\n"            \
               "us-east-1c,p3.16xlarge,,,5184000,,,end\n"
#define ZONE_MARKET                                                                                \
    "workloads:\n  pretraining:\n    {hours: 24h, boot: 6min,\n"                                   \
    "     checkpoint: {every: 30min, write: 1min, restore: 4min}}\nmarket:\n  spot:\n"             \
    "    us-east-1a/p3.16xlarge: {availability: null, " REPLAYED                                   \
    "    us-east-1b/p3.16xlarge: {availability: null, " REPLAYED                                   \
    "    us-east-1c/p3.16xlarge: {availability: null, " REPLAYED
#define REPLAYED "trace: {file: small.csv, start: 0s}, notice: 0s}\n"
static const struct paper zones[] = {
    /* 16 nodes to 10 h; 8 are held for 10 min and given back; at 20 h 16 boot and restore for 10
     * min and do 29 turns of the 14.5 h left, the last with its write: 15.15 h. */
    {"one zone", 20 + 15.15, 16 * (10 + 15.15) + 8 / 6.0, 0, 0, 8, false},
    /* At 10 h to b, the cheaper of two: 290 min, 9 turns: 14 h are kept. At 15 h nobody has room
     * for all: 8 nodes of a, the cheapest, are held for 10 min. Then b is asked, and gets 16 at 20
     * h, before the zones are compared anew: the last 10 h, 20 turns. */
    {"three, cheapest", 20 + 10.5, 16 * 10 + 8 / 6.0, 16 * (5 + 10.5), 0, 8 + 16, false},
    /* At 10 h c has had room all the time, b for half of it. At 15 h c loses 12, and the other
     * 4 are given back; a was there for 10 h of 15 and b as long, c always: 4 nodes of c are held
     * for 10 min, then 8 of a, then b is asked. */
    {"three, available", 20 + 10.5, 16 * 10 + 8 / 6.0, 16 * 10.5 + (16 * 5 + 4 / 6.0) * 6.2 / 5.2,
     0, 8 + 12, false},
    /* At 10 h a, where it ran, has no room for all: b, which stands before c. At 15 h b is asked
     * again, has nothing, and nothing is held. */
    {"three, sticky", 20 + 10.5, 16 * 10, 16 * (5 + 10.5), 0, 8 + 16, false},
    /* 14 d are far away: as the cheapest. */
    {"three, in time", 20 + 10.5, 16 * 10 + 8 / 6.0, 16 * (5 + 10.5), 0, 8 + 16, false},
    /* 48 turns. */
    {"on-demand", 24.9, 0, 0, 16 * 24.9, 0, false},
};

/* A scenario, what is laid over it, and its strategies. */
struct sheet {
    const char *scenario, *trace, *overlay, *words;
    double spot_a, spot_b, on_demand; /* USD/h */
    double deadline_h;
    const struct paper *rows;
    size_t count;
};

static const struct sheet sheets[] = {
    {"k80-prototype-spot", NULL, NULL,
     "--set market.spot.us-east-1a/p2.xlarge.trace.start=0s "
     "--set market.spot.us-east-1b/p2.xlarge.trace.start=0s",
     0.27, 0.33, 0.9, 18, days, sizeof days / sizeof days[0]},
    {"deadline-v100-policies", V100_TRACE, V100_MARKET, "", 0.9731, 0, 3.06, 70, v100,
     sizeof v100 / sizeof v100[0]},
    {"sixteen-nodes-three-zones", ZONE_TRACE, ZONE_MARKET, "", 4.1, 5.2, 24.48, 336, zones,
     sizeof zones / sizeof zones[0]},
};
enum { SHEETS = sizeof sheets / sizeof sheets[0] };

static char *folders[SHEETS];

static void copy_scenario(const char *folder, const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "%s.yaml", name);
    char *text = program_text("scenarios", path);
    program_file(folder, "s.yaml", text);
    free(text);
}

static int run_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHEETS; i++) {
        const struct sheet *t = &sheets[i];
        struct program p;
        char command[900], scenario[300];
        folders[i] = program_folder_new();
        if (t->trace == NULL) {
            snprintf(scenario, sizeof scenario, "scenarios/%s.yaml", t->scenario);
        } else { /* the overlay's files stand beside the scenario */
            copy_scenario(folders[i], t->scenario);
            program_file(folders[i], "small.csv", t->trace);
            program_file(folders[i], "over.yaml", t->overlay);
            snprintf(scenario, sizeof scenario, "%s/s.yaml %s/over.yaml", folders[i], folders[i]);
        }
        snprintf(command, sizeof command,
                 "run %s -o %s/out --quiet --no-charts --replications 1 %s", scenario, folders[i],
                 t->words);
        program_expect(&p, ".", command, 0);
        program_release(&p);
    }
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHEETS; i++) {
        program_folder_free(folders[i]);
    }
    return 0;
}

/* The number in this column of the strategy's row for all workloads. */
static double value(const char *table, const char *strategy, const char *column)
{
    char row[64];
    size_t wanted = 0, length = strlen(column);
    const char *s = table;
    while (strncmp(s, column, length) != 0 || (s[length] != ',' && s[length] != '\n')) {
        s += strcspn(s, ",\n");
        assert_int_equal(*s, ',');
        s++;
        wanted++;
    }
    /* A name with a comma is quoted, and its comma parts no columns. */
    bool comma = strchr(strategy, ',') != NULL;
    snprintf(row, sizeof row, comma ? "\n\"%s\",all,0," : "\n%s,all,0,", strategy);
    s = strstr(table, row);
    assert_non_null(s);
    wanted += comma;
    for (s++; wanted > 0; wanted--) {
        s += strcspn(s, ",") + 1;
    }
    return strtod(s, NULL);
}

struct case_of {
    size_t sheet, row;
};

static void as_on_paper(void **state)
{
    const struct case_of *c = *state;
    const struct sheet *t = &sheets[c->sheet];
    const struct paper *d = &t->rows[c->row];
    char *table = program_text_of(folders[c->sheet], "out", "replications.csv");
    double spot = t->spot_a * d->spot_a_h + t->spot_b * d->spot_b_h;
    double on_demand = t->on_demand * d->on_demand_h;
    /* Policies ask again a millisecond after an instant, so that rounding cannot hold them up. */
    double off_h = (d->within_a_minute ? 60.01 : 0.05) / 3600;
    assert_near(value(table, d->strategy, "spot_cost_usd"), spot, t->spot_a * off_h, "spot");
    assert_near(value(table, d->strategy, "on_demand_cost_usd"), on_demand, t->on_demand * off_h,
                "on-demand");
    assert_near(value(table, d->strategy, "time_to_train_h"), d->time_h, 0.05 / 3600, "time");
    assert_near(value(table, d->strategy, "interruptions"), d->interruptions, 0, "interruptions");
    assert_near(value(table, d->strategy, "late"), d->time_h > t->deadline_h, 0, "late");
    free(table);
}

int main(void)
{
    enum { MOST = 40 };
    static struct case_of cases[MOST];
    static char names[MOST][100];
    struct CMUnitTest tests[MOST];
    size_t count = 0;
    for (size_t i = 0; i < SHEETS; i++) {
        for (size_t k = 0; k < sheets[i].count && count < MOST; k++, count++) {
            cases[count] = (struct case_of){i, k};
            snprintf(names[count], sizeof names[count], "%s, %s", sheets[i].scenario,
                     sheets[i].rows[k].strategy);
            tests[count] =
                (struct CMUnitTest){names[count], as_on_paper, NULL, NULL, &cases[count]};
        }
    }
    return _cmocka_run_group_tests("small_traces", tests, count, run_once, clean_up);
}
