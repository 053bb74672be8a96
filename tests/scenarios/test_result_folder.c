/* SPDX-License-Identifier: GPL-3.0-or-later
 * The result directory: what it may replace, what is in it, what is left when it cannot be written,
 * and that its tables are read back as they were. */
#include "scenarios/output/result_folder.h"

#include "engine/gsl_errors.h"
#include "tests/support/program.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char scenario[] =
    "version: 1\nstart: 2026-01-30\nhorizon: 20d\nregion: us-east-1\nreplications: 40\n"
    "budget: 100 USD\n"
    "workloads: {job: {kind: training, hours: 8..12h, deadline: 3d, checkpoint: {every: auto}}}\n"
    "market: {spot: {p3.2xlarge: {price: 1 USD/h, availability: 60..90 %}}}\n"
    "strategies:\n"
    "  a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"
    "  b: {instance: p3.2xlarge, nodes: 2, buy: spot}\n";

/* A run, made once. */
struct made {
    struct study *study;
    struct run run;
    struct result_tables tables;
};
struct refused_case;
struct bench {
    struct made *made; /* of the group */
    char *folder;      /* of the test; it is the current one meanwhile */
    struct arena *arena;
    struct diagnostics *diagnostics;
    char before[4096];
    const struct refused_case *refused;
};

static struct made the_run;

static int make_run(void **state)
{
    (void)state;
    the_run.study = study_from_text(scenario, NULL);
    study_run(&the_run.run, the_run.study, 2);
    assert_true(result_tables_make(&the_run.tables, &the_run.run));
    return 0;
}

static int free_run(void **state)
{
    (void)state;
    result_tables_release(&the_run.tables);
    run_release(&the_run.run);
    study_free(the_run.study);
    return 0;
}

static int setup(void **state)
{
    struct bench *b = calloc(1, sizeof *b);
    b->refused = *state; /* the case of a test that has one */
    b->made = &the_run;
    b->folder = program_folder_new();
    b->arena = arena_new(0);
    b->diagnostics = diagnostics_new();
    assert_non_null(getcwd(b->before, sizeof b->before));
    assert_int_equal(chdir(b->folder), 0);
    *state = b;
    return 0;
}

static int teardown(void **state)
{
    struct bench *b = *state;
    assert_int_equal(chdir(b->before), 0);
    program_folder_free(b->folder);
    diagnostics_free(b->diagnostics);
    arena_free(b->arena);
    free(b);
    return 0;
}

static bool write_into(struct bench *b, const struct result_folder *f)
{
    static const char *const arguments[] = {"run", "plan.yaml"};
    const struct manifest_request request = {
        .arguments = arguments, .argument_count = 2, .jobs = 2};
    return result_folder_write(f, &b->made->run, &b->made->tables, &request, b->diagnostics);
}

static const char *first_message(const struct bench *b)
{
    const char *text = diagnostics_text(b->diagnostics, 0, NULL, NULL);
    return text == NULL ? "" : text;
}

/* All of it, or the test fails. */
static void write_results(struct bench *b, const char *path)
{
    struct result_folder f;
    bool ok = result_folder_open(&f, b->arena, path, b->diagnostics) && write_into(b, &f) &&
              result_folder_close(&f, b->diagnostics);
    if (!ok) {
        fail_msg("%s", first_message(b));
    }
}

static void put(const char *path, const char *text)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

static bool exists(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0;
}

/* ---- what is written ---- */

