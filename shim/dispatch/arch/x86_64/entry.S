/* Ways into and out of a counted system call, and into the program's signal handlers. README.md explains why each step
 * is as it is.
 *
 * The program's stack while C runs for one of its calls, higher addresses first:
 *
 *     rsp at the site ->  ...                     the program's
 *                         RED_ZONE bytes          the program's, too: its functions may use them
 *                         struct frame            FRAME_SIZE bytes: registers, number, where the site goes on
 *     rbx, rsp --------->
 *                         what C uses             aligned to 16
 *
 * A signal may strike at any instruction. REGION says from where on what a handler has to be shown, and how the way
 * back is found: keep/shown.c reads the table that it makes. */
#include "dispatch/frame.h"

    .text

/* From here to the next: a row of dispatch_regions. \behind: the call has been made; \info: r11 is slot_info. */
.macro REGION kind, behind=0, info=0
.Lregion\@:
    .pushsection .rodata.regions, "a", @progbits
    .long   .Lregion\@ - .
    .byte   \kind, \behind, \info, 0
    .popsection
.endm

    .pushsection .rodata.regions, "a", @progbits
    .balign 4
    .globl  dispatch_regions, dispatch_regions_end
    .hidden dispatch_regions, dispatch_regions_end
dispatch_regions:
    .popsection

/* Save what the kernel would keep but C does not, on the program's stack below its red zone, and what C keeps in places
 * that a handler cannot know. \where is what r11 holds: FRAME_BACK or FRAME_INFO. */
.macro SAVE where, behind, info
    REGION  REGION_PLAIN, \behind, \info
    lea     -(RED_ZONE + FRAME_SIZE)(%rsp), %rsp
    .cfi_def_cfa_offset RED_ZONE + FRAME_SIZE
    REGION  REGION_LOWERED, \behind, \info
    mov     %r11, \where(%rsp)
    pushfq
    .cfi_adjust_cfa_offset 8
    REGION  REGION_PUSHED, \behind, \info
    popq    FRAME_FLAGS(%rsp)
    .cfi_adjust_cfa_offset -8
    REGION  REGION_LOWERED, \behind, \info
    mov     %rbx, FRAME_RBX(%rsp)
    .cfi_offset %rbx, FRAME_RBX - RED_ZONE - FRAME_SIZE
    mov     %rax, FRAME_RAX(%rsp)
    mov     %rdi, FRAME_RDI(%rsp)
    mov     %rsi, FRAME_RSI(%rsp)
    mov     %rdx, FRAME_RDX(%rsp)
    mov     %r10, FRAME_R10(%rsp)
    mov     %r8, FRAME_R8(%rsp)
    mov     %r9, FRAME_R9(%rsp)
    mov     %rbp, FRAME_RBP(%rsp)
    mov     %r12, FRAME_R12(%rsp)
    mov     %r13, FRAME_R13(%rsp)
    mov     %r14, FRAME_R14(%rsp)
    mov     %r15, FRAME_R15(%rsp)
    movq    $0, FRAME_KEPT(%rsp)
    movq    $0, FRAME_RESUMED(%rsp)
    REGION  REGION_KEPT, \behind, \info
    .if     \info
    mov     INFO_BACK(%r11), %rbx
    mov     %rbx, FRAME_BACK(%rsp)
    .endif
    mov     %rsp, %rbx
    .cfi_def_cfa_register %rbx
    REGION  REGION_RBX, \behind
    .cfi_offset %rip, FRAME_BACK - RED_ZONE - FRAME_SIZE
    cld
.endm

/* Run a C function with the frame as its argument and an aligned stack; dispatch_current says meanwhile which frame,
 * and by its lowest bit whether the call was made. */
.macro RUN function, behind
    mov     dispatch_current@gottpoff(%rip), %rcx
    lea     \behind(%rbx), %rdi
    mov     %rdi, %fs:(%rcx)
    mov     %rbx, %rdi
    and     $-16, %rsp
    call    \function
    mov     %rbx, %rsp
    mov     dispatch_current@gottpoff(%rip), %rcx
    mov     FRAME_RESUMED(%rbx), %rdi
    mov     %rdi, %fs:(%rcx)
.endm

