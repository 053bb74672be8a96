/* SPDX-License-Identifier: GPL-3.0-or-later
 * The journal: order, cap, texts that live on, and nothing at all when it is off. */
#include "tests/support/testing.h"

#include "models/fleet/journal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void test_off(void **state)
{
    (void)state;
    journal_add(NULL, 1.0, 0, "%d nodes granted", 4);
    journal_sort(NULL);
    assert_int_equal(journal_count(NULL), 0);
    assert_int_equal(journal_dropped(NULL), 0);
    assert_null(journal_at(NULL, 0));
    journal_free(NULL);
}

static void test_entries(void **state)
{
    (void)state;
    struct journal *j = journal_new(100);
    assert_non_null(j);
    assert_int_equal(journal_count(j), 0);
    assert_null(journal_at(j, 0));
    char name[16] = "spot";
    journal_add(j, 60.5, 2, "%s capacity falls to %d", name, 0);
    memcpy(name, "gone", 5); /* the text was copied */
    journal_add(j, 61.5, UINT32_MAX, "%s", "");
    assert_int_equal(journal_count(j), 2);
    assert_string_equal(journal_at(j, 0)->what, "spot capacity falls to 0");
    assert_near(journal_at(j, 0)->time_s, 60.5, 0.0, "time");
    assert_int_equal(journal_at(j, 0)->workload, 2);
    assert_string_equal(journal_at(j, 1)->what, "");
    assert_int_equal(journal_at(j, 1)->workload, UINT32_MAX);
    assert_null(journal_at(j, 2));
    journal_free(j);
}

/* Many entries on few instants, added in a scrambled order: sorted by time, and within one time by
 * the order of adding. The ordinal is in `workload`. */
static void test_sort_is_stable(void **state)
{
    (void)state;
    enum { ENTRIES = 5000, INSTANTS = 13 };
    struct journal *j = journal_new(2 * ENTRIES);
    for (uint32_t i = 0; i < ENTRIES; i++) {
        journal_add(j, (double)(i * 7919u % INSTANTS), i, "entry %u", i);
    }
    journal_sort(j);
    for (uint32_t i = 0; i < ENTRIES; i++) { /* sorting again, with more, changes no order */
        journal_add(j, (double)(i * 7919u % INSTANTS), ENTRIES + i, "entry %u", ENTRIES + i);
    }
    journal_sort(j);
    assert_int_equal(journal_count(j), 2 * ENTRIES);
    for (size_t i = 0; i < 2 * ENTRIES; i++) {
        const struct journal_entry *e = journal_at(j, i);
        char want[32];
        snprintf(want, sizeof want, "entry %u", e->workload);
        assert_string_equal(e->what, want);
        assert_near(e->time_s, (double)(e->workload % ENTRIES * 7919u % INSTANTS), 0.0, "time");
        if (i > 0) {
            const struct journal_entry *before = journal_at(j, i - 1);
            assert_true(before->time_s < e->time_s ||
                        (before->time_s == e->time_s && before->workload < e->workload));
        }
    }
    journal_free(j);
}

static void test_cap(void **state)
{
    (void)state;
    struct journal *j = journal_new(3);
    for (uint32_t i = 0; i < 10; i++) {
        journal_add(j, 10.0 - i, i, "%u", i);
    }
    assert_int_equal(journal_count(j), 3);
    assert_int_equal(journal_dropped(j), 7);
    journal_sort(j);
    assert_string_equal(journal_at(j, 0)->what, "2"); /* the first three that came, by time */
    assert_string_equal(journal_at(j, 2)->what, "0");
    journal_free(j);

    j = journal_new(0);
    journal_add(j, 0.0, 0, "nothing fits");
    assert_int_equal(journal_count(j), 0);
    assert_int_equal(journal_dropped(j), 1);
    journal_sort(j);
    journal_free(j);
}

static void test_impossible_times_are_dropped(void **state)
{
    (void)state;
    struct journal *j = journal_new(10);
    journal_add(j, (double)NAN, 0, "never");
    journal_add(j, (double)INFINITY, 0, "never");
    journal_add(j, -(double)INFINITY, 0, "never");
    journal_add(j, 0.0, 0, "now");
    assert_int_equal(journal_count(j), 1);
    assert_int_equal(journal_dropped(j), 3);
    journal_free(j);
}

/* A text just fits, or is cut before the character that does not, and says so. */
static void test_long_texts_are_cut(void **state)
{
    (void)state;
    char text[3001];
    struct journal *j = journal_new(10);
    memset(text, 'a', sizeof text);
    text[1023] = '\0';
    journal_add(j, 0, 0, "%s", text);
    assert_string_equal(journal_at(j, 0)->what, text);

    text[1023] = 'a';
    text[1024] = '\0';
    journal_add(j, 0, 0, "%s", text);
    const char *cut = journal_at(j, 1)->what;
    assert_int_equal(strlen(cut), 1023);
    assert_memory_equal(cut, text, 1020);
    assert_string_equal(cut + 1020, "…");

    for (size_t shift = 0; shift < 4; shift++) { /* 価 is three bytes */
        for (size_t i = 0; i < 3000; i++) {
            text[i] = i < shift ? 'a' : "価"[(i - shift) % 3];
        }
        text[shift + 2994] = '\0';
        journal_add(j, 0, 0, "%s", text);
        cut = journal_at(j, 2 + shift)->what;
        size_t kept = strlen(cut) - strlen("…");
        assert_true(kept <= 1020 && kept >= 1018);
        assert_int_equal((kept - shift) % 3, 0);
        assert_memory_equal(cut, text, kept);
        assert_string_equal(cut + kept, "…");
    }
    journal_free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_off),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_sort_is_stable),
        cmocka_unit_test(test_cap),
        cmocka_unit_test(test_impossible_times_are_dropped),
        cmocka_unit_test(test_long_texts_are_cut),
    };
    return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}
