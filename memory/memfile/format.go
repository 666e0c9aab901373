package memfile

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"ltm/memory"
)

// Format returns a new memory file. m should have passed [memory.Normalize].
func Format(m memory.Memory) []byte { return []byte(formatHeader(m) + "\n" + formatBody(m)) }

// formatHeader returns the header between its two fences.
func formatHeader(m memory.Memory) string {
	var b strings.Builder
	b.WriteString(fence + "\n")
	for _, key := range []string{keyID, keyTopic, keyTags, keyPhase, keyDifficulty, keyCreatedAt, keySession} {
		b.WriteString(field(m, key))
	}
	if m.Work != nil {
		b.WriteString(field(m, keyWork))
	}
	if m.Restored {
		b.WriteString(field(m, keyRestored))
	}
	writeOptional(&b, m)
	b.WriteString(fence + "\n")
	return b.String()
}

// writeOptional writes the keys that only some memories have.
func writeOptional(b *strings.Builder, m memory.Memory) {
	for _, key := range optionalKeys() {
		if isWritten(m, key) {
			b.WriteString(field(m, key))
		}
	}
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

// field returns the lines of one key as YAML.
func field(m memory.Memory, key string) string {
	return key + ":" + fieldValue(m, key) + "\n"
}

func fieldValue(m memory.Memory, key string) string {
	switch key {
	case keyID:
		return " " + strconv.Quote(string(m.ID))
	case keyTopic:
		return " " + strconv.Quote(m.Topic)
	case keyTags:
		if len(m.Tags) == 0 {
			return ""
		}
		var b strings.Builder
		for _, tag := range m.Tags {
			b.WriteString("\n  - " + quoteTag(tag))
		}
		return b.String()
	case keyPhase:
		return " " + strconv.Itoa(int(m.Phase))
	case keyDifficulty:
		return " " + strconv.FormatFloat(m.Difficulty, 'f', -1, 64)
	case keyCreatedAt:
		if m.CreatedAt.IsZero() {
			return ""
		}
		return " " + strconv.Quote(m.CreatedAt.UTC().Format(time.RFC3339Nano))
	case keySession:
		return " " + strconv.Itoa(m.CreatedSession)
	case keyRestored:
		return " " + strconv.FormatBool(m.Restored)
	case keyArchived:
		return " " + strconv.Quote(m.ArchivedAt.UTC().Format(time.DateOnly))
	case keyReason:
		return " " + m.ArchivedReason
	case keyWork:
		return formatWork(m.Work)
	case keyAliases:
		return formatAliases(m.Aliases)
	case keyKind:
		return " " + string(m.Category)
	case keyConfidence:
		return " " + strconv.FormatFloat(*m.Confidence, 'f', -1, 64)
	case keySupersedes, keyDisputes, keyRelated:
		return formatLinks(*linksOf(&m, key))
	case keyAgent:
		return " " + strconv.Quote(m.Agent)
	case keyCommit:
		return " " + strconv.Quote(m.Commit) // digits alone are a number
	case keyOrigin:
		return formatOrigin(m.Origin)
	case keyRefs:
		return formatRefs(m.Refs)
	case keySignature:
		return " " + strconv.Quote(m.Signature)
	}
	return ""
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
	back, err := Parse(out)
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
	old := f.Memory
	var keys []string
	add := func(key string, differs bool) {
		if differs {
			keys = append(keys, key)
		}
	}
	add(keyID, m.ID != old.ID)
	add(keyTopic, m.Topic != old.Topic)
	add(keyTags, !slices.Equal(m.Tags, old.Tags))
	add(keyPhase, m.Phase != old.Phase)
	add(keyDifficulty, m.Difficulty != old.Difficulty)
	add(keyCreatedAt, !m.CreatedAt.Equal(old.CreatedAt))
	add(keySession, m.CreatedSession != old.CreatedSession)
	add(keyRestored, m.Restored != old.Restored)
	add(keyWork, !sameWork(m.Work, old.Work))
	add(keyAliases, !slices.Equal(m.Aliases, old.Aliases) || m.OddAliases != old.OddAliases)
	add(keyKind, m.Category != old.Category || m.OddCategory != old.OddCategory)
	add(keyConfidence, !sameConfidence(m.Confidence, old.Confidence) || m.OddConfidence != old.OddConfidence)
	for _, key := range []string{keySupersedes, keyDisputes, keyRelated} {
		add(key, !slices.Equal(*linksOf(&m, key), *linksOf(&old, key)))
	}
	add(keyAgent, m.Agent != old.Agent)
	add(keyCommit, m.Commit != old.Commit)
	add(keyOrigin, !sameOrigin(m.Origin, old.Origin))
	add(keyRefs, !slices.Equal(m.Refs, old.Refs) || m.OddRefs != old.OddRefs)
	add(keySignature, m.Signature != old.Signature)
	add(keyArchived, !m.ArchivedAt.Equal(old.ArchivedAt))
	add(keyReason, m.ArchivedReason != old.ArchivedReason)
	return keys
}

// repairedFields lists the keys whose lines were read as plain text. The first change writes them
// as YAML. That includes the creation time, whose form would still mark the file as the
// predecessor's.
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
		return f.lines(formatHeader(m))
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
		if !isWritten(m, known.name) || f.header.find(known.name) != &f.header.keys[i] { // the second of two
			text = text[:at.start] + text[at.end:]
			continue
		}
		lines := fieldValue(m, known.name)
		if known.comment != "" {
			lines += " " + known.comment
		}
		text = text[:at.start] + f.lines(known.name+":"+lines+"\n") + text[at.end:]
	}
	for _, key := range keys {
		if f.header.find(key) == nil && isWritten(m, key) {
			text += f.lines(field(m, key))
		}
	}
	return text
}

// flowHeaderWith rewrites a header of the form {…}, whose keys have no lines to replace, as lines:
// ltm's own keys first, then the others unchanged.
func (f *File) flowHeaderWith(m memory.Memory, changed []string) string {
	root, err := decodeMapping(string(f.raw[f.header.start:f.header.end]))
	if err != nil {
		return string(f.raw[f.header.start:f.header.end])
	}
	var b strings.Builder
	done := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key := root.Content[i].Value
		isChanged := slices.Contains(changed, key)
		switch {
		case isChanged && (done[key] || !isWritten(m, key)):
			continue
		case key == keyAliases && m.OddAliases: // its bytes say more than m
		case isChanged || isOwnKey(key) && isWritten(m, key) && (key != keyWork || m.Work != nil):
			done[key] = true
			b.WriteString(field(m, key))
			continue
		}
		b.WriteString(encodePair(root.Content[i], root.Content[i+1]))
	}
	for _, key := range changed {
		if f.header.find(key) == nil && isWritten(m, key) {
			b.WriteString(field(m, key))
		}
	}
	return f.lines(b.String())
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
