/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_front.h"

#include "plots/text/figures.h"
#include "plots/text/label.h"

#include <ctype.h>
#include <string.h>

static struct figure in_time(double hours)
{
    return figure_time_words(hours, figure_time_unit(hours), FIGURE_NEAREST);
}

void title_front(struct text *out, const struct front_points *p, const char *currency)
{
    const struct front_member *cheap, *fast;

    if (p->front_count == 0) {
        text_add(out, "No plan finishes its work often enough to be compared");
        return;
    }
    cheap = &p->front[0];
    fast = &p->front[p->front_count - 1];
    if (cheap == fast)
        text_format(out, "%s is the cheapest plan and the fastest: %s, %s", cheap->plan,
                    figure_money(cheap->cost, currency, FIGURE_NEAREST).text,
                    in_time(cheap->time_h).text);
    else if (fast->cost_low <= cheap->cost_high)
        text_format(out, "%s is the fastest plan, %s, at no clear difference in cost: %s",
                    fast->plan, in_time(fast->time_h).text,
                    figure_money(fast->cost, currency, FIGURE_NEAREST).text);
    else if (fast->time_high_h >= cheap->time_low_h)
        text_format(out, "%s is the cheapest plan, %s, at no clear difference in time: %s",
                    cheap->plan, figure_money(cheap->cost, currency, FIGURE_NEAREST).text,
                    in_time(cheap->time_h).text);
    else
        text_format(out, "The cheapest plan costs %s in %s; the fastest is done in %s for %s",
                    figure_money(cheap->cost, currency, FIGURE_NEAREST).text,
                    in_time(cheap->time_h).text, in_time(fast->time_h).text,
                    figure_money(fast->cost, currency, FIGURE_NEAREST).text);
}

void front_measure_words(struct text *out, const char *measure, const char *metric,
                         const char *noun)
{
    static const char *const statistics[][2] = {
        {"mean", "mean"}, {"min", "lowest"}, {"max", "highest"}};
    const size_t length = strlen(metric);
    const bool ours = strncmp(measure, metric, length) == 0 && measure[length] == '.';
    const char *statistic = ours ? measure + length + 1 : "";

    for (size_t i = 0; i < sizeof statistics / sizeof statistics[0]; i++) {
        if (strcmp(statistic, statistics[i][0]) == 0) {
            text_format(out, "%s %s", statistics[i][1], noun);
            return;
        }
    }
    if (statistic[0] == 'p' && isdigit((unsigned char)statistic[1]))
        text_format(out, "P%.8s %s", statistic + 1, noun);
    else
        label_clean(out, measure);
}
