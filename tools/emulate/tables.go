package main

// The tables say what runs under the emulators on every change, and why: what depends on the system, once
// per area. Everything else that their packages test runs with -all, which "make nightly" does. The slowest
// packages come first.

// windowsTable is for Windows: paths, names, locks, renames, atomic files, exit statuses and hooks.
// Packages that are not in it run the Go command or git, trace system calls of Linux, or belong to the
// server.
func windowsTable() []row {
	return []row{
		{pkg: "engine", why: "locks: one of several processes changes the store, and nothing is there twice",
			tests: "TestImportsAtOnce TestCorrectionsAtOnce TestOneOfManyIsStored " +
				"TestSeveralProcessesShareTheCache TestTwoSignAtOnce TestAServerCountsAfterItAnswers " +
				"TestReadingDoesNotWaitForTheLock TestWaitingForATurnCounts"},
		{pkg: "engine", why: "files that cannot be read or replaced, and directories in their places",
			tests: "TestWhatGitCannotKeepIsNamedAndLeftAlone TestAFileThatMayNotBeReadStays " +
				"TestOwnFilesThatAreNoFiles TestAFileTooLargeIsMoved TestDirectoriesThatAreNot " +
				"TestImportWhereNothingCanBeWritten"},
		{pkg: "engine", why: "time stamps and line ends as the system has them",
			tests: "TestClock* TestAColdProcess* TestRecallSeesWhatChanged TestCheckedOutWithCRLF"},
		{pkg: "engine", why: "renames and removals: archives, stubs and undoing",
			tests: "TestForgetting* TestErasing TestArchivesAreWriteOnce TestWhatReplacesATextArchivesIt " +
				"TestUndoOfEveryChange TestUndoOfAStore TestUndoOfPackets TestExportAndImportGiveTheSameBytes"},
		{pkg: "engine", why: "paths: transcripts inside and outside of the client's directory, and older layouts",
			tests: "TestRecords* TestAStateFileNamesARecordElsewhere TestAnOlderLayoutIsTakenOverOnce " +
				"TestWithoutAPlace TestShelvesRouteByScopeAndID"},

		{pkg: "cmd/ltm", why: "paths, names, locks, hooks, the server and the launcher as a person meets them there",
			tests: "TestWindows* TestPluginHooksNeedAProgramOnWindows"},
		{pkg: "cmd/ltm", why: "processes: their numbers, interrupts and exit statuses",
			tests: "TestInterrupted* TestAHookThatTookOverAndFailedSaysOneLine TestServerIsMissing"},
		{pkg: "cmd/internal/wiring", why: "whether a process still runs", tests: "TestAlive* TestTheParentIsAlive"},
		{pkg: "engine/records", why: "the client's directory of a project", tests: "TestFolder"},
		{pkg: "cmd/ltm", why: "command lines: quoting, names of files",
			tests: "TestMissingAndSurplusArguments TestSplitCommand TestDocumentedFilesExist"},
		{pkg: "cmd/ltm", why: "exit statuses and messages", tests: "TestScript/command_line"},
		{pkg: "cmd/ltm", why: "the life of a memory", tests: "TestScript/first_memory TestScript/corrections"},
		{pkg: "cmd/ltm", why: "finding", tests: "TestScript/recall"},
		{pkg: "cmd/ltm", why: "hooks, and what they put into a session", tests: "TestScript/hooks TestScript/context"},
		{pkg: "cmd/ltm", why: "the server's tools over pipes", tests: "TestScript/tools_session"},
		{pkg: "cmd/ltm", why: "files of other programs", tests: "TestScript/import_claude_ltm"},
		{pkg: "cmd/ltm", why: "packets, their files, and what waits to be sent",
			tests: "TestScript/packet_validate TestScript/push_outside"},
		{pkg: "cmd/ltm", why: "signing in: files that only the person may read", tests: "TestScript/auth"},
		{pkg: "cmd/ltm", why: "teams on a server", tests: "TestScript/teams_reference"},

		{pkg: "store", why: "all that writes, locks, renames and removes files"},
		{pkg: "setup", why: "files of the client that people edit, and their modes", but: "Fuzz*"},
		{pkg: "packet/client", why: "credentials and the queue: files that several processes take"},
		{pkg: "mcp", why: "pipes that end or are not read",
			tests: "TestTheEnd* TestCallsUnderWayAreAnswered TestAClientThatDoesNotRead"},
		{pkg: "memory/memfile", why: "line ends and bytes of files"},
		{pkg: "hooks", why: "what the client sends"},
		{pkg: "internal/hookguard", why: "exit statuses of hooks whose runtime fails"},
		{pkg: "internal/fs/busyfile", why: "files that another program has open"},
		{pkg: "internal/fs/atomicfile", why: "atomic replacement of files"},
		{pkg: "internal/fs/regular", why: "what is not a regular file"},
		{pkg: "store/signing/keyring", why: "private files, and directories that several processes write"},
		{pkg: "engine/locate", why: "paths in their several forms, drives and shares"},
		{pkg: "internal/git/gitdir", why: "paths that git writes"},
		{pkg: "engine/transcript", why: "paths and line ends in the client's records"},
		{pkg: "memory/api", why: "links and names with colons and backslashes"},

		{pkg: "text/search", tests: rest, why: "which reads no files"},
		{pkg: "memory", tests: rest, why: "which reads no files"},
		{pkg: "engine/brief", tests: rest, why: "which reads no files"},
		{pkg: "engine/session", tests: rest, why: "which reads no files"},
		{pkg: "engine/settings", tests: rest, why: "which reads no files"},
		{pkg: "eviction", tests: rest, why: "which reads no files"},
		{pkg: "text/abridge", tests: rest, why: "which reads no files"},
		{pkg: "priority", tests: rest, why: "which reads no files"},
		{pkg: "text/secrets", tests: rest, why: "which reads no files"},
	}
}

