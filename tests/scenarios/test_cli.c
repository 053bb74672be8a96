/* SPDX-License-Identifier: GPL-3.0-or-later
 * The program from outside: help, what it refuses, check, show, explain, and what it prints. What
 * `run` writes is in test_cli_run.c. */
#include "tests/support/testing.h"

#include "tests/support/program.h"

#include "scenarios/cli/verbs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- help ---- */

static void test_no_arguments(void **state)
{
    struct program p;
    program_expect(&p, *state, "", 2);
    assert_string_equal(p.out, "");
    assert_holds(p.err, "fleetcast run scenarios/quickstart.yaml");
    program_release(&p);
}

static void test_help_of_each_verb(void **state)
{
    for (size_t v = 0; v < VERB_COUNT; v++) {
        struct program a, b;
        char words[64];
        snprintf(words, sizeof words, "help %s", verb_table[v].name);
        program_expect(&a, *state, words, 0);
        snprintf(words, sizeof words, "%s --help", verb_table[v].name);
        program_expect(&b, *state, words, 0);
        assert_string_equal(a.out, b.out);
        assert_string_equal(a.err, "");
        assert_holds(a.out, "Usage: fleetcast ");
        assert_holds(a.out, "Examples:");
        /* no option is cut off: what is said of defaults ends */
        for (const char *s = a.out; (s = strstr(s, "(default: ")) != NULL; s++) {
            const char *next = strstr(s, "\n  -"), *end = strstr(s, ")\n");
            assert_true(end != NULL && (next == NULL || end < next));
        }
        program_release(&a);
        program_release(&b);
    }
}

static void test_help_of_the_program(void **state)
{
    struct program p, q;
    program_expect(&p, *state, "help", 0);
    program_expect(&q, *state, "-h", 0);
    assert_string_equal(p.out, q.out);
    for (size_t v = 0; v < VERB_COUNT; v++) {
        assert_holds(p.out, verb_table[v].summary);
    }
    program_release(&p);
    program_release(&q);
    program_expect(&p, *state, "help rnu", 2);
    assert_holds(p.err, "there is no help on 'rnu'; did you mean 'run'?");
    program_release(&p);
}

static void test_help_topics(void **state)
{
    struct program p;
    program_expect(&p, *state, "help keys", 0);
    assert_holds(p.out, "| `replications` | whole number | `1000` | 1 to 1M |");
    program_release(&p);
    program_expect(&p, *state, "help paths", 0);
    assert_holds(p.out, "\nworkloads.NAME.checkpoint.every\n");
    program_release(&p);
    program_expect(&p, *state, "help output", 0);
    assert_holds(p.out, "### summary.csv");
    assert_holds(p.out, "| `time_to_train_h` | h | ");
    assert_holds(p.out, "| `cost_plan_usd` | usd | ");
    program_release(&p);
}

static void test_version(void **state)
{
    struct program p, q;
    program_expect(&p, *state, "version", 0);
    program_expect(&q, *state, "--version", 0);
    assert_string_equal(p.out, q.out);
    assert_int_equal(strncmp(p.out, "fleetcast ", 10), 0);
    assert_holds(p.out, "libyaml ");
    program_release(&p);
    program_release(&q);
}

/* The page is committed, so that `make install` needs no build of it. */
static void test_manual_page_is_up_to_date(void **state)
{
    struct program p;
    char *page = program_text("docs", "fleetcast.1");
    program_expect(&p, *state, "help man", 0);
    if (strcmp(p.out, page) != 0) {
        fail_msg("docs/fleetcast.1 is not what `fleetcast help man` prints; write it anew");
    }
    free(page);
    program_release(&p);
}

/* ---- completion ---- */

/* What bash would offer, space-separated, for the words so far. */
static char *complete(const char *folder, const char *words, int word)
{
    static const char script[] = "compopt() { :; }\n"
                                 "fleetcast() { cat paths.txt; }\n"
                                 "source ./completion.bash\n"
                                 "COMP_WORDS=(%s) COMP_CWORD=%d\n"
                                 "_fleetcast\n"
                                 "echo \"${COMPREPLY[*]}\" > offered.txt\n";
    char text[1000], command[1200];
    snprintf(text, sizeof text, script, words, word);
    program_file(folder, "complete.bash", text);
    snprintf(command, sizeof command, "cd '%s' && bash complete.bash", folder);
    assert_int_equal(system(command), 0);
    return program_text(folder, "offered.txt");
}

static void test_completion(void **state)
{
    static const struct {
        const char *words;
        int word;
        const char *offered;
    } rows[] = {
        {"fleetcast ''", 1,
         "check run optimize show explain export import calibrate plot diff actuals commit report "
         "help version "
         "completion "
         "sweep thresholds\n"},
        {"fleetcast ex", 1, "explain export\n"},
        {"fleetcast run --repl", 2, "--replications\n"},
        {"fleetcast show --re", 2, "--region\n"},
        {"fleetcast show i", 2, "instances\n"},
        {"fleetcast --quiet show re", 3, "reserved regions requests\n"},
        {"fleetcast show b", 2, "blocks\n"},
        {"fleetcast run --format ''", 3, "table csv json\n"},
        {"fleetcast run --format = j", 4, "json\n"},
        {"fleetcast run --format =", 3, "table csv json\n"},
        {"fleetcast run --seed ''", 3, "\n"},
        {"fleetcast run --set horiz", 3, "horizon=\n"},
        {"fleetcast run pl", 2, "plan.yaml\n"},
        {"fleetcast help ke", 2, "keys\n"},
    };
    struct program p;
    if (system("bash -c : 2> /dev/null") != 0) {
        skip();
    }
    program_expect(&p, *state, "completion bash", 0);
    program_file(*state, "completion.bash", p.out);
    program_release(&p);
    program_expect(&p, *state, "help paths", 0);
    program_file(*state, "paths.txt", p.out);
    program_release(&p);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *offered = complete(*state, rows[i].words, rows[i].word);
        if (strcmp(offered, rows[i].offered) != 0) {
            fail_msg("%s: offered %s, expected %s", rows[i].words, offered, rows[i].offered);
        }
        free(offered);
    }
}

