/* SPDX-License-Identifier: GPL-3.0-or-later
 * Copies of what a scenario was read from, and the command that runs them again. */
#include "scenarios/study/input_copies.h"

#include "engine/gsl_errors.h"
#include "scenarios/output/rerun.h"
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES 6

/* A scenario's files without a reader: folders and names are all that counts here. */
struct made {
    char *folder;
    struct arena *arena;
    struct scenario scenario;
    struct scenario_file files[FILES];
    const char *prices[FILES];
    struct diagnostics *diagnostics;
    struct input_copies copies;
};

static void made_init(struct made *m, const char *scenario_folder)
{
    *m = (struct made){
        .folder = program_folder_new(), .arena = arena_new(0), .diagnostics = diagnostics_new()};
    m->scenario.folder = arena_format(m->arena, "%s/%s", m->folder, scenario_folder);
    m->scenario.inputs = inputs_new(m->arena);
    m->scenario.files.items = m->files;
    m->scenario.price_files.items = m->prices;
}

static void made_release(struct made *m)
{
    input_copies_release(&m->copies);
    diagnostics_free(m->diagnostics);
    program_folder_free(m->folder);
    arena_free(m->arena);
}

static void add_scenario(struct made *m, const char *path, const char *text)
{
    m->files[m->scenario.files.count++] = (struct scenario_file){path, text, strlen(text)};
}

/* name as the scenario gives it; the file is made where it leads to. */
static void add_prices(struct made *m, const char *name, const char *text)
{
    m->prices[m->scenario.price_files.count++] = name;
    if (text == NULL) {
        return;
    }
    char *path = name[0] == '/' ? arena_string(m->arena, name)
                                : arena_format(m->arena, "%s/%s", m->scenario.folder, name);
    FILE *out = fopen(path, "wb");
    if (out == NULL) {
        fail_msg("cannot write '%s': %s", path, strerror(errno));
    }
    fputs(text, out);
    fclose(out);
}

static void make_folder(const struct made *m, const char *name)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", m->folder, name);
    assert_int_equal(mkdir(path, 0777), 0);
}

static void copy(struct made *m)
{
    char path[400];
    assert_true(input_copies_init(&m->copies, &m->scenario, m->diagnostics));
    snprintf(path, sizeof path, "%s/out", m->folder);
    assert_true(input_copies_write(&m->copies, path, m->diagnostics));
    assert_false(diagnostics_failed(m->diagnostics));
}

/* The copy is there and holds this. */
static void assert_copy(const struct made *m, size_t index, const char *name, const char *text)
{
    char path[400];
    const struct input_copy *i = &m->copies.items[index];
    assert_string_equal(i->copy, name);
    snprintf(path, sizeof path, "out/%s", name);
    char *got = program_text(m->folder, path);
    assert_string_equal(got, text);
    free(got);
}

/* What the scenario's name for it leads to from the copied scenarios is its copy. */
static void assert_found_again(const struct made *m, size_t index)
{
    const struct input_copy *i = &m->copies.items[index];
    char *got =
        program_text(m->folder, arena_format(m->arena, "out/%s%s", m->copies.folder, i->name));
    assert_int_equal(strlen(got), i->length);
    assert_memory_equal(got, i->text, i->length);
    free(got);
}

static void files_beside_the_scenario(void **state)
{
    (void)state;
    struct made m;
    made_init(&m, "here");
    make_folder(&m, "here");
    make_folder(&m, "here/deep");
    add_scenario(&m, "here/plan.yaml", "plan");
    add_scenario(&m, "other/over.yaml", "over");
    add_prices(&m, "prices.csv", "one");
    add_prices(&m, "deep/./prices.csv", "two");
    add_prices(&m, "deep/../third.csv", "three");
    assert_true(inputs_note_file(m.scenario.inputs, "prices.csv")); /* a file with two uses */
    copy(&m);
    assert_int_equal(m.copies.count, 6);
    assert_copy(&m, 0, "plan.yaml", "plan");
    assert_copy(&m, 1, "over.yaml", "over");
    assert_copy(&m, 2, "prices.csv", "one");
    assert_copy(&m, 3, "deep/prices.csv", "two");
    assert_copy(&m, 4, "third.csv", "three");
    assert_copy(&m, 5, "prices.csv", "one");
    for (size_t i = 2; i < 6; i++) {
        assert_found_again(&m, i);
        assert_false(m.copies.items[i].moved);
    }
    made_release(&m);
}

