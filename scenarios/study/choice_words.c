/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/choice_words.h"

#include "plots/text/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text of a scenario, made harmless. */
static void add_name(struct text *out, const char *name)
{
    text_add(out, "'");
    text_add_visible(out, name, 80);
    text_add(out, "'");
}

static void add_span(struct text *out, const char *s, size_t length)
{
    struct text copy;
    text_init(&copy, 0);
    text_add_bytes(&copy, s, length);
    text_add_visible(out, copy.data, 200);
    text_release(&copy);
}

static void add_value(struct text *out, const struct objective *o, double value,
                      const char *currency)
{
    char text[48];
    text_add(out, objective_value_text(o, value, currency, text));
}

/* "4,801 USD to 4,890 USD", "at least 4,801 USD", "4,801 USD" when that is both. */
static void add_range(struct text *out, const struct objective *o, double low, double high,
                      const char *currency)
{
    char first[48], last[48];
    if (isinf(low) && isinf(high)) {
        text_add(out, "not known");
        return;
    }
    if (isinf(low) || isinf(high)) {
        text_add(out, isinf(low) ? "at most " : "at least ");
        add_value(out, o, isinf(low) ? high : low, currency);
        return;
    }
    objective_value_text(o, low, currency, first);
    objective_value_text(o, high, currency, last);
    text_add(out, first);
    if (strcmp(first, last) != 0) {
        text_format(out, " to %s", last);
    }
}

static void add_percent(struct text *out, double share)
{
    text_format(out, "%.3g %%", 100 * share);
}

/* Never a hundred per cent of what was drawn. */
static void add_sure(struct text *out, double sure)
{
    if (sure > 0.999) {
        text_add(out, "more than 99.9 %");
    } else {
        text_format(out, "%.1f %%", floor(1000 * sure) / 10);
    }
}

void objective_words(struct text *out, const struct objective *o)
{
    char column[64] = "";
    /* As it was written, without workload and statistic: so also the currency's. */
    size_t n = 0;
    const char *name = o->workload == NULL ? o->text : o->workload + o->workload_length;
    const char *end = o->text + o->length;
    while (name < end && (*name == ':' || *name == ' ')) {
        name++;
    }
    while (name + n < end && name[n] != '.' && name[n] != ' ' && n + 1 < sizeof column) {
        column[n] = name[n];
        n++;
    }
    if (o->unfinished) {
        text_add(out, "chance of not being finished");
    } else if (metric_table[o->metric].kind == METRIC_YES_NO) {
        text_format(out, "chance of '%s'", metric_table[o->metric].name);
    } else if (o->stat == OBJECTIVE_QUANTILE) {
        text_format(out, "P%g of %s", 100 * o->quantile, column);
    } else {
        text_format(out, "%s of %s",
                    o->stat == OBJECTIVE_MEAN  ? "mean"
                    : o->stat == OBJECTIVE_MIN ? "least"
                                               : "largest",
                    column);
    }
    if (o->workload != NULL) {
        text_add(out, " of '");
        add_span(out, o->workload, o->workload_length);
        text_add(out, "'");
    }
}

/* ---- conditions ---- */

/* A value that reads like the bound and is not it must not look as if it were: "just under 90 %".
 */
static void add_beside(struct text *out, const struct condition *c, double value,
                       const char *currency)
{
    const struct objective *o = &c->objective;
    char bound[48], said[48];
    objective_value_text(o, c->bound, currency, bound);
    objective_value_text(o, value, currency, said);
    if (c->kind == CONDITION_LEVEL && strcmp(bound, said) == 0 && fabs(value - c->bound) > 0) {
        text_add(out, value < c->bound ? "just under " : "just over ");
    }
    text_add(out, said);
}

void condition_words(struct text *out, const struct condition *c, const struct estimate *value,
                     const char *currency)
{
    const struct objective *o = &c->objective;
    text_add(out, "'");
    add_span(out, c->text, c->length);
    const bool holds = condition_holds(c, value->at_least, value->at_most);
    const bool fails = condition_fails(c, value->at_least, value->at_most);
    text_add(out, value->n > 0 && holds   ? "' holds: "
                  : value->n > 0 && fails ? "' does not hold: "
                                          : "' is not known to hold: ");
    if (value->n == 0) {
        text_format(out, "no future has '%s'", metric_table[o->metric].name);
        return;
    }
    objective_words(out, o);
    text_add(out, " is ");
    if (value->known) {
        add_beside(out, c, value->value, currency);
        return;
    }
    add_range(out, o, value->at_least, value->at_most, currency);
    text_format(out, ", since %s future%s %s cut off at the horizon",
                figure_count((double)value->censored).text, text_plural((double)value->censored),
                value->censored == 1 ? "is" : "are");
}

