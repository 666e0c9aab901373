package hooks

import (
	"ltm/internal/advice"
	"ltm/memory"
)

// NextSteps is what a person does who finds the line that a failed hook wrote in the
// client's log, and what a model does that reads what a hook has put into its context.
// It has a shell for what only a person should decide. Most of what the core says
// cannot come here.
func NextSteps() advice.Table {
	const unlost = "; nothing was lost"
	return advice.Table{
		memory.KindPayloadMalformed: "Claude Code writes it to standard input",
		memory.KindLockHeld:         "the next event tries again",
		memory.KindVersionNewer:     "update ltm; the file was left as it is",
		memory.KindTrustDamaged:     "ltm fix starts a new file and keeps this one beside it",
		memory.KindMemoryDamaged:    "repair the file by hand, or see ltm check",
		memory.KindStoreOccupied:    "LTM_DIR takes a directory that is empty or missing, or a store",
		memory.KindStoreInside:      "the store of that project is {}",
		memory.KindLinkOut:          "replace it with a directory, or name that store with LTM_DIR={}",
		memory.KindPathBlocked:      "move it away, then run ltm fix",
		memory.KindDiskNotRegular:   "replace it with a real one, or move it away" + unlost,
		memory.KindDiskTooLarge:     "make it smaller, or move it away" + unlost,
		memory.KindDiskUnreadable:   "make it readable for this user" + unlost,
		memory.KindDiskUnwritable:   "make the directory writable for this user" + unlost,
		memory.KindDiskFull:         "free some space on its disk" + unlost,
		memory.KindDiskFailed:       "check the directory and its disk" + unlost,
		memory.KindBatchStopped:     "repair the directory or its disk; the next event goes on with it",
		memory.KindCountersFailed: "the memories themselves had been written; repair the directory or its " +
			"disk, then run ltm fix",
		memory.KindBriefOne:      "get_memory shows one in full",
		memory.KindBriefRest:     "get_memory {}",
		memory.KindBriefCritical: "ltm unpin ID makes room",
		memory.KindBriefHeld:     `until a person runs "ltm trust"`,
		memory.KindBriefHeldUser: `until a person runs "ltm trust --user"`,
		memory.KindUserNone:      "set LTM_USER_DIR, in your own environment, to a directory outside of projects",
		memory.KindUserFailed:    `"ltm check --user" says what is wrong`,
		memory.KindBriefLeft:     "ask recall in plain words, or list_memories",
		memory.KindBriefPacket:   "resume_packet goes on with it",
		memory.KindBriefTree:     "tell the person: \"ltm check\" lists them, and \"ltm fix\" brings them back",
		memory.KindBriefEnd:      "recall finds memories for a question; store_memory keeps what this session learns",
		memory.KindNudge: "If later sessions should know (cause, fix, what did not help), keep it with " +
			"store_memory",
		memory.KindTakenOver: `memories that were here before count as from elsewhere until "ltm trust --all"`,
	}.None(
		memory.KindEventUnknown, memory.KindPayloadUnreadable, memory.KindFileDamaged, memory.KindSearchStopped,
		memory.KindUserUnapproved, memory.KindUserApproval, memory.KindUserHidden, memory.KindScopeUnknown,
		memory.KindRewriteFails, memory.KindReduceStep, memory.KindRandomFailed, memory.KindPathOutside,
		memory.KindPathMisleads,
	).None(requests()...).None(remarks()...).None(aboutSigning()...).None(aboutRemote()...).None(aboutPackets()...).
		None(aboutRefs()...)
}

