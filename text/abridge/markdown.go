package abridge

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Bounds of what is parsed. The parser's time grows with the number of lines times the nesting
// depth, and the text may come from anyone.
const (
	maxParsedBytes = 64 << 10 // the start of a memory is enough for a hint
	maxParsedLines = 4000     // bounds empty lines, which take few bytes
	maxMarkers     = 16       // list and quote markers that open one line
	maxIndent      = 64       // columns of indentation that can carry structure
)

// document is the block structure of markdown. Inline markup is not parsed: the text of a paragraph
// is copied from the source, so code spans, links and emphasis stay as they were written.
type document struct {
	src  []byte
	root ast.Node
}

func parse(md string) document {
	src := []byte(window(md))
	p := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
	return document{src, p.Parse(text.NewReader(shadow(src)))}
}

// window returns the part of md that is parsed: all of it, or as many whole blocks, lines or
// characters, in that order of preference, as the bounds allow.
func window(md string) string {
	end, lines := min(len(md), maxParsedBytes), 0
	for i := range end {
		if md[i] == '\n' {
			if lines++; lines == maxParsedLines {
				end = i + 1
				break
			}
		}
	}
	if end == len(md) {
		return md
	}
	w := md[:end]
	if i := strings.LastIndex(w, "\n\n"); i >= end/2 {
		return w[:i+1]
	}
	if i := strings.LastIndexByte(w, '\n'); i >= 0 {
		return w[:i+1]
	}
	for end > 0 && !utf8.RuneStart(md[end]) {
		end--
	}
	return md[:end]
}

// shadow returns a copy of src, of the same length, for the parser. In it no line opens more blocks
// than the bounds allow: excess markers are replaced by a letter. Texts are then read from src.
func shadow(src []byte) []byte {
	out := bytes.Clone(src)
	for start := 0; start < len(src); {
		end := len(src)
		if i := bytes.IndexByte(src[start:], '\n'); i >= 0 {
			end = start + i
		}
		if at := excess(src[start:end]); at >= 0 {
			out[start+at] = 'x'
		}
		start = end + 1
	}
	return out
}

// excess returns where the indentation and markers of a line exceed the bounds, or -1.
func excess(line []byte) int {
	markers, columns := 0, 0
	for i := 0; i < len(line); {
		n := 1
		switch line[i] {
		case ' ':
			columns++
		case '\t':
			columns += 4
		default:
			if n = marker(line[i:]); n == 0 {
				return -1
			}
			markers++
		}
		if markers > maxMarkers || columns > maxIndent {
			if len(bytes.TrimSpace(line)) == 0 {
				return -1
			}
			return i
		}
		i += n
	}
	return -1
}

// marker returns the length of the list or quote marker at the start of s, or 0.
func marker(s []byte) int {
	n := 1
	switch c := s[0]; {
	case c == '>':
		return 1
	case c == '-' || c == '+' || c == '*':
	case c >= '0' && c <= '9':
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		if n == len(s) || n > 9 || (s[n] != '.' && s[n] != ')') {
			return 0
		}
		n++
	default:
		return 0
	}
	if n == len(s) || s[n] == ' ' || s[n] == '\t' {
		return n
	}
	return 0
}

// lines returns the source lines of a paragraph or heading, without the indentation and markers
// before them and without trailing white space.
func (d document) lines(n ast.Node) []string {
	segments := n.Lines()
	out := make([]string, 0, segments.Len())
	for i := range segments.Len() {
		s := segments.At(i)
		out = append(out, strings.Trim(string(d.src[s.Start:s.Stop]), " \t\r\n")) // other spaces are text
	}
	return out
}

// indented reports whether line i of a paragraph is indented too far to begin a block.
func (d document) indented(n ast.Node, i int) bool {
	start := n.Lines().At(i).Start
	before := d.src[max(0, start-4):start]
	return len(before) == 4 && len(bytes.Trim(before, " ")) == 0
}

// code returns a fenced block without the indentation of what surrounds it. It returns "" for a
// block that is not closed or has more than maxCodeLines lines or maxCodeBytes bytes.
func (d document) code(n *ast.FencedCodeBlock) string {
	start := n.Pos()
	if start < 0 || start >= len(d.src) || d.src[start] != '`' && d.src[start] != '~' ||
		n.Lines().Len() > maxCodeLines {
		return ""
	}
	opening, rest, _ := bytes.Cut(d.src[start:], []byte("\n"))
	fence := opening[:len(opening)-len(bytes.TrimLeft(opening, string(opening[:1])))]
	if size := n.Lines().Len(); size > 0 {
		rest = d.src[n.Lines().At(size-1).Stop:]
	}
	closing, _, _ := bytes.Cut(rest, []byte("\n"))
	if !bytes.HasPrefix(bytes.TrimLeft(closing, " \t>"), fence) {
		return ""
	}
	var b strings.Builder
	b.WriteString(strings.TrimSpace(string(opening)) + "\n")
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.WriteString(strings.TrimRight(string(s.Value(d.src)), "\n") + "\n")
	}
	b.Write(fence)
	if b.Len() > maxCodeBytes {
		return ""
	}
	return b.String()
}
