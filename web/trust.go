package web

import (
	"context"
	"net/http"

	"ltm/api"
)

// trustPage is what came from elsewhere.
type trustPage struct {
	shelf
	Report api.TrustReport
	More   int // those that are not listed
}

// mostForeign is how many memories from elsewhere are listed. After they are decided on, the next ones follow.
const mostForeign = 200

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
	return "Trust", p, nil
}
