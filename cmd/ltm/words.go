package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/internal/advice"
	"ltm/memory"
)

// invalid is the error about an argument, a flag or the input, with the next step.
func invalid(next, format string, args ...any) error {
	return advice.With(memory.NewError(memory.CodeInvalid, memory.KindRequestInvalid, "", format, args...), next)
}

// notFound is the error about something that is not there, with the next step.
func notFound(next, format string, args ...any) error {
	return advice.With(memory.NewError(memory.CodeNotFound, memory.KindRequestInvalid, "", format, args...), next)
}

// unusable is invalid with a cause.
func unusable(next, message string, cause error) error {
	return advice.With(&memory.Error{Code: memory.CodeInvalid, Kind: memory.KindRequestInvalid, Message: message,
		Err: cause}, next)
}

// copyFailed is the error about a file of the program's own, beside the store.
func copyFailed(message string, cause error) error {
	return &memory.Error{Code: memory.CodeStorage, Kind: memory.KindCopyFailed, Message: message, Err: cause}
}

// operation says what a command does, as it was called.
func operation(c *cobra.Command) advice.Operation {
	flag := func(name string) bool { return c.Flags().Changed(name) }
	reads := false
	switch name := strings.TrimPrefix(c.CommandPath(), "ltm "); name {
	case "config":
		reads = c.Flags().NArg() < 2 && !flag("reset")
	case "trust":
		reads = c.Flags().NArg() == 0 && !flag("all") && !flag("revoke")
	case "alias":
		reads = c.Flags().NArg() < 2
	case "undo":
		reads = flag("list")
	default:
		reads = !slices.Contains(writers(), name)
	}
	if reads {
		return advice.Reading
	}
	return advice.Writing
}

// writers lists the commands that change something each time, unless it is a dry run.
func writers() []string {
	return []string{"remember", "update", "correct", "edit", "forget", "restore", "pin", "unpin", "resolve", "tag add",
		"tag rm", "tag rename", "archives prune", "fix", "evict", "fade", "verify", "init", "import",
		"achievements", "user init", "key new", "key import", "key use", "key rm", "sign",
		"auth", "auth use", "auth rm", "teams create", "teams rm", "teams leave", "teams remove", "teams transfer",
		"invite", "invite revoke", "join", "push", "pull", "save",
		"write", "packet done", "packet rm"}
}

const (
	knownIDs  = "ltm recall and ltm list show the ids that exist"
	restoring = "ltm restore brings it back"
	inGit     = "the store is committed to git: leave it out"
	renews    = "ltm fix starts a new file and keeps this one beside it"
	heals     = "the next change of it, or ltm fix, starts a new file and keeps this one beside it"
	untouched = "; ltm leaves it alone"
	unlost    = "; nothing was lost"
)

// nextSteps is what a person types next.
func nextSteps() advice.Table {
	return advice.Merge(afterScopes(),
		afterTexts(), afterMemories(), afterFiles(), afterSetup(), afterTransfer(), afterRemarks(),
		afterFindings(), afterSigning(), afterRemote(), afterPackets(), afterRefs())
}

// afterPackets follows what is about packets.
func afterPackets() advice.Table {
	const known = "ltm packet ls --all shows the packets that are here"
	return advice.Table{
		memory.KindPacketUnknown:   known,
		memory.KindPacketAmbiguous: "give a longer prefix",
		memory.KindPacketNone:      "ltm write makes one, and ltm resume ID takes one that is done or continued",
		memory.KindPacketInvalid:   "correct these places",
		memory.KindPacketSecret:    "leave them out: a packet goes to other machines and people",
		memory.KindPacketPath:      "name files as they are called in the project: a packet goes to other machines",
		memory.KindPacketTaken:     "a packet is never changed: write one that continues {}",
		memory.KindPacketDamaged:   "repair or remove it" + untouched,

		memory.KindPacketNoCriteria:  "say what can be observed when the work is done",
		memory.KindPacketUnlearned:   "say what it taught, so that it is not tried again",
		memory.KindPacketNoReason:    "say why it is settled",
		memory.KindPacketUnproven:    "run the check, and write the packet with its result",
		memory.KindPacketParentGone:  known,
		memory.KindPacketUncommitted: "commit them, or say in the packet where they are",
		memory.KindPacketHasPath:     "it may not be on this machine",
		memory.KindFoundPacket:       "repair it, take it from git again, or remove it" + untouched,
	}.None(memory.KindPacketParentTwice, memory.KindPacketLeftOut, memory.KindPacketKnownAlready)
}

