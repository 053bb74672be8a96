/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_levels.h"

#include "plots/sentences/title_parts.h"

#include <math.h>

/* Of a single world, and where all differ by the same, there is nothing to doubt. */
static bool surely_below(const struct level_point *p)
{
    return p->worlds > 1.0 ? p->over_high < 0.0 : p->over < 0.0;
}

static bool surely_above(const struct level_point *p)
{
    return p->worlds > 1.0 ? p->over_low > 0.0 : p->over > 0.0;
}

static bool all_others_above(const struct level_course *c)
{
    for (size_t i = 0; i < c->count; i++) {
        if (i != c->as_signed && !surely_above(&c->point[i]))
            return false;
    }
    return true;
}

static const char *of_what(const struct level_point *p)
{
    return p->worlds > 1.0 ? "(mean)" : "(in the one simulated future)";
}

static void add_cheaper(struct text *out, const struct study_facts *f, const struct level_course *c,
                        const char *name)
{
    const struct level_point *least = &c->point[c->least], *as_signed = &c->point[c->as_signed];
    const char *currency = f->frame->currency;
    enum level_scale scale = level_course_scale(c);

    text_format(out, "%s would cost %s less %s with ", name,
                title_money(f, -least->over, FIGURE_DOWN).text, of_what(least));
    if (!(least->level > 0.0))
        text_add(out, "no commitment");
    else if (scale == LEVEL_PERCENT)
        text_format(out, "%s signed", level_course_words(least, scale, currency).text);
    else if (scale == LEVEL_INSTANCES)
        text_format(out, "%s in place of %s", level_course_words(least, scale, currency).text,
                    figure_count(as_signed->instances).text);
    else
        text_format(out, "%s in place of %s", level_course_words(least, scale, currency).text,
                    level_course_words(as_signed, scale, currency).text);
}

void title_levels(struct text *out, const struct study_facts *f, int strategy,
                  const struct level_course *c)
{
    const struct level_point *as_signed = &c->point[c->as_signed];
    struct title_words x = title_name(f, strategy);
    struct figure size = level_course_words(as_signed, level_course_scale(c), f->frame->currency);
    struct figure cost = title_money(f, as_signed->mean, FIGURE_NEAREST);

    if (surely_below(&c->point[c->least]))
        add_cheaper(out, f, c, x.text);
    else if (all_others_above(c))
        text_format(out, "What %s signs%s%s, costs less than any other size: %s %s", x.text,
                    level_course_scale(c) == LEVEL_PERCENT ? "" : ", ",
                    level_course_scale(c) == LEVEL_PERCENT ? "" : size.text, cost.text,
                    of_what(as_signed));
    else
        text_format(out, "No size of commitment is clearly cheaper than what %s signs: %s%s%s %s",
                    x.text, level_course_scale(c) == LEVEL_PERCENT ? "" : size.text,
                    level_course_scale(c) == LEVEL_PERCENT ? "" : ", ", cost.text,
                    of_what(as_signed));
}
