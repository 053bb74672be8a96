/* SPDX-License-Identifier: GPL-3.0-or-later
 * Words of charts and of the register in another language: places, amounts, dates, clauses, names
 * that look like words, texts made to cost time; and that every chart finds its words. */
#include "tests/support/testing.h"

#include "plots/charts/charts.h"
#include "plots/sentences/phrases.h"
#include "tests/support/sample_study.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *say(const char *english, enum phrase_table table, bool whole)
{
    static char kept[4096];
    struct text out;

    text_init(&out, 8192);
    if (phrase_add(&out, REPORT_ZH, table, english) != whole)
        fail_msg("'%s' is %s", english, whole ? "not whole" : "whole");
    snprintf(kept, sizeof kept, "%s", out.data);
    text_release(&out);
    return kept;
}

static void sentences_are_put_together(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"spot is cheaper than od in 93 of 100 futures: P50 $2,410 against $417k",
         "在100 个模拟未来中的 93 个中“spot”比“od”便宜：P50 2,410 美元，对比 41.7 万美元"},
        {"spot (chosen) keeps within the $6,000 budget in all 2,000 futures",
         "“spot（选中）”在全部 2,000 个模拟未来中不超出 6,000 美元预算"},
        {"14 Mar 2026", "2026年3月14日"},
        {"Mar", "3月"},
        {"20:30 on 3 Mar", "3月3日 20:30"},
        {"-$1,050", "-1,050 美元"},
        {"$1.02M", "102 万美元"},
        {"CNY 417k", "41.7 万元"},
        {"$2,330 to $2,350", "2,330 美元 至 2,350 美元"},
        {"2.46 d", "2.46 天"},
        {"Spend since 2 Mar 2026, UTC; line: P50, dark: P25 to P75, light: P10 to P90",
         "自 2026年3月2日起的支出（UTC）；线：P50，深色：P25 至 P75，浅色：P10 至 P90"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(say(rows[i][0], PHRASES_OF_CHARTS, true), rows[i][1]);
    assert_string_equal(say("boot of a node of my 'job'", PHRASES_OF_REGISTER, true),
                        "“my 'job'”的节点启动时间");
}

/* What has no row stays, and so does all English where English is asked for. */
static void what_is_not_known_stays(void **state)
{
    struct text out;

    (void)state;
    assert_string_equal(say("A sentence nobody wrote", PHRASES_OF_CHARTS, false),
                        "A sentence nobody wrote");
    assert_string_equal(say("A new clause; P10 to P90", PHRASES_OF_CHARTS, false),
                        "A new clause；P10 至 P90");
    assert_string_equal(say("$1,2x0", PHRASES_OF_CHARTS, false), "$1,2x0");
    text_init(&out, 100);
    assert_true(phrase_add(&out, REPORT_EN, PHRASES_OF_CHARTS, "Cost"));
    assert_string_equal(out.data, "Cost");
    text_release(&out);
}

/* Bounded work whatever a name holds. */
static void hostile_texts_end(void **state)
{
    char text[1000] = "";

    (void)state;
    for (int i = 0; i < 40; i++)
        strcat(text, " and is cheaper than in ");
    say(text, PHRASES_OF_CHARTS, false);
    memset(text, ';', 900);
    text[900] = '\0';
    say(text, PHRASES_OF_CHARTS, false);
    say("{1} {q} {m} %s", PHRASES_OF_CHARTS, false);
}

/* A translation names no place that its pattern does not have, and none is left out. */
static void rows_have_the_same_places(void **state)
{
    (void)state;
    for (int table = 0; table < PHRASE_TABLES; table++) {
        for (size_t i = 0; phrase_pattern((enum phrase_table)table, i) != NULL; i++) {
            const char *english = phrase_pattern((enum phrase_table)table, i);
            const char *chinese = phrase_translation((enum phrase_table)table, i);
            int places = 0;
            for (const char *s = english; *s != '\0'; s++)
                places += s[0] == '{' && s[1] != '\0' && s[2] == '}';
            for (int p = 1; p <= 9; p++) {
                const char place[] = {'{', "0123456789"[p], '}', '\0'};
                if ((strstr(chinese, place) != NULL) != (p <= places))
                    fail_msg("'%s' and '%s' have other places", english, chinese);
            }
        }
    }
}

/* ---- every chart ---- */

/* Words of the sample's own names, and of files. */
static bool is_kept(const struct chart_frame *frame, const char *chart, const char *word,
                    size_t length)
{
    static const char *const names[][2] = {
        {"sweep", "market.spot.x.price"},
        {"front", "plan-1"},
        {"offers", "p4d.24xlarge, 1-year standard, 1-year plan"}};
    char own[32];
    bool kept;

    snprintf(own, sizeof own, "%.*s", (int)length, word);
    kept = strstr("commitment_levels break_even csv large xlarge east west train sweep score chat",
                  own) != NULL ||
           strstr(frame->scenario, own) != NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        kept = kept || (strcmp(chart, names[i][0]) == 0 && strstr(names[i][1], own) != NULL);
    for (size_t i = 0; i < frame->strategy_count; i++)
        kept = kept || strstr(frame->strategies[i], own) != NULL;
    return kept;
}

static size_t count_english(const struct chart_frame *frame, const char *script, const char *chart)
{
    size_t found = 0;

    for (const char *s = script; (s = strstr(s, "set label ")) != NULL; s += 10) {
        const char *quote = strchr(s, '\''), *end = quote == NULL ? NULL : strchr(quote + 1, '\'');
        for (const char *w = quote; w != NULL && end != NULL && w < end; w++) {
            size_t n = 0;
            while (isalpha((unsigned char)w[n]))
                n++;
            if (n >= 4 && !is_kept(frame, chart, w, n)) {
                print_message("%s: %.*s in %.*s\n", chart, (int)n, w, (int)(end - quote), quote);
                found++;
            }
            w += n;
        }
    }
    return found;
}

static char *read_file(const char *folder, const char *name)
{
    char path[256];
    static char text[1 << 18];
    FILE *in;
    size_t n;

    snprintf(path, sizeof path, "%s/%s.gp", folder, name);
    in = fopen(path, "rb");
    if (in == NULL)
        return NULL;
    n = fread(text, 1, sizeof text - 1, in);
    text[n] = '\0';
    fclose(in);
    return text;
}

static void charts_find_their_words(void **state)
{
    struct sample_study study;
    struct diagnostics *d = diagnostics_new();
    struct chart_pages pages = {0};
    char folder[] = "/tmp/fleetcast-phrases-XXXXXX", command[128];
    size_t found = 0;

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_true(sample_study_real(&study));
    study.frame.language = REPORT_ZH;
    assert_true(charts_write(&study.frame, &study.tables, folder, &pages, d));
    for (size_t i = 0; i < pages.count; i++) {
        char *script = read_file(folder, pages.name[i]);
        assert_non_null(script);
        found += count_english(&study.frame, script, pages.name[i]);
    }
    assert_true(pages.count > 20);
    assert_int_equal(found, 0);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
    sample_study_release(&study);
    diagnostics_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_are_put_together), cmocka_unit_test(what_is_not_known_stays),
        cmocka_unit_test(hostile_texts_end), cmocka_unit_test(rows_have_the_same_places),
        cmocka_unit_test(charts_find_their_words)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
