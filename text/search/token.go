package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWord is the length of the longest indexed word, in bytes. Longer runs are hashes and encoded
// data, and the dictionary is organized by length.
const maxWord = 64

type tokenKind uint8

const (
	plainToken  tokenKind = iota // a word as it is
	joinedToken                  // an identifier without its separators
)

// token is one word of a text: lower case, accents folded.
type token struct {
	word string
	pos  int // counts words; a joined form has the position of its first part
	kind tokenKind
}

// tokenizer splits a text into tokens. Identifiers are emitted both in parts and joined: maxOpenConns, max_open_conns
// and max-open-conns all give max, open, conns and maxopenconns, so each spelling finds the others.
type tokenizer struct {
	out   []token
	pos   int
	buf   []byte // the current run, in lower case
	cuts  []int  // where its parts begin
	join  []byte // the joined form of the compound so far
	start int    // position of the compound's first part
	parts int    // parts of the compound so far
}

// tokenize appends the tokens of s to dst, with positions from pos on, and returns the next free
// position. Invalid UTF-8 separates words.
func tokenize(dst []token, s string, pos int) ([]token, int) {
	t := tokenizer{out: dst, pos: pos, start: pos}
	for i := 0; i < len(s); {
		r, size := decodeRune(s, i)
		switch {
		case isCJK(r):
			t.endCompound()
			i = t.cjk(s, i)
		case isWordRune(r):
			from := i
			i = t.run(s, i)
			t.flag(s, from, i)
			i = t.separator(s, i)
		default:
			i += size
		}
	}
	t.endCompound()
	return t.out, t.pos
}

func decodeRune(s string, i int) (rune, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// isCJK reports whether r belongs to a script that is written without spaces.
func isCJK(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r <= 0x0EFF, 0x1000 <= r && r <= 0x109F, 0x1780 <= r && r <= 0x17D3: // Thai, Lao, Burmese, Khmer
		return unicode.IsLetter(r) || unicode.IsMark(r)
	case r < 0x2E80:
		return false
	case r <= 0x2FDF, 0x3040 <= r && r <= 0x30FF, 0x3400 <= r && r <= 0x4DBF,
		0x4E00 <= r && r <= 0x9FFF, 0xAC00 <= r && r <= 0xD7AF, 0xF900 <= r && r <= 0xFAFF,
		0x20000 <= r && r <= 0x3FFFF, r == 0x3005:
		return true
	}
	return false
}

// cjk emits each character and each pair of adjacent characters of the run at i. Queries use the
// pairs; the single characters serve a query of one.
func (t *tokenizer) cjk(s string, i int) int {
	prev := -1
	for i < len(s) {
		r, size := decodeRune(s, i)
		if !isCJK(r) {
			break
		}
		if prev >= 0 {
			t.out = append(t.out, token{s[prev : i+size], t.pos - 1, joinedToken})
		}
		t.out = append(t.out, token{s[i : i+size], t.pos, plainToken})
		t.pos++
		prev = i
		i += size
	}
	return i
}

// run reads the letters and digits at i and emits their parts.
func (t *tokenizer) run(s string, i int) int {
	t.buf, t.cuts = t.buf[:0], t.cuts[:0]
	var prev rune
	for i < len(s) {
		r, size := decodeRune(s, i)
		if !isWordRune(r) || isCJK(r) {
			break
		}
		if n := len(t.buf); n > 0 && isCut(prev, r, s[i+size:]) {
			t.cuts = append(t.cuts, n)
		}
		t.buf = appendFolded(t.buf, r)
		prev = r
		i += size
	}
	if suffix := sharpSuffix(s[i:]); len(t.buf) == 1 && suffix != "" {
		t.emit(string(t.buf)+suffix, plainToken)
		t.buf = t.buf[:0]
		return i + len(suffix)
	}
	t.emitRun()
	return i
}

// flag emits the run s[from:to] again, with its dash, if it is a flag of a command such as -race.
func (t *tokenizer) flag(s string, from, to int) {
	if from == 0 || s[from-1] != '-' || from > 1 && !strings.ContainsRune(" \t\n`'\"([|", rune(s[from-2])) {
		return
	}
	if word := s[from:to]; len(word) < maxWord && len(t.out) > 0 && isLetters(word) {
		t.out = append(t.out, token{flagWord(word), t.pos - 1, joinedToken})
	}
}

// flagWord returns the word under which a flag is indexed.
func flagWord(word string) string { return "-" + strings.ToLower(word) }

func isLetters(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r|0x20 < 'a' || r|0x20 > 'z' })
}

// isCut reports whether a part of an identifier begins at r: an upper-case letter after a
// lower-case one or a digit, or the last of several capitals (HTTPServer).
func isCut(prev, r rune, rest string) bool {
	if !unicode.IsUpper(r) {
		return false
	}
	if !unicode.IsUpper(prev) {
		return true
	}
	if rest == "" {
		return false
	}
	next, _ := decodeRune(rest, 0)
	return unicode.IsLower(next) && !isPlural(rest)
}

