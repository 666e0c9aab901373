package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/engine"
	"ltm/engine/candidates"
	"ltm/engine/records"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/store"
)

func (a *app) reviewCommand() *cobra.Command {
	var accept, drop []string
	var sessions, yes bool
	var since string
	c := &cobra.Command{Use: "review", Args: noArguments()}
	c.Flags().StringArrayVar(&accept, "accept", nil, "store the candidate of this `ID`; may be repeated")
	c.Flags().StringArrayVar(&drop, "drop", nil, "drop the candidate of this `ID`; may be repeated")
	c.Flags().BoolVar(&sessions, "sessions", false,
		"first look for candidates in the sessions that Claude Code has of this project")
	c.Flags().StringVar(&since, "since", "all",
		"with --sessions: only those since `WHEN`: an age (7d, 2w, 36h), a date (2026-01-31), or all")
	c.Flags().BoolVar(&yes, "yes", false, "with --sessions: do not ask; required without a terminal")
	c.RunE = func(c *cobra.Command, _ []string) (err error) {
		if !sessions && (yes || c.Flags().Changed("since")) {
			return invalid("", "--since and --yes go with --sessions")
		}
		ctx, e := c.Context(), a.engine(lockWait)
		if sessions {
			if err = a.proposeOld(ctx, e, since, yes); err != nil {
				return err
			}
		}
		asked := api.Sentence{Drop: drop,
			Accept: each(accept, func(id string) api.Acceptance { return api.Acceptance{ID: id} })}
		done, err := e.Review(ctx, asked)
		if err != nil {
			return err
		}
		if a.asks() && !a.asJSON && len(accept)+len(drop) == 0 {
			return a.askCandidates(ctx, e, done.Candidates)
		}
		return answer(a, done, nil, a.printReview)
	}
	return c
}

func (a *app) printReview(r api.Review) error {
	for _, stored := range r.Stored {
		if err := a.printReceipt(stored); err != nil {
			return err
		}
	}
	if len(r.Stored)+len(r.Dropped) > 0 {
		return nil
	}
	return a.tableOr("no candidates", "ID|WHY|TOPIC", each(r.Candidates, func(c api.Candidate) []string {
		return []string{c.ID, cell(c.Why), cell(c.Topic)}
	}))
}

// askCandidates shows one candidate after the other, and asks what to do with it.
func (a *app) askCandidates(ctx context.Context, e *engine.Engine, all []api.Candidate) error {
	if len(all) == 0 {
		fmt.Fprintln(a.stderr, "no candidates")
	}
	for i, c := range all {
		fmt.Fprintf(a.stderr, "\n%d of %d: %s\n(%s)\n\n", i+1, len(all), cell(c.Topic), cell(c.Why))
		for line := range strings.SplitSeq(c.Text, "\n") {
			fmt.Fprintf(a.stderr, "  %s\n", cell(line))
		}
		if len(c.Refs) > 0 {
			fmt.Fprintf(a.stderr, "\n  files: %s\n", cell(strings.Join(c.Refs, ", ")))
		}
		leave, err := a.askCandidate(ctx, e, c)
		if err = a.refused(err, i > 0); leave || err != nil {
			return err
		}
	}
	return nil
}

// refused tells of an answer that was refused, so that the questions go on, and returns any other error. late: others
// were answered before.
func (a *app) refused(err error, late bool) error {
	switch memory.CodeOf(err) {
	case memory.CodeInvalid, memory.CodeNotFound, memory.CodeConflict, memory.CodeSecret, memory.CodeUnreadable:
		a.fail(err, advice.Writing, nil)
		return nil
	}
	switch {
	case late && errors.Is(err, errInterrupted):
		return errors.New("interrupted; what was answered before is done")
	case late:
		return advice.Partial(err)
	}
	return err
}

