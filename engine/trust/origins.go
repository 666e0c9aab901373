package trust

import (
	"context"

	"ltm/engine/base"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/store"
)

// Origins tells which memories of one view come from elsewhere, for answers to models and to people.
type Origins struct {
	engine   *Engine
	view     *store.View
	settings settings.Settings
	filter   *Filter // nil: not needed yet
}

func (e *Engine) Origins(v *store.View, s settings.Settings) *Origins {
	return &Origins{engine: e, view: v, settings: s}
}

// OriginsIn is Origins by the settings of the view's store.
func (e *Engine) OriginsIn(v *store.View) *Origins {
	state, err := base.Tolerate(v.State())
	m := e.Origins(v, base.SettingsOf(v, state))
	if err != nil {
		m.filter = &Filter{Trust: &store.Trust{}, View: v} // as with a damaged record, all counts as from elsewhere
	}
	return m
}

// Foreign reports whether a memory comes from elsewhere. An unreadable one counts as from elsewhere.
func (m *Origins) Foreign(id memory.ID, archived bool) bool {
	return m.judge(func(g Filter) bool { return g.ForeignID(id, archived) })
}

// ForeignAnywhere is Foreign for a memory wherever it is. One that is archived comes from elsewhere if neither its text
// nor its stub was written or approved here, and one of which nothing is left if no text of it ever was.
func (m *Origins) ForeignAnywhere(id memory.ID) bool {
	snapshot, err := m.view.Memories()
	if err != nil {
		return true
	}
	if _, isActive := snapshot.Find(id); isActive {
		return m.Foreign(id, false)
	}
	switch isStub := m.view.HasMemory(id); {
	case m.view.HasArchive(id):
		return m.Foreign(id, true) && !(isStub && !m.Foreign(id, false))
	case isStub:
		return m.Foreign(id, false)
	}
	return m.judge(func(g Filter) bool { return g.Unrecorded(id) })
}

// ForeignText is Foreign for a file with these bytes.
func (m *Origins) ForeignText(id memory.ID, data []byte) bool {
	return m.judge(func(g Filter) bool { return g.Foreign(id, data) })
}

func (m *Origins) judge(foreign func(Filter) bool) bool {
	if m.filter == nil {
		g, err := m.engine.Filter(m.view, m.settings)
		if err != nil {
			return true
		}
		m.filter = &g
	}
	return foreign(*m.filter)
}

// FromElsewhere reports whether a text of a memory's file, which need not be the present one, comes from elsewhere.
func (e *Engine) FromElsewhere(_ context.Context, id memory.ID, text []byte) bool {
	foreign := true
	_ = e.Store.View(func(v *store.View) error { // what cannot be read counts as such
		foreign = e.OriginsIn(v).ForeignText(id, text)
		return nil
	})
	return foreign
}

// Named is the id of a memory in a message, and a mark if it comes from elsewhere.
func Named(id memory.ID, foreign bool) string {
	if foreign {
		return string(id) + " (from elsewhere)"
	}
	return string(id)
}

// QuotedFrom is a text of a memory in a message, in quotes if it comes from elsewhere.
func QuotedFrom(text string, foreign bool) string {
	if foreign {
		return memory.Quote(text, memory.MaxTopicChars)
	}
	return text
}
