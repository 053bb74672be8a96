/* SPDX-License-Identifier: GPL-3.0-or-later
 * Published measurements of how fast language models are served, one a line of a CSV file, as
 * questions to the step equation: what is served, on what, with which engine and load, and what was
 * measured. Everything is read from the words and numbers of the row itself; a row that does not
 * state an input says which. */
#ifndef FLEETCAST_TESTS_SERVING_ROWS_H
#define FLEETCAST_TESTS_SERVING_ROWS_H

#include "engine/csv_reader.h"
#include "models/catalogue/catalogue.h"
#include "models/inference/llm_capacity.h"
#include "models/inference/llm_engine.h"

#include <stdbool.h>
#include <stddef.h>

enum serving_column {
    SERVING_ID,
    SERVING_KIND,
    SERVING_MODEL,
    SERVING_PARAMS,
    SERVING_GPU_MODEL,
    SERVING_GPU_COUNT,
    SERVING_INSTANCE,
    SERVING_PRECISION,
    SERVING_SCENARIO,
    SERVING_BATCH,
    SERVING_INPUT,
    SERVING_OUTPUT,
    SERVING_METRIC,
    SERVING_VALUE,
    SERVING_UNIT,
    SERVING_P50,
    SERVING_MEAN,
    SERVING_SOURCE,
    SERVING_NOTES
};
extern const char *const serving_columns[]; /* for csv_open, NULL at the end */

enum serving_load {
    SERVING_PROMPT,    /* a batch of prompts alone */
    SERVING_STATIC,    /* a batch that begins and ends together */
    SERVING_SATURATED, /* requests always wait */
    SERVING_BURST,     /* `batch` requests come at once */
    SERVING_CLOSED,    /* so many users, each with one request at a time */
    SERVING_OPEN       /* Poisson arrivals, `rate_per_s` */
};
enum serving_measure { SERVING_TOKENS_PER_S, SERVING_TTFT, SERVING_TPOT, SERVING_MEASURES };
extern const char *const serving_measure_names[SERVING_MEASURES];

struct serving_row {
    char id[64];
    char source[160]; /* of the measurement: repository and version */
    char metric[64], name[64], chip[32];
    bool text;    /* of a language model that writes */
    bool assumed; /* its lengths are not stated but those of another table: never fitted */
    enum llm_engine engine; /* by its name and version */
    double host_s;          /* of a step: the engine's */
    enum serving_load load;
    double batch;      /* sequences, users, or requests of a burst */
    double rate_per_s; /* of requests, of one replica */
    struct llm_model model;
    struct llm_hardware hardware; /* of one replica */
    bool eight_bit;
    struct llm_rules rules; /* but for the step */
    struct llm_lengths lengths;
    bool varied;   /* lengths are exponential about their means; else all alike */
    bool by_token; /* its TPOT is a mean over tokens; else over requests */
    double measured[SERVING_MEASURES]; /* of one replica; tokens of output, seconds; 0: not */
    const char *unpredictable;         /* why hardware does not tell it; NULL: it should */
};

/* Reads the line that r stands on. NULL: a question; else the reason why it is none, with id,
 * source, metric and text set all the same. */
const char *serving_row_read(struct serving_row *row, struct csv_reader *r,
                             const struct catalogue *c);

/* ---- in parts, for serving_rows.c ---- */
struct serving_reading {
    struct csv_reader *csv;
    const struct catalogue *catalogue;
    struct serving_row *row;
    double count; /* accelerators of the whole measurement */
};
const char *serving_text(const struct serving_reading *g, enum serving_column c);
bool serving_says(const struct serving_reading *g, enum serving_column c, const char *words);
/* What is served, and what on: NULL, or what is missing. */
const char *serving_read_model(struct serving_reading *g);
const char *serving_read_hardware(struct serving_reading *g);

#endif
