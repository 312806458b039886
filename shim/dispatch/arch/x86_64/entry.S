/* Ways into and out of a counted system call. README.md explains why each step is as it is. */
#include "dispatch/frame.h"

    .text

/* Save what the kernel would keep but C does not, on the program's stack below its red zone, and run the C function
 * \function with the frame as its argument and an aligned stack. \where is what r11 holds: FRAME_BACK or FRAME_INFO. */
.macro SAVE where
    lea     -(RED_ZONE + FRAME_SIZE)(%rsp), %rsp
    .cfi_def_cfa_offset RED_ZONE + FRAME_SIZE
    mov     %r11, \where(%rsp)
    pushfq
    .cfi_adjust_cfa_offset 8
    popq    FRAME_FLAGS(%rsp)
    .cfi_adjust_cfa_offset -8
    mov     %rbx, FRAME_RBX(%rsp)
    .cfi_offset %rbx, FRAME_RBX - RED_ZONE - FRAME_SIZE
    mov     %rax, FRAME_RAX(%rsp)
    mov     %rdi, FRAME_RDI(%rsp)
    mov     %rsi, FRAME_RSI(%rsp)
    mov     %rdx, FRAME_RDX(%rsp)
    mov     %r10, FRAME_R10(%rsp)
    mov     %r8, FRAME_R8(%rsp)
    mov     %r9, FRAME_R9(%rsp)
    mov     %rsp, %rbx
    .cfi_def_cfa_register %rbx
    cld
.endm

.macro RUN function
    mov     %rbx, %rdi
    and     $-16, %rsp
    call    \function
    mov     %rbx, %rsp
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
.macro RESTORE
    LOAD
    pushq   FRAME_FLAGS(%rbx)
    popfq
    mov     FRAME_RBX(%rsp), %rbx
    .cfi_def_cfa %rsp, RED_ZONE + FRAME_SIZE
    .cfi_restore %rbx
.endm

/* Any call of any site: r11 is where the program goes on. */
    .globl  dispatch_full
    .hidden dispatch_full
    .type   dispatch_full, @function
dispatch_full:
    .cfi_startproc
    .cfi_signal_frame
    .cfi_def_cfa %rsp, 0
    .cfi_register %rip, %r11
    SAVE    FRAME_BACK
    .cfi_offset %rip, FRAME_BACK - RED_ZONE - FRAME_SIZE
    RUN     dispatch_enter
    cmp     $ENTER_DONE, %rax
    je      2f
    ja      3f
    LOAD
    syscall
    mov     %rax, FRAME_RAX(%rbx)
    RUN     dispatch_leave
2:  .cfi_remember_state
    RESTORE
    mov     FRAME_BACK(%rsp), %rcx
    mov     FRAME_FLAGS(%rsp), %r11
    lea     RED_ZONE + FRAME_SIZE(%rsp), %rsp
    .cfi_def_cfa %rsp, 0
    .cfi_register %rip, %rcx
    jmp     *%rcx
3:  .cfi_restore_state
    mov     %rax, FRAME_INFO(%rbx)
    RESTORE
    mov     FRAME_INFO(%rsp), %r11
    mov     FRAME_BACK(%rsp), %rcx
    lea     RED_ZONE + FRAME_SIZE(%rsp), %rsp
    .cfi_def_cfa %rsp, 0
    .cfi_register %rip, %rcx
    jmp     *%r11
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
    SAVE    FRAME_INFO
    mov     INFO_BACK(%r11), %rcx
    mov     %rcx, FRAME_BACK(%rbx)
    .cfi_offset %rip, FRAME_BACK - RED_ZONE - FRAME_SIZE
    RUN     dispatch_before_call
    mov     %rax, FRAME_NUMBER(%rbx)
    RESTORE
    mov     FRAME_NUMBER(%rsp), %r11
    mov     FRAME_BACK(%rsp), %rcx
    lea     RED_ZONE + FRAME_SIZE(%rsp), %rsp
    .cfi_def_cfa %rsp, 0
    .cfi_register %rip, %rcx
    jmp     *%r11
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
    SAVE    FRAME_INFO
    mov     %rcx, FRAME_NUMBER(%rbx)
    mov     INFO_BACK(%r11), %rcx
    mov     %rcx, FRAME_BACK(%rbx)
    .cfi_offset %rip, FRAME_BACK - RED_ZONE - FRAME_SIZE
    RUN     dispatch_after_call
    RESTORE
    mov     FRAME_BACK(%rsp), %rcx
    mov     FRAME_FLAGS(%rsp), %r11
    lea     RED_ZONE + FRAME_SIZE(%rsp), %rsp
    .cfi_def_cfa %rsp, 0
    .cfi_register %rip, %rcx
    jmp     *%rcx
    .cfi_endproc
    .size   dispatch_after, . - dispatch_after

/* A plain stub saw a result between -65536 and -1: count it where it is an error, -4095 to -1. r11: slot_info. */
    .globl  dispatch_error
    .hidden dispatch_error
    .type   dispatch_error, @function
dispatch_error:
    .cfi_startproc
    .cfi_signal_frame
    .cfi_def_cfa %rsp, 0
    .cfi_escape 0x16, 16, 3, 0x7b, INFO_BACK, 0x06
    lea     -RED_ZONE(%rsp), %rsp
    .cfi_adjust_cfa_offset RED_ZONE
    pushfq
    .cfi_adjust_cfa_offset 8
    cmp     $-4095, %rax
    jb      1f
    mov     %fs:0, %rcx
    add     INFO_THREAD(%r11), %rcx
    mov     (%rcx), %rcx
    add     INFO_ERRORS(%r11), %rcx
    lock incq (%rcx)
1:  popfq
    .cfi_adjust_cfa_offset -8
    lea     RED_ZONE(%rsp), %rsp
    .cfi_adjust_cfa_offset -RED_ZONE
    mov     INFO_BACK(%r11), %rcx
    .cfi_register %rip, %rcx
    jmp     *%rcx
    .cfi_endproc
    .size   dispatch_error, . - dispatch_error

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

    .section .note.GNU-stack, "", @progbits