// askCandidate asks about one candidate.
func (a *app) askCandidate(ctx context.Context, e *engine.Engine, c api.Candidate) (leave bool, err error) {
	var stored api.Receipt
	key, leave, err := a.askKey("[a]ccept, [e]dit, [d]rop, ", "aed")
	switch key {
	case "a":
		stored, err = e.AcceptCandidate(ctx, api.Acceptance{ID: c.ID})
	case "e":
		again := func(topic string) string { return "ltm remember " + topic + " -" }
		err = a.composeTopic(c.Topic+"\n\n"+c.Text, again, func(topic, text string) (err error) {
			stored, err = e.AcceptCandidate(ctx, api.Acceptance{ID: c.ID, Topic: &topic, Text: &text})
			return err
		})
	case "d":
		return false, e.DropCandidates(ctx, []string{c.ID})
	default:
		return leave, err
	}
	if err != nil {
		return false, err
	}
	return false, a.printReceipt(stored)
}

// askKey asks until it gets one of the keys, or "" for Enter. leave: there are no more answers.
func (a *app) askKey(question, keys string) (key string, leave bool, err error) {
	for {
		fmt.Fprint(a.stderr, "\n"+question+"Enter: later, [q]uit? ")
		line, err := a.readLine()
		key = strings.ToLower(strings.TrimSpace(line))
		switch {
		case err != nil || line == "" || key == "q":
			return "", true, err
		case len(key) <= 1 && strings.Contains(keys, key):
			return key, false, nil
		}
	}
}

// proposeOld looks for candidates in the records that the client has of this project, the oldest first, after a
// person agreed. Nothing is stored as a memory.
func (a *app) proposeOld(ctx context.Context, e *engine.Engine, since string, yes bool) error {
	from, err := sinceAll(time.Now(), since)
	if err != nil {
		return err
	}
	if !e.Exists() {
		return invalid("ltm init makes one", "there is no store to keep candidates for")
	}
	dirs := a.env().Records()
	found, size := recordsOf(dirs, a.projectDir(), from)
	what := fmt.Sprintf("%s of this project, %.1f MB", plural.Of(len(found), "session", "sessions"), float64(size)/1e6)
	fmt.Fprintln(a.stderr, what)
	if len(found) == 0 {
		return nil
	}
	if err := a.agree(yes, "Look for candidates in them?", "sessions are read after a confirmation"); err != nil {
		return err
	}
	done, proposed := a.progress("reading sessions"), 0
	defer func() {
		done()
		if proposed > store.MaxPending {
			fmt.Fprintf(a.stderr, "%d candidates, of which the newest %d are kept; when they are reviewed, run it "+
				"again for older ones\n", proposed, store.MaxPending)
		}
	}()
	for _, f := range found {
		if err := ctx.Err(); err != nil {
			return err
		}
		o, err := dirs.Outline(ctx, f.path)
		if err != nil {
			continue // it has just gone, or is not the client's
		}
		name := strings.TrimSuffix(filepath.Base(f.path), ".jsonl")
		n, err := e.Propose(ctx, name, candidates.Find(o))
		if err != nil {
			return err
		}
		proposed += n
	}
	return nil
}

// oldRecord is the record of a session.
type oldRecord struct {
	path string
	at   time.Time
}

// recordsOf lists the client's records of a project that were written since a time, the oldest first, and their size in
// bytes.
func recordsOf(dirs records.Dirs, project string, from time.Time) (found []oldRecord, size int64) {
	for _, dir := range dirs {
		dir = filepath.Join(dir, records.Folder(project))
		files, _ := os.ReadDir(dir) // missing if the client has never run here
		for _, f := range files {
			info, err := f.Info()
			if err != nil || info.Mode().Type() != fs.FileMode(0) || info.ModTime().Before(from) ||
				!strings.HasSuffix(f.Name(), ".jsonl") {
				continue
			}
			found = append(found, oldRecord{filepath.Join(dir, f.Name()), info.ModTime()})
			size += info.Size()
		}
	}
	slices.SortStableFunc(found, func(x, y oldRecord) int { return x.at.Compare(y.at) })
	return found, size
}
