/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/text/terminal_table.h"

#include "engine/arena.h"
#include "engine/civil_time.h"
#include "engine/text.h"
#include "plots/text/figures.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define GAP          2
#define TEXT_MIN     12  /* a text column is not made narrower than this */
#define CELL_BYTES   512 /* of one text */
#define ARENA_LIMIT  ((size_t)512 << 20)
#define DECIMALS_MAX 4

struct terminal_table {
    struct arena *arena;
    size_t columns, rows, capacity;
    struct terminal_column *column;
    const char **cells; /* rows × columns; NULL = empty */
    size_t folded;      /* column; SIZE_MAX: none */
    bool failed;
};

struct terminal_table *terminal_table_new(const struct terminal_column *columns, size_t count)
{
    struct terminal_table *t = calloc(1, sizeof *t);

    if (t == NULL)
        return NULL;
    t->arena = arena_new(ARENA_LIMIT);
    t->columns = count;
    t->folded = SIZE_MAX;
    t->column = t->arena == NULL ? NULL : arena_array(t->arena, count, sizeof *t->column);
    if (t->column == NULL) {
        terminal_table_free(t);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        t->column[i].heading = arena_string(t->arena, columns[i].heading);
        t->column[i].right = columns[i].right;
        if (t->column[i].heading == NULL) {
            terminal_table_free(t);
            return NULL;
        }
    }
    return t;
}

void terminal_table_free(struct terminal_table *t)
{
    if (t == NULL)
        return;
    arena_free(t->arena);
    free(t->cells);
    free(t);
}

size_t terminal_table_add_row(struct terminal_table *t)
{
    if (t->rows == t->capacity) {
        size_t capacity = t->capacity == 0 ? 16 : 2 * t->capacity;
        const char **cells = NULL;
        if (capacity < SIZE_MAX / sizeof *cells / (t->columns + 1))
            cells = realloc(t->cells, capacity * t->columns * sizeof *cells);
        if (cells == NULL) {
            t->failed = true;
            return SIZE_MAX;
        }
        t->cells = cells;
        t->capacity = capacity;
    }
    for (size_t i = 0; i < t->columns; i++)
        t->cells[t->rows * t->columns + i] = NULL;
    return t->rows++;
}

void terminal_table_set(struct terminal_table *t, size_t row, size_t column, const char *text)
{
    struct text visible;
    const char *copy;

    if (row >= t->rows || column >= t->columns)
        return;
    text_init(&visible, 8 * CELL_BYTES);
    text_add_visible(&visible, text, CELL_BYTES);
    copy = arena_string(t->arena, visible.data);
    t->failed = t->failed || copy == NULL || visible.overflow;
    t->cells[row * t->columns + column] = copy;
    text_release(&visible);
}

void terminal_table_fold(struct terminal_table *t, size_t column)
{
    t->folded = column;
}

static const char *cell(const struct terminal_table *t, size_t row, size_t column)
{
    const char *text = t->cells[row * t->columns + column];

    return text == NULL ? "" : text;
}

/* Adds s as the terminal can show it. */
static void add_shown(struct text *out, const char *s, bool ascii)
{
    size_t length = strlen(s);

    for (size_t i = 0, n; i < length; i += n) {
        uint32_t c = 0;
        n = text_decode(s + i, length - i, &c);
        n = n == 0 ? 1 : n;
        if (!ascii || n == 1)
            text_add_bytes(out, s + i, n);
        else
            text_add(out, c == 0xb1 ? "+-" : c == 0x2026 ? "..." : c == 0x2714 ? "*" : "?");
    }
}

static size_t shown_width(const char *s, bool ascii)
{
    struct text shown;
    size_t width;

    text_init(&shown, 0);
    add_shown(&shown, s, ascii);
    width = text_width(shown.data);
    text_release(&shown);
    return width;
}

/* ---- folded texts ---- */

