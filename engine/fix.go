package engine

import (
	"context"
	"slices"
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
	actionRemoveFile    = "remove_file"    // a file is deleted
	actionRemoveArchive = "remove_archive" // a file of archives/ that is no memory is deleted
	actionRebuild       = "rebuild"        // a derived or volatile file is made anew
)

// Fix repairs what [Engine.Check] finds. A readable memory is never removed; an
// unreadable file is moved to the archives byte for byte, or removed when asked.
// With DryRun it returns the same plan and changes nothing.
func (e *Engine) Fix(ctx context.Context, o memory.FixOptions) (memory.FixReport, error) {
	var report memory.FixReport
	if o.DryRun || !e.store.Exists() {
		err := e.store.View(func(v *store.View) (err error) {
			report, err = e.planFix(v, o)
			return err
		})
		return report, err
	}
	err := e.update(ctx, func(tx *store.Tx) error {
		var err error
		if report, err = e.planFix(&tx.View, o); err != nil || len(report.Actions) == 0 {
			return err
		}
		e.logRepair(tx, report.Actions)
		return carryOut(tx, report.Actions)
	})
	return report, err
}

func (e *Engine) planFix(v *store.View, o memory.FixOptions) (memory.FixReport, error) {
	plan := memory.FixReport{DryRun: o.DryRun, Actions: []memory.FixAction{}}
	found, err := e.check(v)
	if err != nil {
		return plan, err
	}
	add := func(action, target, reason string) {
		plan.Actions = append(plan.Actions, memory.FixAction{Action: action, Target: target, Reason: reason})
	}
	for _, p := range found.UnreadableFiles {
		switch {
		case p.File == "config.json":
			continue // people write it, and people mend it
		case !strings.HasPrefix(p.File, "memories/"):
			add(actionRebuild, p.File, p.Reason)
		case o.RemoveUnreadable:
			add(actionRemoveFile, p.File, p.Reason)
		default:
			add(actionArchiveFile, p.File, p.Reason)
		}
	}
	for _, file := range found.OrphanedFiles {
		add(actionReindex, file, "the index lacks it")
	}
	for _, id := range found.StaleEntries {
		add(actionReindex, memoriesPath(id.File()), "the index shows it otherwise")
	}
	for _, id := range found.MissingFiles {
		add(actionDropEntry, string(id), "there is no file")
	}
	for _, id := range found.OrphanedStats {
		add(actionDropStats, string(id), "there is no file")
	}
	if err := planArchives(v, o, found, add); err != nil {
		return plan, err
	}
	plan.Summary = fixSummary(plan)
	return plan, nil
}

// planArchives indexes readable archives, and removes the others when asked.
func planArchives(v *store.View, o memory.FixOptions, found memory.CheckReport, add func(action, target, reason string)) error {
	archives, err := v.Archives()
	if err != nil {
		return err
	}
	for _, file := range found.OrphanedArchives {
		broken := slices.IndexFunc(archives.Problems, func(p memory.FileProblem) bool { return archivesPath(p.File) == file })
		switch {
		case broken < 0:
			add(actionReindex, file, "the archive index lacks it")
		case o.CleanOrphanedArchives:
			add(actionRemoveArchive, file, archives.Problems[broken].Reason)
		}
	}
	return nil
}

func fixSummary(plan memory.FixReport) string {
	switch {
	case len(plan.Actions) == 0:
		return "nothing to repair"
	case plan.DryRun:
		return plural(len(plan.Actions), "action", "actions") + " planned; nothing was changed"
	}
	return plural(len(plan.Actions), "action", "actions") + " done"
}

// carryOut executes a plan. Indexes are made anew from the files in any case.
func carryOut(tx *store.Tx, actions []memory.FixAction) error {
	var lost []memory.ID
	for _, a := range actions {
		switch a.Action {
		case actionArchiveFile:
			if _, err := tx.ArchiveFile(a.Target); err != nil {
				return err
			}
		case actionRemoveFile, actionRemoveArchive:
			if err := tx.RemoveFile(a.Target); err != nil {
				return err
			}
		case actionDropStats:
			lost = append(lost, memory.ID(a.Target))
		case actionRebuild:
			if err := rebuildVolatile(tx, a.Target); err != nil {
				return err
			}
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

// rebuildVolatile begins a damaged stats or state file anew; the store keeps the
// damaged one beside it.
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
	}
	return nil
}
