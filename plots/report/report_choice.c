/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_choice.h"

#include "plots/report/report_metric.h"
#include "plots/report/report_signing.h"
#include "plots/sentences/report_figures.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As everywhere: above this share of unfinished futures nothing is called good. */
#define UNFINISHED_MAX 0.01

const char *report_strategy_name(struct report_document *r, const struct report_source *s,
                                 int strategy)
{
    return strategy < 0 ? "" : report_clean(r, s->facts->strategy[strategy].name);
}

static void take_row(struct report_choice *c, const struct report_source *s, size_t row)
{
    const char *status = report_cell_text(s->choice, row, "status");
    int i = report_strategy(s->facts, report_cell_text(s->choice, row, "strategy"));

    if (i < 0)
        return;
    if (strcmp(status, "chosen") == 0 && c->recommended < 0 && !c->disbelieved) {
        c->disbelieved = !(s->facts->strategy[i].unfinished_share <= UNFINISHED_MAX);
        if (!c->disbelieved) {
            c->recommended = i;
            c->recommended_row = row;
        }
    } else if (strcmp(status, "level") == 0 && c->level_count < CHART_STRATEGIES_MAX) {
        c->level[c->level_count++] = i;
    }
    if (report_cell_number(s->choice, row, "rank") == 2.0 && c->runner_up < 0) {
        c->runner_up = i;
        c->runner_up_row = row;
    }
}

void report_choice_read(struct report_choice *c, const struct report_source *s)
{
    *c = (struct report_choice){.recommended = -1, .runner_up = -1};
    if (s->choice == NULL || table_rows(s->choice) == 0)
        return;
    c->asked = true;
    for (size_t row = 0; row < table_rows(s->choice); row++)
        take_row(c, s, row);
    if (c->recommended < 0 || c->runner_up == c->recommended)
        c->runner_up = -1;
    if (c->recommended < 0)
        c->level_count = 0;
}

/* ---- the decision asked ---- */

void report_choice_lead(struct report_document *r, const struct report_source *s,
                        const struct report_choice *c)
{
    struct report_signing signing;

    if (!c->asked) {
        REPORT_ADD(r, REPORT_LEAD, WORD_LEAD_NOT_ASKED, NULL);
        REPORT_ADD(r, REPORT_TEXT, WORD_HOW_TO_ASK, "choose: {minimise: cost_usd.p80}");
        return;
    }
    if (c->disbelieved) {
        REPORT_ADD(r, REPORT_LEAD, WORD_LEAD_DISBELIEVED, NULL);
        return;
    }
    if (c->recommended < 0) {
        REPORT_ADD(r, REPORT_LEAD, WORD_LEAD_NONE, NULL);
        return;
    }
    report_signing_read(&signing, s, c->recommended);
    report_signing_lead(r, s, c->recommended, &signing);
}

/* ---- how sure ---- */

static double cell(const struct report_source *s, size_t row, const char *column)
{
    return report_cell_number(s->choice, row, column);
}

/* The choice is made in the currency of the computation; its cost is shown in that of the page. */
static bool of_computed_cost(const struct report_source *s, size_t row)
{
    const char *text = report_cell_text(s->choice, row, "objective");
    char computed[16] = "cost_";

    if (!(s->rate > 0.0) || s->price_currency == NULL || strlen(s->price_currency) != 3)
        return false;
    for (size_t i = 0; i < 3; i++)
        computed[5 + i] = (char)tolower((unsigned char)s->price_currency[i]);
    computed[8] = '.';
    if (strncmp(text, "minimise ", 9) == 0 || strncmp(text, "maximise ", 9) == 0)
        text += 9;
    return strncmp(text, computed, 9) == 0 || (strncmp(text, computed, 8) == 0 && text[8] == '\0');
}

static double shown(const struct report_source *s, size_t row, const char *column)
{
    return cell(s, row, column) * (of_computed_cost(s, row) ? s->rate : 1.0);
}

static struct report_figure of_unit(struct report_document *r, const struct report_source *s,
                                    size_t row, const char *column)
{
    if (of_computed_cost(s, row) && isfinite(cell(s, row, column)))
        return report_money(r->language, shown(s, row, column), s->facts->frame->currency,
                            FIGURE_NEAREST);
    return report_value(r->language, cell(s, row, column),
                        report_cell_text(s->choice, row, "unit"));
}

/* Without the verb. */
static const char *objective(struct report_document *r, const struct report_source *s, size_t row)
{
    const char *text = report_cell_text(s->choice, row, "objective");

    if (strncmp(text, "minimise ", 9) == 0 || strncmp(text, "maximise ", 9) == 0)
        text += 9;
    return report_metric(r, s, text);
}

