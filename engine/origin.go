package engine

import (
	"sync"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/store"
)

// origins remembers which memories in sight come from elsewhere. A server answers many questions
// between two changes of a memory, and to look at one means to read its file.
type origins struct {
	mu    sync.Mutex
	trust store.TrustStamp // of the record that the verdicts are from
	known map[memory.ID]originOf
}

type originOf struct {
	record  store.Record // of the file that was looked at
	foreign bool
}

// marker tells which memories of one view come from elsewhere, for answers to models and to people.
type marker struct {
	engine   *Engine
	view     *store.View
	settings settings.Settings
	guard    *guard // nil: not needed yet
	at       store.TrustStamp
}

func (e *Engine) marker(v *store.View, s settings.Settings) *marker {
	return &marker{engine: e, view: v, settings: s, at: v.TrustStamp()}
}

// listed is look for a memory of a listing or of an answer. What was seen before is not read again.
func (m *marker) listed(id memory.ID, archived bool) bool {
	if m.settings.Trust == settings.TrustAll {
		return false
	}
	snapshot, err := m.view.Memories()
	if err != nil || archived {
		return m.look(id, archived)
	}
	record, _ := snapshot.Find(id)
	of := &m.engine.origins
	of.mu.Lock()
	defer of.mu.Unlock()
	if of.trust != m.at || of.known == nil {
		of.trust, of.known = m.at, map[memory.ID]originOf{}
	}
	known, ok := of.known[id]
	if !ok || !known.record.SameReading(record) {
		known = originOf{record, m.look(id, false)}
		of.known[id] = known
	}
	return known.foreign
}

// look reports whether a memory comes from elsewhere. What cannot be read counts as such.
func (m *marker) look(id memory.ID, archived bool) bool {
	return m.judge(func(g guard) bool { return g.lookAt(id, archived) })
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
