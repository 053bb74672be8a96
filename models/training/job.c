/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/job.h"

#include "models/training/checkpoint_cycle.h"

#include <math.h>
#include <stdlib.h>

/* What the active crew's time goes to. */
enum phase {
    PHASE_GATHER, /* asking for nodes, booting; nothing held counts here too */
    PHASE_RESTORE,
    PHASE_WORK,   /* work and periodic checkpoints in turn: see checkpoint_cycle.h */
    PHASE_RESCUE, /* writing an emergency checkpoint after a notice */
    PHASE_DOOMED, /* rescued, waiting for the noticed nodes to go */
    PHASE_LEAVE,  /* writing a checkpoint before a planned move */
    PHASE_OVER
};

struct job {
    const struct training_plan *plan;
    struct fleet *fleet;
    struct calendar *calendar;
    struct crew *crews[PURCHASE_COUNT]; /* NULL where the plan has no pool */
    struct crew *active;                /* asking, booting or running; NULL: none */
    struct crew *incoming;              /* spot nodes booting while `active` works on */
    bool submitted;
    bool beyond_horizon; /* finishing on-demand */
    bool asleep;         /* patience ran out: wait for the next change of capacity */
    enum phase phase;
    double phase_start_s;
    double work_s, kept_s;
    double write_s, patience_s;
    struct distribution restore;
    uint64_t source_restore[PURCHASE_COUNT];
    uint32_t restores[PURCHASE_COUNT];
    struct checkpoint_cycle cycle; /* of the current stretch of work */
    double spot_wanted_since_s;
    double idle_since_s;
    struct event_id phase_event, patience_event, ask_again_event;
    struct job_result result;
};

static void reconsider(struct job *j);
static void begin_restore_or_work(struct job *j);

static void note(struct job *j, const char *text)
{
    journal_add(fleet_journal(j->fleet), j->calendar->now_s, j->plan->workload, "%s", text);
}

static void at(struct job *j, double time_s, enum event_class class_, event_handler *handler,
               struct event_id *id)
{
    calendar_cancel(j->calendar, *id);
    *id = EVENT_NONE;
    /* Only a time that is not finite can be refused here (the calendar's cap is far away): such an
     * event never comes. */
    if (isfinite(time_s)) {
        (void)calendar_schedule(j->calendar, time_s, class_, handler, j, 0, id);
    }
}

/* ---- accounting ---- */

static bool holds_nothing(const struct job *j)
{
    for (int k = 0; k < PURCHASE_COUNT; k++) {
        if (j->crews[k] != NULL && j->crews[k]->held > 0) {
            return false;
        }
    }
    return true;
}

/* Idle time runs while nothing is held; called whenever that may have changed. */
static void track_idle(struct job *j)
{
    bool idle = j->submitted && j->phase != PHASE_OVER && holds_nothing(j);
    double now_s = j->calendar->now_s;
    if (idle && j->idle_since_s < 0) {
        j->idle_since_s = now_s;
    } else if (!idle && j->idle_since_s >= 0) {
        j->result.idle_s += now_s - j->idle_since_s;
        j->idle_since_s = -1;
    }
}

/* What happens to work that no checkpoint holds when the phase ends. */
enum unkept { UNKEPT_LOST, UNKEPT_SAVED };

/* Books the work phase up to now. UNKEPT_SAVED: the caller sees to it that it is saved. */
static struct checkpoint_state close_work(struct job *j, enum unkept unkept)
{
    double elapsed_s = j->calendar->now_s - j->phase_start_s;
    struct checkpoint_state s = checkpoint_cycle_at(&j->cycle, elapsed_s);
    bool keeps = unkept == UNKEPT_SAVED || j->plan->spec->checkpoint.mode == CHECKPOINT_CONTINUOUS;
    double kept_s = s.kept_s + (keeps ? s.unkept_s : 0);
    crew_did(j->active, ACTIVITY_USEFUL, kept_s);
    crew_did(j->active, ACTIVITY_LOST, keeps ? 0 : s.unkept_s);
    crew_did(j->active, ACTIVITY_CHECKPOINT, s.writing_s);
    j->kept_s += kept_s;
    j->result.checkpoints += s.written;
    struct journal *journal = fleet_journal(j->fleet);
    if (journal != NULL) {
        journal_add(journal, j->calendar->now_s, j->plan->workload,
                    "work stops: %.2f h kept (%llu checkpoints), %.0f s %s", kept_s / 3600,
                    (unsigned long long)s.written, keeps ? 0 : s.unkept_s, "lost");
    }
    return s;
}

