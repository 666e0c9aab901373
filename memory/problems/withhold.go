package problems

import (
	"slices"
	"strings"

	"ltm/memory"
	"ltm/memory/api"
)

const (
	// withheld replaces a reason.
	withheld = "withheld"

	// someName replaces a name.
	someName = "…"

	note = `other names and all reasons are withheld while trust is "ask": a person sees them in a terminal`
)

// Withhold returns a report without any text that a repository could have written.
func Withhold(r api.CheckReport) api.CheckReport {
	r.Problems, r.Remarks = each(r.Problems, withheldProblem), each(r.Remarks, withheldProblem)
	r.UnreadableFiles = each(r.UnreadableFiles, func(f api.BadFile) api.BadFile {
		return api.BadFile{File: formed(f.File), Reason: memory.Say(withheld)}
	})
	r.Conflicts = each(r.Conflicts, formed)
	if len(r.Problems)+len(r.Remarks) > 0 {
		r.Summary = append(slices.Clone(r.Summary), memory.Remark{Text: note})
	}
	return r
}

// WithholdFix is [Withhold] for a repair.
func WithholdFix(r api.FixReport) api.FixReport {
	r.Actions = each(r.Actions, func(a api.FixAction) api.FixAction {
		return api.FixAction{Action: a.Action, Target: formed(a.Target), Reason: withheld}
	})
	r.Left = each(r.Left, withheldProblem)
	if len(r.Actions)+len(r.Left) > 0 {
		r.Summary += "; " + note
	}
	return r
}

func withheldProblem(p api.Problem) api.Problem {
	return api.Problem{Kind: p.Kind, Where: formed(p.Where), Reason: memory.Say(withheld), Repair: p.Repair}
}

// formed returns a name or an id if it has the form of one of ltm's, and otherwise only its directory.
func formed(where string) string {
	own := []string{"memories", "archives", "packets", "index.json", "stats.json", "state.json", "config.json", "trust",
		"trust.key", "log.jsonl", "undo.jsonl", "lock", ".gitignore", ".gitattributes", "README.md"}
	if _, isID := memory.IDFromFile(where + memory.FileExt); isID || slices.Contains(own, where) {
		return where
	}
	dir, name, _ := strings.Cut(where, "/")
	switch dir {
	case "memories", "archives":
		if _, number, ok := memory.ParseArchiveName(name); name == "" || ok && number < maxVersions {
			return where
		}
	case "rejected":
	default:
		return someName
	}
	return dir + "/" + someName
}

// maxVersions is more than a memory has: the number in a name can be of any length.
const maxVersions = 1e6

func each[T any](list []T, f func(T) T) []T {
	out := make([]T, 0, len(list))
	for _, entry := range list {
		out = append(out, f(entry))
	}
	return out
}
