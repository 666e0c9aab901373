package secrets

import (
	"slices"
	"strings"
	"sync"
)

// class says which bytes the random part of a token is made of.
type class byte

const (
	alnum class = iota
	upperNum
	hexLower
	hexAny
	digits
	wordy   // letters, digits, _
	urlSafe // letters, digits, _ and -
	padded  // urlSafe and =
	dotted  // urlSafe and .
	loose   // dotted and =
	dollar  // alnum and $
	base64  // letters, digits, +, /, =
)

func (c class) has(b byte) bool {
	switch c {
	case alnum:
		return isAlnum(b)
	case upperNum:
		return isUpper(b) || isDigit(b)
	case hexLower:
		return isDigit(b) || b >= 'a' && b <= 'f'
	case hexAny:
		return isHex(b)
	case digits:
		return isDigit(b)
	case wordy:
		return isWord(b)
	case urlSafe:
		return isWord(b) || b == '-'
	case padded:
		return isWord(b) || b == '-' || b == '='
	case dotted:
		return isWord(b) || b == '-' || b == '.'
	case loose:
		return isWord(b) || b == '-' || b == '.' || b == '='
	case dollar:
		return isAlnum(b) || b == '$'
	default:
		return isAlnum(b) || b == '+' || b == '/' || b == '='
	}
}

// form is how tokens of a service look: a prefix, then min to max bytes of a
// class. Where a form has parts, sep separates the first from the second, at byte
// pos of what follows the prefix.
type form struct {
	kind, prefix string
	body         class
	min, max     int
	sep          byte
	pos          int
	mixed        bool // there are digits among its letters and no words: the prefix alone tells little
}

// genuine reports whether the random part of a token is not an example. That it
// reads like words tells nothing where its length is fixed.
func (f *form) genuine(body string) bool {
	if f.sep != 0 && body[f.pos] != f.sep {
		return false
	}
	if documented(body) {
		return false
	}
	body = body[:min(len(body), maxJudged)]
	if f.mixed {
		lower, upper, digit, _ := classes(body)
		if digit == 0 || lower+upper == 0 || wordlike(body) {
			return false
		}
	}
	return Entropy(body) >= minFormEntropy && !sequence(body) && !fake(body) && (f.min == f.max || !wordlike(body))
}

// maxJudged is how much of a token is looked at to judge it.
const maxJudged = 128

// bucket holds the forms whose prefixes begin with one byte, and which bytes come
// second and third: most words are told from all tokens by these.
type bucket struct {
	second, third byteSet
	forms         []form
}

type byteSet [256 / 64]uint64

func (b *byteSet) has(c byte) bool { return b[c>>6]&(1<<(c&63)) != 0 }
func (b *byteSet) add(c byte)      { b[c>>6] |= 1 << (c & 63) }

// buckets are made at the first use: most processes never look.
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
