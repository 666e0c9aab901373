#include "textflag.h"

// The launcher for Windows links every program with "-E ltm_start", whatever
// processor it is for.
TEXT ltm_start(SB),NOSPLIT|NOFRAME,$0
	JMP	_rt0_386_windows(SB)