.macro LOAD
    mov     FRAME_RDI(%rbx), %rdi
    mov     FRAME_RSI(%rbx), %rsi
    mov     FRAME_RDX(%rbx), %rdx
    mov     FRAME_R10(%rbx), %r10
    mov     FRAME_R8(%rbx), %r8
    mov     FRAME_R9(%rbx), %r9
    mov     FRAME_RAX(%rbx), %rax
.endm

/* The program's registers, flags and stack; r11 and rcx stay free, as after any system call. */
.macro RESTORE behind
    LOAD
    pushq   FRAME_FLAGS(%rbx)
    popfq
    mov     FRAME_RBX(%rsp), %rbx
    .cfi_def_cfa %rsp, RED_ZONE + FRAME_SIZE
    .cfi_restore %rbx
    REGION  REGION_RSP, \behind
.endm

/* To the program, behind its site. */
.macro LEAVE
    mov     FRAME_BACK(%rsp), %rcx
    lea     RED_ZONE + FRAME_SIZE(%rsp), %rsp
    .cfi_def_cfa %rsp, 0
    .cfi_register %rip, %rcx
    REGION  REGION_RCX, 1
    jmp     *%rcx
.endm

/* To a stub: \where in the frame says to which instruction. */
.macro LEAVE_TO where
    mov     \where(%rsp), %r11
    mov     FRAME_BACK(%rsp), %rcx
    lea     RED_ZONE + FRAME_SIZE(%rsp), %rsp
    .cfi_def_cfa %rsp, 0
    .cfi_register %rip, %rcx
    REGION  REGION_R11
    jmp     *%r11
.endm

/* Any call of any site: r11 is where the program goes on. */
    .globl  dispatch_full, dispatch_full_called
    .hidden dispatch_full, dispatch_full_called
    .type   dispatch_full, @function
dispatch_full:
    .cfi_startproc
    .cfi_signal_frame
    .cfi_def_cfa %rsp, 0
    .cfi_register %rip, %r11
    SAVE    FRAME_BACK, 0, 0
    RUN     dispatch_enter, 0
    cmp     $ENTER_DONE, %rax
    je      2f
    ja      3f
    LOAD
    syscall
dispatch_full_called:
    REGION  REGION_RBX, 1
    mov     %rax, FRAME_RAX(%rbx)
    RUN     dispatch_leave, 1
2:  .cfi_remember_state
    RESTORE 1
    mov     FRAME_FLAGS(%rsp), %r11
    LEAVE
3:  .cfi_restore_state
    REGION  REGION_RBX, 0
    mov     %rax, FRAME_INFO(%rbx)
    RESTORE 0
    LEAVE_TO FRAME_INFO
    .cfi_endproc
    .size   dispatch_full, . - dispatch_full

/* rt_sigreturn: it has to find the stack pointer as the program had it, and never comes back. */
    .globl  dispatch_return
    .hidden dispatch_return
    .type   dispatch_return, @function
dispatch_return:
    .cfi_startproc
    .cfi_signal_frame
    .cfi_def_cfa %rsp, 0
    .cfi_register %rip, %rcx
    syscall
    ud2
    .cfi_endproc
    .size   dispatch_return, . - dispatch_return

/* A call that returns twice: its `syscall` stands in its stub, with the stack pointer and all registers as the
 * program had them. r11 is the stub's slot_info in these two; .cfi: the program goes on at *r11. */
    .globl  dispatch_before
    .hidden dispatch_before
    .type   dispatch_before, @function
dispatch_before:
    .cfi_startproc
    .cfi_signal_frame
    .cfi_def_cfa %rsp, 0
    .cfi_escape 0x16, 16, 3, 0x7b, INFO_BACK, 0x06       /* rip: deref(r11 + INFO_BACK) */
    SAVE    FRAME_INFO, 0, 1
    RUN     dispatch_before_call, 0
    mov     %rax, FRAME_NUMBER(%rbx)
    RESTORE 0
    LEAVE_TO FRAME_NUMBER
    .cfi_endproc
    .size   dispatch_before, . - dispatch_before

/* rcx: what the new task shares. */
    .globl  dispatch_after
    .hidden dispatch_after
    .type   dispatch_after, @function
dispatch_after:
    .cfi_startproc
    .cfi_signal_frame
    .cfi_def_cfa %rsp, 0
    .cfi_escape 0x16, 16, 3, 0x7b, INFO_BACK, 0x06
    SAVE    FRAME_INFO, 1, 1
    mov     %rcx, FRAME_NUMBER(%rbx)
    RUN     dispatch_after_call, 1
    RESTORE 1
    mov     FRAME_FLAGS(%rsp), %r11
    LEAVE
    .cfi_endproc
    .size   dispatch_after, . - dispatch_after

