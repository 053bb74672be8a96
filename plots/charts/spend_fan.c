/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/charts/spend_fan.h"

#include <math.h>

/* Not fmax, which of NaN and 0 takes 0: what is unknown is not used up. */
static double value_of(double spent, double left_of)
{
    const double left = left_of - spent;

    return isnan(left_of) ? spent : left < 0.0 ? 0.0 : left;
}

void spend_fan(struct chart_script *s, const struct chart_context *c, const struct time_course *t,
               size_t strategy, const struct chart_series_style *style, double end_s,
               double left_of)
{
    const double *rising[] = {t->p10, t->p25, t->p50, t->p75, t->p90};
    const size_t first = s->rows;

    for (size_t k = 0; k <= t->count; k++) {
        if (k > 0 && t->start_s[k - 1] > end_s)
            break;
        csv_put_integer(&s->csv, (int64_t)strategy + 1);
        csv_put_number(&s->csv, k == 0 ? 0.0 : t->end_s[k - 1]);
        for (size_t q = 0; q < 5; q++) {
            const double *quantile = rising[isnan(left_of) ? q : 4 - q];
            csv_put_number(&s->csv, value_of(k == 0 ? 0.0 : quantile[k - 1], left_of));
        }
        chart_script_put_name(s, c->facts->strategy[strategy].name);
        chart_script_row_end(s);
    }
    chart_script_plot(s, first, s->rows - 1,
                      "using 2:3:7 with filledcurves lc rgb %s fs transparent solid 0.45 notitle",
                      style->light);
    chart_script_plot(s, first, s->rows - 1, "using 2:4:6 with filledcurves lc rgb %s notitle",
                      style->light);
    chart_script_plot(s, first, s->rows - 1, "using 2:5 with lines lc rgb %s lw 4.5*W notitle",
                      style->full);
}
