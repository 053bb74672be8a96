/* SPDX-License-Identifier: GPL-3.0-or-later
 * A report from made-up tables, and what it says, for tests of its sentences. */
#ifndef FLEETCAST_TESTS_REPORT_BED_H
#define FLEETCAST_TESTS_REPORT_BED_H

#include "plots/report/report_page.h"
#include "tests/support/sample_study.h"

struct report_bed {
    struct sample_study study;
    struct study_facts facts;
    struct report_source source;
    struct report_document document;
    struct diagnostics *d;
    struct arena *arena;
    struct table *owned[16]; /* freed with the bed */
    size_t owned_count;
};

/* on-demand (the baseline), "spot" and "safe", all finished, 400 futures; budget $6,000, deadline 4
 * days. Names as given, or NULL for these. False without memory. */
bool report_bed_init(struct report_bed *b, const char *const names[3]);
void report_bed_release(struct report_bed *b);
/* Gives the source a table that is freed with the bed; returns it. */
struct table *report_bed_keep(struct report_bed *b, struct table *t);
/* choice.csv from rows of: strategy,status,rank,value,difference,low,high,fresh
 * difference,low,high, limit,limit value; the objective is cost P80. */
void report_bed_choice(struct report_bed *b, const char *rows);
/* Composes anew; charts may be NULL. */
void report_bed_compose(struct report_bed *b, enum report_language l, const char *chart);
/* Whether some block, tile or cell holds this text. */
bool report_bed_says(const struct report_bed *b, const char *text);
/* The first block of this kind; its text, or "". */
const char *report_bed_first(const struct report_bed *b, enum report_block_kind kind);

#endif
