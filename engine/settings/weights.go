package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"ltm/priority"
)

// difficultyWeights is the setting for how difficulty is judged: a profile of package priority, or custom weights.
func difficultyWeights() Key {
	return Key{
		Name: "difficulty_weights", Help: "what makes work count as hard: a profile, or weights like " + weightsExample,
		Default: Value{Word: priority.Balanced}, words: priority.WeightNames(),
		other: parseWeights, form: "weights like " + weightsExample +
			", each from 0 to 1, at least one above 0, and no other names",
		apply: func(s *Settings, v Value) {
			if v.Weights != nil {
				s.DifficultyWeights = priority.Custom(priority.Weights(*v.Weights))
				return
			}
			s.DifficultyWeights, _ = priority.WeightsOf(v.Word)
		},
	}
}

const weightsExample = "failures=0.5,calls=0.2,tokens=0.2,compaction=0.1"

// Weights are the proportions of custom weights; see [priority.Custom]. Their sum is 1. Files hold
// them as an object, and people write them as failures=0.5,calls=0.2,tokens=0.2,compaction=0.1.
type Weights priority.Weights

// String returns weights as people write them.
func (w Weights) String() string {
	show := func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
	return fmt.Sprintf("failures=%s,calls=%s,tokens=%s,compaction=%s", show(w.Failures), show(w.Calls), show(w.Tokens),
		show(w.Compaction))
}

// parseWeights parses weights as people write them, or a JSON object, and scales them to a sum of
// 1. A weight that is left out is 0.
func parseWeights(text string) (Value, bool) {
	var w priority.Weights
	read := readPairs
	if strings.HasPrefix(text, "{") {
		read = readObject
	}
	if !read(text, &w) {
		return Value{}, false
	}
	total := 0.0
	for _, v := range []float64{w.Failures, w.Calls, w.Tokens, w.Compaction} {
		if !(v >= 0 && v <= 1) { // not-a-number too
			return Value{}, false
		}
		total += v
	}
	own := Weights(w.Normalized())
	return Value{Weights: &own}, total > 0
}

func readObject(text string, w *priority.Weights) bool {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	return json.Valid([]byte(text)) && d.Decode(w) == nil
}

// readPairs parses NAME=WEIGHT pairs separated by commas, with each name at most once.
func readPairs(text string, w *priority.Weights) bool {
	left := map[string]*float64{"failures": &w.Failures, "calls": &w.Calls, "tokens": &w.Tokens,
		"compaction": &w.Compaction}
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
