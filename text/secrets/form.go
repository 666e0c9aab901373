package secrets

import (
	"slices"
	"strings"
	"sync"
)

// form describes the tokens of a service: a prefix, then min to max bytes of a class. If sep is set, it separates two
// parts and is at byte pos of what follows the prefix.
type form struct {
	kind, prefix string
	body         class
	min, max     int
	sep          byte
	pos          int
	mixed        bool // the prefix is common: the rest needs letters and digits, and must not read like words
}

// maxJudged is how much of a token is examined to judge it.
const maxJudged = 128

// genuine reports whether the random part of a token is not an example. Reading like words only counts against tokens
// of variable length.
func (f *form) genuine(body string) bool {
	if f.sep != 0 && body[f.pos] != f.sep || documented(body) {
		return false
	}
	body = body[:min(len(body), maxJudged)]
	if f.mixed && (!digits.in(body) || !letters.in(body) || wordlike(body)) {
		return false
	}
	return Entropy(body) >= minFormEntropy && genuine(body) && (f.min == f.max || !wordlike(body))
}

// bucket holds the forms whose prefixes share a first byte. The sets of second and third bytes rule out most words.
type bucket struct {
	second, third byteSet
	forms         []form
}

type byteSet [256 / 64]uint64

func (b *byteSet) has(c byte) bool { return b[c>>6]&(1<<(c&63)) != 0 }
func (b *byteSet) add(c byte)      { b[c>>6] |= 1 << (c & 63) }

// buckets are made at the first use: most processes never search.
var buckets = sync.OnceValue(func() *[256]bucket {
	var all [256]bucket
	for _, family := range slices.Concat(clouds(), hosts(), models(), payments(), services()) {
		for prefix := range strings.FieldsSeq(family.prefix) {
			f := family
			f.prefix = prefix
			b := &all[prefix[0]]
			b.forms = append(b.forms, f)
			b.second.add(prefix[1])
			if len(prefix) > 2 {
				b.third.add(prefix[2])
			} else {
				b.third = byteSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
			}
		}
	}
	return &all
})
