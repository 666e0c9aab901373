package find

import (
	"cmp"
	"context"
	"slices"

	"ltm/engine/base"
	"ltm/engine/rank"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

// Get returns a memory and counts the access. If the access cannot be written, as in a read-only
// store or while another process holds the lock, Get still returns the memory.
func (e *Engine) Get(ctx context.Context, id string) (api.Detail, error) {
	d, err := e.get(ctx, id)
	e.tellCommits(ctx, d.Refs, map[string][]api.RefCommit{})
	return d, err
}

func (e *Engine) get(ctx context.Context, id string) (api.Detail, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return api.Detail{}, err
	}
	e.LearnFrom(nil, id)
	if e.Store.Serving() {
		return e.getBeforeCounting(ctx, parsed)
	}
	var detail api.Detail
	noted := e.ChangeAside(ctx, func(tx *base.Tx) error {
		file, err := e.fetch(tx.View, parsed)
		if err != nil {
			return err
		}
		u, _, err := e.Usage(tx.View)
		if err != nil {
			return err
		}
		u.Touch(file.Memory, tx.Now)
		tx.SetStats(u.Stats)
		e.Show(parsed)
		detail = e.detailOf(tx.View, file, u)
		return nil
	})
	if noted == nil {
		return detail, nil
	}
	err = e.Store.View(func(v *store.View) error {
		file, err := e.fetch(v, parsed)
		if err != nil {
			return err
		}
		u, _, err := e.Usage(v)
		detail = e.detailOf(v, file, u)
		return err
	})
	return detail, err
}

// getBeforeCounting returns a memory and counts the access in the background. Only a server can
// do that: it outlives the answer.
func (e *Engine) getBeforeCounting(ctx context.Context, id memory.ID) (api.Detail, error) {
	now := e.Now()
	var detail api.Detail
	err := e.Store.View(func(v *store.View) error {
		file, err := e.fetch(v, id)
		if err != nil {
			return err
		}
		u, _, err := e.Usage(v)
		if err != nil {
			return err
		}
		u.Touch(file.Memory, now)
		detail = e.detailOf(v, file, u)
		return nil
	})
	if err == nil {
		e.Show(id)
		e.CountSoon(id, now)
	}
	return detail, err
}

// fetch returns an active memory, or an error if it is held back.
func (e *Engine) fetch(v *store.View, id memory.ID) (*memfile.File, error) {
	file, err := base.ReadActive(v, id)
	if err != nil {
		return nil, err
	}
	return file, e.Admit(v, id, file.Bytes())
}

// Peek is [Engine.Get] without counting an access. Only a person gets the commits of stale references: the server of a
// model compares memories every few seconds, and must not start git each time.
func (e *Engine) Peek(ctx context.Context, id string) (api.Detail, error) {
	d, err := e.peek(id, base.ReadActive)
	if !e.ToModel {
		e.tellCommits(ctx, d.Refs, map[string][]api.RefCommit{})
	}
	return d, err
}

// PeekArchive returns the newest full text of a memory in the archives: that of a memory that was
// archived or reduced, and of any other its previous text. It changes nothing.
func (e *Engine) PeekArchive(_ context.Context, id string) (api.Detail, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return api.Detail{}, err
	}
	var detail api.Detail
	err = e.Store.View(func(v *store.View) error {
		detail, err = e.archivedDetail(v, parsed)
		return err
	})
	return detail, err
}

// ArchivedFile returns the bytes of the text that [Engine.PeekArchive] returns.
func (e *Engine) ArchivedFile(_ context.Context, id string) ([]byte, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return nil, err
	}
	var data []byte
	err = e.Store.View(func(v *store.View) error {
		file, err := base.ArchivedText(v, parsed)
		if err != nil {
			return err
		}
		data = file.Bytes()
		return e.Admit(v, parsed, data)
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

func (e *Engine) archivedDetail(v *store.View, id memory.ID) (api.Detail, error) {
	file, err := base.ArchivedText(v, id)
	if err != nil {
		return api.Detail{}, err
	}
	if err := e.Admit(v, id, file.Bytes()); err != nil {
		return api.Detail{}, err
	}
	u, _, err := e.Usage(v)
	if err != nil {
		return api.Detail{}, err
	}
	d := e.detailOf(v, file, u)
	a, _ := v.Archival(id)
	d.Archived, d.ArchivedReason, d.ArchivedAt = true, a.Reason, timeOrNil(a.At)
	if now, err := v.Read(id); err == nil && now.Memory.Phase == memory.Full {
		d.Note = memory.Advise(memory.KindEarlierText, string(id), "an earlier text")
	}
	return d, nil
}

func (e *Engine) peek(id string, read func(*store.View, memory.ID) (*memfile.File, error)) (api.Detail, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return api.Detail{}, err
	}
	var detail api.Detail
	err = e.Store.View(func(v *store.View) error {
		file, err := read(v, parsed)
		if err != nil {
			return err
		}
		u, _, err := e.Usage(v)
		if err != nil {
			return err
		}
		detail = e.detailOf(v, file, u)
		return nil
	})
	return detail, err
}

func (e *Engine) detailOf(v *store.View, file *memfile.File, u rank.Usage) api.Detail {
	m := file.Memory
	st := u.Stats[m.ID]
	d := api.Detail{
		ID: m.ID, Topic: m.Topic, Content: m.Content, Summary: m.Summary, Tags: m.PlainTags(), Aliases: m.Aliases,
		Marks: u.MarksOf(m), Phase: u.Faded(m),
		Priority: u.Rounded(m), Difficulty: m.Difficulty, Work: m.Work, AccessCount: st.AccessCount,
		CreatedAt:  api.Time{Time: m.CreatedAt},
		AccessedAt: timeOrNil(st.AccessedAt), CreatedSession: m.CreatedSession, LastSession: st.LastSession,
		Conflicted: m.Conflicted, Restored: m.Restored, Supersedes: e.shown(v, m.Supersedes),
	}
	said := u.Standings.Get()
	d.SupersededBy, d.Disputes, d.Related = rank.Many(said.SupersededBy(m.ID)), rank.Many(said.Disputes(m.ID)),
		rank.Many(said.Related(m.ID))
	d.Refs = u.Staleness.RefsOf(m)
	if m.Signature != "" {
		proof := e.Prover().Check(v, m)
		d.Signature, d.Signer = string(proof.Verdict), cmp.Or(proof.Signer, proof.Key)
	}
	d.Scope, d.Foreign = base.Scope(v), e.Origins(v, u.Settings).ForeignText(m.ID, file.Bytes())
	if m.Phase == memory.Full || m.KeepsText {
		return d // its archives are earlier versions
	}
	if full, err := v.NewestFull(m.ID); err == nil && full != nil {
		a, _ := v.Archival(m.ID)
		d.Archived, d.ArchivedReason, d.ArchivedAt, d.Note = true, a.Reason, timeOrNil(a.At),
			memory.Advise(memory.KindPartOnly, string(m.ID), "its file has only a part of it")
	}
	return d
}

// shown returns those of the ids in a memory's file that an answer may name. Most of what a memory supersedes is only
// in the archives.
func (e *Engine) shown(v *store.View, ids []memory.ID) []memory.ID {
	if len(ids) == 0 {
		return ids
	}
	g, err := e.ModelFilter(v)
	switch {
	case err != nil:
		return nil
	case !g.HoldsBack():
		return ids
	}
	held := func(id memory.ID) bool { return g.ForeignID(id, !v.HasMemory(id)) }
	return slices.DeleteFunc(slices.Clone(ids), held)
}