static void paths_that_climb(void **state)
{
    (void)state;
    struct made m;
    made_init(&m, "a/b/c");
    make_folder(&m, "a");
    make_folder(&m, "a/b");
    make_folder(&m, "a/b/c");
    make_folder(&m, "a/scenario");
    add_scenario(&m, "a/b/c/plan.yaml", "plan");
    add_prices(&m, "../one.csv", "one");
    add_prices(&m, "../../scenario/two.csv", "two");
    add_prices(&m, "three.csv", "three");
    add_prices(&m, "../c/../../four.csv", "four");
    copy(&m);
    assert_string_equal(m.copies.folder, "scenario/scenario/");
    assert_copy(&m, 0, "scenario/scenario/plan.yaml", "plan");
    assert_copy(&m, 1, "scenario/one.csv", "one");
    assert_copy(&m, 2, "scenario/two.csv", "two");
    assert_copy(&m, 3, "scenario/scenario/three.csv", "three");
    assert_copy(&m, 4, "four.csv", "four");
    for (size_t i = 1; i < 5; i++) {
        assert_found_again(&m, i);
    }
    made_release(&m);
}

static void absolute_paths_are_moved(void **state)
{
    (void)state;
    struct made m;
    made_init(&m, ".");
    make_folder(&m, "x");
    make_folder(&m, "y");
    add_scenario(&m, "plan.yaml", "plan");
    add_prices(&m, arena_format(m.arena, "%s/x/p.csv", m.folder), "one");
    add_prices(&m, arena_format(m.arena, "%s/y/p.csv", m.folder), "two");
    add_prices(&m, "own's.csv", "three");
    copy(&m);
    assert_copy(&m, 1, "elsewhere/p.csv", "one");
    assert_copy(&m, 2, "elsewhere/2-p.csv", "two");
    assert_copy(&m, 3, "own's.csv", "three");
    assert_true(m.copies.items[1].moved && m.copies.items[2].moved && !m.copies.items[3].moved);
    /* The command tells the scenario, in the order of the layers. */
    struct text command;
    text_init(&command, 0);
    rerun_command(&command, &m.copies, &(struct rerun_request){0});
    assert_string_equal(command.data,
                        "fleetcast run inputs/plan.yaml --set "
                        "'price_files=['\\''elsewhere/p.csv'\\'', '\\''elsewhere/2-p.csv'\\'', "
                        "'\\''own'\\'''\\''s.csv'\\'']' -o ../rerun");
    text_release(&command);
    made_release(&m);
}

/* Whoever climbs without end, or has more parts than anybody counts, is treated as absolute. */
static void endless_paths_are_moved(void **state)
{
    (void)state;
    struct made m;
    made_init(&m, "here");
    make_folder(&m, "here");
    struct text name;
    text_init(&name, 0);
    for (int i = 0; i < 1000; i++) {
        text_add(&name, "./");
    }
    text_add(&name, "p.csv"); /* harmless: no part of it counts */
    char *climbing =
        arena_string(m.arena, "../here/../here/../here/../here/../here/../here/../here/"
                              "../here/../here/p.csv"); /* never above one */
    add_scenario(&m, "here/plan.yaml", "plan");
    add_prices(&m, name.data, "one");
    add_prices(&m, climbing, "one");
    copy(&m);
    assert_copy(&m, 1, "scenario/p.csv", "one");
    assert_found_again(&m, 1);
    assert_copy(&m, 2, "here/p.csv", "one");
    assert_found_again(&m, 2);
    text_release(&name);
    made_release(&m);

    made_init(&m, "a/b/c/d/e/f/g/h/i");
    char path[64] = "a";
    for (char c = 'a'; c <= 'i'; c++) {
        make_folder(&m, path);
        snprintf(path + strlen(path), sizeof path - strlen(path), "/%c", c + 1);
    }
    add_scenario(&m, "plan.yaml", "plan");
    add_prices(&m, "../../../../../../../../../p.csv", "far"); /* nine folders up */
    add_prices(&m, "../../../../../../../../p.csv", "near");
    copy(&m);
    assert_true(m.copies.items[1].moved);
    assert_false(m.copies.items[2].moved);
    assert_found_again(&m, 2);
    made_release(&m);
}

