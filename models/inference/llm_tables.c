/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/llm_tables.h"

#include <pthread.h>

struct llm_table_place {
    pthread_mutex_t lock;
    const struct instance_type *type;
    struct llm_table_source source;
    struct llm_rules rules; /* copies: the plans of strategies come and go */
    struct llm_lengths means;
    struct llm_table table;
    struct llm_table_store *store;
    struct llm_table_place *next;
};

struct llm_tables {
    struct llm_table_store *store;
    struct llm_table_place *first;
};

struct llm_tables *llm_tables_new(struct arena *arena, struct llm_table_store *store)
{
    struct llm_tables *t = arena_array(arena, 1, sizeof *t);
    if (t != NULL) {
        *t = (struct llm_tables){.store = store};
    }
    return t;
}

struct llm_table_place *llm_tables_place(struct llm_tables *t, struct arena *arena,
                                         const struct llm_plan *plan,
                                         const struct llm_host_plan *host, double cv, int law)
{
    for (struct llm_table_place *p = t->first; p != NULL; p = p->next) {
        if (p->type == host->type) {
            return p;
        }
    }
    struct llm_table_place *p = arena_array(arena, 1, sizeof *p);
    if (p == NULL || !llm_table_init(&p->table, arena)) {
        return NULL;
    }
    pthread_mutex_init(&p->lock, NULL);
    p->type = host->type;
    p->rules = host->rules;
    p->means = plan->lengths;
    p->source = (struct llm_table_source){
        .spec = plan->spec, .rules = &p->rules, .means = &p->means, .cv = cv, .law = law};
    p->store = t->store;
    p->next = t->first;
    t->first = p;
    return p;
}

const struct llm_table *llm_tables_make(struct llm_table_place *p)
{
    pthread_mutex_lock(&p->lock);
    bool made = p->table.made || llm_table_make_sharing(&p->table, &p->source, p->store);
    pthread_mutex_unlock(&p->lock);
    return made ? &p->table : NULL;
}
