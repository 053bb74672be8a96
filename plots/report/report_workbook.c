/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_workbook.h"

#define NO_PLACE ((struct place){0})

#ifdef FLEETCAST_XLSX

#include "engine/civil_time.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <xlsxwriter.h>

#define ROWS_MAX 1000000u
/* Cells hold 32,767 characters; a text of more bytes is cut between two of them. */
#define TEXT_MAX 30000u

struct book {
    lxw_workbook *workbook;
    lxw_worksheet *sheet;
    lxw_format *title, *lead, *head, *wrap, *small, *figure, *money, *cents, *share;
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
    b->wrap = text_format_of(b->workbook, 11.0, false, true);
    b->small = text_format_of(b->workbook, 9.0, false, false);
    b->figure = text_format_of(b->workbook, 13.0, true, false);
    b->money = number_format(b->workbook, "#,##0");
    b->cents = number_format(b->workbook, "#,##0.00##");
    b->share = number_format(b->workbook, "0.0%");
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

static void put_cell(struct book *b, lxw_col_t column, const struct report_cell *c)
{
    lxw_format *format = strchr(c->text, '%') != NULL ? b->share
                         : fabs(c->number) >= 1000.0  ? b->money
                                                      : b->cents;

    if (isfinite(c->number))
        check(b, worksheet_write_number(b->sheet, b->row, column, c->number, format));
    else
        put_text(b, column, c->text, b->wrap);
}

static void put_grid(struct book *b, const struct report_block *k)
{
    bool headed = false;

    for (size_t i = 0; i < k->columns; i++) {
        headed = headed || k->head[i][0] != '\0';
        put_text(b, (lxw_col_t)i, k->head[i], b->head);
    }
    b->row += headed;
    for (size_t row = 0; row < k->rows; row++, b->row++) {
        for (size_t i = 0; i < k->columns; i++)
            put_cell(b, (lxw_col_t)i, &k->cells[row * k->columns + i]);
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
    worksheet_set_column(b->sheet, 0, 0, 34.0, NULL);
    worksheet_set_column(b->sheet, 1, 9, 20.0, NULL);
    worksheet_set_landscape(b->sheet);
    worksheet_fit_to_pages(b->sheet, 1, 0);
    put_text(b, 0, r->title, b->title);
    b->row++;
    put_text(b, 0, r->subtitle, b->small);
    b->row += 2;
    for (const struct report_block *k = r->first; k != NULL; k = k->next)
        put_block(b, k);
}

static void put_table_cell(struct book *b, const struct table *t, size_t row, size_t column)
{
    char time[24];

    if (table_missing(t, row, column))
        return;
    switch (table_column(t, column)->kind) {
    case COLUMN_TEXT:
        put_text(b, (lxw_col_t)column, table_text(t, row, column), NULL);
        break;
    case COLUMN_TIME:
        put_text(b, (lxw_col_t)column, civil_time_text(table_integer(t, row, column), time), NULL);
        break;
    case COLUMN_NUMBER:
    case COLUMN_INTEGER:
    case COLUMN_MONEY:
        check(b, worksheet_write_number(b->sheet, b->row, (lxw_col_t)column,
                                        table_number(t, row, column), NULL));
        break;
    }
}

/* As its CSV file has it. */
static void add_table(struct book *b, const struct table *t)
{
    size_t rows = table_rows(t) < ROWS_MAX ? table_rows(t) : ROWS_MAX;

    if (!add_sheet(b, table_name(t)))
        return;
    worksheet_set_column(b->sheet, 0, (lxw_col_t)(table_columns(t) - 1), 16.0, NULL);
    worksheet_freeze_panes(b->sheet, 1, 0);
    for (size_t i = 0; i < table_columns(t); i++)
        put_text(b, (lxw_col_t)i, table_column(t, i)->name, b->head);
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