// afterScopes follows what is about the person's own memories.
func afterScopes() advice.Table {
	return advice.Table{
		memory.KindUserNone:       "set LTM_USER_DIR, in your own environment, to a directory outside of projects",
		memory.KindUserFailed:     `"ltm check --user" says what is wrong; the project's memories are there`,
		memory.KindUserUnapproved: "a person approves it in a terminal: ltm trust --user {}",
		memory.KindUserApproval:   "run it in a terminal of your own, outside of Claude Code",
		memory.KindUserHidden:     "",
	}.None(memory.KindBriefHeldUser)
}

// afterTexts follows texts and requests that are refused.
func afterTexts() advice.Table {
	return advice.Table{
		memory.KindIDMalformed:        knownIDs,
		memory.KindTopicOutdated:      "give --topic, or name it in the text",
		memory.KindTopicTooLong:       "move the detail to content",
		memory.KindContentTooLong:     "store the conclusion, not the log",
		memory.KindTextConflicted:     "resolve it, or quote it in a code block",
		memory.KindSummaryConflicted:  "remove the markers",
		memory.KindSummaryTooLong:     "move the detail to content",
		memory.KindQueryEmpty:         "give words from the memory, or a question",
		memory.KindTextSecret:         inGit + ", or pass --redact to mask it",
		memory.KindEditedSecret:       inGit,
		memory.KindImportanceTwice:    "give one of them",
		memory.KindLinkCycle:          "ltm show {} shows the newer text",
		memory.KindTagsTwice:          "replace all tags, or add and remove some",
		memory.KindTagAddedAndRemoved: "give it once",
		memory.KindImportanceRenamed:  "set it with ltm pin or --importance",
		memory.KindTagsSame:           "give a different new name",
		memory.KindPinTagsTooMany:     "ltm update --tag sets fewer",

		memory.KindPatchEmpty:      "give what to change, such as topic, content or tags",
		memory.KindContentTwice:    "content replaces the whole text, append adds to it: give one of them",
		memory.KindAppendRepeated:  "append only what is new",
		memory.KindAppendNoFull:    "give content instead, which replaces what is left",
		memory.KindIDAmbiguous:     "give a longer prefix",
		memory.KindTooLongTogether: "ask for it alone",
		memory.KindPruneNoAge:      "say how old archives must be",

		memory.KindEditedNoHeader:   "keep the header between the two --- lines",
		memory.KindEditedConflicted: "keep one side, or both without the markers",
		memory.KindEditedMeanwhile:  "edit it again",
		memory.KindPlanMeanwhile:    "ltm fix --dry-run shows what it would do now",
	}.None(
		memory.KindImportanceUnknown, memory.KindCategoryUnknown, memory.KindConfidenceRange,
		memory.KindLinkToSelf, memory.KindLinksTooMany, memory.KindAgentMalformed, memory.KindCommitMalformed,
		memory.KindOriginMalformed, memory.KindSignatureMalformed,
		memory.KindAliasTooLong, memory.KindAliasesTooMany,
		memory.KindPhaseUnknown, memory.KindIncludeUnknown, memory.KindOrderUnknown,
		memory.KindAgeMalformed, memory.KindTopicEmpty, memory.KindContentEmpty, memory.KindTagsTooMany,
		memory.KindTagTooLong, memory.KindTagEmpty, memory.KindDifficultyRange, memory.KindQueryTooLong,
		memory.KindTextNotUTF8, memory.KindTextNUL, memory.KindPhaseWithoutFile, memory.KindAppendEmpty,
		memory.KindIDsNone, memory.KindIDsTooMany, memory.KindRequestInvalid, memory.KindScopeUnknown,
		memory.KindEditedUnreadable,
		memory.KindEditedID)
}

