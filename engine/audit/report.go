package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
)

// after returns a note behind a word.
func after(word string, n memory.Note) memory.Note {
	n = slices.Clone(n)
	n[0].Text = word + n[0].Text
	return n
}

// maxRemarks bounds how many remarks of one kind are listed: a directory of photos in
// the wrong place needs no more lines than that.
const maxRemarks = 100

// Report describes what was found. The warnings are about more than a single file.
func (s *Survey) Report(warnings []memory.Note) api.CheckReport {
	r, remarks := s.sorted()
	r.Warnings = warnings
	r.Summary = s.summarize(&r)
	if remarks > 0 {
		r.Summary = append(r.Summary, memory.Remark{Kind: memory.KindRemarks,
			Text: plural.Of(remarks, "remark", "remarks")})
	}
	for _, w := range r.Warnings {
		r.Summary = append(r.Summary, after("warning: ", w)...)
	}
	return r
}

// sorted sorts the findings into the lists of a report, and counts the remarks.
func (s *Survey) sorted() (r api.CheckReport, remarks int) {
	r = api.CheckReport{UnreadableFiles: []api.BadFile{}, Conflicts: []string{}, Problems: []api.Problem{},
		Remarks: []api.Problem{}}
	listed := map[string]int{}
	for _, f := range s.found {
		if f.remark {
			remarks++
			if listed[f.kind]++; listed[f.kind] <= maxRemarks {
				r.Remarks = append(r.Remarks, f.problem())
			}
			continue
		}
		r.Problems = append(r.Problems, f.problem())
		switch f.kind {
		case kindUnreadable, kindMisnamed, kindBadArchive:
			r.UnreadableFiles = append(r.UnreadableFiles, api.BadFile{File: f.where, Reason: f.problem().Reason})
		case kindMerge:
			r.Conflicts = append(r.Conflicts, f.where)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(listed)) {
		if more := listed[kind] - maxRemarks; more > 0 {
			r.Remarks = append(r.Remarks,
				api.Problem{Kind: kind, Where: "…", Reason: memory.Say(fmt.Sprintf("and %d more", more))})
		}
	}
	r.OK = len(r.Problems) == 0
	return r, remarks
}

// counted returns how many problems of each kind there are, in words.
func counted(problems []api.Problem) string {
	var order []string
	count := map[string]int{}
	for _, p := range problems {
		if count[p.Kind]++; count[p.Kind] == 1 {
			order = append(order, p.Kind)
		}
	}
	parts := make([]string, 0, len(order))
	for _, kind := range order {
		one, many := inWords(kind)
		parts = append(parts, plural.Of(count[kind], one, many))
	}
	return strings.Join(parts, ", ")
}

func inWords(kind string) (one, many string) {
	switch kind {
	case kindUnreadable:
		return "unreadable file", "unreadable files"
	case kindMisnamed:
		return "memory under a wrong name", "memories under wrong names"
	case kindMerge:
		return "unresolved merge", "unresolved merges"
	case kindLost:
		return "memory without its full text", "memories without their full texts"
	case kindText:
		return "stub with a text", "stubs with a text"
	case kindBadArchive:
		return "unreadable archive", "unreadable archives"
	case kindFull:
		return "directory with too many files", "directories with too many files"
	case kindPacket:
		return "unreadable packet", "unreadable packets"
	case kindLeft:
		return "removed work tree that left memories", "removed work trees that left memories"
	case kindAltered:
		return "memory altered after signing", "memories altered after signing"
	}
	return kind, kind
}

func (s *Survey) summarize(report *api.CheckReport) memory.Note {
	if report.OK {
		return memory.Say("in order: " + plural.Of(len(s.Active.Records), "memory", "memories"))
	}
	summary := memory.Say(counted(report.Problems))
	add := func(kind memory.Kind, text string) { summary = append(summary, memory.Remark{Kind: kind, Text: text}) }
	byHand := 0
	for _, p := range report.Problems {
		if p.Repair == "" {
			byHand++
		}
	}
	if len(report.Conflicts) > 0 {
		add(memory.KindMerges, "")
	}
	if byHand > 0 {
		add(memory.KindForPerson, fmt.Sprintf("%d for a person", byHand))
	}
	switch {
	case s.stuck != nil:
		add("", "nothing can be repaired until then")
	case byHand == 0:
		add(memory.KindRepairable, "")
	case byHand < len(report.Problems):
		add(memory.KindRestRepairable, "")
	}
	return summary
}
