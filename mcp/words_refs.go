package mcp

import (
	"ltm/internal/advice"
	"ltm/memory"
)

// afterRefs follows references to files.
func afterRefs() advice.Table {
	return advice.Table{
		memory.KindFoundRefs: "a person repairs it in an editor",
	}.None(memory.KindRefMalformed, memory.KindRefsTooMany)
}