// afterMemories follows memories that are not there, or not in the state that a change needs.
func afterMemories() advice.Table {
	return advice.Table{
		memory.KindMemoryUnknown:  knownIDs,
		memory.KindMemoryMisspelt: "did you mean one of these?",
		memory.KindForeignUnknown: `"ltm trust" lists what comes from elsewhere`,
		memory.KindArchiveMissing: "ltm list --archives shows those that exist",
		memory.KindAliasUnknown:   "ltm alias {} shows them",
		memory.KindTagUnknown:     `"ltm tag list" shows the tags`,
		memory.KindTagMisspelt:    `did you mean "{}"?`,
		memory.KindOnlyArchived:   restoring + ", and ltm show --archives only shows it",
		memory.KindEditArchived:   restoring,
		memory.KindStoreMissing:   "ltm remember creates it",
		memory.KindSessionNone:    "hooks open one when Claude Code starts",
		memory.KindSessionRecord: "name one that Claude Code still has a record of, or write the packet yourself: " +
			"ltm write",
		memory.KindUndoNone:  "ltm undo --list shows what there is",
		memory.KindUndoGone:  "the archives have every text that was replaced",
		memory.KindUndoFinal: "ltm undo {} undoes that one",
		memory.KindRedoNone:  "ltm undo --list shows what there is",

		memory.KindDuplicate:       "ltm update changes it",
		memory.KindMemoryHeldBack:  "a person approves it with ltm trust --all",
		memory.KindMergeUnresolved: "resolve it with ltm resolve, or in the file (ltm edit)",
		memory.KindMergeNone:       "ltm check lists those that do",
		memory.KindMergeUnreadable: "resolve it by hand: ltm edit {}",
		memory.KindMergeKeptOnce:   "take --ours or --theirs",
		memory.KindMergeTooLong:    "shorten it by hand: ltm edit {}",
		memory.KindMemoryInFull:    "ltm show shows it",
		memory.KindFileChanged:     "look at it with ltm show, and at its archived versions with ltm show --archives",
		memory.KindGroupChanged:    "ltm undo --list shows what else there is",
		memory.KindFileUnreadable:  "ltm fix handles it",
		memory.KindRewriteFails:    "edit the file by hand",
	}.None(
		memory.KindReduceStep, memory.KindIDsExhausted)
}

// afterFiles follows settings and files.
func afterFiles() advice.Table {
	return advice.Table{
		memory.KindSettingTeam:    "add --shared",
		memory.KindSettingOwn:     "each clone sets it for itself, without --shared",
		memory.KindSettingGuarded: "each clone sets it for itself, without --shared",
		memory.KindSettingStrict:  "ltm config --shared --reset {} removes that for the team",

		memory.KindLockHeld:       "try again",
		memory.KindVersionNewer:   "update ltm; the file was left as it is",
		memory.KindMemoryDamaged:  "repair the file by hand, or see ltm check",
		memory.KindTrustDamaged:   renews,
		memory.KindPathMisleads:   "rename it from another system",
		memory.KindStoreOccupied:  "name a directory that is empty or missing, or a store",
		memory.KindStoreInside:    "the store of that project is {}",
		memory.KindLinkOut:        "replace it with a directory, or name that store with LTM_DIR={}",
		memory.KindPathBlocked:    "move it away, then run ltm fix",
		memory.KindDiskNotRegular: "replace it with a real one, or move it away" + unlost,
		memory.KindDiskTooLarge:   "make it smaller, or move it away" + unlost,
		memory.KindDiskUnreadable: "make it readable for this user" + unlost,
		memory.KindDiskUnwritable: "make the directory writable for this user" + unlost,
		memory.KindDiskFull:       "free some space on its disk" + unlost,
		memory.KindDiskFailed:     "check the directory and its disk" + unlost,
		memory.KindBatchStopped:   "repair the directory or its disk; the next command goes on with it",
		memory.KindCountersFailed: "the memories themselves had been written, so do not repeat the command; " +
			"repair the directory or its disk, then run ltm fix",
	}.None(
		memory.KindSettingUnknown, memory.KindSettingValue, memory.KindSearchStopped, memory.KindFileDamaged,
		memory.KindPathOutside, memory.KindCopyFailed, memory.KindRandomFailed)
}