static void names_that_collide(void **state)
{
    (void)state;
    struct made m;
    made_init(&m, "here");
    make_folder(&m, "here");
    make_folder(&m, "here/plan.yaml");
    make_folder(&m, "far");
    add_scenario(&m, "one/plan.yaml", "first");
    add_scenario(&m, "two/plan.yaml", "second");
    add_scenario(&m, "-", "third");
    add_scenario(&m, "scenario.yaml", "fourth");
    add_prices(&m, "plan.yaml/p.csv", "prices"); /* a folder of the scenario's name */
    copy(&m);
    assert_copy(&m, 0, "2-plan.yaml", "first");
    assert_copy(&m, 1, "3-plan.yaml", "second");
    assert_copy(&m, 2, "scenario.yaml", "third");
    assert_copy(&m, 3, "2-scenario.yaml", "fourth");
    assert_copy(&m, 4, "plan.yaml/p.csv", "prices");
    made_release(&m);
}

/* Through a link, "link/../p.csv" is another file than "p.csv"; their copies must not be one. */
static void links_do_not_confuse(void **state)
{
    (void)state;
    struct made m;
    char link[400], target[400];
    made_init(&m, "here");
    make_folder(&m, "here");
    make_folder(&m, "far");
    make_folder(&m, "far/deep");
    snprintf(target, sizeof target, "%s/far/deep", m.folder);
    snprintf(link, sizeof link, "%s/here/link", m.folder);
    assert_int_equal(symlink(target, link), 0);
    add_scenario(&m, "here/plan.yaml", "plan");
    add_prices(&m, "p.csv", "near");
    add_prices(&m, "link/../p.csv", "far"); /* in far/ */
    copy(&m);
    assert_copy(&m, 1, "p.csv", "near");
    assert_copy(&m, 2, "elsewhere/p.csv", "far");
    assert_true(m.copies.items[2].moved);
    made_release(&m);
}

/* A long name has room for its number. */
static void long_names(void **state)
{
    (void)state;
    struct made m;
    char name[256];
    made_init(&m, "here");
    make_folder(&m, "here");
    memset(name, 'x', 255);
    name[255] = '\0';
    memcpy(name + 250, ".yaml", 5);
    add_scenario(&m, name, "one");
    add_scenario(&m, arena_format(m.arena, "over/%s", name), "two");
    copy(&m);
    assert_copy(&m, 0, name, "one");
    assert_int_equal(strlen(m.copies.items[1].copy), 202);
    assert_int_equal(strncmp(m.copies.items[1].copy, "2-x", 3), 0);
    made_release(&m);
}

/* A pipe would wait for a writer, and a folder has no bytes: told before anything is simulated. */
static void only_regular_files_are_read(void **state)
{
    (void)state;
    struct made m;
    char path[400];
    for (int pipe = 0; pipe < 2; pipe++) {
        made_init(&m, "here");
        make_folder(&m, "here");
        snprintf(path, sizeof path, "%s/here/it", m.folder);
        assert_int_equal(pipe ? mkfifo(path, 0600) : mkdir(path, 0700), 0);
        add_scenario(&m, "here/plan.yaml", "plan");
        add_prices(&m, "it", NULL);
        assert_false(input_copies_init(&m.copies, &m.scenario, m.diagnostics));
        assert_int_equal(diagnostics_exit_code(m.diagnostics), 2);
        made_release(&m);
    }
}

/* The files that were read are copied, not what they are when the results are written. */
static void later_changes_do_not_matter(void **state)
{
    (void)state;
    struct made m;
    char path[400];
    made_init(&m, "here");
    make_folder(&m, "here");
    add_scenario(&m, "here/plan.yaml", "plan");
    add_prices(&m, "p.csv", "as it was");
    assert_true(input_copies_init(&m.copies, &m.scenario, m.diagnostics));
    program_file(m.folder, "here/p.csv", "as it is now");
    snprintf(path, sizeof path, "%s/out", m.folder);
    assert_true(input_copies_write(&m.copies, path, m.diagnostics));
    assert_copy(&m, 1, "p.csv", "as it was");
    /* Nothing that is there is overwritten. */
    assert_false(input_copies_write(&m.copies, path, m.diagnostics));
    assert_int_equal(diagnostics_exit_code(m.diagnostics), 1);
    made_release(&m);
}

