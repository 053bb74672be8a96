/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/report_bed.h"

#include "tests/support/text_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool report_bed_init(struct report_bed *b, const char *const names[3])
{
    const char *const usual[3] = {"on-demand", "spot", "safe"};
    const char *const *n = names == NULL ? usual : names;
    const struct sample_strategy strategies[] = {{n[0], 5000.0, 0.1, 60.0, 0.1, 0.0, 0.0, 0.0},
                                                 {n[1], 3000.0, 0.2, 70.0, 0.1, 0.0, 1.0, 0.0},
                                                 {n[2], 4000.0, 0.2, 65.0, 0.1, 0.0, 0.5, 0.0}};
    const struct sample_options options = {
        .worlds = 400, .budget = 6000.0, .deadline_h = 96.0, .horizon_h = 400.0};

    *b = (struct report_bed){0};
    if (!sample_study_init(&b->study, strategies, 3, &options))
        return false;
    b->d = diagnostics_new();
    b->arena = arena_new(0);
    b->study.frame.prices_as_of = "2026-03-02";
    b->source = (struct report_source){.price_currency = "USD",
                                       .version = "0",
                                       .scenario_hash = "17fc",
                                       .catalogue_hash = "",
                                       .region = ""};
    return b->d != NULL && b->arena != NULL;
}

void report_bed_release(struct report_bed *b)
{
    for (size_t i = 0; i < b->owned_count; i++)
        table_free(b->owned[i]);
    sample_study_release(&b->study);
    diagnostics_free(b->d);
    arena_free(b->arena);
}

struct table *report_bed_keep(struct report_bed *b, struct table *t)
{
    if (t != NULL && b->owned_count < sizeof b->owned / sizeof b->owned[0])
        b->owned[b->owned_count++] = t;
    return t;
}

void report_bed_choice(struct report_bed *b, const char *rows)
{
    struct table *t = text_table(
        "choice",
        "strategy:t,status:t,rank,value,difference,difference_low,difference_high,"
        "fresh_difference,fresh_difference_low,fresh_difference_high,limit:t,limit_value,"
        "objective:t,unit:t,fresh_worlds,fresh_value,fresh_low,fresh_high",
        rows);

    for (size_t row = 0; t != NULL && row < table_rows(t); row++) {
        table_set_text(t, row, 12, "minimise cost_usd.p80");
        table_set_text(t, row, 13, "usd");
    }
    b->source.choice = report_bed_keep(b, t);
}

void report_bed_compose(struct report_bed *b, enum report_language l, const char *chart)
{
    if (!study_facts_init(&b->facts, &b->study.frame, &b->study.tables, b->d))
        return;
    b->source.facts = &b->facts;
    b->source.charts = b->study.tables;
    report_document_init(&b->document, b->arena, l);
    report_compose(&b->document, &b->source, &chart, chart == NULL ? 0 : 1);
}

bool report_bed_says(const struct report_bed *b, const char *text)
{
    for (const struct report_block *k = b->document.first; k != NULL; k = k->next) {
        if (strstr(k->text, text) != NULL)
            return true;
        for (size_t i = 0; i < k->rows * k->columns; i++) {
            if (strstr(k->cells[i].text, text) != NULL)
                return true;
        }
    }
    return false;
}

const char *report_bed_first(const struct report_bed *b, enum report_block_kind kind)
{
    for (const struct report_block *k = b->document.first; k != NULL; k = k->next) {
        if (k->kind == kind)
            return k->text;
    }
    return "";
}
