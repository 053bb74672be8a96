# fleetcast: build, tests and installation. `make help` lists the targets.

PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
MODE    ?= release
# They stand after the mode's own words, so each mode needs its own. -g1: what a sanitizer's report
# names, at half the writing.
ifeq ($(MODE),release)
CFLAGS  ?= -O2 -g
else ifeq ($(MODE),debug)
CFLAGS  ?= -O0 -g
else
CFLAGS  ?= -O1 -g1
endif
V       ?= 0
WERROR  ?= 0
# 1: workbooks by libxlsxwriter (Debian: libxlsxwriter-dev)
XLSX    ?= 0

VERSION := 0.1.0

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
# Keeps the objects of test programs, which make would take for intermediate and delete.
.SECONDARY:
# Targets that need data from elsewhere; without it they say so and do nothing.
.PHONY: validate-policies validate-spot
.PHONY: all setup run-quickstart test bench check tsan fuzz fuzzers format-check check-floors \
        install uninstall clean help validate

# ---- setup: what a bare Debian 12 lacks ---------------------------------------
# The one list of packages; the manual and .ci/run call `make setup`.
PACKAGES := gcc libc6-dev make pkg-config libgsl-dev libcsv-dev libyaml-dev libjansson-dev \
            libyajl-dev libcmocka-dev gnuplot-nox

ifneq ($(filter setup,$(MAKECMDGOALS)),)
# Libraries are looked for while this file is read, so in `make setup test` the rest of the goals
# waits for a make of its own, begun when they are there.
REST := $(filter-out setup,$(MAKECMDGOALS))
.PHONY: $(REST)

setup:
	@missing=; \
	for p in $(PACKAGES); do \
	  case "$$(dpkg-query -W -f='$${db:Status-Status}' $$p 2>/dev/null)" in \
	  installed*) ;; *) missing="$$missing $$p";; esac; \
	done; \
	[ -z "$$missing" ] && exit 0; \
	command -v apt-get >/dev/null || { \
	  echo "no apt-get here; install what Debian calls:$$missing"; exit 1; }; \
	sudo=; [ "$$(id -u)" -eq 0 ] || sudo=sudo; \
	set -x; \
	$$sudo apt-get update && \
	$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $$missing
	$(if $(REST),+@$(MAKE) --no-print-directory $(REST))

$(REST): setup ;@:

else