/* ---- the command ---- */

struct word_case {
    const char *set, *shown;
};

static const struct word_case words[] = {
    {"seed=3", "seed=3"},
    {"budget=5000 USD", "'budget=5000 USD'"},
    {"", "''"},
    {"name=it's", "'name=it'\\''s'"},
    {"name='", "'name='\\'''"},
    {"name=$(touch x) `y` \\ \"z\" ; & | > < * ? ~ ! # { } ( ) [ ]",
     "'name=$(touch x) `y` \\ \"z\" ; & | > < * ? ~ ! # { } ( ) [ ]'"},
    {"name=two\tparts", "'name=two\tparts'"},
    {"a.b=12%", "a.b=12%"},
    {"na\xc3\xafve=1", "'na\xc3\xafve=1'"},
};

/* What a shell makes of the command's word is the setting, byte for byte. */
static void settings_pass_a_shell(void **state)
{
    const struct word_case *c = *state;
    struct made m;
    made_init(&m, "here");
    make_folder(&m, "here");
    add_scenario(&m, "here/my plan.yaml", "plan");
    copy(&m);
    const char *const sets[] = {c->set};
    const struct rerun_request r = {.sets = sets, .set_count = 1};
    struct text command;
    text_init(&command, 0);
    rerun_command(&command, &m.copies, &r);
    struct text want;
    text_init(&want, 0);
    text_format(&want, "fleetcast run 'inputs/my plan.yaml' --set %s -o ../rerun", c->shown);
    assert_string_equal(command.data, want.data);
    text_clear(&want);
    text_format(&want, "cd '%s' && fleetcast() { printf %%s \"$4\" > got; } && %s", m.folder,
                command.data);
    assert_int_equal(system(want.data), 0);
    char *got = program_text(m.folder, "got");
    assert_string_equal(got, c->set);
    free(got);
    text_release(&want);
    text_release(&command);
    made_release(&m);
}

static void all_that_was_asked_is_in_it(void **state)
{
    (void)state;
    struct made m;
    made_init(&m, "here");
    make_folder(&m, "here");
    add_scenario(&m, "here/plan.yaml", "plan");
    add_scenario(&m, "here/over.yaml", "over");
    copy(&m);
    const char *const sets[] = {"precision=null", "replications=500", "seed=9"};
    const char *const strategies[] = {"spot", "on demand"};
    const struct rerun_request r = {sets, 3, strategies, 2, 123};
    struct text command;
    text_init(&command, 0);
    rerun_command(&command, &m.copies, &r);
    assert_string_equal(command.data,
                        "fleetcast run inputs/plan.yaml inputs/over.yaml --set precision=null "
                        "--set replications=500 --set seed=9 --strategy spot "
                        "--strategy 'on demand' --replications 123 -o ../rerun");
    text_release(&command);
    made_release(&m);
}

int main(void)
{
    gsl_errors_install();
    enum { WORDS = sizeof words / sizeof words[0], OTHERS = 10 };
    struct CMUnitTest tests[WORDS + OTHERS] = {
        cmocka_unit_test(files_beside_the_scenario),
        cmocka_unit_test(paths_that_climb),
        cmocka_unit_test(absolute_paths_are_moved),
        cmocka_unit_test(endless_paths_are_moved),
        cmocka_unit_test(names_that_collide),
        cmocka_unit_test(links_do_not_confuse),
        cmocka_unit_test(long_names),
        cmocka_unit_test(only_regular_files_are_read),
        cmocka_unit_test(later_changes_do_not_matter),
        cmocka_unit_test(all_that_was_asked_is_in_it),
    };
    for (size_t i = 0; i < WORDS; i++) {
        tests[OTHERS + i] = (struct CMUnitTest){.name = words[i].shown,
                                                .test_func = settings_pass_a_shell,
                                                .initial_state = (void *)(uintptr_t)&words[i]};
    }
    return _cmocka_run_group_tests("input_copies", tests, WORDS + OTHERS, NULL, NULL);
}
