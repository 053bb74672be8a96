/* SPDX-License-Identifier: GPL-3.0-or-later
 * Threads take indices from one counter, in order, and finish what they took. So when all have
 * stopped, for whatever reason, the indices taken are a prefix of the range and all of them ran:
 * the longest complete prefix is what was taken, up to the smallest index that failed or gave up.
 * The smallest that failed is the same at any number of threads, since whoever failed first had
 * been preceded by all smaller ones. Replications last from microseconds to minutes, so nothing is
 * handed out in chunks: one atomic addition each is lost in the noise.
 *
 * pthreads and C11 atomics, not C11 threads: the thread sanitizer aborts on those. */
#include "engine/replications.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdalign.h>
#include <stdlib.h>
#include <time.h>

#define CACHE_LINE  64
#define PROGRESS_NS 100000000L
#define SECOND_NS   1000000000L

struct replications_run {
    const struct replications *r;
    uint32_t first;
    uint32_t count;
    uint32_t before; /* replications complete before this run, for the progress */

    /* Written by all threads: each on a line of its own. */
    alignas(CACHE_LINE)
        atomic_uint_least64_t next; /* how many indices were taken; may pass count */
    alignas(CACHE_LINE) atomic_uint_least32_t done;
    alignas(CACHE_LINE) atomic_bool stop;

    alignas(CACHE_LINE) pthread_mutex_t lock; /* of `running` */
    pthread_cond_t ended;
    int running;
};

/* One thread; what it writes here it writes once, at its end. */
struct hand {
    struct replications_run *run;
    pthread_t thread;
    bool failed, gave_up;
    uint32_t failed_index; /* or the one it gave up */
    int error;             /* errno of making its worker */
};

static bool is_interrupted(const struct replications_run *run)
{
    atomic_bool *interrupted = run->r->interrupted;
    return interrupted != NULL && atomic_load_explicit(interrupted, memory_order_relaxed);
}

static bool must_stop(struct replications_run *run)
{
    return atomic_load_explicit(&run->stop, memory_order_relaxed) || is_interrupted(run);
}

static void report(struct replications_run *run)
{
    const struct replications *r = run->r;
    if (r->progress != NULL) {
        uint32_t done = (uint32_t)atomic_load_explicit(&run->done, memory_order_relaxed);
        r->progress(r->progress_context, run->before + done, run->before + run->count);
    }
}

static struct timespec now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t;
}

static struct timespec later(struct timespec t, long ns)
{
    t.tv_nsec += ns;
    if (t.tv_nsec >= SECOND_NS) {
        t.tv_nsec -= SECOND_NS;
        t.tv_sec++;
    }
    return t;
}

static bool is_before(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

/* Takes and runs indices until there are none, or must_stop. tell: also report progress, as the
 * only thread does. */
static void work(struct replications_run *run, struct hand *hand, bool tell)
{
    const struct replications *r = run->r;
    errno = 0;
    void *worker = r->worker_new(r->shared);
    if (worker == NULL) {
        hand->error = errno != 0 ? errno : ENOMEM;
        atomic_store_explicit(&run->stop, true, memory_order_relaxed);
        return;
    }
    struct timespec next_report = later(now(), PROGRESS_NS);
    while (!must_stop(run)) {
        uint64_t taken = atomic_fetch_add_explicit(&run->next, 1, memory_order_relaxed);
        if (taken >= run->count) {
            break;
        }
        uint32_t index = run->first + (uint32_t)taken;
        if (!r->replicate(r->shared, worker, index)) {
            hand->gave_up = is_interrupted(run);
            hand->failed = !hand->gave_up;
            hand->failed_index = index;
            atomic_store_explicit(&run->stop, true, memory_order_relaxed);
            break;
        }
        atomic_fetch_add_explicit(&run->done, 1, memory_order_relaxed);
        if (tell && !is_before(now(), next_report)) {
            report(run);
            next_report = later(now(), PROGRESS_NS);
        }
    }
    r->worker_free(worker);
}

static void *thread_main(void *context)
{
    struct hand *hand = context;
    struct replications_run *run = hand->run;
    work(run, hand, false);
    pthread_mutex_lock(&run->lock);
    run->running--;
    pthread_cond_signal(&run->ended);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* Blocks what a program handles, so that handlers run in the calling thread; not what a fault in
 * the thread itself raises. */
static void block_signals(sigset_t *old)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPROF};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        sigdelset(&blocked, own[i]);
    }
    pthread_sigmask(SIG_SETMASK, &blocked, old);
}

