/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/run_basis.h"

#include "engine/csv_reader.h"
#include "engine/file.h"
#include "scenarios/output/drawn_inputs.h"
#include "scenarios/study/study.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool out_of_memory(struct diagnostics *d)
{
    diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0},
                    "out of memory for what a run rests on");
    return false;
}

/* ---- prices and assumptions ---- */

static bool take_price(struct run_basis *b, struct arena *a, const struct manifest_price *p,
                       const char *currency)
{
    const bool dated = p->since[0] != '\0';
    struct basis_fact *f = &b->facts[b->fact_count++];
    f->what = arena_format(a, "price of %s in %s, %s", p->instance_type, p->zone, p->purchase);
    f->value = isnan(p->per_hour) ? "unknown"
                                  : arena_format(a, "%.10g %s/h%s%s", p->per_hour, currency,
                                                 dated ? " since " : "", p->since);
    f->source = p->source;
    return f->what != NULL && f->value != NULL;
}

static bool take_register(struct run_basis *b, struct arena *a, const struct manifest_register *r,
                          const char *currency)
{
    b->facts = arena_array(a, r->price_count + r->assumption_count + 1, sizeof *b->facts);
    bool ok = b->facts != NULL;
    for (size_t i = 0; ok && i < r->price_count; i++) {
        ok = take_price(b, a, &r->prices[i], currency);
    }
    for (size_t i = 0; ok && i < r->assumption_count; i++) {
        const struct manifest_assumption *from = &r->assumptions[i];
        b->facts[b->fact_count++] = (struct basis_fact){from->what, from->value, from->source};
    }
    return ok;
}

/* ---- drawn inputs of a directory ---- */

/* Columns of the file: inputs stand behind the metrics, and before what is shown in a second
 * currency. */
struct input_columns {
    int first, end;
};

static bool is_metric(const char *name, const char *currency)
{
    char column[64];
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (strcmp(name, metric_column((enum metric)m, currency, column)) == 0) {
            return true;
        }
    }
    return false;
}

static struct input_columns find_inputs(const struct csv_reader *csv, const struct manifest *m)
{
    struct input_columns c = {0, 0};
    for (int i = 0; csv_column_name(csv, i) != NULL; i++) {
        const char *name = csv_column_name(csv, i);
        if (is_metric(name, m->currency)) {
            c = (struct input_columns){i + 1, i + 1};
        } else if (m->report.given && is_metric(name, m->report.code)) {
            break;
        } else {
            c.end = i + 1;
        }
    }
    return c;
}

static bool make_room(struct run_basis *b, struct arena *a, size_t inputs, size_t worlds)
{
    b->inputs = arena_array(a, inputs + 1, sizeof *b->inputs);
    b->values = arena_array(a, inputs + 1, sizeof *b->values);
    bool ok = b->inputs != NULL && b->values != NULL;
    for (size_t k = 0; ok && k < inputs; k++) {
        b->values[k] = arena_array(a, worlds + 1, sizeof **b->values);
        ok = b->values[k] != NULL;
        for (size_t i = 0; ok && i < worlds; i++) {
            b->values[k][i] = (double)NAN;
        }
    }
    b->worlds = worlds;
    return ok;
}

static double number_of(const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    return end != text && *end == '\0' ? value : (double)NAN;
}

/* Every strategy's rows say the same: those of the first one. */
static bool read_worlds(struct run_basis *b, struct csv_reader *csv, struct input_columns at,
                        const struct manifest *m)
{
    int got = 0;
    while ((got = csv_next(csv)) == 1) {
        int64_t world;
        if (strcmp(csv_text(csv, 1), STUDY_ALL) != 0 ||
            strcmp(csv_text(csv, 0), m->strategies[0]) != 0) {
            continue;
        }
        if (!csv_int64(csv, 2, &world)) {
            return false;
        }
        if (world < 0 || (uint64_t)world >= b->worlds) {
            continue; /* told by those who read the metrics */
        }
        for (size_t k = 0; k < b->input_count; k++) {
            b->values[k][world] = number_of(csv_raw(csv, at.first + (int)k));
        }
    }
    return got == 0;
}

static bool read_inputs(struct run_basis *b, struct arena *a, const char *folder,
                        const struct manifest *m, struct diagnostics *d)
{
    static const char *const first[] = {"strategy", "workload", "replication", NULL};
    const char *path = file_join(a, folder, "replications.csv");
    struct csv_reader *csv = path == NULL ? NULL : csv_open(path, NULL, first, d);
    if (csv == NULL) {
        return path != NULL ? false : out_of_memory(d);
    }
    const struct input_columns at = find_inputs(csv, m);
    const size_t count = at.end > at.first ? (size_t)(at.end - at.first) : 0;
    bool ok = make_room(b, a, count, (size_t)m->replications);
    for (size_t k = 0; ok && k < count; k++) {
        b->inputs[k] = arena_string(a, csv_column_name(csv, at.first + (int)k));
        ok = b->inputs[k] != NULL;
    }
    b->input_count = ok ? count : 0;
    ok = ok ? count == 0 || read_worlds(b, csv, at, m) : out_of_memory(d);
    csv_close(csv);
    return ok;
}

bool run_basis_read(struct run_basis *b, struct arena *a, const char *folder,
                    const struct manifest *m, struct diagnostics *d)
{
    struct manifest_register r;
    *b = (struct run_basis){0};
    if (!manifest_register_read(&r, a, folder, d)) {
        return false;
    }
    return take_register(b, a, &r, m->currency) ? read_inputs(b, a, folder, m, d)
                                                : out_of_memory(d);
}

/* ---- of a run ---- */

static bool take_inputs(struct run_basis *b, struct arena *a, const struct run *run)
{
    const struct inputs *inputs = run->study->scenario->inputs;
    struct drawn_inputs drawn;
    bool ok = drawn_inputs_init(&drawn, run) && make_room(b, a, drawn.count, drawn.n);
    for (size_t k = 0; ok && k < drawn.count; k++) {
        const struct input *in = inputs_at(inputs, k);
        b->inputs[k] =
            arena_format(a, "%s%s%s", in->name, in->unit[0] != '\0' ? "_" : "", in->unit);
        memcpy(b->values[k], drawn_input(&drawn, k), drawn.n * sizeof **b->values);
        ok = b->inputs[k] != NULL;
        b->input_count = k + 1;
    }
    drawn_inputs_release(&drawn);
    return ok;
}

bool run_basis_of(struct run_basis *b, struct arena *a, const struct run *run,
                  struct diagnostics *d)
{
    struct manifest_register r;
    *b = (struct run_basis){0};
    if (!manifest_register_of(&r, a, run->study, d)) {
        return false;
    }
    return (take_register(b, a, &r, run->study->scenario->currency) && take_inputs(b, a, run)) ||
           out_of_memory(d);
}
