/* SPDX-License-Identifier: GPL-3.0-or-later
 * The command line, word by word. */
#include "tests/support/testing.h"

#include "engine/civil_time.h"
#include "scenarios/cli/arguments.h"
#include "scenarios/cli/progress_line.h"
#include "scenarios/cli/run_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parsed {
    struct arena *arena;
    struct diagnostics *d;
    struct arguments a;
    bool ok;
};

/* words end with NULL; the program's name is put before them. */
static void parse(struct parsed *p, const char *const *words)
{
    char *argv[32] = {(char *)(uintptr_t) "fleetcast"};
    int argc = 1;
    for (; words[argc - 1] != NULL; argc++) {
        argv[argc] = (char *)(uintptr_t)words[argc - 1];
    }
    p->arena = arena_new(0);
    p->d = diagnostics_new();
    p->ok = arguments_parse(&p->a, p->arena, argc, argv, p->d);
}

static void release(struct parsed *p)
{
    diagnostics_free(p->d);
    arena_free(p->arena);
}

#define PARSE(p, ...) parse(p, (const char *const[]){__VA_ARGS__, NULL})

static void test_options_stand_anywhere(void **state)
{
    (void)state;
    struct parsed p;
    PARSE(&p, "--seed", "7", "run", "-qj2", "a.yaml", "-oout", "b.yaml", "--format=csv");
    assert_true(p.ok);
    assert_ptr_equal(p.a.verb, &verb_table[VERB_RUN]);
    assert_int_equal(p.a.operand_count, 2);
    assert_string_equal(p.a.operands[0], "a.yaml");
    assert_string_equal(p.a.operands[1], "b.yaml");
    assert_int_equal(p.a.jobs, 2);
    assert_string_equal(p.a.value[OPTION_OUTPUT], "out");
    assert_non_null(p.a.value[OPTION_QUIET]);
    assert_int_equal(p.a.format, FORMAT_CSV);
    assert_int_equal(p.a.all_count, 8);
    assert_string_equal(p.a.all[0], "--seed");
    release(&p);
}

static void test_defaults(void **state)
{
    (void)state;
    struct parsed p;
    PARSE(&p, "explain", "a.yaml");
    assert_true(p.ok);
    assert_int_equal(p.a.replication, 0);
    assert_int_equal(p.a.limit, 1000);
    assert_in_range(p.a.jobs, 1, 1024);
    assert_int_equal(p.a.format, FORMAT_TABLE);
    assert_true(p.a.date_unix_s == INT64_MAX);
    assert_int_equal(p.a.set_count, 0);
    release(&p);
}

static void test_two_dashes_end_options(void **state)
{
    (void)state;
    struct parsed p;
    PARSE(&p, "run", "--", "--seed", "-q");
    assert_true(p.ok);
    assert_int_equal(p.a.operand_count, 2);
    assert_string_equal(p.a.operands[0], "--seed");
    assert_null(p.a.value[OPTION_SEED]);
    release(&p);
}

static void test_dash_is_an_operand(void **state)
{
    (void)state;
    struct parsed p;
    PARSE(&p, "run", "-");
    assert_true(p.ok);
    assert_string_equal(p.a.operands[0], "-");
    release(&p);
}

static void test_value_may_begin_with_a_dash(void **state)
{
    (void)state;
    struct parsed p;
    PARSE(&p, "run", "a.yaml", "--set", "-x=1", "--seed", "-1");
    assert_true(p.ok);
    assert_int_equal(p.a.set_count, 2);
    assert_string_equal(p.a.sets[0], "-x=1");
    assert_string_equal(p.a.sets[1], "seed=-1");
    release(&p);
}

/* Later settings win, so their order is that of the command line. */
static void test_settings_in_order(void **state)
{
    (void)state;
    struct parsed p;
    PARSE(&p, "run", "a.yaml", "--set", "seed=1", "--seed=2", "--set=budget=3 USD",
          "--replications", "50");
    const char *const want[] = {"seed=1",
                                "seed=2",
                                "budget=3 USD",
                                "precision=null",
                                "precision_of=null",
                                "max_replications=null",
                                "replications=50"};
    assert_true(p.ok);
    assert_int_equal(p.a.set_count, sizeof want / sizeof want[0]);
    for (size_t i = 0; i < p.a.set_count; i++) {
        assert_string_equal(p.a.sets[i], want[i]);
    }
    release(&p);
    PARSE(&p, "run", "a.yaml", "--precision", "1%");
    assert_int_equal(p.a.set_count, 2);
    assert_string_equal(p.a.sets[0], "replications=null");
    assert_string_equal(p.a.sets[1], "precision=1%");
    release(&p);
}

static void test_repeated_options(void **state)
{
    (void)state;
    struct parsed p;
    PARSE(&p, "run", "a.yaml", "--strategy", "x", "--strategy=y", "-j", "3", "--jobs", "4");
    assert_true(p.ok);
    assert_int_equal(p.a.strategy_count, 2);
    assert_string_equal(p.a.strategies[0], "x");
    assert_string_equal(p.a.strategies[1], "y");
    assert_int_equal(p.a.jobs, 4);
    release(&p);
}

