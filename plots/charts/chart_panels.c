/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/charts/chart_panels.h"

#include "plots/text/label.h"

#include <math.h>

#define GAP_X  0.028
#define FOOTER 0.06 /* below a panel that is not the last: ticks */

struct chart_panel_ends chart_panels_ends(const struct study_facts *f,
                                          const struct chart_shown *shown, const double *end_s)
{
    struct chart_panel_ends ends = {.own = false};
    double first = INFINITY, standing = 0.0, all = 0.0, common;

    for (size_t i = 0; i < shown->count; i++) {
        all = fmax(all, end_s[i]);
        if (!f->strategy[shown->index[i]].stands || !(end_s[i] > 0.0))
            continue;
        first = fmin(first, end_s[i]);
        standing = fmax(standing, end_s[i]);
    }
    ends.own = standing > CHART_PANELS_APART * first;
    common = all > 0.0 ? 1.03 * chart_time_end(standing, all) : 3600.0;
    for (size_t i = 0; i < shown->count; i++)
        ends.x_high_s[i] = ends.own && end_s[i] > 0.0 ? 1.03 * end_s[i] : common;
    return ends;
}

void chart_panels_say_ends(struct text *subtitle, const struct chart_panel_ends *ends)
{
    if (ends->own)
        text_add(subtitle, "; each panel has its own time axis");
}

static double width_of(const struct chart_panels *p)
{
    return (p->right - p->left - GAP_X * (double)(p->columns - 1)) / (double)p->columns;
}

void chart_panels_fit(struct chart_panels *p, const struct ticks *y_ticks)
{
    double widest = 0.0;

    for (size_t i = 0; i < y_ticks->count; i++)
        widest = fmax(widest, label_width(y_ticks->tick[i].label, false));
    p->left = fmax(p->left, widest * 21.0 / 1200.0 + 0.015);
}

double chart_panels_line_em(const struct chart_panels *p)
{
    /* Widths are measured with room to spare, and a line may reach into the gap. */
    return (width_of(p) + 0.6 * GAP_X) * 1200.0 / 18.0;
}

struct chart_panels chart_panels_begin(struct chart_script *s, struct chart_shown shown,
                                       struct chart_panel_ends ends, double y_high, bool warnings)
{
    struct chart_panels p = {.shown = shown,
                             .columns = shown.count <= 4 ? shown.count : 3,
                             .lines = shown.count <= 4 ? 1 : 2,
                             .left = 0.105,
                             .right = 0.97,
                             .bottom = 0.125,
                             .top = s->top + 0.05,
                             .ends = ends,
                             .y_high = y_high,
                             .header = warnings ? 0.137 : 0.1};

    p.x_ticks = p.columns == 1 ? 8 : p.columns == 2 ? 5 : p.columns == 3 ? 3 : 2;
    chart_script_add(s, "set multiplot\n");
    return p;
}

#define NAME_STEP 0.036

/* Whether any panel's name needs a second line: then all panels begin lower. */
static bool long_names(const struct chart_context *c, const struct chart_panels *p, double room_em)
{
    struct text name;
    bool any = false;

    text_init(&name, 4096);
    for (size_t i = 0; i < p->shown.count && !any; i++) {
        text_clear(&name);
        label_clean(&name, c->facts->strategy[p->shown.index[i]].name);
        any = label_width(name.data, true) > room_em;
    }
    text_release(&name);
    return any;
}

/* In one line or two above the panel; returns the y of the last. */
static double add_name(struct chart_script *s, const struct chart_context *c, size_t strategy,
                       double room_em, double left, double y, const char *colour)
{
    struct text first, second;
    struct chart_label label = {.x = left, .y = y, .bold = true, .colour = colour, .name = true};

    text_init(&first, 4096);
    text_init(&second, 4096);
    chart_wrap_name(&first, &second, c->facts, strategy, room_em, false, true);
    label.text = first.data;
    const double last = chart_script_label_lines(s, label, second.data, NAME_STEP);
    text_release(&first);
    text_release(&second);
    return last;
}

void chart_panels_thin(const struct chart_script *s, const struct chart_panels *p, struct ticks *t,
                       double low, double high, bool last)
{
    /* Widths are measured with room to spare; "12\xe6\x9c\x88" is broader than "Dec". */
    const double em = 21.0 / 1200.0 * (s->language == REPORT_EN ? 0.85 : 1.1);
    double end = -1.0;

    for (size_t i = 0; i < t->count; i++) {
        const double half = 0.5 * em * label_width(t->tick[i].label, false);
        const double x = width_of(p) * (t->tick[i].at - low) / (high - low);
        /* The next panel's first label reaches as far to the left. */
        const bool runs_on = !last && x + half > width_of(p) + GAP_X - half - 0.004;
        if (half > 0.0 && i > 0 && (x - half < end + 0.004 || runs_on))
            t->tick[i].label[0] = '\0';
        else if (half > 0.0)
            end = x + half;
    }
}

void chart_panels_next(struct chart_script *s, const struct chart_context *c,
                       const struct chart_panels *p, size_t k, const struct ticks *y_ticks,
                       const char *colour, const char *line, const char *warning)
{
    size_t column = k % p->columns, row = k / p->columns;
    double width = width_of(p), x_high_s = p->ends.x_high_s[k], room_em = width * 1200.0 / 21.0;
    double header = p->header + (long_names(c, p, room_em) ? NAME_STEP : 0.0);
    double height =
        (p->top - p->bottom - header * (double)p->lines - FOOTER * (double)(p->lines - 1)) /
        (double)p->lines;
    double left = p->left + (width + GAP_X) * (double)column;
    double top = p->top - (height + header + FOOTER) * (double)row;
    double y = add_name(s, c, p->shown.index[k], room_em, left, top - 0.03, colour);
    struct ticks ticks = *y_ticks;

    chart_script_label(s,
                       &(struct chart_label){
                           .text = line,
                           .x = left,
                           .y = y - 0.038,
                           .size = label_width(line, false) > chart_panels_line_em(p) ? 16 : 18});
    if (warning[0] != '\0')
        chart_script_label(
            s, &(struct chart_label){
                   .text = warning, .x = left, .y = y - 0.075, .size = 18, .colour = CHART_RED});
    chart_script_margins(s, left, left + width, top - header - height, top - header);
    chart_script_ranges(s, 0.0, x_high_s, 0.0, p->y_high);
    if (column > 0) {
        for (size_t i = 0; i < ticks.count; i++)
            ticks.tick[i].label[0] = '\0';
    }
    chart_script_ticks(s, "y", &ticks);
    ticks_dates(&ticks, c->facts->frame->start_unix_s + (int64_t)p->from_s, 0.0, x_high_s,
                p->x_ticks);
    chart_panels_thin(s, p, &ticks, 0.0, x_high_s, column + 1 == p->columns);
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
