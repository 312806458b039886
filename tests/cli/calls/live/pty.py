"""Run a command on a terminal of its own and print the screens that it draws: pty.py ROWS COLUMNS STEP... -- COMMAND...

Steps: `wait TEXT` until TEXT is on the screen, `size ROWS COLUMNS`, `type KEYS`, `kill SIGNAL`, `show` prints the screen's
lines. At the end prints "status N" and whether the terminal is as it was. The screen is a plain one of 24 lines or more,
of which cursor positions, erasures and texts are understood."""
import fcntl
import os
import re
import select
import signal
import struct
import sys
import termios
import time


class Screen:
    def __init__(self, rows, columns):
        self.lines = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.rest = ""

    def resize(self, rows, columns):
        self.__init__(rows, columns)

    def put(self, character):
        if self.row < len(self.lines) and self.column < len(self.lines[0]):
            self.lines[self.row][self.column] = character
            self.column += 1

    def erase(self, row, start, end):
        for column in range(start, end):
            self.lines[row][column] = " "

    def sequence(self, numbers, final):
        first = int(numbers.split(";")[0] or 0) if numbers.replace(";", "").isdigit() or not numbers else 0
        width = len(self.lines[0])
        if final == "H":
            place = [int(n or 1) for n in (numbers or "1;1").split(";")] + [1]
            self.row, self.column = place[0] - 1, place[1] - 1
        elif final == "d":
            self.row = max(first, 1) - 1
        elif final == "G":
            self.column = max(first, 1) - 1
        elif final in "ABCD":
            distance = max(first, 1)
            self.row += {"A": -distance, "B": distance}.get(final, 0)
            self.column += {"C": distance, "D": -distance}.get(final, 0)
        elif final == "K":
            self.erase(self.row, self.column if first == 0 else 0, self.column + 1 if first == 1 else width)
        elif final == "J":
            if first == 0:
                self.erase(self.row, self.column, width)
            for row in range(self.row + 1 if first == 0 else 0, len(self.lines)):
                self.erase(row, 0, width)
        elif final == "X":
            self.erase(self.row, self.column, min(width, self.column + max(first, 1)))
        elif final == "b":
            for _ in range(first):
                self.put(self.lines[self.row][self.column - 1])
        elif final == "P":
            line, count = self.lines[self.row], max(first, 1)
            line[self.column:] = (line[self.column + count:] + [" "] * width)[:width - self.column]
        elif final == "@":
            line, count = self.lines[self.row], max(first, 1)
            line[self.column:] = ([" "] * count + line[self.column:])[:width - self.column]
        elif final in "LMST":
            sys.exit(f"a sequence that is not understood: {numbers}{final}")

    def feed(self, text):
        text = self.rest + text
        self.rest = ""
        while text:
            match = re.match(r"\x1b\[([0-9;?]*)([A-Za-z@])|\x1b[()][A-Z0-9]|\x1b[=>78M]", text)
            if match:
                if match.group(2):
                    self.sequence(match.group(1), match.group(2))
                text = text[match.end():]
                continue
            if text[0] == "\x1b" and len(text) < 16:
                self.rest = text
                return
            character, text = text[0], text[1:]
            if character == "\r":
                self.column = 0
            elif character == "\n":
                self.row = min(self.row + 1, len(self.lines) - 1)
            elif character == "\b":
                self.column = max(self.column - 1, 0)
            elif character >= " ":
                self.put(character)

    def text(self):
        return "\n".join("".join(line).rstrip() for line in self.lines).rstrip("\n")


def set_size(descriptor, rows, columns):
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def main():
    rows, columns = int(sys.argv[1]), int(sys.argv[2])
    split = sys.argv.index("--")
    steps, command = sys.argv[3:split], sys.argv[split + 1:]
    master, slave = os.openpty()
    set_size(slave, rows, columns)
    before = termios.tcgetattr(slave)
    child = os.fork()
    if child == 0:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for descriptor in range(3):
            os.dup2(slave, descriptor)
        os.execvp(command[0], command)
    screen = Screen(rows, columns)

    def read(seconds):
        ready, _, _ = select.select([master], [], [], seconds)
        if ready:
            screen.feed(os.read(master, 65536).decode("utf-8", "replace"))
        return bool(ready)

    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "wait":
            end = time.monotonic() + 120
            while rest not in screen.text():
                read(0.1)
                if time.monotonic() > end:
                    print(screen.text())
                    sys.exit(f"waited in vain for {rest!r}")
        elif word == "size":
            rows, columns = map(int, rest.split())
            screen.resize(rows, columns)
            set_size(master, rows, columns)
        elif word == "type":
            os.write(master, rest.encode())
        elif word == "kill":
            os.kill(child, getattr(signal, rest))
        elif word == "show":
            while read(0.2):
                pass
            print(screen.text())
        else:
            sys.exit(f"unknown step: {step}")
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        read(0.1)
    while read(0.1):
        pass
    print("status", os.waitstatus_to_exitcode(status))
    print("terminal", "as before" if termios.tcgetattr(slave) == before else "changed")


main()