# ---- what is built --------------------------------------------------------------
SRC      := $(filter-out scenarios/cli/main.c,$(sort $(wildcard engine/*.c models/*/*.c plots/*/*.c scenarios/*/*.c)))
TEST_SRC := $(sort $(wildcard tests/*/test_*.c))
SUPPORT  := $(sort $(wildcard tests/support/*.c))
BENCH_SRC := $(sort $(wildcard tests/bench/bench_*.c))
VALIDATION_SRC := $(sort $(wildcard tests/validation/validate_*.c))
FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
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
# clang takes the NAN and INFINITY of math.h for floats, whatever they are assigned to.
ifneq ($(findstring clang,$(shell $(CC) --version 2>/dev/null)),)
WARN := $(filter-out -Wdouble-promotion,$(WARN))
endif
# With less optimisation gcc knows too little of ranges to tell what fits.
ifneq ($(MODE),release)
WARN += -Wno-format-truncation
endif
MODE_release :=
MODE_debug   := -DFLEETCAST_SLOW_CHECKS=1
SANITIZE     := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -DFLEETCAST_SLOW_CHECKS=1
# Pointers that wrap would be a third of all code, and one that is followed is the address
# sanitizer's to find; the fuzzers look for the others too.
MODE_asan    := $(SANITIZE) -fno-sanitize=pointer-overflow
MODE_fuzz    := $(SANITIZE) -fsanitize=fuzzer-no-link
MODE_tsan    := -fsanitize=thread -fno-omit-frame-pointer
# Tests are there to find faults of the product. What they lend to it is watched, their own
# arithmetic is not.
TEST_CFLAGS_asan := -fno-sanitize=undefined
# Some three hundred test programs are linked: half the time of each would go into debug information,
# which MODE=debug has, and half the rest into the linker of old, where there is a quicker one.
TEST_LDFLAGS_release := -Wl,-S
TEST_LDFLAGS := $(TEST_LDFLAGS_$(MODE)) $(if $(shell command -v ld.gold),-fuse-ld=gold)
ifeq ($(WERROR),1)
WARN += -Werror
endif

GSL_CFLAGS  := $(subst -I,-isystem ,$(shell pkg-config --cflags gsl 2>/dev/null))
GSL_LIBS    := $(shell pkg-config --libs gsl 2>/dev/null)
YAML_LIBS   := $(shell pkg-config --libs yaml-0.1 2>/dev/null)
JANSSON_LIBS := $(shell pkg-config --libs jansson 2>/dev/null)
YAJL_LIBS   := $(shell pkg-config --libs yajl 2>/dev/null)
CMOCKA_LIBS := $(shell pkg-config --libs cmocka 2>/dev/null)
# Goals that compile nothing need no library.
ifneq ($(filter-out clean help format-check check-floors uninstall,$(or $(MAKECMDGOALS),all)),)
ifeq ($(GSL_LIBS),)
$(error GSL was not found; install it with: make setup (or apt-get install libgsl-dev pkg-config))
endif
ifeq ($(YAML_LIBS),)
$(error libyaml was not found; install it with: make setup (or apt-get install libyaml-dev))
endif
ifeq ($(JANSSON_LIBS),)
$(error jansson was not found; install it with: make setup (or apt-get install libjansson-dev))
endif
ifeq ($(YAJL_LIBS),)
$(error yajl was not found; install it with: make setup (or apt-get install libyajl-dev))
endif
ifneq ($(filter test,$(MAKECMDGOALS)),)
ifeq ($(CMOCKA_LIBS),)
$(error cmocka was not found; install it with: make setup (or apt-get install libcmocka-dev))
endif
endif
endif

ifeq ($(XLSX),1)
XLSX_LIBS := $(shell pkg-config --libs xlsxwriter 2>/dev/null)
ifeq ($(XLSX_LIBS),)
$(error XLSX=1, but libxlsxwriter was not found; install it (apt-get install libxlsxwriter-dev))
endif
endif

OWN_CFLAGS := -std=c17 -D_GNU_SOURCE -DFLEETCAST_VERSION='"$(VERSION)"' \
              -I. $(GSL_CFLAGS) $(WARN) -ffp-contract=off -pthread $(MODE_$(MODE))
LIBS := $(GSL_LIBS) $(YAML_LIBS) $(JANSSON_LIBS) $(YAJL_LIBS) $(XLSX_LIBS) -lcsv -lm -pthread

ifeq ($(V),0)
Q := @
say = $(info $(1)  $(2))
endif

# ---- rules -----------------------------------------------------------------
LIB   := $(OUT)/libfleetcast.a
SUPPORT_LIB := $(OUT)/libsupport.a
BIN   := $(OUT)/fleetcast
OBJS  := $(SRC:%.c=$(OBJ)/%.o)
# The slowest first, or one would run alone in the end.
SLOWEST := scenarios/test_shipped scenarios/test_closed_forms scenarios/test_service_fleets \
           scenarios/test_cli_run scenarios/test_shared_fleets scenarios/test_commit_search \
           plots/test_charts models/test_interval scenarios/test_cli_thresholds plots/test_chart_edges
TESTS := $(TEST_SRC:tests/%.c=$(OUT)/tests/%)
SLOWEST := $(filter $(TESTS),$(SLOWEST:%=$(OUT)/tests/%))
TESTS := $(SLOWEST) $(filter-out $(SLOWEST),$(TESTS))
BENCHES := $(BENCH_SRC:tests/%.c=$(OUT)/tests/%)
VALIDATIONS := $(VALIDATION_SRC:tests/%.c=$(OUT)/tests/%)
FUZZERS := $(FUZZ_SRC:tests/fuzz/fuzz_%.c=$(OUT)/%)

all: $(BIN)

# A file that holds the words $(2), rewritten only when they change: what was built with others is
# then built anew.
define remember
$(1): FORCE
	@mkdir -p $$(@D)
	@printf '%s\n' '$(subst ','\'',$(2))' | cmp -s - $$@ || printf '%s\n' '$(subst ','\'',$(2))' > $$@
endef
.PHONY: FORCE
FORCE:
$(eval $(call remember,$(OUT)/compiler,$(CC) $(CFLAGS)))
$(eval $(call remember,$(OUT)/prefix,$(PREFIX)))

# Only the sources that know where the program will be installed depend on PREFIX.
DATADIR_OBJS := $(patsubst %.c,$(OBJ)/%.o,$(shell grep -l FLEETCAST_DATADIR $(SRC) $(wildcard scenarios/cli/main.c) /dev/null))
$(DATADIR_OBJS): OWN_CFLAGS += -DFLEETCAST_DATADIR='"$(PREFIX)/share/fleetcast"'
$(DATADIR_OBJS): $(OUT)/prefix

# Only one source knows whether there are workbooks.
$(eval $(call remember,$(OUT)/xlsx,$(XLSX)))
ifeq ($(XLSX),1)
$(OBJ)/plots/report/report_workbook.o: OWN_CFLAGS += -DFLEETCAST_XLSX=1 $(subst -I,-isystem ,$(shell pkg-config --cflags xlsxwriter))
endif
$(OBJ)/plots/report/report_workbook.o: $(OUT)/xlsx

# What every event and every record of usage passes through: where all else is built with -O2, these
# few are with -O3, which is 6 % of a training world's time and the same bits.
HOT := engine/calendar engine/philox engine/random engine/random_ziggurat \
       models/market/hidden_process models/market/market \
       $(addprefix models/fleet/,crew crew_asking crew_ending fleet fleet_pool usage) \
       $(addprefix models/billing/,bill clock_hours rating rating_core) \
       $(addprefix models/inference/,arrivals decode_heap llm_replica service_books service_llm \
         service_queue service_requests service_router token_lengths) \
       $(addprefix models/training/,asking_limits checkpoint_cycle job_failures job_moves job_news \
         progress progress_books zone_watch) \
       scenarios/study/simulation scenarios/study/simulation_rating
ifeq ($(MODE),release)
$(HOT:%=$(OBJ)/%.o): CFLAGS := $(CFLAGS:-O2=-O3)
endif

# All folders at once: a process less for each file.
$(OUT)/folders: Makefile
	@mkdir -p $(sort $(dir $(OBJS) $(OBJ)/scenarios/cli/main.o $(TESTS) $(BENCHES) $(VALIDATIONS) \
	  $(patsubst %.c,$(OBJ)/%.o,$(TEST_SRC) $(SUPPORT) $(BENCH_SRC) $(VALIDATION_SRC) $(FUZZ_SRC))))
	@touch $@

$(OBJ)/tests/%.o: OWN_CFLAGS += $(TEST_CFLAGS_$(MODE))

$(OBJ)/%.o: %.c Makefile $(OUT)/compiler | $(OUT)/folders
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
	$(call say,LD,$@)
	$(Q)$(CC) $(OWN_CFLAGS) $(CFLAGS) $(TEST_LDFLAGS) $(LDFLAGS) -o $@ $< $(SUPPORT_LIB) $(LIB) $(CMOCKA_LIBS) $(LIBS)

$(FUZZERS): $(OUT)/%: $(OBJ)/tests/fuzz/fuzz_%.o $(LIB)
	$(call say,LD,$@)
	$(Q)$(CC) $(OWN_CFLAGS) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $< $(LIB) $(LIBS)

-include $(OBJS:.o=.d) $(patsubst %.c,$(OBJ)/%.d,$(TEST_SRC) $(SUPPORT) $(BENCH_SRC) $(VALIDATION_SRC) $(FUZZ_SRC) scenarios/cli/main.c)

run-quickstart: $(BIN)
	$(BIN) run scenarios/quickstart.yaml

# Runs every test program from the project's root; the last line says `N passed, N failed`.
test: $(BIN) $(TESTS)
	@FLEETCAST_BIN=$(BIN) tests/run $(TESTS)

bench: $(BIN) $(BENCHES)
	@for b in $(BENCHES); do $$b || exit 1; done

# The policies against published runs: CASES, a CSV file of runs, and TRACES, a folder of tick traces
# (see the head of tests/validation/validate_policies.c). DATA names a folder that has both.
CASES  ?= $(DATA)/traces/reference/cant_be_late_runs.csv
TRACES ?= $(DATA)/traces/spot-traces/availability/1-node
validate-policies: $(OUT)/tests/validation/validate_policies
	@if [ -r '$(CASES)' ] && [ -d '$(TRACES)' ]; then $< '$(CASES)' '$(TRACES)'; \
	elif [ '$(origin CASES)$(origin TRACES)' != filefile ]; then \
	  echo "validate-policies: cannot read '$(CASES)' or the folder '$(TRACES)'" >&2; exit 2; \
	else echo 'validate-policies skipped: give CASES=FILE.csv and TRACES=FOLDER, or DATA=FOLDER'; fi

# The spot model against observed series: SERIES, a folder of tick traces.
SERIES ?= $(DATA)/traces/spot-traces
validate-spot: $(OUT)/tests/validation/validate_spot_model
	@if [ -d '$(SERIES)' ]; then $< '$(SERIES)'; \
	elif [ '$(origin SERIES)' != file ]; then \
	  echo "validate-spot: cannot read the folder '$(SERIES)'" >&2; exit 2; \
	else echo 'validate-spot skipped: give SERIES=FOLDER, or DATA=FOLDER'; fi

# All programs of tests/validation for which DATA, a folder, has what they compare with; the others say
# that they are skipped.
DATA ?=
BY_DATA := $(filter-out %/validate_policies %/validate_spot_model,$(VALIDATIONS))
validate: $(VALIDATIONS)
	@failed=0; $(MAKE) --no-print-directory validate-policies || failed=1; \
	$(MAKE) --no-print-directory validate-spot || failed=1; \
	for v in $(BY_DATA); do $$v '$(DATA)' || failed=1; done; exit $$failed

# Address and undefined-behaviour sanitizers under the whole test suite.
check:
	$(MAKE) MODE=asan test

tsan:
	$(MAKE) MODE=tsan test

# libFuzzer programs in build/fuzz; how to run each stands at the head of its source.
fuzz:
	$(MAKE) MODE=fuzz CC=clang fuzzers

fuzzers: $(FUZZERS)

check-floors:
	@tests/check_floors

format-check:
	@clang-format --dry-run --Werror $$(git ls-files '*.c' '*.h')

# ---- installation ----------------------------------------------------------------
TO_BIN  := $(DESTDIR)$(PREFIX)/bin
TO_DATA := $(DESTDIR)$(PREFIX)/share/fleetcast
TO_DOC  := $(DESTDIR)$(PREFIX)/share/doc/fleetcast
TO_MAN  := $(DESTDIR)$(PREFIX)/share/man/man1
TO_COMPLETION := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
MANUAL := $(sort $(shell find docs -type f))

# The manual keeps the places of the source tree, so that its links lead somewhere; scenarios and
# catalogue are there once.
install: $(BIN)
	install -d "$(TO_BIN)" "$(TO_DATA)/catalogue" "$(TO_DATA)/scenarios" "$(TO_DOC)/models/catalogue" \
	  "$(TO_MAN)" "$(TO_COMPLETION)"
	install -m 755 $(BIN) "$(TO_BIN)/fleetcast"
	install -m 644 models/catalogue/data/* "$(TO_DATA)/catalogue"
	install -m 644 $(wildcard scenarios/*.yaml scenarios/*.csv) "$(TO_DATA)/scenarios"
	install -m 644 LICENSE README.md "$(TO_DOC)"
	for f in $(filter-out docs/fleetcast.1,$(MANUAL)); do install -D -m 644 "$$f" "$(TO_DOC)/$$f" || exit 1; done
	ln -sfn ../../fleetcast/scenarios "$(TO_DOC)/scenarios"
	ln -sfn ../../../../fleetcast/catalogue "$(TO_DOC)/models/catalogue/data"
	install -m 644 docs/fleetcast.1 "$(TO_MAN)/fleetcast.1"
	$(BIN) completion bash > "$(TO_COMPLETION)/fleetcast"

# The two folders are the program's own and go as a whole; shared ones stay.
uninstall:
	rm -f "$(TO_BIN)/fleetcast" "$(TO_MAN)/fleetcast.1" "$(TO_COMPLETION)/fleetcast"
	rm -rf "$(TO_DATA)" "$(TO_DOC)"

clean:
	rm -rf build

help:
	@printf '%s\n' 'make                 build build/fleetcast' \
	  'make setup           install the Debian packages that are missing (apt-get, sudo unless root)' \
	  'make run-quickstart  build, and run scenarios/quickstart.yaml' \
	  'make test            build and run all tests' \
	  'make bench           print speeds beside their targets' \
	  'make validate DATA=FOLDER   all that is compared with data of others that has not been shipped' \
	  'make validate-policies CASES=FILE TRACES=FOLDER   the policies against published runs' \
	  'make validate-spot SERIES=FOLDER   the spot model against observed series' \
	  'make fuzz            build the libFuzzer programs of tests/fuzz into build/fuzz (needs clang)' \
	  'make check, tsan     all tests under the address and undefined-behaviour, the thread sanitizer' \
	  'make check-floors, format-check   structure and style' \
	  'make install, uninstall           PREFIX=/usr/local, DESTDIR=' \
	  'Variables: MODE=release|debug|asan|tsan, CC, CFLAGS, WERROR=1, V=1, XLSX=1 (workbooks)' \
	  'On a bare Debian 12: make setup run-quickstart, or make setup test'

endif
