package secrets

import (
	"cmp"
	"slices"
	"strings"
)

// Finding is one credential in a text.
type Finding struct {
	Kind       string // such as "GitHub token", for people
	Start, End int    // bytes of the text
}

// Mask replaces a credential.
const Mask = "[redacted]"

// Find returns the credentials in text, in order, without overlaps. It reads the text as it is and as it is shown.
func Find(text string) []Finding { return find(text, false) }

func find(text string, cards bool) []Finding {
	s := scanner{text: text, known: buckets(), cards: cards}
	s.scan()
	s.findShown()
	return merge(s.found)
}

// merge sorts findings. Those that overlap become one, named by the heaviest: a token's own form says more than the
// name that it is assigned to.
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

// Redact returns text with every credential masked, and how many there were. [Find] finds nothing in the result: the
// search is repeated, because a mask may expose what a larger finding had covered. It ends because a finding never
// touches a mask, so that every round replaces bytes of the text itself.
func Redact(text string) (string, int) { return redact(text, false) }

func redact(text string, cards bool) (string, int) {
	masked := 0
	for {
		found := find(text, cards)
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