// afterSetup follows the setup of a project, and hooks.
func afterSetup() advice.Table {
	return advice.Table{
		memory.KindSetupMeanwhile:  "try again",
		memory.KindSetupText:       "save it as UTF-8",
		memory.KindSetupJSON:       "fix it by hand and try again",
		memory.KindSetupUnreadable: "make it readable for this user",
		memory.KindSetupUnwritable: "make it writable for this user",
		memory.KindSetupNewer:      "update ltm",
		memory.KindSetupHalf:       `check the disk, then try again or run "ltm init --undo"`,

		memory.KindKeptOther:  "rename it and try again for ltm's",
		memory.KindKeptEdited: "remove it and try again for ltm's",
		memory.KindKeptOurs:   "remove it by hand if it is not needed",
		memory.KindKeptTwice:  `"ltm init --undo" and then "ltm init" fixes that`,
	}.None(
		memory.KindSetupFile, memory.KindSetupDisk, memory.KindEventUnknown, memory.KindPayloadUnreadable,
		memory.KindPayloadMalformed)
}

// afterTransfer follows documents that are imported or exported.
func afterTransfer() advice.Table {
	return advice.Table{
		memory.KindImportUnknown: "--format names the form of a document that is not recognized",
		memory.KindImportRefused: "--skip-bad leaves them out",
		memory.KindImportSection: "--section HEADING names one, and --format markdown takes all of it as one memory",
		memory.KindImportSecret:  "--redact masks credentials, and --skip-bad leaves the entries out",
		memory.KindImportProject: "--any-project imports them too, and --skip-bad leaves them out",
		memory.KindImportScope:   "--scope project imports them into the project, and --skip-bad leaves them out",
		memory.KindImportChanged: "--merge keeps them as they are here, and --update takes the document's text",
		memory.KindExportExists:  "--force replaces it",
		memory.KindExportNotFile: "give the name of a file, or - for standard output",
	}.None(
		memory.KindImportMissing, memory.KindFormUnknown, memory.KindImportVersion,
		memory.KindImportMalformed, memory.KindImportTooLarge, memory.KindImportFull, memory.KindImportKey,
		memory.KindExportEmpty)
}

// afterRemarks follows what answers remark.
func afterRemarks() advice.Table {
	const unpin = "unpin some (ltm unpin ID)"
	return advice.Table{
		memory.KindEarlierText:     "ltm show shows what it says now",
		memory.KindPartOnly:        "ltm show --archives shows the full text, and " + restoring,
		memory.KindHeldBack:        "a person approves them with ltm trust --all",
		memory.KindArchivedMatch:   "ltm recall --archives shows it",
		memory.KindArchivedMatches: "ltm recall --archives shows them",
		memory.KindArchivedHit:     "ltm restore brings one back that is not in sight",
		memory.KindSimilar: "for a slip in {}, ltm update it and forget this one; if the truth has changed, " +
			"ltm update this one --supersedes {}; --disputes if both cannot be true, else perhaps --related",
		memory.KindForgotten:      restoring,
		memory.KindRestoredOld:    "if it holds again, say so with ltm correct",
		memory.KindStoreFirst:     "the first ltm remember creates it",
		memory.KindTakenOver:      `memories that were here before count as from elsewhere until "ltm trust --all"`,
		memory.KindAllCritical:    unpin + " or raise max_memories with ltm config",
		memory.KindCriticalBudget: unpin + ", shorten them, or raise {} with ltm config",
		memory.KindCriticalClient: unpin + ", or shorten them",
		memory.KindCriticalMany:   unpin + " or raise it with ltm config",
		memory.KindRemarks:        "ltm check lists them",
		memory.KindMerges:         "resolve merges in their files",
		memory.KindForPerson:      "the reason in ltm check says how",
		memory.KindRepairable:     "ltm fix repairs them; a dry run shows how",
		memory.KindRestRepairable: "ltm fix repairs the rest; a dry run shows how",
		memory.KindSecretFound: "take it out (ltm edit ID; of an archive or an unreadable file by hand), " +
			"and rotate it at the service, because git's history may have it",
		memory.KindSecretsFound: "take them out (ltm edit ID; of an archive or an unreadable file by hand), " +
			"and rotate them at the service, because git's history may have them",
		memory.KindUnscanned: "do so by hand",
	}.None(
		memory.KindBriefOne, memory.KindBriefRest, memory.KindBriefCritical, memory.KindBriefHeld,
		memory.KindBriefLeft, memory.KindBriefPacket, memory.KindBriefTree, memory.KindBriefEnd, memory.KindNudge)
}

