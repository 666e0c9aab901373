package mcp

import "ltm/memory"

// calledNames maps each action that messages advise to the tool that a model calls for
// it. Where only a person can act it names no command, because a model could run it.
func calledNames() map[string]string {
	return map[string]string{
		memory.DoRecall:       "recall",
		memory.DoList:         "list_memories",
		memory.DoShow:         "get_memory",
		memory.DoShowArchived: "get_memory with archived true",
		memory.DoRemember:     "store_memory",
		memory.DoUpdate:       "update_memory",
		memory.DoRestore:      "restore_memory",
		memory.DoCheck:        "ltm_check",
		memory.DoFix:          "ltm_fix",
		memory.DoFixUnused:    "ltm_fix with clean_orphaned_archives true",
		memory.DoSearchAside:  "recall with include archives",
		memory.DoEdit:         "an editor",
		memory.DoEditFrom:     "a person with an editor",
		memory.DoResolve:      "a person in a terminal",
		memory.DoUnpin:        "update_memory with importance normal",
		memory.DoConfigure:    "in the settings",
		memory.DoTrust:        "in a terminal",
	}
}
