package trust

import (
	"bytes"
	"context"
	"fmt"

	"ltm/engine/base"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
	"ltm/store/signing"
)

// Signatures reports what the signatures of memories prove, or without ids those of all active ones.
func (e *Engine) Signatures(_ context.Context, ids []string) (api.SignatureReport, error) {
	report := api.SignatureReport{Memories: []api.Signature{}}
	err := e.Store.View(func(v *store.View) error {
		chosen, err := idsOrAll(v, ids)
		if err != nil {
			return err
		}
		g, err := e.StrictFilter(v)
		if err != nil {
			return err
		}
		for _, id := range chosen {
			file, err := v.Read(id)
			archived := base.IsMissing(err)
			if archived {
				file, err = v.ReadArchive(id)
			}
			if memory.CodeOf(err) == memory.CodeUnreadable && len(ids) == 0 {
				continue
			}
			if err != nil {
				return err
			}
			m, p := file.Memory, g.proofs.Check(v, file.Memory)
			report.Memories = append(report.Memories, api.Signature{ID: m.ID, Topic: m.Topic,
				Verdict: string(p.Verdict), Key: p.Key, Signer: p.Signer, Trusted: !g.Foreign(id, file.Bytes()),
				Archived: archived})
		}
		return nil
	})
	return report, err
}

// idsOrAll parses ids; none are those of all active memories.
func idsOrAll(v *store.View, ids []string) ([]memory.ID, error) {
	if len(ids) > 0 {
		return base.ParseIDs(ids)
	}
	snapshot, err := v.Memories()
	if err != nil {
		return nil, err
	}
	all := make([]memory.ID, 0, len(snapshot.Records))
	for _, r := range snapshot.Records {
		all = append(all, r.ID)
	}
	return all, nil
}

// sealed is a memory with its new signature.
type sealed struct {
	api.Signature
	file  *memfile.File
	after []byte
}

// Sign signs memories, or without ids all active ones, and refuses those that were not written or
// approved in this clone. The signatures are made before the store is locked, because a person may
// have to confirm each. With dryRun it changes nothing, and makes none.
func (e *Engine) Sign(ctx context.Context, ids []string, with api.Signing, dryRun bool) (api.SignReport, error) {
	report := api.SignReport{DryRun: dryRun, Signed: []api.Signature{}, Refused: []api.Unsigned{}}
	var plan []sealed
	err := e.Store.View(func(v *store.View) (err error) {
		plan, err = e.planSigning(v, ids, with, &report)
		return err
	})
	if err != nil || dryRun || len(plan) == 0 {
		return report, err
	}
	if err := e.makeSignatures(ctx, plan, with); err != nil {
		return report, err
	}
	report.Signed = report.Signed[:0]
	err = e.Change(ctx, func(tx *base.Tx) error {
		for _, s := range plan {
			now, err := tx.ReadRaw(s.ID)
			if err != nil && !base.IsMissing(err) {
				return err
			}
			if !bytes.Equal(now, s.file.Bytes()) {
				report.Refused = append(report.Refused, api.Unsigned{ID: s.ID, Topic: s.Topic, Reason: memory.Advise(
					memory.KindFileChanged, string(s.ID), "something else has changed it meanwhile")})
				continue
			}
			if err := tx.WriteMemory(s.ID, s.after); err != nil {
				return err
			}
			tx.Note(e.OpenNow(tx.View), memory.Event{Action: memory.ActionSigned, ID: s.ID, Topic: s.Topic})
			report.Signed = append(report.Signed, s.Signature)
		}
		return nil
	})
	return report, err
}

