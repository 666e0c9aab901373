package page

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
)

// work is what waits for a person, of one sort, on one shelf.
type work struct {
	Key       string // its name in pages
	Tab       string
	one, many string // in words, after the number
	Address   string // of the view that has it, below the start page
	Says      string // what it is about
	Scope     api.Scope
	Count     int
}

// Label is the number with its words.
func (w work) Label() string { return countOf(w.Count, w.one, w.many) }

// Words are those of the number.
func (w work) Words() string {
	if w.Count == 1 {
		return w.one
	}
	return w.many
}

// works lists the sorts, in the order of their tabs.
func works() []work {
	return []work{
		{Key: "approve", Tab: "To approve", one: "to approve", many: "to approve", Address: "trust",
			Says: "Another person or program wrote or changed them (ltm trust)."},
		{Key: "merges", Tab: "Merges", one: "merge", many: "merges", Address: "conflicts",
			Says: "A merge left both sides in the file of a memory (ltm check)."},
		{Key: "stale", Tab: "May be stale", one: "may be stale", many: "may be stale", Address: "stale",
			Says: "Files that they speak of have changed (ltm stale)."},
		{Key: "disputes", Tab: "Disputes", one: "dispute", many: "disputes", Address: "tidy?why=disputed",
			Says: "Memories that cannot all be true (ltm tidy)."},
		{Key: candidatesKey, Tab: "Candidates", one: "candidate", many: "candidates", Address: "candidates",
			Says: "What sessions left to remember (ltm review)."},
		{Key: "duplicates", Tab: "Duplicates", one: "duplicate", many: "duplicates", Address: "tidy",
			Says: "Groups of memories that say about the same, and memories that are shown in vain (ltm tidy)."},
		{Key: "problems", Tab: "Health", one: "problem", many: "problems", Address: "health",
			Says: "Files that a repair or a person has to look at (ltm check)."},
	}
}

// reviews keeps what waited when it was last counted, which takes a second in a very large store.
type reviews struct {
	mu      sync.Mutex
	version int // of what is stored; 0: nothing was counted yet
	all     []work
}

// waiting counts what waits for a person on each shelf.
func (s *Site) waiting(ctx context.Context) ([]work, error) {
	s.reviews.mu.Lock()
	defer s.reviews.mu.Unlock()
	version := s.live.now()
	if s.reviews.version == version {
		return s.reviews.all, nil
	}
	var all []work
	for _, scope := range s.scopes() {
		counts, err := s.countWork(ctx, scope)
		if err != nil {
			return nil, err
		}
		for _, w := range works() {
			w.Scope, w.Count = scope, counts[w.Key]
			all = append(all, w)
		}
	}
	s.reviews.all, s.reviews.version = all, version
	return all, nil
}

func (s *Site) countWork(ctx context.Context, scope api.Scope) (map[string]int, error) {
	k, err := s.options.Keeper(scope)
	if err != nil {
		return nil, err
	}
	report, checkErr := k.Check(ctx)
	trusted, trustErr := k.Trusted(ctx)
	tidying, tidyErr := k.Tidying(ctx)
	status, statusErr := k.Status(ctx)
	if err := cmp.Or(checkErr, trustErr, tidyErr, statusErr); err != nil {
		return nil, err
	}
	merges := len(conflictsOf(report.Conflicts))
	counts := map[string]int{"approve": len(trusted.Foreign), "merges": merges, "stale": status.Stale,
		"duplicates": len(tidying.Idle) + tidying.Left, "problems": max(0, len(report.Problems)-merges)}
	for _, g := range tidying.Groups {
		if g.Why == api.TidyDisputed {
			counts["disputes"]++
		} else {
			counts["duplicates"]++
		}
	}
	if scope == api.ScopeProject {
		review, err := s.options.Candidates.Candidates(ctx)
		if err != nil {
			return nil, err
		}
		counts[candidatesKey] = len(review.Candidates)
	}
	return counts, nil
}

// workFor returns what waits for a person. A reader whose browser runs the script, as the zone that it sent shows, gets
// what was counted last at once: the script asks for it anew.
func (s *Site) workFor(r *http.Request) []work {
	if _, err := r.Cookie(zoneCookie); err != nil {
		all, err := s.waiting(r.Context())
		if err != nil {
			s.options.Log.Error("what waits cannot be counted", "error", err)
		}
		return all
	}
	if !s.reviews.mu.TryLock() { // it is being counted
		return nil
	}
	defer s.reviews.mu.Unlock()
	return s.reviews.all
}

// Waiting is the work of a frame that there is, for links.
func (f frame) Waiting() (open []work) {
	for _, w := range f.Work {
		if w.Count > 0 {
			if w.Scope == api.ScopeUser {
				w.Address = userAddress(w.Address)
			}
			open = append(open, w)
		}
	}
	return open
}

