/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/commitment_summary.h"

#include "plots/text/figures.h"
#include "scenarios/cli/table_print.h"
#include "scenarios/study/metrics.h"

#include <math.h>
#include <stdio.h>

enum { MOST_ROWS = 12 };

enum { STRATEGY, COMMITMENT, USED, USED_P10, USED_P90, COVERS, UNUSED, OVER, COLUMNS };

struct taken {
    const char *name; /* of the column of commitments.csv */
    double times;
};

static double value_of(const struct table *t, size_t row, const struct taken *from)
{
    int column = table_find(t, from->name);
    return column < 0 ? (double)NAN : from->times * table_number(t, row, (size_t)column);
}

static bool fill(struct table *t, const struct table *from, size_t rows, const char *unused)
{
    const struct taken taken[COLUMNS] = {[USED] = {"utilisation_mean_frac", 100},
                                         [USED_P10] = {"utilisation_p10_frac", 100},
                                         [USED_P90] = {"utilisation_p90_frac", 100},
                                         [COVERS] = {"coverage_mean_frac", 100},
                                         [UNUSED] = {unused, 1},
                                         [OVER] = {"unused_over_25_frac", 100}};
    const size_t strategy = (size_t)table_find(from, "strategy");
    const size_t name = (size_t)table_find(from, "name");
    for (size_t i = 0; i < rows; i++) {
        size_t row = table_add_row(t);
        if (row == SIZE_MAX) {
            return false;
        }
        table_set_text(t, row, STRATEGY, table_text(from, i, strategy));
        table_set_text(t, row, COMMITMENT, table_text(from, i, name));
        for (size_t k = USED; k < COLUMNS; k++) {
            table_set_number(t, row, k, value_of(from, i, &taken[k]));
        }
    }
    return true;
}

void commitment_summary_print(struct command *c, const struct table *commitments,
                              const char *currency)
{
    char unit[16], unused[40];
    const size_t count = table_rows(commitments);
    const size_t shown = count < MOST_ROWS ? count : MOST_ROWS;
    if (count == 0) {
        return;
    }
    metric_unit(METRIC_COST, currency, unit);
    snprintf(unused, sizeof unused, "unused_per_hour_%s", unit);
    const struct column columns[COLUMNS] = {
        [STRATEGY] = {"strategy", "", "Strategy", COLUMN_TEXT, -1},
        [COMMITMENT] = {"commitment", "", "What was signed", COLUMN_TEXT, -1},
        [USED] = {"used_%", "%", "Mean used share of its cost", COLUMN_NUMBER, 1},
        [USED_P10] = {"p10_%", "%", "In 1 of 10 futures at most", COLUMN_NUMBER, 1},
        [USED_P90] = {"p90_%", "%", "In 9 of 10 futures at most", COLUMN_NUMBER, 1},
        [COVERS] = {"covers_%", "%", "Of what it could cover", COLUMN_NUMBER, 1},
        [UNUSED] = {unused, currency, "Unused an hour", COLUMN_NUMBER, 2},
        [OVER] = {"over_25_%_unused_in_%", "%", "Of futures", COLUMN_NUMBER, 0},
    };
    struct table *t = table_new("commitments", columns, COLUMNS);
    if (t == NULL || !fill(t, commitments, shown, unused)) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
    } else {
        puts("\nCommitments inside the horizon: shares of their cost that are used, and of the "
             "usage "
             "on demand\nthey could cover that they do cover; means over futures");
        table_print_aligned(c, t, NULL);
        if (shown < count) {
            printf("and %s more in commitments.csv\n", figure_count((double)(count - shown)).text);
        }
    }
    table_free(t);
}
