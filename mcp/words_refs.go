package mcp

import (
	"ltm/internal/advice"
	"ltm/memory"
)

// afterRefs follows references to files.
func afterRefs() advice.Table {
	return advice.Table{
		memory.KindFoundRefs:  "a person repairs it in an editor",
		memory.KindRefUntaken: "a ref is a file of the work tree that git tracks or does not ignore",
		memory.KindRefMoved:   "",
	}.None(memory.KindRefMalformed, memory.KindRefsTooMany)
}
