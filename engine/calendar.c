/* SPDX-License-Identifier: GPL-3.0-or-later
 * The event calendar. Why this shape:
 *
 * One 128-bit key orders everything. Its upper half is the time: the bits of a non-negative double
 * sort as the number does. Its lower half, the order at one instant, is class, sequence and slot.
 * The halves lie in two arrays, because the lower one is seldom asked: of four children the least
 * is found by a tournament of their times without a branch (which child is the least is the one
 * thing no branch predictor can know), and only a tie looks at the orders.
 *
 * The heap stands on a stem: entry 0 is the next event, entry 1 its only child and the root of the
 * 4-ary heap; entry i >= 1 has the children 4i - 2 … 4i + 1. So whether a new event is the very
 * next one is known after one comparison, however full the calendar is.
 *
 * What an event does lies in a slot, which does not move; `places` says where in the heap the
 * slot's key is, so that cancel and move need no search. Free slots form a list through `places`
 * and are used again, last freed first, under a new generation number, which is how an old handle
 * is found out.
 *
 * Scheduling always fills a hole. The entry of the event just fired is one, or that of an event
 * just cancelled; if there is none, one is opened at the end. Handlers mostly schedule their
 * successor, so one pass through the heap replaces a removal and an insertion. A hole keeps its old
 * key and moves like any entry, so the heap's order holds. It is closed, by the last entry, when
 * the next event is to fire or when a second hole would be opened.
 *
 * One event may lie beside the heap, in fields of its own: the next of a process that
 * schedules one after the other, such as arrivals, which are a quarter to a half of all events. It
 * takes its sequence from the same counter, so that the order is the same as through the heap. Of
 * several such processes the one that is due first lies there: that is the one which comes often.
 *
 * Measured on one core of a 3 GHz Xeon with gcc -O2: 7 ns for an event that schedules its
 * successor, 41 ns a hold with 1,000 pending, its random draw not counted. */
#include "engine/calendar.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLOT_BITS     24
#define SEQUENCE_BITS 37
#define SLOT_MASK     ((UINT64_C(1) << SLOT_BITS) - 1)
/* The sequence is kept in its place in the key. */
#define SEQUENCE_STEP (UINT64_C(1) << SLOT_BITS)
#define SEQUENCE_END  (UINT64_C(1) << (SLOT_BITS + SEQUENCE_BITS))
#define CLASS_SHIFT   (SLOT_BITS + SEQUENCE_BITS)

#define NO_SLOT        UINT32_MAX
#define NONE_ASIDE     UINT64_MAX
#define FIRST_CAPACITY 64
#define ARITY          4
#define LEAD           2 /* entries before the stem, so that the children of one entry are aligned */
#define ALIGNMENT      64 /* a cache line */

struct calendar_event {
    event_handler *handler;
    void *actor;
    uint64_t tag;
    uint32_t generation; /* odd, so never 0, which names no event */
};

_Static_assert(CALENDAR_MOST_PENDING == SLOT_MASK + 1, "every slot has a number");
_Static_assert(EVENT_MEASURE < 8, "three bits of class");

#define UNLIKELY(x) __builtin_expect(x, 0)
#define NOINLINE    __attribute__((noinline))
#define COLD        __attribute__((noinline, cold))

static inline bool is_before(uint64_t time, uint64_t order, uint64_t other_time,
                             uint64_t other_order)
{
    return time <= other_time && (time != other_time || order < other_order);
}

static inline uint64_t time_bits(double time_s)
{
    uint64_t bits;
    memcpy(&bits, &time_s, sizeof bits);
    return bits & INT64_MAX; /* -0 becomes 0 */
}

static inline double time_from_bits(uint64_t bits)
{
    double time_s;
    memcpy(&time_s, &bits, sizeof time_s);
    return time_s;
}

static inline uint32_t slot_at(const struct calendar *c, uint32_t at)
{
    return (uint32_t)(c->orders[at] & SLOT_MASK);
}

