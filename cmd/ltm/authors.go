package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ltm/cmd/internal/gitstore"
	"ltm/cmd/internal/terminal"
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
	if len(list.Memories) == 0 {
		a.sayNone("memories", list)
		return nil
	}
	s, now := a.screen(), time.Now()
	rows := make([][]string, 0, len(list.Memories))
	for _, m := range list.Memories {
		rows = append(rows, longRow(s, now, m, authors[m.ID]))
	}
	if err := a.printLong(s, rows); err != nil {
		return err
	}
	if list.HasMore {
		fmt.Fprintf(a.stderr, "%d of %d; --offset shows more\n", len(list.Memories), list.Total)
	}
	return nil
}

// longRow returns the row of a memory with every column there is.
func longRow(s terminal.Screen, now time.Time, m api.Entry, who gitstore.Authorship) []string {
	when := func(t *time.Time) string {
		switch {
		case t == nil:
			return "-"
		case s.Rich:
			return age(now, *t)
		}
		return day(*t)
	}
	difficulty := "-"
	if m.Difficulty != nil {
		difficulty = score(*m.Difficulty)
	}
	row := []string{string(m.ID), m.State(), score(m.Priority), difficulty, when(&m.CreatedAt.Time), when(m.AccessedAt),
		field(authorNames(who)), tagList(m.Tags), topicCell(s, m)}
	if s.Rich {
		return slices.Insert(row, 4, m.Category.Short())
	}
	return withScope(row, m.Whose)
}

func (a *app) printLong(s terminal.Screen, rows [][]string) error {
	if !s.Rich {
		return a.tabs(rows)
	}
	return a.println(s.Table(withMarks([]terminal.Column{
		idColumn(s), {Title: "STATE"}, {Title: "PRIO", Spare: true, Right: true},
		{Title: "DIFF", Spare: true, Right: true}, {Title: kindTitle, Spare: true},
		{Title: "AGE", Spare: true, Right: true, Style: s.Dim},
		{Title: "OPENED", Spare: true, Right: true, Style: s.Dim}, {Title: "AUTHOR", Most: mostTags},
		{Title: "TAGS", Spare: true, Most: mostTags, Style: s.Dim}, {Title: "TOPIC"},
	}, rows))...)
}

// trustWithAuthors adds the authors of memories from elsewhere.
func trustWithAuthors(r api.TrustReport, authors map[memory.ID]gitstore.Authorship) authoredTrust {
	shown := authoredTrust{r, make([]authoredForeign, 0, len(r.Foreign))}
	for _, f := range r.Foreign {
		shown.Foreign = append(shown.Foreign, authoredForeign{f, authors[f.ID].List()})
	}
	return shown
}
