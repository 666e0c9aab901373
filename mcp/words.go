package mcp

import (
	"ltm/internal/advice"
	"ltm/memory"
)

const (
	knownIDs  = "recall and list_memories show the ids that exist"
	restoring = "restore_memory brings it back"
	inGit     = "the store is committed to git: leave it out"
	renews    = "ltm_fix starts a new file and keeps this one beside it"
	heals     = "the next change of it, or ltm_fix, starts a new file and keeps this one beside it"
	untouched = "; ltm leaves it alone"
	unlost    = "; nothing was lost"
)

// nextSteps is what a model does next. Where only a person can do it, no command is
// named: a model could run one.
func nextSteps() advice.Table {
	return advice.Merge(afterScopes(),
		afterTexts(), afterMemories(), afterFiles(), afterSetup(), afterRemarks(), afterFindings(),
		afterSigning(), afterRemote(), afterPackets(), afterRefs())
}

// afterPackets follows what is about packets.
func afterPackets() advice.Table {
	return advice.Table{
		memory.KindPacketUnknown:   "resume_packet without an id takes the newest one",
		memory.KindPacketAmbiguous: "give a longer prefix",
		memory.KindPacketNone:      "write_packet makes one",
		memory.KindPacketInvalid:   "correct these places and call it again",
		memory.KindPacketSecret:    "leave them out: a packet goes to other machines and people",
		memory.KindPacketPath:      "name files as they are called in the project: a packet goes to other machines",
		memory.KindPacketTaken:     "a packet is never changed: write_packet with parent_id {} continues it",
		memory.KindPacketDamaged:   "a person repairs or removes it" + untouched,

		memory.KindPacketNoCriteria:  "say what can be observed when the work is done",
		memory.KindPacketUnlearned:   "say what it taught, so that it is not tried again",
		memory.KindPacketNoReason:    "say why it is settled",
		memory.KindPacketUnproven:    "run the check, and write the packet with its result",
		memory.KindPacketUncommitted: "say in the packet where they are, or commit them if the user wants that",
		memory.KindFoundPacket:       "a person repairs or removes it" + untouched,
	}.None(memory.KindPacketParentGone, memory.KindPacketParentTwice, memory.KindPacketLeftOut,
		memory.KindPacketHasPath, memory.KindPacketKnownAlready)
}

// afterScopes follows what is about the person's own memories.
func afterScopes() advice.Table {
	return advice.Table{
		memory.KindUserNone:       "leave out scope to store it in the project, if it belongs there",
		memory.KindUserFailed:     "a person looks after them in a terminal",
		memory.KindUserUnapproved: "a person approves it in a terminal",
	}.None(memory.KindUserApproval, memory.KindUserHidden, memory.KindBriefHeldUser, memory.KindScopeUnknown)
}

// afterTexts follows texts and requests that are refused.
func afterTexts() advice.Table {
	return advice.Table{
		memory.KindIDMalformed:        knownIDs,
		memory.KindTopicOutdated:      "give a topic that holds, or name it in content",
		memory.KindTopicTooLong:       "move the detail to content",
		memory.KindContentTooLong:     "store the conclusion, not the log",
		memory.KindTextConflicted:     "resolve it, or quote it in a code block",
		memory.KindSummaryConflicted:  "remove the markers",
		memory.KindSummaryTooLong:     "move the detail to content",
		memory.KindQueryEmpty:         "give words from the memory, or a question",
		memory.KindTextSecret:         inGit + ", or pass redact to mask it",
		memory.KindEditedSecret:       inGit,
		memory.KindImportanceTwice:    "give one of them",
		memory.KindLinkCycle:          "get_memory shows the newer text",
		memory.KindTagsTwice:          "replace all tags, or add and remove some",
		memory.KindTagAddedAndRemoved: "give it once",

		memory.KindPatchEmpty:      "give what to change, such as topic, content or tags",
		memory.KindContentTwice:    "content replaces the whole text, append adds to it: give one of them",
		memory.KindAppendRepeated:  "append only what is new",
		memory.KindAppendNoFull:    "give content instead, which replaces what is left",
		memory.KindIDAmbiguous:     "give a longer prefix",
		memory.KindTooLongTogether: "ask for it alone",
	}.None(
		memory.KindImportanceUnknown, memory.KindCategoryUnknown, memory.KindConfidenceRange,
		memory.KindLinkToSelf, memory.KindLinksTooMany, memory.KindAgentMalformed, memory.KindCommitMalformed,
		memory.KindOriginMalformed, memory.KindSignatureMalformed,
		memory.KindAliasTooLong, memory.KindAliasesTooMany,
		memory.KindPhaseUnknown, memory.KindIncludeUnknown, memory.KindOrderUnknown,
		memory.KindAgeMalformed, memory.KindTopicEmpty, memory.KindContentEmpty, memory.KindTagsTooMany,
		memory.KindTagTooLong, memory.KindTagEmpty, memory.KindDifficultyRange, memory.KindQueryTooLong,
		memory.KindTextNotUTF8, memory.KindTextNUL, memory.KindPhaseWithoutFile, memory.KindTagsSame,
		memory.KindImportanceRenamed,
		memory.KindPinTagsTooMany, memory.KindAppendEmpty, memory.KindIDsNone, memory.KindIDsTooMany,
		memory.KindPruneNoAge, memory.KindRequestInvalid, memory.KindEditedUnreadable, memory.KindEditedNoHeader,
		memory.KindEditedConflicted, memory.KindEditedID, memory.KindEditedMeanwhile,
		memory.KindPlanMeanwhile)
}

