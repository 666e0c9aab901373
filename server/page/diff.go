package page

import (
	"html/template"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"ltm/text/safe"
)

// diff is what changed between two texts, side by side.
type diff struct {
	Rows []diffRow
	Cut  bool // it has more

	Left, Right string // what the columns are; empty: what was before, and what is after
}

// between returns a diff with other names for its columns.
func (d diff) between(left, right string) *diff {
	d.Left, d.Right = left, right
	return &d
}

// diffRow is a line of each text, or the gap between two hunks.
type diffRow struct {
	Gap          bool
	Before       []span // nil: the other text has a line here
	After        []span
	From, To     int // the numbers of the lines, from 1; 0: not in this version
	Added, Taken bool
}

const (
	// mostDiff is how large a diff is in a page, and rowSize what a row has beside its texts, in bytes.
	mostDiff = 80 << 10
	rowSize  = 150
	// mostLine is how much of a line it shows, in characters.
	mostLine = 600
	// mostCompared is the number of bytes of a text that are compared, from its beginning.
	mostCompared = 256 << 10
)

// diffOf compares two texts.
func diffOf(before, after []byte) diff {
	var d diff
	var c columns
	for i, line := range strings.Split(udiff.Unified("a", "b", comparable(before), comparable(after)), "\n") {
		if i < 2 || line == "" {
			continue // the names, and the end
		}
		text := safe.Clip(safe.Text(line[1:]), mostLine)
		switch line[0] {
		case '@':
			d.flush(&c)
			if len(d.Rows) > 0 {
				d.Rows = append(d.Rows, diffRow{Gap: true})
			}
			c.from, c.to = hunkStart(line)
		case '-':
			c.taken = append(c.taken, text)
		case '+':
			c.added = append(c.added, text)
		case ' ':
			d.flush(&c)
			same := []span{{Text: text}}
			d.Rows = append(d.Rows, diffRow{Before: same, After: same, From: c.from, To: c.to})
			c.from, c.to = c.from+1, c.to+1
		}
	}
	d.flush(&c)
	size := 0
	for i, row := range d.Rows {
		for _, s := range slices.Concat(row.Before, row.After) {
			size += len(template.HTMLEscapeString(s.Text))
		}
		if size += rowSize; size > mostDiff {
			d.Rows, d.Cut = d.Rows[:i], true
			break
		}
	}
	d.Cut = d.Cut || len(before) > mostCompared || len(after) > mostCompared
	return d
}

// comparable is a text with the line ends of Unix that is not too long.
func comparable(data []byte) string {
	return clipBytes(strings.ReplaceAll(string(data), "\r\n", "\n"), mostCompared)
}

// columns are the lines of a hunk that wait for those beside them.
type columns struct {
	from, to     int // the numbers of the next lines
	taken, added []string
}

// hunkStart returns the first line numbers of a hunk, "@@ -1,2 +3,4 @@".
func hunkStart(line string) (from, to int) {
	number := func(sign string) int {
		_, rest, _ := strings.Cut(line, " "+sign)
		n, _ := strconv.Atoi(rest[:strings.IndexFunc(rest+" ", func(r rune) bool { return r < '0' || r > '9' })])
		return n
	}
	return number("-"), number("+")
}

// flush adds the rows of the pending lines: removed lines beside those that replace them.
func (d *diff) flush(c *columns) {
	for i := range max(len(c.taken), len(c.added)) {
		row := diffRow{Taken: i < len(c.taken), Added: i < len(c.added)}
		switch {
		case row.Taken && row.Added:
			row.Before, row.After = changed(c.taken[i], c.added[i])
		case row.Taken:
			row.Before = []span{{Text: c.taken[i]}}
		default:
			row.After = []span{{Text: c.added[i]}}
		}
		if row.Taken {
			row.From = c.from
			c.from++
		}
		if row.Added {
			row.To = c.to
			c.to++
		}
		d.Rows = append(d.Rows, row)
	}
	c.taken, c.added = nil, nil
}

// changed marks what differs between two lines: all but what they begin and end with alike.
func changed(before, after string) (a, b []span) {
	head := 0
	for head < len(before) && head < len(after) {
		r, n := utf8.DecodeRuneInString(before[head:])
		if s, _ := utf8.DecodeRuneInString(after[head:]); s != r {
			break
		}
		head += n
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head {
		r, n := utf8.DecodeLastRuneInString(before[head : len(before)-tail])
		if s, _ := utf8.DecodeLastRuneInString(after[head : len(after)-tail]); s != r {
			break
		}
		tail += n
	}
	parts := func(s string) []span {
		var out []span
		for _, p := range []span{{Text: s[:head]}, {Text: s[head : len(s)-tail], Hit: true}, {Text: s[len(s)-tail:]}} {
			if p.Text != "" {
				out = append(out, p)
			}
		}
		return out
	}
	return parts(before), parts(after)
}

// mostTopic is how much of a topic or a passage a list shows, in characters.
const mostTopic = 300

// short is a text in a list.
func short(text string) string { return plain(text, mostTopic) }

// spansOf divides a text into what marks finds and the rest.
func spansOf(text string, marks func(string) [][2]int) []span {
	var out []span
	at := 0
	for _, m := range marks(text) {
		if m[0] < at || m[1] > len(text) || m[0] >= m[1] {
			continue
		}
		if m[0] > at {
			out = append(out, span{Text: text[at:m[0]]})
		}
		out = append(out, span{Text: text[m[0]:m[1]], Hit: true})
		at = m[1]
	}
	if at < len(text) {
		out = append(out, span{Text: text[at:]})
	}
	return out
}
