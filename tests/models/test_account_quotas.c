/* SPDX-License-Identifier: GPL-3.0-or-later
 * Quotas of the account: which pools share one, what a node counts, and what is refused. */
#include "models/market/account_quotas.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <string.h>

static struct catalogue *catalogue; /* read only, loaded once */

static const char *const p_families[] = {"p3", "p3dn", "p4d"};
static const char *const wrong_family[] = {"p3", "p33"};

enum { MOST = 3 };
struct fixture {
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct quota_spec specs[MOST];
    struct schema_list list;
    struct account_quotas quotas;
};

static struct quota_spec *add(struct fixture *f, const char *const *families, size_t count)
{
    struct quota_spec *s = &f->specs[f->list.count++];
    s->item.place = (struct place){"plan.yaml", 10 + (int)f->list.count, 5};
    s->families = (struct schema_list){.items = (void *)(uintptr_t)families, .count = count};
    return s;
}

static void fixture_init(struct fixture *f)
{
    *f = (struct fixture){.arena = arena_new(0), .diagnostics = diagnostics_new()};
    f->list.items = f->specs;
}

static void make(struct fixture *f)
{
    assert_true(account_quotas_init(&f->quotas, &f->list, catalogue, f->arena, f->diagnostics));
}

static void fixture_release(struct fixture *f)
{
    diagnostics_free(f->diagnostics);
    arena_free(f->arena);
}

static struct pool_quota of(const struct fixture *f, const char *type, enum quota_purchase purchase)
{
    return account_quotas_of(&f->quotas, catalogue_type(catalogue, type), purchase);
}

/* p3.16xlarge has 64 vCPUs, p3dn.24xlarge and p4d.24xlarge 96. */
static void families_share_one(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    add(&f, p_families, 3)->vcpus = 384;
    struct quota_spec *spot = add(&f, p_families, 1);
    spot->purchase = QUOTA_SPOT;
    spot->nodes = 8;
    make(&f);
    struct pool_quota p3 = of(&f, "p3.16xlarge", QUOTA_ON_DEMAND);
    struct pool_quota p4d = of(&f, "p4d.24xlarge", QUOTA_ON_DEMAND);
    assert_ptr_equal(p3.of, p4d.of);
    assert_string_equal(p3.of->name, "384 vCPUs on demand of p3, p3dn and p4d");
    assert_int_equal(p3.weight, 64);
    assert_int_equal(p4d.weight, 96);
    assert_int_equal(pool_quota_most(p3), 6);
    assert_int_equal(pool_quota_most(p4d), 4);
    struct pool_quota on_spot = of(&f, "p3.16xlarge", QUOTA_SPOT);
    assert_string_equal(on_spot.of->name, "8 nodes on spot of p3");
    assert_int_equal(on_spot.weight, 1);
    assert_int_equal(pool_quota_most(on_spot), 8);
    assert_null(of(&f, "p4d.24xlarge", QUOTA_SPOT).of);
    assert_null(of(&f, "g5.xlarge", QUOTA_ON_DEMAND).of);
    assert_int_equal(pool_quota_most(of(&f, "g5.xlarge", QUOTA_ON_DEMAND)), UINT32_MAX);
    assert_false(diagnostics_failed(f.diagnostics));
    fixture_release(&f);
}

static void assert_said(struct fixture *f, const char *what)
{
    char text[4000];
    FILE *file = tmpfile();
    assert_non_null(file);
    diagnostics_write(f->diagnostics, file);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    if (strstr(text, what) == NULL) {
        fail_msg("expected '%s' in: %s", what, text);
    }
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    add(&f, p_families, 3)->vcpus = 384;
    add(&f, wrong_family, 2)->nodes = 4; /* p3 again, and p33 */
    struct quota_spec *both = add(&f, p_families + 2, 1);
    both->purchase = QUOTA_SPOT;
    both->nodes = both->vcpus = 4;
    make(&f);
    assert_int_equal(diagnostics_count(f.diagnostics, DIAGNOSTIC_ERROR), 3);
    assert_said(&f, "plan.yaml:12:5: error: family 'p3' has a quota on-demand already, in line 11");
    assert_said(&f, "plan.yaml:12:5: error: no instance family is called 'p33'");
    assert_said(&f, "plan.yaml:13:5: error: a quota has both 'vcpus' and 'nodes'");
    assert_null(of(&f, "p4d.24xlarge", QUOTA_SPOT).of); /* a wrong one holds for nobody */
    fixture_release(&f);
    fixture_init(&f);
    add(&f, p_families, 3);
    make(&f);
    assert_said(&f, "a quota has neither 'vcpus' nor 'nodes'");
    fixture_release(&f);
}

static int load(void **state)
{
    (void)state;
    struct diagnostics *d = diagnostics_new();
    catalogue = catalogue_load("models/catalogue/data", NULL, 0, d);
    diagnostics_free(d);
    return catalogue == NULL;
}

static int unload(void **state)
{
    (void)state;
    catalogue_free(catalogue);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_share_one),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests_name("account quotas", tests, load, unload);
}
