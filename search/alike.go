package search

// Near is the likeness from which two texts say about the same: the same fact in
// slightly other words, or one within the other. Texts about the same area that
// say something else stay below. TestAlike has the pairs that it was chosen by.
const Near = 0.6

const (
	// maxAlike bounds what is compared of a text, in bytes: what texts have in
	// common shows in their beginnings.
	maxAlike = 16 << 10

	// leastShared is how many words two texts share at least to be alike: of two
	// or three words any may be the same by chance.
	leastShared = 3

	// leastPairs is how many pairs of neighbours a text has at least to be looked
	// for within another.
	leastPairs = 8

	// muchLonger is how many times longer a text is in which another may stand.
	// Of texts of about one length the words tell more.
	muchLonger = 2
)

// Likeness compares one text with others.
type Likeness struct{ own traits }

// NewLikeness prepares a text. Only its beginning counts, 16 KiB.
func NewLikeness(text string) Likeness { return Likeness{traitsOf(text)} }

// To returns how much a text says the same, from 0 to 1. It is the greater of
//
//	words in both / words in either
//	pairs of neighbours in both / pairs in the shorter one, if the other is twice as long
//
// where words are stems without stop words, and identifiers count whole and in
// their parts, so that another file or function makes another fact. The first
// finds a text in other words, the second a text within a longer one.
func (l Likeness) To(text string) float64 { return l.Of(NewLikeness(text)) }

// Of is [Likeness.To] with a text that was prepared, too.
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

// traits is what two texts are compared by.
type traits struct {
	words map[string]bool    // stems
	pairs map[[2]string]bool // of neighbours
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

// common counts what stands in both.
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
