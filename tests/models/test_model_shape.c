/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a model is: figures over presets, what is derived, and the presets that are shipped. */
#include "tests/support/testing.h"

#include "models/catalogue/model_speeds.h"
#include "models/speed/model_shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int load_shipped(void **state)
{
    struct diagnostics *d = diagnostics_new();
    *state = catalogue_load(NULL, NULL, 0, d);
    diagnostics_free(d);
    return *state ? 0 : -1;
}

static int free_shipped(void **state)
{
    catalogue_free(*state);
    return 0;
}

static struct number stated(double value)
{
    struct number n = NUMBER_CERTAIN(value);
    n.given = true;
    return n;
}

static const struct model_spec nothing = {.class = -1, .precision = -1};

static struct model_shape resolve(const struct catalogue *c, const char *preset,
                                  const struct model_spec *spec)
{
    return model_shape_resolve(spec, catalogue_model(c, preset), NULL);
}

/* ---- derived ---- */

/* By hand: (128 · 6.7e9 / 12)^(1/3) = 4150; / 128 = 32.4 layers; 32 heads of 128. */
static void width_and_layers_follow_from_the_parameters(void **state)
{
    struct model_spec s = nothing;
    s.parameters = stated(6.7e9);
    struct model_shape m = resolve(*state, NULL, &s);
    assert_int_equal(m.class, MODEL_LLM);
    assert_near(m.hidden, 4150, 1, "hidden");
    assert_near(m.layers, 32.4, 0.05, "layers");
    assert_near(m.heads, 32, 0, "heads");
    assert_int_equal(m.derived, MODEL_DERIVED_CLASS | MODEL_DERIVED_HIDDEN | MODEL_DERIVED_LAYERS |
                                    MODEL_DERIVED_HEADS);
    assert_true(m.sequence == 0 && m.vocabulary == 0);
    struct text t;
    text_init(&t, 0);
    model_shape_tell_derived(&m, &t);
    assert_string_equal(t.data, "class llm, hidden 4150, layers 32.42, heads 32");
    text_release(&t);
}

/* P = 12 L h^2 whatever of the three is stated. */
static void one_of_width_and_layers_gives_the_other(void **state)
{
    struct model_spec s = nothing;
    s.parameters = stated(12 * 24 * 2048.0 * 2048.0);
    s.layers = stated(24);
    assert_relative(resolve(*state, NULL, &s).hidden, 2048, 1e-12, "hidden");
    s.layers = (struct number){0};
    s.hidden = stated(2048);
    assert_relative(resolve(*state, NULL, &s).layers, 24, 1e-12, "layers");
}

static void a_derived_width_is_that_of_the_active_parameters(void **state)
{
    struct model_spec s = nothing;
    s.parameters = stated(46.7e9);
    s.active_parameters = stated(6.7e9);
    struct model_shape m = resolve(*state, NULL, &s);
    assert_near(m.hidden, 4150, 1, "hidden");
    assert_relative(m.parameters, 46.7e9, 1e-12, "all");
}

/* Mixtral 8x7B: 46.7 B parameters, of which 12.9 B in each token's two of eight experts: 33.8 / (1
 * - 2/8) = 45.07 B are in experts (Jiang et al., arXiv 2401.04088). */
static void parameters_of_experts(void **state)
{
    struct model_spec s = nothing;
    s.parameters = stated(46.7e9);
    s.active_parameters = stated(12.9e9);
    assert_near(resolve(*state, NULL, &s).expert_parameters, 0, 0, "not known");
    s.experts = stated(8);
    assert_relative(resolve(*state, NULL, &s).expert_parameters, 33.8e9 / 0.75, 1e-12, "of 2");
    assert_near(resolve(*state, NULL, &s).experts_per_token, 2, 0, "by default");
    s.experts_per_token = stated(1);
    assert_relative(resolve(*state, NULL, &s).expert_parameters, 33.8e9 / (7 / 8.0), 1e-12, "of 1");
    s.experts_per_token = stated(8);
    assert_near(resolve(*state, NULL, &s).expert_parameters, 0, 0, "all of them: no mixture");
}

/* ---- presets ---- */

