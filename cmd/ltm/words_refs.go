package main

import (
	"ltm/internal/advice"
	"ltm/memory"
)

// afterRefs follows references to files.
func afterRefs() advice.Table {
	return advice.Table{
		memory.KindFoundRefs:  "repair it by hand: ltm edit {}",
		memory.KindRefUntaken: "a ref is a file of the work tree that git tracks or does not ignore",
		memory.KindRefMoved:   "--follow takes the new path",
	}.None(memory.KindRefMalformed, memory.KindRefsTooMany)
}
