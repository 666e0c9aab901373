package refs

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"ltm/memory"
)

const (
	// margin is how many lines before and after a line belong to it.
	margin = 2

	// maxBlock bounds the lines of a symbol.
	maxBlock = 400

	// maxLines bounds the lines of a file in which a place is looked for.
	maxLines = 1_000_000

	// maxLine bounds the bytes of a line in which a symbol is looked for. Longer ones are not written by hand.
	maxLine = 4 << 10

	// maxParts bounds the parts of a symbol that are looked for, the last ones.
	maxParts = 4
)

// Lines are the lines of a file, without the blanks at their ends.
type Lines struct {
	all    [][]byte
	hashes []uint64 // of the padded lines, once they were needed
}

// Split returns the lines of a file, for several references to it. They share the content's memory.
func Split(content []byte) *Lines { return &Lines{all: split(content)} }

// Near returns a hash of the lines that a reference is about: for a line or a range these and two before and after, for
// a symbol the lines of its definition, as far as indentation tells. Blanks at the end of a line do not count. ok is
// false if the file has no such line or symbol, or if the reference is to the whole file.
func Near(content []byte, r memory.Ref) (near string, ok bool) {
	h, ok := Split(content).near(r)
	if !ok {
		return "", false
	}
	return fmt.Sprintf("%016x", h), true
}

func (l *Lines) near(r memory.Ref) (h uint64, ok bool) {
	all := l.all
	switch {
	case r.Symbol != "":
		from, to := definition(all, r.Symbol)
		if from < 0 {
			return 0, false
		}
		return sum(all[from:to]), true
	case r.Line > 0 && max(r.Line, r.End) <= len(all):
		all = padded(all)
		return sum(all[r.Line-1 : max(r.Line, r.End)+2*margin]), true
	}
	return 0, false
}

// Place returns a reference as it is now: the lines whose text it is about may have moved in the file.
// If there are several, they are the nearest ones. ok is false if the text is not there any more.
func (l *Lines) Place(r memory.Ref) (now memory.Ref, ok bool) {
	near, err := strconv.ParseUint(r.Near, 16, 64)
	if err != nil {
		return r, false
	}
	if r.Symbol != "" {
		h, there := l.near(r)
		return r, there && h == near
	}
	count := max(r.Line, r.End) - r.Line + 1
	size := count + 2*margin
	if r.Line == 0 || size > len(l.all)+2*margin {
		return r, false
	}
	best := -1
	for i, h := range l.windows(size) {
		if h == near && (best < 0 || distance(i+1, r.Line) < distance(best+1, r.Line)) {
			best = i
		}
	}
	if best < 0 {
		return r, false
	}
	now = r
	now.Line = best + 1
	if r.End > 0 {
		now.End = now.Line + count - 1
	}
	return now, true
}

// Place is [Lines.Place] for one reference to a file.
func Place(content []byte, r memory.Ref) (now memory.Ref, ok bool) {
	if r.Near == "" {
		return r, false
	}
	return Split(content).Place(r)
}

func distance(a, b int) int { return max(a-b, b-a) }

// split returns the lines of a file, without the blanks at their ends.
func split(content []byte) [][]byte {
	if len(content) == 0 {
		return nil
	}
	all := bytes.SplitN(bytes.TrimSuffix(content, []byte("\n")), []byte("\n"), maxLines)
	for i, line := range all {
		all[i] = bytes.TrimRight(line, " \t\r")
	}
	return all
}

// padded adds empty lines, so that the first and the last line have as many around them as others.
func padded(all [][]byte) [][]byte {
	out := make([][]byte, margin, len(all)+2*margin)
	return append(append(out, all...), make([][]byte, margin)...)
}

// The hash of lines is a polynomial in the hashes of each (FNV-1a), so that it can be rolled over a file.
const (
	base   = 0x9e3779b97f4a7c15
	offset = 0xcbf29ce484222325
	prime  = 0x100000001b3
)

func hashLine(line []byte) uint64 {
	h := uint64(offset)
	for _, c := range line {
		h = (h ^ uint64(c)) * prime
	}
	return h
}

func sum(all [][]byte) (h uint64) {
	for _, line := range all {
		h = h*base + hashLine(line)
	}
	return h
}

