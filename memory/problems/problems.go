package problems

import (
	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/text/safe"
)

// Bounds are the size limits of a report.
type Bounds struct {
	Entries int // of each list
	Name    int // characters of a name
	Reason  int // characters of a reason

	Words advice.Table // the next steps of the edge
}

// ForModel returns the bounds of a report for a model, which costs tokens.
func ForModel(words advice.Table) Bounds {
	return Bounds{Entries: 20, Name: 120, Reason: 400, Words: words}
}

// ForPeople returns the bounds of a report for people and programs.
func ForPeople(words advice.Table) Bounds {
	return Bounds{Entries: 1000, Name: 300, Reason: 1000, Words: words}
}

// Check returns a report within the bounds.
func (b Bounds) Check(r api.CheckReport) api.CheckReport {
	c := b.count()
	r.Problems = bounded(c, "problems", r.Problems, b.problem)
	r.Remarks = bounded(c, "remarks", r.Remarks, b.problem)
	r.UnreadableFiles = bounded(c, "unreadable_files", r.UnreadableFiles, func(f api.BadFile) api.BadFile {
		return api.BadFile{File: b.name(f.File), Reason: b.note(f.Reason, b.Reason)}
	})
	r.Conflicts = bounded(c, "conflicts", r.Conflicts, b.name)
	if len(r.Warnings) > 0 {
		r.Warnings = bounded(c, "warnings", r.Warnings, func(n memory.Note) memory.Note { return b.note(n, b.Reason) })
	}
	r.Summary = b.note(r.Summary, maxSummary)
	r.Omitted = c.omitted
	return r
}

// Secrets returns a report within the bounds.
func (b Bounds) Secrets(r api.SecretsReport) api.SecretsReport {
	r.CheckReport = b.Check(r.CheckReport)
	c := b.count()
	if r.Omitted != nil {
		c.omitted = r.Omitted
	}
	r.Secrets = bounded(c, "secrets", r.Secrets, func(s api.SecretFound) api.SecretFound {
		s.File = b.name(s.File)
		return s
	})
	r.Unscanned = bounded(c, "unscanned_files", r.Unscanned, func(p memory.FileProblem) memory.FileProblem {
		return memory.FileProblem{File: b.name(p.File), Reason: b.reason(p.Reason)}
	})
	r.Omitted = c.omitted
	return r
}

// Fix returns a report within the bounds.
func (b Bounds) Fix(r api.FixReport) api.FixReport {
	c := b.count()
	r.Actions = bounded(c, "actions", r.Actions, func(a api.FixAction) api.FixAction {
		return api.FixAction{Action: a.Action, Target: b.name(a.Target), Reason: b.reason(a.Reason)}
	})
	r.Left = bounded(c, "left", r.Left, b.problem)
	r.Summary = safe.Clip(safe.Line(r.Summary), maxSummary)
	r.Omitted = c.omitted
	return r
}

// maxSummary is longer than any genuine summary, in characters.
const maxSummary = 3000

// note returns a note as one text, with what to do next.
func (b Bounds) note(n memory.Note, most int) memory.Note {
	return memory.Say(safe.Clip(safe.Line(b.Words.Say(n)), most))
}

func (b Bounds) name(s string) string { return safe.Name(s, b.Name) }

func (b Bounds) reason(s string) string {
	return safe.Clip(safe.Line(s), b.Reason)
}

func (b Bounds) problem(p api.Problem) api.Problem {
	p.Where, p.Reason = b.name(p.Where), b.note(p.Reason, b.Reason)
	return p
}

// counter counts the omitted entries of each list.
type counter struct {
	most    int
	omitted map[string]int
}

func (b Bounds) count() *counter { return &counter{most: b.Entries} }

func (c *counter) omit(list string, n int) {
	if n <= 0 {
		return
	}
	if c.omitted == nil {
		c.omitted = map[string]int{}
	}
	c.omitted[list] += n
}

// bounded returns the first entries of a list, each made safe to print.
func bounded[T any](c *counter, name string, list []T, each func(T) T) []T {
	c.omit(name, len(list)-c.most)
	out := make([]T, 0, min(len(list), c.most))
	for _, entry := range list[:min(len(list), c.most)] {
		out = append(out, each(entry))
	}
	return out
}
