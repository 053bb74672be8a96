/* SPDX-License-Identifier: GPL-3.0-or-later
 * Probes with their times: `index,time,flag` a row. A probe holds until the next one; a gap above
 * LONGEST_GAP ticks is a hole behind the first tick of it, whether within a file or between two. */
#include "scenarios/import/availability_layouts.h"
#include "scenarios/import/import_time.h"
#include "scenarios/import/line_file.h"

#include <string.h>

#define LONGEST_GAP  1.5 /* ticks; docs/traces.md says so */
#define SHORTEST_GAP 0.5 /* below it the tick given is not the file's */

enum { INDEX, TIME, FLAG, FIELDS };

struct probing {
    const struct import_request *r;
    struct trace_builder *b;
    int pool;
    bool one_is_up;
    int64_t zero_us, last_us;
    int last_line;
    size_t probes, gaps, long_gaps, short_gaps; /* gaps: within files */
    bool first_of_file;
};

static double seconds_since(const struct probing *p, int64_t us)
{
    return (double)(us - p->zero_us) / 1e6;
}

static bool is_flag(const char *text)
{
    return (text[0] == '0' || text[0] == '1') && text[1] == '\0';
}

static bool check_time(struct probing *p, struct line_file *f, const char *text, int64_t us)
{
    if (import_is_future(p->r, us)) {
        return line_file_refuse(f, "the time %s is in the future; expected an observation", text);
    }
    if (p->probes == 0 || us > p->last_us) {
        return true;
    }
    if (p->first_of_file) {
        return line_file_refuse(f,
                                "the time %s is not behind the last one of the file before; "
                                "expected the files in the order of time",
                                text);
    }
    return line_file_refuse(f, "the time %s is %s line %d; expected rising times", text,
                            us == p->last_us ? "also that of" : "before that of", p->last_line);
}

/* The time between two probes: the state of the first holds, or ends in a hole. */
static void pass(struct probing *p, int64_t us)
{
    double gap_s = (double)(us - p->last_us) / 1e6;
    bool is_long = gap_s > LONGEST_GAP * p->r->tick_s;
    if (is_long) {
        trace_builder_hole(p->b, p->pool, seconds_since(p, p->last_us) + p->r->tick_s);
    }
    if (!p->first_of_file) {
        p->gaps++;
        p->long_gaps += is_long;
        p->short_gaps += gap_s < SHORTEST_GAP * p->r->tick_s;
    }
}

/* A header is not needed, but where the flag has a name it must not say the contrary. */
static bool check_flag_name(struct probing *p, struct line_file *f, const char *name)
{
    static const char *const of_preempted[] = {"unavail", "preempt", "interrupt", "down", NULL};
    static const char *const of_available[] = {"avail", NULL};
    bool preempted = import_holds_a_word(name, of_preempted);
    bool available = !preempted && import_holds_a_word(name, of_available);
    if (p->one_is_up ? preempted : available) {
        return line_file_refuse(f,
                                "the flag is named '%s', and --polarity says that 1 means '%s'; "
                                "expected the two to agree, or another name",
                                name, p->r->polarity);
    }
    return true;
}

static bool read_probe(struct probing *p, struct line_file *f)
{
    char *fields[FIELDS];
    int64_t us, number;
    size_t count = line_file_split(f, ',', fields, FIELDS);
    if (count != FIELDS) {
        return line_file_refuse(f, "the row has %zu field%s; expected an index, a time, and 0 or 1",
                                count, count == 1 ? "" : "s");
    }
    bool timed = import_instant(fields[TIME], &us);
    if (!timed && !is_flag(fields[FLAG]) && f->line == 1 && import_names_a_column(fields[TIME]) &&
        import_names_a_column(fields[FLAG])) {
        return check_flag_name(p, f, fields[FLAG]);
    }
    if (!import_whole(fields[INDEX], INT64_MAX / 2, &number)) {
        return line_file_refuse(f, "the index is '%s'; expected a whole number", fields[INDEX]);
    }
    if (!timed) {
        return line_file_refuse(f,
                                "the time is '%s'; expected such as 2022-10-26T22:05:04Z, with "
                                "Z or an offset",
                                fields[TIME]);
    }
    if (!is_flag(fields[FLAG])) {
        return line_file_refuse(f, "the flag is '%s'; expected 0 or 1", fields[FLAG]);
    }
    if (!check_time(p, f, fields[TIME], us)) {
        return false;
    }
    if (p->probes == 0) {
        int64_t start_s = us / 1000000;
        p->zero_us = start_s * 1000000;
        trace_builder_start(p->b, p->pool, start_s, p->r->tick_s);
        trace_builder_in_order(p->b, p->pool);
    } else {
        pass(p, us);
    }
    bool up = (fields[FLAG][0] == '1') == p->one_is_up;
    trace_builder_nodes(p->b, p->pool, seconds_since(p, us), up ? 1 : 0);
    p->probes++;
    p->last_us = us;
    p->last_line = f->line;
    p->first_of_file = false;
    return true;
}

static bool read_file(struct probing *p, const char *path)
{
    struct line_file f;
    size_t before = p->probes;
    bool ok = line_file_open(&f, path, p->r->d);
    p->first_of_file = true;
    p->last_line = 0;
    while (ok && line_file_next(&f)) {
        ok = read_probe(p, &f);
    }
    ok = ok && !line_file_failed(&f);
    if (ok && p->probes == before) {
        diagnostics_add(p->r->d, DIAGNOSTIC_ERROR, (struct place){path, 0, 0},
                        "nothing is observed in this file");
        ok = false;
    }
    line_file_close(&f);
    return ok;
}

/* A tick that is not the file's makes holes of what was observed, or one observation of many. */
static void warn_of_tick(const struct probing *p)
{
    bool is_short = p->short_gaps > p->gaps / 2;
    size_t odd = is_short ? p->short_gaps : p->long_gaps;
    if (odd > p->gaps / 2) {
        diagnostics_add(p->r->d, DIAGNOSTIC_WARNING, (struct place){p->r->files[0], 0, 0},
                        "%zu of %zu gaps between probes are %s %g ticks of %g s; expected --tick "
                        "to be the time between them",
                        odd, p->gaps, is_short ? "below" : "above",
                        is_short ? SHORTEST_GAP : LONGEST_GAP, p->r->tick_s);
    }
}

bool availability_read_timestamps(const struct import_request *r, struct trace_builder *b)
{
    struct probing p = {.r = r, .b = b, .one_is_up = strcmp(r->polarity, "available") == 0};
    p.pool = trace_builder_pool(b, r->zone, r->instance);
    if (p.pool < 0) {
        return true; /* told when the builder finishes */
    }
    for (size_t i = 0; i < r->file_count; i++) {
        if (!read_file(&p, r->files[i])) {
            return false;
        }
    }
    trace_builder_end(b, p.pool, seconds_since(&p, p.last_us) + r->tick_s);
    warn_of_tick(&p);
    return true;
}
