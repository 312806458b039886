/* Programs that the library cannot be loaded into run undisturbed, and the report says that they were not counted. */
#include "counted.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STATIC "statically linked: no library can be loaded into it (--whole sees its system calls)"

/* Run by a counted shell: output as ever, nothing on standard error, and one note: `judged` is the file that it names. */
static void runs_uncounted(const char *program, const char *words, const char *judged, const char *note)
{
    const char *script = counted_format("%s %s; echo status $?", program, words);
    assert_same_as_native(SETUP(), "sh", "-c", script);
    struct counted run = RUN(SETUP(), "sh", "-c", script);
    const char *said = counted_note(&run, 0), *wanted = counted_format("%s: %s", judged, note);
    if (!said || strcmp(said, wanted) != 0)
        fail_msg("said: %s\nwanted: %s", said ? said : "nothing", wanted);
    assert_null(counted_note(&run, 1));
    assert_int_equal(run.table->notes[0].times, 1);
    assert_calls(&run, "lstat", 0);
    counted_free(&run);
}

static void a_static_program_is_named(void **state)
{
    (void)state;
    const char *program = counted_compiled("tests/fixture/endings.static", "endings", "-static");
    assert_non_null(program);
    runs_uncounted(program, "_exit", program, STATIC);
    runs_uncounted(program, "kill", program, STATIC);
}

static void a_program_of_another_libc_is_named_and_does_not_see_us(void **state)
{
    (void)state;
    char *folder = counted_folder(), *loader = counted_format("%s/linker64", folder);
    char *glibc = realpath("/lib64/ld-linux-x86-64.so.2", NULL);
    if (!glibc || symlink(glibc, loader) < 0)
        skip();  /* another machine */
    const char *program = counted_compiled("tests/fixture/endings.other", "endings",
                                           counted_format("-Wl,--dynamic-linker=%s", loader));
    assert_non_null(program);
    runs_uncounted(program, "return", program, "runs on another libc than glibc or musl (--whole sees its system calls)");
    counted_remove(folder);
    free(glibc);
}

static void a_script_is_judged_by_its_interpreter(void **state)
{
    (void)state;
    char *folder = counted_folder();
    char *script = counted_format("%s/script", folder);
    const char *program = counted_compiled("tests/fixture/endings.static", "endings", "-static");
    FILE *stream = fopen(script, "w");
    fprintf(stream, "#! %s return\n", program);
    fclose(stream);
    chmod(script, 0700);
    runs_uncounted(script, "", program, STATIC);
    counted_remove(folder);
}

static void a_program_that_gains_privileges_is_named(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();  /* it takes root to make one */
    char *folder = counted_folder();
    char *program = counted_format("%s/setuid", folder);
    chmod(folder, 0755);
    assert_int_equal(system(counted_format("cp %s %s && chown 65534 %s && chmod 4755 %s", FIXTURE("endings"), program,
                                           program, program)), 0);
    runs_uncounted(program, "return", program, "set-user-ID: the loader ignores LD_PRELOAD");
    counted_remove(folder);
}

/* Only the header of one: what the kernel and the shell say about it is the same. */
static void a_program_for_another_machine_is_named(void **state)
{
    (void)state;
    static const struct { unsigned char class; uint16_t machine; const char *note; } others[] = {
        { ELFCLASS32, EM_386, "a 32-bit program, and libcount.so is not (--whole sees its system calls)" },
        { ELFCLASS64, EM_PPC64, "a program for another machine (ELF machine 21)" },
    };
    for (int i = 0; i < 2; i++) {
        char *folder = counted_folder();
        char *program = counted_format("%s/foreign", folder);
        Elf64_Ehdr header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, others[i].class, ELFDATA2LSB, EV_CURRENT },
                              .e_type = ET_EXEC, .e_machine = others[i].machine, .e_version = EV_CURRENT };
        int descriptor = open(program, O_WRONLY | O_CREAT, 0700);
        assert_int_equal(write(descriptor, &header, sizeof header), sizeof header);
        close(descriptor);
        const char *script = counted_format("(exec %s) 2>&1; echo status $?", program);
        assert_same_as_native(SETUP(), "sh", "-c", script);
        struct counted run = RUN(SETUP(), "sh", "-c", script);
        assert_non_null(counted_note(&run, 0));
        assert_string_equal(counted_note(&run, 0), counted_format("%s: %s", program, others[i].note));
        counted_free(&run);
        counted_remove(folder);
    }
}

/* A root that becomes such a program reports before, because nothing of it will be there at the end. */
static void the_bare_root_reports_before_it_becomes_uncounted(void **state)
{
    (void)state;
    const char *program = counted_compiled("tests/fixture/endings.static", "endings", "-static");
    struct counted run = RUN(SETUP(.bare = true), "env", program, "_exit");
    assert_exit(&run, 3);
    assert_non_null(strstr(run.errors, counted_format("uncounted: %s: statically linked", program)));
    counted_free(&run);
    /* and not for one that is not executable after all */
    char *folder = counted_folder();
    char *copy = counted_format("%s/static", folder);
    assert_int_equal(system(counted_format("cp %s %s && chmod 600 %s", program, copy, copy)), 0);
    run = RUN(SETUP(.bare = true), "env", copy, "_exit");
    assert_exit(&run, 126);
    assert_null(strstr(run.errors, "statically"));
    assert_non_null(strstr(run.errors, "libcount: env"));
    counted_free(&run);
    counted_remove(folder);
}

/* AddressSanitizer insists on being the first library. */
static void a_program_with_AddressSanitizer_runs_and_is_counted(void **state)
{
    (void)state;
    const char *program = counted_compiled("tests/fixture/endings.asan", "endings", "gcc -O1 -fno-builtin -fsanitize=address");
    if (!program)
        skip();
    const char *script = counted_format("%s return; echo status $?", program);
    assert_same_as_native(SETUP(), "sh", "-c", script);
    struct counted run = RUN(SETUP(), "sh", "-c", script);
    assert_string_equal(run.output, "status 0\n");
    assert_calls(&run, "lstat", 23);
    counted_free(&run);
    run = RUN(SETUP(), "env", "-i", "ASAN_OPTIONS=exitcode=9", program, "_exit");
    assert_exit(&run, 3);
    assert_calls(&run, "lstat", 23);
    counted_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_static_program_is_named),
        cmocka_unit_test(a_program_of_another_libc_is_named_and_does_not_see_us),
        cmocka_unit_test(a_script_is_judged_by_its_interpreter),
        cmocka_unit_test(a_program_that_gains_privileges_is_named),
        cmocka_unit_test(a_program_for_another_machine_is_named),
        cmocka_unit_test(the_bare_root_reports_before_it_becomes_uncounted),
        cmocka_unit_test(a_program_with_AddressSanitizer_runs_and_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