static inline void put(struct calendar *c, size_t at, uint64_t time, uint64_t order)
{
    c->times[at] = time;
    c->orders[at] = order;
    c->places[order & SLOT_MASK] = (uint32_t)at;
}

/* Fills the heap behind its end, so that the tournament needs no bounds: later than every real time
 * (infinity is less), and different within a group of children. */
static inline void mark_end(uint64_t *times, uint32_t at)
{
    times[at] = INT64_MAX - at % ARITY;
}

/* Which child is the least when two of them have the same time. */
COLD static size_t least_of_ties(const struct calendar *c, size_t first)
{
    size_t least = first;
    for (size_t i = first + 1; i < first + ARITY; i++) {
        if (is_before(c->times[i], c->orders[i], c->times[least], c->orders[least])) {
            least = i;
        }
    }
    return least;
}

/* All that place a key return CALENDAR_OK: scheduling ends in a jump to them, and keeps no
 * registers around a call. */

/* Places the key at or below `at` >= 1, whose entry is free. Not to be inlined: gcc then runs out
 * of registers (10 ns more a hold). */
NOINLINE static enum calendar_status sift_down(struct calendar *c, size_t at, uint64_t time,
                                               uint64_t order)
{
    const size_t count = c->count;
    uint64_t *const times = c->times, *const orders = c->orders;
    uint32_t *const places = c->places;
    for (size_t first = ARITY * at - 2; first < count; first = ARITY * at - 2) {
        const uint64_t *child = times + first;
        uint64_t t0 = child[0], t1 = child[1], t2 = child[2], t3 = child[3];
        uint64_t left_time = t1 < t0 ? t1 : t0;
        uint64_t right_time = t3 < t2 ? t3 : t2;
        uint64_t least_time = right_time < left_time ? right_time : left_time;
        size_t left = first + (t1 < t0);
        size_t right = first + 2 + (t3 < t2);
        size_t least = left ^ ((left ^ right) & -(size_t)(right_time < left_time));
        if (UNLIKELY(t0 == t1) || UNLIKELY(t2 == t3) || UNLIKELY(left_time == right_time)) {
            least = least_of_ties(c, first);
        }
        uint64_t least_order = orders[least];
        if (is_before(time, order, least_time, least_order)) {
            break;
        }
        times[at] = least_time;
        orders[at] = least_order;
        places[least_order & SLOT_MASK] = (uint32_t)at;
        at = least;
    }
    put(c, at, time, order);
    return CALENDAR_OK;
}

/* Places the key at or above `at`, whose entry is free. */
static enum calendar_status sift_up(struct calendar *c, size_t at, uint64_t time, uint64_t order)
{
    while (at > 0) {
        size_t parent = (at + 2) / ARITY;
        uint64_t parent_time = c->times[parent], parent_order = c->orders[parent];
        if (is_before(parent_time, parent_order, time, order)) {
            break;
        }
        put(c, at, parent_time, parent_order);
        at = parent;
    }
    put(c, at, time, order);
    return CALENDAR_OK;
}

/* Places the key above or below `at` >= 1, whose entry is free. */
static enum calendar_status replace(struct calendar *c, size_t at, uint64_t time, uint64_t order)
{
    size_t parent = (at + 2) / ARITY;
    return is_before(time, order, c->times[parent], c->orders[parent])
               ? sift_up(c, at, time, order)
               : sift_down(c, at, time, order);
}

/* Places the key at or below 0, whose entry is free. */
static inline enum calendar_status sink(struct calendar *c, uint64_t time, uint64_t order)
{
    uint64_t next_time = c->times[1], next_order = c->orders[1];
    if (is_before(time, order, next_time, next_order)) {
        put(c, 0, time, order);
        return CALENDAR_OK;
    }
    put(c, 0, next_time, next_order);
    if (c->count > 2) {
        return sift_down(c, 1, time, order);
    }
    put(c, 1, time, order);
    return CALENDAR_OK;
}

static void free_slot(struct calendar *c, uint32_t slot)
{
    c->places[slot] = c->free_slot;
    c->free_slot = slot;
}

