package trust

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"

	"ltm/engine/base"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// Trusted returns what was not written or approved in this clone.
func (e *Engine) Trusted(context.Context) (api.TrustReport, error) {
	report := api.TrustReport{Foreign: []api.Foreign{}}
	err := e.Store.View(func(v *store.View) error {
		state, err := base.Tolerate(v.State())
		if err != nil {
			return err
		}
		report.Trust = base.SettingsOf(v, state).Trust
		report.Required = base.SettingsOf(v, state).Sign == settings.SignRequire
		report.Foreign, report.Total, err = e.ForeignIn(v)
		return err
	})
	return report, err
}

// ForeignIn lists the memories from elsewhere, including archives without an active memory.
// total counts all memories and such archives, from elsewhere or not.
func (e *Engine) ForeignIn(v *store.View) (found []api.Foreign, total int, err error) {
	found = []api.Foreign{}
	trust, err := base.Tolerate(v.Trust())
	if err != nil {
		return found, 0, err
	}
	g := Filter{Trust: trust, View: v, proofs: e.Prover()}
	active, err := v.Memories()
	if err != nil {
		return found, 0, err
	}
	archives, err := v.Archives()
	if err != nil {
		return found, 0, err
	}
	for _, r := range active.Records {
		if g.ForeignMemory(*r.Memory, v.ReadRaw) {
			found = append(found, api.Foreign{ID: r.ID, Topic: r.Topic, Changed: trust.Knows(r.ID),
				Signature: g.Verdict(*r.Memory, v.ReadRaw)})
		}
	}
	total = len(active.Records)
	for _, r := range archives.Records {
		if _, isActive := active.Find(r.ID); isActive {
			continue
		}
		total++
		if g.ForeignMemory(*r.Memory, base.BytesOf(v.ReadArchive)) {
			found = append(found, api.Foreign{ID: r.ID, Topic: r.Topic, Changed: trust.Knows(r.ID), Archived: true,
				Signature: g.Verdict(*r.Memory, base.BytesOf(v.ReadArchive))})
		}
	}
	slices.SortFunc(found, func(a, b api.Foreign) int { return cmp.Compare(a.ID, b.ID) })
	return found, total, nil
}

// WasApproved reports whether a text was that of a memory's file when it was written or approved in this clone.
func (e *Engine) WasApproved(_ context.Context, id string, data []byte) (bool, error) {
	return base.Read(e.Store, id, func(v *store.View, id memory.ID) (bool, error) {
		trust, err := base.Tolerate(v.Trust())
		return err == nil && trust.Holds(id, data), err
	})
}

// Approve records the present bytes of memories and of their archives as approved in this clone.
// If one memory does not exist, none is approved.
func (e *Engine) Approve(ctx context.Context, ids []string) (api.TrustReport, error) {
	name := rand.Text()
	report, err := e.changeTrust(ctx, memory.ActionApproved, ids, func(tx *base.Tx, id memory.ID) error {
		var contents [][]byte
		if data, err := tx.ReadRaw(id); err == nil {
			contents = append(contents, data)
		}
		names, err := tx.ArchiveNames(id)
		if err != nil {
			return err
		}
		for _, name := range names {
			if file, err := tx.ReadVersion(name); err == nil {
				contents = append(contents, file.Bytes())
			}
		}
		slices.Reverse(contents) // the record keeps the last ones longest
		return tx.ApproveAs(name, id, contents...)
	})
	report.Approval = name
	return report, err
}

// ApproveAll is Approve for everything that comes from elsewhere.
func (e *Engine) ApproveAll(ctx context.Context) (api.TrustReport, error) {
	report, err := e.Trusted(ctx)
	if err != nil || len(report.Foreign) == 0 {
		return report, err
	}
	var ids []string
	for _, f := range report.Foreign {
		ids = append(ids, string(f.ID))
	}
	return e.Approve(ctx, ids)
}

// Revoke withdraws the approval of memories: they count as not written in this clone. If one of
// them does not exist, none is revoked.
func (e *Engine) Revoke(ctx context.Context, ids []string) (api.TrustReport, error) {
	return e.changeTrust(ctx, memory.ActionRevoked, ids, func(tx *base.Tx, id memory.ID) error { return tx.Revoke(id) })
}

// Unapprove withdraws an approval of memories, by its name: what was written, approved or revoked before counts again.
// If something else was recorded of one of them since, another approval included, none is taken back.
func (e *Engine) Unapprove(ctx context.Context, approval string, ids []string) (api.TrustReport, error) {
	return e.recordTrust(ctx, memory.ActionRevoked, ids, func(tx *base.Tx, ids []memory.ID) error {
		ok, err := tx.Unapprove(approval, ids...)
		if err == nil && !ok {
			err = memory.NewError(memory.CodeConflict, memory.KindUndoNone, "",
				"something else was changed since, or it was taken back already")
		}
		return err
	})
}

// changeTrust changes what is recorded of each of some memories, all of which must be there.
func (e *Engine) changeTrust(ctx context.Context, action string, ids []string,
	change func(*base.Tx, memory.ID) error) (api.TrustReport, error) {
	return e.recordTrust(ctx, action, ids, func(tx *base.Tx, ids []memory.ID) error {
		for _, id := range ids {
			if !tx.Taken(id) {
				return memory.NewError(memory.CodeNotFound, memory.KindForeignUnknown, string(id),
					"there is no memory %s", id)
			}
		}
		for _, id := range ids {
			if err := change(tx, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// recordTrust changes the record of memories for a person, and returns what it says then. The log gets an action for
// each.
func (e *Engine) recordTrust(ctx context.Context, action string, ids []string,
	change func(*base.Tx, []memory.ID) error) (api.TrustReport, error) {
	var report api.TrustReport
	if err := e.NeedPerson(); err != nil {
		return report, err
	}
	parsed, err := base.ParseIDs(ids)
	if err != nil {
		return report, err
	}
	err = e.Change(ctx, func(tx *base.Tx) error {
		session := e.OpenNow(tx.View)
		for _, id := range parsed {
			tx.Note(session, memory.Event{Action: action, ID: id})
		}
		return change(tx, parsed)
	})
	if err != nil {
		return report, err
	}
	report, err = e.Trusted(ctx)
	report.Changed = parsed
	return report, err
}
