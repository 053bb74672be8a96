/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/console/run_remarks.h"

#include "plots/text/figures.h"
#include "plots/text/label.h"
#include "plots/text/terminal_line.h"

#include <math.h>

/* A stated amount loses no more than fractions of a cent. */
static int budget_decimals(double budget)
{
    return budget == floor(budget) ? 0 : fabs(budget) >= 1.0 ? 2 : figure_amount_decimals(budget);
}

/* "; deadline 4 days", or of each workload, three at most. */
static void add_deadlines(const struct run_remarks *t, struct text *line)
{
    const struct chart_frame *frame = t->facts->frame;
    double single = facts_single_deadline_h(frame);
    size_t shown = frame->deadline_count < 3 ? frame->deadline_count : 3;

    if (isfinite(single)) {
        text_format(line, "; deadline %s",
                    figure_time_words(single, t->facts->unit, FIGURE_NEAREST).text);
        return;
    }
    for (size_t i = 0; i < shown; i++) {
        text_add(line, i == 0 ? "; deadline of " : ", of ");
        label_clean(line,
                    frame->deadlines[i].workload == NULL ? "all" : frame->deadlines[i].workload);
        text_format(
            line, " %s",
            figure_time_words(frame->deadlines[i].hours, t->facts->unit, FIGURE_NEAREST).text);
    }
    if (shown < frame->deadline_count)
        text_format(line, " and %zu more", frame->deadline_count - shown);
}

bool run_remarks_head(const struct run_remarks *t, const struct terminal_style *style, FILE *out)
{
    const struct chart_frame *frame = t->facts->frame;
    struct text line;
    bool ok = true;

    text_init(&line, 4096);
    if (frame->scenario != NULL && frame->scenario[0] != '\0')
        ok = terminal_line(style, out, frame->scenario);
    text_format(&line, "Cost in %.8s, tax %s", frame->currency,
                frame->tax_included ? "included" : "excluded");
    if (isfinite(frame->budget))
        text_format(&line, frame->budget_uncertain ? "; budget P50 %s (uncertain)" : "; budget %s",
                    figure_decimal(frame->budget, budget_decimals(frame->budget)).text);
    add_deadlines(t, &line);
    if (t->saves) {
        text_add(&line, "; saves, cheaper: against ");
        label_clean(&line, frame->baseline);
    }
    ok = ok && terminal_line(style, out, line.data) && fputc('\n', out) != EOF;
    text_release(&line);
    return ok;
}

/* Which strategies may not be chosen between; five pairs at most. */
static bool write_undecided(const struct run_remarks *t, const struct terminal_style *style,
                            FILE *out)
{
    const struct chart_frame *frame = t->facts->frame;
    struct text line;
    size_t named = 0, more = 0;
    bool ok = true;

    text_init(&line, 4096);
    for (size_t i = 0; i < frame->undecided_count && ok; i++) {
        const struct chart_pair *p = &frame->undecided[i];
        if (p->a >= t->facts->count || p->b >= t->facts->count)
            continue;
        if (named == 5) {
            more++;
            continue;
        }
        named++;
        text_clear(&line);
        label_clean(&line, t->facts->strategy[p->a].name);
        text_add(&line, " and ");
        label_clean(&line, t->facts->strategy[p->b].name);
        text_add(&line, ": which is the cheaper is not decided, a savings-plan rate is assumed");
        ok = terminal_line(style, out, line.data);
    }
    text_clear(&line);
    if (more > 0)
        text_format(&line, "and %zu more pairs that an assumed rate leaves undecided", more);
    ok = ok && (more == 0 || terminal_line(style, out, line.data));
    text_release(&line);
    return ok;
}

/* What there is to say of a strategy, behind its name; false: nothing. */
typedef bool named_remark(const struct run_remarks *t, size_t strategy, struct text *line);

/* A line for each strategy of which there is something to say. others: how those after the fifth
 * are summed up ("and 3 more …"); NULL: all are named. */
static bool write_named(const struct run_remarks *t, const struct terminal_style *style, FILE *out,
                        named_remark *remark, const char *others)
{
    struct text said, line;
    size_t named = 0, more = 0;
    bool ok = true;

    text_init(&said, 4096);
    text_init(&line, 4096);
    for (size_t i = 0; i < t->facts->count && ok; i++) {
        text_clear(&said);
        if (!remark(t, i, &said))
            continue;
        if (others != NULL && named == 5) {
            more++;
            continue;
        }
        named++;
        text_clear(&line);
        label_clean(&line, t->facts->strategy[i].name);
        text_add(&line, said.data);
        ok = terminal_line(style, out, line.data);
    }
    text_clear(&line);
    if (more > 0)
        text_format(&line, "and %zu more %s", more, others);
    ok = ok && (more == 0 || terminal_line(style, out, line.data));
    text_release(&said);
    text_release(&line);
    return ok;
}