static void all_files_and_no_others(void **state)
{
    struct bench *b = *state;
    write_results(b, "deep/er/out//");
    static const char *const names[] = {
        "summary.csv",       "comparison.csv",  "distribution.csv",
        "timeline.csv",      "monthly.csv",     "lines.csv",
        "usage.csv",         "manifest.json",   "inputs",
        "replications.csv",  "quarters.csv",    "categories.csv",
        "commitments.csv",   "split.csv",       "commitment_levels.csv",
        "oracle.csv",        "break_even.csv",  "jobs.csv",
        "utilisation.csv",   "market.csv",      "plan_world.csv",
        "survival.csv",      "services.csv",    "hour_of_week.csv",
        "service_hours.csv", "sensitivity.csv", "information.csv",
        "choice.csv",        "limits.csv",
    };
    size_t count = sizeof names / sizeof names[0];
    for (size_t i = 0; i < count; i++) {
        assert_true(exists(arena_format(b->arena, "deep/er/out/%s", names[i])));
    }
    assert_int_equal(program_entries(b->folder, "deep/er/out"), count);
    assert_int_equal(program_entries(b->folder, "deep/er/out/inputs"), 1);
    assert_int_equal(program_entries(b->folder, "deep/er"), 1);
    struct stat s;
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat("deep/er/out", &s), 0);
    assert_int_equal(s.st_mode & 0777, 0777 & ~mask);
}

static void ours_and_empty_ones_are_replaced(void **state)
{
    struct bench *b = *state;
    assert_int_equal(mkdir("out", 0777), 0);
    write_results(b, "out");
    assert_int_equal(mkdir("out/charts", 0777), 0);
    put("out/charts/cost.gp", "old");
    put("out/summary.csv", "old");
    write_results(b, "./out/");
    assert_false(exists("out/charts"));
    char *summary = program_text(b->folder, "out/summary.csv");
    assert_string_not_equal(summary, "old");
    free(summary);
    assert_int_equal(program_entries(b->folder, "."), 1);
    assert_int_equal(diagnostics_count(b->diagnostics, DIAGNOSTIC_WARNING), 0);
}

/* ---- what is refused, before anything is simulated ---- */

static void make_foreign(struct bench *b)
{
    (void)b;
    assert_int_equal(mkdir("out", 0777), 0);
    put("out/thesis.txt", "precious");
}

static void make_foreign_in_ours(struct bench *b)
{
    write_results(b, "out");
    put("out/notes.md", "precious");
}

static void make_hidden_in_ours(struct bench *b)
{
    write_results(b, "out");
    assert_int_equal(mkdir("out/.git", 0777), 0);
}

static void make_other_manifest(struct bench *b)
{
    (void)b;
    assert_int_equal(mkdir("out", 0777), 0);
    put("out/manifest.json", "{\"written_by\": \"somebody else\", \"strategies\": [1]}");
}

static void make_pipe_manifest(struct bench *b)
{
    (void)b;
    assert_int_equal(mkdir("out", 0777), 0);
    assert_int_equal(mkfifo("out/manifest.json", 0600), 0);
}

static void make_file(struct bench *b)
{
    (void)b;
    put("out", "precious");
}

static void make_dead_link(struct bench *b)
{
    (void)b;
    assert_int_equal(symlink("nowhere/at/all", "out"), 0);
}

static void make_link_to_file(struct bench *b)
{
    (void)b;
    put("precious.txt", "precious");
    assert_int_equal(symlink("precious.txt", "out"), 0);
}

static void make_link_to_ours(struct bench *b)
{
    write_results(b, "ours");
    assert_int_equal(symlink("ours", "out"), 0);
}

static void make_file_above(struct bench *b)
{
    (void)b;
    put("above", "precious");
}

static void go_into_empty(struct bench *b)
{
    (void)b;
    assert_int_equal(mkdir("out", 0777), 0);
    assert_int_equal(chdir("out"), 0);
}

/* 250 characters: legal, but nothing can be put behind it. */
#define FIFTY "01234567890123456789012345678901234567890123456789"
#define LONG  FIFTY FIFTY FIFTY FIFTY FIFTY

struct refused_case {
    const char *name;
    void (*make)(struct bench *b);
    const char *path, *says;
    int code;
};

