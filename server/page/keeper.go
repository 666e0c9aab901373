package page

import (
	"context"
	"net/http"

	"ltm/memory"
	"ltm/memory/api"
)

// Keeper reports on one store: the project's, or the person's. [ltm/engine.Engine] implements it. None of these methods
// changes anything, given DryRun.
type Keeper interface {
	Evict(context.Context, api.EvictOptions) (api.EvictionReport, error)
	ListArchives(context.Context) (api.ArchiveRecall, error)
	Trusted(context.Context) (api.TrustReport, error)
	// WasApproved reports whether a text was approved as the file of a memory.
	WasApproved(ctx context.Context, id string, data []byte) (bool, error)

	Check(context.Context) (api.CheckReport, error)
	CheckSecrets(context.Context) (api.SecretsReport, error)
	Fix(context.Context, api.FixOptions) (api.FixReport, error)
	History(ctx context.Context, of memory.ID, limit int) (memory.History, error)
	Status(context.Context) (api.Status, error)
	// Days counts the sessions and the prompts of the project by day.
	Days(context.Context) ([]api.DayCount, error)
}

// shelf is which store a view shows, and how to see the other one.
type shelf struct {
	Scope api.Scope // project or user
	Both  bool      // there are two

	Address string // of the view, as links of the page that shows it have it
}

// keeper returns the store that the query of a request names: the project's, unless it says scope=user.
func (s *Site) keeper(r *http.Request) (Keeper, shelf, error) {
	scope, err := api.ParseScope(r.URL.Query().Get("scope"))
	if err != nil {
		return nil, shelf{}, err
	}
	if scope != api.ScopeUser {
		scope = api.ScopeProject
	}
	k, err := s.options.Keeper(scope)
	return k, s.shelf(r, scope, r.URL.Path), err
}

// shelf returns a shelf of the view at a path, for a page that answers a request, which may be for another path.
func (s *Site) shelf(r *http.Request, scope api.Scope, path string) shelf {
	return shelf{Scope: scope, Both: s.options.Person(), Address: rootOf(r) + addressOf(path)}
}
