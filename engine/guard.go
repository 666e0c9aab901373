package engine

import (
	"context"
	"slices"

	"ltm/engine/finder"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
	"ltm/store/signing"
)

// guard decides which memories come from elsewhere, and whether they are held back. The zero
// guard lets everything pass.
type guard struct {
	hold   bool         // memories from elsewhere are held back
	trust  *store.Trust // nil with settings.TrustAll
	view   *store.View
	proofs *prover // of signatures; nil: none counts
}

// guardOf returns the guard that a store's settings ask for. A damaged record of trust counts as
// empty: then every memory comes from elsewhere.
func (e *Engine) guardOf(v *store.View, s settings.Settings) (guard, error) {
	return guardWith(v, s, e.prover())
}

func guardWith(v *store.View, s settings.Settings, p *prover) (guard, error) {
	if s.Trust == settings.TrustAll {
		return guard{}, nil
	}
	trust, err := tolerate(v.Trust())
	return guard{s.HoldsBack(), trust, v, p}, err
}

// strictGuard returns a guard that knows what comes from elsewhere, whatever the settings say.
func (e *Engine) strictGuard(v *store.View) (guard, error) {
	return e.guardOf(v, settings.Settings{Trust: settings.TrustMark})
}

// foreign reports whether a memory with these bytes comes from elsewhere. One with a valid signature
// does not, unless a person has withdrawn its approval.
func (g guard) foreign(id memory.ID, data []byte) bool {
	return g.trust != nil && !g.trust.Holds(id, data) &&
		(g.trust.Revoked(id) || !g.proofs.Proves(g.view, id, data))
}

// asks reports whether memories from elsewhere are held back.
func (g guard) asks() bool { return g.hold }

// unrecorded reports whether a memory comes from elsewhere whatever its bytes are, unless it is
// signed.
func (g guard) unrecorded(id memory.ID) bool { return g.trust != nil && !g.trust.Knows(id) }

// hides reports whether a memory is held back without a look at its file, unless it is signed.
func (g guard) hides(m memory.Memory) bool {
	return g.asks() && g.unrecorded(m.ID) && (m.Signature == "" || g.look(m, g.view.ReadRaw))
}

// look reports whether the file of a memory comes from elsewhere. A file that cannot be read
// counts as such. The memory is as a scan has it: unless it has a signature, a file that is not
// recorded need not be read.
func (g guard) look(m memory.Memory, read func(memory.ID) ([]byte, error)) bool {
	if g.trust == nil {
		return false
	}
	if m.Signature == "" && g.unrecorded(m.ID) {
		return true
	}
	data, err := read(m.ID)
	return err != nil || g.foreign(m.ID, data)
}

// word says what the signature of a memory proves, "" if it has none.
func (g guard) word(m memory.Memory, read func(memory.ID) ([]byte, error)) string {
	if m.Signature == "" || g.proofs == nil {
		return ""
	}
	data, err := read(m.ID)
	if err != nil {
		return ""
	}
	return string(g.proofs.verdict(g.view, m.ID, data))
}

// altered reports whether the file of a memory says something else than what was signed.
func (g guard) altered(id memory.ID) bool {
	if g.proofs == nil || g.view.Own() {
		return false
	}
	if verdict, known := g.proofs.seen[id]; known { // it was just looked at
		return verdict == signing.Altered
	}
	data, err := g.view.ReadRaw(id)
	return err == nil && g.proofs.verdict(g.view, id, data) == signing.Altered
}

// lookAt is look for a memory by its id.
func (g guard) lookAt(id memory.ID, archived bool) bool {
	if g.trust == nil {
		return false
	}
	list, read := g.view.MemoriesQuick, g.view.ReadRaw
	if archived {
		list, read = g.view.ArchivesQuick, bytesOf(g.view.ReadArchive)
	}
	m := memory.Memory{ID: id}
	if g.proofs != nil && g.unrecorded(id) {
		if s, err := list(); err == nil {
			if r, ok := s.Find(id); ok {
				m = *r.Memory
			}
		}
	}
	return g.look(m, read)
}

// bytesOf turns a reader of files into a reader of their bytes.
func bytesOf(read func(memory.ID) (*memfile.File, error)) func(memory.ID) ([]byte, error) {
	return func(id memory.ID) ([]byte, error) {
		file, err := read(id)
		if err != nil {
			return nil, err
		}
		return file.Bytes(), nil
	}
}

// lookRanked is look for a memory of a listing, in the directory that it was listed from.
func (g guard) lookRanked(r ranked) bool {
	if r.archive != nil && !r.faded {
		return g.look(r.Memory, bytesOf(g.view.ReadArchive))
	}
	return g.look(r.Memory, g.view.ReadRaw)
}

// toModel returns the guard for answers. It lets everything pass unless they go to a model and
// the setting trust is "ask": with "mark" nothing is held back, and answers have no marks.
func (e *Engine) toModel(v *store.View) (guard, error) {
	if !e.guarded {
		return guard{}, nil
	}
	state, err := tolerate(v.State())
	if err != nil {
		return guard{}, err
	}
	conf := settingsOf(v, state)
	if !conf.HoldsBack() {
		return guard{}, nil
	}
	return e.guardOf(v, conf)
}

// Withholds reports whether the settings hold back what no person has approved. It returns
// true if the settings cannot be read.
func (e *Engine) Withholds(context.Context) bool {
	asks := true
	err := e.store.View(func(v *store.View) error {
		state, err := tolerate(v.State())
		if err == nil {
			asks = settingsOf(v, state).HoldsBack()
		}
		return err
	})
	return err != nil || asks
}

// admit returns an error if a model asks for a memory that is held back.
func (e *Engine) admit(v *store.View, id memory.ID, data []byte) error {
	g, err := e.toModel(v)
	if err == nil && g.foreign(id, data) {
		err = memory.NewError(memory.CodeConflict, memory.KindMemoryHeldBack, string(id),
			"%s is held back: it was not written in this clone", id)
	}
	return err
}

// admitActive is admit for the file of an active memory.
func (e *Engine) admitActive(v *store.View, id memory.ID) error {
	if !e.guarded {
		return nil
	}
	data, err := v.ReadRaw(id)
	if isMissing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return e.admit(v, id, data)
}

// free returns a snapshot without the memories that are held back.
func (g guard) free(s *store.Snapshot, read func(memory.ID) ([]byte, error)) *store.Snapshot {
	if !g.asks() {
		return s
	}
	return s.Without(func(r store.Record) bool { return g.look(*r.Memory, read) })
}

// heldBack returns how many of the included memories are held back. The number must not depend on
// the query: a count of matches held back would leak what they say.
func (g guard) heldBack(include api.Include) (int, error) {
	if !g.asks() {
		return 0, nil
	}
	all, err := ranksIn(g.view, include, use{})
	if err != nil {
		return 0, err
	}
	return len(slices.DeleteFunc(all, func(r ranked) bool { return !g.lookRanked(r) })), nil
}

// release removes the hits that are held back. It returns the rest and the number removed.
func (g guard) release(found []finder.Hit) (free []finder.Hit, held int) {
	if !g.asks() {
		return found, 0
	}
	free = slices.DeleteFunc(slices.Clone(found), func(h finder.Hit) bool {
		return g.lookAt(memory.ID(h.ID), h.Archived)
	})
	return free, len(found) - len(free)
}