static bool maximises(const struct report_source *s)
{
    return strncmp(report_cell_text(s->choice, 0, "objective"), "maximise ", 9) == 0;
}

/* What the objective of the chosen is on futures that took no part in the choice. */
static void add_fresh(struct report_document *r, const struct report_source *s,
                      const struct report_choice *c)
{
    size_t row = c->recommended_row;
    double worlds = cell(s, row, "fresh_worlds");

    if (!(worlds > 0.0)) {
        REPORT_ADD(r, REPORT_TEXT, WORD_FRESH_NONE, NULL);
        return;
    }
    if (!isfinite(cell(s, row, "fresh_value"))) {
        REPORT_ADD(r, REPORT_TEXT, WORD_FRESH_UNKNOWN, report_count(r->language, worlds).text,
                   objective(r, s, row), report_strategy_name(r, s, c->recommended));
        return;
    }
    REPORT_ADD(r, REPORT_TEXT, WORD_FRESH, report_count(r->language, worlds).text,
               objective(r, s, row), report_strategy_name(r, s, c->recommended),
               of_unit(r, s, row, "fresh_value").text, of_unit(r, s, row, "fresh_low").text,
               of_unit(r, s, row, "fresh_high").text);
}

/* The runner-up's difference on fresh futures where it is known, else on the run's own. Above zero
 * it is the worse one. */
static void add_runner_up(struct report_document *r, const struct report_source *s,
                          const struct report_choice *c)
{
    size_t row = c->runner_up_row;
    bool fresh = isfinite(cell(s, row, "fresh_difference"));
    const char *value = fresh ? "fresh_difference" : "difference";
    const char *low = fresh ? "fresh_difference_low" : "difference_low";
    const char *high = fresh ? "fresh_difference_high" : "difference_high";
    const char *chosen = report_strategy_name(r, s, c->recommended),
               *other = report_strategy_name(r, s, c->runner_up);

    if (c->runner_up < 0)
        REPORT_ADD(r, REPORT_TEXT, WORD_NO_RUNNER_UP, NULL);
    else if (!isfinite(cell(s, row, low)) || !isfinite(cell(s, row, high)))
        REPORT_ADD(r, REPORT_TEXT, WORD_RUNNER_UP_UNKNOWN, other, chosen);
    else
        REPORT_ADD(r, REPORT_TEXT,
                   cell(s, row, low) > 0.0
                       ? fresh ? WORD_RUNNER_UP_WORSE_FRESH : WORD_RUNNER_UP_WORSE
                   : cell(s, row, high) < 0.0 ? WORD_RUNNER_UP_BETTER
                                              : WORD_RUNNER_UP_UNCLEAR,
                   other, chosen, objective(r, s, row), of_unit(r, s, row, value).text,
                   of_unit(r, s, row, low).text, of_unit(r, s, row, high).text);
}

/* "a, b and c" */
static void add_level(struct report_document *r, const struct report_source *s,
                      const struct report_choice *c)
{
    struct text names;

    if (c->level_count == 0)
        return;
    text_init(&names, 0);
    for (size_t i = 0; i < c->level_count; i++) {
        if (i > 0)
            text_add(&names, report_word(r->language, WORD_COMMA));
        REPORT_SAY(&names, r->language, WORD_QUOTED, report_strategy_name(r, s, c->level[i]));
    }
    REPORT_ADD(r, REPORT_TEXT, WORD_LEVEL, names.data, report_strategy_name(r, s, c->recommended));
    text_release(&names);
}

static enum report_word status_word(const char *status)
{
    static const struct {
        const char *status;
        enum report_word word;
    } words[] = {{"chosen", WORD_STATUS_CHOSEN},
                 {"level", WORD_STATUS_LEVEL},
                 {"worse", WORD_STATUS_WORSE},
                 {"breaks-limit", WORD_STATUS_BREAKS},
                 {"unfinished", WORD_STATUS_UNFINISHED}};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i].status, status) == 0)
            return words[i].word;
    }
    return WORD_STATUS_UNKNOWN;
}

/* The unit of a condition's metric by its name, "time_to_train_h.p90 <= 10d": hours; "" where it
 * has none. A share says so by its percent sign, its name or as the chance that it is. */
