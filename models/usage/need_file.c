/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/usage/need_file.h"

#include "engine/csv_reader.h"
#include "models/fleet/moment.h"

#include <stdlib.h>
#include <string.h>

static const char *const columns[] = {"time", "nodes", NULL};
enum { COLUMN_TIME, COLUMN_NODES };

struct growing_steps {
    struct need_step *items;
    size_t count, capacity;
};

static bool append(struct growing_steps *g, struct need_step step)
{
    if (g->count == g->capacity) {
        size_t capacity = g->capacity == 0 ? 256 : 2 * g->capacity;
        struct need_step *grown = realloc(g->items, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        g->items = grown;
        g->capacity = capacity;
    }
    g->items[g->count++] = step;
    return true;
}

/* False when the row is wrong, told; reading may go on. */
static bool read_row(struct csv_reader *r, const struct growing_steps *g, int64_t start_unix_s,
                     double most, struct need_step *step, struct diagnostics *d)
{
    char message[256];
    const char *time = csv_text(r, COLUMN_TIME);
    bool good = moment_parse(time, start_unix_s, &step->from_s, message, sizeof message);
    if (!good) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(r), "column 'time': '%.40s': %s", time,
                        message);
    } else if (g->count > 0 && step->from_s <= g->items[g->count - 1].from_s) {
        good = false;
        diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(r),
                        "column 'time': '%.40s' does not come after the row before; expected "
                        "times in rising order",
                        time);
    }
    if (!csv_double(r, COLUMN_NODES, &step->nodes)) {
        return false;
    }
    if (step->nodes < 0 || step->nodes > most) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(r),
                        "column 'nodes': %g nodes; expected a number from 0 to %g", step->nodes,
                        most);
        return false;
    }
    return good;
}

static bool read_rows(struct csv_reader *r, struct growing_steps *g, int64_t start_unix_s,
                      double most, struct diagnostics *d)
{
    enum { MOST_COMPLAINTS = 20 };
    int more, wrong = 0;
    while ((more = csv_next(r)) > 0 && wrong < MOST_COMPLAINTS) {
        struct need_step step;
        if (!read_row(r, g, start_unix_s, most, &step, d)) {
            wrong++;
        } else if (g->count == NEED_FILE_MAX_ROWS) {
            diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(r), "more than %d rows",
                            NEED_FILE_MAX_ROWS);
            return false;
        } else if (!append(g, step)) {
            diagnostics_add(d, DIAGNOSTIC_FAILURE, csv_place(r), "out of memory");
            return false;
        }
    }
    if (more == 0 && wrong == 0 && g->count == 0) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(r),
                        "no rows; expected a time and a number of nodes in each");
    }
    return more == 0 && wrong == 0 && g->count > 0;
}

bool need_file_read(struct need_steps *steps, const char *path, const char *shown,
                    int64_t start_unix_s, double most, struct arena *a, struct diagnostics *d)
{
    struct growing_steps g = {0};
    struct csv_reader *r = csv_open(path, shown, columns, d);
    *steps = (struct need_steps){0};
    if (r == NULL) {
        return false;
    }
    bool good = read_rows(r, &g, start_unix_s, most, d);
    struct need_step *kept = good ? arena_array(a, g.count, sizeof *kept) : NULL;
    if (kept != NULL) {
        memcpy(kept, g.items, g.count * sizeof *kept);
        *steps = (struct need_steps){kept, g.count};
    } else if (good) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){shown, 0, 0}, "out of memory");
    }
    free(g.items);
    csv_close(r);
    return kept != NULL;
}
