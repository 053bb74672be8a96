/* SPDX-License-Identifier: GPL-3.0-or-later
 * The workbook; skipped where the program is built without libxlsxwriter. */
#include "tests/support/testing.h"

#include "engine/file.h"
#include "plots/report/report_workbook.h"
#include "tests/support/report_bed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const hostile[3] = {"=1+cmd|' /C calc'!A0", "@SUM(1)", "\xe2\x80\xaex"};

static const char *bytes_of(struct report_bed *b, const char *path, size_t *length)
{
    const struct table *const tables[] = {NULL, b->study.tables.summary,
                                          b->study.tables.comparison};

    unlink(path);
    assert_true(report_workbook_write(&b->document, tables, 3, 1772409600, path, b->d));
    return file_read_regular(b->arena, path, (size_t)64 << 20, length, b->d);
}

static void test_the_same_report_is_the_same_workbook(void **state)
{
    char folder[] = "/tmp/fleetcast-book-XXXXXX", path[64];
    size_t first = 0, second = 0;
    const char *one, *two;
    struct report_bed b;

    (void)state;
    if (!report_workbook_supported()) {
        print_message("skipped: built without libxlsxwriter (make XLSX=1)\n");
        skip();
    }
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/report.xlsx", folder);
    assert_true(report_bed_init(&b, hostile));
    report_bed_compose(&b, REPORT_ZH, "cost");
    one = bytes_of(&b, path, &first);
    two = bytes_of(&b, path, &second);
    assert_non_null(one);
    assert_non_null(two);
    assert_true(first > 4 && memcmp(one, "PK\x03\x04", 4) == 0);
    assert_int_equal(first, second);
    assert_memory_equal(one, two, first);
    assert_true(file_remove_tree(folder, b.d));
    report_bed_release(&b);
}

static void test_without_the_library_it_says_how(void **state)
{
    struct report_bed b;

    (void)state;
    if (report_workbook_supported()) {
        print_message("skipped: built with libxlsxwriter\n");
        skip();
    }
    assert_true(report_bed_init(&b, NULL));
    report_bed_compose(&b, REPORT_EN, NULL);
    assert_false(report_workbook_write(&b.document, NULL, 0, 0, "/nowhere/x.xlsx", b.d));
    assert_non_null(strstr(diagnostics_text(b.d, 0, NULL, NULL), "make XLSX=1"));
    report_bed_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_report_is_the_same_workbook),
        cmocka_unit_test(test_without_the_library_it_says_how),
    };

    return cmocka_run_group_tests_name("report_workbook", tests, NULL, NULL);
}
