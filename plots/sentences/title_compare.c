/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_compare.h"

#include "plots/sentences/title_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whom to set against the baseline, and how the two stand. */
struct rivalry {
    int other;               /* -1: pairs say nothing */
    enum fact_relation cost; /* of other − baseline */
};

/* The chosen one and the baseline, where pairs tell how they stand. */
static struct rivalry chosen_rival(const struct study_facts *f)
{
    struct rivalry r = {-1, FACT_UNKNOWN};

    if (f->chosen >= 0 && f->chosen != f->baseline &&
        f->strategy[f->chosen].cost_difference.relation != FACT_UNKNOWN)
        r = (struct rivalry){f->chosen, f->strategy[f->chosen].cost_difference.relation};
    return r;
}

static struct rivalry find_rival(const struct study_facts *f)
{
    static const enum fact_relation order[] = {FACT_LESS, FACT_UNCLEAR, FACT_ASSUMED, FACT_SAME,
                                               FACT_MORE};
    struct rivalry r = {-1, FACT_UNKNOWN};
    bool unknown = false;

    if (f->baseline < 0 || !f->strategy[f->baseline].stands)
        return r;
    if (chosen_rival(f).other >= 0)
        return chosen_rival(f);
    /* All titles speak of the subject where they can. */
    if (f->subject != f->baseline &&
        f->strategy[f->subject].cost_difference.relation == FACT_UNKNOWN)
        return r;
    for (size_t k = 0; k < sizeof order / sizeof order[0] && r.other < 0; k++) {
        for (size_t i = 0; i < f->count; i++) {
            const struct strategy_facts *s = &f->strategy[i];
            if ((int)i == f->baseline || !s->stands)
                continue;
            unknown = unknown || s->cost_difference.relation == FACT_UNKNOWN;
            if (s->cost_difference.relation == order[k] &&
                (r.other < 0 ||
                 facts_near(&s->cost.p50) < facts_near(&f->strategy[r.other].cost.p50)))
                r = (struct rivalry){(int)i, order[k]};
        }
    }
    /* "Cheaper than every other" needs every other. */
    if (r.cost == FACT_MORE && unknown)
        r.other = -1;
    return r;
}

/* Among those that stand: one that is not clearly dearer than x by its P50, else the nearest. */
static int nearest_by_p50(const struct study_facts *f, int x, enum fact_relation *relation)
{
    int nearest = -1;

    for (size_t i = 0; i < f->count; i++) {
        const struct strategy_facts *s = &f->strategy[i];
        enum fact_relation r;
        if ((int)i == x || !s->stands)
            continue;
        r = facts_p50_between(f, (size_t)x, i);
        if (nearest < 0 || (r != FACT_LESS && *relation == FACT_LESS) ||
            ((r != FACT_LESS) == (*relation != FACT_LESS) &&
             facts_near(&s->cost.p50) < facts_near(&f->strategy[nearest].cost.p50))) {
            nearest = (int)i;
            *relation = r;
        }
    }
    return nearest;
}

/* Who is the cheaper was assumed, not found out. */
static void rests_on_assumption(struct text *out, const struct study_facts *f, int x, int y)
{
    text_format(out, "Between %s and %s the cheaper is not decided: a rate is assumed",
                title_name(f, x).text, title_name(f, y).text);
}

static void compare_by_p50(struct text *out, const struct study_facts *f)
{
    enum fact_relation relation = FACT_UNKNOWN;
    int x = f->subject, y = nearest_by_p50(f, x, &relation);
    const struct fact_quantile *a = &f->strategy[x].cost.p50, *b;

    if (y < 0 && f->count > 1) {
        text_format(out, "Only %s finishes in at least 99 of 100 futures", title_name(f, x).text);
        return;
    }
    if (y < 0) {
        title_level(out, f, x);
        return;
    }
    b = &f->strategy[y].cost.p50;
    if (relation == FACT_SAME)
        text_format(out, "%s and %s cost the same in every future: %s", title_name(f, x).text,
                    title_name(f, y).text, title_quantile(f, a).text);
    else if (relation == FACT_LESS)
        text_format(out, "%s has the lowest P50 cost: %s against %s for %s", title_name(f, x).text,
                    title_quantile(f, a).text, title_quantile(f, b).text, title_name(f, y).text);
    else if (relation == FACT_ASSUMED)
        rests_on_assumption(out, f, x, y);
    else
        text_format(out, "No clear difference in P50 cost between %s and %s", title_name(f, x).text,
                    title_name(f, y).text);
}

