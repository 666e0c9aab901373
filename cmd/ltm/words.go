package main

import "ltm/memory"

// typedNames are what a person types to do what messages advise. They are also put into
// encoded JSON, so none has a character that needs an escape there.
func typedNames() map[string]string {
	return map[string]string{
		memory.DoRecall:       "ltm recall",
		memory.DoList:         "ltm list",
		memory.DoShow:         "ltm show",
		memory.DoShowArchived: "ltm show --archives",
		memory.DoRemember:     "ltm remember",
		memory.DoUpdate:       "ltm update",
		memory.DoRestore:      "ltm restore",
		memory.DoCheck:        "ltm check",
		memory.DoFix:          "ltm fix",
		memory.DoFixUnused:    "ltm fix --clean-orphaned-archives",
		memory.DoSearchAside:  "ltm recall --archives",
		memory.DoEdit:         "ltm edit",
		memory.DoEditFrom:     "ltm edit ID --from FILE",
		memory.DoResolve:      "ltm resolve",
		memory.DoUnpin:        "ltm unpin ID",
		memory.DoConfigure:    "with ltm config",
		memory.DoTrust:        "with ltm trust --all",
	}
}
