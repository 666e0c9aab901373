package change

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"ltm/engine/base"
	"ltm/engine/find"
	"ltm/engine/rank"
	"ltm/engine/trust"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

// Update changes a memory and counts as an access. New content makes a reduced memory full again;
// its old full text stays in the archives, also when the memory is archived again. Text is
// appended to the full text, which for a reduced memory comes from the archives.
func (e *Engine) Update(ctx context.Context, id string, p api.Patch) (api.Receipt, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return api.Receipt{}, err
	}
	all, err := e.updateAll(ctx, []memory.ID{parsed}, p, find.AskHistory(math.MaxInt))
	if err != nil {
		return api.Receipt{}, err
	}
	u := all[0]
	message := fmt.Sprintf("updated %s: %s", trust.Named(parsed, u.foreign),
		trust.QuotedFrom(u.changed.Topic, u.foreign))
	if u.masked > 0 {
		message += fmt.Sprintf(" (%d masked)", u.masked)
	}
	return e.receipt(receiptOf(u.changed, slices.Concat(memory.Say(message),
		correctedNote(p.Supersedes, u.aside, u.competing), u.untaken))), nil
}

// updating is the change of one memory, which is planned and then written.
type updating struct {
	id        memory.ID
	fresh     *renewed
	file      *memfile.File
	source    []byte
	changed   memory.Memory
	data      []byte
	masked    int
	aside     []*memfile.File
	competing []memory.ID
	untaken   memory.Note
	foreign   bool // the changed memory
}

// updateAll changes several memories in the same way. If one of them cannot be changed, none is.
func (e *Engine) updateAll(ctx context.Context, ids []memory.ID, p api.Patch, h *find.History) ([]*updating, error) {
	if err := cleanPatch(&p); err != nil {
		return nil, err
	}
	for { // each further round follows a change by someone else
		all, err := e.tryUpdate(ctx, ids, p, h)
		if !errors.Is(err, find.ErrOutdated) {
			return all, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}

// tryUpdate fails with errOutdated if another change came between a look at the files and the lock.
func (e *Engine) tryUpdate(ctx context.Context, ids []memory.ID, p api.Patch, h *find.History) ([]*updating, error) {
	all := make([]*updating, len(ids))
	for i, id := range ids {
		fresh, err := e.renew(ctx, id, p, h)
		if err != nil {
			return nil, err
		}
		all[i] = &updating{id: id, fresh: fresh}
	}
	err := e.Change(ctx, func(tx *base.Tx) error {
		for _, u := range all {
			if err := e.plan(tx, u, p); err != nil {
				return err
			}
		}
		for _, u := range all {
			if err := e.write(tx, u, p); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

func (e *Engine) plan(tx *base.Tx, u *updating, p api.Patch) (err error) {
	if u.file, err = base.ReadActive(tx.View, u.id); err != nil {
		return err
	}
	if err := e.Admit(tx.View, u.id, u.file.Bytes()); err != nil {
		return err
	}
	var whole memory.Memory
	if whole, u.source, err = e.wholeFor(tx.View, u.file, p); err != nil {
		return err
	}
	if u.changed, err = patched(whole, p); err != nil {
		return err
	}
	if u.untaken, err = u.fresh.apply(u.file, &u.changed); err != nil {
		return err
	}
	if u.aside, err = e.patchLinks(tx.View, &u.changed, p); err != nil {
		return err
	}
	if len(p.Supersedes) > 0 {
		if u.competing, err = e.competing(tx.View, u.changed); err != nil {
			return err
		}
	}
	if u.masked, err = trust.Screen(&u.changed, u.file.Memory, p.Redact); err != nil {
		return err
	}
	u.data, err = u.file.With(u.changed)
	return err
}

// write replaces the file of a memory with its changed form, counts an access, and archives the
// memories that it supersedes from now on.
func (e *Engine) write(tx *base.Tx, u *updating, p api.Patch) error {
	isNew := !slices.Equal(u.data, u.file.Bytes())
	if isNew {
		if err := replace(tx, u.file, u.source, u.changed, u.data); err != nil {
			return err
		}
	}
	used, state, err := rank.UsageOf(tx.View)
	if err != nil {
		return err
	}
	u.foreign = e.OriginsIn(tx.View).Foreign(u.id, false)
	used.Touch(u.changed, tx.Now)
	session := e.Sessions.Find(state, p.Session)
	if isNew {
		tx.Note(session, memory.Event{Action: memory.ActionUpdated, ID: u.id, Topic: u.changed.Topic, Why: p.Changes()})
	}
	if err := setAside(tx, session, u.id, u.aside); err != nil {
		return err
	}
	tx.SetStats(used.Stats)
	return nil
}