// afterMemories follows memories that are not there, or not in the state that a change needs.
func afterMemories() advice.Table {
	return advice.Table{
		memory.KindMemoryUnknown:  knownIDs,
		memory.KindMemoryMisspelt: "did you mean one of these?",
		memory.KindTagMisspelt:    `did you mean "{}"?`,
		memory.KindOnlyArchived:   restoring + ", and get_memory with archived true only shows it",
		memory.KindEditArchived:   restoring,
		memory.KindStoreMissing:   "store_memory creates it",
		memory.KindSessionNone:    "hooks open one when Claude Code starts",

		memory.KindDuplicate:       "update_memory changes it",
		memory.KindMemoryHeldBack:  "a person approves it in a terminal",
		memory.KindMergeUnresolved: "a person resolves it in a terminal, or in the file with an editor",
		memory.KindMemoryInFull:    "get_memory shows it",
		memory.KindRewriteFails:    "edit the file by hand",
	}.None(
		memory.KindSessionRecord, memory.KindForeignUnknown, memory.KindArchiveMissing, memory.KindTagUnknown,
		memory.KindAliasUnknown,
		memory.KindUndoNone,
		memory.KindUndoFinal, memory.KindRedoNone,
		memory.KindUndoGone, memory.KindMergeNone, memory.KindMergeUnreadable, memory.KindMergeKeptOnce,
		memory.KindMergeTooLong, memory.KindFileChanged, memory.KindFileUnreadable, memory.KindGroupChanged,
		memory.KindReduceStep,
		memory.KindIDsExhausted)
}

// afterFiles follows settings and files.
func afterFiles() advice.Table {
	return advice.Table{

		memory.KindLockHeld:       "try again",
		memory.KindVersionNewer:   "update ltm; the file was left as it is",
		memory.KindMemoryDamaged:  "repair the file by hand, or see ltm_check",
		memory.KindTrustDamaged:   renews,
		memory.KindPathMisleads:   "rename it from another system",
		memory.KindStoreOccupied:  "name a directory that is empty or missing, or a store",
		memory.KindStoreInside:    "the store of that project is {}",
		memory.KindLinkOut:        "replace it with a directory, or name that store with LTM_DIR={}",
		memory.KindPathBlocked:    "move it away, then run ltm_fix",
		memory.KindDiskNotRegular: "replace it with a real one, or move it away" + unlost,
		memory.KindDiskTooLarge:   "make it smaller, or move it away" + unlost,
		memory.KindDiskUnreadable: "make it readable for this user" + unlost,
		memory.KindDiskUnwritable: "make the directory writable for this user" + unlost,
		memory.KindDiskFull:       "free some space on its disk" + unlost,
		memory.KindDiskFailed:     "check the directory and its disk" + unlost,
		memory.KindBatchStopped:   "repair the directory or its disk; the next call goes on with it",
		memory.KindCountersFailed: "the memories themselves had been written, so do not repeat the call; " +
			"repair the directory or its disk, then run ltm_fix",
	}.None(
		memory.KindSettingUnknown, memory.KindSettingValue, memory.KindSettingTeam, memory.KindSettingOwn,
		memory.KindSettingGuarded, memory.KindSettingStrict, memory.KindSearchStopped, memory.KindFileDamaged,
		memory.KindPathOutside, memory.KindCopyFailed, memory.KindRandomFailed)
}

// afterSetup follows the setup of a project, hooks, and documents to import or to export.
func afterSetup() advice.Table {
	return advice.Table{}.None(
		memory.KindFormUnknown, memory.KindImportUnknown, memory.KindImportVersion, memory.KindImportMalformed,
		memory.KindImportTooLarge, memory.KindImportRefused, memory.KindImportChanged,
		memory.KindImportSecret, memory.KindImportProject,
		memory.KindImportScope, memory.KindImportFull, memory.KindExportEmpty, memory.KindExportExists,
		memory.KindExportNotFile,
		memory.KindImportKey,
		memory.KindImportSection, memory.KindImportMissing,
		memory.KindSetupFile, memory.KindSetupMeanwhile,
		memory.KindSetupText, memory.KindSetupJSON, memory.KindSetupUnreadable,
		memory.KindSetupUnwritable, memory.KindSetupDisk, memory.KindSetupNewer, memory.KindSetupHalf,
		memory.KindKeptOther, memory.KindKeptEdited, memory.KindKeptOurs, memory.KindKeptTwice,
		memory.KindEventUnknown, memory.KindPayloadUnreadable, memory.KindPayloadMalformed)
}

