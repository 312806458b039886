/* Finding commands, and judging programs by files that the tests make up or find. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "shim/table/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/program-test.XXXXXX";

static int set_up(void **state)
{
    (void)state;
    return !mkdtemp(folder) || chdir(folder) || chmod(folder, 0755) || mkdir("empty", 0755) || mkdir("bin", 0755) ||
           mkdir("bin/folder", 0755);
}

static int tear_down(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") || system(command);
}

static void make_file(const char *path, const void *bytes, size_t size, mode_t mode)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    fclose(stream);
    assert_int_equal(chmod(path, mode), 0);
}

/* A program of this machine: its headers, and the name of its interpreter. */
struct made_up {
    Elf64_Ehdr header;
    Elf64_Phdr part[2];
    char interpreter[32];
};

static struct made_up made_up(const char *interpreter)
{
    struct made_up program = { .part = { { .p_type = PT_LOAD }, { .p_type = interpreter ? PT_INTERP : PT_NOTE } } };
    int file = open("/proc/self/exe", O_RDONLY);
    assert_int_equal(read(file, &program.header, sizeof program.header), sizeof program.header);
    close(file);
    program.header.e_phoff = offsetof(struct made_up, part);
    program.header.e_phnum = 2;
    program.part[1].p_offset = offsetof(struct made_up, interpreter);
    program.part[1].p_filesz = sizeof program.interpreter;
    if (interpreter)
        strcpy(program.interpreter, interpreter);
    return program;
}

#define GLIBC "/lib64/ld-linux-x86-64.so.2"

static void assert_judged_with(const char *path, char *const *arguments, enum program_verdict verdict, const char *said)
{
    struct program program;
    char room[512];
    struct text text = TEXT_IN(room);
    program_judge(&program, AT_FDCWD, path, arguments);
    assert_int_equal(program.verdict, verdict);
    assert_int_equal(program_refuses(&program, false), verdict > PROGRAM_MUSL);
    program_say(&text, &program);
    if (!strstr(text_end(&text), said))
        fail_msg("said: %s\nwanted: %s", room, said);
}

static void assert_judged(const char *path, enum program_verdict verdict, const char *said)
{
    assert_judged_with(path, NULL, verdict, said);
}

static void expect(const void *bytes, size_t size, enum program_verdict verdict, const char *said)
{
    make_file("bin/judged", bytes, size, 0755);
    assert_judged("bin/judged", verdict, said);
}

static void a_program_of_this_libc_loads(void **state)
{
    (void)state;
    struct made_up program = made_up(GLIBC);
    expect(&program, sizeof program, PROGRAM_LOADS, "bin/judged");
#ifdef __SANITIZE_ADDRESS__
    assert_judged("/proc/self/exe", PROGRAM_ASAN, "/proc/self/exe");
#else
    assert_judged("/proc/self/exe", PROGRAM_LOADS, "/proc/self/exe");
#endif
    assert_judged("/bin/ls", PROGRAM_LOADS, "/bin/ls");
    assert_judged("/nonexistent", PROGRAM_LOADS, "/nonexistent");
}

static void a_program_without_an_interpreter_is_static(void **state)
{
    (void)state;
    struct made_up program = made_up(NULL);
    expect(&program, sizeof program, PROGRAM_STATIC, "bin/judged: statically linked: no library can be loaded into it");
}

static void another_libc_is_said(void **state)
{
    (void)state;
    struct made_up program = made_up("/system/bin/linker64");
    expect(&program, sizeof program, PROGRAM_LIBC, "bin/judged: runs on another libc than glibc or musl");
}

static void musl_loads_the_library_too(void **state)
{
    (void)state;
    struct made_up program = made_up("/lib/ld-musl-x86_64.so.1");
    expect(&program, sizeof program, PROGRAM_MUSL, "bin/judged: runs on musl, where a whole run loads no library");
    struct program whole = { .verdict = PROGRAM_MUSL };
    assert_false(program_refuses(&whole, false) || program_strips(&whole, false));
    assert_true(program_refuses(&whole, true) && program_strips(&whole, true));
}

static void another_word_size_is_said(void **state)
{
    (void)state;
    struct made_up program = made_up(GLIBC);
    program.header.e_ident[EI_CLASS] = ELFCLASS32;
    expect(&program, sizeof program, PROGRAM_CLASS, "bin/judged: a 32-bit program, and libcount.so is not");
}