static const char *limit_unit(struct report_document *r, const struct report_source *s,
                              const char *limit)
{
    const char *colon = strchr(limit, ':'), *end, *unit;
    const char *metric = colon == NULL ? limit : colon + 1;
    const char *known[] = {"h", "s", "frac", NULL};
    char currency[4] = "";
    size_t length;

    if (strchr(limit, '%') != NULL || strcmp(limit, "serve_at_least") == 0 ||
        strncmp(metric, "p_", 2) == 0)
        return "frac";
    for (size_t i = 0; i < 3 && s->price_currency != NULL && s->price_currency[i] != '\0'; i++)
        currency[i] = (char)tolower((unsigned char)s->price_currency[i]);
    known[3] = currency;
    end = metric + strcspn(metric, ". <>=");
    for (unit = end; unit > metric && unit[-1] != '_'; unit--) {
    }
    length = (size_t)(end - unit);
    for (size_t i = 0; unit > metric && i < sizeof known / sizeof known[0]; i++) {
        if (known[i][0] != '\0' && strlen(known[i]) == length &&
            strncmp(known[i], unit, length) == 0)
            return arena_format(r->arena, "%.*s", (int)length, unit);
    }
    return "";
}

/* The number in a text, without its thousands' commas, and the letter of its unit behind it. False:
 * there is none. */
static bool read_amount(const char *text, double *value, char *unit)
{
    char digits[32];
    size_t n = 0;

    text += strcspn(text, "0123456789");
    for (; n + 1 < sizeof digits && strchr("0123456789.,", *text) != NULL && *text != '\0';
         text++) {
        if (*text != ',')
            digits[n++] = *text;
    }
    digits[n] = '\0';
    *value = strtod(digits, NULL);
    *unit = text[strspn(text, " ")];
    return n > 0;
}

/* A value that breaks a limit. One that is rounded to the limit's own number says so, or it would
 * read as if it kept it: "slo_attained_frac >= 90 % does not hold: it is just under 90 %". */
static const char *beyond_limit(struct report_document *r, const struct report_source *s,
                                const char *limit, double value)
{
    const char *unit = limit_unit(r, s, limit), *sign = strpbrk(limit, "<>");
    struct report_figure v = report_value(r->language, value, unit == NULL ? "" : unit);
    double shown, bound;
    char of_shown, of_bound;
    const bool money = !isdigit((unsigned char)v.text[0]);

    if (sign == NULL || !read_amount(v.text, &shown, &of_shown) ||
        !read_amount(sign, &bound, &of_bound) || fabs(shown - bound) > 0.0 ||
        (!money && of_shown != of_bound) || (money && of_shown != '\0'))
        return report_clean(r, v.text);
    return REPORT_WORDS_OF(r, *sign == '>' ? WORD_JUST_UNDER : WORD_JUST_OVER, v.text);
}

static const char *why(struct report_document *r, const struct report_source *s, size_t row)
{
    const char *status = report_cell_text(s->choice, row, "status");
    const char *limit = report_cell_text(s->choice, row, "limit");
    double low = cell(s, row, "difference_low"), high = cell(s, row, "difference_high");
    int i = report_strategy(s->facts, report_cell_text(s->choice, row, "strategy"));
    const struct strategy_facts *f = i < 0 ? NULL : &s->facts->strategy[i];

    if (strcmp(status, "breaks-limit") == 0) {
        double value = cell(s, row, "limit_value");
        return isfinite(value)
                   ? REPORT_WORDS_OF(r, WORD_WHY_LIMIT, report_condition(r, s, limit),
                                     beyond_limit(r, s, limit, value))
                   : REPORT_WORDS_OF(r, WORD_WHY_LIMIT_UNKNOWN, report_condition(r, s, limit));
    }
    if (strcmp(status, "unfinished") == 0 && f != NULL && isfinite(f->unfinished_share))
        return REPORT_WORDS_OF(
            r, WORD_WHY_UNFINISHED,
            report_futures(r->language, f->unfinished_share, f->worlds, FIGURE_NEAREST).text);
    if (strcmp(status, "chosen") == 0)
        return REPORT_WORDS_OF(r, WORD_WHY_CHOSEN, NULL);
    if (!isfinite(low) || !isfinite(high))
        return REPORT_WORDS_OF(r, WORD_WHY_UNKNOWN, NULL);
    return REPORT_WORDS_OF(r,
                           low > 0.0    ? WORD_WHY_WORSE
                           : high < 0.0 ? WORD_WHY_BETTER
                                        : WORD_WHY_UNCLEAR,
                           of_unit(r, s, row, "difference").text,
                           of_unit(r, s, row, "difference_low").text,
                           of_unit(r, s, row, "difference_high").text);
}

