/* Finding commands, and judging files by their headers, which the tests make up. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/calls/measure/executable.h"
#include "driver/common/memory.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/executable-test.XXXXXX";

static int set_up(void **state)
{
    (void)state;
    return !mkdtemp(folder) || chdir(folder) || mkdir("empty", 0755) || mkdir("bin", 0755) || mkdir("bin/folder", 0755);
}

static int tear_down(void **state)
{
    (void)state;
    char *command = memory_format("rm -rf %s", folder);
    int status = chdir("/") || system(command);
    free(command);
    return status;
}

static void make_file(const char *path, const void *bytes, size_t size, mode_t mode)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    fclose(stream);
    assert_int_equal(chmod(path, mode), 0);
}

/* The header and program headers of a program of this machine, static or not, for the tests to alter. */
struct program {
    Elf64_Ehdr header;
    Elf64_Phdr part[2];
};

static struct program made_up(bool interpreted)
{
    struct program program = { .part = { { .p_type = PT_LOAD }, { .p_type = interpreted ? PT_INTERP : PT_NOTE } } };
    int file = open("/proc/self/exe", O_RDONLY);
    assert_int_equal(read(file, &program.header, sizeof program.header), sizeof program.header);
    close(file);
    program.header.e_phoff = sizeof program.header;
    program.header.e_phnum = 2;
    return program;
}

/* What is said of a file with these bytes must contain `expected`; NULL: nothing is said. */
static void expect(const void *bytes, size_t size, const char *expected)
{
    make_file("bin/judged", bytes, size, 0755);
    char *obstacle = executable_obstacle("bin/judged");
    if (expected) {
        assert_non_null(obstacle);
        assert_non_null(strstr(obstacle, expected));
    } else {
        assert_null(obstacle);
    }
    free(obstacle);
}

static void a_dynamic_program_is_no_problem(void **state)
{
    (void)state;
    struct program program = made_up(true);
    expect(&program, sizeof program, NULL);
    assert_null(executable_obstacle("/proc/self/exe"));
}

static void a_program_without_an_interpreter_is_static(void **state)
{
    (void)state;
    struct program program = made_up(false);
    expect(&program, sizeof program, "bin/judged: statically linked");
}

static void the_loader_itself_preloads(void **state)
{
    (void)state;
    struct program program = made_up(false);
    make_file("bin/ld-linux.so.2", &program, sizeof program, 0755);
    assert_null(executable_obstacle("bin/ld-linux.so.2"));
}

static void another_word_size_is_said(void **state)
{
    (void)state;
    struct program program = made_up(true);
    program.header.e_ident[EI_CLASS] = ELFCLASS32;
    expect(&program, sizeof program, "bin/judged: a 32-bit program");
}

static void another_machine_is_said(void **state)
{
    (void)state;
    struct program program = made_up(true);
    program.header.e_machine = EM_VAX;
    expect(&program, sizeof program, "bin/judged: a program for another machine (ELF machine 75)");
}

static void a_script_is_judged_by_its_interpreter(void **state)
{
    (void)state;
    struct program program = made_up(false);
    make_file("bin/static", &program, sizeof program, 0755);
    char script[] = "#! bin/static -x\necho\n", other[] = "#!/bin/sh\n", none[] = "#!\n";
    expect(script, strlen(script), "bin/static: statically linked");
    expect(other, strlen(other), NULL);
    expect(none, strlen(none), NULL);
}

static void scripts_that_name_each_other_come_to_an_end(void **state)
{
    (void)state;
    char script[] = "#!bin/judged\n";
    expect(script, strlen(script), NULL);
}

static void cut_and_senseless_files_do_no_harm(void **state)
{
    (void)state;
    struct program program = made_up(true);
    for (size_t size = 0; size < sizeof program; size++) {
        make_file("bin/judged", &program, size, 0755);
        free(executable_obstacle("bin/judged"));
    }
    program.header.e_phoff = UINT64_MAX - 10;
    expect(&program, sizeof program, NULL);
    program = made_up(true);
    program.header.e_phentsize = 1;
    expect(&program, sizeof program, NULL);
    assert_null(executable_obstacle("/nonexistent"));
}