static void another_machine_is_said(void **state)
{
    (void)state;
    struct made_up program = made_up(GLIBC);
    program.header.e_machine = EM_VAX;
    expect(&program, sizeof program, PROGRAM_MACHINE, "bin/judged: a program for another machine (ELF machine 75)");
}

/* Program headers that do not stand in the first bytes, as patchelf leaves them. */
static void program_headers_may_stand_anywhere(void **state)
{
    (void)state;
    struct { struct made_up program; char gap[5000]; Elf64_Phdr part[2]; } far = { .program = made_up(NULL) };
    far.program.header.e_phoff = offsetof(__typeof__(far), part);
    far.part[0] = far.program.part[0];
    far.part[1] = made_up(GLIBC).part[1];
    strcpy(far.program.interpreter, GLIBC);
    expect(&far, sizeof far, PROGRAM_LOADS, "");
    far.part[1].p_type = PT_NOTE;
    expect(&far, sizeof far, PROGRAM_STATIC, "statically linked");
}

static void a_script_is_judged_by_its_interpreter(void **state)
{
    (void)state;
    struct made_up program = made_up(NULL);
    make_file("bin/static", &program, sizeof program, 0755);
    char script[] = "#! bin/static -x\necho\n", shell[] = "#!/bin/sh\n", none[] = "#!\n", text[] = "echo hello\n";
    expect(script, strlen(script), PROGRAM_STATIC, "bin/static: statically linked");
    expect(shell, strlen(shell), PROGRAM_LOADS, "/bin/sh");
    expect(none, strlen(none), PROGRAM_LOADS, "");
    expect(text, strlen(text), PROGRAM_LOADS, "/bin/sh");
    expect("", 0, PROGRAM_LOADS, "bin/judged");
}

static void scripts_that_name_each_other_come_to_an_end(void **state)
{
    (void)state;
    char script[] = "#!bin/judged\n";
    expect(script, strlen(script), PROGRAM_LOADS, "");
}

static void cut_and_senseless_files_do_no_harm(void **state)
{
    (void)state;
    struct made_up program = made_up(GLIBC);
    struct program judged;
    for (size_t size = 0; size < sizeof program; size++) {
        make_file("bin/judged", &program, size, 0755);
        program_judge(&judged, AT_FDCWD, "bin/judged", NULL);
    }
    program.header.e_phoff = UINT64_MAX - 10;
    expect(&program, sizeof program, PROGRAM_LOADS, "");
    program = made_up(GLIBC);
    program.header.e_phentsize = 1;
    expect(&program, sizeof program, PROGRAM_LOADS, "");
    program = made_up(GLIBC);
    program.part[1].p_offset = UINT64_MAX - 1;
    expect(&program, sizeof program, PROGRAM_LIBC, "");
}

/* ld.so is started by its name to run a program: what it runs is judged, for what a privileged file is worth there. */
static void ld_so_is_what_it_is_told_to_run(void **state)
{
    (void)state;
    struct made_up loader = made_up(NULL), program = made_up(NULL), other = made_up("/system/bin/linker64");
    make_file("bin/ld-linux-x86-64.so.2", &loader, sizeof loader, 0755);
    make_file("bin/static", &program, sizeof program, 0755);
    make_file("bin/other", &other, sizeof other, 0755);
    char *const alone[] = { "ld.so", NULL }, *const dynamic[] = { "ld.so", "/bin/ls", "bin/static", NULL };
    char *const after_options[] = { "ld.so", "--argv0", "bin/ls", "--inhibit-cache", "--library-path", "/x", "bin/static", NULL };
    char *const another[] = { "ld.so", "--preload", "bin/x", "bin/other", NULL }, *const open_end[] = { "ld.so", "--audit", NULL };
    char *const searched[] = { "ld.so", "static", NULL };
    const char *path = "bin/ld-linux-x86-64.so.2";
    assert_judged(path, PROGRAM_LOADS, path);
    assert_judged_with(path, alone, PROGRAM_LOADS, path);
    assert_judged_with(path, dynamic, PROGRAM_LOADS, "/bin/ls");
    assert_judged_with(path, after_options, PROGRAM_STATIC, "bin/static: statically");
    assert_judged_with(path, another, PROGRAM_LIBC, "bin/other: runs on another");
    assert_judged_with(path, open_end, PROGRAM_LOADS, path);
    assert_judged_with(path, searched, PROGRAM_LOADS, path);
    make_file("bin/ld-musl-x86_64.so.1", &loader, sizeof loader, 0755);
    assert_judged_with("bin/ld-musl-x86_64.so.1", after_options, PROGRAM_STATIC, "bin/static: statically");
    make_file("bin/ld-uClibc.so.1", &loader, sizeof loader, 0755);
    assert_judged_with("bin/ld-uClibc.so.1", dynamic, PROGRAM_LIBC, "another libc");
}

