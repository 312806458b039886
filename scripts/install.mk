# make install and uninstall: what goes where below DESTDIR. LIBDIR may be another place than PREFIX/lib; the rest is
# where Debian and Fedora look for it.
COMPLETIONS = $(addprefix $(B)/completion/,reckon _reckon reckon.fish)
ZSH = share/zsh/site-functions
LIBRARIES = libcount.so libcount-whole.so
# MODE:PLACE:FILE
FILES = 755:bin/reckon:$(B)/reckon 755:bin/countcalls:scripts/countcalls \
	644:share/man/man1/reckon.1:driver/reckon.1 644:share/man/man1/countcalls.1:scripts/countcalls.1 \
	644:share/man/man7/libcount.7:shim/libcount.7 \
	644:share/bash-completion/completions/reckon:$(B)/completion/reckon \
	644:share/bash-completion/completions/countcalls:$(B)/completion/reckon \
	644:$(ZSH)/_reckon:$(B)/completion/_reckon \
	644:share/fish/vendor_completions.d/reckon.fish:$(B)/completion/reckon.fish

$(B)/completion/reckon: SHELL_NAME = bash
$(B)/completion/_reckon: SHELL_NAME = zsh
$(B)/completion/reckon.fish: SHELL_NAME = fish
$(COMPLETIONS): $(B)/reckon scripts/completion scripts/completion.bash scripts/countcalls
	@mkdir -p $(@D)
	scripts/completion $(SHELL_NAME) $(B)/reckon scripts/countcalls >$@.new && mv $@.new $@

install: all $(COMPLETIONS)  ## install into PREFIX (/usr/local), below DESTDIR
	@for file in $(FILES); do \
		place="$${file#*:}" && install -D -m "$${file%%:*}" "$${file##*:}" "$(DESTDIR)$(PREFIX)/$${place%%:*}" || exit; \
	done
	install -d '$(DESTDIR)$(LIBDIR)/pkgconfig'
	install -m 644 $(LIBRARIES:%=$(B)/%) '$(DESTDIR)$(LIBDIR)'
	sed 's|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' scripts/libcount.pc >'$(DESTDIR)$(LIBDIR)/pkgconfig/libcount.pc'
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

uninstall:  ## remove exactly what install has put there
	@for file in $(FILES); do \
		place="$${file#*:}" && rm -f "$(DESTDIR)$(PREFIX)/$${place%%:*}" || exit; \
	done
	@for file in $(LIBRARIES) pkgconfig/libcount.pc; do rm -f "$(DESTDIR)$(LIBDIR)/$$file"; done
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

# The package's tree is built once more, with Debian's flags and for Debian's library folder.
DEB = $(abspath $(B))/deb
deb: $(COMPLETIONS)  ## build a Debian package in build/
	rm -rf '$(DEB)/root'
	$(MAKE) -s B='$(DEB)/objects' PREFIX=/usr LIBDIR="/usr/lib/$$(dpkg-architecture -q DEB_HOST_MULTIARCH)" \
		DESTDIR='$(DEB)/root' ZSH=share/zsh/vendor-completions CFLAGS="$$(dpkg-buildflags --get CFLAGS)" \
		LDFLAGS="$$(dpkg-buildflags --get LDFLAGS)" install
	@scripts/deb/build '$(VERSION)' '$(abspath $(B))'

# What only exists to be installed is tried, too.
check: $(COMPLETIONS) $(if $(wildcard /usr/bin/dpkg-shlibdeps),deb)
lint: lint-manuals
lint-manuals:
	shellcheck -s bash -e SC2030,SC2207 scripts/completion.bash
	! mandoc -T lint $(filter driver/% shim/% scripts/%.1,$(subst :, ,$(FILES))) 2>/dev/null | \
		grep -v 'referenced manual not found'

.PHONY: install uninstall deb lint-manuals
