package search

import (
	"cmp"
	"math"
	"slices"
	"unicode"
)

// term is a distinct word of a query, and its postings in the index.
type term struct {
	word   string // as asked, folded
	stem   string
	kind   tokenKind
	stop   bool
	pos    []int   // in the query
	weight float64 // in the score

	lists  []weighted // of all its forms, or of the words used instead
	exact  []list     // of the form that was asked for, unless it is the only form
	fuzzy  []string   // the spellings used instead, if it is unknown
	begins []string   // the longer words used instead, if it is unknown

	df  int // documents that contain it, set when it is scored
	idf float64
	// exactIDF is the IDF of the form that was asked for.
	exactIDF float64
}

// weighted is a list with a factor for its counts.
type weighted struct {
	list
	scale float64
}

func (t *term) known() bool { return len(t.lists) > 0 && !t.guessed() }

// guessed reports whether other words are used instead of the term, which no document contains.
func (t *term) guessed() bool { return len(t.fuzzy)+len(t.begins) > 0 }

// plan resolves the words of a query, which it leaves as they are: subjects first, then stop words,
// which only affect the order.
func (x *Index) plan(asked []*term) []*term {
	all := make([]term, len(asked))
	subjects, stops := make([]*term, 0, len(all)), make([]*term, 0, len(all))
	unknown := 0
	for i := range all {
		t := &all[i]
		*t = *asked[i]
		x.resolve(t)
		switch {
		case t.stop:
			// with its neighbors, nearly every document has it
			if len(t.lists) > 0 && x.links.before == nil {
				stops = append(stops, t)
			}
			continue
		case len(t.lists) > 0:
		case t.kind == joinedToken:
			continue // its parts are used instead
		case unknown < maxFuzzy:
			x.guess(t)
			unknown++
		}
		subjects = append(subjects, t)
	}
	if len(subjects) > maxTerms {
		return x.rarest(subjects)
	}
	return append(subjects, stops...)
}

// rarest returns the words of a long text that say most about it, in the order of the text: rare ones, and those that
// it repeats. Unknown words say nothing in a long text.
func (x *Index) rarest(terms []*term) []*term {
	terms = slices.DeleteFunc(terms, func(t *term) bool { return !t.known() })
	worth := make(map[*term]float64, len(terms))
	for _, t := range terms {
		docs := x.count(t.lists, max(leastCommon, x.live/commonShare))
		worth[t] = idf(x.live, docs) * (1 + repeatedWeight*math.Log(float64(len(t.pos))))
	}
	best := slices.Clone(terms)
	slices.SortStableFunc(best, func(a, b *term) int { return cmp.Compare(worth[b], worth[a]) })
	if len(best) > maxTerms {
		least := worth[best[maxTerms-1]]
		terms = slices.DeleteFunc(terms, func(t *term) bool { return worth[t] < least })
		terms = terms[:min(len(terms), maxTerms)]
	}
	return terms
}

// commonShare: a word in more than one of so many documents is common, and which of two common ones is rarer does not
// matter for a long text.
const (
	commonShare = 16
	leastCommon = 64 // of a small index, all are counted
)

// count returns how many live documents are in the lists, up to most. Unlike the size of the postings, it does not
// depend on what was deleted.
func (x *Index) count(lists []weighted, most int) (n int) {
	for _, l := range lists {
		c := l.cursor()
		for n < most && c.next() {
			if !x.dead[c.slot] {
				n++
			}
		}
	}
	return n
}

// distinct returns the tokens as terms, one for each stem.
func distinct(tokens []token) []*term {
	byWord := make(map[string]*term, len(tokens)) // stemming is slow
	byStem := make(map[string]*term, len(tokens))
	terms := make([]*term, 0, len(tokens))
	for i, tok := range tokens {
		t := byWord[tok.word]
		if t == nil {
			s := stem(tok.word)
			if t = byStem[s]; t == nil {
				t = newTerm(tok, s, isStop(tok.word) && !isMonth(tokens, i))
				byStem[s] = t
				terms = append(terms, t)
			}
			byWord[tok.word] = t
		}
		t.pos = append(t.pos, tok.pos)
	}
	weighPairs(terms)
	return terms
}

// weighPairs lets pairs of characters count as the words of a script without spaces, where there are any: a character
// alone is in too many words. Hiragana is what Japanese inflects and joins its words with.
func weighPairs(terms []*term) {
	paired := false
	for _, t := range terms {
		if r, _ := decodeRune(t.word, 0); t.kind == joinedToken && isCJK(r) {
			paired = true
			t.weight = pairWeight(t.word)
		}
	}
	for _, t := range terms {
		if r, _ := decodeRune(t.word, 0); paired && t.kind == plainToken && isCJK(r) {
			t.weight = singleWeight * pairWeight(t.word)
		}
	}
}

func pairWeight(word string) float64 {
	for _, r := range word {
		if !unicode.Is(unicode.Hiragana, r) {
			return 1
		}
	}
	return hiraganaWeight
}

func newTerm(tok token, stem string, stop bool) *term {
	t := &term{word: tok.word, stem: stem, kind: tok.kind, stop: stop, weight: 1}
	switch {
	case stop:
		t.weight = stopWeight
	case tok.kind == joinedToken:
		t.weight = joinedWeight
	}
	return t
}

func (x *Index) resolve(t *term) {
	forms, exact := 0, []list(nil)
	x.forms(t.stem, func(base, made int, key string) {
		if !x.stands(base, made) {
			return
		}
		forms++
		for _, l := range x.lists(base, made) {
			t.lists = append(t.lists, weighted{l, 1})
			if key == t.word {
				exact = append(exact, l)
			}
		}
	})
	if forms > 1 {
		t.exact = exact
	}
}

// stands reports whether a live document contains the word with these numbers.
func (x *Index) stands(base, made int) bool {
	if len(x.ids) == x.live {
		return true
	}
	for _, l := range x.lists(base, made) {
		c := l.cursor()
		for c.next() {
			if !x.dead[c.slot] {
				return true
			}
		}
	}
	return false
}

// docs returns how many live documents contain the word with these numbers.
func (x *Index) docs(base, made int) (n int) {
	for _, l := range x.lists(base, made) {
		c := l.cursor()
		for c.next() {
			if !x.dead[c.slot] {
				n++
			}
		}
	}
	return n
}

// forms calls yield for every word of the index with the given stem, once for a word in both parts of the index.
func (x *Index) forms(s string, yield func(base, made int, key string)) {
	var seen []uint32
	if i, ok := x.base.stems.find(s); ok {
		for _, n := range numbers(x.base.stems.value(i), x.base.words.len()) {
			key := string(x.base.words.keyOf(n))
			made := -1
			if m, ok := x.fresh.byKey[key]; ok {
				made = int(m)
				seen = append(seen, m)
			}
			yield(n, made, key)
		}
	}
	for _, m := range x.fresh.stems[s] {
		if !slices.Contains(seen, m) {
			yield(-1, int(m), x.fresh.words[m].key)
		}
	}
}

// idf returns BM25's weight for a word that df of n documents contain.
func idf(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}
