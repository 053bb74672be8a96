/* SPDX-License-Identifier: GPL-3.0-or-later
 * A report as a row of blocks in the order of reading: what it says, in the reader's language, and
 * nothing of how it looks. HTML, Markdown, deck and workbook are written from this, so that they
 * cannot say different things. All text is plain: cleaned (label_clean), not escaped; escaping is
 * the writer's. Everything lives in the document's arena. */
#ifndef FLEETCAST_PLOTS_REPORT_DOCUMENT_H
#define FLEETCAST_PLOTS_REPORT_DOCUMENT_H

#include "engine/arena.h"
#include "engine/text.h"
#include "plots/text/report_words.h"

#include <stdbool.h>
#include <stddef.h>

enum report_block_kind {
    REPORT_HEADING, /* begins a part */
    REPORT_LEAD,    /* the sentence that the page is about */
    REPORT_TEXT,    /* a paragraph */
    REPORT_NOTE,    /* small: how to read what stands above */
    REPORT_ITEM,    /* of a list */
    REPORT_TILES,   /* key figures: a table of label, value, remark */
    REPORT_GRID,    /* a table with a head */
    REPORT_CHART,   /* a chart by its name, `text` the sentence under it */
    REPORT_BREAK    /* a new page */
};

struct report_cell {
    const char *text;
    double number; /* what text says, for a workbook; NaN: text alone */
};

#define REPORT_COLUMNS_MAX 10

struct report_block {
    enum report_block_kind kind;
    const char *text;                     /* "" of grids and breaks */
    const char *chart;                    /* file stem; NULL but of charts */
    size_t columns, rows;                 /* of tiles (three columns) and grids */
    const char *head[REPORT_COLUMNS_MAX]; /* of grids */
    bool right[REPORT_COLUMNS_MAX];       /* numbers stand at the right */
    struct report_cell *cells;            /* row by row */
    size_t room;                          /* rows that cells has place for */
    bool appendix;                        /* behind what a meeting looks at */
    struct report_block *next;
};

struct report_document {
    struct arena *arena;
    enum report_language language;
    const char *title, *subtitle; /* cleaned */
    struct report_block *first, *last;
    bool appendix; /* of the blocks that follow */
    bool failed;   /* out of memory: what is here is not all */
};

/* The arena is borrowed. */
void report_document_init(struct report_document *r, struct arena *a, enum report_language l);

/* Adds a block; text is copied. NULL, and failed is set, without memory. */
struct report_block *report_add(struct report_document *r, enum report_block_kind kind,
                                const char *text);
/* The same of a row of words with its places filled. */
struct report_block *report_add_words(struct report_document *r, enum report_block_kind kind,
                                      enum report_word word, const char *const *values);
#define REPORT_ADD(r, kind, word, ...)                                                             \
    report_add_words(r, kind, word, (const char *const[]){__VA_ARGS__, NULL})

/* A grid of the columns named by words; a word of REPORT_WORDS leaves the head empty. */
struct report_block *report_add_grid(struct report_document *r, const enum report_word *head,
                                     size_t columns);
/* One more row of a grid or tiles, empty; false without memory. block may be NULL. */
bool report_add_row(struct report_document *r, struct report_block *block);
/* Sets a cell of the last row. NULL text is "". */
void report_set(struct report_document *r, struct report_block *block, size_t column,
                const char *text, double number);
/* A tile: what it is, its value, a remark under it. */
void report_add_tile(struct report_document *r, struct report_block *tiles, const char *label,
                     const char *value, const char *remark);

/* s cleaned, in the arena: for names and other text of a scenario. "" without memory. */
const char *report_clean(struct report_document *r, const char *s);
/* A row of words, in the arena. */
const char *report_words_of(struct report_document *r, enum report_word word,
                            const char *const *values);
#define REPORT_WORDS_OF(r, word, ...)                                                              \
    report_words_of(r, word, (const char *const[]){__VA_ARGS__, NULL})

#endif
