/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/speed/model_shape.h"

#include <math.h>

/* See the header: layers are h / 128, and heads have as many elements (GPT-3, Llama). */
#define HIDDEN_PER_LAYER 128.0
#define HIDDEN_PER_HEAD  128.0
/* Matrices of h x h in a layer. */
#define MATRICES_PER_LAYER 12.0

static double figure(const struct number *own, double preset, const double *drawn)
{
    return own->given ? number_value(own, drawn) : preset;
}

static bool is_transformer(const struct model_shape *m)
{
    return m->class == MODEL_LLM || m->class == MODEL_ENCODER;
}

static void resolve_class(struct model_shape *m, const struct model_spec *s,
                          const struct model_preset *p)
{
    if (s->class >= 0) {
        m->class = (enum model_class)s->class;
    } else if (p != NULL) {
        m->class = p->class;
    } else if (s->gmac.given) {
        m->class = MODEL_CNN;
    } else {
        m->class = MODEL_LLM;
        m->derived |= MODEL_DERIVED_CLASS;
    }
}

/* A part of all parameters: stated, else the preset's share of them, else all. */
static double part(const struct number *own, const struct model_preset *p, double preset,
                   double all, const double *drawn)
{
    double share = p != NULL && preset > 0 ? preset / p->parameters : 1;
    return fmin(figure(own, share * all, drawn), all);
}

/* Where nobody says to how many experts a token goes (GShard, arXiv 2006.16668). */
#define EXPERTS_PER_TOKEN 2.0

static double experts_per_token(const struct model_spec *s, const struct model_preset *p,
                                const double *drawn)
{
    const double published = p->experts_per_token;
    return figure(&s->experts_per_token, published > 0 ? published : EXPERTS_PER_TOKEN, drawn);
}

/* See the header. */
static void resolve_experts(struct model_shape *m, const struct model_spec *s,
                            const struct model_preset *p, const double *drawn)
{
    const double n = m->experts = figure(&s->experts, p->experts, drawn);
    const double k = experts_per_token(s, p, drawn);
    if (n > k && m->active_parameters < m->parameters) {
        m->experts_per_token = k;
        m->expert_parameters =
            fmin((m->parameters - m->active_parameters) / (1 - k / n), m->parameters);
    }
}

static void derive(struct model_shape *m)
{
    const double p = m->active_parameters;
    if (!is_transformer(m) || !(p > 0)) {
        return;
    }
    if (!(m->hidden > 0)) {
        m->derived |= MODEL_DERIVED_HIDDEN;
        m->hidden = m->layers > 0 ? sqrt(p / (MATRICES_PER_LAYER * m->layers))
                                  : cbrt(HIDDEN_PER_LAYER * p / MATRICES_PER_LAYER);
    }
    if (!(m->layers > 0)) {
        m->derived |= MODEL_DERIVED_LAYERS;
        m->layers = p / (MATRICES_PER_LAYER * m->hidden * m->hidden);
    }
    if (!(m->heads > 0)) {
        m->derived |= MODEL_DERIVED_HEADS;
        m->heads = fmax(1, round(m->hidden / HIDDEN_PER_HEAD));
    }
}

/* A preset's figures of an image are of its own size; stated ones are of the scenario's. */
static void resolve_image(struct model_shape *m, const struct model_spec *s,
                          const struct model_preset *p, const double *drawn)
{
    double scale = 1;
    m->pixels = figure(&s->pixels, p != NULL ? p->pixels : 0, drawn);
    if (p != NULL && p->pixels > 0) {
        scale = m->pixels * m->pixels / (p->pixels * p->pixels);
    }
    m->gmac = figure(&s->gmac, p != NULL ? scale * p->gmac : 0, drawn);
    m->activations = figure(&s->activations, p != NULL ? scale * p->activations : 0, drawn);
}

