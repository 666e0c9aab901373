package engine

import (
	"context"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/store"
)

// marker tells which memories of one view come from elsewhere, for answers to models and to people.
type marker struct {
	engine   *Engine
	view     *store.View
	settings settings.Settings
	guard    *guard // nil: not needed yet
}

func (e *Engine) marker(v *store.View, s settings.Settings) *marker {
	return &marker{engine: e, view: v, settings: s}
}

// markerIn is marker by the settings of the view's store.
func (e *Engine) markerIn(v *store.View) *marker {
	state, err := tolerate(v.State())
	m := e.marker(v, settingsOf(v, state))
	if err != nil {
		m.guard = &guard{trust: &store.Trust{}, view: v} // as with a damaged record, all counts as from elsewhere
	}
	return m
}

// look reports whether a memory comes from elsewhere. An unreadable one counts as from elsewhere.
func (m *marker) look(id memory.ID, archived bool) bool {
	return m.judge(func(g guard) bool { return g.lookAt(id, archived) })
}

// anywhere is look for a memory wherever it is. One that is archived comes from elsewhere if neither its text nor its
// stub was written or approved here, and one of which nothing is left if no text of it ever was.
func (m *marker) anywhere(id memory.ID) bool {
	snapshot, err := m.view.Memories()
	if err != nil {
		return true
	}
	if _, isActive := snapshot.Find(id); isActive {
		return m.look(id, false)
	}
	switch isStub := m.view.HasMemory(id); {
	case m.view.HasArchive(id):
		return m.look(id, true) && !(isStub && !m.look(id, false))
	case isStub:
		return m.look(id, false)
	}
	return m.judge(func(g guard) bool { return g.unrecorded(id) })
}

// text is look for a file with these bytes.
func (m *marker) text(id memory.ID, data []byte) bool {
	return m.judge(func(g guard) bool { return g.foreign(id, data) })
}

func (m *marker) judge(foreign func(guard) bool) bool {
	if m.guard == nil {
		g, err := m.engine.guardOf(m.view, m.settings)
		if err != nil {
			return true
		}
		m.guard = &g
	}
	return foreign(*m.guard)
}

// FromElsewhere reports whether a text of a memory's file, which need not be the present one, comes from elsewhere.
func (e *Engine) FromElsewhere(_ context.Context, id memory.ID, text []byte) bool {
	foreign := true
	_ = e.store.View(func(v *store.View) error { // what cannot be read counts as such
		foreign = e.markerIn(v).text(id, text)
		return nil
	})
	return foreign
}

// named is the id of a memory in a message, and a mark if it comes from elsewhere.
func named(id memory.ID, foreign bool) string {
	if foreign {
		return string(id) + " (from elsewhere)"
	}
	return string(id)
}

// quotedFrom is a text of a memory in a message, in quotes if it comes from elsewhere.
func quotedFrom(text string, foreign bool) string {
	if foreign {
		return memory.Quote(text, memory.MaxTopicChars)
	}
	return text
}
