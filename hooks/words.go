package hooks

import (
	"ltm/memory"
	"ltm/memory/advice"
)

// NextSteps is what a person does who finds the line that a failed hook wrote in the client's log, and what a model
// does that reads what a hook has put into its context. It has a shell for what only a person should decide. Most of
// what the core says cannot come here.
func NextSteps() advice.Table {
	return advice.Merge(advice.Common(), advice.Table{
		memory.KindPayloadMalformed: "the client writes it to standard input",
		memory.KindLockHeld:         "the next event tries again",
		memory.KindTrustDamaged:     "ltm fix starts a new file and keeps this one beside it",
		memory.KindMemoryDamaged:    "repair the file by hand, or see ltm check",
		memory.KindStoreOccupied:    "LTM_DIR takes a directory that is empty or missing, or a store",
		memory.KindPathBlocked:      "move it away, then run ltm fix",
		memory.KindBatchStopped:     "repair the directory or its disk; the next event goes on with it",
		memory.KindCountersFailed: "the memories themselves had been written; repair the directory or its " +
			"disk, then run ltm fix",
		memory.KindBriefOne:      "get_memory shows one in full",
		memory.KindBriefRest:     "get_memory {}",
		memory.KindBriefCritical: "ltm unpin ID makes room",
		memory.KindBriefHeld:     `until a person runs "ltm trust"`,
		memory.KindBriefHeldUser: `until a person runs "ltm trust --user"`,
		memory.KindUserFailed:    `"ltm check --user" says what is wrong`,
		memory.KindBriefLeft:     "ask recall in plain words, or list_memories",
		memory.KindBriefPacket:   "resume_packet goes on with it",
		memory.KindBriefTree:     "tell the person: \"ltm check\" lists them, and \"ltm fix\" brings them back",
		memory.KindBriefReview: "tell the person; review_candidates lists them, and stores those that the person " +
			"says yes to, as \"ltm review\" does in a terminal",
		memory.KindBriefEnd: "recall finds memories for a question; store_memory keeps what this session learns",
		memory.KindNudge: "If later sessions should know (cause, fix, what did not help), keep it with " +
			"store_memory",
		memory.KindTakenOver: `memories that were here before count as from elsewhere until "ltm trust --all"`,
	})
}
