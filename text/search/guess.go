package search

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"ltm/internal/didyoumean"
)

// minPrefix is the minimum length of a word that is matched as a prefix: people ask for "env" and
// "dir", but two letters begin too many words.
const minPrefix = 3

// guess gives a term that no document contains the postings of other words: the nearest spellings,
// and the words that begin with it.
func (x *Index) guess(t *term) {
	if !misspellable(t.word) {
		return
	}
	g := newGuess(t)
	g.searchFrozen(x)
	g.searchFresh(x)
	slices.SortFunc(g.near, func(a, b spelling) int {
		return cmp.Or(cmp.Compare(a.cost(t.word), b.cost(t.word)), cmp.Compare(b.docs, a.docs),
			cmp.Compare(a.key, b.key))
	})
	for _, s := range g.near[:min(len(g.near), maxSpellings)] {
		t.fuzzy = append(t.fuzzy, s.key)
		if s.edits > 1 {
			t.take(x, s, fuzzyWeight)
		} else {
			t.take(x, s, 1)
		}
	}
	slices.SortFunc(g.longer, func(a, b spelling) int { // the more common and then the shorter one is meant more often
		return cmp.Or(cmp.Compare(b.docs, a.docs), cmp.Compare(len(a.key), len(b.key)), cmp.Compare(a.key, b.key))
	})
	for _, s := range g.longer {
		if len(t.begins) < maxSpellings && !slices.Contains(t.fuzzy, s.key) {
			t.begins = append(t.begins, s.key)
			t.take(x, s, 1)
		}
	}
	if len(t.lists) > 0 {
		t.weight *= fuzzyWeight
	}
}

// take adds the postings of a word to those of a term.
func (t *term) take(x *Index, s spelling, scale float64) {
	for _, l := range x.lists(s.base, s.made) {
		t.lists = append(t.lists, weighted{l, scale})
	}
}

// guess is the search for replacements of an unknown word, and its results.
type guess struct {
	word   string
	limit  int    // edits
	spread int    // how many bytes shorter or longer a spelling may be; -1 for no spellings
	mask   uint32 // the letters of word
	prefix string // "" if word is too short
	begun  uint32 // the letters of prefix; all if it is empty

	near, longer []spelling
}

func newGuess(t *term) *guess {
	g := &guess{word: t.word, limit: allowedEdits(t.word), spread: -1, mask: letters(t.word), begun: ^uint32(0)}
	if len(t.word) >= minFuzzy {
		g.spread = g.limit
		if !isASCII(t.word) {
			g.spread *= utf8.UTFMax
		}
	}
	prefix := t.word
	if singular := strings.TrimSuffix(prefix, "s"); singular == t.stem {
		prefix = singular // repos matches repository
	}
	if utf8.RuneCountInString(prefix) >= minPrefix {
		g.prefix, g.begun = prefix, letters(prefix)
	}
	return g
}

// searchFrozen searches the words of the frozen part, which are sorted.
func (g *guess) searchFrozen(x *Index) {
	t := &x.base.words
	if g.spread >= 0 {
		for size := max(1, len(g.word)-g.spread); size <= min(maxWord, len(g.word)+g.spread); size++ {
			for i := int(t.first[size]); i < int(t.first[size+1]); i++ {
				if key := t.key(i, size); bits.OnesCount32(letters(key)^g.mask) <= 2*g.limit {
					g.addNear(x, string(key), i)
				}
			}
		}
	}
	if g.prefix != "" {
		for i, key := range t.begun(g.prefix) {
			g.addLonger(x, key, i)
		}
	}
}

// searchFresh searches the words that only the fresh part has. There may be a hundred thousand, so
// their letters are compared first, which excludes most of them.
func (g *guess) searchFresh(x *Index) {
	mask, begun, most := g.mask, g.begun, 2*g.limit
	if g.spread < 0 {
		most = -1
	}
	for i, has := range x.fresh.letters {
		if begun&^has != 0 && bits.OnesCount32(has^mask) > most {
			continue
		}
		w := &x.fresh.words[i]
		near := g.spread >= 0 && len(w.key) <= len(g.word)+g.spread && len(w.key) >= len(g.word)-g.spread
		longer := g.prefix != "" && len(w.key) > len(g.prefix) && strings.HasPrefix(w.key, g.prefix)
		if !near && !longer {
			continue
		}
		if _, ok := x.base.words.find(w.key); ok {
			continue
		}
		if near {
			g.addNear(x, w.key, -1)
		}
		if longer {
			g.addLonger(x, w.key, -1)
		}
	}
}

func (g *guess) addNear(x *Index, key string, base int) {
	n := didyoumean.Edits(g.word, key, g.limit)
	if n > g.limit || !misspellable(key) {
		return
	}
	if s := x.spelling(key, base); s.docs > 0 {
		s.edits = n
		g.near = append(g.near, s)
	}
}

func (g *guess) addLonger(x *Index, key string, base int) {
	if isStop(key) {
		return // "sho" is not short for should
	}
	if s := x.spelling(key, base); s.docs > 0 {
		g.longer = append(g.longer, s)
	}
}

// spelling describes a word of the index by its number in the frozen part, or -1 if only the fresh part has it.
func (x *Index) spelling(key string, base int) spelling {
	_, made := x.number(key)
	return spelling{key: key, docs: x.docs(base, made), base: base, made: made}
}