static void a_preset_is_overridden_key_by_key(void **state)
{
    struct model_spec s = nothing;
    struct model_shape m = resolve(*state, "llama-2-7b", &s);
    assert_relative(m.parameters, 6.738416e9, 1e-9, "parameters");
    assert_true(m.layers == 32 && m.hidden == 4096 && m.sequence == 4096 && m.derived == 0);
    assert_string_equal(m.preset, "llama-2-7b");
    assert_false(model_shape_frozen(&m));
    s.sequence = stated(2048);
    s.trained_parameters = stated(20e6);
    m = resolve(*state, "llama-2-7b", &s);
    assert_true(m.sequence == 2048 && m.layers == 32);
    assert_true(model_shape_frozen(&m));
    s.parameters = stated(3e9);
    m = resolve(*state, "llama-2-7b", &s);
    assert_relative(m.active_parameters, 3e9, 1e-12, "active follow");
}

static void images_grow_with_the_square_of_their_side(void **state)
{
    struct model_spec s = nothing;
    s.pixels = stated(448);
    struct model_shape m = resolve(*state, "resnet-50", &s);
    assert_int_equal(m.class, MODEL_CNN);
    assert_relative(m.gmac, 4 * 4.11, 1e-12, "gmac");
    assert_relative(m.activations, 4 * 11.11e6, 1e-12, "activations");
    s.gmac = stated(9);
    assert_relative(resolve(*state, "resnet-50", &s).gmac, 9, 1e-12, "stated as they are");
}

static void a_mixture_keeps_its_share_of_active_parameters(void **state)
{
    struct model_shape m = resolve(*state, "mixtral-8x7b", &nothing);
    assert_relative(m.active_parameters, 12.9e9, 1e-9, "active");
    assert_relative(m.parameters, 46.702793e9, 1e-9, "all");
    /* 2 of 8 (its config.json): X = (P - active) / (1 - 2/8). */
    assert_relative(m.experts, 8, 1e-12, "experts");
    assert_relative(m.experts_per_token, 2, 1e-12, "of which a token goes to");
    assert_relative(m.expert_parameters, (46.702793e9 - 12.9e9) / 0.75, 1e-9, "in experts");
}

/* A number of a world. */
static void uncertain_parameters_are_those_of_the_world(void **state)
{
    struct model_spec s = nothing;
    s.parameters = stated(7e9);
    s.parameters.input = 1;
    s.trained_parameters = stated(6.9e9);
    const double drawn[] = {0, 6.5e9};
    struct model_shape m = model_shape_resolve(&s, NULL, drawn);
    assert_relative(m.parameters, 6.5e9, 1e-12, "drawn");
    assert_relative(m.trained_parameters, 6.5e9, 1e-12, "a part is cut to the whole");
    (void)state;
}

/* ---- what is shipped ---- */

/* Decoders: P = L (12 + SwiGLU and grouped queries) h^2 + V h, so within a fifth of 12 L h^2 + 2 V
 * h at most; ties a misplaced column. */
static void shipped_transformers_have_the_parameters_of_their_shape(void **state)
{
    size_t transformers = 0;
    for (size_t i = 0; i < catalogue_models(*state); i++) {
        const struct model_preset *m = catalogue_model_at(*state, i);
        assert_true(m->parameters > 1e6 && m->date[0] != '\0' && m->source[0] != '\0');
        if (m->class != MODEL_LLM && m->class != MODEL_ENCODER) {
            assert_true(m->gmac > 0 && m->activations > 0 && m->pixels > 0);
            continue;
        }
        const double layers = 12 * m->layers * m->hidden * m->hidden;
        const double with = layers + 2 * m->vocabulary * m->hidden;
        const double p = m->parameters;
        if (m->active_parameters > 0) {
            assert_true(m->active_parameters > layers && m->active_parameters < p);
            continue;
        }
        if (!(p > 0.9 * layers && p < 1.3 * with)) {
            print_error("%s: %g against %g to %g\n", m->name, p, layers, with);
        }
        assert_true(p > 0.9 * layers && p < 1.3 * with);
        assert_true(m->heads > 0 && fmod(m->hidden, m->heads) == 0 && m->sequence > 0);
        if (m->class == MODEL_LLM) {
            assert_true(m->kv_heads > 0 && fmod(m->heads, m->kv_heads) == 0);
            assert_near(m->head_size * m->heads, m->hidden, 0, m->name);
        }
        transformers++;
    }
    assert_true(transformers >= 30);
}

