package page

import (
	"context"
	"net/http"
	"strings"

	"ltm/memory"
)

// conflictsPage lists the files with an unresolved merge.
type conflictsPage struct {
	shelf
	Files []conflict
	More  int // those that are not listed
}

// conflict is a file with an unresolved merge.
type conflict struct {
	ID    memory.ID
	Topic string // of our side; empty: neither side is a memory
	Sides *diff  // ours beside theirs; nil: only one of them is a memory, or none
}

// mostConflicts is how many files are shown with both sides.
const mostConflicts = 20

func conflictsView() view {
	return view{path: "/conflicts", nav: "Conflicts", page: "conflicts", load: loadConflicts}
}

func loadConflicts(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	k, which, err := s.keeper(r)
	if err != nil {
		return "", nil, err
	}
	c, err := s.options.Changer(which.Scope)
	if err != nil {
		return "", nil, err
	}
	report, err := k.Check(ctx)
	if err != nil {
		return "", nil, err
	}
	p := conflictsPage{shelf: which}
	for _, id := range conflictsOf(report.Conflicts) {
		if len(p.Files) == mostConflicts {
			p.More++
			continue
		}
		f := conflict{ID: id}
		topic, ours, theirs, err := c.Sides(ctx, string(id))
		if isMissing(err) {
			continue // it was resolved meanwhile
		}
		if err != nil {
			return "", nil, err
		}
		if f.Topic = topic; ours != nil && theirs != nil {
			f.Sides = diffOf(ours, theirs).between("Ours", "Theirs")
		}
		p.Files = append(p.Files, f)
	}
	return "Conflicts", p, nil
}

// conflictsOf returns the ids of the memories whose files are listed.
func conflictsOf(files []string) (ids []memory.ID) {
	for _, file := range files {
		if id, ok := memory.IDFromFile(file[strings.LastIndexByte(file, '/')+1:]); ok {
			ids = append(ids, id)
		}
	}
	return ids
}
