/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/service_memory.h"

#include "models/fleet/work_making.h"
#include "models/inference/replica_memory.h"

#include <math.h>

/* All its slots in use. */
static bool check_memory(const struct service_making *m, const struct serving_spec *s,
                         const struct instance_type *type)
{
    uint32_t here = m->plan->replicas_per_node;
    double at_a_time = (double)s->slots * (s->batched ? (double)s->batch.most : 1);
    double full = s->memory.median + at_a_time * s->memory_per_request.median;
    double room = replica_memory_room(type, here);
    uint32_t most = replica_memory_most(type, full);
    if (!s->memory.given) {
        return s->memory_per_request.median <= 0 ||
               service_refuse(m, s->item.place, true,
                              "'service' of '%s' says what a request takes of the memory, and not "
                              "what a replica does; expected 'memory' beside 'memory_per_request'",
                              m->workload);
    }
    if (!(room > 0)) {
        return service_refuse(m, s->item.place, true,
                              "'memory' of '%s' is that of accelerators, and the catalogue knows "
                              "none of %s; drop it for this type",
                              m->workload, type->name);
    }
    return full <= room ||
           work_complain(m->c, DIAGNOSTIC_INFEASIBLE, s->item.place, true,
                         "a replica of '%s' takes %.4g GB with %.0f requests at a time, and has "
                         "%.4g GB where %u of them share the %.0f x %.4g GB of %s; %s %u",
                         m->workload, full / 1e9, at_a_time, room / 1e9, here,
                         fmax(1, floor(type->accelerator_count)), replica_memory_of_one(type) / 1e9,
                         type->name,
                         most > 0 ? "fewer 'slots', or 'replicas_per_node' of at most"
                                  : "replicas that fit onto a node of it:",
                         most);
}

bool service_set_memory(const struct service_making *m)
{
    struct service_plan *p = m->plan;
    const struct work_plan *nodes = service_nodes_of(p);
    bool good = true;
    p->work.memory_checked = true;
    for (size_t k = 0; !p->is_llm && k < nodes->pool_count; k++) {
        const struct instance_type *type =
            market_pool_info(m->request->market, nodes->pools[k].pool)->type;
        bool again = false;
        for (size_t i = 0; i < k; i++) {
            again |= p->serving[i] == p->serving[k] &&
                     market_pool_info(m->request->market, nodes->pools[i].pool)->type == type;
        }
        good = (again || check_memory(m, p->serving[k], type)) && good;
        p->work.memory_checked &= p->serving[k]->memory.given;
        p->memory_parts[k] = replica_memory_part(type, p->replicas_per_node);
    }
    return good;
}
