/* SPDX-License-Identifier: GPL-3.0-or-later
 * A replication here writes a number that depends on its index alone into its slot. Thread
 * schedules are not under a test's control, so what must not depend on them is checked on many. */
#include "engine/replications.h"
#include "tests/support/testing.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __has_feature
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

enum { SLOTS = 5000 };

struct shared {
    uint64_t slots[SLOTS]; /* 0 = not run */
    uint32_t first;
    atomic_int workers_made;
    atomic_int workers_alive;
    int workers_at_most;    /* the next one is refused; 0 = no limit */
    uint32_t fails_from;    /* every 3rd index from here on fails; 0 = never */
    uint32_t interrupts_at; /* this index sets the flag, later ones wait for it; 0 = never */
    uint32_t slow_index;    /* takes 20 ms; 0 = none */
    bool all_slow;          /* 1 ms each */
    atomic_bool interrupted;
    bool gives_up; /* what is under way when that is set */
    pthread_t caller;
    atomic_bool ran_elsewhere;
    /* what progress saw; calling thread only */
    int reports;
    uint32_t last_done;
    uint32_t last_total;
};

static void *make_worker(void *context)
{
    struct shared *s = context;
    if (s->workers_at_most > 0 && atomic_load(&s->workers_made) >= s->workers_at_most) {
        return NULL;
    }
    atomic_fetch_add(&s->workers_made, 1);
    atomic_fetch_add(&s->workers_alive, 1);
    return s;
}

static void free_worker(void *worker)
{
    struct shared *s = worker;
    atomic_fetch_sub(&s->workers_alive, 1);
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){0, ms * 1000000}, NULL);
}

static uint64_t value_of(uint32_t index)
{
    uint64_t z = ((uint64_t)index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return (z ^ (z >> 31)) | 1;
}

static bool replicate(void *context, void *worker, uint32_t index)
{
    struct shared *s = context;
    if (worker != s) {
        return false; /* no assertions here: they jump, and this is not their thread */
    }
    while (s->interrupts_at > 0 && index > s->interrupts_at && !atomic_load(&s->interrupted)) {
        sleep_ms(1);
    }
    if (!pthread_equal(pthread_self(), s->caller)) {
        atomic_store(&s->ran_elsewhere, true);
    }
    if ((s->slow_index > 0 && index == s->slow_index) || s->all_slow) {
        sleep_ms(s->all_slow ? 1 : 20);
    }
    if (s->fails_from > 0 && index >= s->fails_from && (index - s->fails_from) % 3 == 0) {
        return false;
    }
    if (s->interrupts_at > 0 && index == s->interrupts_at) {
        atomic_store(&s->interrupted, true);
    }
    if (s->gives_up && atomic_load(&s->interrupted)) {
        return false;
    }
    s->slots[index - s->first] += value_of(index);
    return true;
}

static void note_progress(void *context, uint32_t done, uint32_t total)
{
    struct shared *s = context;
    assert_true(pthread_equal(pthread_self(), s->caller));
    assert_true(done <= total);
    assert_true(total != s->last_total || done >= s->last_done);
    s->last_done = done;
    s->last_total = total;
    s->reports++;
}

static struct shared *shared_new(void)
{
    struct shared *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->caller = pthread_self();
    return s;
}

static struct replications plan(struct shared *s, int jobs)
{
    return (struct replications){
        .shared = s,
        .worker_new = make_worker,
        .worker_free = free_worker,
        .replicate = replicate,
        .jobs = jobs,
        .interrupted = &s->interrupted,
        .progress = note_progress,
        .progress_context = s,
    };
}

/* Everything below `complete` ran exactly once; all workers are gone. */
static void check_prefix(const struct shared *s, uint32_t complete)
{
    for (uint32_t i = 0; i < complete; i++) {
        assert_true(s->slots[i] == value_of(s->first + i));
    }
    assert_int_equal(s->workers_alive, 0);
}

static const int jobs_to_try[] = {1, 2, 5};

/* ---- a fixed number ---- */

static void test_all_run_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct shared *s = shared_new();
        struct replications r = plan(s, jobs_to_try[i]);
        struct replications_result result = replications_run(&r, 0, SLOTS);
        assert_int_equal(result.complete, SLOTS);
        assert_false(result.failed);
        assert_false(result.interrupted);
        assert_int_equal(result.failed_index, UINT32_MAX);
        assert_int_equal(result.worker_error, 0);
        assert_int_equal(s->workers_made, jobs_to_try[i]);
        assert_true(s->ran_elsewhere == (jobs_to_try[i] > 1));
        assert_int_equal(s->last_done, SLOTS);
        assert_int_equal(s->last_total, SLOTS);
        check_prefix(s, SLOTS);
        free(s);
    }
}

