/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_flips.h"

#include "plots/sentences/drivers.h"
#include "plots/sentences/report_figures.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define NO_ROW     SIZE_MAX
#define INPUTS_MAX 256

/* One uncertain input and what the two tables know of it. */
struct flip {
    const char *input;
    size_t threshold; /* row of thresholds.csv with a value; NO_ROW: none turns it */
    size_t searched;  /* any row of it there */
    size_t behind;    /* row in which another is ahead all along; NO_ROW: none */
    bool unknown;     /* against somebody who can be chosen nothing is known */
    double from, to;  /* known against all who can be chosen; NaN: nowhere */
    size_t effect;    /* row of sensitivity.csv */
    double distance;  /* of the threshold; INFINITY: none */
    double strength;  /* |rank correlation|, 0: not told from none */
};

struct flips {
    size_t count;
    struct flip flip[INPUTS_MAX];
};

static struct flip *find(struct flips *f, const char *input)
{
    for (size_t i = 0; i < f->count; i++) {
        if (strcmp(f->flip[i].input, input) == 0)
            return &f->flip[i];
    }
    if (f->count == INPUTS_MAX || input[0] == '\0')
        return NULL;
    f->flip[f->count] = (struct flip){.input = input,
                                      .threshold = NO_ROW,
                                      .searched = NO_ROW,
                                      .behind = NO_ROW,
                                      .from = NAN,
                                      .to = NAN,
                                      .effect = NO_ROW,
                                      .distance = INFINITY};
    return &f->flip[f->count++];
}

static void read_effects(struct flips *f, const struct report_source *s, int strategy)
{
    const struct table *t = s->sensitivity;

    for (size_t row = 0; t != NULL && strategy >= 0 && row < table_rows(t); row++) {
        double rho = report_cell_number(t, row, "rank_correlation");
        double low = report_cell_number(t, row, "rank_correlation_low");
        double high = report_cell_number(t, row, "rank_correlation_high");
        struct flip *x;
        if (strcmp(report_cell_text(t, row, "strategy"), s->facts->strategy[strategy].name) != 0 ||
            strcmp(report_cell_text(t, row, "metric"), s->facts->frame->cost_metric) != 0)
            continue;
        x = find(f, report_cell_text(t, row, "input"));
        if (x == NULL)
            continue;
        x->effect = row;
        x->strength = low > 0.0 || high < 0.0 ? fabs(rho) : 0.0;
    }
}

/* How far the value is from what the plan uses, in widths of what is expected of the input. */
static double distance(const struct report_source *s, const struct flip *x, size_t row)
{
    const struct table *t = s->thresholds;
    double width = report_cell_number(t, row, "to") - report_cell_number(t, row, "from");

    if (x->effect != NO_ROW) {
        double spread = report_cell_number(s->sensitivity, x->effect, "input_p90") -
                        report_cell_number(s->sensitivity, x->effect, "input_p10");
        if (spread > 0.0)
            width = spread;
    }
    return fabs(report_cell_number(t, row, "threshold") - report_cell_number(t, row, "now")) /
           (width > 0.0 ? width : 1.0);
}

static bool can_be_chosen(const struct report_source *s, const char *strategy)
{
    const struct table *t = s->choice;

    for (size_t row = 0; t != NULL && row < table_rows(t); row++) {
        const char *status = report_cell_text(t, row, "status");
        if (strcmp(report_cell_text(t, row, "strategy"), strategy) == 0)
            return strcmp(status, "chosen") == 0 || strcmp(status, "level") == 0 ||
                   strcmp(status, "worse") == 0;
    }
    return true;
}

/* Whether the choice can turn as the row says. It asked at every value who can be chosen there,
 * when it knows why the two change places; one of an older program knows amounts alone, by which
 * nothing turns to a strategy that breaks a limit, or is unfinished, as the plan stands. */
static bool can_turn(const struct report_source *s, size_t row)
{
    const struct table *t = s->thresholds;
    bool turns = isfinite(report_cell_number(t, row, "threshold"));

    if (turns ? report_cell_text(t, row, "cause")[0] != '\0'
              : strcmp(report_cell_text(t, row, "outcome"), "behind") != 0)
        return true;
    return can_be_chosen(s, report_cell_text(t, row, "other"));
}

