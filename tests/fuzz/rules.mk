# Included by the Makefile. $(B)/fuzz/NAME SECONDS mutates its seeds for so long; the first two are built with
# the sanitizers, from the sources. `make check` gives each a minute, side by side.
FUZZ_SANITIZED = $(B)/fuzz/rump $(B)/fuzz/gauss
FUZZ = $(FUZZ_SANITIZED) $(B)/fuzz/kernels
FUZZ_SECONDS = 60
FUZZ_FLAGS = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all

$(B)/fuzz/rump: tests/fuzz/rump.c $(filter driver/rump/%.c driver/common/%.c,$(SOURCES))
$(B)/fuzz/gauss: tests/fuzz/gauss.c $(filter driver/gauss/%.c driver/common/%.c,$(SOURCES)) $(RPC_PARTS:=.c)
$(FUZZ_SANITIZED): | $(RPC).h
	@mkdir -p $(@D)
	$(CC) $(STANDARD) $(FUZZ_FLAGS) -w $(filter -I%,$(DRIVER_CFLAGS)) -o $@ $^ $(DRIVER_LIBS)

# Optimised as the driver is: it compares the driver's own objects.
$(B)/fuzz/kernels: tests/fuzz/kernels.c $(B)/driver.a
	@mkdir -p $(@D)
	$(CC) $(DRIVER_CFLAGS) -o $@ $^ $(DRIVER_LIBS)

check: fuzz
fuzz: $(FUZZ)  ## mutate the seeds of parsers, of the server and of the vector code for FUZZ_SECONDS (60)
	@pids=; for program in $(FUZZ); do $$program $(FUZZ_SECONDS) & pids="$$pids $$!"; done; \
	for pid in $$pids; do wait $$pid || exit 1; done

.PHONY: fuzz