/* Indices from 2^31 up, to the very last. */
static void test_high_indices(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct shared *s = shared_new();
        s->first = UINT32_MAX - 99;
        struct replications r = plan(s, jobs_to_try[i]);
        struct replications_result result = replications_run(&r, s->first, 100);
        assert_int_equal(result.complete, 100);
        check_prefix(s, 100);
        assert_true(s->slots[100] == 0);
        free(s);
    }
}

static void test_edges_of_jobs(void **state)
{
    (void)state;
    static const struct {
        int jobs;
        uint32_t count;
        int workers;
    } rows[] = {
        {0, 3, 1}, {-7, 3, 1}, {4, 3, 3}, {1000000, 2, 2}, {4, 1, 1}, {1, 0, 0}, {4, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct shared *s = shared_new();
        struct replications r = plan(s, rows[i].jobs);
        r.interrupted = NULL;
        r.progress = NULL;
        struct replications_result result = replications_run(&r, 0, rows[i].count);
        assert_int_equal(result.complete, rows[i].count);
        assert_false(result.failed);
        assert_int_equal(s->workers_made, rows[i].workers);
        check_prefix(s, rows[i].count);
        free(s);
    }
}

/* About ten reports a second, in order, from the calling thread (note_progress checks those). */
static void test_progress(void **state)
{
    (void)state;
    for (int jobs = 1; jobs <= 2; jobs++) {
        struct shared *s = shared_new();
        s->all_slow = true;
        struct replications r = plan(s, jobs);
        uint32_t count = 400u * (uint32_t)jobs; /* 0.4 s or more */
        assert_int_equal(replications_run(&r, 0, count).complete, count);
        assert_true(s->reports >= 3);
        assert_int_equal(s->last_done, count);
        free(s);
    }
}

/* ---- interruption ---- */

static void test_interrupted_prefix(void **state)
{
    (void)state;
    for (int round = 0; round < 60; round++) {
        int jobs = jobs_to_try[round % 3];
        struct shared *s = shared_new();
        s->interrupts_at = 500;
        s->slow_index = round < 6 ? 498 : 0; /* the others run past it meanwhile */
        struct replications r = plan(s, jobs);
        struct replications_result result = replications_run(&r, 0, SLOTS);
        assert_true(result.interrupted);
        assert_false(result.failed);
        /* Whoever was at work finishes what it took. */
        assert_in_range(result.complete, 501, 500 + jobs);
        check_prefix(s, result.complete);
        for (uint32_t i = result.complete; i < SLOTS; i++) {
            assert_true(s->slots[i] == 0);
        }
        free(s);
    }
}

/* What is under way when all is interrupted need not be finished, and is no failure. */
static void test_gives_up(void **state)
{
    (void)state;
    for (int round = 0; round < 30; round++) {
        int jobs = jobs_to_try[round % 3];
        struct shared *s = shared_new();
        s->interrupts_at = 500;
        s->gives_up = true;
        struct replications r = plan(s, jobs);
        struct replications_result result = replications_run(&r, 0, SLOTS);
        assert_true(result.interrupted);
        assert_false(result.failed);
        assert_int_equal(result.failed_index, UINT32_MAX);
        assert_in_range(result.complete, jobs == 1 ? 500 : 0, 500);
        check_prefix(s, result.complete);
        free(s);
    }
}

static void test_interrupted_before_and_after(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct shared *s = shared_new();
        struct replications r = plan(s, jobs_to_try[i]);
        atomic_store(&s->interrupted, true);
        struct replications_result result = replications_run(&r, 0, 10);
        assert_true(result.interrupted);
        assert_int_equal(result.complete, 0);
        check_prefix(s, 0);
        assert_true(s->slots[0] == 0);
        /* With nothing left to run, nothing was interrupted. */
        atomic_store(&s->interrupted, false);
        s->interrupts_at = 9;
        result = replications_run(&r, 0, 10);
        assert_false(result.interrupted);
        assert_int_equal(result.complete, 10);
        check_prefix(s, 10);
        free(s);
    }
}

