package secrets

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed forms.txt
var formLines string

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

// forms are the forms by the first byte of their prefixes. They are read at the first use: most processes never search.
var forms = sync.OnceValue(func() *[256][]form {
	var all [256][]form
	for line := range strings.Lines(formLines) {
		f, prefixes := readForm(line)
		for prefix := range strings.FieldsSeq(prefixes) {
			f.prefix = prefix
			all[prefix[0]] = append(all[prefix[0]], f)
		}
	}
	return &all
})

// readForm reads a line of forms.txt. A comment has no prefixes.
func readForm(line string) (f form, prefixes string) {
	line, _, _ = strings.Cut(line, "#")
	names, rest, _ := strings.Cut(line, " | ")
	f.kind, prefixes, _ = strings.Cut(names, ": ")
	for i, word := range strings.Fields(rest) {
		switch {
		case i == 0:
			f.body = classNamed(word)
		case i == 1:
			f.min, _ = strconv.Atoi(word)
		case i == 2:
			f.max, _ = strconv.Atoi(word)
		case word == "mixed":
			f.mixed = true
		default:
			f.sep = word[0]
			f.pos, _ = strconv.Atoi(word[1:])
		}
	}
	return f, prefixes
}

// classNamed returns the class of a token's bytes by its name, or none.
func classNamed(name string) class {
	return map[string]class{"hexLower": hexLower, "hexAny": hexAny, "upperNum": upperNum, "alnum": alnum,
		"wordy": wordy, "urlSafe": urlSafe, "padded": padded, "dotted": dotted, "loose": loose, "dollar": dollar,
		"base64": base64, "base64_": base64 | underscore}[name]
}
