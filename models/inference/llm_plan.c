/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/llm_plan.h"

#include "models/fleet/work_making.h"
#include "models/inference/llm_engine.h"
#include "models/inference/replica_memory.h"
#include "models/inference/token_lengths.h"
#include "models/speed/chip_speed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ANY_TYPE          "any"
#define GB                1e9
#define NVLINK_SHARE      0.3
#define PLAIN_BYTES_PER_S 15e9
#define WASTE_TOKENS      7.5
#define WATERMARK         0.01

/* ---- the engine ---- */

static bool set_factor(struct llm_plan *p, const struct market_context *c)
{
    if (p->spec->factor.given) {
        p->factor = p->spec->factor;
        return true;
    }
    struct distribution d = llm_engine_factor((enum llm_engine)p->spec->engine);
    const char *name = work_text(c, "workloads.%s.llm.engine", p->workload);
    char message[160];
    d.low = d.low > 0 ? d.low : 0;
    int index = inputs_find(c->inputs, name);
    if (!distribution_prepare(&d, NULL, message, sizeof message)) {
        return false;
    }
    if (index < 0) {
        index = inputs_add(c->inputs, name, "", &d);
        assumptions_add(
            c->assumptions, false, "fitted, see docs/models.md",
            work_text(c, "engine of %s: %s", p->workload, llm_engine_names[p->spec->engine]), "%s",
            llm_engine_profiles[p->spec->engine].evidence);
    }
    p->factor = (struct number){.median = distribution_median(&d), .input = index, .word = -1};
    return index >= 0 || work_complain(c, DIAGNOSTIC_FAILURE, p->spec->place, true,
                                       "out of memory, or too many uncertain inputs");
}

/* ---- the model ---- */

static bool check_model(struct llm_plan *p, const struct market_context *c)
{
    const struct llm_model_spec *m = &p->spec->model;
    p->preset = catalogue_model(c->catalogue, m->preset);
    if (m->preset != NULL && p->preset == NULL) {
        const char *near = catalogue_suggest_model(c->catalogue, m->preset);
        return work_complain(c, DIAGNOSTIC_ERROR, p->spec->place, true,
                             "unknown model '%.100s' in 'llm' of '%s'%s%s%s; expected one that "
                             "'fleetcast show models' lists, or its 'parameters'",
                             m->preset, p->workload, near != NULL ? "; did you mean '" : "",
                             near != NULL ? near : "", near != NULL ? "'?" : "");
    }
    if (p->preset != NULL && p->preset->class != MODEL_LLM) {
        return work_complain(c, DIAGNOSTIC_ERROR, p->spec->place, true,
                             "'%s' makes no text token by token (%s); state how a replica of '%s' "
                             "serves under 'service'",
                             p->preset->name, model_class_names[p->preset->class], p->workload);
    }
    if (p->preset == NULL && !m->parameters.given) {
        return work_complain(c, DIAGNOSTIC_ERROR, p->spec->place, true,
                             "the model of '%s' has neither a preset nor 'parameters'",
                             p->workload);
    }
    return true;
}

/* Without the figures that serving has no use for. */
static struct model_shape shape_of(const struct llm_plan *p, const double *drawn)
{
    const struct llm_model_spec *m = &p->spec->model;
    const struct number none = {.input = -1, .word = -1};
    struct model_spec spec = {.preset = m->preset,
                              .class = MODEL_LLM,
                              .parameters = m->parameters,
                              .active_parameters = m->active_parameters,
                              .trained_parameters = none,
                              .layers = m->layers,
                              .hidden = m->hidden,
                              .heads = m->heads,
                              .sequence = none,
                              .vocabulary = none,
                              .gmac = none,
                              .pixels = none,
                              .activations = none,
                              .bytes_per_weight = none,
                              .precision = -1};
    return model_shape_resolve(&spec, p->preset, drawn);
}