/* Books the phase under way as far as it got, when it is cut short. */
static void close_phase(struct job *j)
{
    double elapsed_s = j->calendar->now_s - j->phase_start_s;
    calendar_cancel(j->calendar, j->phase_event);
    switch (j->phase) {
    case PHASE_RESTORE:
        crew_did(j->active, ACTIVITY_RESTORE, elapsed_s);
        break;
    case PHASE_WORK:
        close_work(j, UNKEPT_LOST);
        break;
    case PHASE_RESCUE:
    case PHASE_LEAVE:
        /* The write is not complete: what it would have held is lost. */
        crew_did(j->active, ACTIVITY_CHECKPOINT, elapsed_s);
        crew_did(j->active, ACTIVITY_USEFUL, -j->cycle.left_s);
        crew_did(j->active, ACTIVITY_LOST, j->cycle.left_s);
        j->kept_s -= j->cycle.left_s;
        break;
    case PHASE_DOOMED:
    case PHASE_GATHER:
    case PHASE_OVER:
        break;
    }
    j->phase = PHASE_GATHER;
    j->phase_start_s = j->calendar->now_s;
}

/* ---- the end ---- */

static void job_over(struct job *j, bool finished, enum end_reason reason)
{
    for (int k = 0; k < PURCHASE_COUNT; k++) {
        if (j->crews[k] != NULL) {
            crew_release(j->crews[k], reason);
        }
    }
    calendar_cancel(j->calendar, j->phase_event);
    calendar_cancel(j->calendar, j->patience_event);
    calendar_cancel(j->calendar, j->ask_again_event);
    track_idle(j);
    if (j->idle_since_s >= 0) {
        j->result.idle_s += j->calendar->now_s - j->idle_since_s;
        j->idle_since_s = -1;
    }
    j->phase = PHASE_OVER;
    j->active = j->incoming = NULL;
    j->result.finished = finished;
    j->result.end_s = j->calendar->now_s;
    note(j, finished ? "the work is done" : "the horizon cuts the work");
}

static void work_done(void *actor, uint64_t tag)
{
    struct job *j = actor;
    (void)tag;
    close_work(j, UNKEPT_SAVED);
    job_over(j, true, END_FINISHED);
}

/* ---- phases of a complete crew ---- */

static void begin_work(struct job *j)
{
    const struct checkpoint_spec *c = &j->plan->spec->checkpoint;
    bool periodic = c->mode == CHECKPOINT_PERIODIC;
    j->cycle = (struct checkpoint_cycle){
        .left_s = j->work_s - j->kept_s,
        .every_s = j->plan->every_s[j->active->purchase],
        .write_s = periodic ? j->write_s : 0,
        .final = periodic && c->final,
    };
    j->phase = PHASE_WORK;
    j->phase_start_s = j->calendar->now_s;
    at(j, j->phase_start_s + checkpoint_cycle_length_s(&j->cycle), EVENT_WORK, work_done,
       &j->phase_event);
    if (fleet_journal(j->fleet) != NULL) {
        journal_add(fleet_journal(j->fleet), j->calendar->now_s, j->plan->workload,
                    "work begins on %s, %.2f of %.2f h kept so far",
                    purchase_names[j->active->purchase], j->kept_s / 3600, j->work_s / 3600);
    }
}

static void restore_done(void *actor, uint64_t tag)
{
    struct job *j = actor;
    (void)tag;
    crew_did(j->active, ACTIVITY_RESTORE, j->calendar->now_s - j->phase_start_s);
    begin_work(j);
}

static void begin_restore_or_work(struct job *j)
{
    bool first = j->result.restarts == 0 && j->result.losses == 0 && j->result.switches == 0;
    bool pays = j->kept_s > 0 || (!first && j->plan->spec->checkpoint.restore_from_scratch);
    j->phase_start_s = j->calendar->now_s;
    if (first || !pays) {
        begin_work(j);
        return;
    }
    int k = (int)j->active->purchase;
    uint32_t ordinal = j->restores[k]++;
    double restore_s =
        j->restore.family == DISTRIBUTION_CONSTANT
            ? j->restore.p[0]
            : distribution_quantile(&j->restore, random_uniform_at(fleet_world(j->fleet),
                                                                   j->source_restore[k], ordinal));
    j->result.restarts++;
    if (restore_s <= 0) {
        begin_work(j);
        return;
    }
    j->phase = PHASE_RESTORE;
    note(j, "restore begins");
    at(j, j->calendar->now_s + restore_s, EVENT_WORK, restore_done, &j->phase_event);
}

