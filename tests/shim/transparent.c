/* Real commands give byte by byte the same output, error output and exit status with and without the library. */
#include "counted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *work;  /* a directory with files to work on; each command finds it as it was */

static void prepare(void)
{
    const char *script = counted_format(
        "cd %s && mkdir -p tree/a/b tree/c && for i in 1 2 3 4 5 6 7; do echo line $i >tree/a/file.$i; done && "
        "ln -s a tree/link && ln -s nowhere tree/broken && mkfifo tree/fifo && chmod 640 tree/a/file.3 && "
        "printf 'int main(void) { return 7; }\\n' >main.c && printf 'b 2\\na 1\\nc 3\\n' >words && "
        "printf 'all: x y\\nx:\\n\\t@echo x\\ny: x\\n\\t@echo y; sleep 0.01\\n' >Makefile && "
        "git init -q repository && cd repository && cp -r ../tree/a . && git add -A && "
        "git -c user.name=n -c user.email=e commit -qm first && echo more >>a/file.1 && touch new", work);
    if (system(script) != 0)
        fail_msg("the directory could not be prepared");
}

/* Whether the shell command is the same in each of three modes; `needs` is a program that may not be there. */
static void same(const char *needs, const char *command)
{
    if (needs && system(counted_format("command -v %s >/dev/null 2>&1", needs)) != 0) {
        print_message("%s is not installed: not tried\n", needs);
        return;
    }
    assert_same_as_native(SETUP(.folder = work), "sh", "-c", command);
    assert_same_as_native(SETUP(.folder = work, .flags = COUNTERS_CALLS | COUNTERS_TIME), "sh", "-c", command);
    assert_same_as_native(SETUP(.folder = work, .bare = true, .environment = ENVIRONMENT("LIBCOUNT_OUTPUT=/dev/null")),
                          "sh", "-c", command);
}

static void ls_and_its_kin(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "ls tree", "ls -l tree tree/a", "ls -1 tree", "ls -la --color=always tree", "ls -lR tree", "ls -i tree/a",
        "ls -l /nonexistent tree", "ls --nonsense", "find tree -type f -size -2 | sort", "find tree -name 'f*' -newer words",
        "find / -maxdepth 1 -xdev | sort", "du -a tree", "du -sh tree", "stat -c '%n %s %a' tree/a/*", "realpath tree/link",
        "readlink -f tree/broken", "df / | head -1", "cp -r tree copy && diff -r tree/a copy/a; rm -r copy", "cat tree/a/* nothing",
        "tar cf - tree | tar tvf -", "mktemp -u x.XXXX >/dev/null", "id -u; id -gn", "touch t && rm t", "dd if=words bs=3 2>/dev/null",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        same(NULL, commands[i]);
}

static void tools_for_text(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "sort words", "sort -r --parallel=2 words", "awk '{ s += $2 } END { print s }' words", "grep -rn line tree/a | sort",
        "sed -n 's/line/&!/p' tree/a/file.1", "wc -l words tree/a/*", "head -c 4 words", "uniq -c words", "cut -d' ' -f1 words",
        "xargs -n 1 echo <words", "tr a-z A-Z <words", "gzip -c words | gzip -dc", "yes | head -n 1000 | md5sum",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        same(NULL, commands[i]);
}

static void shells_and_languages(void **state)
{
    (void)state;
    same("bash", "bash -c 'x=$(ls tree 2>&1); echo \"$x\"; (exit 5); echo $?; cat < <(echo sub); echo ${PIPESTATUS[@]}'");
    same("bash", "bash -c 'kill -TERM $$'");
    same("bash", "bash -c 'trap \"echo trapped; exit 3\" USR1; kill -USR1 $$; sleep 5'");
    same("bash", "bash -c 'ulimit -n 20; exec 9</dev/null; ls /proc/self/fd | wc -l'");
    same("bash", "bash -c 'exec >&- 2>&-; echo lost'");
    same("python3", "python3 -c 'import os, sys; print(sorted(os.listdir(\"tree\")), os.stat(\"words\").st_size); sys.exit(4)'");
    same("python3", "python3 -c 'import subprocess; print(subprocess.run([\"ls\", \"tree\"], capture_output=True).stdout)'");
    same("python3", "python3 -c 'import threading; t = [threading.Thread(target=print, args=(i,)) for i in range(3)]; "
                    "[(x.start(), x.join()) for x in t]'");
    same("python3", "python3 -c 'import multiprocessing as m; print(m.Pool(2).map(abs, [-1, 2, -3]))'");
    same("python3", "python3 -c 'open(\"/nonexistent\")' 2>&1 | tail -1");
    same("perl", "perl -e 'opendir D, \"tree\"; print sort readdir D; print `ls tree`; exit 9'");
    same("node", "node -e 'const f = require(\"fs\"); console.log(f.readdirSync(\"tree\"), f.statSync(\"words\").size)'");
    same("node", "node -e 'require(\"fs\").readFile(\"words\", (e, d) => console.log(String(d)))'");
}

static void tools_of_programmers(void **state)
{
    (void)state;
    same("git", "cd repository && git status --porcelain && git log --format=%s && git diff && git ls-files -s");
    same("git", "git -C nowhere status");
    same("make", "make -j2 2>&1");
    same("gcc", "gcc -O1 -o made main.c && ./made; echo $?; rm made");
    same("gcc", "echo 'int x = ;' | gcc -c -x c -o /dev/null - 2>&1");
    same("gdb", "gdb --version | head -1");
    same("jq", "echo '{\"a\": [1, 2]}' | jq -c .a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ls_and_its_kin),
        cmocka_unit_test(tools_for_text),
        cmocka_unit_test(shells_and_languages),
        cmocka_unit_test(tools_of_programmers),
    };
    work = counted_folder();
    prepare();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    counted_remove(work);
    return failed;
}
