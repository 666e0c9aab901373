package engine

import (
	"context"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// isOwn reports whether the store is the person's own, which is for every project.
func (e *Engine) isOwn() bool { return e.store.Places().Own }

// scope returns the scope of answers from a store: that of a project goes without saying.
func scope(v *store.View) api.Scope { return scopeOf(v.Own()) }

// writesForeign reports whether what is written counts as from elsewhere. The person's memories
// are in the sessions of every project, so a repository that talks a model into writing one would
// be in all of them.
func (e *Engine) writesForeign() bool { return e.byModel && e.isOwn() }

// needPerson refuses what only a person may decide about the person's own store.
func (e *Engine) needPerson() error {
	if e.writesForeign() {
		return memory.NewError(memory.CodeInvalid, memory.KindUserApproval, "",
			"only a person can approve what is in every session, and this was started by Claude Code")
	}
	return nil
}

// receipt adds to an answer that it is about the person's own store, and whether the memory waits
// for an approval.
func (e *Engine) receipt(r api.Receipt) api.Receipt {
	if !e.isOwn() {
		return r
	}
	r.Scope = api.ScopeUser
	note := memory.Say("it is the person's own, for every project")
	foreign := false
	_ = e.store.View(func(v *store.View) error { // the change itself is done
		state, err := tolerate(v.State())
		foreign = err == nil && v.HasMemory(r.ID) && e.marker(v, settingsOf(v, state)).look(r.ID, false)
		return err
	})
	if foreign {
		note = append(note, memory.Advise(memory.KindUserUnapproved, string(r.ID), "it counts as from elsewhere")...)
	}
	r.Message = append(r.Message[:min(1, len(r.Message)):min(1, len(r.Message))],
		append(note, r.Message[min(1, len(r.Message)):]...)...)
	return r
}

// receipts is receipt for several.
func (e *Engine) receipts(all []api.Receipt) []api.Receipt {
	for i := range all {
		all[i] = e.receipt(all[i])
	}
	return all
}

// forgotten marks an answer of the person's own store.
func (e *Engine) forgotten(f api.Forgotten) api.Forgotten {
	if e.isOwn() {
		f.Scope = api.ScopeUser
		f.Message = append(f.Message, memory.Remark{Text: "it was the person's own, for every project"})
	}
	return f
}

// Holds reports whether the store has a memory, a stub or an archive of that id. It is false for
// a text that is not an id, and for a store that cannot be read.
func (e *Engine) Holds(_ context.Context, id string) bool {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return false
	}
	holds := false
	err = e.store.View(func(v *store.View) error {
		holds = v.Taken(parsed) || v.HasArchive(parsed)
		return nil
	})
	return err == nil && holds
}
