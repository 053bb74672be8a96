/* SPDX-License-Identifier: GPL-3.0-or-later
 * See catalogue_files.h. Each table is read into a growing list, sorted by name, searched for names
 * that occur twice, and copied into the arena. */
#include "models/catalogue/catalogue_files.h"

#include "models/catalogue/catalogue_input.h"

#include <stdlib.h>
#include <string.h>

static const double GIB = 1073741824.0;
static const double TERA = 1e12;
static const double GIGABYTE = 1e9;
static const double GIGABIT = 1e9 / 8.0;

/* A row begins with its name (see catalogue_store.c); the line stands behind it. */
struct list {
    char *rows;
    size_t count, capacity, row_size, line_offset;
};

struct accelerator_line {
    struct accelerator row;
    int line;
};
struct type_line {
    struct instance_type row;
    int line;
};
struct region_line {
    struct region row;
    int line;
};
#define LIST_OF(type)                                                                              \
    {                                                                                              \
        .row_size = sizeof(struct type), .line_offset = offsetof(struct type, line)                \
    }

static bool list_add(struct list *l, const void *row)
{
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : 64;
        char *grown = realloc(l->rows, capacity * l->row_size);
        if (!grown) {
            return false;
        }
        l->rows = grown;
        l->capacity = capacity;
    }
    memcpy(l->rows + l->count++ * l->row_size, row, l->row_size);
    return true;
}

static const char *row_name(const void *row)
{
    const char *name;
    memcpy(&name, row, sizeof name);
    return name;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(row_name(left), row_name(right));
}

static int row_line(const struct list *l, size_t index)
{
    int line;
    memcpy(&line, l->rows + index * l->row_size + l->line_offset, sizeof line);
    return line;
}

/* Tells every name that occurs twice, at the later of its lines. */
static void tell_duplicates(const struct list *l, struct catalogue_input *in, const char *what)
{
    for (size_t i = 1; i < l->count; i++) {
        const char *name = row_name(l->rows + i * l->row_size);
        if (strcmp(row_name(l->rows + (i - 1) * l->row_size), name) != 0) {
            continue;
        }
        int a = row_line(l, i - 1), b = row_line(l, i);
        diagnostics_add(in->diagnostics, DIAGNOSTIC_ERROR,
                        (struct place){in->shown_name, a > b ? a : b, 0},
                        "%s '%s' is given twice; line %d has it too", what, name, a < b ? a : b);
        in->failed = true;
    }
}

/* The rows, sorted and without their lines, in the arena; NULL when memory is out. Frees the list.
 */
static void *list_finish(struct list *l, struct catalogue_input *in, size_t stored_size,
                         const char *what)
{
    char *stored = arena_array(in->catalogue->arena, l->count + 1, stored_size);
    if (!stored) {
        input_out_of_memory(in);
    } else if (l->count > 0) {
        qsort(l->rows, l->count, l->row_size, compare_names);
        tell_duplicates(l, in, what);
    }
    for (size_t i = 0; stored && i < l->count; i++) {
        memcpy(stored + i * stored_size, l->rows + i * l->row_size, stored_size);
    }
    free(l->rows);
    l->rows = NULL;
    return stored;
}

/* The names of sorted rows, as candidates for a suggestion. */
static const char **names_of(struct catalogue_input *in, const void *rows, size_t count,
                             size_t row_size)
{
    const char **names = arena_array(in->catalogue->arena, count + 1, sizeof *names);
    if (!names) {
        input_out_of_memory(in);
    }
    for (size_t i = 0; names && rows && i < count; i++) {
        names[i] = row_name((const char *)rows + i * row_size);
    }
    return names;
}

/* ---- accelerators --------------------------------------------------------- */

enum accelerator_column {
    A_NAME,
    A_FULL_NAME,
    A_ARCHITECTURE,
    A_MEMORY,
    A_BANDWIDTH,
    A_DATE,
    A_SOURCE,
    A_NOTE,
    A_PEAKS
};
static const char *const accelerator_columns[] = {
    "accelerator", "full_name", "architecture", "memory_gib", "memory_bandwidth_gb_per_s", "date",
    "source", "note",
    /* in the order of enum precision */
    "fp64_tflops", "fp32_tflops", "tf32_tflops", "fp16_tflops", "bf16_tflops", "fp8_tflops",
    "int8_tops", "fp4_tflops", NULL};

