package page

import (
	"context"
	"net/http"
	"strings"

	"ltm/memory"
	"ltm/memory/api"
)

// trustPage is what came from elsewhere.
type trustPage struct {
	shelf
	Report api.TrustReport
	Rows   []foreignRow
	More   int // those that are not listed
	Show   string
	Diff   *diff // of the memory that Show names: what was approved, and what it is now
}

// foreignRow is a memory from elsewhere, with its text, and the version of its file that the page speaks of.
type foreignRow struct {
	api.Foreign
	Detail  api.Detail
	Authors []string // who wrote it and, if that is someone else, who changed it last; empty: git does not know it
	Seen    string
}

// Cut reports whether its text is longer than what a row shows.
func (f foreignRow) Cut() bool { return len(f.Detail.Content) > mostShownText }

// mostForeign is how many memories from elsewhere are listed. After they are decided on, the next ones follow.
const mostForeign = maxSelected

func trustView() view { return view{path: "/trust", under: reviewName, page: "trust", load: loadTrust} }

func loadTrust(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	k, which, err := s.keeper(r)
	if err != nil {
		return "", nil, err
	}
	p := trustPage{shelf: which}
	if p.Report, err = k.Trusted(ctx); err != nil {
		return "", nil, err
	}
	if extra := len(p.Report.Foreign) - mostForeign; extra > 0 {
		p.Report.Foreign, p.More = p.Report.Foreign[:mostForeign], extra
	}
	c, err := s.options.Changer(which.Scope)
	if err != nil {
		return "", nil, err
	}
	authors := map[memory.ID][]string{}
	if len(p.Report.Foreign) > 0 {
		authors = s.options.Authors(ctx, which.Scope)
	}
	for _, f := range p.Report.Foreign {
		row := foreignRow{Foreign: f, Authors: authors[f.ID], Seen: seenOf(ctx, c, string(f.ID))}
		if row.Detail, err = s.peekAny(ctx, string(f.ID)); err != nil && !isMissing(err) {
			return "", nil, err
		}
		p.Rows = append(p.Rows, row)
	}
	if p.Show = r.URL.Query().Get("show"); p.Show != "" {
		if p.Diff, err = s.approvedAndNow(ctx, k, which.Scope, p.Show); err != nil {
			return "", nil, err
		}
	}
	return "To approve", p, nil
}

// approvedAndNow compares a memory's file with the newest version in its history that was approved. It returns nil if
// no version was approved.
func (s *Site) approvedAndNow(ctx context.Context, k Keeper, scope api.Scope, id string) (*diff, error) {
	c, err := s.options.Changer(scope)
	if err != nil {
		return nil, err
	}
	_, now, err := c.File(ctx, id)
	if err != nil {
		return nil, err
	}
	past, err := s.options.History(ctx, id, mostPast)
	if err != nil && !isMissing(err) {
		return nil, err
	}
	for _, entry := range past.Entries {
		for _, version := range [][]byte{entry.After, entry.Before} {
			if version == nil {
				continue
			}
			was, err := k.WasApproved(ctx, id, version)
			if err != nil {
				return nil, err
			}
			if was {
				return diffOf(version, now).between("Approved", "Now"), nil
			}
		}
	}
	return nil, nil
}

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
	return view{path: "/conflicts", under: reviewName, page: "conflicts", load: loadConflicts}
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
	return "Merges", p, nil
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
