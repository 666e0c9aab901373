package forms

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"ltm/engine/transfer"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/memfile"
)

// note is a markdown file of another program.
type note struct {
	file    string
	props   memfile.Properties
	heading string // of level 1, that it begins with; or ""
	text    string // without that heading and without comments
	prose   string // the same without code
	at      time.Time
	removed int   // comments
	err     error // it cannot be read
}

// isNote reports whether a file of a directory is a note. Hidden directories hold a program's own files.
func isNote(name string) bool {
	return isMarkdown(name) && !slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool {
		return strings.HasPrefix(part, ".")
	})
}

func isMarkdown(name string) bool { return strings.EqualFold(path.Ext(name), memory.FileExt) }

// damaged is the error about an entry that is a file and cannot be read.
func damaged(file string, err error) error { return transfer.Malformed(file, "%v", err) }

// properties splits a file into its front matter and its text.
func properties(file transfer.File) (memfile.Properties, string, error) {
	if file.Err != nil {
		return nil, "", file.Err
	}
	return memfile.ReadProperties(file.Data)
}

// readNote reads a markdown file.
func readNote(file transfer.File, here transfer.Here) note {
	n := note{file: file.Name, at: file.Modified}
	props, text, err := properties(file)
	if err != nil {
		n.err = damaged(file.Name, err)
		return n
	}
	n.props = props
	for _, key := range []string{"created", "created_at", "date created", "date", "metadata.modified", "modified"} {
		if at, ok := timeOf(props.First(key), here.Zone); ok {
			n.at = at
			break
		}
	}
	text, n.removed = uncommented(withoutOwn(text))
	text = memory.TrimBlank(text)
	first, rest, _ := strings.Cut(text, "\n")
	if level, heading := headingOf(first); level == 1 {
		n.heading = heading
		text = memory.TrimBlank(rest)
	}
	n.text, n.prose = text, prose(text)
	return n
}

// empty reports whether there is nothing to remember.
func (n note) empty() bool { return n.err == nil && n.text == "" && n.heading == "" }

// stem is the file's name without its extension, or "" on standard input.
func (n note) stem() string {
	base := path.Base(n.file)
	if base == "-" {
		return ""
	}
	return base[:len(base)-len(path.Ext(base))]
}

// draft is an item whose tags are still collected.
type draft struct{ transfer.Item }

func (d *draft) addTags(tags ...string) {
	d.Memory.Tags = append(d.Memory.Tags, tags...)
	var remarks []memory.Remark
	d.Memory.Tags, remarks = tagsOf(d.Memory.Tags...)
	d.Remarks = append(d.Remarks, remarks...)
}

// entryOf is a file's name as messages name the entry: quoted, if it would not be one plain line.
func entryOf(file string) string {
	if plain := (memory.Origin{System: "file", ID: file}); plain.IsValid() {
		return file
	}
	return quoted(file)
}

// item makes an item of a note, which is known as key. The topic is name, else that of its front matter, else the
// heading that the note begins with, else what its front matter says, else the file's name.
func (n note) item(name, key string, known *names) draft {
	d := draft{transfer.Item{Entry: entryOf(n.file), Key: key, Err: n.err}}
	if n.err != nil {
		return d
	}
	topic := cmp.Or(name, n.props.First("topic"), n.heading, n.props.First("description", "name"), n.stem())
	text := n.text
	if text == "" || n.heading != "" && !strings.EqualFold(memory.ClipTopic(n.heading), memory.ClipTopic(topic)) {
		text = strings.TrimSpace(strings.TrimSpace("# "+n.heading) + "\n\n" + text) // more than the topic says
	}
	d.Memory = memory.Memory{Topic: memory.ClipTopic(topic), Content: text, CreatedAt: n.at}
	if agent := n.props.First("agent"); agent != "" { // what it means there is unknown
		d.Remarks = memory.Say("its agent, " + quoted(agent) + ", was left out")
	}
	var remarks []memory.Remark
	d.Related, remarks = known.related(n.prose, key, n.file)
	d.Remarks = append(d.Remarks, remarks...)
	if n.removed > 0 {
		d.Remarks = append(d.Remarks, memory.Say(plural.Of(n.removed, "HTML comment", "HTML comments")+" left out")...)
	}
	return d
}

// readNotes reads those of some files that are notes, and remarks how many were left out because nothing is in them.
func readNotes(files []transfer.File, here transfer.Here, isNote func(name string) bool) ([]note, []memory.Remark) {
	var notes []note
	empty := 0
	for _, file := range files {
		if !isNote(file.Name) {
			continue
		}
		if n := readNote(file, here); n.empty() {
			empty++
		} else {
			notes = append(notes, n)
		}
	}
	return notes, leftOut(empty, "empty file", "empty files")
}
