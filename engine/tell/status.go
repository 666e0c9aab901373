package tell

import (
	"context"
	"slices"

	"ltm/engine/base"
	"ltm/engine/change"
	"ltm/engine/rank"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

func (e *Engine) Status(ctx context.Context) (api.Status, error) {
	status := api.Status{Version: e.Version, StorePath: e.Store.Dir(), ClonePath: e.Store.Places().Clone,
		CachePath: e.Store.Places().Tree, Config: map[string]any{}}
	err := e.Store.View(func(v *store.View) error {
		report, err := e.check(ctx, v)
		if err != nil {
			return err
		}
		status.Health = report.Summary
		if !v.Exists() {
			status.Health = memory.Advise(memory.KindStoreFirst, "", "there is no store yet")
		}
		active, err := v.Memories()
		if err != nil {
			return err
		}
		u, state, err := e.StartUsage(v)
		if err != nil {
			return err
		}
		out, err := rank.OutOfSight(v, u)
		if err != nil {
			return err
		}
		g, err := e.ModelFilter(v)
		if err != nil {
			return err
		}
		heldBack := func(r rank.Ranked) bool { return g.HoldsBack() && rank.ForeignIn(g)(r) }
		seen := slices.DeleteFunc(rank.SortedMemories(active, u), heldBack)
		status.TotalMemories = len(seen)
		status.ByPhase, status.ByImportance = countPhases(seen), countLevels(seen)
		for _, r := range slices.DeleteFunc(out, heldBack) {
			if r.Faded {
				status.ByPhase.OutOfSight++
			} else if r.Archive.Reason != memory.ReasonFading {
				status.TotalArchived++
			}
		}
		status.SessionCount, status.LastEviction = state.SessionCount, state.LastEviction
		l := base.LayersOf(v, state)
		status.Context = budgetOf(u.Settings)
		for _, k := range settings.Keys() {
			status.Config[k.Name] = change.PlainValue(l.Read(k).Value)
		}
		status.Stale = e.countStale(v, seen)
		foreign, _, err := e.ForeignIn(v)
		if err != nil {
			return err
		}
		status.FromElsewhere = len(foreign)
		if err := countPackets(v, &status); err != nil {
			return err
		}
		status.StorageSizeBytes, err = v.Size()
		return err
	})
	return status, err
}

func (e *Engine) countStale(v *store.View, seen []rank.Ranked) int {
	t := e.Staleness(v)
	if t == nil {
		return 0
	}
	t.Left = rank.StatusLook
	all := make([]*memory.Memory, len(seen))
	for i := range seen {
		all[i] = &seen[i].Memory
	}
	return len(t.StaleOf(all))
}

func countPackets(v *store.View, status *api.Status) error {
	packets, err := v.Packets()
	for _, f := range packets.Files {
		if v.PacketSize(f) > 0 {
			status.TotalPackets++
			if !f.Done.IsZero() {
				status.DonePackets++
			}
		}
	}
	return err
}

func countPhases(all []rank.Ranked) api.PhaseCounts {
	var n api.PhaseCounts
	for _, r := range all {
		switch r.Phase {
		case memory.Full:
			n.Full++
		case memory.Hint:
			n.Hint++
		case memory.Abstract:
			n.Abstract++
		}
	}
	return n
}

func countLevels(all []rank.Ranked) api.ImportanceCounts {
	var n api.ImportanceCounts
	for _, r := range all {
		switch r.Importance() {
		case memory.Critical:
			n.Critical++
		case memory.Important:
			n.Important++
		case memory.Low:
			n.Low++
		}
	}
	return n
}