/* Parts that are parts. */
static bool check_parts(const struct llm_plan *p, const struct market_context *c)
{
    const struct llm_model_spec *m = &p->spec->model;
    const double parameters = m->parameters.given ? m->parameters.median : p->preset->parameters;
    const double heads = shape_of(p, NULL).heads;
    const struct {
        const char *name, *of;
        const struct number *part;
        double all;
    } rows[] = {{"active_parameters", "parameters", &m->active_parameters, parameters},
                {"kv_heads", "heads", &m->kv_heads, heads}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].part->given && rows[i].all > 0 && rows[i].part->median > rows[i].all) {
            return work_complain(c, DIAGNOSTIC_ERROR, p->spec->place, true,
                                 "'%s' of the model of '%s' is %.4g, more than its %.4g %s",
                                 rows[i].name, p->workload, rows[i].part->median, rows[i].all,
                                 rows[i].of);
        }
    }
    return true;
}

static double own(const struct number *stated, double otherwise, const double *drawn)
{
    return stated->given ? number_value(stated, drawn) : otherwise;
}

static double bytes_per_weight(int weights)
{
    return weights == LLM_WEIGHTS_INT4                                 ? 0.5
           : weights == LLM_WEIGHTS_FP8 || weights == LLM_WEIGHTS_INT8 ? 1.0
                                                                       : 2.0;
}

/* On a group of so many accelerators. */
static struct llm_model model_of(const struct llm_plan *p, double accelerators, const double *drawn)
{
    struct model_shape s = shape_of(p, drawn);
    const struct llm_model_spec *m = &p->spec->model;
    double preset_kv = p->preset != NULL && !m->heads.given ? p->preset->kv_heads : 0;
    double preset_size =
        p->preset != NULL && !m->heads.given && !m->hidden.given ? p->preset->head_size : 0;
    double kv = own(&m->kv_heads, preset_kv > 0 ? preset_kv : s.heads, drawn);
    return (struct llm_model){
        .parameters = s.parameters,
        .active_parameters = s.active_parameters,
        .layers = s.layers,
        .hidden = s.hidden,
        .kv_heads = fmax(kv, accelerators),
        .head_size = own(&m->head_size, preset_size > 0 ? preset_size : s.hidden / s.heads, drawn),
        .bytes_per_weight = bytes_per_weight(p->spec->weights),
        .bytes_per_kv = p->spec->cache == LLM_CACHE_8 ? 1 : 2};
}

static void tell_derived(const struct llm_plan *p, const struct market_context *c)
{
    struct model_shape s = shape_of(p, NULL);
    struct text t;
    text_init(&t, 0);
    model_shape_tell_derived(&s, &t);
    if (t.length > 0) {
        assumptions_add(c->assumptions, false, "derived",
                        work_text(c, "figures of the model of %s", p->workload), "%s", t.data);
    }
    text_release(&t);
}

/* ---- lengths ---- */

static bool check_lengths(const struct llm_plan *p, const struct request_trace *t,
                          const struct market_context *c)
{
    bool prompt = p->spec->prompt.given || (t != NULL && t->has_prompt);
    bool output = p->spec->output.given || (t != NULL && t->has_output);
    return (prompt && output) ||
           work_complain(c, DIAGNOSTIC_ERROR, p->spec->place, true,
                         "'llm' of '%s' does not say how long %s; expected '%s: TOKENS', or a "
                         "trace that has them",
                         p->workload, prompt ? "outputs are" : "prompts are",
                         prompt ? "output" : "prompt");
}

/* ---- types ---- */

static bool check_types(const struct llm_plan *p, const struct market_context *c)
{
    const struct llm_host_spec *h = p->spec->hosts.items;
    bool good = true;
    for (size_t i = 0; i < p->spec->hosts.count; i++) {
        const char *name = h[i].item.name;
        if (strcmp(name, ANY_TYPE) != 0 && catalogue_type(c->catalogue, name) == NULL) {
            const char *near = catalogue_suggest_type(c->catalogue, name);
            good = work_complain(c, DIAGNOSTIC_ERROR, h[i].item.place, true,
                                 "unknown instance type '%.60s' in 'types' of '%s'%s%s%s; expected "
                                 "one of the catalogue, or 'any'",
                                 name, p->workload, near != NULL ? "; did you mean '" : "",
                                 near != NULL ? near : "", near != NULL ? "'?" : "");
        }
    }
    return good;
}

