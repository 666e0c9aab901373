#include "textflag.h"

// A program that is linked with "-E ltm_start" starts here on Windows. It continues at
// the entry of Go's runtime.
TEXT ltm_start(SB),NOSPLIT|NOFRAME,$0
	CALL	·prepare(SB)
	XORPS	X15, X15		// as Go code expects it
	MOVQ	·entered(SB), DX
	MOVQ	(DX), AX
	CALL	AX
	JMP	_rt0_amd64_windows(SB)

// func prepare()
TEXT ·prepare(SB),NOSPLIT,$0-0
	MOVQ	0x60(GS), AX		// the process environment block
	MOVQ	AX, ·block(SB)
	LEAQ	exit<>(SB), AX
	MOVQ	AX, ·ourExit(SB)
	LEAQ	fail<>(SB), AX
	MOVQ	AX, ·ourFail(SB)
	LEAQ	write<>(SB), AX
	MOVQ	AX, ·ourWrite(SB)
	RET

// The runtime calls these functions instead of the system's, with
// arguments in CX, DX, R8 and R9. AX, R10 and R11 are free, too, and the 32 bytes
// above the return address.

// exit is ExitProcess(status): a status that is not 0 becomes 1.
TEXT exit<>(SB),NOSPLIT|NOFRAME,$0
	TESTL	CX, CX
	JEQ	2(PC)
	MOVL	$1, CX
	MOVQ	·realExit(SB), AX
	JMP	AX

// fail is RaiseFailFastException, which GOTRACEBACK=crash asks for.
TEXT fail<>(SB),NOSPLIT|NOFRAME,$0
	MOVL	$1, CX
	MOVQ	·realExit(SB), AX
	JMP	AX

DATA prefix<>+0(SB)/8, $"ltm hook"
DATA prefix<>+8(SB)/2, $": "
GLOBL prefix<>(SB), RODATA|NOPTR, $10

// write is WriteFile(file, bytes, count, &written, 0), which the runtime calls only for
// the text of a failure: it writes the first line, after a prefix, and drops the rest.
TEXT write<>(SB),NOSPLIT|NOFRAME,$0
	MOVL	·said(SB), AX
	CMPL	AX, $2
	JEQ	nowhere
	TESTL	R8, R8
	JEQ	nowhere
	TESTL	AX, AX
	JNE	line
	MOVL	$1, ·said(SB)
	MOVQ	CX, 8(SP)
	MOVQ	DX, 16(SP)
	MOVQ	R8, 24(SP)
	MOVQ	R9, 32(SP)
	SUBQ	$40, SP
	LEAQ	prefix<>(SB), DX
	MOVL	$10, R8
	MOVQ	$0, 32(SP)
	MOVQ	·realWrite(SB), AX
	CALL	AX
	ADDQ	$40, SP
	MOVQ	8(SP), CX
	MOVQ	16(SP), DX
	MOVQ	24(SP), R8
	MOVQ	32(SP), R9
line:
	XORL	AX, AX
next:
	MOVBLZX	(DX)(AX*1), R10
	INCL	AX
	CMPL	R10, $10
	JEQ	whole
	CMPL	AX, R8
	JCS	next
	JMP	pass
whole:
	MOVL	$2, ·said(SB)
	MOVL	AX, R8
pass:
	MOVQ	·realWrite(SB), AX
	JMP	AX
nowhere:
	MOVL	R8, (R9)
	MOVL	$1, AX
	RET
