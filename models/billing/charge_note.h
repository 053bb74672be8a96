/* SPDX-License-Identifier: GPL-3.0-or-later
 * What each amount beside nodes was for: told, as it enters a bill, to whoever wants single
 * charges. Nobody computes an amount again: a note holds what the bill was given. */
#ifndef FLEETCAST_MODELS_CHARGE_NOTE_H
#define FLEETCAST_MODELS_CHARGE_NOTE_H

#include "engine/money.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is counted. */
enum charge_meter {
    METER_UNITS, /* so many of something stated */
    METER_HOURS,
    METER_MONTHS,
    METER_GB_MONTHS, /* the provider's GB: 2^30 bytes; its month: 730 hours */
    METER_IOPS_MONTHS,
    METER_MIBPS_MONTHS,
    METER_GB,
    METER_REQUESTS,
    CHARGE_METER_COUNT
};

/* A priced part of an amount. */
struct charge_measure {
    enum charge_meter meter;
    const char *product; /* "gp3", "internet", an instance type; NULL: the line is the product */
    double quantity;     /* in units of the meter: of charge_put in all; of charge_hold, of one stay
                            an hour; of charge_by_month, of a whole month */
    double price;        /* of a unit, in currency units, with nothing taken off */
};

struct charge_note {
    size_t row;             /* whose bill: a workload, or their number: what they share */
    size_t item;            /* line */
    int64_t from_us, to_us; /* within one month and on one side of the horizon */
    money_t amount;         /* on the line … */
    money_t discount;       /* … and taken off it, on the discount's line */
    double scale;           /* every measure's quantity is to be multiplied by it */
    const struct charge_measure *measures; /* the amount is their sum, but for rounding */
    size_t measure_count;                  /* 0: it is an amount and no more */
    /* A share of what else is on that bill in [from_us, to_us): amount is that of what is paid
     * then. It has no measures. */
    bool of_others;
    money_t amortised; /* of_others: the share of what is amortised then */
    money_t later;     /* of_others: of what is charged past the horizon */
};

struct charge_sink {
    void (*take)(void *context, const struct charge_note *note);
    void *context;
};

/* Notes kept. */
struct charge_notes {
    struct charge_note *items; /* measures: NULL, see charge_notes_measures */
    size_t count, capacity;    /* capacities are private */
    struct charge_measure *measures;
    size_t *first; /* by note: of its measures */
    size_t measure_count, measure_capacity;
    bool failed; /* memory ran out, or there are more than CHARGE_NOTES_MAX */
};

enum { CHARGE_NOTES_MAX = 10000000 };

void charge_notes_release(struct charge_notes *n);
/* A struct charge_sink's take; context: struct charge_notes, zeroed at first. */
void charge_notes_take(void *context, const struct charge_note *note);
/* One of them, whole; it holds until the next is taken. */
struct charge_note charge_notes_at(const struct charge_notes *n, size_t index);

#endif
