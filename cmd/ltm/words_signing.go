package main

import (
	"ltm/internal/advice"
	"ltm/memory"
)

// afterSigning follows keys and signatures.
func afterSigning() advice.Table {
	return advice.Table{
		memory.KindKeyNone:        `"ltm key new" makes one, "ltm key use" chooses one of several`,
		memory.KindKeyUnknown:     "ltm key list shows the keys; give at least 4 digits",
		memory.KindKeyAmbiguous:   "give more digits",
		memory.KindKeyExposed:     "chmod go= {}",
		memory.KindKeyDamaged:     `restore it from a backup, or remove it with "ltm key rm"`,
		memory.KindKeyPlace:       "set HOME or XDG_CONFIG_HOME in your own environment",
		memory.KindSignForeign:    `read it (ltm show {}) and approve it (ltm trust {}) first`,
		memory.KindSignIncomplete: "restore it first (ltm restore {})",
		memory.KindSignStore: `in a shallow clone, let git fetch the whole history; if the repository is yours and not a copy, ` +
			`remove "store_id" from .claude/ltm/config.json, and the next signature makes a new one`,
		memory.KindSSHFailed: "install OpenSSH, or check the key and its agent",
		memory.KindFoundAltered: "compare it with its last versions (ltm history {}); then approve it as it is " +
			"(ltm trust {}), or bring back a signed version with git",
		memory.KindFoundUnsigned: "ltm sign {}",
	}.None(memory.KindKeyMalformed)
}