// arm64Table is for Linux on ARM64: what goes by memory order, system calls and floating point. It excludes
// cmd/ltm, whose tests start programs: the kernel cannot start a program for another processor. The demo
// plays the binary instead.
func arm64Table() []row {
	return []row{
		{pkg: "engine", why: "the use cases on files, and priorities to the last digit",
			but: "TestCriticalMemoriesAreNeverLeftOutForOthers TestADamagedSearchCacheIsIgnored " +
				"TestTheContextFitsTheClient TestNoTextIsLostThatWasWrittenOnAReducedMemory " +
				"TestARecallReplyIsLean TestPromptPrecision TestEveryDamageIsNamedAndRepaired " +
				"TestManyAchievements Fuzz*"},
		{pkg: "store", why: "locks, maps of files, and what the kernel says of changes"},
		{pkg: "mcp", why: "requests that are answered at the same time",
			but: "TestTheServerGoesOnAfterRubbish TestALineThatIsTooLong TestTheLongestLine " +
				"TestAClientThatDoesNotRead"},
		{pkg: "setup", why: "files of the client, and their modes"},
		{pkg: "hooks", why: "what the client sends", but: "FuzzLongPayload"},
		{pkg: "packet/client", why: "files that several processes take"},
		{pkg: "memory", why: "numbers and texts"},
		{pkg: "memory/memfile", why: "numbers and texts in files"},
		{pkg: "memory/api", why: "numbers and texts"},
		{pkg: "priority", why: "floating point, which ARM64 may fuse"},
		{pkg: "internal/fs/busyfile", why: "waiting"},
		{pkg: "internal/fs/atomicfile", why: "system calls that replace files"},

		{pkg: "text/search", tests: rest, why: "which takes long"},
		{pkg: "engine/brief", tests: rest, why: "which is the same on every processor"},
		{pkg: "engine/session", tests: rest, why: "which is the same on every processor"},
		{pkg: "engine/settings", tests: rest, why: "which is the same on every processor"},
		{pkg: "eviction", tests: rest, why: "which is the same on every processor"},
		{pkg: "text/abridge", tests: rest, why: "which is the same on every processor"},
		{pkg: "text/secrets", tests: rest, why: "which is the same on every processor"},
		{pkg: "engine/transcript", tests: rest, why: "which is the same on every processor"},
	}
}
