package engine

import (
	"sync"

	"ltm/engine/finder"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/store"
)

// ownMarks remembers which memories of the person's own store come from elsewhere. A server answers
// many questions between two changes of a memory, and to look at one means to read its file.
type ownMarks struct {
	mu    sync.Mutex
	trust store.TrustStamp // of the record that the marks are from
	known map[memory.ID]ownMark
}

type ownMark struct {
	record  store.Record // of the file that was looked at
	foreign bool
}

// marker marks the answers of one view. For a project's store it marks nothing but for who is
// outside of the client: only blocks mark its memories.
type marker struct {
	engine   *Engine
	view     *store.View
	settings settings.Settings
	guard    *guard // nil: not needed yet
	at       store.TrustStamp
}

func (e *Engine) marker(v *store.View, s settings.Settings) *marker {
	m := &marker{engine: e, view: v, settings: s}
	if m.marks() {
		m.at = v.TrustStamp()
	}
	return m
}

func (m *marker) marks() bool { return m.view.Own() || m.engine.outside }

// hit reports whether a memory that was found comes from elsewhere. What cannot be read counts as
// such.
func (m *marker) hit(h finder.Hit) bool {
	if !m.marks() || m.settings.Trust == settings.TrustAll {
		return false
	}
	id := memory.ID(h.ID)
	snapshot, err := m.view.Memories()
	if err != nil || h.Archived {
		return m.look(id, h.Archived)
	}
	record, _ := snapshot.Find(id)
	of := &m.engine.marks
	of.mu.Lock()
	defer of.mu.Unlock()
	if of.trust != m.at || of.known == nil {
		of.trust, of.known = m.at, map[memory.ID]ownMark{}
	}
	known, ok := of.known[id]
	if !ok || !known.record.SameReading(record) {
		known = ownMark{record, m.look(id, false)}
		of.known[id] = known
	}
	return known.foreign
}

func (m *marker) look(id memory.ID, archived bool) bool {
	if m.guard == nil {
		g, err := m.engine.guardOf(m.view, m.settings)
		if err != nil {
			return true
		}
		m.guard = &g
	}
	return m.guard.lookAt(id, archived)
}
