/* SPDX-License-Identifier: GPL-3.0-or-later
 * See model_tables.h. */
#include "models/catalogue/model_tables.h"

#include "models/catalogue/model_presets.h"
#include "models/catalogue/table_filling.h"

static const struct column model_columns[] = {
    {"model", "", "name of the published model, for `model:` of a training workload", COLUMN_TEXT,
     0},
    {"class", "", "llm, encoder, cnn or other", COLUMN_TEXT, 0},
    {"parameters_millions", "1e6", "all parameters", COLUMN_NUMBER, -1},
    {"active_millions", "1e6", "parameters that take part in one token's computation",
     COLUMN_NUMBER, -1},
    {"layers", "", "transformer layers", COLUMN_NUMBER, -1},
    {"hidden", "", "width of the model", COLUMN_NUMBER, -1},
    {"heads", "", "attention heads of a layer", COLUMN_NUMBER, -1},
    {"kv_heads", "", "heads whose keys and values are cached", COLUMN_NUMBER, -1},
    {"head_size", "", "elements of a head", COLUMN_NUMBER, -1},
    {"sequence", "tokens", "length of its training sequences", COLUMN_NUMBER, -1},
    {"vocabulary", "", "entries of its vocabulary", COLUMN_NUMBER, -1},
    {"gmac", "1e9", "multiply-adds of one forward pass of one sample", COLUMN_NUMBER, -1},
    {"pixels", "", "side of the images that these are of", COLUMN_NUMBER, -1},
    {"activations_millions", "1e6", "elements that all layers put out for one sample",
     COLUMN_NUMBER, -1},
    {"experts", "", "experts of each layer of a mixture of experts", COLUMN_NUMBER, -1},
    {"experts_per_token", "", "of these, those that each token goes to", COLUMN_NUMBER, -1},
    {"date", "", "date of the publication", COLUMN_TEXT, 0},
    {"source", "", "where the row is from", COLUMN_TEXT, 0},
    {"note", "", "what else there is to say", COLUMN_TEXT, 0},
};

static void fill_model(struct filling *f, size_t row, const struct model_preset *m)
{
    const double active = m->active_parameters > 0 ? m->active_parameters : m->parameters;
    filling_text(f, row, "model", m->name);
    filling_text(f, row, "class", model_class_names[m->class]);
    filling_known(f, row, "parameters_millions", m->parameters / 1e6);
    filling_known(f, row, "active_millions", active / 1e6);
    filling_known(f, row, "layers", m->layers);
    filling_known(f, row, "hidden", m->hidden);
    filling_known(f, row, "heads", m->heads);
    filling_known(f, row, "kv_heads", m->kv_heads);
    filling_known(f, row, "head_size", m->head_size);
    filling_known(f, row, "sequence", m->sequence);
    filling_known(f, row, "vocabulary", m->vocabulary);
    filling_known(f, row, "gmac", m->gmac);
    filling_known(f, row, "pixels", m->pixels);
    filling_known(f, row, "activations_millions", m->activations / 1e6);
    filling_known(f, row, "experts", m->experts);
    filling_known(f, row, "experts_per_token", m->experts_per_token);
    filling_text(f, row, "date", m->date);
    filling_text(f, row, "source", m->source);
    filling_text(f, row, "note", m->note);
}

struct table *catalogue_table_models(const struct catalogue *c, const struct catalogue_filter *f,
                                     struct diagnostics *d)
{
    struct filling fill;
    if (!filling_begin(&fill, c, f, false, d) ||
        !filling_make_table(&fill, "models", model_columns,
                            sizeof model_columns / sizeof model_columns[0])) {
        return filling_end(&fill);
    }
    for (size_t i = 0; fill.table && i < catalogue_models(c); i++) {
        const struct model_preset *m = catalogue_model_at(c, i);
        bool passes = fill.plan.pattern == NULL || filter_pattern(fill.plan.pattern, m->name) ||
                      filter_pattern(fill.plan.pattern, model_class_names[m->class]);
        size_t row = passes ? filling_add_row(&fill) : SIZE_MAX;
        if (row != SIZE_MAX) {
            fill_model(&fill, row, m);
        }
    }
    return filling_end(&fill);
}
