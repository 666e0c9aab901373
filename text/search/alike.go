package search

import (
	"cmp"
	"hash/fnv"
	"math"
	"math/bits"
	"slices"
)

// Near is the likeness from which two texts count as near duplicates: the same fact in slightly
// different words, or one contained in the other. Different facts about the same area score lower.
// TestAlike has the pairs by which it was chosen.
const Near = 0.6

const (
	// maxAlike bounds how much of a text is compared, in bytes: the beginning is enough to show
	// what texts have in common.
	maxAlike = 16 << 10

	// leastShared is the minimum number of shared words: of two or three words, any may be shared by chance.
	leastShared = 3

	// leastPairs is the minimum number of pairs of neighbors that a text needs to be looked for within another.
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
// where words are stems without stop words. Identifiers count both whole and in parts, so that another file or function
// makes another fact. The first measure finds a text in other words, the second a text within a longer one.
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

// traits is what is compared of a text, as hashes in order.
type traits struct {
	words []uint64 // stems
	pairs []uint64 // of neighboring stems
}

func traitsOf(text string) traits {
	text = text[:min(len(text), maxAlike)]
	tokens, _ := tokenize(nil, text, 0)
	t := traits{make([]uint64, 0, len(tokens)), make([]uint64, 0, len(tokens))}
	stems := make(map[string]uint64, len(tokens)) // stemming is slow
	last := uint64(0)
	for _, tok := range tokens {
		if isStop(tok.word) {
			continue
		}
		s, known := stems[tok.word]
		if !known {
			s = hashOf(stem(tok.word))
			stems[tok.word] = s
		}
		t.words = append(t.words, s)
		if tok.kind == joinedToken {
			continue
		}
		if last != 0 {
			t.pairs = append(t.pairs, bits.RotateLeft64(last, 1)^s)
		}
		last = s
	}
	slices.Sort(t.words)
	slices.Sort(t.pairs)
	return traits{slices.Compact(t.words), slices.Compact(t.pairs)}
}

func hashOf(word string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(word)) // never fails
	return h.Sum64()
}

func common(a, b []uint64) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			n++
			a, b = a[1:], b[1:]
		}
	}
	return n
}

// maxNear bounds how many texts one is compared with in [NearPairs].
const maxNear = 200

// NearPairs calls found for each two of the texts whose likeness is at least [Near], by their places in the list. Only
// texts that share a rare word or pair are compared: of two texts that are so alike, each has one of the other's among
// the rarest two fifths of its own.
func NearPairs(all []Likeness, found func(a, b int, alike float64)) {
	words, pairs := rareOf(all, func(t traits) []uint64 { return t.words }),
		rareOf(all, func(t traits) []uint64 { return t.pairs })
	seen := make([]int, len(all)) // by which one a text was last compared with, from 1
	for a, one := range all {
		left := maxNear
		compare := func(b int, may bool) {
			if !may || seen[b] == a+1 || b == a || left == 0 {
				return
			}
			seen[b] = a + 1
			left--
			if alike := one.Of(all[b]); alike >= Near {
				found(a, b, alike)
			}
		}
		n := len(one.own.words)
		for _, w := range words.rarest[a] {
			for _, b := range words.having[w] {
				m := len(all[b].own.words)
				compare(b, float64(min(n, m)) >= Near*float64(max(n, m)))
			}
		}
		for _, p := range one.own.pairs {
			for _, b := range pairs.having[p] {
				m := len(all[b].own.pairs)
				compare(b, m >= leastPairs && len(one.own.pairs) >= muchLonger*m)
			}
		}
	}
}

// rare has the rarest traits of texts.
type rare struct {
	rarest [][]uint64       // of each text, those that another one has too
	having map[uint64][]int // the texts that have a trait among them
}

// used is a trait, and how many texts have it.
type used struct {
	trait uint64
	n     int
}

func rareOf(all []Likeness, of func(traits) []uint64) rare {
	uses := map[uint64]int{}
	for _, l := range all {
		for _, t := range of(l.own) {
			uses[t]++
		}
	}
	r := rare{make([][]uint64, len(all)), map[uint64][]int{}}
	for i, l := range all {
		own := make([]used, len(of(l.own)))
		for k, t := range of(l.own) {
			own[k] = used{t, uses[t]}
		}
		slices.SortFunc(own, func(a, b used) int {
			return cmp.Or(cmp.Compare(a.n, b.n), cmp.Compare(a.trait, b.trait))
		})
		for _, u := range own[:len(own)-int(math.Ceil(Near*float64(len(own))))+min(1, len(own))] {
			if u.n > 1 {
				r.rarest[i] = append(r.rarest[i], u.trait)
				r.having[u.trait] = append(r.having[u.trait], i)
			}
		}
	}
	return r
}
