# Included by the Makefile: the tests, what they run, and `make check`.
TESTS := $(patsubst %.c,$(B)/%,$(filter tests/shim/%.c tests/driver/%.c,$(SOURCES)))
FIXTURES := $(patsubst %.c,$(B)/%,$(filter-out tests/fixture/library/%,$(filter tests/fixture/%.c,$(SOURCES))))
CLI := $(filter tests/cli/%,$(SOURCES))

# A fixture is an ordinary program: libc alone, and each call in it is the call of a function.
$(B)/tests/fixture/%: tests/fixture/%.c $(B)/tests/fixture/library/libc.so.newer
	@mkdir -p $(@D)
	$(CC) $(STANDARD) $(CFLAGS) -MMD -MP -I. -fno-builtin -D__NO_INLINE__ -U_FORTIFY_SOURCE -pthread -rdynamic -fexceptions \
		$(BOUND) -o $@ $< -Wl,--as-needed $(abspath $(B))/tests/fixture/library/libc.so.newer -ldl -lrt

# What this libc has not yet: nothing where it is new enough.
$(B)/tests/fixture/library/libc.so.newer: tests/fixture/library/newer.c
	@mkdir -p $(@D)
	$(CC) $(STANDARD) $(CFLAGS) -MMD -MP -I. -fPIC -shared -D__NO_INLINE__ -o $@ $<

# Its stacks have no room for the vector registers that the loader saves when it binds a function at its first call.
$(B)/tests/fixture/dispatch/stacks: BOUND = -Wl,-z,now
# Its thread data are not libc's, where the protector's value would stand.
$(B)/tests/fixture/dispatch/foreign: BOUND = -fno-stack-protector

$(B)/tests/counted.o: tests/counted.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -I. -c -o $@ $<

$(B)/tests/%: tests/%.c $(B)/tests/counted.o $(B)/driver.a
	@mkdir -p $(@D)
	$(CC) $(DRIVER_CFLAGS) -I. -Itests $(LDFLAGS) -o $@ $< $(B)/tests/counted.o $(B)/driver.a -lcmocka $(DRIVER_LIBS)

# Parts of the library that need nothing of the rest are linked straight into their tests.
LINKED := $(filter $(B)/tests/shim/dispatch/% $(B)/tests/shim/filter/% $(B)/tests/shim/counters,$(TESTS))
PURE := objects auxiliary dispatch/keep/stacks dispatch/keep/memory dispatch/arch/x86_64/decode dispatch/code/prove dispatch/code/patch filter/bpf filter/seal
LIBRARY = $(B)/libcount.so
$(filter-out %/counters,$(LINKED)): $(PURE:%=$(B)/shim/%.o)
$(B)/tests/shim/counters: $(patsubst %,$(B)/shim/%.o,counters dispatch/rows files/files files/paths files/descriptors table/bytes table/waits table/errnos table/text filter/seal)
$(LINKED): $(B)/%: %.c $(B)/tests/counted.o $(B)/driver.a | $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -I. -Ishim -Itests $(LDFLAGS) -o $@ $< $(filter %.o,$^) $(filter %.a,$^) -lcmocka -lpthread -ldl

tests: $(TESTS) $(FIXTURES)  ## build the tests

-include $(addsuffix .d,$(TESTS) $(FIXTURES) $(B)/tests/counted) $(B)/tests/fixture/library/newer.d

# $(call run,PROGRAMS) TEST...: with the reckon of that folder.
run = CC='$(CC)' TOP='$(CURDIR)' RECKON='$(abspath $(1))/reckon' LIBCOUNT='$(abspath $(B))/libcount.so' \
	FIXTURES='$(abspath $(B))/tests/fixture' COUNTCALLS='$(CURDIR)/scripts/countcalls' tests/cli/run
# What depends on the system that it runs on: the library's tests, and the oracles.
LIBRARY_TESTS := $(filter $(B)/tests/shim/%,$(TESTS)) $(filter tests/cli/shim/% tests/cli/calls/%,$(CLI))

# The suites of Debian in which the library is tried, too; none inside of one.
SUITES = trixie

check: all tests  ## build everything and run every test, also with sanitizers and in another release of Debian
	@$(call run,$(B)) $(TESTS) $(CLI)
	@$(MAKE) check-sanitizers
	@[ -z '$(SUITES)' ] || scripts/check-in --library --if-possible $(SUITES)

check-library: all tests  ## the tests of the library alone
	@$(call run,$(B)) $(LIBRARY_TESTS)

include tests/sanitizers.mk

.PHONY: check check-library tests