static void speeds_are_of_exactly_what_was_measured(void **state)
{
    const struct catalogue *c = *state;
    const struct instance_type *eight = catalogue_type(c, "p3.16xlarge");
    const struct model_speed *s = catalogue_model_speed(c, "u-net-572", eight, PRECISION_FP16);
    assert_non_null(s);
    assert_near(s->samples_per_s, 368.88, 0, "eight V100");
    s = catalogue_model_speed(c, "u-net-572", catalogue_type(c, "p3.2xlarge"), PRECISION_FP32);
    assert_non_null(s);
    assert_near(s->samples_per_s, 17.91, 0, "one V100");
    /* Four were not measured. */
    assert_null(
        catalogue_model_speed(c, "u-net-572", catalogue_type(c, "p3.8xlarge"), PRECISION_FP16));
    assert_null(catalogue_model_speed(c, "resnet-50", eight, PRECISION_FP16));
    assert_null(catalogue_model_speed(c, NULL, eight, PRECISION_FP16));
}

/* ---- wrong keys ---- */

static void wrong_models_are_told(void **state)
{
    struct text t;
    struct place where;
    struct model_spec s = nothing;
    text_init(&t, 0);
    assert_true(model_shape_check(&s, *state, &t, &where));
    s.preset = "llama-2-7";
    assert_false(model_shape_check(&s, *state, &t, &where));
    assert_string_equal(t.data, "unknown model 'llama-2-7'; did you mean 'llama-2-7b'?");
    text_clear(&t);
    s.preset = "gpt-2";
    s.trained_parameters = stated(1e9);
    assert_false(model_shape_check(&s, *state, &t, &where));
    assert_non_null(strstr(t.data, "more than all 1.244e+08 parameters"));
    text_clear(&t);
    s.preset = NULL;
    assert_false(model_shape_check(&s, *state, &t, &where));
    assert_non_null(strstr(t.data, "which are not given"));
    text_clear(&t);
    s = nothing;
    s.experts_per_token = stated(2);
    assert_false(model_shape_check(&s, *state, &t, &where));
    assert_non_null(strstr(t.data, "'experts', which are not given"));
    text_clear(&t);
    s.experts = stated(2);
    assert_true(model_shape_check(&s, *state, &t, &where));
    s.experts_per_token = stated(3);
    assert_false(model_shape_check(&s, *state, &t, &where));
    assert_string_equal(t.data, "each token would go to 3 experts of 2; expected "
                                "'experts_per_token' up to 'experts'");
    text_clear(&t);
    s.preset = "mixtral-8x7b"; /* 2 a token */
    s.experts_per_token = nothing.experts_per_token;
    assert_true(model_shape_check(&s, *state, &t, &where));
    s.experts_per_token = stated(9);
    s.experts = nothing.experts;
    assert_false(model_shape_check(&s, *state, &t, &where));
    assert_non_null(strstr(t.data, "9 experts of 8"));
    text_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(width_and_layers_follow_from_the_parameters),
        cmocka_unit_test(one_of_width_and_layers_gives_the_other),
        cmocka_unit_test(a_derived_width_is_that_of_the_active_parameters),
        cmocka_unit_test(parameters_of_experts),
        cmocka_unit_test(a_preset_is_overridden_key_by_key),
        cmocka_unit_test(images_grow_with_the_square_of_their_side),
        cmocka_unit_test(a_mixture_keeps_its_share_of_active_parameters),
        cmocka_unit_test(uncertain_parameters_are_those_of_the_world),
        cmocka_unit_test(shipped_transformers_have_the_parameters_of_their_shape),
        cmocka_unit_test(speeds_are_of_exactly_what_was_measured),
        cmocka_unit_test(wrong_models_are_told),
    };
    return cmocka_run_group_tests_name("model shape", tests, load_shipped, free_shipped);
}
