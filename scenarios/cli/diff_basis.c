/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/diff_basis.h"

#include "plots/text/markdown_table.h"
#include "scenarios/cli/table_print.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void diff_say(const char *text, bool markdown)
{
    if (markdown) {
        fputs("- ", stdout);
        markdown_put_text(stdout, text);
    } else {
        command_print(text);
    }
    putchar('\n');
}

/* So many keys and assumptions are said on a terminal; Markdown and JSON have them all. */
#define MOST_ROWS 12

static void say_more(size_t rows)
{
    if (rows > MOST_ROWS) {
        printf("  and %zu more (--markdown and --format json have them)\n", rows - MOST_ROWS);
    }
}

static void say_stated_key(struct command *c, const struct table *t, size_t row)
{
    const char *key = table_text(t, row, 0);
    const char *a = table_text(t, row, 2), *b = table_text(t, row, 3);
    const char *text = table_missing(t, row, 2) || table_missing(t, row, 3)
                           ? arena_format(c->arena, "  %s, %s: %s", key, table_text(t, row, 1),
                                          table_missing(t, row, 2) ? b : a)
                           : arena_format(c->arena, "  %s: A %s; B %s", key, a, b);
    if (text != NULL) {
        diff_say(text, false);
    }
}

static void print_markdown(struct command *c, const struct table *t)
{
    if (!markdown_table_write(t, stdout)) {
        command_complain(c, DIAGNOSTIC_FAILURE, "cannot print the table: %s", strerror(errno));
    }
}

static void say_stated(struct command *c, const struct table *t, bool markdown)
{
    if (t == NULL) {
        diff_say("which keys the scenarios state otherwise is not known: the copies in a directory "
                 "cannot be read",
                 markdown);
        return;
    }
    const size_t rows = table_rows(t);
    if (rows == 0) {
        return;
    }
    putchar('\n');
    if (markdown) {
        puts("### Keys that are not stated alike\n");
        print_markdown(c, t);
        return;
    }
    puts("keys that are not stated alike:");
    for (size_t i = 0; i < rows && i < MOST_ROWS; i++) {
        say_stated_key(c, t, i);
    }
    say_more(rows);
}

static void say_assumption(struct command *c, const struct table *t, size_t row)
{
    const char *what = table_text(t, row, 0), *verdict = table_text(t, row, 1);
    const char *a = table_text(t, row, 2), *of_a = table_text(t, row, 3);
    const char *b = table_text(t, row, 4), *of_b = table_text(t, row, 5);
    const char *text;
    if (table_missing(t, row, 2)) {
        text = arena_format(c->arena, "  %s, %s: %s (%s)", what, verdict, b, of_b);
    } else if (table_missing(t, row, 4)) {
        text = arena_format(c->arena, "  %s, %s: %s (%s)", what, verdict, a, of_a);
    } else if (strcmp(of_a, of_b) == 0) {
        text = arena_format(c->arena, "  %s: A %s; B %s (%s)", what, a, b, of_a);
    } else {
        text = arena_format(c->arena, "  %s: A %s (%s); B %s (%s)", what, a, of_a, b, of_b);
    }
    if (text != NULL) {
        diff_say(text, false);
    }
}

static void say_assumptions(struct command *c, const struct table *t)
{
    const size_t rows = table_rows(t);
    puts("prices and assumptions that are not the same in both:");
    for (size_t i = 0; i < rows && i < MOST_ROWS; i++) {
        say_assumption(c, t, i);
    }
    say_more(rows);
}

enum { INPUT_NAME, INPUT_A, INPUT_B, INPUT_VERDICT, INPUT_COLUMNS };
static const struct column input_columns[INPUT_COLUMNS] = {
    {"input", "", "", COLUMN_TEXT, 0},
    {"A: P50 (P10 to P90)", "", "", COLUMN_TEXT, 0},
    {"B: P50 (P10 to P90)", "", "", COLUMN_TEXT, 0},
    {"verdict", "", "", COLUMN_TEXT, 0},
};

static void put_input(struct table *to, size_t column, const struct table *t, size_t row,
                      size_t p10)
{
    char text[96];
    if (!table_missing(t, row, p10 + 1)) {
        snprintf(text, sizeof text, "%.4g (%.4g to %.4g)", table_number(t, row, p10 + 1),
                 table_number(t, row, p10), table_number(t, row, p10 + 2));
        table_set_text(to, row, column, text);
    }
}

/* NULL when out of memory. */
static struct table *input_page(const struct table *t)
{
    struct table *page = table_new("inputs", input_columns, INPUT_COLUMNS);
    for (size_t i = 0; page != NULL && i < table_rows(t); i++) {
        if (table_add_row(page) == SIZE_MAX) {
            break;
        }
        table_set_text(page, i, INPUT_NAME, table_text(t, i, 0));
        put_input(page, INPUT_A, t, i, (size_t)table_find(t, "a_p10"));
        put_input(page, INPUT_B, t, i, (size_t)table_find(t, "b_p10"));
        table_set_text(page, i, INPUT_VERDICT, table_text(t, i, 1));
    }
    if (page != NULL && table_incomplete(page)) {
        table_free(page);
        return NULL;
    }
    return page;
}

static void say_assumed(struct command *c, const struct diff_page *p, bool markdown)
{
    if (table_rows(p->assumptions) > 0) {
        putchar('\n');
        if (markdown) {
            puts("### Prices and assumptions that are not the same in both\n");
            print_markdown(c, p->assumptions);
        } else {
            say_assumptions(c, p->assumptions);
        }
    }
    struct table *inputs = input_page(p->inputs);
    if (inputs == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory for the page");
    } else if (table_rows(inputs) > 0) {
        puts(markdown ? "\n### Uncertain inputs that are drawn otherwise\n"
                      : "\nuncertain inputs that are drawn otherwise:");
        if (markdown) {
            print_markdown(c, inputs);
        } else {
            table_print_aligned(c, inputs, NULL);
        }
    }
    table_free(inputs);
    if (table_rows(p->assumptions) + table_rows(p->inputs) == 0) {
        const bool alike = p->stated != NULL && table_rows(p->stated) == 0;
        diff_say(alike
                     ? "what the scenarios state, prices, assumptions and uncertain inputs are the "
                       "same in both"
                     : "prices, assumptions and uncertain inputs are the same in both",
                 markdown);
    }
}

void diff_basis_print(struct command *c, const struct diff_page *p, bool markdown)
{
    say_stated(c, p->stated, markdown);
    say_assumed(c, p, markdown);
}
