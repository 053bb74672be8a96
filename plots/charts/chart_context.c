/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/charts/chart_context.h"

#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* True when strategy a comes before b for a place on a crowded chart. */
static bool before(const struct study_facts *f, size_t a, size_t b)
{
    const struct strategy_facts *s = &f->strategy[a], *t = &f->strategy[b];
    const char *chosen = f->frame->chosen;
    int rank_s = (int)a == f->baseline || (chosen != NULL && strcmp(chosen, s->name) == 0) ? 0
                 : s->stands                                                               ? 1
                                                                                           : 2;
    int rank_t = (int)b == f->baseline || (chosen != NULL && strcmp(chosen, t->name) == 0) ? 0
                 : t->stands                                                               ? 1
                                                                                           : 2;

    if (rank_s != rank_t)
        return rank_s < rank_t;
    if (rank_s == 1 && facts_near(&s->cost.p50) != facts_near(&t->cost.p50))
        return facts_near(&s->cost.p50) < facts_near(&t->cost.p50);
    return a < b;
}

struct chart_shown chart_shown_pick(const struct study_facts *f, size_t most)
{
    struct chart_shown shown = {0};

    for (size_t i = 0; i < f->count; i++) {
        size_t ahead = 0;
        if (!f->strategy[i].cost.present)
            continue;
        shown.of++;
        for (size_t k = 0; k < f->count; k++)
            ahead += k != i && f->strategy[k].cost.present && before(f, k, i);
        if (ahead < most)
            shown.index[shown.count++] = i;
    }
    return shown;
}

int chart_shown_find(const struct chart_context *c, int strategy)
{
    for (size_t i = 0; i < c->shown.count; i++) {
        if ((int)c->shown.index[i] == strategy)
            return (int)i;
    }
    return -1;
}

size_t chart_shown_titled(const struct chart_context *c, const struct chart_shown *shown)
{
    const int wanted = c->facts->subject >= 0 ? c->facts->subject : c->facts->baseline;

    for (size_t i = 0; i < shown->count; i++) {
        if ((int)shown->index[i] == wanted)
            return i;
    }
    return 0;
}

static void add_origin(struct chart_script *s, const char *origin)
{
    struct text foot, clean;

    text_init(&foot, 4096);
    text_init(&clean, 4096);
    label_clean(&clean, origin);
    label_shorten(&foot, clean.data, 70.0, false);
    chart_script_label(s,
                       &(struct chart_label){.text = foot.data, .x = 0.03, .y = 0.03, .size = 17});
    text_release(&clean);
    text_release(&foot);
}

#define FOOT_DOT "  \xc2\xb7  "
#define FOOT_EM  (0.945 * 1200.0 / 17.0)
/* What the scenario's name keeps where the rest of the foot is long. */
#define FOOT_NAME_LEAST_EM 8.0

/* All but the scenario's name. */
static void add_foot_rest(struct text *foot, const struct chart_frame *frame)
{
    if (frame->simulated != NULL)
        text_add(foot, frame->simulated);
    else
        text_format(foot, "%s simulated future%s, seed %llu",
                    figure_count((double)frame->replications).text,
                    frame->replications == 1 ? "" : "s", (unsigned long long)frame->seed);
    if (frame->prices_as_of != NULL)
        text_format(foot, FOOT_DOT "prices as of %s", frame->prices_as_of);
    text_format(foot, FOOT_DOT "%s, tax %s",
                frame->conversion != NULL ? frame->conversion : frame->currency,
                frame->tax_included ? "included" : "excluded");
}

static void add_foot(struct chart_script *s, const struct chart_context *c)
{
    const struct chart_frame *frame = c->facts->frame;
    struct text foot, name, rest;

    if (frame->origin != NULL) {
        add_origin(s, frame->origin);
        return;
    }
    text_init(&foot, 4096);
    text_init(&name, 4096);
    text_init(&rest, 4096);
    add_foot_rest(&rest, frame);
    if (frame->scenario != NULL && frame->scenario[0] != '\0') {
        label_clean(&name, frame->scenario);
        label_shorten(&foot, name.data,
                      fmax(FOOT_NAME_LEAST_EM,
                           FOOT_EM - label_width(FOOT_DOT, false) - label_width(rest.data, false)),
                      false);
        text_add(&foot, FOOT_DOT);
    }
    text_add(&foot, rest.data);
    chart_script_label(s,
                       &(struct chart_label){.text = foot.data, .x = 0.03, .y = 0.03, .size = 17});
    text_release(&name);
    text_release(&rest);
    text_release(&foot);
}

void chart_begin(struct chart_script *s, const struct chart_context *c, size_t shown,
                 const char *title, const char *subtitle)
{
    const struct chart_frame *frame = c->facts->frame;
    struct text line;

    text_init(&line, 4096);
    text_add(&line, subtitle);
    if (shown < c->shown.of)
        text_format(&line, "; %zu of %zu strategies: %slowest P50 cost", shown, c->shown.of,
                    c->facts->baseline >= 0 ? "the baseline and " : "");
    if (frame->note != NULL && frame->note[0] != '\0')
        text_format(&line, "; %s", frame->note);
    chart_script_head(s, c->title != NULL ? c->title : title, line.data);
    add_foot(s, c);
    text_release(&line);
}