/* A plain stub saw a result between -65536 and -1: count it where it is an error, -4095 to -1. r11: slot_info. Errors are
 * rare, so C may look up which one it is. */
    .globl  dispatch_error
    .hidden dispatch_error
    .type   dispatch_error, @function
dispatch_error:
    .cfi_startproc
    .cfi_signal_frame
    .cfi_def_cfa %rsp, 0
    .cfi_escape 0x16, 16, 3, 0x7b, INFO_BACK, 0x06
    REGION  REGION_PLAIN, 1, 1
    lea     -RED_ZONE(%rsp), %rsp
    .cfi_adjust_cfa_offset RED_ZONE
    REGION  REGION_ERROR, 1, 1
    pushfq
    .cfi_adjust_cfa_offset 8
    REGION  REGION_ERROR_PUSHED, 1, 1
    cmp     $-4095, %rax
    jae     1f
    popfq
    .cfi_remember_state
    .cfi_adjust_cfa_offset -8
    REGION  REGION_ERROR, 1, 1
    lea     RED_ZONE(%rsp), %rsp
    .cfi_adjust_cfa_offset -RED_ZONE
    REGION  REGION_PLAIN, 1, 1
    mov     INFO_BACK(%r11), %rcx
    .cfi_register %rip, %rcx
    REGION  REGION_RCX, 1
    jmp     *%rcx
1:  .cfi_restore_state
    REGION  REGION_ERROR_PUSHED, 1, 1
    popfq
    .cfi_adjust_cfa_offset -8
    REGION  REGION_ERROR, 1, 1
    lea     RED_ZONE(%rsp), %rsp
    .cfi_adjust_cfa_offset -RED_ZONE
    SAVE    FRAME_INFO, 1, 1
    RUN     dispatch_failed, 1
    RESTORE 1
    mov     FRAME_FLAGS(%rsp), %r11
    LEAVE
    .cfi_endproc
    .size   dispatch_error, . - dispatch_error

/* The stub of an int $0x80 has made its call; as dispatch_error. The stub has saved what this uses. */
    .globl  dispatch_error_i386
    .hidden dispatch_error_i386
    .type   dispatch_error_i386, @function
dispatch_error_i386:
    .cfi_startproc
    REGION  REGION_I386, 1, 1
    cmp     $-4095, %rax
    jae     1f
    ret
1:  REGION  REGION_NONE
    .irp    register, rbp, rax, rdi, rsi, rdx, r8, r9, r10
    push    %\register
    .cfi_adjust_cfa_offset 8
    .endr
    mov     %rsp, %rbp
    .cfi_def_cfa_register %rbp
    and     $-16, %rsp
    cld
    mov     %r11, %rdi
    mov     %rax, %rsi
    call    dispatch_failed_i386
    mov     %rbp, %rsp
    .cfi_def_cfa_register %rsp
    .irp    register, r10, r9, r8, rdx, rsi, rdi, rax, rbp
    pop     %\register
    .cfi_adjust_cfa_offset -8
    .endr
    ret
    .cfi_endproc
    .size   dispatch_error_i386, . - dispatch_error_i386

/* What the SIGSYS handler returns to: libc's own stands outside the range that dispatch lets pass. No unwind
 * information on purpose: unwinders and debuggers know a signal frame by exactly these bytes. */
    .globl  dispatch_restorer
    .hidden dispatch_restorer
    .type   dispatch_restorer, @function
dispatch_restorer:
    mov     $15, %rax
    syscall
    ud2         /* dispatch compares the address behind the instruction: it must not be the last of the range */
    .size   dispatch_restorer, . - dispatch_restorer

/* The same where dispatch was off while the program's handler ran. */
    .globl  dispatch_restorer_on
    .hidden dispatch_restorer_on
    .type   dispatch_restorer_on, @function
dispatch_restorer_on:
    movb    $1, arm_selector(%rip)
    mov     $15, %rax
    syscall
    ud2
    .size   dispatch_restorer_on, . - dispatch_restorer_on