/* ---- strategies ---- */

/* Both in as many digits as tell them apart: "98.98 %" is less than "99 %", which 3 digits hide. */
static void share_texts(double share, double at_least, char out[2][32])
{
    for (int digits = 3; digits <= 17; digits++) {
        snprintf(out[0], 32, "%.*g %%", digits, 100 * share);
        snprintf(out[1], 32, "%.*g %%", digits, 100 * at_least);
        if (strcmp(out[0], out[1]) != 0) {
            return;
        }
    }
}

static void tell_service(struct text *out, const struct choice_service *s,
                         const struct study *study)
{
    char shares[2][32];
    share_texts(s->share, s->at_least, shares);
    text_format(out,
                s->requests ? "answers %s of the requests of " : "serves %s of what is needed of ",
                shares[0]);
    add_name(out, study_workload_name(study, s->workload));
    text_format(out, ", less than %s", shares[1]);
    text_add(out, s->requests ? "" : ", by what the best strategy serves");
}

static void tell_unknown(struct text *out, const struct choice *c, const struct choice_one *one,
                         const struct objective *o)
{
    const double worlds = (double)c->worlds;
    objective_words(out, o);
    if (one->missing > 0) {
        text_format(out,
                    " does not exist in %s of %s future%s in which it exists for another "
                    "strategy",
                    figure_count((double)one->missing).text, figure_count(worlds).text,
                    text_plural(worlds));
    } else if (one->value.n == 0) {
        text_add(out, " exists in no future");
    } else {
        text_format(out, " is not known: %s of %s future%s %s cut off at the horizon",
                    figure_count((double)one->value.censored).text, figure_count(worlds).text,
                    text_plural(worlds), one->value.censored == 1 ? "is" : "are");
    }
}

/* "12 USD more than that of 'A', between -20 USD and 44 USD (95 %)". */
static void tell_difference(struct text *out, const struct choice *c, const struct study *study,
                            const struct choice_one *one)
{
    const struct choice_plan *p = &study->choice;
    const char *currency = study->scenario->currency;
    objective_words(out, &p->objective);
    if (!(one->difference > 0)) {
        text_add(out, " is the same");
    } else {
        text_add(out, " is ");
        add_value(out, &p->objective, one->difference, currency);
        text_add(out, p->maximise ? " less" : " more");
    }
    if (isinf(one->low) || isinf(one->high)) {
        text_add(out, ", and how well that is known cannot be said");
    } else if (one->high > one->low) {
        text_add(out, " (");
        add_range(out, &p->objective, one->low, one->high, currency);
        text_format(out, " at %.3g %%)", 100 * p->confidence);
    }
    if (one->status == CHOICE_LEVEL && one->rank == 2 && c->worlds_needed > (double)c->worlds &&
        isfinite(c->worlds_needed) && c->worlds_needed < 1e9) {
        char digits[8];
        snprintf(digits, sizeof digits, "%.1e", c->worlds_needed);
        text_format(out, "; some %s futures might tell", figure_count(strtod(digits, NULL)).text);
    }
}

static void tell_chosen(struct text *out, const struct choice *c, const struct study *study)
{
    const struct choice_plan *p = &study->choice;
    const struct choice_one *one = &c->one[c->chosen];
    const char *currency = study->scenario->currency;
    text_add(out, p->maximise ? "highest " : "lowest ");
    objective_words(out, &p->objective);
    text_add(out, ": ");
    add_value(out, &p->objective, one->value.value, currency);
    if (one->value.high > one->value.low) {
        text_add(out, " (");
        add_range(out, &p->objective, one->value.low, one->value.high, currency);
        text_add(out, ")");
    }
    if (c->eligible < 2) {
        text_format(out, "; the only one of %zu that can be chosen", c->count);
    } else if (c->level == 0) {
        text_add(out, "; told from every other that can be chosen, at a confidence of ");
        add_sure(out, c->sure);
    } else {
        text_format(out, "; %zu other%s cannot be told from it", c->level,
                    text_plural((double)c->level));
        if (isfinite(c->at_most) && c->at_most > 0) {
            text_add(out, ", and it is worse than the best of them by ");
            add_value(out, &p->objective, c->at_most, currency);
            text_format(out, " at most (%.3g %%)", 100 * p->confidence);
        }
    }
}

