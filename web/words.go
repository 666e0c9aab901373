package web

import (
	"ltm/internal/advice"
	"ltm/memory"
)

// nextSteps returns what readers of the page do next, by the kind of what happened. They have its views and a shell.
func nextSteps() advice.Table {
	return advice.Merge(stepsOfMemories(), stepsOfFiles()).None(selfEvident()...)
}

// stepsOfMemories follows memories that are not there, or not in the state that a change needs.
func stepsOfMemories() advice.Table {
	return advice.Table{
		memory.KindIDMalformed:     "the list of memories has their ids",
		memory.KindMemoryUnknown:   "the list of memories shows those that exist, archives included",
		memory.KindMemoryMisspelt:  "did you mean one of these?",
		memory.KindForeignUnknown:  "Trust lists what comes from elsewhere",
		memory.KindArchiveMissing:  "the list of memories shows the archives, too",
		memory.KindOnlyArchived:    "it can be restored",
		memory.KindEditArchived:    "restore it first",
		memory.KindUndoGone:        "the archives have every text that was replaced",
		memory.KindDuplicate:       "change that one instead",
		memory.KindMemoryHeldBack:  "approve it in Trust",
		memory.KindMergeUnresolved: "decide between the sides in Conflicts",
		memory.KindFileChanged:     "look at what it is now, and decide again",
		memory.KindGroupChanged:    "the changes of single memories can still be undone",
		memory.KindSettingTeam:     "it is a setting of the team: ltm config --shared",
		memory.KindStoreMissing:    "it begins with the first memory",
		memory.KindEarlierText:     "the memory itself shows what it says now",
		memory.KindPartOnly:        "the archives have the full text",
		memory.KindHeldBack:        "approve them in Trust",
		memory.KindArchivedMatch:   "choose archives to see it",
		memory.KindArchivedMatches: "choose archives to see them",
		memory.KindForgotten:       "it can be restored",
		memory.KindAllCritical:     "unpin some, or raise max_memories",
		memory.KindCriticalBudget:  "unpin some, shorten them, or raise {}",
		memory.KindCriticalClient:  "unpin some, or shorten them",
		memory.KindCriticalMany:    "unpin some, or raise max_memories",
		memory.KindUserNone:        "set LTM_USER_DIR, in your own environment, to a directory outside of projects",
		memory.KindUserFailed:      "\"ltm check --user\" says what is wrong",
		memory.KindTakenOver:       "memories that were here before count as from elsewhere until Trust approves them",
		memory.KindPacketUnknown:   "Packets lists those that exist",
	}
}

// stepsOfFiles follows files and their repair.
func stepsOfFiles() advice.Table {
	return advice.Table{
		memory.KindFileUnreadable:  "Health can repair it",
		memory.KindLockHeld:        "try again in a moment",
		memory.KindVersionNewer:    "update ltm; the file was left as it is",
		memory.KindMemoryDamaged:   "repair the file by hand, or see Health",
		memory.KindTrustDamaged:    "Health starts a new file and keeps this one beside it",
		memory.KindDiskNotRegular:  "replace it with a real one, or move it away; nothing was lost",
		memory.KindDiskTooLarge:    "make it smaller, or move it away; nothing was lost",
		memory.KindDiskUnreadable:  "make it readable for this user; nothing was lost",
		memory.KindDiskUnwritable:  "make the directory writable for this user; nothing was lost",
		memory.KindDiskFull:        "free some space on its disk; nothing was lost",
		memory.KindDiskFailed:      "check the directory and its disk; nothing was lost",
		memory.KindPathBlocked:     "move it away, then repair in Health",
		memory.KindBatchStopped:    "repair the directory or its disk; the next change goes on with it",
		memory.KindCountersFailed:  "the memories themselves had been written, so do not repeat it; repair the disk",
		memory.KindRemarks:         "Health lists them",
		memory.KindRepairable:      "Health repairs them, and shows how first",
		memory.KindRestRepairable:  "Health repairs the rest, and shows how first",
		memory.KindFoundMergeText:  "decide between the sides in Conflicts",
		memory.KindFoundMerge:      "a repair keeps both sides",
		memory.KindFoundText:       "a repair archives the text and leaves the stub",
		memory.KindFoundUnreadable: "repair it by hand, or a repair moves it to the archives byte for byte",
		memory.KindFoundIndex:      "the next change, or a repair, rewrites it from the memories",
		memory.KindFoundLost:       "a repair looks for it in the archives and in git",
		memory.KindSecretFound:     "take it out, and rotate it at the service: git's history may have it",
		memory.KindSecretsFound:    "take them out, and rotate them at the service: git's history may have them",
	}
}

