/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/charts/chart_rows.h"

#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EDGE 0.045 /* of the page, and air before the drawing */
#define MOST 0.3

/* Whether two lines of this width hold every name. */
static bool two_lines_hold(const struct chart_context *c, double room_em)
{
    struct text clean, first, second;
    bool hold = true;

    text_init(&clean, 4096);
    text_init(&first, 4096);
    text_init(&second, 4096);
    for (size_t i = 0; i < c->shown.count && hold; i++) {
        text_clear(&clean);
        text_clear(&first);
        label_clean(&clean, c->facts->strategy[c->shown.index[i]].name);
        hold = label_wrap(&first, &second, clean.data, room_em, false);
    }
    text_release(&clean);
    text_release(&first);
    text_release(&second);
    return hold;
}

/* Left edge of the drawing that leaves room for the broadest name, and no more than `most`; where
 * names stand in two lines, as much more as these need. */
static double name_width(const struct chart_context *c, int size, double most)
{
    double em = label_width("> 99 % not finished", false) * 17.0 / size;
    struct text name;

    text_init(&name, 4096);
    for (size_t i = 0; i < c->shown.count; i++) {
        text_clear(&name);
        label_clean(&name, c->facts->strategy[c->shown.index[i]].name);
        em = fmax(em, label_width(name.data, false));
    }
    text_release(&name);
    most = fmin(most, EDGE + 0.005 + em * size / 1200.0);
    while (most < MOST && !two_lines_hold(c, (most - EDGE) * 1200.0 / size))
        most = fmin(MOST, most + 0.01);
    return most;
}

struct chart_rows chart_rows_begin(struct chart_script *s, const struct chart_context *c,
                                   struct spread_axis axis, size_t count,
                                   const char *const *headings, size_t columns)
{
    /* "CNY 417k" is broader than "$417k", as is "41.7 万美元". */
    const bool broad = strlen(figure_currency(c->facts->frame->currency).text) > 1 ||
                       c->facts->frame->language != REPORT_EN;
    double column = broad ? 0.122 : 0.105;
    struct chart_rows r = {.left = 0.2,
                           .right = 0.955 - column * (double)columns,
                           .bottom = 0.17,
                           .top = s->top - 0.015,
                           .count = count,
                           .columns = columns,
                           .column_width = column - 0.005,
                           .size = count <= 4   ? 22
                                   : count <= 6 ? 20
                                                : 19};
    struct ticks ticks;

    r.left = name_width(c, r.size, count > 6 ? MOST : 0.22);
    /* "$30,000" is broader than "$3,000", as is "CNY 3,000". */
    ticks_money(&ticks, axis.low, axis.high, column > 0.11 || axis.high >= 1e4 ? 4 : 6,
                c->facts->frame->currency);
    chart_script_margins(s, r.left, r.right, r.bottom, r.top);
    chart_script_ranges(s, axis.low, axis.high, (double)count, 0.0);
    chart_script_ticks(s, "x", &ticks);
    chart_script_add(s, "unset ytics\nset grid noytics xtics lc rgb GRID lw 1.5*W lt 1\n");
    for (size_t i = 0; i < columns; i++) {
        r.column_x[i] = 0.975 - column * (double)(columns - 1 - i);
        chart_script_label(s, &(struct chart_label){.text = headings[i],
                                                    .x = r.column_x[i],
                                                    .y = r.top + 0.027,
                                                    .align = CHART_RIGHT,
                                                    .size = 19});
    }
    return r;
}

void chart_rows_name(struct chart_script *s, const struct chart_rows *r,
                     const struct study_facts *f, size_t strategy, size_t row)
{
    const double room_em = (r->left - EDGE) * 1200.0 / r->size;
    struct text first, second;
    const char *lines[4], *mark = (int)strategy == f->chosen ? "chosen"
                                  : facts_level(f, strategy) ? "level with the chosen"
                                                             : NULL;
    size_t count = 0;
    double step = 0.047 * r->size / 22.0, height = (r->top - r->bottom) / (double)r->count, y;
    struct figure unfinished = chart_unfinished(&f->strategy[strategy]);

    text_init(&first, 4096);
    text_init(&second, 4096);
    chart_wrap_name(&first, &second, f, strategy, room_em, r->count > 6, false);
    lines[count++] = first.data;
    if (second.length > 0)
        lines[count++] = second.data;
    if (mark != NULL)
        lines[count++] = mark;
    if (unfinished.text[0] != '\0')
        lines[count++] = unfinished.text;
    if (step * (double)count > height)
        step = height / (double)count;
    y = r->top - height * ((double)row + 0.54) + 0.5 * step * (double)(count - 1);
    for (size_t i = 0; i < count; i++) {
        bool warning = lines[i] == unfinished.text, marked = lines[i] == mark;
        chart_script_label(s, &(struct chart_label){.text = lines[i],
                                                    .x = r->left - 0.012,
                                                    .y = y - step * (double)i,
                                                    .align = CHART_RIGHT,
                                                    .size = warning || marked ? 17 : r->size,
                                                    .bold = marked && (int)strategy == f->chosen,
                                                    .name = !warning && !marked,
                                                    .colour = warning  ? CHART_RED
                                                              : marked ? "BLUE"
                                                                       : CHART_INK});
    }
    text_release(&first);
    text_release(&second);
}

void chart_rows_beyond(struct chart_script *s, const struct spread *spread, struct spread_axis axis,
                       size_t row, double worlds)
{
    double beyond = spread_beyond(spread, axis.high);
    char text[64];

    if (!(beyond > 0.0))
        return;
    snprintf(text, sizeof text, "%.40s beyond \xe2\x86\x92", figure_share(beyond, worlds).text);
    chart_script_label(s, &(struct chart_label){.text = text,
                                                .x = axis.high,
                                                .y = (double)row + 0.79,
                                                .x_in = "first",
                                                .y_in = "first",
                                                .align = CHART_RIGHT,
                                                .size = 17,
                                                .dx = -0.5});
}

static void add_value(struct chart_script *s, const struct chart_rows *r, size_t row, size_t column,
                      const char *text, enum chart_tone tone, double dy, int size)
{
    double height = (r->top - r->bottom) / (double)r->count;

    chart_script_label(s, &(struct chart_label){.text = text,
                                                .x = r->column_x[column],
                                                .y = r->top - height * ((double)row + 0.54) + dy,
                                                .align = CHART_RIGHT,
                                                .size = size,
                                                .bold = tone == CHART_STRONG,
                                                .colour = tone == CHART_ALARM   ? CHART_RED
                                                          : tone == CHART_QUIET ? CHART_MUTE
                                                                                : CHART_INK});
}

void chart_rows_value(struct chart_script *s, const struct chart_rows *r, size_t row, size_t column,
                      const char *text, enum chart_tone tone)
{
    const char *to = strstr(text, " to ");
    double width = label_width(text, tone == CHART_STRONG) * r->size / 1200.0, step;
    char first[64];

    if (to == NULL || width < r->column_width) {
        add_value(s, r, row, column, text, tone, 0.0, r->size);
        return;
    }
    step = 0.043 * r->size / 22.0;
    snprintf(first, sizeof first, "%.*s", (int)(to - text), text);
    add_value(s, r, row, column, first, tone, 0.5 * step, r->size);
    add_value(s, r, row, column, to + 1, tone, -0.5 * step, r->size);
}

void chart_rows_note(struct chart_script *s, const struct chart_rows *r, size_t row, size_t column,
                     const char *text)
{
    add_value(s, r, row, column, text, CHART_QUIET, -0.045 * r->size / 22.0, 17);
}
