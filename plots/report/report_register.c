/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_register.h"

#include "engine/civil_time.h"
#include "plots/sentences/phrases.h"
#include "plots/sentences/report_figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NOT_INCLUDED_SHOWN 4
#define SUNK_SHOWN         3
#define PRICES_SHOWN       60
#define DAY_S              86400

/* In the report's language, as far as there are words for it; the text then stays as it is. */
static const char *in_words(struct report_document *r, const char *english)
{
    struct text t;
    const char *kept;

    text_init(&t, 8192);
    phrase_add(&t, r->language, PHRASES_OF_REGISTER, english);
    kept = report_clean(r, t.data);
    text_release(&t);
    return kept;
}

/* What existing commitments cost whatever is decided. */
static void add_sunk(struct report_document *r, const struct report_source *s)
{
    struct text names;

    if (s->sunk_count == 0 || !isfinite(s->sunk))
        return;
    text_init(&names, 4096);
    for (size_t i = 0; i < s->sunk_count && i < SUNK_SHOWN; i++)
        text_format(&names, "%s%s", i == 0 ? "" : report_word(r->language, WORD_COMMA),
                    s->sunk_names[i]);
    if (s->sunk_count > SUNK_SHOWN)
        text_add(&names, ", \xe2\x80\xa6");
    REPORT_ADD(r, REPORT_ITEM, WORD_SUNK,
               report_money(r->language, s->sunk, s->price_currency, FIGURE_NEAREST).text,
               report_count(r->language, (double)s->sunk_count).text, report_clean(r, names.data));
    text_release(&names);
}

void report_not_included(struct report_document *r, const struct report_source *s)
{
    size_t shown =
        s->not_modelled_count < NOT_INCLUDED_SHOWN ? s->not_modelled_count : NOT_INCLUDED_SHOWN;

    REPORT_ADD(r, REPORT_HEADING, WORD_NOT_INCLUDED, NULL);
    if (s->not_modelled_count == 0)
        REPORT_ADD(r, REPORT_TEXT, WORD_NOT_INCLUDED_NONE, NULL);
    for (size_t i = 0; i < shown; i++)
        report_add(r, REPORT_ITEM, in_words(r, s->not_modelled[i]));
    add_sunk(r, s);
    if (shown < s->not_modelled_count)
        REPORT_ADD(r, REPORT_NOTE, WORD_NOT_INCLUDED_MORE,
                   report_count(r->language, (double)(s->not_modelled_count - shown)).text);
}

/* The earliest day on which a price in use was last seen; false: no dated price. */
static bool oldest_price(const struct report_source *s, int64_t *unix_s)
{
    bool any = false;

    for (size_t i = 0; i < s->price_count; i++) {
        int64_t seen;
        if (!civil_parse(s->prices[i].last_seen, &seen) && !civil_parse(s->prices[i].since, &seen))
            continue;
        if (!any || seen < *unix_s)
            *unix_s = seen;
        any = true;
    }
    return any;
}

void report_price_age(struct report_document *r, const struct report_source *s)
{
    const struct chart_frame *frame = s->facts->frame;
    enum report_language l = r->language;
    const char *as_of = report_clean(
        r, report_date_text(l, frame->prices_as_of == NULL ? "" : frame->prices_as_of).text);
    int64_t seen = 0, days;

    if (!oldest_price(s, &seen)) {
        REPORT_ADD(r, REPORT_TEXT, WORD_PRICES_UNDATED, as_of);
        return;
    }
    days = (frame->start_unix_s - seen) / DAY_S;
    if (days > 0)
        REPORT_ADD(r, REPORT_TEXT, WORD_PRICES_AGE, as_of, report_date(l, seen).text,
                   report_count(l, (double)days).text);
    else
        REPORT_ADD(r, REPORT_TEXT, WORD_PRICES_NEW, as_of, report_date(l, seen).text);
}

static void identity_row(struct report_document *r, struct report_block *grid,
                         enum report_word word, const char *value)
{
    if (value[0] == '\0' || !report_add_row(r, grid))
        return;
    report_set(r, grid, 0, report_word(r->language, word), NAN);
    report_set(r, grid, 1, value, NAN);
}