static void test_date(void **state)
{
    (void)state;
    struct parsed p;
    int64_t want;
    assert_true(civil_parse("2025-03-01", &want));
    PARSE(&p, "show", "prices", "--date", "2025-03-01");
    assert_true(p.ok);
    assert_true(p.a.date_unix_s == want);
    release(&p);
}

static void test_help_needs_nothing_else(void **state)
{
    (void)state;
    struct parsed p;
    PARSE(&p, "run", "--help");
    assert_true(p.ok);
    assert_ptr_equal(p.a.verb, &verb_table[VERB_RUN]);
    release(&p);
    PARSE(&p, "--version");
    assert_true(p.ok);
    release(&p);
}

/* ---- what is refused ---- */

struct refusal {
    const char *name;
    const char *words[8];
    const char *text; /* a part of one message */
    size_t errors;
};

static const struct refusal refusals[] = {
    {"misspelt option",
     {"run", "a.yaml", "--sede", "3"},
     "unknown option '--sede'; did you mean '--seed'?",
     1},
    {"misspelt option with a value",
     {"run", "a.yaml", "--sede=3"},
     "unknown option '--sede'; did you mean '--seed'?",
     1},
    {"beginning of an option",
     {"run", "a.yaml", "--rep", "3"},
     "did you mean '--replications'?",
     1},
    {"option of nobody", {"run", "a.yaml", "--zzzzzz"}, "unknown option '--zzzzzz'", 1},
    {"unknown letter",
     {"run", "a.yaml", "-x"},
     "unknown option '-x'; `fleetcast help VERB` lists those of a verb",
     1},
    {"unknown letter among known ones", {"run", "a.yaml", "-qx"}, "unknown option '-qx'", 1},
    {"option of another verb",
     {"run", "a.yaml", "--gpus", "8"},
     "option '--gpus' does not belong to 'run'",
     1},
    {"nearly an option of this verb",
     {"run", "a.yaml", "--replication", "8"},
     "option '--replication' does not belong to 'run'; did you mean '--replications'?",
     1},
    {"setting in two words",
     {"run", "a.yaml", "--set", "budget", "5000USD"},
     "'budget' has no '='; expected --set path.to.key=value in one word",
     1},
    {"no value",
     {"run", "a.yaml", "--seed"},
     "option '--seed' needs a value; expected --seed N",
     1},
    {"no value of a letter", {"run", "a.yaml", "-o"}, "option '--output' needs a value", 1},
    {"value of a flag", {"run", "a.yaml", "--quiet=yes"}, "option '--quiet' takes no value", 1},
    {"misspelt verb", {"rnu", "a.yaml"}, "unknown verb 'rnu'; did you mean 'run'?", 1},
    {"scenario in place of a verb", {"a.yaml"}, "did you mean 'fleetcast run a.yaml'?", 1},
    {"no operand", {"run"}, "'run' needs an operand; expected fleetcast run SCENARIO...", 1},
    {"operand too many", {"plot", "a", "b"}, "unexpected operand 'b'", 1},
    {"misspelt topic",
     {"show", "instanecs"},
     "unknown operand 'instanecs'; did you mean 'instances'? (fleetcast show instances|",
     1},
    {"no topic", {"show", "everything"}, "unknown operand 'everything' (fleetcast show", 1},
    {"zero threads",
     {"run", "a.yaml", "-j0"},
     "'0' will not do; expected a whole number from 1 to 1024",
     1},
    {"number with more behind", {"run", "a.yaml", "-j2x"}, "'2x' will not do", 1},
    {"signed number", {"run", "a.yaml", "--jobs", "+2"}, "'+2' will not do", 1},
    {"number too large",
     {"explain", "a.yaml", "--replication", "99999999999999999999"},
     "will not do",
     1},
    {"replication kept for fitting",
     {"explain", "a.yaml", "--replication", "2147483648"},
     "expected a whole number from 0 to 2147483647",
     1},
    {"unknown format", {"run", "a.yaml", "--format", "xml"}, "expected one of table, csv, json", 1},
    {"no date", {"show", "spot", "--date", "2025-02-30"}, "expected a date such as 2025-11-30", 1},
    {"date with time", {"show", "spot", "--date", "2025-02-03T10:00Z"}, "expected a date", 1},
    {"both ways to stop",
     {"run", "a.yaml", "--replications", "5", "--precision", "1%"},
     "exclude each other",
     1},
    {"empty option name", {"run", "a.yaml", "--=3"}, "unknown option '--'", 1},
    {"all at once",
     {"run", "--sede", "3", "--jobs", "x", "--format", "y"},
     "unknown option '--sede'",
     3},
};

static void test_refusal(void **state)
{
    const struct refusal *r = *state;
    struct parsed p;
    parse(&p, r->words);
    assert_false(p.ok);
    assert_int_equal(diagnostics_exit_code(p.d), 2);
    assert_int_equal(diagnostics_count(p.d, DIAGNOSTIC_ERROR), r->errors);
    bool found = false;
    const char *text;
    for (size_t i = 0; (text = diagnostics_text(p.d, i, NULL, NULL)) != NULL; i++) {
        found = found || strstr(text, r->text) != NULL;
    }
    if (!found) {
        diagnostics_write(p.d, stderr);
        fail_msg("no message holds: %s", r->text);
    }
    release(&p);
}