/* Gates: the kernel knows one for each handler of the program's, which gates.c keeps. A gate enters its handler as the
 * kernel would, on the program's stack and with a context that shows the program's own code. */
    .balign 16
    .globl  dispatch_gates
    .hidden dispatch_gates
dispatch_gates:
    REGION  REGION_GATE
    .set    gate, 0
    .rept   GATES
    .balign 16
    mov     $gate, %r11d
    jmp     dispatch_gate
    .set    gate, gate + 1
    .endr

    .org    dispatch_gates + GATES * 16     /* the last gate has its 16 bytes, too: what follows is of all of them */
    .type   dispatch_gate, @function
dispatch_gate:
    .cfi_startproc
    .cfi_def_cfa %rsp, 8
    mov     %rdi, %r9
    REGION  REGION_GATE_R9
    mov     %r11, %r8
    cmpb    $0, dispatch_maskless(%rip)
    jne     1f
    xor     %edi, %edi              /* rt_sigprocmask(SIG_BLOCK, all, the frame's SIGNAL_HELD, 8) */
    lea     all_signals(%rip), %rsi
    lea     SIGNAL_HELD(%rsp), %rdx
    mov     $8, %r10d
    mov     $14, %eax
    syscall
1:  REGION  REGION_NONE
    mov     %rsp, %rdi
    mov     %r8, %rsi
    push    %r9                     /* the signal's number: the kernel fills in siginfo only where it is asked for */
    .cfi_adjust_cfa_offset 8
    call    signals_deliver
    pop     %r9
    .cfi_adjust_cfa_offset -8
    mov     %rax, %rsp
2:  mov     %rdx, %r8               /* the handler */
    cmpb    $0, dispatch_maskless(%rip)
    jne     dispatch_gate_go
    mov     $2, %edi                /* rt_sigprocmask(SIG_SETMASK, SIGNAL_HELD, NULL, 8) */
    lea     SIGNAL_HELD(%rsp), %rsi
    xor     %edx, %edx
    mov     $8, %r10d
    mov     $14, %eax
    syscall
    .globl  dispatch_gate_go
    .hidden dispatch_gate_go
dispatch_gate_go:
    REGION  REGION_GATE_GO
    lea     SIGNAL_CONTEXT(%rsp), %rdx
    lea     SIGNAL_INFO(%rsp), %rsi
    mov     %r9d, %edi
    mov     SIGNAL_RBP(%rsp), %rbp
    xor     %eax, %eax
    jmp     *%r8
    .cfi_endproc
    .size   dispatch_gate, . - dispatch_gate
    REGION  REGION_NONE

/* The handler of SIGSYS and of its proxy; all signals are blocked. */
    .globl  dispatch_sigsys
    .hidden dispatch_sigsys
    .type   dispatch_sigsys, @function
dispatch_sigsys:
    .cfi_startproc
    .cfi_def_cfa %rsp, 8
    mov     %rsp, %rdi
    sub     $8, %rsp
    .cfi_adjust_cfa_offset 8
    call    dispatch_signal
    add     $8, %rsp
    .cfi_adjust_cfa_offset -8
    mov     %rax, %rsp
    mov     SIGNAL_INFO(%rsp), %r9d
    test    %rdx, %rdx
    jnz     2b
    ret
    .cfi_endproc
    .size   dispatch_sigsys, . - dispatch_sigsys

    .section .rodata
    .balign 8
all_signals:
    .quad   -1

/* Room for the stubs, in the range that dispatch lets pass and within reach of the unwinder: wherever in a stub a
 * signal or a cancellation strikes, the stack is the program's, and the program goes on at the address in the slot's
 * info. Zeroed memory is mapped over it before use. */
    .section .text.slots, "ax", @progbits
    .balign 4096
    .globl  dispatch_slots
    .hidden dispatch_slots
dispatch_slots:
    .cfi_startproc
    .cfi_signal_frame
    .cfi_def_cfa %rsp, 0
    /* rip: deref((rip & -SLOT_SIZE) + SLOT_INFO) */
    .cfi_escape 0x16, 16, 10, 0x80, 0x00, 0x0b, 0x00, 0xff, 0x1a, 0x23, 0xe0, 0x01, 0x06
    .fill   SLOT_SIZE * SLOTS, 1, 0xcc
    .cfi_endproc

    .section .rodata.regions, "a", @progbits
dispatch_regions_end:

    .section .note.GNU-stack, "", @progbits
