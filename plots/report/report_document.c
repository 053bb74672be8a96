/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_document.h"

#include "plots/text/label.h"

#include <math.h>
#include <string.h>

void report_document_init(struct report_document *r, struct arena *a, enum report_language l)
{
    *r = (struct report_document){.arena = a, .language = l, .title = "", .subtitle = ""};
}

static const char *keep(struct report_document *r, const char *s)
{
    const char *kept = arena_string(r->arena, s);

    if (kept == NULL)
        r->failed = true;
    return kept == NULL ? "" : kept;
}

const char *report_clean(struct report_document *r, const char *s)
{
    struct text t;
    const char *kept;

    text_init(&t, 0);
    label_clean(&t, s == NULL ? "" : s);
    r->failed = r->failed || t.overflow;
    kept = keep(r, t.data);
    text_release(&t);
    return kept;
}

const char *report_words_of(struct report_document *r, enum report_word word,
                            const char *const *values)
{
    struct text t;
    const char *kept;

    text_init(&t, 0);
    report_say(&t, r->language, word, values);
    r->failed = r->failed || t.overflow;
    kept = keep(r, t.data);
    text_release(&t);
    return kept;
}

struct report_block *report_add(struct report_document *r, enum report_block_kind kind,
                                const char *text)
{
    struct report_block *b = arena_alloc(r->arena, sizeof *b);

    if (b == NULL) {
        r->failed = true;
        return NULL;
    }
    *b = (struct report_block){.kind = kind, .text = keep(r, text), .appendix = r->appendix};
    if (kind == REPORT_TILES)
        b->columns = 3;
    if (r->last == NULL)
        r->first = b;
    else
        r->last->next = b;
    r->last = b;
    return b;
}

struct report_block *report_add_words(struct report_document *r, enum report_block_kind kind,
                                      enum report_word word, const char *const *values)
{
    return report_add(r, kind, report_words_of(r, word, values));
}

struct report_block *report_add_grid(struct report_document *r, const enum report_word *head,
                                     size_t columns)
{
    struct report_block *b = report_add(r, REPORT_GRID, "");

    for (size_t i = 0; b != NULL && i < columns; i++)
        b->head[i] = head[i] == REPORT_WORDS ? "" : report_word(r->language, head[i]);
    if (b != NULL)
        b->columns = columns;
    return b;
}

bool report_add_row(struct report_document *r, struct report_block *b)
{
    if (b == NULL)
        return false;
    if (b->rows == b->room) {
        size_t room = b->room == 0 ? 8 : 2 * b->room;
        struct report_cell *cells = arena_array(r->arena, room * b->columns, sizeof *cells);
        if (cells == NULL) {
            r->failed = true;
            return false;
        }
        if (b->rows > 0)
            memcpy(cells, b->cells, b->rows * b->columns * sizeof *cells);
        b->cells = cells;
        b->room = room;
    }
    for (size_t i = 0; i < b->columns; i++)
        b->cells[b->rows * b->columns + i] = (struct report_cell){"", NAN};
    b->rows++;
    return true;
}

void report_set(struct report_document *r, struct report_block *b, size_t column, const char *text,
                double number)
{
    if (b == NULL || b->rows == 0 || column >= b->columns)
        return;
    b->cells[(b->rows - 1) * b->columns + column] =
        (struct report_cell){text == NULL ? "" : keep(r, text), number};
}

void report_add_tile(struct report_document *r, struct report_block *tiles, const char *label,
                     const char *value, const char *remark)
{
    if (!report_add_row(r, tiles))
        return;
    report_set(r, tiles, 0, label, NAN);
    report_set(r, tiles, 1, value, NAN);
    report_set(r, tiles, 2, remark, NAN);
}
