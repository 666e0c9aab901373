package memfile

import (
	"slices"
	"strconv"
	"strings"

	"ltm/memory"
)

// Format returns a new memory file. m should have passed [memory.Normalize].
func Format(m memory.Memory) []byte { return fields().format(m) }

func (t table) format(m memory.Memory) []byte {
	return []byte(t.header(&m, inText) + "\n" + formatBody(m))
}

func formatBody(m memory.Memory) string {
	var b strings.Builder
	b.WriteString(summaryHeading + "\n")
	if m.Summary != "" {
		b.WriteString(escapeHeadings(m.Summary) + "\n")
	}
	if m.Content != "" {
		b.WriteString("\n" + contentHeading + "\n" + m.Content + "\n")
	}
	return b.String()
}

// quoteTag quotes a tag unless YAML reads it as a string without quotes.
func quoteTag(tag string) string {
	switch tag {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return strconv.Quote(tag)
	}
	for i, r := range tag {
		letter := r >= 'a' && r <= 'z'
		if !letter && (i == 0 || (r != '-' && r != '_' && (r < '0' || r > '9'))) {
			return strconv.Quote(tag)
		}
	}
	return tag
}

// With returns the file's bytes changed to say m. Unchanged keys and sections keep their bytes, as
// do unknown keys, comments and the order of keys; new lines get the file's line ends. The result
// is parsed again: if it does not read as m, With returns an error and no bytes.
func (f *File) With(m memory.Memory) ([]byte, error) {
	if f.Memory.Conflicted {
		return nil, memory.Unresolved(m.ID)
	}
	read := m.Tags
	if len(f.header.moreTags) > 0 && !slices.Equal(m.Tags, f.Memory.Tags) { // those that do not count stay, too
		m.Tags = slices.Concat(m.Tags, f.header.moreTags)
		read = m.Tags[:max(len(read), min(len(m.Tags), memory.MaxReadTags))]
	}
	out := slices.Concat(f.raw[:f.header.start], []byte(f.headerWith(m)),
		f.raw[f.header.end:f.body.start], []byte(f.bodyWith(m)))
	back, err := f.table.parse(out)
	if err != nil {
		return nil, memory.NewError(memory.CodeUnreadable, memory.KindRewriteFails, string(m.ID),
			"the change would make %s unreadable: %v", m.ID.File(), err)
	}
	if back.Memory.ID == "" && f.header.find(keyID) == nil {
		back.Memory.ID = f.Memory.ID // the file's name gives it
	}
	m.Tags = read
	if keys := back.changedFields(m); len(keys) > 0 || back.Memory.Content != m.Content {
		return nil, memory.NewError(memory.CodeUnreadable, memory.KindRewriteFails, string(m.ID),
			"the change cannot be written into %s", m.ID.File())
	}
	return out, nil
}

// changedFields lists the keys whose value differs from the file's.
func (f *File) changedFields(m memory.Memory) []string {
	var keys []string
	for _, known := range f.table {
		if known.differs(&m, &f.Memory) {
			keys = append(keys, known.key)
		}
	}
	return keys
}

// repairedFields lists the keys whose lines were read as plain text. The first change writes them as YAML. That
// includes the creation time, whose form would still mark the file as the predecessor's.
func (f *File) repairedFields() []string {
	keys := []string{keyTopic}
	for _, key := range []string{keyTags, keyCreatedAt} {
		if f.header.find(key) != nil {
			keys = append(keys, key)
		}
	}
	return keys
}

// differs reports whether writing m changes the file.
func (f *File) differs(m memory.Memory, changed []string) bool {
	return len(changed) > 0 || f.bodyWith(m) != string(f.raw[f.body.start:])
}

