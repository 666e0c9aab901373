package settings

import (
	"math"
	"strconv"
	"strings"
)

const (
	leastBudget   = 200
	mostBudget    = 2700 // as many tokens of English text as the client shows
	defaultBudget = 2000

	defaultContext = 200_000

	keyBudget = "context_budget_tokens"
)

// The styles of the block that a session starts with.
const (
	StyleFull    = "full"    // the first memories whole, then others as a line
	StyleCompact = "compact" // all of them as a line
)

// contextBudget is the setting for the size of the block that a session starts with. Its limits are those of a number.
// A percentage of a large context can be more than the client shows, which then is the limit.
func contextBudget() Key {
	return Key{
		Name: keyBudget, Help: "size of the block that a session starts with, in tokens or as a percentage of " +
			"context_size such as 1%; the client cuts off at 10,000 characters",
		Default: Value{Number: defaultBudget}, min: leastBudget, max: mostBudget,
		other: parsePercent, form: "a percentage of context_size from 0.01% to 100%",
		apply: func(s *Settings, v Value) { s.ContextBudgetTokens, s.contextShare = v.Number, v.Percent },
	}
}

// parsePercent parses a percentage, with at most two decimals.
func parsePercent(text string) (Value, bool) {
	number, ok := strings.CutSuffix(text, "%")
	if !ok || strings.Trim(number, "0123456789.") != "" { // no signs, exponents or other bases
		return Value{}, false
	}
	v, err := strconv.ParseFloat(number, 64)
	v = math.Round(v*100) / 100
	return Value{Percent: v}, err == nil && v > 0 && v <= 100
}

// setBudget computes a budget that is a percentage.
func (s *Settings) setBudget() {
	if s.contextShare > 0 {
		s.ContextBudgetTokens = max(leastBudget, int(s.contextShare/100*float64(s.contextSize)))
	}
}
