/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/training_memory.h"

#include "engine/text.h"
#include "models/speed/memory_options.h"
#include "models/training/training_making.h"

#include <math.h>
#include <stdlib.h>

static const double GIB = 1073741824.0;
/* Types named as options, and nodes tried. */
enum { NAMED_TYPES = 3, MOST_NODES = 4096 };

/* Chips of a node; a share of one (g6f) is one with less memory. */
static double devices_of(const struct instance_type *type)
{
    return fmax(1, type->accelerator_count);
}

bool training_model_check(const struct making *m)
{
    struct text t;
    struct place where;
    text_init(&t, 0);
    bool good = model_shape_check(&m->spec->model, m->context->catalogue, &t, &where);
    if (!good) {
        making_complain_once(m, DIAGNOSTIC_ERROR, where.line > 0 ? where : m->spec->item.place,
                             "model of '%s': %s", m->plan->work.workload_name, t.data);
    }
    text_release(&t);
    return good;
}

/* ---- the layout ---- */

static enum optimizer optimizer_of(const struct making *m, enum model_class class)
{
    if (m->spec->memory.optimizer >= 0) {
        return (enum optimizer)m->spec->memory.optimizer;
    }
    return class == MODEL_CNN ? OPTIMIZER_MOMENTUM : OPTIMIZER_ADAM;
}

static struct memory_layout layout_of(const struct making *m, const struct model_shape *shape)
{
    const struct parallel_spec *p = &m->spec->parallel;
    const struct memory_spec *s = &m->spec->memory;
    return (struct memory_layout){
        .shape = *shape,
        .accelerators = devices_of(m->type) * m->plan->work.nodes,
        .tensor = (double)p->tensor,
        .pipeline = (double)p->pipeline,
        .expert = (double)p->expert,
        .zero = (int)p->zero,
        .micro_batch = p->micro_batch > 0 ? (double)p->micro_batch : 1,
        .recompute = (enum recompute)p->recompute,
        .optimizer = optimizer_of(m, shape->class),
        .master_weights = s->master_weights,
        .gradient_bytes = s->gradient_bytes.median,
        .attention = s->attention >= 0 ? (enum attention)s->attention : ATTENTION_FUSED,
        .sequence_parallel = s->sequence_parallel,
        .activation_bytes = s->activation_size.median,
        .offload = (enum offload)s->offload,
    };
}

/* ---- types that would do ---- */

struct fitting_type {
    const struct instance_type *type;
    double per_hour;
};

static int compare_prices(const void *left, const void *right)
{
    const struct fitting_type *a = left, *b = right;
    return (a->per_hour > b->per_hour) - (a->per_hour < b->per_hour);
}

static bool is_usable(const struct memory_layout *l, const struct instance_type *type)
{
    int precision = l->shape.precision;
    return type->accelerator != NULL &&
           (precision < 0 || type->accelerator->peak_flops[precision] > 0);
}

/* At the same number of nodes, with an on-demand price in the region: the cheapest first. */
static size_t types_that_fit(const struct making *m, const struct memory_layout *l,
                             struct fitting_type *all)
{
    const struct market_context *c = m->context;
    size_t count = 0;
    for (size_t i = 0; i < catalogue_types(c->catalogue); i++) {
        const struct instance_type *type = catalogue_type_at(c->catalogue, i);
        struct memory_layout try = *l;
        try.accelerators = devices_of(type) * m->plan->work.nodes;
        if (!is_usable(l, type) || try.accelerators < try.tensor * try.pipeline) {
            continue;
        }
        struct gpu_memory g = gpu_memory_of(&try, type->accelerator_memory_bytes);
        const struct dated_price *price =
            g.need_bytes <= g.capacity_bytes
                ? catalogue_on_demand_at(c->catalogue, type->name, c->region->code, c->start_unix_s,
                                         c->prices_as_of_unix_s)
                : NULL;
        if (price != NULL) {
            all[count++] =
                (struct fitting_type){.type = type, .per_hour = money_to_double(price->per_hour)};
        }
    }
    if (count > 0) {
        qsort(all, count, sizeof *all, compare_prices);
    }
    return count;
}