/* The lower of two bounds of what may be unknown. */
static double at_least(const struct fact_quantile *q)
{
    return isfinite(q->value) ? q->value : q->at_least;
}

/* The name, with what a title says of the one that was chosen. */
static struct title_words marked_name(const struct study_facts *f, int x)
{
    struct title_words w = title_name(f, x);

    if (x == f->chosen)
        snprintf(w.text + strlen(w.text), sizeof w.text - strlen(w.text), " (chosen)");
    return w;
}

/* ": P50 $2,410 against $3,310", where x is surely the lower. */
static void add_p50s(struct text *out, const struct study_facts *f, const struct strategy_facts *x,
                     const struct strategy_facts *b)
{
    if (facts_near(&x->cost.p50) < at_least(&b->cost.p50))
        text_format(out, ": P50 %s against %s", title_quantile(f, &x->cost.p50).text,
                    title_quantile(f, &b->cost.p50).text);
}

/* Pairs are left out, so no mean is known; but more than half of the futures are surely cheaper
 * than the baseline's, and so is the P50. */
static bool wins_surely(const struct study_facts *f)
{
    const struct strategy_facts *s = &f->strategy[f->subject];

    return f->baseline >= 0 && f->subject != f->baseline && f->strategy[f->baseline].stands &&
           s->cost_difference.relation != FACT_ASSUMED && s->cost_difference.left_out > 0.0 &&
           s->cost_difference.win_at_least > 0.5 &&
           facts_p50_relation(&s->cost, &f->strategy[f->baseline].cost) == FACT_LESS;
}

static void compare_by_wins(struct text *out, const struct study_facts *f)
{
    const struct strategy_facts *s = &f->strategy[f->subject], *b = &f->strategy[f->baseline];
    const struct fact_difference *d = &s->cost_difference;

    text_format(
        out, "%s is cheaper than %s %s", title_name(f, f->subject).text,
        title_name(f, f->baseline).text,
        title_in_futures(d->win_at_least, d->n + d->left_out, d->win_at_least < d->win_at_most)
            .text);
    add_p50s(out, f, s, b);
}

static void compare_cheaper(struct text *out, const struct study_facts *f, int x)
{
    const struct strategy_facts *s = &f->strategy[x], *b = &f->strategy[f->baseline];
    const struct fact_difference *d = &s->cost_difference;

    if (!(d->win_at_least >= 0.5)) {
        text_format(out, "%s saves %s on average against %s, but is cheaper in only %s",
                    marked_name(f, x).text, title_money(f, -d->mean, FIGURE_NEAREST).text,
                    title_name(f, f->baseline).text,
                    figure_futures(d->win_at_least, d->n, FIGURE_NEAREST).text);
        return;
    }
    text_format(out, "%s is cheaper than %s %s", marked_name(f, x).text,
                title_name(f, f->baseline).text,
                title_in_futures(d->win_at_least, d->n, false).text);
    add_p50s(out, f, s, b);
}

static bool all_stand(const struct study_facts *f)
{
    for (size_t i = 0; i < f->count; i++) {
        if (!f->strategy[i].stands)
            return false;
    }
    return true;
}

static void compare_pair(struct text *out, const struct study_facts *f, struct rivalry r)
{
    int x = r.other, b = f->baseline;

    switch (r.cost) {
    case FACT_LESS:
        compare_cheaper(out, f, x);
        break;
    case FACT_MORE:
        if (x == f->chosen) {
            text_format(out, "%s costs %s more on average than %s", marked_name(f, x).text,
                        title_money(f, f->strategy[x].cost_difference.mean, FIGURE_NEAREST).text,
                        title_name(f, b).text);
            break;
        }
        text_format(out, "No strategy %sis cheaper than %s: the next, %s, costs %s more on average",
                    all_stand(f) ? "" : "that finishes ", title_name(f, b).text,
                    title_name(f, x).text,
                    title_money(f, f->strategy[x].cost_difference.mean, FIGURE_NEAREST).text);
        break;
    case FACT_ASSUMED:
        rests_on_assumption(out, f, x, b);
        break;
    case FACT_SAME:
        text_format(out, "%s and %s cost the same in every future", marked_name(f, x).text,
                    title_name(f, b).text);
        break;
    default:
        text_format(out, "No clear difference in cost between %s and %s", marked_name(f, x).text,
                    title_name(f, b).text);
        break;
    }
}