/* Starts up to `jobs` threads; returns how many. Fewer: the error is in hands[that]. */
static int start_threads(struct replications_run *run, struct hand *hands, int jobs)
{
    int started = 0;
    sigset_t old;
    block_signals(&old);
    run->running = jobs;
    while (started < jobs) {
        struct hand *hand = &hands[started];
        hand->run = run;
        int error = pthread_create(&hand->thread, NULL, thread_main, hand);
        if (error != 0) {
            hand->error = error; /* the thread, had it begun, would own this */
            atomic_store_explicit(&run->stop, true, memory_order_relaxed);
            pthread_mutex_lock(&run->lock);
            run->running -= jobs - started;
            pthread_mutex_unlock(&run->lock);
            break;
        }
        started++;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return started;
}

static void watch_threads(struct replications_run *run)
{
    struct timespec next_report = later(now(), PROGRESS_NS);
    pthread_mutex_lock(&run->lock);
    while (run->running > 0) {
        int timed_out = pthread_cond_timedwait(&run->ended, &run->lock, &next_report);
        if (timed_out == ETIMEDOUT && run->running > 0) {
            pthread_mutex_unlock(&run->lock);
            report(run);
            next_report = later(now(), PROGRESS_NS);
            pthread_mutex_lock(&run->lock);
        }
    }
    pthread_mutex_unlock(&run->lock);
}

static void run_threads(struct replications_run *run, struct hand *hands, int jobs)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&run->ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&run->lock, NULL);

    int started = start_threads(run, hands, jobs);
    watch_threads(run);
    for (int i = 0; i < started; i++) {
        pthread_join(hands[i].thread, NULL);
    }
    pthread_cond_destroy(&run->ended);
    pthread_mutex_destroy(&run->lock);
}

static struct replications_result result_of(struct replications_run *run, const struct hand *hands,
                                            int jobs)
{
    struct replications_result result = {.failed_index = UINT32_MAX};
    uint64_t taken = atomic_load_explicit(&run->next, memory_order_relaxed);
    result.complete = taken < run->count ? (uint32_t)taken : run->count;
    for (int i = 0; i < jobs; i++) {
        if (hands[i].error != 0) {
            result.failed = true;
            result.worker_error = hands[i].error;
        }
        uint32_t before = hands[i].failed_index - run->first;
        if ((hands[i].failed || hands[i].gave_up) && before < result.complete) {
            result.complete = before;
        }
        if (hands[i].failed && hands[i].failed_index <= result.failed_index) {
            result.failed = true;
            result.failed_index = hands[i].failed_index;
        }
    }
    atomic_bool *interrupted = run->r->interrupted;
    result.interrupted =
        interrupted != NULL && atomic_load(interrupted) && result.complete < run->count;
    return result;
}

static struct replications_result run_batch(const struct replications *r, uint32_t first,
                                            uint32_t count, uint32_t before)
{
    assert(count == 0 || count - 1 <= UINT32_MAX - first);
    struct replications_run run = {.r = r, .first = first, .count = count, .before = before};
    int jobs = r->jobs < REPLICATIONS_JOBS_LIMIT ? r->jobs : REPLICATIONS_JOBS_LIMIT;
    if (jobs > 0 && (uint32_t)jobs > count) {
        jobs = (int)count;
    }
    struct hand single = {0};
    if (count == 0) {
        return result_of(&run, &single, 1);
    }
    if (jobs <= 1) {
        work(&run, &single, true);
        report(&run);
        return result_of(&run, &single, 1);
    }
    struct hand *hands = calloc((size_t)jobs, sizeof *hands);
    if (hands == NULL) {
        single.error = ENOMEM;
        return result_of(&run, &single, 1);
    }
    run_threads(&run, hands, jobs);
    report(&run);
    struct replications_result result = result_of(&run, hands, jobs);
    free(hands);
    return result;
}

struct replications_result replications_run(const struct replications *r, uint32_t first,
                                            uint32_t count)
{
    return run_batch(r, first, count, 0);
}

struct replications_result replications_until(const struct replications *r, uint32_t batch,
                                              uint32_t most,
                                              bool (*enough)(void *context, uint32_t n),
                                              void *context)
{
    struct replications_result result = {.failed_index = UINT32_MAX};
    uint32_t target = batch > 0 ? batch : 1;
    while (result.complete < most) {
        uint32_t n = result.complete;
        target = target < most ? target : most;
        result = run_batch(r, n, target - n, n);
        result.complete += n;
        if (result.failed || result.complete < target || enough(context, target)) {
            break;
        }
        target = target <= UINT32_MAX / 2 ? 2 * target : UINT32_MAX;
    }
    return result;
}
