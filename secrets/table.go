package secrets

import "strings"

// maxRows is how many rows of a table are looked at.
const maxRows = 50

// maxHeading is the length of the longest heading of one word.
const maxHeading = 16

// table judges the column of a table whose head names a credential. The first row
// begins at i, with a bar.
func (s *scanner) table(i int) {
	t := s.text
	before := lineBefore(t, i)
	i -= len(before)
	if strings.Contains(before, "|") || i > 0 && strings.Contains(lineBefore(t, i-1), "|") {
		return
	}
	head := lineAt(t, i)
	if before != "" && !ruled(t, i+len(head)+1) {
		return
	}
	column, r := headed(head)
	if r == roleNone {
		return
	}
	for range maxRows {
		i += len(lineAt(t, i)) + 1
		if i >= len(t) || !strings.Contains(lineAt(t, i), "|") {
			return
		}
		s.cell(i, column, r)
	}
}

// ruled reports whether the line at i is that between the head and the rows of a
// table.
func ruled(t string, i int) bool {
	return i < len(t) && t[i] == '-' && strings.Trim(lineAt(t, i), "-|: \r") == ""
}

// heading judges the line below the word from i to end, which is all of its line.
func (s *scanner) heading(i, end int) {
	if i > 0 && s.text[i-1] != '\n' && !strings.HasSuffix(s.text[:i], "\n# ") && !strings.HasSuffix(s.text[:i], "\n## ") {
		return
	}
	if end-i > maxHeading || roleOf(s.text[i:end]) != rolePassword {
		return
	}
	if at := nextLine(s.text, end); at > 0 {
		if word := nextWord(s.text[at:]); spoken(word, true) || generated(word) {
			s.value(rolePassword, at, false, false)
		}
	}
}

// headed returns the column whose head names a credential, and its role.
func headed(line string) (column int, r role) {
	for n, head := range strings.Split(line, "|") {
		if r := roleOf(strings.Trim(head, " *`")); r != roleNone {
			return n, r
		}
	}
	return 0, roleNone
}

// cell judges a column of the row that begins at i.
func (s *scanner) cell(i, column int, r role) {
	start := i
	for n, cell := range strings.Split(lineAt(s.text, i), "|") {
		if n == column {
			v := strings.Trim(cell, " `")
			start += strings.Index(cell, v)
			if isASCII(v) && r == rolePassword && (spoken(v, true) || generated(v)) || r != rolePassword && strongRandom(v) && strong(r, v, false) && !reference(v, 0) {
				s.add(kindOf(r), weightValue, start, start+len(v))
			}
			return
		}
		start += len(cell) + 1
	}
}

// lineAt returns the line that begins at i, as far as is worth a look.
func lineAt(t string, i int) string {
	line := t[i:min(len(t), i+lookAhead)]
	if end := strings.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	return line
}
