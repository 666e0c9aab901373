package mcp

import (
	"ltm/memory"
	"ltm/memory/advice"
)

const (
	knownIDs  = "recall and list_memories show the ids that exist"
	restoring = "restore_memory brings it back"
	renews    = "ltm_fix starts a new file and keeps this one beside it"
	untouched = "; ltm leaves it alone"
)

// nextSteps is what a model does next. Where only a person can do it, no command is
// named: a model could run one.
func nextSteps() advice.Table {
	return advice.Merge(advice.Common(), afterCalls(), afterAnswers(), afterFindings())
}

// afterCalls follows calls that are refused, and files that stop them.
func afterCalls() advice.Table {
	return advice.Table{
		memory.KindIDMalformed:     knownIDs,
		memory.KindTopicOutdated:   "give a topic that holds, or name it in content",
		memory.KindTextSecret:      "the store is committed to git: leave it out, or pass redact to mask it",
		memory.KindLinkCycle:       "get_memory shows the newer text",
		memory.KindMemoryUnknown:   knownIDs,
		memory.KindOnlyArchived:    restoring + ", and get_memory with archived true only shows it",
		memory.KindEditArchived:    restoring,
		memory.KindStoreMissing:    "store_memory creates it",
		memory.KindProjectUnknown:  "tell the person to register the server in the project itself",
		memory.KindCandidate:       "without arguments, review_candidates lists them",
		memory.KindReviewPartly:    "without arguments, review_candidates lists what is left",
		memory.KindDuplicate:       "update_memory changes it",
		memory.KindMemoryHeldBack:  "a person approves it in a terminal",
		memory.KindMergeUnresolved: "a person resolves it in a terminal, or in the file with an editor",
		memory.KindMemoryInFull:    "get_memory shows it",

		memory.KindPacketUnknown:     "resume_packet without an id takes the newest one",
		memory.KindPacketNone:        "write_packet makes one",
		memory.KindPacketInvalid:     "correct these places and call it again",
		memory.KindPacketTaken:       "a packet is never changed: write_packet with parent_id {} continues it",
		memory.KindPacketDamaged:     "a person repairs or removes it" + untouched,
		memory.KindPacketUncommitted: "say in the packet where they are, or commit them if the user wants that",
		memory.KindFoundPacket:       "a person repairs or removes it" + untouched,

		memory.KindUserNone:       "leave out scope to store it in the project, if it belongs there",
		memory.KindUserFailed:     "a person looks after them in a terminal",
		memory.KindUserUnapproved: "a person approves it in a terminal",
		memory.KindMemoryDamaged:  "repair the file by hand, or see ltm_check",
		memory.KindTrustDamaged:   renews,
		memory.KindReviewDamaged:  renews,
		memory.KindPathBlocked:    "move it away, then run ltm_fix",
		memory.KindBatchStopped:   "repair the directory or its disk; the next call goes on with it",
		memory.KindCountersFailed: "the memories themselves had been written, so do not repeat the call; " +
			"repair the directory or its disk, then run ltm_fix",
	}
}

// afterAnswers follows what answers remark.
func afterAnswers() advice.Table {
	const unpin = "unpin some (update_memory with importance normal)"
	return advice.Table{
		memory.KindEarlierText:     "get_memory shows what it says now",
		memory.KindPartOnly:        "get_memory with archived true shows the full text, and " + restoring,
		memory.KindHeldBack:        "a person approves them in a terminal",
		memory.KindArchivedMatch:   "recall with include archives shows it",
		memory.KindArchivedMatches: "recall with include archives shows them",
		memory.KindArchivedHit:     "restore_memory brings one back that is not in sight",
		memory.KindSimilar: "for a slip in {}, update_memory it and forget this one; otherwise update_memory this " +
			"one with supersedes (the truth changed), disputes (both cannot be true) or related",
		memory.KindForgotten:      restoring,
		memory.KindRestoredOld:    "if it holds again, store_memory with supersedes says so",
		memory.KindStoreFirst:     "the first store_memory creates it",
		memory.KindAllCritical:    unpin + " or raise max_memories in the settings",
		memory.KindCriticalBudget: unpin + ", shorten them, or raise {} in the settings",
		memory.KindCriticalClient: unpin + ", or shorten them",
		memory.KindCriticalMany:   unpin + " or raise it in the settings",
		memory.KindRemarks:        "ltm_check lists them",
		memory.KindForPerson:      "the reason in ltm_check says how",
		memory.KindRepairable:     "ltm_fix repairs them; a dry run shows how",
		memory.KindRestRepairable: "ltm_fix repairs the rest; a dry run shows how",
	}
}

// afterFindings follows what a check finds.
func afterFindings() advice.Table {
	const heals = "the next change of it, or ltm_fix, starts a new file and keeps this one beside it"
	return advice.Table{
		memory.KindFoundCategory:   "update_memory with kind sets one, and an empty kind removes it",
		memory.KindFoundSetting:    "a person can remove it from the file",
		memory.KindFoundAliases:    "update_memory with aliases sets them",
		memory.KindFoundConfidence: "update_memory with confidence sets it, and 1 removes it",

		memory.KindFoundSupersededBy: "update_memory of the newer one with supersedes {} archives it; " +
			"restore_memory keeps it in sight",
		memory.KindFoundCorrections: "update_memory of the one that holds with supersedes and the other",
		memory.KindFoundCycle:       "update_memory of {} with unlink removes a link",
		memory.KindFoundLinkUnknown: "update_memory of {} with unlink removes the link",
		memory.KindFoundLinkSelf:    "update_memory of {} with unlink {} removes the link",
		memory.KindFoundLinks:       "a person repairs it in an editor",

		memory.KindFoundLeft:      "ltm_fix brings back what it left",
		memory.KindFoundLost:      "ltm_fix looks for it in the archives and in git's objects",
		memory.KindFoundMerge:     "ltm_fix keeps both; then git add",
		memory.KindFoundMergeText: "a person resolves it in a terminal, or in the file with an editor",
		memory.KindFoundMergeArchived: "a person keeps one of them in a terminal, or in the file with an editor; " +
			"restore_memory brings the archived text back afterwards",
		memory.KindFoundUnreadable: "repair it with an editor, or ltm_fix moves it to archives/ byte for byte",
		memory.KindFoundOddID:      "a person can let ltm give it such an id in a terminal" + untouched,
		memory.KindFoundText:       "ltm_fix archives the text and leaves the stub, and restore_memory brings it back",
		memory.KindFoundArchive: "repair it by hand, or remove it if it is not needed (ltm_fix with " +
			"clean_orphaned_archives true)",
		memory.KindFoundIndex:    "the next change, or ltm_fix, rewrites it from the memories",
		memory.KindFoundCounters: heals,
		memory.KindFoundState:    heals + "; set the settings of this clone again",
		memory.KindFoundTrust: renews +
			"; all memories here count as from elsewhere until a person approves them in a terminal",
		memory.KindFoundLeftover: "the next change, or ltm_fix, removes it",
		memory.KindFoundRejected: "a person resumes with it in an editor; remove it if it is not needed",
		memory.KindFoundBlocked:  "move it away, then run ltm_fix",
		memory.KindFoundAltered: "a person compares it with its versions in git, and approves it as it is or " +
			"brings back a signed one",
		memory.KindFoundUnsigned: "a person signs it in a terminal",
		memory.KindFoundRefs:     "a person repairs it in an editor",
	}
}