static void a_descriptor_stands_for_its_file(void **state)
{
    (void)state;
    struct made_up program = made_up(NULL);
    struct program judged;
    char room[512], expected[256];
    make_file("bin/static", &program, sizeof program, 0755);
    snprintf(expected, sizeof expected, "%s/bin/static: statically", folder);
    static const int ways[] = { O_RDONLY, O_PATH };
    for (size_t i = 0; i < 2; i++) {
        int descriptor = open("bin/static", ways[i]), bin = open("bin", O_PATH);
        struct text text = TEXT_IN(room);
        program_judge(&judged, descriptor, "", NULL);
        assert_int_equal(judged.verdict, PROGRAM_STATIC);
        program_say(&text, &judged);
        assert_int_equal(strncmp(text_end(&text), expected, strlen(expected)), 0);
        program_judge(&judged, bin, "static", NULL);
        assert_int_equal(judged.verdict, PROGRAM_STATIC);
        close(descriptor);
        close(bin);
    }
}

/* Judge in a child that has prepared itself so. */
static enum program_verdict judged_after(void (*prepare)(void), const char *path)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        struct program program;
        prepare();
        program_judge(&program, AT_FDCWD, path, NULL);
        _exit((int)program.verdict);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return (enum program_verdict)WEXITSTATUS(status);
}

static void nothing(void) { }
static void no_new_privileges(void) { prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
static void nobody(void) { if (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534)) _exit(99); }
static void nobody_without(void) { nobody(); no_new_privileges(); }
static void effectively_nobody(void) { if (seteuid(65534)) _exit(99); }
static void effectively_in_nogroup(void) { if (setegid(65534)) _exit(99); }

static void only_privilege_that_is_gained_keeps_the_library_out(void **state)
{
    (void)state;
    struct made_up program = made_up(GLIBC);
    if (geteuid() != 0)
        skip();  /* it takes root to make such files */
    make_file("bin/setuid", &program, sizeof program, 04755);
    make_file("bin/setgid", &program, sizeof program, 02755);
    make_file("bin/locking", &program, sizeof program, 02705);     /* not executable for its group: no set-group-ID */
    make_file("bin/other", &program, sizeof program, 0755);
    assert_int_equal(chown("bin/other", 65534, 65534) | chmod("bin/other", 06755), 0);
    assert_int_equal(judged_after(nothing, "bin/setuid"), PROGRAM_LOADS);          /* root's own */
    assert_int_equal(judged_after(nothing, "bin/other"), PROGRAM_SETUID);
    assert_int_equal(judged_after(nobody, "bin/setuid"), PROGRAM_SETUID);
    assert_int_equal(judged_after(nobody, "bin/setgid"), PROGRAM_SETGID);
    assert_int_equal(judged_after(nobody, "bin/locking"), PROGRAM_LOADS);
    assert_int_equal(judged_after(nobody, "bin/other"), PROGRAM_LOADS);
    assert_int_equal(judged_after(nobody_without, "bin/setuid"), PROGRAM_LOADS);
    assert_int_equal(judged_after(nobody_without, "bin/setgid"), PROGRAM_LOADS);
    assert_int_equal(judged_after(effectively_nobody, "/bin/ls"), PROGRAM_PRIVILEGED);
    assert_int_equal(judged_after(effectively_in_nogroup, "/bin/ls"), PROGRAM_PRIVILEGED);
    assert_int_equal(judged_after(effectively_nobody, "bin/setuid"), PROGRAM_LOADS);   /* it is root again */
}

/* The same question, asked of the loader itself: does it keep its variables? */
static void the_loader_agrees_about_effective_users(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    void (*const ways[])(void) = { nothing, effectively_nobody, effectively_in_nogroup, nobody, no_new_privileges };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            ways[i]();
            execle("/bin/sh", "sh", "-c", "test \"$LD_LIBRARY_PATH\"", NULL, (char *[]){ "LD_LIBRARY_PATH=/x", NULL });
            _exit(99);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(WEXITSTATUS(status) == 1, judged_after(ways[i], "/bin/sh") == PROGRAM_PRIVILEGED);
    }
}