/* The last entry takes the place of the one at `at`. */
static void remove_entry(struct calendar *c, uint32_t at)
{
    uint32_t end = --c->count;
    uint64_t time = c->times[end], order = c->orders[end];
    mark_end(c->times, end);
    if (at == end) {
        return;
    }
    (void)(at == 0 ? sink(c, time, order) : replace(c, at, time, order));
}

/* Not to be inlined into the step, whose registers it would take. */
NOINLINE static void close_hole(struct calendar *c)
{
    uint32_t slot = c->hole;
    c->hole = NO_SLOT;
    remove_entry(c, c->places[slot]);
    free_slot(c, slot);
}

static bool hole_is_first(const struct calendar *c)
{
    return c->hole != NO_SLOT && c->places[c->hole] == 0;
}

static void *allocate(size_t count, size_t size)
{
    size_t lines = count * size / ALIGNMENT + 1;
    return aligned_alloc(ALIGNMENT, lines * ALIGNMENT);
}

static void free_entries(uint64_t *entries)
{
    free(entries == NULL ? NULL : entries - LEAD);
}

/* Room for `capacity` > c->capacity slots. False, and nothing changed, when memory is out. */
static bool reserve(struct calendar *c, uint32_t capacity)
{
    const size_t entries = (size_t)LEAD + capacity + ARITY;
    uint64_t *times = allocate(entries, sizeof *times);
    uint64_t *orders = allocate(entries, sizeof *orders);
    uint32_t *places = allocate(capacity, sizeof *places);
    struct calendar_event *events = allocate(capacity, sizeof *events);
    if (times == NULL || orders == NULL || places == NULL || events == NULL) {
        free(times);
        free(orders);
        free(places);
        free(events);
        return false;
    }
    times += LEAD;
    orders += LEAD;
    for (uint32_t i = 0; i < c->capacity; i++) {
        times[i] = c->times[i];
        orders[i] = c->orders[i];
        places[i] = c->places[i];
        events[i] = c->events[i];
    }
    for (uint32_t i = c->capacity; i < capacity + ARITY; i++) {
        mark_end(times, i);
        orders[i] = 0;
    }
    free_entries(c->times);
    free_entries(c->orders);
    free(c->places);
    free(c->events);
    c->times = times;
    c->orders = orders;
    c->places = places;
    c->events = events;
    for (uint32_t slot = capacity; slot-- > c->capacity;) {
        events[slot].generation = 1;
        free_slot(c, slot);
    }
    c->capacity = capacity;
    return true;
}

bool calendar_init(struct calendar *c, uint32_t max_pending)
{
    memset(c, 0, sizeof *c);
    c->free_slot = NO_SLOT;
    c->hole = NO_SLOT;
    c->aside_time = NONE_ASIDE;
    c->max_pending = max_pending < CALENDAR_MOST_PENDING ? max_pending : CALENDAR_MOST_PENDING;
    return reserve(c, c->max_pending < FIRST_CAPACITY ? c->max_pending : FIRST_CAPACITY);
}

void calendar_release(struct calendar *c)
{
    free_entries(c->times);
    free_entries(c->orders);
    free(c->places);
    free(c->events);
    memset(c, 0, sizeof *c);
}

static void make_stale(struct calendar *c, uint32_t slot)
{
    c->events[slot].generation += 2;
}

void calendar_reset(struct calendar *c)
{
    if (c->hole != NO_SLOT) {
        close_hole(c);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t slot = slot_at(c, i);
        make_stale(c, slot);
        free_slot(c, slot);
        mark_end(c->times, i);
    }
    c->count = 0;
    c->aside_time = NONE_ASIDE;
    c->sequence = 0;
    c->fired = 0;
    c->now_s = 0;
}

