/* SPDX-License-Identifier: GPL-3.0-or-later
 * The ranges keep out what would break the arithmetic, not what is unusual. */
#include "models/speed/model_keys.h"

#include "models/catalogue/catalogue.h"
#include "models/catalogue/model_presets.h"

#include <stddef.h>

#define MODEL(member) offsetof(struct model_spec, member)

/* A figure of the model. */
#define FIGURE(key, least, most, text)                                                             \
    {                                                                                              \
        .name = #key, .kind = SCHEMA_NUMBER, .dimension = DIMENSION_COUNT, .low = (least),         \
        .high = (most), .offset = MODEL(key), .help = (text)                                       \
    }

static const struct schema_key model_keys[] = {
    {.name = "preset",
     .kind = SCHEMA_TEXT,
     .offset = MODEL(preset),
     .place_offset = MODEL(preset_place),
     .help = "A published model, such as `llama-2-7b` (`fleetcast show models`); the other keys "
             "override it one by one. `model: llama-2-7b` is short for it."},
    {.name = "class",
     .kind = SCHEMA_CHOICE,
     .choices = model_class_names,
     .offset = MODEL(class),
     .help = "`llm`: decoder over tokens; `encoder`: transformer over short sequences (BERT, ViT); "
             "`cnn`: convolution net over images; `other`: its speed must be stated. Default: the "
             "preset's, else `cnn` where `gmac` is given, else `llm`."},
    FIGURE(parameters, 1, 1e15, "All parameters, such as `7B`."),
    FIGURE(active_parameters, 1, 1e15,
           "Parameters that take part in each token's computation, of a mixture of experts; "
           "default: all."),
    FIGURE(trained_parameters, 1, 1e15,
           "Parameters that are trained where the others are frozen (LoRA, a new head); default: "
           "all."),
    FIGURE(layers, 1, 1e5, "Transformer layers."),
    FIGURE(hidden, 1, 1e7, "Width of the model: elements of one token's representation."),
    FIGURE(heads, 1, 1e5, "Attention heads of a layer."),
    FIGURE(sequence, 1, 1e8, "Tokens of one training sequence."),
    FIGURE(vocabulary, 1, 1e8, "Entries of the vocabulary."),
    FIGURE(experts, 2, 1e5, "Experts of each layer of a mixture of experts."),
    FIGURE(experts_per_token, 1, 1e5,
           "Of these, those that each token goes to; default: the preset's, else 2."),
    FIGURE(gmac, 1e-6, 1e9,
           "Multiply-adds of one forward pass of one sample, in 10^9: `4.1` for ResNet-50 at 224 "
           "pixels."),
    FIGURE(pixels, 1, 1e6,
           "Side of the images; a preset's `gmac` and `activations` grow with its square."),
    FIGURE(activations, 1, 1e15,
           "Elements that all layers put out in one forward pass of one sample: `11.1M` for "
           "ResNet-50."),
    FIGURE(bytes_per_weight, 0.05, 16,
           "Bytes in which a frozen weight is held: `1` in 8 bits, `0.5` in 4 (QLoRA); default: "
           "as the precision has it."),
    {.name = "precision",
     .kind = SCHEMA_CHOICE,
     .choices = precision_names,
     .offset = MODEL(precision),
     .help = "Number format of the matrix products: chooses the accelerator's dense peak."},
};

const struct schema model_schema = {
    .name = "training.model",
    .shorthand = "preset",
    SCHEMA_KEYS(model_keys),
    .size = sizeof(struct model_spec),
    .help = "What is trained: from it follow FLOPs and memory.",
};
