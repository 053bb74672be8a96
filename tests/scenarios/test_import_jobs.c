/* SPDX-License-Identifier: GPL-3.0-or-later
 * Job traces in the formats of those who published them, to fleetcast's table of jobs, and back
 * through its reader. */
#include "models/jobs/job_file.h"
#include "scenarios/import/importer.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct layout_case {
    const char *layout, *file, *table, *said;
};

static const struct layout_case cases[] = {
    {"alibaba-pods",
     "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_"
     "time,"
     "scheduled_time\n"
     "b,1000,1,2,1000,,LS,Running,500,4100,600\n"
     "a,1000,1,1,460,,LS,Running,100,3700,100\n"
     "cpu,1000,1,0,0,,LS,Running,0,9,0\n"
     "pending,1000,1,1,1000,,BE,Pending,700,800,\n",
     "submitted,duration_s,gpus,name\n0s,3600,1,a\n400s,3500,2,b\n",
     "2 jobs over 0.00463 days\nleft out: 1 without a GPU\nleft out: 1 without a beginning or an "
     "end\n"},
    {"acme",
     "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,"
     "queue,gpu_time\n"
     "x,u,1,8,9,P,COMPLETED,2023-03-01 00:18:22+08:00,2023-03-01 00:20:22+08:00,2023-03-01 "
     "02:20:22+08:00,7320,120,1\n"
     "y,u,2,16,9,P,FAILED,2023-02-28 16:00:00+00:00,2023-02-28 16:00:01+00:00,2023-02-28 "
     "17:00:01.5+00:00,1,1,1\n",
     "submitted,duration_s,gpus,name\n0s,3600.5,16,y\n1102s,7200,8,x\n",
     "2 jobs over 0.0128 days\n"},
    {"helios",
     "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
     "queue\n"
     "7,u,v,4,9,1,COMPLETED,2020-04-01 00:00:00,2020-04-01 00:10:00,2020-04-01 01:10:00,3600,600\n"
     "8,u,v,4,9,1,CANCELLED,2020-04-02 00:00:00,None,2020-04-01 01:10:00,0,600\n",
     "submitted,duration_s,gpus,name\n0s,3600,4,7\n",
     "1 job over 0 days\nleft out: 1 without a beginning or an end\n"},
};

static const struct importer *find(void)
{
    size_t i = 0;
    while (strcmp(importer_table[i]->name, "jobs") != 0) {
        i++;
    }
    return importer_table[i];
}

struct scene {
    char path[64];
    const char *paths[1];
    struct text said;
    struct import_request r;
};

static void begin(struct scene *s, const char *layout, const char *content)
{
    strcpy(s->path, "/tmp/fleetcast-jobs-XXXXXX");
    int fd = mkstemp(s->path);
    assert_true(fd >= 0 && write(fd, content, strlen(content)) == (ssize_t)strlen(content));
    close(fd);
    s->paths[0] = s->path;
    text_init(&s->said, 0);
    s->r = (struct import_request){.files = s->paths,
                                   .file_count = 1,
                                   .layout = layout,
                                   .said = &s->said,
                                   .arena = arena_new(0),
                                   .d = diagnostics_new()};
}

static void end(struct scene *s)
{
    unlink(s->path);
    text_release(&s->said);
    diagnostics_free(s->r.d);
    arena_free(s->r.arena);
}

static void layouts_are_read(void **state)
{
    const struct layout_case *c = *state;
    struct scene s;
    char table[1024] = "";
    struct job_rows rows;
    begin(&s, c->layout, c->file);
    void *made = find()->read(&s.r);
    assert_non_null(made);
    FILE *out = fopen(s.path, "w+");
    assert_true(find()->write(made, out));
    find()->release(made);
    rewind(out);
    size_t length = fread(table, 1, sizeof table - 1, out);
    table[length] = '\0';
    fclose(out);
    assert_string_equal(table, c->table);
    assert_string_equal(s.said.data, c->said);
    assert_true(job_file_read(&rows, s.path, s.path, 0, 1000, s.r.arena, s.r.d));
    assert_near(rows.items[0].submit_s, 0, 0, "the first begins");
    assert_true(rows.items[0].gpus > 0 && rows.items[0].duration_s >= 3600);
    end(&s);
}

