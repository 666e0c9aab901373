package change

import (
	"context"
	"fmt"
	"slices"
	"time"

	"ltm/engine/base"
	"ltm/engine/rank"
	"ltm/eviction"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/links"
	"ltm/store"
)

// PruneArchives deletes the archives of o.IDs or, without any, those older than o.OlderThan. They
// may be the last copy of a text. See [eviction.PlanPrune] for what is kept all the same. With
// DryRun it returns the same plan and changes nothing.
func (e *Engine) PruneArchives(ctx context.Context, o api.PruneOptions) (api.PruneReport, error) {
	if o.OlderThan <= 0 && len(o.IDs) == 0 {
		return api.PruneReport{}, memory.NewError(memory.CodeInvalid, memory.KindPruneNoAge, "",
			"neither an age nor an id was given")
	}
	var report api.PruneReport
	if o.DryRun || !e.Store.Exists() {
		err := e.Store.View(func(v *store.View) (err error) {
			report, err = e.planPrune(v, o, e.Now())
			return err
		})
		return report, err
	}
	err := e.Change(ctx, func(tx *base.Tx) (err error) {
		if report, err = e.planPrune(tx.View, o, tx.Now); err != nil {
			return err
		}
		session := e.OpenNow(tx.View)
		var ids []memory.ID
		for _, step := range report.Steps {
			if step.Action == memory.PruneRemove {
				ids = append(ids, step.ID)
				tx.Note(session, memory.Event{Action: memory.ActionPruned, ID: step.ID, Topic: step.Topic,
					Why: step.Reason})
			}
		}
		return tx.RemoveArchives(ids)
	})
	return report, err
}

func (e *Engine) planPrune(v *store.View, o api.PruneOptions, now time.Time) (api.PruneReport, error) {
	active, archives, how, err := rank.BothDirectories(v)
	if err != nil {
		return api.PruneReport{}, err
	}
	broken := map[string]bool{}
	for _, p := range active.Problems {
		broken[p.File] = true
	}
	graph := active.Links()
	list := make([]eviction.Archive, 0, len(archives.Records))
	for _, r := range archives.Records {
		now, isActive := active.Find(r.ID)
		importance := r.Importance()
		if isActive {
			importance = now.Importance()
		}
		list = append(list, eviction.Archive{ID: r.ID, Topic: r.Topic, Since: how[r.ID].Until, Why: how[r.ID].Reason,
			Importance: importance, Superseded: string(firstActive(graph, graph.SupersededBy(r.ID))),
			Active: isActive, Phase: now.Phase, Restored: now.Restored, Unreadable: broken[r.ID.File()],
			Unresolved: r.Conflicted || now.Conflicted})
	}
	report := api.PruneReport{DryRun: o.DryRun, Archives: len(list)}
	if len(o.IDs) == 0 {
		report.Steps = eviction.PlanPrune(list, now.UTC(), o.OlderThan)
	} else {
		named, err := namedArchives(list, o.IDs)
		if err != nil {
			return api.PruneReport{}, err
		}
		report.Steps = eviction.PlanPruneNamed(named, now.UTC())
	}
	marks := e.OriginsIn(v)
	for i, step := range report.Steps {
		report.Steps[i].Foreign = marks.Foreign(step.ID, true)
		if step.Action == memory.PruneRemove {
			report.Removed++
		}
	}
	report.Summary = pruneSummary(report)
	return report, nil
}

// firstActive returns the first active memory among ids, or "".
func firstActive(graph *links.Graph, ids []memory.ID) memory.ID {
	for _, id := range ids {
		if m := graph.Memory(id); m != nil && m.Phase.Active() {
			return id
		}
	}
	return ""
}

// namedArchives returns the archives of these memories, each once. A memory without one is an error.
func namedArchives(list []eviction.Archive, ids []string) ([]eviction.Archive, error) {
	var named []eviction.Archive
	for _, text := range ids {
		id, err := memory.ParseID(text)
		if err != nil {
			return nil, err
		}
		is := func(a eviction.Archive) bool { return a.ID == id }
		at := slices.IndexFunc(list, is)
		if at < 0 {
			return nil, memory.NewError(memory.CodeNotFound, memory.KindArchiveMissing, string(id),
				"there is no archive of %s", id)
		}
		if !slices.ContainsFunc(named, is) {
			named = append(named, list[at])
		}
	}
	return named, nil
}

func pruneSummary(r api.PruneReport) string {
	archives := plural.Of(r.Archives, "archive", "archives")
	switch {
	case r.Removed == 0:
		return fmt.Sprintf("no archives to remove (%d checked); nothing was changed", r.Archives)
	case r.DryRun:
		return fmt.Sprintf("%d of %s would be removed; nothing was changed", r.Removed, archives)
	}
	return fmt.Sprintf("%d of %s removed; git history still has those that were committed", r.Removed, archives)
}