/* ---- what is refused ---- */

static void test_usage_error(void **state)
{
    struct program p;
    program_expect(&p, *state, "run plan.yaml --sede 3", 2);
    assert_string_equal(p.out, "");
    assert_holds(p.err, "fleetcast: error: unknown option '--sede'; did you mean '--seed'?");
    program_release(&p);
    assert_false(program_exists(*state, "fleetcast-results"));
}

static void test_missing_scenario(void **state)
{
    struct program p;
    program_expect(&p, *state, "run none.yaml", 2);
    assert_holds(p.err, "none.yaml");
    program_release(&p);
    assert_false(program_exists(*state, "fleetcast-results"));
}

static void test_all_errors_of_a_scenario_at_once(void **state)
{
    struct program p;
    program_expect(&p, *state, "check plan.yaml --set horizn=3d --set seed=x --strategy sopt", 2);
    assert_holds(p.err, "unknown key 'horizn'; did you mean 'horizon'?");
    assert_holds(p.err, "--set seed=x");
    program_release(&p);
    program_expect(&p, *state, "check plan.yaml --strategy sopt", 2);
    assert_holds(p.err, "--strategy: error: no strategy is called 'sopt'; did you mean 'spot'?");
    program_release(&p);
}

static size_t count_errors(const char *text)
{
    size_t n = 0;
    for (const char *s = text; (s = strstr(s, ": error: ")) != NULL; s++) {
        n++;
    }
    return n;
}