bool llm_plan_make(struct llm_plan *p, const struct llm_spec *spec, const char *workload,
                   const struct request_trace *trace, const struct market_context *c)
{
    *p = (struct llm_plan){.spec = spec, .workload = workload};
    if (!check_model(p, c) || !check_parts(p, c) || !check_types(p, c) ||
        !check_lengths(p, trace, c) ||
        !token_lengths_planned(spec, trace, &p->lengths, &p->long_request) || !set_factor(p, c)) {
        return false;
    }
    tell_derived(p, c);
    return true;
}

/* ---- on an instance type ---- */

static const struct llm_host_spec *find_host(const struct llm_plan *p, const char *type)
{
    const struct llm_host_spec *h = p->spec->hosts.items, *any = NULL;
    for (size_t i = 0; i < p->spec->hosts.count; i++) {
        if (strcmp(h[i].item.name, type) == 0) {
            return &h[i];
        }
        if (strcmp(h[i].item.name, ANY_TYPE) == 0) {
            any = &h[i];
        }
    }
    return any;
}

static double count_of(const struct instance_type *type)
{
    return fmax(1.0, floor(type->accelerator_count));
}

/* One accelerator of the type, or the share of one that it has. */
static bool set_hardware(const struct llm_plan *p, struct llm_host_plan *h)
{
    const struct accelerator *a = h->type->accelerator;
    double share = fmin(1.0, h->type->accelerator_count), fp8 = 0;
    if (a == NULL) {
        return false;
    }
    if (p->spec->weights == LLM_WEIGHTS_FP8) {
        fp8 = chip_peak_flops(a, PRECISION_FP8);
    }
    double half = fmax(chip_peak_flops(a, PRECISION_FP16), chip_peak_flops(a, PRECISION_BF16));
    double flops = fp8 > 0 ? fp8 : half > 0 ? half : chip_peak_flops(a, PRECISION_FP32);
    h->eight_bit = fp8 > 0;
    h->hardware =
        (struct llm_hardware){.accelerators = 1,
                              .flops = share * flops,
                              .bytes_per_s = share * a->memory_bandwidth_bytes_per_s,
                              .memory_bytes = replica_memory_of_one(h->type),
                              .link_bytes_per_s = h->type->nvlink_bytes_per_s > 0
                                                      ? NVLINK_SHARE * h->type->nvlink_bytes_per_s
                                                      : PLAIN_BYTES_PER_S};
    return flops > 0 && a->memory_bandwidth_bytes_per_s > 0 && h->hardware.memory_bytes > 0;
}

static struct llm_overheads overheads(const struct llm_plan *p, const struct llm_host_plan *h,
                                      const double *drawn)
{
    struct llm_overheads o = llm_overheads_default(h->eight_bit);
    o.host_s = llm_engine_profiles[p->spec->engine].host_s;
    o.memory_used = number_value(&p->spec->memory_used, drawn);
    o.reserve_bytes = number_value(&p->spec->reserve, drawn);
    return o;
}

