/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sizes of different offers have different units, instances and amounts an hour; what they oblige
 * to pay is money for all of them, and so the axis that they share. Since the regret of a size is
 * the height of its curve over the curve's lowest point, one curve shows both. */
#include "plots/charts/chart_offers.h"

#include "plots/facts/offer_curves.h"
#include "plots/sentences/title_offers.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>

#define PLOT_LEFT   0.105
#define PLOT_RIGHT  0.65
#define PLOT_BOTTOM 0.17
#define KEY_LEFT    0.68
#define KEY_RIGHT   0.985
#define OFFERS_MOST 4
/* Room of a line beside its mark. */
#define KEY_EM ((KEY_RIGHT - KEY_LEFT - 0.03) * 1200.0 / 17.5)

struct offer_page {
    const struct offer_curves *curves;
    size_t shown;
    double right, low, high;
    const char *currency;
};

/* The last size of a curve that the page shows: a search looks far beyond what could pay, where all
 * curves are one straight line and what matters would be a dot. */
static size_t last_shown(const struct offer_page *p, const struct offer_curve *o)
{
    size_t last = o->least;

    while (last + 1 < o->count && o->point[last + 1].mean <= p->high)
        last++;
    return last;
}

static struct offer_page measure(const struct offer_curves *c, const char *currency)
{
    struct offer_page p = {.curves = c,
                           .shown = c->count < OFFERS_MOST ? c->count : OFFERS_MOST,
                           .low = INFINITY,
                           .high = -INFINITY,
                           .currency = currency};
    double depth;

    for (size_t i = 0; i < p.shown; i++) {
        const struct offer_curve *o = &c->offer[i];
        p.low = fmin(p.low, o->point[o->least].mean);
        p.high = fmax(p.high, o->point[0].mean);
    }
    depth = fmax(p.high - p.low, fmax(0.1 * fabs(p.high), 1.0));
    p.high += 0.5 * depth;
    p.low -= p.low > 0.0 ? fmin(0.1 * depth, p.low) : 0.1 * depth;
    for (size_t i = 0; i < p.shown; i++) {
        const struct offer_curve *o = &c->offer[i];
        size_t last = last_shown(&p, o);
        /* The next one too, so that a curve which leaves the page does not end on it. */
        p.right = fmax(p.right, o->point[last + 1 < o->count ? last + 1 : last].obligation);
    }
    p.right = p.right > 0.0 ? 1.03 * p.right : 1.0;
    return p;
}

static void add_curve(struct chart_script *s, const struct offer_page *p, size_t i)
{
    const struct offer_curve *o = &p->curves->offer[i];
    const struct chart_series_style *style = chart_series_style(i);
    const size_t first = s->rows;

    for (size_t k = 0; k < o->count; k++) {
        const struct offer_point *q = &o->point[k];
        csv_put_integer(&s->csv, (int64_t)i + 1);
        csv_put_number(&s->csv, q->obligation);
        csv_put_number(&s->csv, q->mean);
        csv_put_number(&s->csv, q->regret);
        csv_put_number(&s->csv, q->size);
        chart_script_put_name(s, o->name);
        chart_script_row_end(s);
    }
    chart_script_plot(s, first, s->rows - 1, "using 2:3 with lines lw 4*W dt %s lc rgb %s notitle",
                      i == 0 ? "solid" : style->dash, style->full);
    chart_script_plot(s, first + o->least, first + o->least,
                      "using 2:3 with points pt %d ps %.2f*%s lc rgb %s notitle", style->point,
                      1.5 * style->point_size, style->point_scale, style->full);
}

static void add_line(struct chart_script *s, double y, const char *text, const char *colour,
                     bool bold)
{
    struct text fitted;

    text_init(&fitted, 4096);
    label_shorten(&fitted, text, KEY_EM, bold);
    chart_script_label(s, &(struct chart_label){.text = fitted.data,
                                                .x = KEY_LEFT + 0.03,
                                                .y = y,
                                                .size = bold ? 18 : 17,
                                                .bold = bold,
                                                .colour = colour});
    text_release(&fitted);
}

