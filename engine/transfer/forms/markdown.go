package forms

import (
	"cmp"
	"slices"
	"strings"

	"ltm/engine/transfer"
	"ltm/memory"
)

// Markdown is a directory of notes, as basic-memory and Obsidian keep them, or one note. Each note becomes a
// memory. It is known again by its permalink, else by its path. The front matter says title or topic, tags,
// aliases, type and the time of creation; [[wiki links]] and links to files become related, and so
// do the relations of basic-memory, which are wiki links too. Its observations stay in the text.
type Markdown struct{}

// Name implements [transfer.Form].
func (Markdown) Name() string { return "markdown" }

// Recognize implements [transfer.Form]. For a single file, [ClaudeMD] is asked first.
func (Markdown) Recognize(s transfer.Source) bool {
	return slices.ContainsFunc(s.Files, func(f transfer.File) bool {
		return isNote(f.Name) || !s.Dir && isMarkdown(f.Name)
	})
}

// Read implements [transfer.Form].
func (f Markdown) Read(s transfer.Source, here transfer.Here) (transfer.Reading, error) {
	r := transfer.Reading{System: f.Name()}
	var notes []note
	notes, r.Remarks = readNotes(s.Files, here, func(name string) bool {
		return isNote(name) || !s.Dir // a person said that it is one
	})
	keys := permalinks(notes)
	known := newNames()
	byDepth := slices.SortedStableFunc(slices.Values(notes), func(a, b note) int {
		return cmp.Compare(strings.Count(a.file, "/"), strings.Count(b.file, "/"))
	})
	for _, n := range byDepth { // of two notes of a name, the one higher up
		known.add(keys[n.file], n.file, n.aka()...)
	}
	for _, n := range notes {
		item := n.item(n.props.First("title"), keys[n.file], known)
		switch {
		case n.err != nil:
		case item.Key == "-":
			item.Err = transfer.Malformed(item.Entry,
				"it has neither a permalink nor a file name, by which it would be known again")
		default:
			item.describe(n)
		}
		r.Items = append(r.Items, item.Item)
	}
	return r, nil
}

// permalinks returns the keys of notes by file. If two notes have the same permalink, the first gets it.
func permalinks(notes []note) map[string]string {
	keys, taken := map[string]string{}, map[string]bool{}
	for _, n := range notes {
		taken[n.file] = true
	}
	for _, n := range notes {
		keys[n.file] = n.file
		link := n.props.First("permalink")
		if key := (memory.Origin{System: "markdown", ID: link}); key.IsValid() && !taken[link] {
			keys[n.file], taken[link] = link, true
		}
	}
	return keys
}

// aka lists the names of a note besides its file's.
func (n note) aka() []string {
	names := []string{n.props.First("title"), n.props.First("topic"), n.props.First("permalink"), n.heading}
	return slices.Concat(names, n.aliases())
}

func (n note) aliases() []string { return slices.Concat(n.props["aliases"], n.props["alias"]) }

// describe adds the tags and the aliases of a note.
func (d *draft) describe(n note) {
	var tags []string
	for _, tag := range slices.Concat(n.props["tags"], n.props["tag"]) {
		tags = append(tags, strings.FieldsFunc(tag, func(r rune) bool { return r == ',' })...)
	}
	if kind := n.props.First("type"); kind != "" && kind != "note" {
		tags = append(tags, kind)
	}
	d.addTags(append(tags, tagsIn(n.prose)...)...)
	var others []string // that cannot be aliases of a memory
	for _, alias := range n.aliases() {
		clean, err := memory.NormalizeAlias(alias)
		switch {
		case clean == "" && err == nil, strings.EqualFold(clean, d.Memory.Topic):
		case err != nil, len(d.Memory.Aliases) == memory.MaxAliases && !memory.HasAlias(d.Memory.Aliases, clean):
			others = append(others, alias)
		case !memory.HasAlias(d.Memory.Aliases, clean):
			d.Memory.Aliases = append(d.Memory.Aliases, clean)
		}
	}
	if len(others) > 0 {
		d.Memory.Content += "\n\nAlso called: " + strings.Join(others, ", ")
	}
}