static enum llm_fit make_rules(const struct llm_plan *p, const struct llm_host_plan *h,
                               const double *drawn, struct llm_rules *out)
{
    const struct llm_spec *s = p->spec;
    const struct llm_host_spec *host = h->host;
    int64_t sequences =
        host != NULL && host->most_sequences > 0 ? host->most_sequences : s->most_sequences;
    int64_t budget = host != NULL && host->token_budget > 0 ? host->token_budget : s->token_budget;
    struct llm_model model = model_of(p, h->hardware.accelerators, drawn);
    struct llm_overheads o = overheads(p, h, drawn);
    *out = (struct llm_rules){
        .scheduling = (enum llm_scheduling)s->scheduling,
        .admission = (enum llm_admission)s->admission,
        .most_sequences = (uint32_t)sequences,
        .token_budget = (uint32_t)budget,
        .waste_tokens = WASTE_TOKENS,
        .watermark = WATERMARK,
        .step = llm_step_make(&model, &h->hardware, &o, number_value(&p->factor, drawn))};
    if (host == NULL || !host->is_measured || !(out->step.kv_tokens > 0)) {
        return LLM_FIT_GOOD;
    }
    const struct llm_measured measured = {
        .tpot_s = number_value(&host->measured.tpot, drawn),
        .tokens_per_s = number_value(&host->measured.tokens_per_s, drawn),
        .lengths = {.prompt = number_value(&host->measured.prompt, drawn),
                    .output = number_value(&host->measured.output, drawn)}};
    return llm_fit_measured(out, &model, &h->hardware, o, &measured);
}

struct llm_rules llm_plan_rules(const struct llm_plan *p, const struct llm_host_plan *h,
                                const double *drawn)
{
    struct llm_rules rules;
    make_rules(p, h, drawn, &rules);
    return rules;
}

/* ---- what fits ---- */

/* The cache of a group of so many accelerators, in tokens. */
static double cache_of(const struct llm_plan *p, const struct llm_host_plan *h, double accelerators)
{
    struct llm_host_plan group = *h;
    group.hardware.accelerators = accelerators;
    struct llm_model model = model_of(p, accelerators, NULL);
    struct llm_overheads o = overheads(p, h, NULL);
    return llm_step_make(&model, &group.hardware, &o, 1.0).kv_tokens - WASTE_TOKENS;
}

/* The least group that holds so many tokens, of 1, 2, 4, … up to `most`; 0: none does. */
static double least_group(const struct llm_plan *p, const struct llm_host_plan *h, double tokens,
                          double most)
{
    for (double g = 1; g <= most; g *= 2) {
        if (cache_of(p, h, g) >= tokens) {
            return g;
        }
    }
    return 0;
}

/* Less must not be served on it: it would reject almost all. */
static double least_tokens(const struct llm_plan *p)
{
    return p->lengths.prompt + p->lengths.output;
}

static void add_what_fits(const struct llm_plan *p, const struct llm_host_plan *h, struct text *t)
{
    static const int smaller[] = {LLM_WEIGHTS_INT8, LLM_WEIGHTS_INT4};
    double most = count_of(h->type), needs = least_tokens(p);
    double here = least_group(p, h, needs, most), anywhere = least_group(p, h, needs, 64);
    if (here > 0) {
        text_format(t, "; %.0f would hold it", here);
    } else if (anywhere > 0) {
        text_format(t, "; it takes %.0f of them, and %s has %.0f", anywhere, h->type->name, most);
    }
    for (size_t i = 0; i < sizeof smaller / sizeof smaller[0]; i++) {
        struct llm_spec spec = *p->spec;
        struct llm_plan other = *p;
        spec.weights = smaller[i];
        other.spec = &spec;
        double g = p->spec->accelerators > 0 ? h->hardware.accelerators : most;
        if (bytes_per_weight(smaller[i]) < bytes_per_weight(p->spec->weights) &&
            cache_of(&other, h, g) >= needs) {
            text_format(t, "; 'weights: %s' would fit", llm_weights_names[smaller[i]]);
            break;
        }
    }
}

