/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stored by column: a column is one array of 8-byte cells, so that a million rows cost 8 MB a
 * column, whatever its kind, and statistics read memory in order. Texts (names of strategies,
 * mostly) are interned: a cell points to the one copy. */
#include "engine/table.h"

#include "engine/arena.h"
#include "engine/civil_time.h"
#include "engine/csv_writer.h"
#include "engine/json_writer.h"
#include "engine/text_set.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL_LIMIT ((size_t)1 << 31)
#define TEXT_LIMIT ((size_t)1 << 30) /* bytes of different texts */

union cell {
    double number;
    int64_t integer;
    const char *text;
};

struct table {
    struct arena *arena; /* names, units, meanings */
    const char *name;
    struct column *columns;
    union cell **cells; /* by column */
    size_t count;
    size_t rows;
    size_t capacity;
    struct text_set *texts;
    bool incomplete;
};

/* ---- life and shape ---- */

static bool copy_columns(struct table *t, const char *name, const struct column *columns)
{
    t->name = arena_string(t->arena, name);
    t->columns = arena_array(t->arena, t->count, sizeof *t->columns);
    t->cells = arena_array(t->arena, t->count, sizeof *t->cells);
    if (t->name == NULL || t->columns == NULL || t->cells == NULL) {
        return false;
    }
    for (size_t i = 0; i < t->count; i++) {
        struct column *c = &t->columns[i];
        *c = columns[i];
        c->name = arena_string(t->arena, columns[i].name);
        c->unit = arena_string(t->arena, columns[i].unit != NULL ? columns[i].unit : "");
        c->meaning = arena_string(t->arena, columns[i].meaning != NULL ? columns[i].meaning : "");
        if (c->name == NULL || c->unit == NULL || c->meaning == NULL) {
            return false;
        }
    }
    return true;
}

struct table *table_new(const char *name, const struct column *columns, size_t count)
{
    assert(count > 0);
    struct table *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return NULL;
    }
    t->count = count;
    t->arena = arena_new(0);
    t->texts = text_set_new(TEXT_LIMIT);
    if (t->arena == NULL || t->texts == NULL || !copy_columns(t, name, columns)) {
        table_free(t);
        return NULL;
    }
    return t;
}

void table_free(struct table *t)
{
    if (t == NULL) {
        return;
    }
    for (size_t i = 0; t->cells != NULL && i < t->count; i++) {
        free(t->cells[i]);
    }
    text_set_free(t->texts);
    if (t->arena != NULL) {
        arena_free(t->arena);
    }
    free(t);
}

const char *table_name(const struct table *t)
{
    return t->name;
}

size_t table_columns(const struct table *t)
{
    return t->count;
}

size_t table_rows(const struct table *t)
{
    return t->rows;
}

const struct column *table_column(const struct table *t, size_t column)
{
    assert(column < t->count);
    return &t->columns[column];
}

