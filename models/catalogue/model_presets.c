/* SPDX-License-Identifier: GPL-3.0-or-later
 * See model_presets.h. */
#include "models/catalogue/model_presets.h"

#include "engine/text.h"
#include "models/catalogue/catalogue_input.h"

#include <stdlib.h>
#include <string.h>

const char *const model_class_names[] = {"llm", "encoder", "cnn", "other", NULL};

enum { ROWS_MAX = 10000 };
static const double MILLION = 1e6;
static const char FILE_NAME[] = "model_presets.csv";

enum {
    M_NAME,
    M_CLASS,
    M_PARAMETERS,
    M_ACTIVE,
    M_LAYERS,
    M_HIDDEN,
    M_HEADS,
    M_KV_HEADS,
    M_HEAD_SIZE,
    M_SEQUENCE,
    M_VOCABULARY,
    M_GMAC,
    M_PIXELS,
    M_ACTIVATIONS,
    M_EXPERTS,
    M_EXPERTS_PER_TOKEN,
    M_DATE,
    M_SOURCE,
    M_NOTE
};
static const char *const columns[] = {"model",
                                      "class",
                                      "parameters_millions",
                                      "active_millions",
                                      "layers",
                                      "hidden",
                                      "heads",
                                      "kv_heads",
                                      "head_size",
                                      "sequence",
                                      "vocabulary",
                                      "gmac",
                                      "pixels",
                                      "activations_millions",
                                      "experts",
                                      "experts_per_token",
                                      "date",
                                      "source",
                                      "note",
                                      NULL};

/* ---- reading ------------------------------------------------------------------- */

static bool read_class(struct catalogue_input *in, enum model_class *class)
{
    const char *text = csv_text(in->csv, M_CLASS);
    for (int i = 0; i < MODEL_CLASS_COUNT; i++) {
        if (strcmp(text, model_class_names[i]) == 0) {
            *class = (enum model_class)i;
            return true;
        }
    }
    input_error(in, "'class' is '%s'; expected llm, encoder, cnn or other", text);
    return false;
}

/* Half of an image's facts would be scaled by nothing. */
static bool check_row(struct catalogue_input *in, const struct model_preset *row)
{
    if (row->active_parameters > row->parameters) {
        input_error(in, "'%s' has more active parameters than parameters", row->name);
        return false;
    }
    if (row->experts_per_token > row->experts) {
        input_error(in, "'%s' sends each token to more experts than it has", row->name);
        return false;
    }
    if (row->class == MODEL_CNN && !(row->gmac > 0 && row->pixels > 0)) {
        input_error(in, "'%s' is a cnn; expected its 'gmac' and 'pixels'", row->name);
        return false;
    }
    return true;
}

static bool read_row(struct catalogue_input *in, void *to)
{
    struct model_preset *row = to;
    const struct {
        size_t column;
        double unit;
        double *value;
    } amounts[] = {
        {M_PARAMETERS, MILLION, &row->parameters},
        {M_ACTIVE, MILLION, &row->active_parameters},
        {M_LAYERS, 1, &row->layers},
        {M_HIDDEN, 1, &row->hidden},
        {M_HEADS, 1, &row->heads},
        {M_KV_HEADS, 1, &row->kv_heads},
        {M_HEAD_SIZE, 1, &row->head_size},
        {M_SEQUENCE, 1, &row->sequence},
        {M_VOCABULARY, 1, &row->vocabulary},
        {M_GMAC, 1, &row->gmac},
        {M_PIXELS, 1, &row->pixels},
        {M_ACTIVATIONS, MILLION, &row->activations},
        {M_EXPERTS, 1, &row->experts},
        {M_EXPERTS_PER_TOKEN, 1, &row->experts_per_token},
    };
    row->line = csv_line(in->csv);
    row->name = input_text(in, M_NAME, "model", true);
    row->date = input_text(in, M_DATE, "date", true);
    row->source = input_text(in, M_SOURCE, "source", true);
    row->note = input_text(in, M_NOTE, "note", false);
    bool good = row->name && row->date && row->source && row->note;
    good &= read_class(in, &row->class);
    for (size_t i = 0; i < sizeof amounts / sizeof amounts[0]; i++) {
        good &= input_amount(in, amounts[i].column, columns[amounts[i].column], amounts[i].unit,
                             amounts[i].column == M_PARAMETERS, amounts[i].value);
    }
    return good && check_row(in, row);
}

static int compare_rows(const void *left, const void *right)
{
    const struct model_preset *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static void finish(struct catalogue_input *in, void *all, size_t count)
{
    struct model_preset *rows = all;
    struct catalogue *c = in->catalogue;
    qsort(rows, count, sizeof *rows, compare_rows);
    c->models.rows = arena_array(c->arena, count, sizeof *rows);
    c->models.names = arena_array(c->arena, count, sizeof *c->models.names);
    if (!c->models.rows || !c->models.names) {
        input_out_of_memory(in);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && strcmp(rows[i - 1].name, rows[i].name) == 0) {
            diagnostics_add(
                in->diagnostics, DIAGNOSTIC_ERROR, (struct place){in->shown_name, rows[i].line, 0},
                "model '%s' is given twice; line %d has it too", rows[i].name, rows[i - 1].line);
            in->failed = true;
        }
        c->models.rows[i] = rows[i];
        c->models.names[i] = rows[i].name;
    }
    c->models.count = count;
}

bool model_presets_read(struct catalogue *c, struct diagnostics *d)
{
    const struct input_rows rows = {.file = FILE_NAME,
                                    .columns = columns,
                                    .size = sizeof(struct model_preset),
                                    .most = ROWS_MAX,
                                    .read = read_row,
                                    .finish = finish};
    return input_read_optional(c, &rows, d);
}

/* ---- looking up ------------------------------------------------------------------- */

size_t catalogue_models(const struct catalogue *c)
{
    return c->models.count;
}

const struct model_preset *catalogue_model_at(const struct catalogue *c, size_t index)
{
    return &c->models.rows[index];
}

const struct model_preset *catalogue_model(const struct catalogue *c, const char *name)
{
    for (size_t i = 0; name != NULL && i < c->models.count; i++) {
        if (strcmp(c->models.rows[i].name, name) == 0) {
            return &c->models.rows[i];
        }
    }
    return NULL;
}

const char *catalogue_suggest_model(const struct catalogue *c, const char *name)
{
    return text_suggest(name, c->models.names, c->models.count);
}
