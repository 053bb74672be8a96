/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/token_lengths.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

void token_lengths_init(struct token_lengths *t, const char *workload_name)
{
    *t =
        (struct token_lengths){.source_prompt = random_source("workload/%s/prompt", workload_name),
                               .source_output = random_source("workload/%s/output", workload_name)};
}

bool token_lengths_begin(struct token_lengths *t, const struct llm_spec *spec, const double *drawn)
{
    t->correlation = number_value(&spec->correlation, drawn);
    t->prefix_hits = number_value(&spec->prefix_hits, drawn);
    t->draws_prompt = spec->prompt.given;
    t->draws_output = spec->output.given;
    t->draws_hits = spec->prefix_hits.given || spec->prompt.given;
    return (!t->draws_prompt || variate_resolve(&spec->prompt, drawn, &t->prompt)) &&
           (!t->draws_output || variate_resolve(&spec->output, drawn, &t->output));
}

static uint32_t draw(const struct distribution *d, double u)
{
    return (uint32_t)fmin(fmax(round(distribution_quantile(d, u)), 1.0), 1e9);
}

struct token_length token_lengths_of(const struct token_lengths *t, struct random_world world,
                                     uint64_t number, const struct token_length *traced)
{
    struct token_length l = *traced;
    double rho = t->correlation;
    double u = t->draws_prompt ? random_uniform_at(world, t->source_prompt, (uint32_t)number) : 0.5;
    if (t->draws_prompt) {
        l.prompt = draw(&t->prompt, u);
    }
    if (t->draws_output) {
        double v = random_uniform_at(world, t->source_output, (uint32_t)number);
        if (rho != 0.0 && t->draws_prompt) {
            double z =
                rho * gsl_cdf_ugaussian_Pinv(u) + sqrt(1.0 - rho * rho) * gsl_cdf_ugaussian_Pinv(v);
            v = fmin(fmax(gsl_cdf_ugaussian_P(z), 1e-12), 1.0 - 1e-12);
        }
        l.output = draw(&t->output, v);
    }
    l.prompt = l.prompt > 0 ? l.prompt : 1;
    l.output = l.output > 0 ? l.output : 1;
    if (t->draws_hits) {
        l.cached = (uint32_t)floor(t->prefix_hits * l.prompt);
    }
    l.cached = l.cached < l.prompt ? l.cached : l.prompt - 1;
    return l;
}
