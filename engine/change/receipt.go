package change

import (
	"ltm/engine/base"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// receipt adds to an answer that it is about the person's own store, and whether the memory waits for an approval.
func (e *Engine) receipt(r api.Receipt) api.Receipt {
	if !e.IsOwn() {
		return r
	}
	r.Scope = api.ScopeUser
	note := memory.Say("it is the person's own, for every project")
	foreign := false
	_ = e.Store.View(func(v *store.View) error { // the change itself is done
		state, err := base.Tolerate(v.State())
		foreign = err == nil && v.HasMemory(r.ID) && e.Origins(v, base.SettingsOf(v, state)).Foreign(r.ID, false)
		return err
	})
	if foreign {
		note = append(note, memory.Advise(memory.KindUserUnapproved, string(r.ID), "it counts as from elsewhere")...)
	}
	r.Message = append(r.Message[:min(1, len(r.Message)):min(1, len(r.Message))],
		append(note, r.Message[min(1, len(r.Message)):]...)...)
	return r
}

func (e *Engine) receipts(all []api.Receipt) []api.Receipt {
	for i := range all {
		all[i] = e.receipt(all[i])
	}
	return all
}

// forgotten marks an answer of the person's own store.
func (e *Engine) forgotten(f api.Forgotten) api.Forgotten {
	if e.IsOwn() {
		f.Scope = api.ScopeUser
		f.Message = append(f.Message, memory.Remark{Text: "it was the person's own, for every project"})
	}
	return f
}

func receiptOf(m memory.Memory, message memory.Note) api.Receipt {
	return api.Receipt{Success: true, ID: m.ID, Message: message, Difficulty: m.Difficulty, Tags: m.PlainTags(),
		Importance: m.Marked()}
}
