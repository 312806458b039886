# Run by gdb (see oracle.c): counts the calls of the functions named in ORACLE_NAMES that come from outside libc and
# the loader, by a breakpoint at the first instruction of each. Prints a line "N name name" for each address: the names
# that share it, as stat and stat64 do.
import os
import subprocess

import gdb

hits = {}
last = (0, 0, 0)


class Entry(gdb.Breakpoint):
    def __init__(self, address):
        super().__init__("*%d" % address, internal=True)
        self.address = address
        hits[address] = 0

    # A function of libc that ends with a jump to another (fstat to fstatat) leaves it the same stack and caller.
    def stop(self):
        global last
        stack = int(gdb.parse_and_eval("(unsigned long)$sp"))
        caller = int(gdb.parse_and_eval("*(unsigned long *)$sp"))
        library = gdb.solib_name(caller) or ""
        jumped = last[0] != self.address and last[1:] == (stack, caller)
        if not jumped:
            last = (self.address, stack, caller)
        if not jumped and "/libc.so" not in library and "/ld-linux" not in library:
            hits[self.address] += 1
        return False


# The address and the file of the libc that is mapped.
def libc():
    for line in gdb.execute("info proc mappings", to_string=True).splitlines():
        words = line.split()
        if "/libc.so" in line and words[3] == "0x0":
            return int(words[0], 16), words[-1]
    return None


# The functions wanted, by address: gdb's own search could find the loader's.
def functions():
    base, path = libc()
    wanted, found = os.environ["ORACLE_NAMES"].split(), {}
    for line in subprocess.check_output(["nm", "-D", "--defined-only", path], text=True).splitlines():
        value, kind, symbol = line.split()
        name, _, version = symbol.partition("@")
        if name in wanted and kind in "TW" and version.startswith("@"):
            found.setdefault(base + int(value, 16), []).append(name)
    return found


gdb.execute("set confirm off")
gdb.execute("set debuginfod enabled off")
gdb.execute("set stop-on-solib-events 1")
gdb.execute("run")
while libc() is None:
    gdb.execute("continue")
gdb.execute("set stop-on-solib-events 0")
names = functions()
for address in names:
    Entry(address)
gdb.execute("continue")
with open(os.environ["ORACLE_OUTPUT"], "w") as output:
    for address, count in hits.items():
        output.write("%d %s\n" % (count, " ".join(names[address])))
