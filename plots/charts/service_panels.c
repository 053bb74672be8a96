/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/charts/service_panels.h"

#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>

enum chart_result service_panels_read(struct service_panels *p, const struct chart_context *c)
{
    const struct table *t = c->tables->services;

    *p = (struct service_panels){.shown = chart_shown_pick(c->facts, CHART_PANELS_MAX)};
    p->workload = service_course_main(t, &p->others);
    if (p->workload == NULL || p->shown.count == 0)
        return CHART_NOTHING;
    for (size_t i = 0; i < p->shown.count; i++) {
        if (!service_course_read(&p->course[i], t, c->facts->strategy[p->shown.index[i]].name,
                                 p->workload, c->arena, c->diagnostics))
            return CHART_BROKEN;
        if (p->course[i].count > 0)
            p->bucket_s = p->course[i].end_s[0] - p->course[i].start_s[0];
        if ((int)p->shown.index[i] == c->facts->subject)
            p->subject = i;
    }
    p->window = service_course_window(p->course, p->shown.count);
    for (size_t i = 0; i < p->shown.count; i++)
        p->hours[i] = service_course_hours(&p->course[i], &p->window);
    return p->window.to_s > p->window.from_s ? CHART_DRAWN : CHART_NOTHING;
}

void service_panels_say(struct text *subtitle, const struct service_panels *p,
                        const struct chart_frame *frame, const char *what)
{
    double hours = p->bucket_s / 3600.0;

    text_format(subtitle, "%s of '", what);
    label_shorten(subtitle, p->workload, 14.0, false);
    text_format(subtitle, "' per %s in the plan world",
                hours == 1.0
                    ? "hour"
                    : figure_time_words(hours, figure_time_unit(hours), FIGURE_NEAREST).text);
    text_format(subtitle, "%s from %s, UTC", p->window.part ? ", its busiest week:" : ";",
                ticks_date_words(frame->start_unix_s + (int64_t)p->window.from_s, true).text);
    if (p->others > 0)
        text_format(subtitle, "; one of %zu services", p->others + 1);
}

struct chart_panel_ends service_panels_ends(const struct service_panels *p)
{
    struct chart_panel_ends ends = {.own = false};

    for (size_t i = 0; i < p->shown.count; i++)
        ends.x_high_s[i] = p->window.to_s - p->window.from_s;
    return ends;
}

void service_panels_place_time(struct chart_panels *panels, const struct service_panels *p)
{
    panels->from_s = p->window.from_s;
    panels->x_ticks = panels->columns == 3 ? 2 : panels->x_ticks;
}

bool service_panels_place(const struct service_panels *p, const struct service_course *c, size_t k,
                          double *from_s, double *to_s)
{
    *from_s = fmax(c->start_s[k], p->window.from_s) - p->window.from_s;
    *to_s = fmin(c->end_s[k], p->window.to_s) - p->window.from_s;
    return *to_s > *from_s;
}

void service_panels_overload(struct chart_script *s, const struct service_panels *p, size_t panel,
                             double y_high)
{
    const struct service_course *c = &p->course[panel];

    for (size_t k = 0; k < c->count;) {
        double from_s, to_s, end_s;
        bool shown = service_panels_place(p, c, k, &from_s, &to_s);
        size_t run = k++;
        if (!shown || !(c->overloaded[run] > 0.0))
            continue;
        while (k < c->count && c->overloaded[k] > 0.0 &&
               service_panels_place(p, c, k, &end_s, &to_s))
            k++;
        chart_script_box(s, from_s, 0.0, to_s, y_high, "first", SERVICE_PANELS_OVERLOAD);
    }
}

void service_panels_hours(const struct service_panels *p, size_t panel, char *out, size_t size)
{
    const struct service_hours *h = &p->hours[panel];

    if (!(h->all > 0.0))
        snprintf(out, size, "does not run");
    else if (h->overloaded > 0.0 && h->overloaded < 1.0)
        snprintf(out, size, "overloaded %.2g min of %.3g h",
                 figure_round(60.0 * h->overloaded, 2, FIGURE_NEAREST), h->all);
    else if (h->overloaded > 0.0)
        snprintf(out, size, "overloaded %.3g of %.3g h",
                 figure_round(h->overloaded, 2, FIGURE_NEAREST), h->all);
    else
        snprintf(out, size, "never overloaded");
}

void service_panels_keys(struct chart_script *s, double y, const struct service_panels_key *keys,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        chart_script_box(s, keys[i].x - 0.022, y - 0.016, keys[i].x - 0.006, y + 0.012, "screen",
                         keys[i].colour == NULL ? SERVICE_PANELS_OVERLOAD : keys[i].colour);
        chart_script_label(s, &(struct chart_label){.text = keys[i].name,
                                                    .x = keys[i].x,
                                                    .y = y,
                                                    .bold = true,
                                                    .colour = keys[i].text});
    }
}