// selfEvident lists the kinds whose messages say it all, or that do not come here.
func selfEvident() []memory.Kind {
	return []memory.Kind{
		memory.KindImportanceUnknown, memory.KindCategoryUnknown, memory.KindPhaseUnknown, memory.KindIncludeUnknown,
		memory.KindOrderUnknown, memory.KindAgeMalformed, memory.KindScopeUnknown, memory.KindTopicEmpty,
		memory.KindTopicTooLong, memory.KindTopicOutdated,
		memory.KindContentEmpty, memory.KindContentTooLong, memory.KindTextConflicted,
		memory.KindSummaryConflicted, memory.KindSummaryTooLong, memory.KindTagsTooMany, memory.KindTagTooLong,
		memory.KindTagEmpty, memory.KindAliasTooLong, memory.KindAliasesTooMany, memory.KindDifficultyRange,
		memory.KindConfidenceRange, memory.KindLinkToSelf, memory.KindLinkCycle, memory.KindLinksTooMany,
		memory.KindAgentMalformed, memory.KindCommitMalformed, memory.KindOriginMalformed,
		memory.KindSignatureMalformed, memory.KindRefMalformed, memory.KindRefsTooMany, memory.KindRefUntaken,
		memory.KindRefMoved, memory.KindQueryEmpty, memory.KindQueryTooLong, memory.KindTextNotUTF8,
		memory.KindTextNUL, memory.KindPhaseWithoutFile, memory.KindTextSecret, memory.KindEditedSecret,
		memory.KindImportanceTwice, memory.KindTagsTwice, memory.KindTagAddedAndRemoved, memory.KindTagsSame,
		memory.KindImportanceRenamed,
		memory.KindPinTagsTooMany, memory.KindPatchEmpty, memory.KindContentTwice, memory.KindAppendEmpty,
		memory.KindAppendRepeated, memory.KindAppendNoFull, memory.KindIDsNone, memory.KindIDsTooMany,
		memory.KindIDAmbiguous, memory.KindTooLongTogether, memory.KindPruneNoAge, memory.KindRequestInvalid,
		memory.KindEditedUnreadable, memory.KindEditedNoHeader, memory.KindEditedConflicted, memory.KindEditedID,
		memory.KindEditedMeanwhile, memory.KindPlanMeanwhile, memory.KindAliasUnknown, memory.KindTagUnknown,
		memory.KindTagMisspelt,
		memory.KindSessionNone, memory.KindSessionRecord, memory.KindUndoNone, memory.KindMergeNone,
		memory.KindMergeUnreadable, memory.KindMergeKeptOnce, memory.KindMergeTooLong, memory.KindMemoryInFull,
		memory.KindReduceStep, memory.KindIDsExhausted, memory.KindRewriteFails, memory.KindPacketAmbiguous,
		memory.KindPacketNone, memory.KindPacketInvalid, memory.KindPacketSecret, memory.KindPacketPath,
		memory.KindPacketTaken, memory.KindPacketDamaged, memory.KindPacketNoCriteria, memory.KindPacketUnlearned,
		memory.KindPacketNoReason, memory.KindPacketUnproven, memory.KindPacketParentGone,
		memory.KindPacketParentTwice, memory.KindPacketUncommitted, memory.KindPacketLeftOut,
		memory.KindPacketHasPath, memory.KindPacketKnownAlready, memory.KindUserUnapproved, memory.KindUserApproval,
		memory.KindUserHidden, memory.KindBriefHeldUser, memory.KindSettingUnknown, memory.KindSettingValue,
		memory.KindSettingOwn, memory.KindSettingGuarded, memory.KindSettingStrict, memory.KindSearchStopped,
		memory.KindFileDamaged, memory.KindPathOutside, memory.KindPathMisleads, memory.KindStoreOccupied,
		memory.KindStoreInside, memory.KindLinkOut, memory.KindCopyFailed, memory.KindRandomFailed,
		memory.KindSetupFile, memory.KindSetupMeanwhile, memory.KindSetupText, memory.KindSetupJSON,
		memory.KindSetupUnreadable, memory.KindSetupUnwritable, memory.KindSetupDisk, memory.KindSetupNewer,
		memory.KindSetupHalf, memory.KindKeptOther, memory.KindKeptEdited, memory.KindKeptOurs, memory.KindKeptTwice,
		memory.KindFormUnknown, memory.KindImportMissing, memory.KindImportUnknown, memory.KindImportVersion,
		memory.KindImportMalformed, memory.KindImportSection, memory.KindImportTooLarge, memory.KindImportRefused,
		memory.KindImportChanged, memory.KindImportSecret, memory.KindImportProject, memory.KindImportScope,
		memory.KindImportFull, memory.KindImportKey, memory.KindExportExists, memory.KindExportNotFile,
		memory.KindExportEmpty, memory.KindEventUnknown, memory.KindPayloadUnreadable, memory.KindPayloadMalformed,
		memory.KindArchivedHit, memory.KindSimilar, memory.KindRestoredOld, memory.KindStoreFirst, memory.KindMerges,
		memory.KindForPerson, memory.KindUnscanned, memory.KindBriefOne, memory.KindBriefRest,
		memory.KindBriefCritical, memory.KindBriefHeld, memory.KindBriefLeft, memory.KindBriefPacket,
		memory.KindBriefEnd, memory.KindNudge, memory.KindFoundLostForever, memory.KindFoundMergeArchived,
		memory.KindFoundMergeHand, memory.KindFoundNoAccess, memory.KindFoundGone, memory.KindFoundTooMany,
		memory.KindFoundUnlooked, memory.KindFoundIrregular, memory.KindFoundOther, memory.KindFoundMisnamed,
		memory.KindFoundOddID,
		memory.KindFoundRename, memory.KindFoundCopy, memory.KindFoundCopyNamed, memory.KindFoundArchive,
		memory.KindFoundArchiveNeeded, memory.KindFoundCounters, memory.KindFoundState, memory.KindFoundTrust,
		memory.KindFoundConfig, memory.KindFoundSetting, memory.KindFoundLeftover, memory.KindFoundRejected,
		memory.KindFoundDamaged, memory.KindFoundOldLocal, memory.KindFoundCategory, memory.KindFoundAliases,
		memory.KindFoundConfidence, memory.KindFoundSupersededBy, memory.KindFoundCorrections, memory.KindFoundCycle,
		memory.KindFoundLinkUnknown, memory.KindFoundLinkSelf, memory.KindFoundRefs, memory.KindFoundLinks,
		memory.KindFoundOlder, memory.KindFoundGitAdd, memory.KindFoundDirectory, memory.KindFoundBlocked,
		memory.KindFoundPacket, memory.KindKeyNone, memory.KindKeyUnknown, memory.KindKeyAmbiguous,
		memory.KindKeyMalformed, memory.KindKeyExposed, memory.KindKeyDamaged, memory.KindKeyPlace,
		memory.KindSignForeign, memory.KindSignIncomplete, memory.KindSSHFailed, memory.KindFoundAltered,
		memory.KindFoundUnsigned, memory.KindHostMalformed, memory.KindHostInsecure, memory.KindHostNone,
		memory.KindTokenNone, memory.KindTokenMalformed, memory.KindTokenRefused, memory.KindRemotePlace,
		memory.KindRemoteExposed, memory.KindRemoteDamaged, memory.KindRemoteDenied, memory.KindRemoteUnknown,
		memory.KindRemoteRefused, memory.KindRemoteConflict, memory.KindRemoteStale, memory.KindRemoteLimit,
		memory.KindRemoteBusy, memory.KindRemoteFailed, memory.KindRemoteUnreachable, memory.KindRemoteAnswer,
		memory.KindRemoteRedirect, memory.KindRemoteUnsupported, memory.KindRemoteIDMalformed,
		memory.KindTeamMalformed, memory.KindTeamUnknown, memory.KindTeamTaken, memory.KindTeamOwner,
		memory.KindMemberUnknown, memory.KindInviteMalformed, memory.KindInviteGone, memory.KindDeviceDenied,
		memory.KindDeviceExpired, memory.KindPacketLeaks, memory.KindPacketUnsent,
	}
}
