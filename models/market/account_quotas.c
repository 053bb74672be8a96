/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/account_quotas.h"

#include "engine/text.h"

#include <math.h>
#include <string.h>

#define QUOTA(member) offsetof(struct quota_spec, member)

static const char *const purchase_words[] = {"on-demand", "spot", NULL};

static const struct schema_key quota_keys[] = {
    {.name = "families",
     .kind = SCHEMA_TEXTS,
     .list_or_one = true,
     .required = true,
     .low = 1,
     .high = 64,
     .offset = QUOTA(families),
     .help = "The instance families that share it, such as `[p3, p3dn, p4d]`."},
    {.name = "purchase",
     .kind = SCHEMA_CHOICE,
     .choices = purchase_words,
     .default_text = "on-demand",
     .offset = QUOTA(purchase),
     .help = "Whose nodes count: `on-demand` (capacity reserved on demand too) or `spot`; each has "
             "a quota of its own."},
    {.name = "vcpus",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e12,
     .offset = QUOTA(vcpus),
     .help = "Most vCPUs that all such nodes of the account have together, as AWS counts."},
    {.name = "nodes",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = 1e9,
     .offset = QUOTA(nodes),
     .help = "Most nodes, in place of `vcpus`."},
};

const struct schema quota_schema = {
    .name = "market.quotas",
    SCHEMA_KEYS(quota_keys),
    .size = sizeof(struct quota_spec),
    .help = "A quota of the account: requests that would pass it are not granted.",
};

/* Tells an error at the quota's place; false for the caller's convenience. */
#define COMPLAIN(d, spec, ...)                                                                     \
    (diagnostics_add((d), DIAGNOSTIC_ERROR, (spec)->item.place, __VA_ARGS__), false)

static bool covers(const struct quota_spec *s, const char *family)
{
    const char *const *names = s->families.items;
    for (size_t i = 0; i < s->families.count; i++) {
        if (strcmp(names[i], family) == 0) {
            return true;
        }
    }
    return false;
}

/* Among those before the index-th, of its purchase; NULL: none. */
static const struct quota_spec *other_with(const struct quota_spec *specs, size_t index,
                                           const char *family)
{
    for (size_t i = 0; i < index; i++) {
        if (specs[i].purchase == specs[index].purchase && covers(&specs[i], family)) {
            return &specs[i];
        }
    }
    return NULL;
}

static bool check_quota(const struct quota_spec *specs, size_t index, const struct catalogue *c,
                        struct diagnostics *d)
{
    const struct quota_spec *s = &specs[index];
    const char *const *names = s->families.items;
    bool good = true;
    for (size_t i = 0; i < s->families.count; i++) {
        const struct quota_spec *other = other_with(specs, index, names[i]);
        if (!catalogue_has_family(c, names[i])) {
            good = COMPLAIN(d, s,
                            "no instance family is called '%s'; 'fleetcast show instances' lists "
                            "types, such as 'p4d.24xlarge' of family 'p4d'",
                            names[i]);
        } else if (other != NULL) {
            good = COMPLAIN(d, s,
                            "family '%s' has a quota %s already, in line %d; a family shares one",
                            names[i], purchase_words[s->purchase], other->item.place.line);
        }
    }
    if ((s->vcpus > 0) == (s->nodes > 0)) {
        good = COMPLAIN(d, s, "a quota has %s; expected either 'vcpus' or 'nodes'",
                        s->vcpus > 0 ? "both 'vcpus' and 'nodes'" : "neither 'vcpus' nor 'nodes'");
    }
    return good;
}

static const char *name_of(const struct quota_spec *s, struct arena *arena)
{
    const char *const *names = s->families.items;
    struct text t;
    text_init(&t, 400);
    text_format(&t, "%lld %s %s of ", (long long)(s->vcpus > 0 ? s->vcpus : s->nodes),
                s->vcpus > 0 ? "vCPUs" : "nodes",
                s->purchase == QUOTA_ON_DEMAND ? "on demand" : "on spot");
    for (size_t i = 0; i < s->families.count; i++) {
        text_format(&t, "%s%s",
                    i == 0                       ? ""
                    : i + 1 == s->families.count ? " and "
                                                 : ", ",
                    names[i]);
    }
    const char *name = arena_string(arena, t.data);
    text_release(&t);
    return name;
}

bool account_quotas_init(struct account_quotas *q, const struct schema_list *specs,
                         const struct catalogue *catalogue, struct arena *arena,
                         struct diagnostics *d)
{
    const struct quota_spec *s = specs->items;
    q->specs = specs;
    q->items = arena_array(arena, specs->count + 1, sizeof *q->items);
    q->good = arena_array(arena, specs->count + 1, sizeof *q->good);
    if (q->items == NULL || q->good == NULL) {
        return false;
    }
    for (size_t i = 0; i < specs->count; i++) {
        q->good[i] = check_quota(s, i, catalogue, d);
        q->items[i] = (struct account_quota){
            .name = name_of(&s[i], arena),
            .most = (uint64_t)(s[i].vcpus > 0 ? s[i].vcpus : s[i].nodes),
            .in_vcpus = s[i].vcpus > 0,
        };
        if (q->items[i].name == NULL) {
            return false;
        }
    }
    return true;
}

struct pool_quota account_quotas_of(const struct account_quotas *q,
                                    const struct instance_type *type, enum quota_purchase purchase)
{
    const struct quota_spec *specs = q->specs->items;
    for (size_t i = 0; i < q->specs->count; i++) {
        if (q->good[i] && specs[i].purchase == (int)purchase && covers(&specs[i], type->family)) {
            /* The catalogue has them of every type. */
            double vcpus = fmin(fmax(ceil(type->vcpus), 1.0), 1e6);
            return (struct pool_quota){&q->items[i], q->items[i].in_vcpus ? (uint32_t)vcpus : 1};
        }
    }
    return (struct pool_quota){NULL, 1};
}

uint32_t pool_quota_most(struct pool_quota q)
{
    uint64_t most = q.of == NULL ? UINT32_MAX : q.of->most / q.weight;
    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}
