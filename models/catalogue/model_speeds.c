/* SPDX-License-Identifier: GPL-3.0-or-later
 * See model_speeds.h. */
#include "models/catalogue/model_speeds.h"

#include "models/catalogue/catalogue_input.h"

#include <string.h>

enum { ROWS_MAX = 10000 };
static const char FILE_NAME[] = "model_speeds.csv";

enum { S_MODEL, S_ACCELERATOR, S_COUNT, S_PRECISION, S_BATCH, S_SPEED, S_DATE, S_SOURCE, S_NOTE };
static const char *const columns[] = {
    "model",         "accelerator", "accelerators", "precision", "batch_per_accelerator",
    "samples_per_s", "date",        "source",       "note",      NULL};

static bool read_names(struct catalogue_input *in, struct model_speed *row)
{
    const char *model = csv_text(in->csv, S_MODEL);
    const char *accelerator = csv_text(in->csv, S_ACCELERATOR);
    const char *precision = csv_text(in->csv, S_PRECISION);
    row->model = catalogue_model(in->catalogue, model);
    size_t at = store_accelerator(in->catalogue, accelerator);
    int p = 0;
    while (p < PRECISION_COUNT && strcmp(precision_names[p], precision) != 0) {
        p++;
    }
    if (row->model == NULL) {
        input_error(in, "unknown model '%s'; expected one of model_presets.csv", model);
    } else if (at == NOT_FOUND) {
        input_error(in, "unknown accelerator '%s'; expected one of accelerators.csv", accelerator);
    } else if (p == PRECISION_COUNT) {
        input_error(in, "unknown precision '%s'; expected such as bf16", precision);
    } else {
        row->accelerator = &in->catalogue->accelerators[at];
        row->precision = (enum precision)p;
        return true;
    }
    return false;
}

static bool read_row(struct catalogue_input *in, void *to)
{
    struct model_speed *row = to;
    row->line = csv_line(in->csv);
    bool good = read_names(in, row);
    good &= input_amount(in, S_COUNT, columns[S_COUNT], 1, true, &row->accelerators);
    good &= input_amount(in, S_BATCH, columns[S_BATCH], 1, false, &row->batch_per_accelerator);
    good &= input_amount(in, S_SPEED, columns[S_SPEED], 1, true, &row->samples_per_s);
    row->date = input_text(in, S_DATE, "date", true);
    row->source = input_text(in, S_SOURCE, "source", true);
    row->note = input_text(in, S_NOTE, "note", false);
    return good && row->date && row->source && row->note;
}

static bool is_same(const struct model_speed *a, const struct model_speed *b)
{
    return a->model == b->model && a->accelerator == b->accelerator &&
           a->accelerators == b->accelerators && a->precision == b->precision;
}

static void finish(struct catalogue_input *in, void *all, size_t count)
{
    const struct model_speed *rows = all;
    struct catalogue *c = in->catalogue;
    c->speeds.rows = arena_array(c->arena, count, sizeof *rows);
    if (!c->speeds.rows) {
        input_out_of_memory(in);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (is_same(&rows[i], &rows[k])) {
                diagnostics_add(in->diagnostics, DIAGNOSTIC_ERROR,
                                (struct place){in->shown_name, rows[i].line, 0},
                                "this speed of '%s' is given twice; line %d has it too",
                                rows[i].model->name, rows[k].line);
                in->failed = true;
            }
        }
        c->speeds.rows[i] = rows[i];
    }
    c->speeds.count = count;
}

bool model_speeds_read(struct catalogue *c, struct diagnostics *d)
{
    const struct input_rows rows = {.file = FILE_NAME,
                                    .columns = columns,
                                    .size = sizeof(struct model_speed),
                                    .most = ROWS_MAX,
                                    .read = read_row,
                                    .finish = finish};
    return input_read_optional(c, &rows, d);
}

const struct model_speed *catalogue_model_speed(const struct catalogue *c, const char *model,
                                                const struct instance_type *type,
                                                enum precision precision)
{
    for (size_t i = 0; model != NULL && i < c->speeds.count; i++) {
        const struct model_speed *row = &c->speeds.rows[i];
        if (strcmp(row->model->name, model) == 0 && row->accelerator == type->accelerator &&
            row->accelerators == type->accelerator_count && row->precision == precision) {
            return row;
        }
    }
    return NULL;
}
