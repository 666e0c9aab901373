package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"ltm/cmd/internal/gitstore"
	"ltm/cmd/internal/past"
	"ltm/cmd/internal/terminal"
	"ltm/engine"
	"ltm/engine/find"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

func (a *app) logCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{Use: "log [ID]", Args: arguments(1)}
	c.Flags().IntVar(&limit, "limit", 20, "maximum number of changes to show, 1 to 100000")
	c.RunE = func(c *cobra.Command, given []string) error {
		if err := checkRange("--limit", limit, 1, 100000); err != nil {
			return err
		}
		e, id := a.engine(lockWait), ""
		if len(given) > 0 {
			var err error
			if e, id, err = a.undoID(c.Context(), given[0]); err != nil {
				return err
			}
		}
		h, err := e.History(c.Context(), memory.ID(id), limit)
		return answer(a, h, err, a.printHistory)
	}
	return c
}

func (a *app) printHistory(h memory.History) error {
	if len(h.Events) == 0 {
		fmt.Fprintln(a.stderr, "no changes yet")
		return nil
	}
	s := a.screen()
	rows := each(h.Events, func(e memory.Event) []string {
		session := "-"
		if e.Session > 0 {
			session = fmt.Sprint(e.Session)
		}
		at := e.Time.Format(time.RFC3339)
		if s.Rich {
			at = when(s, e.Time)
		}
		return a.markedRow([]string{at, cell(e.Action), field(cmp.Or(string(e.ID), e.Packet)), session, field(e.Topic),
			field(past.Reason(e))}, 4, e.Foreign)
	})
	return a.rows(s, []terminal.Column{
		{Title: "AGE", Spare: true, Right: true, Style: s.Dim}, {Title: "ACTION"}, idColumn(s),
		{Title: "SESSION", Spare: true, Right: true}, {Title: "TOPIC"}, {Title: "WHY", Spare: true},
	}, rows)
}

// field returns a cell, or a dash if it is empty.
func field(s string) string { return cmp.Or(cell(s), "-") }

// shownHash is how many characters of a commit's hash people see.
const shownHash = 10

func (a *app) historyCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{Use: "history ID", Args: arguments(1, anID)}
	c.Flags().IntVar(&limit, "limit", 50, "maximum number of entries to show, 1 to 1000")
	c.RunE = func(c *cobra.Command, given []string) error {
		if err := checkRange("--limit", limit, 1, 1000); err != nil {
			return err
		}
		_, id, err := a.undoID(c.Context(), given[0])
		if err != nil {
			return err
		}
		r, err := past.Of(c.Context(), a.engine(lockWait), a.git(a.place()), id, limit)
		return answer(a, r, err, a.printPast)
	}
	return c
}

func (a *app) printPast(r api.Past) error {
	s := a.screen()
	rows := each(r.Entries, func(e api.PastEntry) []string {
		at, where, who := "-", e.Source, "-"
		if e.Time != nil {
			at = when(s, *e.Time)
		}
		if e.Commit != "" {
			where = e.Commit[:min(shownHash, len(e.Commit))]
		}
		if e.Author != nil {
			who = field(e.Author.Name)
		} else if e.Session > 0 {
			who = fmt.Sprintf("session %d", e.Session)
		}
		return []string{at, where, cell(e.Action), who, field(e.Why)}
	})
	if !s.Rich {
		return a.tabs(rows)
	}
	lines := append(s.Heading(fmt.Sprintf("%s %s", r.ID, markedTopic(r.Topic, r.Foreign))), s.Table([]terminal.Column{
		{Title: "AGE", Right: true, Spare: true, Style: s.Dim}, {Title: "WHERE", Style: s.Dim}, {Title: "ACTION"},
		{Title: "WHO", Most: 24, Spare: true}, {Title: "WHY"},
	}, rows)...)
	return a.println(lines...)
}

func (a *app) undoCommand() *cobra.Command {
	var list, redo bool
	c := &cobra.Command{Use: "undo [ID]", Args: arguments(1)}
	c.Flags().BoolVar(&list, "list", false, "list the changes that can be undone and redone, newest first")
	c.Flags().BoolVar(&redo, "redo", false, "take back the last undo")
	c.RunE = func(c *cobra.Command, given []string) error {
		if list && redo {
			return invalid("give one of them", "--list and --redo were both given")
		}
		e, id := a.engine(lockWait), ""
		if len(given) == 1 && isPacketID(given[0]) {
			id = given[0]
		} else if len(given) == 1 {
			var err error
			if e, id, err = a.undoID(c.Context(), given[0]); err != nil {
				return err
			}
		}
		if list {
			all, err := e.Undoable(c.Context())
			other := func(e memory.UndoEntry) bool { return id != "" && !e.Touches(id) }
			all.Changes, all.Redo = slices.DeleteFunc(all.Changes, other), slices.DeleteFunc(all.Redo, other)
			return answer(a, all, err, a.printUndoList)
		}
		do := e.Undo
		if redo {
			do = e.Redo
		}
		r, err := do(c.Context(), id)
		return answer(a, r, err, a.printUndone)
	}
	return c
}