static void a_name_is_searched_in_path(void **state)
{
    (void)state;
    char *path = NULL;
    make_file("bin/tool", "x", 1, 0755);
    make_file("bin/plain", "x", 1, 0644);
    setenv("PATH", "/nonexistent:empty:bin", 1);
    assert_int_equal(executable_find("tool", &path), 0);
    assert_string_equal(path, "bin/tool");
    free(path);
    assert_int_equal(executable_find("nosuch", &path), ENOENT);
    assert_int_equal(executable_find("plain", &path), EACCES);
    assert_int_equal(executable_find("folder", &path), EACCES);
    assert_int_equal(executable_find("", &path), ENOENT);
}

static void a_folder_that_may_not_be_entered_holds_no_command(void **state)
{
    (void)state;
    char *path = NULL;
    assert_int_equal(mkdir("closed", 0700), 0);
    make_file("closed/nosuch", "x", 1, 0755);
    assert_int_equal(chmod("closed", 0), 0);
    setenv("PATH", "closed:bin", 1);
    if (geteuid() == 0) {   /* root may enter everything: look as somebody else */
        assert_int_equal(chmod(folder, 0755), 0);
        assert_int_equal(seteuid(65534), 0);
    }
    int number = executable_find("nosuch", &path);
    assert_int_equal(seteuid(getuid()), 0);
    assert_int_equal(chmod("closed", 0700), 0);
    assert_int_equal(number, ENOENT);
}

static void an_empty_entry_of_path_is_the_working_directory(void **state)
{
    (void)state;
    char *path = NULL;
    make_file("here", "x", 1, 0755);
    setenv("PATH", "bin::empty", 1);
    assert_int_equal(executable_find("here", &path), 0);
    assert_string_equal(path, "here");
    free(path);
}

static void a_name_with_a_slash_is_a_path(void **state)
{
    (void)state;
    char *path = NULL;
    make_file("bin/tool", "x", 1, 0755);
    setenv("PATH", "", 1);
    assert_int_equal(executable_find("./bin/tool", &path), 0);
    assert_string_equal(path, "./bin/tool");
    free(path);
    assert_int_equal(executable_find("./nosuch", &path), ENOENT);
    assert_int_equal(executable_find("bin/folder", &path), EACCES);
    assert_int_equal(executable_find("bin/tool/x", &path), ENOTDIR);
}

static void text_is_told_from_programs(void **state)
{
    (void)state;
    struct program program = made_up(true);
    make_file("bin/binary", &program, sizeof program, 0755);
    make_file("bin/text", "echo hello\n", 11, 0755);
    make_file("bin/nothing", "", 0, 0755);
    assert_false(executable_is_text("bin/binary"));
    assert_true(executable_is_text("bin/text"));
    assert_true(executable_is_text("bin/nothing"));
    assert_false(executable_is_text("bin/absent"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dynamic_program_is_no_problem),
        cmocka_unit_test(a_program_without_an_interpreter_is_static),
        cmocka_unit_test(the_loader_itself_preloads),
        cmocka_unit_test(another_word_size_is_said),
        cmocka_unit_test(another_machine_is_said),
        cmocka_unit_test(a_script_is_judged_by_its_interpreter),
        cmocka_unit_test(scripts_that_name_each_other_come_to_an_end),
        cmocka_unit_test(cut_and_senseless_files_do_no_harm),
        cmocka_unit_test(a_name_is_searched_in_path),
        cmocka_unit_test(a_folder_that_may_not_be_entered_holds_no_command),
        cmocka_unit_test(an_empty_entry_of_path_is_the_working_directory),
        cmocka_unit_test(a_name_with_a_slash_is_a_path),
        cmocka_unit_test(text_is_told_from_programs),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
