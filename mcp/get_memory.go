package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/text/safe"
)

// asked is what a call asks for: one memory or several.
type asked struct {
	id       *string
	ids      []string
	archived bool
}

// several is the answer to a call for several memories.
type several struct {
	Memories []api.Detail `json:"memories"`
	Missing  []absence    `json:"missing,omitempty"`
}

// absence is a memory that could not be read, and why.
type absence struct {
	ID     memory.ID `json:"id"`
	Reason string    `json:"reason"`
}

func getMemory(e Engine) boundTool {
	s := spec{
		name: "get_memory", always: true, atOnce: true,
		description: "Read memories in full, by the ids that recall or the session's start shows. " +
			"Counts as use, which delays fading.",
		prints: printed,
	}
	run := func(ctx context.Context, a asked) (any, error) {
		switch {
		case a.id != nil && a.ids != nil:
			return nil, invalid("id and ids were both given; give one of them")
		case a.ids != nil:
			return getSeveral(ctx, e, a)
		case a.id == nil:
			return nil, missingParam("id")
		case a.archived:
			return brieflyOf(e.PeekArchive(ctx, *a.id))
		}
		d, err := e.Get(ctx, *a.id)
		if err == nil {
			d.Similar, _ = e.Similar(ctx, *a.id) // without them, the memory is as good
		}
		return brieflyOf(d, err)
	}
	return bind(s, getParams, run, gotText)
}

// printed is what the text says of one memory and of several. A summary in the words of the body counts as said.
const printed = "id topic content summary tags aliases importance kind stale signature note similar.id similar.topic " +
	"similar.similarity memories.id memories.topic memories.content memories.summary memories.tags memories.aliases " +
	"memories.importance memories.kind memories.stale memories.signature memories.note memories.similar.id " +
	"memories.similar.topic memories.similar.similarity missing.id missing.reason"

// briefly leaves out what no model can use: the hashes of the files that a memory refers to.
func briefly(d api.Detail) api.Detail {
	d.Refs = slices.Clone(d.Refs)
	for i := range d.Refs {
		d.Refs[i].Blob, d.Refs[i].Near = "", ""
	}
	return d
}

func brieflyOf(d api.Detail, err error) (any, error) { return briefly(d), err }

func getParams(a *asked) []param {
	id := memoryID(nil)
	id.required, id.kind = false, orNil(&a.id, text)
	return []param{
		id,
		{name: "ids", kind: someTexts(&a.ids), about: "instead of id: up to 20 ids"},
		{name: "archived", kind: flag(&a.archived), about: "the archived text of a memory that is not whole"},
	}
}

// getSeveral returns the memories that could be read, or an error if none could.
func getSeveral(ctx context.Context, e Engine, a asked) (any, error) {
	read := e.GetMany
	if a.archived {
		read = e.PeekArchives
	}
	found, err := read(ctx, a.ids)
	if err != nil {
		return nil, err
	}
	var out several
	var reasons []string
	for _, g := range found {
		if g.Err == nil {
			if !a.archived {
				g.Detail.Similar, _ = e.Similar(ctx, string(g.ID))
			}
			out.Memories = append(out.Memories, briefly(g.Detail))
			continue
		}
		reason, known := told(ctx, g.Err, advice.Reading, e.Withholds)
		if !known {
			return nil, g.Err
		}
		reasons = append(reasons, reason)
		out.Missing = append(out.Missing, absence{g.ID, reason})
	}
	if len(out.Memories) == 0 && len(reasons) > 0 {
		return nil, memory.NewError(memory.CodeNotFound, memory.KindRequestInvalid, "", "%s",
			strings.Join(reasons, "; "))
	}
	return out, nil
}

func gotText(answer any) string {
	if d, one := answer.(api.Detail); one {
		return detailText(d)
	}
	var b strings.Builder
	s, _ := answer.(several)
	for _, d := range s.Memories {
		fmt.Fprintf(&b, "%s%s\n\n", headText(d), safe.Quote(wordsText(d)+"\n"+bodyText(d)))
	}
	for _, m := range s.Missing {
		fmt.Fprintf(&b, "%s is missing: %s\n", m.ID, m.Reason)
	}
	return strings.TrimSpace(b.String())
}

// detailText is the text of a single memory. Its body is not quoted, because the model may
// edit it and write it back, unless it comes from elsewhere.
func detailText(d api.Detail) string {
	words, body := wordsText(d), bodyText(d)
	if d.Foreign {
		return headText(d) + safe.Quote(words+"\n"+body)
	}
	return headText(d) + safe.Quote(strings.TrimSpace(words)) + "\n\n" + body
}

func headText(d api.Detail) string { return string(d.ID) + "\n" + marksText(d) }

// marksText is what ltm says of a memory, in lines of their own. It has no words of others: see [wordsText].
func marksText(d api.Detail) string {
	head := ""
	if words := level(d.Marks) + whose(d.Whose); words != "" {
		head += "(" + words[len(", "):] + ")\n"
	}
	if d.Conflicted {
		head += "(one side of an unresolved merge)\n"
	}
	if d.Signature != "" {
		head += "(signature: " + safe.Line(d.Signature) + ")\n"
	}
	if len(d.Note) > 0 {
		head += "(" + d.Note.String() + ")\n"
	}
	return head
}

// wordsText is what precedes the body of a memory and was written by others, in lines of their own that must be
// quoted: its topic and tags, its aliases, and the commits that touched its files.
func wordsText(d api.Detail) string {
	words := "# " + safe.Line(d.Topic)
	if tags := safe.Line(strings.Join(d.Tags, ", ")); tags != "" {
		words += " [" + tags + "]"
	}
	words += "\n"
	if len(d.Aliases) > 0 {
		words += "(also: " + safe.Line(strings.Join(d.Aliases, "; ")) + ")\n"
	}
	for _, s := range d.Similar {
		words += fmt.Sprintf("(says about the same as %s: %s (%.2f))\n", s.ID, safe.Line(s.Topic), s.Similarity)
	}
	for _, r := range d.Refs {
		for _, c := range r.Commits {
			commit := c.Hash[:min(len(c.Hash), 8)] + " " + c.At.Format("2006-01-02") + " " + c.Subject
			words += "(commit of " + safe.Line(r.Path) + ": " + safe.Line(commit) + ")\n"
		}
	}
	return words
}

func bodyText(d api.Detail) string { return cmp.Or(d.Content, d.Summary) }
