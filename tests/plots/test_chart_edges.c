/* SPDX-License-Identifier: GPL-3.0-or-later
 * Studies at the edge, and names that try to be code, through gnuplot itself: every chart must be
 * drawn without a word from it, and nothing else may appear in the folder it runs in. Only the SVG
 * is drawn (a wrapper leaves the PNG out): a text is in it as text. */
#include "tests/support/testing.h"

#include "engine/file.h"
#include "plots/charts/charts.h"
#include "plots/charts/gnuplot.h"
#include "tests/support/sample_study.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NONE         ((double)NAN)
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct bench {
    char root[64], folder[96];
    struct diagnostics *d;
    struct arena *arena;
    bool drawing; /* gnuplot is installed */
};

static int set_up(void **state)
{
    static struct bench b;
    char program[96];
    FILE *f;

    snprintf(b.root, sizeof b.root, "/tmp/fleetcast-edges-XXXXXX");
    if (mkdtemp(b.root) == NULL)
        return -1;
    snprintf(b.folder, sizeof b.folder, "%s/charts", b.root);
    snprintf(program, sizeof program, "%s/svg-only", b.root);
    f = fopen(program, "w");
    if (f == NULL)
        return -1;
    /* Called as: -d -e PART=… NAME.gp. With PAGE set the script draws its second page alone. */
    fprintf(f, "#!/bin/sh\n"
               "gnuplot -d -e \"PAGE = 'png'\" -e \"$3\" \"$4\" && : > \"${4%%.gp}.png.part\"\n");
    fclose(f);
    if (chmod(program, 0700) != 0)
        return -1;
    b.d = diagnostics_new();
    b.arena = arena_new(0);
    f = fopen(arena_format(b.arena, "%s/probe.gp", b.root), "w");
    if (f == NULL)
        return -1;
    fclose(f);
    b.drawing = gnuplot_run("gnuplot", b.root, "probe.gp", "", 30.0).status != GNUPLOT_ABSENT;
    setenv("GNUPLOT", b.drawing ? program : "/nonexistent/gnuplot", 1);
    *state = &b;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *b = *state;
    bool removed = file_remove_tree(b->root, b->d);

    unsetenv("GNUPLOT");
    diagnostics_free(b->d);
    arena_free(b->arena);
    return removed ? 0 : -1;
}

/* Files in the folder; each must be a chart's own. */
static size_t count_files(const struct bench *b)
{
    DIR *dir = opendir(b->folder);
    struct dirent *entry;
    size_t count = 0;

    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        bool ours = false;
        if (entry->d_name[0] == '.')
            continue;
        for (size_t k = 0; chart_name(k) != NULL; k++) {
            size_t n = strlen(chart_name(k));
            ours =
                ours || (strncmp(entry->d_name, chart_name(k), n) == 0 && entry->d_name[n] == '.');
        }
        if (!ours)
            fail_msg("a file that is no chart appeared: '%s'", entry->d_name);
        count++;
    }
    closedir(dir);
    return count;
}

/* Draws all `charts` charts and asserts that nothing was said and nothing else appeared. */
static void draw(struct bench *b, const struct sample_strategy *strategies, size_t count,
                 const struct sample_options *options, size_t charts)
{
    struct sample_study s;
    char *bytes = NULL;
    size_t length;
    FILE *f = open_memstream(&bytes, &length);

    assert_non_null(f);
    assert_true(sample_study_init(&s, strategies, count, options));
    assert_true(charts_draw(&s.frame, &s.tables, b->folder, b->d));
    diagnostics_write(b->d, f);
    fclose(f);
    if (b->drawing) {
        assert_string_equal(bytes, "");
        assert_int_equal(count_files(b), 4 * charts);
    } else {
        print_message("gnuplot is not installed: only scripts are tested\n");
        assert_int_equal(count_files(b), 2 * charts);
    }
    free(bytes);
    sample_study_release(&s);
}

static const struct sample_strategy od = {"on-demand", 3310.0, 0.07, 58.0, 0.07, 0.0, 0.0, 0.0};

static void one_strategy(void **state)
{
    draw(*state, &od, 1, &(struct sample_options){300, 4000.0, 96.0, 240.0, false, NULL, NULL}, 10);
}

static void one_replication(void **state)
{
    const struct sample_strategy both[] = {od, {"spot", 1500.0, 0.2, 80.0, 0.2, 0.0, 1.0, 0.0}};

    draw(*state, both, 2, &(struct sample_options){1, 4000.0, 96.0, 240.0, false, NULL, NULL}, 10);
}

static void certain_cost_and_time_no_budget_no_deadline(void **state)
{
    const struct sample_strategy both[] = {{"a", 3310.0, 0.0, 58.0, 0.0, 0.0, 0.0, 0.0},
                                           {"b", 3310.0, 0.0, 58.0, 0.0, 0.0, 1.0, 0.0}};

    draw(*state, both, 2, &(struct sample_options){100, NONE, NONE, 240.0, false, NULL, NULL}, 9);
}

