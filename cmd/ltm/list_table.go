package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ltm/cmd/internal/gitstore"
	"ltm/cmd/internal/terminal"
	"ltm/memory"
	"ltm/memory/api"
)

// authorsOf are the authors of memories.
type authorsOf = map[memory.ID]gitstore.Authorship

// memoryColumn is a column of a table of memories.
type memoryColumn struct {
	terminal.Column
	text func(api.Entry) string
}

const (
	// tagsWidth is how wide a screen is that shows the tags of memories in sight: the topic says more.
	tagsWidth = 100
	mostTags  = 24

	// The titles of the columns of importance and kind, which most memories do not have.
	levelTitle = "LEVEL"
	kindTitle  = "KIND"
)

// memoryColumns returns the columns that tables of memories are made of, by name.
func memoryColumns(s terminal.Screen, now time.Time, authors authorsOf) map[string]memoryColumn {
	when := func(t *time.Time) string {
		switch {
		case t == nil:
			return "-"
		case s.Rich:
			return age(now, *t)
		}
		return day(*t)
	}
	number := func(title string) terminal.Column { return terminal.Column{Title: title, Spare: true, Right: true} }
	faint := func(title string) terminal.Column {
		return terminal.Column{Title: title, Spare: true, Right: true, Style: s.Dim}
	}
	return map[string]memoryColumn{
		"id":    {idColumn(s), func(m api.Entry) string { return string(m.ID) }},
		"state": {terminal.Column{Title: "STATE"}, func(m api.Entry) string { return m.State() }},
		"phase": {terminal.Column{Title: "STATE", Spare: true}, func(m api.Entry) string { return m.State() }},
		"prio":  {number("PRIO"), func(m api.Entry) string { return score(m.Priority) }},
		"diff": {number("DIFF"), func(m api.Entry) string {
			if m.Difficulty == nil {
				return "-"
			}
			return score(*m.Difficulty)
		}},
		"level": {terminal.Column{Title: levelTitle, Spare: true},
			func(m api.Entry) string { return levelText(m.Importance, m.Marks) }},
		"kind": {terminal.Column{Title: kindTitle, Spare: true},
			func(m api.Entry) string { return m.Category.Short() }},
		"age":    {faint("AGE"), func(m api.Entry) string { return when(&m.CreatedAt.Time) }},
		"since":  {faint("SINCE"), func(m api.Entry) string { return when(m.ArchivedAt) }},
		"opened": {faint("OPENED"), func(m api.Entry) string { return when(m.AccessedAt) }},
		"author": {terminal.Column{Title: "AUTHOR", Most: mostTags},
			func(m api.Entry) string { return field(authorNames(authors[m.ID])) }},
		"tags": {terminal.Column{Title: "TAGS", Spare: true, Most: mostTags, Style: s.Dim},
			func(m api.Entry) string { return tagList(m.Tags) }},
		"topic": {terminal.Column{Title: "TOPIC"}, func(m api.Entry) string { return topicCell(s, m) }},
		// beside the level, which has the marks
		"title": {terminal.Column{Title: "TOPIC"}, func(m api.Entry) string { return scopedTopic(m.Topic, m.Whose) }},
	}
}

// printListing prints a table of memories with the named columns: those for programs, or those for people. none is
// what there is nothing of if the listing is empty.
func (a *app) printListing(list api.Listing, none, plain, rich string, authors authorsOf) error {
	switch {
	case list.Total == 0:
		fmt.Fprintln(a.stderr, "no "+none)
		return nil
	case len(list.Memories) == 0:
		fmt.Fprintf(a.stderr, "nothing at this --offset: there are %d\n", list.Total)
		return nil
	}
	s := a.screen()
	names := strings.Fields(plain)
	if s.Rich {
		names = strings.Fields(rich)
	}
	known := memoryColumns(s, time.Now(), authors)
	columns := each(names, func(name string) terminal.Column { return known[name].Column })
	rows := each(list.Memories, func(m api.Entry) []string {
		row := each(names, func(name string) string { return known[name].text(m) })
		if s.Rich {
			return row
		}
		return withScope(row, m.Whose)
	})
	if s.Rich {
		columns, rows = withMarks(columns, rows)
	}
	if err := a.rows(s, columns, rows); err != nil {
		return err
	}
	if list.HasMore {
		fmt.Fprintf(a.stderr, "%d of %d; --offset shows more\n", len(list.Memories), list.Total)
	}
	return nil
}

// withMarks drops each of the columns of importance and kind that is empty in every row, to leave the room to the
// topic.
func withMarks(columns []terminal.Column, rows [][]string) ([]terminal.Column, [][]string) {
	for _, title := range []string{levelTitle, kindTitle} {
		at := slices.IndexFunc(columns, func(c terminal.Column) bool { return c.Title == title })
		if at < 0 || slices.ContainsFunc(rows, func(row []string) bool { return row[at] != "" }) {
			continue
		}
		for i, row := range rows {
			rows[i] = slices.Delete(row, at, at+1)
		}
		columns = slices.Delete(columns, at, at+1)
	}
	return columns, rows
}