static bool is_unfinished(const struct run_remarks *t, size_t strategy, struct text *line)
{
    const struct strategy_facts *s = &t->facts->strategy[strategy];

    if (!(s->unfinished > 0.0))
        return false;
    text_format(line, ": not finished in %s%s",
                figure_futures(s->unfinished_share, s->worlds, FIGURE_NEAREST).text,
                s->cost.censored > 0.0 ? "; their costs are lower bounds" : "");
    return true;
}

/* Work that went on behind the end of a trace. */
static bool is_beyond_trace(const struct run_remarks *t, size_t strategy, struct text *line)
{
    const struct strategy_facts *s = &t->facts->strategy[strategy];

    if (!(s->beyond_trace > 0.0))
        return false;
    text_format(line, ": its trace ended before the work in %s; from there on it has no nodes",
                figure_futures(s->beyond_trace, s->worlds, FIGURE_NEAREST).text);
    return true;
}

/* What serves less than another strategy, so that its cost says nothing beside that one's. */
static bool is_unmet(const struct run_remarks *t, size_t strategy, struct text *line)
{
    if (!facts_serves_less(t->facts, strategy))
        return false;
    text_format(line, ": leaves %.3g %% of the node-hours needed unmet, others less",
                100.0 * (1.0 - t->facts->strategy[strategy].served));
    return true;
}

/* Likewise of requests; and what answers too few of them to be a service, be all strategies alike
 * in it: a cost without requests looks cheap. */
static bool is_unanswered(const struct run_remarks *t, size_t strategy, struct text *line)
{
    const double answered = t->facts->strategy[strategy].answered;
    const bool less = facts_answers_less(t->facts, strategy);

    if (!less && !facts_answers_too_few(t->facts, strategy))
        return false;
    text_format(line, ": leaves %.3g %% of the requests unanswered%s", 100.0 * (1.0 - answered),
                less ? ", others fewer" : "");
    return true;
}

/* What is cancelled with the project: once, where all strategies are alike. */
static bool write_cancelled(const struct run_remarks *t, const struct terminal_style *style,
                            FILE *out)
{
    const struct strategy_facts *all = t->facts->strategy;
    struct text line;
    bool alike = true, any = false, ok = true;

    for (size_t i = 0; i < t->facts->count; i++) {
        alike = alike && all[i].cancelled_share == all[0].cancelled_share;
        any = any || all[i].cancelled_share > 0.0;
    }
    text_init(&line, 4096);
    for (size_t i = 0; any && ok && i < (alike ? 1 : t->facts->count); i++) {
        text_clear(&line);
        if (!alike) {
            label_clean(&line, all[i].name);
            text_add(&line, ": ");
        }
        text_format(&line, "cancelled in %s",
                    figure_futures(all[i].cancelled_share, all[i].worlds, FIGURE_NEAREST).text);
        ok = terminal_line(style, out, line.data);
    }
    text_release(&line);
    return ok &&
           (!any || terminal_line(style, out,
                                  "cancelled: costs are final; times and lateness are those of "
                                  "the other futures"));
}

/* "27 %", "none", "< 1 %" of what is signed. */
static void add_part(struct text *line, double part, double whole)
{
    double percent = 100.0 * part / whole;

    if (percent <= 0.0)
        text_add(line, "none");
    else if (percent < 0.5)
        text_add(line, "< 1 %");
    else if (percent > 99.5 && percent < 100.0)
        text_add(line, "> 99 %");
    else
        text_format(line, "%.0f %%", percent);
}

