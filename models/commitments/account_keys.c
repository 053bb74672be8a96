/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/commitments/account_keys.h"

#include "models/commitments/commitment.h"
#include "models/commitments/commitment_keys.h"

#include <stddef.h>

/* ---- what is signed already ---- */

#define SUNK(member) offsetof(struct sunk_spec, member)

static const struct schema_key sunk_keys[] = {
    {.name = "kind",
     .kind = SCHEMA_CHOICE,
     .choices = commitment_signed_names,
     .required = true,
     .offset = SUNK(kind),
     .help = "Reserved Instances, or a savings plan for one instance family or for all compute."},
    {.name = "ends",
     .kind = SCHEMA_DATE,
     .required = true,
     .offset = SUNK(ends),
     .help = "When its term ends (UTC), after the start; from then on it covers nothing."},
    SIGNED_KEYS(struct sunk_spec, "Reserved instances", 0,
                "Reserved instances: the zone they are bound to; absent: regional.",
                "Savings plans: the rate of each instance type that the plan may cover, be it the "
                "plan's or others'.",
                "Savings plans, of types without a rate in `rates`: `as-reserved`, as in a "
                "strategy."),
    {.name = "term",
     .kind = SCHEMA_CHOICE,
     .choices = commitment_term_names,
     .default_text = "1y",
     .offset = SUNK(term),
     .help = "Its term, counted back from `ends`."},
    {.name = "payment",
     .kind = SCHEMA_CHOICE,
     .choices = payment_option_names,
     .default_text = "no-upfront",
     .offset = SUNK(payment),
     .help = "How it is paid: what of it a FOCUS file still bills by the hour; of reserved "
             "instances, with `term` and `class`, the offer whose price is shown as sunk."},
    {.name = "price",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_PRICE,
     .low = 0,
     .high = 1e6,
     .offset = SUNK(price),
     .given_offset = SUNK(price_given),
     .help = "Reserved instances: what one costs an hour, upfront part included, in place of the "
             "catalogue's offer; it is shown as sunk and in no cost."},
    {.name = "owner",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = SUNK(owner),
     .help = "The linked account that signed; its usage is covered first. Default: the plan's."},
};

static const struct schema sunk_schema = {
    .name = "account.commitments",
    SCHEMA_KEYS(sunk_keys),
    .size = sizeof(struct sunk_spec),
    .help = "A commitment from before the plan: it is paid in every strategy alike, and its cost "
            "is sunk.",
};

/* ---- what others run ---- */

static const struct schema_key use_count_keys[] = {
    {.name = "count",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = 100000,
     .required = true,
     .offset = offsetof(struct use_count_spec, count),
     .help = "Nodes in this hour."},
};

static const struct schema use_count_schema = {
    .name = "account.usage.hours",
    .shorthand = "count",
    SCHEMA_KEYS(use_count_keys),
    .size = sizeof(struct use_count_spec),
    .help = "One hour of `day` or `week`; the number alone may stand in its place.",
};

#define USE(member) offsetof(struct others_use_spec, member)

static const struct schema_key use_keys[] = {
    {.name = "instance",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .required = true,
     .offset = USE(instance),
     .help = "The instance type, on demand."},
    {.name = "zone",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = USE(zone),
     .help = "Default: the region's first."},
    {.name = "count",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = 100000,
     .offset = USE(count),
     .given_offset = USE(count_given),
     .help = "Nodes at all times."},
    {.name = "day",
     .kind = SCHEMA_LIST,
     .inner = &use_count_schema,
     .low = 24,
     .high = 24,
     .offset = USE(day),
     .help = "Nodes in each hour of the day (UTC), 24 numbers from midnight on."},
    {.name = "week",
     .kind = SCHEMA_LIST,
     .inner = &use_count_schema,
     .low = 168,
     .high = 168,
     .offset = USE(week),
     .help = "Nodes in each hour of the week (UTC), 168 numbers from Monday 00:00 on."},
    {.name = "file",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 4096,
     .offset = USE(file),
     .help = "CSV file with the columns `from` (UTC, such as 2026-03-02T08:00Z) and `count`: so "
             "many nodes from then on, until the next row; relative to this file."},
    {.name = "scale",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 100,
     .default_text = "100 %",
     .offset = USE(scale),
     .help = "All counts times this, rounded to whole nodes."},
    {.name = "owner",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = USE(owner),
     .help = "The linked account that runs them. Default: the plan's."},
};

static const struct schema use_schema = {
    .name = "account.usage",
    SCHEMA_KEYS(use_keys),
    .size = sizeof(struct others_use_spec),
    .help = "On-demand nodes that others run; one of `count`, `day`, `week` and `file` says how "
            "many.",
};

/* ---- the section ---- */

static const struct schema_key account_keys[] = {
    {.name = "owner",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = offsetof(struct account_spec, owner),
     .help = "What the `owner` keys below call the account that the plan runs in."},
    {.name = "commitments",
     .kind = SCHEMA_LIST,
     .inner = &sunk_schema,
     .list_or_one = true,
     .low = 0,
     .high = 64,
     .offset = offsetof(struct account_spec, commitments),
     .help = "What is signed already."},
    {.name = "usage",
     .kind = SCHEMA_LIST,
     .inner = &use_schema,
     .list_or_one = true,
     .low = 0,
     .high = 64,
     .offset = offsetof(struct account_spec, usage),
     .help = "What others run on demand, which commitments cover too."},
};

const struct schema account_schema = {
    .name = "account",
    SCHEMA_KEYS(account_keys),
    .size = sizeof(struct account_spec),
    .help = "What exists before the plan, in its account and those that share its commitments.",
};
