/* SPDX-License-Identifier: GPL-3.0-or-later
 * The event calendar: an indexed 4-ary heap on one 128-bit key (time above; class and sequence
 * below), so that events at one instant fire in a meaningful and repeatable order. No allocation
 * per event; handles go stale safely. */
#ifndef FLEETCAST_ENGINE_CALENDAR_H
#define FLEETCAST_ENGINE_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At one instant the lower class fires first; within a class the one scheduled first. */
enum event_class { EVENT_MARKET, EVENT_NODE, EVENT_WORK, EVENT_POLICY, EVENT_MEASURE };

/* Called with the calendar's clock at the event's time. It may use the calendar as it likes, except
 * release it. */
typedef void event_handler(void *actor, uint64_t tag);

/* Names a scheduled event; {0, 0} names none. Stale after the event fired or was cancelled (and
 * until its slot was used 2^31 times more, which takes a minute of doing nothing else). */
struct event_id {
    uint32_t slot;
    uint32_t generation;
};
#define EVENT_NONE ((struct event_id){0, 0})

enum calendar_status {
    CALENDAR_OK,
    CALENDAR_BAD_TIME, /* NaN, infinite, or before now */
    CALENDAR_FULL      /* more than the cap of pending events, out of memory, or 2^37 events since
                          the last reset */
};

#define CALENDAR_MOST_PENDING (UINT32_C(1) << 24)

struct calendar {
    double now_s;   /* read only: seconds from the scenario's start */
    uint64_t fired; /* read only: events fired since the last reset */

    /* private: engine/calendar.c explains */
    uint64_t *times, *orders;
    uint32_t *places;
    struct calendar_event *events;
    uint64_t sequence;
    uint64_t aside_time, aside_order; /* beside the heap; later than every time: none */
    event_handler *aside_handler;
    void *aside_actor;
    uint64_t aside_tag;
    uint32_t count, capacity, max_pending, free_slot, hole;
};

/* max_pending caps memory (52 bytes an event); at most CALENDAR_MOST_PENDING. False when out of
 * memory. */
bool calendar_init(struct calendar *c, uint32_t max_pending);
void calendar_release(struct calendar *c);
/* Drops all events and sets the clock to 0; handles from before stay stale. Keeps memory. */
void calendar_reset(struct calendar *c);

/* id may be NULL; it is written only if CALENDAR_OK is returned. */
enum calendar_status calendar_schedule(struct calendar *c, double time_s, enum event_class class_,
                                       event_handler *handler, void *actor, uint64_t tag,
                                       struct event_id *id);
/* Schedules an event again that has fired, or was cancelled, since which nothing was scheduled:
 * calendar_schedule of the same class, handler, actor and tag, for less. From its own handler, that
 * is, before anything else is scheduled. CALENDAR_BAD_TIME, and nothing happens, when it cannot be:
 * calendar_schedule can, or says why not. */
enum calendar_status calendar_again(struct calendar *c, struct event_id *id, double time_s);
/* A place in the order of what is scheduled, for an event that may be scheduled later, or not at
 * all: then it fires as if it had been scheduled when the place was taken. At most once a place. */
uint64_t calendar_take_place(struct calendar *c);
enum calendar_status calendar_schedule_in_place(struct calendar *c, uint64_t place, double time_s,
                                                enum event_class class_, event_handler *handler,
                                                void *actor, uint64_t tag, struct event_id *id);
/* calendar_schedule for an event that nobody cancels or moves, of a process that schedules one
 * after the other, as arrivals do: one such event lies beside the heap, which costs a comparison an
 * event and spares the way through it. Of several it is the one that is due first, if it came last.
 */
enum calendar_status calendar_schedule_aside(struct calendar *c, double time_s,
                                             enum event_class class_, event_handler *handler,
                                             void *actor, uint64_t tag);
/* calendar_cancel's, for a handle that once named an event. */
bool calendar_cancel_named(struct calendar *c, struct event_id id);
/* False when the handle is stale; then nothing happens. Inline, since most handles that are
 * cancelled name no event. */
static inline bool calendar_cancel(struct calendar *c, struct event_id id)
{
    return id.generation != EVENT_NONE.generation && calendar_cancel_named(c, id);
}
/* To a new time, with a new place in the order of that instant; the handle stays good.
 * CALENDAR_BAD_TIME if stale too. */
enum calendar_status calendar_move(struct calendar *c, struct event_id id, double time_s);
bool calendar_pending(const struct calendar *c, struct event_id id);
size_t calendar_count(const struct calendar *c);
/* Time of the earliest event; +infinity when there is none. */
double calendar_next_time(const struct calendar *c);
/* Fires the earliest event if its time <= until_s; false when there is none. The clock moves to the
 * event's time only. */
bool calendar_step(struct calendar *c, double until_s);

#endif
