# fleetcast: build, tests and installation. `make help` lists the targets.

PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
CFLAGS  ?= -O2 -g
MODE    ?= release
V       ?= 0
WERROR  ?= 0

VERSION := 0.1.0

# ---- what is built -------------------------------------------------------
SRC      := $(filter-out scenarios/cli/main.c,$(sort $(wildcard engine/*.c models/*/*.c plots/*.c scenarios/*/*.c)))
TEST_SRC := $(sort $(wildcard tests/*/test_*.c))
SUPPORT  := $(sort $(wildcard tests/support/*.c))
BENCH_SRC := $(sort $(wildcard tests/bench/bench_*.c))
ifneq ($(MODE),release)
OUT := build/$(MODE)
else
OUT := build
endif
OBJ := $(OUT)/obj

# ---- flags: CFLAGS stays the user's ---------------------------------------
# -ffp-contract=off: a fused multiply-add would change results between machines.
WARN := -Wall -Wextra -Wshadow -Wconversion -Wdouble-promotion -Wstrict-prototypes \
        -Wmissing-prototypes -Wundef -Wformat=2 -Wvla
MODE_release :=
MODE_debug   := -O0 -DFLEETCAST_SLOW_CHECKS=1
MODE_asan    := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -DFLEETCAST_SLOW_CHECKS=1
MODE_tsan    := -O1 -fsanitize=thread -fno-omit-frame-pointer
ifeq ($(WERROR),1)
WARN += -Werror
endif

GSL_CFLAGS  := $(subst -I,-isystem ,$(shell pkg-config --cflags gsl 2>/dev/null))
GSL_LIBS    := $(shell pkg-config --libs gsl 2>/dev/null)
YAML_LIBS   := $(shell pkg-config --libs yaml-0.1 2>/dev/null)
JANSSON_LIBS := $(shell pkg-config --libs jansson 2>/dev/null)
CMOCKA_LIBS := $(shell pkg-config --libs cmocka 2>/dev/null)
ifeq ($(filter clean help format-check check-floors,$(MAKECMDGOALS)),)
ifeq ($(GSL_LIBS),)
$(error GSL was not found; install it with: apt-get install libgsl-dev pkg-config)
endif
ifeq ($(YAML_LIBS),)
$(error libyaml was not found; install it with: apt-get install libyaml-dev)
endif
endif

OWN_CFLAGS := -std=c17 -D_GNU_SOURCE -DFLEETCAST_VERSION='"$(VERSION)"' \
              -DFLEETCAST_DATADIR='"$(PREFIX)/share/fleetcast"' \
              -I. $(GSL_CFLAGS) $(WARN) -ffp-contract=off -pthread $(MODE_$(MODE))
LIBS := $(GSL_LIBS) $(YAML_LIBS) $(JANSSON_LIBS) -lcsv -lm -pthread

ifeq ($(V),0)
Q := @
say = @printf '  %-6s %s\n' $(1) $(2)
endif

# ---- rules -----------------------------------------------------------------
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all test bench check tsan format-check check-floors install uninstall clean help validate

LIB   := $(OUT)/libfleetcast.a
SUPPORT_LIB := $(OUT)/libsupport.a
BIN   := $(OUT)/fleetcast
OBJS  := $(SRC:%.c=$(OBJ)/%.o)
TESTS := $(TEST_SRC:tests/%.c=$(OUT)/tests/%)
BENCHES := $(BENCH_SRC:tests/%.c=$(OUT)/tests/%)

all: $(BIN)

$(OBJ)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(OWN_CFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(LIB): $(OBJS)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BIN): $(OBJ)/scenarios/cli/main.o $(LIB)
	$(call say,LD,$@)
	$(Q)$(CC) $(OWN_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LIBS)

# An archive, so that a test links only the support it uses.
$(SUPPORT_LIB): $(SUPPORT:%.c=$(OBJ)/%.o)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(OUT)/tests/%: $(OBJ)/tests/%.o $(SUPPORT_LIB) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(OWN_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $< $(SUPPORT_LIB) $(LIB) $(CMOCKA_LIBS) $(LIBS)

-include $(OBJS:.o=.d) $(patsubst %.c,$(OBJ)/%.d,$(TEST_SRC) $(SUPPORT) $(BENCH_SRC) scenarios/cli/main.c)

# Runs every test program from the project's root; the last line says `N passed, N failed`.
test: $(BIN) $(TESTS)
	@FLEETCAST_BIN=$(BIN) tests/run $(TESTS)

bench: $(BIN) $(BENCHES)
	@for b in $(BENCHES); do $$b || exit 1; done

# Address and undefined-behaviour sanitizers under the whole test suite.
check:
	$(MAKE) MODE=asan test

tsan:
	$(MAKE) MODE=tsan test

check-floors:
	@tests/check_floors

format-check:
	@clang-format --dry-run --Werror $$(git ls-files '*.c' '*.h')

clean:
	rm -rf build

help:
	@printf '%s\n' 'make            build build/fleetcast' \
	  'make test       build and run all tests' \
	  'make bench      print speeds beside their targets' \
	  'make check      all tests under the address and undefined-behaviour sanitizers' \
	  'make tsan       all tests under the thread sanitizer' \
	  'make check-floors, format-check   structure and style' \
	  'make install, uninstall           PREFIX=/usr/local, DESTDIR=' \
	  'Variables: MODE=release|debug|asan|tsan, CC, CFLAGS, WERROR=1, V=1'
