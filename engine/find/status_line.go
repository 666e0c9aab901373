package find

import (
	"context"

	"ltm/engine/trust"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// StatusLine counts what a line at the edge of a screen says, which is drawn again and again: it takes
// about as long as a hook. It opens no memory, so one whose file was changed by someone else since it
// was approved is not yet among those held back.
func (e *Engine) StatusLine(context.Context) (api.StatusLine, error) {
	var line api.StatusLine
	if !e.Store.Exists() {
		return line, nil
	}
	line.Exists = true
	err := e.Store.View(func(v *store.View) error {
		snapshot, err := v.MemoriesQuick()
		if err != nil {
			return err
		}
		u, _, err := e.StartUsage(v)
		if err != nil {
			return err
		}
		var g trust.Filter
		if u.Settings.HoldsBack() {
			if g, err = e.Filter(v, u.Settings); err != nil {
				return err
			}
		}
		var looked []*memory.Memory
		for _, r := range snapshot.Records {
			switch {
			case !u.PhaseOf(r.ID, r.Phase, u.Stats[r.ID]).Active():
			case g.Hides(*r.Memory):
				line.HeldBack++
			default:
				line.Memories++
				line.Uses = line.Uses.Add(u.Uses(r.ID))
				if u.Idle(r.Memory) {
					line.Idle++
				}
				if len(r.Refs) > 0 {
					looked = append(looked, r.Memory)
				}
			}
		}
		line.Stale = len(u.Staleness.StaleOf(looked))
		return nil
	})
	return line, err
}