static size_t longest_word(const char *s)
{
    size_t longest = 0;

    while (*s != '\0') {
        size_t n = strcspn(s, " ");
        longest = n > longest ? n : longest;
        s += n + (s[n] == ' ');
    }
    return longest;
}

/* The line'th line of s folded to `width`; false behind the last. */
static bool folded_line(const char *s, size_t width, size_t line, struct text *out)
{
    text_clear(out);
    for (size_t k = 0; *s != '\0'; k++) {
        size_t taken = strcspn(s, " ");
        while (s[taken] != '\0') {
            size_t word = strcspn(s + taken + 1, " ");
            if (taken + 1 + word > width)
                break;
            taken += 1 + word;
        }
        if (k == line) {
            text_add_bytes(out, s, taken);
            return true;
        }
        s += taken + (s[taken] == ' ');
    }
    return false;
}

static size_t folded_lines(const char *s, size_t width)
{
    struct text line;
    size_t n = 0;

    text_init(&line, 0);
    while (folded_line(s, width, n, &line))
        n++;
    text_release(&line);
    return n;
}

/* ---- widths ---- */

static void natural_widths(const struct terminal_table *t, bool ascii, size_t *width)
{
    for (size_t c = 0; c < t->columns; c++) {
        width[c] = longest_word(t->column[c].heading);
        for (size_t r = 0; r < t->rows; r++) {
            size_t w = shown_width(cell(t, r, c), ascii);
            width[c] = w > width[c] ? w : width[c];
        }
    }
}

static size_t total_width(const struct terminal_table *t, const size_t *width)
{
    size_t total = 0;

    for (size_t c = 0; c < t->columns; c++)
        total += width[c] + (c > 0 ? GAP : 0);
    return total;
}

size_t terminal_table_width(const struct terminal_table *t, const struct terminal_style *style)
{
    size_t *width = calloc(t->columns + 1, sizeof *width), total;

    if (width == NULL)
        return 0;
    natural_widths(t, style->ascii, width);
    total = total_width(t, width);
    free(width);
    return total;
}

/* Takes columns from the broadest text until the table fits or nothing is left to take. */
static void shrink(const struct terminal_table *t, size_t limit, size_t *width)
{
    size_t total = total_width(t, width);

    while (limit > 0 && total > limit) {
        size_t broadest = SIZE_MAX;
        for (size_t c = 0; c < t->columns; c++) {
            if (!t->column[c].right && width[c] > TEXT_MIN &&
                (broadest == SIZE_MAX || width[c] > width[broadest]))
                broadest = c;
        }
        if (broadest == SIZE_MAX)
            return;
        width[broadest]--;
        total--;
    }
}

/* s in at most `width` columns: its beginning, a mark, its end. */
static void add_fitted(struct text *out, const char *s, size_t width, bool ascii)
{
    const char *mark = ascii ? "..." : "\xe2\x80\xa6";
    size_t length = strlen(s), room = width - text_width(mark), head = 0, tail = 0, from = 0;
    size_t rest = text_width(s);

    if (rest <= width) {
        text_add(out, s);
        return;
    }
    for (size_t i = 0, n; i < length; i += n) {
        uint32_t c = 'n';
        n = text_decode(s + i, length - i, &c);
        n = n == 0 ? 1 : n;
        head += (size_t)text_code_point_width(c);
        if (head > (room + 1) / 2)
            break;
        from = i + n;
    }
    text_add_bytes(out, s, from);
    text_add(out, mark);
    for (size_t i = 0, n; i < length; i += n) {
        uint32_t c = 'n';
        if (rest <= room / 2) {
            tail = i;
            break;
        }
        n = text_decode(s + i, length - i, &c);
        n = n == 0 ? 1 : n;
        rest -= (size_t)text_code_point_width(c);
        tail = length;
    }
    text_add(out, s + tail);
}

/* ---- writing ---- */