static void nothing_is_finished(void **state)
{
    const struct sample_strategy both[] = {{"a", 3310.0, 0.2, 58.0, 0.1, 1.0, 0.0, 0.0},
                                           {"b", 3000.0, 0.2, 58.0, 0.1, 1.0, 1.0, 0.0}};

    draw(*state, both, 2, &(struct sample_options){200, 4000.0, 96.0, 240.0, false, NULL, NULL},
         10);
}

static void cost_zero(void **state)
{
    const struct sample_strategy both[] = {{"a", 0.0, 0.0, 58.0, 0.1, 0.0, 0.0, 0.0},
                                           {"b", 0.0, 0.0, 58.0, 0.1, 0.0, 1.0, 0.0}};

    draw(*state, both, 2, &(struct sample_options){100, 0.0, 96.0, 240.0, false, NULL, NULL}, 7);
}

static void no_finite_work(void **state)
{
    const struct sample_strategy both[] = {od, {"spot", 1500.0, 0.2, 80.0, 0.2, 0.0, 1.0, 0.0}};

    draw(*state, both, 2, &(struct sample_options){100, 4000.0, NONE, 240.0, true, "CNY", NULL}, 8);
}

static void one_strategy_dwarfs_the_others(void **state)
{
    const struct sample_strategy three[] = {
        od,
        {"spot", 1500.0, 0.2, 80.0, 0.2, 0.0, 1.0, 0.0},
        {"reserved", 488000.0, 0.0, 58.0, 0.07, 0.0, 0.0, 488000.0}};

    draw(*state, three, 3, &(struct sample_options){100, 1e9, 9000.0, 240.0, false, NULL, NULL},
         10);
}

static void sixty_four_strategies(void **state)
{
    static struct sample_strategy many[64];
    static char names[64][72];
    struct bench *b = *state;
    size_t length;

    for (size_t i = 0; i < 64; i++) {
        snprintf(names[i], sizeof names[i],
                 "a-name-of-sixty-four-characters-as-long-as-it-may-be-p4d.24xl-%02zu", i);
        many[i] = (struct sample_strategy){
            names[i], 2000.0 + 30.0 * (double)((i * 7) % 13), 0.1, 60.0, 0.1, 0.0, 0.5, 0.0};
    }
    draw(b, many, 64, &(struct sample_options){60, 2300.0, 96.0, 240.0, false, NULL, NULL}, 10);
    assert_non_null(strstr(file_read(b->arena, arena_format(b->arena, "%s/cost.gp", b->folder),
                                     1 << 24, &length, b->d),
                           "8 of 64 strategies"));
}

/* What must be found in the SVG, as gnuplot escapes it. */
static const struct {
    const char *name, *shown;
} hostile[] = {{"it's 'so' ''", "it's 'so' ''"},
               {"`touch p1` @x", "`touch p1` @x"},
               {"'@FONT $(touch p2)", "'@FONT $(touch p2)"},
               {"< touch p3 & |", "&lt; touch p3 &amp; |"},
               {"'.system('touch p4').'", "'.system('touch p4').'"},
               {"\"; !touch p5 \\", "\"; !touch p5 \\"},
               {"日本語 %d {/B x}^2_3~", "日本語 %d {/B x}^2_3~"},
               {"]]></svg><b>\x1b[1m\n\xff", "]] >&lt;/svg>&lt;b>[1m \xef\xbf\xbd"}};

static void names_that_are_code_come_out_as_names(void **state)
{
    struct sample_strategy strategies[COUNT(hostile)];
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(hostile); i++)
        strategies[i] = (struct sample_strategy){
            hostile[i].name, 2000.0 + 10.0 * (double)i, 0.1, 60.0 + (double)i, 0.1, 0.0, 0.5, 0.0};
    draw(b, strategies, COUNT(hostile),
         &(struct sample_options){60, 2300.0, 96.0, 240.0, false, NULL,
                                  "'`touch p6`' @x <|$(touch p7)"},
         10);
    if (!b->drawing)
        skip();
    for (size_t i = 0; i < COUNT(hostile); i++) {
        size_t length;
        const char *svg = file_read(b->arena, arena_format(b->arena, "%s/cost.svg", b->folder),
                                    1 << 24, &length, b->d);
        char wanted[128];
        assert_non_null(svg);
        snprintf(wanted, sizeof wanted, "<text>%s</text>", hostile[i].shown);
        if (strstr(svg, wanted) == NULL)
            fail_msg("'%s' is not in the chart", wanted);
        assert_non_null(strstr(svg, "'`touch p6`' @x &lt;|$(touch p7)"));
    }
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(one_strategy),
                                       TEST(one_replication),
                                       TEST(certain_cost_and_time_no_budget_no_deadline),
                                       TEST(nothing_is_finished),
                                       TEST(cost_zero),
                                       TEST(no_finite_work),
                                       TEST(one_strategy_dwarfs_the_others),
                                       TEST(sixty_four_strategies),
                                       TEST(names_that_are_code_come_out_as_names)};

    return cmocka_run_group_tests_name("chart_edges", tests, NULL, NULL);
}