static const struct refused_case refused[] = {
    {"a foreign directory", make_foreign, "out", "'out' exists and was not written by fleetcast",
     2},
    {"ours, with a foreign file", make_foreign_in_ours, "out", "'out' holds 'notes.md'", 2},
    {"ours, with something hidden", make_hidden_in_ours, "out/", "'out' holds '.git'", 2},
    {"another program's manifest", make_other_manifest, "out", "was not written by fleetcast", 2},
    {"a pipe for a manifest", make_pipe_manifest, "out", "was not written by fleetcast", 2},
    {"a file", make_file, "out", "'out' exists and was not written by fleetcast", 2},
    {"a link that leads nowhere", make_dead_link, "out", "'out' is a link, which is not replaced",
     2},
    {"a link to a file", make_link_to_file, "out/", "'out' is a link", 2},
    {"a link to a directory of ours", make_link_to_ours, "out", "'out' is a link", 2},
    {"a file above", make_file_above, "above/out", "'above' is not a folder", 2},
    {"the current directory", go_into_empty, "../out", "is the current directory", 2},
    {"a name that leaves no room for a draft's", NULL, LONG, "cannot make folder", 2},
    {"no name", NULL, "", "has no name of its own", 2},
    {"this", NULL, ".", "has no name of its own", 2},
    {"above", NULL, "x/..", "has no name of its own", 2},
    {"the root", NULL, "///", "has no name of its own", 2},
};

static void is_refused(void **state)
{
    struct bench *b = *state;
    const struct refused_case *c = b->refused;
    struct result_folder f;
    if (c->make != NULL) {
        c->make(b);
    }
    size_t before = program_entries(b->folder, ".");
    assert_false(result_folder_open(&f, b->arena, c->path, b->diagnostics));
    assert_int_equal(diagnostics_exit_code(b->diagnostics), c->code);
    assert_holds(first_message(b), c->says);
    assert_null(f.draft);
    assert_int_equal(program_entries(b->folder, "."), before);
}

/* A directory on which a file system is mounted cannot be renamed. */
static void a_mount_point_is_refused(void **state)
{
    struct bench *b = *state;
    static const char *const places[] = {
        "/dev/shm",       "/dev/mqueue", "/proc/sys/fs/binfmt_misc",
        "/sys/fs/cgroup", "/run/lock",   "/dev/hugepages"};
    struct stat s, above;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const char *parent = arena_format(b->arena, "%s/..", places[i]);
        bool mounted = stat(places[i], &s) == 0 && S_ISDIR(s.st_mode) &&
                       stat(parent, &above) == 0 && s.st_dev != above.st_dev;
        DIR *dir = mounted ? opendir(places[i]) : NULL;
        size_t entries = 0;
        while (dir != NULL && readdir(dir) != NULL) {
            entries++;
        }
        if (dir != NULL) {
            closedir(dir);
        }
        if (entries == 2) {
            struct result_folder f;
            assert_false(result_folder_open(&f, b->arena, places[i], b->diagnostics));
            assert_int_equal(diagnostics_exit_code(b->diagnostics), 2);
            assert_holds(first_message(b), "is where a file system is mounted");
            return;
        }
    }
    skip();
}

/* ---- drafts ---- */

/* Another run with our process number, in another container, may have left its draft: even as a
 * link to somewhere else it is not written into. */
static void a_draft_is_always_new(void **state)
{
    struct bench *b = *state;
    const char *stale = arena_format(b->arena, "out.draft-%ld", (long)getpid());
    const char *link = arena_format(b->arena, "out.draft-%ld-2", (long)getpid());
    assert_int_equal(mkdir(stale, 0777), 0);
    put(arena_format(b->arena, "%s/stale.csv", stale), "stale");
    assert_int_equal(mkdir("trap", 0777), 0);
    assert_int_equal(symlink("trap", link), 0);
    write_results(b, "out");
    assert_false(exists("out/stale.csv"));
    assert_int_equal(program_entries(b->folder, "trap"), 0);
    assert_true(exists(stale));
}

