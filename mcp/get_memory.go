package mcp

import (
	"context"
	"fmt"
	"strings"

	"ltm/api"
	"ltm/internal/safetext"
	"ltm/memory"
)

// asked is the memories that a call asks for.
type asked struct {
	id       *string  // nil: several
	ids      []string // nil: one
	archived bool
}

// several is the answer about several memories.
type several struct {
	Memories []api.Detail `json:"memories"`
	Missing  []absence    `json:"missing,omitempty"`
}

// absence is a memory that an answer lacks.
type absence struct {
	ID     memory.ID `json:"id"`
	Reason string    `json:"reason"`
}

func getMemory(e Engine) boundTool {
	s := spec{
		name: "get_memory", always: true, atOnce: true,
		description: "Read one memory in full, or several, by the ids that recall or the session's start showed. Counts as use, which keeps them.",
		output: `{"type":"object","properties":{"id":{"type":"string"},"topic":{"type":"string"},"content":{"type":"string"},` +
			`"summary":{"type":"string"},"archived":{"type":"boolean"},"memories":{"type":"array","items":{"type":"object"}},` +
			`"missing":{"type":"array","items":{"type":"object"}}}}`,
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
			return e.PeekArchive(ctx, *a.id)
		}
		return e.Get(ctx, *a.id)
	}
	return bind(s, getParams, run, gotText)
}

func getParams(a *asked) []param {
	id := memoryID(nil)
	id.required, id.kind = false, orNil(&a.id, text)
	return []param{
		id,
		{name: "ids", kind: someTexts(&a.ids), about: "instead of id: up to 20"},
		{name: "archived", kind: flag(&a.archived),
			about: "the full text from the archives, of what was forgotten, reduced or replaced; restores nothing"},
	}
}

// getSeveral answers about those that are there, and fails when none is.
func getSeveral(ctx context.Context, e Engine, a asked) (any, error) {
	found, err := e.GetMany(ctx, a.ids, a.archived)
	if err != nil {
		return nil, err
	}
	var out several
	var reasons []string
	for _, g := range found {
		if g.Err == nil {
			out.Memories = append(out.Memories, g.Detail)
			continue
		}
		reason, known := told(ctx, g.Err, e.Withholds)
		if !known {
			return nil, g.Err
		}
		reasons = append(reasons, reason)
		out.Missing = append(out.Missing, absence{g.ID, reason})
	}
	if len(out.Memories) == 0 && len(reasons) > 0 {
		return nil, memory.Errorf(memory.CodeNotFound, "", "%s", strings.Join(reasons, "; "))
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
		fmt.Fprintf(&b, "%s%s\n\n", headText(d), safetext.Quote(bodyText(d)))
	}
	for _, m := range s.Missing {
		fmt.Fprintf(&b, "%s is missing: %s\n", m.ID, m.Reason)
	}
	return strings.TrimSpace(b.String())
}

// detailText is a memory that stands alone, and that may be written back: its text
// is not quoted.
func detailText(d api.Detail) string { return headText(d) + bodyText(d) }

func headText(d api.Detail) string {
	head := fmt.Sprintf("%s\n%s [%s]\n", safetext.Line(d.Topic), d.ID, safetext.Line(strings.Join(d.Tags, ", ")))
	if d.Note != "" {
		head += "(" + d.Note + ")\n"
	}
	return head + "\n"
}

func bodyText(d api.Detail) string {
	body := d.Content
	if body == "" {
		body = d.Summary
	}
	if d.Conflicted {
		body = "(one side of a merge that nobody has settled)\n\n" + body
	}
	return body
}
