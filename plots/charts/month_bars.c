/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/charts/month_bars.h"

#include "plots/text/label.h"

#include <stdio.h>

bool month_bars_have_means(const struct month_source *s, const struct study_facts *f,
                           const struct chart_shown *shown)
{
    for (size_t i = 0; i < shown->count; i++) {
        if (!month_source_has_means(s, f->strategy[shown->index[i]].name))
            return false;
    }
    return true;
}

/* Labels at equal steps, so many that they have room; the year where it begins. */
static void month_ticks(struct ticks *t, const struct month_axis *axis, size_t wanted)
{
    size_t step = (axis->count + wanted - 1) / wanted;
    int year = -1;

    /* Quarters and years are steps that people count in. */
    step = step <= 3 ? step : step <= 6 ? 6 : 12 * ((step + 11) / 12);
    t->count = 0;
    for (size_t i = 0; i < axis->count && t->count < TICKS_MAX; i += step) {
        int month = axis->first + (int)i;
        struct tick *tick = &t->tick[t->count++];
        tick->at = (double)i;
        if (month / 12 == year)
            snprintf(tick->label, sizeof tick->label, "%s", month_name(month));
        else
            snprintf(tick->label, sizeof tick->label, "%.31s", month_words(month).text);
        year = month / 12;
    }
}

void month_bars_axes(struct chart_script *s, const struct chart_panels *p,
                     const struct month_axis *axis, double low, double high)
{
    struct ticks ticks;

    chart_script_ranges(s, -0.6, (double)axis->count - 0.4, low, high);
    month_ticks(&ticks, axis, p->x_ticks);
    chart_panels_thin(s, p, &ticks, -0.6, (double)axis->count - 0.4, false);
    chart_script_ticks(s, "x", &ticks);
}

double month_bars_half(const struct month_axis *axis)
{
    return axis->count > 18 ? 0.5 : 0.4;
}

#define KEY_SIZE  19
#define KEY_BOX   0.016
#define KEY_GAP   0.022
#define KEY_LINE  0.048
#define KEY_LEFT  0.03
#define KEY_RIGHT 0.97

void month_bars_key(struct chart_script *s, const struct month_key *keys, size_t count)
{
    double x = KEY_LEFT, y = s->top + 0.042;

    for (size_t i = 0; i < count; i++) {
        double text = label_width(keys[i].name, true) * KEY_SIZE / 1200.0;
        if (x > KEY_LEFT && x + KEY_BOX + 0.006 + text > KEY_RIGHT) {
            x = KEY_LEFT;
            y -= KEY_LINE;
        }
        chart_script_box(s, x, y - 0.014, x + KEY_BOX, y + 0.012, "screen", keys[i].colour);
        chart_script_label(s, &(struct chart_label){.text = keys[i].name,
                                                    .x = x + KEY_BOX + 0.006,
                                                    .y = y,
                                                    .size = KEY_SIZE,
                                                    .bold = true});
        x += KEY_BOX + 0.006 + text + KEY_GAP;
    }
    s->top = y - 0.075;
}
