/* SPDX-License-Identifier: GPL-3.0-or-later
 * Files of tens of megabytes are streamed: what an import keeps grows with what it found, not with
 * the bytes of its files. */
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define FILE_BYTES ((size_t)30 << 20)
#define MEGABYTE   (1024.0 * 1024)

/* Most memory of any program run so far, in bytes. */
static double most_memory(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
    return (double)usage.ru_maxrss * 1024;
}

#ifdef __has_feature
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* The sanitizers' own memory is above any bound. */
static void expect_memory_below(double bytes)
{
    assert_true(SANITIZED || most_memory() < bytes);
}

static FILE *create(const char *folder, const char *name)
{
    char path[500];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    return out;
}

/* A probe a minute for a year and more, which fails once in 10,000. */
static void probes_are_streamed(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    FILE *out = create(folder, "probes.csv");
    size_t rows = 0;
    for (size_t bytes = 0; bytes < FILE_BYTES; rows++) {
        size_t day = rows / 1440 % 28, month = rows / 1440 / 28 % 12, year = rows / 1440 / 336;
        int written =
            fprintf(out, "%zu,%04zu-%02zu-%02zuT%02zu:%02zu:00.000000Z,%d\n", rows, 1990 + year,
                    month + 1, day + 1, rows / 60 % 24, rows % 60, rows % 10000 == 0);
        assert_true(written > 0);
        bytes += (size_t)written;
    }
    assert_int_equal(fclose(out), 0);
    program_expect(&p, folder,
                   "import availability probes.csv --layout timestamps --polarity preempted --tick "
                   "1min -o t.csv",
                   0);
    program_release(&p);
    expect_memory_below(10 * MEGABYTE);
    char *text = program_text(folder, "t.csv");
    /* Each failure is a row down and a row up. */
    assert_true(count_lines(text) > 2 * (rows / 10000));
    free(text);
    program_folder_free(folder);
}

/* Counts that change at every row, so that a change is what 12 bytes of the file are: the most that
 * can be kept of any file. A change takes 16 bytes of memory, whatever is written. */
static void steps_are_streamed(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    FILE *out = create(folder, "steps.csv");
    size_t rows = 0;
    for (size_t bytes = 0; bytes < FILE_BYTES / 3; rows++) {
        int written = fprintf(out, "%zu,%zu\n", 1000000000 + rows, 1 + rows % 2);
        assert_true(written > 0);
        bytes += (size_t)written;
    }
    assert_int_equal(fclose(out), 0);
    program_expect(&p, folder, "import availability steps.csv --layout steps --unit s -o t.csv", 0);
    program_release(&p);
    expect_memory_below(24 * MEGABYTE);
    char *text = program_text(folder, "t.csv");
    assert_int_equal(count_lines(text), rows + 2);
    free(text);
    program_folder_free(folder);
}

/* Prices of ten zones, changing every time: 200 bytes of JSON are 32 of a record, and 16 more while
 * it becomes a row. */
static void price_histories_are_streamed(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    FILE *out = create(folder, "prices.json");
    size_t rows = 0;
    fputs("{\"NextToken\": \"\", \"SpotPriceHistory\": [\n", out);
    for (size_t bytes = 0; bytes < FILE_BYTES; rows++) {
        size_t minute = rows / 10;
        int written = fprintf(
            out,
            "%s{\"AvailabilityZone\": \"us-east-1%c\", \"InstanceType\": \"p3.2xlarge\", "
            "\"ProductDescription\": \"Linux/UNIX\", \"SpotPrice\": \"0.%06zu\",\n"
            "  \"Timestamp\": \"2020-01-%02zuT%02zu:%02zu:00.000Z\", \"Padding\": \"%060d\"}",
            rows == 0 ? "" : ",\n", (char)('a' + rows % 10), 100000 + rows % 800000,
            1 + minute / 1440, minute / 60 % 24, minute % 60, 0);
        assert_true(written > 0);
        bytes += (size_t)written;
    }
    fputs("]}\n", out);
    assert_int_equal(fclose(out), 0);
    program_expect(&p, folder, "import spot-history prices.json -o t.csv", 0);
    program_release(&p);
    expect_memory_below(28 * MEGABYTE);
    char *text = program_text(folder, "t.csv");
    assert_int_equal(count_lines(text), 1 + rows + 10); /* a header, and an end for each zone */
    free(text);
    program_folder_free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probes_are_streamed),
        cmocka_unit_test(steps_are_streamed),
        cmocka_unit_test(price_histories_are_streamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
