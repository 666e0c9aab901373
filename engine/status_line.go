package engine

import (
	"context"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// StatusLine counts what a line at the edge of a screen says, which is drawn again and again: it takes
// about as long as a hook. It opens no memory, so one whose file was changed by someone else since it
// was approved is not yet among those held back.
func (e *Engine) StatusLine(context.Context) (api.StatusLine, error) {
	var line api.StatusLine
	if !e.store.Exists() {
		return line, nil
	}
	line.Exists = true
	err := e.store.View(func(v *store.View) error {
		snapshot, err := v.MemoriesQuick()
		if err != nil {
			return err
		}
		u, _, err := e.startUsage(v)
		if err != nil {
			return err
		}
		var g guard
		if u.settings.HoldsBack() {
			if g, err = e.guardOf(v, u.settings); err != nil {
				return err
			}
		}
		var looked []*memory.Memory
		for _, r := range snapshot.Records {
			switch {
			case !u.phaseOf(r.ID, r.Phase, u.stats[r.ID]).Active():
			case g.hides(*r.Memory):
				line.HeldBack++
			default:
				line.Memories++
				if len(r.Refs) > 0 {
					looked = append(looked, r.Memory)
				}
			}
		}
		line.Stale = len(u.truth.staleOf(looked))
		return nil
	})
	return line, err
}
