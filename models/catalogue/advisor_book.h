/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the Spot Instance Advisor said of types in regions, by day: shipped rows and those of price
 * files, gathered while the catalogue is read and looked up afterwards. */
#ifndef FLEETCAST_MODELS_ADVISOR_BOOK_H
#define FLEETCAST_MODELS_ADVISOR_BOOK_H

#include "models/catalogue/catalogue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct advisor_entry {
    uint32_t cell;
    uint32_t layer; /* 0 = shipped */
    int line;
    struct advisor_row row;
};

struct advisor_book {              /* zeroed at first */
    struct advisor_entry *entries; /* sorted by (cell, date) once frozen */
    size_t count, capacity;
};

/* False when memory is out. */
bool advisor_book_add(struct advisor_book *b, const struct advisor_entry *entry);
/* Sorts, and lets later layers replace the rows of earlier ones of the same day. */
void advisor_book_freeze(struct advisor_book *b);
void advisor_book_release(struct advisor_book *b);
/* The newest entry of the cell at or before unix_s; NULL when there is none. */
const struct advisor_entry *advisor_book_at(const struct advisor_book *b, size_t cell,
                                            int64_t unix_s);

#endif
