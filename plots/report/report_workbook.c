/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_workbook.h"

#define NO_PLACE ((struct place){0})

#ifdef FLEETCAST_XLSX

#include "plots/report/report_wrap.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <xlsxwriter.h>

#define ROWS_MAX 1000000u
/* Cells hold 32,767 characters; a text of more bytes is cut between two of them. */
#define TEXT_MAX 30000u
/* A column's width is in digits of 7 pixels, where an em of 11 points is 14.7, but label_width
 * measures wider fonts than a workbook's; a little is left at both sides. */
#define EM_A_DIGIT 0.53
#define MARGIN_EM  1.2
/* Of the page, in digits: the first column, and all others. */
#define FIRST_WIDTH 38.0
#define OTHER_WIDTH 22.0
#define LINE_POINTS 15.0
/* A table's columns are as wide as what stands in its first rows, within bounds. */
#define WIDTH_ROWS 200u
#define WIDTH_LOW  9.0
#define WIDTH_HIGH 46.0

struct book {
    lxw_workbook *workbook;
    lxw_worksheet *sheet;
    lxw_format *title, *lead, *head, *head_right, *head_inner, *wrap, *inner, *right, *small,
        *figure, *money, *cents, *share, *time, *table_money;
    lxw_row_t row;
    bool failed;
};

static lxw_format *number_format(lxw_workbook *w, const char *format)
{
    lxw_format *f = workbook_add_format(w);

    format_set_num_format(f, format);
    format_set_align(f, LXW_ALIGN_RIGHT);
    format_set_align(f, LXW_ALIGN_VERTICAL_TOP);
    return f;
}

static lxw_format *text_format_of(lxw_workbook *w, double size, bool bold, bool wrap)
{
    lxw_format *f = workbook_add_format(w);

    format_set_font_size(f, size);
    if (bold)
        format_set_bold(f);
    if (wrap)
        format_set_text_wrap(f);
    format_set_align(f, LXW_ALIGN_VERTICAL_TOP);
    return f;
}

static void make_formats(struct book *b)
{
    b->title = text_format_of(b->workbook, 16.0, true, false);
    b->lead = text_format_of(b->workbook, 12.0, true, false);
    b->head = text_format_of(b->workbook, 11.0, true, true);
    format_set_bottom(b->head, LXW_BORDER_THIN);
    b->head_right = text_format_of(b->workbook, 11.0, true, true);
    format_set_bottom(b->head_right, LXW_BORDER_THIN);
    format_set_align(b->head_right, LXW_ALIGN_RIGHT);
    b->wrap = text_format_of(b->workbook, 11.0, false, true);
    /* Text beside numbers, which stand at the right of the column before. */
    b->head_inner = text_format_of(b->workbook, 11.0, true, true);
    format_set_bottom(b->head_inner, LXW_BORDER_THIN);
    format_set_indent(b->head_inner, 1);
    b->inner = text_format_of(b->workbook, 11.0, false, true);
    format_set_indent(b->inner, 1);
    b->right = text_format_of(b->workbook, 11.0, false, true);
    format_set_align(b->right, LXW_ALIGN_RIGHT);
    b->small = text_format_of(b->workbook, 9.0, false, false);
    b->figure = text_format_of(b->workbook, 13.0, true, false);
    b->money = number_format(b->workbook, "#,##0");
    b->cents = number_format(b->workbook, "#,##0.00");
    b->share = number_format(b->workbook, "0.0%");
    b->time = workbook_add_format(b->workbook);
    format_set_num_format(b->time, "yyyy-mm-dd hh:mm");
    format_set_align(b->time, LXW_ALIGN_LEFT);
    b->table_money = workbook_add_format(b->workbook);
    format_set_num_format(b->table_money, "#,##0.00");
}

static void check(struct book *b, lxw_error error)
{
    b->failed = b->failed || error != LXW_NO_ERROR;
}

static void put_text(struct book *b, lxw_col_t column, const char *text, lxw_format *format)
{
    char cut[TEXT_MAX + 1];
    size_t length = strlen(text);

    if (length == 0)
        return;
    if (length > TEXT_MAX) {
        length = TEXT_MAX;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
            length--;
        memcpy(cut, text, length);
        cut[length] = '\0';
        text = cut;
    }
    check(b, worksheet_write_string(b->sheet, b->row, column, text, format));
}

/* ---- the page ---- */

/* "12 %", "0 of 8", "0/8": the number is a share of one. */
static bool is_share(const char *text)
{
    return strchr(text, '%') != NULL || strstr(text, " of ") != NULL || strchr(text, '/') != NULL;
}

/* Of a column of the page: numbers stand at the right, with all else in their column, and alike. */
static lxw_format *column_format(const struct book *b, const struct report_block *k, size_t column)
{
    bool numbers = false;
    double most = 0.0;

    for (size_t row = 0; row < k->rows; row++) {
        const struct report_cell *c = &k->cells[row * k->columns + column];
        if (!isfinite(c->number))
            continue;
        if (is_share(c->text))
            return b->share;
        numbers = true;
        most = fmax(most, fabs(c->number));
    }
    return !numbers ? NULL : most >= 1000.0 ? b->money : b->cents;
}