static void add_reasons(struct report_document *r, const struct report_source *s)
{
    const enum report_word head[] = {WORD_STRATEGY, WORD_STATUS, WORD_OBJECTIVE, WORD_WHY};
    struct report_block *grid = report_add_grid(r, head, 4);

    if (grid != NULL)
        grid->right[2] = true;
    for (size_t row = 0; row < table_rows(s->choice) && report_add_row(r, grid); row++) {
        report_set(r, grid, 0, report_clean(r, report_cell_text(s->choice, row, "strategy")), NAN);
        report_set(
            r, grid, 1,
            report_word(r->language, status_word(report_cell_text(s->choice, row, "status"))), NAN);
        report_set(r, grid, 2, of_unit(r, s, row, "value").text, shown(s, row, "value"));
        report_set(r, grid, 3, why(r, s, row), NAN);
    }
}

void report_choice_sure(struct report_document *r, const struct report_source *s,
                        const struct report_choice *c)
{
    if (c->recommended < 0)
        return;
    add_runner_up(r, s, c);
    add_level(r, s, c);
    add_fresh(r, s, c);
}

void report_choice_limits(struct report_document *r, const struct report_source *s,
                          const struct report_choice *c)
{
    const char *name = report_strategy_name(r, s, c->recommended);

    for (size_t row = 0; c->recommended >= 0 && s->limits != NULL && row < table_rows(s->limits);
         row++) {
        const char *status = report_cell_text(s->limits, row, "status");
        const char *limit = report_cell_text(s->limits, row, "limit");
        double value = report_cell_number(s->limits, row, "value");
        if (strcmp(status, "kept") == 0 ||
            report_strategy(s->facts, report_cell_text(s->limits, row, "strategy")) !=
                c->recommended)
            continue;
        if (strcmp(status, "broken") == 0 && isfinite(value))
            REPORT_ADD(r, REPORT_TEXT, WORD_LIMIT_BROKEN, report_condition(r, s, limit), name,
                       beyond_limit(r, s, limit, value));
        else
            REPORT_ADD(r, REPORT_TEXT,
                       strcmp(status, "broken") == 0 ? WORD_LIMIT_BROKEN_ONLY
                                                     : WORD_LIMIT_NOT_KNOWN,
                       report_condition(r, s, limit), name);
    }
}

void report_choice_others(struct report_document *r, const struct report_source *s,
                          const struct report_choice *c)
{
    if (!c->asked)
        return;
    REPORT_ADD(r, REPORT_HEADING, c->recommended < 0 ? WORD_WHY_NONE : WORD_WHY_HEADING, NULL);
    add_reasons(r, s);
    REPORT_ADD(r, REPORT_NOTE, maximises(s) ? WORD_OBJECTIVE_NOTE_MOST : WORD_OBJECTIVE_NOTE,
               objective(r, s, 0));
}

/* ---- against the baseline ---- */

void report_choice_saving(struct report_document *r, const struct report_source *s, int strategy)
{
    const struct study_facts *f = s->facts;
    const struct fact_difference *d = &f->strategy[strategy].cost_difference;
    const char *x = report_strategy_name(r, s, strategy),
               *b = report_strategy_name(r, s, f->baseline);
    const char *currency = f->frame->currency;
    enum report_language l = r->language;
    struct report_figure amount = report_money(l, fabs(d->mean), currency, FIGURE_NEAREST);

    if (f->baseline < 0 || strategy == f->baseline)
        return;
    switch (d->relation) {
    case FACT_LESS:
        REPORT_ADD(r, REPORT_TEXT, WORD_SAVES, x, amount.text, b,
                   report_money_range(l, -d->high, -d->low, currency).text,
                   report_futures(l, d->win_at_least, d->n, FIGURE_NEAREST).text);
        break;
    case FACT_MORE:
        REPORT_ADD(r, REPORT_TEXT, WORD_COSTS_MORE, x, amount.text, b,
                   report_money_range(l, d->low, d->high, currency).text);
        break;
    case FACT_SAME:
        REPORT_ADD(r, REPORT_TEXT, WORD_COSTS_SAME, x, b);
        break;
    case FACT_ASSUMED:
        REPORT_ADD(r, REPORT_TEXT, WORD_RESTS_ON_RATE, x, b);
        break;
    case FACT_UNCLEAR:
        REPORT_ADD(r, REPORT_TEXT, WORD_NO_CLEAR_DIFFERENCE, x, b,
                   report_money_range(l, -d->high, -d->low, currency).text);
        break;
    default:
        REPORT_ADD(r, REPORT_TEXT, WORD_SAVING_UNKNOWN, x, b);
        break;
    }
}
