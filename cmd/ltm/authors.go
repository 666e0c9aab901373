package main

import (
	"context"
	"strings"

	"ltm/cmd/internal/gitstore"
	"ltm/memory"
	"ltm/memory/api"
)

// What show, list --long and trust print for programs, with the authors from git.
type (
	authoredDetail struct {
		api.Detail
		Authors []gitstore.Author `json:"authors"` // the first and the last one; empty: not in git
	}

	authoredListing struct {
		api.Listing
		Memories []authoredEntry `json:"memories"`
	}

	authoredEntry struct {
		api.Entry
		Authors []gitstore.Author `json:"authors"`
	}

	authoredTrust struct {
		api.TrustReport
		Foreign []authoredForeign `json:"foreign"`
	}

	authoredForeign struct {
		api.Foreign
		Authors []gitstore.Author `json:"authors"`
	}
)

// authorNames returns the names of one or two authors for people, or "".
func authorNames(who gitstore.Authorship) string {
	if who.Last.Name == "" {
		return ""
	}
	var names []string
	for _, author := range who.List() {
		names = append(names, cell(author.Name))
	}
	return strings.Join(names, ", ")
}

// withAuthors adds the authors of a memory.
func (a *app) withAuthors(ctx context.Context, d api.Detail) (authoredDetail, gitstore.Authorship) {
	who := a.git(a.place()).AuthorsOf(ctx, d.ID)
	return authoredDetail{d, who.List()}, who
}

// listWithAuthors prints a listing with every column there is.
func (a *app) listWithAuthors(ctx context.Context, list api.Listing) error {
	authors := a.git(a.place()).Authors(ctx)
	if a.asJSON {
		r := authoredListing{list, make([]authoredEntry, 0, len(list.Memories))}
		for _, m := range list.Memories {
			r.Memories = append(r.Memories, authoredEntry{m, authors[m.ID].List()})
		}
		return a.printJSON(r)
	}
	return a.printListing(list, "memories", "id state prio diff age opened author tags topic",
		"id state prio diff kind age opened author tags topic", authors)
}

// trustWithAuthors adds the authors of memories from elsewhere.
func trustWithAuthors(r api.TrustReport, authors map[memory.ID]gitstore.Authorship) authoredTrust {
	shown := authoredTrust{r, make([]authoredForeign, 0, len(r.Foreign))}
	for _, f := range r.Foreign {
		shown.Foreign = append(shown.Foreign, authoredForeign{f, authors[f.ID].List()})
	}
	return shown
}