static bool read_accelerator(struct catalogue_input *in, struct accelerator_line *a)
{
    struct accelerator *row = &a->row;
    a->line = csv_line(in->csv);
    row->name = input_text(in, A_NAME, "accelerator", true);
    row->full_name = input_text(in, A_FULL_NAME, "full_name", true);
    row->architecture = input_text(in, A_ARCHITECTURE, "architecture", false);
    row->date = input_text(in, A_DATE, "date", true);
    row->source = input_text(in, A_SOURCE, "source", true);
    row->note = input_text(in, A_NOTE, "note", false);
    bool good = input_amount(in, A_MEMORY, "memory_gib", GIB, true, &row->memory_bytes);
    good &= input_amount(in, A_BANDWIDTH, "memory_bandwidth_gb_per_s", GIGABYTE, false,
                         &row->memory_bandwidth_bytes_per_s);
    for (size_t p = 0; p < PRECISION_COUNT; p++) {
        good &= input_amount(in, A_PEAKS + p, accelerator_columns[A_PEAKS + p], TERA, false,
                             &row->peak_flops[p]);
    }
    return good && row->name && row->full_name && row->architecture && row->date && row->source &&
           row->note;
}

bool catalogue_read_accelerators(struct catalogue *c, struct diagnostics *d)
{
    struct list list = LIST_OF(accelerator_line);
    struct catalogue_input in = {.catalogue = c, .diagnostics = d};
    if (input_open_table(&in, FILE_ACCELERATORS, accelerator_columns)) {
        while (input_next(&in, list.count, ACCELERATORS_MAX)) {
            struct accelerator_line a = {0};
            if (read_accelerator(&in, &a) && !list_add(&list, &a)) {
                input_out_of_memory(&in);
                break;
            }
        }
    }
    c->accelerators = list_finish(&list, &in, sizeof *c->accelerators, "accelerator");
    c->accelerator_count = list.count;
    return input_close(&in) && c->accelerators;
}

/* ---- instance types --------------------------------------------------------- */

enum type_column {
    T_NAME,
    T_ACCELERATOR,
    T_COUNT,
    T_ACCELERATOR_MEMORY,
    T_VCPUS,
    T_MEMORY,
    T_NETWORK,
    T_EFA,
    T_NVLINK,
    T_NVME,
    T_DATE,
    T_SOURCE,
    T_NOTE
};
static const char *const type_columns[] = {"instance_type",
                                           "accelerator",
                                           "accelerator_count",
                                           "accelerator_memory_gib",
                                           "vcpus",
                                           "memory_gib",
                                           "network_gbps",
                                           "efa",
                                           "nvlink_gb_per_s",
                                           "local_nvme_gb",
                                           "date",
                                           "source",
                                           "note",
                                           NULL};

/* "p4d" of "p4d.24xlarge". */
static const char *family_of(struct catalogue_input *in, const char *name)
{
    size_t length = strcspn(name, ".");
    if (length == 0 || name[length] == '\0' || name[length + 1] == '\0') {
        input_error(in, "'%s' is not an instance type; expected 'family.size'", name);
        return NULL;
    }
    const char *family = arena_copy(in->catalogue->arena, name, length);
    if (!family) {
        input_out_of_memory(in);
    }
    return family;
}

static bool read_flag(struct catalogue_input *in, size_t column, const char *name, bool *out)
{
    const char *value = csv_text(in->csv, column);
    *out = strcmp(value, "yes") == 0;
    if (!*out && strcmp(value, "no") != 0) {
        input_error(in, "'%s' is '%s'; expected yes or no", name, value);
        return false;
    }
    return true;
}

