package main

import (
	"ltm/internal/advice"
	"ltm/memory"
)

// afterRefs follows references to files.
func afterRefs() advice.Table {
	return advice.Table{
		memory.KindFoundRefs: "repair it by hand: ltm edit {}",
	}.None(memory.KindRefMalformed, memory.KindRefsTooMany)
}