static atomic_bool signal_seen;
static pthread_t signal_thread;

static void on_signal(int number)
{
    (void)number;
    signal_thread = pthread_self();
    atomic_store(&signal_seen, true);
}

static bool replicate_and_raise(void *context, void *worker, uint32_t index)
{
    struct shared *s = context;
    if (index == 100) {
        kill(getpid(), SIGUSR1); /* to the process, as the terminal sends Ctrl-C */
    }
    if (index > 100) {
        sleep_ms(1);
    }
    return replicate(s, worker, index);
}

/* A signal to the process is handled in the calling thread, and ends a run of seconds at once. */
static void test_signal(void **state)
{
    (void)state;
    struct sigaction action = {.sa_handler = on_signal};
    struct sigaction old;
    sigaction(SIGUSR1, &action, &old);
    for (size_t i = 0; i < 3; i++) {
        atomic_store(&signal_seen, false);
        struct shared *s = shared_new();
        struct replications r = plan(s, jobs_to_try[i]);
        r.interrupted = &signal_seen;
        r.replicate = replicate_and_raise;
        struct replications_result result = replications_run(&r, 0, SLOTS);
        assert_true(result.interrupted);
        assert_true(result.complete >= 101 && result.complete < SLOTS / 2);
        assert_true(pthread_equal(signal_thread, pthread_self()));
        check_prefix(s, result.complete);
        free(s);
    }
    sigaction(SIGUSR1, &old, NULL);
}

/* ---- failure ---- */

static void test_smallest_failure(void **state)
{
    (void)state;
    for (int round = 0; round < 60; round++) {
        struct shared *s = shared_new();
        s->fails_from = 300;
        s->slow_index = round < 6 ? 300 : 0; /* 303 fails long before 300 does */
        struct replications r = plan(s, jobs_to_try[round % 3]);
        struct replications_result result = replications_run(&r, 0, SLOTS);
        assert_true(result.failed);
        assert_false(result.interrupted);
        assert_int_equal(result.failed_index, 300);
        assert_int_equal(result.complete, 300);
        assert_int_equal(result.worker_error, 0);
        check_prefix(s, 300);
        assert_true(s->slots[SLOTS - 1] == 0); /* all stopped */
        free(s);
    }
}

static void test_first_index_fails(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct shared *s = shared_new();
        s->first = 7;
        s->fails_from = 7;
        struct replications r = plan(s, jobs_to_try[i]);
        struct replications_result result = replications_run(&r, 7, 100);
        assert_true(result.failed);
        assert_int_equal(result.failed_index, 7);
        assert_int_equal(result.complete, 0);
        check_prefix(s, 0);
        free(s);
    }
}

static void test_no_worker(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct shared *s = shared_new();
        s->workers_at_most = jobs_to_try[i] - 1;
        if (jobs_to_try[i] == 1) {
            s->workers_at_most = 1;
            s->workers_made = 1;
        }
        s->all_slow = true;
        struct replications r = plan(s, jobs_to_try[i]);
        struct replications_result result = replications_run(&r, 0, SLOTS);
        assert_true(result.failed);
        assert_int_equal(result.worker_error, ENOMEM);
        assert_int_equal(result.failed_index, UINT32_MAX);
        assert_true(result.complete < SLOTS);
        check_prefix(s, result.complete);
        free(s);
    }
}