func (e *Engine) planSigning(v *store.View, ids []string, with api.Signing, report *api.SignReport) ([]sealed, error) {
	chosen, err := idsOrAll(v, ids)
	if err != nil {
		return nil, err
	}
	g, err := e.StrictFilter(v)
	if err != nil {
		return nil, err
	}
	var plan []sealed
	for _, id := range chosen {
		file, err := base.ReadActive(v, id)
		if memory.CodeOf(err) == memory.CodeUnreadable && len(ids) == 0 {
			continue
		}
		if err != nil {
			return nil, err
		}
		m := file.Memory
		if reason := g.unsignable(file); reason != nil {
			report.Refused = append(report.Refused, api.Unsigned{ID: id, Topic: m.Topic, Reason: reason})
			continue
		}
		if g.proofs.Check(v, m).Verdict == signing.Valid && with.Made(m.Signature) {
			report.Kept++
			continue
		}
		s := sealed{Signature: api.Signature{ID: id, Topic: m.Topic, Verdict: string(signing.Valid)}, file: file}
		plan, report.Signed = append(plan, s), append(report.Signed, s.Signature)
	}
	return plan, nil
}

// makeSignatures signs what was planned, for the store's id, which must be one that counts in this clone.
func (e *Engine) makeSignatures(ctx context.Context, plan []sealed, with api.Signing) error {
	var home string
	err := e.Change(ctx, func(tx *base.Tx) (err error) {
		if home, err = tx.MakeStoreID(); err != nil {
			return err
		}
		why := "cannot be compared with this clone, whose root commit is not known"
		switch e.Prover().home(home) {
		case signing.Valid:
			return nil
		case signing.OtherRoot:
			why = "belongs to another repository"
		}
		return memory.NewError(memory.CodeConflict, memory.KindSignStore, home,
			"nothing is signed: the store's id %s %s", home, why)
	})
	if err != nil {
		return err
	}
	return e.Store.View(func(v *store.View) error {
		for i := range plan {
			s := &plan[i]
			m := s.file.Memory
			full, _ := whole(v, m)
			var err error
			if m.Signature, err = with.Sign(full, home); err != nil {
				return err
			}
			s.Key = signing.Fingerprint(m.Signature)
			if s.after, err = s.file.With(m); err != nil {
				return err
			}
		}
		return nil
	})
}

// unsignable says why a memory cannot be signed, or returns nil.
func (g Filter) unsignable(file *memfile.File) memory.Note {
	m := file.Memory
	id := string(m.ID)
	if m.Conflicted {
		return memory.Advise(memory.KindMergeUnresolved, id, "it has an unresolved merge")
	}
	if g.Foreign(m.ID, file.Bytes()) {
		return memory.Advise(memory.KindSignForeign, id, "it was not written or approved in this clone")
	}
	full, found := whole(g.View, m)
	if !found {
		return memory.Advise(memory.KindSignIncomplete, id,
			fmt.Sprintf("it is fading (%s), and its full text is missing", m.Phase))
	}
	if !isExactReduction(m, full) {
		return memory.Advise(memory.KindSignIncomplete, id, "it was faded, and edited since")
	}
	return nil
}

// Signatures implements [audit.Signatures].
type Signatures struct {
	Filter   Filter
	Required bool
}

func (s Signatures) Altered(r store.Record) bool {
	return r.Signature != "" && s.Filter.ForeignMemory(*r.Memory, s.Filter.View.ReadRaw) && s.Filter.Altered(r.ID)
}

func (s Signatures) Missed(r store.Record) bool {
	if !s.Required || s.Filter.ForeignMemory(*r.Memory, s.Filter.View.ReadRaw) {
		return false
	}
	return s.Filter.Verdict(*r.Memory, s.Filter.View.ReadRaw) != string(signing.Valid)
}

// Prove checks the signatures of all memories that this clone does not know yet, and records those
// that hold, for hooks.
func (e *Engine) Prove(ctx context.Context) error {
	if e.Signer == nil {
		return nil
	}
	err := e.Store.View(func(v *store.View) error {
		snapshot, err := v.MemoriesQuick()
		if err != nil {
			return err
		}
		g, err := e.StrictFilter(v)
		if err != nil {
			return err
		}
		for _, r := range snapshot.Records {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if r.Signature != "" && !g.ForeignMemory(*r.Memory, v.ReadRaw) {
				if id, err := v.StoreID(); err == nil && id != "" {
					_ = g.proofs.home(id) // ties the id to the repository, even if it had no commit at first
				}
			}
		}
		return nil
	})
	if err != nil || !e.Learned.Waiting() {
		return err
	}
	return e.ChangeAside(ctx, func(*base.Tx) error { return nil })
}
