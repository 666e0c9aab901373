package forms

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"ltm/internal/plural"
	"ltm/memory"
)

var (
	// wikiLink matches [[target]], [[target|alias]] and [[target#heading]].
	wikiLink = pattern(`\[\[([^\[\]|#]+)(?:[|#][^\[\]]*)?\]\]`)

	// fileLink matches [text](path.md) and [text](<path.md#heading>).
	fileLink = pattern(`\]\(<?([^()<>\s]+\.md)(?:#[^()<>]*)?>?\)`)

	// hashTag matches #tag, as Obsidian and basic-memory read it in a text.
	hashTag = pattern(`(?:^|\s)#([\pL\pN_/-]*[\pL_/-][\pL\pN_/-]*)`)
)

// prose returns a markdown text without its code blocks and code spans, which hold no links.
func prose(text string) string {
	var out strings.Builder
	var code fence
	for line := range strings.Lines(text) {
		if code.next(line) {
			continue
		}
		if strings.Contains(line, "`") {
			line = codeSpan().ReplaceAllString(line, " ")
		}
		out.WriteString(line)
	}
	return out.String()
}

var codeSpan = pattern("`[^`\n]*`")

// link is a reference from one note to another.
type link struct {
	target string
	file   bool // a path relative to the note, not a name
}

// linksIn lists the references in a text, each once.
func linksIn(text string) []link {
	var found []link
	add := func(l link) {
		if l.target != "" && !slices.Contains(found, l) {
			found = append(found, l)
		}
	}
	if i := strings.Index(text, "[["); i >= 0 {
		for _, m := range wikiLink().FindAllStringSubmatch(text[i:], maxLinks) {
			add(link{strings.TrimSpace(m[1]), false})
		}
	}
	if !strings.Contains(text, ".md") {
		return found
	}
	for _, m := range fileLink().FindAllStringSubmatch(text, maxLinks) {
		if target, err := url.PathUnescape(m[1]); err == nil && !strings.Contains(target, "://") {
			add(link{target, true})
		}
	}
	return found
}

// maxLinks bounds how many references of each sort are looked up for a note.
const maxLinks = 1000

// tagsIn lists the tags in a text without code.
func tagsIn(text string) []string {
	var found []string
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "#") {
			continue
		}
		for _, m := range hashTag().FindAllStringSubmatch(line, memory.MaxTags) {
			found = append(found, m[1])
		}
	}
	return found
}

// names finds notes by the names that links give them.
type names struct {
	paths map[string]string // the path without extension, in lower case → the key
	other map[string]string // base names, titles, aliases, permalinks
}

func newNames() *names { return &names{map[string]string{}, map[string]string{}} }

// add makes a note known. The first note of a name keeps it, so add those that should win first.
func (n *names) add(key, file string, others ...string) {
	n.paths[plainName(file)] = key
	for _, name := range append([]string{path.Base(file)}, others...) {
		if name = plainName(name); name != "" && n.other[name] == "" {
			n.other[name] = key
		}
	}
}

// plainName is a name as links are compared: in lower case and without the extension.
func plainName(name string) string {
	return strings.TrimSuffix(strings.ToLower(strings.TrimSpace(name)), ".md")
}

// find returns the key of the note that a link in a file leads to, or "".
func (n *names) find(l link, from string) string {
	if l.file {
		return n.paths[plainName(path.Join(path.Dir(from), l.target))]
	}
	name := plainName(strings.TrimPrefix(l.target, "/"))
	for _, candidate := range []string{plainName(path.Join(path.Dir(from), name)), name} {
		if key := n.paths[candidate]; key != "" {
			return key
		}
	}
	return n.other[name]
}

// related returns the keys of the notes that a text without code refers to, and a remark if there are too many
// of them to keep.
func (n *names) related(text, key, from string) ([]string, []memory.Remark) {
	var keys []string
	for _, l := range linksIn(text) {
		if to := n.find(l, from); to != "" && to != key && !slices.Contains(keys, to) {
			keys = append(keys, to)
		}
	}
	return bounded(keys)
}

// bounded keeps as many links as a memory may have.
func bounded(keys []string) ([]string, []memory.Remark) {
	if len(keys) <= memory.MaxLinks {
		return keys, nil
	}
	return keys[:memory.MaxLinks], memory.Say(plural.Of(len(keys)-memory.MaxLinks, "link", "links") + " left out")
}
