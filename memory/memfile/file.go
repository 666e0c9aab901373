package memfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/adrg/frontmatter"

	"ltm/memory"
	"ltm/text/abridge"
)

// MaxFileBytes bounds the size of a memory file: the largest content and header, and as much again
// for what people add by hand.
const MaxFileBytes = 2*memory.MaxContentBytes + maxHeaderBytes

const (
	maxHeaderBytes = 64 << 10
	fence          = "---"
	summaryHeading = "## Summary"
	contentHeading = "## Content"
	utf8BOM        = "\xef\xbb\xbf"
)

// File is a parsed memory file. It keeps the original bytes, so that a change leaves the rest of them alone.
type File struct {
	Memory memory.Memory

	table  table
	raw    []byte
	eol    string // "\n" or "\r\n", as the file's first line ends
	header header
	body   body
}

// span is a range of a file's bytes.
type span struct{ start, end int }

// body holds the places of the two sections in the file.
type body struct {
	start    int  // the first byte after the header
	headings bool // at least one of the two headings was found
	summary  span
	heading  int // start of the content heading's line; -1 without such a heading
	content  span
}

// Bytes returns the original bytes of the file. The caller must not change them.
func (f *File) Bytes() []byte { return f.raw }

// Parse reads a memory file. It accepts what people and other programs write: unknown keys, comments, CRLF, a byte
// order mark, times with offsets or fractions, quotes inside a quoted topic, a missing id (the caller knows the file's
// name), a body without the two headings, and text without a header, whose topic is its first heading or line. Of an
// unresolved merge it reads one side and sets Conflicted. If it is unsure about anything else, it returns a
// [memory.Error] of [memory.CodeUnreadable].
func Parse(data []byte) (*File, error) { return fields().parse(data) }

func (t table) parse(data []byte) (*File, error) {
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
		return t.parseSide(data)
	}
	if f := t.readPlain(data); f != nil {
		return f, nil
	}
	return t.parseWhole(data)
}

// parseWhole reads a file that has a header and no conflict.
func (t table) parseWhole(data []byte) (*File, error) {
	f := &File{table: t, raw: data, eol: lineEnd(data)}
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

// parseSide reads a file with an unresolved merge: our side, or theirs if ours is not a memory. The result keeps the
// bytes of the whole file, and [File.With] refuses to change it until a person has resolved the merge.
func (t table) parseSide(data []byte) (*File, error) {
	ours, theirs, _ := memory.SplitConflict(string(data))
	for _, side := range []string{ours, theirs} {
		if f, err := t.parseWhole([]byte(side)); err == nil && !memory.HasConflict(side) {
			f.raw, f.Memory.Conflicted = data, true
			return f, nil
		}
	}
	return nil, unreadable("the file holds a merge conflict, and neither side of it is a memory")
}

// Sides parses a file that may have an unresolved merge: it returns each side that is a memory,
// ours first. It returns nil if neither is, and a file without a merge as it is.
func Sides(data []byte) []*File {
	if !memory.HasConflict(string(data)) {
		if f, err := Parse(data); err == nil {
			return []*File{f}
		}
		return nil
	}
	var found []*File
	ours, theirs, _ := memory.SplitConflict(string(data))
	for _, side := range []string{ours, theirs} {
		if f, err := fields().parseWhole([]byte(side)); err == nil && !memory.HasConflict(side) {
			found = append(found, f)
		}
	}
	return found
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

// readBody finds the two sections. A heading counts only if it opens the body; otherwise all of the
// body is content, so that no text is hidden.
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
	f.Memory.Summary = mapHeadingLines(f.Memory.Summary, func(line string) string {
		return strings.TrimPrefix(line, `\`)
	})
	b.content, f.Memory.Content = f.trimmed(b.content)
	if !b.headings {
		f.Memory.Summary = abridge.FirstParagraph(f.Memory.Content)
	}
	f.Memory.KeepsText = f.Memory.IsStub() && f.Memory.HasText()
}

// trimmed returns s without surrounding blank lines, and its text with "\n" line ends.
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

// findHeading returns the start of the content heading's line at or after at, or -1.
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

// escapeHeadings puts a backslash, which markdown does not show, before every line of a summary
// that would read as the content heading.
func escapeHeadings(s string) string {
	return mapHeadingLines(s, func(line string) string { return `\` + line })
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

// firstLine returns the first line of b, including its line end.
func firstLine(b []byte) string {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return string(b[:i+1])
	}
	return string(b)
}

// lastLineStart returns the start of the last line of b, where a final line end belongs to that line.
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
	return memory.NewError(memory.CodeUnreadable, memory.KindFileDamaged, "", format, args...)
}

// HeaderBytes returns about how many bytes of a file are its header, without reading it.
func HeaderBytes(data []byte) int {
	if !bytes.HasPrefix(bytes.TrimPrefix(data, []byte(utf8BOM)), []byte(fence)) {
		return 0
	}
	return max(0, bytes.Index(data[:min(len(data), maxHeaderBytes)], []byte("\n"+fence)))
}

// Same reports whether two files have the same bytes, apart from line ends, which git may have converted.
func Same(a, b []byte) bool {
	return bytes.Equal(UnixLines(a), UnixLines(b))
}

// versionHash is how many hex digits of a checksum are in a version's name.
const versionHash = 8

// VersionName returns the name of a memory's archived version. The first one, number 0, has the memory's own file name.
func VersionName(id memory.ID, number int, data []byte) string {
	if number == 0 {
		return id.File()
	}
	sum := sha256.Sum256(UnixLines(data))
	return fmt.Sprintf("%s.%d.%s%s", id, number, hex.EncodeToString(sum[:])[:versionHash], memory.FileExt)
}

// UnixLines returns data with "\n" line ends, of which git makes others on some systems.
func UnixLines(data []byte) []byte {
	if !bytes.Contains(data, []byte("\r\n")) {
		return data
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}