void title_compare(struct text *out, const struct study_facts *f)
{
    struct rivalry r = find_rival(f);

    if (f->subject < 0)
        title_unfinished(out, f);
    else if (f->strategy[f->subject].worlds < 1.5)
        title_no_spread(out, f, f->subject);
    else if (r.other >= 0)
        compare_pair(out, f, r);
    else if (wins_surely(f))
        compare_by_wins(out, f);
    else
        compare_by_p50(out, f);
}

/* What stands for "X … B" by relation of cost (row) and time (column); %1$s is X, %2$s is B. */
static const char *pair_sentence(enum fact_relation cost, enum fact_relation time)
{
    static const char *const sentences[4][4] = {
        /* cost less */
        {"%1$s is cheaper and faster than %2$s", "%1$s is cheaper than %2$s but slower",
         "%1$s is cheaper than %2$s and takes as long",
         "%1$s is cheaper than %2$s, with no clear difference in time"},
        /* cost more */
        {"%1$s is faster than %2$s but costs more", "%2$s is cheaper and faster than %1$s",
         "%2$s is cheaper than %1$s and takes as long",
         "%2$s is cheaper than %1$s, with no clear difference in time"},
        /* the same cost */
        {"%1$s is faster than %2$s at the same cost", "%2$s is faster than %1$s at the same cost",
         "%1$s and %2$s cost and take the same in every future",
         "%1$s costs the same as %2$s, with no clear difference in time"},
        /* no clear difference in cost */
        {"%1$s is faster than %2$s, with no clear difference in cost",
         "%2$s is faster than %1$s, with no clear difference in cost",
         "%1$s takes as long as %2$s, with no clear difference in cost",
         "No clear difference between %1$s and %2$s in cost or time"}};
    static const int index[] = {
        [FACT_LESS] = 0, [FACT_MORE] = 1, [FACT_SAME] = 2, [FACT_UNCLEAR] = 3};

    return sentences[index[cost]][index[time]];
}

/* Puts a and b in the places of %1$s and %2$s (the format is not a literal, so printf's check would
 * not see it). */
static void add_sentence(struct text *out, const char *sentence, const char *a, const char *b)
{
    for (const char *p = sentence; *p != '\0'; p++) {
        if (p[0] == '%' && (p[1] == '1' || p[1] == '2') && p[2] == '$') {
            text_add(out, p[1] == '1' ? a : b);
            p += 3;
        } else {
            text_add_bytes(out, p, 1);
        }
    }
}

void title_cost_time(struct text *out, const struct study_facts *f)
{
    struct rivalry r = find_rival(f);
    const struct strategy_facts *x, *b;
    enum fact_relation time;

    if (f->subject < 0) {
        title_unfinished(out, f);
        return;
    }
    x = &f->strategy[r.other >= 0 ? r.other : f->subject];
    time = x->time_difference.relation;
    if (r.other >= 0 && r.cost == FACT_ASSUMED) {
        rests_on_assumption(out, f, r.other, f->baseline);
        return;
    }
    if (r.other < 0 || time == FACT_UNKNOWN) {
        text_format(out, "%s: P50 %s", title_name(f, (int)(x - f->strategy)).text,
                    title_quantile(f, &x->cost.p50).text);
        if (isfinite(x->time.p50.value))
            text_format(out, " and %s",
                        figure_time_words(x->time.p50.value, f->unit, FIGURE_NEAREST).text);
        return;
    }
    b = &f->strategy[f->baseline];
    add_sentence(out, pair_sentence(r.cost, time), marked_name(f, r.other).text,
                 title_name(f, f->baseline).text);
    if (r.cost == FACT_LESS)
        add_p50s(out, f, x, b);
}