/* The cheapest types with the layout as it is, else at its most frugal. */
static void add_types(struct text *t, const struct making *m, const struct memory_layout *l,
                      int *found)
{
    const struct memory_layout frugal = memory_frugal(l);
    struct fitting_type *all =
        arena_array(m->context->arena, catalogue_types(m->context->catalogue) + 1, sizeof *all);
    size_t count = all == NULL ? 0 : types_that_fit(m, l, all);
    const char *how = "";
    if (all != NULL && count == 0 && *found == 0) {
        count = types_that_fit(m, &frugal, all);
        how = " with zero: 3, recompute: full and micro_batch: 1";
    }
    const char *joint = *found > 0 ? "; " : "";
    for (size_t i = 0; i < count && i < NAMED_TYPES; i++) {
        text_format(t, "%s%u x %s", joint, m->plan->work.nodes, all[i].type->name);
        joint = ", ";
        (*found)++;
    }
    text_add(t, count > 0 ? how : "");
}

/* ---- what does not fit ---- */

static void add_options(struct text *t, const struct making *m, const struct training_memory *r)
{
    size_t before = t->length;
    text_add(t, "; would fit: ");
    int found = memory_options_add(t, &r->layout, devices_of(m->type),
                                   m->type->accelerator_memory_bytes, MOST_NODES);
    add_types(t, m, &r->layout, &found);
    if (found == 0) {
        t->length = before;
        t->data[before] = '\0';
        text_add(t, "; no type that the region offers at this number of nodes would do");
    }
}

static const char *at_least(const struct training_memory *r)
{
    return r->gpu.activations_known ? "" : "at least ";
}

static bool refuse(const struct making *m, const struct training_memory *r)
{
    const struct gpu_memory *g = &r->gpu;
    struct text t;
    text_init(&t, 0);
    text_format(&t,
                "'%s' does not fit on %u x '%s': each %s would need %s%.1f GiB of %.1f GiB, "
                "%.1f GiB too much; most of it %s, %.1f GiB",
                m->plan->work.workload_name, m->plan->work.nodes, m->type->name,
                m->type->accelerator_name, at_least(r), g->need_bytes / GIB,
                g->capacity_bytes / GIB, (g->need_bytes - g->capacity_bytes) / GIB,
                memory_term_names[g->binding], g->bytes[g->binding] / GIB);
    if (r->layout_chosen) {
        text_add(&t, ", even with zero: 3, recompute: full and micro_batch: 1");
    }
    add_options(&t, m, r);
    making_complain(m, DIAGNOSTIC_INFEASIBLE, m->terms.instance_place, "%s", t.data);
    text_release(&t);
    return false;
}

static void warn(const struct making *m, const struct training_memory *r)
{
    const struct gpu_memory *g = &r->gpu;
    making_complain(m, DIAGNOSTIC_WARNING, m->terms.instance_place,
                    "'%s' just fits on %u x '%s', if at all: each %s needs %s%.1f GiB of %.1f GiB, "
                    "most of it %s, %.1f GiB",
                    m->plan->work.workload_name, m->plan->work.nodes, m->type->name,
                    m->type->accelerator_name, at_least(r), g->need_bytes / GIB,
                    g->capacity_bytes / GIB, memory_term_names[g->binding],
                    g->bytes[g->binding] / GIB);
}

static bool check_host(const struct making *m, const struct host_memory *h)
{
    bool good = h->need_bytes <= h->capacity_bytes;
    if (!good) {
        making_complain(m, DIAGNOSTIC_INFEASIBLE, m->terms.instance_place,
                        "'%s' does not fit into the main memory of '%s': %.1f GiB of %.1f GiB, "
                        "%.1f GiB too much; most of it %s, %.1f GiB",
                        m->plan->work.workload_name, m->type->name, h->need_bytes / GIB,
                        h->capacity_bytes / GIB, (h->need_bytes - h->capacity_bytes) / GIB,
                        host_term_names[h->binding], h->bytes[h->binding] / GIB);
    } else if (h->need_bytes > HOST_MEMORY_WARN * h->capacity_bytes) {
        making_complain(m, DIAGNOSTIC_WARNING, m->terms.instance_place,
                        "'%s' fills the main memory of '%s' to %.0f %%: %.1f GiB of %.1f GiB, "
                        "before the operating system has any",
                        m->plan->work.workload_name, m->type->name,
                        100 * h->need_bytes / h->capacity_bytes, h->need_bytes / GIB,
                        h->capacity_bytes / GIB);
    }
    return good;
}