static void nothing_is_left_of_an_abandoned_draft(void **state)
{
    struct bench *b = *state;
    struct result_folder f;
    assert_true(result_folder_open(&f, b->arena, "out", b->diagnostics));
    assert_true(write_into(b, &f));
    result_folder_abandon(&f);
    assert_int_equal(program_entries(b->folder, "."), 0);
    result_folder_abandon(&f); /* twice is no harm */
    assert_false(diagnostics_failed(b->diagnostics));
}

/* Somebody put a thesis there while the simulation ran: nothing is deleted, and nothing is lost. */
static void a_place_taken_meanwhile_keeps_both(void **state)
{
    struct bench *b = *state;
    struct result_folder f;
    assert_true(result_folder_open(&f, b->arena, "out", b->diagnostics));
    assert_true(write_into(b, &f));
    const char *draft = f.draft;
    make_foreign(b);
    assert_false(result_folder_close(&f, b->diagnostics));
    assert_holds(first_message(b), "'out' exists and was not written by fleetcast");
    enum diagnostic_kind kind;
    assert_holds(diagnostics_text(b->diagnostics, 1, &kind, NULL),
                 "the results are in 'out.draft-");
    assert_int_equal(kind, DIAGNOSTIC_NOTE);
    result_folder_abandon(&f); /* as a caller does when anything failed */
    assert_true(exists("out/thesis.txt"));
    assert_true(exists(arena_format(b->arena, "%s/manifest.json", draft)));
}

/* Results of another run that were put there meanwhile are replaced, as they would be in turn. */
static void two_runs_to_one_place(void **state)
{
    struct bench *b = *state;
    struct result_folder one, two;
    assert_true(result_folder_open(&one, b->arena, "out", b->diagnostics));
    assert_true(result_folder_open(&two, b->arena, "out", b->diagnostics));
    assert_string_not_equal(one.draft, two.draft);
    assert_true(write_into(b, &one) && write_into(b, &two));
    assert_true(result_folder_close(&one, b->diagnostics));
    assert_true(result_folder_close(&two, b->diagnostics));
    assert_int_equal(program_entries(b->folder, "."), 1);
}

/* What was there cannot be deleted (too deep, here): the new results are in place all the same. */
static void old_results_that_stay_are_told(void **state)
{
    struct bench *b = *state;
    write_results(b, "out");
    char path[1000] = "out/inputs";
    for (int i = 0; i < 40; i++) {
        strcat(path, "/deep");
        assert_int_equal(mkdir(path, 0777), 0);
    }
    write_results(b, "out");
    assert_false(diagnostics_failed(b->diagnostics));
    assert_int_equal(diagnostics_count(b->diagnostics, DIAGNOSTIC_WARNING), 1);
    assert_holds(first_message(b), "the results replaced are still in 'out.old-");
    assert_false(exists("out/inputs/deep"));
    assert_int_equal(program_entries(b->folder, "."), 2);
    /* The folder is deeper than what the test's own clean-up takes. */
    assert_int_equal(system("rm -r out.old-*"), 0);
}

/* ---- a full disk ---- */

/* With every limit, from nothing to enough: one error that names the file, and no results. */
static void a_full_disk_is_told_by_name(void **state)
{
    struct bench *b = *state;
    struct rlimit before, small;
    size_t failures = 0;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    bool done = false;
    for (rlim_t limit = 0; !done; limit = limit == 0 ? 64 : 2 * limit) {
        struct diagnostics *d = diagnostics_new();
        struct result_folder f;
        struct bench with = *b;
        with.diagnostics = d;
        assert_true(result_folder_open(&f, b->arena, "out", d));
        small = (struct rlimit){.rlim_cur = limit, .rlim_max = before.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        done = write_into(&with, &f);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        if (!done) {
            failures++;
            assert_int_equal(diagnostics_exit_code(d), 1);
            assert_int_equal(diagnostics_count(d, DIAGNOSTIC_FAILURE), 1);
            assert_holds(diagnostics_text(d, 0, NULL, NULL), "cannot write 'out.draft-");
            assert_holds(diagnostics_text(d, 0, NULL, NULL), strerror(EFBIG));
        }
        result_folder_abandon(&f);
        diagnostics_free(d);
    }
    signal(SIGXFSZ, handler);
    assert_true(failures >= 5);
    assert_int_equal(program_entries(b->folder, "."), 0);
}

/* ---- reading back ---- */

static const struct manifest dollars = {.currency = "USD"};

static char *as_csv(const struct table *t)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_true(table_write_csv(t, out));
    assert_int_equal(fclose(out), 0);
    return text;
}

