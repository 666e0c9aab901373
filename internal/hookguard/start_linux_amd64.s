#include "textflag.h"

// A program that is linked with "-E ltm_start" starts here on Linux. It continues
// at the entry of Go's runtime, with the stack as the kernel left it.
//
// The call of a Go function loads the goroutine from thread-local storage, so
// there has to be some, and the runtime sets its own later. supervise needs no
// goroutine.
TEXT ltm_start(SB),NOSPLIT|NOFRAME,$0
	MOVL	$158, AX		// arch_prctl
	MOVL	$0x1002, DI		// ARCH_SET_FS
	LEAQ	·storage+64(SB), SI	// its end: the goroutine is below
	SYSCALL
	MOVQ	0(SP), AX		// argc
	LEAQ	8(SP), BX		// argv
	SUBQ	$16, SP
	MOVQ	AX, 0(SP)
	MOVQ	BX, 8(SP)
	CALL	·supervise(SB)
	ADDQ	$16, SP
	JMP	_rt0_amd64_linux(SB)
