package hooks

import "ltm/memory"

// aboutSigning are the kinds of keys and signatures, which hooks never report.
func aboutSigning() []memory.Kind {
	return []memory.Kind{
		memory.KindKeyNone, memory.KindKeyUnknown, memory.KindKeyAmbiguous, memory.KindKeyMalformed,
		memory.KindKeyExposed, memory.KindKeyDamaged, memory.KindKeyPlace, memory.KindSignForeign,
		memory.KindSignIncomplete, memory.KindSignStore,
		memory.KindSSHFailed, memory.KindFoundAltered, memory.KindFoundUnsigned,
	}
}
