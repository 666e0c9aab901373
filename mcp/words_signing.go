package mcp

import (
	"ltm/internal/advice"
	"ltm/memory"
)

// afterSigning follows signatures. Keys are a person's, who handles them in a terminal.
func afterSigning() advice.Table {
	return advice.Table{
		memory.KindFoundAltered: "a person compares it with its versions in git, and approves it as it is or " +
			"brings back a signed one",
		memory.KindFoundUnsigned: "a person signs it in a terminal",
	}.None(
		memory.KindKeyNone, memory.KindKeyUnknown, memory.KindKeyAmbiguous, memory.KindKeyMalformed,
		memory.KindKeyExposed, memory.KindKeyDamaged, memory.KindKeyPlace, memory.KindSignForeign,
		memory.KindSignIncomplete, memory.KindSSHFailed, memory.KindSignStore)
}