/* What is signed, and how much of it is for nothing, of each strategy with commitments. */
static bool write_signed(const struct run_remarks *t, const struct terminal_style *style, FILE *out)
{
    struct text line;
    bool ok = true;

    text_init(&line, 4096);
    for (size_t i = 0; i < t->facts->count && ok; i++) {
        const struct strategy_facts *s = &t->facts->strategy[i];
        if (!(s->obligation > 0.0))
            continue;
        text_clear(&line);
        label_clean(&line, s->name);
        text_format(&line, ": signs %s",
                    figure_amount(s->obligation, t->decimals, FIGURE_NEAREST).text);
        bool commits = s->unused > 0.0 || !(s->block_unused > 0.0 || s->owned_capital > 0.0);
        if (isfinite(s->unused) && commits) {
            text_add(&line, "; ");
            add_part(&line, s->unused, s->obligation);
            text_add(&line, " of it unused inside the horizon in the middle future");
        }
        if (s->block_unused > 0.0) {
            text_add(&line, "; ");
            add_part(&line, s->block_unused, s->obligation);
            text_add(&line, " of it for capacity blocks that no node uses in the middle future");
        }
        if (s->owned_capital > 0.0) {
            text_add(&line, "; owned hardware, of which the plan bears ");
            text_add(&line, figure_amount(s->owned_capital, t->decimals, FIGURE_NEAREST).text);
        }
        if (s->later > 0.0) {
            text_add(&line, ", ");
            add_part(&line, s->later, s->obligation);
            text_add(&line, " borne after it");
        }
        ok = terminal_line(style, out, line.data);
    }
    text_release(&line);
    return ok;
}

/* What the star says. */
static bool write_overload(const struct run_remarks *t, const struct terminal_style *style,
                           FILE *out)
{
    double most_h = 0.0;
    struct text line;
    bool ok;

    for (size_t i = 0; i < t->facts->count; i++) {
        const struct strategy_facts *s = &t->facts->strategy[i];
        if (isfinite(s->latency_p95.p50.value))
            most_h = fmax(most_h, s->overloaded_h); /* passes over NaN */
    }
    if (!(t->latency && most_h > 0.0))
        return true;
    text_init(&line, 256);
    text_add(&line, "*: overload is in it, where latency is of no steady state: ");
    if (most_h < 0.01)
        text_add(&line, "less than 0.01 h");
    else
        text_format(&line, "%.3g h", figure_round(most_h, 2, FIGURE_UP));
    text_add(&line, " a future on average, of the strategy and service with most (overloaded_h)");
    ok = terminal_line(style, out, line.data);
    text_release(&line);
    return ok;
}

bool run_remarks_foot(const struct run_remarks *t, const struct terminal_style *style, FILE *out)
{
    const struct chart_frame *frame = t->facts->frame;
    struct text line;
    bool ok = fputc('\n', out) != EOF;

    text_init(&line, 4096);
    text_format(&line, "%s simulated future%s, seed %llu",
                figure_count((double)frame->replications).text, frame->replications == 1 ? "" : "s",
                (unsigned long long)frame->seed);
    if (frame->prices_as_of != NULL)
        text_format(&line, ", prices as of %s", frame->prices_as_of);
    if (frame->note != NULL && frame->note[0] != '\0')
        text_format(&line, ", %s", frame->note);
    ok = ok && terminal_line(style, out, line.data);
    if (frame->conversion != NULL)
        ok = ok && terminal_line(style, out, frame->conversion);
    ok = ok &&
         terminal_line(style, out, "P50: half of the futures are at or below it; P90: 9 in 10");
    if (t->interval && t->saves)
        ok =
            ok &&
            terminal_line(style, out,
                          "saves: mean of all differences, not the difference of the P50s") &&
            terminal_line(style, out,
                          "\xc2\xb1: the simulation's error (95 %), not the spread of the savings");
    if (t->unclear && t->saves)
        ok = ok && terminal_line(style, out, "unclear: the 95 % interval of that mean covers zero");
    if (t->assumed && t->saves)
        ok = ok && terminal_line(style, out,
                                 "assumed: the difference rests on a savings-plan rate that is "
                                 "assumed from the reserved price, and decides nothing");
    if (t->facts->has_served && t->facts->has_service)
        ok = ok && terminal_line(style, out,
                                 "served: of the node-hours that are needed, those in which a node "
                                 "is up; of requests 'within SLO' tells");
    ok = ok && write_overload(t, style, out) && write_undecided(t, style, out) &&
         write_signed(t, style, out) &&
         write_named(t, style, out, is_unfinished, "strategies with unfinished futures") &&
         write_named(t, style, out, is_beyond_trace,
                     "strategies whose traces ended before the work") &&
         write_cancelled(t, style, out) && write_named(t, style, out, is_unmet, NULL) &&
         write_named(t, style, out, is_unanswered, NULL);
    text_release(&line);
    return ok;
}
