/* Programs into which the loader will not put the library. */
#include "exec/refusal.h"

#include "counters.h"
#include "report/report.h"
#include "table/kernel.h"
#include "table/program.h"

#include <unistd.h>

enum environment_kind refusal_judge(int folder, const char *path, char *const *arguments, bool in_place)
{
    if (!counters_table)
        return ENVIRONMENT_OURS;
    struct program program;
    char line[COUNTERS_NOTE_SIZE];
    struct text text = TEXT_IN(line);
    program_judge(&program, folder, path, arguments);
    enum environment_kind kind = program.verdict == PROGRAM_ASAN   ? ENVIRONMENT_ASAN
                                 : program.verdict >= PROGRAM_CLASS ? ENVIRONMENT_STRIPPED
                                                                    : ENVIRONMENT_OURS;
    if (program_refuses(&program))
        program_say(&text, &program);
    else if (!environment_reaches_table())
        text_put(&text, path, ": may not open the counters (another user, or another root directory)");
    else
        return kind;
    if (*path && kernel_failed(kernel_call(SYS_faccessat, folder, path, X_OK)))
        return kind;
    counters_say(text_end(&text));
    if (in_place && report_root)
        report_print(-1);
    return kind;
}
