/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/checkpoint_cost.h"

#include "engine/quantity.h"
#include "engine/text.h"
#include "models/speed/model_shape.h"
#include "models/training/training_making.h"

#include <math.h>

/* Weights in 16 bits, and in FP32 the master weights and Adam's two moments. */
#define BYTES_PER_PARAMETER 14.0
/* S3: 5 Gbit/s a connection, many in parallel up to the instance's network (AWS re:Post, "S3
 * transfer throughput"); what a node's writers reach of it is assumed. */
#define S3_PER_NODE 1e9
/* A gp3 volume as it comes; up to 1,000 MB/s can be provisioned. */
#define GP3_PER_NODE 125e6
/* From an accelerator to the memory of its host. */
#define COPY_PER_ACCELERATOR 10e9

static const struct checkpoint_spec *spec_of(const struct training_plan *p)
{
    return &p->spec->checkpoint;
}

/* ---- time ---- */

double checkpoint_bytes(const struct checkpoint_size *of, const double *drawn)
{
    if (of->spec->checkpoint.size.given) {
        return number_value(&of->spec->checkpoint.size, drawn);
    }
    struct model_shape shape = model_shape_resolve(&of->spec->model, of->preset, drawn);
    return BYTES_PER_PARAMETER * shape.trained_parameters;
}

double checkpoint_size_bytes(const struct training_plan *p, const double *drawn)
{
    return checkpoint_bytes(&(struct checkpoint_size){p->spec, p->cost.preset}, drawn);
}

/* Bytes per second of so many nodes. */
static double bandwidth(const struct training_plan *p, uint32_t nodes, double per_node,
                        double shared)
{
    double together = (spec_of(p)->sharded ? nodes : 1) * per_node;
    return together < shared ? together : shared;
}

static double transfer_s(const struct training_plan *p, uint32_t nodes, const double *drawn)
{
    const struct checkpoint_spec *c = spec_of(p);
    double per_node = c->bandwidth_per_node.given ? number_value(&c->bandwidth_per_node, drawn)
                                                  : p->cost.per_node;
    double shared =
        c->bandwidth_shared.given ? number_value(&c->bandwidth_shared, drawn) : HUGE_VAL;
    return checkpoint_size_bytes(p, drawn) / bandwidth(p, nodes, per_node, shared) +
           number_value(&c->latency, drawn);
}

double checkpoint_write_s(const struct training_plan *p, uint32_t nodes, const double *drawn)
{
    return p->cost.derives_write ? transfer_s(p, nodes, drawn)
                                 : number_value(&spec_of(p)->write, drawn);
}

double checkpoint_pause_s(const struct training_plan *p, uint32_t nodes, const double *drawn)
{
    const struct checkpoint_spec *c = spec_of(p);
    if (!c->asynchronous) {
        return checkpoint_write_s(p, nodes, drawn);
    }
    return c->copy.given ? number_value(&c->copy, drawn)
                         : checkpoint_size_bytes(p, drawn) /
                               (nodes * p->cost.accelerators * COPY_PER_ACCELERATOR);
}

double checkpoint_complete_s(const struct training_plan *p, uint32_t nodes, const double *drawn)
{
    double write_s = checkpoint_write_s(p, nodes, drawn);
    return spec_of(p)->asynchronous ? checkpoint_pause_s(p, nodes, drawn) + write_s : write_s;
}

double checkpoint_read_s(const struct training_plan *p, uint32_t nodes, const double *drawn)
{
    return transfer_s(p, nodes, drawn);
}

double checkpoint_planned_restore_s(const struct training_plan *p, uint32_t nodes)
{
    return p->cost.derives_restore ? checkpoint_read_s(p, nodes, NULL)
                                   : variate_planned_mean(&spec_of(p)->restore);
}

/* ---- how long it may take ---- */

static double quantile_of(const struct making *m, const struct number *n, double share)
{
    if (n->input < 0) {
        return n->median;
    }
    const struct input *input = inputs_at(m->context->inputs, (size_t)n->input);
    return distribution_quantile(&input->distribution, share);
}

/* Each of its numbers at its worst: the sum of their chances is the bound. */
static double transfer_within_s(const struct making *m, uint32_t nodes, double share)
{
    const struct training_plan *p = m->plan;
    const struct checkpoint_spec *c = spec_of(p);
    const struct number *of = c->size.given ? &c->size : &m->spec->model.trained_parameters;
    if (!c->size.given && !of->given) {
        of = &m->spec->model.parameters;
    }
    double size = of->median > 0
                      ? checkpoint_size_bytes(p, NULL) * quantile_of(m, of, share) / of->median
                      : checkpoint_size_bytes(p, NULL);
    double per_node = c->bandwidth_per_node.given
                          ? quantile_of(m, &c->bandwidth_per_node, 1 - share)
                          : p->cost.per_node;
    double shared =
        c->bandwidth_shared.given ? quantile_of(m, &c->bandwidth_shared, 1 - share) : HUGE_VAL;
    return size / bandwidth(p, nodes, per_node, shared) + quantile_of(m, &c->latency, share);
}

