package memfile

import (
	"bytes"
	"strings"

	"ltm/memory"
)

// IsPlain reports whether a file is text without a header.
func (f *File) IsPlain() bool { return f.header.missing }

// readPlain reads text without a header. It returns nil if the text is empty or begins with a
// header or a conflict marker. The caller knows the id.
func (t table) readPlain(data []byte) *File {
	f := &File{table: t, raw: data, eol: lineEnd(data)}
	if bytes.HasPrefix(data, []byte(utf8BOM)) {
		f.body.start = len(utf8BOM)
	}
	text := bytes.TrimSpace(data[f.body.start:])
	if bytes.HasPrefix(text, []byte(fence)) || memory.HasConflictMarks(firstLine(text)) {
		return nil
	}
	if f.Memory.Topic = plainTopic(string(text)); f.Memory.Topic == "" {
		return nil
	}
	f.Memory.Difficulty = unknownDifficulty
	f.header = header{span: span{f.body.start, f.body.start}, missing: true}
	f.readBody()
	return f
}

// plainTopic returns the topic of text without a header: its first heading, or else its first line,
// ignoring the section headings of a memory file.
func plainTopic(text string) string {
	first, code := "", false
	for line := range strings.Lines(memory.UnixLines(text)) {
		if memory.IsFence(line) {
			code = !code
		}
		title := strings.TrimLeft(line, "#")
		line = strings.TrimRight(line, " \t\n")
		if line == summaryHeading || line == contentHeading {
			continue
		}
		if level := len(line) - len(strings.TrimLeft(line, "#")); !code && level > 0 && level <= 6 &&
			strings.HasPrefix(title, " ") {
			if topic := asTopic(strings.TrimRight(title, "# \t\n")); topic != "" {
				return topic
			}
		}
		if first == "" {
			first = asTopic(line)
		}
	}
	return first
}

// asTopic makes a topic from a line, or returns "" if the line has no valid one.
func asTopic(line string) string {
	text := []rune(strings.Join(strings.Fields(line), " "))
	if len(text) >= memory.MaxTopicChars {
		text = append(text[:memory.MaxTopicChars-1], '…')
	}
	topic, err := memory.NormalizeTopic(string(text))
	if err != nil {
		return ""
	}
	return topic
}
