/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the catalogue's tables share while they are filled: the filters, the types that pass, and
 * cells set by the name of their column, so that the order of columns is stated once. Types stand
 * by family and then by size (vCPUs, memory), as people read them: g5.2xlarge before g5.12xlarge.
 */
#ifndef FLEETCAST_MODELS_TABLE_FILLING_H
#define FLEETCAST_MODELS_TABLE_FILLING_H

#include "models/catalogue/catalogue_filter.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What every table needs while it is filled. */
struct filling {
    const struct catalogue *catalogue;
    struct filter_plan plan;
    const struct instance_type **types; /* those that pass, in the order shown */
    size_t type_count;
    struct table *table;
    struct diagnostics *diagnostics;
};

/* Filters parsed and types chosen (by_pattern: by the pattern too). False when something failed,
 * told in d; filling_end must be called either way. */
bool filling_begin(struct filling *f, const struct catalogue *c,
                   const struct catalogue_filter *given, bool by_pattern, struct diagnostics *d);
bool filling_make_table(struct filling *f, const char *name, const struct column *columns,
                        size_t count);
/* The table, the caller's from here on, or NULL when something failed. */
struct table *filling_end(struct filling *f);

/* The new row; SIZE_MAX when memory is out: the table is then gone (NULL) and it is told. */
size_t filling_add_row(struct filling *f);
void filling_text(struct filling *f, size_t row, const char *column, const char *value);
void filling_day(struct filling *f, size_t row, const char *column, int64_t unix_s);
void filling_money(struct filling *f, size_t row, const char *column, money_t value);
void filling_number(struct filling *f, size_t row, const char *column, double value);
/* As filling_number, but 0 means unknown or absent: the cell stays missing. */
void filling_known(struct filling *f, size_t row, const char *column, double value);
void filling_count(struct filling *f, size_t row, const char *column, int64_t value);

#endif
