package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"ltm/cmd/internal/gitstore"
	"ltm/cmd/internal/past"
	"ltm/engine"
	"ltm/memory"
)

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
	versions engine.Versions
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
			var err error
			if n, err = strconv.Atoi(strings.TrimPrefix(number, ".")); err != nil {
				n = 0
			}
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