/* Stops working and begins to write what is not kept yet; the rest of a write under way is enough.
 * cycle.left_s then holds what the write will have saved. Returns the write's length. */
static double begin_write(struct job *j, enum phase phase)
{
    struct checkpoint_state s = close_work(j, UNKEPT_SAVED);
    calendar_cancel(j->calendar, j->phase_event);
    bool continuous = j->plan->spec->checkpoint.mode == CHECKPOINT_CONTINUOUS;
    double write_s = s.unkept_s <= 0 || continuous ? 0
                     : s.write_left_s > 0          ? s.write_left_s
                                                   : j->write_s;
    j->cycle.left_s = continuous ? 0 : s.unkept_s;
    j->phase = phase;
    j->phase_start_s = j->calendar->now_s;
    return write_s;
}

static void end_write(struct job *j)
{
    double spent_s = j->calendar->now_s - j->phase_start_s;
    crew_did(j->active, ACTIVITY_CHECKPOINT, spent_s);
    j->result.checkpoints += j->cycle.left_s > 0;
    j->cycle.left_s = 0;
}

static void rescue_done(void *actor, uint64_t tag)
{
    struct job *j = actor;
    (void)tag;
    end_write(j);
    j->phase = PHASE_DOOMED;
    j->phase_start_s = j->calendar->now_s;
    note(j, "emergency checkpoint written");
}

/* ---- planned moves ---- */

static bool incoming_ready(const struct job *j)
{
    const struct crew *c = j->incoming;
    if (c == NULL || !crew_complete(c)) {
        return false;
    }
    for (uint32_t i = 0; i < c->size; i++) {
        if (c->nodes[i].ready_s > j->calendar->now_s) {
            return false;
        }
    }
    return true;
}

static void move_to_incoming(struct job *j)
{
    struct crew *left = j->active;
    j->active = j->incoming;
    j->incoming = NULL;
    j->phase = PHASE_GATHER;
    j->result.switches++;
    crew_release(left, END_RELEASED);
    if (j->phase == PHASE_GATHER) {
        begin_restore_or_work(j);
    }
}

static void leave_done(void *actor, uint64_t tag)
{
    struct job *j = actor;
    (void)tag;
    end_write(j);
    note(j, "checkpoint before the move written");
    if (j->beyond_horizon && j->active->purchase == PURCHASE_SPOT) {
        struct crew *left = j->active;
        j->active = NULL;
        j->phase = PHASE_GATHER;
        j->result.switches++;
        crew_release(left, END_RELEASED);
        reconsider(j);
    } else if (incoming_ready(j)) {
        move_to_incoming(j);
    } else {
        begin_work(j); /* the new nodes are gone again: work on here */
    }
}

static void begin_leave(struct job *j)
{
    if (j->phase == PHASE_WORK) {
        double write_s = begin_write(j, PHASE_LEAVE);
        at(j, j->calendar->now_s + write_s, EVENT_WORK, leave_done, &j->phase_event);
    }
}

/* ---- what the crews tell ---- */

static void patience_over(void *actor, uint64_t tag)
{
    struct job *j = actor;
    (void)tag;
    if (j->active == NULL || crew_complete(j->active)) {
        return;
    }
    note(j, "patience is over: the nodes held are given back");
    j->asleep = true;
    crew_release(j->active, END_RELEASED);
    j->active = NULL;
    track_idle(j);
    reconsider(j);
}

/* Patience runs while some, but not all nodes are held. */
static void start_patience(struct job *j)
{
    const struct crew *c = j->active;
    if (c->held == 0 || crew_complete(c)) {
        calendar_cancel(j->calendar, j->patience_event);
    } else if (!calendar_pending(j->calendar, j->patience_event)) {
        at(j, j->calendar->now_s + j->patience_s, EVENT_POLICY, patience_over, &j->patience_event);
    }
}

static void on_granted(void *owner, struct crew *c)
{
    struct job *j = owner;
    track_idle(j);
    if (c != j->active) {
        return;
    }
    start_patience(j);
}

static void on_ready(void *owner, struct crew *c)
{
    struct job *j = owner;
    if (c == j->active) {
        if (j->phase == PHASE_GATHER) {
            begin_restore_or_work(j);
        }
    } else if (c == j->incoming) {
        if (j->phase == PHASE_WORK) {
            begin_leave(j);
        } else if (j->phase == PHASE_GATHER || j->phase == PHASE_RESTORE) {
            close_phase(j);
            move_to_incoming(j);
        }
        /* else a write is under way; what comes after it sees that the new nodes are ready */
    }
}

