package page

import (
	"context"
	"net/http"

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

// foreignRow is a memory from elsewhere, and the version of its file that the page speaks of.
type foreignRow struct {
	api.Foreign
	Seen string
}

// mostForeign is how many memories from elsewhere are listed. After they are decided on, the next ones follow.
const mostForeign = maxSelected

func trustView() view { return view{path: "/trust", nav: "Trust", page: "trust", load: loadTrust} }

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
	for _, f := range p.Report.Foreign {
		p.Rows = append(p.Rows, foreignRow{f, seenOf(ctx, c, string(f.ID))})
	}
	if p.Show = r.URL.Query().Get("show"); p.Show != "" {
		if p.Diff, err = s.approvedAndNow(ctx, k, which.Scope, p.Show); err != nil {
			return "", nil, err
		}
	}
	return "Trust", p, nil
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
