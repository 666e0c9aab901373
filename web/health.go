package web

import (
	"context"
	"net/http"

	"ltm/api"
)

// healthPage is whether a store is as it should be.
type healthPage struct {
	shelf
	Report    api.SecretsReport
	Plan      api.FixReport
	Conflicts int // files with an unresolved merge
	Status    api.Status

	// More is how many of each sort are not shown.
	More struct{ Problems, Actions, Secrets, Warnings, Remarks int }
}

// mostFaults is how many rows a table of the page has.
const mostFaults = 200

func healthView() view { return view{path: "/health", nav: "Health", page: "health", load: loadHealth} }

func loadHealth(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	k, which, err := s.keeper(r)
	if err != nil {
		return "", nil, err
	}
	p := healthPage{shelf: which}
	if p.Report, err = k.CheckSecrets(ctx); err != nil {
		return "", nil, err
	}
	if p.Plan, err = k.Fix(ctx, api.FixOptions{DryRun: true}); err != nil {
		return "", nil, err
	}
	p.Report.Problems, p.More.Problems = first(p.Report.Problems)
	p.Report.Secrets, p.More.Secrets = first(p.Report.Secrets)
	p.Report.Warnings, p.More.Warnings = first(p.Report.Warnings)
	p.Report.Remarks, p.More.Remarks = first(p.Report.Remarks)
	p.Plan.Actions, p.More.Actions = first(p.Plan.Actions)
	p.Conflicts = len(p.Report.Conflicts)
	p.Status, err = k.Status(ctx)
	return "Health", p, err
}

// first returns the rows that are shown, and how many more there are.
func first[T any](rows []T) (shown []T, more int) {
	n := min(len(rows), mostFaults)
	return rows[:n], len(rows) - n
}
