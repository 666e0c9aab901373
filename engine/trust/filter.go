package trust

import (
	"context"

	"ltm/engine/base"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/store"
	"ltm/store/signing"
)

// Filter decides which memories come from elsewhere, and whether they are held back. The zero one lets everything pass.
type Filter struct {
	Hold   bool         // memories from elsewhere are held back
	Trust  *store.Trust // nil with settings.TrustAll
	View   *store.View
	proofs *Prover // of signatures; nil: none counts
}

// Filter returns the filter that a store's settings ask for. A damaged record of trust counts as
// empty: then every memory comes from elsewhere.
func (e *Engine) Filter(v *store.View, s settings.Settings) (Filter, error) {
	return NewFilter(v, s, e.Prover())
}

func NewFilter(v *store.View, s settings.Settings, p *Prover) (Filter, error) {
	if s.Trust == settings.TrustAll {
		return Filter{}, nil
	}
	trust, err := base.Tolerate(v.Trust())
	return Filter{s.HoldsBack(), trust, v, p}, err
}

// StrictFilter returns a filter that knows what comes from elsewhere, whatever the settings say.
func (e *Engine) StrictFilter(v *store.View) (Filter, error) {
	return e.Filter(v, settings.Settings{Trust: settings.TrustMark})
}

// Foreign reports whether a memory with these bytes comes from elsewhere. One with a valid signature
// does not, unless a person has withdrawn its approval.
func (g Filter) Foreign(id memory.ID, data []byte) bool {
	return g.Trust != nil && !g.Trust.Holds(id, data) && (g.Trust.Revoked(id) || !g.proofs.Proves(g.View, id, data))
}

// HoldsBack reports whether memories from elsewhere are held back.
func (g Filter) HoldsBack() bool { return g.Hold }

// Unrecorded reports whether a memory comes from elsewhere whatever its bytes are, unless it is signed.
func (g Filter) Unrecorded(id memory.ID) bool { return g.Trust != nil && !g.Trust.Knows(id) }

// Hides reports whether a memory is held back without a look at its file, unless it is signed.
func (g Filter) Hides(m memory.Memory) bool {
	return g.HoldsBack() && g.Unrecorded(m.ID) && (m.Signature == "" || g.ForeignMemory(m, g.View.ReadRaw))
}

// ForeignMemory reports whether the file of a memory comes from elsewhere. A file that cannot be read counts as such.
// The memory is as a scan has it: unless it has a signature, a file that is not recorded need not be read.
func (g Filter) ForeignMemory(m memory.Memory, read func(memory.ID) ([]byte, error)) bool {
	if g.Trust == nil {
		return false
	}
	if m.Signature == "" && g.Unrecorded(m.ID) {
		return true
	}
	data, err := read(m.ID)
	return err != nil || g.Foreign(m.ID, data)
}

// Verdict says what the signature of a memory proves, "" if it has none.
func (g Filter) Verdict(m memory.Memory, read func(memory.ID) ([]byte, error)) string {
	if m.Signature == "" || g.proofs == nil {
		return ""
	}
	data, err := read(m.ID)
	if err != nil {
		return ""
	}
	return string(g.proofs.verdict(g.View, m.ID, data))
}

// Altered reports whether the file of a memory says something else than what was signed.
func (g Filter) Altered(id memory.ID) bool {
	if g.proofs == nil || g.View.Own() {
		return false
	}
	if verdict, known := g.proofs.seen[id]; known { // it was just looked at
		return verdict == signing.Altered
	}
	data, err := g.View.ReadRaw(id)
	return err == nil && g.proofs.verdict(g.View, id, data) == signing.Altered
}

// ForeignID is ForeignMemory for a memory by its id.
func (g Filter) ForeignID(id memory.ID, archived bool) bool {
	if g.Trust == nil {
		return false
	}
	list, read := g.View.MemoriesQuick, g.View.ReadRaw
	if archived {
		list, read = g.View.ArchivesQuick, base.BytesOf(g.View.ReadArchive)
	}
	m := memory.Memory{ID: id}
	if g.proofs != nil && g.Unrecorded(id) {
		if s, err := list(); err == nil {
			if r, ok := s.Find(id); ok {
				m = *r.Memory
			}
		}
	}
	return g.ForeignMemory(m, read)
}

// ModelFilter returns the filter for answers. It lets everything pass unless they go to a model and
// the setting trust is "ask": with "mark" nothing is held back, and answers have no marks.
func (e *Engine) ModelFilter(v *store.View) (Filter, error) {
	if !e.ToModel {
		return Filter{}, nil
	}
	state, err := base.Tolerate(v.State())
	if err != nil {
		return Filter{}, err
	}
	conf := base.SettingsOf(v, state)
	if !conf.HoldsBack() {
		return Filter{}, nil
	}
	return e.Filter(v, conf)
}

// Withholds reports whether the settings hold back what no person has approved. It returns
// true if the settings cannot be read.
func (e *Engine) Withholds(context.Context) bool {
	asks := true
	err := e.Store.View(func(v *store.View) error {
		state, err := base.Tolerate(v.State())
		if err == nil {
			asks = base.SettingsOf(v, state).HoldsBack()
		}
		return err
	})
	return err != nil || asks
}

// Admit returns an error if a model asks for a memory that is held back.
func (e *Engine) Admit(v *store.View, id memory.ID, data []byte) error {
	g, err := e.ModelFilter(v)
	if err == nil && g.Foreign(id, data) {
		err = memory.NewError(memory.CodeConflict, memory.KindMemoryHeldBack, string(id),
			"%s is held back: it was not written in this clone", id)
	}
	return err
}

// AdmitActive is Admit for the file of an active memory.
func (e *Engine) AdmitActive(v *store.View, id memory.ID) error {
	if !e.ToModel {
		return nil
	}
	data, err := v.ReadRaw(id)
	if base.IsMissing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return e.Admit(v, id, data)
}

// Free returns a snapshot without the memories that are held back.
func (g Filter) Free(s *store.Snapshot, read func(memory.ID) ([]byte, error)) *store.Snapshot {
	if !g.HoldsBack() {
		return s
	}
	return s.Without(func(r store.Record) bool { return g.ForeignMemory(*r.Memory, read) })
}
