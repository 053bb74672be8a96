/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_spot_market.h"

#include "plots/text/figures.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "once", "34 times" */
static struct figure times(size_t n)
{
    struct figure f;

    if (n == 1)
        snprintf(f.text, sizeof f.text, "once");
    else
        snprintf(f.text, sizeof f.text, "%.30s times", figure_count((double)n).text);
    return f;
}

/* "a node", "16 nodes" */
static struct figure nodes(double n)
{
    struct figure f;

    if (n == 1.0)
        snprintf(f.text, sizeof f.text, "a node");
    else
        snprintf(f.text, sizeof f.text, "%.30s nodes", figure_count(n).text);
    return f;
}

static void add_losses(struct text *out, const struct spot_paths *p, size_t least, size_t most,
                       bool room)
{
    struct figure gang = nodes(p->path[0].nodes);

    if (!room)
        text_format(out, " never has room for %s", gang.text);
    else if (most == 0)
        text_format(out, " never loses its room for %s", gang.text);
    else if (least == most)
        text_format(out, " loses its room for %s %s", gang.text, times(most).text);
    else
        text_format(out, " loses its room for %s %s to %s times", gang.text,
                    figure_count((double)least).text, figure_count((double)most).text);
}

void title_spot_market(struct text *out, const struct spot_paths *p, const char *currency)
{
    double low = INFINITY, high = -INFINITY;
    size_t least = SIZE_MAX, most = 0;
    bool room = false;
    struct figure from, to;

    for (size_t i = 0; i < p->count; i++) {
        low = fmin(low, p->path[i].low);
        high = fmax(high, p->path[i].high);
        least = p->path[i].losses < least ? p->path[i].losses : least;
        most = p->path[i].losses > most ? p->path[i].losses : most;
        room = room || p->path[i].room_s > 0.0;
    }
    text_add(out, "Spot");
    if (p->count == 1) {
        text_add(out, " in ");
        label_shorten(out, p->path[0].zone, 14.0, true);
    }
    add_losses(out, p, least, most, room);
    if (p->count > 1)
        text_format(out, " in each of %zu pools", p->count);
    from = figure_money(low, currency, FIGURE_NEAREST);
    to = figure_money(high, currency, FIGURE_NEAREST);
    if (low == high)
        text_format(out, "; its price stays at %s an hour", from.text);
    else if (strcmp(from.text, to.text) == 0)
        text_format(out, "; its price stays about %s an hour", from.text);
    else if (p->count > 1)
        text_format(out, "; prices lie between %s and %s an hour", from.text, to.text);
    else
        text_format(out, "; its price moves between %s and %s an hour", from.text, to.text);
}