// isPlural reports whether rest begins with the s of URLs and IDs, which does not begin a word.
func isPlural(rest string) bool {
	if rest[0] != 's' {
		return false
	}
	if len(rest) == 1 {
		return true
	}
	next, _ := decodeRune(rest, 1)
	return !isWordRune(next)
}

// sharpSuffix distinguishes C++, C# and F# from C and F.
func sharpSuffix(rest string) string {
	switch {
	case strings.HasPrefix(rest, "++"):
		return "++"
	case strings.HasPrefix(rest, "#") && (len(rest) == 1 || !isWordRune(rune(rest[1]))):
		return "#"
	}
	return ""
}

// emitRun emits the parts of the run in buf and adds it to the compound.
func (t *tokenizer) emitRun() {
	if len(t.buf) == 0 {
		return
	}
	word := string(t.buf)
	if t.parts == 0 {
		t.start = t.pos
		t.join = t.join[:0]
	}
	t.join = append(t.join, word...)
	from := 0
	for _, cut := range append(t.cuts, len(word)) {
		t.emit(word[from:cut], plainToken)
		t.parts++
		from = cut
	}
}

func (t *tokenizer) emit(word string, kind tokenKind) {
	if len(word) <= maxWord {
		t.out = append(t.out, token{word, t.pos, kind})
	}
	t.pos++
}

// separator decides, at the end of a run, whether the compound continues, and returns where to continue reading.
func (t *tokenizer) separator(s string, i int) int {
	if i >= len(s) || t.parts == 0 {
		return i
	}
	r, size := decodeRune(s, i)
	if i+size >= len(s) {
		t.endCompound()
		return i
	}
	next, _ := decodeRune(s, i+size)
	if !isWordRune(next) || isCJK(next) {
		t.endCompound()
		return i
	}
	switch r {
	case '\'', '’':
		return t.apostrophe(s, i, size)
	case '.':
		if isDigit(rune(s[i-1])) && isDigit(next) {
			t.join = append(t.join, '.') // 1.12 is not 11.2
		}
		return i + size
	case '_', '-', '/', ':', '@', '\\':
		return i + size
	}
	t.endCompound()
	return i
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// apostrophe drops a possessive s and joins contractions: don't becomes dont.
func (t *tokenizer) apostrophe(s string, i, size int) int {
	end := i + size
	for end < len(s) {
		r, n := decodeRune(s, end)
		if !isWordRune(r) {
			break
		}
		end += n
	}
	tail := s[i+size : end]
	if len(tail) > 2 || len(t.out) == 0 {
		t.endCompound()
		return i
	}
	if last := &t.out[len(t.out)-1]; !strings.EqualFold(tail, "s") && len(last.word)+len(tail) <= maxWord {
		last.word += strings.ToLower(tail)
	}
	t.endCompound()
	return end
}

// endCompound emits the joined form of an identifier of several parts.
func (t *tokenizer) endCompound() {
	if t.parts > 1 && len(t.join) <= maxWord {
		word := string(t.join)
		t.out = append(t.out, token{word, t.start, joinedToken})
		if month, day := isoDate(word); t.parts == 3 && month != "" {
			t.out = append(t.out, token{month, t.start + 1, joinedToken}, token{day, t.start + 2, joinedToken})
		}
	}
	t.parts = 0
}

// Text is a text prepared for [Snippets.In]: splitting it into sentences and words takes far longer
// than picking a passage. It is immutable.
type Text struct {
	sentences []sentence
	words     []string // its distinct words
	numbers   []uint32 // the words of its sentences, as indexes into words
	ends      []int    // by sentence: the end of its words in numbers
}

func NewText(text string) *Text { return textOf(splitSentences(strings.ToValidUTF8(text, "\uFFFD"))) }

func textOf(sentences []sentence) *Text {
	t := &Text{sentences: sentences, ends: make([]int, len(sentences))}
	number := make(map[string]uint32)
	var tokens []token
	for i, s := range sentences {
		tokens, _ = tokenize(tokens[:0], s.text, 0)
		for _, w := range tokens {
			n, known := number[w.word]
			if !known {
				n = uint32(len(t.words))
				number[w.word] = n
				t.words = append(t.words, w.word)
			}
			t.numbers = append(t.numbers, n)
		}
		t.ends[i] = len(t.numbers)
	}
	return t
}

func (t *Text) wordsOf(sentence int) []uint32 {
	from := 0
	if sentence > 0 {
		from = t.ends[sentence-1]
	}
	return t.numbers[from:t.ends[sentence]]
}

// Size estimates the memory that the text uses, in bytes.
func (t *Text) Size() int {
	const perSentence, perWord, perNumber = 40, 16, 4
	size := len(t.sentences)*perSentence + len(t.words)*perWord + len(t.numbers)*perNumber
	for _, s := range t.sentences {
		size += len(s.text)
	}
	for _, w := range t.words {
		size += len(w)
	}
	return size
}