static bool refuse(const struct llm_plan *p, const struct llm_host_plan *h,
                   const struct market_context *c, struct place where)
{
    double g = h->hardware.accelerators;
    struct llm_model m = model_of(p, g, NULL);
    struct llm_overheads o = overheads(p, h, NULL);
    double weights = m.parameters * m.bytes_per_weight, all = g * h->hardware.memory_bytes,
           usable = fmax(0, g * (o.memory_used * h->hardware.memory_bytes - o.reserve_bytes));
    struct text t;
    text_init(&t, 0);
    text_format(&t,
                "'%s' does not fit onto %.0f %s of %s: of %.4g GB %.4g are for weights and cache, ",
                p->workload, g, h->type->accelerator_name, h->type->name, all / GB, usable / GB);
    if (!(usable > 0)) {
        text_format(&t, "since the reserve takes %.4g", g * o.reserve_bytes / GB);
    } else if (weights >= usable) {
        text_format(&t, "and the weights alone take %.4g (%s)", weights / GB,
                    llm_weights_names[p->spec->weights]);
    } else {
        text_format(&t,
                    "the weights take %.4g, and the cache then holds %.0f tokens, less than the "
                    "%.0f of a mean request",
                    weights / GB, fmax(0, cache_of(p, h, g)), least_tokens(p));
    }
    add_what_fits(p, h, &t);
    work_complain(c, DIAGNOSTIC_INFEASIBLE, where, false, "%s", t.data);
    text_release(&t);
    return false;
}

/* Tensor parallel engines split the heads evenly or do not start (vLLM, vllm/config.py,
 * verify_with_parallel_config). Heads that are derived are not known so exactly. */
static void warn_of_uneven_heads(const struct llm_plan *p, const struct llm_host_plan *h,
                                 const struct market_context *c, struct place where)
{
    const double group = h->hardware.accelerators;
    const bool measured = h->host != NULL && h->host->is_measured; /* so it was not refused */
    const struct number *stated = &p->spec->model.heads;
    const double heads = stated->given ? stated->median : p->preset != NULL ? p->preset->heads : 0;
    if (!measured && heads > 0 && fmod(heads, group) > 0) {
        work_complain(c, DIAGNOSTIC_WARNING, where, true,
                      "a replica of '%s' takes %.0f accelerators, among which its %.4g attention "
                      "heads cannot be parted evenly, so that engines refuse it; expected a number "
                      "that divides them",
                      p->workload, group, heads);
    }
}

static bool set_group(const struct llm_plan *p, struct llm_host_plan *h,
                      const struct market_context *c, struct place where)
{
    double most = count_of(h->type);
    int64_t stated = h->host != NULL && h->host->accelerators > 0 ? h->host->accelerators
                                                                  : p->spec->accelerators;
    if ((double)stated > most) {
        return work_complain(c, DIAGNOSTIC_INFEASIBLE, where, false,
                             "a replica of '%s' takes %lld accelerators, and %s has %.0f; "
                             "replicas over several nodes are not modelled",
                             p->workload, (long long)stated, h->type->name, most);
    }
    double g = (double)stated;
    if (stated <= 0) {
        g = least_group(p, h, fmax(p->long_request, least_tokens(p)), most);
        g = g > 0 ? g : exp2(floor(log2(most)));
    }
    h->hardware.accelerators = g;
    h->replicas_per_node = (uint32_t)floor(most / g);
    h->node_share = fmin(1, g / most);
    warn_of_uneven_heads(p, h, c, where);
    return cache_of(p, h, g) >= least_tokens(p) || refuse(p, h, c, where);
}

/* ---- measured, estimated ---- */

static bool check_measured(const struct llm_plan *p, const struct llm_host_plan *h,
                           enum llm_fit fit, const struct market_context *c)
{
    static const char *const why[] = {
        [LLM_FIT_TPOT_SHORT] = "its 'tpot' is less than reading the weights takes at the peak "
                               "bandwidth",
        [LLM_FIT_TOO_FAST] = "its 'tokens_per_s' are more than the accelerators' peak computes",
        [LLM_FIT_TOO_SLOW] = "its 'tokens_per_s' are fewer than prompts and one sequence alone "
                             "explain"};
    return fit == LLM_FIT_GOOD ||
           work_complain(c, DIAGNOSTIC_ERROR, h->host->measured.place, true,
                         "what was measured of '%s' on %s cannot be: %s; check the figures, the "
                         "model, 'weights' and 'accelerators', which is %.0f a replica",
                         p->workload, h->type->name, why[fit], h->hardware.accelerators);
}