static void on_noticed(void *owner, struct crew *c)
{
    struct job *j = owner;
    const struct training_spec *s = j->plan->spec;
    if (c != j->active || j->phase != PHASE_WORK) {
        return;
    }
    bool fits = j->write_s <= market_notice_s(fleet_market(j->fleet), c->pool);
    if (s->on_notice == ON_NOTICE_CHECKPOINT && s->checkpoint.mode == CHECKPOINT_PERIODIC && fits) {
        double write_s = begin_write(j, PHASE_RESCUE);
        if (write_s <= 0) {
            rescue_done(j, 0);
        } else {
            at(j, j->calendar->now_s + write_s, EVENT_WORK, rescue_done, &j->phase_event);
        }
    }
}

static void on_losing(void *owner, struct crew *c)
{
    struct job *j = owner;
    if (c == j->active) {
        close_phase(j);
    }
}

static void on_lost(void *owner, struct crew *c)
{
    struct job *j = owner;
    if (c == j->incoming) {
        j->incoming = NULL;
        crew_release(c, END_RELEASED);
        track_idle(j);
        reconsider(j);
        return;
    }
    if (c != j->active) {
        return;
    }
    bool was_whole = c->waiting + c->asked == 0;
    if (was_whole) {
        j->result.losses++;
        if (c->purchase == PURCHASE_SPOT) {
            j->spot_wanted_since_s = j->calendar->now_s;
        }
    }
    if (j->incoming != NULL && incoming_ready(j)) {
        move_to_incoming(j);
        return;
    }
    /* A gang that was still gathering only lost some nodes: it asks for those again. */
    if (was_whole && (j->plan->spec->restart == RESTART_GANG || c->held == 0)) {
        j->active = NULL;
        crew_release(c, END_RELEASED);
    } else {
        start_patience(j);
    }
    track_idle(j);
    reconsider(j);
}

static void on_capacity(void *owner, struct crew *c)
{
    struct job *j = owner;
    (void)c;
    if (j->submitted && j->phase != PHASE_OVER) {
        j->asleep = false;
        reconsider(j);
    }
}

static const struct crew_events crew_events = {
    .granted = on_granted,
    .ready = on_ready,
    .noticed = on_noticed,
    .losing = on_losing,
    .lost = on_lost,
    .capacity = on_capacity,
    .room = on_capacity,
};

/* ---- decisions ---- */

static void ask_again(void *actor, uint64_t tag)
{
    (void)tag;
    reconsider(actor);
}

static enum purchase decide(struct job *j)
{
    if (j->beyond_horizon) {
        return PURCHASE_ON_DEMAND;
    }
    const struct crew *spot = j->crews[PURCHASE_SPOT];
    bool running = j->active != NULL && crew_complete(j->active);
    struct policy_view view = {
        .now_s = j->calendar->now_s,
        .running = running,
        .runs_on = running ? j->active->purchase : PURCHASE_ON_DEMAND,
        .spot_obtainable = spot != NULL && spot->held == 0 && crew_obtainable(spot),
        .spot_wanted_since_s = j->spot_wanted_since_s,
        .nodes = j->plan->nodes,
        .work_left_s = j->work_s - j->kept_s,
        .deadline_s = j->plan->deadline_s,
        .overhead_s = j->plan->planned_overhead_s,
    };
    struct policy_decision d = j->plan->policy->decide(j->plan->policy_params, &view);
    at(j, d.ask_again_at_s, EVENT_POLICY, ask_again, &j->ask_again_event);
    return d.want;
}

/* Asks the policy and sets out to follow it. Called whenever something changed. */
static void reconsider(struct job *j)
{
    if (!j->submitted || j->phase == PHASE_OVER) {
        return;
    }
    enum purchase want = decide(j);
    struct crew *target = j->crews[want];
    if (j->active == target) {
        if (!j->asleep && target->held < target->size) {
            crew_ask(target);
        }
        return;
    }
    if (j->active != NULL && crew_complete(j->active)) {
        /* Move only to a whole gang: the active one works on meanwhile. */
        if (j->incoming == NULL && crew_obtainable(target)) {
            j->incoming = target;
            note(j, "moves: the other pool is asked while work goes on");
            crew_ask(target);
            track_idle(j);
        }
        return;
    }
    if (j->active != NULL) {
        if (j->active->noticed > 0) {
            return; /* what goes on until the notice ends is decided when it ended */
        }
        struct crew *left = j->active;
        j->active = NULL;
        crew_release(left, END_RELEASED);
        j->asleep = false;
    }
    calendar_cancel(j->calendar, j->patience_event);
    if (j->asleep) {
        if (want == PURCHASE_SPOT) {
            return;
        }
        j->asleep = false;
    }
    j->active = target;
    crew_ask(target);
    track_idle(j);
}

