package priority

// The weights of priority. Their sum is 1, so that a score reaches 1 exactly when
// every term does; the weights of difficulty are a value, see [Weights].
const (
	// What was hard to learn is the most expensive to learn again, so difficulty
	// weighs most; use, in its two forms, weighs more than that together, so that
	// what is not needed fades however hard it was.
	weightDifficulty = 0.4
	weightRecency    = 0.3
	weightFrequency  = 0.3

	// What a person says of a memory outweighs any one term of its use:
	// "critical" lifts even an untouched memory to the middle of the range,
	// "important" by half of that, and "low" lets it fade first.
	bonusCritical  = 0.5
	bonusImportant = 0.25
	bonusLow       = -0.25
)
