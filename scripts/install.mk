# make install and uninstall: what goes where below DESTDIR.
LIBRARIES = libcount.so libcount-whole.so

install: all  ## install into PREFIX (/usr/local), below DESTDIR
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(LIBDIR)'
	install -m 755 $(B)/reckon scripts/countcalls '$(DESTDIR)$(PREFIX)/bin'
	install -m 644 $(LIBRARIES:%=$(B)/%) '$(DESTDIR)$(LIBDIR)'
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

uninstall:  ## remove exactly what install has put there
	cd '$(DESTDIR)$(PREFIX)/bin' && rm -f reckon countcalls
	cd '$(DESTDIR)$(LIBDIR)' && rm -f $(LIBRARIES)
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

.PHONY: install uninstall

# One version, which both programs tell.
VERSION = $(shell sed -n 's/^version=//p' scripts/countcalls)
$(B)/driver/main.o: DRIVER_CFLAGS += -DVERSION='"$(VERSION)"'
$(B)/driver/main.o: scripts/countcalls