static bool read_type(struct catalogue_input *in, struct type_line *t)
{
    struct instance_type *row = &t->row;
    t->line = csv_line(in->csv);
    row->name = input_text(in, T_NAME, "instance_type", true);
    row->family = row->name ? family_of(in, row->name) : NULL;
    row->accelerator_name = input_text(in, T_ACCELERATOR, "accelerator", true);
    row->date = input_text(in, T_DATE, "date", true);
    row->source = input_text(in, T_SOURCE, "source", true);
    row->note = input_text(in, T_NOTE, "note", false);
    bool good = input_amount(in, T_COUNT, "accelerator_count", 1.0, true, &row->accelerator_count);
    good &= input_amount(in, T_ACCELERATOR_MEMORY, "accelerator_memory_gib", GIB, true,
                         &row->accelerator_memory_bytes);
    good &= input_amount(in, T_VCPUS, "vcpus", 1.0, true, &row->vcpus);
    good &= input_amount(in, T_MEMORY, "memory_gib", GIB, true, &row->memory_bytes);
    good &= input_amount(in, T_NETWORK, "network_gbps", GIGABIT, false, &row->network_bytes_per_s);
    good &= read_flag(in, T_EFA, "efa", &row->efa);
    good &=
        input_amount(in, T_NVLINK, "nvlink_gb_per_s", GIGABYTE, false, &row->nvlink_bytes_per_s);
    good &= input_amount(in, T_NVME, "local_nvme_gb", GIGABYTE, false, &row->local_nvme_bytes);
    if (!good || !row->name || !row->family || !row->accelerator_name || !row->date ||
        !row->source || !row->note) {
        return false;
    }
    size_t accelerator = store_accelerator(in->catalogue, row->accelerator_name);
    if (accelerator != NOT_FOUND) {
        row->accelerator = &in->catalogue->accelerators[accelerator];
    }
    return true;
}

bool catalogue_read_types(struct catalogue *c, struct diagnostics *d)
{
    struct list list = LIST_OF(type_line);
    struct catalogue_input in = {.catalogue = c, .diagnostics = d};
    if (input_open_table(&in, FILE_INSTANCE_TYPES, type_columns)) {
        while (input_next(&in, list.count, TYPES_MAX)) {
            struct type_line t = {0};
            if (read_type(&in, &t) && !list_add(&list, &t)) {
                input_out_of_memory(&in);
                break;
            }
        }
    }
    c->types = list_finish(&list, &in, sizeof *c->types, "instance type");
    c->type_count = list.count;
    c->type_names = names_of(&in, c->types, c->type_count, sizeof *c->types);
    return input_close(&in) && c->types && c->type_names;
}

/* ---- regions ----------------------------------------------------------------- */

enum region_column { R_CODE, R_NAME, R_CURRENCY, R_UTC_OFFSET, R_FIRST_ZONE, R_DATE, R_SOURCE };
static const char *const region_columns[] = {"region",     "name", "currency", "utc_offset_h",
                                             "first_zone", "date", "source",   NULL};

static bool is_currency(const char *text)
{
    return strlen(text) == 3 && strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3;
}

static bool read_region(struct catalogue_input *in, struct region_line *r)
{
    struct region *row = &r->row;
    r->line = csv_line(in->csv);
    row->code = input_text(in, R_CODE, "region", true);
    row->name = input_text(in, R_NAME, "name", true);
    row->currency = input_text(in, R_CURRENCY, "currency", true);
    row->first_zone = input_text(in, R_FIRST_ZONE, "first_zone", true);
    row->date = input_text(in, R_DATE, "date", true);
    row->source = input_text(in, R_SOURCE, "source", true);
    if (row->currency && !is_currency(row->currency)) {
        input_error(in, "currency '%s'; expected three letters such as USD", row->currency);
        return false;
    }
    if (!csv_double(in->csv, R_UTC_OFFSET, &row->utc_offset_h)) {
        in->failed = true;
        return false;
    }
    if (!(row->utc_offset_h >= -12.0 && row->utc_offset_h <= 14.0)) {
        input_error(in, "'utc_offset_h' is '%s'; expected hours from -12 to 14",
                    csv_text(in->csv, R_UTC_OFFSET));
        return false;
    }
    return row->code && row->name && row->currency && row->first_zone && row->date && row->source;
}

bool catalogue_read_regions(struct catalogue *c, struct diagnostics *d)
{
    struct list list = LIST_OF(region_line);
    struct catalogue_input in = {.catalogue = c, .diagnostics = d};
    if (input_open_table(&in, FILE_REGIONS, region_columns)) {
        while (input_next(&in, list.count, REGIONS_MAX)) {
            struct region_line r = {0};
            if (read_region(&in, &r) && !list_add(&list, &r)) {
                input_out_of_memory(&in);
                break;
            }
        }
    }
    c->regions = list_finish(&list, &in, sizeof *c->regions, "region");
    c->region_count = list.count;
    c->region_codes = names_of(&in, c->regions, c->region_count, sizeof *c->regions);
    return input_close(&in) && c->regions && c->region_codes;
}
