package engine

import (
	"context"
	"strings"

	"ltm/memory"
	"ltm/store"
)

// The actions of a repair.
const (
	actionReindex       = "reindex"        // the index gets the entry that the file says
	actionDropEntry     = "drop_entry"     // the index loses an entry without a file
	actionDropStats     = "drop_stats"     // the stats lose an entry without a file
	actionArchiveFile   = "archive_file"   // a file moves to archives/ byte for byte
	actionRemoveFile    = "remove_file"    // a file is deleted, when that was asked for
	actionRemoveArchive = "remove_archive" // a file of archives/ that is no memory is deleted, when that was asked for
	actionRebuild       = "rebuild"        // a derived or volatile file is made anew
	actionRules         = "restore_rules"  // a file for git gets the lines that it lacks
	actionRemoveTemp    = "remove_temp"    // what a killed process left goes
)

// Fix repairs what [Engine.Check] finds. Nothing that somebody may have written
// is deleted unless the options say so, and a readable memory never is; an
// unreadable one is moved to the archives byte for byte. With DryRun it returns
// the same plan and changes nothing. What no repair can settle is listed.
func (e *Engine) Fix(ctx context.Context, o memory.FixOptions) (memory.FixReport, error) {
	var report memory.FixReport
	if o.DryRun || !e.store.Exists() {
		err := e.store.View(func(v *store.View) (err error) {
			report, err = planFix(v, o)
			return err
		})
		return report, err
	}
	err := e.update(ctx, func(tx *store.Tx) error {
		var err error
		if report, err = planFix(&tx.View, o); err != nil || len(report.Actions) == 0 {
			return err
		}
		e.logRepair(tx, report.Actions)
		return carryOut(tx, report.Actions)
	})
	return report, err
}

// planFix decides on every finding.
func planFix(v *store.View, o memory.FixOptions) (memory.FixReport, error) {
	plan := memory.FixReport{DryRun: o.DryRun, Actions: []memory.FixAction{}, Left: []memory.Problem{}}
	s, err := examine(v)
	if err == nil {
		err = s.stuck
	}
	if err != nil {
		return plan, err
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
		switch {
		case action != "":
			plan.Actions = append(plan.Actions, memory.FixAction{Action: action, Target: target, Reason: f.reason})
		case !f.remark:
			plan.Left = append(plan.Left, f.problem())
		}
	}
	plan.Summary = fixSummary(plan)
	return plan, nil
}

func fixSummary(plan memory.FixReport) string {
	done := "nothing to repair"
	switch n := len(plan.Actions); {
	case n == 0:
	case plan.DryRun:
		done = plural(n, "action", "actions") + " planned; nothing was changed"
	default:
		done = plural(n, "action", "actions") + " done"
	}
	if n := len(plan.Left); n > 0 {
		done += "; " + plural(n, "problem is", "problems are") + " left for a person"
	}
	return done
}

// carryOut executes a plan. Indexes are made anew from the files in any case.
func carryOut(tx *store.Tx, actions []memory.FixAction) error {
	var lost []memory.ID
	for _, a := range actions {
		var err error
		switch a.Action {
		case actionArchiveFile:
			_, err = tx.ArchiveFile(a.Target)
		case actionRemoveFile:
			err = tx.RemoveFile(a.Target)
		case actionRemoveArchive:
			err = removeArchive(tx, a.Target)
		case actionDropStats:
			lost = append(lost, memory.ID(a.Target))
		case actionRebuild:
			err = rebuildVolatile(tx, a.Target)
		case actionRules:
			err = tx.RestoreRules(a.Target)
		case actionRemoveTemp:
			err = tx.Tidy()
		}
		if err != nil {
			return err
		}
	}
	if len(lost) > 0 {
		if err := dropStats(tx, lost...); err != nil {
			return err
		}
	}
	tx.Rebuild()
	return nil
}

// removeArchive removes a file of the archives, and what was noted of it.
func removeArchive(tx *store.Tx, path string) error {
	if id, ok := memory.IDFromFile(strings.TrimPrefix(path, archivesPath(""))); ok {
		return tx.RemoveArchives([]memory.ID{id})
	}
	return tx.RemoveFile(path)
}

// rebuildVolatile begins a damaged stats or state file, or record of what was
// written here, anew; the store keeps the damaged one beside it.
func rebuildVolatile(tx *store.Tx, file string) error {
	switch file {
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
	case ".trust.json":
		return tx.RenewTrust()
	}
	return nil
}
