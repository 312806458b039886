/* What the library exports: for each row of calls.def a jump to where its calls go. That is the wrapper where the next
 * function of the name is libc's, and otherwise that function, with all registers and the stack as they came: a name is no
 * prototype. The first call of each finds out. */
#if defined(__x86_64__)
#define PAST(name) jmp *entries_targets + 8 * number(%rip)
#define ASK push $number; .cfi_adjust_cfa_offset 8; jmp first
#elif defined(__aarch64__)
#define PAST(name) adrp x16, entries_targets + 8 * number; ldr x16, [x16, :lo12:entries_targets + 8 * number]; br x16
#define ASK mov x17, number; b first
#endif

    .text
    .set    number, 0

.macro ENTRY name
    .globl  \name
    .type   \name, %function
    .balign 16
\name:
    .cfi_startproc
    PAST(\name)
.Lfirst\@:
    ASK
    .cfi_endproc
    .size   \name, . - \name
    .pushsection .data.rel.entries, "aw", %progbits
    .quad   .Lfirst\@
    .popsection
    .pushsection .data.rel.ro.entries, "aw", %progbits
    .quad   wrapped_\name
    .popsection
    .set    number, number + 1
.endm

    .pushsection .data.rel.entries, "aw", %progbits
    .globl  entries_targets
    .hidden entries_targets
    .balign 8
entries_targets:
    .popsection
    .pushsection .data.rel.ro.entries, "aw", %progbits
    .globl  entries_wrappers
    .hidden entries_wrappers
    .balign 8
entries_wrappers:
    .popsection

/* Only general registers are saved: C is built without the others. */
    .type   first, %function
    .balign 16
first:
    .cfi_startproc
#if defined(__x86_64__)
    .cfi_def_cfa_offset 16
.irp register, rax, rdi, rsi, rdx, rcx, r8, r9, r10
    push    %\register
    .cfi_adjust_cfa_offset 8
.endr
    mov     64(%rsp), %rdi
    call    entries_find
    mov     %rax, %r11
.irp register, r10, r9, r8, rcx, rdx, rsi, rdi, rax
    pop     %\register
    .cfi_adjust_cfa_offset -8
.endr
    add     $8, %rsp
    .cfi_adjust_cfa_offset -8
    jmp     *%r11
#elif defined(__aarch64__)
    stp     x29, x30, [sp, #-96]!
    .cfi_def_cfa_offset 96
    .cfi_offset 29, -96
    .cfi_offset 30, -88
    stp     x0, x1, [sp, #16]
    stp     x2, x3, [sp, #32]
    stp     x4, x5, [sp, #48]
    stp     x6, x7, [sp, #64]
    str     x8, [sp, #80]
    mov     x0, x17
    bl      entries_find
    mov     x16, x0
    ldr     x8, [sp, #80]
    ldp     x6, x7, [sp, #64]
    ldp     x4, x5, [sp, #48]
    ldp     x2, x3, [sp, #32]
    ldp     x0, x1, [sp, #16]
    ldp     x29, x30, [sp], #96
    .cfi_restore 29
    .cfi_restore 30
    .cfi_def_cfa_offset 0
    br      x16
#endif
    .cfi_endproc
    .size   first, . - first

#define CALL(family, result, name, parameters, arguments, failed) ENTRY name
#include "table/calls.def"

    .section .note.GNU-stack, "", %progbits
