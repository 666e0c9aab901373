package secrets

import (
	"cmp"
	"slices"
	"strings"
)

// Finding is one credential in a text.
type Finding struct {
	Kind       string // what it looks like, for people
	Start, End int    // bytes of the text
}

// Mask takes the place of a credential.
const Mask = "[redacted]"

// Find returns the credentials in text, in order, without overlaps.
func Find(text string) []Finding {
	s := scanner{text: text, known: buckets()}
	s.scan()
	return merge(s.found)
}

// merge puts findings in order. Where some overlap, they are one, named by the
// most telling of them: a token's own form says more than the name that it is
// assigned to.
func merge(found []hit) []Finding {
	if len(found) == 0 {
		return nil
	}
	slices.SortStableFunc(found, func(a, b hit) int { return cmp.Compare(a.Start, b.Start) })
	out := []Finding{found[0].Finding}
	best := found[0].weight
	for _, f := range found[1:] {
		last := &out[len(out)-1]
		if f.Start >= last.End {
			out = append(out, f.Finding)
			best = f.weight
			continue
		}
		last.End = max(last.End, f.End)
		if f.weight > best {
			last.Kind, best = f.Kind, f.weight
		}
	}
	return out
}

// Redact returns text with every credential masked, and how many there were.
// Nothing is found in the result. To that end it looks again at what it made: a
// mask may bare what a larger find had covered. It comes to an end because a find
// never touches a mask, so that every round takes bytes of the text itself.
func Redact(text string) (string, int) {
	masked := 0
	for {
		found := Find(text)
		if len(found) == 0 {
			return text, masked
		}
		masked += len(found)
		var b strings.Builder
		at := 0
		for _, f := range found {
			b.WriteString(text[at:f.Start])
			b.WriteString(Mask)
			at = f.End
		}
		b.WriteString(text[at:])
		text = b.String()
	}
}
