package engine

import (
	"context"

	"ltm/api"
	"ltm/store"
)

// StatusLine counts what a line at the edge of a screen says, which is drawn again and again: it takes
// about as long as a hook. It opens no memory, so one whose file was changed by somebody else since it
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
		for _, r := range snapshot.Records {
			switch m := r.Memory; {
			case !u.phase(*m).Active():
			case g.asks() && g.hides(*m):
				line.HeldBack++
			default:
				line.Memories++
				if len(m.Refs) > 0 && len(u.marksOf(*m).Stale) > 0 {
					line.Stale++
				}
			}
		}
		return nil
	})
	return line, err
}
