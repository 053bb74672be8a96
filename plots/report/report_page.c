/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_page.h"

#include "plots/report/report_cash.h"
#include "plots/report/report_choice.h"
#include "plots/report/report_flips.h"
#include "plots/report/report_outlook.h"
#include "plots/report/report_register.h"
#include "plots/report/report_sentences.h"
#include "plots/report/report_signing.h"
#include "plots/sentences/report_figures.h"

static void add_titles(struct report_document *r, const struct report_source *s,
                       const struct report_choice *c)
{
    const struct chart_frame *frame = s->facts->frame;
    enum report_language l = r->language;
    const char *name = report_clean(r, frame->scenario == NULL ? "" : frame->scenario);

    r->title = name[0] == '\0' ? report_word(l, WORD_UNNAMED) : name;
    r->subtitle = REPORT_WORDS_OF(
        r, WORD_SUBTITLE,
        report_word(l, c->recommended >= 0 ? WORD_KIND_DECISION : WORD_KIND_COMPARISON),
        report_count(l, (double)frame->replications).text,
        report_clean(
            r, report_date_text(l, frame->prices_as_of == NULL ? "" : frame->prices_as_of).text),
        report_clean(r, frame->currency));
}

static void add_decision(struct report_document *r, const struct report_source *s,
                         const struct report_choice *c)
{
    struct report_signing signing;

    report_choice_limits(r, s, c);
    report_outlook_tiles(r, s, c->recommended);
    report_cash_above_cost(r, s, c->recommended);
    report_choice_saving(r, s, c->recommended);
    report_signing_reuse(r, s, c->recommended);
    report_choice_sure(r, s, c);
    report_signing_read(&signing, s, c->recommended);
    report_signing_grid(r, s, c->recommended, &signing);
}

/* Without a recommendation: why there is none, and each against the baseline. */
static void add_comparison(struct report_document *r, const struct report_source *s,
                           const struct report_choice *c)
{
    size_t said = 0;

    report_choice_others(r, s, c);

    for (size_t i = 0; i < s->facts->count && said < 4; i++) {
        const struct strategy_facts *f = &s->facts->strategy[i];
        if ((int)i == s->facts->baseline || !f->cost.present)
            continue;
        said++;
        report_choice_saving(r, s, (int)i);
    }
}

static void add_charts(struct report_document *r, const struct report_source *s, int subject,
                       const char *const *charts, size_t count)
{
    REPORT_ADD(r, REPORT_HEADING, WORD_CHARTS, NULL);
    if (count == 0)
        REPORT_ADD(r, REPORT_TEXT, WORD_NO_CHARTS, "fleetcast plot");
    for (size_t i = 0; i < count; i++) {
        struct report_block *b =
            report_add(r, REPORT_CHART, report_sentence(r, s, subject, charts[i]));
        if (b != NULL)
            b->chart = charts[i];
    }
    if (count > 0 && s->charts_english)
        REPORT_ADD(r, REPORT_NOTE, WORD_CHARTS_ENGLISH, NULL);
}

bool report_compose(struct report_document *r, const struct report_source *s,
                    const char *const *charts, size_t chart_count)
{
    struct report_choice c;
    int subject;

    report_choice_read(&c, s);
    subject = c.recommended >= 0 ? c.recommended : s->facts->subject;
    add_titles(r, s, &c);
    if (s->partial)
        REPORT_ADD(r, REPORT_TEXT, WORD_PARTIAL_REMARK, NULL);
    report_choice_lead(r, s, &c);
    if (c.recommended >= 0)
        add_decision(r, s, &c);
    else
        add_comparison(r, s, &c);
    REPORT_ADD(r, REPORT_HEADING, WORD_SIDE_BY_SIDE, NULL);
    report_outlook_grid(r, s, &c);
    report_cash(r, s, c.recommended);
    report_flips(r, s, subject);
    report_not_included(r, s);
    report_price_age(r, s);
    report_identity_line(r, s);
    report_add(r, REPORT_BREAK, "");
    if (c.recommended >= 0)
        report_choice_others(r, s, &c);
    add_charts(r, s, subject, charts, chart_count);
    r->appendix = true;
    report_add(r, REPORT_BREAK, "");
    report_register(r, s);
    report_identity(r, s);
    return !r->failed;
}