/* What the row says where the choice does not turn. */
static void read_outcome(struct flip *x, const struct table *t, size_t row)
{
    const char *outcome = report_cell_text(t, row, "outcome");
    double from = report_cell_number(t, row, "known_from");
    double to = report_cell_number(t, row, "known_to");

    if (strcmp(outcome, "behind") == 0 && x->behind == NO_ROW)
        x->behind = row;
    if (strcmp(outcome, "ahead") != 0 && strcmp(outcome, "same") != 0)
        x->unknown = x->unknown || strcmp(outcome, "unknown") == 0 || outcome[0] == '\0';
    else {
        x->from = x->from > from ? x->from : from;
        x->to = x->to < to ? x->to : to;
    }
}

/* Those of another choice say nothing of this one. */
static void read_thresholds(struct flips *f, const struct report_source *s, int strategy)
{
    const struct table *t = s->thresholds;

    for (size_t row = 0; t != NULL && row < table_rows(t); row++) {
        const char *chosen = report_cell_text(t, row, "chosen");
        struct flip *x;
        double away;
        if (strategy < 0 ||
            (chosen[0] != '\0' && strcmp(chosen, s->facts->strategy[strategy].name) != 0))
            continue;
        x = find(f, report_cell_text(t, row, "input"));
        if (x == NULL)
            continue;
        x->searched = row;
        if (!can_turn(s, row))
            continue;
        read_outcome(x, t, row);
        if (!isfinite(report_cell_number(t, row, "threshold")))
            continue;
        away = distance(s, x, row);
        if (!isfinite(away))
            away = HUGE_VAL;
        if (x->threshold == NO_ROW || away < x->distance) {
            x->threshold = row;
            x->distance = away;
        }
    }
}

static bool carries_more(const struct flip *a, const struct flip *b)
{
    if ((a->threshold == NO_ROW) != (b->threshold == NO_ROW))
        return a->threshold != NO_ROW;
    return a->distance != b->distance ? a->distance < b->distance : a->strength > b->strength;
}

/* The three that carry most, in front; a few passes over few rows. */
static size_t pick(struct flips *f)
{
    size_t picked = 0;

    for (; picked < REPORT_FLIPS_MAX && picked < f->count; picked++) {
        struct flip swap = f->flip[picked];
        size_t best = picked;
        for (size_t i = picked + 1; i < f->count; i++) {
            if (carries_more(&f->flip[i], &f->flip[best]))
                best = i;
        }
        f->flip[picked] = f->flip[best];
        f->flip[best] = swap;
        if (f->flip[picked].threshold == NO_ROW && !(f->flip[picked].strength > 0.0))
            break;
    }
    return picked;
}

/* ---- what is shown ---- */

#define NAME_EM 40.0

/* The path without what it begins with; of a spot market what its level means. */
static const char *input_name(struct report_document *r, const char *input)
{
    size_t length = 0;
    const char *market = driver_market(input, &length), *kept;
    struct text t;

    text_init(&t, 0);
    if (market != NULL && r->language != REPORT_EN) {
        text_add_bytes(&t, market, length);
        kept = REPORT_WORDS_OF(r, WORD_MARKET_ROOM, report_clean(r, t.data));
    } else {
        driver_name(&t, input, NAME_EM, false);
        kept = report_clean(r, t.data);
    }
    text_release(&t);
    return kept;
}

/* "nowhere" is said of what is known alone. */
static const char *turns_nowhere(struct report_document *r, const struct report_source *s,
                                 const struct flip *x, const char *unit)
{
    const struct table *t = s->thresholds;
    enum report_language l = r->language;

    if (x->behind != NO_ROW)
        return REPORT_WORDS_OF(
            r, WORD_TURNS_BEHIND, report_clean(r, report_cell_text(t, x->behind, "other")),
            report_value(l, report_cell_number(t, x->behind, "known_from"), unit).text,
            report_value(l, report_cell_number(t, x->behind, "known_to"), unit).text);
    if (x->unknown || !(x->from < x->to))
        return report_word(l, WORD_TURNS_UNKNOWN);
    return REPORT_WORDS_OF(r, WORD_TURNS_NOWHERE, report_value(l, x->from, unit).text,
                           report_value(l, x->to, unit).text);
}

