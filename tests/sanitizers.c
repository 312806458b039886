/* Linked into programs that AddressSanitizer watches: its settings, without a variable that their commands would see. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0:allocator_may_return_null=1";
}