// windows returns the hashes of each so many lines that follow each other, in order, with their places.
func (l *Lines) windows(size int) iter.Seq2[int, uint64] {
	if l.hashes == nil {
		all := padded(l.all)
		l.hashes = make([]uint64, len(all))
		for i, line := range all {
			l.hashes[i] = hashLine(line)
		}
	}
	power := uint64(1)
	for range size {
		power *= base
	}
	return func(yield func(int, uint64) bool) {
		h := uint64(0)
		for i, line := range l.hashes {
			h = h*base + line
			if i >= size {
				h -= l.hashes[i-size] * power
			}
			if i >= size-1 && !yield(i-size+1, h) {
				return
			}
		}
	}
}

// definition returns the lines in which a symbol is defined, or used for the first time if no line looks
// like its definition; from is -1 if the symbol is not found. The parts before its name are in that line, or in one
// in whose block it is.
func definition(all [][]byte, symbol string) (from, to int) {
	parts := strings.FieldsFunc(symbol, func(r rune) bool { return r == '.' || r == ':' || r == '#' })
	if len(parts) == 0 {
		return -1, -1
	}
	parts = parts[max(0, len(parts)-maxParts):]
	name, outer := parts[len(parts)-1], parts[:len(parts)-1]
	from, best := -1, -1
	var blocks blocks
	for i, line := range all {
		if len(outer) > 0 {
			blocks.enter(line)
		}
		if len(line) > maxLine || !hasWord(line, name) {
			continue
		}
		score := 0
		if defines(line, name) {
			score += 2
		}
		for _, part := range outer {
			if hasWord(line, part) || blocks.have(part, indent(line)) {
				score++
			}
		}
		if score > best {
			from, best = i, score
		}
	}
	if from < 0 {
		return -1, -1
	}
	return from, blockEnd(all, from)
}

// maxBlocks bounds the blocks that are within each other.
const maxBlocks = 16

// blocks are the first lines of the blocks that are open at a line, the outermost first, as indentation tells.
type blocks [][]byte

// enter takes the next line. One with an opening brace alone belongs to the line before it, and comments and
// directives often are not indented.
func (b *blocks) enter(line []byte) {
	text := bytes.TrimLeft(line, " \t")
	if len(text) == 0 || len(line) > maxLine || bytes.IndexByte([]byte("{#/*"), text[0]) >= 0 {
		return
	}
	open := *b
	for len(open) > 0 && indent(open[len(open)-1]) >= len(line)-len(text) {
		open = open[:len(open)-1]
	}
	if len(open) < maxBlocks {
		open = append(open, line)
	}
	*b = open
}

// have reports whether a word is in the first line of a block in which a line of such an indentation is.
func (b blocks) have(word string, depth int) bool {
	return slices.ContainsFunc(b, func(line []byte) bool { return indent(line) < depth && hasWord(line, word) })
}

// blockEnd returns the end of the lines that belong to one: those that are indented further, and the
// line that closes them.
func blockEnd(all [][]byte, from int) int {
	depth, end := indent(all[from]), from+1
	for i := from + 1; i < min(len(all), from+maxBlock); i++ {
		line := bytes.TrimLeft(all[i], " \t")
		switch {
		case len(line) == 0:
		case indent(all[i]) > depth, i == from+1 && line[0] == '{':
			end = i + 1
		case bytes.IndexByte([]byte(")]}"), line[0]) >= 0 || bytes.Equal(line, []byte("end")):
			return i + 1
		default:
			return end
		}
	}
	return end
}

func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

// defines reports whether a line looks like the definition of a name.
func defines(line []byte, name string) bool {
	for _, word := range []string{"func", "fn", "def", "class", "type", "const", "var", "let", "struct", "interface",
		"enum", "trait", "impl", "function", "module", "macro", "record", "object", "val", "define"} {
		if at := wordAt(line, word); at >= 0 && at < wordAt(line, name) {
			return true
		}
	}
	return false
}

func hasWord(line []byte, word string) bool { return wordAt(line, word) >= 0 }

// wordAt returns where a word is in a line, or -1.
func wordAt(line []byte, word string) int {
	for from := 0; ; {
		at := bytes.Index(line[from:], []byte(word))
		if at < 0 {
			return -1
		}
		at += from
		if !isWordByte(line, at-1) && !isWordByte(line, at+len(word)) {
			return at
		}
		for from = at + 1; from < len(line) && isWordByte(line, from-1); from++ { // no word begins within another
		}
	}
}

func isWordByte(line []byte, at int) bool {
	if at < 0 || at >= len(line) {
		return false
	}
	c := rune(line[at])
	return c == '_' || c >= 0x80 || c < 0x80 && (unicode.IsLetter(c) || unicode.IsDigit(c))
}