/* A pipeline stage has at least a layer, a tensor-parallel way a head; what was derived of the
 * model binds nobody. */
static bool check_shape_ways(const struct making *m)
{
    const struct parallel_spec *p = &m->spec->parallel;
    const struct model_shape shape = model_shape_resolve(
        &m->spec->model, catalogue_model(m->context->catalogue, m->spec->model.preset), NULL);
    const struct {
        int64_t ways;
        double parts;
        unsigned derived;
        const char *key, *what;
        struct place place;
    } rows[] = {
        {p->pipeline, shape.layers, MODEL_DERIVED_LAYERS, "pipeline", "layers", p->pipeline_place},
        {p->tensor, shape.heads, MODEL_DERIVED_HEADS, "tensor", "heads", p->tensor_place}};
    bool good = true;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].parts > 0 && !(shape.derived & rows[i].derived) &&
            (double)rows[i].ways > rows[i].parts) {
            good = making_complain_once(
                m, DIAGNOSTIC_ERROR, rows[i].place,
                "'%s: %lld' of '%s', but its model has %.0f %s; expected at most %.0f", rows[i].key,
                (long long)rows[i].ways, m->plan->work.workload_name, rows[i].parts, rows[i].what,
                rows[i].parts);
        }
    }
    return good;
}

/* What each replica of the model gets of a batch holds a micro-batch at least. */
static bool check_micro_batch(const struct making *m, double accelerators)
{
    const struct parallel_spec *p = &m->spec->parallel;
    const double replicas = accelerators / (double)(p->tensor * p->pipeline);
    if (p->batch == 0 || (double)p->batch < replicas ||
        (double)p->micro_batch * replicas <= (double)p->batch) {
        return true;
    }
    return making_complain(
        m, DIAGNOSTIC_ERROR, p->micro_batch_place,
        "'micro_batch: %lld' of '%s' under strategy '%s', but each of %.0f data-parallel ways gets "
        "%.4g samples of a batch of %lld; expected at most so many",
        (long long)p->micro_batch, m->plan->work.workload_name, m->strategy->item.name, replicas,
        (double)p->batch / replicas, (long long)p->batch);
}

/* What is spread over ways must be known, and the ways be among the data-parallel ones. */
static bool check_experts(const struct making *m, double accelerators)
{
    const struct parallel_spec *p = &m->spec->parallel;
    const struct model_shape shape = model_shape_resolve(
        &m->spec->model, catalogue_model(m->context->catalogue, m->spec->model.preset), NULL);
    const char *name = m->plan->work.workload_name;
    const double data = accelerators / (double)(p->tensor * p->pipeline);
    if (p->expert <= 1) {
        return true;
    }
    if (!(shape.expert_parameters > 0)) {
        return making_complain_once(
            m, DIAGNOSTIC_ERROR, p->expert_place,
            "'expert: %lld' spreads the experts of '%s', and its model does not say how many there "
            "are; expected 'experts', more than 'experts_per_token', and 'active_parameters'",
            (long long)p->expert, name);
    }
    if ((double)p->expert > shape.experts) {
        return making_complain_once(m, DIAGNOSTIC_ERROR, p->expert_place,
                                    "'expert: %lld' of '%s', but its model has %.0f experts in a "
                                    "layer; expected at most so many",
                                    (long long)p->expert, name, shape.experts);
    }
    return fmod(data, (double)p->expert) <= 0 ||
           making_complain(m, DIAGNOSTIC_ERROR, p->expert_place,
                           "%.0f data-parallel ways of '%s' under strategy '%s' cannot be divided "
                           "into groups of %lld that share its experts",
                           data, name, m->strategy->item.name, (long long)p->expert);
}