/* An error is told where the wrong value was written: with --set, there and not in the file. */
static void test_errors_of_plans_name_the_key(void **state)
{
    static const struct {
        const char *set, *error;
        int code;
    } rows[] = {
        {"region=us-est-1", "unknown region 'us-est-1'; did you mean 'us-east-1'?", 2},
        {"workloads.train.deadline=30d", "the deadline of 'train' lies beyond the horizon", 2},
        {"workloads.train.submit=30d", "'train' is submitted at or after the horizon", 2},
        {"workloads.train.samples=3", "workload 'train' states its work more than once", 2},
        {"strategies.spot.instance=p4d.24xlrge",
         "unknown instance type 'p4d.24xlrge'; did you mean 'p4d.24xlarge'?", 2},
        {"strategies.spot.zone=us-west-1a", "'us-west-1a' is not a zone of region 'us-east-1'", 2},
        {"strategies.spot.instance=p5.4xlarge", "no mean spot price for 'p5.4xlarge'", 4},
        {"strategies.spot.nodes=500000", "strategy 'spot' wants 500000 nodes for 'train'", 4},
        {"market.spot.p4d.24xlarge.price=$0/h", "the spot price of 'p4d.24xlarge' is 0", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct program p;
        char words[200], want[300];
        snprintf(words, sizeof words, "check plan.yaml --set %s", rows[i].set);
        snprintf(want, sizeof want, "--set %s: error: %s", rows[i].set, rows[i].error);
        program_expect(&p, *state, words, rows[i].code);
        if (i == 3) { /* the hours of the file are the second */
            assert_holds(p.err, "plan.yaml:12:12: error: workload 'train' states");
        } else {
            assert_holds(p.err, want);
        }
        assert_int_equal(count_errors(p.err), 1);
        program_release(&p);
    }
    struct program p;
    program_file(*state, "small.yaml",
                 "strategies:\n  spot:\n    workloads:\n      train: {instance: p4d.24xlrge}\n");
    program_expect(&p, *state, "check plan.yaml small.yaml", 2);
    assert_holds(p.err, "small.yaml:4:25: error: unknown instance type 'p4d.24xlrge'");
    program_release(&p);
}

static void test_no_such_offer_is_infeasible(void **state)
{
    struct program p;
    program_expect(&p, *state, "run plan.yaml --set start=2019-01-01", 4);
    assert_holds(p.err, "p4d.24xlarge");
    program_release(&p);
    assert_false(program_exists(*state, "fleetcast-results"));
}

/* ---- check ---- */

static void test_check(void **state)
{
    struct program p;
    program_expect(&p, *state, "check plan.yaml", 0);
    assert_string_equal(p.err, "");
    assert_holds(p.out, "Scenario A small plan: from 2025-09-01 for 20 d in us-east-1");
    assert_holds(p.out, "on-demand, train (baseline)\n");
    assert_holds(p.out, "4 x p4d.24xlarge in us-east-1a, spot; policy wait");
    assert_holds(p.out, "the work is stated as hours of the whole gang");
    assert_holds(p.out, "checkpoint  every ");
    assert_holds(p.out, "deadline    4 d after the start\n");
    assert_holds(p.out, "on-demand p4d.24xlarge in us-east-1a: 21.95"); /* cut of June 2025 */
    assert_holds(p.out, "shipped: ");
    assert_holds(p.out, "Assumed:\n");
    assert_holds(p.out, "[extrapolated; ");
    assert_holds(p.out, "Not modelled: ");
    program_release(&p);
    assert_int_equal(program_entries(*state, "."), 1); /* plan.yaml */
    program_expect(&p, *state, "check -q plan.yaml", 0);
    assert_string_equal(p.out, "");
    program_release(&p);
}

static void test_check_tells_a_deadline_that_cannot_hold(void **state)
{
    struct program p;
    program_expect(&p, *state, "check plan.yaml --set workloads.train.deadline=10h", 0);
    assert_holds(p.out, "10 h after the start, which is too short even if nothing is ever lost");
    program_release(&p);
}

/* Work that cannot end before the horizon, on-demand either, and work that is none. */
static void test_check_warns_of_plans_nobody_means(void **state)
{
    struct program p;
    program_expect(&p, *state,
                   "check plan.yaml --set horizon=1d --set workloads.train.deadline=1d --set "
                   "workloads.train.hours=30h",
                   0);
    assert_holds(p.err, "--set horizon=1d: warning: even if nothing is ever lost, 'train' takes "
                        "30.1 h or more with 'on-demand', 'spot', but the horizon comes 24 h after "
                        "its submission");
    program_release(&p);
    program_expect(&p, *state,
                   "check plan.yaml --set horizon=1d --set workloads.train.deadline=1d --set "
                   "workloads.train.hours=30h --set "
                   "workloads.train.at_horizon=finish-on-demand",
                   0);
    assert_lacks(p.err, "horizon comes");
    program_release(&p);
    program_expect(&p, *state, "check plan.yaml --set workloads.train.hours=0h", 0);
    assert_holds(p.err, "plan.yaml:10:3: warning: workload 'train' has no work: it takes no time "
                        "and costs nothing");
    program_release(&p);
    program_expect(&p, *state, "run plan.yaml --no-charts -q --set workloads.train.hours=0h", 0);
    assert_holds(p.err, "has no work");
    program_release(&p);
}

/* The cut of June 2025: a step for all zones, told by `check` and `run`; none without it. */
static void test_price_steps_are_told(void **state)
{
    static const char *const calls[] = {"check plan.yaml steps.yaml",
                                        "run --no-charts plan.yaml steps.yaml"};
    program_file(*state, "steps.yaml",
                 "start: 2025-06-01\nprices_as_of: 2025-09-01\nhorizon: 30d\nstrategies:\n"
                 "  other: {instance: p4d.24xlarge, nodes: 4, buy: on-demand, zone: us-east-1b}\n");
    for (size_t i = 0; i < 2; i++) {
        struct program p;
        program_expect(&p, *state, calls[i], 0);
        assert_holds(p.out, "\nPrice steps inside the plan: on-demand p4d.24xlarge 32.7726 -> "
                            "21.957642 USD/h on 2025-06-05.\n");
        program_release(&p);
    }
    struct program p;
    program_expect(&p, *state, "check plan.yaml", 0);
    assert_lacks(p.out, "Price steps");
    program_release(&p);
}

static void assert_width(const char *text, size_t most)
{
    for (const char *line = text; *line != '\0'; line += line[0] == '\n') {
        size_t length = strcspn(line, "\n");
        if (length > most) {
            fail_msg("longer than %zu columns: %.*s", most, (int)length, line);
        }
        line += length;
    }
}

/* COLUMNS, but never broader than 100. */
static void test_remarks_are_as_wide_as_the_terminal(void **state)
{
    static const struct {
        const char *columns;
        size_t most;
    } rows[] = {{"COLUMNS=60", 60}, {"COLUMNS=80", 80}, {"COLUMNS=300", 100}};
    size_t lines[3];
    for (size_t i = 0; i < 3; i++) {
        struct program p;
        const struct program_call call = {.folder = *state, .environment = {rows[i].columns}};
        program_run(&p, &call, "check plan.yaml");
        assert_int_equal(p.code, 0);
        assert_width(p.out, rows[i].most);
        lines[i] = count_lines(p.out);
        program_release(&p);
    }
    assert_true(lines[0] > lines[1] && lines[1] > lines[2]);
}

static void test_one_is_not_many(void **state)
{
    struct program p;
    program_expect(&p, *state, "run plan.yaml --no-charts --replications 1 --strategy on-demand",
                   0);
    assert_holds(p.out, "\n1 world in ");
    program_release(&p);
    program_expect(&p, *state, "check plan.yaml --replications 1", 0);
    assert_holds(p.out, "; 1 world, seed 3\n");
    program_release(&p);
    program_expect(&p, *state,
                   "explain plan.yaml --strategy on-demand --set "
                   "strategies.on-demand.nodes=1",
                   0);
    assert_holds(p.out, "asks for 1 on-demand node\n");
    assert_holds(p.out, "1 on-demand node launched, 1 of 1 held\n");
    assert_holds(p.out, "1 on-demand node ends: finished\n");
    program_release(&p);
}

/* One row a figure; what does not fit ends with 4. */
static void test_check_prints_its_figures(void **state)
{
    struct program p;
    const char *model = "check plan.yaml --strategy on-demand --set "
                        "workloads.train.model.preset=llama-2-7b --set "
                        "workloads.train.model.precision=bf16 --set ";
    char words[400];
    snprintf(words, sizeof words, "%sworkloads.train.parallel.zero=3 --format csv", model);
    program_expect(&p, *state, words, 0);
    assert_holds(p.out, "strategy,workload,part,quantity,value,unit,note\n");
    assert_holds(p.out, "on-demand,train,GPU memory,need,");
    assert_lacks(p.out, "Assumed");
    program_release(&p);
    snprintf(words, sizeof words, "%sworkloads.train.parallel.zero=3 --format json", model);
    program_expect(&p, *state, words, 0);
    json_decref(parse_json(p.out));
    program_release(&p);
    snprintf(words, sizeof words, "%sworkloads.train.parallel.zero=0", model);
    program_expect(&p, *state, words, 4);
    assert_holds(p.err, "does not fit on 4 x 'p4d.24xlarge'");
    assert_holds(p.err, "would fit: zero: ");
    program_release(&p);
}

static void test_check_finds_a_wrong_precision(void **state)
{
    struct program p;
    program_expect(&p, *state, "check plan.yaml --precision 2% --set precision_of=cost_eur.p90", 2);
    assert_holds(p.err, "'cost_eur.p90' is not a metric and its quantile");
    program_release(&p);
}

/* Price files are relative to the scenario's folder, and the result says which layer won. */
static void test_price_file(void **state)
{
    struct program p;
    const char *prices = "kind,region,instance_type,date,price_per_hour,currency,source\n"
                         "on-demand,us-east-1,p4d.24xlarge,2025-08-15,17.5,USD,our contract\n";
    char path[300];
    snprintf(path, sizeof path, "mkdir '%s/sub'", (const char *)*state);
    assert_int_equal(system(path), 0);
    program_file(*state, "sub/own.csv", prices);
    program_file(*state, "sub/plan.yaml", program_plan);
    program_expect(&p, *state, "check sub/plan.yaml --set price_files=own.csv", 0);
    assert_holds(p.out, "on-demand p4d.24xlarge in us-east-1a: 17.50 USD/h, since 2025-08-15");
    assert_holds(p.out, "own.csv: our contract");
    program_release(&p);
    program_expect(&p, *state, "check sub/plan.yaml --set price_files=none.csv", 2);
    assert_holds(p.err, "none.csv");
    program_release(&p);
}

static void test_stated_price(void **state)
{
    struct program p;
    program_expect(&p, *state, "check plan.yaml --set market.spot.p4d.24xlarge.price=$7/h", 0);
    assert_holds(p.out, "spot p4d.24xlarge in us-east-1a: 7.00 USD/h, as the scenario states");
    program_release(&p);
    /* What is billed, to the last digit; an interval as one. Lognormal: P50 = sqrt(15 x 25). */
    program_expect(&p, *state, "check plan.yaml --set market.spot.p4d.24xlarge.price=$7.1234567/h",
                   0);
    assert_holds(p.out, "us-east-1a: 7.1234567 USD/h, as the scenario states");
    program_release(&p);
    program_expect(&p, *state, "check plan.yaml --set market.spot.p4d.24xlarge.price=15..$25/h", 0);
    assert_holds(p.out, "us-east-1a: 15 to 25 (90 %), P50 19.36 USD/h, as the scenario states");
    program_release(&p);
    program_expect(&p, *state, "check plan.yaml --set market.spot.p4d.24xlarge.price=$0/h", 2);
    assert_holds(p.err, "--set market.spot.p4d.24xlarge.price=$0/h: error: the spot price of "
                        "'p4d.24xlarge' is 0");
    program_release(&p);
}

/* ---- show ---- */

/* The cells of one column of CSV without quotes; their number. */
static size_t column(const char *csv, const char *name, double values[500])
{
    char *copy = strdup(csv), *rest = copy;
    size_t index = 0, rows = 0;
    char *header = strsep(&rest, "\n");
    for (char *cell = strsep(&header, ","); strcmp(cell, name) != 0; cell = strsep(&header, ",")) {
        index++;
        assert_non_null(header);
    }
    for (char *line = strsep(&rest, "\n"); line != NULL && line[0] != '\0' && rows < 500;
         line = strsep(&rest, "\n")) {
        char *cell = NULL;
        for (size_t i = 0; i <= index; i++) {
            cell = strsep(&line, ",");
            assert_non_null(cell);
        }
        values[rows++] = strtod(cell, NULL);
    }
    free(copy);
    return rows;
}

static void test_show_filters_and_sorts(void **state)
{
    struct program p;
    const struct program_call call = {.folder = *state};
    double gpus[500], memory[500];
    program_start(&p, &call,
                  "show instances --gpu-memory >=80GiB --gpus >=4 --sort gpus:desc "
                  "--format csv");
    program_wait(&p);
    assert_int_equal(p.code, 0);
    size_t rows = column(p.out, "gpus", gpus);
    assert_int_equal(column(p.out, "gpu_memory_gib", memory), rows);
    assert_true(rows >= 3);
    for (size_t i = 0; i < rows; i++) {
        assert_true(memory[i] >= 80);
        assert_true(gpus[i] >= 4);
        assert_true(i == 0 || gpus[i] <= gpus[i - 1]);
    }
    program_release(&p);
}

static void test_show_history(void **state)
{
    struct program newest, all, old;
    double now[500], then[500];
    program_expect(&newest, *state, "show prices p4d.24xlarge --region us-east-1 --format csv", 0);
    program_expect(&all, *state,
                   "show prices p4d.24xlarge --region us-east-1 --history --format csv", 0);
    program_expect(&old, *state,
                   "show prices p4d.24xlarge --region us-east-1 --date 2025-03-01 --format csv", 0);
    assert_int_equal(column(newest.out, "price_per_hour", now), 1);
    assert_int_equal(column(old.out, "price_per_hour", then), 1);
    assert_true(then[0] > now[0]); /* the cut of June 2025 */
    assert_true(column(all.out, "price_per_hour", now) > 1);
    program_release(&newest);
    program_release(&all);
    program_release(&old);
}

static void test_show_table(void **state)
{
    struct program p;
    program_expect(&p, *state, "show prices p4d.24xlarge --region us-east-1", 0);
    assert_holds(p.out, "p4d.24xlarge  21.9576  USD");
    assert_lacks(p.out, "karpenter"); /* sources are in csv and json only */
    program_release(&p);
    program_expect(&p, *state, "show regions --region eu-west-1 --format json", 0);
    assert_holds(p.out, "\"region\": \"eu-west-1\"");
    program_release(&p);
}

static void test_show_reserved(void **state)
{
    struct program p;
    double effective[500], share[500];
    program_expect(&p, *state,
                   "show reserved p4d.24xlarge --region us-east-1 --date 2026-03-02 --sort "
                   "break_even_frac --format csv",
                   0);
    assert_int_equal(column(p.out, "effective_per_hour", effective), 12);
    assert_int_equal(column(p.out, "break_even_frac", share), 12);
    for (size_t i = 0; i < 12; i++) {
        assert_near(share[i], effective[i] / 21.957642, 1e-6, "of the on-demand price");
        assert_true(i == 0 || share[i] >= share[i - 1]);
    }
    program_release(&p);
    program_expect(&p, *state, "show reserved p4d.24xlarge --region us-east-1 --date 2026-03-02",
                   0);
    assert_holds(p.out, "13.9211");
    assert_lacks(p.out, "ec2instances.info"); /* sources are in csv and json only */
    program_release(&p);
    program_expect(&p, *state, "show reserved p4d.24xlarge --region us-east-1 --date 2017-01-01",
                   0);
    assert_holds(p.err, "nothing in the catalogue is like that");
    program_release(&p);
}

static void test_show_savings(void **state)
{
    struct program p;
    double rate[500], low[500], high[500], share[500], months[500];
    program_expect(&p, *state,
                   "show savings p4d.24xlarge --region us-east-1 --date 2026-03-02 --format csv",
                   0);
    assert_int_equal(column(p.out, "rate_per_hour", rate), 12);
    assert_int_equal(column(p.out, "low_per_hour", low), 12);
    assert_int_equal(column(p.out, "high_per_hour", high), 12);
    assert_int_equal(column(p.out, "break_even_frac", share), 12);
    assert_int_equal(column(p.out, "break_even_months", months), 12);
    assert_near(low[0], 13.921094, 1e-6, "standard, one year, no upfront");
    assert_near(low[6], 16.705312, 1e-6, "convertible");
    for (size_t i = 0; i < 12; i++) {
        int years = i % 6 < 3 ? 1 : 3;
        assert_near(rate[i], 1.05 * low[i], 1e-8, "the middle of what is assumed");
        assert_near(high[i], fmin(1.1 * low[i], 21.957642), 1e-8, "at most the on-demand price");
        assert_near(share[i], rate[i] / 21.957642, 1e-6, "of the on-demand price");
        assert_near(months[i], share[i] * years * 12, 1e-4, "of full use");
    }
    assert_holds(p.out, "as-reserved");
    assert_lacks(p.out, "listed");
    program_release(&p);
    program_expect(&p, *state, "show savings g4dn.xlarge --region cn-north-1 --date 2026-03-02", 0);
    assert_holds(p.out, "3.3170"); /* listed beside the on-demand price of 5.223 CNY */
    assert_holds(p.out, "as-reserved");
    program_release(&p);
    program_expect(&p, *state, "show savings g4dn.xlarge --region cn-north-1 --history", 0);
    assert_lacks(p.out, "as-reserved"); /* what was known, not what is assumed */
    program_release(&p);
}

static void test_show_blocks(void **state)
{
    struct program p;
    double price[500];
    program_expect(&p, *state,
                   "show blocks p5en.48xlarge --region eu-west-1 --date 2026-01-30 --format csv",
                   0);
    assert_int_equal(column(p.out, "price_per_hour", price), 1);
    assert_near(price[0], 36.18, 1e-9, "before the increase of January 2026");
    program_release(&p);
    program_expect(&p, *state, "show blocks p5en.48xlarge --region eu-west-1", 0);
    assert_holds(p.out, "41.6100");
    program_release(&p);
    program_expect(&p, *state, "show blocks --format json", 0);
    json_decref(parse_json(p.out));
    program_release(&p);
}

static void test_show_nothing_found(void **state)
{
    struct program p;
    program_expect(&p, *state, "show instances nosuch*", 0);
    assert_int_equal(count_lines(p.err), 1); /* once */
    program_release(&p);
}

static void test_show_errors(void **state)
{
    static const struct {
        const char *words, *text;
    } rows[] = {
        {"show instances --sort gpuz", "there is no column 'gpuz'; did you mean 'gpus'?"},
        {"show instances --sort gpus:up", "expected COLUMN, COLUMN:asc or COLUMN:desc"},
        {"show prices --region mars-1", "mars-1"},
        {"show instances --gpu-memory much", "much"},
        {"show instances --dtype fp7", "expected one of fp64"},
        {"show defaults --region us-east-1", "means nothing for 'show defaults'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct program p;
        program_expect(&p, *state, rows[i].words, 2);
        assert_string_equal(p.out, "");
        assert_holds(p.err, rows[i].text);
        program_release(&p);
    }
}

static void test_show_defaults(void **state)
{
    struct program p;
    program_expect(&p, *state, "show defaults --format csv", 0);
    assert_holds(p.out, "\nreplications,whole number,,1000,");
    assert_holds(p.out, "\nworkloads.NAME.boot,variate,s,3min,");
    assert_holds(p.out, "\nregion,text,,(required),");
    program_release(&p);
    program_expect(&p, *state, "show defaults *checkpoint* --format csv", 0);
    assert_holds(p.out, "\nworkloads.NAME.checkpoint.every,");
    assert_lacks(p.out, "\nreplications,");
    program_release(&p);
}

/* ---- explain ---- */

/* The spot strategy where each node is lost twice a day. */
static void explain_lossy(struct program *p, const char *folder, const char *more)
{
    char words[400];
    program_file(folder, "lossy.yaml",
                 "market:\n  spot:\n    p4d.24xlarge: {interruptions: 2/d}\n");
    snprintf(words, sizeof words, "explain plan.yaml lossy.yaml --strategy spot --replication 5%s",
             more);
    program_expect(p, folder, words, 0);
}

static void test_explain_is_deterministic(void **state)
{
    struct program a, b;
    explain_lossy(&a, *state, "");
    explain_lossy(&b, *state, "");
    assert_string_equal(a.out, b.out);
    assert_string_equal(a.err, "");
    assert_holds(a.out, "strategy spot, replication 5, seed 3\n");
    assert_holds(a.out, "workloads.train.hours = ");
    assert_holds(a.out, "2025-09-01 00:00:00       0.000 h  submitted\n");
    assert_holds(a.out, "interrupted");
    assert_holds(a.out, "free: within the first hour");
    assert_holds(a.out, "train: finished after ");
    program_release(&a);
    program_release(&b);
}

/* A service needs no number of nodes: what it served is told in requests. */
static void test_explain_of_a_service_tells_requests(void **state)
{
    struct program p;
    program_file(*state, "service.yaml",
                 "horizon: 2h\nworkloads: {train: null, chat: {kind: inference, demand: 0.1/s, "
                 "service: {any: {time: 1s}}}}\n"
                 "strategies: {on-demand: null, spot: null, s: {instance: g4dn.xlarge, nodes: 1, "
                 "buy: on-demand}}\nbaseline: s\n");
    program_expect(&p, *state, "explain plan.yaml service.yaml --strategy s", 0);
    assert_holds(p.out, "\nchat: served ");
    assert_holds(p.out, " requests\n");
    assert_lacks(p.out, "nan");
    program_release(&p);
}

static void test_explain_limits_its_length(void **state)
{
    struct program all, few;
    explain_lossy(&all, *state, "");
    explain_lossy(&few, *state, " --limit 3");
    assert_true(strlen(few.out) < strlen(all.out));
    assert_holds(few.out, " more events; --limit ");
    assert_holds(few.out, " more nodes; --limit ");
    /* the totals do not depend on it */
    assert_string_equal(strstr(few.out, "\nTotals"), strstr(all.out, "\nTotals"));
    program_release(&all);
    program_release(&few);
}

/* Nothing of a price is cut at 80 columns, and nodes come in the order of their launch. */
static void test_explain_folds_prices(void **state)
{
    struct program p;
    const struct program_call call = {.folder = *state, .environment = {"COLUMNS=80"}};
    program_file(*state, "lossy.yaml",
                 "market:\n  spot:\n    p4d.24xlarge: {interruptions: 2/d}\n");
    program_run(&p, &call, "explain plan.yaml lossy.yaml --strategy spot --replication 5");
    assert_int_equal(p.code, 0);
    const char *nodes =
        strstr(p.out, "\nNodes of type p4d.24xlarge, and how their use was priced\n");
    assert_non_null(nodes);
    char *table = strndup(nodes, (size_t)(strstr(nodes, "\nTotals") - nodes));
    assert_width(table, 80);
    assert_lacks(table, "...");
    assert_lacks(table, "\xe2\x80\xa6");
    assert_holds(table, "USD/h");
    double last = 0;
    char *rest = table;
    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        char slots[20], purchase[20];
        double from;
        if (sscanf(line, "%19s %19s %lf", slots, purchase, &from) == 3) {
            assert_true(from >= last);
            last = from;
        }
    }
    assert_true(last > 0);
    free(table);
    program_release(&p);
}

/* Two reserved nodes under a plan of four, with nothing random in it. */
static const char reserved[] =
    "version: 1\nstart: 2025-12-01\nhorizon: 10d\nregion: us-east-1\nreplications: 3\n"
    "workloads: {job: {kind: training, hours: 100h, boot: 0s, checkpoint: continuous}}\n"
    "strategies:\n"
    "  half: {instance: p4d.24xlarge, nodes: 4, buy: on-demand,\n"
    "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 2, term: 1y}}\n"
    "  spot: {instance: p4d.24xlarge, nodes: 4, buy: spot,\n"
    "    commitments: {kind: reserved-instances, instance: p4d.24xlarge, count: 2, term: 1y}}\n"
    "baseline: half\n";

/* 15 USD/h at a rate of 15 cover one of two nodes for 100 hours; the rate is in no scenario. A file
 * may also say that there is none. */
static void test_price_file_with_savings_rates(void **state)
{
    struct program p;
    program_file(
        *state, "rates.csv",
        "kind,region,instance_type,date,price_per_hour,currency,class,term,payment,source\n"
        "savings-plan,us-east-1,p4d.24xlarge,2025-11-01,15,USD,compute,1y,no-upfront,ours\n"
        "savings-plan,us-east-1,p4d.24xlarge,2025-11-01,none,USD,compute,3y,no-upfront,\n");
    program_file(
        *state, "saving.yaml",
        "version: 1\nstart: 2025-12-01\nhorizon: 10d\nregion: us-east-1\nreplications: 3\n"
        "price_files: rates.csv\n"
        "workloads: {job: {kind: training, hours: 100h, boot: 0s, checkpoint: continuous}}\n"
        "strategies:\n"
        "  plan: {instance: p4d.24xlarge, nodes: 2, buy: on-demand,\n"
        "    commitments: {kind: compute-savings-plan, hourly: 15 USD/h, term: 1y}}\n");
    program_expect(&p, *state, "run saving.yaml --no-charts --print covered_usd.p50", 0);
    assert_near(strtod(p.out, NULL), 100 * 21.957642, 1e-6, "one node covered");
    program_release(&p);
    program_expect(&p, *state, "check saving.yaml", 0);
    assert_holds(p.out, "rate of p4d.24xlarge under a 1-year no-upfront Compute Savings Plan: "
                        "15.00 USD/h");
    assert_holds(p.out, "[ours]");
    assert_lacks(p.out, "as reserved");
    program_release(&p);
    program_file(*state, "none.yaml",
                 "strategies: {plan: {commitments: [{kind: compute-savings-plan, hourly: 15 USD/h, "
                 "term: 3y}]}}\n");
    program_expect(&p, *state, "check saving.yaml none.yaml", 2);
    assert_holds(p.err, "the catalogue knows none");
    program_release(&p);
}

static void test_check_tells_commitments(void **state)
{
    struct program p;
    program_file(*state, "reserved.yaml", reserved);
    program_expect(&p, *state, "check reserved.yaml", 0);
    assert_holds(p.out, "half, commitment\n");
    assert_holds(p.out, "2 x p4d.24xlarge, regional reserved instances (standard), for one year, "
                        "no-upfront");
    assert_holds(p.out, "13.921094 USD/h effective, each: 0.00 USD upfront and 13.921094 USD/h");
    assert_holds(p.out, "2025-11-30, last seen 2025-11-30; shipped: ec2instances.info dump");
    assert_holds(p.out, "243897.56688 USD in all, from 2025-12-01 to 2026-12-01");
    assert_holds(p.out, "up to 2 on-demand p4d.24xlarge in us-east-1a");
    /* 13.921094 / 21.957642 = 0.634; of 8,760 hours 5,554, and the plan has 240 */
    assert_holds(p.out, "at 63.4 % use against 21.957642 USD/h on demand");
    assert_holds(p.out, "5,554 of the term's 8,760 hours; the");
    assert_holds(p.out, "horizon leaves 240 of them, too few");
    assert_holds(p.out, "nothing that this strategy runs on demand"); /* spot is never covered */
    program_release(&p);
}

/* There is no such offer but for who has agreed on one. */
static void test_an_offer_from_a_price_file(void **state)
{
    struct program p;
    program_file(*state, "p5.yaml",
                 "version: 1\nstart: 2026-03-02\nhorizon: 1mo\nregion: us-east-1\n"
                 "workloads: {job: {kind: training, hours: 100h}}\n"
                 "strategies:\n"
                 "  a: {instance: p5.48xlarge, nodes: 1, buy: on-demand,\n"
                 "    commitments: {kind: reserved-instances, instance: p5.48xlarge, count: 1,\n"
                 "                  term: 1y, payment: partial-upfront}}\n");
    program_file(
        *state, "own.csv",
        "kind,region,instance_type,date,price_per_hour,currency,class,term,payment,source\n"
        "reserved,us-east-1,p5.48xlarge,2026-01-01,33.10,USD,standard,1y,partial-upfront,"
        "contract 4711\n");
    program_expect(&p, *state, "check p5.yaml", 4);
    assert_holds(p.err, "no 1-year standard partial-upfront offer for 'p5.48xlarge'");
    program_release(&p);
    program_expect(&p, *state, "check p5.yaml --set price_files=own.csv", 0);
    assert_holds(p.out, "33.10 USD/h effective, each: 144978.00 USD upfront and 16.55 USD/h");
    assert_holds(p.out, "own.csv: contract");
    assert_holds(p.out, "289956.00 USD in all"); /* 33.10 x 8,760 */
    program_release(&p);
}

static void test_explain_accounts_for_commitments(void **state)
{
    struct program p;
    program_file(*state, "reserved.yaml", reserved);
    program_expect(&p, *state, "explain reserved.yaml --strategy half", 0);
    assert_holds(p.out, "what commitments cover is taken off in the totals\n");
    assert_holds(p.out, "commitment  covered");
    /* 400 node-hours at 21.957642, half of them covered at 13.921094; 2 x 240 h inside the horizon,
     * 2 x 8,520 after it */
    assert_holds(p.out, "Cost = 8783.0568 for nodes - 4391.5284 covered + 2784.2188 used + "
                        "3897.90632 unused + 237215.44176 later = 248289.09528 USD\n"
                        "Cost: 248289.09528 USD\n");
    program_release(&p);
    program_expect(&p, *state, "explain plan.yaml --strategy spot", 0);
    assert_lacks(p.out, "ommitment");
    assert_lacks(p.out, "Cost = ");
    program_release(&p);
}

static void test_explain_wants_one_strategy(void **state)
{
    struct program p;
    program_expect(&p, *state, "explain plan.yaml", 2);
    assert_holds(p.err, "expected one --strategy of: on-demand, spot");
    program_release(&p);
}

/* ---- printing ---- */

static void test_full_output_is_a_failure(void **state)
{
    struct program p;
    const struct program_call call = {.folder = *state, .output = "/dev/full"};
    program_run(&p, &call, "show instances --format csv");
    assert_int_equal(p.code, 1);
    assert_holds(p.err, "cannot write to standard output: No space left on device");
    program_release(&p);
}

/* A name that would turn the line around (U+202E) is shown, not obeyed. */
static void test_text_cannot_drive_a_terminal(void **state)
{
    static const char *const calls[] = {"check evil.yaml", "explain evil.yaml --strategy spot",
                                        "run evil.yaml --no-charts"};
    char text[2000];
    snprintf(text, sizeof text, "version: 1\nname: \"evil \xe2\x80\xae plan\"\n%s",
             strstr(program_plan, "start:"));
    program_file(*state, "evil.yaml", text);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        struct program p;
        program_expect(&p, *state, calls[i], 0);
        assert_lacks(p.out, "\xe2\x80\xae");
        assert_holds(p.out, "evil");
        program_release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PROGRAM_CASE(test_no_arguments),
        PROGRAM_CASE(test_help_of_each_verb),
        PROGRAM_CASE(test_help_of_the_program),
        PROGRAM_CASE(test_help_topics),
        PROGRAM_CASE(test_version),
        PROGRAM_CASE(test_manual_page_is_up_to_date),
        PROGRAM_CASE(test_completion),
        PROGRAM_CASE(test_usage_error),
        PROGRAM_CASE(test_missing_scenario),
        PROGRAM_CASE(test_all_errors_of_a_scenario_at_once),
        PROGRAM_CASE(test_errors_of_plans_name_the_key),
        PROGRAM_CASE(test_no_such_offer_is_infeasible),
        PROGRAM_CASE(test_check),
        PROGRAM_CASE(test_check_tells_a_deadline_that_cannot_hold),
        PROGRAM_CASE(test_check_warns_of_plans_nobody_means),
        PROGRAM_CASE(test_price_steps_are_told),
        PROGRAM_CASE(test_remarks_are_as_wide_as_the_terminal),
        PROGRAM_CASE(test_one_is_not_many),
        PROGRAM_CASE(test_check_finds_a_wrong_precision),
        PROGRAM_CASE(test_check_prints_its_figures),
        PROGRAM_CASE(test_price_file),
        PROGRAM_CASE(test_stated_price),
        PROGRAM_CASE(test_show_filters_and_sorts),
        PROGRAM_CASE(test_show_history),
        PROGRAM_CASE(test_show_table),
        PROGRAM_CASE(test_show_reserved),
        PROGRAM_CASE(test_show_savings),
        PROGRAM_CASE(test_show_blocks),
        PROGRAM_CASE(test_show_nothing_found),
        PROGRAM_CASE(test_show_errors),
        PROGRAM_CASE(test_show_defaults),
        PROGRAM_CASE(test_explain_is_deterministic),
        PROGRAM_CASE(test_explain_of_a_service_tells_requests),
        PROGRAM_CASE(test_explain_limits_its_length),
        PROGRAM_CASE(test_explain_folds_prices),
        PROGRAM_CASE(test_check_tells_commitments),
        PROGRAM_CASE(test_price_file_with_savings_rates),
        PROGRAM_CASE(test_an_offer_from_a_price_file),
        PROGRAM_CASE(test_explain_accounts_for_commitments),
        PROGRAM_CASE(test_explain_wants_one_strategy),
        PROGRAM_CASE(test_full_output_is_a_failure),
        PROGRAM_CASE(test_text_cannot_drive_a_terminal),
    };
    return cmocka_run_group_tests_name("cli", tests, NULL, NULL);
}
