package page

import (
	"context"
	"net/http"
	"strconv"

	"ltm/memory/api"
)

// fadingPage is what goes next, and what has gone.
type fadingPage struct {
	shelf
	Plan     api.EvictionReport
	Archives []api.ArchiveHit
	Total    int // archives that there are
	From     int // the number of the first that is shown, from 1
	Prev     string
	Next     string
}

func fadingView() view { return view{path: "/fading", nav: "Fading", page: "fading", load: loadFading} }

func loadFading(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	k, which, err := s.keeper(r)
	if err != nil {
		return "", nil, err
	}
	p := fadingPage{shelf: which}
	if p.Plan, err = k.Evict(ctx, api.EvictOptions{DryRun: true}); err != nil {
		return "", nil, err
	}
	all, err := k.ListArchives(ctx)
	if err != nil {
		return "", nil, err
	}
	page := pageOf(r)
	first := min((page-1)*perPage, len(all.Archives))
	p.Archives, p.Total, p.From = all.Archives[first:min(first+perPage, len(all.Archives))], len(all.Archives), first+1
	if page > 1 {
		p.Prev = with(r, "page", strconv.Itoa(page-1))
	}
	if first+perPage < p.Total {
		p.Next = with(r, "page", strconv.Itoa(page+1))
	}
	return "Fading", p, nil
}

// pageOf returns the number of the page that a request asks for, from 1.
func pageOf(r *http.Request) int {
	page, err := strconv.Atoi(r.URL.Query().Get("page"))
	if err != nil || page < 1 {
		return 1
	}
	return min(page, 1_000_000)
}
