/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/import/step_clock.h"

#include "models/market/trace.h"
#include "scenarios/import/import_time.h"

bool step_clock_read(struct step_clock *c, struct line_file *f, const char *text)
{
    double time;
    if (!import_number(text, &time)) {
        return line_file_refuse(f, "the time is '%s'; expected a number", text);
    }
    double at_s = time * c->unit_s;
    if (!(at_s >= 0 && at_s <= TRACE_LATEST_S)) {
        return line_file_refuse(f, "the time is %s, or %g s; expected 0 to %g s", text, at_s,
                                TRACE_LATEST_S);
    }
    if (c->begun && at_s < c->now_s) {
        return line_file_refuse(
            f, "the time is %s after %.10g; expected the rows in the order of time", text,
            c->now_s / c->unit_s);
    }
    if (!c->begun) {
        c->first_s = at_s;
    }
    c->now_s = at_s;
    c->begun = true;
    return true;
}

bool step_clock_end(const struct step_clock *c, const struct import_request *r, const char *path,
                    double *end_s)
{
    struct place where = {path, 0, 0};
    *end_s = r->length_s > 0 ? c->first_s + r->length_s : c->now_s + LAST_CHANGE_S;
    if (!c->begun) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, where, "nothing is observed in this file");
    } else if (r->length_s > 0 && !(*end_s > c->now_s)) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, where,
                        "--length is %g s, and the last row %g s behind the first; expected a "
                        "longer time",
                        r->length_s, c->now_s - c->first_s);
    } else if (r->length_s <= 0 && c->now_s <= c->first_s) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, where,
                        "all rows have one time, so how long was observed is not known; expected "
                        "it as --length, such as --length 17.5h");
    } else if (!(*end_s > c->now_s)) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, where,
                        "times up to %g s leave no room for an end; expected smaller ones",
                        c->now_s);
    } else {
        return true;
    }
    return false;
}
