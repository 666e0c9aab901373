package candidates

import "strings"

// The scores of passages. A mark weighs up to 2.
const (
	leastScore    = 1.0 // of what is looked at
	leastFound    = 1.5 // beside what was asked for
	leastAlone    = 2.0 // of a candidate of its own
	afterFailure  = 1.5 // explains a failure that was fixed
	unmarkedCause = 0.5 // explains one without any mark
	ofSummary     = 2.0 // the model itself chose what matters
)

// mark is a phrase of what there is to learn from.
type mark struct {
	text   string
	weight float64
	why    string
}

const (
	aboutCause    = "it names a cause"
	aboutDecision = "it gives the reason for a decision"
	aboutFailure  = "it says what did not work"
)

// marks are phrases of English, with the most telling ones of a few other languages.
func marks() []mark {
	return []mark{
		{"root cause", 2, aboutCause}, {"the bug", 1, aboutCause}, {"the problem", 1, aboutCause},
		{"the issue", 1, aboutCause}, {"caused by", 1.5, aboutCause}, {"turns out", 1.5, aboutCause},
		{"the reason", 1, aboutCause}, {"because", 1, aboutCause}, {"due to", 0.7, aboutCause},
		{"was failing", 0.7, aboutCause}, {"fails when", 1, aboutCause}, {"happens when", 1, aboutCause},
		{"ursache", 2, aboutCause}, {"weil ", 1, aboutCause}, {"parce que", 1, aboutCause},
		{"la cause", 2, aboutCause}, {"porque", 1, aboutCause}, {"la causa", 2, aboutCause},
		{"原因", 2, aboutCause}, {"因为", 1, aboutCause},
		{"decided", 1.5, aboutDecision}, {"decision", 1.5, aboutDecision}, {"instead of", 1, aboutDecision},
		{"rather than", 1, aboutDecision}, {"trade-off", 1.5, aboutDecision}, {"tradeoff", 1.5, aboutDecision},
		{"so that", 0.5, aboutDecision}, {"by design", 1, aboutDecision}, {"convention", 0.7, aboutDecision},
		{"recommend", 0.5, aboutDecision}, {"entschieden", 1.5, aboutDecision}, {"au lieu de", 1, aboutDecision},
		{"en lugar de", 1, aboutDecision},
		{"did not work", 1.5, aboutFailure}, {"didn't work", 1.5, aboutFailure}, {"doesn't work", 1, aboutFailure},
		{"did not help", 1.5, aboutFailure}, {"workaround", 1, aboutFailure}, {"cannot", 0.4, aboutFailure},
		{"deadlock", 1, aboutFailure}, {"race condition", 1, aboutFailure},
	}
}

// worth returns how much there is to learn from a line, and why.
func worth(line string) (score float64, why string) {
	low, best := strings.ToLower(line), 0.0
	for _, m := range marks() {
		if strings.Contains(low, m.text) {
			score += m.weight
			if m.weight > best {
				best, why = m.weight, m.why
			}
		}
	}
	return score, why
}

// isIdle reports whether a line only reports progress, or announces something.
func isIdle(line string) bool {
	line = strings.ToLower(strings.TrimLeft(line, "-*#> 0123456789."))
	for _, begin := range []string{"let me", "now let", "sure, ", "sure.", "based on my ", "first, i ", "you raise",
		"fair point", "i agree", "i'm ", "solved: ", "ongoing: ", "completed: ", "all unit tests", "all integration",
		"now i", "i'll", "i will", "next, ", "all tests",
		"tests pass", "✅", "✓", "done", "perfect", "great", "excellent", "good", "committed", "pushed",
		"would you like", "want me", "shall i", "should i", "ready", "running", "here's a summary", "here's what",
		"all done", "all clean", "as expected",
		"everything", "you're right", "looking at", "no errors", "i see ", "i can see", "i need to",
		"i should", "i have ", "i've ", "i was ", "i found", "let's", "that's the", "found it", "found the", "here is",
		"now ", "the fix is", "so the issue is something", "actually, ", "changed ", "added ", "updated ", "removed ",
		"renamed ", "created ", "implemented "} {
		if strings.HasPrefix(line, begin) {
			return true
		}
	}
	return strings.Contains(line, "successfully ") || strings.Contains(line, ": updated ") ||
		strings.Contains(line, " - updated ")
}
