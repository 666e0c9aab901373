package forms

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"ltm/engine/transfer"
	"ltm/internal/plural"
	"ltm/memory"
)

// ClaudeMD is sections of CLAUDE.md, or of another markdown file that people write for agents.
// Such a file has no form but markdown's: each list item directly in a section becomes a memory,
// so does each heading in it with all that is below it, and so does the section's other text.
type ClaudeMD struct {
	Sections []string // the headings, in any case; at least one must be named, and each must be there
}

// geminiSection is where Gemini CLI keeps, in GEMINI.md, what it was asked to remember. It need not be named.
const geminiSection = "Gemini Added Memories"

// The lines around ltm's own section, which is not a memory.
const (
	ownBegin = "<!-- ltm:begin -->"
	ownEnd   = "<!-- ltm:end -->"
)

// Name implements [transfer.Form].
func (ClaudeMD) Name() string { return "claude-md" }

// Recognize implements [transfer.Form]. A file that is not for agents, has front matter, or has no
// sections to choose from is a note (see [Markdown]), unless sections of it are named.
func (f ClaudeMD) Recognize(s transfer.Source) bool {
	if s.Document() == nil || !isMarkdown(s.Files[0].Name) {
		return false
	}
	switch strings.ToLower(s.Files[0].Name) {
	case "claude.md", "claude.local.md", "agents.md", "gemini.md":
		return true
	}
	if len(f.Sections) > 0 {
		return true
	}
	props, text, err := properties(s.Files[0])
	text, _ = uncommented(text)
	all := sections(text)
	return s.Files[0].Name != indexFile && err == nil && props == nil &&
		(len(all) > 2 || len(all) == 2 && all[0].text() != "")
}

// Read implements [transfer.Form].
func (f ClaudeMD) Read(s transfer.Source, _ transfer.Here) (transfer.Reading, error) {
	r := transfer.Reading{System: "claude-md"}
	if s.Dir || len(s.Files) != 1 {
		return r, transfer.Malformed(s.Name, "%s is a directory; the form %s is one file", quoted(s.Name), f.Name())
	}
	file := s.Files[0]
	if !utf8.Valid(file.Data) {
		return r, transfer.Malformed(s.Name, "%s is not UTF-8 text", quoted(s.Name))
	}
	text := withoutOwn(memory.UnixLines(strings.TrimPrefix(string(file.Data), byteOrderMark)))
	text, removed := uncommented(text)
	all := sections(text)
	if len(f.Sections) == 0 && slices.ContainsFunc(all, func(s section) bool { return s.is(geminiSection) }) {
		f.Sections = []string{geminiSection}
	}
	var missing []string
	for _, name := range f.Sections {
		if !slices.ContainsFunc(all, func(s section) bool { return s.is(name) }) {
			missing = append(missing, quoted(name))
		}
	}
	if len(missing) > 0 || len(f.Sections) == 0 {
		return r, unnamed(file, all, missing)
	}
	for i := 0; i < len(all); i++ {
		if !slices.ContainsFunc(f.Sections, all[i].is) {
			continue
		}
		inner := below(all[i+1:], all[i].level)
		r.Items = append(r.Items, ofSection(file, all[i], inner)...)
		i += len(inner) // which are taken with it
	}
	if removed > 0 {
		r.Remarks = memory.Say(plural.Of(removed, "HTML comment", "HTML comments") + " left out")
	}
	numbered(r.Items)
	return r, nil
}

// is reports whether a section has a heading, in any case.
func (s section) is(heading string) bool {
	return s.level > 0 && s.title != "" && strings.EqualFold(s.title, strings.TrimSpace(heading))
}

const byteOrderMark = "\ufeff"

// withoutOwn removes ltm's own section, and keeps the number of lines.
func withoutOwn(text string) string {
	start := strings.Index(text, ownBegin)
	if start < 0 {
		return text
	}
	length := strings.Index(text[start:], ownEnd)
	if length < 0 {
		return text
	}
	end := start + length + len(ownEnd)
	return text[:start] + strings.Repeat("\n", strings.Count(text[start:end], "\n")) + text[end:]
}

// below returns the sections before the next heading of that level or a higher one.
func below(list []section, level int) []section {
	for i, s := range list {
		if s.level <= level {
			return list[:i]
		}
	}
	return list
}

// maxListed bounds how many sections an error lists.
const maxListed = 40

// unnamed is the error about sections that are not there, or about none that was named. It lists
// those that there are to choose from.
func unnamed(file transfer.File, all []section, missing []string) error {
	var list strings.Builder
	listed := 0
	for i, s := range all {
		if s.level == 0 || s.title == "" {
			continue
		}
		if listed++; listed <= maxListed {
			n := len(ofSection(transfer.File{}, s, below(all[i+1:], s.level)))
			fmt.Fprintf(&list, "\n  line %d: %s, %s", s.line, quoted(s.title), plural.Of(n, "entry", "entries"))
		}
	}
	if listed > maxListed {
		fmt.Fprintf(&list, "\n  and %d more", listed-maxListed)
	}
	what := "is taken a section at a time, and none was named"
	switch {
	case listed == 0:
		what = "is taken a section at a time, and has none"
	case len(missing) > 0:
		what = "has no section " + strings.Join(missing, ", ")
	}
	return memory.NewError(memory.CodeInvalid, memory.KindImportSection, file.Name, "%s %s%s", quoted(file.Name), what,
		list.String())
}

// ofSection makes items of a section and of those below it.
func ofSection(file transfer.File, s section, inner []section) []transfer.Item {
	beside, points := splitItems(s.lines)
	var items []transfer.Item
	add := func(name, topic, content string) {
		if content == "" {
			return
		}
		key := strings.Join(append([]string{file.Name}, s.path...), "#")
		if name != "" {
			key += "#" + name
		}
		items = append(items, transfer.Item{Entry: entryOf(key), Key: key, Memory: memory.Memory{
			Topic: memory.ClipTopic(topic), Content: content, CreatedAt: file.Modified,
		}})
	}
	add("", cmp.Or(s.title, title(beside)), beside)
	for _, point := range points {
		topic := title(point)
		add(topic, topic, point)
	}
	for i := 0; i < len(inner); {
		deeper := below(inner[i+1:], inner[i].level)
		content := inner[i].text()
		for _, d := range deeper {
			content += "\n\n" + strings.Repeat("#", d.level) + " " + d.title + "\n\n" + d.text()
		}
		add(inner[i].title, inner[i].title, memory.TrimBlank(content))
		i += 1 + len(deeper)
	}
	return items
}
