package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/memory/advice"
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
		"achievements", "review", "tidy", "user init", "key new", "key import", "key use", "key rm", "sign",
		"auth", "auth use", "auth rm", "teams create", "teams rm", "teams leave", "teams remove", "teams transfer",
		"invite", "invite revoke", "join", "push", "pull", "save",
		"write", "packet done", "packet keep", "packet rm"}
}

const (
	knownIDs  = "ltm recall and ltm list show the ids that exist"
	restoring = "ltm restore brings it back"
	renews    = "ltm fix starts a new file and keeps this one beside it"
	untouched = "; ltm leaves it alone"
)

// nextSteps is what a person types next.
func nextSteps() advice.Table {
	return advice.Merge(advice.Common(), afterTexts(), afterFiles(), afterRemarks(), afterFindings(), afterKeys(),
		afterRemote(), afterPackets())
}

// afterTexts follows texts and requests that are refused, and memories that are not there, or not in the state that a
// change needs.
func afterTexts() advice.Table {
	return advice.Table{
		memory.KindIDMalformed:       knownIDs,
		memory.KindTopicOutdated:     "give --topic, or name it in the text",
		memory.KindTextSecret:        "the store is committed to git: leave it out, or pass --redact to mask it",
		memory.KindLinkCycle:         "ltm show {} shows the newer text",
		memory.KindImportanceRenamed: "set it with ltm pin or --importance",
		memory.KindTagsSame:          "give a different new name",
		memory.KindTagsTooMany:       "give fewer, or set fewer with ltm update --tag",
		memory.KindPruneNoAge:        "say how old archives must be",
		memory.KindEditedNoHeader:    "keep the header between the two --- lines",
		memory.KindEditedConflicted:  "keep one side, or both without the markers",
		memory.KindEditedMeanwhile:   "edit it again",
		memory.KindPlanMeanwhile:     "ltm fix --dry-run shows what it would do now",

		memory.KindMemoryUnknown:  knownIDs,
		memory.KindForeignUnknown: `"ltm trust" lists what comes from elsewhere`,
		memory.KindArchiveMissing: "ltm list --archives shows those that exist",
		memory.KindAliasUnknown:   "ltm alias {} shows them",
		memory.KindTagUnknown:     `"ltm tag list" shows the tags`,
		memory.KindOnlyArchived:   restoring + ", and ltm show --archives only shows it",
		memory.KindEditArchived:   restoring,
		memory.KindStoreMissing:   "ltm remember creates it",
		memory.KindSessionRecord: "name one that Claude Code still has a record of, or write the packet yourself: " +
			"ltm write",
		memory.KindCandidate:    "ltm review lists them",
		memory.KindReviewPartly: "ltm review lists what is left",
		memory.KindUndoNone:     "ltm undo --list shows what there is",
		memory.KindUndoFinal:    "ltm undo {} undoes that one",
		memory.KindRedoNone:     "ltm undo --list shows what there is",

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
		memory.KindRefMoved:        "--follow takes the new path",
	}
}

// afterFiles follows settings, files, setup, and documents that are imported or exported.
func afterFiles() advice.Table {
	return advice.Table{
		memory.KindSettingTeam:    "add --shared",
		memory.KindSettingOwn:     "each clone sets it for itself, without --shared",
		memory.KindSettingGuarded: "each clone sets it for itself, without --shared",
		memory.KindSettingStrict:  "ltm config --shared --reset {} removes that for the team",

		memory.KindMemoryDamaged: "repair the file by hand, or see ltm check",
		memory.KindTrustDamaged:  renews,
		memory.KindReviewDamaged: renews,
		memory.KindPathBlocked:   "move it away, then run ltm fix",
		memory.KindBatchStopped:  "repair the directory or its disk; the next command goes on with it",
		memory.KindCountersFailed: "the memories themselves had been written, so do not repeat the command; " +
			"repair the directory or its disk, then run ltm fix",
		memory.KindUserFailed:     `"ltm check --user" says what is wrong; the project's memories are there`,
		memory.KindUserUnapproved: "a person approves it in a terminal: ltm trust --user {}",
		memory.KindUserApproval:   "run it in a terminal of your own, outside of Claude Code",

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

		memory.KindImportUnknown: "--format names the form of a document that is not recognized",
		memory.KindImportRefused: "--skip-bad leaves them out",
		memory.KindImportSection: "--section HEADING names one, and --format markdown takes all of it as one memory",
		memory.KindImportSecret:  "--redact masks credentials, and --skip-bad leaves the entries out",
		memory.KindImportProject: "--any-project imports them too, and --skip-bad leaves them out",
		memory.KindImportScope:   "--scope project imports them into the project, and --skip-bad leaves them out",
		memory.KindImportChanged: "--merge keeps them as they are here, and --update takes the document's text",
		memory.KindExportExists:  "--force replaces it",
		memory.KindExportNotFile: "give the name of a file, or - for standard output",
	}
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
		memory.KindForPerson:      "the reason in ltm check says how",
		memory.KindRepairable:     "ltm fix repairs them; a dry run shows how",
		memory.KindRestRepairable: "ltm fix repairs the rest; a dry run shows how",
		memory.KindSecretFound: "take it out (ltm edit ID; of an archive or an unreadable file by hand), " +
			"and rotate it at the service, because git's history may have it",
		memory.KindSecretsFound: "take them out (ltm edit ID; of an archive or an unreadable file by hand), " +
			"and rotate them at the service, because git's history may have them",
		memory.KindUnscanned: "do so by hand",
	}
}