void choice_reason(struct text *out, const struct choice *c, const struct study *study,
                   size_t strategy)
{
    const struct choice_one *one = &c->one[strategy];
    switch (one->status) {
    case CHOICE_CHOSEN:
        tell_chosen(out, c, study);
        break;
    case CHOICE_UNFINISHED:
        text_add(out, "not finished in ");
        add_percent(out, one->unfinished);
        text_format(out, " of futures, more than %g %%", 100 * CHOICE_MOST_UNFINISHED);
        break;
    case CHOICE_BREAKS_LIMIT:
        if (one->service.short_of) {
            tell_service(out, &one->service, study);
        } else {
            condition_words(out, one->limit, &one->limit_value, study->scenario->currency);
        }
        break;
    case CHOICE_UNKNOWN:
        tell_unknown(out, c, one, &study->choice.objective);
        break;
    default:
        text_add(out, one->status == CHOICE_LEVEL ? "cannot be told from " : "worse than ");
        add_name(out, study_strategy_name(study, c->chosen));
        text_add(out, ": ");
        if (one->doubted) {
            text_add(out, "which is the cheaper rests on an assumed savings-plan rate");
        } else {
            tell_difference(out, c, study, one);
        }
        break;
    }
}

/* ---- on fresh worlds ---- */

static void tell_fresh_difference(struct text *out, const struct choice *c,
                                  const struct study *study)
{
    const struct choice_plan *p = &study->choice;
    const struct choice_fresh *f = &c->one[c->runner_up].fresh;
    const char *currency = study->scenario->currency;
    if (isnan(f->difference)) {
        return;
    }
    text_add(out, "; the runner-up ");
    add_name(out, study_strategy_name(study, c->runner_up));
    if (isinf(f->low) && isinf(f->high)) {
        text_add(out, " cannot be told from it there");
    } else if (f->low > 0 || f->high < 0) {
        const bool better = f->high < 0;
        text_add(out, better ? " is better there, by " : " is worse, by ");
        add_range(out, &p->objective, better ? -f->high : f->low, better ? -f->low : f->high,
                  currency);
    } else if (f->high > f->low) {
        text_add(out, " is level there too: ");
        add_range(out, &p->objective, f->low, f->high, currency);
    } else {
        text_add(out, " is the same there");
    }
}

void choice_fresh_words(struct text *out, const struct choice *c, const struct study *study)
{
    const struct choice_plan *p = &study->choice;
    if (c->chosen == CHOICE_NONE || c->fresh_worlds == 0) {
        return;
    }
    const struct choice_fresh *f = &c->one[c->chosen].fresh;
    text_format(out, "in %s fresh future%s the ", figure_count(c->fresh_worlds).text,
                text_plural(c->fresh_worlds));
    objective_words(out, &p->objective);
    text_add(out, " of ");
    add_name(out, study_strategy_name(study, c->chosen));
    text_add(out, " is ");
    if (f->value.known) {
        add_value(out, &p->objective, f->value.value, study->scenario->currency);
    } else {
        add_range(out, &p->objective, f->value.at_least, f->value.at_most,
                  study->scenario->currency);
    }
    if (f->value.known && f->value.high > f->value.low) {
        text_add(out, " (");
        add_range(out, &p->objective, f->value.low, f->value.high, study->scenario->currency);
        text_add(out, ")");
    }
    if (c->runner_up != CHOICE_NONE) {
        tell_fresh_difference(out, c, study);
    }
    if (f->limit != NULL) {
        text_add(out, "; there ");
        condition_words(out, f->limit, &f->limit_value, study->scenario->currency);
    }
    if (f->unfinished > CHOICE_MOST_UNFINISHED) {
        text_add(out, "; there it is not finished in ");
        add_percent(out, f->unfinished);
        text_add(out, " of futures");
    }
}