/* A hole behind the last entry. False when the calendar is full. */
static bool open_hole(struct calendar *c)
{
    if (c->free_slot == NO_SLOT) {
        uint32_t doubled = 2 * c->capacity;
        if (c->capacity == c->max_pending ||
            !reserve(c, doubled < c->max_pending ? doubled : c->max_pending)) {
            return false;
        }
    }
    c->hole = c->free_slot;
    c->free_slot = c->places[c->hole];
    c->places[c->hole] = c->count++;
    return true;
}

/* Finite and not before now. */
static inline bool is_possible(const struct calendar *c, double time_s)
{
    return time_s >= c->now_s && time_s <= DBL_MAX;
}

/* Puts an event into the hole, under its order without a slot. */
static inline enum calendar_status fill_hole(struct calendar *c, uint64_t time, uint64_t order,
                                             event_handler *handler, void *actor, uint64_t tag,
                                             struct event_id *id)
{
    uint32_t slot = c->hole;
    uint32_t at = c->places[slot];
    struct calendar_event *e = &c->events[slot];
    c->hole = NO_SLOT;
    e->handler = handler;
    e->actor = actor;
    e->tag = tag;
    if (id != NULL) {
        id->slot = slot;
        id->generation = e->generation;
    }
    return at == 0 ? sink(c, time, order | slot) : replace(c, at, time, order | slot);
}

/* Whether the event can be scheduled: then there is a hole for it. */
static inline enum calendar_status make_room(struct calendar *c, uint64_t place, double time_s)
{
    if (!is_possible(c, time_s)) {
        return CALENDAR_BAD_TIME;
    }
    return place < SEQUENCE_END && (c->hole != NO_SLOT || open_hole(c)) ? CALENDAR_OK
                                                                        : CALENDAR_FULL;
}

enum calendar_status calendar_schedule(struct calendar *c, double time_s, enum event_class class_,
                                       event_handler *handler, void *actor, uint64_t tag,
                                       struct event_id *id)
{
    enum calendar_status status = make_room(c, c->sequence, time_s);
    if (status != CALENDAR_OK) {
        return status;
    }
    uint64_t order = (uint64_t)class_ << CLASS_SHIFT | c->sequence;
    c->sequence += SEQUENCE_STEP;
    return fill_hole(c, time_bits(time_s), order, handler, actor, tag, id);
}

enum calendar_status calendar_again(struct calendar *c, struct event_id *id, double time_s)
{
    const uint32_t slot = id->slot; /* a hole is what nothing was put into since */
    if (c->hole != slot || c->events[slot].generation != id->generation + 2 ||
        !is_possible(c, time_s) || c->sequence >= SEQUENCE_END) {
        return CALENDAR_BAD_TIME;
    }
    const uint32_t at = c->places[slot]; /* under its old key */
    const uint64_t class_ = c->orders[at] >> CLASS_SHIFT;
    const uint64_t order = class_ << CLASS_SHIFT | c->sequence | slot;
    c->hole = NO_SLOT;
    c->sequence += SEQUENCE_STEP;
    id->generation += 2;
    return at == 0 ? sink(c, time_bits(time_s), order) : replace(c, at, time_bits(time_s), order);
}

uint64_t calendar_take_place(struct calendar *c)
{
    uint64_t place = c->sequence;
    c->sequence += place < SEQUENCE_END ? SEQUENCE_STEP : 0;
    return place;
}

enum calendar_status calendar_schedule_in_place(struct calendar *c, uint64_t place, double time_s,
                                                enum event_class class_, event_handler *handler,
                                                void *actor, uint64_t tag, struct event_id *id)
{
    enum calendar_status status = make_room(c, place, time_s);
    if (status != CALENDAR_OK) {
        return status;
    }
    uint64_t order = (uint64_t)class_ << CLASS_SHIFT | place;
    return fill_hole(c, time_bits(time_s), order, handler, actor, tag, id);
}

/* The event beside the heap goes into it, with the place in the order that it has. */
static bool put_aside_back(struct calendar *c)
{
    if (c->hole == NO_SLOT && !open_hole(c)) {
        return false;
    }
    (void)fill_hole(c, c->aside_time, c->aside_order, c->aside_handler, c->aside_actor,
                    c->aside_tag, NULL);
    c->aside_time = NONE_ASIDE;
    return true;
}