static void put_cell(struct text *line, const char *text, size_t width, bool right, bool last)
{
    size_t w = text_width(text), pad = w < width ? width - w : 0;

    for (size_t i = 0; right && i < pad; i++)
        text_add(line, " ");
    text_add(line, text);
    /* No blanks at the end of a line. */
    for (size_t i = 0; !last && i < (right ? 0 : pad) + GAP; i++)
        text_add(line, " ");
}

static bool write_line(struct text *line, FILE *out)
{
    while (line->length > 0 && line->data[line->length - 1] == ' ')
        line->data[--line->length] = '\0';
    text_add(line, "\n");
    return !line->overflow && fwrite(line->data, 1, line->length, out) == line->length;
}

static bool write_headings(const struct terminal_table *t, const size_t *width, FILE *out)
{
    struct text line, word;
    size_t lines = 0;
    bool ok = true;

    text_init(&line, 0);
    text_init(&word, 0);
    for (size_t c = 0; c < t->columns; c++) {
        size_t n = folded_lines(t->column[c].heading, width[c]);
        lines = n > lines ? n : lines;
    }
    for (size_t k = 0; k < lines && ok; k++) {
        text_clear(&line);
        for (size_t c = 0; c < t->columns; c++) {
            /* The last lines of all headings stand side by side. */
            size_t above = lines - folded_lines(t->column[c].heading, width[c]);
            text_clear(&word);
            if (k >= above)
                (void)folded_line(t->column[c].heading, width[c], k - above, &word);
            put_cell(&line, word.data, width[c], t->column[c].right, c + 1 == t->columns);
        }
        ok = write_line(&line, out);
    }
    text_release(&word);
    text_release(&line);
    return ok;
}

/* A row: one line, or as many as its folded text takes, beside which the others are blank. */
static bool write_row(const struct terminal_table *t, const struct terminal_style *style,
                      const size_t *width, size_t row, FILE *out)
{
    struct text line, shown, part, fitted;
    size_t lines = 1;
    bool ok = true;

    text_init(&line, 0);
    text_init(&shown, 0);
    text_init(&part, 0);
    text_init(&fitted, 0);
    for (size_t k = 0; k < lines && ok; k++) {
        text_clear(&line);
        for (size_t c = 0; c < t->columns; c++) {
            text_clear(&shown);
            text_clear(&part);
            text_clear(&fitted);
            add_shown(&shown, cell(t, row, c), style->ascii);
            if (c == t->folded) {
                size_t n = folded_lines(shown.data, width[c]);
                lines = n > lines ? n : lines;
                (void)folded_line(shown.data, width[c], k, &part);
            } else if (k == 0) {
                text_add(&part, shown.data);
            }
            add_fitted(&fitted, part.data, width[c], style->ascii);
            put_cell(&line, fitted.data, width[c], t->column[c].right, c + 1 == t->columns);
        }
        ok = write_line(&line, out);
    }
    text_release(&fitted);
    text_release(&part);
    text_release(&shown);
    text_release(&line);
    return ok;
}

bool terminal_table_write(const struct terminal_table *t, const struct terminal_style *style,
                          FILE *out)
{
    size_t *width = calloc(t->columns + 1, sizeof *width);
    bool ok;

    if (width == NULL || t->failed) {
        free(width);
        errno = ENOMEM;
        return false;
    }
    natural_widths(t, style->ascii, width);
    shrink(t, style->width, width);
    ok = write_headings(t, width, out);
    for (size_t r = 0; r < t->rows && ok; r++)
        ok = write_row(t, style, width, r, out);
    free(width);
    return ok;
}

/* ---- a table of results ---- */

/* Decimals that all numbers of a column need, at most DECIMALS_MAX. */
static int column_decimals(const struct table *t, size_t column)
{
    int needed = 0;

    if (table_column(t, column)->decimals >= 0)
        return table_column(t, column)->decimals;
    for (size_t row = 0; row < table_rows(t) && needed < DECIMALS_MAX; row++) {
        double x = table_number(t, row, column);
        while (isfinite(x) && needed < DECIMALS_MAX &&
               fabs(x * pow(10.0, needed) - round(x * pow(10.0, needed))) >
                   1e-6 * fmax(1.0, fabs(x)))
            needed++;
    }
    return needed;
}

