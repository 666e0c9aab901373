package forms

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"ltm/engine/transfer"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/text/abridge"
)

// fence tracks the code blocks of a markdown text.
type fence struct{ open string }

// next reports whether the next line belongs to a code block, fences included.
func (f *fence) next(line string) bool {
	line = strings.TrimSpace(line)
	if f.open != "" {
		if rest := strings.TrimLeft(line, f.open[:1]); rest == "" && len(line) >= len(f.open) {
			f.open = ""
		}
		return true
	}
	if abridge.IsFence(line) {
		f.open = line[:len(line)-len(strings.TrimLeft(line, line[:1]))]
	}
	return f.open != ""
}

// headingOf returns the level and the text of a line that is a heading; the level of others is 0.
func headingOf(line string) (level int, text string) {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 {
		return 0, ""
	}
	rest := strings.TrimLeft(trimmed, "#")
	level = len(trimmed) - len(rest)
	if level == 0 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	text = strings.TrimSpace(rest)
	if closed := strings.TrimRight(text, "#"); closed == "" || strings.HasSuffix(closed, " ") {
		text = strings.TrimSpace(closed)
	}
	return level, text
}

// section is a heading and the lines below it, up to the next heading of any level.
type section struct {
	level int // 0: before the first heading
	title string
	path  []string // the titles of the headings that it is below, and its own
	line  int      // of the heading, from 1
	lines []string
}

func (s section) text() string { return memory.TrimBlank(strings.Join(s.lines, "\n")) }

// sections splits a markdown text at its headings. The first section is what is before them.
func sections(text string) []section {
	list := []section{{}}
	var path []section // the open headings
	var code fence
	for i, line := range strings.Split(text, "\n") {
		level, title := headingOf(line)
		if code.next(line) || level == 0 {
			last := &list[len(list)-1]
			last.lines = append(last.lines, line)
			continue
		}
		for len(path) > 0 && path[len(path)-1].level >= level {
			path = path[:len(path)-1]
		}
		s := section{level: level, title: title, line: i + 1}
		path = append(path, s)
		for _, above := range path {
			s.path = append(s.path, above.title)
		}
		list = append(list, s)
	}
	return list
}

// listItem matches the first line of a list item.
var listItem = pattern(`^( {0,3})([-*+]|\d{1,9}[.)])([ \t]+)(\S.*)$`)

// splitItems splits the text of a section into what is beside its lists, and the items of the outermost lists.
func splitItems(lines []string) (beside string, items []string) {
	var rest []string
	var item []string
	var code fence
	width, blank := 0, false
	end := func() {
		if item != nil {
			items = append(items, memory.TrimBlank(strings.Join(item, "\n")))
		}
		item = nil
	}
	for _, line := range lines {
		inCode := code.next(line)
		m := listItem().FindStringSubmatch(line)
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		switch {
		case !inCode && m != nil && (item == nil || len(m[1]) < width):
			end()
			item, width = []string{m[4]}, len(m[1])+len(m[2])+1
		case item != nil && (strings.TrimSpace(line) == "" || indent > 0 || inCode || !blank):
			item = append(item, outdent(line, width))
		default:
			end()
			rest = append(rest, line)
		}
		blank = strings.TrimSpace(line) == ""
	}
	end()
	return memory.TrimBlank(strings.Join(rest, "\n")), items
}

// outdent removes up to n columns of indentation.
func outdent(line string, n int) string {
	for ; n > 0 && line != "" && (line[0] == ' ' || line[0] == '\t'); n-- {
		if line[0] == '\t' {
			return line[1:]
		}
		line = line[1:]
	}
	return line
}

// uncommented removes the HTML comments of a markdown text, which no reader of the rendered text
// has seen, and reports how many there were. Comments in code stay.
func uncommented(text string) (string, int) {
	const opens, closes = "<!--", "-->"
	if !strings.Contains(text, opens) {
		return text, 0
	}
	var out strings.Builder
	var code fence
	removed := 0
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		if code.next(text[at:end]) {
			out.WriteString(text[at:end])
			at = end
			continue
		}
		for {
			n := outsideCode(text[at:end], opens)
			if n < 0 {
				break
			}
			length := strings.Index(text[at+n:], closes)
			if length < 0 { // it is shown as it is
				out.WriteString(text[at:])
				return out.String(), removed
			}
			out.WriteString(text[at : at+n])
			at += n + length + len(closes)
			if at > end {
				end = lineEnd(text, at)
			}
			removed++
		}
		out.WriteString(text[at:end])
		at = end
	}
	return out.String(), removed
}

// lineEnd returns the end of the line at an offset, behind its newline.
func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// outsideCode returns where a line has a mark outside of its code spans, or -1.
func outsideCode(line, mark string) int {
	for i := 0; i < len(line); {
		if strings.HasPrefix(line[i:], mark) {
			return i
		}
		if line[i] != '`' {
			i++
			continue
		}
		n := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
		if end := strings.Index(line[i+n:], line[i:i+n]); end >= 0 {
			i += n + end
		}
		i += n
	}
	return -1
}

// title makes a topic of a text: its first sentence, without emphasis, of at most as many
// characters as a topic may have.
func title(text string) string {
	text = strings.NewReplacer("**", "", "__", "").Replace(abridge.FirstSentence(text))
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		text = strings.TrimPrefix(text, box)
	}
	return memory.ClipTopic(text)
}

// tagsOf returns what can be kept of the tags that a program has, and a remark about the others.
// An importance is not kept: no other program knows what ltm means by it.
func tagsOf(given ...string) ([]string, []memory.Remark) {
	var kept []string
	var remarks []memory.Remark
	dropped := 0
	seen := map[string]bool{}
	for _, tag := range given {
		t, err := memory.NormalizeTag(strings.TrimLeft(strings.TrimSpace(tag), "#"))
		switch {
		case err == nil && (t == "" || seen[t]):
		case memory.IsImportanceTag(t):
			remarks = memory.Say("its importance, " + quoted(strings.TrimPrefix(t, "importance:")) + ", was left out")
		case err != nil, len(kept) == memory.MaxTags:
			dropped++
		default:
			kept, seen[t] = append(kept, t), true
		}
	}
	if dropped > 0 {
		remarks = append(remarks, memory.Say(plural.Of(dropped, "tag", "tags")+" left out")...)
	}
	return kept, remarks
}

// timeOf reads a time as programs and people write it; zone is that of times without one.
func timeOf(text string, zone *time.Location) (time.Time, bool) {
	zone = cmp.Or(zone, time.UTC)
	text = strings.TrimSpace(text)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999",
		"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil && at.Year() > 0 {
			return at.UTC(), true
		}
	}
	return time.Time{}, false
}

// quoted is an entry's name as messages quote it.
func quoted(text string) string { return memory.Quote(text, maxQuoted) }

const maxQuoted = 80

// numbered tells entries with the same key apart: from the second on, they get a number.
func numbered(items []transfer.Item) {
	taken, count := map[string]bool{}, map[string]int{}
	for i := range items {
		item := &items[i]
		for key := item.Key; taken[item.Key]; item.Entry = entryOf(item.Key) {
			count[key]++
			item.Key = key + " (" + strconv.Itoa(count[key]+1) + ")"
		}
		taken[item.Key] = true
	}
}