// mostBroughtBack is how many memories are named with their fields.
const mostBroughtBack = 20

func (a *app) printUndone(r api.Undone) error {
	if err := a.println(clean(say(r.Message))); err != nil {
		return err
	}
	for i, back := range r.BroughtBack {
		if i == mostBroughtBack {
			return a.println(fmt.Sprintf("and %d more; --json lists them all", len(r.BroughtBack)-i))
		}
		fields := each(back.Fields, fieldText)
		line := "brought back " + cmp.Or(string(back.ID), back.Packet)
		if back.Foreign {
			line += " (from elsewhere)"
		}
		if len(fields) > 0 {
			line += ": " + strings.Join(fields, "; ")
		}
		if err := a.println(cell(line)); err != nil {
			return err
		}
	}
	return nil
}

// fieldText says how a field was changed.
func fieldText(f api.FieldChange) string {
	switch {
	case f.Lines > 0:
		return fmt.Sprintf("%s changed (%s)", f.Field, plural.Of(f.Lines, "line", "lines"))
	case f.Before == "" && f.After == "":
		return f.Field + " changed"
	case f.Field == "topic":
		return fmt.Sprintf("topic %s → %s", memory.Quote(f.Before, memory.MaxTopicChars), memory.Quote(f.After,
			memory.MaxTopicChars))
	case slices.Contains([]string{"tags", "aliases", "supersedes", "disputes", "related"}, f.Field):
		return f.Field + listChange(f.Before, f.After)
	}
	return fmt.Sprintf("%s %s → %s", f.Field, cmp.Or(f.Before, "none"), cmp.Or(f.After, "none"))
}

// listChange names what was added to a list and removed from it.
func listChange(before, after string) (text string) {
	was, is := strings.Split(before, ", "), strings.Split(after, ", ")
	for _, item := range is {
		if item != "" && !slices.Contains(was, item) {
			text += " +" + item
		}
	}
	for _, item := range was {
		if item != "" && !slices.Contains(is, item) {
			text += " −" + item
		}
	}
	return cmp.Or(text, " in another order")
}

// isPacketID reports whether an id is a whole one of a packet, and not one of a memory.
func isPacketID(id string) bool {
	_, _, ok := store.PacketID(store.PacketName(id))
	return ok && !strings.HasPrefix(id, "mem_")
}

// undoID is oneID for changes that can be undone: a whole id may be that of a memory that is
// not in the store at present.
func (a *app) undoID(ctx context.Context, given string) (*engine.Engine, string, error) {
	e, id, err := a.oneID(ctx, given)
	if parsed, malformed := memory.ParseID(given); malformed == nil && isUnknown(err) {
		return a.engine(lockWait), string(parsed), nil
	}
	return e, id, err
}

func (a *app) printUndoList(list memory.UndoList) error {
	var rows [][]string
	add := func(e memory.UndoEntry, state string) {
		id := cmp.Or(string(e.ID), e.Packet)
		if n := e.Memories(); n > 1 && id != "" {
			id += fmt.Sprintf(" +%d", n-1)
		}
		rows = append(rows, a.markedRow([]string{e.Time.Format(time.RFC3339), cell(e.Action), field(id), field(e.Topic),
			field(e.Why), state}, 3, e.Foreign))
	}
	for _, e := range slices.Backward(list.Redo) {
		add(e, "undone")
	}
	for _, e := range list.Changes {
		state := "-"
		if len(e.Files) == 0 {
			state = "final"
		}
		add(e, state)
	}
	return a.tableOr("nothing to undo", "TIME|ACTION|ID|TOPIC|WHY|STATE", rows)
}

// diffReport is what diff prints for programs.
type diffReport struct {
	ID   memory.ID `json:"id"`
	From string    `json:"from"` // a commit, archive.N or now
	To   string    `json:"to"`
	Diff string    `json:"diff"` // unified; empty: the two are the same

	Foreign bool `json:"from_elsewhere,omitempty"` // a version was neither written nor approved in this clone
}