static void set_number(struct terminal_table *out, size_t row, size_t column, double x,
                       int decimals)
{
    struct figure f = figure_decimal(x, decimals);

    /* What is not zero never looks like it. */
    if (x != 0.0 && fabs(x) < 0.5 * pow(10.0, -decimals))
        snprintf(f.text, sizeof f.text, "%.3g", x);
    terminal_table_set(out, row, column, f.text);
}

static bool is_whole(double x)
{
    return x == round(x);
}

static void set_cell(struct terminal_table *out, const struct table *t, size_t row, size_t column,
                     int decimals)
{
    const struct column *c = table_column(t, column);
    char time[24];

    if (table_missing(t, row, column)) {
        terminal_table_set(out, row, column, c->kind == COLUMN_TEXT ? "-" : "n/a");
        return;
    }
    switch (c->kind) {
    case COLUMN_TEXT:
        terminal_table_set(out, row, column, table_text(t, row, column));
        break;
    case COLUMN_TIME:
        if (table_integer(t, row, column) % 86400 == 0)
            civil_date_text(table_integer(t, row, column), time);
        else
            civil_time_text(table_integer(t, row, column), time);
        terminal_table_set(out, row, column, time);
        break;
    case COLUMN_INTEGER:
        terminal_table_set(out, row, column,
                           figure_decimal((double)table_integer(t, row, column), 0).text);
        break;
    case COLUMN_NUMBER:
    case COLUMN_MONEY:
        set_number(out, row, column, table_number(t, row, column),
                   c->decimals == -2 && is_whole(table_number(t, row, column)) ? 0 : decimals);
        break;
    }
}

static struct terminal_table *table_without_rows(const struct table *t)
{
    size_t count = table_columns(t);
    struct terminal_column *columns = calloc(count + 1, sizeof *columns);
    struct arena *names = arena_new(0);
    struct terminal_table *out = NULL;
    bool ok = columns != NULL && names != NULL;

    for (size_t c = 0; ok && c < count; c++) {
        char *heading = arena_string(names, table_column(t, c)->name);
        ok = heading != NULL;
        for (size_t i = 0; ok && heading[i] != '\0'; i++)
            heading[i] = heading[i] == '_' ? ' ' : (char)toupper((unsigned char)heading[i]);
        columns[c].heading = heading;
        columns[c].right =
            table_column(t, c)->kind != COLUMN_TEXT && table_column(t, c)->kind != COLUMN_TIME;
    }
    if (ok)
        out = terminal_table_new(columns, count);
    free(columns);
    arena_free(names);
    return out;
}

bool terminal_table_print_folded(const struct table *t, const struct terminal_style *style,
                                 const char *folded, FILE *out)
{
    struct terminal_table *shown = table_without_rows(t);
    int fold = folded == NULL ? -1 : table_find(t, folded);
    bool ok;

    if (shown == NULL) {
        errno = ENOMEM;
        return false;
    }
    if (fold >= 0)
        terminal_table_fold(shown, (size_t)fold);
    for (size_t r = 0; r < table_rows(t) && !shown->failed; r++)
        (void)terminal_table_add_row(shown);
    for (size_t c = 0; c < table_columns(t); c++) {
        int decimals =
            table_column(t, c)->kind == COLUMN_NUMBER || table_column(t, c)->kind == COLUMN_MONEY
                ? column_decimals(t, c)
                : 0;
        for (size_t r = 0; r < table_rows(t) && !shown->failed; r++)
            set_cell(shown, t, r, c, decimals);
    }
    ok = terminal_table_write(shown, style, out);
    terminal_table_free(shown);
    return ok;
}