void report_identity(struct report_document *r, const struct report_source *s)
{
    const enum report_word head[] = {REPORT_WORDS, REPORT_WORDS};
    const struct chart_frame *frame = s->facts->frame;
    enum report_language l = r->language;
    struct report_block *grid;
    char seed[32];

    REPORT_ADD(r, REPORT_HEADING, WORD_IDENTITY, NULL);
    grid = report_add_grid(r, head, 2);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)frame->seed);
    identity_row(r, grid, WORD_ID_SCENARIO,
                 report_clean(r, frame->scenario == NULL ? "" : frame->scenario));
    identity_row(r, grid, WORD_ID_START, report_date(l, frame->start_unix_s).text);
    identity_row(r, grid, WORD_ID_HORIZON,
                 report_time(l, frame->horizon_s / 3600.0,
                             figure_time_unit(frame->horizon_s / 3600.0), FIGURE_NEAREST)
                     .text);
    identity_row(r, grid, WORD_ID_REGION, report_clean(r, s->region));
    identity_row(r, grid, WORD_ID_FUTURES, report_count(l, (double)frame->replications).text);
    identity_row(r, grid, WORD_ID_SEED, seed);
    identity_row(r, grid, WORD_ID_VERSION, report_clean(r, s->version));
    identity_row(r, grid, WORD_ID_SCENARIO_HASH, report_clean(r, s->scenario_hash));
    identity_row(r, grid, WORD_ID_CATALOGUE_HASH, report_clean(r, s->catalogue_hash));
    if (frame->conversion != NULL)
        identity_row(r, grid, WORD_ID_CURRENCY, report_clean(r, frame->conversion));
    identity_row(r, grid, WORD_ID_TAX,
                 report_word(l, frame->tax_included ? WORD_TAX_INCLUDED : WORD_TAX_EXCLUDED));
    if (s->partial)
        identity_row(r, grid, WORD_ID_PARTIAL, report_word(l, WORD_PARTIAL_REMARK));
}

void report_identity_line(struct report_document *r, const struct report_source *s)
{
    const struct chart_frame *frame = s->facts->frame;
    char seed[32];

    snprintf(seed, sizeof seed, "%llu", (unsigned long long)frame->seed);
    REPORT_ADD(r, REPORT_NOTE, WORD_IDENTITY_LINE,
               report_clean(r, frame->scenario == NULL ? "" : frame->scenario),
               report_count(r->language, (double)frame->replications).text, seed,
               report_clean(r, s->version), report_clean(r, s->scenario_hash));
}

/* ---- the whole register ---- */

static void add_assumptions(struct report_document *r, const struct report_source *s)
{
    const enum report_word head[] = {WORD_ASSUMED_WHAT, WORD_ASSUMED_VALUE, WORD_ASSUMED_SOURCE};
    struct report_block *grid;

    REPORT_ADD(r, REPORT_HEADING, WORD_REGISTER, NULL);
    if (s->assumption_count == 0) {
        REPORT_ADD(r, REPORT_TEXT, WORD_REGISTER_EMPTY, NULL);
        return;
    }
    REPORT_ADD(r, REPORT_TEXT, WORD_REGISTER_INTRO,
               report_count(r->language, (double)s->assumption_count).text);
    grid = report_add_grid(r, head, 3);
    for (size_t i = 0; i < s->assumption_count && report_add_row(r, grid); i++) {
        const struct report_assumption *a = &s->assumptions[i];
        const char *source = in_words(r, a->source);
        report_set(r, grid, 0, in_words(r, a->what), NAN);
        report_set(r, grid, 1, in_words(r, a->value), NAN);
        report_set(r, grid, 2,
                   a->extrapolated ? REPORT_WORDS_OF(r, WORD_EXTRAPOLATED, source) : source, NAN);
    }
}

static void add_prices(struct report_document *r, const struct report_source *s)
{
    const enum report_word head[] = {WORD_PRICE_TYPE,  WORD_PRICE_ZONE,  WORD_PRICE_WAY,
                                     WORD_PRICE_HOUR,  WORD_PRICE_SINCE, WORD_PRICE_SEEN,
                                     WORD_PRICE_SOURCE};
    enum report_language l = r->language;
    struct report_block *grid;

    if (s->price_count == 0)
        return;
    REPORT_ADD(r, REPORT_HEADING, WORD_PRICES_HEADING, NULL);
    grid = report_add_grid(r, head, 7);
    if (grid != NULL)
        grid->right[3] = true;
    for (size_t i = 0; i < s->price_count && i < PRICES_SHOWN && report_add_row(r, grid); i++) {
        const struct report_price *p = &s->prices[i];
        report_set(r, grid, 0, report_clean(r, p->instance_type), NAN);
        report_set(r, grid, 1, report_clean(r, p->zone), NAN);
        report_set(r, grid, 2, report_clean(r, p->purchase), NAN);
        report_set(r, grid, 3, report_money(l, p->per_hour, s->price_currency, FIGURE_NEAREST).text,
                   p->per_hour);
        report_set(r, grid, 4, report_clean(r, report_date_text(l, p->since).text), NAN);
        report_set(r, grid, 5, report_clean(r, report_date_text(l, p->last_seen).text), NAN);
        report_set(r, grid, 6, report_clean(r, p->source), NAN);
    }
    if (s->price_count > PRICES_SHOWN)
        REPORT_ADD(r, REPORT_NOTE, WORD_PRICES_MORE,
                   report_count(l, (double)(s->price_count - PRICES_SHOWN)).text);
}

void report_register(struct report_document *r, const struct report_source *s)
{
    add_assumptions(r, s);
    REPORT_ADD(r, REPORT_HEADING, WORD_NOT_INCLUDED_ALL, NULL);
    if (s->not_modelled_count == 0)
        REPORT_ADD(r, REPORT_TEXT, WORD_NOT_INCLUDED_NONE, NULL);
    for (size_t i = 0; i < s->not_modelled_count; i++)
        report_add(r, REPORT_ITEM, in_words(r, s->not_modelled[i]));
    add_prices(r, s);
}
