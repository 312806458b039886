# Included by the Makefile: the tests, what they run, and `make check`.
TESTS := $(patsubst %.c,$(B)/%,$(filter tests/shim/%.c tests/driver/%.c,$(SOURCES)))
FIXTURES := $(patsubst %.c,$(B)/%,$(filter-out tests/fixture/library/%,$(filter tests/fixture/%.c,$(SOURCES))))
CLI := $(filter tests/cli/%,$(SOURCES))

# A fixture is an ordinary program: libc alone, and each call in it is the call of a function.
$(B)/tests/fixture/%: tests/fixture/%.c
	@mkdir -p $(@D)
	$(CC) $(STANDARD) $(CFLAGS) -MMD -MP -I. -fno-builtin -U_FORTIFY_SOURCE -pthread -rdynamic -fexceptions $(BOUND) -o $@ $<

# Its stacks have no room for the vector registers that the loader saves when it binds a function at its first call.
$(B)/tests/fixture/dispatch/stacks: BOUND = -Wl,-z,now

$(B)/tests/counted.o: tests/counted.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -I. -c -o $@ $<

$(B)/tests/%: tests/%.c $(B)/tests/counted.o $(B)/driver.a
	@mkdir -p $(@D)
	$(CC) $(DRIVER_CFLAGS) -I. -Itests -o $@ $< $(B)/tests/counted.o $(B)/driver.a -lcmocka $(DRIVER_LIBS)

# Parts of dispatch that need nothing of the rest are linked straight into its tests.
PURE := $(patsubst %,$(B)/shim/%.o,$(addprefix dispatch/,arch/x86_64/decode code/prove code/patch) filter/bpf filter/seal)
$(filter $(B)/tests/shim/dispatch/% $(B)/tests/shim/filter/%,$(TESTS)): $(B)/%: %.c $(B)/tests/counted.o $(PURE) | $(B)/libcount.so
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -I. -Ishim -Itests -o $@ $< $(B)/tests/counted.o $(PURE) -lcmocka

tests: $(TESTS) $(FIXTURES)  ## build the tests

-include $(addsuffix .d,$(TESTS) $(FIXTURES) $(B)/tests/counted)

RUN = CC='$(CC)' TOP='$(CURDIR)' RECKON='$(abspath $(B))/reckon' LIBCOUNT='$(abspath $(B))/libcount.so' \
	FIXTURES='$(abspath $(B))/tests/fixture' COUNTCALLS='$(CURDIR)/scripts/countcalls' tests/cli/run
# What depends on the system that it runs on: the library's tests, and the oracles.
LIBRARY_TESTS := $(filter $(B)/tests/shim/%,$(TESTS)) $(filter tests/cli/shim/% tests/cli/calls/%,$(CLI))

check: all tests  ## build everything and run every test
	@$(RUN) $(TESTS) $(CLI)

check-library: all tests  ## the tests of the library alone
	@$(RUN) $(LIBRARY_TESTS)

.PHONY: check check-library tests
