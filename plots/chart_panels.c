/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/chart_panels.h"

#define GAP_X  0.028
#define HEADER 0.1  /* above a panel: name and line */
#define FOOTER 0.06 /* below a panel that is not the last: ticks */

struct chart_panels chart_panels_begin(struct chart_script *s, const struct chart_context *c,
                                       struct chart_shown shown, double x_high_s, double y_high)
{
    struct chart_panels p = {.shown = shown,
                             .columns = shown.count <= 4 ? shown.count : 3,
                             .lines = shown.count <= 4 ? 1 : 2,
                             .left = 0.105,
                             .right = 0.97,
                             .bottom = 0.125,
                             .top = s->top + 0.05,
                             .x_high_s = x_high_s,
                             .y_high = y_high};

    (void)c;
    p.x_ticks = p.columns == 1 ? 8 : p.columns == 2 ? 5 : p.columns == 3 ? 3 : 2;
    chart_script_add(s, "set multiplot\n");
    return p;
}

void chart_panels_next(struct chart_script *s, const struct chart_context *c,
                       const struct chart_panels *p, size_t k, const struct ticks *y_ticks,
                       const char *colour, const char *line)
{
    size_t column = k % p->columns, row = k / p->columns;
    double width = (p->right - p->left - GAP_X * (double)(p->columns - 1)) / (double)p->columns;
    double height =
        (p->top - p->bottom - HEADER * (double)p->lines - FOOTER * (double)(p->lines - 1)) /
        (double)p->lines;
    double left = p->left + (width + GAP_X) * (double)column;
    double top = p->top - (height + HEADER + FOOTER) * (double)row, room_em = width * 1200.0 / 21.0;
    struct ticks ticks = *y_ticks;
    struct text name;

    text_init(&name, 4096);
    facts_name(&name, c->facts, p->shown.index[k], room_em, true);
    chart_script_label(
        s, &(struct chart_label){
               .text = name.data, .x = left, .y = top - 0.03, .bold = true, .colour = colour});
    chart_script_label(
        s, &(struct chart_label){.text = line, .x = left, .y = top - 0.068, .size = 18});
    text_release(&name);
    chart_script_margins(s, left, left + width, top - HEADER - height, top - HEADER);
    chart_script_ranges(s, 0.0, p->x_high_s, 0.0, p->y_high);
    if (column > 0) {
        for (size_t i = 0; i < ticks.count; i++)
            ticks.tick[i].label[0] = '\0';
    }
    chart_script_ticks(s, "y", &ticks);
    ticks_dates(&ticks, c->facts->frame->start_unix_s, 0.0, p->x_high_s, p->x_ticks);
    /* The last label must not run into the next panel. */
    for (size_t i = 0; i < ticks.count && column + 1 < p->columns; i++) {
        if (ticks.tick[i].at > 0.9 * p->x_high_s)
            ticks.tick[i].label[0] = '\0';
    }
    chart_script_ticks(s, "x", &ticks);
}

void chart_panels_drawn(struct chart_script *s)
{
    chart_script_plot_end(s);
    chart_script_add(s, "unset label; unset arrow; unset object\n");
}

void chart_panels_end(struct chart_script *s)
{
    chart_script_add(s, "unset multiplot\n");
}
