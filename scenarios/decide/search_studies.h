/* SPDX-License-Identifier: GPL-3.0-or-later
 * The plans of a search made ready to run. Plans that share the scenario's settings share a study,
 * up to 64 of them. Where a study is refused its plans are parted in halves until the one is found
 * that cannot be: its first error is the reason. So everything that `check` would refuse is refused
 * here, in the same words. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_STUDIES_H
#define FLEETCAST_SCENARIOS_SEARCH_STUDIES_H

#include "scenarios/decide/search.h"

/* Of all candidates: makes their studies, or marks them as refused. False when memory is out. */
bool search_studies_make(struct search *s);
/* Of one, made later. */
bool search_studies_add(struct search *s, struct candidate *c);
/* What `run` makes of the plan laid over the scenario, beside the scenario's own strategies, under
 * this name. NULL with the reason in d; the caller frees. */
struct study *search_studies_beside(struct search *s, const struct candidate *c, const char *name,
                                    struct diagnostics *d);

/* "'x' does not fit on 1 x 'p3.2xlarge': …" and "'x' does not fit on 2 x …" are one kind of reason:
 * up to its short reason's end, without what stands in quotes or parentheses, and without
 * numbers. In the arena; NULL when memory is out. */
const char *search_studies_kind_of_reason(struct arena *a, const char *reason);
/* How many bytes of a reason stand before its first semicolon, or colon behind more than a name in
 * quotes: "'nodes': 3 is …" says nothing before. */
size_t search_studies_short_reason(const char *reason);

#endif