static void assert_found(const char *name, const char *search, int number, const char *expected)
{
    char path[256];
    assert_int_equal(program_find(name, search, path, sizeof path), number);
    if (!number)
        assert_string_equal(path, expected);
}

static void a_name_is_searched_in_path(void **state)
{
    (void)state;
    make_file("bin/tool", "x", 1, 0755);
    make_file("bin/plain", "x", 1, 0644);
    static const char search[] = "/nonexistent:empty:bin";
    assert_found("tool", search, 0, "bin/tool");
    assert_found("nosuch", search, ENOENT, NULL);
    assert_found("plain", search, EACCES, NULL);
    assert_found("folder", search, EACCES, NULL);
    assert_found("", search, ENOENT, NULL);
    assert_found("sh", NULL, 0, "/bin/sh");
    char path[8];
    assert_int_equal(program_find("tool", search, path, sizeof path), ENOENT);     /* no room for "bin/tool" */
}

static void an_empty_entry_of_path_is_the_working_directory(void **state)
{
    (void)state;
    make_file("here", "x", 1, 0755);
    assert_found("here", "bin::empty", 0, "here");
    assert_found("here", "bin:", 0, "here");
    assert_found("here", "", 0, "here");
    assert_found("here", "bin", ENOENT, NULL);
}

static void a_name_with_a_slash_is_a_path(void **state)
{
    (void)state;
    make_file("bin/tool", "x", 1, 0755);
    assert_found("./bin/tool", "", 0, "./bin/tool");
    assert_found("./nosuch", "bin", ENOENT, NULL);
    assert_found("bin/folder", "", EACCES, NULL);
    assert_found("bin/tool/x", "", ENOTDIR, NULL);
}

/* Root may enter everything: look as somebody else, effectively, as exec does. */
static void a_folder_that_may_not_be_entered_holds_no_command(void **state)
{
    (void)state;
    char path[256];
    assert_int_equal(mkdir("closed", 0700), 0);
    make_file("closed/nosuch", "x", 1, 0755);
    make_file("bin/mine", "x", 1, 0700);
    assert_int_equal(chmod("closed", 0), 0);
    bool root = geteuid() == 0;
    assert_int_equal(root && seteuid(65534), 0);
    int closed = program_find("nosuch", "closed:bin", path, sizeof path), mine = program_find("mine", "bin", path, sizeof path);
    assert_int_equal(seteuid(getuid()), 0);
    assert_int_equal(chmod("closed", 0700), 0);
    assert_int_equal(closed, ENOENT);
    assert_int_equal(mine, root ? EACCES : 0);
}

static void text_is_told_from_programs(void **state)
{
    (void)state;
    struct made_up program = made_up(GLIBC);
    make_file("bin/binary", &program, sizeof program, 0755);
    make_file("bin/text", "echo hello\n", 11, 0755);
    make_file("bin/nothing", "", 0, 0755);
    assert_false(program_is_text("bin/binary"));
    assert_true(program_is_text("bin/text"));
    assert_true(program_is_text("bin/nothing"));
    assert_false(program_is_text("bin/absent"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_of_this_libc_loads),
        cmocka_unit_test(a_program_without_an_interpreter_is_static),
        cmocka_unit_test(musl_loads_the_library_too),
        cmocka_unit_test(another_libc_is_said),
        cmocka_unit_test(another_word_size_is_said),
        cmocka_unit_test(another_machine_is_said),
        cmocka_unit_test(program_headers_may_stand_anywhere),
        cmocka_unit_test(a_script_is_judged_by_its_interpreter),
        cmocka_unit_test(scripts_that_name_each_other_come_to_an_end),
        cmocka_unit_test(cut_and_senseless_files_do_no_harm),
        cmocka_unit_test(ld_so_is_what_it_is_told_to_run),
        cmocka_unit_test(a_descriptor_stands_for_its_file),
        cmocka_unit_test(only_privilege_that_is_gained_keeps_the_library_out),
        cmocka_unit_test(the_loader_agrees_about_effective_users),
        cmocka_unit_test(a_name_is_searched_in_path),
        cmocka_unit_test(an_empty_entry_of_path_is_the_working_directory),
        cmocka_unit_test(a_name_with_a_slash_is_a_path),
        cmocka_unit_test(a_folder_that_may_not_be_entered_holds_no_command),
        cmocka_unit_test(text_is_told_from_programs),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
