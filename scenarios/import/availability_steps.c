/* SPDX-License-Identifier: GPL-3.0-or-later
 * Step traces: `time,nodes` a row, from then on; of rows of one time the last counts. */
#include "scenarios/import/availability_layouts.h"
#include "scenarios/import/import_time.h"
#include "scenarios/import/line_file.h"
#include "scenarios/import/step_clock.h"

/* A header is not needed, but where there is one it must not say the contrary. */
static bool check_heading(struct line_file *f, char *const *fields)
{
    static const char *const of_time[] = {"time", "second", "hour", "date", NULL};
    static const char *const of_nodes[] = {"node", "count", "instance", "capacity", NULL};
    bool reversed =
        import_holds_a_word(fields[0], of_nodes) || import_holds_a_word(fields[1], of_time);
    return !reversed || line_file_refuse(f,
                                         "the columns are '%s' and '%s'; expected the time first "
                                         "and the nodes behind it",
                                         fields[0], fields[1]);
}

static bool read_step(struct line_file *f, struct step_clock *clock, struct trace_builder *b,
                      int pool)
{
    char *fields[2];
    int64_t nodes;
    double number;
    size_t count = line_file_split(f, ',', fields, 2);
    if (count != 2) {
        return line_file_refuse(f, "the row has %zu field%s; expected a time and a number of nodes",
                                count, count == 1 ? "" : "s");
    }
    bool heading = !clock->begun && f->line == 1 && !import_number(fields[0], &number) &&
                   !import_number(fields[1], &number);
    if (heading && import_names_a_column(fields[0])) {
        return check_heading(f, fields);
    }
    if (!step_clock_read(clock, f, fields[0])) {
        return false;
    }
    if (!import_whole(fields[1], TRACE_MOST_NODES, &nodes)) {
        return line_file_refuse(f,
                                "'%s' will not do; expected a whole number of nodes, 0 to a "
                                "million",
                                fields[1]);
    }
    trace_builder_nodes(b, pool, clock->now_s, nodes);
    return true;
}

bool availability_read_steps(const struct import_request *r, const char *path,
                             struct trace_builder *b)
{
    struct line_file f;
    struct step_clock clock = step_clock_new(r);
    double end_s;
    int pool = trace_builder_pool(b, r->zone, r->instance);
    bool ok = line_file_open(&f, path, r->d) && pool >= 0;
    if (ok) {
        trace_builder_in_order(b, pool);
    }
    while (ok && line_file_next(&f)) {
        ok = read_step(&f, &clock, b, pool);
    }
    ok = ok && !line_file_failed(&f) && step_clock_end(&clock, r, path, &end_s);
    if (ok && line_file_unended(&f)) {
        diagnostics_add(r->d, DIAGNOSTIC_WARNING, (struct place){path, f.line, 0},
                        "no line feed stands behind the last row, of which digits may be missing; "
                        "was the file cut?");
    }
    if (ok) {
        trace_builder_end(b, pool, end_s);
    }
    line_file_close(&f);
    return ok;
}
