/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/charts/chart_legend.h"

#include <math.h>

size_t chart_legend_room(size_t count)
{
    return count <= 4 ? 3 : count <= 5 ? 2 : 1;
}

/* Size of the lines of facts. */
static int line_size(size_t count)
{
    return count > 5 ? 17 : 18;
}

double chart_legend_line_em(size_t count)
{
    return (0.985 - CHART_LEGEND_LEFT - 0.04) * 1200.0 / line_size(count);
}

double chart_legend_width(size_t series)
{
    return 6.0 - 0.5 * (double)series;
}

static void add_sample(struct chart_script *s, size_t series, double y, bool marks)
{
    const struct chart_series_style *style = chart_series_style(series);

    if (marks)
        chart_script_add(s,
                         "set label %d '' at screen %.4f, screen %.4f point pt %d ps %.2f*%s "
                         "lc rgb %s front\n",
                         ++s->tags, CHART_LEGEND_LEFT + 0.016, y, style->point,
                         1.1 * style->point_size, style->point_scale, style->full);
    else
        chart_script_line(s, &(struct chart_line){.x1 = CHART_LEGEND_LEFT,
                                                  .x2 = CHART_LEGEND_LEFT + 0.03,
                                                  .y1 = y,
                                                  .y2 = y,
                                                  .colour = style->full,
                                                  .width = chart_legend_width(series),
                                                  .dash = series == 0 ? NULL : style->dash});
}

/* The foot of the page is below this. */
#define LOWEST 0.075

/* All lines of facts that there is room for. */
static size_t lines_of(const struct chart_legend_entry *entries, size_t count, size_t room)
{
    size_t lines = 0;

    for (size_t i = 0; i < count; i++) {
        size_t shown = 0;
        for (size_t k = 0; k < CHART_LEGEND_LINES && shown < room; k++)
            shown += entries[i].lines[k][0] != '\0';
        lines += shown;
    }
    return lines;
}

/* Steps that end above the foot: at first the gaps shrink, then all. */
static void squeeze(size_t count, size_t lines, double height, double *name_step, double *line_step,
                    double *gap)
{
    const double text = (double)count * *name_step + (double)lines * *line_step;

    *gap = fmax(0.0, fmin(*gap, (height - text) / (double)count));
    if (text > height) {
        *name_step *= height / text;
        *line_step *= height / text;
    }
}

/* Names that one line does not hold. */
static size_t second_lines(const struct chart_context *c, double room_em)
{
    struct text first, second;
    size_t lines = 0;

    text_init(&first, 4096);
    text_init(&second, 4096);
    for (size_t i = 0; i < c->shown.count; i++) {
        text_clear(&first);
        chart_wrap_name(&first, &second, c->facts, c->shown.index[i], room_em, false, true);
        lines += second.length > 0;
    }
    text_release(&first);
    text_release(&second);
    return lines;
}

/* In one line or two; y is that of the last. */
static void add_name(struct chart_script *s, const struct chart_context *c, size_t series,
                     double room_em, bool one_line, double step, double *y)
{
    struct text first, second;
    struct chart_label label = {.x = CHART_LEGEND_LEFT + 0.04,
                                .y = *y,
                                .bold = true,
                                .colour = chart_series_style(series)->full,
                                .name = true};

    text_init(&first, 4096);
    text_init(&second, 4096);
    chart_wrap_name(&first, &second, c->facts, c->shown.index[series], room_em, one_line, true);
    label.text = first.data;
    chart_script_label(s, &label);
    if (second.length > 0) {
        label.text = second.data;
        label.y = *y -= step;
        chart_script_label(s, &label);
    }
    text_release(&first);
    text_release(&second);
}

void chart_legend(struct chart_script *s, const struct chart_context *c,
                  const struct chart_legend_entry *entries, bool marks)
{
    const double x = CHART_LEGEND_LEFT + 0.04, room_em = (0.985 - x) * 1200.0 / 21.0;
    const size_t room = chart_legend_room(c->shown.count);
    const size_t facts = lines_of(entries, c->shown.count, room);
    const size_t more = second_lines(c, room_em);
    bool crowded = c->shown.count > 5;
    /* A fact stands nearer to its own name than to the next. */
    double name_step = crowded ? 0.034 : 0.043, line_step = 0.037, gap = crowded ? 0.005 : 0.026;
    double y = s->top - 0.025;
    const double text_height =
        (double)c->shown.count * name_step + (double)(facts + more) * line_step;
    const bool one_line = text_height > y - LOWEST;

    squeeze(c->shown.count, one_line ? facts : facts + more, y - LOWEST, &name_step, &line_step,
            &gap);
    for (size_t i = 0; i < c->shown.count; i++) {
        size_t shown = 0;
        add_sample(s, i, y, marks);
        add_name(s, c, i, room_em, one_line, line_step, &y);
        y -= name_step;
        for (size_t k = 0; k < CHART_LEGEND_LINES && shown < room; k++) {
            bool last = k + 1 == CHART_LEGEND_LINES || entries[i].lines[k + 1][0] == '\0';
            if (entries[i].lines[k][0] == '\0')
                continue;
            chart_script_label(
                s, &(struct chart_label){.text = entries[i].lines[k],
                                         .x = x,
                                         .y = y,
                                         .size = line_size(c->shown.count),
                                         .colour = last && entries[i].warning ? CHART_RED : NULL});
            y -= line_step;
            shown++;
        }
        y -= gap;
    }
}