void chart_wrap_name(struct text *first, struct text *second, const struct study_facts *f,
                     size_t strategy, double room_em, bool one_line, bool bold)
{
    struct text name;
    bool fits = false;

    text_init(&name, 4096);
    for (double em = (one_line ? 1.0 : 2.0) * room_em; em > 0.95 * room_em && !fits;
         em -= 0.1 * room_em) {
        text_clear(&name);
        text_clear(first);
        text_clear(second);
        facts_name(&name, f, strategy, em, bold);
        fits = label_wrap(first, second, name.data, room_em, bold);
    }
    /* Two lines of about the same length rather than one word alone. */
    for (double em = 0.5 * label_width(name.data, bold); second->length > 0 && em < room_em;
         em += 0.05 * room_em) {
        text_clear(first);
        if (label_wrap(first, second, name.data, em, bold))
            break;
        text_clear(first);
        label_wrap(first, second, name.data, room_em, bold);
    }
    text_release(&name);
}

void chart_axis_name(struct chart_script *s, double left, double right, const char *name)
{
    chart_script_label(
        s, &(struct chart_label){
               .text = name, .x = 0.5 * (left + right), .y = 0.078, .align = CHART_CENTRE});
}

void chart_limit_x(struct chart_script *s, double low, double high, double at, const char *name)
{
    double place = (at - low) / (high - low);
    struct chart_label label = {.text = name,
                                .x_in = "graph",
                                .y_in = "graph",
                                .y = 1.045,
                                .bold = true,
                                .colour = CHART_RED};
    char edge[96];

    if (place < 0.0 || place > 1.0) {
        snprintf(edge, sizeof edge, place > 1.0 ? "%s \xe2\x86\x92" : "\xe2\x86\x90 %s", name);
        label.text = edge;
        label.x = place > 1.0 ? 1.0 : 0.0;
        label.align = place > 1.0 ? CHART_RIGHT : CHART_LEFT;
        chart_script_label(s, &label);
        return;
    }
    label.x = place;
    label.align = place > 0.5 ? CHART_RIGHT : CHART_LEFT;
    label.dx = place > 0.5 ? 0.4 : -0.4;
    chart_script_label(s, &label);
    chart_script_line(s, &(struct chart_line){.x1 = at,
                                              .x2 = at,
                                              .y1 = 0.0,
                                              .y2 = 1.0,
                                              .x_in = "first",
                                              .y_in = "graph",
                                              .colour = CHART_RED,
                                              .width = 3.0});
}

static void add_limit_y(struct chart_script *s, double at)
{
    chart_script_line(s, &(struct chart_line){.x1 = 0.0,
                                              .x2 = 1.0,
                                              .y1 = at,
                                              .y2 = at,
                                              .x_in = "graph",
                                              .y_in = "first",
                                              .colour = CHART_RED,
                                              .width = 3.0,
                                              .dash = "(12,7)"});
}

double chart_time_end(double of_standing, double of_all)
{
    return of_standing > 0.0 ? fmin(of_all, 2.0 * of_standing) : of_all;
}

void chart_limit_y(struct chart_script *s, double low, double high, double at, const char *name,
                   enum chart_align side)
{
    double place = (at - low) / (high - low);
    struct chart_label label = {.text = name,
                                .x_in = "graph",
                                .x = side == CHART_RIGHT ? 0.99 : 0.01,
                                .align = side,
                                .y_in = "graph",
                                .bold = true,
                                .colour = CHART_RED};
    char edge[96];

    if (name == NULL) {
        if (place >= 0.0 && place <= 1.0)
            add_limit_y(s, at);
        return;
    }
    if (place < 0.0 || place > 1.0) {
        snprintf(edge, sizeof edge, place > 1.0 ? "%s \xe2\x86\x91" : "%s \xe2\x86\x93", name);
        label.text = edge;
        label.y = place > 1.0 ? 0.97 : 0.03;
        chart_script_label(s, &label);
        return;
    }
    label.y = place;
    label.dy = place > 0.9 ? -0.7 : 0.7;
    chart_script_label(s, &label);
    add_limit_y(s, at);
}

struct figure chart_budget(const struct chart_frame *frame)
{
    struct figure f;

    snprintf(f.text, sizeof f.text, "%s%.36s", frame->budget_uncertain ? "P50 " : "",
             figure_money_exact(frame->budget, frame->currency).text);
    return f;
}

struct figure chart_unfinished(const struct strategy_facts *s)
{
    struct figure figure = {""};

    if (s->unfinished > 0.0)
        snprintf(figure.text, sizeof figure.text, "%.30s not finished",
                 figure_share(s->unfinished_share, s->worlds).text);
    return figure;
}

void chart_spend_measure(const struct chart_frame *frame, char out[64])
{
    const char *suffix = strrchr(frame->cost_metric, '_');

    snprintf(out, 64, "cumulative%s", suffix == NULL ? "" : suffix);
}

void chart_add_curves(struct text *subtitle, const struct chart_frame *frame)
{
    if (frame->timeline_replications > 0 && frame->timeline_replications < frame->replications)
        text_format(subtitle, "; curves: the first %s futures",
                    figure_count((double)frame->timeline_replications).text);
}

void chart_add_choice(struct text *subtitle, const struct study_facts *f)
{
    size_t level = 0, told = 0;
    double room_em;

    if (f->chosen < 0)
        return;
    for (size_t i = 0; i < f->count; i++)
        level += facts_level(f, i);
    /* Three names share the line. */
    room_em = level == 1 || level == 2 ? 18.0 : 28.0;
    text_add(subtitle, "; chosen: ");
    facts_name(subtitle, f, (size_t)f->chosen, room_em, false);
    if (level == 0)
        return;
    if (level > 2) {
        text_format(subtitle, ", from which %zu others cannot be told", level);
        return;
    }
    for (size_t i = 0; i < f->count; i++) {
        if (!facts_level(f, i))
            continue;
        text_add(subtitle, told++ == 0 ? ", from which " : " and ");
        facts_name(subtitle, f, i, room_em, false);
    }
    text_add(subtitle, " cannot be told");
}
