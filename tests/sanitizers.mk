# Included by the Makefile: the driver, its tests and the pure parts of the library under AddressSanitizer and UBSan, the
# counters under ThreadSanitizer, the driver under valgrind.
SANITIZED := $(abspath $(B))/sanitized
THREADED := $(abspath $(B))/threaded
# The tests that run no program under the library. Those that limit memory or files are left out: sanitizers need much.
PURE_TESTS := $(filter-out %/memory.c %/lifetime.c,\
	$(filter tests/driver/%.c tests/shim/table/%.c tests/shim/dispatch/arch/%.c,$(SOURCES))) \
	tests/shim/dispatch/code/patch.c tests/shim/counters.c
SANITIZED_TESTS := $(PURE_TESTS:%.c=$(SANITIZED)/%)
# Nor does one that limits memory, nor one that starts reckon itself with another library before it.
SANITIZED_CLI := $(filter-out %/rump/bad-input.sh %/run/transparent.sh,$(filter tests/cli/calls/% tests/cli/gauss/% tests/cli/rump/% \
	tests/cli/merge%,$(CLI)))

$(B)/tests/sanitizers.o: tests/sanitizers.c
	@mkdir -p $(@D)
	$(CC) $(STANDARD) -c -o $@ $<

check-sanitizers: all tests $(B)/tests/sanitizers.o  ## the driver and what is pure, by ASan, UBSan, TSan and valgrind
	@$(MAKE) -s B='$(SANITIZED)' CFLAGS='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all' LIBRARY= \
		LDFLAGS='$(abspath $(B))/tests/sanitizers.o' '$(SANITIZED)/reckon' $(SANITIZED_TESTS)
	@cp $(B)/libcount.so $(B)/libcount-whole.so '$(SANITIZED)'
	@$(call run,$(B)) $(SANITIZED_TESTS)
	@$(call run,$(SANITIZED)) $(SANITIZED_CLI)
	@$(MAKE) -s B='$(THREADED)' CFLAGS='-O1 -g -fsanitize=thread' LIBRARY= '$(THREADED)/tests/shim/counters'
	@$(call run,$(B)) '$(THREADED)/tests/shim/counters'

.PHONY: check-sanitizers
