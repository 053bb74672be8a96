/* SPDX-License-Identifier: GPL-3.0-or-later
 * libFuzzer over the scenario reader. The input's parts, divided by the byte 0x01 (which no YAML
 * may hold), are: a scenario file, a file laid over it, and settings. Whatever is read must be
 * refused or accepted without a crash, a leak, or a message that could drive a terminal.
 *
 *     make fuzz
 *     tests/fuzz/seeds build/fuzz/corpus
 *     build/fuzz/scenario -timeout=5 -max_total_time=300 -dict=tests/fuzz/scenario.dict \
 *         build/fuzz/corpus
 */
#include "engine/text.h"
#include "scenarios/reader/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_FILES = 2, MOST_SETS = 8, DIVIDER = 1 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *currency_of(void *context, const char *region)
{
    (void)context;
    return strncmp(region, "cn-", 3) == 0 ? "CNY" : "USD";
}

/* The bytes as a file that has a path. */
static int make_file(const uint8_t *data, size_t size, char path[32])
{
    int fd = memfd_create("scenario", MFD_CLOEXEC);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, 32, "/proc/self/fd/%d", fd);
    return fd;
}

static void check_messages(struct diagnostics *d)
{
    char *all = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&all, &length);

    if (f == NULL)
        abort();
    diagnostics_write(d, f);
    fclose(f);
    if (!text_is_utf8(all, length) || strchr(all, '\x1b') != NULL)
        abort();
    free(all);
}

static void read_scenario(const struct scenario_request *request)
{
    struct diagnostics *d = diagnostics_new();
    struct scenario *s = scenario_read(request, d);

    if ((s == NULL) != diagnostics_failed(d) || diagnostics_count(d, DIAGNOSTIC_FAILURE) > 0)
        abort();
    if (s != NULL && (!(s->horizon_s > 0) || s->strategies.count == 0 || s->workloads.count == 0))
        abort();
    check_messages(d);
    scenario_free(s);
    diagnostics_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char names[MOST_FILES][32];
    const char *paths[MOST_FILES];
    char *sets[MOST_SETS];
    int files[MOST_FILES];
    struct scenario_request request = {
        .paths = paths, .sets = (const char *const *)sets, .currency_of = currency_of};

    while (request.path_count + request.set_count < MOST_FILES + MOST_SETS) {
        const uint8_t *end = memchr(data, DIVIDER, size);
        size_t length = end == NULL ? size : (size_t)(end - data);
        size_t i = request.path_count;
        if (i < MOST_FILES) {
            files[i] = make_file(data, length, names[i]);
            paths[i] = names[i];
            request.path_count++;
        } else {
            sets[request.set_count++] = strndup((const char *)data, length);
        }
        if (end == NULL)
            break;
        size -= length + 1;
        data = end + 1;
    }
    read_scenario(&request);
    for (size_t i = 0; i < request.path_count; i++)
        close(files[i]);
    for (size_t i = 0; i < request.set_count; i++)
        free(sets[i]);
    return 0;
}
