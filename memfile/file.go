package memfile

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/adrg/frontmatter"

	"ltm/abridge"
	"ltm/memory"
)

// MaxFileBytes bounds what is read as a memory file: the largest content, its
// header, and as much again for what people add by hand.
const MaxFileBytes = 2*memory.MaxContentBytes + maxHeaderBytes

const (
	maxHeaderBytes = 64 << 10
	fence          = "---"
	summaryHeading = "## Summary"
	contentHeading = "## Content"
	utf8BOM        = "\xef\xbb\xbf"
)

// File is a memory file that was read: what it says, and its bytes, so that a
// change can leave alone what it does not concern.
type File struct {
	Memory memory.Memory

	raw    []byte
	eol    string // "\n" or "\r\n", as the file's first line ends
	header header
	body   body
}

// span is a part of a file's bytes.
type span struct{ start, end int }

// body says where in the file the two sections stand.
type body struct {
	start    int  // the first byte after the header
	headings bool // at least one of the two headings was found
	summary  span
	heading  int // where the content heading's line begins; -1 without one
	content  span
}

// Bytes returns the file as it was read. Callers must not change it.
func (f *File) Bytes() []byte { return f.raw }

// Parse reads a memory file. It accepts what people and other writers produce:
// unknown keys, comments, CRLF, a byte order mark, times with offsets or
// fractions, quotes inside a quoted topic, a missing id (the caller knows the
// file's name), a body without the two headings, and text without a header: then
// its first heading or line is the topic. Of an unsettled merge it reads one side,
// and the memory says so. It returns an [Error] of
// [CodeUnreadable] for anything it cannot be sure about.
func Parse(data []byte) (*File, error) {
	if len(data) > MaxFileBytes {
		return nil, unreadable("the file has %d bytes, more than %d", len(data), MaxFileBytes)
	}
	if !utf8.Valid(data) {
		return nil, unreadable("the file is not UTF-8 text")
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, unreadable("the file holds a NUL byte")
	}
	if memory.HasConflict(string(data)) {
		return parseSide(data)
	}
	if f := readPlain(data); f != nil {
		return f, nil
	}
	return parse(data)
}

// parse reads a file that is text with a header, and holds no conflict.
func parse(data []byte) (*File, error) {
	f := &File{raw: data, eol: lineEnd(data)}
	at, err := f.splitHeader()
	if err != nil {
		return nil, err
	}
	if err := f.readHeader(at); err != nil {
		return nil, err
	}
	f.readBody()
	return f, nil
}

// splitHeader finds the front matter and the start of the body.
func (f *File) splitHeader() (span, error) {
	var found bool
	var size int
	capture := func(b []byte, _ any) error {
		found, size = true, len(b)
		return nil
	}
	text := bytes.TrimPrefix(f.raw, []byte(utf8BOM))
	rest, err := frontmatter.MustParse(bytes.NewReader(text), nil, frontmatter.NewFormat(fence, fence, capture))
	if errors.Is(err, frontmatter.ErrNotFound) || !found {
		return span{}, unreadable(`the file does not begin with a header between two "---" lines`)
	}
	if err != nil {
		return span{}, unreadable("the header cannot be read: %v", err)
	}
	if size > maxHeaderBytes {
		return span{}, unreadable("the header has %d bytes, more than %d", size, maxHeaderBytes)
	}
	f.body.start = len(f.raw) - len(rest)
	end := lastLineStart(f.raw[:f.body.start])
	return span{end - size, end}, nil
}

// readBody finds the two sections. Only a heading that opens the body counts:
// otherwise all of it is content, so that nothing a person wrote is hidden.
func (f *File) readBody() {
	b := &f.body
	b.heading = -1
	first, _ := f.trimmed(span{b.start, len(f.raw)})
	line := firstLine(f.raw[first.start:])
	switch strings.TrimRight(line, " \t\r\n") {
	case summaryHeading:
		b.headings = true
		b.summary = span{first.start + len(line), len(f.raw)}
		b.heading = findHeading(f.raw, b.summary.start)
	case contentHeading:
		b.headings = true
		b.summary = span{first.start, first.start}
		b.heading = first.start
	}
	switch {
	case !b.headings:
		b.content = span{b.start, len(f.raw)}
	case b.heading >= 0:
		b.summary.end = b.heading
		b.content = span{b.heading + len(firstLine(f.raw[b.heading:])), len(f.raw)}
	default:
		b.content = span{len(f.raw), len(f.raw)}
	}
	b.summary, f.Memory.Summary = f.trimmed(b.summary)
	f.Memory.Summary = unescapeHeadings(f.Memory.Summary)
	b.content, f.Memory.Content = f.trimmed(b.content)
	if !b.headings {
		f.Memory.Summary = abridge.FirstParagraph(f.Memory.Content)
	}
}

// trimmed returns the part of s without blank lines around it, and its text
// with "\n" line ends.
func (f *File) trimmed(s span) (span, string) {
	text := f.raw[s.start:s.end]
	for {
		line := firstLine(text)
		if len(line) == 0 || strings.TrimSpace(line) != "" || len(line) == len(text) {
			break
		}
		text = text[len(line):]
		s.start += len(line)
	}
	kept := memory.TrimBlank(string(text))
	s.end = s.start + len(kept)
	return s, memory.TrimBlank(memory.UnixLines(kept))
}

// findHeading returns where the line of the content heading begins, from at on.
func findHeading(raw []byte, at int) int {
	for at < len(raw) {
		line := firstLine(raw[at:])
		if strings.TrimRight(line, " \t\r\n") == contentHeading {
			return at
		}
		at += len(line)
	}
	return -1
}

// escapeHeadings keeps a line of a summary from being taken for the heading
// that ends it, by a backslash that markdown does not show.
func escapeHeadings(s string) string {
	return mapHeadingLines(s, func(line string) string { return `\` + line })
}

func unescapeHeadings(s string) string {
	return mapHeadingLines(s, func(line string) string { return strings.TrimPrefix(line, `\`) })
}

func mapHeadingLines(s string, change func(string) string) string {
	if !strings.Contains(s, contentHeading) {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.TrimRight(strings.TrimLeft(line, `\`), " \t\r") == contentHeading {
			lines[i] = change(line)
		}
	}
	return strings.Join(lines, "\n")
}

// firstLine returns the first line of b with its line end.
func firstLine(b []byte) string {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return string(b[:i+1])
	}
	return string(b)
}

// lastLineStart returns where the last line of b begins; a line end at the very
// end of b belongs to that line.
func lastLineStart(b []byte) int {
	return bytes.LastIndexByte(bytes.TrimSuffix(b, []byte("\n")), '\n') + 1
}

func lineEnd(b []byte) string {
	if i := bytes.IndexByte(b, '\n'); i > 0 && b[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func unreadable(format string, args ...any) *memory.Error {
	return memory.Errorf(memory.CodeUnreadable, "", format, args...)
}
