/* SPDX-License-Identifier: GPL-3.0-or-later
 * What there is to say of a choice, in sentences that are computed: why one was chosen, why each
 * other was not, and which limits do not hold. */
#ifndef FLEETCAST_SCENARIOS_CHOICE_WORDS_H
#define FLEETCAST_SCENARIOS_CHOICE_WORDS_H

#include "engine/text.h"
#include "scenarios/study/choice.h"

/* "P80 of cost_usd", "mean of time_to_train_h", "chance of 'late'", of a workload " of 'chat'". */
void objective_words(struct text *out, const struct objective *o);

/* One sentence, without a name before it and without a full stop. */
void choice_reason(struct text *out, const struct choice *c, const struct study *study,
                   size_t strategy);
/* What fresh worlds say of the chosen one and the runner-up: one sentence; nothing when there are
 * none. */
void choice_fresh_words(struct text *out, const struct choice *c, const struct study *study);
/* "'p_late <= 5 %' holds: chance of 'late' is 3 %", "… does not hold", "… is not known to hold". */
void condition_words(struct text *out, const struct condition *c, const struct estimate *value,
                     const char *currency);

#endif