/* ---- the table of options ---- */

static void test_tables_are_whole(void **state)
{
    (void)state;
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = &option_table[i];
        assert_non_null(row->name);
        assert_non_null(row->help);
        assert_true(row->verbs != 0);
        assert_int_equal(row->value == VALUE_NONE, row->argument == NULL);
        assert_int_equal(row->value == VALUE_WORDS, row->words != NULL);
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(option_table[k].name, row->name);
            assert_true(row->letter == 0 || option_table[k].letter != row->letter);
        }
    }
    for (size_t v = 0; v < VERB_COUNT; v++) {
        assert_non_null(verb_table[v].run);
        assert_ptr_equal(verb_find(verb_table[v].name), &verb_table[v]);
        assert_non_null(verb_table[v].examples[2].term); /* three at least */
        assert_null(verb_table[v].examples[VERB_EXAMPLES_MAX].term);
        for (size_t e = 0; verb_table[v].examples[e].term != NULL; e++) {
            assert_non_null(strstr(verb_table[v].examples[e].term, "fleetcast"));
            assert_non_null(verb_table[v].examples[e].meaning);
        }
    }
}

/* The examples are runnable: each passes the parser (pipes and environment aside). */
static void test_examples_parse(void **state)
{
    (void)state;
    for (size_t v = 0; v < VERB_COUNT; v++) {
        for (size_t e = 0; verb_table[v].examples[e].term != NULL; e++) {
            char line[200];
            const char *words[32] = {NULL};
            size_t count = 0;
            const char *start = strstr(verb_table[v].examples[e].term, "fleetcast") + 9;
            snprintf(line, sizeof line, "%.*s", (int)strcspn(start, "|)&"), start);
            char *s = line + strspn(line, " ");
            while (*s != '\0' && *s != '>') {
                char quote = *s == '\'' ? *s++ : ' ';
                char *stop = strchr(s, quote);
                words[count++] = s;
                s = stop == NULL ? s + strlen(s) : stop + 1;
                if (stop != NULL) {
                    *stop = '\0';
                }
                s += strspn(s, " ");
            }
            struct parsed p;
            parse(&p, words);
            if (!p.ok) {
                diagnostics_write(p.d, stderr);
                fail_msg("an example is refused: %s", verb_table[v].examples[e].term);
            }
            release(&p);
        }
    }
}

/* ---- beside the parser ---- */

static void test_default_directory(void **state)
{
    (void)state;
    static const struct {
        const char *scenario, *directory;
    } rows[] = {
        {"quickstart.yaml", "fleetcast-results/quickstart"},
        {"scenarios/quickstart.yaml", "fleetcast-results/quickstart"},
        {"/a/b.c/plan", "fleetcast-results/plan"},
        {"plan.v2.yaml", "fleetcast-results/plan.v2"},
        {"-", "fleetcast-results/stdin"},
        {".hidden", "fleetcast-results/.hidden"},
        {"..yaml", "fleetcast-results/scenario"},
        {"...yaml", "fleetcast-results/scenario"},
    };
    struct arena *a = arena_new(0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(run_output_default(a, rows[i].scenario), rows[i].directory);
    }
    arena_free(a);
}

static void test_progress_text(void **state)
{
    (void)state;
    char line[256];
    assert_string_equal(progress_line_text(line, 0, 1000, 9), "0 of 1,000 worlds");
    assert_string_equal(progress_line_text(line, 10, 1000, 0.01), "10 of 1,000 worlds");
    assert_string_equal(progress_line_text(line, 250, 1000, 5),
                        "250 of 1,000 worlds, 25 %, 50/s, 15 s left");
    assert_string_equal(progress_line_text(line, 1000, 1000, 5),
                        "1,000 of 1,000 worlds, 100 %, 200/s, 0 s left");
}

int main(void)
{
    enum { PLAIN = 13, ROWS = sizeof refusals / sizeof refusals[0] };
    struct CMUnitTest tests[PLAIN + ROWS] = {
        cmocka_unit_test(test_options_stand_anywhere),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_two_dashes_end_options),
        cmocka_unit_test(test_dash_is_an_operand),
        cmocka_unit_test(test_value_may_begin_with_a_dash),
        cmocka_unit_test(test_settings_in_order),
        cmocka_unit_test(test_repeated_options),
        cmocka_unit_test(test_date),
        cmocka_unit_test(test_help_needs_nothing_else),
        cmocka_unit_test(test_tables_are_whole),
        cmocka_unit_test(test_examples_parse),
        cmocka_unit_test(test_default_directory),
        cmocka_unit_test(test_progress_text),
    };
    for (size_t i = 0; i < ROWS; i++) {
        tests[PLAIN + i] = (struct CMUnitTest){refusals[i].name, test_refusal, NULL, NULL,
                                               (void *)(uintptr_t)&refusals[i]};
    }
    return _cmocka_run_group_tests("arguments", tests, PLAIN + ROWS, NULL, NULL);
}