enum calendar_status calendar_schedule_aside(struct calendar *c, double time_s,
                                             enum event_class class_, event_handler *handler,
                                             void *actor, uint64_t tag)
{
    if (!is_possible(c, time_s)) {
        return CALENDAR_BAD_TIME;
    }
    if (c->aside_time != NONE_ASIDE && time_bits(time_s) >= c->aside_time) {
        return calendar_schedule(c, time_s, class_, handler, actor, tag, NULL);
    }
    if (c->sequence >= SEQUENCE_END || (c->aside_time != NONE_ASIDE && !put_aside_back(c))) {
        return CALENDAR_FULL;
    }
    /* Without a slot: no two events have one sequence. */
    c->aside_order = (uint64_t)class_ << CLASS_SHIFT | c->sequence;
    c->aside_time = time_bits(time_s);
    c->aside_handler = handler;
    c->aside_actor = actor;
    c->aside_tag = tag;
    c->sequence += SEQUENCE_STEP;
    return CALENDAR_OK;
}

bool calendar_pending(const struct calendar *c, struct event_id id)
{
    return id.slot < c->capacity && c->events[id.slot].generation == id.generation;
}

bool calendar_cancel_named(struct calendar *c, struct event_id id)
{
    if (!calendar_pending(c, id)) {
        return false;
    }
    make_stale(c, id.slot);
    if (c->hole == NO_SLOT) {
        c->hole = id.slot;
    } else {
        remove_entry(c, c->places[id.slot]);
        free_slot(c, id.slot);
    }
    return true;
}

enum calendar_status calendar_move(struct calendar *c, struct event_id id, double time_s)
{
    if (!calendar_pending(c, id) || !is_possible(c, time_s)) {
        return CALENDAR_BAD_TIME;
    }
    if (c->sequence >= SEQUENCE_END) {
        return CALENDAR_FULL;
    }
    uint32_t at = c->places[id.slot];
    uint64_t class_ = c->orders[at] >> CLASS_SHIFT;
    uint64_t order = class_ << CLASS_SHIFT | c->sequence | id.slot;
    c->sequence += SEQUENCE_STEP;
    return at == 0 ? sink(c, time_bits(time_s), order) : replace(c, at, time_bits(time_s), order);
}

size_t calendar_count(const struct calendar *c)
{
    return (size_t)c->count - (c->hole != NO_SLOT) + (c->aside_time != NONE_ASIDE);
}

double calendar_next_time(const struct calendar *c)
{
    if (calendar_count(c) == 0) {
        return HUGE_VAL;
    }
    /* Behind the heap's end lie later times than there are. */
    const uint64_t heap_time = c->times[hole_is_first(c)];
    return time_from_bits(c->aside_time < heap_time ? c->aside_time : heap_time);
}

static bool step_aside(struct calendar *c, double until_s)
{
    double time_s = time_from_bits(c->aside_time);
    if (!(time_s <= until_s)) {
        return false;
    }
    c->aside_time = NONE_ASIDE;
    c->now_s = time_s;
    c->fired++;
    c->aside_handler(c->aside_actor, c->aside_tag);
    return true;
}

bool calendar_step(struct calendar *c, double until_s)
{
    if (c->hole != NO_SLOT) {
        close_hole(c);
    }
    /* Behind the heap's end lie later times than there are, but for that of nothing. */
    if (is_before(c->aside_time, c->aside_order, c->times[0], c->orders[0])) {
        return step_aside(c, until_s);
    }
    if (c->count == 0) {
        return false;
    }
    double time_s = time_from_bits(c->times[0]);
    if (!(time_s <= until_s)) {
        return false;
    }
    uint32_t slot = slot_at(c, 0);
    make_stale(c, slot);
    c->hole = slot;
    c->now_s = time_s;
    c->fired++;
    const struct calendar_event *e = &c->events[slot];
    e->handler(e->actor, e->tag);
    return true;
}
