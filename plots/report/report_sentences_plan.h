/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sentences under charts of time: months, cash, the plan world. The rules stand in
 * report_sentences.h. Each gives NULL when the tables lack what it needs. */
#ifndef FLEETCAST_PLOTS_REPORT_SENTENCES_PLAN_H
#define FLEETCAST_PLOTS_REPORT_SENTENCES_PLAN_H

#include "plots/report/report_choice.h"

const char *report_sentence_nodes(struct report_document *r, const struct report_source *s, int x);
const char *report_sentence_months(struct report_document *r, const struct report_source *s, int x);
const char *report_sentence_cash(struct report_document *r, const struct report_source *s, int x);
const char *report_sentence_levels(struct report_document *r, const struct report_source *s, int x);
const char *report_sentence_plan_world(struct report_document *r, const struct report_source *s,
                                       int x);
const char *report_sentence_gantt(struct report_document *r, const struct report_source *s, int x);
const char *report_sentence_demand(struct report_document *r, const struct report_source *s, int x);
const char *report_sentence_week(struct report_document *r, const struct report_source *s, int x);

#endif