// Total counts all work.
func (f frame) Total() (n int) {
	for _, w := range f.Work {
		n += w.Count
	}
	return n
}

// tab is a view of Review, as another one leads to it.
type tab struct {
	work
	Here bool
}

// Tabs are the views of Review for the shelf of a frame, if its view is one of them.
func (f frame) Tabs() (tabs []tab) {
	if !f.InReview {
		return nil
	}
	counted, candidates := map[string]int{}, 0
	for _, w := range f.Work {
		if w.Key == candidatesKey {
			candidates += w.Count
		}
		if w.Scope == f.Scope {
			counted[w.Key] = w.Count
		}
	}
	at, _, _ := strings.Cut(f.Here, "?")
	disputes := strings.Contains(f.Here, "why=disputed")
	for _, w := range works() {
		path, query, _ := strings.Cut(w.Address, "?")
		w.Count, w.Scope = counted[w.Key], f.Scope
		here := path == at && (query != "") == disputes
		if w.Key == candidatesKey { // sessions are the project's
			w.Scope, w.Count = api.ScopeProject, candidates
		} else if f.Scope == api.ScopeUser {
			w.Address = userAddress(w.Address)
		}
		tabs = append(tabs, tab{w, here})
	}
	return tabs
}

// userAddress returns the address of a view for the person's shelf.
func userAddress(address string) string {
	if strings.Contains(address, "?") {
		return address + "&scope=user"
	}
	return address + "?scope=user"
}

const (
	reviewName = "Review"
	// candidatesKey is the work of which there is none on a person's own shelf.
	candidatesKey = "candidates"
)

func reviewView() view {
	load := func(ctx context.Context, s *Site, _ *http.Request) (string, any, error) {
		all, err := s.waiting(ctx)
		return reviewName, all, err
	}
	return view{path: "/review", nav: reviewName, page: "review", load: load}
}

// staleView is the list of the memories that may not hold any more.
func staleView() view {
	load := func(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
		f := filterOf(r.URL.Query())
		f.State, f.Shelf = "stale", cmp.Or(r.URL.Query().Get("scope"), f.Shelf)
		return f.load(ctx, s, r)
	}
	return view{path: "/stale", under: reviewName, page: "memories", load: load}
}

// tidyPage is what may need to be merged, corrected or forgotten.
type tidyPage struct {
	shelf
	api.Tidying
	Groups     []tidyGroup
	Disputes   bool               // only memories that dispute each other
	Unresolved map[memory.ID]bool // whose files have an unresolved merge
}

// tidyGroup is a group, with as many of its memories as can be decided on at once.
type tidyGroup struct {
	api.TidyGroup
	More int // memories that are not listed
	// Merges and Foreign report that one of those listed has an unresolved merge, or is from elsewhere: that has to be
	// decided on first.
	Merges, Foreign bool
}

// mostTidied bounds the memories in the groups of one page.
const mostTidied = 200

func tidyView() view { return view{path: "/tidy", under: reviewName, page: "tidy", load: loadTidy} }

func loadTidy(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	k, which, err := s.keeper(r)
	if err != nil {
		return "", nil, err
	}
	p := tidyPage{shelf: which, Disputes: r.URL.Query().Get("why") == api.TidyDisputed,
		Unresolved: s.unresolved(ctx)}
	t, err := k.Tidying(ctx)
	listed := 0
	for _, g := range t.Groups {
		if p.Disputes != (g.Why == api.TidyDisputed) {
			continue
		}
		most := min(len(g.Memories), mostLinked)
		if listed += most; listed > mostTidied {
			p.Left++
			continue
		}
		group := tidyGroup{TidyGroup: g, More: len(g.Memories) - most}
		group.Memories = g.Memories[:most]
		for _, m := range group.Memories {
			group.Merges, group.Foreign = group.Merges || p.Unresolved[m.ID], group.Foreign || m.Foreign
		}
		p.Groups = append(p.Groups, group)
	}
	if p.Disputes {
		return "Disputes", p, err
	}
	p.Idle, p.Left = t.Idle, p.Left+t.Left
	return "Duplicates", p, err
}

// CanKeep reports whether one of a group can take the place of the others.
func (g tidyGroup) CanKeep() bool {
	return g.Why != api.TidySame && g.More == 0 && !g.Merges && !g.Foreign
}

// List has the ids of a group, with commas between them.
func (g tidyGroup) List() string {
	var ids []string
	for _, m := range g.Memories {
		ids = append(ids, string(m.ID))
	}
	return strings.Join(ids, ",")
}

// tellApart remembers that memories are not the same. It has no place in the list of changes, as no memory changes.
func tellApart(ctx context.Context, c Changer, ids []string, _ url.Values) (doneBar, error) {
	return doneBar{Text: "Not the same: " + plural.Of(len(ids), "memory", "memories") +
		". This clone does not list them together again."}, c.TellApart(ctx, ids)
}