double checkpoint_complete_within_s(const struct making *m, uint32_t nodes, double chance)
{
    const struct training_plan *p = m->plan;
    const struct checkpoint_spec *c = spec_of(p);
    const struct number *numbers[] = {&c->size,
                                      &c->bandwidth_per_node,
                                      &c->bandwidth_shared,
                                      &c->latency,
                                      &c->copy,
                                      &m->spec->model.trained_parameters,
                                      &m->spec->model.parameters};
    size_t uncertain = c->write.input >= 0;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        uncertain += (p->cost.derives_write || c->asynchronous) && numbers[i]->input >= 0;
    }
    double share = 1 - chance / (double)(uncertain > 0 ? uncertain : 1);
    double write_s = p->cost.derives_write ? transfer_within_s(m, nodes, share)
                                           : quantile_of(m, &c->write, share);
    if (!c->asynchronous) {
        return write_s;
    }
    double copy_s =
        c->copy.given ? quantile_of(m, &c->copy, share) : checkpoint_pause_s(p, nodes, NULL);
    return write_s + copy_s;
}

/* ---- planning ---- */

static bool check_storage(const struct making *m)
{
    const struct checkpoint_spec *c = spec_of(m->plan);
    if (c->storage == STORED_LOCALLY) {
        return making_complain_once(
            m, DIAGNOSTIC_ERROR, c->storage_place,
            "checkpoints of '%s' on local disks are gone with their node, so a loss or a move "
            "would find none; expected 'storage: s3', 'fsx' or 'ebs', with 'asynchronous: yes' "
            "where local disks or memory take them first",
            m->plan->work.workload_name);
    }
    if (c->asynchronous && c->mode != CHECKPOINT_PERIODIC) {
        return making_complain_once(m, DIAGNOSTIC_ERROR, c->asynchronous_place,
                                    "'asynchronous' is of periodic checkpoints, but '%s' writes %s",
                                    m->plan->work.workload_name,
                                    c->mode == CHECKPOINT_NONE ? "none" : "continuously");
    }
    return true;
}

static bool check_known(const struct making *m)
{
    const struct checkpoint_spec *c = spec_of(m->plan);
    const struct checkpoint_cost *k = &m->plan->cost;
    bool banded = c->bandwidth_per_node.given || c->bandwidth_shared.given;
    if (!k->sized && c->asynchronous && !(c->copy.given && c->write.given)) {
        return making_complain_once(
            m, DIAGNOSTIC_ERROR, c->asynchronous_place,
            "how long the copy and the write of an asynchronous checkpoint of '%s' take follows "
            "from its size, which is not known; expected 'size', 'model: {parameters}', or 'copy' "
            "and 'write'",
            m->plan->work.workload_name);
    }
    if (!k->sized && banded && !c->write.given) {
        return making_complain_once(
            m, DIAGNOSTIC_ERROR, m->spec->item.place,
            "a bandwidth of checkpoints of '%s' is stated, but not their size; expected 'size' or "
            "'model: {parameters}'",
            m->plan->work.workload_name);
    }
    if ((k->derives_write || k->derives_restore) && c->storage == STORED_IN_FSX &&
        !c->bandwidth_shared.given) {
        return making_complain_once(
            m, DIAGNOSTIC_ERROR, c->storage_place,
            "what FSx for Lustre gives '%s' follows from how much of it there is; expected "
            "'bandwidth_shared' (125, 250, 500 or 1000 MB/s a TiB)",
            m->plan->work.workload_name);
    }
    return true;
}

static double default_per_node(const struct making *m)
{
    const struct disk_spec *disk = &m->spec->storage.disk;
    double network = m->type->network_bytes_per_s > 0 ? m->type->network_bytes_per_s : HUGE_VAL;
    switch (spec_of(m->plan)->storage) {
    case STORED_IN_S3:
        return fmin(S3_PER_NODE, network);
    case STORED_IN_EBS:
        return disk->given && disk->throughput.given ? disk->throughput.median : GP3_PER_NODE;
    default:
        return network;
    }
}

