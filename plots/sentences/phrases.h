/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sentences and words of charts, and of the register of assumptions, in another language: a table
 * of patterns of the English text, one row each, with their translation beside it. What has no row
 * stays as it is, so that nothing is lost; a test draws every chart and looks for English words.
 *
 * Why by pattern: what a chart or a register says is put together in many places, each of which
 * knows best how; what it says in English is a contract of its own, tested word by word. A pattern
 * has places:
 *   {n}  anything, kept as it is: a name
 *   {q}  a number, kept as it is: "93", "2,000", "3.5"
 *   {m}  an amount of money: "$2,410", "$417k", "$2,330 to $2,350"
 *   {x}  what the table can translate
 *   {a}  anything, translated as far as that is possible
 * which the translation names {1} to {9} in their order. What no row fits is cut at "; " and at
 * "  ·  ", and its parts are looked up. Work is bounded, whatever the text. */
#ifndef FLEETCAST_PLOTS_PHRASES_H
#define FLEETCAST_PLOTS_PHRASES_H

#include "engine/text.h"
#include "plots/text/report_words.h"

#include <stdbool.h>
#include <stddef.h>

enum phrase_table { PHRASES_OF_CHARTS, PHRASES_OF_REGISTER, PHRASE_TABLES };

/* Adds the text in the language; false when all or a part of it stayed English. */
bool phrase_add(struct text *out, enum report_language l, enum phrase_table table,
                const char *english);

/* For tests: the rows of a table; NULL behind the last. */
const char *phrase_pattern(enum phrase_table table, size_t row);
const char *phrase_translation(enum phrase_table table, size_t row);

#endif