// afterFindings follows what a check finds.
func afterFindings() advice.Table {
	return advice.Table{
		memory.KindFoundCategory:   "ltm update {} --kind KIND sets one, and --kind \"\" removes it",
		memory.KindFoundSetting:    "ltm config --shared --reset {} removes it",
		memory.KindFoundAliases:    "ltm update {} --alias TEXT sets them",
		memory.KindFoundConfidence: "ltm update {} --confidence N sets it, and 1 removes it",

		memory.KindFoundSupersededBy: "ltm show compares them; then ltm update NEW --supersedes {} archives it, " +
			"or ltm restore {} keeps it in sight",
		memory.KindFoundCorrections: "keep the one that holds: ltm update THAT --supersedes the other, " +
			"such as {}, or ltm forget {}",
		memory.KindFoundCycle:       "ltm update {} --unlink ID removes a link",
		memory.KindFoundLinkUnknown: "ltm update {} --unlink ID removes the link",
		memory.KindFoundLinkSelf:    "ltm update {} --unlink {} removes the link",
		memory.KindFoundLinks:       "repair it by hand: ltm edit {}",

		memory.KindFoundLeft: "ltm fix brings back what it left",
		memory.KindFoundLost: "ltm fix looks for it in the archives and in git's objects",
		memory.KindFoundLostForever: "restore one to archives/ from a backup, " +
			"or set phase: 0 in the memory if what is left is enough",
		memory.KindFoundMerge:     "ltm fix keeps both; then git add",
		memory.KindFoundMergeText: "resolve it with ltm resolve, or in the file (ltm edit)",
		memory.KindFoundMergeArchived: "keep one of them with ltm resolve, or in the file (ltm edit); " +
			"ltm restore brings the archived text back afterwards",
		memory.KindFoundMergeHand: "resolve the merge in it by hand" + untouched,
		memory.KindFoundUnreadable: "repair it by hand or with ltm edit, or ltm fix moves it to archives/ " +
			"byte for byte",
		memory.KindFoundNoAccess:  "make it readable for this user, such as with chmod u+r" + untouched,
		memory.KindFoundGone:      "check again",
		memory.KindFoundTooMany:   "move the files that are not memories elsewhere",
		memory.KindFoundUnlooked:  "repair the others or move them away first" + untouched,
		memory.KindFoundIrregular: "replace it with the memory itself, or move it away",
		memory.KindFoundOther:     "ltm leaves it alone",
		memory.KindFoundMisnamed:  "rename it to mem_, 8 hex digits that no other has, and .md" + untouched,
		memory.KindFoundRename:    "rename it to {}" + untouched,
		memory.KindFoundOddID:     "ltm fix --adopt gives it such an id, and updates the links to it" + untouched,
		memory.KindFoundText:      "ltm fix archives the text and leaves the stub, and ltm restore brings it back",
		memory.KindFoundCopy: "it is a copy of {}: add what the original lacks to it, " +
			"or remove the id from the header of this file to make it a memory of its own" + untouched,
		memory.KindFoundCopyNamed: "it is a copy of {}: add what the original lacks to it, " +
			"or give this file an id of its own, in its header and in its name" + untouched,
		memory.KindFoundArchive: "repair it by hand, or remove it if it is not needed (ltm fix " +
			"--clean-orphaned-archives)",
		memory.KindFoundArchiveNeeded: "repair it by hand, or restore it from git's history (git log -- {})",
		memory.KindFoundIndex:         "the next change, or ltm fix, rewrites it from the memories",
		memory.KindFoundCounters:      heals,
		memory.KindFoundState:         heals + "; set the settings of this clone again",
		memory.KindFoundTrust: renews +
			"; all memories here count as from elsewhere until a person approves them with ltm trust --all",
		memory.KindFoundConfig: "repair it by hand, or move it away: its settings do not count, " +
			"and ltm leaves it alone",
		memory.KindFoundLeftover:  "the next change, or ltm fix, removes it",
		memory.KindFoundRejected:  "ltm edit ID --from FILE resumes with it; remove it if it is not needed",
		memory.KindFoundDamaged:   "remove it if it is not needed",
		memory.KindFoundOldLocal:  "remove it; edited texts that could not be stored are in .local/rejected",
		memory.KindFoundOlder:     "remove it (git rm if git tracks it) if nothing else uses it",
		memory.KindFoundGitAdd:    "then git add",
		memory.KindFoundDirectory: "replace it with the directory itself, or move it away",
		memory.KindFoundBlocked:   "move it away, then run ltm fix",
	}
}
