package abridge

import (
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

// kind is the role of a piece in a reduction.
type kind int

const (
	heading   kind = iota
	paragraph      // of running text
	item           // of a list, with what is nested in it
	verbatim       // short fenced code or a short table: kept whole or not at all
	other          // anything else: not kept, but it separates its neighbors
)

// piece is a block of a document in the form in which a reduction keeps it.
type piece struct {
	kind  kind
	level int    // of a heading: 1 to 6, or boldLevel
	text  string // may have several lines; of an other, its first line
	flat  string // the own text of an item or paragraph, as one line
}

// boldLevel is the level of a line in bold that serves as a heading.
const boldLevel = 7

// outline lists the blocks of a document in order, including the blocks inside quotes.
func (d document) outline() []piece {
	return d.pieces(nil, d.root)
}

func (d document) pieces(out []piece, parent ast.Node) []piece {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			if t := clip(strings.Join(d.lines(n), " "), maxHeadingChars); t != "" {
				out = append(out, piece{kind: heading, level: n.Level, text: strings.Repeat("#", n.Level) + " " + t,
					flat: t})
			}
		case *ast.Paragraph:
			out = append(out, d.paragraph(n))
		case *ast.List:
			for i := n.FirstChild(); i != nil; i = i.NextSibling() {
				if flat, t := d.item(i, 0); t != "" {
					out = append(out, piece{kind: item, text: t, flat: flat})
				}
			}
		case *ast.Blockquote:
			out = d.pieces(out, n)
		case *ast.FencedCodeBlock:
			p := piece{kind: other, text: d.code(n), flat: d.firstLine(n)}
			if p.text != "" {
				p.kind = verbatim
			}
			out = append(out, p)
		default:
			out = append(out, piece{kind: other, flat: d.firstLine(n)})
		}
	}
	return out
}

func (d document) paragraph(n *ast.Paragraph) piece {
	lines := d.lines(n)
	flat := strings.Join(lines, " ")
	if strings.TrimSpace(flat) == "" {
		return piece{kind: other} // markdown treats a form feed as text
	}
	if len(lines) == 1 && isBoldLine(flat) {
		return piece{kind: heading, level: boldLevel, text: flat, flat: strings.Trim(flat, "*_: ")}
	}
	for i := range lines {
		if i > 0 && d.indented(n, i) {
			lines[i] = "    " + lines[i]
		}
	}
	p := piece{kind: paragraph, text: strings.Join(lines, "\n"), flat: flat}
	if isTable(lines) {
		p.kind, p.flat = verbatim, lines[0]
		if len(lines) > maxCodeLines || len(p.text) > maxCodeBytes {
			p.kind = other
		}
	}
	return p
}

// firstLine returns the first nonblank line of a raw block.
func (d document) firstLine(n ast.Node) string {
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		if t := strings.TrimSpace(string(d.src[s.Start:s.Stop])); t != "" {
			return t
		}
	}
	return ""
}

// item returns a list item: its own text as one line, and all of it as markdown with at most one
// level of nesting. Both are empty for an item without text or code.
func (d document) item(n ast.Node, depth int) (flat, md string) {
	var parts []string
	code := false
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Paragraph, *ast.TextBlock, *ast.Heading:
			if flat == "" && !code {
				flat = clip(strings.Join(d.lines(c), " "), maxPointChars)
			}
		case *ast.FencedCodeBlock:
			if t := d.code(c); t != "" && !code && depth == 0 {
				code = true
				parts = append(parts, t)
			}
		case *ast.List:
			if depth == 0 {
				parts = append(parts, d.nested(c)...)
			}
		}
	}
	if flat == "" && !code {
		return "", ""
	}
	if flat != "" {
		parts = append([]string{flat}, parts...)
	}
	m := d.itemMarker(n)
	lines := strings.Split(strings.Join(parts, "\n"), "\n")
	for i, line := range lines {
		if i > 0 && line != "" {
			lines[i] = strings.Repeat(" ", len(m)+1) + line
		}
	}
	return flat, m + " " + strings.Join(lines, "\n")
}

func (d document) nested(list *ast.List) []string {
	var out []string
	for i := list.FirstChild(); i != nil && len(out) < maxNested; i = i.NextSibling() {
		if _, t := d.item(i, 1); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// itemMarker returns "-", or the number of an ordered item as written.
func (d document) itemMarker(n ast.Node) string {
	if at := n.Pos(); at >= 0 && at < len(d.src) && d.src[at] >= '0' && d.src[at] <= '9' {
		if size := marker(d.src[at:min(len(d.src), at+12)]); size > 0 {
			return string(d.src[at : at+size])
		}
	}
	return "-"
}

// isBoldLine reports whether a line is bold from end to end and not a sentence, as people write headings.
func isBoldLine(s string) bool {
	for _, mark := range []string{"**", "__"} {
		t := strings.TrimSuffix(s, ":")
		inner, ok := strings.CutPrefix(t, mark)
		if !ok {
			continue
		}
		inner, ok = strings.CutSuffix(inner, mark)
		inner = strings.TrimSuffix(inner, ":")
		return ok && inner != "" && !strings.Contains(inner, mark) &&
			!strings.ContainsAny(inner[len(inner)-1:], ".!?*_") &&
			utf8.RuneCountInString(inner) <= maxHeadingChars
	}
	return false
}

// isTable reports whether the lines of a paragraph are a table: the second line separates its head from its rows.
func isTable(lines []string) bool {
	return len(lines) >= 2 && strings.Contains(lines[0], "|") && strings.Contains(lines[1], "-") &&
		strings.Contains(lines[1], "|") && strings.Trim(lines[1], "|-: \t") == ""
}
