package hooks

import "ltm/memory"

// aboutRefs are the kinds of references to files, which hooks only mark.
func aboutRefs() []memory.Kind {
	return []memory.Kind{memory.KindRefMalformed, memory.KindRefsTooMany, memory.KindRefUntaken,
		memory.KindRefMoved, memory.KindFoundRefs}
}
