package engine

import (
	"context"
	"slices"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// Status returns the state of the store at a glance.
func (e *Engine) Status(ctx context.Context) (api.Status, error) {
	status := api.Status{Version: e.version, StorePath: e.store.Dir(), ClonePath: e.store.Places().Clone,
		CachePath: e.store.Places().Tree, Config: map[string]any{}}
	err := e.store.View(func(v *store.View) error {
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
		state, err := tolerate(v.State())
		if err != nil {
			return err
		}
		stats, err := tolerate(v.Stats())
		if err != nil {
			return err
		}
		u := use{stats: stats, sessions: state.SessionCount, settings: settingsOf(v, state)}
		u.said = &saying{view: v, settings: u.settings, proofs: e.prover}
		out, err := outOfSight(v, u)
		if err != nil {
			return err
		}
		g, err := e.toModel(v)
		if err != nil {
			return err
		}
		heldBack := func(r ranked) bool { return g.asks() && g.lookRanked(r) }
		seen := slices.DeleteFunc(rank(active, u), heldBack)
		status.TotalMemories = len(seen)
		status.ByPhase, status.ByImportance = countPhases(seen), countLevels(seen)
		for _, r := range slices.DeleteFunc(out, heldBack) {
			if r.faded {
				status.ByPhase.OutOfSight++
			} else if r.archive.Reason != memory.ReasonFading {
				status.TotalArchived++
			}
		}
		status.SessionCount, status.LastEviction = state.SessionCount, state.LastEviction
		l := layersOf(v, state)
		status.Context = budgetOf(u.settings)
		for _, k := range settings.Keys() {
			status.Config[k.Name] = plainValue(l.Read(k).Value)
		}
		status.Stale = e.countStale(v, seen)
		foreign, _, err := e.foreignIn(v)
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

// countStale counts the memories that may not hold any more.
func (e *Engine) countStale(v *store.View, seen []ranked) int {
	t := e.truth(v)
	if t == nil {
		return 0
	}
	t.left = statusLook
	all := make([]*memory.Memory, len(seen))
	for i := range seen {
		all[i] = &seen[i].Memory
	}
	return len(t.staleOf(all))
}

// countPackets counts packets, readable or not.
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

func countPhases(all []ranked) api.PhaseCounts {
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

func countLevels(all []ranked) api.ImportanceCounts {
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