static void tell_assumed(const struct llm_plan *p, const struct llm_host_plan *h,
                         const struct market_context *c)
{
    bool measured = h->host != NULL && h->host->is_measured;
    const char *chip = h->type->accelerator->name;
    bool fitted = strncmp(chip, "A100", 4) == 0 || strncmp(chip, "H100", 4) == 0 ||
                  strncmp(chip, "H200", 4) == 0 || strncmp(chip, "L40S", 4) == 0;
    if (!measured) {
        assumptions_add(c->assumptions, !fitted, "fitted, see docs/models.md",
                        work_text(c, "step time of %s on %s", p->workload, chip),
                        "0.92 of the bandwidth, %.2f of the peak, 0.16 ms a layer%s",
                        h->eight_bit ? 0.57 : 0.70,
                        fitted ? "" : "; no measurement of this accelerator is among the fitted");
    }
    if (h->hardware.accelerators > 1) {
        assumptions_add(c->assumptions, false, "assumed",
                        work_text(c, "links of %s for tensor parallelism", h->type->name),
                        h->type->nvlink_bytes_per_s > 0 ? "%.0f GB/s of NVLink usable"
                                                        : "%.0f GB/s without NVLink",
                        h->hardware.link_bytes_per_s / GB);
    }
}

bool llm_plan_host(const struct llm_plan *p, const struct instance_type *type,
                   const struct market_context *c, struct place where, struct llm_host_plan *out)
{
    struct llm_host_plan *h = out;
    *h = (struct llm_host_plan){.type = type, .host = find_host(p, type->name)};
    bool measured = h->host != NULL && h->host->is_measured;
    if (!set_hardware(p, h)) {
        return work_complain(c, DIAGNOSTIC_ERROR, where, false,
                             "the catalogue knows no peak, bandwidth and memory of the "
                             "accelerator of %s, on which '%s' is to be served; state how a "
                             "replica serves under 'service' in place of 'llm'",
                             type->name, p->workload);
    }
    if (!measured && chip_evidence_of(type->accelerator) == CHIP_FOREIGN) {
        return work_complain(c, DIAGNOSTIC_ERROR, where, false,
                             "no measurement says how fast '%s' is on %s (%s); state one: "
                             "'types: {%s: {accelerators: N, measured: {tpot: …, tokens_per_s: "
                             "…, prompt: …, output: …}}}'",
                             p->workload, type->accelerator->full_name, type->name, type->name);
    }
    if (!set_group(p, h, c, where) || !check_measured(p, h, make_rules(p, h, NULL, &h->rules), c)) {
        return false;
    }
    tell_assumed(p, h, c);
    return true;
}

/* ---- in words ---- */

void llm_plan_describe(const struct llm_plan *p, const struct llm_host_plan *h, struct text *out)
{
    const struct llm_rules *r = &h->rules;
    const struct llm_lengths *l = &p->lengths;
    double b = llm_saturated_sequences(r, l), rate = llm_saturated_rate(r, l);
    text_format(out,
                "%.0f x %s of %s a replica: prompts of %.4g tokens take %.3g ms, a step %.3g ms "
                "with one sequence and %.3g ms with %.3g, which the cache of %.0f tokens and the "
                "rules allow; full: %.3g requests/s, %.4g tokens/s of output%s",
                h->hardware.accelerators, h->type->accelerator->name, h->type->name, l->prompt,
                1e3 * llm_prefill_s(r, l), 1e3 * llm_decode_step_s(r, l, 1),
                1e3 * llm_decode_step_s(r, l, b), b, floor(r->step.kv_tokens), rate,
                rate * l->output, h->host != NULL && h->host->is_measured ? " (measured)" : "");
}
