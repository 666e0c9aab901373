#include "textflag.h"

// A program that is linked with "-E ltm_start" starts here on Windows. It continues at
// the entry of Go's runtime.
TEXT ltm_start(SB),NOSPLIT|NOFRAME,$0
	SUB	$16, RSP
	CALL	·prepare(SB)
	MOVD	·entered(SB), R26
	MOVD	(R26), R0
	CALL	(R0)
	ADD	$16, RSP
	B	_rt0_arm64_windows(SB)

// func prepare()
TEXT ·prepare(SB),NOSPLIT,$0-0
	MOVD	0x60(R18_PLATFORM), R0	// the process environment block
	MOVD	R0, ·block(SB)
	MOVD	$exit<>(SB), R0
	MOVD	R0, ·ourExit(SB)
	MOVD	$fail<>(SB), R0
	MOVD	R0, ·ourFail(SB)
	MOVD	$write<>(SB), R0
	MOVD	R0, ·ourWrite(SB)
	RET

// The runtime calls these functions instead of the system's, with
// arguments in R0 to R4. R5 to R17 are free, too, and R27, which the assembler uses:
// the runtime keeps nothing in it.

// exit is ExitProcess(status): a status that is not 0 becomes 1.
TEXT exit<>(SB),NOSPLIT|NOFRAME,$0
	CBZW	R0, 2(PC)
	MOVD	$1, R0
	MOVD	·realExit(SB), R16
	JMP	(R16)

// fail is RaiseFailFastException, which GOTRACEBACK=crash asks for.
TEXT fail<>(SB),NOSPLIT|NOFRAME,$0
	MOVD	$1, R0
	MOVD	·realExit(SB), R16
	JMP	(R16)

DATA prefix<>+0(SB)/8, $"ltm hook"
DATA prefix<>+8(SB)/2, $": "
GLOBL prefix<>(SB), RODATA|NOPTR, $10

// write is WriteFile(file, bytes, count, &written, 0), which the runtime calls only for
// the text of a failure: it writes the first line, after a prefix, and drops the rest.
TEXT write<>(SB),NOSPLIT|NOFRAME,$0
	MOVWU	·said(SB), R5
	CMPW	$2, R5
	BEQ	nowhere
	CBZW	R2, nowhere
	CBNZW	R5, line
	MOVD	$1, R5
	MOVW	R5, ·said(SB)
	SUB	$48, RSP
	STP	(R0, R1), 0(RSP)
	STP	(R2, R3), 16(RSP)
	MOVD	R30, 32(RSP)
	MOVD	$prefix<>(SB), R1
	MOVD	$10, R2
	MOVD	·realWrite(SB), R16
	CALL	(R16)
	LDP	0(RSP), (R0, R1)
	LDP	16(RSP), (R2, R3)
	MOVD	32(RSP), R30
	ADD	$48, RSP
	MOVD	ZR, R4
line:
	MOVD	ZR, R5
next:
	MOVBU	(R1)(R5), R6
	ADD	$1, R5
	CMPW	$10, R6
	BEQ	whole
	CMPW	R2, R5
	BLO	next
	B	pass
whole:
	MOVD	$2, R6
	MOVW	R6, ·said(SB)
	MOVW	R5, R2
pass:
	MOVD	·realWrite(SB), R16
	JMP	(R16)
nowhere:
	MOVW	R2, (R3)
	MOVD	$1, R0
	RET