static const char *turns_at(struct report_document *r, const struct report_source *s,
                            const struct flip *x)
{
    const struct table *t = s->thresholds;
    size_t row = x->threshold;
    enum report_language l = r->language;
    const char *unit, *other;
    struct report_figure value;
    bool below;
    double low, high;

    if (t == NULL)
        return report_word(l, WORD_NOT_COMPUTED);
    if (row == NO_ROW &&
        (x->searched == NO_ROW || !isfinite(report_cell_number(t, x->searched, "from"))))
        return report_word(l, WORD_NOT_SEARCHED);
    unit = report_cell_text(t, row == NO_ROW ? x->searched : row, "unit");
    if (row == NO_ROW)
        return turns_nowhere(r, s, x, unit);
    below = strcmp(report_cell_text(t, row, "direction"), "below") == 0;
    other = report_clean(r, report_cell_text(t, row, "other"));
    value = report_value(l, report_cell_number(t, row, "threshold"), unit);
    low = report_cell_number(t, row, "threshold_low");
    high = report_cell_number(t, row, "threshold_high");
    if (isfinite(low) && isfinite(high) &&
        strcmp(report_value(l, low, unit).text, report_value(l, high, unit).text) != 0)
        return REPORT_WORDS_OF(r, below ? WORD_TURNS_BELOW_RANGE : WORD_TURNS_ABOVE_RANGE,
                               value.text, other, report_value(l, low, unit).text,
                               report_value(l, high, unit).text);
    return REPORT_WORDS_OF(r, below ? WORD_TURNS_BELOW : WORD_TURNS_ABOVE, value.text, other);
}

/* "cost P50 $4,100 in the lowest fifth, $6,300 in the highest (rank correlation 0.72)"; of a cost
 * that is the same in every world there is no correlation. */
static const char *effect(struct report_document *r, const struct report_source *s,
                          const struct flip *x)
{
    const struct table *t = s->sensitivity;
    enum report_language l = r->language;
    struct report_figure least, most;
    double correlation;
    const char *unit;
    char rho[32];

    if (x->effect == NO_ROW)
        return "";
    unit = report_cell_text(t, x->effect, "metric_unit");
    least = report_value(l, report_cell_number(t, x->effect, "metric_when_low"), unit);
    most = report_value(l, report_cell_number(t, x->effect, "metric_when_high"), unit);
    correlation = report_cell_number(t, x->effect, "rank_correlation");
    if (isnan(correlation))
        return REPORT_WORDS_OF(r, WORD_EFFECT_ALONE, least.text, most.text);
    snprintf(rho, sizeof rho, "%.2f", correlation);
    return REPORT_WORDS_OF(r, WORD_EFFECT, least.text, most.text, rho);
}

/* What the plan uses, and P10 to P90 of what is expected. */
static const char *now(struct report_document *r, const struct report_source *s,
                       const struct flip *x)
{
    enum report_language l = r->language;
    const struct table *t = s->sensitivity;
    size_t row = x->threshold != NO_ROW ? x->threshold : x->searched;
    size_t length;
    double used = row == NO_ROW ? (double)NAN : report_cell_number(s->thresholds, row, "now");
    const char *unit = row == NO_ROW ? "" : report_cell_text(s->thresholds, row, "unit");

    if (driver_market(x->input, &length) != NULL)
        return report_word(l, WORD_MARKET_LEVEL);
    if (x->effect == NO_ROW)
        return report_clean(r, report_value(l, used, unit).text);
    unit = report_cell_text(t, x->effect, "input_unit");
    if (!isfinite(used))
        used = report_cell_number(t, x->effect, "input_p50");
    return REPORT_WORDS_OF(
        r, WORD_NOW_SPREAD, report_value(l, used, unit).text,
        report_value(l, report_cell_number(t, x->effect, "input_p10"), unit).text,
        report_value(l, report_cell_number(t, x->effect, "input_p90"), unit).text);
}

/* What it would be worth to know everything before choosing: the most that any study can be. */
static void add_information(struct report_document *r, const struct report_source *s)
{
    const struct table *t = s->information;

    for (size_t row = 0; t != NULL && row < table_rows(t); row++) {
        double value = report_cell_number(t, row, "value");
        const char *unit = report_cell_text(t, row, "unit");
        double among = report_cell_number(t, row, "strategies");
        enum report_word word = isfinite(among) && among < (double)s->facts->count
                                    ? WORD_INFORMATION_AMONG
                                    : WORD_INFORMATION;
        if (strcmp(report_cell_text(t, row, "input"), "all") != 0 || !isfinite(value) ||
            strcmp(report_cell_text(t, row, "metric"), s->facts->frame->cost_metric) != 0)
            continue;
        REPORT_ADD(r, REPORT_TEXT, word, report_value(r->language, value, unit).text,
                   report_value(r->language, report_cell_number(t, row, "value_low"), unit).text,
                   report_value(r->language, report_cell_number(t, row, "value_high"), unit).text,
                   report_count(r->language, among).text);
        return;
    }
}

/* Of single inputs the one that is most worth knowing: it can carry the choice and yet not move the
 * cost of what is chosen, as a commitment costs the same however little runs. */
