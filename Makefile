# libcount: `make help` says what can be made. Everything that is made is in build/.
CC = gcc
CFLAGS = -O2 -g
WARNINGS = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
PREFIX = /usr/local
LIBDIR = $(PREFIX)/lib
DESTDIR =
B = build

# The one test of the machine: x86_64, aarch64 and so on.
MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
SOURCES := $(sort $(shell find shim driver tests -name '*.[cS]' -o -name '*.sh'))
VERSION := $(shell sed -n 's/^version=//p' scripts/countcalls)
# The layout of the counter table: the library and the driver refuse a table of another one.
LAYOUT := $(firstword $(shell cat shim/table/calls.def shim/table/counters.h | cksum))u
STANDARD := -std=gnu11 -D_GNU_SOURCE -ffp-contract=off $(WARNINGS)
ALL_CFLAGS := $(STANDARD) $(CFLAGS) -MMD -MP -I$(B) -DCOUNTERS_LAYOUT=$(LAYOUT)

# The library: no fortified calls of its own, no inline functions of libc's headers (atof returns in a vector register),
# no stack protector (it reads thread data that a new thread may lack).
SHIM_CFLAGS := $(ALL_CFLAGS) -Ishim -DKERNEL_FILTERED -fPIC -fno-builtin -fno-delete-null-pointer-checks \
	-fvisibility=hidden -ftls-model=initial-exec -fno-stack-protector -U_FORTIFY_SOURCE -D__NO_INLINE__
ifeq ($(MACHINE),x86_64)
# What runs around a system call must leave the vector registers alone.
SHIM_CFLAGS += -mgeneral-regs-only
endif
SHIM_LDFLAGS = -shared -Wl,-soname,$(@F) -Wl,-z,initfirst -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack \
	-Wl,-z,noseparate-code -Wl,--version-script=$(MAP) -Wl,--no-undefined
MAP := $(or $(wildcard shim/$(MACHINE).map),shim/libcount.map)
# System calls are counted where the processor has a folder.
ARCH := $(wildcard shim/dispatch/arch/$(MACHINE))
SHIM := $(filter-out $(if $(ARCH),shim/dispatch/arch/%,shim/dispatch/%),$(filter shim/%,$(SOURCES))) \
	$(if $(ARCH),$(filter $(ARCH)/%,$(SOURCES)),shim/dispatch/arch/none.c)
SHIM := $(patsubst %,$(B)/%.o,$(basename $(SHIM)))

PACKAGES := $(shell pkg-config --cflags --libs smartcols jansson ncursesw mpfr gmp libtirpc)
DRIVER_CFLAGS := $(ALL_CFLAGS) -I. -Idriver -I$(B)/driver -DLIBDIR='"$(LIBDIR)"' $(filter-out -l% -L%,$(PACKAGES))
# MPFI has no pkg-config file.
DRIVER_LIBS := -lmpfi $(filter -l% -L%,$(PACKAGES)) -lm -lpthread
DRIVER := $(patsubst %.c,$(B)/%.o,$(filter-out driver/main.c,$(filter driver/%,$(SOURCES))))
# The room that library and driver share is compiled for each of them.
DRIVER += $(patsubst shim/%.c,$(B)/driver/%.o,$(filter shim/table/%,$(SOURCES)))

all: $(B)/libcount.so $(B)/libcount-whole.so $(B)/reckon  ## build the library and the driver

include driver/gauss/rules.mk tests/rules.mk tests/fuzz/rules.mk scripts/install.mk

$(B)/libcount.so: $(SHIM) $(MAP)
	$(CC) $(SHIM_LDFLAGS) $(LDFLAGS) -o $@ $(SHIM)

# The same library with a fixed address, for whole runs (COUNTERS_WHOLE_BASE in counters.h).
$(B)/libcount-whole.so: $(SHIM) $(MAP)
	$(CC) $(SHIM_LDFLAGS) $(LDFLAGS) -Wl,-Ttext-segment=0x7e9000000000 -o $@ $(SHIM)

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

# The names of errnos, in the same way.
$(B)/errnos_names.h:
	@mkdir -p $(@D)
	echo '#include <asm/errno.h>' | $(CC) -E -dM - | \
		sed -n 's/^#define \(E[A-Z0-9]*\) \([0-9][0-9]*\)$$/[\2] = "\1",/p' | sort -t'[' -nk2 >$@

$(SHIM) $(DRIVER): | $(B)/system_calls.h $(B)/system_calls_i386.h $(B)/errnos_names.h

$(B)/driver/main.o: DRIVER_CFLAGS += -DVERSION='"$(VERSION)"'
$(B)/driver/main.o: scripts/countcalls

$(B)/shim/%.o: shim/%.c
	@mkdir -p $(@D)
	$(CC) $(SHIM_CFLAGS) -c -o $@ $<

$(B)/shim/%.o: shim/%.S
	@mkdir -p $(@D)
	$(CC) -MMD -MP -Ishim -c -o $@ $<

$(B)/driver/%.o: driver/%.c
	@mkdir -p $(@D)
	$(CC) $(DRIVER_CFLAGS) -c -o $@ $<

$(B)/driver/table/%.o: shim/table/%.c
	@mkdir -p $(@D)
	$(CC) $(DRIVER_CFLAGS) -c -o $@ $<

-include $(SHIM:.o=.d) $(DRIVER:.o=.d) $(B)/driver/main.d

lint:  ## shellcheck, mandoc, and gcc and clang without any warning
	shellcheck -e SC1090,SC1091,SC2016 $(shell grep -rlI '^\#!/bin/sh' scripts tests/cli .ci) tests/cli/helpers
	$(MAKE) CC=gcc B=$(B)/lint/gcc WARNINGS='$(WARNINGS) -Werror' all tests
	$(MAKE) CC=clang B=$(B)/lint/clang WARNINGS='$(WARNINGS) -Werror' all tests
	$(MAKE) CC=aarch64-linux-gnu-gcc B=$(B)/lint/aarch64 WARNINGS='$(WARNINGS) -Werror' $(B)/lint/aarch64/libcount.so

clean:  ## remove what was built
	rm -rf $(B)

help:  ## this text
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

.PHONY: all clean help lint