/* In a process that may have no more memory, some of 200 threads cannot be made. */
static void test_no_thread(void **state)
{
    (void)state;
    if (SANITIZED) {
        skip(); /* the sanitizers need address space of their own */
    }
    pid_t child = fork();
    assert_int_not_equal(child, -1);
    if (child == 0) {
        struct shared *s = shared_new();
        struct replications r = plan(s, 200);
        r.progress = NULL;
        s->all_slow = true;
        setrlimit(RLIMIT_AS, &(struct rlimit){1 << 20, 1 << 20});
        struct replications_result result = replications_run(&r, 0, SLOTS);
        bool good = result.failed && result.worker_error != 0 && result.complete < SLOTS &&
                    result.failed_index == UINT32_MAX && s->workers_alive == 0;
        _exit(good ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- until enough ---- */

struct question {
    struct shared *shared;
    uint32_t asked[32];
    int count;
    uint32_t enough_from; /* yes from this n on */
};

static bool enough(void *context, uint32_t n)
{
    struct question *q = context;
    assert_true(pthread_equal(pthread_self(), q->shared->caller));
    check_prefix(q->shared, n);
    assert_true(n == SLOTS || q->shared->slots[n] == 0); /* and no further */
    q->asked[q->count++] = n;
    return n >= q->enough_from;
}

struct until {
    const char *name;
    uint32_t batch;
    uint32_t most;
    uint32_t enough_from;
    uint32_t complete;
    uint32_t asked[8]; /* ends with 0 */
};

static const struct until untils[] = {
    {"until: doubling", 100, 5000, 500, 800, {100, 200, 400, 800}},
    {"until: the first batch is enough", 100, 5000, 1, 100, {100}},
    {"until: exactly a total", 100, 5000, 400, 400, {100, 200, 400}},
    {"until: capped", 100, 1000, UINT32_MAX, 1000, {100, 200, 400, 800, 1000}},
    {"until: most is a doubling", 100, 400, UINT32_MAX, 400, {100, 200, 400}},
    {"until: batch above most", 1000, 10, UINT32_MAX, 10, {10}},
    {"until: batch of 0", 0, 5, UINT32_MAX, 5, {1, 2, 4, 5}},
    {"until: nothing", 100, 0, 1, 0, {0}},
};

static void test_until(void **state)
{
    const struct until *u = *state;
    for (size_t i = 0; i < 3; i++) {
        struct shared *s = shared_new();
        struct question q = {.shared = s, .enough_from = u->enough_from};
        struct replications r = plan(s, jobs_to_try[i]);
        struct replications_result result = replications_until(&r, u->batch, u->most, enough, &q);
        assert_int_equal(result.complete, u->complete);
        assert_false(result.failed);
        assert_false(result.interrupted);
        for (int k = 0; k < q.count; k++) {
            assert_int_equal(q.asked[k], u->asked[k]);
        }
        assert_int_equal(u->asked[q.count], 0);
        check_prefix(s, result.complete);
        assert_int_equal(s->last_done, u->complete);
        free(s);
    }
}

static void test_until_interrupted(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct shared *s = shared_new();
        struct question q = {.shared = s, .enough_from = UINT32_MAX};
        s->interrupts_at = 150;
        struct replications r = plan(s, jobs_to_try[i]);
        struct replications_result result = replications_until(&r, 100, SLOTS, enough, &q);
        assert_true(result.interrupted);
        assert_in_range(result.complete, 151, 150 + jobs_to_try[i]);
        assert_int_equal(q.count, 1); /* not asked about the batch that is not complete */
        check_prefix(s, result.complete);
        free(s);
    }
}

static void test_until_failed(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct shared *s = shared_new();
        struct question q = {.shared = s, .enough_from = UINT32_MAX};
        s->fails_from = 399;
        struct replications r = plan(s, jobs_to_try[i]);
        struct replications_result result = replications_until(&r, 100, SLOTS, enough, &q);
        assert_true(result.failed);
        assert_int_equal(result.failed_index, 399);
        assert_int_equal(result.complete, 399);
        assert_int_equal(q.count, 2);
        check_prefix(s, 399);
        free(s);
    }
}

int main(void)
{
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(test_all_run_once),
        cmocka_unit_test(test_high_indices),
        cmocka_unit_test(test_edges_of_jobs),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_interrupted_prefix),
        cmocka_unit_test(test_gives_up),
        cmocka_unit_test(test_interrupted_before_and_after),
        cmocka_unit_test(test_signal),
        cmocka_unit_test(test_smallest_failure),
        cmocka_unit_test(test_first_index_fails),
        cmocka_unit_test(test_no_worker),
        cmocka_unit_test(test_no_thread),
        cmocka_unit_test(test_until_interrupted),
        cmocka_unit_test(test_until_failed),
    };
    enum { OTHERS = sizeof others / sizeof others[0], UNTILS = sizeof untils / sizeof untils[0] };
    struct CMUnitTest tests[UNTILS + OTHERS];
    for (size_t i = 0; i < UNTILS; i++) {
        tests[i] = (struct CMUnitTest){untils[i].name, test_until, NULL, NULL, (void *)&untils[i]};
    }
    memcpy(tests + UNTILS, others, sizeof others);
    return _cmocka_run_group_tests("replications", tests, UNTILS + OTHERS, NULL, NULL);
}
