package priority

// The weights and scales. Where a group of weights is complete its sum is 1, so
// that a score reaches 1 exactly when every term does.
const (
	// Priority. What was hard to learn is the most expensive to learn again, so
	// difficulty weighs most; use, in its two forms, weighs more than that
	// together, so that what nobody needs fades however hard it was.
	weightDifficulty = 0.4
	weightRecency    = 0.3
	weightFrequency  = 0.3

	// Accesses from which a memory counts as used all the time. Ten is a memory
	// of the daily work; beyond that more use tells nothing more.
	fullFrequency = 10

	// What a person says of a memory outweighs any one term of its use:
	// "critical" lifts even an untouched memory to the middle of the range,
	// "important" by half of that, and "low" lets it fade first.
	bonusCritical  = 0.5
	bonusImportant = 0.25
	bonusLow       = -0.25

	// Difficulty, when the tokens of the work are known. Failures and the amount
	// of text worked through say most; the number of calls and a compaction
	// follow from the length of the work too, so they weigh less.
	weightFailures   = 0.30
	weightCalls      = 0.20
	weightTokens     = 0.30
	weightCompaction = 0.20

	// Difficulty without tokens. The weight of the tokens goes to the two
	// witnesses of effort that remain, most of it to the failures.
	weightFailuresAlone   = 0.5
	weightCallsAlone      = 0.3
	weightCompactionAlone = 0.2

	// Calls from which work counts as long: most tasks need fewer than fifty.
	fullCalls = 50
)