// requests are the kinds of what hooks never ask for.
func requests() []memory.Kind {
	return []memory.Kind{
		memory.KindIDMalformed, memory.KindImportanceUnknown, memory.KindCategoryUnknown,
		memory.KindConfidenceRange, memory.KindLinkCycle,
		memory.KindLinkToSelf, memory.KindLinksTooMany, memory.KindAgentMalformed, memory.KindCommitMalformed,
		memory.KindOriginMalformed, memory.KindSignatureMalformed, memory.KindPhaseUnknown, memory.KindIncludeUnknown,
		memory.KindOrderUnknown, memory.KindAgeMalformed, memory.KindTopicEmpty, memory.KindTopicTooLong,
		memory.KindTopicOutdated,
		memory.KindContentEmpty, memory.KindContentTooLong, memory.KindTextConflicted,
		memory.KindSummaryConflicted, memory.KindSummaryTooLong, memory.KindTagsTooMany, memory.KindTagTooLong,
		memory.KindAliasTooLong, memory.KindAliasesTooMany,
		memory.KindTagEmpty, memory.KindDifficultyRange, memory.KindQueryEmpty, memory.KindQueryTooLong,
		memory.KindTextNotUTF8, memory.KindTextNUL, memory.KindPhaseWithoutFile, memory.KindTextSecret,
		memory.KindEditedSecret, memory.KindImportanceTwice, memory.KindTagsTwice, memory.KindTagAddedAndRemoved,
		memory.KindTagsSame, memory.KindImportanceRenamed, memory.KindPinTagsTooMany,
		memory.KindPatchEmpty, memory.KindContentTwice,
		memory.KindAppendEmpty, memory.KindAppendRepeated, memory.KindAppendNoFull, memory.KindIDsNone,
		memory.KindIDsTooMany, memory.KindIDAmbiguous, memory.KindTooLongTogether, memory.KindPruneNoAge,
		memory.KindRequestInvalid, memory.KindEditedUnreadable, memory.KindEditedNoHeader,
		memory.KindEditedConflicted, memory.KindEditedID, memory.KindEditedMeanwhile,
		memory.KindPlanMeanwhile, memory.KindMemoryUnknown,
		memory.KindMemoryMisspelt, memory.KindForeignUnknown, memory.KindArchiveMissing, memory.KindTagUnknown,
		memory.KindAliasUnknown,
		memory.KindTagMisspelt, memory.KindOnlyArchived, memory.KindEditArchived, memory.KindStoreMissing,
		memory.KindSessionNone, memory.KindSessionRecord, memory.KindUndoNone,
		memory.KindUndoFinal, memory.KindRedoNone, memory.KindUndoGone,
		memory.KindDuplicate,
		memory.KindMemoryHeldBack, memory.KindMergeUnresolved, memory.KindMergeNone, memory.KindMergeUnreadable,
		memory.KindMergeKeptOnce, memory.KindMergeTooLong, memory.KindMemoryInFull, memory.KindFileChanged,
		memory.KindFileUnreadable, memory.KindGroupChanged, memory.KindIDsExhausted, memory.KindSettingUnknown,
		memory.KindSettingValue,
		memory.KindSettingTeam, memory.KindSettingOwn, memory.KindSettingGuarded, memory.KindSettingStrict,
		memory.KindCopyFailed,
		memory.KindSetupFile, memory.KindSetupText, memory.KindSetupJSON, memory.KindSetupUnreadable,
		memory.KindSetupUnwritable, memory.KindSetupDisk, memory.KindSetupNewer, memory.KindSetupHalf,
		memory.KindSetupMeanwhile, memory.KindFormUnknown, memory.KindImportUnknown, memory.KindImportVersion,
		memory.KindImportMalformed, memory.KindImportTooLarge, memory.KindImportRefused, memory.KindImportChanged,
		memory.KindImportSecret, memory.KindImportProject,
		memory.KindImportScope, memory.KindImportFull, memory.KindExportEmpty, memory.KindExportExists,
		memory.KindExportNotFile,
		memory.KindImportKey,
		memory.KindImportSection, memory.KindImportMissing,
		memory.KindKeptOther, memory.KindKeptEdited, memory.KindKeptOurs, memory.KindKeptTwice,
	}
}

// remarks are those of answers that hooks never get.
func remarks() []memory.Kind {
	return []memory.Kind{
		memory.KindEarlierText, memory.KindPartOnly, memory.KindHeldBack, memory.KindArchivedMatch,
		memory.KindArchivedMatches, memory.KindArchivedHit, memory.KindSimilar, memory.KindForgotten,
		memory.KindStoreFirst, memory.KindAllCritical, memory.KindCriticalBudget, memory.KindCriticalClient,
		memory.KindCriticalMany,
		memory.KindRemarks, memory.KindMerges, memory.KindForPerson, memory.KindRepairable,
		memory.KindRestRepairable, memory.KindSecretFound, memory.KindSecretsFound, memory.KindUnscanned,
		memory.KindFoundLost, memory.KindFoundLostForever, memory.KindFoundLeft, memory.KindFoundMerge,
		memory.KindFoundMergeText,
		memory.KindFoundMergeArchived, memory.KindFoundMergeHand, memory.KindFoundUnreadable,
		memory.KindFoundNoAccess, memory.KindFoundGone, memory.KindFoundTooMany, memory.KindFoundUnlooked,
		memory.KindFoundIrregular, memory.KindFoundOther, memory.KindFoundMisnamed, memory.KindFoundRename,
		memory.KindFoundOddID, memory.KindFoundText,
		memory.KindFoundCopy, memory.KindFoundCopyNamed, memory.KindFoundArchive, memory.KindFoundArchiveNeeded,
		memory.KindFoundIndex, memory.KindFoundCounters, memory.KindFoundState, memory.KindFoundTrust,
		memory.KindFoundConfig, memory.KindFoundSetting, memory.KindFoundLeftover, memory.KindFoundRejected,
		memory.KindFoundDamaged, memory.KindFoundOldLocal, memory.KindFoundOlder, memory.KindFoundCategory,
		memory.KindRestoredOld, memory.KindFoundSupersededBy, memory.KindFoundCorrections, memory.KindFoundCycle,
		memory.KindFoundLinkUnknown, memory.KindFoundLinkSelf, memory.KindFoundLinks,
		memory.KindFoundAliases, memory.KindFoundConfidence, memory.KindFoundGitAdd, memory.KindFoundDirectory,
		memory.KindFoundBlocked,
	}
}

// aboutPackets are the kinds of packets, which hooks only offer.
func aboutPackets() []memory.Kind {
	return []memory.Kind{
		memory.KindPacketUnknown, memory.KindPacketAmbiguous, memory.KindPacketNone, memory.KindPacketInvalid,
		memory.KindPacketSecret, memory.KindPacketPath, memory.KindPacketTaken, memory.KindPacketDamaged,
		memory.KindPacketNoCriteria, memory.KindPacketUnlearned, memory.KindPacketNoReason,
		memory.KindPacketUnproven, memory.KindPacketParentGone, memory.KindPacketParentTwice,
		memory.KindPacketUncommitted, memory.KindPacketLeftOut, memory.KindPacketHasPath,
		memory.KindPacketKnownAlready, memory.KindFoundPacket,
	}
}