static void assume_bandwidth(const struct making *m)
{
    const struct checkpoint_spec *c = spec_of(m->plan);
    struct assumptions *a = m->context->assumptions;
    char text[48];
    if (!c->bandwidth_per_node.given && isfinite(m->plan->cost.per_node)) {
        assumptions_add(
            a, false,
            c->storage == STORED_IN_S3    ? "assumed; S3 gives 5 Gbit/s a connection (AWS re:Post)"
            : c->storage == STORED_IN_EBS ? "a gp3 volume, or the disk's throughput"
                                          : "the instance's network",
            making_name(m, "bandwidth of checkpoints of %s", m->plan->work.workload_name),
            "%s a node", quantity_text(m->plan->cost.per_node, DIMENSION_DATA_RATE, NULL, text));
    }
    if (!c->latency.given) {
        assumptions_add(a, false, "assumed",
                        making_name(m, "what a checkpoint of %s takes beside its transfer",
                                    m->plan->work.workload_name),
                        "%.3g s", c->latency.median);
    }
}

/* Volumes and file systems are paid for as they are provisioned, whatever lies on them. */
static void assume_storage(const struct making *m)
{
    const struct checkpoint_spec *c = spec_of(m->plan);
    const bool paid_by_size = c->storage == STORED_IN_S3 ||
                              (c->storage == STORED_IN_EBS && !m->spec->storage.disk.given) ||
                              c->per_gb_month.given;
    if (!m->plan->cost.sized || c->keep == 0 || paid_by_size) {
        return;
    }
    assumptions_add(m->context->assumptions, false, "default",
                    making_name(m, "storage of checkpoints of %s", m->plan->work.workload_name),
                    c->storage == STORED_IN_FSX
                        ? "on FSx for Lustre, which is paid as a whole: state it in 'charges', or "
                          "'per_gb_month'"
                        : "on the volumes of its nodes, paid as its 'disk'");
}

static void assume(const struct making *m)
{
    const struct training_plan *p = m->plan;
    const struct checkpoint_spec *c = spec_of(p);
    struct assumptions *a = m->context->assumptions;
    const char *name = p->work.workload_name;
    char text[48], time[32];
    bool stored = p->cost.sized && c->keep > 0 && c->storage == STORED_IN_S3;
    assume_storage(m);
    bool needs_size = stored || p->cost.derives_write || p->cost.derives_restore ||
                      (c->asynchronous && !c->copy.given);
    if (needs_size && !c->size.given) {
        assumptions_add(a, false, "BLOOM 176B: 2.3 TB, 13.1 bytes a parameter (its model page)",
                        making_name(m, "size of a checkpoint of %s", name),
                        "%s, 14 bytes a trained parameter",
                        quantity_text(checkpoint_size_bytes(p, NULL), DIMENSION_DATA, NULL, text));
    }
    if (p->cost.derives_write || p->cost.derives_restore) {
        assume_bandwidth(m);
    }
    if (p->cost.derives_write) {
        assumptions_add(a, false, "size over bandwidth",
                        making_name(m, "time to write a checkpoint of %s", name),
                        "%s on %u %snode%s",
                        quantity_time_text(checkpoint_write_s(p, p->work.nodes, NULL), time),
                        c->sharded ? p->work.nodes : 1, c->sharded ? "" : "writing ",
                        c->sharded ? text_plural(p->work.nodes) : "");
    }
    if (p->cost.derives_restore) {
        assumptions_add(a, false, "size over bandwidth", making_name(m, "time to restore %s", name),
                        "%s", quantity_time_text(checkpoint_read_s(p, p->work.nodes, NULL), time));
    }
    if (c->asynchronous && !c->copy.given) {
        assumptions_add(a, false, "10 GB/s from an accelerator to its host (no source)",
                        making_name(m, "copy of a checkpoint of %s to host memory", name), "%s",
                        quantity_time_text(checkpoint_pause_s(p, p->work.nodes, NULL), time));
    }
}

bool checkpoint_cost_make(struct making *m)
{
    struct training_plan *p = m->plan;
    const struct checkpoint_spec *c = spec_of(p);
    const struct model_spec *model = &m->spec->model;
    struct checkpoint_cost *k = &p->cost;
    *k = (struct checkpoint_cost){.accelerators = fmax(1, m->type->accelerator_count)};
    if (!check_storage(m)) {
        return false;
    }
    if (c->mode == CHECKPOINT_NONE) {
        return true;
    }
    if (model->preset != NULL) {
        k->preset = catalogue_model(m->context->catalogue, model->preset);
    }
    k->sized = c->size.given || model_shape_resolve(model, k->preset, NULL).trained_parameters > 0;
    k->derives_write = k->sized && !c->write.given && c->mode == CHECKPOINT_PERIODIC;
    k->derives_restore = k->sized && !c->restore.given;
    k->per_node = default_per_node(m);
    if (!check_known(m)) {
        return false;
    }
    assume(m);
    return true;
}
