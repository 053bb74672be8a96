/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/progress_books.h"

#include "engine/text.h"
#include "models/fleet/team_nodes.h"

#include <math.h>

/* At a look, a checkpoint that is due then is complete. */
#define ROUNDING_S 1e-7

void progress_tell(const struct progress *p, enum activity activity, double s)
{
    for (size_t i = 0; i < p->gang.crew_count; i++) {
        crew_did(p->gang.crews[i], activity, s);
    }
}

/* Useful seconds of the job; seconds of work that crews were not told of. */
static void keep(struct progress *p, double useful_s, double untold_s)
{
    progress_tell(p, ACTIVITY_USEFUL, untold_s);
    p->kept_s += useful_s;
    double left_s = p->work_s - p->kept_s;
    /* A microsecond, or a millionth of a millionth of the work, is rounding. */
    if (left_s <= 1e-6 || left_s <= 1e-12 * p->work_s) {
        p->kept_s = p->work_s;
    }
}

void progress_settle_carried(struct progress *p, bool kept)
{
    if (!kept && p->told_s > 0) {
        for (size_t i = 0; i < p->gang.crew_count; i++) {
            team_did_in_vain(p->gang.crews[i], p->told_s);
        }
    }
    p->carried_s = p->told_s = 0;
}

struct checkpoint_state progress_work_state(const struct progress *p)
{
    double now_s = p->calendar->now_s;
    bool at_end = now_s >= p->end_s;
    /* At the end not now - start, which may be less than the length by rounding. */
    double end_s = p->looks ? p->look_s + ROUNDING_S : HUGE_VAL;
    struct checkpoint_state s = checkpoint_cycle_at(&p->cycle, at_end ? end_s : now_s - p->start_s);
    if (at_end && s.unkept_s <= 2 * ROUNDING_S) {
        s.unkept_s = 0;
    }
    if (p->plan->spec->checkpoint.mode == CHECKPOINT_CONTINUOUS) {
        s.kept_s += s.unkept_s;
        s.unkept_s = 0;
    }
    return s;
}

/* Remembers when a complete checkpoint came to be, as long as it may add to what is kept. */
static void count_checkpoint(struct progress *p, double at_s)
{
    if (p->checkpoints < (uint64_t)p->plan->spec->checkpoint.keep) {
        p->written_at_s[p->checkpoints] = at_s;
    }
    p->checkpoints++;
}

static void mark_checkpoint(const struct progress *p, double at_s)
{
    trail_mark(fleet_trail(p->fleet), at_s, p->plan->work.workload, TRAIL_WRITTEN, p->crew->pool);
}

static double ends_at_s(const struct progress *p, uint64_t k)
{
    double at_s = p->start_s + checkpoint_cycle_written_s(&p->cycle, k);
    return fmin(at_s, p->calendar->now_s); /* the last one of all may follow sooner */
}

static void count_checkpoints(struct progress *p, uint64_t written)
{
    const uint64_t keep = (uint64_t)p->plan->spec->checkpoint.keep;
    uint64_t k = 1;
    for (uint64_t m = 1; fleet_trail(p->fleet) != NULL && m <= written; m++) {
        mark_checkpoint(p, ends_at_s(p, m));
    }
    for (; k <= written && p->checkpoints < keep; k++) {
        count_checkpoint(p, ends_at_s(p, k));
    }
    p->checkpoints += written - (k - 1);
}

double progress_book_work(struct progress *p, const struct checkpoint_state *s)
{
    const double carried_s = p->cycle.carried_s;
    double untold_s = s->unkept_s;
    if (s->kept_s > 0 && p->carried_s > 0) {
        keep(p, s->kept_s * p->gang.pace, s->kept_s - carried_s);
        progress_settle_carried(p, true);
    } else {
        keep(p, s->kept_s * p->gang.pace, s->kept_s);
        untold_s -= p->carried_s > 0 ? fmin(carried_s, untold_s) : 0;
    }
    progress_tell(p, ACTIVITY_CHECKPOINT, s->writing_s);
    count_checkpoints(p, s->written);
    struct journal *journal = fleet_journal(p->fleet);
    if (journal != NULL) {
        journal_add(journal, p->calendar->now_s, p->plan->work.workload,
                    "work stops: %.2f h kept (%llu checkpoint%s), %.0f s in no checkpoint",
                    s->kept_s / 3600, (unsigned long long)s->written,
                    text_plural((double)s->written), s->unkept_s);
    }
    return untold_s;
}

void progress_book_write(struct progress *p)
{
    progress_tell(p, ACTIVITY_CHECKPOINT, p->calendar->now_s - p->start_s);
    keep(p, p->unsaved_s, p->untold_s);
    progress_settle_carried(p, true);
    if (p->unsaved_s > 0) {
        count_checkpoint(p, p->calendar->now_s);
        mark_checkpoint(p, p->calendar->now_s);
    }
    p->unsaved_s = p->untold_s = 0;
}

double progress_book_phase(struct progress *p)
{
    double now_s = p->calendar->now_s;
    struct checkpoint_state s;
    double untold_s = 0;
    switch (p->phase) {
    case PHASE_RESIZE:
    case PHASE_RESTORE:
        progress_tell(p, ACTIVITY_RESTORE, now_s - p->start_s);
        break;
    case PHASE_WORK:
        s = progress_work_state(p);
        untold_s = progress_book_work(p, &s);
        p->carried_s = s.unkept_s * p->gang.pace;
        break;
    case PHASE_RESCUE:
    case PHASE_LEAVE:
        if (now_s >= p->end_s) {
            progress_book_write(p);
        } else {
            progress_tell(p, ACTIVITY_CHECKPOINT, now_s - p->start_s);
            untold_s = p->untold_s;
            p->carried_s = p->unsaved_s;
            p->unsaved_s = p->untold_s = 0;
        }
        break;
    case PHASE_SAVED:
    case PHASE_NONE:
        break;
    }
    return untold_s;
}
