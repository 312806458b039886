# Included by the Makefile: what rpcgen makes of gauss.x (header, XDR routines, client's stubs, server's dispatcher), and
# the scripts that sides.c embeds.
.DEFAULT_GOAL = all  # this file is read before the rule
RPC = $(B)/driver/gauss/rpc/gauss
RPC_PARTS = $(RPC)_xdr $(RPC)_clnt $(RPC)_svc
DRIVER += $(RPC_PARTS:=.o)

$(RPC).h: rpcgen = -h
$(RPC)_xdr.c: rpcgen = -c
$(RPC)_clnt.c: rpcgen = -l
$(RPC)_svc.c: rpcgen = -m
$(RPC).h $(RPC_PARTS:=.c): driver/gauss/rpc/gauss.x
	@mkdir -p $(@D)
	(cd $(<D) && rpcgen -N -M $(rpcgen) $(<F)) >$@ || { rm -f $@; false; }

$(RPC_PARTS:=.o): %.o: %.c
	$(CC) $(DRIVER_CFLAGS) -w -c -o $@ $<

$(DRIVER): | $(RPC).h
$(B)/driver/gauss/pairs/sides.o: $(wildcard driver/gauss/pairs/peers/*.pl)
