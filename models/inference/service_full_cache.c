/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/service_full_cache.h"

#include "models/fleet/work_making.h"
#include "models/inference/llm_capacity.h"

#include <math.h>

/* Tokens of output a token of prompt up to which evictions are harmless. Measured beside request
 * level with fixed fleets that are full at times: within 0.4 points of the objective at 0.14 to
 * 0.35, 1.9 points below at 0.46, 14 at 1.7. */
#define MOST_OUTPUT 0.4
/* A full replica serves 1 / (1 + this x output / prompt) of what it would without evictions:
 * 0.83, 0.76 and 0.66 were tabulated at 0.67, 1.0 and 1.7. */
#define LOSS_A_RATIO 0.3
/* Share of that which the peak may take: the factor on the engine's times is up to 1.25. */
#define MOST_LOAD 0.75

/* Requests/s of a replica up to which it is surely not full; 0: however full it is, steps hold. */
static double surely_served(const struct service_plan *p, size_t pool)
{
    const struct llm_rules *rules = &p->hosts[pool].rules;
    const struct llm_lengths *means = &p->llm.lengths;
    double ratio = means->output / means->prompt;
    bool fills = llm_saturated_sequences(rules, means) < rules->most_sequences;
    if (rules->admission != LLM_ADMIT_PROMPT || !fills || ratio <= MOST_OUTPUT) {
        return 0;
    }
    return MOST_LOAD * llm_saturated_rate(rules, means) / (1 + LOSS_A_RATIO * ratio);
}

bool service_check_full_cache(const struct service_making *m)
{
    const struct service_plan *p = m->plan;
    if (!p->is_llm || !p->mode.interval) {
        return true;
    }
    uint32_t most = p->use_count > 0 ? p->max_replicas : p->begin_replicas;
    double peak = demand_planned(&p->demand).peak;
    for (size_t pool = 0; pool < service_nodes_of(p)->pool_count; pool++) {
        double rate = surely_served(p, pool);
        if (rate == 0 || peak <= rate * most) {
            continue;
        }
        return service_steps_err(
            m, p->spec->item.place, "14 points of the objective",
            work_text(m->c, "'admission: guaranteed', or at least %.0f replicas",
                      ceil(peak / rate)),
            "%u replicas of '%s' in strategy '%s' may be full at the peak of %.3g requests/s (more "
            "than %.3g), and then evict each other's requests, whose outputs of %.4g tokens "
            "outgrow what prompts of %.4g were admitted to",
            most, m->workload, m->strategy, peak, rate * most, p->llm.lengths.output,
            p->llm.lengths.prompt);
    }
    return true;
}