/* ---- life ---- */

static void submit(void *actor, uint64_t tag)
{
    struct job *j = actor;
    (void)tag;
    j->submitted = true;
    j->spot_wanted_since_s = j->calendar->now_s;
    note(j, "submitted");
    if (j->work_s <= 0) {
        job_over(j, true, END_FINISHED);
        return;
    }
    track_idle(j);
    reconsider(j);
}

struct job *job_new(const struct training_plan *plan, struct fleet *fleet)
{
    struct job *j = calloc(1, sizeof *j);
    if (j == NULL) {
        return NULL;
    }
    j->plan = plan;
    j->fleet = fleet;
    j->calendar = fleet_calendar(fleet);
    for (int k = 0; k < PURCHASE_COUNT; k++) {
        if (plan->pools[k] < 0) {
            continue;
        }
        const struct pool_info *info =
            market_pool_info(market_plan_of(fleet_market(fleet)), plan->pools[k]);
        j->source_restore[k] =
            random_source("launch/%s/%s/0/restore", plan->workload_name, info->name);
        j->crews[k] = fleet_add_crew(fleet, &crew_events, j, plan->workload, plan->workload_name,
                                     plan->pools[k], plan->nodes, &plan->spec->boot);
        if (j->crews[k] == NULL) {
            free(j);
            return NULL;
        }
    }
    return j;
}

void job_free(struct job *j)
{
    free(j);
}

bool job_begin(struct job *j, const double *drawn)
{
    const struct training_spec *s = j->plan->spec;
    j->active = j->incoming = NULL;
    j->submitted = j->beyond_horizon = j->asleep = false;
    j->phase = PHASE_GATHER;
    j->phase_start_s = 0;
    j->kept_s = 0;
    j->work_s = training_work_s(j->plan, drawn);
    j->write_s = number_value(&s->checkpoint.write, drawn);
    j->patience_s = number_value(&s->patience, drawn);
    j->spot_wanted_since_s = 0;
    j->idle_since_s = -1;
    j->phase_event = j->patience_event = j->ask_again_event = EVENT_NONE;
    j->result = (struct job_result){.work_s = j->work_s};
    for (int k = 0; k < PURCHASE_COUNT; k++) {
        j->restores[k] = 0;
    }
    if (!variate_resolve(&s->checkpoint.restore, drawn, &j->restore) || !isfinite(j->work_s)) {
        return false;
    }
    return calendar_schedule(j->calendar, j->plan->submit_s, EVENT_WORK, submit, j, 0, NULL) ==
           CALENDAR_OK;
}

bool job_done(const struct job *j)
{
    return j->phase == PHASE_OVER;
}

void job_horizon(struct job *j)
{
    if (j->phase == PHASE_OVER) {
        return;
    }
    if (j->plan->spec->at_horizon == AT_HORIZON_CUT) {
        if (j->active != NULL) {
            close_phase(j);
        }
        job_over(j, false, END_HORIZON);
        return;
    }
    j->beyond_horizon = true;
    note(j, "the horizon: the rest is finished on-demand");
    if (j->incoming != NULL) {
        crew_release(j->incoming, END_RELEASED);
        j->incoming = NULL;
    }
    if (j->active != NULL && j->active->purchase == PURCHASE_SPOT) {
        if (j->phase == PHASE_WORK && j->active->noticed == 0) {
            begin_leave(j);
            return;
        }
        if (j->phase == PHASE_LEAVE || j->phase == PHASE_RESCUE || j->phase == PHASE_DOOMED) {
            return; /* the write ends, or the nodes go, within the notice */
        }
        close_phase(j);
        struct crew *left = j->active;
        j->active = NULL;
        crew_release(left, END_RELEASED);
    }
    reconsider(j);
}

struct job_result job_result(const struct job *j)
{
    struct job_result r = j->result;
    r.kept_s = j->kept_s;
    for (int k = 0; k < PURCHASE_COUNT; k++) {
        if (j->crews[k] != NULL) {
            r.launches += j->crews[k]->launched;
            r.interruptions += j->crews[k]->interrupted;
        }
    }
    return r;
}
