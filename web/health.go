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
}

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
	p.Conflicts = len(p.Report.Conflicts)
	p.Status, err = k.Status(ctx)
	return "Health", p, err
}