int table_find(const struct table *t, const char *column_name)
{
    for (size_t i = 0; i < t->count; i++) {
        if (strcmp(t->columns[i].name, column_name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

bool table_incomplete(const struct table *t)
{
    return t->incomplete;
}

static bool grow(struct table *t)
{
    size_t capacity = t->capacity == 0 ? 16 : 2 * t->capacity;
    for (size_t i = 0; i < t->count; i++) {
        union cell *cells = realloc(t->cells[i], capacity * sizeof *cells);
        if (cells == NULL) {
            return false;
        }
        t->cells[i] = cells;
    }
    t->capacity = capacity;
    return true;
}

static union cell missing_cell(enum column_kind kind)
{
    switch (kind) {
    case COLUMN_TEXT:
        return (union cell){.text = ""};
    case COLUMN_NUMBER:
        return (union cell){.number = (double)NAN};
    case COLUMN_INTEGER:
    case COLUMN_MONEY:
    case COLUMN_TIME:
        break;
    }
    return (union cell){.integer = COLUMN_MISSING_INTEGER};
}

size_t table_add_row(struct table *t)
{
    if ((t->rows + 1) > CELL_LIMIT / t->count || (t->rows == t->capacity && !grow(t))) {
        t->incomplete = true;
        return SIZE_MAX;
    }
    for (size_t i = 0; i < t->count; i++) {
        t->cells[i][t->rows] = missing_cell(t->columns[i].kind);
    }
    return t->rows++;
}

/* ---- cells ---- */

static union cell *cell_at(const struct table *t, size_t row, size_t column)
{
    assert(column < t->count);
    assert(row < t->rows);
    return &t->cells[column][row];
}

void table_set_text(struct table *t, size_t row, size_t column, const char *value)
{
    union cell *cell = cell_at(t, row, column);
    assert(t->columns[column].kind == COLUMN_TEXT);
    if (value == NULL || value[0] == '\0') {
        cell->text = "";
        return;
    }
    const char *text = text_set_add(t->texts, value);
    if (text == NULL) {
        t->incomplete = true;
        text = "";
    }
    cell->text = text;
}

void table_set_number(struct table *t, size_t row, size_t column, double value)
{
    union cell *cell = cell_at(t, row, column);
    assert(t->columns[column].kind == COLUMN_NUMBER);
    cell->number = isfinite(value) ? value : (double)NAN;
}

void table_set_integer(struct table *t, size_t row, size_t column, int64_t value)
{
    union cell *cell = cell_at(t, row, column);
    assert(t->columns[column].kind == COLUMN_INTEGER || t->columns[column].kind == COLUMN_TIME);
    cell->integer = value;
}

void table_set_money(struct table *t, size_t row, size_t column, money_t value)
{
    union cell *cell = cell_at(t, row, column);
    assert(t->columns[column].kind == COLUMN_MONEY);
    cell->integer = value;
}

static bool cell_missing(enum column_kind kind, const union cell *cell)
{
    switch (kind) {
    case COLUMN_TEXT:
        return cell->text[0] == '\0';
    case COLUMN_NUMBER:
        return isnan(cell->number);
    case COLUMN_INTEGER:
    case COLUMN_MONEY:
    case COLUMN_TIME:
        break;
    }
    return cell->integer == COLUMN_MISSING_INTEGER;
}

bool table_missing(const struct table *t, size_t row, size_t column)
{
    return cell_missing(t->columns[column].kind, cell_at(t, row, column));
}

const char *table_text(const struct table *t, size_t row, size_t column)
{
    const union cell *cell = cell_at(t, row, column);
    return t->columns[column].kind == COLUMN_TEXT ? cell->text : "";
}

double table_number(const struct table *t, size_t row, size_t column)
{
    const union cell *cell = cell_at(t, row, column);
    enum column_kind kind = t->columns[column].kind;
    if (kind == COLUMN_TEXT || cell_missing(kind, cell)) {
        return (double)NAN;
    }
    if (kind == COLUMN_NUMBER) {
        return cell->number;
    }
    return kind == COLUMN_MONEY ? money_to_double(cell->integer) : (double)cell->integer;
}

int64_t table_integer(const struct table *t, size_t row, size_t column)
{
    const union cell *cell = cell_at(t, row, column);
    enum column_kind kind = t->columns[column].kind;
    bool has_integer = kind != COLUMN_TEXT && kind != COLUMN_NUMBER;
    return has_integer ? cell->integer : COLUMN_MISSING_INTEGER;
}

/* ---- sorting ---- */

struct order {
    const union cell *cells;
    enum column_kind kind;
    bool descending;
};

/* Negative when a comes first; 0 keeps the order there is. */
static int compare_cells(const struct order *o, size_t a, size_t b)
{
    const union cell *x = &o->cells[a];
    const union cell *y = &o->cells[b];
    bool x_missing = cell_missing(o->kind, x);
    bool y_missing = cell_missing(o->kind, y);
    if (x_missing || y_missing) {
        return (int)x_missing - (int)y_missing;
    }
    int c = 0;
    if (o->kind == COLUMN_TEXT) {
        c = strcmp(x->text, y->text);
    } else if (o->kind == COLUMN_NUMBER) {
        c = (x->number > y->number) - (x->number < y->number);
    } else {
        c = (x->integer > y->integer) - (x->integer < y->integer);
    }
    return o->descending ? (c < 0) - (c > 0) : c;
}

static void merge(const struct order *o, const size_t *from, size_t *to, size_t begin,
                  size_t middle, size_t end)
{
    size_t left = begin;
    size_t right = middle;
    for (size_t i = begin; i < end; i++) {
        bool take_left =
            right == end || (left < middle && compare_cells(o, from[left], from[right]) <= 0);
        to[i] = take_left ? from[left++] : from[right++];
    }
}

/* Merge sort, bottom up: stable by nature, which qsort is not. Sorts rows[0 .. n) with spare[0 ..
 * n) as its second half; returns the one that holds the result. */
static size_t *sort_rows(const struct order *o, size_t *rows, size_t *spare, size_t n)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t begin = 0; begin < n; begin += 2 * width) {
            size_t middle = begin + width < n ? begin + width : n;
            size_t end = begin + 2 * width < n ? begin + 2 * width : n;
            merge(o, rows, spare, begin, middle, end);
        }
        size_t *swap = rows;
        rows = spare;
        spare = swap;
    }
    return rows;
}

void table_sort(struct table *t, size_t column, bool descending)
{
    assert(column < t->count);
    size_t n = t->rows;
    if (n < 2) {
        return;
    }
    size_t *rows = malloc(2 * n * sizeof *rows);
    union cell *cells = malloc(n * sizeof *cells);
    if (rows == NULL || cells == NULL) {
        t->incomplete = true;
        free(rows);
        free(cells);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        rows[i] = i;
    }
    struct order order = {t->cells[column], t->columns[column].kind, descending};
    const size_t *sorted = sort_rows(&order, rows, rows + n, n);
    for (size_t c = 0; c < t->count; c++) {
        for (size_t i = 0; i < n; i++) {
            cells[i] = t->cells[c][sorted[i]];
        }
        memcpy(t->cells[c], cells, n * sizeof *cells);
    }
    free(rows);
    free(cells);
}

/* ---- writing ---- */

static void put_csv_cell(struct csv_writer *w, enum column_kind kind, const union cell *cell)
{
    if (cell_missing(kind, cell)) {
        csv_put_missing(w);
        return;
    }
    switch (kind) {
    case COLUMN_TEXT:
        csv_put_text(w, cell->text);
        return;
    case COLUMN_NUMBER:
        csv_put_number(w, cell->number);
        return;
    case COLUMN_INTEGER:
        csv_put_integer(w, cell->integer);
        return;
    case COLUMN_MONEY:
        csv_put_money(w, cell->integer);
        return;
    case COLUMN_TIME:
        csv_put_time(w, cell->integer);
        return;
    }
}

bool table_write_csv(const struct table *t, FILE *out)
{
    struct csv_writer w;
    if (t->incomplete || !csv_writer_init(&w, out)) {
        errno = ENOMEM;
        return false;
    }
    for (size_t c = 0; c < t->count; c++) {
        csv_put_text(&w, t->columns[c].name);
    }
    csv_end_row(&w);
    for (size_t row = 0; row < t->rows && w.error == 0; row++) {
        for (size_t c = 0; c < t->count; c++) {
            put_csv_cell(&w, t->columns[c].kind, &t->cells[c][row]);
        }
        csv_end_row(&w);
    }
    return csv_writer_finish(&w);
}

static void put_json_cell(struct json_writer *j, enum column_kind kind, const union cell *cell)
{
    char time[24];
    if (cell_missing(kind, cell)) {
        json_put_null(j);
        return;
    }
    switch (kind) {
    case COLUMN_TEXT:
        json_put_text(j, cell->text);
        return;
    case COLUMN_NUMBER:
        json_put_number(j, cell->number);
        return;
    case COLUMN_INTEGER:
        json_put_integer(j, cell->integer);
        return;
    case COLUMN_MONEY:
        json_put_money(j, cell->integer);
        return;
    case COLUMN_TIME:
        json_put_text(j, civil_time_text(cell->integer, time));
        return;
    }
}

void table_put_json(const struct table *t, struct json_writer *j)
{
    json_begin_array(j);
    for (size_t row = 0; row < t->rows && j->error == 0; row++) {
        json_begin_object(j);
        for (size_t c = 0; c < t->count; c++) {
            json_put_key(j, t->columns[c].name);
            put_json_cell(j, t->columns[c].kind, &t->cells[c][row]);
        }
        json_end_object(j);
    }
    json_end_array(j);
}

bool table_write_json(const struct table *t, FILE *out)
{
    if (t->incomplete) {
        errno = ENOMEM;
        return false;
    }
    struct json_writer j;
    json_init(&j, out);
    table_put_json(t, &j);
    return json_finish(&j);
}