static void put_cell(struct book *b, lxw_col_t column, const struct report_cell *c,
                     lxw_format *numbers)
{
    if (isfinite(c->number))
        check(b, worksheet_write_number(b->sheet, b->row, column, c->number, numbers));
    else
        put_text(b, column, c->text, numbers != NULL ? b->right : column > 0 ? b->inner : b->wrap);
}

static size_t lines_of(const char *text, size_t column, bool bold)
{
    double em = (column == 0 ? FIRST_WIDTH : OTHER_WIDTH) * EM_A_DIGIT - MARGIN_EM;

    return text == NULL || text[0] == '\0' ? 1 : report_wrap_count(text, em, bold);
}

/* The row that stands is as high as its cell of most lines: not every program finds that out. */
static void set_height(struct book *b, size_t lines)
{
    if (lines > 1)
        check(b, worksheet_set_row(b->sheet, b->row, LINE_POINTS * (double)lines, NULL));
}

static void put_head(struct book *b, const struct report_block *k)
{
    bool headed = false;
    size_t lines = 1;

    for (size_t i = 0; i < k->columns; i++) {
        size_t own = lines_of(k->head[i], i, true);
        headed = headed || k->head[i][0] != '\0';
        lines = own > lines ? own : lines;
        put_text(b, (lxw_col_t)i, k->head[i],
                 column_format(b, k, i) != NULL ? b->head_right
                 : i > 0                        ? b->head_inner
                                                : b->head);
    }
    if (headed) {
        set_height(b, lines);
        b->row++;
    }
}

static void put_grid(struct book *b, const struct report_block *k)
{
    lxw_format *numbers[REPORT_COLUMNS_MAX];

    for (size_t i = 0; i < k->columns; i++)
        numbers[i] = column_format(b, k, i);
    put_head(b, k);
    for (size_t row = 0; row < k->rows; row++, b->row++) {
        size_t lines = 1;
        for (size_t i = 0; i < k->columns; i++) {
            const struct report_cell *c = &k->cells[row * k->columns + i];
            size_t own = isfinite(c->number) ? 1 : lines_of(c->text, i, false);
            lines = own > lines ? own : lines;
            put_cell(b, (lxw_col_t)i, c, numbers[i]);
        }
        set_height(b, lines);
    }
    b->row++;
}

static void put_tiles(struct book *b, const struct report_block *k)
{
    for (size_t row = 0; row < k->rows; row++, b->row++) {
        const struct report_cell *c = &k->cells[row * k->columns];
        put_text(b, 0, c[0].text, b->wrap);
        put_text(b, 1, c[1].text, b->figure);
        put_text(b, 2, c[2].text, b->small);
        check(b, worksheet_set_row(b->sheet, b->row, 1.2 * LINE_POINTS, NULL));
    }
    b->row++;
}

static void put_block(struct book *b, const struct report_block *k)
{
    switch (k->kind) {
    case REPORT_HEADING:
        b->row++;
        put_text(b, 0, k->text, b->lead);
        b->row++;
        break;
    case REPORT_LEAD:
        put_text(b, 0, k->text, b->lead);
        b->row += 2;
        break;
    case REPORT_TEXT:
    case REPORT_ITEM:
    case REPORT_CHART:
        put_text(b, 0, k->text, NULL);
        b->row++;
        break;
    case REPORT_NOTE:
        put_text(b, 0, k->text, b->small);
        b->row++;
        break;
    case REPORT_TILES:
        put_tiles(b, k);
        break;
    case REPORT_GRID:
        put_grid(b, k);
        break;
    case REPORT_BREAK:
        break;
    }
}

static bool add_sheet(struct book *b, const char *name)
{
    b->sheet = workbook_add_worksheet(b->workbook, name);
    b->row = 0;
    b->failed = b->failed || b->sheet == NULL;
    return b->sheet != NULL;
}

static void add_paper(struct book *b, const struct report_document *r)
{
    if (!add_sheet(b, report_word(r->language, WORD_SHEET_PAPER)))
        return;
    worksheet_set_column(b->sheet, 0, 0, FIRST_WIDTH, NULL);
    worksheet_set_column(b->sheet, 1, REPORT_COLUMNS_MAX - 1, OTHER_WIDTH, NULL);
    worksheet_set_landscape(b->sheet);
    worksheet_fit_to_pages(b->sheet, 1, 0);
    put_text(b, 0, r->title, b->title);
    check(b, worksheet_set_row(b->sheet, b->row, 1.5 * LINE_POINTS, NULL));
    b->row++;
    put_text(b, 0, r->subtitle, b->small);
    b->row += 2;
    for (const struct report_block *k = r->first; k != NULL; k = k->next)
        put_block(b, k);
}

/* ---- the tables ---- */

