/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/lifetimes.h"

#include "engine/csv_reader.h"
#include "engine/csv_writer.h"
#include "engine/text_set.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define LONGEST_S (100 * 365.25 * 86400)

enum { ZONE, TYPE, DURATION, ENDED };
static const char *const columns[] = {"zone", "instance_type", "duration_s", "ended_by_cloud",
                                      NULL};

bool lifetimes_init(struct lifetime_list *l)
{
    *l = (struct lifetime_list){.names = text_set_new(0)};
    return l->names != NULL;
}

void lifetimes_release(struct lifetime_list *l)
{
    text_set_free(l->names);
    free(l->items);
    *l = (struct lifetime_list){0};
}

bool lifetimes_add(struct lifetime_list *l, struct lifetime life)
{
    life.zone = text_set_add(l->names, life.zone == NULL ? "" : life.zone);
    life.instance_type =
        text_set_add(l->names, life.instance_type == NULL ? "" : life.instance_type);
    if (life.zone == NULL || life.instance_type == NULL || l->count == LIFETIMES_MOST) {
        return false;
    }
    if (l->count == l->capacity) {
        size_t capacity = l->capacity * 2 + 256;
        struct lifetime *items = realloc(l->items, capacity * sizeof *items);
        if (items == NULL) {
            return false;
        }
        l->items = items;
        l->capacity = capacity;
    }
    l->items[l->count++] = life;
    return true;
}

static bool read_life(struct lifetime_list *l, struct csv_reader *csv, struct diagnostics *d)
{
    struct lifetime life = {.zone = csv_text(csv, ZONE), .instance_type = csv_text(csv, TYPE)};
    int64_t ended;
    if (!csv_double(csv, DURATION, &life.duration_s) || !csv_int64(csv, ENDED, &ended)) {
        return false;
    }
    if (!(life.duration_s > 0 && life.duration_s <= LONGEST_S)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(csv),
                        "duration_s is %g; expected seconds above zero, at most 100 years",
                        life.duration_s);
        return false;
    }
    if (ended != 0 && ended != 1) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(csv),
                        "ended_by_cloud is %lld; expected 1, or 0 for a life cut short otherwise",
                        (long long)ended);
        return false;
    }
    life.ended_by_cloud = ended == 1;
    if (!lifetimes_add(l, life)) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, csv_place(csv),
                        l->count == LIFETIMES_MOST ? "more than 20 million lifetimes, too many"
                                                   : "out of memory while reading");
        return false;
    }
    return true;
}

bool lifetimes_read(struct lifetime_list *l, const char *path, struct diagnostics *d)
{
    struct csv_reader *csv = csv_open(path, NULL, columns, d);
    if (csv == NULL) {
        return false;
    }
    int status;
    bool ok = true;
    while (ok && (status = csv_next(csv)) != 0) {
        ok = status == 1 && read_life(l, csv, d);
    }
    if (ok && l->count == 0) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){path, 0, 0},
                        "there are no lifetimes in this table; expected rows");
        ok = false;
    }
    csv_close(csv);
    return ok;
}

bool lifetimes_write(const struct lifetime_list *l, FILE *out)
{
    struct csv_writer w;
    if (!csv_writer_init(&w, out)) {
        errno = ENOMEM;
        return false;
    }
    for (const char *const *c = columns; *c != NULL; c++) {
        csv_put_text(&w, *c);
    }
    csv_end_row(&w);
    for (size_t i = 0; i < l->count; i++) {
        csv_put_text(&w, l->items[i].zone);
        csv_put_text(&w, l->items[i].instance_type);
        csv_put_number(&w, l->items[i].duration_s);
        csv_put_integer(&w, l->items[i].ended_by_cloud);
        csv_end_row(&w);
    }
    return csv_writer_finish(&w);
}

/* ---- survival ---- */

static int by_duration(const void *a, const void *b)
{
    const struct lifetime *x = a, *y = b;
    if (x->duration_s != y->duration_s) {
        return x->duration_s < y->duration_s ? -1 : 1;
    }
    return (int)y->ended_by_cloud - (int)x->ended_by_cloud;
}

void lifetimes_sort(struct lifetime *lives, size_t count)
{
    if (count > 1) {
        qsort(lives, count, sizeof *lives, by_duration);
    }
}

double lifetimes_survival(const struct lifetime *lives, size_t count, double at_s)
{
    double alive = 1;
    size_t i = 0;
    for (; i < count && lives[i].duration_s <= at_s; i++) {
        if (lives[i].ended_by_cloud) {
            alive *= 1 - 1 / (double)(count - i);
        }
    }
    return i == count && (count == 0 || (alive > 0 && lives[count - 1].duration_s < at_s))
               ? (double)NAN
               : alive;
}

double lifetimes_median_s(const struct lifetime *lives, size_t count)
{
    double alive = 1;
    for (size_t i = 0; i < count; i++) {
        if (lives[i].ended_by_cloud) {
            alive *= 1 - 1 / (double)(count - i);
        }
        if (alive <= 0.5) {
            return lives[i].duration_s;
        }
    }
    return (double)NAN;
}