struct wrong_case {
    const char *layout, *file, *says;
};

static const struct wrong_case wrongs[] = {
    {"acme", "job_id,submit_time,start_time,end_time,gpu_num\nx,2023-03-01 00:00:00,b,c,1\n",
     "column 'submit_time' is '2023-03-01 00:00:00'; expected a time with its offset"},
    {"acme",
     "job_id,submit_time,start_time,end_time,gpu_num\nx,2023-03-01 00:00:00Z,2023-03-01 "
     "02:00:00Z,2023-03-01 01:00:00Z,1\n",
     "the job ends before it starts"},
    {"alibaba-pods", "name,creation_time,scheduled_time,deletion_time,num_gpu\nx,1,2,3,1.5\n",
     "column 'num_gpu' is '1.5'; expected a whole number of GPUs"},
    {"alibaba-pods", "name,creation_time,scheduled_time,deletion_time,num_gpu\nx,1,2,3,0\n",
     "no job that ran on a GPU is in this file"},
    {"helios", "job_id,submit_time\n", "start_time"},
};

static void wrong_files_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        struct scene s;
        begin(&s, wrongs[i].layout, wrongs[i].file);
        assert_null(find()->read(&s.r));
        bool told = false;
        const char *text;
        for (size_t k = 0; (text = diagnostics_text(s.r.d, k, NULL, NULL)) != NULL; k++) {
            told = told || strstr(text, wrongs[i].says) != NULL;
        }
        if (!told) {
            fail_msg("not told: %s", wrongs[i].says);
        }
        end(&s);
    }
}

/* ---- fleetcast's own table ---- */

struct row_case {
    const char *file, *says; /* NULL: it is right */
};

static const struct row_case own[] = {
    {"submitted,duration_s\n36h,60\n0s,5\n", NULL},
    {"submitted,gpu_hours,nodes,priority,name\n2026-03-03,1.5,2,-4,x\n", NULL},
    {"submitted,duration_s,gpu_hours\n0s,1,2\n", "both a duration and GPU-hours"},
    {"submitted,duration_s,gpu_hours\n0s,,\n", "neither a duration nor GPU-hours"},
    {"submitted,duration_s\nsoon,1\n", "expected a date or time (UTC)"},
    {"submitted,duration_s\n0s,-1\n", "column 'duration_s': '-1'; expected a number"},
    {"submitted,duration_s,nodes\n0s,1,0.5\n", "column 'nodes': '0.5'; expected a whole number"},
    {"submitted,duration_s,priority\n0s,1,high\n", "column 'priority': 'high'"},
    {"submitted,duration_s\n", "no rows"},
    {"duration_s\n1\n", "submitted"},
};

static void own_tables(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        struct scene s;
        struct job_rows rows;
        begin(&s, NULL, own[i].file);
        bool read = job_file_read(&rows, s.path, "jobs.csv", 1772409600, 10, s.r.arena, s.r.d);
        assert_int_equal(read, own[i].says == NULL);
        const char *text = diagnostics_text(s.r.d, 0, NULL, NULL);
        if (own[i].says != NULL && (text == NULL || strstr(text, own[i].says) == NULL)) {
            fail_msg("expected %s, got %s", own[i].says, text == NULL ? "nothing" : text);
        }
        if (i == 0) {
            assert_near(rows.items[0].submit_s, 0, 0, "sorted");
            assert_near(rows.items[1].submit_s, 36 * 3600, 0, "sorted");
        } else if (i == 1) {
            assert_near(rows.items[0].submit_s, 86400, 0, "a date");
            assert_near(rows.items[0].gpu_s, 5400, 1e-9, "GPU-seconds");
            assert_int_equal(rows.items[0].priority, -4);
        }
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(layouts_are_read, (void *)&cases[0]),
        cmocka_unit_test_prestate(layouts_are_read, (void *)&cases[1]),
        cmocka_unit_test_prestate(layouts_are_read, (void *)&cases[2]),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(own_tables),
    };
    return cmocka_run_group_tests_name("import_jobs", tests, NULL, NULL);
}