static void put_table_cell(struct book *b, const struct table *t, size_t row, size_t column)
{
    lxw_format *format = NULL;

    if (table_missing(t, row, column))
        return;
    switch (table_column(t, column)->kind) {
    case COLUMN_TEXT:
        put_text(b, (lxw_col_t)column, table_text(t, row, column), NULL);
        break;
    case COLUMN_TIME:
        check(b, worksheet_write_unixtime(b->sheet, b->row, (lxw_col_t)column,
                                          table_integer(t, row, column), b->time));
        break;
    case COLUMN_MONEY:
        format = b->table_money;
        /* fall through */
    case COLUMN_NUMBER:
    case COLUMN_INTEGER:
        check(b, worksheet_write_number(b->sheet, b->row, (lxw_col_t)column,
                                        table_number(t, row, column), format));
        break;
    }
}

/* In digits: of its head, and of what its first rows hold. Numbers take what they need at most. */
static double column_width(const struct table *t, size_t column)
{
    enum column_kind kind = table_column(t, column)->kind;
    double em = label_width(table_column(t, column)->name, true);
    size_t rows = table_rows(t) < WIDTH_ROWS ? table_rows(t) : WIDTH_ROWS;

    if (kind != COLUMN_TEXT)
        em = fmax(em, label_width(kind == COLUMN_TIME ? "2026-03-02 00:00" : "0.12345678", false));
    for (size_t row = 0; kind == COLUMN_TEXT && row < rows; row++) {
        if (!table_missing(t, row, column))
            em = fmax(em, label_width(table_text(t, row, column), false));
    }
    return fmin(fmax((em + MARGIN_EM) / EM_A_DIGIT, WIDTH_LOW), WIDTH_HIGH);
}

/* As its CSV file has it; heads stay in view and stand on every page, as does the first column. */
static void add_table(struct book *b, const struct table *t)
{
    size_t rows = table_rows(t) < ROWS_MAX ? table_rows(t) : ROWS_MAX;

    if (!add_sheet(b, table_name(t)))
        return;
    worksheet_set_landscape(b->sheet);
    worksheet_freeze_panes(b->sheet, 1, 1);
    worksheet_repeat_rows(b->sheet, 0, 0);
    worksheet_repeat_columns(b->sheet, 0, 0);
    worksheet_autofilter(b->sheet, 0, 0, (lxw_row_t)rows, (lxw_col_t)(table_columns(t) - 1));
    for (size_t i = 0; i < table_columns(t); i++) {
        worksheet_set_column(b->sheet, (lxw_col_t)i, (lxw_col_t)i, column_width(t, i), NULL);
        put_text(b, (lxw_col_t)i, table_column(t, i)->name,
                 table_column(t, i)->kind == COLUMN_TEXT ? b->head : b->head_right);
    }
    for (size_t row = 0; row < rows; row++) {
        b->row++;
        for (size_t i = 0; i < table_columns(t); i++)
            put_table_cell(b, t, row, i);
    }
}

bool report_workbook_supported(void)
{
    return true;
}

bool report_workbook_write(const struct report_document *r, const struct table *const *tables,
                           size_t count, int64_t dated_unix_s, const char *path,
                           struct diagnostics *d)
{
    lxw_workbook_options options = {.constant_memory = LXW_FALSE};
    char title[256], comments[] = "fleetcast report"; /* older headers want them writable */
    lxw_doc_properties properties = {.title = title,
                                     .comments = comments,
                                     .created = (time_t)(dated_unix_s > 0 ? dated_unix_s : 1)};
    struct book b = {.workbook = workbook_new_opt(path, &options)};
    lxw_error error = LXW_ERROR_MEMORY_MALLOC_FAILED;

    snprintf(title, sizeof title, "%.250s", r->title);
    if (b.workbook != NULL) {
        make_formats(&b);
        workbook_set_properties(b.workbook, &properties);
        add_paper(&b, r);
        for (size_t i = 0; i < count; i++) {
            if (tables[i] != NULL && table_rows(tables[i]) > 0)
                add_table(&b, tables[i]);
        }
        error = workbook_close(b.workbook);
    }
    if (error == LXW_NO_ERROR && !b.failed)
        return true;
    diagnostics_add(d, DIAGNOSTIC_FAILURE, NO_PLACE, "the workbook cannot be written: %s",
                    error != LXW_NO_ERROR ? lxw_strerror(error) : "a cell was refused");
    return false;
}

#else

bool report_workbook_supported(void)
{
    return false;
}

bool report_workbook_write(const struct report_document *r, const struct table *const *tables,
                           size_t count, int64_t dated_unix_s, const char *path,
                           struct diagnostics *d)
{
    (void)r, (void)tables, (void)count, (void)dated_unix_s, (void)path;
    diagnostics_add(d, DIAGNOSTIC_ERROR, NO_PLACE,
                    "this fleetcast writes no workbooks: build it with `make XLSX=1` (Debian: "
                    "libxlsxwriter-dev), or take --format html, md or pdf");
    return false;
}

#endif