static void tables_are_read_back_as_they_were(void **state)
{
    struct bench *b = *state;
    struct result_tables t;
    write_results(b, "out");
    assert_true(result_folder_read(&t, "out", &dollars, b->diagnostics));
    const struct table *written[] = {b->made->tables.summary,      b->made->tables.comparison,
                                     b->made->tables.distribution, b->made->tables.timeline,
                                     b->made->tables.monthly,      b->made->tables.lines,
                                     b->made->tables.quarters,     b->made->tables.categories};
    const struct table *read[] = {t.summary, t.comparison, t.distribution, t.timeline,
                                  t.monthly, t.lines,      t.quarters,     t.categories};
    for (size_t i = 0; i < sizeof read / sizeof read[0]; i++) {
        char *want = as_csv(written[i]), *got = as_csv(read[i]);
        assert_string_equal(got, want);
        free(want);
        free(got);
    }
    result_tables_release(&t);
}

struct broken_case {
    const char *file, *text; /* text NULL: the file is gone */
    const char *says;
};

static void broken_tables_are_told(void **state)
{
    static const struct broken_case cases[] = {
        {"summary.csv", NULL, "summary.csv"},
        {"lines.csv", "", "lines.csv"},
        {"monthly.csv", "strategy,month\na,2026-01\n", "cost_mean_usd"},
        {"comparison.csv", "strategy,baseline\n\"a", "comparison.csv"},
        {"timeline.csv", "\xff\xfe", "timeline.csv"},
    };
    struct bench *b = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct diagnostics *d = diagnostics_new();
        struct result_tables t;
        write_results(b, "out");
        const char *path = arena_format(b->arena, "out/%s", cases[i].file);
        assert_int_equal(unlink(path), 0);
        if (cases[i].text != NULL) {
            put(path, cases[i].text);
        }
        assert_false(result_folder_read(&t, "out", &dollars, d));
        assert_null(t.summary);
        assert_true(diagnostics_failed(d));
        char *all = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&all, &size);
        diagnostics_write(d, out);
        fclose(out);
        assert_holds(all, cases[i].says);
        free(all);
        diagnostics_free(d);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest single[] = {
        TEST(all_files_and_no_others),
        TEST(ours_and_empty_ones_are_replaced),
        TEST(a_mount_point_is_refused),
        TEST(a_draft_is_always_new),
        TEST(nothing_is_left_of_an_abandoned_draft),
        TEST(a_place_taken_meanwhile_keeps_both),
        TEST(two_runs_to_one_place),
        TEST(old_results_that_stay_are_told),
        TEST(a_full_disk_is_told_by_name),
        TEST(tables_are_read_back_as_they_were),
        TEST(broken_tables_are_told),
    };
    enum {
        SINGLE = sizeof single / sizeof single[0],
        REFUSED = sizeof refused / sizeof refused[0]
    };
    struct CMUnitTest tests[SINGLE + REFUSED];
    memcpy(tests, single, sizeof single);
    for (size_t i = 0; i < REFUSED; i++) {
        tests[SINGLE + i] = (struct CMUnitTest){.name = refused[i].name,
                                                .test_func = is_refused,
                                                .setup_func = setup,
                                                .teardown_func = teardown,
                                                .initial_state = (void *)(uintptr_t)&refused[i]};
    }
    return _cmocka_run_group_tests("result_folder", tests, SINGLE + REFUSED, make_run, free_run);
}
