package engine

import (
	"context"
	"strings"

	"ltm/api"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/store"
)

// The actions of a repair.
const (
	actionRecover       = "recover"        // the archives get the full text back
	actionSettle        = "settle"         // both sides of a merge are kept
	actionArchiveFile   = "archive_file"   // a file moves to archives/ byte for byte
	actionRemoveFile    = "remove_file"    // a file is deleted, when that was asked for
	actionRemoveArchive = "remove_archive" // a file of archives/ that is not a memory is deleted, when that was asked for
	actionRebuild       = "rebuild"        // a derived file or one of this clone's own is made anew
	actionRemoveTemp    = "remove_temp"    // what a killed process left goes
)

// Fix repairs what [Engine.Check] finds. Nothing that somebody may have written
// is deleted unless the options say so, and a readable memory never is; an
// unreadable one is moved to the archives byte for byte. With DryRun it returns
// the same plan and changes nothing. What no repair can settle is listed.
func (e *Engine) Fix(ctx context.Context, o api.FixOptions) (api.FixReport, error) {
	var report api.FixReport
	if o.DryRun || !e.store.Exists() {
		err := e.store.View(func(v *store.View) (err error) {
			report, _, err = e.planFix(ctx, v, o)
			return err
		})
		return report, err
	}
	err := e.update(ctx, func(tx *store.Tx) error {
		plan, texts, err := e.planFix(ctx, tx.View, o)
		if report = plan; err != nil || len(plan.Actions) == 0 {
			return err
		}
		e.logRepair(tx, plan.Actions)
		return carryOut(tx, plan.Actions, texts)
	})
	return report, err
}

// planFix decides on every finding. It returns the full texts that it found for
// memories that lack theirs.
func (e *Engine) planFix(ctx context.Context, v *store.View, o api.FixOptions) (api.FixReport, map[memory.ID][]byte, error) {
	texts := map[memory.ID][]byte{}
	plan := api.FixReport{DryRun: o.DryRun, Actions: []api.FixAction{}, Left: []api.Problem{}}
	s, err := examine(v)
	if err == nil {
		err = s.stuck
	}
	if err != nil {
		return plan, nil, err
	}
	for _, f := range s.found {
		action := f.action
		switch {
		case f.unread && strings.HasPrefix(f.where, memoriesPath("")) && o.RemoveUnreadable && action != "":
			action = actionRemoveFile
		case f.unread && strings.HasPrefix(f.where, archivesPath("")) && o.CleanOrphanedArchives:
			action = actionRemoveArchive
		}
		target := f.target
		if target == "" {
			target = f.where
		}
		if action == actionRecover {
			f, action = e.planRecovery(ctx, v, f, texts)
		}
		switch {
		case action != "":
			plan.Actions = append(plan.Actions, api.FixAction{Action: action, Target: target, Reason: f.reason})
		case !f.remark:
			plan.Left = append(plan.Left, f.problem())
		}
	}
	plan.Summary = fixSummary(plan)
	return plan, texts, nil
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

// carryOut executes a plan.
func carryOut(tx *store.Tx, actions []api.FixAction, texts map[memory.ID][]byte) error {
	for _, a := range actions {
		var err error
		switch a.Action {
		case actionRecover:
			err = tx.WriteArchive(memory.ID(a.Target), texts[memory.ID(a.Target)])
		case actionSettle:
			err = settleMerge(tx, a.Target)
		case actionArchiveFile:
			_, err = tx.ArchiveFile(a.Target)
		case actionRemoveFile:
			err = tx.RemoveFile(a.Target)
		case actionRemoveArchive:
			err = tx.RemoveFile(a.Target)
		case actionRebuild:
			err = rebuild(tx, a.Target)
		case actionRemoveTemp:
			err = tx.Tidy()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// rebuild begins one of the clone's own files anew, while the store keeps a damaged
// one beside it, or writes the index from the memories.
func rebuild(tx *store.Tx, file string) error {
	switch file {
	case "index.json":
		return tx.WriteIndex()
	case "stats.json":
		stats, err := tolerate(tx.Stats())
		if err != nil {
			return err
		}
		tx.SetStats(stats)
	case "state.json":
		state, err := tolerate(tx.State())
		if err != nil {
			return err
		}
		tx.SetState(state)
	case "trust":
		return tx.RenewTrust()
	}
	return nil
}