/* What the least mean is, and what signing nothing or the largest size shown costs more. */
static void add_key(struct chart_script *s, const struct offer_page *p, size_t i, double y)
{
    const struct offer_curve *o = &p->curves->offer[i];
    const struct offer_point *least = &o->point[o->least], *first = &o->point[0];
    const struct offer_point *last = &o->point[last_shown(p, o)];
    const struct chart_series_style *style = chart_series_style(i);
    struct text name, line, second;

    text_init(&name, 4096);
    text_init(&line, 4096);
    text_init(&second, 4096);
    label_clean(&name, o->name);
    label_wrap(&line, &second, name.data, KEY_EM, true);
    chart_script_add(s,
                     "set label %d '' at screen %.4f, screen %.4f point pt %d ps %.2f*%s "
                     "lc rgb %s front\n",
                     ++s->tags, KEY_LEFT + 0.012, y, style->point, 1.1 * style->point_size,
                     style->point_scale, style->full);
    add_line(s, y, line.data, style->full, true);
    if (second.length > 0)
        add_line(s, y -= 0.034, second.data, style->full, true);
    text_clear(&line);
    text_format(&line, least->size > 0.0 ? "least with %s: %s" : "least with none: %s%s",
                least->size > 0.0 ? offer_size(o, least, p->currency).text : "",
                figure_money(least->mean, p->currency, FIGURE_NEAREST).text);
    add_line(s, y - 0.036, line.data, NULL, false);
    text_clear(&line);
    text_add(&line, "regret: ");
    if (o->least > 0)
        text_format(&line, "none %s%s",
                    figure_money(first->regret, p->currency, FIGURE_NEAREST).text,
                    last > least ? ", " : "");
    if (last > least)
        text_format(&line, "%s at %s", figure_money(last->regret, p->currency, FIGURE_NEAREST).text,
                    offer_size(o, last, p->currency).text);
    if (o->least > 0 || last > least)
        add_line(s, y - 0.07, line.data, NULL, false);
    text_release(&name);
    text_release(&line);
    text_release(&second);
}

static void begin(struct chart_script *s, const struct chart_context *c, const struct offer_page *p)
{
    struct text title, subtitle;

    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_offers(&title, p->curves, p->currency);
    text_add(&subtitle, "Mean cost against what is signed, each offer alone; mark: its least; the "
                        "regret of a size is the height over the mark");
    if (p->shown < p->curves->count)
        text_format(&subtitle, "; %zu more offers in offer_levels.csv",
                    p->curves->count - p->shown);
    chart_begin(s, c, c->shown.of, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
}

enum chart_result chart_offers(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"offer_number", "obligation", "mean",
                                          "regret",       "size",       "offer"};
    struct offer_curves curves;
    struct offer_page page;
    struct ticks ticks;
    double step;

    if (c->tables->offers == NULL)
        return CHART_NOTHING;
    if (!offer_curves_read(&curves, c->tables->offers, c->arena, c->diagnostics))
        return CHART_BROKEN;
    if (curves.count == 0)
        return CHART_NOTHING;
    page = measure(&curves, c->facts->frame->currency);
    begin(s, c, &page);
    chart_script_margins(s, PLOT_LEFT, PLOT_RIGHT, PLOT_BOTTOM, s->top - 0.015);
    chart_script_ranges(s, 0.0, page.right, page.low, page.high);
    ticks_money(&ticks, 0.0, page.right, 5, page.currency);
    chart_script_ticks(s, "x", &ticks);
    ticks_money(&ticks, page.low, page.high, 6, page.currency);
    chart_script_ticks(s, "y", &ticks);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    step = fmin(0.165, (s->top - 0.03 - 0.07) / (double)page.shown);
    for (size_t i = 0; i < page.shown; i++) {
        add_curve(s, &page, i);
        add_key(s, &page, i, s->top - 0.03 - step * (double)i);
    }
    chart_axis_name(s, PLOT_LEFT, PLOT_RIGHT, "Signed, to the end of the term");
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
