package priority

// The weights of priority. The first three add up to 1, so that a score reaches 1 exactly when
// every term does. The weights of difficulty are configurable: see [Weights].
const (
	// Knowledge that was hard to gain is expensive to gain again, so difficulty weighs most. Recency and frequency
	// together weigh more, so that an unused memory fades however hard it was to learn.
	weightDifficulty = 0.4
	weightRecency    = 0.3
	weightFrequency  = 0.3

	// A person's word outweighs any one term of use: "critical" lifts even an unused memory to the
	// middle of the range, "important" half as much, and "low" lets it fade first.
	bonusCritical  = 0.5
	bonusImportant = 0.25
	bonusLow       = -0.25
)
