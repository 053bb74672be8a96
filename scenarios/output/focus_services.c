/* SPDX-License-Identifier: GPL-3.0-or-later
 * Services by the names on their product pages (aws.amazon.com); categories: FOCUS 1.2, columns
 * ServiceCategory and ServiceSubcategory. */
#include "scenarios/output/focus_services.h"

#include <stddef.h>
#include <string.h>

#define EBS "Amazon Elastic Block Store"
#define S3  "Amazon Simple Storage Service"

static const struct focus_service focus_services[CHARGE_KIND_COUNT] = {
    [CHARGE_DISK] = {EBS, "Storage", "Block Storage", "Usage", "Usage-Based", "Volume", "ebs",
                     "volumes of nodes", true, NULL},
    [CHARGE_DATASET] = {S3, "Storage", "Object Storage", "Usage", "Usage-Based", "Bucket", "s3",
                        "data set", true, NULL},
    [CHARGE_CHECKPOINTS] = {S3, "Storage", "Object Storage", "Usage", "Usage-Based", "Bucket", "s3",
                            "checkpoints kept", true, NULL},
    [CHARGE_TRANSFER] = {"AWS Data Transfer", "Networking", "Network Connectivity", "Usage",
                         "Usage-Based", NULL, "transfer", "data transfer", true, NULL},
    [CHARGE_NAT] = {"Amazon Virtual Private Cloud", "Networking", "Network Infrastructure", "Usage",
                    "Usage-Based", "NAT Gateway", "nat", "NAT gateway", true, NULL},
    [CHARGE_MONTHLY] = {NULL, "Other", "Other (Other)", "Purchase", "Recurring", NULL, NULL,
                        "stated monthly amount", false, NULL},
    [CHARGE_HOURLY] = {NULL, "Other", "Other (Other)", "Usage", "Usage-Based", NULL, NULL,
                       "stated hourly price", false, NULL},
    [CHARGE_INSTANCE] = {"Amazon Elastic Compute Cloud", "Compute", "Virtual Machines", "Usage",
                         "Usage-Based", "Instance", NULL, "helper instance", true, NULL},
    [CHARGE_ONCE] = {NULL, "Other", "Other (Other)", "Purchase", "One-Time", NULL, NULL,
                     "stated amount", false, NULL},
    [CHARGE_PER_NODE_HOUR] = {NULL, "Other", "Other (Other)", "Usage", "Usage-Based", NULL, NULL,
                              "stated price per node-hour", false, NULL},
    /* In the rows that it is taken off; the row says that it can be told. */
    [CHARGE_DISCOUNT] = {NULL, "Other", "Other (Other)", "Credit", "Usage-Based", NULL, NULL,
                         "negotiated discount", false, NULL},
    [CHARGE_SUPPORT] = {"AWS Support", "Management and Governance", "Support", "Usage", "Recurring",
                        NULL, "support", "support plan", false, NULL},
    [CHARGE_TAX] = {"Tax", "Other", "Other (Other)", "Tax", "Recurring", NULL, NULL, "tax", false,
                    NULL},
    [CHARGE_REQUESTS] = {S3, "Storage", "Object Storage", "Usage", "Usage-Based", "Bucket", "s3",
                         "requests", true, NULL},
    [CHARGE_PER_VCPU_HOUR] = {NULL, "Other", "Other (Other)", "Usage", "Usage-Based", NULL, NULL,
                              "stated price per vCPU-hour", false, NULL},
    [CHARGE_PER_GPU_HOUR] = {NULL, "Other", "Other (Other)", "Usage", "Usage-Based", NULL, NULL,
                             "stated price per accelerator-hour", false, NULL},
    [CHARGE_MONITORING] = {"Amazon CloudWatch", "Management and Governance", "Observability",
                           "Usage", "Usage-Based", NULL, "monitoring", "detailed monitoring", true,
                           NULL},
    [CHARGE_EFS] = {"Amazon Elastic File System", "Storage", "File Storage", "Usage", "Usage-Based",
                    "File System", "efs", "file system", true, NULL},
    [CHARGE_LUSTRE] = {"Amazon FSx", "Storage", "File Storage", "Usage", "Usage-Based",
                       "File System", "fsx-lustre", "file system for Lustre", true, NULL},
    [CHARGE_EDP] = {NULL, "Other", "Other (Other)", "Credit", "Usage-Based", NULL, NULL,
                    "discount of an agreement", false, NULL},
    [CHARGE_EDP_SHORTFALL] = {NULL, "Other", "Other (Other)", "Purchase", "One-Time", NULL, NULL,
                              "what is missing of an agreement's minimum", false, NULL},
    [CHARGE_SUPPORT_PLAN] = {"AWS Support", "Management and Governance", "Support", "Usage",
                             "Recurring", NULL, "support", "support plan", false, NULL},
    [CHARGE_CREDIT] = {NULL, "Other", "Other (Other)", "Credit", "Usage-Based", NULL, NULL,
                       "credit", false, NULL},
};

static const struct focus_meter focus_meters[CHARGE_METER_COUNT] = {
    [METER_UNITS] = {"Units", "Units"},
    [METER_HOURS] = {"Hours", "Hours"},
    [METER_MONTHS] = {"Months", "Months"},
    [METER_GB_MONTHS] = {"GB-Months", "Storage"},
    [METER_IOPS_MONTHS] = {"IOPS-Months", "Provisioned IOPS"},
    [METER_MIBPS_MONTHS] = {"MiBps-Months", "Provisioned Throughput"},
    [METER_GB] = {"GB", "Data"},
    [METER_REQUESTS] = {"Requests", "Requests"},
};

/* Checkpoints that are kept elsewhere than in S3, by what their product begins with. */
static const struct {
    const char *product;
    struct focus_service service;
} kept_elsewhere[] = {
    {"gp3",
     {EBS, "Storage", "Block Storage", "Usage", "Usage-Based", "Volume", "ebs", "checkpoints kept",
      true, NULL}},
    {"fsx-lustre",
     {"Amazon FSx", "Storage", "File Storage", "Usage", "Usage-Based", "File System", "fsx-lustre",
      "checkpoints kept", true, NULL}},
};

const struct focus_service *focus_service_sold(enum charge_kind kind, const char *product)
{
    for (size_t i = 0; i < sizeof kept_elsewhere / sizeof kept_elsewhere[0]; i++) {
        const char *begins = kept_elsewhere[i].product;
        if (kind == CHARGE_CHECKPOINTS && product != NULL &&
            strncmp(product, begins, strlen(begins)) == 0) {
            return &kept_elsewhere[i].service;
        }
    }
    return focus_service_of(kind);
}

const struct focus_service *focus_service_of(enum charge_kind kind)
{
    return focus_services[kind].category == NULL ? NULL : &focus_services[kind];
}

const struct focus_meter *focus_meter_of(enum charge_meter meter)
{
    return &focus_meters[meter];
}
