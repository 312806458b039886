# libcount: `make help` says what can be made. Everything that is made is in build/.
CC = gcc
CFLAGS = -O2 -g
WARNINGS = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
PREFIX = /usr/local
LIBDIR = $(PREFIX)/lib
DESTDIR =
B = build

MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
STANDARD := -std=gnu11 -D_GNU_SOURCE -ffp-contract=off $(WARNINGS)
PACKAGES = smartcols jansson mpfr gmp libtirpc
# The layout of the counter table: the library and the driver refuse a table of another one.
LAYOUT := $(shell cat shim/table/calls.def shim/table/counters.h | cksum | cut -d' ' -f1)u
ALL_CFLAGS := $(STANDARD) $(CFLAGS) -MMD -MP -I$(B) -DCOUNTERS_LAYOUT=$(LAYOUT)

# The library: no fortified calls of its own, no stack protector (it reads thread data that a new thread may lack).
SHIM_CFLAGS := $(ALL_CFLAGS) -Ishim -fPIC -fno-builtin -fno-delete-null-pointer-checks -fvisibility=hidden \
	-ftls-model=initial-exec -fno-stack-protector -U_FORTIFY_SOURCE
ifeq ($(MACHINE),x86_64)
# What runs around a system call must leave the vector registers alone.
SHIM_CFLAGS += -mgeneral-regs-only
endif
SHIM_LDFLAGS = -shared -Wl,-soname,$(@F) -Wl,-z,initfirst -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack \
	-Wl,-z,noseparate-code -Wl,--version-script=$(MAP) -Wl,--no-undefined
MAP := $(or $(wildcard shim/$(MACHINE).map),shim/libcount.map)
SHIM := $(patsubst %,$(B)/%.o,$(basename $(sort $(shell find shim -name '*.[cS]'))))

DRIVER_CFLAGS := $(ALL_CFLAGS) -I. -Idriver -I$(B)/driver -DLIBDIR='"$(LIBDIR)"' $(shell pkg-config --cflags $(PACKAGES))
DRIVER_LIBS := $(shell pkg-config --libs $(PACKAGES)) -lm -lpthread
DRIVER := $(patsubst %.c,$(B)/%.o,$(filter-out driver/main.c,$(sort $(shell find driver -name '*.c'))))
include driver/gauss/rules.mk

TESTS := $(patsubst %.c,$(B)/%,$(shell find tests/shim tests/driver -name '*.c' | sort))
FIXTURES := $(patsubst %.c,$(B)/%,$(shell find tests/fixture -name '*.c' ! -path '*/library/*'))
CLI := $(shell find tests/cli -name '*.sh' | sort)
SCRIPTS = $(shell grep -rlI '^\#!/bin/sh' scripts tests/cli .ci 2>/dev/null) tests/cli/helpers $(CLI)

all: $(B)/libcount.so $(B)/libcount-whole.so $(B)/reckon  ## build the library and the driver

$(B)/libcount.so: $(SHIM) $(MAP)
	$(CC) $(SHIM_LDFLAGS) $(LDFLAGS) -o $@ $(SHIM)

# The same library with a fixed address, for whole runs (COUNTERS_WHOLE_BASE in counters.h).
$(B)/libcount-whole.so: $(SHIM) $(MAP)
	$(CC) $(SHIM_LDFLAGS) $(LDFLAGS) -Wl,-Ttext-segment=0x200000000000 -o $@ $(SHIM)

$(B)/reckon: $(B)/driver/main.o $(B)/driver.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(DRIVER_LIBS)

# All of the driver but main(): the tests link the same objects.
$(B)/driver.a: $(DRIVER)
	rm -f $@ && $(AR) rcs $@ $^

# The names of system calls, [number] = "name", from the kernel's headers.
HEADER = asm/unistd.h
$(B)/system_calls_i386.h: HEADER = asm/unistd_32.h
$(B)/system_calls.h $(B)/system_calls_i386.h:
	@mkdir -p $(@D)
	echo '#include <$(HEADER)>' | $(CC) -E -dM - 2>/dev/null | \
		sed -n 's/^#define __NR_\([a-z0-9_]*\) \([0-9][0-9]*\)$$/[\2] = "\1",/p' | sort -t'[' -nk2 >$@

$(B)/driver/calls/counts.o: $(B)/system_calls_i386.h
$(B)/shim/report_text.o $(B)/driver/calls/counts.o: $(B)/system_calls.h

$(B)/shim/%.o: shim/%.c
	@mkdir -p $(@D)
	$(CC) $(SHIM_CFLAGS) -c -o $@ $<

$(B)/shim/%.o: shim/%.S
	@mkdir -p $(@D)
	$(CC) -MMD -MP -Ishim -c -o $@ $<

$(B)/driver/%.o: driver/%.c
	@mkdir -p $(@D)
	$(CC) $(DRIVER_CFLAGS) -c -o $@ $<

# A fixture is an ordinary program: libc alone, and each call in it is the call of a function.
$(B)/tests/fixture/%: tests/fixture/%.c
	@mkdir -p $(@D)
	$(CC) $(STANDARD) $(CFLAGS) -MMD -MP -I. -fno-builtin -U_FORTIFY_SOURCE -pthread -rdynamic -fexceptions -o $@ $<

$(B)/tests/counted.o: tests/counted.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -I. -c -o $@ $<

$(B)/tests/%: tests/%.c $(B)/tests/counted.o $(B)/driver.a
	@mkdir -p $(@D)
	$(CC) $(DRIVER_CFLAGS) -I. -Itests -o $@ $< $(B)/tests/counted.o $(B)/driver.a -lcmocka $(DRIVER_LIBS)

# Parts of dispatch that need nothing of the rest are linked straight into its tests.
$(B)/tests/shim/dispatch/%: tests/shim/dispatch/%.c $(B)/tests/counted.o $(B)/libcount.so
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -I. -Ishim -Itests -o $@ $< $(B)/tests/counted.o \
		$(patsubst %,$(B)/shim/dispatch/%.o,arch/x86_64/decode code/prove code/patch keep/bpf) -lcmocka

check: all $(TESTS) $(FIXTURES)  ## build everything and run every test
	@CC='$(CC)' TOP='$(CURDIR)' RECKON='$(abspath $(B))/reckon' LIBCOUNT='$(abspath $(B))/libcount.so' \
	FIXTURES='$(abspath $(B))/tests/fixture' COUNTCALLS='$(CURDIR)/scripts/countcalls' \
		tests/cli/run $(TESTS) $(CLI)

lint:  ## shellcheck, and gcc and clang without any warning
	shellcheck -e SC1090,SC1091,SC2016 $(sort $(SCRIPTS))
	$(MAKE) CC=gcc B=$(B)/lint/gcc WARNINGS='$(WARNINGS) -Werror' all tests
	$(MAKE) CC=clang B=$(B)/lint/clang WARNINGS='$(WARNINGS) -Werror' all tests

tests: $(TESTS) $(FIXTURES)

include scripts/install.mk tests/fuzz/rules.mk
-include $(shell find $(B) -type f -name '*.d' 2>/dev/null)

clean:  ## remove what was built
	rm -rf $(B)

help:  ## this text
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

.PHONY: all check clean help lint tests
