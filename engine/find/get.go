package find

import (
	"cmp"
	"context"
	"slices"
	"time"

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
		return e.getBeforeCounting(id)
	}
	var detail api.Detail
	noted := e.ChangeAside(ctx, func(tx *base.Tx) error {
		d, u, err := e.open(tx.View, parsed, e.fetch, tx.Now)
		if err != nil {
			return err
		}
		tx.SetStats(u.Stats)
		e.Show(parsed)
		detail = d
		return nil
	})
	if noted == nil {
		return detail, nil
	}
	return e.peek(id, e.fetch)
}

// getBeforeCounting returns a memory and counts the access in the background. Only a server can
// do that: it outlives the answer.
func (e *Engine) getBeforeCounting(id string) (api.Detail, error) {
	now := e.Now()
	detail, err := base.Read(e.Store, id, func(v *store.View, id memory.ID) (api.Detail, error) {
		d, _, err := e.open(v, id, e.fetch, now)
		return d, err
	})
	if err == nil {
		e.Show(detail.ID)
		e.CountSoon(detail.ID, now)
	}
	return detail, err
}

// open returns a memory as fetch reads it, with an access at a time unless that is zero.
func (e *Engine) open(v *store.View, id memory.ID, fetch func(*store.View, memory.ID) (*memfile.File, error),
	at time.Time) (api.Detail, rank.Usage, error) {
	file, err := fetch(v, id)
	if err != nil {
		return api.Detail{}, rank.Usage{}, err
	}
	u, _, err := e.Usage(v)
	if err != nil {
		return api.Detail{}, u, err
	}
	if !at.IsZero() {
		u.Touch(file.Memory, at)
	}
	return e.detailOf(v, file, u), u, nil
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
	return base.Read(e.Store, id, e.archivedDetail)
}

// ArchivedFile returns the bytes of the text that [Engine.PeekArchive] returns.
func (e *Engine) ArchivedFile(_ context.Context, id string) ([]byte, error) {
	file, err := base.Read(e.Store, id, e.fetchArchived)
	if err != nil {
		return nil, err
	}
	return file.Bytes(), nil
}

func (e *Engine) fetchArchived(v *store.View, id memory.ID) (*memfile.File, error) {
	file, err := base.ArchivedText(v, id)
	if err != nil {
		return nil, err
	}
	return file, e.Admit(v, id, file.Bytes())
}

func (e *Engine) archivedDetail(v *store.View, id memory.ID) (api.Detail, error) {
	d, _, err := e.open(v, id, e.fetchArchived, time.Time{})
	if err != nil {
		return d, err
	}
	a, _ := v.Archival(id)
	d.Archived, d.ArchivedReason, d.ArchivedAt = true, a.Reason, timeOrNil(a.At)
	if now, err := v.Read(id); err == nil && now.Memory.Phase == memory.Full {
		d.Note = memory.Advise(memory.KindEarlierText, string(id), "an earlier text")
	}
	return d, nil
}

func (e *Engine) peek(id string, fetch func(*store.View, memory.ID) (*memfile.File, error)) (api.Detail, error) {
	return base.Read(e.Store, id, func(v *store.View, id memory.ID) (api.Detail, error) {
		d, _, err := e.open(v, id, fetch, time.Time{})
		return d, err
	})
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
		Conflicted: m.Conflicted, Client: m.Client, Restored: m.Restored, Supersedes: e.shown(v, m.Supersedes),
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

// Unresolved returns the memories whose files have an unresolved merge. It opens no file that did not change.
func (e *Engine) Unresolved(context.Context) (ids []memory.ID, err error) {
	err = e.Store.View(func(v *store.View) error {
		snapshot, err := v.MemoriesQuick()
		if err != nil {
			return err
		}
		for _, r := range snapshot.Unresolved {
			ids = append(ids, r.ID)
		}
		return nil
	})
	return ids, err
}