struct model_shape model_shape_resolve(const struct model_spec *s, const struct model_preset *p,
                                       const double *drawn)
{
    static const struct model_preset none;
    const struct model_preset *from = p != NULL ? p : &none;
    struct model_shape m = {.precision = s->precision, .preset = from->name};
    resolve_class(&m, s, p);
    m.parameters = figure(&s->parameters, from->parameters, drawn);
    m.active_parameters =
        part(&s->active_parameters, p, from->active_parameters, m.parameters, drawn);
    m.trained_parameters = part(&s->trained_parameters, p, 0, m.parameters, drawn);
    m.layers = figure(&s->layers, from->layers, drawn);
    m.hidden = figure(&s->hidden, from->hidden, drawn);
    m.heads = figure(&s->heads, from->heads, drawn);
    m.sequence = figure(&s->sequence, from->sequence, drawn);
    m.vocabulary = figure(&s->vocabulary, from->vocabulary, drawn);
    m.bytes_per_weight = figure(&s->bytes_per_weight, 0, drawn);
    resolve_image(&m, s, p, drawn);
    resolve_experts(&m, s, from, drawn);
    derive(&m);
    return m;
}

static bool check_experts(const struct model_spec *s, const struct model_preset *p,
                          struct text *out)
{
    static const struct model_preset none;
    const struct model_preset *from = p != NULL ? p : &none;
    const double n = figure(&s->experts, from->experts, NULL);
    const double k = experts_per_token(s, from, NULL);
    if (s->experts_per_token.given && !(n > 0)) {
        text_add(out, "'experts_per_token' is of 'experts', which are not given");
        return false;
    }
    if (n > 0 && k > n) {
        text_format(out,
                    "each token would go to %.6g experts of %.6g; expected 'experts_per_token' up "
                    "to 'experts'",
                    k, n);
        return false;
    }
    return true;
}

bool model_shape_check(const struct model_spec *s, const struct catalogue *c, struct text *out,
                       struct place *where)
{
    *where = s->preset_place;
    const struct model_preset *p = catalogue_model(c, s->preset);
    if (s->preset != NULL && p == NULL) {
        const char *near = catalogue_suggest_model(c, s->preset);
        text_add(out, "unknown model '");
        text_add_visible(out, s->preset, 100);
        text_format(out, "'%s%s%s", near != NULL ? "; did you mean '" : "",
                    near != NULL ? near : "",
                    near != NULL ? "'?"
                                 : "; expected one that 'fleetcast show models' lists, or its "
                                   "'parameters'");
        return false;
    }
    const double all = figure(&s->parameters, p != NULL ? p->parameters : 0, NULL);
    const struct {
        const char *name;
        const struct number *value;
    } parts[] = {{"active_parameters", &s->active_parameters},
                 {"trained_parameters", &s->trained_parameters}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].value->given && !(all > 0)) {
            text_format(out, "'%s' is a part of 'parameters', which are not given", parts[i].name);
            return false;
        }
        if (parts[i].value->given && parts[i].value->median > all) {
            text_format(out, "'%s' is %.4g, more than all %.4g parameters", parts[i].name,
                        parts[i].value->median, all);
            return false;
        }
    }
    return check_experts(s, p, out);
}

void model_shape_tell_derived(const struct model_shape *m, struct text *out)
{
    const struct {
        unsigned bit;
        const char *name;
        double value;
    } figures[] = {{MODEL_DERIVED_HIDDEN, "hidden", m->hidden},
                   {MODEL_DERIVED_LAYERS, "layers", m->layers},
                   {MODEL_DERIVED_HEADS, "heads", m->heads}};
    const char *before = "";
    if (m->derived & MODEL_DERIVED_CLASS) {
        text_format(out, "class %s", model_class_names[m->class]);
        before = ", ";
    }
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (m->derived & figures[i].bit) {
            text_format(out, "%s%s %.4g", before, figures[i].name, figures[i].value);
            before = ", ";
        }
    }
}
