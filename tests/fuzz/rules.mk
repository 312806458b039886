# Included by the Makefile. Built with the sanitizers, from the sources: $(B)/fuzz/NAME SECONDS mutates its seeds for
# so long.
$(B)/fuzz/rump: tests/fuzz/rump.c $(wildcard driver/rump/*.c driver/common/*.c)
	@mkdir -p $(@D)
	$(CC) $(STANDARD) -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all $(filter -I%,$(DRIVER_CFLAGS)) -o $@ $^ $(DRIVER_LIBS)
