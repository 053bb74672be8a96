/* SPDX-License-Identifier: GPL-3.0-or-later
 * Logs of a prober that keeps instances until they are gone:
 *
 *     [2020-03-15T10:07:33.000Z] Created instance ID with 8 GPU(s) of type v100 in zone us-east-1b
 *     [...] Instance ID running in zone us-east-1b
 *     [...] Instance ID not running in zone us-east-1b
 *     [...] Successfully deleted instance ID
 *     [...] Instance ID creation failed (also: Instance with 8 GPU(s) of type k80 creation failed)
 *
 * Names may be used again: what is said of one is about its latest creation. */
#include "engine/money.h"
#include "scenarios/import/availability_layouts.h"
#include "scenarios/import/import_time.h"
#include "scenarios/import/line_file.h"
#include "scenarios/import/name_index.h"
#include "scenarios/import/step_clock.h"

#include <stdlib.h>
#include <string.h>

#define WORD 128 /* bytes of an id, a type or a zone, with its NUL */

struct log_pool {
    char zone[WORD], type[WORD + 16];
    int traced; /* in the builder */
    int64_t nodes;
};

struct log_instance {
    size_t pool;
    double created_s, seen_s; /* seen_s: when it was last known to run */
    bool alive;               /* created, and not deleted */
    bool running;             /* not found dead */
};

struct log_reading {
    struct line_file f;
    const struct import_request *r;
    struct trace_builder *b; /* NULL: no trace is wanted */
    struct lifetime_list *l; /* NULL: no lifetimes are */
    struct name_index pool_names, ids;
    struct log_pool *pools;
    struct log_instance *instances;
    size_t pool_room, instance_room;
    int64_t zero_us, now_us;
    bool begun;
};

static double now_s(const struct log_reading *g)
{
    return (double)(g->now_us - g->zero_us) / 1e6;
}

/* items, for at least `index` + 1 of them, the new ones zero; NULL when out of memory. */
static void *grow_to(void *items, size_t *room, size_t index, size_t size)
{
    if (index < *room) {
        return items;
    }
    size_t more = index * 2 + 64;
    char *bigger = realloc(items, more * size);
    if (bigger != NULL) {
        memset(bigger + *room * size, 0, (more - *room) * size);
        *room = more;
    }
    return bigger;
}

/* SIZE_MAX when out of memory. */
static size_t find_pool(struct log_reading *g, const char *zone, const char *gpu, int gpus)
{
    char name[2 * WORD + 32];
    snprintf(name, sizeof name, "%s\t%s_%d", zone, gpu, gpus);
    size_t known = g->pool_names.count;
    size_t index = name_index_put(&g->pool_names, g->r->arena, name);
    if (index == SIZE_MAX || index < known) {
        return index;
    }
    struct log_pool *pools = grow_to(g->pools, &g->pool_room, index, sizeof *pools);
    if (pools == NULL) {
        return SIZE_MAX;
    }
    g->pools = pools;
    struct log_pool *p = &pools[index];
    snprintf(p->zone, sizeof p->zone, "%s", zone);
    snprintf(p->type, sizeof p->type, "%s_%d", gpu, gpus);
    if (g->b != NULL) {
        p->traced = trace_builder_pool(g->b, p->zone, p->type);
        if (p->traced < 0) {
            return SIZE_MAX;
        }
        trace_builder_start(g->b, p->traced, g->zero_us / MICROSECONDS, g->r->tick_s);
        trace_builder_in_order(g->b, p->traced);
        trace_builder_nodes(g->b, p->traced, 0, 0);
    }
    return index;
}

static void count_nodes(struct log_reading *g, struct log_pool *p, int change)
{
    p->nodes += change;
    if (g->b != NULL) {
        trace_builder_nodes(g->b, p->traced, now_s(g), p->nodes);
    }
}

/* The end of what is known of an instance. */
static bool end_life(struct log_reading *g, struct log_instance *i, double end_s, bool by_cloud)
{
    struct log_pool *p = &g->pools[i->pool];
    if (i->running) {
        count_nodes(g, p, -1);
    }
    i->alive = i->running = false;
    if (g->l == NULL || !(end_s > i->created_s)) {
        return true; /* a life of no length tells nothing */
    }
    return lifetimes_add(g->l,
                         (struct lifetime){p->zone, p->type, end_s - i->created_s, by_cloud}) ||
           line_file_no_memory(&g->f);
}

static bool created(struct log_reading *g, const char *id, int gpus, const char *gpu,
                    const char *zone)
{
    size_t pool = find_pool(g, zone, gpu, gpus), index = name_index_put(&g->ids, g->r->arena, id);
    struct log_instance *instances =
        index == SIZE_MAX ? NULL
                          : grow_to(g->instances, &g->instance_room, index, sizeof *instances);
    if (pool == SIZE_MAX || instances == NULL) {
        return line_file_no_memory(&g->f);
    }
    g->instances = instances;
    struct log_instance *i = &instances[index];
    /* Its end was not seen: it lived until it was last known to run at least. */
    if (i->alive && !end_life(g, i, i->seen_s, false)) {
        return false;
    }
    *i = (struct log_instance){pool, now_s(g), now_s(g), true, true};
    count_nodes(g, &g->pools[pool], 1);
    return true;
}

