package forms

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/transfer"
)

// ClaudeMD is a section of CLAUDE.md, or of another markdown file that people write for agents.
// Such a file has no form but markdown's: each list item directly in the section becomes a memory,
// so does each heading in it with all that is below it, and so does the section's other text.
type ClaudeMD struct {
	Section string // the heading, in any case; empty: none is taken, and the sections are listed
}

// The lines around ltm's own section, which is not a memory.
const (
	ownBegin = "<!-- ltm:begin -->"
	ownEnd   = "<!-- ltm:end -->"
)

// Name implements [transfer.Form].
func (ClaudeMD) Name() string { return "claude-md" }

// Recognize implements [transfer.Form].
func (ClaudeMD) Recognize(s transfer.Source) bool {
	return s.Document() != nil && strings.HasSuffix(strings.ToLower(s.Files[0].Name), ".md")
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
	if f.Section == "" {
		r.Remarks = listed(file.Name, all)
		return r, nil
	}
	found := false
	for i, section := range all {
		if section.level > 0 && strings.EqualFold(section.title, strings.TrimSpace(f.Section)) {
			found = true
			r.Items = append(r.Items, ofSection(file, section, below(all[i+1:], section.level))...)
		}
	}
	if !found {
		return r, memory.NewError(memory.CodeInvalid, memory.KindImportSection, f.Section,
			"%s has no section %s; it has: %s", quoted(file.Name), quoted(f.Section), strings.Join(titles(all), ", "))
	}
	if removed > 0 {
		r.Remarks = memory.Say(plural.Of(removed, "HTML comment", "HTML comments") + " left out")
	}
	keepKeysApart(r.Items)
	return r, nil
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

// titles lists the headings.
func titles(all []section) []string {
	list := []string{}
	for _, s := range all {
		if s.level > 0 && s.title != "" {
			list = append(list, quoted(s.title))
		}
	}
	if len(list) == 0 {
		return []string{"no headings"}
	}
	return list
}

// listed says which sections there are to choose from.
func listed(name string, all []section) []memory.Remark {
	list := []memory.Remark{{Kind: memory.KindImportSection, Subject: name,
		Text: quoted(name) + " is taken a section at a time, and none was named"}}
	for i, s := range all {
		if s.level == 0 || s.title == "" {
			continue
		}
		n := len(ofSection(transfer.File{}, s, below(all[i+1:], s.level)))
		list = append(list, memory.Remark{Text: "line " + strconv.Itoa(s.line) + ": " + quoted(s.title) + ", " +
			plural.Of(n, "entry", "entries")})
	}
	return list
}

// ofSection makes items of a section and of those below it.
func ofSection(file transfer.File, s section, inner []section) []transfer.Item {
	beside, points := splitItems(s.lines)
	var items []transfer.Item
	seen := map[string]int{}
	add := func(name, topic, content string) {
		if content == "" {
			return
		}
		key := strings.Join(append([]string{file.Name}, s.path...), "#")
		if name != "" {
			key += "#" + name
		}
		if seen[key]++; seen[key] > 1 { // a second one that begins alike
			key += " (" + strconv.Itoa(seen[key]) + ")"
		}
		items = append(items, transfer.Item{Entry: entryOf(key), Key: key, Memory: memory.Memory{
			Topic: memory.ClipTopic(topic), Content: content, CreatedAt: file.Modified,
		}})
	}
	add("", s.title, beside)
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