// afterFindings follows what a check finds.
func afterFindings() advice.Table {
	const heals = "the next change of it, or ltm fix, starts a new file and keeps this one beside it"
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

		memory.KindFoundLeft:      "ltm fix brings back what it left",
		memory.KindFoundLost:      "ltm fix looks for it in the archives and in git's objects",
		memory.KindFoundMerge:     "ltm fix keeps both; then git add",
		memory.KindFoundMergeText: "resolve it with ltm resolve, or in the file (ltm edit)",
		memory.KindFoundMergeArchived: "keep one of them with ltm resolve, or in the file (ltm edit); " +
			"ltm restore brings the archived text back afterwards",
		memory.KindFoundUnreadable: "repair it by hand or with ltm edit, or ltm fix moves it to archives/ " +
			"byte for byte",
		memory.KindFoundOddID: "ltm fix --adopt gives it such an id, and updates the links to it" + untouched,
		memory.KindFoundText:  "ltm fix archives the text and leaves the stub, and ltm restore brings it back",
		memory.KindFoundArchive: "repair it by hand, or remove it if it is not needed (ltm fix " +
			"--clean-orphaned-archives)",
		memory.KindFoundIndex:    "the next change, or ltm fix, rewrites it from the memories",
		memory.KindFoundCounters: heals,
		memory.KindFoundState:    heals + "; set the settings of this clone again",
		memory.KindFoundTrust: renews +
			"; all memories here count as from elsewhere until a person approves them with ltm trust --all",
		memory.KindFoundLeftover: "the next change, or ltm fix, removes it",
		memory.KindFoundRejected: "ltm edit ID --from FILE resumes with it; remove it if it is not needed",
		memory.KindFoundBlocked:  "move it away, then run ltm fix",
		memory.KindFoundRefs:     "repair it by hand: ltm edit {}",
	}
}

// afterKeys follows keys and signatures.
func afterKeys() advice.Table {
	return advice.Table{
		memory.KindKeyNone:        `"ltm key new" makes one, "ltm key use" chooses one of several`,
		memory.KindKeyUnknown:     "ltm key list shows the keys; give at least 4 digits",
		memory.KindKeyAmbiguous:   "give more digits",
		memory.KindKeyExposed:     "chmod go= {}",
		memory.KindKeyDamaged:     `restore it from a backup, or remove it with "ltm key rm"`,
		memory.KindKeyPlace:       "set HOME or XDG_CONFIG_HOME in your own environment",
		memory.KindSignForeign:    `read it (ltm show {}) and approve it (ltm trust {}) first`,
		memory.KindSignIncomplete: "restore it first (ltm restore {})",
		memory.KindSignStore: `in a shallow clone, let git fetch the whole history; if the repository is yours and ` +
			`not a copy, remove "store_id" from .claude/ltm/config.json, and the next signature makes a new one`,
		memory.KindSSHFailed: "install OpenSSH, or check the key and its agent",
		memory.KindFoundAltered: "compare it with its last versions (ltm history {}); then approve it as it is " +
			"(ltm trust {}), or bring back a signed version with git",
		memory.KindFoundUnsigned: "ltm sign {}",
	}
}

