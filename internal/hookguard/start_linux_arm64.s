#include "textflag.h"

// A program that is linked with "-E ltm_start" starts here on Linux. It continues
// at the entry of Go's runtime, with the stack as the kernel left it.
TEXT ltm_start(SB),NOSPLIT|NOFRAME,$0
	MOVD	0(RSP), R0		// argc
	ADD	$8, RSP, R1		// argv
	SUB	$32, RSP
	MOVD	R0, 8(RSP)
	MOVD	R1, 16(RSP)
	CALL	·supervise(SB)
	ADD	$32, RSP
	B	_rt0_arm64_linux(SB)
