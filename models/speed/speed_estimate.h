/* SPDX-License-Identifier: GPL-3.0-or-later
 * The speed of a training job before anything has been measured: FLOPs by what the model is, the
 * roofline of the accelerator, the step of the whole job, and how sure all that is. A pure
 * function of one world's figures. */
#ifndef FLEETCAST_MODELS_SPEED_ESTIMATE_H
#define FLEETCAST_MODELS_SPEED_ESTIMATE_H

#include "models/speed/model_shape.h"
#include "models/speed/roofline.h"
#include "models/speed/speed_error.h"
#include "models/speed/step_time.h"

/* Tokens of a sequence where nobody states it: GPT-3, Llama, MPT, Pythia (assumed, and said). */
#define SPEED_SEQUENCE         2048.0
#define SPEED_ENCODER_SEQUENCE 512.0 /* BERT */
/* MFU above which an estimate or a statement is doubted: no published run of a language model on a
 * full job is higher. */
#define SPEED_MFU_DOUBTED 0.7

enum speed_unit {
    SPEED_UNIT_TOKEN, /* llm always; encoders whose work is stated in tokens */
    SPEED_UNIT_SAMPLE /* sequence of an encoder, image of a convolution net */
};

struct speed_setting {
    const struct roofline *roofline;
    struct model_shape model;
    const struct accelerator *accelerator;
    enum precision precision;
    enum speed_unit unit;
    enum speed_stack stack;
    double real_share;   /* of an encoder sequence's tokens; the others are padding and left out */
    double accelerators; /* of the whole job */
    double tensor, pipeline;
    double expert; /* up to 1: each way has all experts */
    int zero;
    double batch;          /* samples of one optimizer step of the whole job; 0: not stated */
    double micro_batch;    /* 0: not stated */
    double compute_factor; /* on compute and traffic: recomputation; else 1 */
    double speed_factor;   /* see step_time.h; else 1 */
    double mfu;            /* stated: takes the roofline's place; 0: not */
    bool campaign;         /* c of the roofline, see there */
    bool small_batch;      /* fine-tuning that is known to be in small portions */
    struct interconnect links;
    double loader_units_per_s; /* of the whole job; +infinity: no limit */
};

enum speed_refusal {
    SPEED_POSSIBLE,
    SPEED_NO_CLASS,     /* no measured rows: nothing is known of such models */
    SPEED_NO_FLOPS,     /* no parameters, or no gmac */
    SPEED_NO_CHIP,      /* an accelerator that nothing was measured on, nor on its like */
    SPEED_NO_BANDWIDTH, /* of its memory in the catalogue */
    SPEED_NO_PRECISION, /* the chip lacks it, or its peak was never published */
    SPEED_UNMEASURED_PRECISION,
    SPEED_UNDIVIDED,      /* accelerators are no multiple of tensor × pipeline */
    SPEED_BATCH_TOO_SMALL /* more data-parallel ways than samples in the batch */
};

struct speed_estimate {
    double flops_per_unit;
    double peak_flops;       /* of one accelerator */
    double speed_factor;     /* see step_time.h; else 1 */
    double mfu;              /* stated, or implied by the rate before speed_factor */
    double units_per_sample; /* of the batch */
    double data_ways;
    double sigma; /* of ln(rate); 0 where an mfu is stated */
    double bias;  /* on speed, of small portions; it is in the rate already */
    bool sequence_assumed;
    bool outside; /* of what was measured: see speed_outside */
    enum chip_evidence evidence;
    double loader_units_per_s;
    struct step_question question; /* what the step was computed from */
    struct step_time step;         /* units_per_s: of the whole job, as planning sees it */
};

/* Tokens of a sequence: the model's, else as above. */
double speed_sequence(const struct model_shape *m);
/* True beyond the measured models and jobs: language models of 70M to 1.1T parameters with
 * sequences of up to 8192 on up to 4608 accelerators, encoders with up to 512 tokens, image
 * classifiers of 1.8 to 16 GMAC. */
bool speed_outside(const struct model_shape *m, double accelerators);
/* Samples a step from which on no published run is known: 16M tokens for language models (Llama 3),
 * 65,536 sequences or images (LAMB, arXiv 1904.00962; MLPerf stays below). */
double speed_largest_batch(const struct model_shape *m);
/* FLOPs of a unit; 0: unknown. A transformer's sequence that nobody states is
 * assumed (*assumed), or, where `or_none`, its attention is left out. */
double speed_flops_per_unit(const struct model_shape *m, enum speed_unit unit, double real_share,
                            bool or_none, bool *assumed);
/* The setting's speed; *e is filled as far as it could be. With an `mfu` the stated share is that
 * of the whole job: nothing is added but the loader's limit. */
enum speed_refusal speed_estimate_make(struct speed_estimate *e, const struct speed_setting *s);
/* The rate in a world in which all but the loader is `factor` times as fast. */
double speed_units_per_s(const struct speed_estimate *e, double factor);

#endif