// headerWith replaces the lines of changed keys, from the last upwards so that earlier offsets stay
// valid, and appends missing keys.
func (f *File) headerWith(m memory.Memory) string {
	text := string(f.raw[f.header.start:f.header.end])
	keys := f.changedFields(m)
	if f.header.missing && f.differs(m, keys) {
		return f.lines(f.table.header(&m, inText))
	}
	if f.header.repaired && f.differs(m, keys) {
		keys = append(keys, f.repairedFields()...)
	}
	if len(keys) == 0 {
		return text
	}
	if f.header.flow {
		return f.flowHeaderWith(m, keys)
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += f.eol
	}
	for i, known := range slices.Backward(f.header.keys) {
		if !slices.Contains(keys, known.name) {
			continue
		}
		at := span{known.lines.start - f.header.start, known.lines.end - f.header.start}
		own := f.table.find(known.name)
		if !own.has(&m) || f.header.find(known.name) != &f.header.keys[i] { // the second of two
			text = text[:at.start] + text[at.end:]
			continue
		}
		lines := own.value(&m)
		if known.comment != "" {
			lines += " " + known.comment
		}
		text = text[:at.start] + f.lines(known.name+":"+lines+"\n") + text[at.end:]
	}
	return text + f.lines(f.missing(m, keys))
}

// missing returns the lines of changed keys that the header does not have.
func (f *File) missing(m memory.Memory, changed []string) string {
	var b strings.Builder
	for _, own := range f.table {
		if slices.Contains(changed, own.key) && f.header.find(own.key) == nil && own.has(&m) {
			b.WriteString(own.line(&m))
		}
	}
	return b.String()
}

// flowHeaderWith rewrites a header of the form {…}, whose keys have no lines to replace, as lines:
// ltm's own keys first, then the others unchanged.
func (f *File) flowHeaderWith(m memory.Memory, changed []string) string {
	root, err := f.table.decode(string(f.raw[f.header.start:f.header.end]))
	if err != nil {
		return string(f.raw[f.header.start:f.header.end])
	}
	var b strings.Builder
	done := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key := root.Content[i].Value
		own, isChanged := f.table.find(key), slices.Contains(changed, key)
		switch {
		case isChanged && (done[key] || !own.has(&m)):
		case isChanged, own != nil && own.has(&m) && (own.odd == nil || !own.odd(&m)): // else its bytes say more
			done[key] = true
			b.WriteString(own.line(&m))
		default:
			b.WriteString(encodePair(root.Content[i], root.Content[i+1]))
		}
	}
	return f.lines(b.String() + f.missing(m, changed))
}

// bodyWith returns the body with the changed sections replaced.
func (f *File) bodyWith(m memory.Memory) string {
	b, old := f.body, f.Memory
	if m.Summary == old.Summary && m.Content == old.Content {
		return string(f.raw[b.start:])
	}
	if !b.headings || (m.Summary != old.Summary && b.summary.start == b.heading) {
		return f.lines("\n" + formatBody(m))
	}
	head := string(f.raw[b.start:b.summary.start]) + string(f.raw[b.summary.start:b.summary.end])
	if m.Summary != old.Summary {
		head = string(f.raw[b.start:b.summary.start]) + f.lines(escapeHeadings(m.Summary))
	}
	switch {
	case m.Content == "":
		return strings.TrimRight(head, " \t\r\n") + f.eol
	case b.heading < 0:
		return strings.TrimRight(head, " \t\r\n") + f.lines("\n\n"+contentHeading+"\n"+m.Content+"\n")
	case m.Content == old.Content:
		return strings.TrimRight(head, " \t\r\n") + f.eol + f.eol + string(f.raw[b.heading:])
	}
	return head + string(f.raw[b.summary.end:b.heading]) + f.contentSection(m.Content)
}

// contentSection returns the file's own content heading with a new text below it.
func (f *File) contentSection(content string) string {
	b := f.body
	heading := string(f.raw[b.heading:b.content.start])
	if !strings.HasSuffix(heading, "\n") {
		heading += f.eol
	}
	tail := string(f.raw[b.content.end:])
	if !strings.HasSuffix(tail, "\n") {
		tail = f.eol
	}
	return heading + f.lines(content) + tail
}

// lines converts text to the file's line ends.
func (f *File) lines(text string) string {
	if f.eol == "\n" {
		return text
	}
	return strings.ReplaceAll(text, "\n", f.eol)
}
