package advice

import "ltm/memory"

const (
	untouched = "; ltm leaves it alone"
	unlost    = "; nothing was lost"
)

// Common holds the next steps for readers of every edge: it names no command, tool or view. An edge merges its own
// table over it, with what its readers have for the step. A kind that is in neither table has no next step, because its
// message says everything.
func Common() Table { return Merge(commonTexts(), commonFiles(), commonFindings()) }

// commonTexts follows texts and requests that are refused, and packets.
func commonTexts() Table {
	return Table{
		memory.KindTopicTooLong:       "move the detail to content",
		memory.KindContentTooLong:     "store the conclusion, not the log",
		memory.KindTextConflicted:     "resolve it, or quote it in a code block",
		memory.KindSummaryConflicted:  "remove the markers",
		memory.KindSummaryTooLong:     "move the detail to content",
		memory.KindRefUntaken:         "a ref is a file of the work tree that git tracks or does not ignore",
		memory.KindQueryEmpty:         "give words from the memory, or a question",
		memory.KindEditedSecret:       "the store is committed to git: leave it out",
		memory.KindImportanceTwice:    "give one of them",
		memory.KindTagsTwice:          "replace all tags, or add and remove some",
		memory.KindTagAddedAndRemoved: "give it once",
		memory.KindPatchEmpty:         "give what to change, such as topic, content or tags",
		memory.KindContentTwice:       "content replaces the whole text, append adds to it: give one of them",
		memory.KindAppendRepeated:     "append only what is new",
		memory.KindAppendNoFull:       "give content instead, which replaces what is left",
		memory.KindIDAmbiguous:        "give a longer prefix",
		memory.KindTooLongTogether:    "ask for it alone",
		memory.KindMemoryMisspelt:     "did you mean one of these?",
		memory.KindTagMisspelt:        `did you mean "{}"?`,
		memory.KindSessionNone:        "hooks open one when Claude Code starts",
		memory.KindUndoGone:           "the archives have every text that was replaced",
		memory.KindPacketAmbiguous:    "give a longer prefix",
		memory.KindPacketSecret:       "leave them out: a packet goes to other machines and people",
		memory.KindPacketPath:         "name files as they are called in the project: a packet goes to other machines",
		memory.KindPacketNoCriteria:   "say what can be observed when the work is done",
		memory.KindPacketUnlearned:    "say what it taught, so that it is not tried again",
		memory.KindPacketNoReason:     "say why it is settled",
		memory.KindPacketUnproven:     "run the check, and write the packet with its result",
		memory.KindMerges:             "resolve merges in their files",
	}
}

// commonFiles follows files and directories.
func commonFiles() Table {
	return Table{
		memory.KindRewriteFails:   "edit the file by hand",
		memory.KindUserNone:       "set LTM_USER_DIR, in your own environment, to a directory outside of projects",
		memory.KindLockHeld:       "try again",
		memory.KindVersionNewer:   "update ltm; the file was left as it is",
		memory.KindPathMisleads:   "rename it from another system",
		memory.KindStoreOccupied:  "name a directory that is empty or missing, or a store",
		memory.KindStoreInside:    "the store of that project is {}",
		memory.KindLinkOut:        "replace it with a directory, or name that store with LTM_DIR={}",
		memory.KindDiskNotRegular: "replace it with a real one, or move it away" + unlost,
		memory.KindDiskTooLarge:   "make it smaller, or move it away" + unlost,
		memory.KindDiskUnreadable: "make it readable for this user" + unlost,
		memory.KindDiskUnwritable: "make the directory writable for this user" + unlost,
		memory.KindDiskFull:       "free some space on its disk" + unlost,
		memory.KindDiskFailed:     "check the directory and its disk" + unlost,
	}
}

// commonFindings follows what a check finds.
func commonFindings() Table {
	return Table{
		memory.KindFoundLostForever: "restore one to archives/ from a backup, or set phase: 0 in the memory if what " +
			"is left is enough",
		memory.KindFoundMergeHand: "resolve the merge in it by hand" + untouched,
		memory.KindFoundNoAccess:  "make it readable for this user, such as with chmod u+r" + untouched,
		memory.KindFoundGone:      "check again",
		memory.KindFoundTooMany:   "move the files that are not memories elsewhere",
		memory.KindFoundUnlooked:  "repair the others or move them away first" + untouched,
		memory.KindFoundIrregular: "replace it with the memory itself, or move it away",
		memory.KindFoundOther:     "ltm leaves it alone",
		memory.KindFoundMisnamed:  "rename it to mem_, 8 hex digits that no other has, and .md" + untouched,
		memory.KindFoundRename:    "rename it to {}" + untouched,
		memory.KindFoundCopy: "it is a copy of {}: add what the original lacks to it, or remove the id from the " +
			"header of this file to make it a memory of its own" + untouched,
		memory.KindFoundCopyNamed: "it is a copy of {}: add what the original lacks to it, or give this file an id " +
			"of its own, in its header and in its name" + untouched,
		memory.KindFoundArchiveNeeded: "repair it by hand, or restore it from git's history (git log -- {})",
		memory.KindFoundConfig: "repair it by hand, or move it away: its settings do not count, and ltm leaves it " +
			"alone",
		memory.KindFoundDamaged:   "remove it if it is not needed",
		memory.KindFoundOldLocal:  "remove it; edited texts that could not be stored are in .local/rejected",
		memory.KindFoundOlder:     "remove it (git rm if git tracks it) if nothing else uses it",
		memory.KindFoundGitAdd:    "then git add",
		memory.KindFoundDirectory: "replace it with the directory itself, or move it away",
	}
}
