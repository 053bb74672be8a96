/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/quantile_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct three_figures {
    struct figure value;     /* of the quantile itself, nearest */
    struct figure low, high; /* of its bounds, nearest */
    struct figure down, up;  /* of its bounds, rounded away from each other */
};

static struct figure combine(const struct fact_quantile *q, const struct three_figures *t,
                             enum quantile_style style)
{
    struct figure f;

    if (isfinite(q->value) || !isfinite(q->at_least))
        return t->value; /* "unknown" without a bound */
    if (isfinite(q->at_most) && strcmp(t->low.text, t->high.text) == 0)
        return t->low;
    if (style == QUANTILE_FULL && isfinite(q->at_most) &&
        q->at_most - q->at_least <= QUANTILE_RANGE_MAX * fabs(q->at_least))
        snprintf(f.text, sizeof f.text, "%.20s to %.20s", t->down.text, t->up.text);
    else
        snprintf(f.text, sizeof f.text, ">= %.40s", t->down.text);
    return f;
}

struct figure quantile_money(const struct fact_quantile *q, const char *currency,
                             enum quantile_style style)
{
    struct three_figures t = {figure_money(q->value, currency, FIGURE_NEAREST),
                              figure_money(q->at_least, currency, FIGURE_NEAREST),
                              figure_money(q->at_most, currency, FIGURE_NEAREST),
                              figure_money(q->at_least, currency, FIGURE_DOWN),
                              figure_money(q->at_most, currency, FIGURE_UP)};

    return combine(q, &t, style);
}

struct figure quantile_amount(const struct fact_quantile *q, int decimals)
{
    struct three_figures t = {figure_amount(q->value, decimals, FIGURE_NEAREST),
                              figure_amount(q->at_least, decimals, FIGURE_NEAREST),
                              figure_amount(q->at_most, decimals, FIGURE_NEAREST),
                              figure_amount(q->at_least, decimals, FIGURE_DOWN),
                              figure_amount(q->at_most, decimals, FIGURE_UP)};

    return combine(q, &t, QUANTILE_FULL);
}

struct figure quantile_time(const struct fact_quantile *q, enum time_unit unit,
                            enum quantile_style style)
{
    struct three_figures t = {
        figure_time(q->value, unit, FIGURE_NEAREST), figure_time(q->at_least, unit, FIGURE_NEAREST),
        figure_time(q->at_most, unit, FIGURE_NEAREST), figure_time(q->at_least, unit, FIGURE_DOWN),
        figure_time(q->at_most, unit, FIGURE_UP)};
    char *space = strrchr(t.down.text, ' ');

    /* The unit stands once in a range, and with a bound that stands alone. */
    if (isfinite(q->at_most) && style == QUANTILE_FULL && space != NULL &&
        q->at_most - q->at_least <= QUANTILE_RANGE_MAX * fabs(q->at_least))
        *space = '\0';
    return combine(q, &t, style);
}
