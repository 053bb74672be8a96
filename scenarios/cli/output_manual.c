/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/output_manual.h"

#include "scenarios/decide/actuals.h"
#include "scenarios/decide/basis_difference.h"
#include "scenarios/decide/commit_tables.h"
#include "scenarios/decide/difference_table.h"
#include "scenarios/decide/stated_difference.h"
#include "scenarios/output/focus_columns.h"
#include "scenarios/output/result_tables.h"
#include "scenarios/study/metrics.h"

#include <stdio.h>
#include <string.h>

/* A bar would end the cell. */
static void put_cell(const char *text)
{
    for (; *text != '\0'; text++) {
        fputs(*text == '|' ? "\\|" : (const char[]){*text, '\0'}, stdout);
    }
}

static void print_layout(const struct result_table_layout *layout)
{
    printf("### %s.csv\n\n| column | unit | meaning |\n|---|---|---|\n", layout->name);
    for (size_t i = 0; i < layout->count; i++) {
        printf("| `%s` | %s | ", layout->columns[i].name, layout->columns[i].unit);
        put_cell(layout->columns[i].meaning);
        puts(" |");
    }
    putchar('\n');
}

static void print_metrics(void)
{
    puts("### Metrics\n\n| metric | unit | meaning |\n|---|---|---|");
    for (int m = 0; m < METRIC_COUNT; m++) {
        char name[64], unit[16];
        printf("| `%s` | %s | ", metric_column((enum metric)m, "USD", name),
               metric_table[m].kind == METRIC_YES_NO ? "0 or 1"
                                                     : metric_unit((enum metric)m, "USD", unit));
        put_cell(metric_table[m].meaning);
        puts(" |");
    }
}

static void print_focus(void)
{
    puts("\n### FOCUS export\n\n| column | 1.2 | meaning |\n|---|---|---|");
    for (int i = 0; i < FOCUS_COLUMN_COUNT; i++) {
        const struct focus_column_row *row = &focus_column_table[i];
        printf("| `%s` | %s | ", row->name, row->mandatory ? "mandatory" : "");
        put_cell(row->meaning);
        puts(" |");
    }
}

/* What a verb prints as csv or json. */
static void print_columns(const char *verb, const struct column *columns, int count)
{
    printf("\n### %s, as csv or json\n\n| column | unit | meaning |\n|---|---|---|\n", verb);
    for (int i = 0; i < count; i++) {
        printf("| `%s` | %s | ", columns[i].name, columns[i].unit);
        put_cell(columns[i].meaning);
        puts(" |");
    }
}

int output_manual_print(struct command *c)
{
    const char *name;
    for (size_t i = 0; (name = result_layout_name(i)) != NULL; i++) {
        struct result_table_layout layout;
        if (strcmp(name, "replications") == 0) {
            continue; /* its columns are the metrics, below */
        }
        if (!result_table_layout(name, "USD", c->arena, &layout)) {
            command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
            return EXIT_FAILED;
        }
        print_layout(&layout);
    }
    print_metrics();
    print_focus();
    print_columns("diff", difference_columns, DIFFERENCE_COLUMNS);
    print_columns("diff: assumptions", assumption_difference_columns,
                  ASSUMPTION_DIFFERENCE_COLUMNS);
    print_columns("diff: inputs", input_difference_columns, INPUT_DIFFERENCE_COLUMNS);
    print_columns("diff: stated", stated_difference_columns, STATED_DIFFERENCE_COLUMNS);
    print_columns("actuals", actuals_columns, ACTUALS_COLUMNS);
    print_columns("commit", commit_portfolio_columns, COMMIT_PORTFOLIO_COLUMNS);
    print_columns("commit: offer_levels.csv", commit_level_columns, COMMIT_LEVEL_COLUMNS);
    return EXIT_DONE;
}