bool training_ways_check(const struct making *m)
{
    const struct parallel_spec *p = &m->spec->parallel;
    const double ways = (double)(p->tensor * p->pipeline);
    const double accelerators = devices_of(m->type) * m->plan->work.nodes;
    const struct place where = p->tensor > 1 ? p->tensor_place : p->pipeline_place;
    if (ways > accelerators) {
        return making_complain(
            m, DIAGNOSTIC_INFEASIBLE, making_place(m),
            "'%s' is spread over tensor %lld x pipeline %lld accelerators, but %u x '%s' have %.0f",
            m->plan->work.workload_name, (long long)p->tensor, (long long)p->pipeline,
            m->plan->work.nodes, m->type->name, accelerators);
    }
    if (fmod(accelerators, ways) > 0) {
        return making_complain(
            m, DIAGNOSTIC_ERROR, where,
            "%.0f accelerators of '%s' under strategy '%s' cannot be divided into %lld tensor-"
            "parallel times %lld pipeline ways; choose other 'parallel' ways or 'nodes'",
            accelerators, m->plan->work.workload_name, m->strategy->item.name, (long long)p->tensor,
            (long long)p->pipeline);
    }
    bool good = check_shape_ways(m);
    good = check_experts(m, accelerators) && good;
    return check_micro_batch(m, accelerators) && good;
}

/* ---- all of it ---- */

static bool check_gpu(const struct making *m, struct training_memory *r)
{
    const double device_bytes = m->type->accelerator_memory_bytes;
    if (!m->spec->parallel.given) {
        r->layout = memory_first_that_fits(&r->layout, device_bytes);
        r->layout_chosen = true;
    }
    r->device_bytes = device_bytes;
    r->gpu = gpu_memory_of(&r->layout, device_bytes);
    r->checked = true;
    double share = gpu_memory_share(&r->gpu);
    if (share > GPU_MEMORY_REFUSE) {
        return refuse(m, r);
    }
    if (share > GPU_MEMORY_WARN) {
        warn(m, r);
    }
    return true;
}

bool training_memory_make(const struct making *m, struct training_memory *out)
{
    const struct model_shape shape = model_shape_resolve(
        &m->spec->model, catalogue_model(m->context->catalogue, m->spec->model.preset), NULL);
    *out = (struct training_memory){.layout = layout_of(m, &shape)};
    if (!m->spec->memory.check) {
        return true;
    }
    bool good = true;
    if (shape.parameters > 0) {
        good = check_gpu(m, out);
    }
    out->host = host_memory_of(&m->spec->memory, out->gpu.offloaded_bytes, devices_of(m->type),
                               m->type->memory_bytes);
    return good && check_host(m, &out->host);
}

/* ---- assumptions ---- */

static void add_layout(struct text *t, const struct memory_layout *l)
{
    text_format(t, "zero %d, recompute %s, micro-batch %.0f", l->zero,
                recompute_names[l->recompute], l->micro_batch);
}

void training_memory_assume(const struct making *m)
{
    const struct training_memory *r = &m->plan->memory;
    const struct model_shape *s = &r->layout.shape;
    struct assumptions *a = m->context->assumptions;
    const char *name = m->plan->work.workload_name;
    struct text t;
    text_init(&t, 0);
    model_shape_tell_derived(s, &t);
    if (s->parameters > 0 && t.length > 0) {
        assumptions_add(a, false, "derived from the parameters, 12 L h^2 with h = 128 L",
                        making_name(m, "shape of the model of %s", name), "%s", t.data);
    }
    text_clear(&t);
    if (!r->checked) {
        text_release(&t);
        return;
    }
    if (r->layout_chosen) {
        add_layout(&t, &r->layout);
    } else if (m->spec->parallel.micro_batch == 0) {
        text_add(&t, "micro-batch 1");
    }
    const bool attends = s->class == MODEL_LLM || s->class == MODEL_ENCODER;
    if (attends && m->spec->memory.attention < 0 && r->gpu.activations_known) {
        text_format(&t, "%sfused attention", t.length > 0 ? ", " : "");
    }
    if (attends && r->layout.tensor > 1 && !m->spec->memory.sequence_parallel_given &&
        r->gpu.activations_known) {
        text_format(&t, "%stensor ways split all activations (sequence parallelism)",
                    t.length > 0 ? ", " : "");
    }
    if (!r->gpu.activations_known) {
        text_format(&t, "%sactivations left out, as their size follows from nothing stated",
                    t.length > 0 ? "; " : "");
    }
    if (t.length > 0) {
        assumptions_add(
            a, false, "default",
            making_name(m, "GPU memory of %s on %u x %s", name, m->plan->work.nodes, m->type->name),
            "%s%.1f of %.1f GiB; %s", at_least(r), r->gpu.need_bytes / GIB,
            r->gpu.capacity_bytes / GIB, t.data);
    }
    text_release(&t);
}