// afterRemarks follows what answers remark.
func afterRemarks() advice.Table {
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
		memory.KindMerges:         "resolve merges in their files",
		memory.KindForPerson:      "the reason in ltm_check says how",
		memory.KindRepairable:     "ltm_fix repairs them; a dry run shows how",
		memory.KindRestRepairable: "ltm_fix repairs the rest; a dry run shows how",
	}.None(
		memory.KindTakenOver, memory.KindSecretFound, memory.KindSecretsFound, memory.KindUnscanned,
		memory.KindBriefOne, memory.KindBriefRest, memory.KindBriefCritical, memory.KindBriefHeld,
		memory.KindBriefLeft, memory.KindBriefPacket, memory.KindBriefTree, memory.KindBriefEnd, memory.KindNudge)
}

// afterFindings follows what a check finds.
func afterFindings() advice.Table {
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

		memory.KindFoundLeft: "ltm_fix brings back what it left",
		memory.KindFoundLost: "ltm_fix looks for it in the archives and in git's objects",
		memory.KindFoundLostForever: "restore one to archives/ from a backup, " +
			"or set phase: 0 in the memory if what is left is enough",
		memory.KindFoundMerge:     "ltm_fix keeps both; then git add",
		memory.KindFoundMergeText: "a person resolves it in a terminal, or in the file with an editor",
		memory.KindFoundMergeArchived: "a person keeps one of them in a terminal, or in the file with an editor; " +
			"restore_memory brings the archived text back afterwards",
		memory.KindFoundMergeHand:  "resolve the merge in it by hand" + untouched,
		memory.KindFoundUnreadable: "repair it with an editor, or ltm_fix moves it to archives/ byte for byte",
		memory.KindFoundNoAccess:   "make it readable for this user, such as with chmod u+r" + untouched,
		memory.KindFoundGone:       "check again",
		memory.KindFoundTooMany:    "move the files that are not memories elsewhere",
		memory.KindFoundUnlooked:   "repair the others or move them away first" + untouched,
		memory.KindFoundIrregular:  "replace it with the memory itself, or move it away",
		memory.KindFoundOther:      "ltm leaves it alone",
		memory.KindFoundMisnamed:   "rename it to mem_, 8 hex digits that no other has, and .md" + untouched,
		memory.KindFoundRename:     "rename it to {}" + untouched,
		memory.KindFoundOddID:      "a person can let ltm give it such an id in a terminal" + untouched,
		memory.KindFoundText:       "ltm_fix archives the text and leaves the stub, and restore_memory brings it back",
		memory.KindFoundCopy: "it is a copy of {}: add what the original lacks to it, " +
			"or remove the id from the header of this file to make it a memory of its own" + untouched,
		memory.KindFoundCopyNamed: "it is a copy of {}: add what the original lacks to it, " +
			"or give this file an id of its own, in its header and in its name" + untouched,
		memory.KindFoundArchive: "repair it by hand, or remove it if it is not needed (ltm_fix with " +
			"clean_orphaned_archives true)",
		memory.KindFoundArchiveNeeded: "repair it by hand, or restore it from git's history (git log -- {})",
		memory.KindFoundIndex:         "the next change, or ltm_fix, rewrites it from the memories",
		memory.KindFoundCounters:      heals,
		memory.KindFoundState:         heals + "; set the settings of this clone again",
		memory.KindFoundTrust: renews +
			"; all memories here count as from elsewhere until a person approves them in a terminal",
		memory.KindFoundConfig: "repair it by hand, or move it away: its settings do not count, and ltm leaves " +
			"it alone",
		memory.KindFoundLeftover:  "the next change, or ltm_fix, removes it",
		memory.KindFoundRejected:  "a person resumes with it in an editor; remove it if it is not needed",
		memory.KindFoundDamaged:   "remove it if it is not needed",
		memory.KindFoundOldLocal:  "remove it; edited texts that could not be stored are in .local/rejected",
		memory.KindFoundOlder:     "remove it (git rm if git tracks it) if nothing else uses it",
		memory.KindFoundGitAdd:    "then git add",
		memory.KindFoundDirectory: "replace it with the directory itself, or move it away",
		memory.KindFoundBlocked:   "move it away, then run ltm_fix",
	}
}
