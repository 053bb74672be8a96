/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of lifetimes: one row a node, in the words of others or in fleetcast's own. */
#include "engine/csv_reader.h"
#include "scenarios/import/availability_layouts.h"
#include "scenarios/import/import_time.h"
#include "scenarios/import/name_index.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LONGEST_LIFE_S (100 * 365.25 * 86400)
#define DISAGREEMENT_S 1.0 /* between the duration and the times beside it */

struct life_columns {
    int zone, type, duration, ended, preempted, inserted, name; /* -1: the file has none */
};

static int find_either(const struct csv_reader *csv, const char *a, const char *b)
{
    int column = csv_find_column(csv, a);
    return column < 0 ? csv_find_column(csv, b) : column;
}

static const char *cell(const struct csv_reader *csv, int column, const char *otherwise)
{
    return column < 0 ? otherwise : csv_raw(csv, column);
}

static bool find_columns(struct life_columns *c, const struct csv_reader *csv,
                         const struct import_request *r, const char *path)
{
    *c = (struct life_columns){.zone = csv_find_column(csv, "zone"),
                               .type = find_either(csv, "instance_type", "machine_type"),
                               .duration = find_either(csv, "duration_s", "lifetime_seconds"),
                               .ended = csv_find_column(csv, "ended_by_cloud"),
                               .preempted = csv_find_column(csv, "preempted_time"),
                               .inserted = csv_find_column(csv, "insert_time"),
                               .name = csv_find_column(csv, "name")};
    const char *wrong = NULL;
    if (c->duration < 0) {
        wrong = "the file has no column 'lifetime_seconds' or 'duration_s'; expected one of them";
    } else if (c->ended < 0 && c->preempted < 0) {
        wrong = "the file does not say which nodes the cloud took; expected a column "
                "'preempted_time', empty for the others, or 'ended_by_cloud' with 1 and 0";
    } else if (c->zone >= 0 && r->zone != NULL) {
        wrong = "the file names its zones; expected no option --zone";
    } else if (c->type >= 0 && r->instance != NULL) {
        wrong = "the file names its instance types; expected no option --instance";
    }
    if (wrong != NULL) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, (struct place){path, 1, 0}, "%s", wrong);
    }
    return wrong == NULL;
}

static bool refuse_cell(const struct import_request *r, const struct csv_reader *csv,
                        const char *what, const char *text, const char *expected)
{
    diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(csv), "%s is '%s'; expected %s", what, text,
                    expected);
    return false;
}

/* The time of a column, if the row has it; 0: not there. */
static bool read_time(const struct import_request *r, const struct csv_reader *csv, int column,
                      const char *what, int64_t *us)
{
    const char *text = cell(csv, column, "");
    *us = 0;
    if (text[0] == '\0') {
        return true;
    }
    if (!import_instant(text, us)) {
        return refuse_cell(r, csv, what, text, "a time such as 2019-03-25T12:22:36-07:00");
    }
    return !import_is_future(r, *us) || refuse_cell(r, csv, what, text, "no time in the future");
}

static bool read_life(const struct import_request *r, const struct csv_reader *csv,
                      const struct life_columns *c, struct lifetime *life)
{
    const char *duration = cell(csv, c->duration, ""), *ended = cell(csv, c->ended, "");
    int64_t inserted_us, preempted_us;
    if (!import_number(duration, &life->duration_s) ||
        !(life->duration_s > 0 && life->duration_s <= LONGEST_LIFE_S)) {
        return refuse_cell(r, csv, "the lifetime", duration,
                           "seconds above zero, at most 100 years");
    }
    if (c->ended >= 0 && strcmp(ended, "0") != 0 && strcmp(ended, "1") != 0) {
        return refuse_cell(r, csv, "ended_by_cloud", ended, "1 or 0");
    }
    if (!read_time(r, csv, c->inserted, "insert_time", &inserted_us) ||
        !read_time(r, csv, c->preempted, "preempted_time", &preempted_us)) {
        return false;
    }
    double between_s = (double)(preempted_us - inserted_us) / 1e6;
    if (inserted_us != 0 && preempted_us != 0 &&
        !(fabs(between_s - life->duration_s) <= DISAGREEMENT_S)) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(csv),
                        "the lifetime is %s s, and insert_time and preempted_time are %g s apart; "
                        "expected the same",
                        duration, between_s);
        return false;
    }
    if (c->ended >= 0 && ended[0] == '0' && preempted_us != 0) {
        return refuse_cell(r, csv, "ended_by_cloud", ended, "1 beside a preempted_time");
    }
    life->ended_by_cloud = c->ended >= 0 ? ended[0] == '1' : preempted_us != 0;
    life->zone = cell(csv, c->zone, r->zone);
    life->instance_type = cell(csv, c->type, r->instance);
    return true;
}

/* Names are used again, but not at one time: such a row stands twice. */
static bool check_once(const struct import_request *r, const struct csv_reader *csv,
                       const struct life_columns *c, struct name_index *seen)
{
    const char *name = cell(csv, c->name, ""), *inserted = cell(csv, c->inserted, "");
    char key[256];
    if (name[0] == '\0' || inserted[0] == '\0' ||
        snprintf(key, sizeof key, "%s %s", name, inserted) >= (int)sizeof key) {
        return true;
    }
    size_t before = seen->count, number = name_index_put(seen, r->arena, key);
    if (number == SIZE_MAX) {
        diagnostics_add(r->d, DIAGNOSTIC_FAILURE, csv_place(csv), "out of memory while reading");
        return false;
    }
    if (number < before) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(csv),
                        "'%s' of %s stands here again; expected each node once", name, inserted);
        return false;
    }
    return true;
}

bool availability_read_lifetimes(const struct import_request *r, const char *path,
                                 struct lifetime_list *l)
{
    struct csv_reader *csv = csv_open(path, NULL, NULL, r->d);
    struct life_columns columns;
    struct lifetime life;
    struct name_index seen = {0};
    int status = 0;
    size_t before = l->count;
    if (csv == NULL) {
        return false;
    }
    bool ok = find_columns(&columns, csv, r, path);
    while (ok && (status = csv_next(csv)) == 1) {
        ok = read_life(r, csv, &columns, &life) && check_once(r, csv, &columns, &seen);
        if (ok && !lifetimes_add(l, life)) {
            diagnostics_add(r->d, DIAGNOSTIC_FAILURE, csv_place(csv),
                            "no room for more lifetimes than %zu", l->count);
            ok = false;
        }
    }
    ok = ok && status == 0;
    if (ok && l->count == before) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, (struct place){path, 0, 0},
                        "nothing is observed in this file; expected rows");
        ok = false;
    }
    name_index_release(&seen);
    csv_close(csv);
    return ok;
}