const (
	versionNow     = "now"
	versionArchive = "archive"

	// mostCommits is in how many commits of a memory a version is searched for.
	mostCommits = 1000

	// leastHash is how many characters of a commit's hash must be given.
	leastHash = 4
)

func (a *app) diffCommand() *cobra.Command {
	c := &cobra.Command{Use: "diff ID [A] [B]", Args: arguments(3, anID)}
	c.RunE = func(c *cobra.Command, given []string) error {
		_, id, err := a.oneID(c.Context(), given[0])
		if err != nil {
			return err
		}
		r, err := a.diff(c.Context(), id, given[1:])
		return answer(a, r, err, a.printDiff)
	}
	return c
}

func (a *app) printDiff(r diffReport) error {
	if r.Diff == "" {
		fmt.Fprintf(a.stderr, "%s and %s are the same\n", r.From, r.To)
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(r.Diff, "\n"), "\n")
	for i, line := range lines { // each behind its sign, whatever a text has that looks like the end of a line
		lines[i] = strings.ReplaceAll(clean(line), "\n", " ")
	}
	return a.println(a.screen().Diff(strings.Join(lines, "\n"))...)
}

// versionSet finds versions of a memory by name.
type versionSet struct {
	id       memory.ID
	versions find.Versions
	commits  []gitstore.Commit
}

func (a *app) diff(ctx context.Context, id string, names []string) (diffReport, error) {
	e := a.engine(lockWait)
	parsed, versions, err := e.Versions(ctx, id)
	if err != nil {
		return diffReport{}, err
	}
	set := versionSet{id: parsed, versions: versions}
	if set.commits, err = a.git(a.place()).Commits(ctx, past.Path(a.place(), parsed), mostCommits); err != nil {
		set.commits = nil // without git, archived texts are left
	}
	r := diffReport{ID: parsed, To: versionNow}
	if len(names) == 2 {
		r.To = names[1]
	}
	to, name, err := set.find(r.To)
	if err != nil {
		return r, err
	}
	r.To = name
	var from []byte
	if len(names) == 0 {
		from, r.From, err = set.before(to)
	} else {
		from, r.From, err = set.find(names[0])
	}
	if err != nil {
		return r, err
	}
	unix := func(data []byte) string { return strings.ReplaceAll(string(data), "\r\n", "\n") }
	head := func(name string, text []byte) string {
		if !e.FromElsewhere(ctx, parsed, text) {
			return fmt.Sprintf("%s %s", parsed, name)
		}
		r.Foreign = true
		return fmt.Sprintf("%s %s (from elsewhere)", parsed, name)
	}
	r.Diff = udiff.Unified(head(r.From, from), head(r.To, to), unix(from), unix(to))
	return r, nil
}

// find returns the version with a name, and its full name.
func (s versionSet) find(name string) ([]byte, string, error) {
	switch number, isArchive := strings.CutPrefix(name, versionArchive); {
	case name == versionNow && s.versions.Now != nil:
		return s.versions.Now, versionNow, nil
	case isArchive:
		n := 1
		if number != "" {
			n, _ = strconv.Atoi(strings.TrimPrefix(number, ".")) // 0 is none
		}
		if n >= 1 && n <= len(s.versions.Archived) {
			return s.versions.Archived[n-1], archiveVersion(n), nil
		}
	case len(name) >= leastHash:
		for _, c := range s.commits {
			if strings.HasPrefix(c.Hash, strings.ToLower(name)) && c.Data != nil {
				return c.Data, c.Hash[:min(shownHash, len(c.Hash))], nil
			}
		}
	}
	allowed := fmt.Sprintf(`allowed: now, %d commits of "ltm history %s", `+
		`%d archived texts (archive, archive.2 and so on)`, len(s.commits), s.id, len(s.versions.Archived))
	return nil, "", notFound(allowed, "%s has no version %q", s.id, name)
}

// before returns the newest version that differs from a text.
func (s versionSet) before(text []byte) ([]byte, string, error) {
	for _, c := range s.commits {
		if c.Data != nil && !past.SameText(c.Data, text) {
			return c.Data, c.Hash[:min(shownHash, len(c.Hash))], nil
		}
	}
	for i, data := range s.versions.Archived {
		if !past.SameText(data, text) {
			return data, archiveVersion(i + 1), nil
		}
	}
	return nil, "", notFound("git and the archive have no other", "there is one version of %s only", s.id)
}

func archiveVersion(n int) string { return fmt.Sprintf("%s.%d", versionArchive, n) }
