package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"ltm/priority"
)

// tokenCap is the setting that says how much text counts as the hardest work.
func tokenCap() setting {
	k := number("token_normalize_cap", "tokens of a session that count as the hardest work", 100000, 1000, 100000000,
		func(s *Settings) *int { return &s.TokenNormalizeCap })
	k.older = "token_counting.normalize_cap"
	return k
}

// priorityProfile is the setting that says how use turns into priority.
func priorityProfile() setting {
	return setting{
		key: "priority_profile", help: "how the use of a memory turns into its priority: balanced, or classic as the predecessor has it",
		fallback: priority.BalancedProfile, words: priority.ProfileNames(),
		apply: func(s *Settings, v any) { s.PriorityProfile, _ = priority.ProfileOf(v.(string)) },
	}
}

// difficultyWeights is the setting that says how hard work is judged: a profile
// of package priority, or weights of one's own.
func difficultyWeights() setting {
	return setting{
		key: "difficulty_weights", help: "what makes work count as hard: a profile, or weights like " + weightsExample,
		fallback: priority.Balanced, words: priority.WeightNames(),
		other: parseWeights, form: "weights like " + weightsExample + ", each from 0 to 1, at least one above 0, and no other names",
		apply: func(s *Settings, v any) {
			switch v := v.(type) {
			case string:
				s.DifficultyWeights, _ = priority.WeightsOf(v)
			case customWeights:
				s.DifficultyWeights = priority.Weights(v)
			}
		},
	}
}

const weightsExample = "failures=0.5,calls=0.2,tokens=0.2,compaction=0.1"

// customWeights are weights as the files hold them, an object, and as people
// write them: failures=0.5,calls=0.2,tokens=0.2,compaction=0.1. Their sum is 1.
type customWeights priority.Weights

func (w customWeights) String() string {
	show := func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
	return fmt.Sprintf("failures=%s,calls=%s,tokens=%s,compaction=%s", show(w.Failures), show(w.Calls), show(w.Tokens), show(w.Compaction))
}

// parseWeights reads weights as people write them, or an object. What is left
// out weighs nothing.
func parseWeights(text string) (any, bool) {
	var w priority.Weights
	read := readPairs
	if strings.HasPrefix(text, "{") {
		read = readObject
	}
	if !read(text, &w) {
		return nil, false
	}
	total := 0.0
	for _, v := range []float64{w.Failures, w.Calls, w.Tokens, w.Compaction} {
		if !(v >= 0 && v <= 1) { // not-a-number too
			return nil, false
		}
		total += v
	}
	return customWeights(w.Normalized()), total > 0
}

func readObject(text string, w *priority.Weights) bool {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	return json.Valid([]byte(text)) && d.Decode(w) == nil
}

// readPairs reads NAME=WEIGHT, separated by commas, each name once.
func readPairs(text string, w *priority.Weights) bool {
	left := map[string]*float64{"failures": &w.Failures, "calls": &w.Calls, "tokens": &w.Tokens, "compaction": &w.Compaction}
	for pair := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(pair, "=")
		name = strings.TrimSpace(name)
		field := left[name]
		if field == nil {
			return false
		}
		delete(left, name)
		var err error
		if *field, err = strconv.ParseFloat(strings.TrimSpace(value), 64); err != nil {
			return false
		}
	}
	return true
}