/* The instance that is alive under this name; NULL: none, such as one whose creation failed. */
static struct log_instance *find_alive(struct log_reading *g, const char *id)
{
    size_t index = name_index_find(&g->ids, id);
    return index == SIZE_MAX || !g->instances[index].alive ? NULL : &g->instances[index];
}

static void found(struct log_reading *g, const char *id, bool running)
{
    struct log_instance *i = find_alive(g, id);
    if (i == NULL) {
        return;
    }
    if (running) {
        i->seen_s = now_s(g);
    }
    if (i->running != running) {
        i->running = running;
        count_nodes(g, &g->pools[i->pool], running ? 1 : -1);
    }
}

static bool deleted(struct log_reading *g, const char *id)
{
    struct log_instance *i = find_alive(g, id);
    if (i == NULL) {
        return line_file_refuse(&g->f,
                                "'%s' was deleted and was not there; expected it to be "
                                "created before",
                                id);
    }
    return end_life(g, i, now_s(g), !i->running);
}

static bool read_words(struct log_reading *g, const char *text)
{
    char id[WORD], gpu[WORD], zone[WORD];
    int gpus, end = 0;
    size_t length = strlen(text);
#define ALL_OF(...) (end = 0, sscanf(text, __VA_ARGS__), (size_t)end == length)
    if (ALL_OF("Created instance %127s with %6d GPU(s) of type %127s in zone %127s%n", id, &gpus,
               gpu, zone, &end)) {
        return gpus > 0 ? created(g, id, gpus, gpu, zone)
                        : line_file_refuse(&g->f, "%d GPUs will not do; expected 1 at least", gpus);
    }
    if (ALL_OF("Instance %127s running in zone %127s%n", id, zone, &end)) {
        found(g, id, true);
        return true;
    }
    if (ALL_OF("Instance %127s not running in zone %127s%n", id, zone, &end)) {
        found(g, id, false);
        return true;
    }
    if (ALL_OF("Successfully deleted instance %127s%n", id, &end)) {
        return deleted(g, id);
    }
    if (ALL_OF("Instance with %6d GPU(s) of type %127s creation failed%n", &gpus, gpu, &end) ||
        ALL_OF("Instance %127s creation failed%n", id, &end)) {
        return true;
    }
#undef ALL_OF
    return line_file_refuse(&g->f,
                            "'%s' is no event of an instance; expected that it was created, "
                            "is running or not running, was deleted, or that its creation "
                            "failed",
                            text);
}

static bool read_event(struct log_reading *g)
{
    char *text = g->f.text, *close = strchr(text, ']');
    int64_t us;
    if (text[0] != '[' || close == NULL) {
        return line_file_refuse(&g->f, "the line has no time; expected it first, such as "
                                       "[2020-03-15T10:07:33Z]");
    }
    *close = '\0';
    if (!import_instant(text + 1, &us)) {
        return line_file_refuse(&g->f, "the time is '%s'; expected such as 2020-03-15T10:07:33Z",
                                text + 1);
    }
    if (import_is_future(g->r, us)) {
        return line_file_refuse(&g->f, "the time %s is in the future; expected an observation",
                                text + 1);
    }
    if (g->begun && us < g->now_us) {
        return line_file_refuse(&g->f,
                                "the time %s is before that of the line before; expected "
                                "them in order",
                                text + 1);
    }
    if (!g->begun) {
        g->zero_us = us / MICROSECONDS * MICROSECONDS;
        g->begun = true;
    }
    g->now_us = us;
    close++;
    return read_words(g, close + strspn(close, " "));
}

/* What was not deleted when the log ends lived until it was last known to run at least. */
static bool finish_log(struct log_reading *g, const char *path)
{
    if (g->pool_names.count == 0) {
        diagnostics_add(g->r->d, DIAGNOSTIC_ERROR, (struct place){path, 0, 0},
                        "no instance was created in this log");
        return false;
    }
    for (size_t i = 0; g->b != NULL && i < g->pool_names.count; i++) {
        trace_builder_end(g->b, g->pools[i].traced, now_s(g) + LAST_CHANGE_S);
    }
    for (size_t i = 0; g->l != NULL && i < g->ids.count; i++) {
        struct log_instance *x = &g->instances[i];
        if (x->alive && !end_life(g, x, x->seen_s, false)) {
            return false;
        }
    }
    return true;
}

static bool read_log(const struct import_request *r, const char *path, struct trace_builder *b,
                     struct lifetime_list *l)
{
    struct log_reading g = {.r = r, .b = b, .l = l};
    bool ok = line_file_open(&g.f, path, r->d);
    while (ok && line_file_next(&g.f)) {
        ok = read_event(&g);
    }
    ok = ok && !line_file_failed(&g.f) && finish_log(&g, path);
    line_file_close(&g.f);
    name_index_release(&g.pool_names);
    name_index_release(&g.ids);
    free(g.pools);
    free(g.instances);
    return ok;
}

bool availability_read_log(const struct import_request *r, const char *path,
                           struct trace_builder *b)
{
    return read_log(r, path, b, NULL);
}

bool availability_read_log_lifetimes(const struct import_request *r, const char *path,
                                     struct lifetime_list *l)
{
    return read_log(r, path, NULL, l);
}
