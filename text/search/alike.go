package search

// Near is the likeness from which two texts count as near duplicates: the same fact in slightly
// different words, or one contained in the other. Different facts about the same area score lower.
// TestAlike has the pairs by which it was chosen.
const Near = 0.6

const (
	// maxAlike bounds how much of a text is compared, in bytes: the beginning is enough to show
	// what texts have in common.
	maxAlike = 16 << 10

	// leastShared is the minimum number of shared words: of two or three words, any may be shared
	// by chance.
	leastShared = 3

	// leastPairs is the minimum number of pairs of neighbors that a text needs to be looked for
	// within another.
	leastPairs = 8

	// muchLonger is how many times longer a text must be to contain another. For texts of similar
	// length, words are the better measure.
	muchLonger = 2
)

// Likeness compares one text with others.
type Likeness struct{ own traits }

// NewLikeness prepares the first 16 KiB of a text for comparison.
func NewLikeness(text string) Likeness { return Likeness{traitsOf(text)} }

// To returns how similar text is, from 0 to 1. It is the greater of
//
//	words in both / words in either
//	pairs of neighbors in both / pairs in the shorter one, if the other is twice as long
//
// where words are stems without stop words. Identifiers count both whole and in parts, so that
// another file or function makes another fact. The first measure finds a text in other words, the
// second a text within a longer one.
func (l Likeness) To(text string) float64 { return l.Of(NewLikeness(text)) }

// Of is [Likeness.To] for a text that is prepared too.
func (l Likeness) Of(other Likeness) float64 {
	a, b := l.own, other.own
	shared := common(a.words, b.words)
	if shared < leastShared {
		return 0
	}
	alike := float64(shared) / float64(len(a.words)+len(b.words)-shared)
	shorter, longer := min(len(a.pairs), len(b.pairs)), max(len(a.pairs), len(b.pairs))
	if shorter >= leastPairs && longer >= muchLonger*shorter {
		alike = max(alike, float64(common(a.pairs, b.pairs))/float64(shorter))
	}
	return alike
}

// traits is what is compared of a text.
type traits struct {
	words map[string]bool    // stems
	pairs map[[2]string]bool // of neighboring stems
}

func traitsOf(text string) traits {
	text = text[:min(len(text), maxAlike)]
	tokens, _ := tokenize(nil, text, 0)
	t := traits{make(map[string]bool, len(tokens)), make(map[[2]string]bool, len(tokens))}
	stems := make(map[string]string, len(tokens)) // stemming is slow
	last := ""
	for _, tok := range tokens {
		if isStop(tok.word) {
			continue
		}
		s, known := stems[tok.word]
		if !known {
			s = stem(tok.word)
			stems[tok.word] = s
		}
		t.words[s] = true
		if tok.kind == joinedToken {
			continue
		}
		if last != "" {
			t.pairs[[2]string{last, s}] = true
		}
		last = s
	}
	return t
}

// common counts the keys that are in both maps.
func common[K comparable](a, b map[K]bool) (n int) {
	if len(a) > len(b) {
		a, b = b, a
	}
	for k := range a {
		if b[k] {
			n++
		}
	}
	return n
}