// afterRemote follows what is about servers of packets.
func afterRemote() advice.Table {
	return advice.Table{
		memory.KindHostMalformed:  "give it as https://HOST or https://HOST:PORT",
		memory.KindHostInsecure:   "use https, or --insecure if no one else can listen on the way",
		memory.KindHostNone:       `"ltm auth URL" signs in to one, and --host or LTM_HOST names one of several`,
		memory.KindTokenNone:      `sign in: "ltm auth {}"`,
		memory.KindTokenMalformed: "copy all of it, and nothing else",
		memory.KindTokenRefused:   `it may have ended or been revoked: "ltm auth {}" takes a new one`,
		memory.KindRemotePlace:    "take it out of that file, or work in another directory",
		memory.KindRemoteExposed:  "name a directory of your own in LTM_CONFIG_DIR",
		memory.KindRemoteDamaged:  `"ltm auth URL" replaces it`,

		memory.KindRemoteUnknown:     "ltm packet ls --remote lists yours, and -t TEAM those of a team",
		memory.KindRemoteConflict:    "give yours an id of its own",
		memory.KindRemoteStale:       "read it again",
		memory.KindRemoteLimit:       "try again later, or delete what is not needed there",
		memory.KindRemoteBusy:        "try again soon",
		memory.KindRemoteFailed:      "try again; whoever runs the server finds more in its log",
		memory.KindRemoteUnreachable: "check the address and the network, then try again",
		memory.KindRemoteAnswer:      "check that it is a server of packets, and that no proxy answers for it",
		memory.KindRemoteRedirect:    "sign in at the address where the server is, if you trust it",
		memory.KindRemoteUnsupported: "another server may have it",

		memory.KindTeamUnknown:     "ltm teams ls lists the teams that you are in",
		memory.KindTeamTaken:       "choose another name",
		memory.KindTeamOwner:       "ltm teams transfer hands it over, ltm teams rm deletes it",
		memory.KindMemberUnknown:   "ltm teams members {} lists them with their ids",
		memory.KindInviteMalformed: "copy the whole link",
		memory.KindInviteGone:      "ask for a new one",
		memory.KindDeviceDenied:    "begin again if that was a slip",
		memory.KindDeviceExpired:   "begin again",
		memory.KindPacketLeaks:     "write a packet without them: one with them is never sent",
		memory.KindPacketUnsent:    "ltm status names what waits, and ltm push --drop ID takes it out",
	}
}

// afterPackets follows what is about packets.
func afterPackets() advice.Table {
	const known = "ltm packet ls --all shows the packets that are here"
	return advice.Table{
		memory.KindPacketUnknown: known,
		memory.KindPacketNone:    "ltm write makes one, and ltm resume ID takes one that is done or continued",
		memory.KindPacketInvalid: "correct these places",
		memory.KindPacketTaken:   "a packet is never changed: write one that continues {}",
		memory.KindPacketDamaged: "repair or remove it" + untouched,

		memory.KindPacketParentGone:  known,
		memory.KindPacketUncommitted: "commit them, or say in the packet where they are",
		memory.KindPacketHasPath:     "it may not be on this machine",
		memory.KindFoundPacket:       "repair it, take it from git again, or remove it" + untouched,
	}
}

// jsonError is what a command with --json writes to standard error when it fails.
type jsonError struct {
	Error jsonErrorBody `json:"error"`
}

type jsonErrorBody struct {
	Code    string `json:"code"`    // a code of package memory, or "failed"
	Message string `json:"message"` // what was wrong
	Hint    string `json:"hint"`    // what to do; may be empty
	Status  int    `json:"status"`  // the exit status
}

// codeFailed is the code of errors that have none.
const codeFailed = "failed"

// wantsJSON reports whether the arguments ask for JSON. The arguments need not be valid.
func wantsJSON(args []string) bool {
	wanted := false
	for _, arg := range args {
		switch arg {
		case "--":
			return wanted
		case "--json", "--json=true":
			wanted = true
		case "--json=false":
			wanted = false
		}
	}
	return wanted
}

// fail writes the error that ends the program to standard error.
func (a *app) fail(err error, op advice.Operation, args []string) {
	if !wantsJSON(args) {
		_, _ = a.stderr.Write([]byte("ltm: " + clean(nextSteps().Tell(err, op)) + "\n"))
		return
	}
	message, hint := nextSteps().Split(err, op)
	body := jsonErrorBody{Code: codeFailed, Message: clean(message), Hint: clean(hint), Status: exitStatus(err)}
	var known *memory.Error
	if errors.As(err, &known) {
		body.Code = string(known.Code)
	}
	_ = a.encodeJSON(a.stderr, jsonError{body})
}
