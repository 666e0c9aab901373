package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ltm/api"
	"ltm/internal/plural"
	"ltm/memory"
)

// maxRemarks bounds how many remarks of one kind are listed: a folder of photos in
// the wrong place is one thing to know.
const maxRemarks = 100

// Report describes what was found. The warnings are of what is not wrong in any file.
func (s *Survey) Report(warnings []string) api.CheckReport {
	r, remarks := s.sorted()
	r.Warnings = warnings
	parts := []string{s.summarize(&r)}
	if remarks > 0 {
		parts[0] += "; " + plural.Of(remarks, "remark", "remarks") + " (" + memory.DoCheck + ")"
	}
	r.Summary = strings.Join(append(parts, r.Warnings...), "; warning: ")
	return r
}

// sorted sorts what was found into the lists of a report, and counts the remarks.
func (s *Survey) sorted() (r api.CheckReport, remarks int) {
	r = api.CheckReport{UnreadableFiles: []memory.FileProblem{}, Conflicts: []string{}, Problems: []api.Problem{}, Remarks: []api.Problem{}}
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
			r.UnreadableFiles = append(r.UnreadableFiles, memory.FileProblem{File: f.where, Reason: f.problem().Reason})
		case kindMerge:
			r.Conflicts = append(r.Conflicts, f.where)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(listed)) {
		if more := listed[kind] - maxRemarks; more > 0 {
			r.Remarks = append(r.Remarks, api.Problem{Kind: kind, Where: "…", Reason: fmt.Sprintf("and %d more", more)})
		}
	}
	r.OK = len(r.Problems) == 0
	return r, remarks
}

// counted says in words how many problems there are of each kind.
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
		return "unsettled merge", "unsettled merges"
	case kindLost:
		return "memory without its full text", "memories without their full texts"
	case kindBadArchive:
		return "unreadable archive", "unreadable archives"
	case kindFull:
		return "directory with too many files", "directories with too many files"
	}
	return kind, kind
}

func (s *Survey) summarize(report *api.CheckReport) string {
	if report.OK {
		return fmt.Sprintf("in order: %s", plural.Of(len(s.Active.Records), "memory", "memories"))
	}
	parts := []string{counted(report.Problems)}
	byHand := 0
	for _, p := range report.Problems {
		if p.Repair == "" {
			byHand++
		}
	}
	if len(report.Conflicts) > 0 {
		parts = append(parts, "settle merges in their files")
	}
	if byHand > 0 {
		parts = append(parts, fmt.Sprintf("%d for a person: the reason in %s says how", byHand, memory.DoCheck))
	}
	switch {
	case s.stuck != nil:
		parts = append(parts, "nothing can be repaired before that")
	case byHand == 0:
		parts = append(parts, memory.DoFix+" repairs it, as a dry run it shows how")
	case byHand < len(report.Problems):
		parts = append(parts, memory.DoFix+" repairs the rest, as a dry run it shows how")
	}
	return strings.Join(parts, "; ")
}
