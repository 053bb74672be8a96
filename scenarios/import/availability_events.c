/* SPDX-License-Identifier: GPL-3.0-or-later
 * Event lists: `time,add|remove,node` a row, to the number of nodes from then on. */
#include "scenarios/import/availability_layouts.h"
#include "scenarios/import/import_time.h"
#include "scenarios/import/line_file.h"
#include "scenarios/import/name_index.h"
#include "scenarios/import/step_clock.h"

#include <stdlib.h>
#include <string.h>

struct event_file {
    struct line_file f;
    struct step_clock clock;
    struct arena *arena;
    struct name_index nodes;
    int *since; /* by node: the line that added it; 0: not there */
    size_t capacity;
    int64_t count; /* nodes that are there */
};

static bool room_for(struct event_file *e, size_t node)
{
    if (node == SIZE_MAX) {
        return line_file_no_memory(&e->f);
    }
    if (node >= e->capacity) {
        size_t capacity = node * 2 + 64;
        int *since = realloc(e->since, capacity * sizeof *since);
        if (since == NULL) {
            return line_file_no_memory(&e->f);
        }
        memset(since + e->capacity, 0, (capacity - e->capacity) * sizeof *since);
        e->since = since;
        e->capacity = capacity;
    }
    return true;
}

static bool add_node(struct event_file *e, const char *name)
{
    size_t node = name_index_put(&e->nodes, e->arena, name);
    if (!room_for(e, node)) {
        return false;
    }
    if (e->since[node] != 0) {
        return line_file_refuse(&e->f,
                                "'%s' was added in line %d already; expected it to be "
                                "removed before",
                                name, e->since[node]);
    }
    if (e->count == TRACE_MOST_NODES) {
        return line_file_refuse(&e->f, "more than %d nodes at once, too many", TRACE_MOST_NODES);
    }
    e->since[node] = e->f.line;
    e->count++;
    return true;
}

static bool remove_node(struct event_file *e, const char *name)
{
    size_t node = name_index_find(&e->nodes, name);
    if (node == SIZE_MAX || e->since[node] == 0) {
        return line_file_refuse(&e->f,
                                "'%s' is removed and was not there; expected it to be added "
                                "before",
                                name);
    }
    e->since[node] = 0;
    e->count--;
    return true;
}

static bool read_event(struct event_file *e, struct trace_builder *b, int pool)
{
    char *fields[3];
    double number;
    size_t count = line_file_split(&e->f, ',', fields, 3);
    if (count != 3) {
        return line_file_refuse(&e->f,
                                "the row has %zu field%s; expected a time, add or remove, and a "
                                "node",
                                count, count == 1 ? "" : "s");
    }
    bool adds = strcmp(fields[1], "add") == 0;
    bool event = adds || strcmp(fields[1], "remove") == 0;
    if (e->f.line == 1 && !event && !import_number(fields[0], &number) &&
        import_names_a_column(fields[0])) {
        return true;
    }
    if (!step_clock_read(&e->clock, &e->f, fields[0])) {
        return false;
    }
    if (!event || fields[2][0] == '\0') {
        return line_file_refuse(&e->f,
                                "'%s' of '%s' will not do; expected add or remove, and the "
                                "node's name",
                                fields[1], fields[2]);
    }
    if (!(adds ? add_node(e, fields[2]) : remove_node(e, fields[2]))) {
        return false;
    }
    trace_builder_nodes(b, pool, e->clock.now_s, e->count);
    return true;
}

bool availability_read_events(const struct import_request *r, const char *path,
                              struct trace_builder *b)
{
    struct event_file e = {.clock = step_clock_new(r), .arena = r->arena};
    double end_s;
    int pool = trace_builder_pool(b, r->zone, r->instance);
    bool ok = line_file_open(&e.f, path, r->d) && pool >= 0;
    if (ok) {
        trace_builder_in_order(b, pool);
    }
    while (ok && line_file_next(&e.f)) {
        ok = read_event(&e, b, pool);
    }
    ok = ok && !line_file_failed(&e.f) && step_clock_end(&e.clock, r, path, &end_s);
    if (ok) {
        trace_builder_end(b, pool, end_s);
    }
    line_file_close(&e.f);
    name_index_release(&e.nodes);
    free(e.since);
    return ok;
}
