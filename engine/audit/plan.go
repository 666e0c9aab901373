package audit

import (
	"cmp"
	"context"
	"strings"
	"time"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

const (
	actionRecover       = "recover"        // the archives get the full text back
	actionResolve       = "resolve"        // both sides of a merge are kept
	actionArchiveFile   = "archive_file"   // a file moves to archives/ byte for byte
	actionArchiveText   = "archive_text"   // the text that a stub keeps moves to archives/
	actionAdopt         = "adopt"          // a memory gets an id of eight digits, and links follow
	actionRemoveFile    = "remove_file"    // a file is deleted, if the options ask for it
	actionRemoveArchive = "remove_archive" // the same for a file of archives/ that is not a memory
	actionRebuild       = "rebuild"        // a derived file or one of this clone's own is rewritten
	actionBringBack     = "bring_back"     // what a removed work tree left is stored here
	actionRemoveTemp    = "remove_temp"    // temporary files of killed processes are removed
)

// Plan lists the actions of a repair, and the problems that it leaves to a person.
type Plan struct {
	api.FixReport

	adopted adoption
	texts   map[memory.ID][]byte // the full texts that were found for memories that lack theirs
	left    []store.Left         // what removed work trees left
	spent   []store.Left         // what a commit has of it, which is dropped
}

// Past finds earlier versions of files.
type Past interface {
	// Versions calls fn with the versions of the files at these paths, which are absolute, the newest first, until fn
	// returns false. It fails if there is no history.
	Versions(ctx context.Context, paths []string, fn func(data []byte) bool) error
}

// History is where a repair looks for texts that the store has lost.
type History struct {
	Dir  string // of the store, absolute
	Past Past   // nil: no history
}

// Plan decides on every finding. It fails if a person has to act before anything can be repaired.
func (s *Survey) Plan(ctx context.Context, o api.FixOptions, h History) (Plan, error) {
	plan := Plan{
		FixReport: api.FixReport{DryRun: o.DryRun, Actions: []api.FixAction{}, Left: []api.Problem{}},
		adopted:   adoption{ids: map[string]memory.ID{}, targets: map[string]string{}},
		texts:     map[memory.ID][]byte{},
		left:      s.left,
		spent:     s.spent,
	}
	if s.stuck != nil {
		return plan, s.stuck
	}
	for _, f := range s.found {
		action := f.action
		switch {
		case f.unread && strings.HasPrefix(f.where, store.MemoryPath("")) && o.RemoveUnreadable && action != "":
			action = actionRemoveFile
		case f.unread && strings.HasPrefix(f.where, store.ArchivePath("")) && o.CleanOrphanedArchives:
			action = actionRemoveArchive
		}
		target := cmp.Or(f.target, f.where)
		if f.odd != "" && o.Adopt {
			if id, ok := plan.adopted.plan(s.view, f); ok {
				f.reason, action = f.reason+"; it becomes "+string(id), actionAdopt
			}
		}
		if action == actionRecover {
			f, action = s.planRecovery(ctx, f, h, plan.texts)
		}
		switch {
		case action != "":
			plan.Actions = append(plan.Actions, api.FixAction{Action: action, Target: target, Reason: f.reason})
		case !f.remark:
			plan.Left = append(plan.Left, f.problem())
		}
	}
	plan.Summary = fixSummary(plan.FixReport)
	return plan, nil
}

func fixSummary(plan api.FixReport) string {
	done := "nothing to repair"
	switch n := len(plan.Actions); {
	case n == 0:
	case plan.DryRun:
		done = plural.Of(n, "action", "actions") + " planned; nothing was changed"
	default:
		done = plural.Of(n, "action", "actions") + " done"
	}
	if n := len(plan.Left); n > 0 {
		done += "; " + plural.Of(n, "problem is", "problems are") + " left for a person"
	}
	return done
}

// CarryOut executes a plan. The log has that time.
func (p Plan) CarryOut(tx *store.Tx, now time.Time) error {
	for _, l := range p.spent {
		if err := tx.DropLeft(l); err != nil {
			return err
		}
	}
	for _, a := range p.Actions {
		var err error
		switch a.Action {
		case actionRecover:
			err = tx.WriteArchive(memory.ID(a.Target), p.texts[memory.ID(a.Target)])
		case actionResolve:
			err = ResolveMerge(tx, a.Target)
		case actionArchiveFile:
			_, err = tx.ArchiveFile(a.Target)
		case actionArchiveText:
			err = clearStub(tx, a.Target)
		case actionAdopt:
			err = p.adopted.carryOut(tx, a.Target)
		case actionRemoveFile, actionRemoveArchive:
			err = tx.RemoveFile(a.Target)
		case actionRebuild:
			err = rebuild(tx, a.Target)
		case actionRemoveTemp:
			err = tx.Tidy()
		case actionBringBack:
			err = p.bringBack(tx, now, a.Target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// rebuild starts a new file of the clone's own, and the store keeps the damaged one beside
// it, or writes the index from the memories.
func rebuild(tx *store.Tx, file string) error {
	switch file {
	case "index.json":
		return tx.WriteIndex()
	case "stats.json":
		stats, err := tx.Stats()
		if err != nil && memory.CodeOf(err) != memory.CodeUnreadable {
			return err
		}
		tx.SetStats(stats) // empty if they were damaged
	case "state.json":
		state, err := tx.State()
		if err != nil && memory.CodeOf(err) != memory.CodeUnreadable {
			return err
		}
		tx.SetState(state)
	case "candidates.json":
		c, err := tx.Candidates()
		if err != nil && memory.CodeOf(err) != memory.CodeUnreadable {
			return err
		}
		return tx.WriteCandidates(c)
	case "trust":
		return tx.RenewTrust()
	}
	return nil
}
