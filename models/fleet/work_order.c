/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/work_order.h"

#include "engine/text.h"
#include "models/fleet/work_making.h"

#include <math.h>
#include <string.h>

struct order_making {
    struct work_order *order;
    const struct work_step *steps;
    const struct market_context *c;
};

static bool refuse_name(const struct order_making *m, const struct work_step *step,
                        const char *name)
{
    const size_t count = m->order->workloads;
    const char **names = arena_array(m->c->arena, count + 1, sizeof *names);
    for (size_t i = 0; names != NULL && i < count; i++) {
        names[i] = m->steps[i].name;
    }
    const char *near = names == NULL ? NULL : text_suggest(name, names, count);
    struct text shown;
    text_init(&shown, 200);
    text_add_visible(&shown, name, 64);
    work_complain(m->c, DIAGNOSTIC_ERROR, step->spec->after_place, false,
                  "'after' of '%s' names '%s', but no workload is called so%s%s%s", step->name,
                  shown.data, near == NULL ? "" : "; did you mean '", near == NULL ? "" : near,
                  near == NULL ? "" : "'?");
    text_release(&shown);
    return false;
}

/* Adds the workload of this name to those that the index-th waits for. */
static bool add_name(const struct order_making *m, size_t index, const char *name, uint32_t *after)
{
    const struct work_step *step = &m->steps[index];
    struct work_wait *wait = &m->order->waits[index];
    uint32_t k = 0;
    while (k < m->order->workloads && strcmp(m->steps[k].name, name) != 0) {
        k++;
    }
    if (k == m->order->workloads) {
        return refuse_name(m, step, name);
    }
    if (k == index) {
        return work_complain(m->c, DIAGNOSTIC_ERROR, step->spec->after_place, false,
                             "'%s' is to begin after itself; name another workload or drop 'after'",
                             step->name);
    }
    if (m->steps[k].spec == NULL) {
        return work_complain(m->c, DIAGNOSTIC_ERROR, step->spec->after_place, false,
                             "'%s' is to begin after '%s', which runs by the clock and is never "
                             "done; give '%s' a 'submit' instead",
                             step->name, name, step->name);
    }
    for (size_t i = 0; i < wait->count; i++) {
        if (after[i] == k) {
            return true;
        }
    }
    after[wait->count++] = k;
    m->order->waits[k].followed = true;
    m->order->any = true;
    return true;
}

static bool add_step(const struct order_making *m, size_t index)
{
    static const struct number none = {.input = -1, .word = -1};
    const struct order_spec *spec = m->steps[index].spec;
    struct work_wait *wait = &m->order->waits[index];
    wait->delay = spec == NULL ? &none : &spec->delay;
    if (spec == NULL) {
        return true;
    }
    const char *const *names = spec->after.items;
    uint32_t *after = arena_array(m->c->arena, spec->after.count + 1, sizeof *after);
    bool good = after != NULL;
    wait->after = after;
    for (size_t i = 0; good && i < spec->after.count; i++) {
        good = add_name(m, index, names[i], after);
    }
    if (good && spec->after.count == 0 && spec->delay.given) {
        good = work_complain(m->c, DIAGNOSTIC_ERROR, spec->delay_place, false,
                             "'delay' of '%s' counts from the end of what it follows, but it has "
                             "no 'after'; expected 'after: NAME', or 'submit' in its place",
                             m->steps[index].name);
    }
    return good;
}

/* What is left in a circle waits for something that is left: following it comes round. */
static bool refuse_circle(const struct order_making *m, const bool *placed)
{
    const struct work_order *o = m->order;
    uint32_t at = 0;
    while (placed[at]) {
        at++;
    }
    struct text circle;
    text_init(&circle, 600);
    for (size_t round = 0; round < 2; round++) {
        const uint32_t first = at; /* the second time round it is a member of the circle */
        size_t steps = 0;
        text_clear(&circle);
        do {
            const struct work_wait *w = &o->waits[at];
            size_t i = 0;
            text_format(&circle, "'%s' after ", m->steps[at].name);
            while (placed[w->after[i]]) {
                i++;
            }
            at = w->after[i];
            steps++;
        } while (at != first && steps < o->workloads);
    }
    text_format(&circle, "'%s'", m->steps[at].name);
    work_complain(m->c, DIAGNOSTIC_ERROR, m->steps[at].spec->after_place, false,
                  "workloads wait for each other in a circle: %s; drop one 'after'", circle.data);
    text_release(&circle);
    return false;
}

/* Kahn's order, the first in the file first. */
static bool make_sequence(const struct order_making *m)
{
    struct work_order *o = m->order;
    uint32_t *sequence = arena_array(m->c->arena, o->workloads + 1, sizeof *sequence);
    bool *placed = arena_array(m->c->arena, o->workloads + 1, sizeof *placed);
    if (sequence == NULL || placed == NULL) {
        return false;
    }
    for (size_t done = 0; done < o->workloads; done++) {
        size_t next = 0;
        for (; next < o->workloads; next++) {
            bool free = !placed[next];
            for (size_t i = 0; free && i < o->waits[next].count; i++) {
                free = placed[o->waits[next].after[i]];
            }
            if (free) {
                break;
            }
        }
        if (next == o->workloads) {
            return refuse_circle(m, placed);
        }
        placed[next] = true;
        sequence[done] = (uint32_t)next;
    }
    o->sequence = sequence;
    return true;
}

bool work_order_make(struct work_order *o, const struct work_step *steps, size_t count,
                     const struct market_context *context)
{
    const struct order_making m = {.order = o, .steps = steps, .c = context};
    *o = (struct work_order){.workloads = count,
                             .waits = arena_array(context->arena, count + 1, sizeof *o->waits),
                             .deadline_s = HUGE_VAL};
    bool good = o->waits != NULL;
    for (size_t i = 0; o->waits != NULL && i < count; i++) {
        good &= add_step(&m, i);
    }
    return good && make_sequence(&m);
}

void work_order_plan(const struct work_order *o, const double *lasts_s, double *begins_s)
{
    for (size_t k = 0; k < o->workloads; k++) {
        const uint32_t w = o->sequence[k];
        const struct work_wait *wait = &o->waits[w];
        for (size_t i = 0; i < wait->count; i++) {
            const uint32_t before = wait->after[i];
            begins_s[w] = fmax(begins_s[w], begins_s[before] + lasts_s[before] +
                                                number_value(wait->delay, NULL));
        }
    }
}