static void add_information_of_one(struct report_document *r, const struct report_source *s)
{
    const struct table *t = s->information;
    enum report_language l = r->language;
    size_t best = NO_ROW;

    for (size_t row = 0; t != NULL && row < table_rows(t); row++)
        if (strcmp(report_cell_text(t, row, "input"), "all") != 0 &&
            strcmp(report_cell_text(t, row, "metric"), s->facts->frame->cost_metric) == 0 &&
            report_cell_number(t, row, "value_low") > 0.0 &&
            (best == NO_ROW ||
             report_cell_number(t, row, "value") > report_cell_number(t, best, "value")))
            best = row;
    if (best == NO_ROW)
        return;
    const char *unit = report_cell_text(t, best, "unit");
    REPORT_ADD(r, REPORT_TEXT, WORD_INFORMATION_ONE,
               input_name(r, report_cell_text(t, best, "input")),
               report_value(l, report_cell_number(t, best, "value"), unit).text,
               report_value(l, report_cell_number(t, best, "value_low"), unit).text,
               report_value(l, report_cell_number(t, best, "value_high"), unit).text);
}

/* A line for the shell. */
static const char *command_of(struct report_document *r, const struct report_source *s,
                              const char *verb)
{
    const char *line =
        arena_format(r->arena, "fleetcast %s %s", verb, s->folder == NULL ? "DIR" : s->folder);

    return line == NULL ? "fleetcast" : line;
}

static void add_missing(struct report_document *r, const struct report_source *s, int strategy,
                        size_t picked)
{
    if (s->thresholds == NULL || table_rows(s->thresholds) == 0)
        REPORT_ADD(r, REPORT_TEXT, WORD_NO_THRESHOLDS,
                   report_clean(r, command_of(r, s, "thresholds")));
    if (s->sensitivity == NULL)
        REPORT_ADD(r, REPORT_TEXT, WORD_NO_SENSITIVITY, "fleetcast run");
    else if (table_rows(s->sensitivity) == 0)
        REPORT_ADD(r, REPORT_TEXT, WORD_NOTHING_UNCERTAIN, NULL);
    else if (picked == 0)
        REPORT_ADD(r, REPORT_TEXT, WORD_NOTHING_CARRIES, report_strategy_name(r, s, strategy));
}

void report_flips(struct report_document *r, const struct report_source *s, int strategy)
{
    const enum report_word head[] = {WORD_INPUT, WORD_INPUT_NOW, WORD_INPUT_TURNS,
                                     WORD_INPUT_EFFECT};
    struct flips *f = arena_alloc(r->arena, sizeof *f);
    struct report_block *grid;
    size_t picked;

    REPORT_ADD(r, REPORT_HEADING, WORD_FLIPS_HEADING, NULL);
    if (f == NULL) {
        r->failed = true;
        return;
    }
    f->count = 0;
    read_effects(f, s, strategy);
    read_thresholds(f, s, strategy);
    picked = pick(f);
    grid = picked > 0 ? report_add_grid(r, head, s->sensitivity == NULL ? 3 : 4) : NULL;
    for (size_t i = 0; i < picked && report_add_row(r, grid); i++) {
        report_set(r, grid, 0, input_name(r, f->flip[i].input), NAN);
        report_set(r, grid, 1, now(r, s, &f->flip[i]), NAN);
        report_set(r, grid, 2, turns_at(r, s, &f->flip[i]), NAN);
        report_set(r, grid, 3, effect(r, s, &f->flip[i]), NAN);
    }
    add_missing(r, s, strategy, picked);
    add_information(r, s);
    add_information_of_one(r, s);
}

const char *report_sentence_tornado(struct report_document *r, const struct report_source *s,
                                    int strategy)
{
    struct drivers d;
    struct diagnostics *aside = diagnostics_new();
    bool read = aside != NULL && drivers_read(&d, s->facts, s->sensitivity, aside);
    const char *currency = s->facts->frame->currency;
    enum report_language l = r->language;

    diagnostics_free(aside);
    if (!read || d.strategy != strategy)
        return NULL;
    if (d.count == 0)
        return REPORT_WORDS_OF(r, WORD_SAY_TORNADO_NONE, report_strategy_name(r, s, strategy));
    return REPORT_WORDS_OF(r, WORD_SAY_TORNADO, report_strategy_name(r, s, strategy),
                           input_name(r, d.driver[0].input),
                           report_money(l, d.driver[0].low, currency, FIGURE_NEAREST).text,
                           report_money(l, d.driver[0].high, currency, FIGURE_NEAREST).text);
}
